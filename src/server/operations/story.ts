// `npm run story -- ORDER_ID [LOG ...]`: all that is known of one order, from the database and from logs (RUNBOOK.md).
import { createReadStream, existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { quoted } from '../../domain/plainText.ts';
import { databasesNamed } from '../environment.ts';
import { openDb } from '../store/db.ts';
import { storyOf, type Story } from '../store/story.ts';

interface Line {
  readonly at: number;
  readonly from: string;
  readonly text: string;
}

const LEVELS: Readonly<Record<number, string>> = { 30: 'info', 40: 'WARN', 50: 'ERROR' };
const told = (more: object) =>
  Object.entries(more)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `${name}=${quoted(typeof value === 'string' ? value : JSON.stringify(value))}`)
    .join(' ');

/** The lines of a log in which one of these names stands; '-' is what comes in. */
async function* linesAbout(file: string, names: readonly string[]): AsyncGenerator<Line> {
  const input = file === '-' ? process.stdin : createReadStream(file);
  for await (const line of createInterface({ input, crlfDelay: Infinity })) {
    if (!names.some((name) => line.includes(name))) continue;
    // What a supervisor writes before a line is no part of it.
    const start = line.indexOf('{');
    let entry: { level?: number; time?: number | string; msg?: string };
    try {
      entry = JSON.parse(line.slice(start)) as typeof entry;
    } catch {
      yield { at: NaN, from: 'log', text: line };
      continue;
    }
    const { level = 30, time = NaN, msg = '', ...rest } = entry;
    yield { at: new Date(time).getTime(), from: LEVELS[level] ?? 'log', text: `${msg} ${told(rest)}` };
  }
}

const [name, ...logs] = process.argv.slice(2);
const HERE = fileURLToPath(new URL('../../../dist/data/pizza.db', import.meta.url));

/** @throws Error that says what is wrong */
function targetsAsked(): string[] {
  const targets = databasesNamed(process.env, HERE).map(({ target }) => target);
  const files = [...targets.filter((target) => !/^[a-z]+:/i.test(target)), ...logs.filter((file) => file !== '-')];
  for (const file of files) if (!existsSync(file)) throw new Error(`There is no file ${file}.`);
  return targets;
}

/** Looks in the databases of all countries. */
async function findStory(asked: string): Promise<Story> {
  for (const target of targetsAsked()) {
    const { db } = await openDb(target);
    try {
      const story = await storyOf(db, asked);
      if (story !== undefined) return story;
    } finally {
      await db.destroy();
    }
  }
  throw new Error(`Nothing has the name ${asked}.`);
}

if (name === undefined) {
  console.error(
    'npm run story -- ORDER_ID [LOG ...]: the id of an order, its trace, number@store, a payment or its reference; a log is a file of JSON lines, or -',
  );
  process.exit(2);
}
const story = await findStory(name).catch((error: unknown) => {
  console.error((error as Error).message);
  process.exit(1);
});
const { order, chapters, names } = story;
const lines: Line[] = chapters.map(({ at, what, more }) => ({ at, from: 'shop', text: `${what} ${told(more)}` }));
for (const file of logs) for await (const line of linesAbout(file, names)) lines.push(line);
console.log(`${order.id}  number ${order.number}@${order.store_id}  trace ${order.trace ?? 'none'}  ${order.status}`);
for (const { at, from, text } of lines.sort((a, b) => a.at - b.at))
  console.log(`${Number.isNaN(at) ? '?' : new Date(at).toISOString()}  ${from.padEnd(5)}  ${text.trim()}`);

// `npm run requirements`: how many rows of requirements.json are named by a test, by area. `--missing` lists the others.
// `--weak`: rows with one proof only, rows that only an atom or a rule read in a test proves, rows that a customer should see
// and that only server tests name, titles with more than three rows, and rows whose last audit doubts them.
// A test names rows in its title: 'a pizza keeps its toppings [CART-07]', '... [CART-07, CART-08]'.
import { readFile, readdir } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';

const { values: flags } = parseArgs({
  options: { missing: { type: 'boolean' }, weak: { type: 'boolean' }, area: { type: 'string' } },
});
const here = import.meta.dirname;
interface Row {
  readonly id: string;
  readonly area: string;
  readonly capability: string;
  /** What an audit of the tests, the code and the running app found, and the commit it looked at. */
  readonly audit?: { readonly word: Word; readonly since: string; readonly why?: string };
}
/**
 * How a row is proven: its test goes through a screen as a customer does, calls the interface as a client does, or checks
 * a table of cases; `partial` proves a part of it, `unproven` nothing.
 */
const WORDS = ['customer', 'client', 'table', 'partial', 'unproven'] as const;
type Word = (typeof WORDS)[number];
const file = JSON.parse(await readFile(path.join(here, 'requirements.json'), 'utf8')) as { rows: readonly Row[] };
const areas = [...new Set(file.rows.map((row) => row.area))];
const rows = new Map(file.rows.map((row) => [row.id, row]));

/** The titles of test(), it() and describe() calls, with .each(...) too, and of the hosts' suite, each(row, title); a skipped test proves nothing. */
const TITLE = /(?:(?:\b(?:test|it|describe)((?:\.\w+)*)|\))\s*\(|\beach\(\d+,)\s*(['"`])((?:\\.|(?!\2)[\s\S])*)\2/g;
const IDS = /\[([A-Z]+-[A-Z]?\d+[a-z]?(?:\s*,\s*[A-Z]+-[A-Z]?\d+[a-z]?)*)\]/g;

/** By row, the files whose tests name it, once for each title. */
const proven = new Map<string, string[]>();
const crowded: string[] = [];
const unknown: string[] = [];
for (const entry of await readdir(here, { recursive: true, withFileTypes: true })) {
  if (!entry.isFile() || !/\.(test|spec)\.tsx?$/.test(entry.name)) continue;
  const testFile = path.join(entry.parentPath, entry.name);
  const text = await readFile(testFile, 'utf8');
  const named: string[] = [];
  for (const [, modifiers, , title = ''] of text.matchAll(TITLE)) {
    if (/\.(skip|todo|fixme)\b/.test(modifiers ?? '')) continue;
    const ids = new Set([...title.matchAll(IDS)].flatMap(([, list = '']) => list.split(',').map((id) => id.trim())));
    if (ids.size > 3 && !/\.each\b/.test(modifiers ?? '') && !/%[a-z]|\$\{|\$[a-z]/.test(title))
      crowded.push(`${path.relative(here, testFile)}: ${title}`);
    named.push(...ids);
  }
  for (const id of named) {
    if (!rows.has(id)) unknown.push(`${id} in ${path.relative(process.cwd(), testFile)}`);
    else proven.set(id, [...(proven.get(id) ?? []), path.relative(here, testFile)]);
  }
}

console.log('area     proven   of');
for (const area of areas) {
  const all = [...rows.values()].filter((row) => row.area === area);
  const done = all.filter((row) => proven.has(row.id));
  console.log(`${area.padEnd(8)} ${String(done.length).padStart(6)} ${String(all.length).padStart(4)}`);
  if (flags.missing && (!flags.area || flags.area === area))
    for (const row of all) if (!proven.has(row.id)) console.log(`    ${row.id.padEnd(10)} ${row.capability}`);
}
console.log(`${'all'.padEnd(8)} ${String(proven.size).padStart(6)} ${String(rows.size).padStart(4)}`);
const words = WORDS.map((word) => `${word} ${[...rows.values()].filter(({ audit }) => audit?.word === word).length}`);
console.log(
  `\nby their last audit: ${words.join(', ')}, not looked at ${[...rows.values()].filter(({ audit }) => !audit).length}`,
);

if (flags.weak) {
  /** Areas whose rows are a client's: what a server test proves, is proven. */
  const OF_CLIENTS = new Set(['API']);
  const isOf = (folders: RegExp) => (file: string) => folders.test(file);
  const list = (title: string, found: readonly Row[]) => {
    console.log(`\n${title}: ${found.length}`);
    for (const { id, capability } of found)
      console.log(`    ${id.padEnd(10)} ${capability}  (${[...new Set(proven.get(id))].join(', ')})`);
  };
  const named = [...rows.values()].filter((row) => proven.has(row.id) && (!flags.area || flags.area === row.area));
  list(
    'Named by one title only',
    named.filter(({ id }) => proven.get(id)!.length === 1),
  );
  list(
    'Proven on the server alone, where a customer should see it',
    named.filter(({ id, area }) => !OF_CLIENTS.has(area) && proven.get(id)!.every(isOf(/^(server|api|country)\//))),
  );
  list(
    'Proven by reading an atom or a rule alone',
    named.filter(({ id }) => proven.get(id)!.every(isOf(/^(state|domain|bridge|text)\//))),
  );
  const doubted = [...rows.values()].filter(({ audit }) => audit?.word === 'partial' || audit?.word === 'unproven');
  console.log(`\nDoubted by the last audit: ${doubted.length}`);
  for (const { id, audit } of doubted)
    console.log(`    ${id.padEnd(10)} ${audit!.word} since ${audit!.since}: ${audit!.why ?? ''}`);
  console.log(`\nTitles with more than three rows that are no table: ${crowded.length}`);
  for (const title of crowded) console.log(`    ${title}`);
}

const odd = [...rows.values()].filter(({ audit }) => audit && !WORDS.includes(audit.word));
if (odd.length > 0) {
  console.error(`\nNo word of an audit: ${odd.map(({ id, audit }) => `${id} ${audit!.word}`).join('; ')}`);
  process.exitCode = 1;
}
if (unknown.length > 0) {
  console.error(`\nNo such row: ${unknown.join('; ')}`);
  process.exitCode = 1;
}

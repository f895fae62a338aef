// A part of `npm run lint`: every pattern of src and hosts takes a time that grows with its text, and no faster. Who can
// send a text could otherwise stop a process or a page with a few kilobytes of it.
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseSync } from 'oxc-parser';
import { checkSync } from 'recheck';

/** Patterns that the checker cannot decide, or that meet nobody's text, with why they are harmless. */
const HARMLESS: Readonly<Record<string, string>> = {
  [String.raw`/\b(?:anonymous|user|cart)_[\w-]+/g`]: 'begins at the first letter of a word alone, and takes all of it',
  [String.raw`/^[\x20-\x7e]{1,512}$/`]: 'begins at the first letter alone, and repeats one class',
  [String.raw`/(<meta name="description" content=")[^"]*/`]: 'what it begins with is not in what it repeats',
  [String.raw`/^\/(?:thank-you(?:-and-tracking)?(?:\/|$)|order\/[^/]+$)/`]: 'begins at the first letter alone',
  [String.raw`/^[A-Za-z0-9!#$%&'*+/=?^_\`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_\`{|}~-]+)*@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z]{2,}$/`.replaceAll(
    '\\`',
    '`',
  )]:
    'begins at the first letter alone; its parts end at signs that are in none of them, and an email has at most 254 letters',
};
/** What builds the pages reads the project's own files alone. */
const LEFT_OUT = /^src\/(?:build|text\/made)\//;
/** How much the checker tries is limited by counts alone: a busy machine judges as a quiet one. */
const BY_COUNTS = { timeout: null, seedingTimeout: null, incubationTimeout: null, attackTimeout: null };

interface Pattern {
  readonly source: string;
  readonly flags: string;
  readonly place: string;
}

const isNode = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

/** The literals of patterns in a file, and those that `new RegExp` or `RegExp` makes of a literal text. */
function patternsOf(file: string): Pattern[] {
  const text = readFileSync(file, 'utf8');
  const found: Pattern[] = [];
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) return node.forEach(visit);
    if (!isNode(node)) return;
    const place = `${file}:${text.slice(0, Number(node['start'] ?? 0)).split('\n').length}`;
    const { regex } = node as { regex?: { pattern: string; flags: string } };
    if (node['type'] === 'Literal' && regex) found.push({ source: regex.pattern, flags: regex.flags, place });
    if (
      (node['type'] === 'NewExpression' || node['type'] === 'CallExpression') &&
      (node['callee'] as { name?: string }).name === 'RegExp'
    ) {
      const [source, flags] = (node['arguments'] as { value?: unknown }[]).map(({ value }) => value);
      if (typeof source === 'string') found.push({ source, flags: typeof flags === 'string' ? flags : '', place });
    }
    Object.values(node).forEach(visit);
  };
  visit(parseSync(file, text).program);
  return found;
}

process.chdir(path.resolve(import.meta.dirname, '..'));
const patterns = new Map(
  globSync(['src/**/*.{ts,tsx}', 'hosts/**/*.{ts,tsx}'])
    .filter((file) => !LEFT_OUT.test(file))
    .flatMap(patternsOf)
    .map((one): [string, Pattern] => [`/${one.source}/${one.flags}`, one]),
);
const wrong: string[] = [];
for (const [name, { source, flags, place }] of patterns) {
  if (name in HARMLESS) continue;
  // The checker reads no flag v and no d; neither makes a pattern slower.
  const told = checkSync(source, flags.replace('v', 'u').replace('d', ''), BY_COUNTS);
  if (told.status === 'safe') continue;
  const why = told.status === 'vulnerable' ? `takes ${told.complexity.summary} time` : 'could not be judged';
  wrong.push(`${place} ${name} ${why}`);
}
for (const name of Object.keys(HARMLESS)) if (!patterns.has(name)) wrong.push(`HARMLESS names ${name}, which is gone`);
console.log(`${patterns.size} patterns, ${wrong.length} that some text can make slow`);
for (const one of wrong) console.error(`error: ${one}`);
process.exitCode = wrong.length > 0 ? 1 : 0;

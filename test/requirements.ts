// `npm run requirements`: how many rows of requirements.json are named by a test, by area. `--missing` lists the others.
// A test names rows in its title: 'a pizza keeps its toppings [CART-07]', '... [CART-07, CART-08]'.
import { readFile, readdir } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';

const { values: flags } = parseArgs({ options: { missing: { type: 'boolean' }, area: { type: 'string' } } });
const here = import.meta.dirname;
interface Row {
  readonly id: string;
  readonly area: string;
  readonly capability: string;
}
const file = JSON.parse(await readFile(path.join(here, 'requirements.json'), 'utf8')) as { rows: readonly Row[] };
const areas = [...new Set(file.rows.map((row) => row.area))];
const rows = new Map(file.rows.map((row) => [row.id, row]));

/** The titles of test(), it() and describe() calls, with .each(...) too, and of the hosts' suite, each(row, title); a skipped test proves nothing. */
const TITLE = /(?:(?:\b(?:test|it|describe)((?:\.\w+)*)|\))\s*\(|\beach\(\d+,)\s*(['"`])((?:\\.|(?!\2)[\s\S])*)\2/g;
const IDS = /\[([A-Z]+-[A-Z]?\d+[a-z]?(?:\s*,\s*[A-Z]+-[A-Z]?\d+[a-z]?)*)\]/g;

/** By row, the files whose tests name it. */
const proven = new Map<string, string[]>();
const unknown: string[] = [];
for (const entry of await readdir(here, { recursive: true, withFileTypes: true })) {
  if (!entry.isFile() || !/\.(test|spec)\.tsx?$/.test(entry.name)) continue;
  const testFile = path.join(entry.parentPath, entry.name);
  const text = await readFile(testFile, 'utf8');
  const named = new Set<string>();
  for (const [, modifiers, , title = ''] of text.matchAll(TITLE)) {
    if (/\.(skip|todo|fixme)\b/.test(modifiers ?? '')) continue;
    for (const [, list = ''] of title.matchAll(IDS)) for (const id of list.split(',')) named.add(id.trim());
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
if (unknown.length > 0) {
  console.error(`\nNo such row: ${unknown.join('; ')}`);
  process.exitCode = 1;
}

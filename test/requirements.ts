// `npm run requirements`: how many rows of requirements.json are named by a test, by area. `--missing` lists the others.
// `--weak`: rows with one proof only, rows that only an atom or a rule read in a test proves, rows that a customer should see
// and that only server tests name, titles with more than three rows, and rows whose last audit doubts them.
// A test names rows in its title: 'a pizza keeps its toppings [CART-07]', '... [CART-07, CART-08]'.
import { parseArgs } from 'node:util';
import { allTitles, readRows, WORDS, type Row } from './architecture/rows.ts';

const { values: flags } = parseArgs({
  options: { missing: { type: 'boolean' }, weak: { type: 'boolean' }, area: { type: 'string' } },
});
const rows = new Map(readRows().map((row) => [row.id, row]));
const areas = [...new Set([...rows.values()].map((row) => row.area))];

/** By row, the files whose tests name it, once for each title. */
const proven = new Map<string, string[]>();
const unknown: string[] = [];
const titles = allTitles();
for (const { file, ids } of titles)
  for (const id of ids) {
    if (!rows.has(id)) unknown.push(`${id} in test/${file}`);
    else proven.set(id, [...(proven.get(id) ?? []), file]);
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
const words = WORDS.map((word) => `${word} ${[...rows.values()].filter(({ audit }) => audit.word === word).length}`);
console.log(`\nby their last audit: ${words.join(', ')}`);

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
  // Of what nobody has seen on a screen: where a server answered, and where none did.
  const unseen = named.filter(
    ({ id, area }) => !OF_CLIENTS.has(area) && !proven.get(id)!.some(isOf(/^(e2e|screens|shell|ui|hosts)\//)),
  );
  const isAnswered = ({ id }: Row) => proven.get(id)!.some(isOf(/^server\//));
  list('Proven on the server alone, where a customer should see it', unseen.filter(isAnswered));
  list(
    'Proven by reading an atom, a rule or a file alone',
    unseen.filter((row) => !isAnswered(row)),
  );
  const doubted = [...rows.values()].filter(({ audit }) => audit.word === 'partial' || audit.word === 'unproven');
  console.log(`\nDoubted by the last audit: ${doubted.length}`);
  for (const { id, audit } of doubted)
    console.log(`    ${id.padEnd(10)} ${audit.word} since ${audit.since}: ${audit.why ?? ''}`);
  const crowded = titles.filter(({ isCrowded }) => isCrowded);
  console.log(`\nTitles with more than three rows that no table has a case for: ${crowded.length}`);
  for (const { file, title } of crowded) console.log(`    ${file}: ${title}`);
}

if (unknown.length > 0) {
  console.error(`\nNo such row: ${unknown.join('; ')}`);
  process.exitCode = 1;
}

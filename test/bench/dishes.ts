// How long a search for dishes takes on a slow phone, among a thousand of them, ranking included.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { countries } from '../../country/index.ts';
import { find, indexOf } from '../../src/domain/search.ts';
import { defaultMenu } from '../../src/server/rules/catalogue/menu.ts';
import { median, pad, root } from './numbers.ts';

const LIMIT_MS = 4;
const DISHES = 1_000;
/** What a phone of a few years ago takes, for each millisecond of this machine. */
const SLOWER = 4;
const ROUNDS = 7;

export function benchDishes(): void {
  console.log('\nSearch for dishes');
  const rows = readFileSync(path.join(root, 'test/domain/dishqueries.tsv'), 'utf8').trim().split('\n');
  for (const country of countries) {
    const { categories, items } = defaultMenu(country, 'en');
    const labels = new Map(categories.map(({ id, label }) => [id, label]));
    const many = Array.from({ length: DISHES }, (_, at) => {
      const item = items[at % items.length]!;
      return { ...item, id: `${item.id}-${at}`, name: `${item.name} ${Math.floor(at / items.length)}` };
    });
    const index = indexOf(many, (id) => labels.get(id) ?? '');
    const queries = rows.flatMap((row) => {
      const [, place, query] = row.split('\t');
      return place?.toUpperCase() === country.COUNTRY_CODE && query !== undefined ? [query] : [];
    });
    // The least of some rounds over all: what else the machine does is no work of the search.
    const times = queries.map(() => Infinity);
    for (let round = 0; round < ROUNDS; round += 1)
      for (const [at, query] of queries.entries()) {
        const begun = performance.now();
        find(index, query);
        times[at] = Math.min(times[at]!, (performance.now() - begun) * SLOWER);
      }
    const worst = Math.max(...times);
    console.log(
      `${pad(`${country.COUNTRY_CODE}, ${queries.length} queries, ${DISHES} dishes`, 40)} median ${median(times).toFixed(2)} ms, worst ${worst.toFixed(2)} ms, limit ${LIMIT_MS} ms: ${worst <= LIMIT_MS ? 'kept' : 'NOT KEPT'}`,
    );
  }
}

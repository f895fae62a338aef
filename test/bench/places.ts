// How long a search for a place takes on the server: the rule alone, and asked over HTTP.
import { countries, countryConfig } from '../../country/index.ts';
import * as places from '../../src/contract/places.ts';
import { catalogueFromDisk } from '../../src/server/rules/catalogue/catalogue.ts';
import type { Gazetteer } from '../../src/server/rules/places/gazetteer.ts';
import { placesOf, suggest } from '../../src/server/rules/places/places.ts';
import type { SeedPlace } from '../../src/server/store/seeds.ts';
import { spawnServer } from '../kit/server.ts';
import { median, pad, within } from './numbers.ts';

const LIMIT_MS = 20;
const SEARCHES = 1_200;
const WARM_UP = 200;
const AT = { latitude: 28.6139, longitude: 77.209 };

/** What people type: beginnings, whole names with and without a slip, postcodes, two words, and names in four scripts. */
function searches({ places: all }: Gazetteer): string[] {
  const typed: string[] = [];
  for (let n = 0; typed.length < SEARCHES; n += 1) {
    const place = all[(n * 7919) % all.length] as SeedPlace;
    const native = place.aliases.find((alias) => /[\u0900-\u0dff]/.test(alias));
    const name = place.name;
    const slip = name.length > 5 ? name.slice(0, 2) + name.charAt(3) + name.charAt(2) + name.slice(4) : name;
    typed.push(
      ...[
        name.slice(0, 2),
        name.slice(0, 4),
        name,
        slip,
        `${name} ${place.city}`,
        native,
        native?.slice(0, 3),
        place.postcode,
      ].filter((text): text is string => text !== undefined && text !== ''),
    );
  }
  return typed.slice(0, SEARCHES);
}

function line(title: string, times: readonly number[]): void {
  const p99 = within(times, 0.99);
  const worst = Math.max(...times);
  console.log(
    `${pad(title, 40)} median ${median(times).toFixed(2)} ms, 99 of 100 within ${p99.toFixed(2)} ms, worst ${worst.toFixed(2)} ms, limit ${LIMIT_MS} ms: ${p99 <= LIMIT_MS ? 'kept' : 'NOT KEPT'}`,
  );
}

export async function benchPlaces(): Promise<void> {
  console.log('\nSearch for a place');
  for (const { COUNTRY_CODE } of countries) {
    const started = performance.now();
    const catalogue = catalogueFromDisk(countryConfig(COUNTRY_CODE));
    const gazetteer = placesOf(catalogue);
    const made = performance.now() - started;
    const typed = searches(gazetteer);
    const times = typed.map((input) => {
      const begun = performance.now();
      suggest(catalogue, input, AT);
      return performance.now() - begun;
    });
    line(`${COUNTRY_CODE}, ${gazetteer.places.length} places (index ${made.toFixed(0)} ms)`, times.slice(WARM_UP));
  }
  const server = await spawnServer({ settings: { development: false } });
  try {
    const times: number[] = [];
    for (const input of searches(placesOf(catalogueFromDisk(countryConfig('india'))))) {
      const begun = performance.now();
      const { status } = await server.call(places.autocomplete, {
        query: { input: input.slice(0, 80), latitude: String(AT.latitude), longitude: String(AT.longitude) },
      });
      if (status !== 200) throw new Error(`${input} was answered with ${status}.`);
      times.push(performance.now() - begun);
    }
    line('IN over HTTP, one after the other', times.slice(WARM_UP));
  } finally {
    await server.stop();
  }
}

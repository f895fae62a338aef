import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { countries } from '../../country/index.ts';
import type { Country } from '../../country/shape.ts';
import { problemsIn } from '../../src/server/rules/catalogue/problems.ts';
import { readSeeds } from '../../src/server/store/seeds.ts';
import { distanceKm } from '../../src/domain/geo.ts';
import type { WeekHours } from '../../src/domain/hours.ts';

type Row = Record<string, unknown> & { id: string };
const seed = (code: string, name: string) =>
  JSON.parse(
    readFileSync(new URL(`../../country/${code.toLowerCase()}/seed/${name}.json`, import.meta.url), 'utf8'),
  ) as Record<string, never>;
const rows = <T>(code: string, name: string, key = name) => (seed(code, name)[key] ?? []) as unknown as T[];

interface Store extends Row {
  latitude: number;
  longitude: number;
  locality: string;
  city: string;
  advanceOrderStoreId: string;
  online: number;
  hours: WeekHours;
  fixture?: boolean;
}
interface Place extends Row {
  name: string;
  city: string;
  aliases: string[];
  latitude: number;
  longitude: number;
  kind: string;
}

/** Corners of each country, generous. */
const BOX: Record<string, [number, number, number, number]> = {
  IN: [6, 36, 68, 98],
  LK: [5.8, 10, 79.4, 82],
  BG: [20.5, 26.7, 88, 92.8],
};
/** A country without corners here lies around the centre of its own map. */
function cornersOf({ COUNTRY_CODE: code, mapCentre: { latitude, longitude } }: Country) {
  return BOX[code] ?? ([latitude - 15, latitude + 15, longitude - 15, longitude + 15] as const);
}

describe.each(countries.map((country) => [country.COUNTRY_CODE, country] as const))(
  'seed data of %s',
  (code, country) => {
    const menu = rows<Row>(code, 'menu', 'items');
    const stores = rows<Store>(code, 'stores');
    const places = rows<Place>(code, 'places');

    it('names no currency beside an amount', () => {
      for (const name of ['menu', 'toppings', 'builder', 'deals', 'coupons', 'payments', 'content']) {
        expect(JSON.stringify(seed(code, name)), name).not.toMatch(/"(?:INR|LKR|BDT)"/);
      }
    });

    it('is read as it is, and names only what is there: dishes, parts, categories, offers, stores [MENU-X05]', () => {
      expect(menu.length).toBeGreaterThan(50);
      expect(problemsIn(country, readSeeds(code))).toEqual([]);
    });

    it('has stores inside the country, with hours for the week, and the default store among them [CFG-18]', () => {
      const [south, north, west, east] = cornersOf(country);
      expect(stores.map((store) => store.id)).toContain(country.DEFAULT_STORE);
      for (const store of stores) {
        expect(
          store.latitude > south && store.latitude < north && store.longitude > west && store.longitude < east,
          store.id,
        ).toBe(true);
        // 'Kandy, Kandy' says nothing twice.
        const words = store['name'] as string;
        expect(new Set(words.split(', ')).size, words).toBe(words.split(', ').length);
      }
    });

    it('has a gazetteer of real places: enough of them, unique, inside the country, one near every store [LOC-11]', () => {
      const [south, north, west, east] = cornersOf(country);
      expect(places.length).toBeGreaterThanOrEqual(code === 'IN' ? 250 : 60);
      expect(new Set(places.map((place) => place.id)).size).toBe(places.length);
      for (const place of places) {
        expect(
          place.latitude > south && place.latitude < north && place.longitude > west && place.longitude < east,
          place.id,
        ).toBe(true);
        expect(['city', 'locality', 'landmark']).toContain(place.kind);
      }
      const selling = stores.filter(({ fixture }) => fixture !== true);
      const farFromAll = selling.filter((store) => !places.some((place) => distanceKm(place, store) < 1.5));
      expect(
        farFromAll.map(({ id }) => id),
        'stores without a place of seed/places.json within 1.5 km',
      ).toEqual([]);
    });

    it('says under which tax registration each store sells', () => {
      const registered = Object.keys(seed(code, 'invoice')['stores']!);
      const without = stores.filter(({ id, fixture }) => fixture !== true && !registered.includes(id));
      expect(
        without.map(({ id }) => id),
        'stores that are not in seed/invoice.json',
      ).toEqual([]);
    });
  },
);

it('knows more than ten thousand places, each inside its own, with spellings of their people [LOC-11]', () => {
  type Rows = [string, string, string, number, number, ...(string | number)[]][];
  const all = countries.flatMap((country) => {
    const code = country.COUNTRY_CODE;
    const [south, north, west, east] = cornersOf(country);
    const file = seed(code, 'towns') as unknown as { towns: Rows; areas: Rows };
    const list = [...file.towns, ...file.areas];
    expect(
      list
        .filter(
          ([, , , latitude, longitude]) => latitude < south || latitude > north || longitude < west || longitude > east,
        )
        .map(([id]) => id),
    ).toEqual([]);
    const own = [
      ...list,
      ...rows<Place>(code, 'places').map(
        (place) => [place.id, place.name, place.city, 0, 0, ...place.aliases] as const,
      ),
    ];
    expect(new Set(own.map(([id]) => id)).size).toBe(own.length);
    return own;
  });
  expect(all.length).toBeGreaterThan(10_000);
  for (const script of [/[\u0980-\u09ff]/, /[\u0900-\u097f]/, /[\u0b80-\u0bff]/, /[\u0d80-\u0dff]/]) {
    expect(all.filter((row) => row.slice(5).some((alias) => script.test(String(alias)))).length).toBeGreaterThan(80);
  }
});

it('no two countries have the same store', () => {
  const ids = countries.flatMap(({ COUNTRY_CODE: code }) => rows<Store>(code, 'stores').map(({ id }) => id));
  expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([]);
});

it('finds old and other names of places in the gazetteer [LOC-11]', () => {
  const names = (code: string, alias: string) =>
    rows<Place>(code, 'places')
      .filter((place) => place.aliases.includes(alias))
      .map((place) => place.name);
  expect(names('IN', 'Bangalore')).toEqual(['Bengaluru']);
  expect(names('IN', 'Calcutta')).toEqual(['Kolkata']);
  expect(names('LK', 'Colombo 7')).toEqual(['Cinnamon Gardens']);
  expect(names('BG', 'Chittagong')).toEqual(['Chattogram']);
});

it('the seed has store 10990 in pokhra, and offline store 10304, whose orders go to 10301 [LOC-28] [LOC-30] [LOC-31]', () => {
  const stores = rows<Store>('IN', 'stores');
  expect(stores.find((store) => store.id === '10990')).toMatchObject({ locality: 'pokhra', fixture: true });
  expect(stores.find((store) => store.id === '10304')).toMatchObject({ online: 0, advanceOrderStoreId: '10301' });
});

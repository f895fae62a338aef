import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { countries } from '../../country/index.ts';
import type { Country } from '../../country/shape.ts';
import { distanceKm } from '../../src/domain/geo.ts';
import type { WeekHours } from '../../src/domain/hours.ts';

type Row = Record<string, unknown> & { id: string };
const seed = (code: string, name: string) =>
  JSON.parse(
    readFileSync(new URL(`../../country/${code.toLowerCase()}/seed/${name}.json`, import.meta.url), 'utf8'),
  ) as Record<string, never>;
const rows = <T>(code: string, name: string, key = name) => (seed(code, name)[key] ?? []) as unknown as T[];

interface Item extends Row {
  categoryIds: string[];
  prices: Record<string, number>;
  kcal: Record<string, number>;
  defaultToppings: string[];
  crusts: string[];
  sauce?: string;
  foodType: string;
}
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
    const menu = rows<Item>(code, 'menu', 'items');
    const toppings = rows<Item & { group: string }>(code, 'toppings');
    const builder = seed(code, 'builder') as unknown as { crusts: Row[]; sauces: Row[]; sizes: Row[] };
    const stores = rows<Store>(code, 'stores');
    const places = rows<Place>(code, 'places');

    it('keeps every amount as a whole number of minor units and names no currency', () => {
      for (const name of ['menu', 'toppings', 'builder', 'deals', 'coupons', 'payments', 'content']) {
        expect(JSON.stringify(seed(code, name)), name).not.toMatch(/"(?:INR|LKR|BDT)"/);
      }
      const amounts = [
        ...menu.flatMap((item) => Object.values(item.prices)),
        ...toppings.flatMap((item) => Object.values(item.prices)),
      ];
      expect(amounts.length).toBeGreaterThan(50);
      for (const amount of amounts) expect(amount > 0 && amount % 100 === 0).toBe(true);
    });

    it('has a menu whose parts exist: categories, toppings, crusts, sauces, calories per size [MENU-X05]', () => {
      const has = {
        category: new Set(country.categories.map((row) => row.id)),
        topping: new Set(toppings.map((row) => row.id)),
        crust: new Set(builder.crusts.map((row) => row.id)),
        sauce: new Set(builder.sauces.map((row) => row.id)),
      };
      expect(menu.length).toBeGreaterThan(50);
      for (const item of menu) {
        expect(item.categoryIds.length, item.id).toBeGreaterThan(0);
        for (const id of item.categoryIds) expect(has.category, `${item.id} ${id}`).toContain(id);
        for (const id of item.defaultToppings) expect(has.topping, item.id).toContain(id);
        for (const id of item.crusts) expect(has.crust, item.id).toContain(id);
        if (item.sauce) expect(has.sauce, item.id).toContain(item.sauce);
        expect(Object.keys(item.kcal).sort()).toEqual(Object.keys(item.prices).sort());
      }
      const filled = new Set(
        menu.flatMap((item) => item.categoryIds).concat(rows<Item>(code, 'deals').flatMap((deal) => deal.categoryIds)),
      );
      for (const row of country.categories)
        if (!row.dynamic) expect(filled, `category ${row.id} is empty`).toContain(row.id);
    });

    it('has deals and coupons that name things of this menu', () => {
      const ids = new Set(menu.map((item) => item.id));
      const categories = new Set(menu.flatMap((item) => item.categoryIds));
      for (const deal of rows<
        Row & { price: number; slots: { anyOfItems?: string[]; anyOfCategories?: string[]; default?: string[] }[] }
      >(code, 'deals')) {
        expect(deal.price).toBeGreaterThan(0);
        for (const slot of deal.slots) {
          expect((slot.anyOfItems?.length ?? 0) + (slot.anyOfCategories?.length ?? 0), deal.id).toBeGreaterThan(0);
          for (const id of [...(slot.anyOfItems ?? []), ...(slot.default ?? [])]) expect(ids, deal.id).toContain(id);
          for (const id of slot.anyOfCategories ?? []) expect(categories, deal.id).toContain(id);
        }
      }
      const coupons = rows<{
        code: string;
        type: string;
        value: unknown;
        minCart: number | null;
        window?: { starts: string; hours: number; every?: string };
        timer: unknown;
      }>(code, 'coupons');
      expect(new Set(coupons.map((coupon) => coupon.code)).size).toBe(coupons.length);
      for (const coupon of coupons) {
        if (coupon.window !== undefined) expect(Date.parse(`${coupon.window.starts}:00Z`), coupon.code).not.toBeNaN();
        if (coupon.timer !== null) expect(coupon.window?.hours, coupon.code).toBeGreaterThan(0);
        if (coupon.minCart !== null) expect(coupon.minCart % 100).toBe(0);
        if (coupon.type === 'FREE_ITEM') expect(ids).toContain((coupon.value as { itemId: string }).itemId);
        if (coupon.type === 'FLAT') expect(coupon.value).toBeGreaterThanOrEqual(1000);
      }
    });

    it('has stores inside the country, with hours for the week, and the default store among them [CFG-18]', () => {
      const [south, north, west, east] = cornersOf(country);
      expect(stores.map((store) => store.id)).toContain(country.DEFAULT_STORE);
      for (const store of stores) {
        expect(
          store.latitude > south && store.latitude < north && store.longitude > west && store.longitude < east,
          store.id,
        ).toBe(true);
        expect(Object.keys(store.hours).length).toBe(7);
        expect(stores.some((other) => other.id === store.advanceOrderStoreId)).toBe(true);
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
      for (const store of stores) {
        if (store.fixture) continue;
        expect(
          places.some((place) => distanceKm(place, store) < 1.5),
          store.id,
        ).toBe(true);
      }
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
    return [
      ...list,
      ...rows<Place>(code, 'places').map(
        (place) => [place.id, place.name, place.city, 0, 0, ...place.aliases] as const,
      ),
    ];
  });
  expect(all.length).toBeGreaterThan(10_000);
  expect(new Set(all.map(([id]) => id)).size).toBe(all.length);
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

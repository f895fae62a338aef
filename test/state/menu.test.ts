import { expect, test } from 'vitest';
import type { Menu } from '../../src/contract/menu.ts';
import { countryConfig } from '../../country/index.ts';
import { defaultMenu } from '../../src/server/rules/catalogue/menu.ts';
import { countryAtom } from '../../src/state/base/country.ts';
import {
  allergensTextAtom,
  defaultMenuAtom,
  keptMenuAtom,
  liveMenuAtom,
  menuAtom,
} from '../../src/state/first/menu.ts';
import { firstCountryAtom } from '../../src/state/first/seams.ts';
import { refreshMenuAtom } from '../../src/state/menu/menu.ts';
import { builderAtom, isBuilderHereAtom, loadBuilderAtom } from '../../src/state/menu/priceList.ts';
import { startServer } from '../kit/server.ts';
import { openCustomer } from './customer.ts';
import { during } from '../kit/during.ts';

const server = during(() => startServer({ settings: { distDir: null } }));

test('a menu kept by a page in another language shows this page’s words, also without a network [CFG-X02]', async () => {
  const before = openCustomer(server);
  await before.set(refreshMenuAtom);
  const labels = (customer: typeof before) => customer.get(menuAtom).categories.map(({ label }) => label);
  expect(labels(before)).toContain('Veg Pizza');

  const india = countryConfig('in');
  const hindi = defaultMenu(india, 'hi');
  const after = openCustomer(server, { device: before.device });
  after.set(countryAtom, { ...after.country, locale: 'hi-IN' });
  after.set(firstCountryAtom, { ...after.country, locale: 'hi-IN' });
  after.set(defaultMenuAtom, { ...hindi, storeId: 'another', items: [] });
  expect(after.get(liveMenuAtom).menu).toBeNull();
  // The store's own dishes, in the page's words.
  expect(after.get(menuAtom).items.length).toBeGreaterThan(20);
  expect(labels(after)).toEqual(hindi.categories.map(({ label }) => label));
  after.set(defaultMenuAtom, { ...hindi, storeId: 'another' });
  const said = (list: Menu['items']) =>
    list.map(({ id, name, description, english, serving }) => ({ id, name, description, english, serving }));
  expect(said(after.get(menuAtom).items)).toEqual(said(hindi.items));
  expect(after.get(allergensTextAtom)(['milk', 'egg', 'lupin'])).toBe('दूध, अंडा, lupin');
  expect(before.get(allergensTextAtom)(['milk', 'egg'])).toBe('milk, egg');

  // What a page in the same language has kept stays as the server sent it.
  const own = openCustomer(server, { device: before.device });
  own.set(defaultMenuAtom, { ...defaultMenu(india, 'en'), storeId: 'another', categories: hindi.categories });
  expect(own.get(menuAtom)).toEqual(own.get(keptMenuAtom));
  expect(labels(own)).toContain('Veg Pizza');
});

test('a price list that a page in another language has kept shows none of its sentences, and is asked for anew', async () => {
  const before = openCustomer(server);
  await before.set(loadBuilderAtom);
  expect(before.get(builderAtom)?.cookingNotes).toContain('Less spicy');

  const after = openCustomer(server, { device: before.device });
  const own = openCustomer(server, { device: before.device });
  expect(own.get(isBuilderHereAtom)).toBe(true);
  expect(own.get(builderAtom)?.cookingNotes).toContain('Less spicy');
  after.set(firstCountryAtom, { ...after.country, locale: 'hi-IN' });
  // Pizzas can be built of it meanwhile.
  expect(after.get(isBuilderHereAtom)).toBe(false);
  expect(after.get(builderAtom)).toEqual({ ...before.get(builderAtom), cookingNotes: [] });
  await after.set(loadBuilderAtom);
  expect(after.get(isBuilderHereAtom)).toBe(true);
});

import { afterAll, beforeAll, expect, test } from 'vitest';
import { countryConfig } from '../../country/index.ts';
import { defaultMenu } from '../../src/server/rules/catalogue/menu.ts';
import { countryAtom } from '../../src/state/country.ts';
import { defaultMenuAtom, keptMenuAtom, liveMenuAtom, menuAtom } from '../../src/state/first/menu.ts';
import { firstCountryAtom } from '../../src/state/first/seams.ts';
import { refreshMenuAtom } from '../../src/state/menu.ts';
import { startServer, type TestServer } from '../kit/server.ts';
import { openCustomer } from './customer.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer({ settings: { distDir: null } });
});
afterAll(() => server.stop());

test('a menu that a page in another language has kept has its categories in the words of this one, without a network, too [CFG-X02]', async () => {
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

  // What a page in the same language has kept stays as the server sent it.
  const own = openCustomer(server, { device: before.device });
  own.set(defaultMenuAtom, { ...defaultMenu(india, 'en'), storeId: 'another', categories: hindi.categories });
  expect(own.get(menuAtom)).toEqual(own.get(keptMenuAtom));
  expect(labels(own)).toContain('Veg Pizza');
});

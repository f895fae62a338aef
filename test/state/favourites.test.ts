import { afterAll, beforeAll, expect, test } from 'vitest';
import * as contract from '../../src/contract/favourites.ts';
import { favouritesAtom, toggleFavouriteAtom } from '../../src/state/first/favourites.ts';
import { syncFavouritesAtom } from '../../src/state/favourites.ts';
import { apiAtom } from '../../src/state/first/seams.ts';
import { sessionAtom } from '../../src/state/session.ts';
import { startServer, type TestServer } from '../kit/server.ts';
import { openCustomer, type Customer } from './customer.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer({ settings: { distDir: null } });
});
afterAll(() => server.stop());

const inAccount = async (customer: Customer) => (await customer.get(apiAtom).call(contract.products, {})).productIds;

test('hearts of two devices come together, and one taken off stays off on both [MENU-10]', async () => {
  const one = openCustomer(server);
  await one.get(apiAtom).ensureSession();
  one.set(toggleFavouriteAtom, 'PZ001');
  one.set(toggleFavouriteAtom, 'PZ002');
  await one.set(syncFavouritesAtom);
  expect((await inAccount(one)).toSorted()).toEqual(['PZ001', 'PZ002']);

  const two = openCustomer(server);
  two.set(toggleFavouriteAtom, 'SD001');
  two.set(sessionAtom, one.get(sessionAtom));
  await two.set(syncFavouritesAtom);
  expect([...two.get(favouritesAtom)].sort()).toEqual(['PZ001', 'PZ002', 'SD001']);

  two.set(toggleFavouriteAtom, 'PZ001');
  await two.set(syncFavouritesAtom);
  one.set(toggleFavouriteAtom, 'PZ003');
  await one.set(syncFavouritesAtom);
  expect([...one.get(favouritesAtom)].sort()).toEqual(['PZ002', 'PZ003', 'SD001']);
  expect((await inAccount(one)).toSorted()).toEqual(['PZ002', 'PZ003', 'SD001']);
});

test('without a session nobody is asked, and a dish that is not on the menu goes without a word [MENU-10]', async () => {
  const guest = openCustomer(server);
  guest.set(toggleFavouriteAtom, 'PZ001');
  await guest.set(syncFavouritesAtom);
  expect(guest.calls).toEqual([]);
  await guest.get(apiAtom).ensureSession();
  guest.set(toggleFavouriteAtom, 'GONE-9');
  await guest.set(syncFavouritesAtom);
  expect(guest.get(favouritesAtom)).toEqual(['PZ001']);
});

import { expect, test } from 'vitest';
import { Failure } from '../../src/api/failure.ts';
import * as contract from '../../src/contract/favourites.ts';
import { favouritesAtom, toggleFavouriteAtom } from '../../src/state/first/favourites.ts';
import { syncFavouritesAtom } from '../../src/state/menu/favourites.ts';
import { apiAtom } from '../../src/state/first/seams.ts';
import { popupAtom } from '../../src/state/base/popup.ts';
import { sessionAtom } from '../../src/state/base/session.ts';
import { startServer } from '../kit/server.ts';
import { fails, meanwhile, openCustomer, type Customer } from './customer.ts';
import { during } from '../kit/during.ts';

const server = during(() => startServer({ settings: { distDir: null } }));

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

/** A device with hearts that its account knows. */
async function agreed(...ids: readonly string[]): Promise<Customer> {
  const customer = openCustomer(server);
  await customer.get(apiAtom).ensureSession();
  for (const id of ids.toReversed()) customer.set(toggleFavouriteAtom, id);
  await customer.set(syncFavouritesAtom);
  customer.calls.length = 0;
  return customer;
}
const changesOf = (customer: Customer) => customer.calls.length - 1;

test('what both sides know is told once, in the order of the device, and two looks at once are one', async () => {
  const customer = await agreed('PZ001', 'PZ002');
  expect(await inAccount(customer)).toEqual(['PZ001', 'PZ002']);
  customer.calls.length = 0;
  await Promise.all([customer.set(syncFavouritesAtom), customer.set(syncFavouritesAtom)]);
  expect([changesOf(customer), customer.get(favouritesAtom)]).toEqual([0, ['PZ001', 'PZ002']]);
});

test('a lost network takes no heart from the device; what was begun is gone on with', async () => {
  for (const endpoint of [contract.products, contract.addProduct, contract.removeProduct]) {
    const customer = await agreed('PZ001', 'PZ002');
    customer.set(toggleFavouriteAtom, 'PZ003');
    customer.set(toggleFavouriteAtom, 'PZ001');
    const mend = fails(customer, endpoint, new Failure('offline'));
    await customer.set(syncFavouritesAtom);
    expect([customer.get(favouritesAtom), customer.get(popupAtom)]).toEqual([['PZ003', 'PZ002'], null]);
    mend();
    await customer.set(syncFavouritesAtom);
    expect([customer.get(favouritesAtom), await inAccount(customer)]).toEqual([
      ['PZ003', 'PZ002'],
      ['PZ003', 'PZ002'],
    ]);
  }
});

test('a list that is full is said, and the heart goes off again', async () => {
  const customer = await agreed('PZ001');
  const list = [{ code: 'FAVOURITES_FULL', displayMsg: 'Your list is full.' }];
  fails(customer, contract.addProduct, new Failure('refused', { httpStatus: 422, errors: list }));
  customer.set(toggleFavouriteAtom, 'PZ002');
  await customer.set(syncFavouritesAtom);
  expect([customer.get(favouritesAtom), customer.get(popupAtom)?.message]).toEqual([['PZ001'], 'Your list is full.']);
});

test('a heart that is tapped meanwhile stays, beside what came from elsewhere', async () => {
  const customer = await agreed('PZ001');
  const other = openCustomer(server);
  other.set(sessionAtom, customer.get(sessionAtom));
  await other.get(apiAtom).call(contract.addProduct, { body: { productId: 'SD001' } });
  customer.set(toggleFavouriteAtom, 'PZ003');
  const stepAside = meanwhile(customer, contract.addProduct, () => customer.set(toggleFavouriteAtom, 'PZ002'));
  await customer.set(syncFavouritesAtom);
  expect(customer.get(favouritesAtom)).toEqual(['PZ002', 'PZ003', 'PZ001', 'SD001']);
  stepAside();
  await customer.set(syncFavouritesAtom);
  expect(customer.get(favouritesAtom).toSorted()).toEqual(['PZ001', 'PZ002', 'PZ003', 'SD001']);
  expect((await inAccount(customer)).toSorted()).toEqual(['PZ001', 'PZ002', 'PZ003', 'SD001']);
});

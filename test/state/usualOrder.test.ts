import { beforeEach, expect, test } from 'vitest';
import * as errors from '#text/errors.ts';
import * as t from '#text/usual.ts';
import { Failure } from '../../src/api/failure.ts';
import * as orders from '../../src/contract/orders.ts';
import { money } from '../../src/contract/price.ts';
import * as contract from '../../src/contract/usual.ts';
import { detailAtom } from '../../src/state/drafts/detail.ts';
import { paymentModeAtom } from '../../src/state/drafts/mode.ts';
import { cartCountAtom, cartLinesAtom } from '../../src/state/first/cart.ts';
import { seatAtom } from '../../src/state/first/group.ts';
import { chosenStoreAtom, deliveryPlaceAtom, deliveryTypeAtom } from '../../src/state/first/location.ts';
import { apiAtom, navigateAtom } from '../../src/state/first/seams.ts';
import { toastAtom } from '../../src/state/first/toast.ts';
import { usualLinesAtom } from '../../src/state/first/usual.ts';
import { popupAtom } from '../../src/state/base/popup.ts';
import { hasUsualAtom, isUsualOpenAtom } from '../../src/state/cart/usual.ts';
import {
  closeUsualAtom,
  isUsualBusyAtom,
  openUsualAtom,
  orderUsualAtom,
  tickTermsAtom,
  usualKeyAtom,
  usualNewsAtom,
  usualState,
} from '../../src/state/after/usualOrder.ts';
import { freshMobile } from '../server/people.ts';
import { fails, openAtStore } from './customer.ts';
import { shopOfPage } from './shopOfPage.ts';

const server = shopOfPage();
beforeEach(() => server.switches({ soldOut: [], offlineStores: [] }));

/** Somebody who comes back and looks at the sheet of what they had: two garlic breads and a pizza, from the counter. */
async function withSheet() {
  const customer = await openAtStore(server);
  expect(customer.get(hasUsualAtom)).toBe(false);
  customer.set(detailAtom, { fName: 'Asha', lName: '', mobNo: freshMobile(), email: '' });
  customer.set(paymentModeAtom, 'UPI');
  customer.set(usualLinesAtom, [
    { productId: 'PZ004', size: 'M', quantity: 1 },
    { productId: 'SD001', quantity: 2 },
  ]);
  expect(customer.get(hasUsualAtom)).toBe(true);
  await customer.set(openUsualAtom);
  customer.set(tickTermsAtom, true);
  expect(customer.get(usualState.atom).data).toMatchObject({ gone: [], problems: [], paymentMode: 'UPI' });
  return customer;
}

test('the usual order is offered only if all is known: dishes, a store for its type, a door, a name and a number', async () => {
  const customer = await withSheet();
  const detail = customer.get(detailAtom);
  const key = customer.get(usualKeyAtom);
  expect(key).not.toBe('');
  customer.set(detailAtom, { ...detail, mobNo: '' });
  expect(customer.get(usualKeyAtom)).toBe('');
  customer.set(detailAtom, { ...detail, mobNo: freshMobile() });
  expect(customer.get(usualKeyAtom)).not.toBe(key);
  customer.set(detailAtom, detail);
  expect(customer.get(usualKeyAtom)).toBe(key);
  const store = customer.get(chosenStoreAtom)!;
  for (const other of [null, { ...store, services: ['DELIVERY' as const] }]) {
    customer.set(chosenStoreAtom, other);
    expect(customer.get(usualKeyAtom)).toBe('');
  }
  customer.set(chosenStoreAtom, store);
  customer.set(seatAtom, { code: 'ABCDEF', storeId: '10101' });
  expect(customer.get(usualKeyAtom)).toBe('');
  customer.set(seatAtom, null);

  const at = { latitude: 28.64, longitude: 77.22, text: 'Barakhamba Road' };
  const address = { latitude: 28.64, longitude: 77.22, address: 'Barakhamba Road', type: 'home' as const };
  customer.set(deliveryTypeAtom, 'DELIVERY');
  customer.set(chosenStoreAtom, store);
  for (const place of [null, { ...at, address: null }, { ...at, address: { ...address, houseNo: '' } }]) {
    customer.set(deliveryPlaceAtom, place);
    expect(customer.get(usualKeyAtom)).toBe('');
  }
  customer.set(deliveryPlaceAtom, { ...at, address: { ...address, houseNo: '12' } });
  const there = customer.get(usualKeyAtom);
  expect([there === '', there === key]).toEqual([false, false]);
});

test('a failed try is said, changes nothing that is seen, and tapped again it is the same dishes once', async () => {
  const customer = await withSheet();
  customer.set(usualNewsAtom, 'of before');
  const api = customer.get(apiAtom);
  fails(customer, contract.put, new Failure('offline'));
  await customer.set(orderUsualAtom);
  expect([customer.get(popupAtom)?.message, customer.get(usualNewsAtom), customer.get(isUsualBusyAtom)]).toEqual([
    errors.connectionLost,
    '',
    false,
  ]);
  expect([customer.get(isUsualOpenAtom), customer.get(cartCountAtom)]).toEqual([true, 0]);
  customer.set(popupAtom, null);
  customer.set(apiAtom, api);
  fails(customer, orders.validations, new Failure('offline'));
  await customer.set(orderUsualAtom);
  expect([customer.get(usualNewsAtom), customer.get(popupAtom), customer.went]).toEqual([
    errors.connectionLost,
    null,
    [],
  ]);
  const ids = customer.get(cartLinesAtom).map(({ lineId }) => lineId);
  customer.set(apiAtom, api);
  // The server did not take the order: the page stays, and so does the sheet.
  fails(customer, orders.submit, new Failure('refused', { errors: [{ code: 'X', displayMsg: 'Not now.' }] }));
  await customer.set(orderUsualAtom);
  expect([customer.get(isUsualOpenAtom), customer.went, customer.get(usualNewsAtom)]).toEqual([true, [], '']);
  expect(customer.get(cartLinesAtom).map(({ lineId }) => lineId)).toEqual(ids);
  customer.set(apiAtom, api);
  customer.set(popupAtom, null);
  await customer.set(orderUsualAtom);
  expect(customer.went[0]).toMatch(/^\/payment\//);
  // Back home the sheet is gone, and nothing more is said of the cart.
  customer.get(navigateAtom).go('/');
  expect(customer.get(isUsualOpenAtom)).toBe(false);
  customer.set(toastAtom, null);
  customer.set(closeUsualAtom);
  expect(customer.get(toastAtom)).toBeNull();
});

test('a price that is not the one on the sheet any more is shown, and only the next tap orders it', async () => {
  const customer = await withSheet();
  const { bill, ...shown } = customer.get(usualState.atom).data!;
  customer.set(usualState.put, { ...shown, bill: { ...bill, total: money(bill.total - 100) } });
  await customer.set(orderUsualAtom);
  expect([customer.went, customer.get(usualNewsAtom), customer.get(usualState.atom).data?.bill.total]).toEqual([
    [],
    t.priceChanged,
    bill.total,
  ]);
  await customer.set(orderUsualAtom);
  expect(customer.went[0]).toMatch(/^\/payment\//);
});

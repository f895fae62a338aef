import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import * as errors from '#text/errors.ts';
import * as t from '#text/usual.ts';
import { Failure } from '../../src/api/failure.ts';
import * as orders from '../../src/contract/orders.ts';
import { money } from '../../src/contract/price.ts';
import * as contract from '../../src/contract/usual.ts';
import { detailAtom } from '../../src/state/drafts/detail.ts';
import { paymentModeAtom } from '../../src/state/drafts/mode.ts';
import { slotIdAtom } from '../../src/state/drafts/slot.ts';
import { addLineAtom, cartCountAtom, cartLinesAtom, isCartWaitingAtom } from '../../src/state/first/cart.ts';
import { seatAtom } from '../../src/state/first/group.ts';
import { chosenStoreAtom, deliveryPlaceAtom, deliveryTypeAtom } from '../../src/state/first/location.ts';
import { apiAtom, navigateAtom } from '../../src/state/first/seams.ts';
import { toastAtom } from '../../src/state/first/toast.ts';
import { usualLinesAtom } from '../../src/state/first/usual.ts';
import { olderAtom } from '../../src/state/after/setAside.ts';
import { popupAtom } from '../../src/state/base/popup.ts';
import { addUsualAtom, hasUsualAtom, isUsualOpenAtom, usualPricesAtom } from '../../src/state/cart/usual.ts';
import {
  areTermsAcceptedAtom,
  besideAtom,
  checkoutUsualAtom,
  chooseUsualModeAtom,
  closeUsualAtom,
  costBeforeAtom,
  isUsualBusyAtom,
  openUsualAtom,
  orderUsualAtom,
  tickTermsAtom,
  turnOffersAtom,
  usualKeyAtom,
  usualNewsAtom,
  usualState,
} from '../../src/state/after/usualOrder.ts';
import { startServer, type TestServer } from '../kit/server.ts';
import { freshMobile } from '../server/people.ts';
import { openShop } from '../server/shop.ts';
import { fails, openAtStore, openCustomer } from './customer.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer({ settings: { distDir: null } });
  await openShop(server);
  vi.stubGlobal('document', { baseURI: 'https://pizza.example/in/' });
});
afterAll(async () => {
  vi.unstubAllGlobals();
  await server.stop();
});
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

test('a usual order with a dish sold out meanwhile orders nothing and shows the new price; closing says what the cart has', async () => {
  const customer = await withSheet();
  const seen = customer.get(usualState.atom).data!.bill.total;
  await server.switches({ soldOut: ['SD001'] });
  try {
    await customer.set(orderUsualAtom);
  } finally {
    await server.switches({ soldOut: [] });
  }
  expect(customer.went).toEqual([]);
  expect(customer.get(isUsualOpenAtom)).toBe(true);
  expect(customer.get(usualNewsAtom)).not.toBe('');
  const now = customer.get(usualState.atom).data!;
  expect(now.gone).toMatchObject([{ productId: 'SD001' }]);
  expect(now.bill.total).toBeLessThan(seen);
  customer.set(closeUsualAtom);
  expect(customer.get(toastAtom)?.message).toBe(t.added);
  expect(customer.get(cartCountAtom)).toBeGreaterThan(0);
});

test('a sheet that is only looked at leaves the cart as it is and says nothing', async () => {
  const customer = await withSheet();
  customer.set(closeUsualAtom);
  expect([customer.get(isUsualOpenAtom), customer.get(toastAtom), customer.get(cartCountAtom)]).toEqual([
    false,
    null,
    0,
  ]);
});

test('the second tap orders what the sheet shows, once', async () => {
  const customer = await withSheet();
  await Promise.all([customer.set(orderUsualAtom), customer.set(orderUsualAtom)]);
  expect(customer.went).toHaveLength(1);
  expect(customer.went[0]).toMatch(/^\/payment\//);
});

const inCart = (customer: Awaited<ReturnType<typeof withSheet>>) =>
  customer.get(cartLinesAtom).flatMap((line) => (line.priced?.free ? [] : [[line.productId, line.quantity]]));
const USUAL = [
  ['PZ004', 1],
  ['SD001', 2],
];

test('the usual order is offered only if all is known: dishes, a store for its type, a door, a name and a number', async () => {
  const customer = await withSheet();
  const detail = customer.get(detailAtom);
  const key = customer.get(usualKeyAtom);
  expect(key).not.toBe('');
  for (const missing of [
    { ...detail, fName: '' },
    { ...detail, mobNo: '' },
  ]) {
    customer.set(detailAtom, missing);
    expect(customer.get(usualKeyAtom)).toBe('');
  }
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
  const lines = customer.get(usualLinesAtom);
  customer.set(usualLinesAtom, []);
  expect(customer.get(usualKeyAtom)).toBe('');
  customer.set(usualLinesAtom, lines);

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

test('another way to pay and orders without offers are priced at once', async () => {
  const customer = await withSheet();
  customer.set(usualNewsAtom, 'of before');
  await customer.set(chooseUsualModeAtom, 'COD');
  expect([
    customer.get(usualState.atom).data?.paymentMode,
    customer.get(paymentModeAtom),
    customer.get(usualNewsAtom),
  ]).toEqual(['COD', 'COD', '']);
  const best = customer.get(usualState.atom).data!;
  expect([best.withOffers, best.offers.length > 0]).toEqual([true, true]);
  await customer.set(turnOffersAtom);
  const plain = customer.get(usualState.atom).data!;
  expect([plain.withOffers, plain.offers, plain.bill.total > best.bill.total]).toEqual([false, [], true]);
  await customer.set(turnOffersAtom);
  expect(customer.get(usualState.atom).data).toMatchObject({ withOffers: true, bill: best.bill });
});

test('what a dish cost before is told where it costs something else now', async () => {
  const customer = await withSheet();
  expect(openCustomer(server).get(costBeforeAtom)(0)).toBeNull();
  const prices = customer.get(usualState.atom).data!.lines.map((line) => line!.product.price);
  customer.set(usualPricesAtom, [prices[0]! - 100, prices[1]!]);
  expect([0, 1, 2].map((at) => customer.get(costBeforeAtom)(at))).toEqual([prices[0]! - 100, null, null]);
  // It was not known then, or it is not sold now.
  customer.set(usualPricesAtom, [0, 100, 100]);
  expect([0, 2].map((at) => customer.get(costBeforeAtom)(at))).toEqual([null, null]);
});

test('on to the checkout: the dishes are the cart, what was in it waits beside it, and the sheet is gone', async () => {
  const customer = await withSheet();
  customer.set(slotIdAtom, 'later');
  customer.set(addLineAtom, { productId: 'PZ002', size: 'R', quantity: 1 });
  expect(customer.get(isCartWaitingAtom)).toBe(true);
  expect(customer.get(besideAtom).map(({ productId }) => productId)).toEqual(['PZ002']);
  const going = customer.set(checkoutUsualAtom);
  expect(customer.get(isUsualBusyAtom)).toBe(true);
  await Promise.all([customer.set(checkoutUsualAtom), going]);
  expect([customer.get(isUsualBusyAtom), customer.went]).toEqual([false, ['/payment']]);
  expect(inCart(customer)).toEqual(USUAL);
  expect(customer.get(olderAtom).map(({ product }) => product.id)).toEqual(['PZ002']);
  expect([customer.get(paymentModeAtom), customer.get(slotIdAtom), customer.get(besideAtom)]).toEqual([
    'UPI',
    null,
    [],
  ]);
  customer.get(navigateAtom).go('/');
  expect(customer.get(isUsualOpenAtom)).toBe(false);
});

test('a way to pay that the server has chosen is that of the checkout', async () => {
  const customer = await withSheet();
  customer.set(paymentModeAtom, null);
  await customer.set(usualState.load);
  const chosen = customer.get(usualState.atom).data!.paymentMode;
  await customer.set(checkoutUsualAtom);
  expect(customer.get(paymentModeAtom)).toBe(chosen);
});

test('what cannot be sold any more is not put into the cart', async () => {
  await server.switches({ soldOut: ['SD001'] });
  const customer = await openAtStore(server);
  customer.set(detailAtom, { fName: 'Asha', lName: '', mobNo: freshMobile(), email: '' });
  customer.set(usualLinesAtom, [
    { productId: 'SD001', quantity: 2 },
    { productId: 'PZ004', size: 'M', quantity: 1 },
  ]);
  await customer.set(openUsualAtom);
  await customer.set(checkoutUsualAtom);
  expect(inCart(customer)).toEqual([['PZ004', 1]]);
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

test('a store that has shut between the look and the tap says so, and nothing is ordered', async () => {
  const customer = await withSheet();
  await server.switches({ offlineStores: ['10101'] });
  await customer.set(orderUsualAtom);
  expect(customer.went).toEqual([]);
  expect([customer.get(usualNewsAtom) === '', customer.get(usualNewsAtom) === t.priceChanged]).toEqual([false, false]);
});

test('the terms that an earlier order accepted need no tick, and a tick takes away what was said', async () => {
  expect(openCustomer(server).get(areTermsAcceptedAtom)).toBe(false);
  const customer = await withSheet();
  customer.set(tickTermsAtom, false);
  expect(customer.get(areTermsAcceptedAtom)).toBe(false);
  customer.set(usualNewsAtom, 'Tick them');
  customer.set(tickTermsAtom, true);
  expect([customer.get(areTermsAcceptedAtom), customer.get(usualNewsAtom)]).toEqual([true, '']);
  await customer.set(orderUsualAtom);
  const again = openCustomer(server, { device: customer.device });
  expect(again.get(areTermsAcceptedAtom)).toBe(false);
  await again.set(openUsualAtom);
  expect(again.get(areTermsAcceptedAtom)).toBe(true);
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

test('put into the cart, the usual stands beside what is there, and that is said', async () => {
  const customer = await openAtStore(server);
  customer.set(usualLinesAtom, [
    { productId: 'PZ004', size: 'M', quantity: 1 },
    { productId: 'SD001', quantity: 2 },
  ]);
  customer.set(addLineAtom, { productId: 'DR001', quantity: 1 });
  customer.set(addUsualAtom);
  expect(customer.get(cartLinesAtom).map(({ input, quantity }) => [input.productId, input.size, quantity])).toEqual([
    ['DR001', undefined, 1],
    ['PZ004', 'M', 1],
    ['SD001', undefined, 2],
  ]);
  expect(customer.get(toastAtom)).toMatchObject({ message: t.added });
});

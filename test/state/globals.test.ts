import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { Failure } from '../../src/api/failure.ts';
import { syncCartAtom } from '../../src/state/cart/cart.ts';
import { addLineAtom } from '../../src/state/first/cart.ts';
import { applyCouponAtom } from '../../src/state/offers/couponActions.ts';
import { couponCodeAtom } from '../../src/state/offers/coupons.ts';
import { kept, safeStorage } from '../../src/state/first/lib/kept.ts';
import { menuAtom } from '../../src/state/first/menu.ts';
import { forgetCustomerAtom } from '../../src/state/lib/forget.ts';
import { refreshMenuAtom } from '../../src/state/menu/menu.ts';
import { chosenStoreAtom, deliveryPlaceAtom, storeIdAtom } from '../../src/state/first/location.ts';
import { choosePlaceAtom } from '../../src/state/places/places.ts';
import { popupAtom } from '../../src/state/base/popup.ts';
import { recentLocationsAtom } from '../../src/state/places/recents.ts';
import { apiAtom } from '../../src/state/first/seams.ts';
import { userAtom } from '../../src/state/base/session.ts';
import {
  openChoiceAtom,
  showStoreFailureAtom,
  storeErrorAtom,
  storeIdListAtom,
} from '../../src/state/places/stores.ts';
import { startServer } from '../kit/server.ts';
import { openShop } from '../server/shop.ts';
import { openCustomer, type Customer } from './customer.ts';
import { during } from '../kit/during.ts';

const server = during(() => startServer({ settings: { distDir: null } }), openShop);

const SAKET = { delType: 'DELIVERY', lat: 28.5285, long: 77.219, text: 'Saket, New Delhi' } as const;
/** Global state of the specification, section 3, by its names. */
const state = ({ get }: Customer) => ({
  offerCode: get(couponCodeAtom),
  userData: get(userAtom)?.userId ?? null,
  popupContent: get(popupAtom)?.message ?? null,
  storeId: get(storeIdAtom),
  advanceOrderStoreId: get(chosenStoreAtom)?.advanceOrderStoreId ?? null,
  storeIdList: get(storeIdListAtom),
  location: get(deliveryPlaceAtom)?.text ?? null,
  recent: get(recentLocationsAtom).map(({ text }) => text),
  storeError: get(storeErrorAtom)?.message ?? null,
});

test("global state is there on every page, survives a reload where it is the customer's, and goes when they do [CFG-46]", async () => {
  const customer = openCustomer(server);
  const untouched = state(customer);
  expect(untouched).toEqual({
    offerCode: '',
    userData: null,
    popupContent: null,
    storeId: '10101',
    advanceOrderStoreId: null,
    storeIdList: [],
    location: null,
    recent: [],
    storeError: null,
  });
  customer.set(openChoiceAtom, new URLSearchParams());
  await customer.get(apiAtom).ensureSession();
  await customer.set(choosePlaceAtom, SAKET);
  await customer.set(refreshMenuAtom);
  customer.set(addLineAtom, { productId: 'PZ001', size: 'M', quantity: 3 });
  await customer.set(syncCartAtom);
  expect(await customer.set(applyCouponAtom, 'FLAT100', { isTyped: true, from: 'cart', isFromCart: true })).toBe(true);
  customer.set(
    showStoreFailureAtom,
    new Failure('refused', { errors: [{ code: '2.STORENA', displayMsg: 'The store is away.' }] }),
    true,
  );
  const store = customer.get(chosenStoreAtom)!;
  const held = {
    offerCode: 'FLAT100',
    userData: expect.stringMatching(/^anonymous/),
    storeId: store.id,
    advanceOrderStoreId: store.advanceOrderStoreId,
    storeIdList: [store.id],
    location: SAKET.text,
    recent: [SAKET.text],
  };
  expect(store.id).not.toBe('10101');
  expect(store.advanceOrderStoreId).not.toBe('');
  expect(state(customer)).toEqual({
    ...held,
    popupContent: expect.stringMatching(/./),
    storeError: expect.stringMatching(/./),
  });
  const later = openCustomer(server, { device: customer.device });
  expect(state(later)).toEqual({ ...held, popupContent: null, storeError: null });
  later.set(forgetCustomerAtom);
  expect(state(later)).toEqual(untouched);
});

test.each([
  ['in', '10101'],
  ['lk', '20101'],
  ['bg', '30101'],
])('before a store is chosen, %s is served by %s, whose menu is read [CFG-18]', async (country, storeId) => {
  const customer = openCustomer(server, { country });
  expect(customer.get(storeIdAtom)).toBe(storeId);
  await customer.set(refreshMenuAtom);
  expect(customer.get(menuAtom).storeId).toBe(storeId);
});

test.each([
  ['undefined', 'nothing'],
  ['null', 'nothing'],
  ['false', 'nothing'],
  ['', 'nothing'],
  ['true', true],
  ['0', 0],
  ['"null"', 'null'],
])('what a device remembers as %j is read as %j [CFG-43]', (text, value) => {
  const remembered = kept({ key: 'remembered', schema: z.unknown(), initial: 'nothing', forget: 'never' });
  const { device } = openCustomer(server);
  safeStorage.write('remembered', text);
  expect(openCustomer(server, { device }).get(remembered)).toBe(value);
});

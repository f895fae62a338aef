import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Api } from '../../src/api/client.ts';
import * as contract from '../../src/contract/coupons.ts';
import { loadCartAtom, syncCartAtom } from '../../src/state/cart.ts';
import { addLineAtom, changeLineAtom } from '../../src/state/first/cart.ts';
import {
  applyCouponAtom,
  combinedState,
  couponCodeAtom,
  freshenOffersAtom,
  isPromoAppliedAtom,
  isStoreShownAtom,
  offeredModeAtom,
  removeCouponAtom,
} from '../../src/state/coupons.ts';
import { storeOffersState } from '../../src/state/storeOffers.ts';
import { refreshMenuAtom } from '../../src/state/menu.ts';
import { apiAtom, navigateAtom } from '../../src/state/first/seams.ts';
import { startServer, type TestServer } from '../kit/server.ts';
import { openShop } from '../server/shop.ts';
import { openCustomer, type Customer } from './customer.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer({ settings: { distDir: null } });
  await openShop(server);
});
afterAll(() => server.stop());

const TYPED = { isTyped: true, from: 'cart', isFromCart: true } as const;
async function withPizzas(quantity = 3, customer = openCustomer(server)) {
  await customer.set(refreshMenuAtom);
  const lineId = customer.set(addLineAtom, { productId: 'PZ001', size: 'M', quantity });
  await customer.set(syncCartAtom);
  return { customer, lineId };
}
const told = async (customer: Customer) => {
  await customer.set(loadCartAtom);
  customer.set(freshenOffersAtom);
};

test('the code and whether it is applied are stored, follow the cart, and are gone when the code is refused or taken off [CART-20]', async () => {
  const { customer, lineId } = await withPizzas();
  expect(await customer.set(applyCouponAtom, 'flat100', TYPED)).toBe(true);
  await told(customer);
  const later = () => openCustomer(server, { device: customer.device });
  expect([later().get(couponCodeAtom), later().get(isPromoAppliedAtom)]).toEqual(['FLAT100', true]);
  const again = later();
  // Too little for it now: the code stays, and is applied no more.
  again.set(changeLineAtom, { lineId, quantity: 1 });
  await again.set(syncCartAtom);
  await told(again);
  expect([again.get(couponCodeAtom), again.get(isPromoAppliedAtom)]).toEqual(['FLAT100', false]);
  await again.set(applyCouponAtom, 'NOSUCHCODE', TYPED);
  expect(again.get(couponCodeAtom)).toBe('');
  again.set(changeLineAtom, { lineId, quantity: 3 });
  await again.set(syncCartAtom);
  await again.set(applyCouponAtom, 'SAVE15', TYPED);
  await again.set(removeCouponAtom, 'SAVE15');
  await told(again);
  const last = openCustomer(server, { device: customer.device });
  expect([last.get(couponCodeAtom), last.get(isPromoAppliedAtom)]).toEqual(['', false]);
});

test('while the server says WAIT it is asked again, and what was shown stays; SUCCESS and FAILED are shown as they are [OFF-13]', async () => {
  const { customer } = await withPizzas();
  await customer.set(combinedState.load);
  expect(customer.get(combinedState.atom).data?.combinedOffers?.coupons.length).toBeGreaterThan(0);
  const api = customer.get(apiAtom);
  const asked: unknown[] = [];
  const say = (answers: readonly object[]) =>
    customer.set(apiAtom, {
      ...api,
      call: (async (...given: Parameters<Api['call']>) => {
        if (given[0] !== contract.combined) return await api.call(...given);
        asked.push(given[1]);
        return answers[asked.length - 1] ?? (await api.call(...given));
      }) as Api['call'],
    });
  // Every change has an id, and the offers are asked for after it.
  say([{ status: 'WAIT' }]);
  await customer.set(combinedState.load);
  expect(asked).toHaveLength(2);
  expect(asked[0]).toMatchObject({ query: { afterOperation: expect.any(String) } });
  expect(customer.get(combinedState.atom).data).toMatchObject({ status: 'SUCCESS' });
  const before = customer.get(combinedState.atom).data?.combinedOffers;
  asked.length = 0;
  say(Array.from({ length: 9 }, () => ({ status: 'WAIT' })));
  await customer.set(combinedState.load);
  expect(customer.get(combinedState.atom).data).toMatchObject({ status: 'WAIT', combinedOffers: before });
  asked.length = 0;
  say([{ status: 'FAILED', errors: [{ displayMsg: 'No offers today' }] }]);
  await customer.set(combinedState.load);
  expect(customer.get(combinedState.atom).data).toMatchObject({
    status: 'FAILED',
    errors: [{ displayMsg: 'No offers today' }],
  });
});

test('an offer on the cart that asks for a payment mode says which', async () => {
  const { customer } = await withPizzas();
  expect(customer.get(offeredModeAtom)).toBeNull();
  await customer.set(applyCouponAtom, 'UPI75', TYPED);
  expect(customer.get(offeredModeAtom)).toBe('UPI');
  await customer.set(removeCouponAtom, 'UPI75');
  expect(customer.get(offeredModeAtom)).toBeNull();
});

test('on the offers page the store’s offers give way to those of the cart with its first dish, and not before [OFF-29]', async () => {
  const customer = openCustomer(server);
  customer.get(navigateAtom).go('/offers');
  await customer.set(storeOffersState.load);
  const asked = () => customer.calls.filter((path) => path === contract.combined.path).length;
  await told(customer);
  expect([customer.get(isStoreShownAtom), asked()]).toEqual([true, 0]);
  await withPizzas(1, customer);
  await told(customer);
  await vi.waitFor(() => expect(customer.get(combinedState.atom).status).toBe('ready'));
  expect([customer.get(isStoreShownAtom), asked()]).toEqual([false, 1]);
});

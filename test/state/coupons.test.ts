import { describe, expect, test, vi } from 'vitest';
import * as t from '#text/alive.ts';
import * as errors from '#text/errors.ts';
import { Failure } from '../../src/api/failure.ts';
import * as cart from '../../src/contract/cart.ts';
import * as contract from '../../src/contract/coupons.ts';
import { hearCartAtom, loadCartAtom, setCartOptionsAtom, syncCartAtom } from '../../src/state/cart/cart.ts';
import { addLineAtom, cartAtom, changeLineAtom } from '../../src/state/first/cart.ts';
import { applyCouponAtom, removeCouponAtom, takeBestAtom } from '../../src/state/offers/couponActions.ts';
import {
  couponTasks,
  bestOfferAtom,
  combinedState,
  couponCodeAtom,
  isPromoAppliedAtom,
  freshenOffersAtom,
  loadTermsAtom,
  offerEndedAtom,
  offeredModeAtom,
  termsAtom,
} from '../../src/state/offers/coupons.ts';
import { refreshMenuAtom } from '../../src/state/menu/menu.ts';
import { apiAtom, navigateAtom } from '../../src/state/first/seams.ts';
import { toastAtom } from '../../src/state/first/toast.ts';
import { popupAtom } from '../../src/state/base/popup.ts';
import { startServer } from '../kit/server.ts';
import { openShop } from '../server/shop.ts';
import { between, fails, meanwhile, openAtStore, openCustomer, type Customer } from './customer.ts';
import { during } from '../kit/during.ts';

const server = during(() => startServer({ settings: { distDir: null } }), openShop);

const TYPED = { isTyped: true, from: 'cart', isFromCart: true } as const;
async function withPizzas(quantity = 3, customer = openCustomer(server)) {
  await customer.set(refreshMenuAtom);
  const lineId = customer.set(addLineAtom, { productId: 'PZ001', size: 'M', quantity });
  await customer.set(syncCartAtom);
  return { customer, lineId };
}

describe('answers about one cart that come in another order than they were given', () => {
  const seen = (customer: Customer) => {
    const held = customer.get(cartAtom);
    return [
      held?.validItems[0]?.quantity,
      held?.offers.some(({ status, code }) => status === 'APPLIED' && code === 'FLAT100'),
    ];
  };

  test('a code stays on that was applied while the cart was loaded', async () => {
    const { customer } = await withPizzas();
    meanwhile(customer, cart.byId, () => customer.set(applyCouponAtom, 'FLAT100', TYPED));
    await customer.set(loadCartAtom);
    expect(seen(customer)).toEqual([3, true]);
  });

  test.each([
    ['applied', contract.apply, (customer: Customer) => customer.set(applyCouponAtom, 'FLAT100', TYPED)],
    ['taken off', contract.remove, (customer: Customer) => customer.set(removeCouponAtom, 'FLAT100')],
  ])('a dish stays that was added while a code was %s', async (_, endpoint, act) => {
    const { customer, lineId } = await withPizzas();
    if (endpoint === contract.remove) await customer.set(applyCouponAtom, 'FLAT100', TYPED);
    meanwhile(customer, endpoint, () => {
      customer.set(changeLineAtom, { lineId, quantity: 4 });
      return customer.set(syncCartAtom);
    });
    await act(customer);
    expect(seen(customer)[0]).toBe(4);
  });

  test('a code stays on that was applied while a change of the cart was answered', async () => {
    const { customer, lineId } = await withPizzas();
    meanwhile(customer, cart.change, () =>
      customer
        .get(apiAtom)
        .call(contract.apply, {
          cartId: customer.get(cartAtom)!.cartId,
          code: 'FLAT100',
          query: { includePartnerOffer: 'true' },
        })
        .then((answer) => customer.set(hearCartAtom, answer.cart!)),
    );
    customer.set(changeLineAtom, { lineId, quantity: 4 });
    await customer.set(syncCartAtom);
    expect(seen(customer)).toEqual([4, true]);
  });

  test('the best offer is not that of the cart as it is now where the cart was changed while it was worked out', async () => {
    const { customer, lineId } = await withPizzas();
    const end = meanwhile(customer, contract.combined, () => {
      customer.set(changeLineAtom, { lineId, quantity: 1 });
      return customer.set(syncCartAtom);
    });
    await customer.set(combinedState.load);
    end();
    expect(customer.get(bestOfferAtom)).toEqual({});
  });

  test('a database that was restored from before is believed', async () => {
    const { customer } = await withPizzas();
    const held = customer.get(cartAtom)!;
    customer.set(cartAtom, { ...held, version: held.version + 100 });
    await customer.set(loadCartAtom);
    expect(customer.get(cartAtom)?.version).toBe(held.version);
  });
});

test('while offers answer WAIT they are asked for again and the shown ones stay; SUCCESS and FAILED are shown [OFF-13]', async () => {
  const { customer } = await withPizzas();
  await customer.set(combinedState.load);
  expect(customer.get(combinedState.atom).data?.combinedOffers?.coupons.length).toBeGreaterThan(0);
  const asked: unknown[] = [];
  let given: readonly object[] = [];
  between(customer, (next, endpoint, input) => {
    if (endpoint !== contract.combined) return next();
    asked.push(input);
    return given[asked.length - 1] ?? next();
  });
  const say = (answers: readonly object[]) => {
    asked.length = 0;
    given = answers;
  };
  // Every change has an id, and the offers are asked for after it.
  say([{ status: 'WAIT' }]);
  await customer.set(combinedState.load);
  expect(asked).toHaveLength(2);
  expect(asked[0]).toMatchObject({ query: { afterOperation: expect.any(String) } });
  expect(customer.get(combinedState.atom).data).toMatchObject({ status: 'SUCCESS' });
  const before = customer.get(combinedState.atom).data?.combinedOffers;
  say(Array.from({ length: 9 }, () => ({ status: 'WAIT' })));
  await customer.set(combinedState.load);
  expect(customer.get(combinedState.atom).data).toMatchObject({ status: 'WAIT', combinedOffers: before });
  // Not for ever; and while it works on the cart, no combination is the best one.
  expect([asked.length, customer.get(bestOfferAtom)]).toEqual([4, {}]);
  say([{ status: 'FAILED', errors: [{ displayMsg: 'No offers today' }] }]);
  await customer.set(combinedState.load);
  expect(customer.get(combinedState.atom).data).toMatchObject({
    status: 'FAILED',
    errors: [{ displayMsg: 'No offers today' }],
  });
});

const TAPPED = { isTyped: false, from: 'offers', isFromCart: true } as const;
/** Without what comes by itself: three pizzas, to be collected. */
async function withPlainPizzas(quantity = 3) {
  const customer = await openAtStore(server);
  const lineId = customer.set(addLineAtom, { productId: 'PZ001', size: 'M', quantity });
  await customer.set(syncCartAtom);
  for (const code of codes(customer)) await customer.set(removeCouponAtom, code);
  await customer.set(loadCartAtom);
  expect(codes(customer)).toEqual([]);
  customer.set(toastAtom, null);
  return { customer, lineId };
}
const codes = (customer: Customer) =>
  customer.get(cartAtom)!.offers.flatMap(({ code, status }) => (status === 'AVAILABLE' ? [] : [code]));
const total = (customer: Customer) => customer.get(cartAtom)!.bill.total;
const message = (customer: Customer) => customer.get(toastAtom)?.message;

test('one code at a time: its button shows it, and a tap on another does nothing', async () => {
  const { customer } = await withPlainPizzas();
  customer.calls.length = 0;
  const applying = customer.set(applyCouponAtom, 'SAVE15', TAPPED);
  expect(customer.get(couponTasks.busyAtom)).toBe('SAVE15');
  expect(await customer.set(applyCouponAtom, 'FLAT100', TAPPED)).toBe(false);
  await customer.set(removeCouponAtom, 'SAVE15');
  await customer.set(takeBestAtom);
  expect(customer.get(couponTasks.busyAtom)).toBe('SAVE15');
  expect(await applying).toBe(true);
  expect([customer.get(couponTasks.busyAtom), codes(customer)]).toEqual(['', ['SAVE15']]);
  // A reload knows it, too.
  const later = openCustomer(server, { device: customer.device });
  expect([later.get(couponCodeAtom), later.get(isPromoAppliedAtom)]).toEqual(['SAVE15', true]);
  expect(customer.calls.filter((path) => path === contract.apply.path)).toHaveLength(1);
  const removing = customer.set(removeCouponAtom, 'SAVE15');
  expect(customer.get(couponTasks.busyAtom)).toBe('SAVE15');
  await removing;
  expect([customer.get(couponTasks.busyAtom), codes(customer)]).toEqual(['', []]);
});

test('a dish that waits to be sent is in the cart before a code is tried on it, or the offers are asked for', async () => {
  const { customer } = await withPlainPizzas(1);
  customer.set(addLineAtom, { productId: 'PZ001', size: 'L', quantity: 3 });
  expect(await customer.set(applyCouponAtom, 'FLAT200', TAPPED)).toBe(true);
  customer.set(addLineAtom, { productId: 'SD001', quantity: 1 });
  await customer.set(combinedState.load);
  expect(customer.get(cartAtom)!.validItems.flatMap(({ product, free }) => (free ? [] : [product.id]))).toEqual([
    'PZ001',
    'PZ001',
    'SD001',
  ]);
});

test('a code that is taken off and comes by itself says so, and how the cart can be without it', async () => {
  const customer = await openAtStore(server);
  customer.set(addLineAtom, { productId: 'PZ001', size: 'M', quantity: 3 });
  await customer.set(syncCartAtom);
  const on = codes(customer);
  await customer.set(applyCouponAtom, on[0]!, TYPED);
  await customer.set(removeCouponAtom, on[0]!);
  expect([message(customer), codes(customer)]).toEqual([t.couponStays({ code: on[0]! }), on]);
  await customer.set(removeCouponAtom, on[0]!);
  expect([message(customer), codes(customer)]).toEqual([t.couponRemoved({ code: on[0]! }), on.slice(1)]);
});

test.each([
  [new Failure('aborted'), undefined],
  [new Failure('offline'), errors.connectionLost],
])('an offer that could not be taken off stays, and why is said unless it was stopped: %s', async (thrown, said) => {
  const { customer } = await withPlainPizzas();
  await customer.set(applyCouponAtom, 'SAVE15', TAPPED);
  const mend = fails(customer, contract.remove, thrown);
  customer.set(toastAtom, null);
  await customer.set(removeCouponAtom, 'SAVE15');
  expect([codes(customer), customer.get(couponCodeAtom), customer.get(couponTasks.busyAtom)]).toEqual([
    ['SAVE15'],
    'SAVE15',
    '',
  ]);
  expect([customer.get(popupAtom)?.message, message(customer)]).toEqual([said, undefined]);
  mend();
  await customer.set(removeCouponAtom, 'SAVE15');
  expect(codes(customer)).toEqual([]);
});

describe('the best combination', () => {
  const CART_ONLY = { isOn: false, saving: 0, gifts: 0, total: 0, message: '' };
  /** The server's word for the best, where the test has another. */
  const bestIs = (customer: Customer, best: object) =>
    between(customer, async (next, endpoint) => {
      const reply = (await next()) as object;
      return endpoint === contract.combined ? { ...reply, best: { ...CART_ONLY, ...best } } : reply;
    });

  test('takes the place of what is on, keeps what is in it, and says that it is there', async () => {
    const { customer } = await withPlainPizzas();
    await customer.set(applyCouponAtom, 'FREEDIP', TAPPED);
    await customer.set(applyCouponAtom, 'FLAT100', TAPPED);
    await customer.set(combinedState.load);
    const { best } = customer.get(bestOfferAtom);
    expect(best!.codes).toEqual(['BUY1GET1', 'FREEDIP']);
    const done: string[] = [];
    between(customer, (next, endpoint, input) => {
      const { code } = input as { code?: string };
      if (code !== undefined) done.push(`${endpoint.method} ${code}`);
      return next();
    });
    const taking = customer.set(takeBestAtom);
    expect(customer.get(couponTasks.busyAtom)).toBe('BUY1GET1 FREEDIP');
    await taking;
    expect([customer.get(couponTasks.busyAtom), codes(customer).sort(), message(customer)]).toEqual([
      '',
      ['BUY1GET1', 'FREEDIP'],
      t.bestOfferApplied,
    ]);
    expect(done).toEqual(['POST BUY1GET1']);
    expect([total(customer), customer.get(couponCodeAtom)]).toEqual([best!.total, 'BUY1GET1']);
    // Taken off again, the cart is as it was.
    await customer.set(removeCouponAtom, 'BUY1GET1');
    expect(codes(customer).sort()).toEqual(['FLAT100', 'FREEDIP']);
  });

  test('that asks for a payment mode chooses it', async () => {
    const { customer } = await withPlainPizzas(4);
    customer.set(setCartOptionsAtom, { paymentMode: 'UPI' });
    await customer.set(syncCartAtom);
    bestIs(customer, { codes: ['CARD10'], paymentModes: ['CARD'] });
    await customer.set(combinedState.load);
    await customer.set(takeBestAtom);
    expect([codes(customer), customer.get(popupAtom), customer.get(offeredModeAtom)]).toEqual([
      ['CARD10'],
      null,
      'CARD',
    ]);
  });

  test('that is refused says why, and one that changes no total says so, unless something comes free with it', async () => {
    const { customer } = await withPlainPizzas();
    const undo = bestIs(customer, { codes: ['DINEIN15', 'FREEDIP'] });
    await customer.set(combinedState.load);
    await customer.set(takeBestAtom);
    expect(customer.get(popupAtom)).toEqual({
      header: errors.oops,
      message: expect.stringContaining('takeaway'),
      right: { label: errors.ok },
    });
    expect([message(customer), codes(customer)]).toEqual([undefined, ['FREEDIP']]);
    undo();
    for (const [gifts, said] of [
      [0, t.bestOfferSame],
      [3_000, t.bestOfferApplied],
    ] as const) {
      await customer.set(removeCouponAtom, 'FREEDIP');
      const undoThis = bestIs(customer, { codes: ['FREEDIP'], gifts });
      await customer.set(combinedState.load);
      await customer.set(takeBestAtom);
      expect(message(customer)).toBe(said);
      undoThis();
    }
  });
});

test('offers follow the cart where they are on screen, once after each change', async () => {
  const { customer } = await withPlainPizzas();
  const asked = () => customer.calls.splice(0).filter((one) => one === contract.combined.path).length;
  for (const [path, count] of [
    ['/cart?from=menu', 1],
    ['/offers', 1],
    ['/cartoon', 0],
  ] as const) {
    customer.get(navigateAtom).go(path);
    await customer.set(combinedState.load);
    asked();
    // The cart is as it was.
    customer.set(freshenOffersAtom);
    expect(asked()).toBe(0);
    customer.set(addLineAtom, { productId: 'SD001', quantity: 1 });
    await customer.set(syncCartAtom);
    customer.set(freshenOffersAtom);
    // Already on their way.
    customer.set(freshenOffersAtom);
    await vi.waitFor(() => expect(customer.get(combinedState.atom).status).toBe('ready'));
    expect([path, asked()]).toEqual([path, count]);
  }
});

test('when an offer runs out, the cart’s price and the offers are asked for anew, even if the cart cannot be had', async () => {
  const { customer } = await withPlainPizzas();
  customer.calls.length = 0;
  await customer.set(offerEndedAtom);
  // No offers are on screen.
  expect(customer.calls).toEqual([cart.byId.path]);
  await customer.set(combinedState.load);
  fails(customer, cart.byId, new Failure('offline'));
  customer.calls.length = 0;
  await customer.set(offerEndedAtom);
  expect(customer.calls).toEqual([contract.combined.path]);
});

test("an offer's terms that did not come are asked for again when it is opened again, and nothing is said", async () => {
  const { customer } = await withPlainPizzas();
  const mend = fails(customer, contract.terms, new Failure('offline'));
  await customer.set(loadTermsAtom, 'SAVE15');
  expect([customer.get(termsAtom), customer.get(popupAtom)]).toEqual([{}, null]);
  mend();
  await customer.set(loadTermsAtom, 'SAVE15');
  await customer.set(loadTermsAtom, 'FLAT100');
  expect(Object.keys(customer.get(termsAtom))).toEqual(['SAVE15', 'FLAT100']);
});

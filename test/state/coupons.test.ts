import { describe, expect, test, vi } from 'vitest';
import * as t from '#text/alive.ts';
import * as errors from '#text/errors.ts';
import { Failure } from '../../src/api/failure.ts';
import * as cart from '../../src/contract/cart.ts';
import * as contract from '../../src/contract/coupons.ts';
import { formatMoney } from '../../src/domain/money.ts';
import { hearCartAtom, loadCartAtom, setCartOptionsAtom, syncCartAtom } from '../../src/state/cart/cart.ts';
import { addLineAtom, cartAtom, changeLineAtom } from '../../src/state/first/cart.ts';
import { applyCouponAtom, removeCouponAtom, takeBestAtom } from '../../src/state/offers/couponActions.ts';
import {
  couponTasks,
  bestOfferAtom,
  codeAgainAtom,
  combinedState,
  confettiAtom,
  couponCodeAtom,
  freshenOffersAtom,
  isPromoAppliedAtom,
  isStoreShownAtom,
  loadOfferTextAtom,
  loadTermsAtom,
  milestonesState,
  offerEndedAtom,
  offeredModeAtom,
  offerTextsAtom,
  termsAtom,
  typedCodeAtom,
} from '../../src/state/offers/coupons.ts';
import { storeOffersState } from '../../src/state/offers/storeOffers.ts';
import { refreshMenuAtom } from '../../src/state/menu/menu.ts';
import { apiAtom, navigateAtom, pathAtom } from '../../src/state/first/seams.ts';
import { networkAtom } from '../../src/state/base/network.ts';
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
const told = async (customer: Customer) => {
  await customer.set(loadCartAtom);
  customer.set(freshenOffersAtom);
};

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

test('a coupon code and whether it is applied are stored, follow the cart, and go when it is refused or taken off [CART-20]', async () => {
  const { customer, lineId } = await withPizzas();
  expect(await customer.set(applyCouponAtom, 'FLAT100', TYPED)).toBe(true);
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

test('on a slow line the cart asks for the best offer alone, and the page of coupons for all of them', async () => {
  const { customer } = await withPizzas();
  customer.set(networkAtom, { isConnected: true, networkType: '2g' });
  const told = async (path: string) => {
    customer.set(pathAtom, path);
    await customer.set(combinedState.load);
    const { best, combinedOffers } = customer.get(combinedState.atom).data!;
    return [best?.codes.length, combinedOffers?.coupons.length] as const;
  };
  const [codes] = await told('/cart');
  expect(codes).toBeGreaterThan(0);
  expect(await told('/cart')).toEqual([codes, undefined]);
  expect(await told('/offers')).toEqual([codes, expect.any(Number)]);
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

test('an offer on the cart that asks for a payment mode says which', async () => {
  const { customer } = await withPizzas();
  expect(customer.get(offeredModeAtom)).toBeNull();
  await customer.set(applyCouponAtom, 'UPI75', TYPED);
  expect(customer.get(offeredModeAtom)).toBe('UPI');
  // With another way to pay it is on no more.
  customer.set(setCartOptionsAtom, { paymentMode: 'CARD' });
  await customer.set(syncCartAtom);
  expect(codes(customer)).toContain('UPI75');
  expect(customer.get(offeredModeAtom)).toBeNull();
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

test.each([
  ['typed into the cart', TYPED, true, []],
  ['tapped on the page of offers of a cart', TAPPED, true, ['/cart']],
  ['tapped on the page of offers elsewhere', { ...TAPPED, isFromCart: false }, false, ['/home']],
] as const)(
  'a code %s is celebrated once: by confetti where the cart comes next, else by what is said',
  async (_, by, isParty, went) => {
    const { customer } = await withPlainPizzas();
    customer.set(typedCodeAtom, 'pickup30');
    expect(await customer.set(applyCouponAtom, 'PICKUP30', by)).toBe(true);
    expect(codes(customer)).toEqual(['PICKUP30']);
    const [title, text] = ['Coupon applied!', 'You save ₹150 with PICKUP30'];
    expect(customer.get(confettiAtom)).toEqual(isParty ? { message: title, subMessage: text } : null);
    expect(message(customer)).toBe(isParty ? undefined : `${title} ${text}`);
    expect([customer.went, customer.get(typedCodeAtom), customer.get(couponCodeAtom)]).toEqual([went, '', 'PICKUP30']);
    expect(customer.get(isPromoAppliedAtom)).toBe(true);
    // The same again is no news.
    await customer.set(applyCouponAtom, 'PICKUP30', by);
    expect([message(customer), customer.get(confettiAtom)]).toEqual([t.couponApplied({ code: 'PICKUP30' }), null]);
  },
);

test('a code that takes the place of another says what that costs instead of celebrating, unless the total falls', async () => {
  const { customer } = await withPlainPizzas(8);
  const apply = async (code: string) => {
    const before = total(customer);
    customer.set(toastAtom, null);
    customer.set(confettiAtom, null);
    expect(await customer.set(applyCouponAtom, code, TYPED)).toBe(true);
    return total(customer) - before;
  };
  const instead = (code: string, other: string, more: number) =>
    t.couponInstead({
      code,
      other,
      isSame: more === 0 ? 'yes' : 'no',
      amount: formatMoney(more as never, customer.country),
    });
  await apply('SAVE15');
  // Both give as much as they can.
  expect(await apply('PICKUP30')).toBe(0);
  expect([message(customer), customer.get(confettiAtom)]).toEqual([instead('PICKUP30', 'SAVE15', 0), null]);
  const more = await apply('FLAT100');
  expect(more).toBeGreaterThan(0);
  expect([message(customer), customer.get(confettiAtom)]).toEqual([instead('FLAT100', 'PICKUP30', more), null]);
  expect(await apply('SAVE15')).toBeLessThan(0);
  expect([message(customer), customer.get(confettiAtom)?.message]).toEqual([undefined, 'Coupon applied!']);
  // A gift beside it takes nobody's place.
  expect(await apply('FREEDIP')).toBe(0);
  expect([message(customer), customer.get(confettiAtom)?.message]).toEqual([undefined, 'Coupon applied!']);
});

test('a typed code that is refused says why in its box, a tapped one over the page in the words of the server', async () => {
  const { customer } = await withPlainPizzas();
  customer.calls.length = 0;
  customer.set(typedCodeAtom, 'DINEIN15');
  expect(await customer.set(applyCouponAtom, 'DINEIN15', TYPED)).toBe(false);
  expect(customer.get(couponTasks.problemsAtom).code ?? '').toMatch(/takeaway/);
  expect([customer.get(popupAtom), customer.get(typedCodeAtom)]).toEqual([null, 'DINEIN15']);
  // It was only looked at, not applied.
  expect(customer.calls).not.toContain(contract.apply.path);

  expect(await customer.set(applyCouponAtom, 'DINEIN15', TAPPED)).toBe(false);
  expect(customer.get(couponTasks.problemsAtom).code ?? '').toBe('');
  expect(customer.get(popupAtom)).toEqual({
    header: errors.oops,
    message: expect.stringContaining('takeaway'),
    right: { label: errors.ok },
  });
  expect([customer.went, message(customer), customer.get(couponTasks.busyAtom)]).toEqual([[], undefined, '']);
  const refusal = { code: 'NO', displayMsg: 'Not today', header: 'Sorry', btnMsg: 'I see' };
  between(customer, (next, endpoint) =>
    endpoint === contract.apply ? { status: 'FAILED', errors: [refusal] } : next(),
  );
  await customer.set(applyCouponAtom, 'FLAT100', TAPPED);
  expect(customer.get(popupAtom)).toEqual({ header: 'Sorry', message: 'Not today', right: { label: 'I see' } });
});

test('a refused code that was typed is not the last one used any more, a tapped one leaves that as it was', async () => {
  const { customer } = await withPlainPizzas();
  await customer.set(applyCouponAtom, 'SAVE15', TYPED);
  await customer.set(applyCouponAtom, 'DINEIN15', TAPPED);
  expect(customer.get(couponCodeAtom)).toBe('SAVE15');
  await customer.set(applyCouponAtom, 'DINEIN15', TYPED);
  expect(customer.get(couponCodeAtom)).toBe('');
});

test.each([
  ['browser', errors.loggedOut],
  ['gpay', errors.loggedOutInHost],
] as const)(
  'a code that could not be asked about says so in %s, where it was typed or over the page, and can be tried again',
  async (host, sentence) => {
    const { customer } = await withPizzas(3, openCustomer(server, { host }));
    const [before, mend] = [codes(customer), fails(customer, contract.validate, new Failure('expired'))];
    expect(await customer.set(applyCouponAtom, 'FLAT100', TYPED)).toBe(false);
    expect([
      customer.get(couponTasks.problemsAtom).code ?? '',
      customer.get(popupAtom),
      customer.get(couponTasks.busyAtom),
    ]).toEqual([sentence, null, '']);
    mend();
    const mendToo = fails(customer, contract.apply, new Failure('offline'));
    expect(await customer.set(applyCouponAtom, 'FLAT100', TAPPED)).toBe(false);
    expect([customer.get(couponTasks.problemsAtom).code ?? '', customer.get(popupAtom)?.message]).toEqual([
      '',
      errors.connectionLost,
    ]);
    expect(codes(customer)).toEqual(before);
    mendToo();
    expect(await customer.set(applyCouponAtom, 'FLAT100', TAPPED)).toBe(true);
  },
);

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

test('a code that is taken off is said, and is offered again; a gift beside it that is taken off is not that code', async () => {
  const { customer } = await withPlainPizzas();
  await customer.set(combinedState.load);
  // Nothing was used yet.
  expect(customer.get(codeAgainAtom)).toBeNull();
  await customer.set(applyCouponAtom, 'FREEDIP', TYPED);
  await customer.set(applyCouponAtom, 'SAVE15', TYPED);
  await customer.set(removeCouponAtom, 'FREEDIP');
  expect([message(customer), codes(customer), customer.get(couponCodeAtom)]).toEqual([
    t.couponRemoved({ code: 'FREEDIP' }),
    ['SAVE15'],
    'SAVE15',
  ]);
  await customer.set(combinedState.load);
  expect(customer.get(codeAgainAtom)).toBeNull();
  await customer.set(applyCouponAtom, 'FLAT100', TAPPED);
  await customer.set(removeCouponAtom, 'FLAT100');
  expect([customer.get(couponCodeAtom), codes(customer), message(customer)]).toEqual([
    '',
    ['SAVE15'],
    t.couponBack({ code: 'FLAT100', other: 'SAVE15' }),
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

test('the code that was used last is offered by a tap where the cart could have it again', async () => {
  const { customer, lineId } = await withPlainPizzas();
  await customer.set(applyCouponAtom, 'FLAT100', TYPED);
  const again = async (quantity: number) => {
    customer.set(changeLineAtom, { lineId, quantity });
    await customer.set(syncCartAtom);
    await told(customer);
    await customer.set(combinedState.load);
    return customer.get(codeAgainAtom);
  };
  expect(await again(3)).toBeNull();
  // Too little for it.
  expect(await again(1)).toBeNull();
  // Another page of the same cart takes it off.
  const other = openCustomer(server, { device: customer.device });
  await other.set(removeCouponAtom, 'FLAT100');
  expect(await again(3)).toBe('FLAT100');
});

test.each([
  [new Failure('aborted'), undefined],
  [new Failure('offline'), errors.connectionLost],
  [new Error('a bug'), errors.internalServerError],
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

test('where there is no cart, nothing is taken off', async () => {
  const customer = openCustomer(server);
  await customer.set(removeCouponAtom, 'SAVE15');
  expect([customer.calls, customer.get(popupAtom)]).toEqual([[], null]);
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

  test('that could not be taken says so, and can be tried again; what is no more the best is not taken', async () => {
    const { customer } = await withPlainPizzas();
    await customer.set(combinedState.load);
    const mend = fails(customer, contract.apply, new Failure('offline'));
    await customer.set(takeBestAtom);
    expect([customer.get(popupAtom)?.message, customer.get(couponTasks.busyAtom), codes(customer)]).toEqual([
      errors.connectionLost,
      '',
      [],
    ]);
    mend();
    customer.set(addLineAtom, { productId: 'SD001', quantity: 1 });
    await customer.set(syncCartAtom);
    customer.calls.length = 0;
    await customer.set(takeBestAtom);
    expect([customer.calls, codes(customer)]).toEqual([[], []]);
    await customer.set(combinedState.load);
    await customer.set(takeBestAtom);
    expect(codes(customer)).toContain('BUY1GET1');
  });
});

test('partner offers stand on our own page, and not inside an app', async () => {
  const offered = async (host: 'browser' | 'gpay') => {
    const { customer } = await withPizzas(3, openCustomer(server, { host }));
    await customer.set(combinedState.load);
    const { coupons } = customer.get(combinedState.atom).data!.combinedOffers!;
    return coupons.flatMap(({ list }) => list.map(({ code }) => code)).filter((code) => /^(GPAY|PAYTM)/.test(code));
  };
  expect((await offered('browser')).sort()).toEqual(['GPAYSPOT', 'PAYTM80']);
  expect(await offered('gpay')).toEqual([]);
});

test('how far a customer has come is asked of the rewards that take several orders alone', async () => {
  const { customer } = await withPlainPizzas();
  await customer.set(milestonesState.load);
  expect(customer.get(milestonesState.atom).data).toEqual([]);
  await customer.set(combinedState.load);
  await customer.set(milestonesState.load);
  expect(customer.get(milestonesState.atom).data?.map(({ couponCode, steps }) => [couponCode, steps])).toEqual([
    ['MILESTONE5', 0],
  ]);
});

test.each([
  ['/cart', 1],
  ['/cart?from=menu', 1],
  ['/offers', 1],
  ['/menu', 0],
  ['/cartoon', 0],
])(
  'offers follow the cart where they are on screen: on %s they are asked for so often after a change: %i',
  async (path, count) => {
    const { customer } = await withPlainPizzas();
    customer.get(navigateAtom).go(path);
    await customer.set(combinedState.load);
    const asked = () => customer.calls.splice(0).filter((one) => one === contract.combined.path).length;
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
    expect(asked()).toBe(count);
  },
);

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

test("an offer's text comes once; a failure is said until the next try has an answer, and only our own server is asked", async () => {
  const { customer } = await withPlainPizzas();
  await customer.set(combinedState.load);
  const { coupons } = customer.get(combinedState.atom).data!.combinedOffers!;
  const { code, textHref } = coupons.flatMap(({ list }) => list).find((offer) => offer.code === 'SAVE15')!;
  const held = () => customer.get(offerTextsAtom)[code];
  await customer.set(loadOfferTextAtom, { code, textHref: 'https://elsewhere.example/text' });
  await customer.set(loadOfferTextAtom, { code });
  expect(held()).toBeUndefined();

  for (const [thrown, kind] of [
    [new Failure('offline'), 'offline'],
    [new Error('a bug'), 'broken'],
  ] as const) {
    const mend = between(customer, () => Promise.reject(thrown));
    await customer.set(loadOfferTextAtom, { code, textHref });
    expect(held()).toMatchObject({ text: null, failure: { kind }, isLoading: false });
    mend();
  }
  customer.calls.length = 0;
  const both = [
    customer.set(loadOfferTextAtom, { code, textHref }),
    customer.set(loadOfferTextAtom, { code, textHref }),
  ];
  expect(held()).toMatchObject({ text: null, failure: { kind: 'broken' }, isLoading: true });
  await Promise.all(both);
  expect(held()).toEqual({ text: expect.stringMatching(/./), failure: null, isLoading: false });
  await customer.set(loadOfferTextAtom, { code, textHref });
  expect(customer.calls).toHaveLength(1);
  // Another offer has a text of its own.
  await customer.set(loadOfferTextAtom, { code: 'FLAT100', textHref: '/content/ve1/promo/FLAT100/text' });
  expect(Object.keys(customer.get(offerTextsAtom))).toEqual([code, 'FLAT100']);
});

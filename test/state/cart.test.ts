import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as serverText from '#text/server.ts';
import { countryConfig } from '../../country/index.ts';
import type { Api } from '../../src/api/api.ts';
import { Failure } from '../../src/api/failure.ts';
import * as contract from '../../src/contract/cart.ts';
import * as loyalty from '../../src/contract/loyalty.ts';
import * as orders from '../../src/contract/orders.ts';
import * as stores from '../../src/contract/stores.ts';
import { priceCart } from '../../src/server/rules/cart/cart.ts';
import { catalogueFromDisk } from '../../src/server/rules/catalogue/catalogue.ts';
import type { SessionReply } from '../../src/contract/session.ts';
import {
  isBelowMinimumAtom,
  isSmallAtom,
  loadCartAtom,
  putLineAtom,
  renewCartAtom,
  setCartOptionsAtom,
  syncCartAtom,
  takeSessionAtom,
} from '../../src/state/cart/cart.ts';
import {
  addLineAtom,
  cartAtom,
  cartCountAtom,
  cartLinesAtom,
  changeLineAtom,
  isCartWaitingAtom,
  pendingAtom,
} from '../../src/state/first/cart.ts';
import { applyCouponAtom } from '../../src/state/offers/couponActions.ts';
import { popupAtom } from '../../src/state/base/popup.ts';
import { cartIdAtom, sessionAtom } from '../../src/state/base/session.ts';
import { placeOrderAtom } from '../../src/state/checkout/placing.ts';
import { quoteState } from '../../src/state/checkout/quote.ts';
import { termsAcceptedAtom } from '../../src/state/checkout/terms.ts';
import { detailAtom } from '../../src/state/drafts/detail.ts';
import { paymentModeAtom } from '../../src/state/drafts/mode.ts';
import { rewardOfferAtom, setRewardAtom } from '../../src/state/offers/loyalty.ts';
import { refreshMenuAtom } from '../../src/state/menu/menu.ts';
import { chosenStoreAtom, deliveryTypeAtom } from '../../src/state/first/location.ts';
import { apiAtom } from '../../src/state/first/seams.ts';
import { toastAtom } from '../../src/state/first/toast.ts';
import { freshMobile, guest, logIn, person } from '../server/people.ts';
import { between, type Customer, meanwhile, openAtStore, openCustomer } from './customer.ts';
import { shopOfPage } from './shopOfPage.ts';

const RUNS = 200;
/** The specification's map, in minor units. */
const LEAST = { in: 100, lk: 100, bg: 5_000 };
const NOON = Date.UTC(2027, 0, 13, 7, 0);

const server = shopOfPage('bg');

describe.each(Object.entries(LEAST))('the smallest order in %s', (code, least) => {
  /** Carts on both sides of the minimum and right at it: the server's own pricing, of dishes that cost next to nothing. */
  function arbitraryCart(): fc.Arbitrary<contract.Cart> {
    const real = catalogueFromDisk(countryConfig(code));
    const dish = [...real.items.values()].find((item) => item.kind === 'SIDE' && item.availableFrom === undefined)!;
    const price = fc.oneof(fc.integer({ min: 0, max: 2 * least }), fc.integer({ min: least - 60, max: least + 60 }));
    return fc
      .record({
        price,
        quantity: fc.integer({ min: 1, max: 3 }),
        tip: fc.constantFrom(0, 1_000, 2_550),
        carryBag: fc.boolean(),
        // A delivery that costs more than the smallest order would leave nothing to miss.
        fee: fc.constantFrom(0, real.country.fees.delivery),
        deliveryType: fc.constantFrom('DELIVERY' as const, 'PICKUP' as const, 'DINEIN' as const),
        isEmpty: fc.boolean().map((yes) => yes && code !== 'bg'),
      })
      .map(({ price: amount, quantity, fee, isEmpty, ...options }) => {
        const country = {
          ...real.country,
          fees: { ...real.country.fees, delivery: fee as typeof real.country.fees.delivery },
        };
        const catalogue = {
          ...real,
          country,
          items: new Map(real.items).set(dish.id, { ...dish, prices: { ONE: amount } }),
        };
        const lines = isEmpty
          ? []
          : [{ lineId: 'a', quantity, removed: false, changedAt: 1, wish: { productId: dish.id } }];
        return priceCart(
          {
            cartId: 'c',
            userId: 'u',
            version: 1,
            storeId: '',
            lines,
            coupons: [],
            declined: ['FREEDIP'],
            cutlery: false,
            paymentMode: null,
            ...options,
          },
          {
            catalogue,
            store: real.stores.get(real.country.DEFAULT_STORE)!,
            soldOut: new Set(),
            now: NOON,
            bin: null,
            modes: [],
            states: new Map(),
            shopper: { partnerOffers: true, hasOrdered: false, used: new Map(), steps: () => 0 },
          },
        ).cart;
      });
  }

  test('is asked for by the page itself, of whatever bill arrives, and exactly where the server asks for it [P12] [CART-15]', () => {
    const customer = openCustomer(server, { country: code });
    const seen = { below: 0, enough: 0 };
    fc.assert(
      fc.property(arbitraryCart(), (priced) => {
        // As it comes over the wire.
        customer.set(cartAtom, contract.Cart.parse(JSON.parse(JSON.stringify(priced))));
        const owed = priced.bill.lines.reduce(
          (sum, line) => sum + (line.included || line.kind === 'tip' ? 0 : line.amount),
          0,
        );
        const isBelow = customer.get(isBelowMinimumAtom);
        expect(isBelow).toBe(owed < least);
        expect(priced.minimum.missing).toBe(Math.max(0, least - owed));
        // A server that said otherwise would not be believed.
        customer.set(cartAtom, {
          ...priced,
          minimum: { required: priced.minimum.required, missing: (isBelow ? 0 : 1) as typeof priced.minimum.missing },
        });
        expect(customer.get(isBelowMinimumAtom)).toBe(isBelow);
        seen[isBelow ? 'below' : 'enough'] += 1;
      }),
      { numRuns: RUNS },
    );
    expect(Math.min(seen.below, seen.enough)).toBeGreaterThan(RUNS / 20);
  });
});

test('a free pizza alone for pickup makes the cart ask for more, not for a payment of nothing; with a dip it is ordered', async () => {
  const customer = openCustomer(server);
  const mobile = freshMobile();
  customer.set(takeSessionAtom, (await logIn(server, mobile)).reply);
  await customer.set(refreshMenuAtom);
  const { call } = customer.get(apiAtom);
  await call(loyalty.register, { query: { enroll: 'true' } });
  await server.call(loyalty.grant, { body: { mobile, points: 600 } });
  customer.set(deliveryTypeAtom, 'PICKUP');
  customer.set(chosenStoreAtom, (await call(stores.byId, { storeId: '10101', query: {} })).store);
  customer.set(addLineAtom, { productId: 'PZ001', size: 'R', quantity: 1 });
  await customer.set(setRewardAtom, true);
  expect(customer.get(cartAtom)!.bill.total).toBe(0);
  expect(customer.get(rewardOfferAtom)).toMatchObject({ status: 'APPLIED', messages: [{ messageType: 'info' }] });
  expect(customer.get(isSmallAtom)).toBe(true);
  customer.set(addLineAtom, { productId: 'SD007', quantity: 1 });
  // What it comes to now is not known yet.
  expect([customer.get(isBelowMinimumAtom), customer.get(isSmallAtom)]).toEqual([true, false]);
  await customer.set(syncCartAtom);
  expect([customer.get(isSmallAtom), customer.get(rewardOfferAtom)?.messages]).toEqual([false, []]);
  customer.set(detailAtom, { fName: 'Asha', lName: '', mobNo: mobile, email: '' });
  customer.set(paymentModeAtom, 'COD');
  customer.set(termsAcceptedAtom, true);
  await customer.set(quoteState.load);
  await customer.set(placeOrderAtom);
  expect(customer.calls).toContain(orders.submit.path);
});

test('of two dishes sent at once, the one that no longer fits is refused with its reason and the other one stays', async () => {
  const customer = await openAtStore(server);
  for (let count = 0; count < 59; count += 1) customer.set(addLineAtom, { productId: 'SD007', quantity: 1 });
  await customer.set(syncCartAtom);
  const own = () => customer.get(cartLinesAtom).filter((line) => !line.priced?.free);
  expect([own().length, customer.get(popupAtom)]).toEqual([59, null]);
  customer.set(addLineAtom, { productId: 'BV001', quantity: 1 });
  customer.set(addLineAtom, { productId: 'DS001', quantity: 1 });
  expect(own()).toHaveLength(61);
  await customer.set(syncCartAtom);
  expect(customer.get(popupAtom)?.message).toBe(serverText.cartFull({ pieces: 100, lines: 60 }));
  expect(own().map((line) => line.productId)).toEqual([...Array<string>(59).fill('SD007'), 'BV001']);
  expect(customer.get(isCartWaitingAtom)).toBe(false);
  // What is refused once is not sent again.
  customer.set(popupAtom, null);
  await customer.set(syncCartAtom);
  expect(customer.get(popupAtom)).toBeNull();
});

test('a payment mode that is no longer there is refused with a reason, and holds nothing else up', async () => {
  const customer = await openAtStore(server);
  customer.set(addLineAtom, { productId: 'SD007', quantity: 1 });
  await customer.set(syncCartAtom);
  customer.set(setCartOptionsAtom, { paymentMode: 'BEADS' });
  await customer.set(syncCartAtom);
  expect(customer.get(popupAtom)?.message).toEqual(expect.any(String));
  expect(customer.get(isCartWaitingAtom)).toBe(false);
  customer.set(popupAtom, null);
  customer.set(addLineAtom, { productId: 'BV001', quantity: 1 });
  await customer.set(syncCartAtom);
  expect(customer.get(popupAtom)).toBeNull();
  expect(customer.get(cartAtom)!.validItems.map((line) => line.product.id)).toEqual(['SD007', 'BV001']);
});

test('a choice made while an earlier one is on its way is sent too', async () => {
  const customer = await openAtStore(server);
  customer.set(addLineAtom, { productId: 'SD007', quantity: 1 });
  await customer.set(syncCartAtom);
  const api = customer.get(apiAtom);
  let count = 0;
  customer.set(apiAtom, {
    ...api,
    call: ((...given: Parameters<Api['call']>) => {
      count += 1;
      if (count === 1) customer.set(setCartOptionsAtom, { carryBag: false });
      return api.call(...given);
    }) as Api['call'],
  });
  customer.set(setCartOptionsAtom, { carryBag: true, cutlery: true });
  await customer.set(syncCartAtom);
  expect(customer.get(cartAtom)!.options).toMatchObject({ carryBag: false, cutlery: true });
  expect(customer.get(isCartWaitingAtom)).toBe(false);
});

test.each([
  ['offline', false],
  ['broken', true],
] as const)(
  'a change that fails as %s waits for its next try; the page says so with a popup: %s',
  async (kind, isSaid) => {
    const customer = await openAtStore(server);
    const api = customer.get(apiAtom);
    customer.set(apiAtom, { ...api, call: (() => Promise.reject(new Failure(kind))) as Api['call'] });
    customer.set(addLineAtom, { productId: 'SD007', quantity: 2 });
    await customer.set(syncCartAtom);
    expect(customer.get(popupAtom) !== null).toBe(isSaid);
    expect([customer.get(isCartWaitingAtom), customer.get(cartCountAtom)]).toEqual([true, 2]);
    customer.set(apiAtom, api);
    await customer.set(syncCartAtom);
    expect(customer.get(cartAtom)!.validItems.map((line) => [line.product.id, line.quantity])).toEqual([['SD007', 2]]);
  },
);

test('a dish that is tapped again joins its line until that holds fifty, then begins another', async () => {
  const customer = await openAtStore(server);
  const taken = () => customer.get(cartLinesAtom).flatMap((line) => (line.priced?.free ? [] : [line.quantity]));
  const put = (quantity: number) => customer.set(putLineAtom, { productId: 'SD007', quantity });
  put(48);
  // Also to one that the server has priced.
  await customer.set(syncCartAtom);
  put(2);
  expect(taken()).toEqual([50]);
  put(1);
  expect(taken()).toEqual([50, 1]);
  await customer.set(syncCartAtom);
  expect([customer.get(popupAtom), taken()]).toEqual([null, [50, 1]]);
});

test('a dish that is tapped again joins neither a gift nor what is sold out', async () => {
  const customer = await openAtStore(server);
  customer.set(addLineAtom, { productId: 'PZ004', size: 'M', quantity: 2 });
  const soldOut = customer.set(addLineAtom, { productId: 'SD001', quantity: 1 });
  await customer.set(syncCartAtom);
  // A dip comes free with it.
  expect(customer.get(cartLinesAtom).map((line) => [line.productId, line.priced?.free])).toContainEqual([
    'SD007',
    true,
  ]);
  await server.switches({ soldOut: ['SD001'] });
  try {
    await customer.set(loadCartAtom);
    for (const productId of ['SD007', 'SD001']) customer.set(putLineAtom, { productId, quantity: 2 });
    expect(
      customer
        .get(cartLinesAtom)
        .filter((line) => line.productId !== 'PZ004')
        .map((line) => [line.productId, line.quantity, line.lineId === soldOut])
        .sort(),
    ).toEqual([
      ['SD001', 1, true],
      ['SD001', 2, false],
      ['SD007', 1, false],
      ['SD007', 2, false],
    ]);
  } finally {
    await server.switches({ soldOut: [] });
  }
});

test('taps without a network go out in as few calls as the server takes, and in their order', async () => {
  const customer = await openAtStore(server);
  const lineId = customer.set(addLineAtom, { productId: 'SD007', quantity: 1 });
  await customer.set(syncCartAtom);
  const sent: unknown[] = [];
  between(customer, (next, endpoint, input) => {
    if (endpoint === contract.add || endpoint === contract.change)
      sent.push([endpoint.method, (input as { body: { items: readonly object[] } }).body.items.length]);
    return next();
  });
  const takes = (quantity: number) => customer.set(changeLineAtom, { lineId, quantity });
  for (let tap = 0; tap < 150; tap += 1) takes(1 + (tap % 40));
  customer.set(addLineAtom, { productId: 'BV001', quantity: 1 });
  takes(7);
  await Promise.all([customer.set(syncCartAtom), customer.set(syncCartAtom)]);
  const { add, change } = contract;
  expect(sent).toEqual([
    [change.method, 100],
    [change.method, 50],
    [add.method, 1],
    [change.method, 1],
  ]);
  expect(customer.get(cartLinesAtom).find((line) => line.lineId === lineId)?.quantity).toBe(7);
});

test.each(['changed', 'asked for'])(
  'a cart that is %s while another way to get it is chosen is of the old way: it is loaded for the new one',
  async (how) => {
    const customer = openCustomer(server);
    await customer.set(refreshMenuAtom);
    customer.set(addLineAtom, { productId: 'PZ001', size: 'M', quantity: 1 });
    await customer.set(syncCartAtom);
    if (how === 'changed') customer.set(addLineAtom, { productId: 'SD007', quantity: 1 });
    const end = meanwhile(customer, how === 'changed' ? contract.add : contract.byId, () =>
      customer.set(deliveryTypeAtom, 'PICKUP'),
    );
    await customer.set(how === 'changed' ? syncCartAtom : loadCartAtom);
    end();
    expect(customer.get(cartAtom)!.deliveryType).toBe('DELIVERY');
    await customer.set(renewCartAtom);
    expect(customer.get(cartAtom)!.deliveryType).toBe('PICKUP');
    customer.calls.length = 0;
    await customer.set(renewCartAtom);
    expect(customer.calls).toEqual([]);
  },
);

describe('another way of getting it', () => {
  const said = (customer: Customer) => customer.get(toastAtom);
  async function withDish() {
    const customer = openCustomer(server);
    await customer.set(refreshMenuAtom);
    const lineId = customer.set(addLineAtom, { productId: 'PZ001', size: 'M', quantity: 1 });
    await customer.set(loadCartAtom);
    expect([customer.get(cartAtom)!.deliveryType, said(customer)]).toEqual(['DELIVERY', null]);
    return { customer, lineId };
  }

  test('says nothing where there was nothing in the cart, where it costs the same, and of a change of the cart itself', async () => {
    const { customer, lineId } = await withDish();
    const tell = async (change: () => unknown) => {
      await change();
      await customer.set(loadCartAtom);
      return said(customer);
    };
    // On another device.
    const other = openCustomer(server, { as: { status: 'SUCCESS', ...customer.get(sessionAtom)! } });
    await other.set(loadCartAtom);
    other.set(changeLineAtom, { lineId, quantity: 2 });
    await other.set(syncCartAtom);
    expect(await tell(() => {})).toBeNull();
    expect(await tell(() => customer.set(deliveryTypeAtom, 'PICKUP'))).not.toBeNull();
    customer.set(toastAtom, null);
    expect(await tell(() => customer.set(deliveryTypeAtom, 'CURB'))).toBeNull();
    customer.set(changeLineAtom, { lineId, quantity: 0 });
    await customer.set(syncCartAtom);
    expect(customer.get(cartAtom)!.validItems).toEqual([]);
    // Nor does an empty cart ask for more food.
    expect([customer.get(isBelowMinimumAtom), customer.get(isSmallAtom)]).toEqual([true, false]);
    expect(await tell(() => customer.set(deliveryTypeAtom, 'DELIVERY'))).toBeNull();
  });
});

describe('a session that takes the place of another', () => {
  /** A guest with a dish, and a gift that a coupon puts beside it. */
  async function withGift() {
    const customer = await openAtStore(server);
    customer.set(addLineAtom, { productId: 'PZ004', size: 'M', quantity: 2 });
    await customer.set(syncCartAtom);
    const by = { isTyped: true, from: 'cart', isFromCart: true } as const;
    expect(await customer.set(applyCouponAtom, 'FREEDIP', by)).toBe(true);
    expect(customer.get(cartAtom)!.validItems.map((line) => line.free === true)).toEqual([false, true]);
    return customer;
  }
  const shown = (customer: Customer) => customer.get(cartLinesAtom).map(({ lineId, quantity }) => [lineId, quantity]);

  test("the basket of a guest whom the server has forgotten moves to the new guest with its lines' ids, its gifts do not", async () => {
    const customer = await withGift();
    const [pizza] = shown(customer);
    customer.set(addLineAtom, { productId: 'BV001', quantity: 1 });
    customer.set(takeSessionAtom, (await guest(server)).reply);
    expect(customer.get(cartAtom)).toBeNull();
    expect(customer.get(pendingAtom).map((one) => one.kind === 'add' && one.line.productId)).toEqual([
      'PZ004',
      'BV001',
    ]);
    await customer.set(syncCartAtom);
    expect(customer.get(popupAtom)).toBeNull();
    const { cartId, validItems } = customer.get(cartAtom)!;
    expect(cartId).toBe(customer.get(cartIdAtom));
    expect(validItems.flatMap((line) => (line.free ? [] : [[line.product.id, line.quantity]]))).toEqual([
      ['PZ004', 2],
      ['BV001', 1],
    ]);
    expect(shown(customer)[0]).toEqual(pizza);
  });

  test('a renewed one and a login leave the cart on the page as it is, with its prices', async () => {
    const customer = await withGift();
    const before = customer.get(cartAtom);
    const own: SessionReply = { status: 'SUCCESS', ...customer.get(sessionAtom)! };
    customer.set(takeSessionAtom, own);
    expect([customer.get(cartAtom), customer.get(isCartWaitingAtom)]).toEqual([before, false]);
    const login = await logIn(server, freshMobile(), 'in-web', person(own));
    expect(login.reply.attributes.cartId).not.toBe(before!.cartId);
    customer.set(takeSessionAtom, login.reply);
    expect([customer.get(cartAtom), customer.get(isCartWaitingAtom)]).toEqual([before, false]);
  });

  test('a first one sends nothing again that the device shows of an earlier visit', async () => {
    const customer = await withGift();
    const before = customer.get(cartAtom);
    customer.set(sessionAtom, null);
    customer.set(takeSessionAtom, (await guest(server)).reply);
    expect([customer.get(cartAtom), customer.get(isCartWaitingAtom)]).toEqual([before, false]);
  });
});

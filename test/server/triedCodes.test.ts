import fc from 'fast-check';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { countryConfig } from '../../country/index.ts';
import * as cart from '../../src/contract/cart.ts';
import * as coupons from '../../src/contract/coupons.ts';
import * as group from '../../src/contract/group.ts';
import type { DeliveryType } from '../../src/contract/names.ts';
import * as payments from '../../src/contract/payments.ts';
import { priceCart, type CartState, type PricedCart, type PricingContext } from '../../src/server/rules/cart/cart.ts';
import { tried } from '../../src/server/rules/cart/advice.ts';
import { catalogueFromDisk } from '../../src/server/rules/catalogue/catalogue.ts';
import { couponByCode, putOn, takenOff, worthOf } from '../../src/server/rules/offers/coupons.ts';
import { logIn } from './people.ts';
import { openedShop, PICKUP, visitor, type Customer, type Shop } from './shop.ts';

/** A Wednesday, 12:30 in India: the lunch offer and Wednesday's are on. */
const NOON = Date.UTC(2027, 0, 13, 7, 0);
const MODES = ['UPI', 'CARD', 'COD'];
const catalogues = ['IN', 'LK', 'BG'].map((code) => catalogueFromDisk(countryConfig(code)));

interface Basket {
  readonly state: CartState;
  readonly context: PricingContext;
}

/** A cart of a country's own dishes, with its own coupons, as the page keeps it: the best offer goes on by itself. */
const baskets = fc.constantFrom(...catalogues).chain((catalogue) => {
  const dishes = [...catalogue.items.values()]
    .filter((item) => item.availableFrom === undefined)
    .flatMap((item) => Object.keys(item.prices).map((size) => ({ productId: item.id, size })));
  const codes = [...catalogue.coupons.values()];
  const stores = [...catalogue.stores.values()].filter((store) => store.fixture !== true).slice(0, 4);
  return fc
    .record({
      lines: fc.array(fc.record({ dish: fc.constantFrom(...dishes), quantity: fc.integer({ min: 1, max: 5 }) }), {
        minLength: 1,
        maxLength: 4,
      }),
      deliveryType: fc.constantFrom<DeliveryType>('DELIVERY', 'PICKUP', 'CURB', 'DINEIN'),
      declined: fc.subarray(
        codes.map(({ code }) => code),
        { maxLength: 2 },
      ),
      paymentMode: fc.constantFrom(null, ...MODES),
      reward: fc.boolean(),
      prize: fc.option(fc.constantFrom(...codes.filter(({ wheel }) => wheel === true).map(({ code }) => code), '')),
      isToTrain: fc.constantFrom(false, false, false, true),
      store: fc.constantFrom(...stores),
      steps: fc.integer({ min: 0, max: 5 }),
    })
    .map(({ lines, prize, steps, store, ...more }): Basket => {
      const state: CartState = {
        cartId: 'c',
        userId: 'u',
        version: 1,
        storeId: store.id,
        lines: lines.map(({ dish: { productId, size }, quantity }, index) => ({
          lineId: `l${index}`,
          quantity,
          removed: false,
          changedAt: 1,
          wish: { productId, ...(size === 'ONE' ? {} : { size: size as 'R' }) },
        })),
        coupons: [],
        bestOffer: true,
        tip: 0,
        carryBag: false,
        cutlery: false,
        prizes: prize ? [prize] : [],
        ...more,
      };
      const context: PricingContext = {
        catalogue,
        store,
        soldOut: new Set(),
        now: NOON,
        bin: null,
        modes: MODES,
        shopper: { partnerOffers: true, hasOrdered: false, used: new Map(), steps: () => steps },
        states: new Map(codes.map(({ code }) => [code, { used: 0 }])),
      };
      return { state, context, ...{ [fc.toStringMethod]: () => JSON.stringify({ state, steps }) } };
    });
});

/** What is paid and what comes free. */
const worth = (priced: PricedCart) => ({
  total: priced.cart.bill.total,
  gifts: worthOf(priced.couponCase.catalogue, priced.outcomes),
});
function typed({ state, context }: Basket, code: string): Basket | null {
  const trial = tried(priceCart(state, context), code);
  return trial.message === null
    ? { context, state: { ...state, ...putOn(state, trial.coupon, context.catalogue) } }
    : null;
}
const off = ({ state, context }: Basket, code: string): Basket => ({
  context,
  state: { ...state, ...takenOff(state, couponByCode(context.catalogue, code)!) },
});
const priced = ({ state, context }: Basket) => priceCart(state, context);

describe('a code that was typed and taken off', () => {
  test('leaves every cart as it was: all codes, all pairs of codes, in either order of taking off [CART-10] [OFF-25]', () => {
    fc.assert(
      fc.property(baskets, (basket) => {
        const before = worth(priced(basket));
        for (const first of basket.context.catalogue.coupons.keys()) {
          const one = typed(basket, first);
          if (one === null) continue;
          expect(worth(priced(off(one, first))), first).toEqual(before);
          const withOne = worth(priced(one));
          for (const second of basket.context.catalogue.coupons.keys()) {
            const two = typed(one, second);
            if (two === null || second === first) continue;
            const alone = typed(basket, second);
            expect(worth(priced(off(two, second))), `${first} ${second}`).toEqual(withOne);
            expect(worth(priced(off(off(two, second), first))), `${first} ${second}`).toEqual(before);
            expect(worth(priced(off(off(two, first), second))), `${first} ${second}`).toEqual(before);
            if (alone !== null) expect(worth(priced(off(two, first)))).toEqual(worth(priced(alone)));
          }
        }
      }),
      { numRuns: 8 },
    );
  });

  test('leaves it as one without it is, whatever has changed meanwhile: dishes, service, payment, the hour [CART-10]', () => {
    fc.assert(
      fc.property(
        baskets,
        fc.constantFrom<DeliveryType>('DELIVERY', 'PICKUP', 'CURB', 'DINEIN'),
        fc.constantFrom(null, ...MODES),
        fc.integer({ min: 1, max: 6 }),
        fc.constantFrom(0, 5, 11, 24),
        fc.boolean(),
        (basket, deliveryType, paymentMode, quantity, hours, hasOrdered) => {
          const later = ({ state, context }: Basket): Basket => ({
            state: { ...state, deliveryType, paymentMode, lines: state.lines.map((line) => ({ ...line, quantity })) },
            context: {
              ...context,
              now: context.now + hours * 3_600_000,
              shopper: { ...context.shopper, hasOrdered },
            },
          });
          const without = worth(priced(later(basket)));
          for (const code of basket.context.catalogue.coupons.keys()) {
            const one = typed(basket, code);
            if (one === null) continue;
            expect(worth(priced(later(off(one, code)))), code).toEqual(without);
            expect(worth(priced(off(later(one), code))), code).toEqual(without);
            // One that is no longer for this cart gives its place to what comes by itself.
            const kept = priced(later(one));
            if (!kept.applied.includes(code)) expect(worth(kept), code).toEqual(without);
          }
        },
      ),
      { numRuns: 40 },
    );
  });

  test('what the customer declined stays off, however many codes are tried, until they ask for it', () => {
    fc.assert(
      fc.property(baskets, (basket) => {
        for (const declined of priced(basket).applied) {
          const without = off(basket, declined);
          expect(priced(without).applied).not.toContain(declined);
          const plain = priced(without);
          for (const code of basket.context.catalogue.coupons.keys()) {
            const one = typed(without, code);
            if (one === null) continue;
            if (code !== declined) expect(priced(one).applied).not.toContain(declined);
            else expect(priced(one).applied).toContain(declined);
            expect(priced(off(one, code)).applied).toEqual(plain.applied);
          }
        }
      }),
      { numRuns: 20 },
    );
  });
});

describe('by the calls of a page', () => {
  let shop: Shop;
  beforeAll(async () => {
    shop = await openedShop();
  });
  afterAll(() => shop.close(1200));

  const offersOn = ({ lines }: cart.Bill) =>
    lines.flatMap(({ id }) => (id.startsWith('discount:') ? [id.replace('discount:', '')] : []));
  const remove = async (who: Customer, code: string) =>
    (await who.call(coupons.remove, { cartId: who.cartId, code })).body.cart!;
  const change = async (who: Customer, options: cart.CartOptions) =>
    (await who.call(cart.change, { cartId: who.cartId, body: { items: [], options } })).body.cart;
  /** Five medium pizzas at the store whose own offer goes on by itself. */
  async function atSaket() {
    const who = await visitor(shop.server, 'IN', { storeId: '10102', deliveryType: 'PICKUP' });
    await who.fill(5, 'M');
    return { who, before: await change(who, { bestOffer: true }) };
  }

  test('each code of the country leaves the total where it was, and so do two', async () => {
    const { who, before } = await atSaket();
    expect(offersOn(before.bill)).toHaveLength(1);
    const codes = [...catalogues[0]!.coupons.keys()];
    for (const code of codes) {
      if ((await who.coupon(code)).status !== 'SUCCESS') continue;
      expect((await remove(who, code)).bill, code).toEqual(before.bill);
    }
    await who.coupon('SAVE15');
    const { cart: withTwo } = await who.coupon('MILESTONE5');
    expect(withTwo!.offers.filter(({ status }) => status === 'REJECTED')).toEqual([]);
    expect(offersOn((await remove(who, 'MILESTONE5')).bill)).toEqual(['SAVE15']);
    expect((await remove(who, 'SAVE15')).bill).toEqual(before.bill);
  });

  test('one that was on by itself is on still, and off once that one is taken off too', async () => {
    const { who, before } = await atSaket();
    const [own] = offersOn(before.bill) as [string];
    await who.coupon(own);
    expect((await remove(who, own)).bill).toEqual(before.bill);
    expect(offersOn((await remove(who, own)).bill)).toEqual([]);
    // And stays off while another code is tried.
    await who.coupon('UPI75');
    expect(offersOn((await remove(who, 'UPI75')).bill)).toEqual([]);
    expect(offersOn((await who.coupon(own)).cart!.bill)).toEqual([own]);
    expect(offersOn((await remove(who, own)).bill)).toEqual([]);
  });

  test('with a login in between, and for the host of a group', async () => {
    const { who, before } = await atSaket();
    await who.coupon('SAVE15');
    const account = await logIn(shop.server, who.mobile, 'in-web', who.person);
    const call = { cartId: account.cartId, code: 'SAVE15' };
    const { body } = await shop.server.call(coupons.remove, call, account.as);
    expect(offersOn(body.cart!.bill)).toEqual(offersOn(before.bill));

    const host = await atSaket();
    await host.who.call(group.start, {
      cartId: host.who.cartId,
      body: { name: 'Asha', diet: ['VEG'], minutes: 30, limit: null },
    });
    await host.who.coupon('SAVE15');
    expect((await remove(host.who, 'SAVE15')).bill).toEqual(host.before.bill);
  });

  test('on an order that waits for its payment, too: what comes by itself is on again, and so is an earlier code', async () => {
    const { server } = shop;
    const promo = async (who: Customer, endpoint: typeof payments.applyPromo, orderId: string) => {
      const { transactionId } = await who.read(orderId);
      const query = { paymentMode: 'UPI' as const };
      const input = { transactionId, promo: 'UPI75', query };
      const { body } = await who.call(endpoint, input, { 'idempotency-key': randomUUID() });
      expect(body).toMatchObject({ status: 'SUCCESS' });
      return (await who.read(orderId)).bill;
    };
    async function unpaid(...codes: readonly string[]) {
      const who = await visitor(server, 'IN', PICKUP);
      await who.fill(4, 'M');
      const { bill } = await change(who, { bestOffer: true });
      for (const code of codes) expect((await who.coupon(code)).status).toBe('SUCCESS');
      const { status, body } = await who.submit({ paymentMode: 'UPI' });
      expect(status, JSON.stringify(body)).toBe(200);
      return { who, bill, order: body.order, id: body.order.orderId };
    }
    // Typed on the order.
    const late = await unpaid();
    expect(offersOn(await promo(late.who, payments.applyPromo, late.id))).toEqual(['UPI75']);
    expect(await promo(late.who, payments.removePromo, late.id)).toEqual(late.order.bill);
    // Typed in the cart, taken off on the order.
    const early = await unpaid('UPI75');
    expect(offersOn(early.order.bill)).toEqual(['UPI75']);
    expect(await promo(early.who, payments.removePromo, early.id)).toEqual(early.bill);
    // Behind another code.
    const two = await unpaid('SAVE15', 'UPI75');
    expect(offersOn(await promo(two.who, payments.removePromo, two.id))).toEqual(['SAVE15']);
  });
});

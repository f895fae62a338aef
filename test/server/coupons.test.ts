import { describe, expect, test } from 'vitest';
import { countryConfig } from '../../country/index.ts';
import * as cart from '../../src/contract/cart.ts';
import * as coupons from '../../src/contract/coupons.ts';
import * as development from '../../src/contract/development.ts';
import type { DeliveryType } from '../../src/contract/names.ts';
import type { Refusal } from '../../src/server/call/refusal.ts';
import { priceCart, type CartState, type PricingContext } from '../../src/server/rules/cart/cart.ts';
import {
  offerGroups,
  offerText,
  oneAfterAnother,
  rejected,
  runningOffers,
} from '../../src/server/rules/cart/advice.ts';
import { catalogueFromDisk } from '../../src/server/rules/catalogue/catalogue.ts';
import { loadCatalogue } from '../../src/server/rules/catalogue/copies.ts';
import type { LineWish } from '../../src/server/store/carts.ts';
import { countForNumber, redeem } from '../../src/server/rules/offers/redeem.ts';
import { readSeeds, type SeedCoupon } from '../../src/server/store/seeds.ts';
import { release } from '../../src/server/store/coupons.ts';
import { openDb, transact } from '../../src/server/store/db.ts';
import { migrate } from '../../src/server/store/migrate.ts';
import { bothEngines, engines, startServer, testDatabase } from '../kit/server.ts';
import { codeOf, guest, type Person } from './people.ts';
import { openedShop, openShop, pay, PICKUP, visitor, type Customer } from './shop.ts';
import { during } from '../kit/during.ts';

const COUNTRIES = ['IN', 'LK', 'BG'] as const;
const catalogues = Object.fromEntries(COUNTRIES.map((code) => [code, catalogueFromDisk(countryConfig(code))]));
/** A Wednesday, 12:30 in India. */
const NOON = Date.UTC(2027, 0, 13, 7, 0);
const DAY_S = 86_400;

describe('every coupon of the catalogue in a cart that suits it', () => {
  const all = COUNTRIES.flatMap((code) =>
    [...catalogues[code]!.coupons.values()].map((coupon) => [code, coupon.code, coupon] as const),
  );

  function suiting(country: string, coupon: SeedCoupon): { state: CartState; context: PricingContext } {
    const catalogue = catalogues[country]!;
    const dish = (productId: string, size?: 'R' | 'M' | 'L'): LineWish => ({ productId, ...(size ? { size } : {}) });
    const wishes =
      coupon.code === 'MINI10'
        ? [dish('MN039')]
        : coupon.code === 'FREEDEL'
          ? [dish('PZ003', 'M'), dish('SD007')]
          : [
              dish('PZ005', 'M'),
              dish('PZ004', 'M'),
              dish('PZ009', 'L'),
              dish('PZ001', 'R'),
              ...(coupon.appliesTo?.categories.includes('46') ? [dish('SC001')] : []),
            ];
    const store = catalogue.stores.get(coupon.storeIds?.[0] ?? catalogue.country.DEFAULT_STORE)!;
    return {
      state: {
        cartId: 'c',
        userId: 'u',
        version: 1,
        storeId: store.id,
        deliveryType: coupon.deliveryTypes[0] as DeliveryType,
        lines: wishes.map((wish, index) => ({
          lineId: `l${index}`,
          quantity: coupon.code === 'FREEDEL' ? 1 : 2,
          removed: false,
          wish,
          changedAt: 1,
        })),
        coupons: [coupon.code],
        declined: [],
        tip: 0,
        carryBag: false,
        cutlery: false,
        paymentMode: coupon.paymentModes?.[0] ?? null,
        prizes: coupon.wheel === true ? [coupon.code] : [],
      },
      context: {
        catalogue,
        store,
        soldOut: new Set(),
        now: coupon.timeOfDay?.[0] === '23:00' ? NOON + 11 * 3_600_000 : NOON,
        bin: coupon.bins?.[0] ?? null,
        modes: catalogue.seeds.payments.modes.map(({ id: mode }) => mode),
        shopper: { partnerOffers: true, hasOrdered: false, used: new Map(), steps: (_, required) => required },
        states: new Map([...catalogue.coupons.keys()].map((code) => [code, { used: 0 }])),
      },
    };
  }

  test.each(all)('%s %s is as the catalogue expects [OFF-14] [OFF-16] [OFF-17]', (country, code, coupon) => {
    const { state, context } = suiting(country, coupon);
    // Train orders have a service type of their own, which this cart cannot have.
    if (coupon.deliveryTypes[0] === 'IRCTC') return expect(coupon.code).toBe('TRAIN50');
    // Delivery is free from some sum on: the cart stays below it.
    if (coupon.type === 'FREE_DELIVERY') {
      const { items } = context.catalogue;
      const least = coupon.minCart ?? 0;
      const enough = [...items.values()]
        .filter((item) => item.kind === 'PIZZA')
        .flatMap((item) => (['R', 'M', 'L'] as const).map((size) => ({ item, size, price: item.prices[size] ?? 0 })))
        .find(({ price }) => price >= least && price < context.catalogue.country.fees.freeDeliveryFrom)!;
      const { cart: body } = priceCart(
        {
          ...state,
          lines: [
            {
              lineId: 'a',
              quantity: 1,
              removed: false,
              changedAt: 1,
              wish: { productId: enough.item.id, size: enough.size },
            },
          ],
        },
        context,
      );
      expect(body.bill.lines.find((entry) => entry.id === `discount:${code}`)?.amount).toBe(
        -context.catalogue.country.fees.delivery,
      );
      return expect(body.offers.find((offer) => offer.code === code)).toMatchObject({ status: 'APPLIED' });
    }
    const offer = priceCart(state, context).cart.offers.find((entry) => entry.code === code);
    // A new coupon need not say so: who adds one means it to be applied.
    expect(offer?.status).toBe(coupon.expected ?? 'APPLIED');
    if (coupon.expected === 'REJECTED') return expect(offer?.messages).toEqual(coupon.messages);
    if (coupon.type !== 'MILESTONE') expect(offer?.saving).toBeGreaterThan(0);
    if (coupon.paymentId)
      expect(offer).toMatchObject({ paymentId: coupon.paymentId, messages: [{ messageType: 'nudge' }] });
    if (coupon.type === 'MILESTONE')
      expect(offer).toMatchObject({
        labelType: 'general_milestone',
        offerOptions: coupon.offerOptions!.map(({ step, label }) => ({ step, label, reached: true })),
      });
  });

  const spoilt: readonly [
    string,
    string,
    (suit: { state: CartState; context: PricingContext }) => {
      state?: Partial<CartState>;
      context?: Partial<PricingContext>;
    },
    string,
  ][] = [
    [
      'SAVE15',
      'a small cart',
      ({ state }) => ({ state: { lines: [{ ...state.lines[3]!, quantity: 1 }] } }),
      'Add items worth ₹280 more to use this coupon',
    ],
    ['PICKUP30', 'delivery', () => ({ state: { deliveryType: 'DELIVERY' } }), 'This coupon is not valid for delivery'],
    ['UPI75', 'cash', () => ({ state: { paymentMode: 'COD' } }), 'This coupon needs UPI'],
    ['CARD10', 'another card', () => ({ context: { bin: '400000' } }), 'This coupon needs an eligible card'],
    [
      'SAKETONLY',
      'another store',
      () => ({ context: { store: catalogues['IN']!.stores.get('10101')! } }),
      'This coupon is not valid at this store',
    ],
    ['FLASH2H', 'two hours later', () => ({ context: { now: NOON + 2 * 3_600_000 } }), 'Coupon expired'],
    [
      'WELCOME50',
      'a second use',
      ({ context }) => ({ context: { shopper: { ...context.shopper, used: new Map([['WELCOME50', 1]]) } } }),
      'You have already used this coupon',
    ],
    [
      'WELCOME50',
      'a second order',
      ({ context }) => ({ context: { shopper: { ...context.shopper, hasOrdered: true } } }),
      'This coupon is for your first order',
    ],
    [
      'VEGLOVE20',
      'chicken in the cart',
      ({ state }) => ({
        state: { lines: [...state.lines, { ...state.lines[0]!, lineId: 'x', wish: { productId: 'SC001' } }] },
      }),
      'This coupon is for an all-vegetarian cart',
    ],
    [
      'GPAYSPOT',
      'a mini-app',
      ({ context }) => ({ context: { shopper: { ...context.shopper, partnerOffers: false } } }),
      'This coupon is not available here',
    ],
    ['BOGOWED', 'a Thursday', () => ({ context: { now: NOON + 24 * 3_600_000 } }), 'This coupon is not valid today'],
    [
      'LUNCH20',
      'the evening',
      () => ({ context: { now: NOON + 6 * 3_600_000 } }),
      'This coupon is not valid at this time of day',
    ],
    [
      'LATENIGHT',
      'a store that closes at eleven',
      () => ({ context: { store: catalogues['IN']!.stores.get('10102')! } }),
      'This coupon is not valid at this store',
    ],
    [
      'BUY1GET1',
      'one pizza',
      ({ state }) => ({ state: { lines: [{ ...state.lines[0]!, quantity: 1 }] } }),
      'Nothing in your cart goes with this coupon',
    ],
    [
      'SAVE15',
      'combos only',
      ({ state }) => ({ state: { lines: [{ ...state.lines[0]!, quantity: 2, wish: { productId: 'DL004' } }] } }),
      'Add items worth ₹399 more to use this coupon',
    ],
  ];
  test.each(spoilt)(
    '%s is rejected for %s with the one sentence [OFF-15] [OFF-X02] [OFF-X05]',
    (code, _, spoil, message) => {
      const suit = suiting('IN', catalogues['IN']!.coupons.get(code)!);
      const { state = {}, context = {} } = spoil(suit);
      const { cart: body } = priceCart({ ...suit.state, ...state }, { ...suit.context, ...context });
      expect(body.offers.find((offer) => offer.code === code)).toMatchObject({
        status: 'REJECTED',
        messages: [{ messageType: 'error', message }],
      });
      expect(body.bill.lines.some((entry) => entry.id === `discount:${code}`)).toBe(false);
    },
  );

  test("a countdown begins before the end, both by the server's clock [OFF-19] [OFF-20] [ERR-48]", () => {
    const { state, context } = suiting('IN', catalogues['IN']!.coupons.get('FLASH2H')!);
    const offer = (now: number) =>
      priceCart(state, { ...context, now }).cart.offers.find((entry) => entry.code === 'FLASH2H');
    expect(offer(NOON)?.expiryTimer).toEqual({ endTime: NOON + 7_200_000, showTimerBefore: NOON + 3_600_000 });
    expect(offer(NOON + 7_199_999)?.status).toBe('APPLIED');
    // It runs again on the next day.
    for (const [hours, message] of [
      [2, 'Coupon expired'],
      [13.9, 'Coupon expired'],
      [14, 'This offer has not started yet'],
    ] as const)
      expect(offer(NOON + hours * 3_600_000)).toMatchObject({ status: 'REJECTED', messages: [{ message }] });
    expect(offer(NOON + 24 * 3_600_000)?.status).toBe('APPLIED');
  });
});

let count = 0;
const id = (name: string) => `${name}${(count += 1)}`;

describe.each(await engines())('coupons on %s', (engine) => {
  const server = during(() => startServer({ engine }), openShop);

  const fill = (who: Person, productId: string, more: object = {}, options: object = {}) =>
    server.call(
      cart.add,
      {
        cartId: who.cartId,
        body: {
          items: [{ operationId: id('op'), line: { lineId: id('l'), productId, quantity: 1, ...more } }],
          options,
        },
      },
      who.as,
    );
  const apply = async (who: Person, code: string, includePartnerOffer?: 'true' | 'false') =>
    (
      await server.call(
        coupons.apply,
        { cartId: who.cartId, code, query: includePartnerOffer ? { includePartnerOffer } : {} },
        who.as,
      )
    ).body;
  const remove = async (who: Person, code: string) =>
    (await server.call(coupons.remove, { cartId: who.cartId, code }, who.as)).body;
  const read = async (who: Person) =>
    (await server.call(cart.byId, { cartId: who.cartId, query: {} }, who.as)).body.cart;
  const shopper = async (apiKey = 'in-web', more: object = {}) => {
    const who = await guest(server, apiKey);
    await fill(who, 'PZ005', { size: 'M', quantity: 2, ...more });
    return who;
  };
  /** Everything of a cart but the moment of asking. */
  const still = (body: cart.Cart) => ({
    ...body,
    version: 0,
    offers: body.offers.map((offer) => ({ ...offer, timestamp: 0 })),
  });

  test('an applied coupon lowers the total, is named, has confetti; removed, all is as before [P8] [OFF-25] [CART-10] [API-22]', async () => {
    const who = await shopper();
    const before = await read(who);
    const answer = await apply(who, ' save15 ');
    expect(answer).toMatchObject({
      status: 'SUCCESS',
      explicitPromo: { promoCode: 'SAVE15', confettiMessage: expect.any(String) },
      coupons: [{ code: 'SAVE15', status: 'APPLIED' }],
    });
    expect(answer.cart!.bill.total).toBeLessThan(before.bill.total);
    // The card, the congratulation and the bill name one sum; the tax falls besides.
    const off = answer.cart!.bill.lines.find((line) => line.id === 'discount:SAVE15')!;
    expect(answer.coupons![0]!.saving).toBe(-off.amount);
    expect(answer.explicitPromo!.confettiSubMessage).toContain(`₹${-off.amount / 100}`);
    expect(answer.cart!.version).toBe(before.version + 1);
    // Again: nothing new, so no confetti and no new version.
    const again = await apply(who, 'SAVE15');
    expect(again).toMatchObject({ status: 'SUCCESS', explicitPromo: { promoCode: 'SAVE15' } });
    expect(again.explicitPromo!.confettiMessage).toBeUndefined();
    expect(again.cart!.version).toBe(answer.cart!.version);
    const after = await remove(who, 'SAVE15');
    expect(still(after.cart!)).toEqual(still(before));
    // A partner's offer is left out where the query says so, and only there.
    for (const [isIncluded, status] of [
      [undefined, 'SUCCESS'],
      ['false', 'FAILED'],
      ['true', 'SUCCESS'],
    ] as const)
      expect([isIncluded, (await apply(who, 'GPAYSPOT', isIncluded)).status]).toEqual([isIncluded, status]);
  });

  test('one coupon of a kind: a new one takes the place of the old one, a freebie stays beside it', async () => {
    const who = await shopper();
    await apply(who, 'SAVE15');
    const { cart: body } = await apply(who, 'FLAT100');
    expect(body!.offers.filter((offer) => offer.status === 'APPLIED').map((offer) => offer.code)).toEqual([
      'FLAT100',
      'FREEDIP',
    ]);
    expect(body!.validItems.find((line) => line.free)).toMatchObject({
      lineId: 'free:FREEDIP',
      lineTotal: 0,
      product: { id: 'SD007', price: 0, originalPrice: 3000 },
    });
    expect(body!.bill.savings).toBe(13000);
  });

  test('a rejected coupon answers 200 with FAILED and its sentence, and the cart keeps its coupon [OFF-22] [OFF-15] [ERR-48]', async () => {
    const who = await shopper();
    await apply(who, 'SAVE15');
    const before = await read(who);
    for (const [code, message] of [
      ['DIWALI25', 'Coupon expired'],
      ['NEWYEAR', 'This offer has not started yet'],
      ['SOLDOUT', 'This offer is fully used'],
      ['NOSUCH', 'Invalid coupon code'],
      ['MEGA25', 'Add items worth ₹641 more to use this coupon'],
    ] as const) {
      const { status, body } = await server.call(coupons.apply, { cartId: who.cartId, code, query: {} }, who.as);
      expect([status, body.status, body.errors?.[0]?.displayMsg]).toEqual([200, 'FAILED', message]);
      expect(still(body.cart!)).toEqual(still(before));
      const typed = await server.call(coupons.validate, { code, query: { cartId: who.cartId } }, who.as);
      expect([typed.status, typed.body.status, typed.body.errors?.[0]?.displayMsg]).toEqual([200, 'FAILED', message]);
      // The offer, where there is one, says the same.
      const isKnown = code !== 'NOSUCH';
      for (const offers of [body.coupons, typed.body.coupons])
        expect(offers?.map((offer) => [offer.code, offer.status, offer.messages])).toEqual(
          isKnown ? [[code, 'REJECTED', [{ messageType: 'error', message }]]] : undefined,
        );
    }
    const fitting = (await server.call(coupons.validate, { code: 'flat100', query: { cartId: who.cartId } }, who.as))
      .body;
    expect(fitting).toMatchObject({
      status: 'SUCCESS',
      coupons: [{ code: 'FLAT100', status: 'AVAILABLE', saving: 10_000 }],
      explicitPromo: { promoCode: 'FLAT100' },
    });
    // What a milestone gives now is a word of its effect, which the checked offer carries.
    const { body: far } = await server.call(
      coupons.validate,
      { code: 'MILESTONE5', query: { cartId: who.cartId } },
      who.as,
    );
    expect(far.coupons?.[0]).toMatchObject({
      status: 'AVAILABLE',
      messages: [{ messageType: 'info', message: '5 more orders to your reward' }],
    });
    expect((await read(who)).version).toBe(before.version);
  });

  test('one that no longer fits stays on the cart with its reason, takes nothing off, and comes back [OFF-15] [OFF-X02]', async () => {
    const who = await shopper();
    await apply(who, 'SAVE15');
    const [line] = (await read(who)).validItems;
    const change = async (quantity: number, extra: object = {}) =>
      (
        await server.call(
          cart.change,
          {
            cartId: who.cartId,
            body: {
              items: [
                {
                  operationId: id('op'),
                  lineId: line!.lineId,
                  quantity,
                  line: { productId: quantity === 1 ? 'PZ001' : 'PZ005', size: 'M' },
                },
              ],
              ...extra,
            },
          },
          who.as,
        )
      ).body.cart;
    const small = await change(1);
    expect(small.offers.find((offer) => offer.code === 'SAVE15')).toMatchObject({
      status: 'REJECTED',
      messages: [{ messageType: 'error', message: 'Add items worth ₹170 more to use this coupon' }],
    });
    expect(small.bill.lines.some((entry) => entry.kind === 'discount')).toBe(false);
    expect((await change(2)).offers.find((offer) => offer.code === 'SAVE15')?.status).toBe('APPLIED');
  });

  test('an automatic one that was taken off stays off until it is asked for', async () => {
    const who = await shopper();
    expect((await read(who)).validItems.some((line) => line.free)).toBe(true);
    expect((await remove(who, 'FREEDIP')).cart!.validItems.some((line) => line.free)).toBe(false);
    await fill(who, 'SD001');
    expect((await read(who)).validItems.some((line) => line.free)).toBe(false);
    const back = await apply(who, 'FREEDIP');
    expect(back).toMatchObject({
      status: 'SUCCESS',
      explicitPromo: { promoCode: 'FREEDIP', confettiMessage: expect.any(String) },
    });
    expect(back.cart!.validItems.some((line) => line.free)).toBe(true);
  });

  test('partner offers are for the web only: mini-apps get none of them, but all other codes work [OFF-28] [API-26] [MINI-16]', async () => {
    const codes = async (who: Person, includePartnerOffer?: 'true' | 'false') =>
      (
        await server.call(
          coupons.forCart,
          { cartId: who.cartId, query: includePartnerOffer ? { includePartnerOffer } : {} },
          who.as,
        )
      ).body.offers.map((offer) => offer.code);
    const web = await shopper();
    expect(await codes(web, 'true')).toEqual(expect.arrayContaining(['GPAYSPOT', 'PAYTM80']));
    expect(await codes(web, 'false')).not.toContain('GPAYSPOT');
    expect(await apply(web, 'GPAYSPOT', 'false')).toMatchObject({
      status: 'FAILED',
      errors: [{ displayMsg: 'This coupon is not available here' }],
    });
    for (const host of ['in-gpay', 'in-paytm']) {
      const inside = await shopper(host);
      expect(await codes(inside, 'true')).not.toContain('GPAYSPOT');
      expect(await codes(inside)).toContain('SAVE15');
      expect(await apply(inside, 'PAYTM80', 'true')).toMatchObject({
        status: 'FAILED',
        errors: [{ displayMsg: 'This coupon is not available here' }],
      });
      const before = (await read(inside)).bill.total;
      expect(await apply(inside, 'SAVE15')).toMatchObject({
        status: 'SUCCESS',
        explicitPromo: { promoCode: 'SAVE15' },
      });
      expect((await read(inside)).bill.total).toBeLessThan(before);
    }
  });

  test('groups for the coupons page: best saving first, asked for by sortOn or not, each loser with its reason [OFF-07] [API-28]', async () => {
    const who = await shopper();
    await apply(who, 'FLAT100');
    const { body } = await server.call(
      coupons.combined,
      { cartId: who.cartId, query: { sortOn: 'SAVINGS', includePartnerOffer: 'true' } },
      who.as,
    );
    expect(body.status).toBe('SUCCESS');
    const groups = body.combinedOffers!.coupons;
    expect(groups.map((group) => group.title)).toEqual(['On your cart', 'Best for your cart', 'Not for this cart yet']);
    expect(groups[0]!.list.map((offer) => offer.code)).toEqual(['FLAT100', 'FREEDIP']);
    const savings = groups[1]!.list.map((offer) => offer.saving!);
    expect(new Set(savings).size).toBeGreaterThan(2);
    expect(savings).toEqual([...savings].sort((a, b) => b - a));
    const unasked = await server.call(
      coupons.combined,
      { cartId: who.cartId, query: { includePartnerOffer: 'true' } },
      who.as,
    );
    const codes = (all: typeof groups) => all.map(({ list }) => list.map(({ code }) => code));
    expect(codes(unasked.body.combinedOffers!.coupons)).toEqual(codes(groups));
    const byTitle = { sortOn: 'TITLE' as 'SAVINGS' };
    expect((await server.call(coupons.combined, { cartId: who.cartId, query: byTitle }, who.as)).status).toBe(400);
    for (const offer of groups[2]!.list)
      expect(offer.messages[0]).toMatchObject({ messageType: 'error', message: expect.stringMatching(/.{10}/) });
    const listed = readSeeds('IN').coupons.filter(({ wheel }) => wheel !== true);
    expect(new Set(groups.flatMap((group) => group.list.map(({ code }) => code)))).toEqual(
      new Set(listed.map(({ code }) => code)),
    );
    // What is promised comes true.
    const best = groups[1]!.list[0]!;
    await remove(who, 'FLAT100');
    const bare = (await read(who)).bill.total;
    const chosen = (await apply(who, best.code)).cart!;
    expect(chosen.bill.total).toBeLessThan(bare);
    expect(chosen.bill.lines.find((line) => line.id === `discount:${best.code}`)?.amount).toBe(-best.saving!);
  });

  test('each coupon has its terms at an address of its own; no other code has any [OFF-11] [API-29]', async () => {
    const who = await shopper();
    const { tncList } = (await server.call(coupons.terms, { code: 'CARD10' }, who.as)).body;
    expect(tncList).toContain('Eligible cards only (first six digits are checked)');
    expect((await server.call(coupons.terms, { code: 'NOSUCH' }, who.as)).status).toBe(404);
  });

  test('an offer carries every field of its entity, in a group with a title and a list [OFF-26]', async () => {
    const who = await shopper();
    const { now } = (await server.call(development.clock, {})).body;
    for (const code of ['MILESTONE5', 'UPI75', 'FLASH2H']) {
      await apply(who, code);
      const { body } = await server.call(coupons.combined, { cartId: who.cartId, query: {} }, who.as);
      const group = body.combinedOffers!.coupons.find(({ title }) => title === 'On your cart')!;
      const offer = group.list.find((one) => one.code === code)!;
      expect(offer, code).toMatchObject({
        status: 'APPLIED',
        title: expect.stringMatching(/.{5}/),
        messages: expect.any(Array),
        timestamp: expect.any(Number),
      });
      expect(Math.abs(offer.timestamp! - now)).toBeLessThan(60_000);
      const { labelType, offerOptions, paymentId, messages } = offer;
      // For how long its end is counted down.
      const expiryTimer = offer.expiryTimer && offer.expiryTimer.endTime - offer.expiryTimer.showTimerBefore;
      expect({ labelType, offerOptions, paymentId, expiryTimer }, code).toEqual(
        {
          MILESTONE5: {
            labelType: 'general_milestone',
            offerOptions: expect.arrayContaining([{ step: 5, label: '5 orders: free regular pizza', reached: false }]),
            paymentId: undefined,
            expiryTimer: undefined,
          },
          UPI75: { labelType: undefined, offerOptions: undefined, paymentId: 'UPI', expiryTimer: undefined },
          FLASH2H: {
            labelType: undefined,
            offerOptions: undefined,
            paymentId: undefined,
            expiryTimer: 3_600_000,
          },
        }[code],
      );
      for (const message of messages)
        expect(message).toEqual({
          messageType: expect.stringMatching(/^(nudge|info|error)$/),
          message: expect.stringMatching(/.{5}/),
        });
    }
    const { body } = await server.call(coupons.combined, { cartId: who.cartId, query: {} }, who.as);
    const rejectedOne = body.combinedOffers!.coupons.flatMap(({ list }) => list).find(({ code }) => code === 'MEGA25');
    expect(rejectedOne).toMatchObject({ status: 'REJECTED', messages: [{ messageType: 'error' }] });
  });

  test('judged by the payment mode before the money is asked for [OFF-16] [OFF-X03]', async () => {
    const who = await shopper();
    const answer = await apply(who, 'UPI75');
    expect(answer.coupons![0]).toMatchObject({
      status: 'APPLIED',
      paymentId: 'UPI',
      messages: [{ messageType: 'nudge', message: 'Pay with UPI to keep this offer' }],
    });
    const cash = (
      await server.call(
        cart.change,
        { cartId: who.cartId, body: { items: [], options: { paymentMode: 'COD' } } },
        who.as,
      )
    ).body.cart;
    expect(cash.offers.find((offer) => offer.code === 'UPI75')).toMatchObject({
      status: 'REJECTED',
      messages: [{ message: 'This coupon needs UPI' }],
    });
  });

  test('a milestone shows how far it is, and takes nothing off before [OFF-17]', async () => {
    const who = await shopper();
    const answer = await apply(who, 'MILESTONE5');
    expect(answer.coupons![0]).toMatchObject({
      status: 'APPLIED',
      labelType: 'general_milestone',
      offerOptions: [
        { step: 1, reached: false },
        { step: 3, reached: false },
        { step: 5, reached: false },
      ],
    });
    expect(answer.explicitPromo!.confettiMessage).toBeUndefined();
    expect(answer.cart!.bill.lines.some((entry) => entry.kind === 'discount')).toBe(false);
  });

  test.each([
    [2, 0, null],
    [3, 1, '3 orders: free dip. 2 more to your reward'],
    [4, 1, '3 orders: free dip. 1 more to your reward'],
  ])('after %i orders of five the dip on the way comes free, once [OFF-17]', (steps, dips, note) => {
    const catalogue = catalogues['IN']!;
    const at = (used: [string, number][]) =>
      priceCart(
        {
          cartId: 'c',
          userId: 'u',
          version: 1,
          storeId: '10101',
          deliveryType: 'PICKUP',
          coupons: ['MILESTONE5'],
          declined: ['FREEDIP'],
          tip: 0,
          carryBag: false,
          cutlery: false,
          paymentMode: null,
          lines: [{ lineId: 'a', quantity: 1, removed: false, changedAt: 1, wish: { productId: 'PZ001', size: 'M' } }],
        },
        {
          catalogue,
          store: catalogue.stores.get('10101')!,
          soldOut: new Set(),
          now: NOON,
          bin: null,
          modes: ['UPI'],
          shopper: { partnerOffers: true, hasOrdered: true, used: new Map(used), steps: () => steps },
          states: new Map([['MILESTONE5', { used: 0 }]]),
        },
      );
    const { cart: first } = at([]);
    expect(first.validItems.filter((line) => line.free)).toHaveLength(dips);
    if (dips) expect(first.validItems.find((line) => line.free)).toMatchObject({ product: { id: 'SD007' } });
    if (note)
      expect(first.offers.find((offer) => offer.code === 'MILESTONE5')?.messages).toContainEqual({
        messageType: 'info',
        message: note,
      });
    expect(at([['MILESTONE5:3', 1]]).cart.validItems.filter((line) => line.free)).toHaveLength(0);
  });

  test("hours count from the first load: a running coupon expires by the database's clock [OFF-19] [OFF-20] [API-X04]", async () => {
    const own = await startServer({ engine });
    try {
      await openShop(own);
      const call = own.call;
      const who = await guest(own);
      await call(
        cart.add,
        {
          cartId: who.cartId,
          body: { items: [{ operationId: 'o', line: { lineId: 'l', productId: 'PZ005', size: 'M', quantity: 2 } }] },
        },
        who.as,
      );
      const first = (await call(coupons.apply, { cartId: who.cartId, code: 'FLASH2H', query: {} }, who.as)).body;
      const timer = first.coupons![0]!.expiryTimer!;
      const { now } = (await call(development.clock, {})).body;
      expect(timer.endTime - timer.showTimerBefore).toBe(3_600_000);
      // The shop opens at 13:00, and the offer ends at 14:30.
      expect(Math.abs(timer.endTime - now - 5_400_000)).toBeLessThan(60_000);
      await own.advance(7_200);
      const fresh = await guest(own);
      await call(
        cart.add,
        {
          cartId: fresh.cartId,
          body: { items: [{ operationId: 'o', line: { lineId: 'l', productId: 'PZ005', size: 'M', quantity: 2 } }] },
        },
        fresh.as,
      );
      expect(
        (await call(coupons.apply, { cartId: fresh.cartId, code: 'FLASH2H', query: {} }, fresh.as)).body,
      ).toMatchObject({ status: 'FAILED', errors: [{ displayMsg: 'Coupon expired' }] });
    } finally {
      await own.stop();
    }
  });

  test('the best combination comes with the offers, and applying it makes the total it names [OFF-X01] [OFF-X02]', async () => {
    const who = await shopper();
    const first = (await server.call(coupons.forCart, { cartId: who.cartId, query: {} }, who.as)).body;
    const { best } = first;
    expect(best).toMatchObject({ isOn: false });
    for (const offer of first.offers.filter(({ status }) => status === 'REJECTED'))
      expect(offer.reason?.message, offer.code).toBe(offer.messages[0]?.message);
    for (const code of best!.codes) await apply(who, code);
    const mode = best!.paymentModes?.[0];
    if (mode !== undefined)
      await server.call(
        cart.change,
        { cartId: who.cartId, body: { items: [], options: { paymentMode: mode } } },
        who.as,
      );
    expect((await read(who)).bill.total).toBe(best!.total);
    const combined = (await server.call(coupons.combined, { cartId: who.cartId, query: { sortOn: 'SAVINGS' } }, who.as))
      .body;
    expect(combined.best).toMatchObject({ codes: best!.codes, isOn: true, total: best!.total });
    const alone = await server.call(coupons.combined, { cartId: who.cartId, query: { adviceOnly: 'true' } }, who.as);
    expect(alone.body).toEqual({ ...combined, combinedOffers: undefined });
  });

  test('offers answer WAIT while the named cart change is pending, SUCCESS after it, FAILED if there is none to tell [OFF-13]', async () => {
    const who = await shopper();
    const ask = async (afterOperation: string) =>
      (await server.call(coupons.combined, { cartId: who.cartId, query: { afterOperation } }, who.as)).body;
    expect(await ask('op-under-way')).toEqual({ status: 'WAIT' });
    await server.call(
      cart.add,
      {
        cartId: who.cartId,
        body: { items: [{ operationId: 'op-under-way', line: { lineId: 'late', productId: 'PZ001', quantity: 1 } }] },
      },
      who.as,
    );
    expect(await ask('op-under-way')).toMatchObject({
      status: 'SUCCESS',
      combinedOffers: { coupons: expect.any(Array) },
    });
    // The offers of somebody else's cart are none to tell.
    const stranger = await guest(server);
    const { body } = await server.call(coupons.combined, { cartId: who.cartId, query: {} }, stranger.as);
    expect(body).toMatchObject({ status: 'FAILED', errors: [{ displayMsg: expect.stringMatching(/.{5}/) }] });
    expect(body).not.toHaveProperty('combinedOffers');
  });

  test('left navigation shows what runs at a store and for the cart there; mini-apps have no such one [OFF-29] [API-25] [API-27]', async () => {
    const codes = async (storeId: string) =>
      (await server.call(coupons.ofStore, { storeId, query: {} })).body.offers.map(({ code }) => code);
    const saket = catalogues['IN']!.coupons.get('SAKETONLY')!.storeIds![0]!;
    expect(await codes(saket)).toContain('SAKETONLY');
    const here = await codes('10101');
    expect(here).not.toContain('SAKETONLY');
    for (const gone of ['DIWALI25', 'NEWYEAR', 'SOLDOUT', 'WHEEL10']) expect(here).not.toContain(gone);
    const who = await shopper();
    const there = async (storeId: string, deliveryType?: 'PICKUP') =>
      (await server.call(coupons.ofStoreForCart, { storeId, query: deliveryType ? { deliveryType } : {} }, who.as))
        .body;
    expect((await there(saket)).offers.find(({ code }) => code === 'SAKETONLY')?.status).toBe('AVAILABLE');
    expect((await there('10101')).offers.find(({ code }) => code === 'SAKETONLY')?.reason).toMatchObject({
      kind: 'RULE',
      remedies: [{ kind: 'STORE', storeIds: [saket] }],
    });
    expect((await there('10101', 'PICKUP')).offers.find(({ code }) => code === 'PICKUP30')?.status).toBe('AVAILABLE');
    // Only looked at: the cart itself stays as it is.
    expect(await read(who)).toMatchObject({ storeId: '10101', deliveryType: 'DELIVERY' });
    expect(codeOf(await server.call(coupons.ofStore, { storeId: '10101', query: {} }, { apiKey: 'in-gpay' }))).toBe(
      'FEATURE_BLOCKED',
    );
    const inside = await shopper('in-paytm');
    expect(codeOf(await server.call(coupons.ofStoreForCart, { storeId: '10101', query: {} }, inside.as))).toBe(
      'FEATURE_BLOCKED',
    );
    expect((await server.call(coupons.ofStore, { storeId: '20101', query: {} })).status).toBe(404);
  });

  test("coupons are listed, a code is validated without being applied, and an offer's href gives text [OFF-30] [API-31] [OFF-28]", async () => {
    const who = await shopper();
    const before = await read(who);
    const validate = async (code: string) =>
      (await server.call(coupons.validate, { code, query: { cartId: who.cartId } }, who.as)).body;
    expect(await validate('flat100')).toMatchObject({ status: 'SUCCESS', explicitPromo: { promoCode: 'FLAT100' } });
    expect(await validate('NOSUCH')).toMatchObject({
      status: 'FAILED',
      errors: [{ displayMsg: 'Invalid coupon code' }],
    });
    expect(still(await read(who))).toEqual(still(before));
    const list = async (apiKey: string, query: object = {}) =>
      (await server.call(coupons.list, { query }, { apiKey })).body.coupons;
    const all = await list('in-web');
    expect(all.map(({ code }) => code)).toEqual(expect.arrayContaining(['SAKETONLY', 'GPAYSPOT', 'FLAT100']));
    expect((await list('in-web', { includePartnerOffer: 'false' })).some(({ partner }) => partner !== undefined)).toBe(
      false,
    );
    expect((await list('in-gpay')).some(({ partner }) => partner !== undefined)).toBe(false);
    expect((await list('in-web', { storeId: '10101' })).map(({ code }) => code)).not.toContain('SAKETONLY');
    const text = (await (
      await fetch(server.url + all.find(({ code }) => code === 'CARD10')!.textHref!, { headers: { api_key: 'in-web' } })
    ).json()) as { text: string };
    expect(text).toMatchObject({ status: 'SUCCESS', code: 'CARD10', title: '10% off with a card' });
    expect(text.text).toBe(
      '10% off with a card. Order at least ₹699. At most ₹200 off. Minis do not count. Combos do not count. Eligible cards only (first six digits are checked). Code CARD10.',
    );
    // Partner offers are for the web, and say so (C05b).
    for (const code of ['GPAYSPOT', 'PAYTM80'])
      expect(all.find((offer) => offer.code === code)?.title).not.toMatch(/mini-app|inside/i);
    expect((await server.call(coupons.textOf, { code: 'NOSUCH' })).status).toBe(404);
  });

  test('milestone status: steps of this customer [OFF-18] [API-30]', async () => {
    const who = await shopper();
    const { body } = await server.call(coupons.milestone, { couponCode: 'milestone5' }, who.as);
    expect(body).toMatchObject({
      couponCode: 'MILESTONE5',
      steps: 0,
      stepsRequired: 5,
      isReady: false,
      message: '5 more orders to your reward',
      offerOptions: [{ step: 1, reached: false }, { step: 3 }, { step: 5 }],
    });
    expect(codeOf(await server.call(coupons.milestone, { couponCode: 'FLAT100' }, who.as))).toBe('NOT_MILESTONE');
    expect(codeOf(await server.call(coupons.milestone, { couponCode: 'NOSUCH' }, who.as))).toBe('COUPON_UNKNOWN');
  });

  test('each day with an order is one milestone step for that customer alone; the third brings the dip [OFF-18] [API-30]', async () => {
    // A shop of its own: the days that pass are no other test's.
    const shop = await openedShop({ engine });
    const one = await visitor(shop.server, 'IN', PICKUP);
    const other = await visitor(shop.server, 'IN', PICKUP);
    const stand = async (who: Customer) => {
      const { steps, message, offerOptions } = (await who.call(coupons.milestone, { couponCode: 'MILESTONE5' })).body;
      return [steps, message, offerOptions.map(({ reached }) => reached)];
    };
    const none = [0, '5 more orders to your reward', [false, false, false]];
    const bought = async () => {
      const { order, next } = await one.order();
      await pay(shop.server, next);
      await one.confirm(order);
    };
    expect(await stand(one)).toEqual(none);
    await bought();
    expect(await stand(one)).toEqual([1, '4 more orders to your reward', [true, false, false]]);
    await bought();
    expect(await stand(one)).toEqual([1, '4 more orders to your reward', [true, false, false]]);
    await shop.server.advance(DAY_S);
    await bought();
    expect(await stand(one)).toEqual([2, '3 more orders to your reward', [true, false, false]]);
    await shop.server.advance(DAY_S);
    await bought();
    expect(await stand(one)).toEqual([3, '2 more orders to your reward', [true, true, false]]);
    expect(await stand(other)).toEqual(none);
    await shop.close();
  });

  test('a card by its first digits: what it gets, and what it would cost the cart; whole numbers are refused [CART-16] [API-23]', async () => {
    const who = await shopper();
    const ask = (cardInitialDigits: string) =>
      server.call(coupons.byBin, { cartId: who.cartId, cardInitialDigits, query: {} }, who.as);
    const good = (await ask('411111')).body;
    expect(good).toMatchObject({
      brand: 'Visa',
      isEligible: true,
      problems: [],
      offers: [{ code: 'CARD10', status: 'AVAILABLE', saving: 8580 }],
    });
    expect((await ask('41111122')).body.isEligible).toBe(true);
    await apply(who, 'CARD10');
    const bad = (await ask('400000')).body;
    expect(bad).toMatchObject({
      isEligible: false,
      offers: [{ code: 'CARD10', status: 'REJECTED', messages: [{ message: 'This coupon needs an eligible card' }] }],
    });
    expect(bad.problems).toMatchObject([{ code: 'COUPON_PAYMENT_MODE', field: 'CARD10' }]);
    expect((await ask('411111')).body.problems).toEqual([]);
    for (const digits of ['41111', '411a11', '٤١١١١١x']) expect(codeOf(await ask(digits)), digits).toBe('CARD_DIGITS');
    expect(codeOf(await ask('4111111111111111'))).toBe('CARD_NUMBER_HERE');
    expect((await ask('٤١١١١١')).body.isEligible).toBe(true);
    const other = await guest(server);
    expect(
      (await server.call(coupons.byBin, { cartId: who.cartId, cardInitialDigits: '411111', query: {} }, other.as))
        .status,
    ).toBe(404);
  });

  test('codes that are no codes get an answer, never a fault of ours', async () => {
    const who = await shopper();
    for (const code of ['%00', "' OR 1=1 --", 'x'.repeat(300), '💥', '__proto__']) {
      const answer = await server.call(coupons.apply, { cartId: who.cartId, code, query: {} }, who.as);
      expect(answer.status, code).toBeLessThan(500);
      expect(codeOf(answer), code).not.toBe('');
    }
  });
});

describe.each(await bothEngines())('using coupons up on %s', (engine) => {
  test('64 orders at once get a limited coupon exactly as often as it is there, and each customer theirs once [OFF-27]', async () => {
    const database = await testDatabase(engine);
    const opened = await openDb(database.target);
    const { db } = opened;
    try {
      await migrate(opened);
      const catalogue = await (await loadCatalogue(() => db, console)).of(db, 'IN');
      const limited = new Map(catalogue.coupons);
      limited.set('SOLDOUT', {
        ...catalogue.coupons.get('SOLDOUT')!,
        usage: { perUser: null, total: 10, firstOrderOnly: false },
      });
      const shop = { ...catalogue, coupons: limited };
      const order = (orderId: string, userId: string, couponCodes: string[], mobile: string | null = null) =>
        transact(db, (tx) =>
          redeem(tx, shop, {
            couponCodes,
            userId,
            mobile,
            holders: [{ kind: 'person', id: mobile ?? userId }],
            orderId,
            now: NOON,
          }),
        ).then(
          () => 'ok',
          (error: { errors?: { code: string }[] }) => error.errors?.[0]?.code ?? String(error),
        );
      const refusal = ({ day, ...more }: { day: number; userId: string; orderId: string; couponCodes: string[] }) =>
        transact(db, (tx) =>
          redeem(tx, shop, {
            mobile: null,
            holders: [],
            now: NOON + day * 86_400_000,
            ...more,
          }),
        ).then(
          () => null,
          ({ httpStatus, errors }: Refusal) => [httpStatus, errors.map(({ code, field }) => [code, field])],
        );
      const tally = async (orders: Promise<string>[]) =>
        (await Promise.all(orders)).reduce<Record<string, number>>(
          (sums, result) => ({ ...sums, [result]: (sums[result] ?? 0) + 1 }),
          {},
        );
      const used = async (code: string) =>
        (
          await db
            .selectFrom('coupon_states')
            .select('used')
            .where('country', '=', 'IN')
            .where('code', '=', code)
            .executeTakeFirstOrThrow()
        ).used;

      expect(
        await tally(Array.from({ length: 64 }, (_, index) => order(`a${index}`, `user${index}`, ['SOLDOUT']))),
      ).toEqual({ ok: 10, COUPON_SOLD_OUT: 54 });
      expect(await used('SOLDOUT')).toBe(10);

      // One customer, many phones: the first order is only once the first.
      const alone = await tally(Array.from({ length: 16 }, (_, index) => order(`b${index}`, 'same', ['WELCOME50'])));
      expect(alone['ok']).toBe(1);
      expect(await used('WELCOME50')).toBe(1);
      // Another session, the same number.
      expect(await order('c1', 'guest1', ['WELCOME50'], '+919800000001')).toBe('ok');
      expect(['COUPON_USED', 'COUPON_FIRST_ORDER']).toContain(
        await order('c2', 'guest2', ['WELCOME50'], '+919800000001'),
      );

      // What failed gives back, once.
      const [taken] = await db
        .selectFrom('coupon_redemptions')
        .select('order_id')
        .where('code', '=', 'SOLDOUT')
        .execute();
      await Promise.all([1, 2, 3].map(() => transact(db, (tx) => release(tx, taken!.order_id))));
      expect(await used('SOLDOUT')).toBe(9);
      expect(await order('d1', 'late', ['SOLDOUT'])).toBe('ok');
      expect(await order('d2', 'later', ['SOLDOUT'])).toBe('COUPON_SOLD_OUT');
      await transact(db, (tx) => release(tx, 'c1'));
      expect(await order('c3', 'guest3', ['WELCOME50'], '+919800000001')).toBe('ok');

      // A milestone is used up when its reward is due, not before, and then counts anew.
      for (let day = 0; day < 6; day += 1) {
        await transact(db, (tx) =>
          redeem(tx, shop, {
            couponCodes: ['MILESTONE5'],
            userId: 'regular',
            mobile: null,
            holders: [],
            orderId: `m${day}`,
            now: NOON + day * 86_400_000,
          }),
        );
        expect(await used('MILESTONE5')).toBe(day === 5 ? 1 : 0);
      }
      // The dip after the third order is given once on each way, and back again with an order that came to nothing.
      const dips = async () =>
        (await db.selectFrom('coupon_redemptions').select('order_id').where('code', '=', 'MILESTONE5:3').execute()).map(
          (row) => row.order_id,
        );
      expect(await dips()).toEqual(['m3']);
      await transact(db, (tx) => release(tx, 'm3'));
      expect(await dips()).toEqual([]);

      // Whoever has ordered is no newcomer, though no address, phone or number is known of that order.
      const known = { userId: 'known', day: 0 };
      expect(await refusal({ ...known, orderId: 'n1', couponCodes: [] })).toBeNull();
      expect(await refusal({ ...known, orderId: 'n2', couponCodes: ['WELCOME50'] })).toEqual([
        409,
        [['COUPON_FIRST_ORDER', 'WELCOME50']],
      ]);
      // Somebody left the first way's dip: on the next way there is one all the same, and not two.
      for (let day = 0; day < 8; day += 1)
        expect(
          await refusal({ userId: 'modest', day, orderId: `o${day}`, couponCodes: day === 5 ? ['MILESTONE5'] : [] }),
        ).toBeNull();
      const dip = { userId: 'modest', couponCodes: ['MILESTONE5'] };
      expect(await refusal({ ...dip, day: 8, orderId: 'o8' })).toBeNull();
      expect(await dips()).toEqual(['o8']);
      expect(await refusal({ ...dip, day: 8, orderId: 'o9' })).toBeNull();
      expect(await dips()).toEqual(['o8']);
      await transact(db, (tx) => release(tx, 'o8'));
      expect(await refusal({ ...dip, day: 8, orderId: 'o10' })).toBeNull();
      expect(await dips()).toEqual(['o10']);
    } finally {
      await db.destroy();
      await database.drop();
    }
  });

  test('a customer, and a number, has a coupon as often as it says; one without a limit always', async () => {
    const database = await testDatabase(engine);
    const opened = await openDb(database.target);
    const { db } = opened;
    try {
      await migrate(opened);
      const catalogue = await (await loadCatalogue(() => db, console)).of(db, 'IN');
      const limited = (code: string, usage: Partial<SeedCoupon['usage']>): [string, SeedCoupon] => [
        code,
        { ...catalogue.coupons.get(code)!, usage: { perUser: null, total: null, firstOrderOnly: false, ...usage } },
      ];
      const shop = {
        ...catalogue,
        coupons: new Map([...catalogue.coupons, limited('FLAT100', { perUser: 2 }), limited('SAVE15', {})]),
      };
      let orders = 0;
      const use = (userId: string, mobile: string | null, ...couponCodes: string[]) => {
        orders += 1;
        const order = { couponCodes, userId, mobile, holders: [], orderId: `u${orders}`, now: NOON };
        return transact(db, (tx) => redeem(tx, shop, order)).then(
          () => 'ok',
          ({ httpStatus, errors }: Refusal) =>
            `${httpStatus} ${errors.map(({ code, field }) => `${code} ${field}`).join()}`,
        );
      };
      const used = '409 COUPON_USED FLAT100';
      expect([await use('a', null, 'FLAT100'), await use('a', null, 'FLAT100')]).toEqual(['ok', 'ok']);
      expect(await use('a', null, 'flat100')).toBe(used);
      // A number that two sessions have shown is one customer.
      expect([await use('b', '9811', 'FLAT100'), await use('c', '9811', 'FLAT100')]).toEqual(['ok', 'ok']);
      expect(await use('d', '9811', 'FLAT100')).toBe(used);
      expect(await use('c', null, 'FLAT100')).toBe('ok');
      for (let n = 0; n < 4; n += 1) expect(await use('a', '9822', 'SAVE15')).toBe('ok');
      expect(await use('a', null, 'NOSUCH', 'SAVE15')).toBe('ok');
      // What is refused uses up nothing of the others.
      const count = async () =>
        (await db.selectFrom('coupon_redemptions').select('order_id').where('code', '=', 'SAVE15').execute()).length;
      const before = await count();
      expect(await use('a', null, 'SAVE15', 'FLAT100')).toBe(used);
      expect(await count()).toBe(before);

      // An order whose number is shown later counts for it from then on.
      const days = async (mobile: string) =>
        (await db.selectFrom('counted_orders').select('day').where('holder', '=', `mobile:${mobile}`).execute()).map(
          ({ day }) => day,
        );
      expect(await days('9833')).toEqual([]);
      const late = Date.parse('2027-01-13T23:59:00+05:30');
      const shown = { id: 'u1', country: 'IN', mobile: '9833' };
      for (const at of [late, late])
        await transact(db, (tx) => countForNumber(tx, shown, { timeZone: catalogue.country.timeZone }, at));
      expect(await days('9833')).toEqual(['2027-01-13']);
      expect(await days('9811')).toHaveLength(2);
    } finally {
      await db.destroy();
      await database.drop();
    }
  });
});

describe('what runs at a store', () => {
  const HOUR = 3_600_000;
  const plain: SeedCoupon = {
    ...catalogues['IN']!.coupons.get('FLAT100')!,
    ...{ partner: null, usage: { perUser: null, total: null, firstOrderOnly: false } },
    window: { starts: '2027-01-13T14:30', hours: 8 },
  };
  /** Whether it runs so many ms after it was loaded, used so often. */
  const runs = (
    more: Partial<SeedCoupon>,
    {
      after = 3 * HOUR,
      used = 0,
      storeId,
      partner = true,
    }: { after?: number; used?: number; storeId?: string; partner?: boolean } = {},
  ) => {
    const { storeIds: _stores, ...rest } = plain;
    const coupon = { ...rest, ...more };
    const catalogue = { ...catalogues['IN']!, coupons: new Map([[coupon.code, coupon]]) };
    const states = new Map([[coupon.code, { used }]]);
    const found = runningOffers(catalogue, states, NOON + after, { storeId, partnerOffers: partner });
    for (const { code, status, textHref } of found)
      expect([code, status, textHref]).toEqual(['FLAT100', 'AVAILABLE', '/content/ve1/promo/FLAT100/text']);
    return found.length === 1;
  };
  const limited = { usage: { ...plain.usage, total: 5 } };
  test.each<[string, boolean, Parameters<typeof runs>]>([
    ['in its hours', true, [{}]],
    ['as they begin', true, [{}, { after: 2 * HOUR }]],
    ['before they begin', false, [{}, { after: 2 * HOUR - 1 }]],
    ['before they end', true, [{}, { after: 10 * HOUR - 1 }]],
    ['as they end', false, [{}, { after: 10 * HOUR }]],
    ['a prize of the wheel', false, [{ wheel: true }]],
    ['one that is no prize', true, [{ wheel: false }]],
    ["a partner's on the web", true, [{ partner: 'bank' }]],
    ["a partner's elsewhere", false, [{ partner: 'bank' }, { partner: false }]],
    ['one of nobody elsewhere', true, [{}, { partner: false }]],
    ['one that is left', true, [limited, { used: 4 }]],
    ['none that is left', false, [limited, { used: 5 }]],
    ['at its store', true, [{ storeIds: ['10101'] }, { storeId: '10101' }]],
    ['at another store', false, [{ storeIds: ['10101'] }, { storeId: '10102' }]],
    ['one of all stores', true, [{}, { storeId: '10102' }]],
    ['of one store, in the whole country', true, [{ storeIds: ['10101'] }]],
  ])('%s: %s', (_, expected, of) => {
    expect(runs(...of)).toBe(expected);
  });

  test('the page of coupons has those on the cart, those that fit and those that do not yet, and no empty part', () => {
    const offer = (code: string, status: 'APPLIED' | 'AVAILABLE' | 'REJECTED') => ({ code, status }) as never;
    const groups = (...of: Parameters<typeof offer>[]) =>
      offerGroups(of.map(([code, status]) => offer(code, status))).map(({ title, list }) => [
        title,
        ...list.map(({ code }) => code),
      ]);
    expect(groups(['A', 'REJECTED'], ['B', 'APPLIED'], ['C', 'AVAILABLE'], ['D', 'REJECTED'])).toEqual([
      ['On your cart', 'B'],
      ['Best for your cart', 'C'],
      ['Not for this cart yet', 'A', 'D'],
    ]);
    expect(groups(['C', 'AVAILABLE'])).toEqual([['Best for your cart', 'C']]);
    expect(groups()).toEqual([]);
  });

  test('its terms are read aloud as one text, without two stops after each other', () => {
    expect(oneAfterAnother([])).toBe('');
    expect(oneAfterAnother([' One thing. ', 'Another;', 'A third one', 'आख़िरी।'])).toBe(
      'One thing. Another. A third one. आख़िरी',
    );
    expect(oneAfterAnother(['Dr. Oven is in.'])).toBe('Dr. Oven is in');
    const { said: _said, ...own } = plain;
    expect(offerText({ ...own, title: '₹100 off.' }, ['On all days.', 'Once'])).toBe(
      '₹100 off. On all days. Once. Code FLAT100.',
    );
  });

  test('what is refused says why, with the offer and the cart where there are any', () => {
    const errors = [{ code: 'COUPON_REJECTED', displayMsg: 'Not today' }];
    expect(rejected('Not today')).toEqual({ status: 'FAILED', errors });
    const [held, offered] = [{ cartId: 'c' } as never, { code: 'FLAT100' } as never];
    expect(rejected('Not today', { cart: held, offer: offered })).toEqual({
      ...{ status: 'FAILED', errors, cart: held, coupons: [offered] },
    });
  });
});

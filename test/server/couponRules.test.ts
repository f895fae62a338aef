import { describe, expect, test } from 'vitest';
import { countryConfig } from '../../country/index.ts';
import * as errors from '#text/errors.ts';
import * as text from '#text/server.ts';
import { catalogueFromDisk } from '../../src/server/rules/catalogue/catalogue.ts';
import {
  unreadable,
  judge,
  mayComeByItself,
  outcomes,
  putOn,
  remediesOf,
  takenOff,
} from '../../src/server/rules/offers/coupons.ts';
import { detailsOf, offerOf } from '../../src/server/rules/offers/offerView.ts';
import { fitsBin } from '../../src/server/rules/offers/couponConditions.ts';
import { giftOf } from '../../src/server/rules/offers/couponRules.ts';
import type { CouponCase, Shopper } from '../../src/server/rules/offers/couponCase.ts';
import { inLanguage } from '../../src/server/call/language.ts';
import { allOf, eitherOf } from '../../src/server/rules/offers/lists.ts';
import { milestoneOf } from '../../src/server/rules/offers/milestone.ts';
import {
  advise,
  bestByItself,
  bestCodesFor,
  bestCombination,
  bestOf,
  suggestionFor,
} from '../../src/server/rules/offers/optimise.ts';
import { resultOf } from '../../src/server/rules/offers/wheel.ts';
import type { PricedLine } from '../../src/server/rules/pricing/price.ts';
import type { SeedCoupon } from '../../src/server/store/seeds.ts';
import type { Spin } from '../../src/server/store/wheel.ts';

const india = catalogueFromDisk(countryConfig('IN'));
/** A Wednesday, 12:30 in India. */
const NOON = Date.UTC(2027, 0, 13, 7, 0);
const HOUR_MS = 3_600_000;
const GIFT = 'SD007';

const coupon = (more: Partial<SeedCoupon> = {}): SeedCoupon => ({
  code: 'ONE',
  title: 'One',
  type: 'FLAT',
  value: 5000,
  minCart: null,
  maxDiscount: null,
  deliveryTypes: ['DELIVERY', 'PICKUP'],
  paymentModes: null,
  partner: null,
  appliesTo: null,
  usage: { perUser: null, total: null, firstOrderOnly: false },
  window: { starts: '2027-01-13T12:30', hours: 10 },
  timer: null,
  labelType: null,
  stackGroup: 'coupon',
  autoApply: false,
  excludes: [],
  confettiMessage: null,
  confettiSubMessage: null,
  tnc: [],
  ...more,
});
const line = (price: number, more: Partial<PricedLine> = {}): PricedLine => ({
  view: { product: { foodType: 'VEG' } } as PricedLine['view'],
  quantity: 1,
  price,
  base: price,
  originalPrice: price,
  isDeal: false,
  kind: 'PIZZA',
  productType: 'PIZZA',
  categoryIds: ['a'],
  size: 'M',
  pizzas: 1,
  ...more,
});
/** A cart of a pizza of ₹200, with these coupons in the catalogue. */
const at = (more: Partial<CouponCase> = {}, ...known: readonly SeedCoupon[]): CouponCase => ({
  catalogue: { ...india, coupons: new Map(known.map((one) => [one.code, one])) },
  lines: [line(20_000)],
  deliveryType: 'DELIVERY',
  storeId: '10102',
  isAllNight: false,
  paymentMode: null,
  bin: null,
  modes: ['UPI', 'CARD', 'COD'],
  prizes: new Set(),
  held: new Set(),
  services: ['DELIVERY', 'PICKUP', 'CURB', 'DINEIN'],
  extras: { packaging: 0, carryBag: false, tip: 0 },
  shopper: { partnerOffers: true, hasOrdered: false, used: new Map(), steps: () => 0 },
  states: new Map([['ONE', { used: 0 }]]),
  soldOut: new Set(),
  now: NOON,
  ...more,
});
/** What it takes off, in minor units, or why it takes nothing off. */
const gives = (own: Partial<SeedCoupon>, more: Partial<CouponCase> = {}) => {
  const verdict = judge(coupon(own), at(more));
  return verdict.ok ? verdict.effect.discount : verdict.message;
};

describe('what a coupon takes off', () => {
  test.each<[string, Partial<SeedCoupon>, readonly PricedLine[], number | string]>([
    ['a sum', { value: 5000 }, [line(20_000)], 5000],
    ['a sum, never more than there is', { value: 5000 }, [line(3000)], 3000],
    ['a share', { type: 'PERCENT', value: 10 }, [line(20_000)], 2000],
    ['a share, half up', { type: 'PERCENT', value: 15 }, [line(1010)], 152],
    ['a share, down below a half', { type: 'PERCENT', value: 15 }, [line(1009)], 151],
    ['a share up to its most', { type: 'PERCENT', value: 50, maxDiscount: 3000 }, [line(20_000)], 3000],
    ['a share below its most', { type: 'PERCENT', value: 10, maxDiscount: 3000 }, [line(20_000)], 2000],
    ['of every piece', { type: 'PERCENT', value: 10 }, [line(10_000, { quantity: 3 })], 3000],
    [
      'of its categories alone',
      { type: 'PERCENT', value: 10, appliesTo: { categories: ['b'] } },
      [line(10_000), line(5000, { categoryIds: ['a', 'b'] })],
      500,
    ],
    [
      'nothing without them',
      { type: 'PERCENT', value: 10, appliesTo: { categories: ['b'] } },
      [line(10_000)],
      text.couponItems,
    ],
    [
      'not of minis where they do not count',
      { type: 'PERCENT', value: 10, excludes: ['PIZZA-MANIA'] },
      [line(10_000), line(5000, { productType: 'PIZZA-MANIA' })],
      1000,
    ],
    [
      'not of combos where they do not count',
      { type: 'PERCENT', value: 10, excludes: ['DEALS'] },
      [line(10_000), line(5000, { isDeal: true })],
      1000,
    ],
    ['of combos else', { type: 'PERCENT', value: 10 }, [line(10_000), line(5000, { isDeal: true })], 1500],
  ])('%s', (_, own, lines, expected) => {
    expect(gives(own, { lines })).toBe(expected);
  });

  const pieces = (size: string, qty = 1) => ({ category: ['a'], size, qty });
  const bogo = { type: 'BOGO', value: { buy: pieces('L'), get: pieces('R') } };
  const two = { type: 'BOGO', value: { buy: pieces('M', 2), get: pieces('M', 1) } };
  const large = line(50_000, { size: 'L' });
  const small = line(10_000, { size: 'R' });
  test.each<[string, Partial<SeedCoupon>, readonly PricedLine[], number | string]>([
    ['one of each', bogo, [large, small], 10_000],
    ['the cheapest of them', bogo, [large, small, line(15_000, { size: 'R' })], 10_000],
    ['up to its most', { ...bogo, maxDiscount: 4000 }, [large, small], 4000],
    ['not without what is bought', bogo, [small, small], text.couponItems],
    ['not without what is given', bogo, [large, large], text.couponItems],
    ['of a dish that is in other categories too', bogo, [large, { ...small, categoryIds: ['b', 'a'] }], 10_000],
    ['not of another category', bogo, [large, { ...small, categoryIds: ['b'] }], text.couponItems],
    ['three of one size: the cheapest', two, [line(30_000), line(20_000), line(10_000)], 10_000],
    ['two of three are not enough', two, [line(30_000), line(20_000)], text.couponItems],
    ['three of one line', two, [line(30_000, { quantity: 3 })], 30_000],
    [
      'not of a combo where it does not count',
      { ...bogo, excludes: ['DEALS'] },
      [large, { ...small, isDeal: true }],
      text.couponItems,
    ],
  ])('buy and get: %s', (_, own, lines, expected) => {
    expect(gives(own, { lines })).toBe(expected);
  });
  test.each<[string, readonly PricedLine[], number | string]>([
    ['half of the second dearest', [line(10_000), line(30_000), line(20_000)], 10_000],
    ['nothing of one', [line(30_000)], text.couponItems],
    ['nothing of another size', [line(30_000), line(10_000, { size: 'R' })], text.couponItems],
  ])('the second one cheaper: %s', (_, lines, expected) => {
    expect(gives({ type: 'NTH_PERCENT', value: { category: ['a'], size: 'M', n: 2, percent: 50 } }, { lines })).toBe(
      expected,
    );
  });
  test('the second one cheaper, up to its most, and nothing where it costs nothing', () => {
    const half = { type: 'NTH_PERCENT', value: { category: ['a'], size: 'M', n: 2, percent: 50 } };
    expect(gives({ ...half, maxDiscount: 4000 }, { lines: [line(30_000), line(20_000)] })).toBe(4000);
    expect(gives(half, { lines: [line(30_000), line(0)] })).toBe(text.couponItems);
  });
  test('free delivery: the fee where there is one, by what all food costs', () => {
    const free = { type: 'FREE_DELIVERY', value: 0 };
    const { delivery, freeDeliveryFrom } = india.country.fees;
    expect(gives(free)).toBe(delivery);
    expect(gives(free, { lines: [line(freeDeliveryFrom - 1)] })).toBe(delivery);
    expect(gives(free, { lines: [line(freeDeliveryFrom)] })).toBe(text.couponFreeAlready);
    expect(gives(free, { deliveryType: 'PICKUP' })).toBe(text.couponFreeAlready);
    expect(gives(free, { lines: [line(freeDeliveryFrom / 2, { quantity: 2 })] })).toBe(text.couponFreeAlready);
    const reward = { lineId: 'l', title: 'R', price: freeDeliveryFrom, off: freeDeliveryFrom };
    expect(gives(free, { extras: { packaging: 0, carryBag: false, tip: 0, reward } })).toBe(text.couponFreeAlready);
  });
  test('a gift: as many as it says, while the store has it, and only with food that counts', () => {
    const gift = { type: 'FREE_ITEM', value: { itemId: GIFT, qty: 2 } };
    expect(judge(coupon(gift), at())).toMatchObject({
      ok: true,
      effect: { on: 'items', discount: 0, free: [{ itemId: GIFT, quantity: 2 }] },
    });
    expect(gives(gift, { soldOut: new Set([GIFT]) })).toBe(text.couponStore);
    expect(gives({ ...gift, value: { itemId: 'NONE', qty: 1 } })).toBe(text.couponStore);
    // On the menu, and not for sale on its own.
    const priceless = new Map([...india.items, [GIFT, { ...india.items.get(GIFT)!, prices: {} }]]);
    expect(gives(gift, { catalogue: { ...india, items: priceless } })).toBe(text.couponStore);
    expect(gives({ ...gift, excludes: ['PIZZA'] })).toBe(text.couponItems);
  });
  test.each([
    [{ type: 'FLAT', value: 'much' }],
    [{ type: 'BOGO', value: { buy: 1 } }],
    [{ type: 'SOMETHING', value: 1 }],
  ])('terms that cannot be read give nothing: %j', (own) => {
    expect(gives(own)).toBe(text.couponUnknown);
    expect(remediesOf(coupon(own), at())).toEqual([]);
    expect(unreadable([coupon(), coupon({ ...own, code: 'BAD' })])).toEqual(['BAD']);
  });
  test('terms that can be read are no mistake', () => {
    expect(unreadable([coupon(), ...india.coupons.values()])).toEqual([]);
  });
});

describe('whether a coupon may be used', () => {
  test.each<[string, Partial<SeedCoupon>, Partial<CouponCase>, number | string]>([
    [
      'not before it starts',
      { window: { starts: '2027-01-13T13:30', hours: 9 } },
      { now: NOON + HOUR_MS - 1 },
      text.couponNotStarted,
    ],
    ['from its start', { window: { starts: '2027-01-13T13:30', hours: 9 } }, { now: NOON + HOUR_MS }, 5000],
    ['until its end', {}, { now: NOON + 10 * HOUR_MS - 1 }, 5000],
    ['not at its end', {}, { now: NOON + 10 * HOUR_MS }, 'Coupon expired'],
    ['a prize only on the cart that won it', { wheel: true }, {}, text.couponUnknown],
    ['a prize of this cart', { wheel: true }, { prizes: new Set(['ONE']) }, 5000],
    ['not a prize of another', { wheel: true }, { prizes: new Set(['TWO']) }, text.couponUnknown],
    ['a store’s own', { storeIds: ['10101'] }, {}, text.couponStore],
    ['at its own store', { storeIds: ['10101', '10102'] }, {}, 5000],
    ['not for a type that it is not for', { deliveryTypes: ['DINEIN'] }, {}, 'This coupon is not valid for delivery'],
    ['a train’s own', { deliveryTypes: ['IRCTC'] }, {}, text.couponTrain],
    ['to a train', { deliveryTypes: ['IRCTC'] }, { isToTrain: true }, 5000],
    ['not to a train', {}, { isToTrain: true }, 'This coupon is not valid for train orders'],
    ['at a curb as at the counter', { deliveryTypes: ['PICKUP'] }, { deliveryType: 'CURB' }, 5000],
    ['on its day', { daysOfWeek: [3] }, {}, 5000],
    ['not on others', { daysOfWeek: [2, 4] }, {}, text.couponDay],
    ['in its hours', { timeOfDay: ['12:30', '12:31'] }, {}, 5000],
    ['not before them', { timeOfDay: ['12:31', '13:00'] }, {}, text.couponTime],
    ['not after them', { timeOfDay: ['11:00', '12:30'] }, {}, text.couponTime],
    ['over midnight not where the night is closed', { timeOfDay: ['12:00', '03:00'] }, {}, text.couponStore],
    ['over midnight where it is open', { timeOfDay: ['12:00', '03:00'] }, { isAllNight: true }, 5000],
    ['from its least sum', { minCart: 20_000 }, {}, 5000],
    ['not below it', { minCart: 20_001 }, {}, text.couponMinimum({ amount: '₹0.01' })],
    [
      'not by what does not count',
      { minCart: 20_001, excludes: ['DEALS'] },
      { lines: [line(20_000), line(90_000, { isDeal: true })] },
      text.couponMinimum({ amount: '₹0.01' }),
    ],
  ])('%s', (_, own, more, expected) => {
    expect(gives(own, more)).toBe(expected);
  });

  const used = (n: number) => ({ shopper: { ...at().shopper, used: new Map([['ONE', n]]) } });
  const state = (n: number) => ({ states: new Map([['ONE', { used: n }]]) });
  test.each<[Partial<SeedCoupon['usage']>, Partial<CouponCase>, number | string]>([
    [{ perUser: 2 }, used(1), 5000],
    [{ perUser: 2 }, used(2), text.couponUsed],
    [{ perUser: 2 }, {}, 5000],
    [{}, used(9), 5000],
    [{ total: 2 }, state(1), 5000],
    [{ total: 2 }, state(2), text.couponSoldOut],
    [{ firstOrderOnly: true }, {}, 5000],
    [{ firstOrderOnly: true }, { shopper: { ...at().shopper, hasOrdered: true } }, text.couponFirstOrder],
    [{}, { shopper: { ...at().shopper, hasOrdered: true } }, 5000],
  ])('used by %j: %#', (usage, more, expected) => {
    expect(gives({ usage: { perUser: null, total: null, firstOrderOnly: false, ...usage } }, more)).toBe(expected);
  });

  const card = { paymentModes: ['CARD'], bins: ['411111'] };
  test.each<[string, Partial<SeedCoupon>, Partial<CouponCase>, boolean]>([
    ['any mode before one is chosen', card, {}, true],
    ['no mode of this host', card, { modes: ['UPI'] }, false],
    ['one of the modes of this host', { paymentModes: ['UPI', 'CARD'] }, { modes: ['UPI'] }, true],
    ['another mode', card, { paymentMode: 'UPI' }, false],
    ['its mode', { paymentModes: ['CARD'] }, { paymentMode: 'CARD' }, true],
    ['a card that is not known yet', card, { paymentMode: 'CARD' }, true],
    ['its card', card, { paymentMode: 'CARD', bin: '4111112345' }, true],
    ['another card', card, { paymentMode: 'CARD', bin: '411112' }, false],
    ['a chosen card that qualifies', card, { paymentMode: 'CARD', bin: '400000', cardCodes: new Set(['ONE']) }, true],
    ['a chosen card that does not', card, { paymentMode: 'CARD', bin: '411111', cardCodes: new Set() }, false],
  ])('paid with %s', (_, own, more, isGood) => {
    expect(judge(coupon(own), at(more)).ok).toBe(isGood);
  });
  test('what it has to be paid with is said, before a mode is chosen and after', () => {
    const two = { paymentModes: ['UPI', 'CARD'], bins: ['411111'] };
    const needed = text.couponPaymentMode({ mode: 'UPI or Credit / debit card' });
    expect(gives(two, { modes: ['COD'] })).toBe(needed);
    expect(gives(two, { paymentMode: 'COD' })).toBe(needed);
    expect(gives(two, { paymentMode: 'CARD', bin: '400000' })).toBe(text.couponCard);
    expect(gives({ paymentModes: ['NEW'] }, { paymentMode: 'COD' })).toBe(text.couponPaymentMode({ mode: 'NEW' }));
  });
  test('a coupon that is for no certain card fits any', () => {
    expect([fitsBin(coupon(), '1'), fitsBin(coupon(card), '411111'), fitsBin(coupon(card), '41111')]).toEqual([
      true,
      true,
      false,
    ]);
  });
});

describe('what would make a coupon apply', () => {
  const remedies = (own: Partial<SeedCoupon>, more: Partial<CouponCase> = {}) => remediesOf(coupon(own), at(more));
  const category = india.country.categories[0]!.id;

  test.each<[string, Partial<SeedCoupon>, Partial<CouponCase>, readonly object[]]>([
    [
      'to wait',
      { window: { starts: '2027-01-13T14:30', hours: 8 } },
      {},
      [{ kind: 'WAIT', message: text.couponWait, at: NOON + 2 * HOUR_MS }],
    ],
    ['nothing once it is over', { minCart: 90_000 }, { now: NOON + 11 * HOUR_MS }, []],
    ['another day', { daysOfWeek: [0, 6] }, {}, [{ kind: 'WAIT', message: 'Use it on Sundays or Saturdays' }]],
    [
      'another hour',
      { timeOfDay: ['18:00', '22:30'] },
      {},
      [{ kind: 'WAIT', message: text.couponAtTime({ from: '6 PM', to: '10:30 PM' }) }],
    ],
    [
      'a store that is open all night',
      { timeOfDay: ['12:00', '03:00'] },
      {},
      [{ kind: 'STORE', message: text.couponAllNight }],
    ],
    [
      'another store',
      { storeIds: ['10101', 'NONE'] },
      {},
      [
        {
          kind: 'STORE',
          storeIds: ['10101', 'NONE'],
          message: `Order from ${india.stores.get('10101')!.name} or NONE`,
        },
      ],
    ],
    [
      'another type that the store serves',
      { deliveryTypes: ['PICKUP', 'DINEIN'] },
      { services: ['DELIVERY', 'DINEIN'] },
      [
        {
          kind: 'DELIVERY_TYPE',
          deliveryTypes: ['DINEIN'],
          message: text.couponChooseType({ types: text.deliveryTypeInside({ type: 'DINEIN' }) }),
        },
      ],
    ],
    ['nothing where the store serves none of them', { deliveryTypes: ['DINEIN'] }, { services: ['DELIVERY'] }, []],
    ['nothing on the way to a train', { deliveryTypes: ['PICKUP'] }, { isToTrain: true }, []],
    [
      'a mode that this host has',
      { paymentModes: ['UPI', 'CARD'] },
      { paymentMode: 'COD', modes: ['UPI', 'COD'] },
      [{ kind: 'PAYMENT_MODE', paymentModes: ['UPI'], message: text.couponPayWith({ modes: 'UPI' }) }],
    ],
    [
      'a card that is eligible',
      { paymentModes: ['CARD'], bins: ['411111'] },
      { paymentMode: 'CARD', bin: '400000' },
      [{ kind: 'PAYMENT_MODE', paymentModes: ['CARD'], message: expect.stringMatching(/with an eligible card$/) }],
    ],
    ['nothing where the host has no such mode', { paymentModes: ['UPI'] }, { paymentMode: 'COD', modes: ['COD'] }, []],
    [
      'vegetarian dishes alone',
      { requiresCartVeg: 'YES' },
      { lines: [line(20_000, { view: { product: { foodType: 'NON_VEG' } } as unknown as PricedLine['view'] })] },
      [{ kind: 'VEG_ONLY', message: text.couponKeepVeg }],
    ],
    [
      'more money, and then no second wish for any dish',
      { minCart: 20_500 },
      { lines: [] },
      [{ kind: 'ADD_AMOUNT', amount: 20_500, message: 'Add items worth ₹205' }],
    ],
    ['any dish in an empty cart', {}, { lines: [] }, [{ kind: 'ADD_ITEMS', message: text.couponAddAny }]],
    [
      'a dish of its categories',
      { appliesTo: { categories: [category] } },
      {},
      [{ kind: 'ADD_ITEMS', categoryIds: [category], message: expect.stringMatching(/^Add something from /) }],
    ],
    [
      'a dish beside a gift that is there',
      { type: 'FREE_ITEM', value: { itemId: GIFT, qty: 1 }, excludes: ['PIZZA'] },
      {},
      [{ kind: 'ADD_ITEMS', message: text.couponAddAny }],
    ],
    [
      'nothing where the gift is sold out',
      { type: 'FREE_ITEM', value: { itemId: GIFT, qty: 1 }, excludes: ['PIZZA'] },
      { soldOut: new Set([GIFT]) },
      [],
    ],
    [
      'nothing where the gift is unknown',
      { type: 'FREE_ITEM', value: { itemId: 'NONE', qty: 1 }, excludes: ['PIZZA'] },
      {},
      [],
    ],
    [
      'no other dishes in a cart without any, but one that counts',
      { requiresCartVeg: 'YES', appliesTo: { categories: [category] } },
      { lines: [] },
      [{ kind: 'ADD_ITEMS', categoryIds: [category], message: expect.stringMatching(/^Add something from /) }],
    ],
    [
      'more money, and a dish of its categories',
      { minCart: 90_000, appliesTo: { categories: [category] } },
      {},
      [
        { kind: 'ADD_AMOUNT', amount: 70_000, message: 'Add items worth ₹700' },
        { kind: 'ADD_ITEMS', categoryIds: [category], message: expect.stringMatching(/^Add something from /) },
      ],
    ],
    [
      'another type, of all that are like it, and any dish',
      { deliveryTypes: ['PICKUP'] },
      { lines: [] },
      [
        {
          kind: 'DELIVERY_TYPE',
          deliveryTypes: ['PICKUP', 'CURB'],
          message: text.couponChooseType({
            types: `${text.deliveryTypeInside({ type: 'PICKUP' })} or ${text.deliveryTypeInside({ type: 'CURB' })}`,
          }),
        },
        { kind: 'ADD_ITEMS', message: text.couponAddAny },
      ],
    ],
    [
      'delivery alone, which then costs something',
      { type: 'FREE_DELIVERY', value: 0, deliveryTypes: ['DELIVERY'] },
      { deliveryType: 'PICKUP' },
      [
        {
          kind: 'DELIVERY_TYPE',
          deliveryTypes: ['DELIVERY'],
          message: text.couponChooseType({ types: text.deliveryTypeInside({ type: 'DELIVERY' }) }),
        },
      ],
    ],
    [
      'nothing where one of two wishes is hopeless',
      { partner: 'x', minCart: 90_000 },
      { shopper: { ...at().shopper, partnerOffers: false } },
      [],
    ],
    ['nothing where delivery is free already', { type: 'FREE_DELIVERY', value: 0 }, { deliveryType: 'PICKUP' }, []],
    [
      'a dish that is delivered',
      { type: 'FREE_DELIVERY', value: 0 },
      { lines: [] },
      [{ kind: 'ADD_ITEMS', message: text.couponAddAny }],
    ],
  ])('%s', (_, own, more, expected) => {
    expect(remedies(own, more)).toEqual(expected);
  });

  test('the pieces that are missing, by number, size and category', () => {
    const pieces = (size: string, qty: number) => ({ category: ['a'], size, qty });
    const said = (own: Partial<SeedCoupon>, lines: readonly PricedLine[]) => remedies(own, { lines })[0]?.message;
    const two = { type: 'BOGO', value: { buy: pieces('M', 2), get: pieces('M', 1) } };
    expect(said(two, [line(1)])).toBe('Add 2 more Medium from a');
    expect(said(two, [line(1), line(1)])).toBe('Add 1 more Medium from a');
    const both = { type: 'BOGO', value: { buy: pieces('L', 2), get: pieces('R', 1) } };
    expect(said(both, [line(1, { size: 'L' })])).toBe('Add 1 more Large from a and 1 more Regular from a');
    expect(said(both, [line(1, { size: 'L' }), line(1, { size: 'R' })])).toBe('Add 1 more Large from a');
    const nth = { type: 'NTH_PERCENT', value: { category: ['a'], size: 'XX', n: 3, percent: 50 } };
    expect(said(nth, [line(1)])).toBe('Add 3 more from a');
    expect(remedies(both, { lines: [line(1)] })[0]).toMatchObject({ kind: 'ADD_ITEMS', categoryIds: ['a'] });
  });
});

describe('the coupons on a cart', () => {
  const one = coupon();
  const two = coupon({ code: 'TWO', value: 3000 });
  const gift = coupon({ code: 'GIFT', type: 'FREE_ITEM', value: { itemId: GIFT, qty: 1 }, stackGroup: 'gift' });
  const auto = coupon({ code: 'AUTO', value: 100, autoApply: true, stackGroup: 'auto' });
  const states = new Map(['ONE', 'TWO', 'GIFT', 'AUTO', 'LATE'].map((code) => [code, { used: 0 }]));
  const told = (codes: readonly string[], declined: readonly string[], ...known: readonly SeedCoupon[]) =>
    outcomes(codes, new Set(declined), at({ states }, ...known)).map((found) => [
      found.coupon.code,
      found.message ?? found.effect?.discount,
    ]);

  test('one of each kind applies, the first that may; one before it says why not, one behind it waits', () => {
    expect(told(['TWO', 'ONE', 'GIFT'], [], one, two, gift)).toEqual([
      ['TWO', 3000],
      ['GIFT', 0],
    ]);
    expect(told(['ONE', 'TWO'], [], { ...one, minCart: 90_000 }, { ...two, minCart: 90_000 })).toEqual([
      ['ONE', text.couponMinimum({ amount: '₹700' })],
    ]);
    expect(told(['ONE', 'TWO'], [], { ...one, minCart: 90_000 }, two)).toEqual([
      ['ONE', text.couponMinimum({ amount: '₹700' })],
      ['TWO', 3000],
    ]);
    expect(told(['NONE', ' one '], [], one)).toEqual([['ONE', 5000]]);
  });
  test('an automatic one joins, unless it was taken off, is there, is not for this cart, or its kind is', () => {
    expect(told([], [], auto)).toEqual([['AUTO', 100]]);
    expect(told([], ['AUTO'], auto)).toEqual([]);
    expect(told(['AUTO'], [], auto)).toEqual([['AUTO', 100]]);
    expect(told([], [], { ...auto, minCart: 90_000 })).toEqual([]);
    expect(told(['ONE'], [], one, { ...auto, stackGroup: 'coupon' })).toEqual([['ONE', 5000]]);
    expect(told([], [], { ...auto, autoApply: false })).toEqual([]);
  });
  test('one that brings nothing beside the others says so; an automatic one is silent', () => {
    const free = { type: 'FREE_DELIVERY', value: 0 };
    const won = coupon({ ...free, code: 'ONE', stackGroup: 'wheel' });
    const second = coupon({ ...free, code: 'TWO', stackGroup: 'coupon' });
    const { delivery } = india.country.fees;
    expect(told(['ONE', 'TWO'], [], won, second)).toEqual([
      ['ONE', delivery],
      ['TWO', text.couponNoGain],
    ]);
    expect(told(['ONE'], [], won, { ...second, autoApply: true })).toEqual([['ONE', delivery]]);
  });
  test('a new one takes the place of its kind, which stays behind it', () => {
    const { catalogue } = at({}, one, two, gift);
    const on = (coupons: string[], own: SeedCoupon) => putOn({ coupons, declined: ['TWO', 'X'] }, own, catalogue);
    expect(on(['ONE', 'GIFT'], two)).toEqual({ coupons: ['TWO', 'ONE', 'GIFT'], declined: ['TWO', 'X'] });
    // What is on it already is so once, as is one whose kind nobody knows any more.
    expect(on(['ONE'], one).coupons).toEqual(['ONE']);
    expect(on(['TWO', 'ONE'], one).coupons).toEqual(['ONE', 'TWO']);
    expect(on(['OLD'], coupon({ code: 'OLD' })).coupons).toEqual(['OLD']);
    expect(on(['ONE', 'OLD'], one).coupons).toEqual(['OLD', 'ONE']);
  });
  test('one that was put on leaves its place; one that is on by itself is remembered as taken off', () => {
    const off = (coupons: string[], own: SeedCoupon) => takenOff({ coupons, declined: ['Y'] }, own);
    expect(off(['ONE', 'X'], one)).toEqual({ coupons: ['X'], declined: ['Y'] });
    expect(off(['AUTO', 'X'], auto)).toEqual({ coupons: ['X'], declined: ['Y'] });
    expect(off(['X'], auto)).toEqual({ coupons: ['X'], declined: ['Y', 'AUTO'] });
    expect(takenOff({ coupons: [], declined: ['AUTO'] }, auto).declined).toEqual(['AUTO']);
  });
  test.each<[boolean, Partial<SeedCoupon>]>([
    [true, {}],
    [true, { asks: false }],
    [false, { asks: true }],
    [false, { autoApply: true }],
    [false, { paymentModes: ['UPI'] }],
    [false, { usage: { perUser: 1, total: null, firstOrderOnly: false } }],
    [false, { usage: { perUser: null, total: null, firstOrderOnly: true } }],
    [true, { usage: { perUser: null, total: 5, firstOrderOnly: false } }],
  ])('that an offer comes by itself is %s for %j', (may, own) => {
    expect(mayComeByItself(coupon(own))).toBe(may);
  });
});

describe('an offer as it is shown', () => {
  const offer = (own: Partial<SeedCoupon>, more: Parameters<typeof offerOf>[3] = {}) =>
    offerOf(coupon(own), 'AVAILABLE', at(), more);

  test.each<[Partial<SeedCoupon>, string | undefined]>([
    [{}, undefined],
    [{ type: 'PERCENT' }, 'Off all food'],
    [{ minCart: 19_900 }, 'On orders from ₹199'],
    [{ maxDiscount: 7500 }, 'At most ₹75 off'],
    [{ usage: { perUser: 2, total: null, firstOrderOnly: false } }, '2 times for each customer'],
    [{ usage: { perUser: 1, total: null, firstOrderOnly: true } }, 'First order only'],
    [{ daysOfWeek: [1, 3] }, 'Only on Mondays or Wednesdays'],
    [{ timeOfDay: ['11:00', '15:00'] }, 'Only from 11 AM to 3 PM'],
    [{ deliveryTypes: ['PICKUP'] }, 'For takeaway'],
    [{ deliveryTypes: ['DELIVERY', 'PICKUP', 'CURB', 'DINEIN'] }, undefined],
    [{ deliveryTypes: ['IRCTC'] }, 'For train orders'],
    [{ paymentModes: ['UPI'] }, 'Pay with UPI'],
    [{ storeIds: ['10101', 'NONE'] }, `Order from ${india.stores.get('10101')!.name} or NONE`],
    [{ requiresCartVeg: 'YES' }, 'Only vegetarian dishes'],
    [{ type: 'PERCENT', appliesTo: { categories: ['2'] } }, text.couponBaseOf({ categories: 'Veg Pizza' })],
    [{ appliesTo: { categories: ['2'] } }, undefined],
    [{ minCart: 100, maxDiscount: 200 }, 'On orders from ₹1 · At most ₹2 off'],
  ])('%j has "%s" on its face', (own, face) => {
    const all = ['DELIVERY', 'PICKUP', 'CURB', 'DINEIN'];
    expect(offer({ deliveryTypes: all, ...own }).subtitle).toBe(face);
  });

  test('its messages: why not, or else its own, and what happens', () => {
    const own: Partial<SeedCoupon> = {
      messages: [
        { messageType: 'error', message: 'no' },
        { messageType: 'nudge', message: 'pay' },
      ],
    };
    expect(offer(own).messages).toEqual([{ messageType: 'nudge', message: 'pay' }]);
    expect(offer(own, { message: 'why' }).messages).toEqual([{ messageType: 'error', message: 'why' }]);
    const effect = { on: 'items' as const, discount: 0, reasons: () => new Map(), free: [], steps: 2, note: '3 more' };
    const steps = { offerOptions: [1, 2, 3].map((step) => ({ step, label: `s${step}` })) };
    expect(offer({ ...own, ...steps }, { effect })).toMatchObject({
      messages: [
        { messageType: 'nudge', message: 'pay' },
        { messageType: 'info', message: '3 more' },
      ],
      offerOptions: [
        { step: 1, label: 's1', reached: true },
        { step: 2, label: 's2', reached: true },
        { step: 3, label: 's3', reached: false },
      ],
    });
    expect(offer(steps).offerOptions?.map(({ reached }) => reached)).toEqual([false, false, false]);
  });

  test('in another language it says what is translated, and the rest in its own', () => {
    const own: Partial<SeedCoupon> = {
      messages: [
        { messageType: 'nudge', message: 'pay' },
        { messageType: 'info', message: 'soon' },
      ],
      offerOptions: [1, 2].map((step) => ({ step, label: `s${step}` })),
      tnc: ['Own term'],
    };
    const said = (words: object) => inLanguage('hi', () => offer({ ...own, said: { hi: { title: 'एक', ...words } } }));
    const all = said({ messages: ['दो', 'तीन'], offerOptions: ['चार', 'पाँच'], tnc: ['छह'] });
    expect([all.title, all.details.at(-1)]).toEqual(['एक', 'छह']);
    expect(all.messages.map(({ message }) => message)).toEqual(['दो', 'तीन']);
    expect(all.offerOptions?.map(({ label }) => label)).toEqual(['चार', 'पाँच']);
    const title = said({ messages: ['दो'] });
    expect([title.title, title.details.at(-1)]).toEqual(['एक', 'Own term']);
    expect(title.messages.map(({ message }) => message)).toEqual(['दो', 'soon']);
    expect(title.offerOptions?.map(({ label }) => label)).toEqual(['s1', 's2']);
  });

  test('what it has not is left out', () => {
    expect(offer({})).toEqual({
      code: 'ONE',
      title: 'One',
      status: 'AVAILABLE',
      messages: [],
      details: ['For delivery, takeaway'],
      stackGroup: 'coupon',
      subtitle: 'For delivery, takeaway',
      timestamp: NOON,
      tncHref: '/promo-service/ve1/promo/ONE/tnc',
    });
    expect(
      offer(
        { labelType: 'l', paymentId: 'p', partner: 'x', timer: { showTimerBeforeHours: 4 } },
        { saving: 5 as never },
      ),
    ).toMatchObject({
      labelType: 'l',
      paymentId: 'p',
      partner: 'x',
      saving: 5,
      expiryTimer: { endTime: NOON + 10 * HOUR_MS, showTimerBefore: NOON + 6 * HOUR_MS },
    });
  });

  test('its terms: sums, what does not count, types, and then its own', () => {
    expect(
      detailsOf(
        coupon({ minCart: 100, maxDiscount: 200, excludes: ['PIZZA-MANIA', 'DEALS'], tnc: ['Own term'] }),
        india,
      ),
    ).toEqual([
      'Order at least ₹1',
      'At most ₹2 off',
      'Minis do not count',
      'Combos do not count',
      'For delivery, takeaway',
      'Own term',
    ]);
    expect(detailsOf(coupon({ deliveryTypes: ['DELIVERY', 'PICKUP', 'CURB', 'DINEIN'] }), india)).toEqual([]);
  });
});

describe('a reward that is saved up', () => {
  const value = { stepsRequired: 5, reward: { type: 'FREE', category: ['a'], size: 'M' } };
  const offerOptions = [
    { step: 1, label: 'one' },
    { step: 2, label: 'dip', itemId: GIFT },
    { step: 4, label: 'two dips', itemId: GIFT },
  ];
  const own = coupon({ type: 'MILESTONE', value, offerOptions });
  const shopper = (steps: number, used: readonly [string, number][] = []) => ({
    ...at().shopper,
    used: new Map(used),
    steps: (_: string, required: number) => Math.min(steps, required + 3),
  });
  const effectAt = (steps: number, more: Partial<CouponCase> = {}, of: Partial<SeedCoupon> = {}) => {
    const verdict = judge({ ...own, ...of }, at({ shopper: shopper(steps), ...more }));
    return verdict.ok ? verdict.effect : verdict.message;
  };

  test('on the way the gift of the last step reached, once on each way', () => {
    const gift = (steps: number, used: readonly [string, number][] = []) =>
      giftOf(own, steps, new Map(used))?.label ?? null;
    expect([1, 2, 3, 4].map((steps) => gift(steps))).toEqual([null, 'dip', 'dip', 'two dips']);
    expect(gift(2, [['ONE:2', 1]])).toBeNull();
    expect(gift(4, [['ONE:2', 1]])).toBe('two dips');
    // The first was on an earlier way.
    expect(
      gift(2, [
        ['ONE:2', 1],
        ['ONE', 1],
      ]),
    ).toBe('dip');
    expect(giftOf(coupon(), 9, new Map())).toBeNull();
  });
  test('before it is reached it says how far it is', () => {
    expect(effectAt(1)).toMatchObject({
      on: 'items',
      discount: 0,
      free: [],
      steps: 1,
      note: text.rewardMissing({ missing: 4 }),
    });
    expect(effectAt(2)).toMatchObject({
      on: 'items',
      discount: 0,
      free: [{ itemId: GIFT, quantity: 1 }],
      steps: 2,
      note: text.rewardGift({ gift: 'dip', missing: 3 }),
    });
    expect(effectAt(2, { soldOut: new Set([GIFT]) })).toMatchObject({
      free: [],
      note: text.rewardMissing({ missing: 3 }),
    });
    expect(effectAt(2, { lines: [] })).toBe(text.couponItems);
  });
  test('once it is reached the cheapest piece of its kind is free, or a share of all', () => {
    const lines = [line(30_000), line(20_000), line(10_000, { size: 'L' }), line(5000, { categoryIds: ['b'] })];
    expect(effectAt(5, { lines })).toMatchObject({ on: 'items', discount: 20_000, free: [], steps: 5 });
    expect(effectAt(7, { lines })).toMatchObject({ discount: 20_000, steps: 5 });
    expect(effectAt(5, { lines: [line(1, { size: 'L' })] })).toMatchObject({ discount: 0, note: text.rewardAdd });
    const share = (reward: object) => effectAt(5, { lines }, { value: { stepsRequired: 5, reward } });
    expect(share({ type: 'PERCENT', value: 10 })).toMatchObject({ discount: 6500 });
    expect(share({ type: 'PERCENT', value: 10, maxDiscount: 1000 })).toMatchObject({ discount: 1000 });
    // Of any size where none is named.
    expect(share({ type: 'FREE', category: ['a'] })).toMatchObject({ discount: 10_000 });
    expect(share({ type: 'FREE' })).toMatchObject({ discount: 0, note: text.rewardAdd });
  });
  test('its status tells the steps, never more than there are, and that it is over', () => {
    const { catalogue } = at({}, own);
    const status = (one: SeedCoupon, who: Shopper, now = NOON) => milestoneOf(one, who, { catalogue, now });
    expect(status(own, shopper(2))).toEqual({
      couponCode: 'ONE',
      title: 'One',
      steps: 2,
      stepsRequired: 5,
      isReady: false,
      message: text.rewardMissing({ missing: 3 }),
      offerOptions: offerOptions.map(({ step, label }) => ({ step, label, reached: step <= 2 })),
    });
    expect(status(own, shopper(8))).toMatchObject({ steps: 5, isReady: true, message: text.rewardReady });
    expect(status(coupon({ ...own, offerOptions: [] }), shopper(2))!.offerOptions).toEqual([]);
    expect(status(coupon({ type: 'MILESTONE', value }), shopper(2))!.offerOptions).toEqual([]);
    expect(status(coupon({ value }), shopper(2))).toBeNull();
    expect(status({ ...own, value: 3 }, shopper(2))).toBeNull();
    const end = NOON + 10 * HOUR_MS;
    expect(status(own, shopper(2), end - 1)).toMatchObject({ message: text.rewardMissing({ missing: 3 }) });
    for (const days of [2, 8])
      expect(status(own, shopper(days), end)).toMatchObject({
        isOver: true,
        isReady: false,
        message: errors.couponExpired,
      });
  });
});

test('names are joined as people say them', () => {
  expect([eitherOf([]), eitherOf(['a']), eitherOf(['a', 'b', 'c'])]).toEqual(['', 'a', 'a or b or c']);
  expect([allOf([]), allOf(['a']), allOf(['a', 'b'])]).toEqual(['', 'a', 'a and b']);
});

describe('what was won on the wheel', () => {
  const wheel = {
    slots: [
      { label: 'Dip', weight: 1, code: 'DIP' },
      { label: '20 points', weight: 1, points: 20 },
      { label: 'Try again', weight: 2 },
    ],
  };
  const spin = (slot: number, more: Partial<Spin> = {}): Spin =>
    ({
      slot,
      label: wheel.slots[slot]!.label,
      code: wheel.slots[slot]!.code ?? null,
      points: wheel.slots[slot]!.points ?? null,
      state: 'FREE',
      ...more,
    }) as Spin;
  const prize = 'Dip';
  const points = '20 points';
  test.each<[Spin, string | null, string | null, string]>([
    [spin(2), null, null, text.wheelNothing],
    [spin(0), null, null, text.wheelWon({ prize, code: 'DIP' })],
    [spin(0), null, 'Club', text.wheelWon({ prize, code: 'DIP' })],
    [spin(0), 'too little', null, text.wheelWaits({ prize, code: 'DIP', why: 'too little' })],
    [spin(0, { state: 'USED' }), null, null, text.wheelUsed({ prize })],
    [spin(0, { state: 'TAKEN' }), null, null, text.wheelTaken({ prize })],
    [spin(1), null, null, text.wheelPoints({ prize: points })],
    [spin(1), null, 'Club', text.wheelJoin({ prize: points, program: 'Club' })],
    [spin(1, { state: 'USED' }), null, 'Club', text.wheelMembers({ prize: points, program: 'Club' })],
    [spin(1, { state: 'USED' }), null, null, text.wheelUsed({ prize: points })],
  ])('%j is told', (own, why, program, message) => {
    expect(resultOf(wheel, own, why, program)).toEqual({
      slot: own.slot,
      label: own.label,
      isPrize: own.slot !== 2,
      ...(own.code === null ? {} : { code: own.code }),
      ...(own.points === null ? {} : { points: own.points }),
      state: own.state,
      message,
    });
  });
  test('a part that is another one by now is called as it was then', () => {
    expect(resultOf(wheel, spin(0, { label: 'Old dip' }), null, null).label).toBe('Old dip');
    expect(resultOf(wheel, { ...spin(0), slot: 9 }, null, null).label).toBe('Dip');
  });
});

describe('the best offers for a cart', () => {
  const free = { type: 'FREE_DELIVERY', value: 0 };
  const gift = { type: 'FREE_ITEM', value: { itemId: GIFT, qty: 1 } };
  const worth = Math.min(...Object.values(india.items.get(GIFT)!.prices));
  const { delivery } = india.country.fees;
  const known = (...list: readonly Partial<SeedCoupon>[]) =>
    list.map((more, n) => coupon({ code: `C${n + 1}`, stackGroup: `g${n + 1}`, ...more }));
  const states = new Map(Array.from({ length: 12 }, (_, n) => [`C${n + 1}`, { used: 0 }] as const));
  const cart = (list: readonly Partial<SeedCoupon>[], more: Partial<CouponCase> = {}) =>
    at({ states, modes: ['UPI', 'CARD', 'COD'], ...more }, ...known(...list));
  /** What takes as much off the total, with the tax that falls with it, as the gift is worth. */
  const asMuch = { value: Math.round(worth / 1.05) };
  const best = (list: readonly Partial<SeedCoupon>[], more: Partial<CouponCase> = {}) => {
    const { codes, paymentModes } = bestCombination(cart(list, more));
    return [codes, paymentModes];
  };

  test.each<[string, readonly Partial<SeedCoupon>[], readonly string[], readonly string[] | null]>([
    ['nothing of nothing', [], [], null],
    ['nothing that does not fit', [{ minCart: 90_000 }], [], null],
    ['one of each kind', [{}, { ...free }, { ...gift }], ['C1', 'C2', 'C3'], null],
    [
      'the greater one of a kind',
      [
        { stackGroup: 'g', value: 100 },
        { stackGroup: 'g', value: 200 },
      ],
      ['C2'],
      null,
    ],
    ['of equal ones the first', [{ stackGroup: 'g' }, { stackGroup: 'g' }], ['C1'], null],
    [
      'of equal ones that which any payment will do for',
      [{ stackGroup: 'g', paymentModes: ['UPI'] }, { stackGroup: 'g' }],
      ['C2'],
      null,
    ],
    [
      'what needs a way to pay, if it is more',
      [{ stackGroup: 'g', paymentModes: ['UPI'], value: 6000 }, { stackGroup: 'g' }],
      ['C1'],
      ['UPI'],
    ],
    ['all ways that will do', [{ paymentModes: ['COD', 'CARD'] }], ['C1'], ['CARD', 'COD']],
    [
      'what one way pays, not two',
      [
        { paymentModes: ['UPI'], value: 3000 },
        { paymentModes: ['CARD'], value: 4000 },
      ],
      ['C2'],
      ['CARD'],
    ],
    ['nothing of a way that is not there', [{ paymentModes: ['GPAY'] }], [], null],
    [
      'the ways that will do for both',
      [{ paymentModes: ['UPI', 'CARD'] }, { ...free, paymentModes: ['UPI'] }],
      ['C1', 'C2'],
      ['UPI'],
    ],
    [
      'of equal ones of two kinds that which any payment will do for',
      [{ ...free }, { ...free, paymentModes: ['UPI'] }],
      ['C1'],
      null,
    ],
    ['and so too where it comes later', [{ ...free, paymentModes: ['UPI'] }, { ...free }], ['C2'], null],
    [
      'in the order of the catalogue',
      [{ stackGroup: 'a', value: 100 }, { ...free, stackGroup: 'b' }, { stackGroup: 'a' }],
      ['C2', 'C3'],
      null,
    ],
    [
      'of a gift and as much money the money',
      [
        { ...gift, stackGroup: 'g' },
        { stackGroup: 'g', ...asMuch },
      ],
      ['C2'],
      null,
    ],
    [
      'and so too where it comes first',
      [
        { stackGroup: 'g', ...asMuch },
        { ...gift, stackGroup: 'g' },
      ],
      ['C1'],
      null,
    ],
  ])('%s', (_, list, codes, modes) => {
    expect(best(list)).toEqual([codes, modes]);
  });
  test('of equal ones that stay which are on the cart', () => {
    expect(best([{ stackGroup: 'g' }, { stackGroup: 'g' }], { held: new Set(['C2']) })).toEqual([['C2'], null]);
    const two = [{ value: 5000 }, { ...free }, { ...free }];
    for (const one of ['C2', 'C3']) expect(best(two, { held: new Set([one]) })).toEqual([['C1', one], null]);
  });
  test('where there is one way to pay, too, that which needs none, and of different ways the one with fewer', () => {
    const [bound, open] = [{ ...free, paymentModes: ['UPI'] }, { ...free }];
    const kind = { stackGroup: 'g' };
    for (const [list, code] of [
      [[bound, open], 'C2'],
      [[open, bound], 'C1'],
      [
        [
          { ...bound, ...kind },
          { ...open, ...kind },
        ],
        'C2',
      ],
      [
        [
          { ...open, ...kind },
          { ...bound, ...kind },
        ],
        'C1',
      ],
    ] as const)
      expect(best(list, { modes: ['UPI'] })).toEqual([[code], null]);
    const half = { value: 1000, paymentModes: ['UPI'] };
    expect(best([{ value: 2000, paymentModes: ['CARD'] }, half, half])).toEqual([['C1'], ['CARD']]);
  });
  test('money before a gift that is worth as much, and a gift before less money, however they are paid', () => {
    const [given, paid] = [
      { ...gift, paymentModes: ['UPI'] },
      { ...asMuch, paymentModes: ['CARD'] },
    ];
    const gains = [given, paid].map((own) => {
      const { total, worth: food } = bestCombination(cart([own]));
      return bestCombination(cart([])).total - total + food;
    });
    expect(gains).toEqual([worth, worth]);
    expect(best([given, paid])).toEqual([['C2'], ['CARD']]);
    expect(
      best([
        { ...asMuch, paymentModes: ['UPI'] },
        { ...gift, paymentModes: ['CARD'] },
      ]),
    ).toEqual([...[['C1'], ['UPI']]]);
    expect(best([given, { ...paid, value: 1000 }])).toEqual([['C1'], ['UPI']]);
  });
  test('a line of some pieces counts as so many lines', () => {
    const of = (...lines: PricedLine[]) => bestCombination(cart([{ value: 5000 }], { lines }));
    expect(of(line(1000, { quantity: 3 }))).toEqual(of(line(1000), line(1000), line(1000)));
    expect(of(line(1000, { quantity: 3 })).saving).toBe(3000);
  });
  test('what it saves is what the bill names, and gifts are worth what they cost', () => {
    const none = bestCombination(cart([]));
    expect(none).toMatchObject({ codes: [], paymentModes: null, saving: 0, worth: 0 });
    expect(bestCombination(cart([{}, { ...free }, { ...gift }]))).toMatchObject({ saving: 5000 + delivery, worth });
    // Never more off than there is.
    const small = { lines: [line(3000)] };
    expect(bestCombination(cart([{}, { stackGroup: 'x' }], small)).saving).toBe(3000);
    expect(bestCombination(cart([{}], {})).total).toBeLessThan(none.total);
  });
  test('for one way to pay alone', () => {
    const list = [{ paymentModes: ['UPI'], value: 6000, stackGroup: 'g' }, { stackGroup: 'g' }];
    expect(bestCodesFor(cart(list), 'UPI')).toEqual(['C1']);
    expect(bestCodesFor(cart(list), 'COD')).toEqual(['C2']);
    expect(bestCodesFor(cart(list), null)).toEqual(['C2']);
  });

  test('those come by themselves that take money off now, and of a kind that nobody chose from', () => {
    const auto = (list: readonly Partial<SeedCoupon>[], coupons: string[] = [], declined: string[] = []) =>
      bestByItself(cart(list), { coupons, declined });
    expect(auto([{}, { ...free }])).toEqual(['C1', 'C2']);
    expect(auto([{ ...gift }, { paymentModes: ['UPI'] }, { asks: true }])).toEqual([]);
    expect(auto([{ stackGroup: 'g', value: 200 }, { stackGroup: 'g' }], ['C1'])).toEqual([]);
    // What does not apply, or takes nothing off, keeps nothing away; what was taken off does.
    expect(auto([{ stackGroup: 'g', value: 1 }, { stackGroup: 'g' }], ['C1'])).toEqual(['C2']);
    expect(auto([{ stackGroup: 'g', minCart: 90_000 }, { stackGroup: 'g' }], ['C1'])).toEqual(['C2']);
    expect(auto([{ stackGroup: 'g', minCart: 90_000 }, { stackGroup: 'g' }], [], ['C1'])).toEqual([]);
    expect(auto([{}], ['NONE'])).toEqual(['C1']);
    const steps = { ...at().shopper, steps: (_: string, required: number) => required };
    const reward = { type: 'MILESTONE', value: { stepsRequired: 2, reward: { type: 'PERCENT', value: 10 } } };
    expect(bestByItself(cart([reward], { shopper: steps }), { coupons: [], declined: [] })).toEqual([]);
  });

  const sum = (minor: number) => `₹${minor / 100}`;
  describe('and why not the others', () => {
    const reasons = (list: readonly Partial<SeedCoupon>[], more: Partial<CouponCase> = {}) =>
      Object.fromEntries(advise(cart(list, more)).reasons);
    test('a lesser one of its kind is beaten, by how much, and may take the place', () => {
      const less = reasons([{ stackGroup: 'g', value: 3000 }, { stackGroup: 'g' }]);
      expect(less).toEqual({
        C1: {
          kind: 'BEATEN',
          message: text.bestSavesMore({ code: 'C2', amount: '₹20' }),
          remedies: [{ kind: 'REPLACE', codes: ['C2'], message: text.bestInPlace({ code: 'C2' }) }],
        },
      });
      expect(reasons([{ stackGroup: 'g' }, { stackGroup: 'g' }])['C2']).toMatchObject({
        kind: 'BEATEN',
        message: text.bestSavesAsMuch({ code: 'C1' }),
      });
      // The other way to pay is what beats it.
      expect(
        reasons([
          { paymentModes: ['UPI'], value: 3000 },
          { paymentModes: ['CARD'], value: 4000 },
        ])['C1'],
      ).toMatchObject({ message: text.bestSavesMore({ code: 'C2', amount: '₹10' }) });
    });
    test('one that a gift beats says by how much, and one for another card which it needs', () => {
      const nine = { ...gift, value: { itemId: GIFT, qty: 9 }, stackGroup: 'g' };
      expect(reasons([nine, { stackGroup: 'g', value: 3000 }])['C2']).toMatchObject({
        kind: 'BEATEN',
        message: text.bestSavesMore({ code: 'C1', amount: sum(9 * worth - 3000) }),
      });
      expect(
        reasons([
          { stackGroup: 'g', value: 9000 },
          { ...gift, stackGroup: 'g' },
        ])['C2'],
      ).toMatchObject({
        message: text.bestSavesMore({ code: 'C1', amount: sum(9000 - worth) }),
      });
      // The card is known, and that it pays is not chosen yet.
      expect(reasons([{ paymentModes: ['CARD'], bins: ['411111'] }], { bin: '400000' })).toEqual({
        C1: {
          kind: 'RULE',
          message: text.couponPaymentMode({ mode: 'Credit / debit card' }),
          remedies: [
            {
              kind: 'PAYMENT_MODE',
              paymentModes: ['CARD'],
              message: text.couponPayWithCard({ modes: 'Credit / debit card' }),
            },
          ],
        },
      });
    });
    test('one whose rules are not met says which, and what would help', () => {
      expect(reasons([{ minCart: 20_500 }])['C1']).toMatchObject({
        kind: 'RULE',
        message: text.couponMinimum({ amount: '₹5' }),
        remedies: [{ kind: 'ADD_AMOUNT', amount: 500 }],
      });
    });
    test('one that brings nothing beside the best says so', () => {
      // Delivery is free once.
      const twice = [{ ...free }, { ...free }];
      expect(best(twice)[0]).toHaveLength(1);
      expect(Object.values(reasons(twice))).toEqual([{ kind: 'NO_GAIN', message: text.couponNoGain, remedies: [] }]);
    });
    test('a step on the way to a reward has no reason: it says itself how far it is', () => {
      const value = { stepsRequired: 5, reward: { type: 'PERCENT', value: 10 } };
      expect(reasons([{ type: 'MILESTONE', value }])).toEqual({});
    });
  });

  describe('as they are told', () => {
    const told = (list: readonly Partial<SeedCoupon>[], applied: string[], more: Partial<CouponCase> = {}) => {
      const own = cart(list, more);
      return bestOf(advise(own), own, applied);
    };
    test('by what they bring: money, food or both', () => {
      expect(told([{}], [])).toMatchObject({
        codes: ['C1'],
        saving: 5000,
        gifts: 0,
        isOn: false,
        message: text.best({ codes: 'C1', gain: 'MONEY', saving: '₹50', gifts: '₹0' }),
      });
      expect(told([{ ...gift }], []).message).toBe(
        text.best({ codes: 'C1', gain: 'FOOD', saving: '₹0', gifts: sum(worth) }),
      );
      expect(told([{}, { ...gift }], []).message).toBe(
        text.best({ codes: 'C1 + C2', gain: 'BOTH', saving: '₹50', gifts: sum(worth) }),
      );
      expect(told([], []).message).toBe(text.bestNone);
      expect(told([], [])).not.toHaveProperty('paymentModes');
      expect(told([{ paymentModes: ['UPI', 'COD'] }], [])).toMatchObject({
        paymentModes: ['UPI', 'COD'],
        message: text.bestPaying({
          codes: 'C1',
          gain: 'MONEY',
          saving: '₹50',
          gifts: '₹0',
          modes: 'UPI or Cash on delivery',
        }),
      });
    });
    test('whether they are on the cart: these and no other, paid as they need', () => {
      const two = [{}, { ...free }];
      expect(told(two, ['C2', 'C1']).isOn).toBe(true);
      expect(told(two, ['C1']).isOn).toBe(false);
      expect(told(two, ['C1', 'X']).isOn).toBe(false);
      expect(told(two, ['C1', 'C2', 'X']).isOn).toBe(false);
      const bound = [{ paymentModes: ['UPI'] }];
      expect(told(bound, ['C1'], { paymentMode: 'UPI' }).isOn).toBe(true);
      expect(told(bound, ['C1'], { paymentMode: 'COD' }).isOn).toBe(false);
      expect(told(bound, ['C1']).isOn).toBe(false);
    });
  });

  describe('one more dish that pays for itself', () => {
    const suggested = (list: readonly Partial<SeedCoupon>[], more: Partial<CouponCase> = {}) => {
      const own = cart(list, { deliveryType: 'PICKUP', ...more });
      return suggestionFor(own, advise(own));
    };
    const all = [...india.items.values()].filter((item) => item.availableFrom === undefined);
    const cheapest = Math.min(...all.flatMap((item) => Object.values(item.prices)));
    const vegetarian = all.filter(({ foodType }) => foodType === 'VEG');
    /** What vegetarian dishes cost, the cheapest first. */
    const prices = [...new Set(vegetarian.flatMap((item) => Object.values(item.prices)))].sort((a, b) => a - b);
    test('because the total falls with it', () => {
      const found = suggested([{ minCart: 20_000 + cheapest, value: 9000 }])!;
      expect(found).toMatchObject({ codes: ['C1'], price: cheapest, gifts: 0 });
      expect(found.saving).toBeGreaterThan(0);
      expect(found.message).toBe(text.suggestionSaves({ name: found.name, saving: `₹${found.saving / 100}` }));
    });
    test('or because a gift comes with it that is worth more', () => {
      const found = suggested([{ ...gift, value: { itemId: GIFT, qty: 9 }, minCart: 20_000 + cheapest }])!;
      expect(found).toMatchObject({ codes: ['C1'], gifts: 9 * worth });
      expect(found.saving).toBeLessThan(0);
      expect(found.message).toBe(
        text.suggestionGives({
          name: found.name,
          price: `₹${-found.saving / 100}`,
          gifts: `₹${(9 * worth) / 100}`,
        }),
      );
    });
    test('and none that costs more than it brings, none for an empty cart, and none where food alone is not enough', () => {
      expect(suggested([{ minCart: 20_000 + cheapest, value: 100 }])).toBeNull();
      expect(suggested([{ minCart: 20_000 + cheapest, value: 9000 }], { lines: [] })).toBeNull();
      expect(suggested([{ minCart: 20_000 + cheapest, value: 9000, daysOfWeek: [0] }])).toBeNull();
      expect(suggested([])).toBeNull();
    });
    test('none that costs as much as it brings, and none for a gift that was there before', () => {
      const wants = { minCart: 20_000 + cheapest };
      expect(suggested([{ ...wants, value: cheapest }])).toBeNull();
      expect(
        suggested([
          { ...gift, value: { itemId: GIFT, qty: 9 } },
          { ...wants, value: 100 },
        ]),
      ).toBeNull();
    });
    test('the one that brings most, in its size', () => {
      const near = { stackGroup: 'g', minCart: 20_000 + prices[0]!, value: 9000 };
      const far = { stackGroup: 'g', minCart: 20_000 + prices[1]!, value: 20_000 };
      expect(suggested([near, far])).toMatchObject({ codes: ['C2'], price: prices[1] });
      expect(suggested([far, near])).toMatchObject({ codes: ['C1'], price: prices[1] });
      expect(suggested([{ ...near, value: 20_000 }, far])).toMatchObject({ codes: ['C1'], price: prices[0] });
      expect(suggested([near])).not.toHaveProperty('size');
      const nine = { ...gift, stackGroup: 'g', value: { itemId: GIFT, qty: 9 }, minCart: far.minCart };
      expect(suggested([near, nine])).toMatchObject({ codes: ['C2'], price: prices[1], gifts: 9 * worth });
      // What was free before is not told again, and a gift for nothing is said so.
      expect(suggested([{ ...gift }, near])).toMatchObject({ codes: ['C1', 'C2'], gifts: 0 });
      const both = suggested([
        { ...near, value: prices[0]! },
        { ...gift, minCart: near.minCart },
      ])!;
      expect(both.message).toBe(text.suggestionGives({ name: both.name, price: '₹0', gifts: sum(worth) }));
    });
    test('none that brings less money than the gift is worth that it takes away', () => {
      const given = { ...gift, stackGroup: 'g', value: { itemId: GIFT, qty: 1 } };
      const instead = { stackGroup: 'g', minCart: 20_000 + cheapest, value: cheapest + 1000 };
      expect(suggested([instead])).toMatchObject({ codes: ['C1'] });
      expect(suggested([instead, given])).toBeNull();
    });
    test('the fee for the delivery is a reason, with what points pay for counted, and an empty cart has none', () => {
      const reward = { lineId: 'l', title: 'R', price: 18_000, off: 18_000 };
      const extras = { packaging: 0, carryBag: false, tip: 0, reward };
      const lacks = india.country.fees.freeDeliveryFrom - 38_000;
      const next = prices.find((price) => price >= lacks)!;
      for (const lines of [[line(20_000)], [line(10_000, { quantity: 2 })]]) {
        expect(suggested([], { deliveryType: 'DELIVERY', extras, lines })).toMatchObject({ codes: [], price: next });
        expect(suggested([], { extras, lines })).toBeNull();
      }
      expect(suggested([], { deliveryType: 'DELIVERY' })).toBeNull();
      expect(suggested([{ ...gift, value: { itemId: GIFT, qty: 9 } }], { lines: [] })).toBeNull();
    });
    test('a dish of the size, the kind and the sort that a coupon lacks', () => {
      // Two medium ones come free with a large one, and one of them is there.
      const pizzas = { category: ['2'], qty: 1 };
      const value = { buy: { ...pizzas, size: 'L' }, get: { ...pizzas, size: 'M', qty: 2 } };
      const lines = [line(60_000, { size: 'L' }), line(50_000, { size: 'M' })].map((one) => ({
        ...one,
        categoryIds: ['2'],
      }));
      const medium = vegetarian
        .filter((item) => item.categoryIds.includes('2') && item.prices.M !== undefined)
        .sort((a, b) => a.prices.M! - b.prices.M!)[0]!;
      const found = suggested([{ type: 'BOGO', value }], { lines })!;
      expect(found).toMatchObject({ codes: ['C1'], productId: medium.id, size: 'M', price: medium.prices.M });
      const wants = { minCart: 20_000 + cheapest, value: 19_000 };
      const first = india.items.get(suggested([wants])!.productId)!;
      const other = suggested([{ ...wants, excludes: [first.productType] }])!;
      expect(india.items.get(other.productId)!.productType).not.toBe(first.productType);
    });
    test('a dish only in its hours', () => {
      const [any] = vegetarian;
      const served = (from?: string, to?: string) => {
        const meal = {
          ...{ ...any!, id: 'MEAL', name: 'Meal', prices: { ONE: 100 } },
          ...(from === undefined ? {} : { availableFrom: from }),
          ...(to === undefined ? {} : { availableTo: to }),
        };
        const own = cart([{ minCart: 20_100, value: 9000 }], { deliveryType: 'PICKUP' });
        const here = { ...own, catalogue: { ...own.catalogue, items: new Map([...india.items, ['MEAL', meal]]) } };
        return suggestionFor(here, advise(here))!.productId === 'MEAL';
      };
      expect([served(), served('12:30', '13:00'), served('12:31', '13:00'), served('11:00', '12:30')]).toEqual([
        ...[true, true, false, false],
      ]);
      // Hours without a beginning or an end are none.
      expect([served('13:00'), served(undefined, '12:00')]).toEqual([true, true]);
    });
    test('after ten that were tried no other is; what more food does not help is no try', () => {
      // Each asks for another dish, and is worth nothing to speak of.
      const lesser = (count: number, more: Partial<SeedCoupon> = {}) =>
        prices.slice(0, count).map((price) => ({ minCart: 20_000 + price, value: 1, ...more }));
      const good = { minCart: 20_000 + prices[10]!, value: 20_000 };
      expect(suggested([...lesser(9), good])).toMatchObject({ price: prices[10] });
      expect(suggested([...lesser(10), good])).toBeNull();
      expect(suggested([...lesser(10, { daysOfWeek: [0] }), good])).toMatchObject({ price: prices[10] });
    });
    test('a suggested pizza has the size and crust of its price, so it joins the same pizza in the cart', () => {
      const want = [{ minCart: 20_000 + cheapest, value: 19_000 }];
      const others = all.filter(({ crusts }) => crusts.length === 0).map(({ id }) => id);
      const pizza = suggested(want, { soldOut: new Set(others) })!;
      const usual = [...india.builder.crusts.values()].find(({ isDefault }) => isDefault)!.id;
      expect(pizza).toMatchObject({ size: 'R', crust: usual });
      const drink = suggested(want)!;
      expect(others).toContain(drink.productId);
      expect(Object.keys(drink)).not.toEqual(expect.arrayContaining(['crust']));
    });
    test('not what is sold out, and no meat beside vegetarian dishes', () => {
      const want = [{ minCart: 20_000 + cheapest, value: 19_000 }];
      const first = suggested(want)!;
      const next = suggested(want, { soldOut: new Set([first.productId]) })!;
      expect(next.productId).not.toBe(first.productId);
      expect(india.items.get(first.productId)!.foodType).toBe('VEG');
      const veg = vegetarian.map(({ id }) => id);
      expect(suggested(want, { soldOut: new Set(veg) })).toBeNull();
      const meat = line(20_000, { view: { product: { foodType: 'NON_VEG' } } as unknown as PricedLine['view'] });
      const other = suggested(want, { soldOut: new Set(veg), lines: [meat] });
      expect(india.items.get(other!.productId)!.foodType).not.toBe('VEG');
      const both = suggested(want, { soldOut: new Set(veg), lines: [line(10_000), { ...meat, price: 10_000 }] });
      expect(both).toEqual(other);
    });
  });
});

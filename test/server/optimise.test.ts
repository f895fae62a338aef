import type { Bill } from '../../src/contract/cart.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { IS_ALL } from '../kit/matrix.ts';
import { countryConfig } from '../../country/index.ts';
import type { DeliveryType } from '../../src/contract/names.ts';
import { priceCart, type CartState, type PricedCart, type PricingContext } from '../../src/server/rules/cart/cart.ts';
import type { KeptLine } from '../../src/server/store/carts.ts';
import * as errorText from '#text/errors.ts';
import * as text from '#text/server.ts';
import { judge, remediesOf, worthOf } from '../../src/server/rules/offers/coupons.ts';
import type { CountryCatalogue } from '../../src/server/call/catalogue.ts';
import { catalogueFromDisk } from '../../src/server/rules/catalogue/catalogue.ts';
import { advisedOffers, promoOf, tried } from '../../src/server/rules/cart/advice.ts';
import { advise, bestCombination, suggestionFor } from '../../src/server/rules/offers/optimise.ts';
import type { SeedCoupon } from '../../src/server/store/seeds.ts';

/** Random carts for each rule. */
const RUNS = IS_ALL ? 1_000 : 250;
const catalogues = ['IN', 'LK', 'BG'].map((code) => catalogueFromDisk(countryConfig(code)));
const [india] = catalogues as [CountryCatalogue];
/** A Wednesday, 12:30 in India. */
const NOON = Date.UTC(2027, 0, 13, 7, 0);
const MODES = ['UPI', 'CARD', 'COD'];

const wishOf = ({ productId, size }: { productId: string; size: 'R' | 'M' | 'L' | undefined }) => ({
  productId,
  ...(size === undefined ? {} : { size }),
});
const lineOf = (lineId: string, quantity: number, productId: string, size?: 'R' | 'M' | 'L'): KeptLine => ({
  lineId,
  quantity,
  removed: false,
  changedAt: 1,
  wish: wishOf({ productId, size }),
});
const stateOf = (lines: readonly KeptLine[], more: Partial<CartState> = {}): CartState => ({
  cartId: 'c',
  userId: 'u',
  version: 1,
  storeId: '',
  deliveryType: 'DELIVERY',
  lines,
  coupons: [],
  declined: [],
  tip: 0,
  carryBag: false,
  cutlery: false,
  paymentMode: null,
  ...more,
});
const pricingContextOf = (catalogue: CountryCatalogue, more: Partial<PricingContext> = {}): PricingContext => ({
  catalogue,
  store: catalogue.stores.get(catalogue.country.DEFAULT_STORE)!,
  soldOut: new Set(),
  now: NOON,
  bin: null,
  modes: MODES,
  shopper: { partnerOffers: true, hasOrdered: false, used: new Map(), steps: (_, required) => required },
  states: new Map([...catalogue.coupons.keys()].map((code) => [code, { used: 0 }])),
  ...more,
});

interface Basket {
  readonly state: CartState;
  readonly context: PricingContext;
}

/** Coupons nobody would print: any kind in any group, with small differences, so that rounding and ties decide. */
function arbitraryCoupons(catalogue: CountryCatalogue): fc.Arbitrary<SeedCoupon[]> {
  const pizzas = [...catalogue.items.values()]
    .filter((item) => item.kind === 'PIZZA')
    .flatMap((item) => item.categoryIds.slice(0, 1));
  const category = [...new Set(pizzas)];
  const gifts = [...catalogue.items.values()]
    .filter((item) => item.kind === 'SIDE' || item.kind === 'DESSERT')
    .map((item) => item.id);
  const size = fc.constantFrom('R', 'M', 'L');
  const terms: fc.Arbitrary<Pick<SeedCoupon, 'type' | 'value'>> = fc.oneof(
    fc.record({ type: fc.constant('PERCENT'), value: fc.integer({ min: 1, max: 60 }) }),
    fc.record({
      type: fc.constant('FLAT'),
      value: fc.oneof(fc.integer({ min: 1, max: 200 }), fc.integer({ min: 1, max: 40_000 })),
    }),
    fc.record({
      type: fc.constant('FREE_ITEM'),
      value: fc.record({ itemId: fc.constantFrom(...gifts), qty: fc.integer({ min: 1, max: 2 }) }),
    }),
    fc.record({ type: fc.constant('FREE_DELIVERY'), value: fc.constant(0) }),
    size.map((one) => ({
      type: 'BOGO',
      value: { buy: { category, size: one, qty: 1 }, get: { category, size: one, qty: 1 } },
    })),
    size.map((one) => ({ type: 'NTH_PERCENT', value: { category, size: one, n: 2, percent: 50 } })),
  );
  return fc
    .array(
      fc.record({
        terms,
        group: fc.constantFrom('coupon', 'freebie', 'delivery'),
        minCart: fc.option(fc.integer({ min: 1, max: 120_000 }), { freq: 1 }),
        maxDiscount: fc.option(fc.integer({ min: 100, max: 20_000 })),
        paymentModes: fc.option(fc.subarray(MODES, { minLength: 1 }), { freq: 2 }),
        deliveryTypes: fc.subarray(['DELIVERY', 'PICKUP', 'DINEIN'], { minLength: 2 }),
        autoApply: fc.boolean(),
        veg: fc.constantFrom(false, false, false, true),
        late: fc.constantFrom(false, false, false, false, true),
      }),
      { minLength: 1, maxLength: 9 },
    )
    .map((list) =>
      list.map(({ terms: own, group, veg, late, ...more }, index): SeedCoupon => ({
        code: `C${index}`,
        title: `Coupon ${index}`,
        ...own,
        ...more,
        partner: null,
        appliesTo: null,
        usage: { perUser: null, total: null, firstOrderOnly: false },
        timer: null,
        labelType: null,
        stackGroup: group,
        excludes: [],
        confettiMessage: null,
        confettiSubMessage: null,
        tnc: [],
        ...(veg ? { requiresCartVeg: 'YES' } : {}),
        ...(late ? { timeOfDay: ['18:00', '22:00'] as [string, string] } : {}),
      })),
    );
}

/** `own`: with the country's own coupons instead of made-up ones. */
function arbitraryBasket(own: boolean): fc.Arbitrary<Basket> {
  return fc.constantFrom(...catalogues).chain((real) =>
    (own ? fc.constant([...real.coupons.values()]) : arbitraryCoupons(real)).chain((coupons) => {
      const catalogue: CountryCatalogue = { ...real, coupons: new Map(coupons.map((coupon) => [coupon.code, coupon])) };
      const dishes = [...catalogue.items.values()]
        .filter((item) => item.availableFrom === undefined)
        .flatMap((item) =>
          Object.keys(item.prices).map((size) => ({
            productId: item.id,
            size: size === 'ONE' ? undefined : (size as 'R'),
          })),
        );
      return fc
        .record({
          lines: fc.array(fc.record({ dish: fc.constantFrom(...dishes), quantity: fc.integer({ min: 1, max: 3 }) }), {
            maxLength: 5,
          }),
          deliveryType: fc.constantFrom<DeliveryType>('DELIVERY', 'PICKUP', 'CURB', 'DINEIN'),
          tip: fc.constantFrom(0, 1000, 2555),
          carryBag: fc.boolean(),
          modes: fc.constantFrom(MODES, ['GPAY'], ['COD']),
          prize: fc.option(fc.constantFrom('WHEEL5', 'WHEELDIP', 'WHEELDEL')),
        })
        .map(({ lines, modes, prize, ...more }) => {
          const state = stateOf(
            lines.map(({ dish, quantity }, index) => lineOf(`l${index}`, quantity, dish.productId, dish.size)),
            { ...more, prizes: own && prize !== null ? [prize] : [] },
          );
          // A counterexample shows the cart and its coupons, not the whole catalogue.
          return {
            state,
            context: pricingContextOf(catalogue, { modes }),
            [fc.toStringMethod]: () =>
              JSON.stringify({ country: real.country.COUNTRY_CODE, modes, state, coupons: own ? 'own' : coupons }),
          };
        });
    }),
  );
}

/** The cart with exactly these coupons on it, as the product itself prices it. */
function withCoupons(
  { state, context }: Basket,
  codes: readonly string[],
  paymentMode: string | null = null,
): PricedCart {
  const declined = [...context.catalogue.coupons.keys()].filter((code) => !codes.includes(code));
  return priceCart({ ...state, coupons: codes, declined, paymentMode }, context);
}
const gainOf = (basket: Basket, priced: PricedCart) =>
  withCoupons(basket, []).cart.bill.total - priced.cart.bill.total + worthOf(basket.context.catalogue, priced.outcomes);

/** Every permitted combination of what may be used, in every payment mode; none after which nobody could order. */
function bruteForce(basket: Basket): number {
  const {
    context: { catalogue, modes },
  } = basket;
  const isShort = (priced: PricedCart) => priced.cart.minimum.missing > 0;
  const mayBeShort = isShort(withCoupons(basket, []));
  let best = 0;
  for (const mode of modes ?? []) {
    const usable = [...catalogue.coupons.values()].filter(
      (coupon) => judge(coupon, withCoupons(basket, [], mode).couponCase).ok,
    );
    const groups = [...new Set(usable.map((coupon) => coupon.stackGroup))].map((name) =>
      usable.filter((coupon) => coupon.stackGroup === name),
    );
    const walk = (level: number, codes: readonly string[]): void => {
      const group = groups[level];
      if (group === undefined) {
        const priced = withCoupons(basket, codes, mode);
        if (mayBeShort || !isShort(priced)) best = Math.max(best, gainOf(basket, priced));
        return;
      }
      walk(level + 1, codes);
      for (const coupon of group) walk(level + 1, [...codes, coupon.code]);
    };
    walk(0, []);
  }
  return best;
}

/** What the bill itself says was taken off, in minor units. */
const discountsOn = (bill: Bill) =>
  bill.lines.reduce((sum, line) => (line.kind === 'discount' ? sum - line.amount : sum), 0);

describe('an offer that leaves less to pay than the smallest order', () => {
  /** On the first of January 150 off whatever is in the cart, of which one pizza costs less. */
  const context = pricingContextOf(india, { now: Date.UTC(2027, 0, 1, 7, 0) });
  const basketOf = (quantity: number, more: Partial<CartState> = {}): Basket => ({
    context,
    state: stateOf([lineOf('l', quantity, 'PZ001', 'R')], { deliveryType: 'PICKUP', ...more }),
  });

  test('never comes by itself, nor is it advised, and why is said', () => {
    const { state } = basketOf(1, { bestOffer: true });
    const { cart, applied, couponCase } = priceCart(state, context);
    expect([applied, cart.minimum.missing]).toEqual([['VEGLOVE20'], 0]);
    const { best, reasons } = advise(couponCase);
    expect(best.codes).not.toContain('NEWYEAR');
    expect(best.total).toBeGreaterThanOrEqual(india.country.minimumOrder);
    expect(reasons.get('NEWYEAR')).toEqual({
      kind: 'RULE',
      message: errorText.minimumOrder({ amount: '₹1' }),
      remedies: [],
    });
  });

  test('comes by itself where more is in the cart', () => {
    const { cart, applied } = priceCart(basketOf(2, { bestOffer: true }).state, context);
    expect([applied, cart.minimum.missing]).toEqual([['NEWYEAR'], 0]);
  });

  test('is beaten by weaker ones that together leave enough', () => {
    const coupon = (code: string, stackGroup: string, value: number): SeedCoupon => ({
      ...india.coupons.get('NEWYEAR')!,
      code,
      stackGroup,
      value,
    });
    const coupons = [coupon('A60', 'a', 6000), coupon('A55', 'a', 5500), coupon('B60', 'b', 6000)];
    const catalogue = { ...india, coupons: new Map(coupons.map((one) => [one.code, one])) };
    const basket = {
      ...basketOf(1),
      context: { ...context, catalogue, states: new Map(coupons.map(({ code }) => [code, { used: 0 }])) },
    };
    expect(bestCombination(withCoupons(basket, []).couponCase).codes).toEqual(['A55', 'B60']);
  });
});

describe('the best combination', () => {
  test('saves what the best of all combinations saves, and that is what the cart then costs [OFF-X01] [OFF-X04]', () => {
    let gained = 0;
    fc.assert(
      fc.property(arbitraryBasket(false), (basket) => {
        const bare = withCoupons(basket, []);
        const best = bestCombination(bare.couponCase);
        expect(bare.cart.bill.total - best.total + best.worth).toBe(bruteForce(basket));
        const priced = withCoupons(basket, best.codes, best.paymentModes?.[0] ?? null);
        expect(priced.cart.bill.total).toBe(best.total);
        expect(best.saving).toBe(discountsOn(priced.cart.bill));
        expect(priced.applied.slice().sort()).toEqual([...best.codes].sort());
        if (best.codes.length > 1) gained += 1;
      }),
      { numRuns: 2 * RUNS },
    );
    // Otherwise nothing was compared.
    expect(gained).toBeGreaterThan(RUNS / 20);
  });

  test("holds for the countries' own coupons and a prize of the wheel too [OFF-X01]", () => {
    fc.assert(
      fc.property(arbitraryBasket(true), (basket) => {
        const bare = withCoupons(basket, []);
        const best = bestCombination(bare.couponCase);
        expect(bare.cart.bill.total - best.total + best.worth).toBe(bruteForce(basket));
      }),
      { numRuns: 60 },
    );
  });

  test('every other coupon has one reason; all its remedies together make it apply [OFF-X02]', () => {
    let mended = 0;
    fc.assert(
      fc.property(arbitraryBasket(false), (basket) => {
        const { couponCase: at } = withCoupons(basket, []);
        const { best, reasons } = advise(at);
        for (const coupon of at.catalogue.coupons.values()) {
          if (best.codes.includes(coupon.code)) {
            expect(reasons.has(coupon.code)).toBe(false);
            continue;
          }
          const reason = reasons.get(coupon.code)!;
          expect(reason.message).toMatch(/.{5}/);
          const verdict = judge(coupon, at);
          expect(reason.kind === 'RULE' || verdict.ok, coupon.code).toBe(true);
          if (verdict.ok) continue;
          const remedies = remediesOf(coupon, at);
          // Money and the choices of an order can be mended here; more dishes of a kind are the customer's to choose.
          if (
            remedies.length === 0 ||
            remedies.some(({ kind }) => !['ADD_AMOUNT', 'PAYMENT_MODE', 'DELIVERY_TYPE'].includes(kind))
          )
            continue;
          const filler = withCoupons({ ...basket, state: stateOf([lineOf('f', 1, 'PZ001', 'L')]) }, []).lines[0]!;
          const after = remedies.reduce(
            (now, { amount, paymentModes, deliveryTypes }) => ({
              ...now,
              ...(amount === undefined ? {} : { lines: [...now.lines, { ...filler, price: amount }] }),
              ...(paymentModes === undefined ? {} : { paymentMode: paymentModes[0]! }),
              ...(deliveryTypes === undefined ? {} : { deliveryType: deliveryTypes[0]! }),
            }),
            at,
          );
          // Free delivery may come by itself with so much more.
          if (coupon.type !== 'FREE_DELIVERY')
            expect(judge(coupon, after), `${coupon.code} ${JSON.stringify(remedies)}`).toMatchObject({ ok: true });
          mended += 1;
        }
      }),
      { numRuns: RUNS },
    );
    expect(mended).toBeGreaterThan(RUNS / 10);
  });

  test('an item is only suggested if the total falls or its gift is worth more than it costs [OFF-X01]', () => {
    let suggested = 0;
    fc.assert(
      fc.property(
        arbitraryBasket(false),
        fc.integer({ min: 1, max: 20_000 }),
        fc.integer({ min: 1, max: 60_000 }),
        (made, missing, value) => {
          // One coupon that is just out of reach, worth little or much: often an item pays for itself, often it does not.
          const items = withCoupons(made, []).cart.bill.lines[0]!.amount;
          const near: SeedCoupon = {
            ...india.coupons.get('FLAT100')!,
            code: 'NEAR',
            value,
            minCart: items + missing,
          };
          const catalogue = {
            ...made.context.catalogue,
            coupons: new Map([...made.context.catalogue.coupons, ['NEAR', near]]),
          };
          const basket: Basket = {
            state: made.state,
            context: {
              ...made.context,
              catalogue,
              states: new Map([...made.context.states, ['NEAR', { used: 0 }]]),
            },
          };
          const { couponCase: at } = withCoupons(basket, []);
          const advice = advise(at);
          const found = suggestionFor(at, advice);
          if (found === null) return;
          suggested += 1;
          const grown: Basket = {
            ...basket,
            state: {
              ...basket.state,
              lines: [...basket.state.lines, lineOf('new', 1, found.productId, found.size as 'R')],
            },
          };
          const best = bestCombination(withCoupons(grown, []).couponCase);
          const priced = withCoupons(grown, best.codes, best.paymentModes?.[0] ?? null);
          expect(priced.cart.bill.total).toBe(found.total);
          expect(found.saving).toBe(advice.best.total - found.total);
          expect(found.saving > 0 || found.gifts > -found.saving).toBe(true);
        },
      ),
      { numRuns: RUNS / 2 },
    );
    expect(suggested).toBeGreaterThan(RUNS / 50);
    expect(suggested).toBeLessThan(RUNS / 2 - 5);
  });

  test('below the sum for free delivery the cheapest dish that reaches it, if the fee was dearer; nothing otherwise [OFF-X01]', () => {
    const none = { ...india, coupons: new Map<string, SeedCoupon>() };
    const dishes = [...none.items.values()]
      .flatMap((item) =>
        Object.entries(item.prices).map(([size, price]) => ({ id: item.id, size: size as 'R', price })),
      )
      .sort((a, b) => a.price - b.price);
    const { delivery, freeDeliveryFrom } = none.country.fees;
    const suggested = (sum: number) => {
      const dish = dishes.find(({ price }) => price === sum)!;
      const priced = priceCart(
        stateOf([lineOf('a', 1, dish.id, dish.size === ('ONE' as string) ? undefined : dish.size)]),
        pricingContextOf(none),
      );
      return { before: priced.cart.bill.total, found: advisedOffers(priced).suggestion };
    };
    const sums = [...new Set(dishes.map(({ price }) => price))].filter((sum) => sum < freeDeliveryFrom);
    const pays = (sum: number) => dishes.some(({ price }) => price >= freeDeliveryFrom - sum && price < delivery);
    const close = sums.filter(pays);
    expect(close.length).toBeGreaterThan(0);
    for (const sum of close) {
      const { before, found } = suggested(sum);
      expect(found!.total).toBeLessThan(before);
      expect(found!.saving).toBe(before - found!.total);
      expect(found!.message).toMatch(/^Add .+ and pay ₹\d+ less in all$/);
    }
    for (const sum of sums.filter((one) => !pays(one))) expect(suggested(sum).found, String(sum)).toBeUndefined();
  });

  const cart = (lines: readonly KeptLine[], more: Partial<CartState> = {}, context: Partial<PricingContext> = {}) =>
    priceCart(stateOf(lines, more), pricingContextOf(india, context));
  const two = [lineOf('a', 2, 'PZ005', 'M')];

  test('names the combination, its saving and the payment mode it needs [OFF-X01] [OFF-X03]', () => {
    const { best, offers } = advisedOffers(cart(two));
    expect(best).toMatchObject({ codes: expect.arrayContaining(['FREEDIP']), isOn: false, saving: expect.any(Number) });
    expect(best.message).toMatch(/^With \w+ \+ \w+ you save ₹[\d,.]+ and get ₹30 worth of food free/);
    for (const { code, reason, labelType } of offers)
      expect(reason === undefined, code).toBe(
        best.codes.includes(code) || (labelType === 'general_milestone' && reason === undefined),
      );
    const on = cart(two, { coupons: best.codes.filter((code) => code !== 'FREEDIP') });
    expect(advisedOffers(on).best).toMatchObject({ isOn: true, total: on.cart.bill.total });
  });

  test('says that the best is on the cart when it is, and not for another one of as many coupons [OFF-X01]', () => {
    const { codes } = advisedOffers(cart(two)).best;
    const on = (held: readonly string[], more: Partial<CartState> = {}) =>
      advisedOffers(cart(two, { coupons: held.filter((code) => code !== 'FREEDIP'), ...more })).best;
    expect(on(codes)).toMatchObject({ codes, isOn: true });
    const other = cart(two, { coupons: ['SAVE15'] });
    expect(other.applied).toHaveLength(codes.length);
    expect(on(['SAVE15'])).toMatchObject({ codes, isOn: false });
    expect(on(codes, { declined: ['FREEDIP'] })).toMatchObject({ codes, isOn: false });
  });

  test('a best one for certain payment modes is on the cart only once such a mode is chosen [OFF-X01] [OFF-X03]', () => {
    const catalogue = { ...india, coupons: new Map([['UPI75', india.coupons.get('UPI75')!]]) };
    const best = (paymentMode: string | null, coupons = ['UPI75']) =>
      advisedOffers(cart(two, { coupons, paymentMode }, { catalogue })).best;
    for (const mode of [null, 'UPI', 'COD'])
      expect(best(mode)).toMatchObject({ codes: ['UPI75'], paymentModes: ['UPI'], isOn: mode === 'UPI' });
    expect(best('UPI', [])).toMatchObject({ codes: ['UPI75'], isOn: false });
  });

  test('of two combinations that save the same, the one on the cart is the best: nobody is asked to change for nothing [OFF-X01]', () => {
    const large = [lineOf('a', 2, 'PZ005', 'L')];
    const bare = advisedOffers(cart(large)).best;
    const equal = ['FLAT200', 'FLASH2H'].map((code) => ({ code, on: cart(large, { coupons: [code] }) }));
    expect(equal[0]!.on.cart.bill.total).toBe(equal[1]!.on.cart.bill.total);
    expect(equal[0]!.on.cart.bill.total).toBe(bare.total);
    for (const { code, on } of equal) {
      const { best, offers } = advisedOffers(on);
      expect(best).toMatchObject({ isOn: true, total: bare.total, codes: expect.arrayContaining([code]) });
      expect(offers.find((offer) => offer.code === code)).toMatchObject({ status: 'APPLIED' });
      expect(offers.find((offer) => offer.code === code)?.reason).toBeUndefined();
    }
  });

  const losers: readonly [string, Partial<CartState>, Partial<PricingContext>, object][] = [
    [
      'MEGA25',
      {},
      {},
      {
        kind: 'RULE',
        message: 'Add items worth ₹641 more to use this coupon',
        remedies: [{ kind: 'ADD_AMOUNT', amount: 64_100 }],
      },
    ],
    [
      'PICKUP30',
      {},
      {},
      {
        kind: 'RULE',
        message: 'This coupon is not valid for delivery',
        remedies: [{ kind: 'DELIVERY_TYPE', message: 'Choose takeaway', deliveryTypes: ['PICKUP'] }],
      },
    ],
    [
      'UPI75',
      { paymentMode: 'COD' },
      {},
      { kind: 'RULE', message: 'This coupon needs UPI', remedies: [{ kind: 'PAYMENT_MODE', paymentModes: ['UPI'] }] },
    ],
    ['UPI75', {}, { modes: ['GPAY'] }, { kind: 'RULE', message: 'This coupon needs UPI', remedies: [] }],
    ['DIWALI25', {}, {}, { kind: 'RULE', message: 'Coupon expired', remedies: [] }],
    ['TRAIN50', {}, {}, { kind: 'RULE', message: 'This coupon is for food ordered to a train', remedies: [] }],
    ['NEWYEAR', {}, {}, { kind: 'RULE', remedies: [{ kind: 'WAIT', at: Date.parse('2027-12-31T00:00:00+05:30') }] }],
    ['SAKETONLY', {}, {}, { kind: 'RULE', remedies: [{ kind: 'STORE', storeIds: [expect.any(String)] }] }],
    ['LATENIGHT', {}, {}, { kind: 'RULE', remedies: [{ kind: 'WAIT', message: 'Use it from 11 PM to 3 AM' }] }],
    [
      'BOGOWED',
      {},
      {},
      {
        kind: 'RULE',
        remedies: [
          {
            kind: 'ADD_ITEMS',
            message:
              'Add 1 more Large from Veg Pizza or Non-Veg Pizza and 1 more Regular from Veg Pizza or Non-Veg Pizza',
          },
        ],
      },
    ],
    [
      'FLAT100',
      {},
      {},
      {
        kind: 'BEATEN',
        message: expect.stringMatching(/^[A-Z0-9]+ saves ₹[\d,.]+ more$/),
        remedies: [{ kind: 'REPLACE' }],
      },
    ],
  ];
  test.each(losers)('%s loses for its one reason [OFF-X02]', (code, state, context, expected) => {
    const { offers } = advisedOffers(cart(two, state, context));
    expect(offers.find((offer) => offer.code === code)?.reason).toMatchObject(expected);
  });

  test.each([
    [[], 'Add items worth ₹641', 'Off all food'],
    [['PIZZA-MANIA'], 'Add items worth ₹641; minis do not count', 'Off all food but minis'],
    [['DEALS'], 'Add items worth ₹641; combos do not count', 'Off all food but combos'],
    [
      ['DEALS', 'PIZZA-MANIA'],
      'Add items worth ₹641; minis and combos do not count',
      'Off all food but minis and combos',
    ],
  ] as const)(
    'a coupon that does not count %j says so where it says what to add, and in its terms [OFF-X02]',
    (excludes, add, base) => {
      const own = { ...india.coupons.get('MEGA25')!, excludes: [...excludes] };
      const catalogue = { ...india, coupons: new Map([['MEGA25', own]]) };
      const [offer] = advisedOffers(cart(two, {}, { catalogue })).offers;
      expect(offer?.reason?.remedies).toMatchObject([{ kind: 'ADD_AMOUNT', message: add }]);
      expect(offer?.subtitle?.split(' · ')[0]).toBe(base);
    },
  );

  test('offers that do not fit come nearest first: fewer steps, then less money, hopeless ones last [OFF-07] [OFF-X02]', () => {
    const { offers } = advisedOffers(cart([lineOf('a', 1, 'PZ001', 'R')]));
    const ruled = offers
      .filter(({ status, reason }) => status === 'REJECTED' && reason?.kind === 'RULE')
      .map(({ reason }) => reason!.remedies);
    const amounts = ruled
      .filter((remedies) => remedies.length === 1 && remedies[0]!.kind === 'ADD_AMOUNT')
      .map(([remedy]) => remedy!.amount!);
    expect(amounts.length).toBeGreaterThan(5);
    expect(amounts).toEqual([...amounts].sort((a, b) => a - b));
    const hopeless = ruled.findIndex((remedies) => remedies.length === 0);
    expect(hopeless).toBeGreaterThan(0);
    expect(ruled.slice(hopeless).every((remedies) => remedies.length === 0)).toBe(true);
    expect(ruled.findIndex((remedies) => remedies.length > 1)).toBeGreaterThan(
      ruled.findLastIndex((remedies) => remedies.length === 1 && remedies[0]!.kind === 'ADD_AMOUNT'),
    );
  });

  test('offers on the cart come first, then those that save most, then the nearest; ties keep the catalogue’s order [OFF-07]', () => {
    const flat = india.coupons.get('FLAT100')!;
    const own = (code: string, more: Partial<SeedCoupon>): [string, SeedCoupon] => [
      code,
      { ...flat, minCart: null, code, stackGroup: code, ...more },
    ];
    const far = { minCart: 900_000 };
    const coupons = new Map([
      own('NEVER', { usage: { ...flat.usage, total: 0 } }),
      own('WAITS', { daysOfWeek: [0] }),
      own('STORE', { storeIds: ['10102'] }),
      own('TWO', { ...far, paymentModes: ['UPI'] }),
      own('FAR', far),
      own('NEAR', { minCart: 90_000 }),
      own('LESS', { value: 300 }),
      own('MORE', { value: 400 }),
      own('SAME', { value: 300 }),
      own('ON', { value: 200 }),
      own('PRIZE', { wheel: true }),
      own('THEIRS', { partner: 'x' }),
    ]);
    const shopper = { partnerOffers: false, hasOrdered: false, used: new Map(), steps: () => 0 };
    const states = new Map([...coupons.keys()].map((code) => [code, { used: 0 }]));
    const priced = cart(
      [lineOf('a', 1, 'PZ005', 'M')],
      { coupons: ['ON'], paymentMode: 'COD' },
      {
        catalogue: { ...india, coupons },
        states,
        shopper,
      },
    );
    expect(advisedOffers(priced).offers.map(({ code, status }) => `${code} ${status}`)).toEqual([
      ...['ON APPLIED', 'MORE AVAILABLE', 'LESS AVAILABLE', 'SAME AVAILABLE'],
      ...['NEAR REJECTED', 'FAR REJECTED', 'TWO REJECTED', 'WAITS REJECTED', 'STORE REJECTED', 'NEVER REJECTED'],
    ]);
  });

  test('an offer that takes the place of another names it, and a milestone step is not among the best offers [OFF-X01]', () => {
    const { offers } = advisedOffers(cart(two, { coupons: ['SAVE15'] }));
    const flat = offers.find(({ code }) => code === 'FLAT100')!;
    expect(flat.messages).toEqual([{ messageType: 'info', message: 'Takes the place of SAVE15' }]);
    expect(offers.find(({ code }) => code === 'FREEDIP')!.messages).toEqual([]);
    const alone: SeedCoupon = { ...india.coupons.get('MILESTONE5')!, stackGroup: 'own' };
    const coupons = new Map([
      ['SAVE15', india.coupons.get('SAVE15')!],
      ['MILESTONE5', alone],
    ]);
    const steps = { partnerOffers: true, hasOrdered: true, used: new Map(), steps: () => 1 };
    const both = cart(two, { coupons: ['SAVE15', 'MILESTONE5'] }, { catalogue: { ...india, coupons }, shopper: steps });
    expect(both.applied).toEqual(['SAVE15', 'MILESTONE5']);
    expect(advisedOffers(both).best).toMatchObject({ codes: ['SAVE15'], isOn: true });
  });

  test('what was typed is answered with its offer: what it saves, or why not; of what nobody may have there is none [OFF-15]', () => {
    const shopper = { partnerOffers: false, hasOrdered: false, used: new Map(), steps: () => 0 };
    const idle: SeedCoupon = { ...india.coupons.get('FLAT100')!, code: 'IDLE', value: 1, minCart: null };
    const theirs: SeedCoupon = { ...idle, code: 'THEIRS', partner: 'x' };
    const coupons = new Map([...india.coupons, ['IDLE', idle], ['THEIRS', theirs]]);
    const states = new Map([...coupons.keys()].map((code) => [code, { used: 0 }]));
    const priced = cart([lineOf('a', 1, 'PZ005', 'M')], {}, { catalogue: { ...india, coupons }, states, shopper });
    const said = (code: string) => {
      const { coupon, message, offer } = tried(priced, code);
      return [coupon?.code, message, offer && [offer.status, offer.messages.map((one) => one.message), offer.saving]];
    };
    const idly = 'This coupon would not lower your total now';
    const low = 'Add items worth ₹570 more to use this coupon';
    expect(said(' save15')).toEqual(['SAVE15', null, ['AVAILABLE', [], 6435]]);
    expect(said('IDLE')).toEqual(['IDLE', idly, ['REJECTED', [idly], undefined]]);
    expect(said('FLAT200')).toEqual(['FLAT200', low, ['REJECTED', [low], undefined]]);
    expect(said('THEIRS')).toEqual(['THEIRS', 'This coupon is not available here', undefined]);
    for (const code of ['NONE', 'WHEEL5']) expect(said(code)).toEqual([undefined, 'Invalid coupon code', undefined]);
  });

  test('nobody is congratulated on what brings them nothing, and one without words of its own says what it saves [OFF-25]', () => {
    const save = { ...india.coupons.get('SAVE15')!, confettiMessage: null, confettiSubMessage: null };
    const own = { ...save, confettiMessage: 'Hurray', confettiSubMessage: 'At last' };
    const wheel = { ...save, code: 'FIRST', stackGroup: 'wheel', value: 5 };
    const coupons = new Map([
      ['SAVE15', save],
      ['FIRST', wheel],
    ]);
    const on = (...codes: string[]) =>
      cart([lineOf('a', 1, 'PZ005', 'M')], { coupons: codes }, { catalogue: { ...india, coupons } });
    const [before, after] = [on('FIRST'), on('FIRST', 'SAVE15')];
    expect(promoOf(save, before, after)).toEqual({
      promoCode: 'SAVE15',
      confettiMessage: text.couponApplied,
      confettiSubMessage: text.couponGain({ amount: '₹64.35', code: 'SAVE15' }),
    });
    expect(promoOf(own, before, after)).toEqual({
      ...{ promoCode: 'SAVE15', confettiMessage: 'Hurray', confettiSubMessage: 'At last' },
    });
    for (const was of [null, after]) expect(promoOf(own, was, after)).toEqual({ promoCode: 'SAVE15' });
    expect(promoOf(own, after, before)).toEqual({ promoCode: 'SAVE15' });
  });

  test('a coupon that would take nothing off is not applied, whatever its rules say [OFF-X04] [OFF-14]', () => {
    // The wheel's free delivery and the coupon's are one delivery: the second brings nothing.
    const small = [lineOf('a', 1, 'PZ003', 'M')];
    const both = cart(small, { coupons: ['FREEDEL'], prizes: ['WHEELDEL'] });
    expect(both.cart.bill.lines.filter(({ kind }) => kind === 'discount')).toHaveLength(1);
    expect(both.applied.filter((code) => code.endsWith('DEL'))).toHaveLength(1);
    const idle: SeedCoupon = { ...india.coupons.get('FLAT100')!, code: 'IDLE', value: 1, minCart: null };
    const catalogue = { ...india, coupons: new Map([...india.coupons, ['IDLE', idle]]) };
    const priced = priceCart(
      stateOf([lineOf('a', 1, 'PZ005', 'M')], { coupons: ['IDLE'] }),
      pricingContextOf(catalogue),
    );
    // One paisa: rounding swallows it.
    expect(priced.cart.offers.find(({ code }) => code === 'IDLE')).toMatchObject({
      status: 'REJECTED',
      messages: [{ messageType: 'error', message: 'This coupon would not lower your total now' }],
    });
    expect(priced.applied).not.toContain('IDLE');
  });
});

import fc from 'fast-check';
import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { countryConfig } from '../../country/index.ts';
import * as cart from '../../src/contract/cart.ts';
import * as help from '../../src/contract/help.ts';
import * as loyalty from '../../src/contract/loyalty.ts';
import { costOf, pieceCosts } from '../../src/domain/allocation.ts';
import { sharesOf } from '../../src/domain/group.ts';
import { namedParts, partsOfLine, worthOf } from '../../src/domain/help.ts';
import { priceCart, type CartState, type PricedCart, type PricingContext } from '../../src/server/rules/cart/cart.ts';
import { linesFor } from '../../src/server/rules/checkout/orderLines.ts';
import { catalogueFromDisk } from '../../src/server/rules/catalogue/catalogue.ts';
import type { CountryCatalogue } from '../../src/server/call/catalogue.ts';
import type { KeptLine } from '../../src/server/store/carts.ts';
import type { Paper } from '../../src/server/rules/invoice/paper.ts';
import { invoicePaper } from '../../src/server/rules/order/invoice/invoicePapers.ts';
import type { OrderRow } from '../../src/server/store/orders.ts';

import { ask, handsOver } from './claims.ts';
import { member, openShop, PICKUP, PLACES, type Where } from './shop.ts';
import { shopHere } from './shopHere.ts';

const catalogues = ['IN', 'LK', 'BG'].map((code) => catalogueFromDisk(countryConfig(code)));
const [india] = catalogues as [CountryCatalogue];
/** A Wednesday, 16:30 in India: no offer of that hour is on. */
const AFTERNOON = Date.UTC(2027, 0, 13, 11, 0);

type Size = 'R' | 'M' | 'L';
const lineOf = (lineId: string, productId: string, quantity = 1, size?: Size, personId?: string): KeptLine => ({
  lineId,
  quantity,
  removed: false,
  changedAt: 1,
  wish: { productId, ...(size === undefined ? {} : { size }) },
  ...(personId === undefined ? {} : { personId }),
});

function priced(
  lines: readonly KeptLine[],
  more: Partial<CartState> = {},
  catalogue: CountryCatalogue = india,
): PricedCart {
  const state: CartState = {
    cartId: 'c',
    userId: 'u',
    version: 1,
    storeId: '',
    deliveryType: 'PICKUP',
    lines,
    coupons: [],
    // The prizes of the wheel come by themselves, too.
    declined: [...catalogue.coupons.values()]
      .filter(({ autoApply, wheel }) => autoApply && wheel !== true)
      .map(({ code }) => code),
    tip: 0,
    carryBag: false,
    cutlery: false,
    paymentMode: null,
    ...more,
  };
  const context: PricingContext = {
    catalogue,
    store: catalogue.stores.get(catalogue.country.DEFAULT_STORE)!,
    soldOut: new Set(),
    now: AFTERNOON,
    bin: null,
    modes: ['UPI', 'CARD', 'COD'],
    shopper: { partnerOffers: true, hasOrdered: false, used: new Map(), steps: (_, required) => required },
    states: new Map([...catalogue.coupons.keys()].map((code) => [code, { used: 0 }])),
  };
  return priceCart(state, context);
}
const costs = ({ costs: all }: PricedCart) => Object.fromEntries(all.map((one) => [one.lineId, costOf(one)]));
const dishesOf = ({ cart: { validItems }, costs: all }: PricedCart) => {
  const { lines, costs: told } = linesFor({ lines: validItems, costs: all });
  return { lines, costs: told! };
};
const sum = (amounts: readonly number[]) => amounts.reduce((all, own) => all + own, 0);
type Piece = { readonly lineId: string; readonly part: string; readonly quantity: number };
/** What the cart's pieces are worth in this order of claims, each claimed by itself. */
function claimed(all: PricedCart, orderOf: (claims: readonly Piece[]) => readonly Piece[] = (claims) => claims) {
  const dishes = dishesOf(all);
  const claims = dishes.lines.flatMap((line) =>
    Array.from({ length: line.quantity }, () =>
      partsOfLine(line).map(({ id }) => ({ lineId: line.lineId, part: id, quantity: 1 })),
    ).flat(),
  );
  const before = new Map<string, number>();
  return orderOf(claims).map((claim) => {
    const named = namedParts(dishes.lines, [claim]);
    const back = worthOf(dishes, named, (line, part) => before.get(`${line} ${part}`) ?? 0);
    const key = `${claim.lineId} ${claim.part}`;
    before.set(key, (before.get(key) ?? 0) + 1);
    return [claim.lineId, back] as const;
  });
}

describe('a discount stays on the lines that it was given for', () => {
  test.each<[string, string, KeptLine[], Partial<CartState>, Record<string, number>]>([
    [
      'SAVE15 leaves combos out',
      'SAVE15',
      [lineOf('combo', 'DL003'), lineOf('pizzas', 'PZ002', 2, 'M')],
      {},
      { combo: 418_95, pizzas: 640_82 + 23 },
    ],
    [
      'VEGLOVE20 is for pizzas alone',
      'VEGLOVE20',
      [lineOf('pizza', 'PZ004', 1, 'M'), lineOf('side', 'SD003')],
      {},
      { side: 187_95 },
    ],
    [
      'WINGIT is for chicken alone',
      'WINGIT',
      [lineOf('wings', 'SC003'), lineOf('pizza', 'PZ001', 1, 'M')],
      {},
      { pizza: 240_45 },
    ],
    [
      'BUY1GET1 makes the cheaper pizza free',
      'BUY1GET1',
      [lineOf('paid', 'PZ002', 1, 'M'), lineOf('free', 'PZ001', 1, 'M')],
      {},
      { paid: 376_95 + 5, free: 0 },
    ],
    [
      'points pay for a pizza',
      'REWARD',
      [lineOf('pizza', 'PZ028', 1, 'R'), lineOf('side', 'SD005')],
      { coupons: [], reward: true },
      { pizza: 0, side: 124_95 + 5 },
    ],
  ])('%s', (_, code, lines, more, expected) => {
    const all = priced(lines, { coupons: [code], ...more });
    expect(all.cart.bill.lines.some(({ kind }) => kind === 'discount')).toBe(true);
    expect(costs(all)).toMatchObject(expected);
    expect(sum(Object.values(costs(all)))).toBe(all.cart.bill.total);
  });

  test('a combo’s dishes cost by what each costs alone', () => {
    const dishes = dishesOf(priced([lineOf('combo', 'DL005')]));
    const [line] = dishes.lines;
    const worths = partsOfLine(line!).map(({ id }) =>
      worthOf(dishes, namedParts(dishes.lines, [{ lineId: 'combo', part: id, quantity: 1 }])),
    );
    const prices = dishes.costs[0]!.partPrices!;
    const all = prices.reduce((sum, own) => sum + own, 0);
    for (const [index, worth] of worths.entries())
      expect(Math.abs(worth - (dishes.costs[0]!.cost * prices[index]!) / all)).toBeLessThan(1);
    expect(Math.max(...worths) / Math.min(...worths)).toBeGreaterThan(10);
  });

  test.each<[string, KeptLine[], Partial<CartState>, number[]]>([
    [
      'of two alike in one line, one free with BUY1GET1',
      [lineOf('a', 'PZ002', 2, 'M')],
      { coupons: ['BUY1GET1'] },
      [376_95 + 5, 0],
    ],
    [
      'of two lines of the same pizza, one free with BUY1GET1',
      [lineOf('a', 'PZ002', 1, 'M'), lineOf('b', 'PZ002', 1, 'M')],
      { coupons: ['BUY1GET1'] },
      [376_95 + 5, 0],
    ],
    ['of two alike, one paid by points', [lineOf('a', 'PZ028', 2, 'R')], { reward: true }, [366_45 - 45, 0]],
    [
      'of three alike, one paid by points and one free with BUY1GET1',
      [lineOf('a', 'PZ028', 3, 'R')],
      { reward: true },
      [366_45 + 5, 366_45 + 5, 0],
    ],
  ])('%s: the free one gives nothing back, in any order of claims', (_, lines, more, expected) => {
    const all = priced(lines, more);
    expect(sum(expected)).toBe(all.cart.bill.total);
    const worths = claimed(all).map(([, worth]) => worth);
    expect(worths).toEqual(expected);
  });

  test('each of a group owes what their own lines cost', () => {
    const shares = (all: PricedCart, ...people: readonly string[][]) =>
      sharesOf(
        all.cart.bill,
        people.map((own) => all.costs.filter(({ lineId }) => own.includes(lineId))),
        india.country.tax,
      ).map(({ total }) => total);
    const rewarded = priced([lineOf('pizza', 'PZ028', 1, 'R'), lineOf('side', 'SD005')], { reward: true });
    // The host pays the bill, and so what it is rounded by.
    expect(shares(rewarded, ['pizza'], ['side'])).toEqual([5, 124_95]);
    const saved = priced([lineOf('combo', 'DL003'), lineOf('pizzas', 'PZ002', 2, 'M')], { coupons: ['SAVE15'] });
    expect(shares(saved, ['pizzas'], ['combo'])).toEqual([saved.cart.bill.total - 418_95, 418_95]);
  });

  test('a fee takes what the bill is rounded by, so that a dish costs its price and its tax', () => {
    const all = priced([lineOf('pizza', 'PZ001', 1, 'M')], { deliveryType: 'DELIVERY', tip: 20_00 });
    expect(all.cart.bill.lines.some(({ id, amount }) => id === 'delivery' && amount > 0)).toBe(true);
    expect(costs(all)).toEqual({ pizza: 240_45 });
  });
});

describe('whatever is in a cart and whatever is claimed', () => {
  const carts = fc.nat({ max: catalogues.length - 1 }).chain((country) => {
    const catalogue = catalogues[country]!;
    const dishes = [...catalogue.items.values()].flatMap((item) =>
      Object.keys(item.prices).map((size) => ({
        productId: item.id,
        size: size === 'ONE' ? undefined : (size as Size),
      })),
    );
    const isPizza = (productId: string) => catalogue.items.get(productId)?.kind === 'PIZZA';
    const halves = fc.constantFrom(...dishes.filter(({ productId, size }) => size === 'M' && isPizza(productId)));
    const half = fc.record({ dish: halves, other: halves }).map(({ dish: own, other }) => ({
      ...own,
      ...(other === own ? {} : { build: { secondHalf: other.productId } }),
    }));
    const combos = [...catalogue.deals.keys()].map((productId) => ({ productId, size: undefined }));
    const dish = fc.oneof(fc.constantFrom(...dishes, ...combos), fc.constantFrom(...combos), half);
    return fc.record({
      country: fc.constant(country),
      lines: fc.array(fc.record({ dish, quantity: fc.integer({ min: 1, max: 4 }) }), { minLength: 1, maxLength: 6 }),
      coupons: fc.shuffledSubarray([...catalogue.coupons.keys()], { maxLength: 4 }),
      deliveryType: fc.constantFrom('DELIVERY' as const, 'PICKUP' as const, 'DINEIN' as const),
      prizes: fc.shuffledSubarray(['WHEEL5', 'WHEEL10', 'WHEELDIP', 'WHEELCUP', 'WHEELDEL'], { maxLength: 1 }),
      reward: fc.boolean(),
      carryBag: fc.boolean(),
      tip: fc.constantFrom(0, 2_000),
      seed: fc.nat(),
    });
  });
  const cartOf = ({ country, lines, seed: _, ...more }: Generated) =>
    priced(
      lines.map(({ dish: { productId, size, ...built }, quantity }, index) => {
        const line = lineOf(`l${index}`, productId, quantity, size);
        return { ...line, wish: { ...line.wish, ...built } };
      }),
      more,
      catalogues[country],
    );
  type Generated = typeof carts extends fc.Arbitrary<infer T> ? T : never;
  const kindOf = (bill: cart.Bill, kind: cart.Bill['lines'][number]['kind']) =>
    sum(bill.lines.filter((line) => line.kind === kind).map(({ amount }) => amount));
  const property = (check: (of: Generated, all: PricedCart) => void) => {
    fc.assert(
      fc.property(carts, (of) => check(of, cartOf(of))),
      { numRuns: 300 },
    );
  };

  test('the costs of the lines are the goods of the bill: together with its charges and the tip its total', () => {
    property((of, all) => {
      const { country } = catalogues[of.country]!;
      const { bill } = all.cart;
      const fee = bill.lines.findIndex(({ id }) => id === 'delivery');
      const isOnFee = (index: number) => fee >= 0 && index > fee;
      const off = (onFee: boolean) =>
        sum(
          bill.lines
            .filter(({ kind }, index) => kind === 'discount' && isOnFee(index) === onFee)
            .map(({ amount }) => amount),
        );
      expect(sum(all.costs.map(({ dishes, discount }) => dishes + discount))).toBe(bill.lines[0]!.amount + off(false));
      const rest = bill.total - kindOf(bill, 'tip') - sum(all.costs.map((one) => costOf(one)));
      const charges = kindOf(bill, 'charge') + off(true);
      // What is no dish: nothing where nothing else was asked for, and otherwise that with its tax, rounded.
      if (charges === 0) expect(rest).toBe(0);
      else {
        const { included, basisPoints } = country.tax;
        expect(rest).toBeGreaterThanOrEqual(charges - 52);
        expect(rest).toBeLessThanOrEqual(charges * (included ? 1 : 1 + basisPoints / 10_000) + 52);
      }
    });
  });

  test('each line costs its price less its discounts, and the tax that the rate gives on that', () => {
    property((of, all) => {
      const { country } = catalogues[of.country]!;
      for (const one of all.costs) {
        const net = one.dishes + one.discount;
        expect(one.discount).toBeLessThanOrEqual(0);
        expect(net).toBeGreaterThanOrEqual(0);
        const tax = country.tax.included ? 0 : (net * country.tax.basisPoints) / 10_000;
        expect(Math.abs(one.tax - tax)).toBeLessThan(1);
        expect(Math.abs(one.rounding)).toBeLessThanOrEqual(52);
        expect(sum(one.pieces)).toBe(net);
        if (net === 0) expect(costOf(one)).toBe(0);
      }
      expect(all.costs.filter(({ rounding }) => rounding !== 0).length).toBeLessThanOrEqual(1);
    });
  });

  test('the rows of an invoice are what each dish cost, and with its other sums come to its total to the paisa', () => {
    property((of, all) => {
      const { country } = catalogues[of.country]!;
      const { bill } = all.cart;
      const dishes = dishesOf(all);
      const paper = invoicePaper(orderWith(country.COUNTRY_CODE, { ...dishes, bill }), { number: 'I', at: 0 }, []);
      const own = paper.rows.map(({ price, quantity, discount = '0', amount }) => {
        // The last unit of a share stands where it was given.
        expect(minor(price) * Number(quantity) + minor(discount)).toBe(minor(amount));
        return minor(amount);
      });
      const net = dishes.costs.map(({ cost, tax, rounding }) => cost - tax - rounding);
      expect(sum(own)).toBe(sum(net));
      expect(paper.columns.discount !== undefined).toBe(
        net.some((amount, at) => amount !== dishes.lines[at]!.lineTotal),
      );
      const [, ...others] = bill.lines;
      const fee = bill.lines.findIndex(({ id }) => id === 'delivery');
      const rest = others.filter(
        (line, at) => line.included !== true && (line.kind !== 'discount' || (fee >= 0 && at + 1 > fee)),
      );
      expect(sum(own) + sum(rest.map(({ amount }) => amount))).toBe(bill.total);
      expect(minor(paper.sums.find(({ weight }) => weight === 'strong')!.value)).toBe(bill.total);
    });
  });

  test('a line that no offer counts costs its full price', () => {
    property(({ country, reward }, all) => {
      const catalogue = catalogues[country]!;
      const offers = all.applied.map((code) => catalogue.coupons.get(code)!);
      // What these types count is said by their terms alone.
      if (reward || offers.some(({ type }) => !['PERCENT', 'FLAT', 'FREE_ITEM', 'FREE_DELIVERY'].includes(type)))
        return;
      for (const line of all.lines) {
        const isCounted = offers.some(
          ({ type, excludes, appliesTo }) =>
            (type === 'PERCENT' || type === 'FLAT') &&
            !excludes.includes(line.productType) &&
            !(line.isDeal && excludes.includes('DEALS')) &&
            (!appliesTo?.categories || line.categoryIds.some((id) => appliesTo.categories.includes(id))),
        );
        const cost = all.costs.find(({ lineId }) => lineId === line.view.lineId)!;
        if (!isCounted) expect(cost.discount).toBe(0);
      }
    });
  });

  test('all claims together give back just what the dishes cost, whatever order they come in', () => {
    property(({ seed }, all) => {
      const dishes = dishesOf(all);
      const goods = sum(all.costs.map((one) => costOf(one)));
      expect(sum(dishes.costs.map(({ cost }) => cost))).toBe(goods);
      const shuffled = claimed(all, (claims) =>
        claims.toSorted((a, b) => hash(`${seed}${a.lineId}${a.part}`) - hash(`${seed}${b.lineId}${b.part}`)),
      );
      for (const { lineId, cost } of dishes.costs) {
        const own = shuffled.filter(([id]) => id === lineId).map(([, worth]) => worth);
        expect(sum(own)).toBe(cost);
        expect(Math.min(0, ...own)).toBe(0);
      }
      const rewarded = dishes.costs.find(({ isReward }) => isReward);
      const line = dishes.lines.find(({ lineId }) => lineId === rewarded?.lineId);
      // Of pizzas without anything that costs more, the one that points paid for was free.
      if (line !== undefined && line.build === undefined && line.crust === undefined)
        expect(shuffled.filter(([id]) => id === line.lineId).at(-1)![1]).toBe(0);
    });
  });

  test('each of a group owes what their own lines cost and an equal part of the charges', () => {
    property(({ country }, all) => {
      const { bill } = all.cart;
      const people = [0, 1, 2].map((at) => all.costs.filter((_, index) => index % 3 === at));
      const shares = sharesOf(bill, people, catalogues[country]!.country.tax);
      expect(sum(shares.map(({ total }) => total))).toBe(bill.total);
      const own = people.map((lines) => sum(lines.map((one) => costOf(one) - one.rounding)));
      const eaters = people.filter((lines) => lines.length > 0).length;
      const charges = bill.total - kindOf(bill, 'rounding') - sum(own);
      expect(Math.min(...shares.map(({ total }) => total))).toBeGreaterThanOrEqual(0);
      const equal = people.map((lines) => (lines.length > 0 ? charges / eaters : 0));
      const gaps = shares.map(({ total }, index) => Math.abs(total - own[index]! - equal[index]!));
      // One share has what the bill was rounded by: the host's, unless that would be below nothing.
      expect(gaps.filter((gap) => gap > 2).length).toBeLessThanOrEqual(1);
      expect(Math.max(...gaps)).toBeLessThanOrEqual(53);
      if (own[0]! + equal[0]! > 53) expect(Math.max(...gaps.slice(1))).toBeLessThanOrEqual(2);
    });
  });

  test('the pieces of a line add up to its cost, also where a dish costs nothing by itself', () => {
    const of = pieceCosts as unknown as (...args: readonly unknown[]) => number[][];
    expect(of(100, [1, 1, 1], [1])).toEqual([[34], [33], [33]]);
    expect(of(100, [1], [0, 0, 0])).toEqual([[34, 33, 33]]);
    expect(of(100, [50, 0], [1, 1])).toEqual([
      [50, 50],
      [0, 0],
    ]);
  });
});

/** An amount as a paper writes it, in minor units. */
const minor = (text: string) => Math.round(Number(text.replace('−', '-').replace(/[^\d.-]|\.(?!\d)/g, '')) * 100);
/** An order of these dishes, as its invoice reads it. */
function orderWith(country: string, snapshot: object): OrderRow {
  const store = { id: 'S', name: 'S', address: 'A', locality: 'L', city: 'C', postcode: '1' };
  const kept = JSON.stringify({ store, ...snapshot });
  return { id: 'ord_1', number: '1', country, delivery_type: 'PICKUP', submitted_at: 0, snapshot: kept } as OrderRow;
}

/** A number that has nothing to do with the order in which texts stand. */
const hash = (text: string) => [...text].reduce((sum, letter) => (Math.imul(sum, 31) + letter.charCodeAt(0)) >>> 0, 7);

describe('help pays what each dish cost', () => {
  const { server, db } = shopHere({}, 3600);

  test.each(['IN', 'LK', 'BG'])(
    'the credit note of a claim in %s names the dishes, and its rows come to what was taxed',
    async (country) => {
      const who = await member(server, country, { ...PLACES[country]!.where, deliveryType: 'PICKUP' });
      await who.fill(2, 'M');
      const order = await handsOver(server, who, { paymentMode: 'COD' });
      const [line] = order.lines;
      const { body } = await ask(who, {
        orderId: order.orderId,
        issue: 'missing',
        items: [{ lineId: line!.lineId, quantity: 1 }],
      });
      expect(body.ticket.state).toBe('DONE');
      const { paper, amount } = await db
        .selectFrom('invoices')
        .select(['paper', 'amount'])
        .where('order_id', '=', order.orderId)
        .where('kind', '=', 'CREDIT')
        .executeTakeFirstOrThrow();
      const { rows, sums } = JSON.parse(paper) as Paper;
      expect(rows.map(({ name, quantity }) => [name, quantity])).toEqual([[line!.product.name, '1']]);
      // Taxes stand inside the prices of Sri Lanka, and on top of the others.
      const isIncluded = countryConfig(country).tax.included;
      const values = sums.map(({ value }) => minor(value));
      const inside = isIncluded ? sum(values.slice(0, -1)) : values[0]!;
      expect(minor(rows[0]!.amount)).toBe(inside);
      expect(sum(values.slice(0, -1))).toBe(amount);
      expect(values.at(-1)).toBe(amount);
    },
  );

  interface Line {
    readonly productId: string;
    readonly quantity?: number;
    readonly size?: Size;
    readonly build?: { readonly secondHalf: string };
  }
  interface Case {
    readonly lines: Readonly<Record<string, Line>>;
    readonly coupon?: string;
    readonly country?: string;
    readonly where?: Where;
    readonly tip?: number;
    /** What the first claim for a piece comes to, or for a part ('line SLOT-0'); 0: a person is asked. */
    readonly worths: Readonly<Record<string, number>>;
    /** What is paid and is no dish. */
    readonly charges?: number;
  }
  const cases: [string, Case][] = [
    [
      'a combo that the coupon leaves out',
      {
        lines: { combo: { productId: 'DL003' }, pizzas: { productId: 'PZ002', quantity: 2, size: 'M' } },
        coupon: 'SAVE15',
        worths: { combo: 418_95, pizzas: 320_53 },
      },
    ],
    [
      'a side beside pizzas with VEGLOVE20',
      {
        lines: { pizza: { productId: 'PZ004', size: 'M' }, side: { productId: 'SD003' } },
        coupon: 'VEGLOVE20',
        worths: { side: 187_95 },
      },
    ],
    [
      'a pizza beside chicken with WINGIT',
      {
        lines: { wings: { productId: 'SC003' }, pizza: { productId: 'PZ001', size: 'M' } },
        coupon: 'WINGIT',
        worths: { pizza: 240_45 },
      },
    ],
    [
      'one of two pizzas free, with what the bill is rounded by on the other',
      {
        lines: { paid: { productId: 'PZ002', size: 'M' }, free: { productId: 'PZ001', size: 'M' } },
        coupon: 'BUY1GET1',
        worths: { paid: 376_95 + 5, free: 0 },
      },
    ],
    [
      'one of two alike free',
      {
        lines: { two: { productId: 'PZ002', quantity: 2, size: 'M' } },
        coupon: 'BUY1GET1',
        worths: { two: 376_95 + 5 },
      },
    ],
    [
      'the dishes of a combo, by what each costs alone',
      { lines: { combo: { productId: 'DL005' } }, worths: { 'combo SLOT-0': 420_97, 'combo SLOT-4': 29_44 } },
    ],
    [
      'the halves of a pizza',
      {
        lines: { halves: { productId: 'PZ002', size: 'M', build: { secondHalf: 'PZ004' } } },
        worths: { 'halves LEFT': 199_00, 'halves RIGHT': 199_00 },
      },
    ],
    [
      'a pizza that is brought: the fee and the tip stay',
      {
        lines: { pizza: { productId: 'PZ001', size: 'M' } },
        where: PLACES['IN']!.where,
        tip: 20_00,
        worths: { pizza: 240_45 },
        charges: 39_00 + 1_95 + 20_00 - 40,
      },
    ],
    ['a price that has its tax in it', { lines: { pizza: { productId: 'PZ001' } }, country: 'LK', worths: {} }],
    ['whole takas', { lines: { pizza: { productId: 'PZ001' } }, country: 'BG', worths: {} }],
  ];

  test.each(cases)('%s; and all claims together, in any order, all that was paid for dishes', async (_, one) => {
    await openShop(server);
    const country = one.country ?? 'IN';
    const where: Where = one.where ?? { storeId: PLACES[country]!.where.storeId, deliveryType: 'PICKUP' };
    const who = await member(server, country, where);
    for (const [lineId, { quantity = 1, ...line }] of Object.entries(one.lines)) {
      const added = await who.call(cart.add, {
        cartId: who.cartId,
        body: {
          items: [{ operationId: randomUUID(), line: { lineId, quantity, ...line } }],
          options: { storeId: where.storeId, deliveryType: where.deliveryType, tip: one.tip ?? 0 },
        },
      });
      expect(added.status, JSON.stringify(added.body)).toBe(200);
    }
    if (one.coupon !== undefined) await who.coupon(one.coupon);
    const order = await handsOver(server, who, { paymentMode: country === 'IN' ? 'UPI' : 'COD' });
    const guide = async () => (await who.call(help.guide, { query: { orderId: order.orderId } })).body.items;
    const claimFor = (lineId: string, part?: string) => ({
      orderId: order.orderId,
      issue: 'missing' as const,
      items: [{ lineId, quantity: 1, ...(part === undefined ? {} : { part }) }],
    });
    for (const [key, worth] of Object.entries(one.worths)) {
      const [lineId, part] = key.split(' ') as [string, string?];
      const quote = (await who.call(help.quote, { body: claimFor(lineId, part) })).body;
      if (quote.kind === 'PAY') expect([key, quote.amount]).toEqual([key, worth]);
      // More than the rules give without a person, or nothing: what it would be is said all the same.
      else if (part === undefined)
        expect([key, (await guide()).find((own) => own.lineId === lineId)!.paid]).toEqual([key, worth]);
    }

    // Every piece by itself, the last line first; where the rules leave it to a person, the desk gives what they say.
    const tickets: string[] = [];
    for (const { lineId, parts } of (await guide()).toReversed()) {
      const { quantity } = order.lines.find((line) => line.lineId === lineId)!;
      const pieces = parts.length === 0 ? [undefined] : parts.map(({ id }) => id).toReversed();
      for (const piece of pieces.flatMap((part) => Array.from({ length: quantity }, () => part))) {
        const asked = await ask(who, claimFor(lineId, piece));
        expect(asked.status, JSON.stringify(asked.body)).toBe(200);
        tickets.push(asked.body.ticket.eventId);
      }
    }
    await server.advance(30 * 60);
    const amounts: number[] = [];
    for (const eventId of tickets)
      amounts.push((await who.call(help.status, { eventId })).body.ticket.money?.amount ?? 0);
    expect(sum(amounts)).toBe(order.bill.total - (one.charges ?? 0));
    expect((await guide()).map(({ left, paid }) => [left, paid])).toEqual(order.lines.map(() => [0, null]));
  });
});

describe('help with an order of which points paid a part', () => {
  const { server } = shopHere({}, 3600);

  test('the dish that was paid comes back whole; the free pizza gives its points back, and no money', async () => {
    const who = await member(server, 'IN', PICKUP);
    await who.call(loyalty.register, { query: { enroll: 'true' } });
    await server.call(loyalty.grant, { body: { mobile: who.mobile, points: 600 } });
    const add = (lineId: string, productId: string) =>
      who.call(cart.add, {
        cartId: who.cartId,
        body: {
          items: [{ operationId: randomUUID(), line: { lineId, productId, quantity: 1 } }],
          options: { storeId: '10101', deliveryType: 'PICKUP' },
        },
      });
    await add('pizza', 'PZ028');
    await add('side', 'SD005');
    await who.call(loyalty.useReward, { cartId: who.cartId });
    const order = await handsOver(server, who);
    expect(order.bill.total).toBe(125_00);
    const points = async () => (await who.call(loyalty.user, {})).body.loyalty.balance.overall.points;
    const before = await points();
    const claim = (lineId: string) => ({
      orderId: order.orderId,
      issue: 'missing' as const,
      items: [{ lineId, quantity: 1 }],
    });
    expect((await who.call(help.quote, { body: claim('pizza') })).body).toMatchObject({
      kind: 'ANSWER',
      amount: null,
      answer: 'Your 600 points come back to you.',
    });
    const free = await ask(who, claim('pizza'));
    expect(free.body.ticket).toMatchObject({ state: 'DONE', money: null });
    await server.advance(1);
    expect(await points()).toBe(before + 600);
    const paid = await ask(who, claim('side'));
    expect(paid.body.ticket.money).toMatchObject({ amount: 125_00 });
    await server.advance(1);
    expect(await points()).toBe(before + 600);
  });
});

import fc from 'fast-check';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
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
import type { TestServer } from '../kit/server.ts';
import { ask, handsOver } from './claims.ts';
import { member, openedShop, PICKUP, type Shop } from './shop.ts';

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
    declined: [...catalogue.coupons.values()].filter(({ autoApply }) => autoApply).map(({ code }) => code),
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
    states: new Map([...catalogue.coupons.keys()].map((code) => [code, { loadedAt: AFTERNOON, used: 0 }])),
  };
  return priceCart(state, context);
}
const costs = ({ costs: all }: PricedCart) => Object.fromEntries(all.map((one) => [one.lineId, costOf(one)]));
const dishesOf = ({ cart: { validItems, bill }, costs: all }: PricedCart) => ({
  bill,
  ...linesFor({ lines: validItems, costs: all }),
});

describe('a discount stays on the lines that it was given for', () => {
  test.each<[string, string, KeptLine[], Partial<CartState>, Record<string, number>]>([
    [
      'SAVE15 leaves combos out',
      'SAVE15',
      [lineOf('combo', 'DL003'), lineOf('pizzas', 'PZ002', 2, 'M')],
      {},
      { combo: 418_95, pizzas: 640_81 },
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
      { paid: 376_96, free: 0 },
    ],
    [
      'points pay for a pizza',
      'REWARD',
      [lineOf('pizza', 'PZ028', 1, 'R'), lineOf('side', 'SD005')],
      { coupons: [], reward: true },
      { pizza: 0, side: 124_96 },
    ],
  ])('%s', (_, code, lines, more, expected) => {
    const all = priced(lines, { coupons: [code], ...more });
    expect(all.cart.bill.lines.some(({ kind }) => kind === 'discount')).toBe(true);
    expect(costs(all)).toMatchObject(expected);
  });

  test('a combo’s dishes cost by what each costs alone', () => {
    const dishes = dishesOf(priced([lineOf('combo', 'DL005')]));
    const [line] = dishes.lines;
    const worths = partsOfLine(line!).map(({ id }) =>
      worthOf(dishes, namedParts(dishes.lines, [{ lineId: 'combo', part: id, quantity: 1 }])),
    );
    const prices = dishes.costs![0]!.partPrices!;
    const all = prices.reduce((sum, own) => sum + own, 0);
    for (const [index, worth] of worths.entries())
      expect(Math.abs(worth - (dishes.costs![0]!.cost * prices[index]!) / all)).toBeLessThan(1);
    expect(Math.max(...worths) / Math.min(...worths)).toBeGreaterThan(10);
  });

  test('each of a group owes what their own lines cost', () => {
    const shares = (all: PricedCart, ...people: readonly string[][]) =>
      sharesOf(
        all.cart.bill,
        people.map((own) => all.costs.filter(({ lineId }) => own.includes(lineId))),
      ).map(({ total }) => total);
    const rewarded = priced([lineOf('pizza', 'PZ028', 1, 'R'), lineOf('side', 'SD005')], { reward: true });
    expect(shares(rewarded, ['pizza'], ['side'])).toEqual([0, 125_00]);
    const saved = priced([lineOf('combo', 'DL003'), lineOf('pizzas', 'PZ002', 2, 'M')], { coupons: ['SAVE15'] });
    const [guest, host] = shares(saved, ['combo'], ['pizzas']);
    expect(guest! + host!).toBe(saved.cart.bill.total);
    // Of the rounding of 24 paise the guest has a part.
    expect(guest).toBe(419_04);
  });
});

describe('whatever is in a cart and whatever is claimed', () => {
  const carts = fc.constantFrom(...catalogues).chain((catalogue) => {
    const dishes = [...catalogue.items.values()].flatMap((item) =>
      Object.keys(item.prices).map((size) => ({
        productId: item.id,
        size: size === 'ONE' ? undefined : (size as Size),
      })),
    );
    const combos = [...catalogue.deals.keys()].map((productId) => ({ productId, size: undefined }));
    return fc.record({
      catalogue: fc.constant(catalogue),
      lines: fc.array(
        fc.record({ dish: fc.constantFrom(...dishes, ...combos), quantity: fc.integer({ min: 1, max: 4 }) }),
        { minLength: 1, maxLength: 5 },
      ),
      coupons: fc.shuffledSubarray([...catalogue.coupons.keys()], { maxLength: 4 }),
      deliveryType: fc.constantFrom('DELIVERY' as const, 'PICKUP' as const, 'DINEIN' as const),
      reward: fc.boolean(),
      tip: fc.constantFrom(0, 2_000),
      order: fc.infiniteStream(fc.nat()),
    });
  });
  const sum = (amounts: readonly number[]) => amounts.reduce((all, own) => all + own, 0);

  test('the costs of the lines are the goods of the bill, and all claims together give back just that', () => {
    fc.assert(
      fc.property(carts, ({ catalogue, lines, order, ...more }) => {
        const all = priced(
          lines.map(({ dish, quantity }, index) => lineOf(`l${index}`, dish.productId, quantity, dish.size)),
          more,
          catalogue,
        );
        const { bill } = all.cart;
        const fee = bill.lines.findIndex(({ id }) => id === 'delivery');
        const taken = bill.lines.filter(({ kind }, index) => kind === 'discount' && (fee < 0 || index < fee));
        const net = bill.lines[0]!.amount + sum(taken.map(({ amount }) => amount));
        expect(sum(all.costs.map(({ dishes, discount }) => dishes + discount))).toBe(net);
        for (const one of all.costs) {
          expect(costOf(one)).toBeGreaterThanOrEqual(0);
          expect(one.discount).toBeLessThanOrEqual(0);
        }
        const goods = sum(all.costs.map((one) => costOf(one)));
        expect(goods).toBeLessThanOrEqual(bill.total + 100);

        // Each piece by itself, in any order.
        const dishes = dishesOf(all);
        expect(sum(dishes.costs!.map(({ cost }) => cost))).toBe(goods);
        const claims = dishes.lines.flatMap((line) =>
          Array.from({ length: line.quantity }, () =>
            partsOfLine(line).map(({ id }) => ({ lineId: line.lineId, part: id, quantity: 1 })),
          ).flat(),
        );
        const before = new Map<string, number>();
        const given = new Map<string, number>();
        for (const claim of claims.toSorted(() => (order.next().value! % 2 === 0 ? 1 : -1))) {
          const key = `${claim.lineId} ${claim.part}`;
          const named = namedParts(dishes.lines, [claim]);
          const back = worthOf(
            { ...dishes, bill: { ...bill, lines: [], total: 1e9 as never } },
            named,
            (line, part) => before.get(`${line} ${part}`) ?? 0,
          );
          before.set(key, (before.get(key) ?? 0) + 1);
          given.set(claim.lineId, (given.get(claim.lineId) ?? 0) + back);
        }
        for (const { lineId, cost } of dishes.costs!) expect(given.get(lineId) ?? 0).toBe(cost);

        const half = all.costs.filter((_, index) => index % 2 === 0);
        const rest = all.costs.filter((one) => !half.includes(one));
        const shares = sharesOf(bill, [half, rest]);
        expect(sum(shares.map(({ total }) => total))).toBe(bill.total);
      }),
      { numRuns: 300 },
    );
  });

  test('the pieces of a line add up to its cost, also where a dish costs nothing by itself', () => {
    expect(pieceCosts(100 as never, 3, [1])).toEqual([[34], [33], [33]]);
    expect(pieceCosts(100 as never, 1, [0, 0, 0])).toEqual([[34, 33, 33]]);
  });
});

describe('help with an order of which points paid a part', () => {
  let server: TestServer;
  let close: Shop['close'];
  beforeAll(async () => {
    ({ server, close } = await openedShop());
  });
  afterAll(() => close(3600));

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

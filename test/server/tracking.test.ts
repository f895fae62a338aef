import type { KyselyPlugin } from 'kysely';
import { afterEach, describe, expect, test, vi } from 'vitest';
import fc from 'fast-check';
import type { OrderView } from '../../src/contract/orders.ts';
import * as stores from '../../src/contract/stores.ts';
import * as tracking from '../../src/contract/tracking.ts';
import * as errors from '#text/errors.ts';
import * as words from '#text/orders.ts';
import { distanceKm } from '../../src/domain/geo.ts';
import type { Sink } from '../../src/server/call/providers.ts';
import type { Log } from '../../src/server/call/services.ts';
import { makeLog } from '../../src/server/http/log.ts';
import { following } from '../../src/server/rules/order/following.ts';
import { alongPath, pathOf } from '../../src/server/rules/order/simulatedRoute.ts';
import { kitchenDelayMs, missedCredit, promiseFor } from '../../src/server/rules/order/orders.ts';
import { orderById } from '../../src/server/store/orders.ts';
import { readSystem } from '../../src/server/store/system.ts';
import { countryConfig } from '../../country/index.ts';
import { LOOKS, measureEta, STATED } from '../kit/etaOrders.ts';
import { engines, startServer } from '../kit/server.ts';
import { codeOf } from './people.ts';
import { member, openedShop, openShop, PICKUP, PLACES, visitor } from './shop.ts';
import { during } from '../kit/during.ts';

describe.each(await engines())('tracking on %s', (engine) => {
  const server = during(() => startServer({ engine }), openShop);

  test('what a kitchen says before the order, the tracker says first; a full kitchen says more [ORD-X02]', async () => {
    await server.switches({ kitchen: 'varied' });
    try {
      const customer = await member(server);
      const { latitude, longitude } = customer.where.address!;
      const ask = async () =>
        (
          await customer.call(stores.byId, {
            storeId: customer.where.storeId,
            query: {
              kitchen: 'true',
              deliveryType: 'DELIVERY',
              latitude: String(latitude),
              longitude: String(longitude),
            },
          })
        ).body.kitchen!.minutes!;
      const said = await ask();
      const { order } = await customer.order({ paymentMode: 'COD' });
      const minutes = (at: number) => Math.round((at - order.placedAt) / 60_000);
      expect({ from: minutes(order.eta!.from), to: minutes(order.eta!.to) }).toEqual(said);
      for (let more = 0; more < 12; more += 1) await (await member(server)).order({ paymentMode: 'COD' });
      expect((await ask()).from).toBeGreaterThan(said.from);
    } finally {
      await server.switches({ kitchen: 'steady' });
      await server.advance(3_600);
    }
  });

  test('an order that is not placed yet cannot be followed, and says so [ORD-07] [ERR-18]', async () => {
    const customer = await visitor(server);
    const { order } = await customer.order();
    const answer = await customer.call(tracking.byOrder, { orderHistoryId: order.orderId });
    expect([answer.status, codeOf(answer), answer.body.errors?.[0]?.displayMsg]).toEqual([
      409,
      'NO_TRACKING',
      errors.noTracking,
    ]);
    expect(codeOf(await customer.call(tracking.onMap, { orderId: order.orderId }))).toBe('NO_TRACKING');
    const stranger = await visitor(server);
    expect((await stranger.call(tracking.onMap, { orderId: order.orderId })).status).toBe(404);
    expect((await customer.call(tracking.active, {})).body.orders).toEqual([]);
  });

  test('the rider leaves the store, comes nearer with every look, and arrives at the door [ORD-06] [API-43] [API-44]', async () => {
    const customer = await member(server);
    const { order } = await customer.order({ paymentMode: 'COD' });
    const map = async () => (await customer.call(tracking.onMap, { orderId: order.orderId })).body;
    const start = await map();
    expect(start).toMatchObject({
      rider: null,
      store: { latitude: order.store.latitude },
      customer: { latitude: order.address!.latitude },
    });
    await server.advance(695);
    const away: number[] = [];
    for (let look = 0; look < 5; look += 1) {
      const { rider, customer: door } = await map();
      away.push(1 - rider!.progress);
      expect(rider!.text).toMatch(
        new RegExp(`^${rider!.name} is ((\\d+(\\.\\d)? km away,|on the way:) about \\d+ minutes?|at your door)\\.$`),
      );
      if (look === 0) expect(distanceKm(rider!, start.store)).toBeLessThan(0.1);
      expect(distanceKm(rider!, door!)).toBeLessThan(5);
      await server.advance(140);
    }
    expect(away).toEqual([...away].sort((a, b) => b - a));
    expect((await customer.call(tracking.active, {})).body.orders.map((one) => one.orderId)).toEqual([order.orderId]);
    await server.advance(100);
    expect((await map()).rider).toBeNull();
    expect((await customer.call(tracking.byOrder, { orderHistoryId: order.orderId })).body.order.orderStatus).toBe(
      'DELIVERED',
    );
    expect((await customer.call(tracking.active, {})).body.orders).toEqual([]);
  });

  test('the way of a delivery is on its order: what is left of it, and the rider; what is collected has neither [ORD-05] [ORD-X01]', async () => {
    const customer = await member(server);
    const { order } = await customer.order({ paymentMode: 'COD' });
    const before = (await customer.read(order.orderId)).way!;
    expect(before).toMatchObject({ progress: null, km: expect.any(Number) as number });
    expect(before.minutes).toBeGreaterThan(1);
    await server.advance(900);
    const onIt = (await customer.read(order.orderId)).way!;
    expect(onIt.progress).toBeGreaterThan(0);
    expect(onIt.km).toBeLessThan(before.km);
    expect(onIt.minutes).toBeLessThan(before.minutes);
    await server.advance(900);
    expect((await customer.read(order.orderId)).way).toBeNull();
    const collector = await member(server, 'IN', PICKUP);
    const collected = await collector.order({ paymentMode: 'COD' });
    expect(collected.order.way).toBeNull();
    const { body } = await collector.call(tracking.onMap, { orderId: collected.order.orderId });
    expect(body).toMatchObject({ customer: null, rider: null });
  });

  test('the time has a range that narrows, and a reason [ORD-X02]', async () => {
    const customer = await member(server);
    const { order } = await customer.order({ paymentMode: 'COD' });
    const widths: number[] = [];
    const truth = order.steps[0]!.at! + 1_440_000;
    for (let look = 0; look < 4; look += 1) {
      const { eta } = await customer.read(order.orderId);
      expect(eta!.from).toBeLessThanOrEqual(truth);
      expect(eta!.to).toBeGreaterThanOrEqual(truth);
      expect(eta!.reason.length).toBeGreaterThan(10);
      widths.push(eta!.to - eta!.from);
      await server.advance(400);
    }
    expect(widths).toEqual([...widths].sort((a, b) => b - a));
    expect(widths.at(-1)).toBeLessThan(widths[0]!);
  });
});

describe('the way', () => {
  const point = fc.record({
    latitude: fc.double({ min: 6, max: 30, noNaN: true }),
    longitude: fc.double({ min: 70, max: 92, noNaN: true }),
  });
  test('begins at the store, ends at the door, and is the same for the same order', () => {
    fc.assert(
      fc.property(fc.string(), point, point, (id, from, to) => {
        const path = pathOf(id, from, to);
        expect(path).toEqual(pathOf(id, from, to));
        expect(alongPath(path, 0)).toEqual(from);
        expect(distanceKm(alongPath(path, 1), to)).toBeLessThan(0.001);
        expect(distanceKm(alongPath(path, 7), to)).toBeLessThan(0.001);
      }),
    );
  });
});

describe('rules of time', () => {
  const india = countryConfig('in');
  const at = (local: string) => Date.parse(`2027-01-15T${local}:00+05:30`);
  const order = { service: 'DELIVERY' as const, pizzas: 1, isAdvance: false };
  test('30 minutes by day, 45 from 23:00 to before 03:00, none for bulk, pickup and later [ORD-25] [ORD-27]', () => {
    const minutes = (local: string) => (promiseFor(india, order, at(local))! - at(local)) / 60_000;
    expect(['22:59', '23:00', '02:59', '03:00', '13:00'].map(minutes)).toEqual([30, 45, 45, 30, 30]);
    expect(promiseFor(india, { ...order, pizzas: 3 }, at('13:00'))).not.toBeNull();
    expect(promiseFor(india, { ...order, pizzas: 4 }, at('13:00'))).toBeNull();
    expect(promiseFor(india, { ...order, service: 'PICKUP' }, at('13:00'))).toBeNull();
    expect(promiseFor(india, { ...order, isAdvance: true }, at('13:00'))).toBeNull();
  });
  test.each([
    ['in', 30_000],
    ['lk', 75_000],
    ['bg', 30_000],
  ])('%s: a missed promise pays the bill, at most %i minor units; on the minute is kept [ORD-26]', (country, limit) => {
    const rule = countryConfig(country);
    expect(missedCredit(rule, 1_000_000, 1000, 1000)).toBeNull();
    expect(missedCredit(rule, 1_000_000, 1000, 1001)).toBe(limit);
    expect(missedCredit(rule, 12_345, 1000, 1001)).toBe(12_345);
  });
  test('each order beyond what the kitchen makes waits its turn', () => {
    expect([0, 11, 12, 13, 24].map((started) => kitchenDelayMs(started, 12) / 1000)).toEqual([0, 0, 50, 100, 650]);
  });
});

describe('the stated time', () => {
  const { held, widths } = measureEta(1000);
  test('holds for 8 of 10 of 1,000 simulated orders, whenever it is asked for, and narrows on the way [ORD-X02]', () => {
    // 1,000 orders tell a rate to within 0.04 at three standard errors.
    for (const { name } of LOOKS)
      expect([name, Math.abs(held[name]! - STATED) < 0.045, held[name]]).toEqual([name, true, held[name]]);
    expect(widths['half way']).toBeLessThan(widths['when it was placed']! * 0.8);
    expect(widths['when the rider leaves']).toBeLessThan(widths['in the oven']!);
    expect(widths['half way']).toBeLessThan(widths['when the rider leaves']! * 0.7);
  });
});

describe('who follows an order', () => {
  /** An order under way, and what its customer's token is. */
  async function followed({ isLater = false } = {}) {
    const shop = await openedShop();
    const { where } = PLACES['IN']!;
    const query = { timeSlots: 'true' as const };
    const { timeSlots } = (await shop.server.call(stores.byId, { storeId: where.storeId, query })).body;
    const customer = await member(shop.server, 'IN', isLater ? { ...where, slotId: timeSlots!.at(-1)!.id } : where);
    const { order } = await customer.order({ paymentMode: 'COD' });
    const access = await shop.db
      .selectFrom('access_tokens')
      .innerJoin('sessions', 'sessions.id', 'access_tokens.session_id')
      .select(['access_tokens.hash', 'access_tokens.ends_at as endsAt'])
      .where('sessions.user_id', '=', customer.userId)
      .orderBy('access_tokens.ends_at', 'desc')
      .executeTakeFirstOrThrow();
    return { ...shop, customer, order, access, row: async () => (await orderById(shop.db, order.orderId))! };
  }
  const quiet = makeLog({ development: true, quiet: true });
  /** A connection that keeps what it is sent. */
  function connection(unread = 0) {
    const wrote: string[] = [];
    const calls = { closed: 0, gone: () => {} };
    const sink: Sink = {
      write: (text) => void wrote.push(text),
      unread: () => unread,
      close: () => void (calls.closed += 1),
      onGone: (act) => {
        calls.gone = act;
      },
    };
    const events = () =>
      wrote.flatMap((text) => {
        const [, id, data] = /^event: order\nid: (\d+-[\w-]{10})\ndata: (.*)\n\n$/.exec(text) ?? [];
        return data === undefined
          ? []
          : [{ id, ...(JSON.parse(data) as { order: OrderView; map: { rider: { progress: number } }; now: number }) }];
      });
    return { sink, wrote, calls, events };
  }
  /** Lets so many seconds of this machine pass, and each look at the database end. */
  async function pass(seconds: number) {
    for (let second = 0; second < seconds; second += 1) {
      await vi.advanceTimersByTimeAsync(1_000);
      for (let turn = 0; turn < 50; turn += 1) await new Promise((done) => void setImmediate(done));
    }
  }
  const fake = () => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
  afterEach(() => {
    vi.useRealTimers();
  });
  const BYE = 'event: bye\ndata: {}\n\n';
  const RETRY = 'retry: 3000\n\n';

  test('the rider’s place is told every ten seconds, and no oftener, and each time the rider is nearer [ORD-X01]', async () => {
    const { server, db, customer, order, access, row, stop } = await followed();
    await server.advance(740);
    await customer.read(order.orderId);
    const told: { readonly at: number; readonly progress: number }[] = [];
    const { sink, events } = connection();
    const own = await row();
    fake();
    const followers = following(db, quiet);
    try {
      const begin = await followers.open(own, access, '');
      begin({
        ...sink,
        write: (text) => {
          sink.write(text);
          const { map } = events().at(-1) ?? {};
          if (map !== undefined && text.startsWith('event: order'))
            told.push({ at: Date.now(), progress: map.rider.progress });
        },
      });
      await pass(35);
    } finally {
      vi.useRealTimers();
      followers.stop();
      await stop();
    }
    expect(told.length).toBeGreaterThan(2);
    for (const [index, { at, progress }] of told.slice(1).entries()) {
      const before = told[index]!;
      expect(progress).toBeGreaterThan(before.progress);
      expect(at - before.at).toBeGreaterThanOrEqual(10_000);
      // It is looked once a second.
      expect(at - before.at).toBeLessThanOrEqual(11_000);
    }
  });

  test('of whom nothing changes hears every ten seconds that the connection lives, until it is ten minutes old', async () => {
    const { db, order, access, row, stop } = await followed({ isLater: true });
    const { sink, wrote, calls, events } = connection();
    const own = await row();
    expect(order.orderStatus).toBe('ADVANCE ORDER');
    fake();
    const followers = following(db, quiet);
    try {
      (await followers.open(own, access, ''))(sink);
      expect(wrote[0]).toBe(RETRY);
      expect(events()).toMatchObject([{ order: { orderId: order.orderId }, map: { rider: null } }]);
      expect(Math.abs(events()[0]!.now - order.placedAt)).toBeLessThan(60_000);
      await pass(34);
      expect(wrote.slice(2)).toEqual(Array(3).fill(': here\n\n'));
      await pass(560);
      expect([wrote.at(-1), followers.size, calls.closed]).toEqual([': here\n\n', 1, 0]);
      await pass(7);
      expect([wrote.at(-1), followers.size, calls.closed]).toEqual([BYE, 0, 1]);
      // Who has it already is not told it again.
      const again = connection();
      (await followers.open(own, access, events()[0]!.id!))(again.sink);
      expect(again.wrote).toEqual([RETRY]);
    } finally {
      vi.useRealTimers();
      followers.stop();
      await stop();
    }
  });

  test('a connection ends with its token; where nobody reads it ends at once; and after the end of all there is none', async () => {
    const { db, access, row, stop } = await followed();
    const own = await row();
    fake();
    const followers = following(db, quiet);
    try {
      const [patient, full, over] = [connection(128 * 1024), connection(128 * 1024 + 1), connection()];
      (await followers.open(own, access, ''))(full.sink);
      expect([full.wrote, full.calls.closed, followers.size]).toEqual([[], 1, 0]);
      (await followers.open(own, access, ''))(patient.sink);
      expect([patient.events().length, patient.calls.closed, followers.size]).toEqual([1, 0, 1]);
      const { now } = await readSystem(db);
      (await followers.open(own, { ...access, endsAt: now + 5_000 }, ''))(over.sink);
      await pass(3);
      expect([over.calls.closed, followers.size]).toEqual([0, 2]);
      await pass(4);
      expect([over.wrote.at(-1), over.calls.closed, patient.calls.closed, followers.size]).toEqual([BYE, 1, 0, 1]);
      vi.useRealTimers();
      followers.stop();
      expect([patient.wrote.at(-1), patient.calls.closed, followers.size]).toEqual([BYE, 1, 0]);
      await expect(followers.open(own, access, '')).rejects.toMatchObject({
        httpStatus: 503,
        errors: [{ code: 'BUSY' }],
      });
    } finally {
      vi.useRealTimers();
      followers.stop();
      await stop();
    }
  });

  test('whoever follows hears each move once, also when the database has not answered in between', async () => {
    const { server, db, order, access, row, stop } = await followed();
    const own = await row();
    let isAway = false;
    const failing: KyselyPlugin = {
      transformQuery: ({ node }) => {
        if (isAway) throw new Error('the database is away');
        return node;
      },
      transformResult: async ({ result }) => result,
    };
    const logged: unknown[] = [];
    const log = { error: (of: object, what: string) => void logged.push([of, what]) } as unknown as Log;
    const followers = following(db.withPlugin(failing), log);
    try {
      const one = connection();
      (await followers.open(own, access, ''))(one.sink);
      const labels = (status: string) =>
        one
          .events()
          .flatMap(({ order: { steps, stage } }) =>
            stage === status ? [steps.find(({ id }) => id === status)!.label] : [],
          );
      isAway = true;
      await expect.poll(() => logged.length, { timeout: 10_000 }).toBeGreaterThan(0);
      expect(logged[0]).toEqual([
        { error: 'Error: the database is away' },
        'orders that are followed could not be read',
      ]);
      isAway = false;
      await server.advance(30);
      await expect.poll(() => labels('CONFIRMED'), { timeout: 10_000 }).toEqual([words.step({ news: 'CONFIRMED' })]);
      expect(one.events().map(({ id }) => id!.split('-')[0])).toEqual(['2', '3']);
      await server.advance(1_440);
      await expect.poll(() => one.wrote.at(-1), { timeout: 10_000 }).toBe('event: end\ndata: {}\n\n');
      expect([one.calls.closed, one.events().at(-1)!.order]).toMatchObject([
        1,
        { orderId: order.orderId, orderStatus: 'DELIVERED' },
      ]);
      expect(followers.size).toBe(0);
    } finally {
      followers.stop();
      await stop();
    }
  });
});

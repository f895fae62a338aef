import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import * as cart from '../../src/contract/cart.ts';
import * as coupons from '../../src/contract/coupons.ts';
import * as development from '../../src/contract/development.ts';
import * as league from '../../src/contract/league.ts';
import * as menu from '../../src/contract/menu.ts';
import * as stores from '../../src/contract/stores.ts';
import * as trains from '../../src/contract/trains.ts';
import * as wheel from '../../src/contract/wheel.ts';
import { windowAt } from '../../src/server/rules/offers/windows.ts';
import { knownStores } from '../../src/server/rules/shopfront/standing.ts';
import { countRedemption } from '../../src/server/store/coupons.ts';
import { openDb, type Root, type Tx } from '../../src/server/store/db.ts';
import { moveCampaign, renameCampaign } from '../../src/server/store/experiments.ts';
import { setOnline, setSoldOut } from '../../src/server/store/stores.ts';
import { changeSwitches, readSwitches } from '../../src/server/store/switches.ts';
import { readSystem } from '../../src/server/store/system.ts';
import { sample } from '../kit/matrix.ts';
import {
  bothEngines,
  emptyDatabase as newDatabase,
  startServer,
  type TestDatabase,
  type TestServer,
} from '../kit/server.ts';
import { contents, readFixture, releases, replay } from '../upgrade/fixture.ts';
import { openedShop, openShop, PLACES, visitor, type Shop } from './shop.ts';

const DAY_S = 86_400;
const at = (local: string) => Date.parse(`${local}+05:30`);
const ZONE = 'Asia/Kolkata';

describe('the window of an offer', () => {
  const window = (one: Parameters<typeof windowAt>[0], now: string) => {
    const { startsAt, endsAt } = windowAt(one, at(now), ZONE);
    return [startsAt, endsAt];
  };
  const daily = { starts: '2026-01-01T12:30', hours: 2, every: 'DAY' as const };
  const night = { starts: '2026-01-01T23:00', hours: 4, every: 'DAY' as const };
  const weekly = { starts: '2026-01-07T00:00', hours: 23, every: 'WEEK' as const };
  const yearly = { starts: '2026-12-31T00:00', hours: 48, every: 'YEAR' as const };
  const once = { starts: '2025-10-01T00:00', hours: 24 };
  test.each([
    ['on a day, before it', daily, '2029-03-04T09:00', '2029-03-04T12:30', '2029-03-04T14:30'],
    ['in it', daily, '2029-03-04T14:29:59', '2029-03-04T12:30', '2029-03-04T14:30'],
    ['as it ends', daily, '2029-03-04T14:30', '2029-03-05T12:30', '2029-03-05T14:30'],
    ['past midnight', night, '2029-03-05T02:59', '2029-03-04T23:00', '2029-03-05T03:00'],
    ['on a weekday', weekly, '2027-01-13T12:30', '2027-01-13T00:00', '2027-01-13T23:00'],
    ['on the day after it', weekly, '2027-01-14T00:00', '2027-01-20T00:00', '2027-01-20T23:00'],
    ['before the first one', yearly, '2026-11-28T00:00', '2026-12-31T00:00', '2027-01-02T00:00'],
    ['over the turn of a year', yearly, '2029-01-01T12:00', '2028-12-31T00:00', '2029-01-02T00:00'],
    ['in a later year', yearly, '2029-01-02T00:00', '2029-12-31T00:00', '2030-01-02T00:00'],
    ['that does not come again', once, '2029-01-02T00:00', '2025-10-01T00:00', '2025-10-02T00:00'],
  ])('%s', (_, one, now, from, to) => {
    expect(window(one, now)).toEqual([at(from), at(to)]);
  });
  test.each([
    [daily, '2029-03-05T12:00', '2029-03-04T14:30'],
    [weekly, '2027-01-14T00:00', '2027-01-13T23:00'],
    [yearly, '2029-01-02T00:00', '2029-01-02T00:00'],
  ])('knows when the one before it ended: %j at %s', (one, now, ended) => {
    expect(windowAt(one, at(now), ZONE).lastEndedAt).toBe(at(ended));
  });
  test('of an offer that has none is always', () => {
    expect(windowAt(undefined, 0, ZONE)).toEqual({ startsAt: -Infinity, endsAt: Infinity, lastEndedAt: -Infinity });
  });
});

/** Everything that a customer of a country finds at noon of a Wednesday, on pages that have dates behind them. */
async function found(server: TestServer, country: string) {
  const who = await visitor(server, country);
  const { apiKey } = PLACES[country]!;
  const { storeId } = who.where;
  await who.call(cart.add, {
    cartId: who.cartId,
    body: {
      items: [
        { operationId: randomUUID(), line: { lineId: 'a', productId: 'PZ001', size: 'M', quantity: 9 } },
        { operationId: randomUUID(), line: { lineId: 'b', productId: 'PZ001', size: 'L', quantity: 1 } },
      ],
      options: { storeId, deliveryType: 'PICKUP', bestOffer: true },
    },
  });
  const { offers } = (await who.call(coupons.forCart, { cartId: who.cartId, query: {} })).body;
  const running = (await server.call(coupons.list, { query: {} }, { apiKey })).body.coupons;
  const season = await who.call(league.view, {});
  const { timeSlots } = (
    await server.call(stores.byId, { storeId, query: { timeSlots: 'true', locality: 'false' } }, { apiKey })
  ).body;
  const milestones = await Promise.all(
    offers
      .filter(({ labelType }) => labelType === 'general_milestone')
      .map(async ({ code: couponCode }) => (await who.call(coupons.milestone, { couponCode })).body),
  );
  return {
    // The one that comes with a certain day of the year may be on or not.
    offers: offers
      .filter(({ code }) => code !== 'NEWYEAR')
      .map(({ code, status, reason }) => [code, status, reason?.kind, reason?.message])
      .sort(),
    running: running
      .map(({ code }) => code)
      .filter((code) => code !== 'NEWYEAR')
      .sort(),
    deals: (await server.call(menu.deals, { storeId }, { apiKey })).body.deals.map(({ id }) => id),
    widgets: (await server.call(menu.widgets, { storeId, query: {} }, { apiKey })).body.widgets.length,
    wheel: (await who.call(wheel.wheel, { query: { cartId: who.cartId } })).status,
    league: [
      season.status,
      country !== 'IN' || season.body.league.season.endsAt > (await server.call(development.clock, {})).body.now,
    ],
    slots: timeSlots!.length > 0,
    milestones: milestones.map(({ message }) => message),
    pnrs:
      country === 'IN'
        ? await Promise.all(
            ['2612345601', '2612345602', '2612345610'].map(async (pnr) => (await who.call(trains.pnr, { pnr })).status),
          )
        : [],
  };
}
const everywhere = async (server: TestServer) => ({
  IN: await found(server, 'IN'),
  LK: await found(server, 'LK'),
  BG: await found(server, 'BG'),
});

/** To 13:00 of the next Wednesday. */
async function toWednesday(server: TestServer) {
  await openShop(server);
  const { now } = (await server.call(development.clock, {})).body;
  const weekday = new Date(now + 5.5 * 3_600_000).getUTCDay();
  await server.advance(((3 - weekday + 7) % 7) * DAY_S);
}

const AGES = sample([61, 400, 1_200], [400]);
describe('a shop that has run for years', () => {
  let shop: Shop;
  beforeAll(async () => {
    shop = await openedShop();
  });
  afterAll(() => shop.stop());

  test(`has each offer and each page that it had, ${AGES.join(', ')} days on [OFF-26] [API-24]`, async () => {
    const { server } = shop;
    await toWednesday(server);
    const first = await everywhere(server);
    for (const { running, offers } of Object.values(first)) {
      expect(running.length).toBeGreaterThan(5);
      expect(offers.filter(([, status]) => status !== 'REJECTED').length).toBeGreaterThan(3);
    }
    let passed = 0;
    for (const days of AGES) {
      // A step of the clock is at most a month.
      for (; passed < days; passed += Math.min(30, days - passed))
        await server.advance(Math.min(30, days - passed) * DAY_S);
      await toWednesday(server);
      expect(await everywhere(server), `${days} days on`).toEqual(first);
    }
  });
});

/** The tables that a server fills when it starts, without when that was, and the keys that differ in every database. */
const SEEDED = {
  catalogue_versions: ['country', 'version'],
  catalogue_entries: ['country', 'kind', 'id', 'position', 'body'],
  stores: ['id', 'country', 'position', 'online', 'body'],
  coupon_states: ['country', 'code'],
  experiment_campaigns: ['country', 'id', 'key', 'body', 'status'],
  vouchers: ['country', 'last_four', 'mobile'],
} as const;
async function seededIn({ target }: TestDatabase) {
  const all = await contents(target);
  return Object.fromEntries(
    Object.entries(SEEDED).map(([table, columns]) => [
      table,
      all[table]!.map((row) => {
        const values = JSON.parse(row) as Record<string, unknown>;
        return columns.map((column) => values[column]).join(' ');
      }).sort(),
    ]),
  );
}

describe.each(await bothEngines())('on %s, a database that was left for a time', (engine) => {
  const clean: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const one of clean.splice(0).reverse()) await one();
  });
  async function connected(target: string): Promise<Root> {
    const { db } = await openDb(target);
    clean.push(() => db.destroy());
    return db;
  }
  async function started(database: TestDatabase): Promise<TestServer> {
    const server = await startServer({ engine, database });
    clean.push(() => server.stop());
    return server;
  }
  async function emptyDatabase(): Promise<TestDatabase> {
    const database = await newDatabase(engine);
    clean.push(() => database.drop());
    return database;
  }
  /** What a shop of today has, in a database that is new. */
  async function asNew() {
    const database = await emptyDatabase();
    const server = await started(database);
    const seeded = await seededIn(database);
    await toWednesday(server);
    return { seeded, shown: await everywhere(server) };
  }

  test.each(
    sample<readonly [string, number]>(
      [
        ['an older release', 61],
        ['an older release', 400],
        ['this one', 61],
        ['this one', 400],
      ],
      [engine === 'sqlite' ? ['an older release', 400] : ['this one', 61]],
    ),
  )('by %s, %i days ago, has what a new one has, nothing twice, and what its keeper changed', async (by, days) => {
    const isOlder = by !== 'this one';
    const database = await emptyDatabase();
    const db = await connected(database.target);
    if (isOlder) await replay(database.target, readFixture(releases()[0]!, engine));
    else await (await startServer({ engine, database })).stop();
    const left = (await readSystem(db)).now;

    // The keeper: a store takes no orders, a dish is sold out at it, a feature is off, an experiment runs.
    await setOnline(db, '10102', false);
    await setSoldOut(db, '10102', 'PZ004', true, left);
    const features = JSON.stringify({ features: [{ name: 'groupOrder', value: 'D' }] });
    await changeSwitches(db, (now) => ({ ...now, features }));
    if (!isOlder) {
      await moveCampaign(db, { country: 'IN', id: 1 }, 'RUNNING', left);
      await renameCampaign(db, { country: 'IN', id: 1 }, 'CardsOfTheMenu');
    }
    const uses = () =>
      db.selectFrom('coupon_states').select(['country', 'code', 'used']).where('used', '>', 0).execute();
    await countRedemption(db as unknown as Tx, 'IN', 'WELCOME50', null);
    const used = await uses();
    await db
      .updateTable('system')
      .set((e) => ({ offset_ms: e('offset_ms', '+', days * DAY_S * 1_000) }))
      .execute();

    const { seeded, shown } = await asNew();
    const server = await startServer({ engine, database });
    const opened = await seededIn(database);
    await server.stop();
    const again = await started(database);
    expect(await seededIn(database)).toEqual(opened);

    // Only what the keeper changed is not what a new database has; the older release's customers had e-vouchers.
    const online = (one: string) => one.replace(/^10102 (\w+ \d+) 0 /, '10102 $1 1 ');
    const campaign = (one: string) =>
      isOlder ? one : one.replace('CardsOfTheMenu', 'NextgenProductCardsV2').replace(/RUNNING$/, 'NOT_STARTED');
    expect(opened['stores']).not.toEqual(seeded['stores']);
    expect({
      ...opened,
      stores: opened['stores']!.map(online),
      experiment_campaigns: opened['experiment_campaigns']!.map(campaign),
    }).toEqual(seeded);
    const store = (await knownStores(db, ['IN'])).find(({ id }) => id === '10102')!;
    expect([store.isOnline, [...store.soldOut]]).toEqual([false, ['PZ004']]);
    expect(await readSwitches(db)).toMatchObject({ features });
    expect(await uses()).toEqual(used);

    await toWednesday(again);
    expect(await everywhere(again)).toEqual(shown);
  });
});

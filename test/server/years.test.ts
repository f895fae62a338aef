import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as cart from '../../src/contract/cart.ts';
import * as coupons from '../../src/contract/coupons.ts';
import * as development from '../../src/contract/development.ts';
import * as league from '../../src/contract/league.ts';
import * as menu from '../../src/contract/menu.ts';
import * as stores from '../../src/contract/stores.ts';
import * as trains from '../../src/contract/trains.ts';
import * as wheel from '../../src/contract/wheel.ts';
import { windowAt } from '../../src/server/rules/offers/windows.ts';
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
  test('of an offer that has none is always', () => {
    expect(windowAt(undefined, 0, ZONE)).toEqual({ startsAt: -Infinity, endsAt: Infinity });
  });
});

describe('a shop that has run for years', () => {
  let shop: Shop;
  beforeAll(async () => {
    shop = await openedShop();
  });
  afterAll(() => shop.stop());

  /** Everything that a customer of a country finds at noon of a Wednesday, on pages that have dates behind them. */
  async function found(country: string) {
    const { server } = shop;
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
              ['2612345601', '2612345602', '2612345610'].map(
                async (pnr) => (await who.call(trains.pnr, { pnr })).status,
              ),
            )
          : [],
    };
  }
  /** To 13:00 of the next Wednesday. */
  async function toWednesday() {
    await openShop(shop.server);
    const { now } = (await shop.server.call(development.clock, {})).body;
    const weekday = new Date(now + 5.5 * 3_600_000).getUTCDay();
    await shop.server.advance(((3 - weekday + 7) % 7) * DAY_S);
  }

  test('has each offer and each page that it had, 61, 400 and 1,200 days on [OFF-26] [API-24]', async () => {
    await toWednesday();
    const first = { IN: await found('IN'), LK: await found('LK'), BG: await found('BG') };
    for (const { running, offers } of Object.values(first)) {
      expect(running.length).toBeGreaterThan(5);
      expect(offers.filter(([, status]) => status !== 'REJECTED').length).toBeGreaterThan(3);
    }
    let passed = 0;
    for (const days of [61, 400, 1_200]) {
      // A step of the clock is at most a month.
      for (; passed < days; passed += Math.min(30, days - passed))
        await shop.server.advance(Math.min(30, days - passed) * DAY_S);
      await toWednesday();
      for (const country of ['IN', 'LK', 'BG'] as const)
        expect(await found(country), `${country} ${days}`).toEqual(first[country]);
    }
  });
});

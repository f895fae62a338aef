import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as consents from '../../src/contract/consents.ts';
import * as contract from '../../src/contract/league.ts';
import { CONSENT_VERSIONS } from '../../src/domain/consents.ts';
import { nicknameFault, roundsOf, seasonAt } from '../../src/domain/league.ts';
import { scoreOrder } from '../../src/server/rules/league/score.ts';
import { writeRefund } from '../../src/server/rules/payment/refunds.ts';
import { transact, type Root } from '../../src/server/store/db.ts';
import { addEntries } from '../../src/server/store/league.ts';
import { orderById } from '../../src/server/store/orders.ts';
import { payingCapture, paymentById } from '../../src/server/store/payments.ts';
import { readSystem } from '../../src/server/store/system.ts';
import { engines, type TestServer } from '../kit/server.ts';
import { codeOf, freshMobile, logIn, logInByPaytm } from './people.ts';
import { type Customer, member, openedShop, openShop, pay, PICKUP, type Shop, visitor } from './shop.ts';

const HOUR = 3_600;
const DAY_MS = 86_400_000;
const ZONE = 'Asia/Kolkata';

describe.each(await engines())('the league on %s', (engine) => {
  let shop: Shop;
  let server: TestServer;
  let db: Root;
  beforeAll(async () => {
    shop = await openedShop({ engine });
    ({ server, db } = shop);
  });
  // The refunds here are of orders that arrived, which the shop's own books would not know.
  afterAll(() => shop.stop());

  const now = async () => (await readSystem(db)).now;
  const to = async (at: number) => await server.advance(Math.ceil((at - (await now())) / 1000));
  const view = async (one: Customer) => (await one.call(contract.view, {})).body.league;
  const board = async (one: Customer, pageNumber = 1) =>
    (await one.call(contract.leaderboard, { query: { pageNumber: String(pageNumber) } })).body;
  const play = async (one: Customer, nickname: string | null = null) =>
    await one.call(contract.play, { body: { nickname } });
  const predict = async (one: Customer, matchId: string, pick: contract.Pick) =>
    await one.call(contract.predict, { matchId, body: { pick } });
  const agree = async (one: Customer, given: boolean) =>
    await one.call(consents.say, {
      body: { consents: [{ purpose: 'league', given, version: CONSENT_VERSIONS.league, at: await now() }] },
    });
  const slices = async (one: Customer) => (await board(one)).me?.slices ?? 0;

  async function player(nickname: string | null = null): Promise<Customer> {
    const one = await member(server, 'IN', PICKUP);
    expect((await play(one, nickname)).status).toBe(200);
    return one;
  }
  async function paid(one: Customer): Promise<string> {
    const { order, next } = await one.order();
    await pay(server, next);
    await one.confirm(order);
    return order.orderId;
  }
  /** Gives all back that was paid for an order, as the bank tells it. */
  async function payBack(orderId: string): Promise<void> {
    const at = await now();
    await transact(db, async (tx) => {
      const capture = (await payingCapture(tx, orderId))!;
      await writeRefund(tx, (await paymentById(tx, capture.payment_id))!, capture, 'HELP', true, at);
    });
  }
  /** So many strangers with so many slices each, in the season of today. */
  async function strangers(count: number, amountOf: (n: number) => number): Promise<void> {
    const { id: season, startsAt } = seasonAt('IN', await now(), ZONE);
    for (let from = 0; from < count; from += 500)
      await transact(db, (tx) =>
        addEntries(
          tx,
          Array.from({ length: Math.min(500, count - from) }, (_, n) => ({
            unique_key: `order:stranger-${engine}-${amountOf(from + n)}-${from + n}`,
            season,
            user_id: `stranger-${amountOf(from + n)}-${from + n}`,
            amount: amountOf(from + n),
            at: startsAt + from + n,
          })),
        ),
      );
  }

  test('a season without players is empty, and whoever joins has no place before the first slice [NAV-68]', async () => {
    const one = await player();
    expect(await board(one)).toMatchObject({ leaderboard: [], players: 0, pages: 0, me: null, previous: null });
    await paid(one);
    expect(await slices(one)).toBe(0);
    await server.advance(2 * HOUR);
    expect(await board(one)).toMatchObject({
      leaderboard: [{ rank: 1, name: null, slices: 8, isMe: true }],
      players: 1,
      me: { rank: 1, slices: 8, pageNumber: 1 },
    });
    await openShop(server);
  });

  test('slices are the sum over orders that arrived and right predictions, whatever comes first, twice or at once [API-75]', async () => {
    const players = [await player(), await player(), await player()];
    const { rounds } = await view(players[0]!);
    const round = rounds.find(({ startsAt }) => startsAt > rounds[0]!.startsAt)!;
    await to(round.startsAt - 2 * HOUR * 1000);
    const ofDelhi = round.matches.find(({ home, away }) => [home, away].includes('tandoor'))!;
    const delhi = ofDelhi.home === 'tandoor' ? 'HOME' : 'AWAY';
    const [still] = round.matches.filter(({ id }) => id !== ofDelhi.id);
    const expected = [0, 0, 0];
    for (const [n, one] of players.entries()) {
      for (const [matchId, pick, isRight] of [
        [ofDelhi.id, n === 1 ? 'DRAW' : delhi, n !== 1],
        [still!.id, n === 2 ? 'HOME' : 'DRAW', n !== 2],
      ] as const) {
        // A mind may change until the match begins.
        expect((await predict(one, matchId, 'HOME')).status).toBe(200);
        expect((await predict(one, matchId, pick)).status).toBe(200);
        if (isRight) expected[n]! += 4;
      }
    }
    await to(round.startsAt);
    expect(codeOf(await predict(players[0]!, still!.id, 'AWAY'))).toBe('PREDICTION_CLOSED');
    await openShop(server);
    const kept: string[] = [];
    for (const [n, one] of players.entries())
      for (let count = 0; count < 2; count += 1) {
        const orderId = await paid(one);
        const fate = (n + count) % 3;
        if (fate === 1) {
          // It goes back while the kitchen has it, and is counted when it arrives all the same.
          await payBack(orderId);
          await server.advance(2 * HOUR);
        } else {
          await server.advance(2 * HOUR);
          if (fate === 2) await Promise.all([payBack(orderId), payBack(orderId)]).catch(() => payBack(orderId));
          else {
            kept.push(orderId);
            expected[n]! += 8;
          }
        }
        await openShop(server);
        await to(round.startsAt + 12 * HOUR * 1000).catch(() => undefined);
      }
    // The same arrival, told again by several at once.
    const order = (await orderById(db, kept[0]!))!;
    const at = await now();
    await Promise.all([1, 2, 3].map(() => transact(db, (tx) => scoreOrder(tx, order, at))));
    await to(Math.max(round.endsAt, at) + HOUR * 1000);
    expect(await Promise.all(players.map(slices))).toEqual(expected);
    const sums = await db
      .selectFrom('league_entries')
      .select(['user_id', (e) => e.fn.sum<number>('amount').as('sum')])
      .where(
        'user_id',
        'in',
        players.map(({ userId }) => userId),
      )
      .groupBy('user_id')
      .execute();
    expect(players.map(({ userId }) => Number(sums.find((row) => row.user_id === userId)?.sum ?? 0))).toEqual(expected);
    expect((await view(players[0]!)).me).toMatchObject({ right: 2 });
    await openShop(server);
  });

  test('a nickname is read by others only with its owner’s yes, which can be taken back; it is checked, and nobody else has it', async () => {
    const one = await player('Asha  Slice');
    await paid(one);
    await server.advance(2 * HOUR);
    await openShop(server);
    const guest = await visitor(server);
    const names = async () => (await board(guest)).leaderboard.map(({ name }) => name);
    expect(await names()).not.toContain('Asha Slice');
    await agree(one, true);
    expect(await names()).toContain('Asha Slice');
    expect((await view(one)).me).toMatchObject({ nickname: 'Asha Slice', isNamed: true });
    await server.advance(1);
    await agree(one, false);
    expect(await names()).not.toContain('Asha Slice');
    const other = await member(server);
    expect(codeOf(await play(other, 'asha-slice'))).toBe('NICKNAME_TAKEN');
    for (const wrong of ['ab', 'a'.repeat(21), 'call 98765 43210', 'www.pizza', 'Sh1t pizza', 'Admin', 'a<b>c', '   '])
      expect([wrong, codeOf(await play(other, wrong))]).toEqual([wrong, 'NICKNAME']);
    for (const right of ['आशा पिज़्ज़ा', "O'Neil-7", 'Slice_2026', 'Awwww']) expect(nicknameFault(right)).toBeNull();
    expect((await play(other, 'Ravi 77')).status).toBe(200);
    // Who leaves is gone, with the name.
    expect((await other.call(contract.leave, {})).body.league.me).toBeNull();
    expect((await play(await member(server), 'ravi77')).status).toBe(200);
  });

  test('of ten thousand players one far down finds their own place, and equal slices share one', async () => {
    const one = await player();
    await paid(one);
    await server.advance(2 * HOUR);
    await openShop(server);
    const before = (await board(one)).me!;
    await strangers(10_000, (n) => 12 + 8 * Math.floor(n / 4));
    const { me, players, pages, leaderboard } = await board(one);
    expect(me).toMatchObject({ rank: before.rank + 10_000 - 0, slices: 8 });
    expect(pages).toBe(Math.ceil(players / contract.LEADERBOARD_PAGE));
    expect(leaderboard.slice(0, 6).map(({ rank }) => rank)).toEqual([1, 1, 1, 1, 5, 5]);
    const own = await board(one, me!.pageNumber);
    expect(own.leaderboard.filter(({ isMe }) => isMe)).toEqual([{ rank: me!.rank, name: null, slices: 8, isMe: true }]);
    // A page goes on where the one before ended.
    const [last, next] = [(await board(one, 2)).leaderboard, (await board(one, 3)).leaderboard];
    expect([last.at(-1)!.rank, next[0]!.rank]).toEqual([37, 41]);
    expect((await board(one, pages + 1)).leaderboard).toEqual([]);
  });

  test('only players predict, only matches of this season and before they begin', async () => {
    const one = await member(server);
    const { rounds } = await view(one);
    const open = rounds.at(-1)!.matches[0]!;
    expect(codeOf(await predict(one, open.id, 'HOME'))).toBe('LEAGUE_JOIN');
    await play(one);
    expect(codeOf(await predict(one, 'IN-2020-Q1-1-1', 'HOME'))).toBe('PREDICTION_CLOSED');
    for (const none of ['IN-2026-Q4-99-1', 'LK-2026-Q4-1-1', 'x'])
      expect((await predict(one, none, 'HOME')).status).toBe(404);
  });

  test('a season ends with its quarter: its table stays, and the next one begins empty', async () => {
    const one = await player();
    const { id, endsAt } = seasonAt('IN', await now(), ZONE);
    await to(endsAt);
    expect(await board(one)).toMatchObject({ leaderboard: [], previous: { id } });
    const old = (await one.call(contract.leaderboard, { query: { season: id } })).body;
    expect(old.players).toBeGreaterThan(10_000);
    expect((await one.call(contract.leaderboard, { query: { season: 'IN-2099-Q1' } })).status).toBe(404);
    expect((await one.call(contract.leaderboard, { query: { season: 'LK-2026-Q4' } })).status).toBe(404);
  });

  test.each(['lk-web', 'bg-web', 'in-gpay', 'in-paytm'])('there is none for %s [NAV-69] [CFG-31]', async (apiKey) => {
    const who = await (apiKey === 'in-paytm' ? logInByPaytm(server) : logIn(server, freshMobile(apiKey), apiKey));
    for (const answer of [
      await server.call(contract.leaderboard, { query: {} }, who.as),
      await server.call(contract.view, {}, who.as),
      await server.call(contract.play, { body: { nickname: null } }, who.as),
    ])
      expect(codeOf(answer)).toBe('FEATURE_BLOCKED');
  });
});

test('in every season each weekend has four matches of eight teams, and all have met before two meet again', () => {
  const teams = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
  for (let month = 0; month < 48; month += 3) {
    const season = seasonAt('IN', Date.UTC(2026, month, 15), ZONE);
    const rounds = roundsOf(season, teams, ZONE);
    expect(rounds.length).toBeGreaterThanOrEqual(12);
    for (const { startsAt, endsAt, matches } of rounds) {
      expect([endsAt - startsAt, startsAt >= season.startsAt, endsAt <= season.endsAt]).toEqual([
        2 * DAY_MS,
        true,
        true,
      ]);
      expect(
        new Date(startsAt).toLocaleString('en-GB', { timeZone: ZONE, weekday: 'short', timeStyle: undefined }),
      ).toBe('Sat');
      expect(matches.flatMap(({ home, away }) => [home, away]).sort()).toEqual(teams);
    }
    const pairs = rounds
      .slice(0, 7)
      .flatMap(({ matches }) => matches.map(({ home, away }) => [home, away].sort().join('')));
    expect(new Set(pairs).size).toBe(28);
  }
});

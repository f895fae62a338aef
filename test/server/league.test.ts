import fc from 'fast-check';
import { CompiledQuery, sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as serverText from '#text/server.ts';
import * as consents from '../../src/contract/consents.ts';
import * as contract from '../../src/contract/league.ts';
import { CONSENT_VERSIONS } from '../../src/domain/consents.ts';
import { outcomeOf, roundsOf, seasonAt } from '../../src/domain/league.ts';
import { mustBeNickname } from '../../src/server/rules/league/nicknames.ts';
import { scoreOrder } from '../../src/server/rules/league/score.ts';
import { writeRefund } from '../../src/server/rules/payment/refunds.ts';
import { transact, type Root } from '../../src/server/store/db.ts';
import { enqueue } from '../../src/server/store/jobs.ts';
import {
  addEntries,
  addResult,
  deliveries,
  dropPlayer,
  setPlayer,
  setPrediction,
} from '../../src/server/store/league.ts';
import { orderById, type OrderRow } from '../../src/server/store/orders.ts';
import { payingCapture, paymentById } from '../../src/server/store/payments.ts';
import { readSystem } from '../../src/server/store/system.ts';
import { on } from '../kit/engines.ts';
import { bothEngines, type TestServer } from '../kit/server.ts';
import { codeOf, freshMobile, logIn, logInByPaytm } from './people.ts';
import { type Customer, member, openedShop, openShop, PICKUP, type Shop, visitor } from './shop.ts';

const HOUR = 3_600;
const DAY_MS = 86_400_000;
const ZONE = 'Asia/Kolkata';
const SEED = 14;
const RUNS = 12;
const LIMIT_MS = 10_000;

describe.each(await bothEngines())('the league on %s', (engine) => {
  const { raced, test } = on(engine);
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
    const order = await one.paid();
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

  test('orders that arrived and right predictions bring slices; what is paid back, a wrong one and a late one do not [API-75]', async () => {
    const [one, other] = [await player(), await player()];
    /** One that can be waited for, whatever day it is. */
    const ahead = async () => {
      const soon = (await now()) + 2 * HOUR * 1000;
      return (await view(one)).rounds.find(({ startsAt }) => startsAt > soon);
    };
    let round = await ahead();
    if (round === undefined) {
      // It is the last weekend of a season.
      await to((await view(one)).season.endsAt);
      round = (await ahead())!;
    }
    await to(round.startsAt - 2 * HOUR * 1000);
    const ofDelhi = round.matches.find(({ home, away }) => [home, away].includes('tandoor'))!;
    const delhi = ofDelhi.home === 'tandoor' ? 'HOME' : 'AWAY';
    const [still] = round.matches.filter(({ id }) => id !== ofDelhi.id);
    // A mind may change until the match begins.
    for (const pick of ['DRAW', delhi] as const) expect((await predict(one, ofDelhi.id, pick)).status).toBe(200);
    await predict(one, still!.id, 'HOME');
    await predict(other, ofDelhi.id, 'DRAW');
    await predict(other, still!.id, 'DRAW');
    await to(round.startsAt);
    expect(codeOf(await predict(one, still!.id, 'DRAW'))).toBe('PREDICTION_CLOSED');
    await openShop(server);
    await paid(one);
    // It goes back while the kitchen has it, and is counted for Delhi when it arrives all the same.
    await payBack(await paid(other));
    await server.advance(2 * HOUR);
    expect([await slices(one), await slices(other)]).toEqual([8, 0]);
    // The last orders of a weekend may still be on their way into the books.
    await to(round.endsAt + (HOUR * 1000) / 6);
    expect([await slices(one), await slices(other)]).toEqual([8, 0]);
    await to(round.endsAt + HOUR * 1000);
    expect([await slices(one), await slices(other)]).toEqual([12, 4]);
    const after = await view(one);
    expect(after.me).toMatchObject({ orders: 1, right: 1 });
    // Two orders at six stores, in tenths of an order a store.
    const results = after.rounds
      .flatMap(({ matches }) => matches)
      .filter(({ id }) => [ofDelhi.id, still!.id].includes(id));
    expect(results.map(({ id, result }) => [id, result])).toEqual(
      results.map(({ id }) => [
        id,
        id === still!.id ? { home: 0, away: 0 } : delhi === 'HOME' ? { home: 3, away: 0 } : { home: 0, away: 3 },
      ]),
    );
    expect(results).toHaveLength(2);
    await openShop(server);
  });

  test('a weekend is counted by an index, not by reading every order', async () => {
    const plan = await db.transaction().execute(async (tx) => {
      // A planner reads a small table as a whole.
      if (engine === 'postgres') await sql`set local enable_seqscan = off`.execute(tx);
      const { sql: text, parameters } = deliveries(tx, 'IN', 1, 2).compile();
      const explain = engine === 'postgres' ? 'explain' : 'explain query plan';
      const { rows } = await tx.executeQuery(CompiledQuery.raw(`${explain} ${text}`, [...parameters]));
      return JSON.stringify(rows);
    });
    expect(plan).toContain('orders_finished');
    expect(plan).not.toMatch(/Seq Scan on orders|SCAN orders/);
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
    for (const wrong of ['ab', 'Sh1t pizza', '   '])
      expect([wrong, codeOf(await play(other, wrong))]).toEqual([wrong, 'NICKNAME']);
    expect((await play(other, '  Ravi   77 ')).status).toBe(200);
    expect((await view(other)).me?.nickname).toBe('Ravi 77');
    // Who leaves is gone, with the name.
    expect((await other.call(contract.leave, {})).body.league.me).toBeNull();
    expect((await play(await member(server), 'ravi77')).status).toBe(200);
  });

  test('of two thousand players one far down finds their own place, and equal slices share one', async () => {
    const one = await player();
    await paid(one);
    await server.advance(2 * HOUR);
    await openShop(server);
    const before = (await board(one)).me!;
    await strangers(2_000, (n) => 12 + 8 * Math.floor(n / 4));
    const { me, players, pages, leaderboard } = await board(one);
    expect(me).toMatchObject({ rank: before.rank + 2_000, slices: 8 });
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
    expect(old.players).toBeGreaterThan(2_000);
    for (const season of ['IN-2099-Q1', 'LK-2026-Q4'])
      expect(await one.call(contract.leaderboard, { query: { season } })).toMatchObject({
        status: 404,
        body: { errors: [{ code: 'NOT_FOUND', field: 'season' }] },
      });
  });

  raced(
    'league slices are the sum of what stands, whatever orders, refunds and counts come, in any order or twice',
    async () => {
      const one = await player();
      const template = (await orderById(db, await paid(one)))!;
      await server.advance(2 * HOUR);
      await openShop(server);
      const capture = (await payingCapture(db, template.id))!;
      const payment = (await paymentById(db, capture.payment_id))!;
      const at = await now();
      const season = seasonAt('IN', at, ZONE);
      const teams = Array.from({ length: 8 }, (_, n) => `${n}`);
      const matches = roundsOf(season, teams, ZONE).flatMap((round) => round.matches);
      let runs = 0;

      /** A copy of an order that was paid, of another customer. */
      async function orderOf(userId: string, id: string): Promise<OrderRow> {
        const order = { ...template, id, number: id, user_id: userId, cart_id: id, idempotency_key: id };
        await db.insertInto('orders').values(order).execute();
        await db
          .insertInto('payments')
          .values({ ...payment, id: `pay-${id}`, reference: id, order_id: id, user_id: userId })
          .execute();
        await db
          .insertInto('captures')
          .values({ ...capture, id: `cap-${id}`, payment_id: `pay-${id}`, order_id: id })
          .execute();
        return order;
      }
      const count = async (matchId: string, n: number) =>
        await enqueue(db, {
          kind: 'league.count',
          runAt: at,
          payload: { country: 'IN', matchId, after: '' },
          key: `league.count:${matchId}:${n}`,
        });

      const act = fc.oneof(
        { weight: 4, arbitrary: fc.record({ kind: fc.constant('arrives' as const), of: fc.nat(5) }) },
        { weight: 3, arbitrary: fc.record({ kind: fc.constant('goes back' as const), of: fc.nat(5) }) },
        { weight: 1, arbitrary: fc.record({ kind: fc.constant('is counted' as const), of: fc.nat(9) }) },
        { weight: 1, arbitrary: fc.record({ kind: fc.constant('leaves' as const), of: fc.nat(2) }) },
        { weight: 1, arbitrary: fc.record({ kind: fc.constant('jobs run' as const), of: fc.constant(0) }) },
      );
      const pick = fc.constantFrom('HOME', 'DRAW', 'AWAY');
      const course = fc.record({
        // Each list happens at once.
        acts: fc.array(fc.array(act, { minLength: 1, maxLength: 4 }), { maxLength: 6 }),
        picks: fc.tuple(pick, pick, pick),
        score: fc.record({ home: fc.nat(2), away: fc.nat(2) }),
      });

      await fc.assert(
        fc.asyncProperty(course, async ({ acts, picks, score }) => {
          runs += 1;
          const match = matches[runs]!;
          const users = picks.map((_, n) => `usr-${engine}-${runs}-${n}`);
          for (const [n, userId] of users.entries())
            await transact(db, async (tx) => {
              await setPlayer(tx, { user_id: userId, country: 'IN', nickname: null, nickname_key: null, joined_at: 0 });
              await setPrediction(tx, { match_id: match.id, user_id: userId, pick: picks[n]!, at });
            });
          const orders = await Promise.all(
            Array.from({ length: 6 }, (_, n) => orderOf(users[n % 3]!, `ord-${engine}-${runs}-${n}`)),
          );
          await addResult(db, { match_id: match.id, ...score, decided_at: at });
          const todo = {
            arrives: async (n: number) => await transact(db, (tx) => scoreOrder(tx, orders[n]!, at)),
            'goes back': async (n: number) => await payBack(orders[n]!.id),
            'is counted': async (n: number) => await count(match.id, n),
            leaves: async (n: number) => await transact(db, (tx) => dropPlayer(tx, users[n]!)),
            'jobs run': async () => void (await server.advance(1)),
          };
          for (const list of acts) await Promise.all(list.map(({ kind, of }) => todo[kind](of)));
          await server.advance(1);

          const all = acts.flat();
          const has = (kind: keyof typeof todo, of?: number) =>
            all.some((one) => one.kind === kind && (of === undefined || one.of === of));
          const outcome = outcomeOf(score);
          const expected = users.map((_, n) => {
            if (has('leaves', n)) return 0;
            const arrived = [n, n + 3].filter((id) => has('arrives', id) && !has('goes back', id)).length;
            return 8 * arrived + (has('is counted') && picks[n] === outcome ? 4 : 0);
          });
          const sums = async (table: 'league_scores' | 'league_entries', column: 'slices' | 'amount') => {
            const { rows } = await sql<{ user_id: string; sum: number }>`select user_id, sum(${sql.ref(column)}) as sum
            from ${sql.table(table)} where ${sql.join(
              users.map((id) => sql`user_id = ${id}`),
              sql` or `,
            )} group by user_id`.execute(db);
            return users.map((id) => Number(rows.find((row) => row.user_id === id)?.sum ?? 0));
          };
          expect(await sums('league_scores', 'slices')).toEqual(expected);
          expect(await sums('league_entries', 'amount')).toEqual(expected);
        }),
        { numRuns: RUNS, seed: SEED, endOnFailure: true, interruptAfterTimeLimit: LIMIT_MS },
      );
    },
  );

  test.each(['lk-web', 'bg-web', 'in-gpay', 'in-paytm'])('there is none for %s [NAV-69] [CFG-31]', async (apiKey) => {
    const who = await (apiKey === 'in-paytm' ? logInByPaytm(server) : logIn(server, freshMobile(apiKey), apiKey));
    for (const answer of [
      await server.call(contract.leaderboard, { query: {} }, who.as),
      await server.call(contract.view, {}, who.as),
      await server.call(contract.play, { body: { nickname: null } }, who.as),
    ])
      expect(codeOf(answer)).toBe('FEATURE_BLOCKED');
  });

  test('an order that cost nothing brings no slices, one of the smallest sum does', async () => {
    const one = await player();
    const order = (await orderById(db, await paid(one)))!;
    const at = await now();
    const arrives = (total: number) => transact(db, (tx) => scoreOrder(tx, { ...order, total }, at));
    await arrives(0);
    expect(await slices(one)).toBe(0);
    await arrives(1);
    expect(await slices(one)).toBe(8);
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

test.each([
  ['Asha  Slice ', 'Asha Slice', 'ashasiice'],
  ['My Admin', 'My Admin', 'myadmin'],
  ['No Support', 'No Support', 'nosupport'],
  ['Unofficial', 'Unofficial', 'unofficiai'],
  ['Scunner 345', 'Scunner 345', 'scunner345'],
  ['Gandhi Nigel', 'Gandhi Nigel', 'gandhinigei'],
])('%j is taken for a nickname', (typed, nickname, key) => {
  expect(mustBeNickname(typed)).toEqual({ nickname, nickname_key: key });
});

/** Words that are none, in other letters, with signs between them and doubled, and names of the shop. */
const NO_WORDS = [
  ...['oh Sh1t', 'b1tch', '8itch', 'slu7', 'p3nis', 'n4zi', 'p0rn', 'a55hole', 'f.u.c.k', 'चूत', 'fu\u0301ck', 'fúçk'],
  ...['ｆｕｃｋ', '𝕗𝕦𝕔𝕜', 'f u u u c k', 'ffuucckk', 'phuck', 'Maderchod', 'fuc\u200bk', 'चू\u200dत', 'एडमिन'],
  ...['Golden Oven', 'the G0lden 0ven', 'G0IdenOven', 'Pizza League', 'Administrator', 'Support Team', '0fficial'],
  ...['a moderator', 'Helpdesk', 'aaddmmiinn', 'adm1n', 'admln', 'adrnin', 'Ådmin', '0ffıcial', 'admin\u202e'],
];
test.each([
  ...NO_WORDS.map((typed) => [typed, 'words'] as const),
  ['ab', 'length'] as const,
  ['admіn', 'script'] as const,
])('%j is no nickname: its %s', (typed, fault) => {
  expect(() => mustBeNickname(typed)).toThrow(
    expect.objectContaining({
      httpStatus: 422,
      errors: [{ code: 'NICKNAME', field: 'nickname', displayMsg: serverText.nicknameFault({ fault }) }],
    }),
  );
});

import { sql } from 'kysely';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as development from '../../src/contract/development.ts';
import * as contract from '../../src/contract/trains.ts';
import { openDb } from '../../src/server/store/db.ts';
import { railwayEvents } from '../../src/server/store/railway.ts';
import { readTrainSeed } from '../../src/server/store/seeds.ts';
import { runNow } from '../../src/server/vendors/railway.ts';
import {
  engines,
  spawnServer,
  testDatabase,
  type SpawnedServer,
  type TestDatabase,
  type TestServer,
} from '../kit/server.ts';
import { violationsAt } from './invariants.ts';
import { openShop, type Customer } from './shop.ts';
import { ordered, PNR, railway, saved, trainOf, traveller } from './trainShop.ts';

/** All passed; a run of everybody takes a few. */
const RUNS = Number(process.env['TRAIN_RUNS'] ?? 2);
const DAY_SECONDS = 86_400;

interface Ordered {
  readonly who: Customer;
  readonly id: string;
  readonly halt: (typeof HALTS)[number];
}

const HALTS = [
  { pnr: PNR.mumbai, station: 'MMCT', store: '10204' },
  { pnr: PNR.mumbai, station: 'BRC', store: '10803' },
  { pnr: PNR.mumbai, station: 'NDLS', store: '10104' },
  { pnr: PNR.long, station: 'NDLS', store: '10104' },
  { pnr: PNR.long, station: 'NGP', store: '10802' },
  { pnr: PNR.long, station: 'BZA', store: '10805' },
] as const;
const halt = fc.constantFrom(...HALTS);
/** What happens, mostly to the train of one of the orders. */
const order = fc.nat(3);
const event = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('delay' as const), order, minutes: fc.integer({ min: 0, max: 400 }) }),
  },
  { weight: 4, arbitrary: fc.record({ kind: fc.constantFrom('skip' as const, 'short' as const), order }) },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constantFrom('cancel' as const, 'restore' as const, 'platform' as const), order }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('answer' as const), order, choice: fc.nat(3) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('takeBack' as const), order }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('silence' as const),
      order,
      what: fc.constantFrom('skip' as const, 'cancel' as const, 'delay' as const),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('die' as const), order, commit: fc.integer({ min: 1, max: 40 }) }),
  },
);
/** Half of it when the food is on its way already. */
const moment = fc.record({ afterMinutes: fc.integer({ min: 5, max: 240 }), isLate: fc.boolean(), event });
const plan = fc.record({
  orders: fc.array(fc.record({ halt, cash: fc.boolean() }), { minLength: 3, maxLength: 4 }),
  events: fc.array(moment, { minLength: 4, maxLength: 8 }),
});

/** The stop is skipped when the food is made, and the railway says so only later. */
const SILENT = {
  orders: [{ halt: HALTS[1], cash: false }],
  events: [{ afterMinutes: 5, isLate: true, event: { kind: 'silence' as const, order: 0, what: 'skip' as const } }],
};

describe.each(await engines())('orders to trains, whatever happens on the way, on %s', (engine) => {
  let database: TestDatabase;
  let running: SpawnedServer;
  const anywhere = {
    call: ((...input: Parameters<TestServer['call']>) => running.call(...input)) as TestServer['call'],
    inbox: (mobile?: string) => running.inbox(mobile),
    advance: (seconds: number) => running.advance(seconds),
    get url() {
      return running.url;
    },
  } as TestServer;
  const start = async () => {
    running = await spawnServer({ database, killable: true, settings: { distDir: null } });
  };
  beforeAll(async () => {
    database = await testDatabase(engine);
    await start();
  });
  afterAll(async () => {
    await running.stop();
    await database.drop();
  });

  /** Everything that the database holds, as text. */
  async function everything(): Promise<string> {
    const { db } = await openDb(database.target);
    try {
      const tables = await db.introspection.getTables();
      // In PostgreSQL the databases of other tests are schemas beside this one.
      const own =
        engine === 'sqlite'
          ? undefined
          : (await sql<{ own: string }>`select current_schema() as own`.execute(db)).rows[0]!.own;
      const all: string[] = [];
      for (const { name } of tables.filter(({ schema }) => schema === own))
        all.push(JSON.stringify((await sql`select * from ${sql.table(name)}`.execute(db)).rows));
      return all.join('\n');
    } finally {
      await db.destroy();
    }
  }

  async function act(
    step: (typeof plan extends fc.Arbitrary<infer P> ? P : never)['events'][number]['event'],
    list: readonly Ordered[],
  ) {
    if (step.kind === 'die') {
      const dying = anywhere.call(
        development.advanceClock,
        { body: { seconds: 3600 } },
        { headers: { 'x-test-kill': `before:${step.commit}` } },
      );
      if ((await dying.catch(() => null)) !== null) return;
      await running.ended;
      await start();
    } else if (step.kind === 'silence') {
      // Something happens, and nobody is told.
      const { halt: its } = list[step.order % list.length]!;
      await railway(anywhere, { pnr: its.pnr, away: true });
      await railway(anywhere, { pnr: its.pnr, event: step.what, stationId: its.station, minutes: 90 });
      await anywhere.advance(3600);
      await railway(anywhere, { pnr: its.pnr, away: false });
      // Whoever was away is asked again after a while of this machine's own clock.
      const look = async () => (await traveller(anywhere, its.store)).call(contract.pnr, { pnr: PNR.far });
      await expect.poll(async () => (await look()).status, { timeout: 60_000, interval: 500 }).not.toBe(503);
    } else if (step.kind === 'answer') {
      const { who, id } = list[step.order % list.length]!;
      const { question } = await trainOf(who, id);
      const chosen = question?.choices[step.choice % question.choices.length];
      if (chosen === undefined) return;
      const { choice, stationId } = chosen;
      await who.call(contract.answer, {
        orderId: id,
        body: { choice, ...(stationId === undefined ? {} : { stationId }) },
      });
    } else if (step.kind === 'takeBack') {
      const { who, id } = list[step.order % list.length]!;
      await who.call(contract.remove, { orderId: id });
    } else {
      const { halt: its } = list[step.order % list.length]!;
      await railway(anywhere, {
        pnr: its.pnr,
        event: step.kind,
        // It turns back at its first station.
        stationId: step.kind === 'short' ? (its.pnr === PNR.long ? 'NDLS' : 'MMCT') : its.station,
        ...('minutes' in step ? { minutes: step.minutes } : {}),
        ...(step.kind === 'platform' ? { platform: '9' } : {}),
      });
    }
  }
  /** Until twelve minutes before, if that is still to come. */
  async function nearly(arrivesAt: number): Promise<void> {
    const { now } = (await anywhere.call(development.clock, {})).body;
    await anywhere.advance(Math.max(1, Math.round((arrivesAt - now) / 1000) - 720));
  }

  test(
    'every train order ends handed over at a real halt or fully refunded, with correct books and no PNR kept [TRN-X02]',
    async () => {
      await fc.assert(
        fc.asyncProperty(plan, async ({ orders, events }) => {
          await openShop(anywhere);
          const list: Ordered[] = [];
          for (const one of orders) {
            const who = await traveller(anywhere, one.halt.store);
            const train = await saved(anywhere, who, one.halt.pnr, one.halt.station);
            await who.fill(2);
            const order = await ordered(anywhere, who, train, { paymentMode: one.cash ? 'COD' : 'UPI' });
            list.push({ who, id: order.orderId, halt: one.halt });
          }
          for (const { afterMinutes, isLate, event: step } of events) {
            const { who, id } = list[step.order % list.length]!;
            if (isLate) await nearly((await trainOf(who, id)).station.arrivesAt);
            await act(step, list);
            await anywhere.advance(afterMinutes * 60);
          }
          await anywhere.advance(4 * DAY_SECONDS);
          const { db } = await openDb(database.target);
          try {
            for (const { id } of list) {
              const order = await db.selectFrom('orders').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
              const train = await db
                .selectFrom('train_orders')
                .selectAll()
                .where('order_id', '=', id)
                .executeTakeFirstOrThrow();
              const paid = await db.selectFrom('captures').select('amount').where('order_id', '=', id).execute();
              const back = await db.selectFrom('refunds').select('amount').where('order_id', '=', id).execute();
              const sum = (rows: readonly { amount: number }[]) => rows.reduce((all, { amount }) => all + amount, 0);
              expect(['DELIVERED', 'CANCELLED']).toContain(order.status);
              if (order.status === 'DELIVERED') {
                const run = runNow(readTrainSeed('IN')!, train.run, await railwayEvents(db, train.run), Date.now() * 2);
                const made = run!.stops.find(({ code }) => code === train.station)!;
                expect(made.hasArrived).toBe(true);
                expect(order.finished_at).toBeGreaterThanOrEqual(made.arrivesAt);
                expect(sum(back)).toBe(0);
              } else expect(sum(back)).toBe(sum(paid));
              expect(train).toMatchObject({ pnr: null, pnr_end: null, coach: null, berth: null, mobile: '' });
            }
          } finally {
            await db.destroy();
          }
          expect(await violationsAt(database.target, { settled: true })).toEqual([]);
          const left = await everything();
          for (const pnr of Object.values(PNR)) expect(left.includes(pnr), pnr).toBe(false);
        }),
        { numRuns: RUNS, endOnFailure: true, examples: [[SILENT]] },
      );
    },
    60_000 + RUNS * 60_000,
  );
});

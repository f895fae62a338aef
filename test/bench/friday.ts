// A Friday night: twenty times the usual orders and visits come to two processes on one PostgreSQL, the bank takes its time, and
// one process is killed and started again. What customers waited, and whether anything was lost or is there twice.
import { sql } from 'kysely';
import * as menu from '../../src/contract/menu.ts';
import type { Endpoint, Input } from '../../src/contract/endpoint.ts';
import { openDb, type Db } from '../../src/server/store/db.ts';
import {
  controls,
  spawnServer,
  emptyDatabase,
  type Answer,
  type CallOptions,
  type SpawnedServer,
  type TestServer,
} from '../kit/server.ts';
import { violations } from '../server/invariants.ts';
import { openShop, pay, PICKUP, visitor } from '../server/shop.ts';
import { median, pad, within } from './numbers.ts';
import { freshAddress } from './shop.ts';

const USUAL = { orders: 0.2, visits: 2 };
const TIMES = 20;
const SLOW_BANK_MS = 2_000;
/** So long a customer tries again, as a page does. */
const PATIENCE_MS = 60_000;

const pause = (ms: number) =>
  new Promise<void>((done) => {
    setTimeout(done, ms);
  });

/** What customers reach, as behind a proxy: a process that answers; a call that finds none is made again. */
function frontOf(processes: readonly (() => SpawnedServer | null)[]): TestServer {
  let turn = 0;
  const next = (): SpawnedServer => {
    for (;;) {
      const one = processes[(turn += 1) % processes.length]!();
      if (one !== null) return one;
    }
  };
  const first = next();
  return {
    ...controls(first.url),
    database: first.database,
    metricsPort: null,
    get url() {
      return next().url;
    },
    async call<E extends Endpoint>(endpoint: E, input: Input<E>, options?: CallOptions) {
      const giveUp = performance.now() + PATIENCE_MS;
      for (;;) {
        const answer = await controls(next().url)
          .call(endpoint, input, options)
          .catch((error: unknown) => {
            if (performance.now() > giveUp) throw error;
            return null;
          });
        if (answer !== null && (answer.status < 500 || performance.now() > giveUp)) return answer as Answer<never>;
        await pause(200 + Math.random() * 300);
      }
    },
    stop: () => Promise.resolve(),
  };
}

interface Night {
  readonly visits: number[];
  readonly orders: number[];
  /** When orders were answered. */
  readonly at: number[];
  readonly acked: string[];
  readonly paid: string[];
  readonly failed: string[];
}

/** Customers that come evenly for so long, whether or not those before them have gone. */
async function evening(
  { front, db }: { front: TestServer; db: Db },
  forMs: number,
  { orders, visits }: typeof USUAL,
): Promise<Night> {
  const night: Night = { visits: [], orders: [], at: [], acked: [], paid: [], failed: [] };
  const under: Promise<void>[] = [];
  const watched = (work: Promise<void>) =>
    void under.push(work.catch((error: unknown) => void night.failed.push(String(error).slice(0, 200))));
  const visit = async () => {
    const started = performance.now();
    const { status } = await front.call(menu.byStore, { storeId: '10101', query: {} }, { apiKey: 'in-web' });
    if (status !== 200) throw new Error(`a menu answered ${status}`);
    night.visits.push(performance.now() - started);
  };
  const order = async () => {
    const who = await visitor(front, 'IN', PICKUP);
    await who.fill();
    const started = performance.now();
    const { status, body } = await who.submit();
    if (status !== 200) throw new Error(`an order answered ${status} ${JSON.stringify(body.errors)}`);
    night.orders.push(performance.now() - started);
    night.at.push(performance.now());
    night.acked.push(body.order.orderId);
    await pay(front, body.next);
    const { order: known } = await who.confirm(body.order);
    if (known.orderStatus !== 'PENDING') night.paid.push(body.order.orderId);
  };
  const begun = performance.now();
  let [ordered, visited] = [0, 0];
  for (let ms = 0; ms < forMs; ms = performance.now() - begun) {
    for (; ordered < (ms / 1_000) * orders; ordered += 1) {
      await freshAddress(db, ordered);
      watched(order());
    }
    for (; visited < (ms / 1_000) * visits; visited += 1) watched(visit());
    await pause(20);
  }
  await Promise.all(under);
  return night;
}

/** @param seconds how long the rush lasts */
export async function benchFriday({ seconds }: { seconds: number }): Promise<void> {
  const database = await emptyDatabase('postgres', { isDurable: true });
  const { db } = await openDb(database.target);
  const start = () => spawnServer({ database, settings: { distDir: null } });
  const stays = await start();
  let falls: SpawnedServer | null = await start();
  const front = frontOf([() => stays, () => falls]);
  await openShop(stays);
  console.log(`A Friday night of ${seconds} s on two processes and one PostgreSQL: ${TIMES} times the usual load`);
  const tell = (name: string, night: Night, forMs: number) => {
    const times = (list: readonly number[]) =>
      `${list.length}, median ${median(list).toFixed(0)} ms, 19 of 20 within ${within(list, 0.95).toFixed(0)} ms`;
    console.log(`${pad(name, 10)}menus ${times(night.visits)}; orders ${times(night.orders)}`);
    const moments = night.at.toSorted((a, b) => a - b);
    const gap = Math.max(0, ...moments.slice(1).map((at, index) => at - moments[index]!));
    console.log(
      `${pad('', 10)}${(night.acked.length / (forMs / 1_000)).toFixed(1)} orders a second, ${night.paid.length} paid at once, ${night.failed.length} given up, ${(gap / 1_000).toFixed(1)} s without an order at most`,
    );
    for (const one of new Set(night.failed)) console.log(`${pad('', 10)}${one}`);
  };
  const quietMs = Math.min(seconds, 20) * 1_000;
  const usual = await evening({ front, db }, quietMs, USUAL);
  tell('usual', usual, quietMs);

  await stays.switches({ faults: [{ match: '/bank/api/', delayMs: SLOW_BANK_MS }] });
  const rush = evening({ front, db }, seconds * 1_000, { orders: USUAL.orders * TIMES, visits: USUAL.visits * TIMES });
  await pause((seconds * 1_000) / 3);
  const fallen = falls;
  falls = null;
  await fallen.kill();
  await pause(Math.min(10_000, (seconds * 1_000) / 6));
  falls = await start();
  const friday = await rush;
  tell('Friday', friday, seconds * 1_000);

  await stays.switches({ faults: [] });
  await stays.advance(3_600);
  const acked = [...usual.acked, ...friday.acked];
  const wrong = await violations(db, { settled: true, ackedOrders: acked, ackedPaid: [...usual.paid, ...friday.paid] });
  const { rows } = await sql<{
    user_id: string;
  }>`select user_id from orders group by user_id having count(*) > 1`.execute(db);
  console.log(
    `${pad('after', 10)}of ${acked.length} orders that customers were told: ${wrong.length === 0 ? 'none lost, the books are right' : wrong.join('; ')}; ${rows.length} customers with two`,
  );
  if (wrong.length > 0 || rows.length > 0) process.exitCode = 1;
  await db.destroy();
  await Promise.all([stays.stop(), falls.stop()]);
  await database.drop();
}

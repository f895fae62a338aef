import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as development from '../../src/contract/development.ts';
import * as menu from '../../src/contract/menu.ts';
import * as orders from '../../src/contract/orders.ts';
import { openDb, transact, type Root } from '../../src/server/store/db.ts';
import { migrate } from '../../src/server/store/migrate.ts';
import { setSoldOut } from '../../src/server/store/stores.ts';
import { engines, spawnServer, startServer, testDatabase, type TestDatabase, type TestServer } from '../kit/server.ts';
import { pooler, type Pooler } from '../kit/pooler.ts';
import { follow } from './follow.ts';
import { violations } from './invariants.ts';
import { Customer, openShop, pay, PICKUP, visitor } from './shop.ts';

/** Two processes on one PostgreSQL, each behind a pooler in transaction mode. Without PostgreSQL there is nothing to share. */
describe.runIf((await engines()).includes('postgres'))('several processes behind a pooler', () => {
  let database: TestDatabase;
  let pool: Pooler;
  /** Past the pooler. */
  let db: Root;
  let all: TestServer[];
  beforeAll(async () => {
    database = await testDatabase('postgres');
    ({ db } = await openDb(database.target));
    pool = await pooler(database.target);
    const behind = { target: pool.url, drop: () => Promise.resolve() };
    all = await Promise.all([
      startServer({ database: behind }),
      spawnServer({ database: behind, settings: { distDir: null } }),
    ]);
    await openShop(all[0]!);
  });
  afterAll(async () => {
    await Promise.all(all.map((one) => one.stop()));
    await pool.close();
    await db.destroy();
    await database.drop();
  });
  const [one, other] = [() => all[0]!, () => all[1]!];

  test('nothing of a session is asked for: migrations, deadlines and calls go to a backend each', async () => {
    const opened = await openDb(pool.url);
    // A lock of a session would be held by a backend of the pool for ever, and stop whoever starts next.
    await Promise.all([migrate(opened), migrate(opened)]);
    const { rows: locks } =
      await sql`select 1 from pg_locks where locktype = 'advisory' and pid = any(${[...pool.backends()]})`.execute(db);
    expect(locks).toEqual([]);
    const deadline = async (at: Root) =>
      (await sql<{ statement_timeout: string }>`show statement_timeout`.execute(at)).rows[0]!.statement_timeout;
    expect([await transact(opened.db, (tx) => deadline(tx as unknown as Root)), await deadline(opened.db)]).toEqual([
      '20s',
      '0',
    ]);
    await opened.db.destroy();
    expect(pool.moved()).toBeGreaterThan(100);
  });

  test('an address that needs a session is refused, and told what to do', async () => {
    await expect(openDb(`${pool.url}?schema=shop`)).rejects.toThrow(/a pooler takes no \?schema/);
  });

  test('what one process does the other knows at once: clock, session, cart, what is sold out, and an order with its events [API-X01]', async () => {
    const hour = await one().advance(60);
    expect((await other().call(development.clock, {})).body.now).toBeGreaterThanOrEqual(hour);
    const customer = await visitor(one(), 'IN', PICKUP);
    await customer.fill();
    const there = elsewhere(customer, other());
    await setSoldOut(db, '10101', 'PZ002', true, hour);
    const { body } = await other().call(menu.byStore, { storeId: '10101', query: {} });
    expect(body.menu?.items.find(({ id }) => id === 'PZ002')).toMatchObject({ soldOut: true });
    const { order, next } = (await there.submit({ paymentMode: 'UPI' })).body;
    await pay(one(), next);
    expect((await customer.confirm(order)).order.orderStatus).toBe('ORDER PLACED');
    const stream = await follow(other().url, there, order.orderId);
    expect((await stream.next())?.data.order?.orderStatus).toBe('ORDER PLACED');
    await customer.cancel(order.orderId);
    expect((await stream.until('CANCELLED')).data.order?.orderId).toBe(order.orderId);
    stream.stop();
  });

  test('backends that die in the middle of submits lose no order and make none twice, for those who ask again by their key [PAY-14] [API-X02]', async () => {
    const customers = await Promise.all(
      Array.from({ length: 24 }, async () => {
        const customer = await visitor(one(), 'IN', PICKUP);
        const { version, bill } = await customer.fill();
        return { customer, wish: { key: randomUUID(), cartVersion: version, total: bill.total } };
      }),
    );
    let killed = 0;
    /** Ends a backend that is in a transaction, before this answer is there. */
    async function killDuring(answer: Promise<unknown>): Promise<void> {
      let isOpen = true;
      void answer.finally(() => (isOpen = false));
      while (isOpen) {
        const [pid] = pool.backends('busy');
        await (pid === undefined ? sql`select 1` : sql`select pg_terminate_backend(${pid})`).execute(db);
        if (pid === undefined) continue;
        killed += 1;
        return;
      }
    }
    const answers = await Promise.all(
      customers.map(async ({ customer, wish }, index) => {
        for (let attempt = 0; ; attempt += 1) {
          const answer = elsewhere(customer, all[(index + attempt) % 2]!).submit(wish);
          if ((index + attempt) % 3 === 0) await killDuring(answer);
          const { status, body } = await answer;
          if (status === 200 || attempt > 40) return body;
          expect([409, 503], JSON.stringify(body)).toContain(status);
        }
      }),
    );
    expect(killed).toBeGreaterThan(4);
    const acked = answers.map(({ order }) => order.orderId);
    expect(new Set(acked).size).toBe(customers.length);
    for (const { customer } of customers) expect((await customer.call(orders.recent, {})).body.orders).toHaveLength(1);
    await one().advance(1);
    expect(await violations(db, { settled: true, ackedOrders: acked })).toEqual([]);
  });
});

/** The same customer at another process. */
const elsewhere = ({ person, where, productId, mobile }: Customer, server: TestServer) =>
  new Customer(server, person, where, productId, mobile);

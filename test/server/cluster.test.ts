import { randomUUID } from 'node:crypto';
import { inspect } from 'node:util';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as development from '../../src/contract/development.ts';
import * as menu from '../../src/contract/menu.ts';
import * as orders from '../../src/contract/orders.ts';
import { openDb, transact, type Root } from '../../src/server/store/db.ts';
import { columnsOf, migrate } from '../../src/server/store/migrate.ts';
import { setSoldOut } from '../../src/server/store/stores.ts';
import { readSystem } from '../../src/server/store/system.ts';
import {
  bothEngines,
  spawnServer,
  startServer,
  emptyDatabase,
  testDatabase,
  type TestDatabase,
  type TestServer,
} from '../kit/server.ts';
import { pooler, type Pooler } from '../kit/pooler.ts';
import { follow } from './follow.ts';
import { violations } from './invariants.ts';
import { Customer, openShop, pay, PICKUP, visitor } from './shop.ts';
import { enteredCard } from './typed.ts';

/** Two processes on one PostgreSQL, each behind a pooler in transaction mode. Without PostgreSQL there is nothing to share. */
describe.runIf((await bothEngines()).includes('postgres'))('several processes behind a pooler', () => {
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
    expect(pool.moved()).toBeGreaterThan(50);
  });

  test('an address that needs a session is refused, and told what to do', async () => {
    await expect(openDb(`${pool.url}?schema=shop`)).rejects.toThrow(/a pooler takes no \?schema/);
  });

  test('what one process changes the others know at once: clock, session, cart, sold-out dishes and orders [API-X01]', async () => {
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

  test('processes that die in the middle of submits lose no order and make none twice for the same key [PAY-14] [API-X02]', async () => {
    const customers = await Promise.all(
      Array.from({ length: 16 }, async () => {
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

describe.runIf((await bothEngines()).includes('postgres'))('a replica', () => {
  /**
   * Another database, which says of itself that it is a standby, and up to where it has applied the log. What is read
   * from it can be told: it holds nothing of any customer, and PZ002 is sold out in it.
   */
  async function standIn(clockOf: Root) {
    const database = await testDatabase('postgres');
    await (await startServer({ database })).stop();
    const { db } = await openDb(database.target);
    const address = new URL(database.target);
    const schema = address.searchParams.get('schema')!;
    await sql`create table positions (applied pg_lsn)`.execute(db);
    await sql`insert into positions values ('0/0')`.execute(db);
    for (const [name, answer] of [
      ['pg_is_in_recovery() returns boolean', 'true'],
      ['pg_last_wal_replay_lsn() returns pg_lsn', `(select applied from ${schema}.positions)`],
    ] as const)
      await sql.raw(`create function ${schema}.${name} language sql as 'select ${answer}'`).execute(db);
    await setSoldOut(db, '10101', 'PZ002', true, 1);
    // Its functions come before PostgreSQL's own.
    address.searchParams.delete('schema');
    address.searchParams.set('options', `-c search_path=${schema},pg_catalog`);
    const pool = await pooler(address.href, 2);
    return {
      pool,
      apply: (position: string) => sql`update positions set applied = ${position}::pg_lsn`.execute(db),
      async setClock() {
        const { offsetMs } = await readSystem(clockOf);
        await sql`update system set offset_ms = ${offsetMs}`.execute(db);
      },
      async drop() {
        await db.destroy();
        await database.drop();
      },
    };
  }
  const [NOTHING, ALL] = ['0/0', 'FFFFFFFF/0'];

  test('gives menus and history while it keeps up, and never what somebody has just done; either goes on without the other', async () => {
    const database = await testDatabase('postgres');
    const { db } = await openDb(database.target);
    const way = await pooler(database.target, 4);
    const server = await startServer({ database });
    await openShop(server);
    const replica = await standIn(db);
    await replica.setClock();
    const reading = await startServer({
      database: { target: way.url, drop: () => Promise.resolve() },
      settings: { environment: { DATABASE_URL: way.url, DATABASE_READ_URL: replica.pool.url } },
    });
    const customer = await visitor(reading);
    const { order } = await customer.order();
    const menuFrom = async () => {
      const { status, body } = await reading.call(menu.byStore, { storeId: '10101', query: {} });
      return status === 200
        ? body.menu?.items.find(({ id }) => id === 'PZ002')?.soldOut === true
          ? 'replica'
          : 'primary'
        : status;
    };
    const historyFrom = async () => {
      const { status, body } = await customer.call(orders.recent, {});
      return status === 200 ? (body.orders.length === 0 ? 'replica' : 'primary') : status;
    };
    // It has applied nothing yet: too late.
    expect([await menuFrom(), await historyFrom()]).toEqual(['primary', 'primary']);
    await replica.apply(ALL);
    await expect.poll(menuFrom).toBe('replica');
    // The order is under way, and was then cancelled a moment ago: its customer sees that.
    expect(await historyFrom()).toBe('primary');
    await customer.cancel(order.orderId);
    expect(await historyFrom()).toBe('primary');
    // Long after that, what the replica has will do.
    await server.advance(60);
    await replica.setClock();
    expect(await historyFrom()).toBe('replica');
    // It has stopped applying.
    await replica.apply(NOTHING);
    await expect.poll(menuFrom).toBe('primary');
    // A pooler lets calls to a primary that is away wait: what is late is better than that.
    way.hold(true);
    expect(await menuFrom()).toBe('replica');
    way.hold(false);
    await replica.apply(ALL);
    await expect.poll(menuFrom).toBe('replica');
    // It is gone, in the middle; then it is back, and the primary is gone.
    await replica.pool.close();
    expect([await menuFrom(), await historyFrom()]).toEqual(['primary', 'primary']);
    await replica.pool.open();
    await expect.poll(menuFrom).toBe('replica');
    await way.close();
    expect([await menuFrom(), await historyFrom(), (await customer.validate()).status]).toEqual(['replica', 503, 503]);
    await way.open();
    await Promise.all([reading.stop(), server.stop()]);
    await Promise.all([way.close(), replica.pool.close(), db.destroy()]);
    await Promise.all([database.drop(), replica.drop()]);
  });
});

test('countries have databases of their own, and one process serves them: orders, jobs, payments and the clock', async () => {
  const available = await bothEngines();
  const [common, own] = [await emptyDatabase(), await emptyDatabase(available.at(-1))];
  const server = await startServer({
    database: common,
    settings: { environment: { DATABASE_URL: common.target, DATABASE_URL_LK: own.target } },
  });
  const [{ db: rest }, { db: lanka }] = [await openDb(common.target), await openDb(own.target)];
  await openShop(server);
  const ids: Record<string, string> = {};
  for (const country of ['IN', 'LK']) {
    const customer = await visitor(server, country);
    const { order, next } = await customer.order({
      paymentMode: 'CARD',
      body: { cardToken: await enteredCard(customer) },
    });
    await pay(server, next);
    // The bank's notice finds the order, whichever database it is in.
    await expect.poll(async () => (await customer.read(order.orderId)).orderStatus).toBe('ORDER PLACED');
    ids[country] = order.orderId;
    await server.advance(3 * 3_600);
    expect((await customer.read(order.orderId)).orderStatus).toBe('DELIVERED');
  }
  const ordersIn = async (db: Root) =>
    (await db.selectFrom('orders').select(['id', 'country']).execute()).map(({ id }) => id);
  expect([await ordersIn(rest), await ordersIn(lanka)]).toEqual([[ids['IN']], [ids['LK']]]);
  const countriesIn = async (db: Root) =>
    (await db.selectFrom('catalogue_versions').select('country').orderBy('country').execute()).map(
      ({ country }) => country,
    );
  expect([await countriesIn(rest), await countriesIn(lanka)]).toEqual([['BG', 'IN'], ['LK']]);
  for (const db of [rest, lanka]) {
    // The imitated bank keeps its books with what belongs to no country.
    expect((await violations(db)).filter((text) => !/bank|charge/i.test(text))).toEqual([]);
    expect(await db.selectFrom('jobs').select('kind').where('kind', '=', 'sweep').execute()).toHaveLength(1);
  }
  await server.stop();
  await Promise.all([rest.destroy(), lanka.destroy()]);
  await Promise.all([common.drop(), own.drop()]);
});

test('a database that cannot be used keeps the others as they were, and is named without its password', async () => {
  const common = await emptyDatabase();
  const target = 'postgres://nobody:se@cret@127.0.0.1:9/none';
  const starting = startServer({
    database: common,
    settings: { environment: { DATABASE_URL: common.target, DATABASE_URL_LK: target } },
  });
  const error: unknown = await starting.catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ database: { name: 'DATABASE_URL_LK' } });
  expect(inspect(error)).not.toContain('cret');
  const { db } = await openDb(common.target);
  expect([...(await columnsOf(db)).keys()]).toEqual([]);
  await db.destroy();
  await common.drop();
});

/** The same customer at another process. */
const elsewhere = ({ person, where, productId, mobile }: Customer, server: TestServer) =>
  new Customer(server, person, where, productId, mobile);

import { CompiledQuery, Kysely } from 'kysely';
import { afterEach, describe, expect, test } from 'vitest';
import * as group from '../../src/contract/group.ts';
import * as orders from '../../src/contract/orders.ts';
import * as wallet from '../../src/contract/wallet.ts';
import { openDb, type OpenDatabase, type Tables } from '../../src/server/store/db.ts';
import { migrate } from '../../src/server/store/migrate.ts';
import { postgresDialect } from '../../src/server/store/postgres.ts';
import { NodeSqliteDialect } from '../../src/server/store/sqlite.ts';
import { bothEngines, emptyDatabase as newDatabase, startServer, type Engine } from '../kit/server.ts';
import { violations } from './invariants.ts';
import { Customer, pay, PLACES } from './shop.ts';
import { contents, readFixture, releases, replay, type Fixture } from '../upgrade/fixture.ts';
import { harms } from '../upgrade/harms.ts';

const clean: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const one of clean.splice(0).reverse()) await one();
});
async function emptyDatabase(engine: Engine) {
  const database = await newDatabase(engine);
  clean.push(() => database.drop());
  return database;
}
async function opened(target: string): Promise<OpenDatabase> {
  const found = await openDb(target);
  clean.push(() => found.db.destroy());
  return found;
}

/** Brings the tables up to date. @returns what was said to the database for it */
async function migrated(engine: Engine, target: string): Promise<string[]> {
  const said: string[] = [];
  const dialect =
    engine === 'sqlite' ? new NodeSqliteDialect(target) : await postgresDialect(target, () => {}, { isPatient: true });
  const db = new Kysely<Tables>({ dialect, log: ({ query }) => void said.push(query.sql) });
  await migrate({ db, engine, patiently: (work) => work(db) });
  await db.destroy();
  return said;
}

/** The rows as the older release knows them: what was added since is left out. */
function asBefore(rows: readonly string[], older: readonly string[]): string[] {
  const columns = new Set(older.flatMap((row) => Object.keys(JSON.parse(row) as object)));
  return rows
    .map((row) => {
      const values = Object.entries(JSON.parse(row) as object).filter(([column]) => columns.has(column));
      return JSON.stringify(Object.fromEntries(values));
    })
    .sort();
}

describe.each(await bothEngines())('on %s', (engine) => {
  test('a release starts on the tables of a newer one', async () => {
    const { target } = await emptyDatabase(engine);
    await migrated(engine, target);
    const { db } = await opened(target);
    const row = { name: '9999-of-a-newer-release', timestamp: new Date().toISOString() };
    await db
      .insertInto('kysely_migration' as never)
      .values(row)
      .execute();
    expect((await migrated(engine, target)).filter((text) => /^(create|alter|drop|insert)/.test(text))).toEqual([]);
  });

  describe.each(releases())('a shop of release %s', (release) => {
    const fixture: Fixture = readFixture(release, engine);

    test('is brought up to date and goes on: its session, orders, open payment, wallet and group', async () => {
      const database = await emptyDatabase(engine);
      await replay(database.target, fixture);
      const { db } = await opened(database.target);
      // The moment at which it was left.
      await db
        .updateTable('system')
        .set({ offset_ms: fixture.now - Date.now() })
        .execute();
      const states = await db.selectFrom('orders').select('status').distinct().execute();
      expect(states.length).toBeGreaterThanOrEqual(9);
      const server = await startServer({ database });
      clean.push(() => server.stop());
      expect(await violations(db, { hasOlder: true })).toEqual([]);

      const { person, mobile, next } = fixture.asha;
      const asha = new Customer(server, person, PLACES['IN']!.where, 'PZ001', mobile);
      const { orders: own } = (await asha.call(orders.recent, {})).body;
      expect(own.map(({ orderId }) => orderId)).toEqual(
        expect.arrayContaining([fixture.orders['delivered'], fixture.orders['returned']]),
      );
      expect((await asha.read(fixture.orders['delivered']!)).orderStatus).toBe('DELIVERED');
      const open = await asha.read(fixture.orders['open']!);
      await pay(server, next);
      expect((await asha.confirm(open)).order.orderStatus).toBe('ORDER PLACED');

      const { balance } = (await asha.call(wallet.balance, {})).body;
      const { version, bill, validItems } = await asha.cart();
      expect(validItems.filter(({ free }) => free !== true).map(({ quantity }) => quantity)).toEqual([3]);
      const body = { funds: { wallet: 5_000 } };
      const { order, next: rest } = (await asha.submit({ cartVersion: version, total: bill.total, body })).body;
      await pay(server, rest);
      expect((await asha.confirm(order)).order.orderStatus).toBe('ORDER PLACED');
      expect((await asha.call(wallet.balance, {})).body.balance).toBe(balance - 5_000);

      const host = new Customer(server, fixture.group.host, PLACES['IN']!.where, 'PZ001', '');
      const { group: seen } = (await host.call(group.byCode, { code: fixture.group.code, query: {} })).body;
      expect(seen).toMatchObject({ people: [{ name: 'Asha' }, { name: 'Ravi' }] });
      // What it left in its queue of jobs is done: orders arrive.
      await server.advance(3_600);
      expect((await asha.read(order.orderId)).orderStatus).toBe('DELIVERED');
      expect(
        await violations(db, { hasOlder: true, settled: true, ackedOrders: Object.values(fixture.orders) }),
      ).toEqual([]);
    });

    test('is brought up to date while it serves: every statement of the older release still works, to the same effect', async () => {
      const [older, newer] = [await emptyDatabase(engine), await emptyDatabase(engine)];
      await replay(older.target, fixture);
      await replay(newer.target, fixture, 0, fixture.begun);
      const said = await migrated(engine, newer.target);
      expect(harms(said, [...fixture.statements, ...fixture.reads])).toEqual([]);
      await replay(newer.target, fixture, fixture.begun);
      const [was, is] = [await contents(older.target), await contents(newer.target)];
      for (const [table, rows] of Object.entries(was).filter(([name]) => !name.startsWith('kysely')))
        expect(asBefore(is[table] ?? [], rows), table).toEqual(asBefore(rows, rows));
      const { db } = await opened(newer.target);
      await db.connection().execute(async (connection) => {
        for (const [index, text] of fixture.reads.filter((one) => /^(?!.*kysely_migration)select/i.test(one)).entries())
          await connection.executeQuery(
            CompiledQuery.raw(engine === 'postgres' ? `prepare read_${index} as ${text}` : `explain ${text}`, []),
          );
      });
      expect(await violations(db, { hasOlder: true })).toEqual([]);
    });
  });
});

test.each([
  ['drop table "orders"', ['select * from "orders"'], 'orders'],
  ['alter table "orders" drop column "total"', ['update "orders" set "total" = ?'], 'total'],
  ['alter table "orders" rename column "total" to "sum"', ['update "orders" set "total" = ?'], 'total'],
  ['alter table "orders" rename to "old_orders"', ['select * from "orders"'], 'orders'],
  ['alter table "orders" add column "x" text not null', ['insert into "orders" ("id") values (?)'], 'x'],
  ['alter table "orders" alter column "x" set not null', ['insert into "orders" ("id") values (?)'], 'orders'],
  ['create unique index "one" on "orders" ("user_id")', ['insert into "orders" ("id") values (?)'], 'orders'],
] as [string, string[], string][])('a migration that says %s harms the older release', (said, known, named) => {
  expect(harms([said], known)).toEqual([expect.stringContaining(named)]);
});
test('a migration that adds harms nobody', () => {
  const known = ['select * from "orders"'];
  expect(
    harms(
      [
        'create table "news" ("id" text primary key)',
        'create unique index "one" on "news" ("id")',
        'alter table "orders" add column "x" text',
        `alter table "orders" add column "y" integer default 0 not null`,
        'alter table "orders" drop column "of_older_times"',
        'create index "two" on "orders" ("x")',
        'drop table "news"',
      ],
      known,
    ),
  ).toEqual([]);
});

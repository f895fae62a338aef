import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { countryConfig } from '../../country/index.ts';
import * as help from '../../src/contract/help.ts';
import * as history from '../../src/contract/history.ts';
import { bringBackOf, dropOldMonths, LEFT_BEHIND, MOVED } from '../../src/server/store/archive.ts';
import { backUp, restore } from '../../src/server/store/backup.ts';
import { copyOf } from '../../src/server/store/copy.ts';
import { openDb } from '../../src/server/store/db.ts';
import { ordersOfUser } from '../../src/server/store/history.ts';
import { forgetPerson, whoIs } from '../../src/server/store/deletions.ts';
import { migrate } from '../../src/server/store/migrate.ts';
import { forgetOldOrders } from '../../src/server/store/orderAges.ts';
import { orderById, ordersByIds, standingOrders } from '../../src/server/store/orders.ts';
import { readOld } from '../../src/server/store/replica.ts';
import { storyOf } from '../../src/server/store/story.ts';
import { readSystem } from '../../src/server/store/system.ts';
import { temporaryFolder } from '../kit/folder.ts';
import { bothEngines, emptyDatabase } from '../kit/server.ts';
import { contents } from '../upgrade/fixture.ts';
import { member, openShop, pay, PICKUP, type Customer } from './shop.ts';
import { shopHere } from './shopHere.ts';

const DAY_MS = 86_400_000;
const YEAR_MS = 365 * DAY_MS;
const DAYS = 750;
const folder = temporaryFolder('pizza-archive');
const both = await bothEngines();

test('whatever refers to an order that goes to the archive goes along, is made again, or keeps it here', async () => {
  const opened = await openDb(':memory:');
  const { db } = opened;
  await migrate(opened);
  const { rows } = await sql<{ child: string; parent: string }>`select child.name as child, reference."table" as parent
    from sqlite_master child, pragma_foreign_key_list(child.name) reference where child.type = 'table'`.execute(db);
  await db.destroy();
  const known: readonly string[] = [...MOVED, ...LEFT_BEHIND, 'favourite_orders'];
  const moved: readonly string[] = MOVED;
  expect(rows.filter(({ child, parent }) => moved.includes(parent) && !known.includes(child))).toEqual([]);
});

describe.each(both)('the archive of old orders on %s', (engine) => {
  const { server, db } = shopHere({ engine });

  const count = async (table: 'orders' | 'old_orders', userId: string) =>
    (await db.selectFrom(table).select('id').where('user_id', '=', userId).execute()).length;
  const archive = async () => {
    await db.updateTable('old_customers').set({ opened_at: 0 }).execute();
    await forgetOldOrders(db, (await readSystem(db)).now, DAYS);
  };
  /** Orders of a member, each of which ended so many years ago: copies of one, with its payment and its steps. */
  async function placedBefore(one: Customer, ...years: readonly number[]): Promise<string[]> {
    await openShop(server);
    const { order: first, next } = await one.order({ paymentMode: 'UPI' });
    await pay(server, next);
    await one.confirm(first);
    await server.advance(3 * 3_600);
    const order = (await orderById(db, first.orderId))!;
    expect(order.status).toBe('PICKED');
    const made: string[] = [];
    for (const [index, ago] of years.entries()) {
      const id = randomUUID();
      const when = order.submitted_at - ago * YEAR_MS - index;
      const times = { submitted_at: when, confirmed_at: when, finished_at: when + 3_600_000 };
      await db
        .insertInto('orders')
        .values({ ...order, ...times, id, cart_id: id, idempotency_key: `key ${id}` })
        .execute();
      for (const table of ['order_events', 'payments', 'captures'] as const)
        for (const row of await db.selectFrom(table).selectAll().where('order_id', '=', order.id).execute()) {
          const own = { ...row, order_id: id } as Record<string, unknown>;
          for (const name of ['id', 'reference', 'payment_id'])
            if (name in own) own[name] = `${String(own[name])}${id}`;
          await db
            .insertInto(table)
            .values(own as never)
            .execute();
        }
      made.push(id);
    }
    return made;
  }
  const ticketOf = async (one: Customer, orderId: string) => {
    const at = (await readSystem(db)).now;
    const id = `tkt_${orderId}`;
    const said = { issue: 'missing', state: 'DONE', reason: null, pieces: '[]', comment: null, way: 'SOURCE' } as const;
    const more = { answer: null, language: 'en', money_by: null, created_at: at - 3 * YEAR_MS, answer_by: null };
    await db
      .insertInto('help_tickets')
      .values({ id, order_id: orderId, user_id: one.userId, worth: 0, amount: 0, answered_at: null, ...said, ...more })
      .execute();
    return id;
  };

  test('whoever asks for an old order has the same answer as before it was put away', async () => {
    const one = await member(server, 'IN', PICKUP);
    const years = [3, 3, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5];
    const ids = await placedBefore(one, ...years);
    const oldest = ids.at(-1)!;
    const ticket = await ticketOf(one, oldest);
    const payment = (await db.selectFrom('payments').select('id').where('order_id', '=', oldest).executeTakeFirst())!
      .id;
    const year = String(new Date((await readSystem(db)).now - 4 * YEAR_MS).getFullYear());
    const list = async (query: Record<string, string>) => (await one.call(history.list, { query })).body;
    const user = { id: one.userId, country: 'IN', mobile: one.mobile };
    const dish = (await one.read(oldest)).lines[0]!.product.name;
    const asked: readonly (readonly [what: string, ask: () => Promise<unknown>])[] = [
      ['the first page of the history', () => list({})],
      ['the page behind it', async () => await list({ pageNo: '2', after: (await list({})).paging.next! })],
      ['the page by its number', () => list({ pageNo: '2' })],
      ['a search', () => list({ search: dish })],
      ['an order by its link', () => one.read(oldest)],
      ['its record', async () => (await one.call(history.record, { orderId: oldest, query: {} })).body],
      ['orders by their ids', async () => (await ordersByIds(db, ids)).map(({ id }) => id).sort()],
      ['a year of money', async () => (await one.call(history.summary, { query: { year } })).body],
      ['the years there are', async () => (await one.call(history.summary, { query: {} })).body.years],
      ['a year as a table', async () => (await one.call(history.rows, { query: { year } })).body],
      ['tickets of the help', async () => (await one.call(help.tickets, {})).body],
      ['one of them', async () => (await one.call(help.status, { eventId: ticket })).body],
      ['how many orders stand', () => standingOrders(db, user)],
      ['the story of a payment', async () => (await storyOf(db, payment))?.order.id],
      [
        'a copy of all data',
        async () => {
          const sections = await copyOf(db, await whoIs(db, user, countryConfig('IN').dialPrefix));
          const rows = sections.flatMap(({ tables }) => tables).filter(({ name }) => MOVED.some((own) => own === name));
          return rows.map((table) => [table.name, table.rows.map((row) => JSON.stringify(row)).sort()]);
        },
      ],
    ];
    await archive();
    expect(await count('old_orders', one.userId)).toBe(ids.length);
    await bringBackOf(db, one.userId);
    expect([await count('orders', one.userId), await count('old_orders', one.userId)]).toEqual([ids.length + 1, 0]);
    const before = new Map<string, unknown>();
    for (const [what, ask] of asked) before.set(what, await ask());
    for (const [what, ask] of asked) {
      await archive();
      expect([what, await count('orders', one.userId)]).toEqual([what, 1]);
      expect([what, await ask()]).toEqual([what, before.get(what)]);
    }
    await archive();
    // Those that were asked for by their ids make a full page, in which newer ones that are still away have their place.
    await ordersByIds(db, ids.slice(2));
    expect(await count('orders', one.userId)).toBe(11);
    expect(await list({})).toEqual(before.get('the first page of the history'));
    // For a day, what was asked for stays.
    await forgetOldOrders(db, (await readSystem(db)).now, DAYS);
    expect(await count('orders', one.userId)).toBeGreaterThan(10);
  });

  test('an order that is kept as a favourite stays, and an account that goes takes its name from the archive', async () => {
    const one = await member(server, 'IN', PICKUP);
    const [kept = '', put = ''] = await placedBefore(one, 3, 4);
    await db.insertInto('favourite_orders').values({ user_id: one.userId, order_id: kept, saved_at: 0 }).execute();
    await archive();
    expect(await db.selectFrom('old_orders').select('id').where('user_id', '=', one.userId).execute()).toEqual([
      { id: put },
    ]);
    const user = { id: one.userId, country: 'IN', mobile: one.mobile };
    const { now } = await readSystem(db);
    const who = await whoIs(db, user, countryConfig('IN').dialPrefix, 'nobody_archive');
    await forgetPerson(db, who, now);
    await archive();
    const old = await db.selectFrom('old_orders').selectAll().where('id', 'in', [kept, put]).execute();
    expect(old.map(({ user_id }) => user_id)).toEqual(['nobody_archive', 'nobody_archive']);
    expect(JSON.stringify(old)).not.toContain(one.userId);
    expect(await db.selectFrom('old_customers').select('orders').where('user_id', '=', one.userId).execute()).toEqual(
      [],
    );
  });

  test('two servers put the same orders away and bring them back at once, and each is there once', async () => {
    const one = await member(server, 'IN', PICKUP);
    const ids = await placedBefore(one, 3, 3, 4);
    await archive();
    const found = await Promise.all([
      one.read(ids[0]!),
      one.read(ids[0]!),
      ordersByIds(db, ids),
      orderById(db, ids[0]!),
    ]);
    expect(found[2]).toHaveLength(ids.length);
    await db.updateTable('old_customers').set({ opened_at: 0 }).execute();
    const { now } = await readSystem(db);
    await Promise.all([forgetOldOrders(db, now, DAYS), forgetOldOrders(db, now, DAYS)]);
    expect([await count('orders', one.userId), await count('old_orders', one.userId)]).toEqual([1, ids.length]);
    expect(
      await db.selectFrom('old_customers').select(['orders', 'standing']).where('user_id', '=', one.userId).execute(),
    ).toEqual([{ orders: ids.length, standing: ids.length }]);
  });

  // SQLite has no replica.
  if (engine === 'postgres')
    test('what a replica finds put away is asked of the primary', async () => {
      const one = await member(server, 'IN', PICKUP);
      const ids = await placedBefore(one, 3, 4);
      await archive();
      const owner = { userId: one.userId, country: 'IN' };
      const asked: string[] = [];
      const found = await db.connection().execute(async (standby) => {
        await sql`set default_transaction_read_only = on`.execute(standby);
        const other = { db: standby, isFresh: () => true, behindMs: async () => 0 };
        const rows = await readOld(db, other, async (where) => {
          asked.push(where === db ? 'primary' : 'replica');
          return await ordersOfUser(where, owner, { offset: 0 }, 10);
        });
        await sql`set default_transaction_read_only = off`.execute(standby);
        return rows;
      });
      expect([found.length, asked]).toEqual([ids.length + 1, ['replica', 'primary']]);
    });

  test('a backup holds the archive, and either database takes it', async () => {
    const one = await member(server, 'IN', PICKUP);
    const ids = await placedBefore(one, 3, 4, 5);
    await archive();
    const file = path.join(folder, `${engine}.backup`);
    await backUp(server.database.target, file, {});
    const { old_orders: there, old_customers: whose } = await contents(server.database.target);
    expect(there!.filter((row) => ids.some((id) => row.includes(id)))).toHaveLength(ids.length);
    for (const to of both) {
      const empty = await emptyDatabase(to);
      await restore(empty.target, file, false);
      const { old_orders: restored, old_customers: owners } = await contents(empty.target);
      expect([restored, owners]).toEqual([there, whose]);
      await empty.drop();
    }
  });

  test('a month goes whole when its books are kept no longer, and no other', async () => {
    const one = await member(server, 'IN', PICKUP);
    const ids = await placedBefore(one, 3, 4, 5);
    await archive();
    const left = async () =>
      (await db.selectFrom('old_orders').select(['id', 'submitted_at']).where('user_id', '=', one.userId).execute())
        .map(({ id }) => ids.indexOf(id))
        .sort();
    const submitted = (
      await db.selectFrom('old_orders').select('submitted_at').where('id', '=', ids[2]!).executeTakeFirstOrThrow()
    ).submitted_at;
    const date = new Date(submitted);
    const over = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1 + 70);
    await dropOldMonths(db, over - 1, 70);
    expect(await left()).toEqual([0, 1, 2]);
    await dropOldMonths(db, over, 70);
    expect(await left()).toEqual([0, 1]);
    expect((await one.call(history.list, { query: {} })).body.orders).toHaveLength(3);
  });
});

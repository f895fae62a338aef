import { sql, type KyselyPlugin } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as group from '../../src/contract/group.ts';
import { serve, type RunningServer } from '../../src/server/app.ts';
import { bringBack } from '../../src/server/store/archive.ts';
import { addToInbox, readSystem } from '../../src/server/store/system.ts';
import { forgetOldOrders } from '../../src/server/store/orderAges.ts';
import { refundsOf } from '../../src/server/store/payments.ts';
import { ROWS_AT_ONCE, sweep } from '../../src/server/store/sweep.ts';
import type { Tables } from '../../src/server/store/db.ts';
import { PERSONAL } from '../../src/server/store/personal.ts';
import { controls, bothEngines, testDatabase, type TestDatabase, type TestServer } from '../kit/server.ts';
import { violations } from './invariants.ts';
import { logIn } from './people.ts';
import { Customer, member, openShop, pay, visitor } from './shop.ts';

const DAY_MS = 86_400_000;
/** They have numbers for some days, by ages of their own. */
const OF_CODES: readonly (keyof Tables)[] = ['codes', 'code_numbers', 'code_sends', 'inbox'];
const GUESTS = 1_000;
const REFRESHES = 40_000;

describe.each(await bothEngines())('sweeping on %s', (engine) => {
  let database: TestDatabase;
  let running: RunningServer;
  let server: TestServer;
  let at: number;
  beforeAll(async () => {
    database = await testDatabase(engine);
    running = await serve({ port: 0, database: database.target, distDir: null, development: true, quiet: true });
    server = { ...controls(running.url), url: running.url, database, stop: () => running.stop() };
    await server.switches({ kitchen: 'steady' });
    await openShop(server);
    at = (await readSystem(running.db)).now;
  });
  afterAll(async () => {
    await running.stop();
    await database.drop();
  });

  const count = async (table: keyof Tables, column: string, like: string) =>
    Number(
      (
        await sql<{
          n: number;
        }>`select count(*) as n from ${sql.table(table)} where ${sql.ref(column)} like ${like}`.execute(running.db)
      ).rows[0]!.n,
    );
  const left = async () => [
    await count('users', 'id', 'old_%'),
    await count('sessions', 'id', 'old_%'),
    await count('carts', 'id', 'old_%'),
    await count('cart_lines', 'cart_id', 'old_%'),
    await count('used_refreshes', 'hash', 'old_%'),
  ];
  const age = async (userId: string, days: number) => {
    await running.db
      .updateTable('sessions')
      .set({ ends_at: at - days * DAY_MS })
      .where('user_id', '=', userId)
      .execute();
  };
  const cartOf = (customer: Customer) =>
    running.db.selectFrom('carts').selectAll().where('id', '=', customer.cartId).executeTakeFirst();
  const linesOf = async (customer: Customer) => await count('cart_lines', 'cart_id', customer.cartId);

  /** Rows that nobody can come back to. */
  async function old(): Promise<void> {
    const long = at - 31 * DAY_MS;
    const rows = (n: number) =>
      engine === 'sqlite'
        ? sql`(with recursive n(i) as (select 1 union all select i + 1 from n where i < ${sql.lit(n)}) select i from n) n`
        : sql`(select i from generate_series(1, ${sql.lit(n)}) i) n`;
    const key = sql`'old_' || i`;
    const fill = [
      sql`insert into users (id, country, guest, cart_id, created_at) select ${key}, 'IN', 1, ${key}, 1 from ${rows(GUESTS)}`,
      sql`insert into sessions (id, user_id, host, login_type, family_key, created_at, ends_at) select ${key}, ${key}, 'web', 'anonymous', '', 1, ${sql.lit(long)} from ${rows(GUESTS)}`,
      sql`insert into carts (id, user_id, country, version, store_id, delivery_type, tip, carry_bag, cutlery, touched_at) select ${key}, ${key}, 'IN', 1, '10101', 'PICKUP', 0, 0, 0, 1 from ${rows(GUESTS)}`,
      sql`insert into cart_lines (cart_id, line_id, position, quantity, removed, wish, changed_at) select ${key}, 'l', 0, 1, 0, '{}', 1 from ${rows(GUESTS)}`,
      sql`insert into used_refreshes (hash, session_id, used_at) select ${key}, 'old_1', 1 from ${rows(REFRESHES)}`,
    ];
    for (const statement of fill) await statement.execute(running.db);
  }

  test('tens of thousands of old rows go in small batches, between which an order is placed; orders, money and whoever lives stay', async () => {
    const [living, buyer, moneyed, away, host] = [
      await visitor(server),
      await visitor(server),
      await visitor(server),
      await member(server),
      await visitor(server),
    ];
    await living.fill();
    const { order } = await buyer.order({ paymentMode: 'COD' });
    await away.order({ paymentMode: 'COD' });
    for (const customer of [moneyed, away, host]) await customer.fill();
    const { id: voucher_id } = await running.db.selectFrom('vouchers').select('id').limit(1).executeTakeFirstOrThrow();
    await running.db
      .insertInto('voucher_links')
      .values({ user_id: moneyed.userId, voucher_id, linked_at: 1 })
      .execute();
    await server.call(
      group.start,
      { cartId: host.cartId, body: { name: 'Asha', diet: [], minutes: 30, limit: null } },
      host.person.as,
    );
    await running.db
      .updateTable('group_orders')
      .set({ closes_at: at - 31 * DAY_MS })
      .execute();
    await addToInbox(running.db, '+910000000000', 'old', at - 8 * DAY_MS);
    const keys = { p256dh: '', auth: '', mount: '/in/', language: 'en', created_at: 1 };
    for (const { userId: user_id } of [living, away])
      await running.db
        .insertInto('push_subscriptions')
        .values({ endpoint: user_id, user_id, session_id: null, ...keys })
        .execute();
    const version = (await cartOf(away))!.version;
    for (const customer of [buyer, moneyed, away, host]) await age(customer.userId, 31);
    await old();

    const affected: number[] = [];
    const counting: KyselyPlugin = {
      transformQuery: ({ node }) => node,
      transformResult: async ({ result }) => {
        affected.push(Number(result.numAffectedRows ?? 0n));
        return result;
      },
    };
    const ended: string[] = [];
    const [isDone] = await Promise.all([
      sweep(running.db.withPlugin(counting), at, 150).finally(() => ended.push('swept')),
      living.submit({ paymentMode: 'COD' }).then(({ status }) => ended.push(`ordered ${status}`)),
    ]);
    expect(ended).toEqual(['ordered 200', 'swept']);
    expect(isDone).toBe(false);
    expect(Math.max(...affected)).toBe(ROWS_AT_ONCE);
    expect((await left())[4]).toBeGreaterThan(REFRESHES - 150 * ROWS_AT_ONCE);

    // The job goes on where a job must end.
    await server.advance(6 * 3_600);
    expect(await left()).toEqual([0, 0, 0, 0, 0]);
    expect(await server.inbox('+910000000000')).toEqual([]);
    const people = await running.db
      .selectFrom('users')
      .select('id')
      .where(
        'id',
        'in',
        [living, buyer, moneyed, away, host].map(({ userId }) => userId),
      )
      .execute();
    expect(people.map(({ id }) => id).sort()).toEqual(
      [living, buyer, moneyed, away].map(({ userId }) => userId).sort(),
    );
    expect(await running.db.selectFrom('orders').select('id').where('id', '=', order.orderId).execute()).toHaveLength(
      1,
    );
    expect(await running.db.selectFrom('group_orders').select('id').execute()).toEqual([]);
    expect([await cartOf(host), await linesOf(away), await linesOf(moneyed)]).toEqual([undefined, 0, 0]);
    const heard = await running.db.selectFrom('push_subscriptions').select('user_id').execute();
    expect(heard).toEqual([{ user_id: living.userId }]);
    // Nobody's order is mistaken for that of an earlier cart with the same version.
    expect((await cartOf(away))!.version).toBeGreaterThan(version);
    const back = new Customer(server, await logIn(server, away.mobile), away.where, away.productId, away.mobile);
    expect(back.cartId).toBe(away.cartId);
    expect((await back.order({ paymentMode: 'COD' })).order.orderNumber).not.toBe('');
    expect(await violations(running.db, { settled: false })).toEqual([]);
  });

  test("what a guest ordered and never paid goes after 90 days, with the guest; what was paid, and a member's, stay", async () => {
    const [leaver, linker, payer, known] = [
      await visitor(server),
      await visitor(server),
      await visitor(server),
      await member(server),
    ];
    const unpaid = [
      (await leaver.order({ paymentMode: 'UPI' })).order.orderId,
      (await linker.order({ paymentMode: 'LINK' })).order.orderId,
    ];
    const { order, next } = await payer.order({ paymentMode: 'UPI' });
    await pay(server, next);
    await payer.confirm(order);
    const stay = [order.orderId, (await known.order({ paymentMode: 'UPI' })).order.orderId];
    await server.advance(16 * 60);
    const { now } = await readSystem(running.db);
    const found = async () =>
      (
        await running.db
          .selectFrom('orders')
          .select('id')
          .where('id', 'in', [...unpaid, ...stay])
          .execute()
      )
        .map(({ id }) => id)
        .sort();
    for (const { userId } of [leaver, linker, payer]) await age(userId, 40);
    await sweep(running.db, now + 89 * DAY_MS);
    expect(await found()).toEqual([...unpaid, ...stay].sort());
    await sweep(running.db, now + 91 * DAY_MS);
    expect(await found()).toEqual([...stay].sort());
    const people = [leaver, linker, payer, known].map(({ userId }) => userId);
    const users = await running.db.selectFrom('users').select('id').where('id', 'in', people).execute();
    expect(users.map(({ id }) => id).sort()).toEqual([payer.userId, known.userId].sort());
    for (const table of ['order_events', 'payments', 'pay_links'] as const)
      expect(await running.db.selectFrom(table).select('order_id').where('order_id', 'in', unpaid).execute()).toEqual(
        [],
      );
  });

  test('750 days after its end an order names nobody: a member keeps its dishes and sums, a guest is forgotten', async () => {
    const names = ['Zebedia', 'Quillfeather', 'Nightingale Passage', 'Ring twice', 'It was cold, says Zeb'];
    const [firstName = '', lastName = '', address = '', note, comment = ''] = names;
    await openShop(server);
    const [me, passer, living, friend] = [
      await member(server),
      await visitor(server),
      await visitor(server),
      await visitor(server),
    ];
    const placed = async (customer: Customer) => {
      const body = {
        customer: { firstName, lastName, mobile: customer.mobile },
        address: { ...customer.where.address!, address },
        note,
      };
      const { order, next } = await customer.order({ paymentMode: 'UPI', body });
      await pay(server, next);
      await customer.confirm(order);
      return order;
    };
    const [mine, passers, livings] = [await placed(me), await placed(passer), await placed(living)];
    const { order: young, next } = await friend.order({ paymentMode: 'UPI' });
    await pay(server, next);
    await friend.confirm(young);
    await server.advance(3 * 3_600);
    const before = await me.read(mine.orderId);
    expect([before.orderStatus, before.customer.firstName]).toEqual(['DELIVERED', firstName]);
    const { now } = await readSystem(running.db);
    const told = { overall: 3, nps: 5, aspects: '[]', additional: comment, created_at: now, changed_at: now };
    await running.db
      .insertInto('feedbacks')
      .values({ id: 'fb_old', order_id: mine.orderId, user_id: me.userId, comment, ...told })
      .execute();
    await running.db
      .insertInto('rider_notes')
      .values({ order_id: mine.orderId, seq: 1, text: firstName, at: now })
      .execute();
    const end = async (orderId: string, finished_at: number) => {
      await running.db.updateTable('orders').set({ finished_at }).where('id', '=', orderId).execute();
    };
    for (const { orderId } of [mine, passers, livings]) await end(orderId, now - 750 * DAY_MS);
    await end(young.orderId, now - 749 * DAY_MS);
    // Whose session is over, and who may still come back.
    await running.db
      .updateTable('sessions')
      .set({ ends_at: now - 31 * DAY_MS })
      .where('user_id', '=', passer.userId)
      .execute();
    await running.db
      .updateTable('idempotency')
      .set({ created_at: now - 2 * DAY_MS })
      .execute();
    await running.db
      .updateTable('price_locks')
      .set({ locked_until: now - 2 * DAY_MS })
      .execute();
    const known = async (text: string) => {
      const found: string[] = [];
      for (const table of (Object.keys(PERSONAL) as (keyof Tables)[]).filter((name) => !OF_CODES.includes(name)))
        for (const row of (await sql<object>`select * from ${sql.table(table)}`.execute(running.db)).rows)
          if (JSON.stringify(row).includes(text)) found.push(table);
      return found;
    };
    // What stores were told was swept by the test before, at a later time.
    const wrong = async () =>
      (await violations(running.db, { settled: false })).filter((one) => !one.endsWith('not told exactly once'));
    expect(await known(firstName)).toContain('orders');

    await server.advance(6 * 3_600);
    for (const text of [...names, passer.mobile, passer.userId, passer.cartId, living.mobile])
      expect([text, await known(text)]).toEqual([text, []]);
    const after = await me.read(mine.orderId);
    expect(after).toMatchObject({
      customer: { firstName: '', lastName: '', mobile: '' },
      address: null,
      orderNumber: before.orderNumber,
      bill: before.bill,
      lines: before.lines.map(({ lineId, quantity }) => ({ lineId, quantity })),
    });
    await bringBack(running.db, [passers.orderId]);
    const younger = await running.db
      .selectFrom('orders')
      .selectAll()
      .where('id', '=', young.orderId)
      .executeTakeFirst();
    expect([younger?.mobile, younger?.snapshot.includes('"Asha"')]).toEqual([friend.mobile, true]);
    for (const [table, column] of [
      ['orders', 'id'],
      ['payments', 'order_id'],
    ] as const) {
      const rows = await running.db.selectFrom(table).select('user_id').where(column, '=', passers.orderId).execute();
      expect(rows).toEqual([{ user_id: 'nobody_guests_IN' }]);
    }
    // The account is no newcomer again.
    const counted = await running.db
      .selectFrom('counted_orders')
      .select('holder')
      .where('order_id', '=', mine.orderId)
      .execute();
    expect(counted).toEqual([{ holder: `user:${me.userId}` }]);
    expect(await wrong()).toEqual([]);
    // A guest who may come back stays, and goes with the session.
    expect(await known(living.userId)).toContain('orders');
    await running.db
      .updateTable('sessions')
      .set({ ends_at: now - 31 * DAY_MS })
      .where('user_id', '=', living.userId)
      .execute();
    await sweep(running.db, now);
    expect(await known(living.userId)).toEqual([]);
    expect(await wrong()).toEqual([]);
  });

  test('an old order keeps its customer while its money goes back, or a person has a question about it', async () => {
    const [paying, asking] = [await member(server), await member(server)];
    const placed = async (customer: Customer) => {
      const { order, next } = await customer.order({ paymentMode: 'UPI' });
      await pay(server, next);
      await customer.confirm(order);
      return order.orderId;
    };
    await openShop(server);
    const [refunded, asked] = [await placed(paying), await placed(asking)];
    expect((await paying.cancel(refunded)).status).toBe(200);
    // What its jobs still read of an order comes back from the archive.
    await server.advance(1);
    const { db } = running;
    const { now } = await readSystem(db);
    const old = { finished_at: now - 800 * DAY_MS };
    await db.updateTable('orders').set(old).where('id', 'in', [refunded, asked]).execute();
    const ticket = {
      id: 'tsg_old',
      order_id: asked,
      user_id: asking.userId,
      issue: 'missing',
      state: 'PERSON',
    } as const;
    const texts = { reason: 'RULE', pieces: '[]', comment: 'It was cold', way: 'SOURCE', answer: null } as const;
    const times = { language: 'en', money_by: null, created_at: now, answer_by: now, answered_at: null };
    await db
      .insertInto('help_tickets')
      .values({ ...ticket, ...texts, ...times, worth: 0, amount: 0 })
      .execute();
    const numbers = async () =>
      (await db.selectFrom('orders').select('mobile').where('id', 'in', [refunded, asked]).execute())
        .map(({ mobile }) => mobile)
        .sort();
    expect((await refundsOf(db, [refunded])).map(({ state }) => state)).toEqual(['STARTED']);
    expect(await forgetOldOrders(db, now, 750)).toBe(true);
    expect(await numbers()).toEqual([paying.mobile, asking.mobile].sort());
    await db.updateTable('help_tickets').set({ state: 'DONE', answered_at: now }).where('id', '=', ticket.id).execute();
    await forgetOldOrders(db, now, 750);
    // What names nobody any more is put away at once.
    expect(await numbers()).toEqual([paying.mobile]);
    await db.updateTable('refunds').set({ state: 'PAID', paid_at: now }).where('order_id', '=', refunded).execute();
    await forgetOldOrders(db, now, 750);
    expect(await numbers()).toEqual([]);
    await bringBack(db, [refunded, asked]);
    expect(await numbers()).toEqual(['', '']);
  });
});

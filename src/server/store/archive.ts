import { sql, type RawBuilder } from 'kysely';
import { DAY_MS } from '../../domain/time.ts';
import { engineOf, transact, type Db, type Root, type Tables, type Tx } from './db.ts';
import { columnsOf } from './migrate.ts';
import { atAddresses } from './rowAddress.ts';
import { now } from './system.ts';

// Where orders are that are old and name nobody: one row each, with all rows of the tables below as JSON, on PostgreSQL in
// a part of its own for each month, which goes whole when the law wants its books no longer. Nothing else reads it: whoever
// asks for such an order, its customer's further orders or all of them has them back in their own tables first, and a day
// later they return. So all tables that orders are read from hold some two years, and their unique keys stay whole.

declare module './db.ts' {
  interface Tables {
    old_orders: { id: string; user_id: string; country: string; submitted_at: number; body: string };
    /** Whose orders are there: how many, how many of them stand, and when some were last asked for. */
    old_customers: { user_id: string; orders: number; standing: number; opened_at: number };
  }
}

/** What goes along with an order: those that others refer to come first. */
export const MOVED = [
  ...(['orders', 'order_events', 'outbox', 'promise_credits', 'payments', 'captures', 'refunds', 'invoices'] as const),
  ...(['help_tickets', 'help_parts', 'feedbacks', 'feedback_asks', 'order_shares'] as const),
  ...(['rider_notes', 'pay_links', 'train_orders', 'train_news'] as const),
] satisfies readonly (keyof Tables)[];
/** What is made again when it is asked for, and who shared a bill, which was for their names in the order. */
export const LEFT_BEHIND = [
  'order_dishes',
  'invoice_files',
  'bill_people',
] as const satisfies readonly (keyof Tables)[];

/** What of an order still needs its customer, however old it is: money that goes back, and a question to a person. */
export const UNDER_WAY = sql`select 1 from refunds r where r.state = 'STARTED' and r.order_id = orders.id
  union all select 1 from help_tickets h where h.state = 'PERSON' and h.order_id = orders.id`;

const NOT_STANDING: readonly string[] = ['PENDING', 'FAILED', 'CANCELLED'];
/** Orders that come back in one transaction. */
const AT_ONCE = 50;

type Row = Record<string, unknown>;
type Body = { [T in (typeof MOVED)[number]]?: Row[] };

function rowsOf(table: keyof Tables, orderIds: readonly string[]): RawBuilder<unknown> {
  if (table === 'orders') return sql`id in (${sql.join(orderIds)})`;
  const own = sql`order_id in (${sql.join(orderIds)})`;
  return table === 'train_news' ? sql`train_id in (select id from train_orders where ${own})` : own;
}

const PART = /^old_orders_(\d{4})_(\d{2})$/;
const monthStart = (at: number, months = 0): number => {
  const date = new Date(at);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months);
};

async function parts(db: Db): Promise<Set<string>> {
  const { rows } = await sql<{ name: string }>`select c.relname as name from pg_inherits i
    join pg_class c on c.oid = i.inhrelid where i.inhparent = 'old_orders'::regclass`.execute(db);
  return new Set(rows.map(({ name }) => name));
}

/** Makes the parts of PostgreSQL that orders of these times belong to, where they are not there yet. */
export async function makeParts(tx: Tx, times: readonly number[]): Promise<void> {
  if (engineOf(tx) === 'sqlite') return;
  const there = await parts(tx);
  for (const from of new Set(times.map((at) => monthStart(at)))) {
    const name = `old_orders_${new Date(from).toISOString().slice(0, 7).replace('-', '_')}`;
    if (!there.has(name))
      await sql`create table ${sql.table(name)} partition of old_orders
        for values from (${sql.lit(from)}) to (${sql.lit(monthStart(from, 1))})`.execute(tx);
  }
}

/**
 * Puts away some orders that ended this many days ago and name nobody. Those stay that somebody keeps as a favourite, that
 * a guest may come back to, and for a day those of a customer who has asked for some.
 * @returns how many
 */
export async function archiveOrders(tx: Tx, at: number, days: number, most: number): Promise<number> {
  const stays = sql`${UNDER_WAY}
    union all select 1 from favourite_orders f where f.order_id = orders.id
    union all select 1 from users u where u.id = orders.user_id and u.guest = 1
    union all select 1 from old_customers c where c.user_id = orders.user_id and c.opened_at > ${at - DAY_MS}`;
  const found = await tx
    .selectFrom('orders')
    .select(['id', 'user_id', 'country', 'status', 'submitted_at'])
    .where('finished_at', 'is not', null)
    .where('finished_at', '<', at - days * DAY_MS)
    .whereRef('idempotency_key', '=', 'id')
    .where(sql<boolean>`not exists (${stays})`)
    .orderBy('finished_at')
    .limit(most)
    .$if(engineOf(tx) === 'postgres', (query) => query.forUpdate())
    .execute();
  if (found.length === 0) return 0;
  const ids = found.map(({ id }) => id);
  const bodies = new Map(ids.map((id): [string, Body] => [id, {}]));
  const trains = new Map<unknown, string>();
  for (const table of MOVED) {
    const { rows } = await sql<Row>`select * from ${sql.table(table)} where ${rowsOf(table, ids)}`.execute(tx);
    for (const row of rows) {
      const orderId = (table === 'orders' ? row['id'] : (row['order_id'] ?? trains.get(row['train_id']))) as string;
      if (table === 'train_orders') trains.set(row['id'], orderId);
      (bodies.get(orderId)![table] ??= []).push(row);
    }
  }
  await makeParts(
    tx,
    found.map(({ submitted_at }) => submitted_at),
  );
  await tx
    .insertInto('old_orders')
    .values(found.map(({ status: _, ...order }) => ({ ...order, body: JSON.stringify(bodies.get(order.id)) })))
    .execute();
  const owners = [...Map.groupBy(found, (order) => order.user_id)].sort(([a], [b]) => (a < b ? -1 : 1));
  for (const [userId, own] of owners) {
    const standing = own.filter(({ status }) => !NOT_STANDING.includes(status)).length;
    await tx
      .insertInto('old_customers')
      .values({ user_id: userId, orders: own.length, standing, opened_at: 0 })
      .onConflict((c) =>
        c.column('user_id').doUpdateSet((e) => ({
          orders: e('old_customers.orders', '+', own.length),
          standing: e('old_customers.standing', '+', standing),
        })),
      )
      .execute();
  }
  for (const table of [...LEFT_BEHIND, ...MOVED.toReversed()])
    await sql`delete from ${sql.table(table)} where ${rowsOf(table, ids)}`.execute(tx);
  return found.length;
}

/** @throws what a replica answers to who writes: it is asked of the primary then (replica.ts), without a try at it */
async function mustBePrimary(db: Db): Promise<void> {
  if (engineOf(db) === 'sqlite') return;
  const { rows } = await sql<{ mode: string }>`select current_setting('transaction_read_only') as mode`.execute(db);
  if (rows[0]?.mode === 'on') throw Object.assign(new Error('a replica brings no order back'), { code: '25006' });
}

/** Brings back those for which something holds. @returns how many were there */
async function bringSome(db: Db, holds: RawBuilder<unknown>): Promise<number> {
  const { rows: found } = await sql<Pick<Tables['old_orders'], 'id' | 'submitted_at'>>`
    select id, submitted_at from old_orders where ${holds}`.execute(db);
  if (found.length === 0) return 0;
  await mustBePrimary(db);
  await transact(db, async (tx) => {
    // With their times, so that only their parts are looked into. What somebody else brings back meanwhile is not among them.
    const { rows } = await sql<Tables['old_orders']>`delete from old_orders
      where submitted_at in (${sql.join(found.map((one) => one.submitted_at))})
      and id in (${sql.join(found.map(({ id }) => id))}) returning *`.execute(tx);
    const columns = await columnsOf(tx);
    const bodies = rows.map(({ body }) => JSON.parse(body) as Body);
    for (const table of MOVED)
      // Of a column that has gone since, nothing is known any more.
      for (const row of bodies.flatMap((body) => body[table] ?? [])) {
        const kept = Object.entries(row).filter(([column]) => columns.get(table)?.includes(column));
        await tx
          .insertInto(table)
          .values(Object.fromEntries(kept) as never)
          .execute();
      }
    const at = await now(tx);
    const owners = [
      ...Map.groupBy(
        bodies.flatMap(({ orders = [] }) => orders),
        (order) => order['user_id'] as string,
      ),
    ];
    for (const [userId, own] of owners.sort(([a], [b]) => (a < b ? -1 : 1))) {
      const standing = own.filter(({ status }) => !NOT_STANDING.includes(status as string)).length;
      await tx
        .updateTable('old_customers')
        .set((e) => ({
          orders: e('orders', '-', own.length),
          standing: e('standing', '-', standing),
          opened_at: at,
        }))
        .where('user_id', '=', userId)
        .execute();
    }
  });
  return found.length;
}

/** Brings back these of them that are there. Somebody else may have done so at this moment: they are read again in any case. */
export async function bringBack(db: Db, orderIds: readonly string[]): Promise<void> {
  // In an order of time, PostgreSQL would read the times of all parts to find these on the way.
  await bringSome(db, sql`id in (${sql.join(orderIds)})`);
}

/** How many of a customer's orders are there; null where none has ever been. */
async function countOf(db: Db, userId: string): Promise<number | null> {
  const row = await db.selectFrom('old_customers').select('orders').where('user_id', '=', userId).executeTakeFirst();
  return row?.orders ?? null;
}

/**
 * Which of a customer's orders: of a country and time (epoch ms, both ends included), with rows of a table or one with this
 * id, so many at most.
 */
interface Share {
  readonly country?: string;
  readonly from?: number;
  readonly to?: number;
  readonly having?: (typeof MOVED)[number];
  readonly rowId?: string;
  readonly most?: number;
}

/** Brings back a customer's orders, the newest first. @returns how many; null where none has ever been put away */
export async function bringBackOf(db: Db, userId: string, wanted: Share = {}): Promise<number | null> {
  const there = await countOf(db, userId);
  if (there === null || there === 0) return there;
  const { country, from = 0, to = Number.MAX_SAFE_INTEGER, having, rowId, most = Number.POSITIVE_INFINITY } = wanted;
  const holds = sql.join(
    [
      sql`user_id = ${userId} and submitted_at >= ${from} and submitted_at <= ${to}`,
      ...(country === undefined ? [] : [sql`country = ${country}`]),
      // In a text of the order, a quotation mark has a backslash before it.
      ...(having === undefined ? [] : [sql`body like ${`%"${having}":[%`}`]),
      ...(rowId === undefined ? [] : [sql`body like ${`%"id":"${rowId}"%`}`]),
    ],
    sql` and `,
  );
  let count = 0;
  for (let last = AT_ONCE; last === AT_ONCE && count < most; count += last)
    last = await bringSome(
      db,
      sql`${holds} order by submitted_at desc limit ${sql.lit(Math.min(AT_ONCE, most - count))}`,
    );
  return count;
}

/**
 * Reads what a customer's orders are part of, and again with those that are brought back.
 * @param wanted what may be put away of it, by what was found; null: nothing
 */
export async function readWhole<T>(
  db: Db,
  userId: string,
  read: () => Promise<T>,
  wanted: (found: T) => Share | null,
): Promise<T> {
  for (;;) {
    const found = await read();
    const missing = wanted(found);
    const brought = missing === null ? null : await bringBackOf(db, userId, missing);
    if (brought === null) return found;
    // Another request may have brought them back between the two.
    if (brought === 0) return await read();
  }
}

/** When the first and the last of a customer's orders there were placed; nothing is brought back. */
export async function oldSpan(db: Db, userId: string, country: string): Promise<readonly number[]> {
  if (!(await countOf(db, userId))) return [];
  const row = await db
    .selectFrom('old_orders')
    .select((e) => [e.fn.min('submitted_at').as('first'), e.fn.max('submitted_at').as('last')])
    .where('user_id', '=', userId)
    .where('country', '=', country)
    .executeTakeFirst();
  return row === undefined ? [] : [row.first, row.last].filter((at): at is number => at !== null);
}

/** Rows that one statement deletes at most. */
const DELETED_AT_ONCE = 100;

/**
 * Drops months that the law wants no longer.
 * @param at epoch ms
 * @param months how many the books of a month are kept after its end
 * @param most statements at most
 * @returns whether there are no more
 */
export async function dropOldMonths(db: Root, at: number, months: number, most = Infinity): Promise<boolean> {
  const kept = monthStart(at, -months);
  if (engineOf(db) === 'postgres') {
    for (const name of await parts(db)) {
      const [, year, month] = PART.exec(name) ?? [];
      if (Date.UTC(Number(year), Number(month) - 1) < kept) await sql`drop table ${sql.table(name)}`.execute(db);
    }
    return true;
  }
  for (let count = 0; count < most; count += 1) {
    const old = atAddresses(
      db,
      (row) => sql`select ${row} from old_orders where submitted_at < ${kept} limit ${sql.lit(DELETED_AT_ONCE)}`,
    );
    const { numAffectedRows = 0n } = await sql`delete from old_orders where ${old}`.execute(db);
    if (numAffectedRows < DELETED_AT_ONCE) return true;
    // SQLite answers within the same turn of the event loop: without this, no request would even be read.
    await new Promise((next) => setImmediate(next));
  }
  return false;
}

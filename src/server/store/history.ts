import type { OrderStatus } from '../../contract/names.ts';
import { bringBackOf, oldSpan, readWhole } from './archive.ts';
import type { Db, Tables, Tx } from './db.ts';
import { paidBackOf } from './loyalty.ts';
import { snapshotOf, type OrderRow, type OrderSnapshot } from './orders.ts';

declare module './db.ts' {
  interface Tables {
    /** What an order was of, as JSON of OrderedDish[]: only so much of it as is searched. */
    order_dishes: { order_id: string; dishes: string };
    favourite_orders: { user_id: string; order_id: string; saved_at: number };
  }
}

/** The owner of the orders, and their country. */
export interface Owner {
  readonly userId: string;
  readonly country: string;
}

/** Where a page of a customer's orders begins: behind an order, or after so many of them. */
export type HistoryStart = { readonly submittedAt: number; readonly id: string } | { readonly offset: number };

/** A customer's orders of a country, newest first, at most `limit` of them; with `since` only those from then on. */
export async function ordersOfUser(
  db: Db,
  owner: Owner,
  start: HistoryStart,
  limit: number,
  since = 0,
): Promise<OrderRow[]> {
  return await readWhole(
    db,
    owner.userId,
    () => liveOrdersOfUser(db, owner, start, limit, since),
    (rows) => ({
      country: owner.country,
      // What was put away belongs before the last one of a full page, or behind the end of all others.
      from: rows.length < limit ? since : rows.at(-1)!.submitted_at,
      ...('offset' in start ? {} : { to: start.submittedAt }),
      most: limit,
    }),
  );
}

/** The same of those that are not put away: of some two years. */
export async function liveOrdersOfUser(
  db: Db,
  { userId, country }: Owner,
  start: HistoryStart,
  limit: number,
  since = 0,
): Promise<OrderRow[]> {
  let query = db
    .selectFrom('orders')
    .selectAll()
    .where('user_id', '=', userId)
    .where('country', '=', country)
    .where('submitted_at', '>=', since)
    .orderBy('submitted_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit);
  if ('offset' in start) query = query.offset(start.offset);
  else
    query = query.where((e) =>
      e.and([
        e('submitted_at', '<=', start.submittedAt),
        e.or([e('submitted_at', '<', start.submittedAt), e('id', '<', start.id)]),
      ]),
    );
  return await query.execute();
}

/** A dish of an order: its product's id, its name as it was then, and what it was. */
export type OrderedDish = readonly [productId: string, name: string, kind: string, foodType: string];

/** The dishes of an order and those in its combos. */
const dishesIn = ({ lines }: OrderSnapshot): OrderedDish[] =>
  lines.flatMap(({ product: { id, name, kind, foodType }, slots = [] }): OrderedDish[] => [
    [id, name, kind, foodType],
    ...slots.map((slot): OrderedDish => [slot.productId, slot.name, '', slot.foodType]),
  ]);

const SNAPSHOTS_AT_A_TIME = 100;

/** Notes what these orders were of, a few at a time, so that others are answered meanwhile. */
async function noteDishes(db: Db, orderIds: readonly string[]): Promise<Map<string, string>> {
  const noted = new Map<string, string>();
  for (let at = 0; at < orderIds.length; at += SNAPSHOTS_AT_A_TIME) {
    const rows = await db
      .selectFrom('orders')
      .select(['id', 'snapshot'])
      .where('id', 'in', orderIds.slice(at, at + SNAPSHOTS_AT_A_TIME))
      .execute();
    const values = rows.map((row) => ({ order_id: row.id, dishes: JSON.stringify(dishesIn(snapshotOf(row))) }));
    await db
      .insertInto('order_dishes')
      .values(values)
      .onConflict((c) => c.doNothing())
      .execute();
    for (const { order_id: id, dishes } of values) noted.set(id, dishes);
  }
  return noted;
}

/** What all orders of a customer were of, newest first. Orders that nobody has searched yet are read now, once. */
export async function dishesOfUser(
  db: Db,
  { userId, country }: Owner,
): Promise<{ id: string; number: string; dishes: string }[]> {
  await bringBackOf(db, userId, { country });
  const rows = await db
    .selectFrom('orders')
    .leftJoin('order_dishes', 'order_dishes.order_id', 'orders.id')
    .select(['orders.id', 'orders.number', 'order_dishes.dishes'])
    .where('orders.user_id', '=', userId)
    .where('orders.country', '=', country)
    .orderBy('orders.submitted_at', 'desc')
    .orderBy('orders.id', 'desc')
    .execute();
  const noted = await noteDishes(
    db,
    rows.flatMap(({ id, dishes }) => (dishes === null ? [id] : [])),
  );
  return rows.map(({ id, number, dishes }) => ({ id, number, dishes: dishes ?? noted.get(id) ?? '[]' }));
}

/** A customer's orders between two instants: their ends, totals and refunds, in minor units. */
export async function totalsBetween(
  db: Db,
  { userId, country }: Owner,
  from: number,
  to: number,
): Promise<{ submitted_at: number; status: OrderStatus; total: number; back: number }[]> {
  await bringBackOf(db, userId, { country, from, to });
  const own = db
    .selectFrom('orders')
    .where('orders.user_id', '=', userId)
    .where('orders.country', '=', country)
    .where('orders.submitted_at', '>=', from)
    .where('orders.submitted_at', '<', to);
  const orders = await own.select(['id', 'submitted_at', 'status', 'total']).orderBy('submitted_at', 'desc').execute();
  const returned = [
    ...(await own.innerJoin('refunds', 'refunds.order_id', 'orders.id').select('orders.id').execute()),
    ...(await own
      .innerJoin('ledger_entries', 'ledger_entries.order_id', 'orders.id')
      .where('ledger_entries.kind', '!=', 'SPEND')
      .select('orders.id')
      .execute()),
  ];
  const back = new Map<string, number>();
  // Few orders are among them. What a missed promise paid counts as any other.
  for (const id of new Set(returned.map((row) => row.id))) back.set(id, await paidBackOf(db, id, ''));
  return orders.map(({ id, ...order }) => ({ ...order, back: back.get(id) ?? 0 }));
}

/** When a customer ordered first and last; null if never. */
export async function orderedSpan(db: Db, { userId, country }: Owner): Promise<{ first: number; last: number } | null> {
  const end = (direction: 'asc' | 'desc') =>
    db
      .selectFrom('orders')
      .select('submitted_at')
      .where('user_id', '=', userId)
      .where('country', '=', country)
      .orderBy('submitted_at', direction)
      .limit(1)
      .executeTakeFirst();
  const ends = [await end('asc'), await end('desc')].flatMap((row) => row?.submitted_at ?? []);
  const all = [...ends, ...(await oldSpan(db, userId, country))];
  return all.length === 0 ? null : { first: Math.min(...all), last: Math.max(...all) };
}

/** The orders that a customer keeps as favourites, the last saved first. */
export async function favouriteOrderIds(db: Db, userId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('favourite_orders')
    .select('order_id')
    .where('user_id', '=', userId)
    .orderBy('saved_at', 'desc')
    .orderBy('order_id')
    .execute();
  return rows.map((row) => row.order_id);
}

/** Saving again changes nothing. */
export async function addFavouriteOrder(tx: Tx, row: Tables['favourite_orders']): Promise<void> {
  await tx
    .insertInto('favourite_orders')
    .values(row)
    .onConflict((c) => c.doNothing())
    .execute();
}

export async function removeFavouriteOrder(db: Db, userId: string, orderId: string): Promise<void> {
  await db.deleteFrom('favourite_orders').where('user_id', '=', userId).where('order_id', '=', orderId).execute();
}

import { sql } from 'kysely';
import type { Db, Tables } from './db.ts';
import { first, prepared } from './preparedStatement.ts';

declare module './db.ts' {
  interface Tables {
    order_shares: { token: string; order_id: string; created_at: number };
    rider_notes: { order_id: string; seq: number; text: string; at: number };
  }
}

/** The token of an order's shared link: `token` if the order has none yet, otherwise the first one that was stored. */
export async function shareToken(db: Db, orderId: string, token: string, at: number): Promise<string> {
  const row = await db
    .insertInto('order_shares')
    .values({ token, order_id: orderId, created_at: at })
    // Nothing changes: a row that is left alone is not returned.
    .onConflict((c) => c.column('order_id').doUpdateSet({ order_id: orderId }))
    .returning('token')
    .executeTakeFirstOrThrow();
  return row.token;
}

/** The link of an order that has none, to be written when it is placed. */
export const newShare = prepared((db, given: Tables['order_shares']) =>
  db
    .insertInto('order_shares')
    .values(given)
    .onConflict((c) => c.column('order_id').doNothing()),
);

export async function sharedOrderId(db: Db, token: string): Promise<string | undefined> {
  return (await db.selectFrom('order_shares').select('order_id').where('token', '=', token).executeTakeFirst())
    ?.order_id;
}

/** Stores a message to the rider; false when the order has `most` already. The order must be locked. */
export async function addRiderNote(
  db: Db,
  note: { order_id: string; text: string; at: number },
  most: number,
): Promise<boolean> {
  const seq = ((await noteCounts(db, [note.order_id])).get(note.order_id) ?? 0) + 1;
  if (seq > most) return false;
  const done = await db
    .insertInto('rider_notes')
    .values({ ...note, seq })
    .onConflict((c) => c.doNothing())
    .executeTakeFirst();
  return (done.numInsertedOrUpdatedRows ?? 0n) === 1n;
}

export async function noteCounts(db: Db, orderIds: readonly string[]): Promise<Map<string, number>> {
  if (orderIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('rider_notes')
    .select(['order_id', sql<number>`count(*)`.as('n')])
    .where('order_id', 'in', orderIds)
    .groupBy('order_id')
    .execute();
  return new Map(rows.map((row) => [row.order_id, Number(row.n)]));
}

/** How often each order has moved. */
export async function movesOf(db: Db, orderIds: readonly string[]): Promise<Map<string, number>> {
  if (orderIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('order_events')
    .select(['order_id', sql<number>`max(seq)`.as('seq')])
    .where('order_id', 'in', orderIds)
    .groupBy('order_id')
    .execute();
  return new Map(rows.map((row) => [row.order_id, Number(row.seq)]));
}

const receipt = prepared((db, given: { orderId: string }) =>
  db
    .selectFrom('orders')
    .innerJoin('payments', 'payments.order_id', 'orders.id')
    .leftJoin('users', 'users.id', 'orders.user_id')
    .leftJoin('order_shares', 'order_shares.order_id', 'orders.id')
    .select([
      'orders.id',
      'orders.number',
      'orders.country',
      'orders.user_id',
      'orders.mobile',
      'orders.snapshot',
      'orders.total',
      'orders.scheduled_for',
      'payments.mode',
      'payments.amount',
      'payments.return_path',
      'users.guest as ownerIsGuest',
      'users.mobile as ownerMobile',
      'order_shares.token',
    ])
    .where('orders.id', '=', given.orderId)
    .orderBy('payments.attempt', 'desc')
    .limit(1),
);

/** What the receipt of an order that was just placed says, and whose number it goes to. */
export async function readForReceipt(db: Db, orderId: string) {
  return await first(receipt(db, { orderId }));
}

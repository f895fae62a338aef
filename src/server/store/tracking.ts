import { sql } from 'kysely';
import type { Db } from './db.ts';

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

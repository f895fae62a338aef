import type { Db } from './db.ts';

/** Records, in the order's own transaction, what others have to be told about it; once per order and kind. */
export async function addToOutbox(
  db: Db,
  entry: { orderId: string; kind: string; payload: object; at: number },
): Promise<void> {
  await db
    .insertInto('outbox')
    .values({
      order_id: entry.orderId,
      kind: entry.kind,
      payload: JSON.stringify(entry.payload),
      created_at: entry.at,
      sent_at: null,
    })
    .execute();
}

export async function unsent(db: Db, orderId: string) {
  return await db
    .selectFrom('outbox')
    .selectAll()
    .where('order_id', '=', orderId)
    .where('sent_at', 'is', null)
    .execute();
}

export async function markSent(db: Db, orderId: string, kind: string, at: number): Promise<void> {
  await db
    .updateTable('outbox')
    .set({ sent_at: at })
    .where('order_id', '=', orderId)
    .where('kind', '=', kind)
    .where('sent_at', 'is', null)
    .execute();
}

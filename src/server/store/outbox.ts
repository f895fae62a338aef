import type { Db, Tables } from './db.ts';
import { prepared } from './preparedStatement.ts';

const add = prepared((db, given: Tables['outbox']) => db.insertInto('outbox').values(given));

/** Records, in the order's own transaction, what others have to be told about it; once per order and kind. */
export async function addToOutbox(
  db: Db,
  entry: { orderId: string; kind: string; payload: object; at: number },
): Promise<void> {
  await add(db, {
    order_id: entry.orderId,
    kind: entry.kind,
    payload: JSON.stringify(entry.payload),
    created_at: entry.at,
    sent_at: null,
  });
}

const notSent = prepared((db, given: { orderId: string }) =>
  db.selectFrom('outbox').selectAll().where('order_id', '=', given.orderId).where('sent_at', 'is', null),
);

export async function unsent(db: Db, orderId: string) {
  return (await notSent(db, { orderId })).rows;
}

const mark = prepared((db, given: { orderId: string; kind: string; at: number }) =>
  db
    .updateTable('outbox')
    .set({ sent_at: given.at })
    .where('order_id', '=', given.orderId)
    .where('kind', '=', given.kind)
    .where('sent_at', 'is', null),
);

export async function markSent(db: Db, orderId: string, kind: string, at: number): Promise<void> {
  await mark(db, { orderId, kind, at });
}

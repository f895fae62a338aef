import type { CompiledQuery } from 'kysely';
import type { Db, Tables } from './db.ts';
import { prepared } from './preparedStatement.ts';

/** What others have to be told about an order; once per order and kind. Until it is told it waits in a job. */
export interface Message {
  readonly orderId: string;
  readonly kind: string;
  readonly payload: object;
  /** Epoch ms. */
  readonly at: number;
}

const add = prepared((db, given: Tables['outbox']) =>
  db
    .insertInto('outbox')
    .values(given)
    .onConflict((c) => c.doNothing()),
);

/** Records that a message was told, to be written with the end of its job. */
export const messageTold = (db: Db, { orderId, kind, payload, at }: Message, toldAt: number): CompiledQuery =>
  add.of(db, { order_id: orderId, kind, payload: JSON.stringify(payload), created_at: at, sent_at: toldAt });

// A release before this one wrote the message at once, and then marked it.

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

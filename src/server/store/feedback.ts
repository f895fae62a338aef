import type { Db, Tx } from './db.ts';

export interface FeedbackRow {
  id: string;
  order_id: string;
  user_id: string;
  /** 1 to 5. */
  overall: number;
  /** 0 to 10. */
  nps: number;
  /** JSON: what was good or, with few stars, was not. */
  aspects: string;
  comment: string;
  /** What was added later. */
  additional: string | null;
  created_at: number;
  changed_at: number;
}
export interface AskRow {
  order_id: string;
  /** Opens the order's feedback together with a login that has the order's number. */
  token: string;
  created_at: number;
  sent_at: number | null;
  dismissed_at: number | null;
}

declare module './db.ts' {
  interface Tables {
    feedbacks: FeedbackRow;
    feedback_asks: AskRow;
    offline_feedbacks: {
      id: string;
      user_id: string;
      country: string;
      mobile: string;
      experience: string;
      rating: number | null;
      created_at: number;
    };
  }
}

/** False when the order has been rated before. */
export async function addFeedback(tx: Tx, row: FeedbackRow): Promise<boolean> {
  const done = await tx
    .insertInto('feedbacks')
    .values(row)
    .onConflict((c) => c.column('order_id').doNothing())
    .executeTakeFirst();
  return (done.numInsertedOrUpdatedRows ?? 0n) === 1n;
}

export async function feedbackOfOrder(db: Db, orderId: string): Promise<FeedbackRow | undefined> {
  return await db.selectFrom('feedbacks').selectAll().where('order_id', '=', orderId).executeTakeFirst();
}

export async function feedbackById(db: Db, id: string): Promise<FeedbackRow | undefined> {
  return await db.selectFrom('feedbacks').selectAll().where('id', '=', id).executeTakeFirst();
}

export async function setFeedback(
  db: Db,
  id: string,
  values: Partial<FeedbackRow> & Pick<FeedbackRow, 'changed_at'>,
): Promise<void> {
  await db.updateTable('feedbacks').set(values).where('id', '=', id).execute();
}

/** What is known of asking for an order's feedback; the first call stores `token` for it. */
export async function askOf(db: Db, orderId: string, token: string, at: number): Promise<AskRow> {
  await db
    .insertInto('feedback_asks')
    .values({ order_id: orderId, token, created_at: at, sent_at: null, dismissed_at: null })
    .onConflict((c) => c.column('order_id').doNothing())
    .execute();
  return await db.selectFrom('feedback_asks').selectAll().where('order_id', '=', orderId).executeTakeFirstOrThrow();
}

export async function knownAsk(db: Db, orderId: string): Promise<AskRow | undefined> {
  return await db.selectFrom('feedback_asks').selectAll().where('order_id', '=', orderId).executeTakeFirst();
}

export async function dismissAsk(db: Db, orderId: string, at: number): Promise<void> {
  await db
    .updateTable('feedback_asks')
    .set({ dismissed_at: at })
    .where('order_id', '=', orderId)
    .where('dismissed_at', 'is', null)
    .execute();
}

/** True for the one call that may send it. */
export async function markAsked(db: Db, orderId: string, at: number): Promise<boolean> {
  const done = await db
    .updateTable('feedback_asks')
    .set({ sent_at: at })
    .where('order_id', '=', orderId)
    .where('sent_at', 'is', null)
    .where('dismissed_at', 'is', null)
    .executeTakeFirst();
  return done.numUpdatedRows === 1n;
}

export async function addOffline(
  tx: Tx,
  row: {
    id: string;
    user_id: string;
    country: string;
    mobile: string;
    experience: string;
    rating: number | null;
    created_at: number;
  },
): Promise<void> {
  await tx.insertInto('offline_feedbacks').values(row).execute();
}

export async function moveFeedback(tx: Tx, fromUserId: string, toUserId: string): Promise<void> {
  for (const table of ['feedbacks', 'offline_feedbacks'] as const)
    await tx.updateTable(table).set({ user_id: toUserId }).where('user_id', '=', fromUserId).execute();
}

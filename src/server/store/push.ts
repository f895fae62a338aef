import type { Db } from './db.ts';

export interface SubscriptionRow {
  endpoint: string;
  user_id: string;
  /** The session that asked for notices. Null: from before it was kept. */
  session_id: string | null;
  p256dh: string;
  auth: string;
  mount: string;
  /** The language of the page that asked for notices. */
  language: string;
  created_at: number;
}
declare module './db.ts' {
  interface Tables {
    push_subscriptions: SubscriptionRow;
  }
}

/** How many browsers of one customer are kept; the oldest ones are dropped. */
const KEPT = 10;

/** A browser belongs to the customer who used it last. */
export async function keepSubscription(db: Db, row: SubscriptionRow): Promise<void> {
  await db
    .insertInto('push_subscriptions')
    .values(row)
    .onConflict((c) =>
      c.column('endpoint').doUpdateSet({
        user_id: row.user_id,
        session_id: row.session_id,
        p256dh: row.p256dh,
        auth: row.auth,
        mount: row.mount,
        language: row.language,
        created_at: row.created_at,
      }),
    )
    .execute();
  const old = await db
    .selectFrom('push_subscriptions')
    .select('endpoint')
    .where('user_id', '=', row.user_id)
    .orderBy('created_at', 'desc')
    .orderBy('endpoint')
    .offset(KEPT)
    .limit(KEPT)
    .execute();
  if (old.length > 0)
    await db
      .deleteFrom('push_subscriptions')
      .where(
        'endpoint',
        'in',
        old.map((one) => one.endpoint),
      )
      .execute();
}

/** The browsers of a customer whose session nobody has ended. */
export async function subscriptionsOf(db: Db, userId: string): Promise<SubscriptionRow[]> {
  return await db
    .selectFrom('push_subscriptions')
    .selectAll()
    .where('user_id', '=', userId)
    .where((e) =>
      e.or([
        e('session_id', 'is', null),
        e.exists(
          e
            .selectFrom('sessions')
            .select('sessions.id')
            .whereRef('sessions.id', '=', 'push_subscriptions.session_id')
            .where('sessions.revoked_at', 'is', null),
        ),
      ]),
    )
    .execute();
}

/** Removes all subscriptions of this user but those of one session. */
export async function dropOtherSubscriptions(db: Db, userId: string, sessionId: string): Promise<void> {
  await db
    .deleteFrom('push_subscriptions')
    .where('user_id', '=', userId)
    .where((e) => e.or([e('session_id', 'is', null), e('session_id', '!=', sessionId)]))
    .execute();
}

export async function dropSubscriptionsOf(db: Db, userId: string): Promise<void> {
  await db.deleteFrom('push_subscriptions').where('user_id', '=', userId).execute();
}

export async function dropSubscriptionsOfSession(db: Db, sessionId: string): Promise<void> {
  await db.deleteFrom('push_subscriptions').where('session_id', '=', sessionId).execute();
}

/** The browser's session was replaced by another one of this user. */
export async function renewSubscriptions(
  db: Db,
  userId: string,
  fromSessionId: string,
  toSessionId: string,
): Promise<void> {
  await db
    .updateTable('push_subscriptions')
    .set({ session_id: toSessionId })
    .where('session_id', '=', fromSessionId)
    .where('user_id', '=', userId)
    .execute();
}

/** Removes a subscription of this user; with `userId` null, whoever's it is. */
export async function dropSubscription(db: Db, endpoint: string, userId: string | null): Promise<void> {
  const query = db.deleteFrom('push_subscriptions').where('endpoint', '=', endpoint);
  await (userId === null ? query : query.where('user_id', '=', userId)).execute();
}

export async function moveSubscriptions(db: Db, fromUserId: string, toUserId: string): Promise<void> {
  await db.updateTable('push_subscriptions').set({ user_id: toUserId }).where('user_id', '=', fromUserId).execute();
}

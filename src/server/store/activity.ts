import type { Db, Tx } from './db.ts';
import { newId } from './ids.ts';

declare module './db.ts' {
  interface Tables {
    activity: { id: string; kind: string; user_id: string; country: string; name: string; data: string; at: number };
    fingerprints: { id: string; user_id: string; data: string; value: string; at: number };
  }
}

export async function addActivity(
  db: Db,
  rows: readonly {
    id?: string;
    kind: 'page' | 'event';
    userId: string;
    country: string;
    name: string;
    data: string;
    at: number;
  }[],
): Promise<void> {
  if (rows.length === 0) return;
  await db
    .insertInto('activity')
    .values(rows.map(({ userId, id, ...row }) => ({ ...row, id: id ?? newId('act'), user_id: userId })))
    // The same message again.
    .onConflict((c) => c.column('id').doNothing())
    .execute();
}

/** One row for each device of a person: seen again, only its time changes. */
export async function putFingerprint(
  db: Db,
  row: { id: string; userId: string; data: string; value: string; at: number },
): Promise<void> {
  await db
    .insertInto('fingerprints')
    .values({ id: row.id, user_id: row.userId, data: row.data, value: row.value, at: row.at })
    .onConflict((c) => c.column('id').doUpdateSet({ at: row.at }))
    .execute();
}

export async function fingerprintById(db: Db, id: string) {
  return await db.selectFrom('fingerprints').selectAll().where('id', '=', id).executeTakeFirst();
}

export async function forgetFingerprints(db: Db, userId: string): Promise<void> {
  await db.deleteFrom('fingerprints').where('user_id', '=', userId).execute();
}

/** Forgets what is known of the visits of these users. */
export async function forgetActivity(tx: Tx, userIds: readonly string[]): Promise<void> {
  await tx.deleteFrom('activity').where('user_id', 'in', userIds).execute();
}

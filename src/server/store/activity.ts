import type { Db } from './db.ts';
import { newId } from './ids.ts';

export interface ActivityTables {
  activity: { id: string; kind: string; user_id: string; country: string; name: string; data: string; at: number };
  fingerprints: { id: string; user_id: string; data: string; value: string; at: number };
}

/** Nothing of either is kept longer. */
const KEPT_MS = 90 * 86_400_000;

export async function addActivity(db: Db, rows: readonly { kind: 'page' | 'event'; userId: string; country: string; name: string; data: string; at: number }[]): Promise<void> {
  if (rows.length === 0) return;
  await db.insertInto('activity').values(rows.map(({ userId, ...row }) => ({ ...row, id: newId('act'), user_id: userId }))).execute();
}

/** What a session did, oldest first. */
export async function activityOf(db: Db, userId: string) {
  return await db.selectFrom('activity').selectAll().where('user_id', '=', userId).orderBy('at').orderBy('id').execute();
}

/** The same device of the same person stays one row. */
export async function putFingerprint(db: Db, row: { id: string; userId: string; data: string; value: string; at: number }): Promise<void> {
  await db.insertInto('fingerprints').values({ id: row.id, user_id: row.userId, data: row.data, value: row.value, at: row.at })
    .onConflict((c) => c.column('id').doUpdateSet({ at: row.at })).execute();
}

export async function fingerprintById(db: Db, id: string) {
  return await db.selectFrom('fingerprints').selectAll().where('id', '=', id).executeTakeFirst();
}

export async function forgetFingerprints(db: Db, userId: string): Promise<void> {
  await db.deleteFrom('fingerprints').where('user_id', '=', userId).execute();
}

export async function sweepActivity(db: Db, at: number): Promise<void> {
  await db.deleteFrom('activity').where('at', '<', at - KEPT_MS).execute();
  await db.deleteFrom('fingerprints').where('at', '<', at - KEPT_MS).execute();
}

import type { Db, Tx } from './db.ts';
import { newId } from './ids.ts';

declare module './db.ts' {
  interface Tables {
    activity: { id: string; kind: string; user_id: string; country: string; name: string; data: string; at: number };
    fingerprints: { id: string; user_id: string; data: string; value: string; at: number; signs: string };
  }
}

export interface NewActivity {
  readonly id?: string;
  readonly kind: 'page' | 'event';
  readonly userId: string;
  readonly country: string;
  readonly name: string;
  readonly data: string;
  readonly at: number;
}
export async function addActivity(db: Db, rows: readonly NewActivity[]): Promise<void> {
  if (rows.length === 0) return;
  await db
    .insertInto('activity')
    .values(rows.map(({ userId, id, ...row }) => ({ ...row, id: id ?? newId('act'), user_id: userId })))
    // The same message again.
    .onConflict((c) => c.column('id').doNothing())
    .execute();
}

/** Devices of one person that are remembered; of more, those that were seen last. */
const DEVICES = 10;

/**
 * One row for each device of a person: seen again, only its time changes.
 * @param row.signs of a program, joined by commas
 * @param before the row whose place it takes
 */
export async function putFingerprint(
  tx: Tx,
  row: { id: string; userId: string; data: string; value: string; signs: string; at: number },
  before: string | null,
): Promise<void> {
  const { id, userId, data, value, signs, at } = row;
  if (before !== null && before !== id) await forgetFingerprint(tx, before);
  await tx
    .insertInto('fingerprints')
    .values({ id, user_id: userId, data, value, signs, at })
    .onConflict((c) => c.column('id').doUpdateSet({ at, signs }))
    .execute();
  const newest = tx
    .selectFrom('fingerprints')
    .select('id')
    .where('user_id', '=', userId)
    .orderBy('at', 'desc')
    .orderBy('id')
    .limit(DEVICES);
  await tx.deleteFrom('fingerprints').where('user_id', '=', userId).where('id', 'not in', newest).execute();
}

export async function fingerprintById(db: Db, id: string) {
  return await db.selectFrom('fingerprints').selectAll().where('id', '=', id).executeTakeFirst();
}

export async function forgetFingerprints(db: Db, userId: string): Promise<void> {
  await db.deleteFrom('fingerprints').where('user_id', '=', userId).execute();
}

export async function forgetFingerprint(db: Db, id: string): Promise<void> {
  await db.deleteFrom('fingerprints').where('id', '=', id).execute();
}

/** Forgets what is known of the visits of these users. */
export async function forgetActivity(tx: Tx, userIds: readonly string[]): Promise<void> {
  await tx.deleteFrom('activity').where('user_id', 'in', userIds).execute();
}

import type { Db } from './db.ts';

/**
 * True if the key is ours now; false if it was used before. On PostgreSQL this waits until a rival's transaction ends.
 */
export async function claimKey(
  db: Db,
  claim: { userId: string; key: string; fingerprint: string; leaseUntil: number; at: number },
): Promise<boolean> {
  const done = await db
    .insertInto('idempotency')
    .values({
      user_id: claim.userId,
      idempotency_key: claim.key,
      fingerprint: claim.fingerprint,
      state: 'COMMITTED',
      ref: 'null',
      body: null,
      lease_until: claim.leaseUntil,
      created_at: claim.at,
    })
    .onConflict((c) => c.doNothing())
    .executeTakeFirst();
  return (done.numInsertedOrUpdatedRows ?? 0n) === 1n;
}

export async function readKey(db: Db, userId: string, key: string) {
  return await db
    .selectFrom('idempotency')
    .selectAll()
    .where('user_id', '=', userId)
    .where('idempotency_key', '=', key)
    .executeTakeFirst();
}

/** Sets the lease, and the reference if there is one. A finished key stays as it is. */
export async function renewKey(db: Db, userId: string, key: string, leaseUntil: number, ref?: string): Promise<void> {
  await db
    .updateTable('idempotency')
    .set({ lease_until: leaseUntil, ...(ref === undefined ? {} : { ref }) })
    .where('user_id', '=', userId)
    .where('idempotency_key', '=', key)
    .where('state', '=', 'COMMITTED')
    .execute();
}

/** Takes over a key whose lease has run out; true for only one of those who saw it run out. */
export async function takeOverKey(
  db: Db,
  userId: string,
  key: string,
  seenLease: number,
  leaseUntil: number,
): Promise<boolean> {
  const done = await db
    .updateTable('idempotency')
    .set({ lease_until: leaseUntil })
    .where('user_id', '=', userId)
    .where('idempotency_key', '=', key)
    .where('state', '=', 'COMMITTED')
    .where('lease_until', '=', seenLease)
    .executeTakeFirst();
  return done.numUpdatedRows === 1n;
}

/** Stores the reply unless one is stored already; returns the one that is stored. */
export async function keepReply(db: Db, userId: string, key: string, body: string): Promise<string> {
  const done = await db
    .updateTable('idempotency')
    .set({ state: 'DONE', body })
    .where('user_id', '=', userId)
    .where('idempotency_key', '=', key)
    .where('state', '=', 'COMMITTED')
    .executeTakeFirst();
  return done.numUpdatedRows === 1n ? body : ((await readKey(db, userId, key))?.body ?? body);
}

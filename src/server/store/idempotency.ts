import type { CompiledQuery } from 'kysely';
import type { Db, Tables } from './db.ts';
import { prepared, wroteOne } from './preparedStatement.ts';
import { writeTogether } from './together.ts';

interface NewKey {
  readonly userId: string;
  readonly key: string;
  readonly fingerprint: string;
  readonly leaseUntil: number;
  readonly at: number;
  /** JSON of what the rest of the work needs, as far as it is known. */
  readonly ref?: string | undefined;
}

const claim = prepared((db, given: Tables['idempotency']) =>
  db
    .insertInto('idempotency')
    .values(given)
    .onConflict((c) => c.doNothing()),
);

/**
 * True if the key is ours now; false if it was used before. On PostgreSQL this waits until a rival's transaction ends.
 */
export async function claimKey(
  db: Db,
  { userId, key, fingerprint, leaseUntil, at, ref = 'null' }: NewKey,
): Promise<boolean> {
  return await wroteOne(
    claim(db, {
      user_id: userId,
      idempotency_key: key,
      fingerprint,
      state: 'COMMITTED',
      ref,
      body: null,
      lease_until: leaseUntil,
      created_at: at,
    }),
  );
}

export async function readKey(db: Db, userId: string, key: string) {
  return await db
    .selectFrom('idempotency')
    .selectAll()
    .where('user_id', '=', userId)
    .where('idempotency_key', '=', key)
    .executeTakeFirst();
}

const renew = prepared((db, given: { userId: string; key: string; lease_until: number; ref?: string | undefined }) =>
  db
    .updateTable('idempotency')
    .set({ lease_until: given.lease_until, ref: given.ref })
    .where('user_id', '=', given.userId)
    .where('idempotency_key', '=', given.key)
    .where('state', '=', 'COMMITTED'),
);

/** Sets the lease, and the reference if there is one. A finished key stays as it is. */
export async function renewKey(db: Db, userId: string, key: string, leaseUntil: number, ref?: string): Promise<void> {
  await renew(db, { userId, key, lease_until: leaseUntil, ref });
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

const keep = prepared((db, given: { userId: string; key: string; body: string }) =>
  db
    .updateTable('idempotency')
    .set({ state: 'DONE', body: given.body })
    .where('user_id', '=', given.userId)
    .where('idempotency_key', '=', given.key)
    .where('state', '=', 'COMMITTED'),
);

/**
 * Stores the reply unless one is stored already, together with what belongs to it.
 * @returns the one that is stored
 */
export async function keepReply(
  db: Db,
  userId: string,
  key: string,
  body: string,
  also: readonly CompiledQuery[] = [],
): Promise<string> {
  const wrote = await writeTogether(db, [...also, keep.of(db, { userId, key, body })]);
  return wrote.at(-1) === 1 ? body : ((await readKey(db, userId, key))?.body ?? body);
}

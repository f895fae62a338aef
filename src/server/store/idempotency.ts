import type { CompiledQuery } from 'kysely';
import { engineOf, type Db, type Tables, type Tx } from './db.ts';
import { first, prepared, wroteOne } from './preparedStatement.ts';
import { writeTogether } from './together.ts';

export interface NewKey {
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

const rowOf = ({ userId, key, fingerprint, leaseUntil, at, ref = 'null' }: NewKey): Tables['idempotency'] => ({
  user_id: userId,
  idempotency_key: key,
  fingerprint,
  state: 'COMMITTED',
  ref,
  body: null,
  lease_until: leaseUntil,
  created_at: at,
});

/**
 * True if the key is ours now; false if it was used before. On PostgreSQL this waits until a rival's transaction ends.
 */
export const claimKey = async (db: Db, own: NewKey): Promise<boolean> => await wroteOne(claim(db, rowOf(own)));

const claimAndLock = prepared((db, { cartId, ...row }: Tables['idempotency'] & { readonly cartId: string }) =>
  db
    .with('claimed', (claimed) =>
      claimed
        .insertInto('idempotency')
        .values(row)
        .onConflict((c) => c.doNothing())
        .returning('user_id'),
    )
    // The user before the cart, as everywhere.
    .selectNoFrom((e) => [
      e.selectFrom('users').select('users.id').where('users.id', '=', row.user_id).forUpdate().as('user'),
      e.selectFrom('claimed').select('claimed.user_id').as('claimed'),
      e.selectFrom('carts').select('carts.id').where('carts.id', '=', cartId).forUpdate().as('cart'),
    ]),
);

/**
 * As claimKey, and locks the person and a cart, if there is one, until this transaction ends. SQLite has only one writer
 * anyway.
 * @returns whether the key is ours, and whether the cart is: not where it is made at this moment
 */
export async function claimForOrder(
  tx: Tx,
  own: NewKey,
  cartId: string,
): Promise<{ readonly isClaimed: boolean; readonly isLocked: boolean }> {
  if (engineOf(tx) === 'sqlite') return { isClaimed: await claimKey(tx, own), isLocked: true };
  const got = await first(claimAndLock(tx, { ...rowOf(own), cartId }));
  return { isClaimed: got!.claimed !== null, isLocked: got!.cart !== null };
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

import { newId } from './ids.ts';
import type { Db, Tx } from './db.ts';

declare module './db.ts' {
  interface Tables {
    identities: { vendor: string; country: string; subject: string; user_id: string; created_at: number };
    nonces: { nonce: string; vendor: string; user_id: string; ends_at: number; used_at: number | null };
    /** Codes and tokens that the embedded vendor gave out; `person` is JSON. */
    vendor_grants: {
      id: string;
      kind: 'code' | 'token';
      client_id: string;
      person: string;
      ends_at: number;
      used_at: number | null;
    };
  }
}

export async function putNonce(db: Db, nonce: { vendor: string; userId: string; endsAt: number }): Promise<string> {
  const value = newId('nonce');
  await db
    .insertInto('nonces')
    .values({ nonce: value, vendor: nonce.vendor, user_id: nonce.userId, ends_at: nonce.endsAt, used_at: null })
    .execute();
  return value;
}

/** Uses up a nonce; false if it is not this person's, was used already, or is too old. */
export async function useNonce(db: Db, nonce: string, vendor: string, userId: string, at: number): Promise<boolean> {
  const done = await db
    .updateTable('nonces')
    .set({ used_at: at })
    .where('nonce', '=', nonce)
    .where('vendor', '=', vendor)
    .where('user_id', '=', userId)
    .where('ends_at', '>', at)
    .where('used_at', 'is', null)
    .executeTakeFirst();
  return done.numUpdatedRows === 1n;
}

/** A vendor's person in a country: as with a number, each country has an account of its own. */
export interface Identity {
  readonly vendor: string;
  readonly country: string;
  readonly subject: string;
}

/**
 * The account that a vendor's person logs in to. It stays so until the end of the transaction: whoever ties the person
 * to another account, or to none, waits, and then finds the session that was opened here.
 */
export async function userOfIdentity(tx: Tx, { vendor, country, subject }: Identity): Promise<string | null> {
  const row = await tx
    .updateTable('identities')
    .set((e) => ({ user_id: e.ref('user_id') }))
    .where('vendor', '=', vendor)
    .where('country', '=', country)
    .where('subject', '=', subject)
    .returning('user_id')
    .executeTakeFirst();
  return row?.user_id ?? null;
}

/** Links a vendor's person with an account; the first link stays. Returns the account that is linked. */
export async function tieIdentity(tx: Tx, identity: Identity, userId: string, at: number): Promise<string> {
  const { vendor, country, subject } = identity;
  await tx
    .insertInto('identities')
    .values({ vendor, country, subject, user_id: userId, created_at: at })
    .onConflict((c) => c.doNothing())
    .execute();
  return (await userOfIdentity(tx, identity)) ?? userId;
}

/** The vendors' persons that log in to an account. */
export async function identitiesOf(db: Db, userId: string) {
  return await db.selectFrom('identities').select(['vendor', 'subject']).where('user_id', '=', userId).execute();
}

/** From now on whoever logged in to the one account as a vendor's person logs in to the other. */
export async function retieIdentities(tx: Tx, fromUserId: string, toUserId: string): Promise<void> {
  await tx.updateTable('identities').set({ user_id: toUserId }).where('user_id', '=', fromUserId).execute();
}

/** Unties every vendor's person from an account: their next login opens another, unless it brings the number. @returns how many */
export async function untieIdentities(tx: Tx, userId: string): Promise<number> {
  const done = await tx.deleteFrom('identities').where('user_id', '=', userId).executeTakeFirst();
  return Number(done.numDeletedRows);
}

export async function putGrant(
  db: Db,
  grant: { kind: 'code' | 'token'; clientId: string; person: unknown; endsAt: number },
): Promise<string> {
  const id = newId(grant.kind);
  await db
    .insertInto('vendor_grants')
    .values({
      id,
      kind: grant.kind,
      client_id: grant.clientId,
      person: JSON.stringify(grant.person),
      ends_at: grant.endsAt,
      used_at: null,
    })
    .execute();
  return id;
}

/**
 * Uses up a code and returns the person it stands for; null if there is no such code, it was used, is too old, or
 * belongs to another client.
 */
export async function useCode(db: Db, code: string, clientId: string, at: number): Promise<string | null> {
  const row = await db
    .updateTable('vendor_grants')
    .set({ used_at: at })
    .where('id', '=', code)
    .where('kind', '=', 'code')
    .where('client_id', '=', clientId)
    .where('ends_at', '>', at)
    .where('used_at', 'is', null)
    .returning('person')
    .executeTakeFirst();
  return row?.person ?? null;
}

export async function personOfToken(db: Db, token: string, clientId: string, at: number): Promise<string | null> {
  const row = await db
    .selectFrom('vendor_grants')
    .select('person')
    .where('id', '=', token)
    .where('kind', '=', 'token')
    .where('client_id', '=', clientId)
    .where('ends_at', '>', at)
    .executeTakeFirst();
  return row?.person ?? null;
}

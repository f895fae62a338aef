import type { Db, Tables, Tx } from './db.ts';

declare module './db.ts' {
  interface Tables {
    /** Logins with an account elsewhere that are under way. `id` is the hash of the state that the browser carries. */
    social_logins: {
      id: string;
      country: string;
      source: string;
      /** The user who began it; nobody else can go on with it. */
      user_id: string;
      nonce: string;
      verifier: string;
      redirect_uri: string;
      /** Path of the login screen with its query. */
      back: string;
      /** JSON of what the provider sent the browser back with: a code or an error. */
      answer: string | null;
      ends_at: number;
      /** When the answer was looked at. */
      used_at: number | null;
      /** Somebody of whom only the number is missing: the hash of the token, and JSON of the person until it is proven. */
      token_hash: string | null;
      person: string | null;
      done_at: number | null;
    };
  }
}
export type SocialRow = Tables['social_logins'];

export async function putSocial(
  db: Db,
  begun: Omit<SocialRow, 'answer' | 'used_at' | 'token_hash' | 'person' | 'done_at'>,
): Promise<void> {
  await db
    .insertInto('social_logins')
    .values({ ...begun, answer: null, used_at: null, token_hash: null, person: null, done_at: null })
    .execute();
}

/** Keeps what the provider sent back; the first answer stays. @returns the login, whether it could be kept or not */
export async function answerSocial(
  db: Db,
  of: { readonly id: string; readonly source: string; readonly answer: string; readonly at: number },
): Promise<SocialRow | undefined> {
  await db
    .updateTable('social_logins')
    .set({ answer: of.answer })
    .where('id', '=', of.id)
    .where('source', '=', of.source)
    .where('answer', 'is', null)
    .where('ends_at', '>', of.at)
    .execute();
  return await db
    .selectFrom('social_logins')
    .selectAll()
    .where('id', '=', of.id)
    .where('source', '=', of.source)
    .executeTakeFirst();
}

/** The login, for the one call that looks at its answer; undefined for every other and for everybody else. */
export async function takeSocial(
  db: Db,
  { id, userId, at }: { readonly id: string; readonly userId: string; readonly at: number },
): Promise<SocialRow | undefined> {
  return await db
    .updateTable('social_logins')
    .set({ used_at: at })
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .where('ends_at', '>', at)
    .where('answer', 'is not', null)
    .where('used_at', 'is', null)
    .returningAll()
    .executeTakeFirst();
}

export async function socialOf(db: Db, id: string, userId: string): Promise<SocialRow | undefined> {
  return await db
    .selectFrom('social_logins')
    .selectAll()
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .executeTakeFirst();
}

/**
 * Keeps who the provider says it is until `endsAt` (epoch ms): what it answered cannot be asked of it again.
 * @param of.tokenHash of the token that brings the person's number, or null where only a word of theirs is missing
 */
export async function keepPerson(
  db: Db,
  of: { readonly id: string; readonly tokenHash: string | null; readonly person: unknown; readonly endsAt: number },
): Promise<void> {
  await db
    .updateTable('social_logins')
    .set({ token_hash: of.tokenHash, person: JSON.stringify(of.person), ends_at: of.endsAt })
    .where('id', '=', of.id)
    .execute();
}

/** The provider's identity whose number is waited for under this token. */
export async function awaited(
  db: Db,
  { tokenHash, userId, source, at }: { tokenHash: string; userId: string; source: string; at: number },
): Promise<SocialRow | undefined> {
  return await db
    .selectFrom('social_logins')
    .selectAll()
    .where('token_hash', '=', tokenHash)
    .where('user_id', '=', userId)
    .where('source', '=', source)
    .where('ends_at', '>', at)
    .where('done_at', 'is', null)
    .executeTakeFirst();
}

/** Ends a login; what was known of the person goes with it. @returns whether this call ended it */
export async function endSocial(tx: Tx, id: string, at: number): Promise<boolean> {
  const done = await tx
    .updateTable('social_logins')
    .set({ done_at: at, person: null })
    .where('id', '=', id)
    .where('done_at', 'is', null)
    .executeTakeFirst();
  return done.numUpdatedRows === 1n;
}

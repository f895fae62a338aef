import type { Db, Tables, Tx } from './db.ts';
import { hashed, newId, newToken } from './ids.ts';
import { openSession } from './sessions.ts';

declare module './db.ts' {
  interface Tables {
    /**
     * Programs that have registered themselves, or whose id is the address of their document. `redirects`: JSON of the
     * addresses that a login may return to.
     */
    assistant_clients: { id: string; name: string; redirects: string; used_at: number };
    /** Good for one exchange. `session_id`: of the grant that it was exchanged for. */
    assistant_codes: {
      hash: string;
      client_id: string;
      user_id: string;
      redirect: string;
      challenge: string;
      scopes: string;
      session_id: string | null;
      ends_at: number;
    };
    /** What a customer has allowed a program. It lasts as long as its session, which is one of their devices. */
    assistant_grants: { session_id: string; client_id: string; name: string; scopes: string };
    /** A refresh token is used once, and its successor derived from it as in `sessions`. None of these is a token of the API's own. */
    assistant_tokens: {
      hash: string;
      session_id: string;
      kind: 'access' | 'refresh';
      used_at: number | null;
      ends_at: number;
    };
    /**
     * What an assistant wants to order, at a price that holds until `ends_at`, and nobody has ordered before the customer
     * has confirmed it. `wish`: JSON of where and how. `name`: what the program calls itself. `checkout_id`: the first of
     * those that took each other's place. `ends_at` 0: somebody has withdrawn it.
     */
    assistant_quotes: {
      id: string;
      checkout_id: string;
      made_at: number;
      user_id: string;
      name: string;
      wish: string;
      cart_version: number;
      total: number;
      ends_at: number;
      order_id: string | null;
    };
  }
}

export type ClientRow = Tables['assistant_clients'];
export type CodeRow = Tables['assistant_codes'];
export type QuoteRow = Tables['assistant_quotes'];

/** The `login_type` of an assistant's sessions. */
export const ASSISTANT_LOGIN = 'assistant';

export async function addClient(db: Db, name: string, redirects: readonly string[], at: number): Promise<ClientRow> {
  const row = { id: newId('ast'), name, redirects: JSON.stringify(redirects), used_at: at };
  await db.insertInto('assistant_clients').values(row).execute();
  return row;
}

/** A program as its document has it now. */
export async function putClient(tx: Tx, client: ClientRow): Promise<void> {
  const { id: _, ...same } = client;
  await tx
    .insertInto('assistant_clients')
    .values(client)
    .onConflict((conflict) => conflict.column('id').doUpdateSet(same))
    .execute();
}

export async function clientById(db: Db, id: string): Promise<ClientRow | undefined> {
  return await db.selectFrom('assistant_clients').selectAll().where('id', '=', id).executeTakeFirst();
}

/** @returns the code, of which only the hash is kept */
export async function addCode(tx: Tx, code: Omit<CodeRow, 'hash' | 'session_id'>, at: number): Promise<string> {
  const token = newToken();
  await tx
    .insertInto('assistant_codes')
    .values({ ...code, hash: hashed(token), session_id: null })
    .execute();
  await tx.updateTable('assistant_clients').set({ used_at: at }).where('id', '=', code.client_id).execute();
  return token;
}

export async function codeOf(db: Db, token: string): Promise<CodeRow | undefined> {
  return await db.selectFrom('assistant_codes').selectAll().where('hash', '=', hashed(token)).executeTakeFirst();
}

/** Opens the session of a grant, and uses its code up. @returns null if the code was used meanwhile */
export async function openGrant(
  tx: Tx,
  code: CodeRow,
  client: ClientRow,
  { at, lifeMs }: { readonly at: number; readonly lifeMs: number },
): Promise<string | null> {
  const ofCode = (sessionId: string) =>
    tx.updateTable('assistant_codes').set({ session_id: sessionId }).where('hash', '=', code.hash);
  const taken = await ofCode('').where('session_id', 'is', null).executeTakeFirst();
  if (taken.numUpdatedRows !== 1n) return null;
  // Its own tokens are told to nobody, and the access token has ended already: an assistant comes by its own door only.
  const { session } = await openSession(tx, {
    userId: code.user_id,
    host: 'web',
    loginType: ASSISTANT_LOGIN,
    subject: null,
    guest: false,
    at,
    lifeMs,
    accessLifeMs: 0,
    from: { device: client.name, place: null },
  });
  await ofCode(session.id).execute();
  await tx
    .insertInto('assistant_grants')
    .values({ session_id: session.id, client_id: client.id, name: client.name, scopes: code.scopes })
    .execute();
  return session.id;
}

export async function addToken(
  tx: Tx,
  sessionId: string,
  kind: 'access' | 'refresh',
  endsAt: number,
  token = newToken(),
): Promise<string> {
  await tx
    .insertInto('assistant_tokens')
    .values({ hash: hashed(token), session_id: sessionId, kind, used_at: null, ends_at: endsAt })
    .execute();
  return token;
}

/** A token with its grant, its session and its person, even if any of these has ended. */
export async function grantOf(db: Db, token: string, kind: 'access' | 'refresh') {
  return await db
    .selectFrom('assistant_tokens as t')
    .innerJoin('assistant_grants as g', 'g.session_id', 't.session_id')
    .innerJoin('sessions as s', 's.id', 't.session_id')
    .innerJoin('users as u', 'u.id', 's.user_id')
    .select([
      't.hash',
      't.used_at as usedAt',
      't.ends_at as tokenEndsAt',
      'g.client_id as clientId',
      'g.name',
      'g.scopes',
      's.id as sessionId',
      's.revoked_at as revokedAt',
      's.ends_at as endsAt',
      's.family_key as familyKey',
      'u.id as userId',
      'u.country',
      'u.cart_id as cartId',
      'u.mobile',
      'u.guest',
    ])
    .where('t.hash', '=', hashed(token))
    .where('t.kind', '=', kind)
    .executeTakeFirst();
}

/** Uses a refresh token up. @returns false if it was used before */
export async function markUsed(tx: Tx, hash: string, at: number): Promise<boolean> {
  const done = await tx
    .updateTable('assistant_tokens')
    .set({ used_at: at })
    .where('hash', '=', hash)
    .where('used_at', 'is', null)
    .executeTakeFirst();
  return done.numUpdatedRows === 1n;
}

/**
 * Gives the successor of a refresh token once more, if that was used since then and the successor was not.
 * @returns whether it was given
 */
export async function giveAgain(
  tx: Tx,
  successor: string,
  of: { readonly hash: string; readonly usedSince: number },
  endsAt: number,
): Promise<boolean> {
  const done = await tx
    .updateTable('assistant_tokens')
    .set({ ends_at: endsAt })
    .where('hash', '=', hashed(successor))
    .where('used_at', 'is', null)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('assistant_tokens as before')
          .select('before.hash')
          .where('before.hash', '=', of.hash)
          .where('before.used_at', '>=', of.usedSince),
      ),
    )
    .executeTakeFirst();
  return done.numUpdatedRows === 1n;
}

/** A new access token ends those before it. */
export async function endAccess(tx: Tx, sessionId: string, at: number): Promise<void> {
  await tx
    .updateTable('assistant_tokens')
    .set({ ends_at: at })
    .where('session_id', '=', sessionId)
    .where('kind', '=', 'access')
    .where('ends_at', '>', at)
    .execute();
}

/** When a grant was last used, as a device. */
export async function noteGrantUse(tx: Tx, sessionId: string, at: number): Promise<void> {
  await tx.updateTable('sessions').set({ used_at: at }).where('id', '=', sessionId).execute();
}

/** What the program of this session calls itself; null for a session of somebody's own. */
export async function programOf(db: Db, sessionId: string): Promise<string | null> {
  const row = await db
    .selectFrom('assistant_grants')
    .select('name')
    .where('session_id', '=', sessionId)
    .executeTakeFirst();
  return row?.name ?? null;
}

export async function addQuote(db: Db, quote: QuoteRow): Promise<void> {
  await db.insertInto('assistant_quotes').values(quote).execute();
}

export async function quoteOf(db: Db, userId: string, id: string): Promise<QuoteRow | undefined> {
  return await db
    .selectFrom('assistant_quotes')
    .selectAll()
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .executeTakeFirst();
}

/** The quote of a checkout that was ordered, else its last one. */
export async function quoteOfCheckout(db: Db, userId: string, checkoutId: string): Promise<QuoteRow | undefined> {
  const rows = await db
    .selectFrom('assistant_quotes')
    .selectAll()
    .where('checkout_id', '=', checkoutId)
    .where('user_id', '=', userId)
    .orderBy('made_at', 'desc')
    .orderBy('id', 'desc')
    .execute();
  return rows.find(({ order_id }) => order_id !== null) ?? rows[0];
}

/** Ends all quotes of a checkout that nobody has ordered. */
export async function withdrawCheckout(db: Db, userId: string, checkoutId: string): Promise<void> {
  await db
    .updateTable('assistant_quotes')
    .set({ ends_at: 0 })
    .where('checkout_id', '=', checkoutId)
    .where('user_id', '=', userId)
    .where('order_id', 'is', null)
    .execute();
}

/** When the quotes that a customer has ordered since then were made, the newest first. */
export async function orderedSince(db: Db, userId: string, since: number): Promise<number[]> {
  const rows = await db
    .selectFrom('assistant_quotes')
    .select('made_at')
    .where('user_id', '=', userId)
    .where('order_id', 'is not', null)
    .where('made_at', '>', since)
    .orderBy('made_at', 'desc')
    .execute();
  return rows.map((row) => row.made_at);
}

export async function markOrdered(db: Db, id: string, orderId: string): Promise<void> {
  await db.updateTable('assistant_quotes').set({ order_id: orderId }).where('id', '=', id).execute();
}

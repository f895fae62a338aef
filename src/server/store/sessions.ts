import { derived, hashed, newId, newToken } from './ids.ts';
import type { Db, Tx, Tables } from './db.ts';
import { first, prepared } from './preparedStatement.ts';

declare module './db.ts' {
  interface Tables {
    users: {
      id: string;
      country: string;
      guest: number;
      cart_id: string;
      mobile: string | null;
      mobile_verified: number;
      first_name: string | null;
      last_name: string | null;
      email: string | null;
      email_verified: number;
      /** Says nothing any more: it counted orders, cancelled ones too. `lockUser` writes it as it is. */
      orders: number;
      /** For a guest that logged in, and an account that joined another: the id of the account. */
      became: string | null;
      created_at: number;
    };
    sessions: {
      id: string;
      user_id: string;
      host: string;
      login_type: string;
      subject: string | null;
      /** For guests: hash of the session token. */
      guest_hash: string | null;
      /** For users: hash of the refresh token that is to be used next. */
      refresh_hash: string | null;
      /**
       * The next refresh token is HMAC(family_key, this one), so parallel refreshes get the same answer. Reading this
       * table alone gives nobody a token.
       */
      family_key: string;
      created_at: number;
      ends_at: number;
      revoked_at: number | null;
      revoked_for: string | null;
      /** The browser it began in, in proper names: 'Chrome · Android'. Null: nothing told it yet. */
      device: string | null;
      /** The part of town whose store was chosen when it began; null where none was. */
      place: string | null;
      /** When it last got an access token, so a quarter of an hour exact. Null: it still has its first one. */
      used_at: number | null;
    };
    /** `answers`: the refresh token whose reply carried this one, until the first call with it. */
    access_tokens: { hash: string; session_id: string; ends_at: number; answers: string | null };
    /** `unheard` 1: nobody has called with what came in the reply, so it may have been lost. */
    used_refreshes: { hash: string; session_id: string; used_at: number; unheard: number };
    codes: {
      id: string;
      salt: string;
      hash: string;
      sent_at: number;
      ends_at: number;
      tries_left: number;
      used_at: number | null;
      /** JSON of what was entered along with the number, for example names and email. */
      details: string;
    };
    code_numbers: { mobile: string; turn: number };
    /** `lane`: whose budget a send came out of; see rules/people/otp.ts. */
    code_sends: { id: string; mobile: string; lane: string; sent_at: number };
  }
}

export type UserRow = Tables['users'];
export type SessionRow = Tables['sessions'];

/** What a call tells of where it comes from, for the customer to know their devices by. */
export interface SessionFrom {
  readonly device: string | null;
  readonly place: string | null;
}

/** The row of a new guest or account, with nothing filled in but what is `known`. */
export function newUser(
  kind: 'anonymous' | 'user',
  country: string,
  at: number,
  known: Partial<Pick<UserRow, 'id' | 'mobile' | 'mobile_verified'>> = {},
): UserRow {
  return {
    id: newId(kind),
    country,
    guest: kind === 'anonymous' ? 1 : 0,
    cart_id: newId('cart'),
    mobile: null,
    mobile_verified: 0,
    first_name: null,
    last_name: null,
    email: null,
    email_verified: 0,
    orders: 0,
    became: null,
    created_at: at,
    ...known,
  };
}

export async function insertGuest(db: Db, country: string, at: number): Promise<UserRow> {
  return await db
    .insertInto('users')
    .values(newUser('anonymous', country, at))
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** The account of a number, made if there is none; parallel calls get the same account. */
export async function accountOfMobile(tx: Tx, country: string, mobile: string, at: number): Promise<UserRow> {
  await tx
    .insertInto('users')
    .values(newUser('user', country, at, { mobile, mobile_verified: 1 }))
    .onConflict((c) => c.columns(['country', 'mobile']).doNothing())
    .execute();
  return await tx
    .selectFrom('users')
    .selectAll()
    .where('country', '=', country)
    .where('mobile', '=', mobile)
    .executeTakeFirstOrThrow();
}

/** Gives an account without a number this verified one, if no other account has it. @returns whether it has it now */
export async function giveMobile(tx: Tx, userId: string, country: string, mobile: string): Promise<boolean> {
  const done = await tx
    .updateTable('users')
    .set({ mobile, mobile_verified: 1 })
    .where('id', '=', userId)
    .where('mobile', 'is', null)
    .where((e) =>
      e.not(
        e.exists(
          e
            .selectFrom('users as other')
            .select('other.id')
            .where('other.country', '=', country)
            .where('other.mobile', '=', mobile),
        ),
      ),
    )
    .executeTakeFirst();
  return done.numUpdatedRows === 1n;
}

export async function accountOfMobileIfAny(db: Db, country: string, mobile: string): Promise<UserRow | undefined> {
  return await db
    .selectFrom('users')
    .selectAll()
    .where('country', '=', country)
    .where('mobile', '=', mobile)
    .executeTakeFirst();
}

export async function insertAccount(tx: Tx, country: string, at: number): Promise<UserRow> {
  return await tx
    .insertInto('users')
    .values(newUser('user', country, at))
    .returningAll()
    .executeTakeFirstOrThrow();
}

export async function userById(db: Db, id: string): Promise<UserRow | undefined> {
  return await db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Fills in names and email only where they are empty: a login never overwrites a profile. */
export async function fillProfile(
  tx: Tx,
  userId: string,
  from: {
    firstName?: string | undefined;
    lastName?: string | undefined;
    email?: string | undefined;
    emailVerified?: boolean | undefined;
  },
): Promise<UserRow> {
  const user = await tx.selectFrom('users').selectAll().where('id', '=', userId).executeTakeFirstOrThrow();
  const set = {
    first_name: user.first_name ?? from.firstName ?? null,
    last_name: user.last_name ?? from.lastName ?? null,
    email: user.email ?? from.email ?? null,
    email_verified:
      user.email === null && from.email !== undefined && from.emailVerified === true ? 1 : user.email_verified,
  };
  return await tx.updateTable('users').set(set).where('id', '=', userId).returningAll().executeTakeFirstOrThrow();
}

/** A guest logged in, or an account without a number turned out to be this one: deleting it deletes them, too. */
export async function markBecame(tx: Tx, formerId: string, userId: string): Promise<void> {
  await tx.updateTable('users').set({ became: userId }).where('id', '=', formerId).execute();
}

/**
 * Opens a session with its first tokens. Guests get a session token that lasts, users a refresh token that can be used
 * once.
 */
export async function openSession(
  db: Db,
  of: {
    userId: string;
    host: string;
    loginType: string;
    subject: string | null;
    guest: boolean;
    at: number;
    lifeMs: number;
    accessLifeMs: number;
    from?: SessionFrom | undefined;
  },
) {
  const lasting = newToken();
  const session = await db
    .insertInto('sessions')
    .values({
      id: newId('ses'),
      user_id: of.userId,
      host: of.host,
      login_type: of.loginType,
      subject: of.subject,
      guest_hash: of.guest ? hashed(lasting) : null,
      refresh_hash: of.guest ? null : hashed(lasting),
      family_key: newToken(),
      created_at: of.at,
      ends_at: of.at + of.lifeMs,
      revoked_at: null,
      revoked_for: null,
      device: of.from?.device ?? null,
      place: of.from?.place ?? null,
      used_at: null,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  return { session, lasting, access: await addAccess(db, session.id, of.at + of.accessLifeMs) };
}

/** @param answers the hash of the refresh token that is answered with it */
async function addAccess(db: Db, sessionId: string, endsAt: number, answers: string | null = null): Promise<string> {
  const access = newToken();
  await db
    .insertInto('access_tokens')
    .values({ hash: hashed(access), session_id: sessionId, ends_at: endsAt, answers })
    .execute();
  return access;
}

/** How long access tokens live, and for how long those that were replaced still do: calls with them are on their way. */
export interface AccessLives {
  readonly lifeMs: number;
  readonly graceMs: number;
}

/**
 * A new access token for a session, in place of its others. `isAgain`: the reply is given once more, so those of the
 * last moment (`graceMs`) stay; another tab has just got them.
 */
export async function replaceAccess(
  db: Db,
  sessionId: string,
  at: number,
  { lifeMs, graceMs }: AccessLives,
  { isAgain = false, answers = null }: { readonly isAgain?: boolean; readonly answers?: string | null } = {},
): Promise<string> {
  await db
    .updateTable('access_tokens')
    .set({ ends_at: at + graceMs })
    .where('session_id', '=', sessionId)
    .where('ends_at', '>', at + graceMs)
    .$if(isAgain, (q) => q.where('ends_at', '<=', at + lifeMs - graceMs))
    .execute();
  return await addAccess(db, sessionId, at + lifeMs, answers);
}

/** The first call with an access token shows that the reply which carried it has arrived. */
export async function markHeard(db: Db, accessHash: string, refreshHash: string): Promise<void> {
  await db.updateTable('used_refreshes').set({ unheard: 0 }).where('hash', '=', refreshHash).execute();
  await db.updateTable('access_tokens').set({ answers: null }).where('hash', '=', accessHash).execute();
}

/** When each of these access tokens (by hash) ends, epoch ms. Those of sessions that were ended are left out. */
export async function endsOfAccess(db: Db, hashes: readonly string[]): Promise<Map<string, number>> {
  if (hashes.length === 0) return new Map();
  const rows = await db
    .selectFrom('access_tokens')
    .innerJoin('sessions', 'sessions.id', 'access_tokens.session_id')
    .select(['access_tokens.hash', 'access_tokens.ends_at'])
    .where('access_tokens.hash', 'in', hashes)
    .where('sessions.revoked_at', 'is', null)
    .execute();
  return new Map(rows.map((row) => [row.hash, row.ends_at]));
}

const ofAccess = prepared((db, given: { hash: string }) =>
  db
    .selectFrom('access_tokens')
    .innerJoin('sessions', 'sessions.id', 'access_tokens.session_id')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select([
      'access_tokens.hash as accessHash',
      'access_tokens.ends_at as accessEndsAt',
      'access_tokens.answers',
      'sessions.id as sessionId',
      'sessions.host',
      'sessions.revoked_at as revokedAt',
      'sessions.ends_at as endsAt',
      'users.id as userId',
      'users.country',
      'users.guest',
      'users.cart_id as cartId',
      'users.mobile',
    ])
    .where('access_tokens.hash', '=', given.hash),
);

/** The session and the person of an access token, even if token or session have ended. */
export async function sessionOfAccess(db: Db, access: string) {
  return await first(ofAccess(db, { hash: hashed(access) }));
}

export async function sessionOfGuestToken(db: Db, token: string): Promise<SessionRow | undefined> {
  return await db.selectFrom('sessions').selectAll().where('guest_hash', '=', hashed(token)).executeTakeFirst();
}

export type Rotation =
  | {
      kind: 'rotated' | 'again' | 'lost';
      session: SessionRow;
      refresh: string;
      /** The hash of the token from which `refresh` follows. */
      before: string;
    }
  | { kind: 'unknown' | 'revoked' | 'replayed' };

const CHAIN_AT_MOST = 50;

/**
 * Uses up a refresh token and returns the next one. If it is used again within `graceMs` (two tabs asked at once), the
 * newest token that follows from it is returned (`again`); so it is at any time when nobody has used anything of the
 * reply (`lost`: it never arrived). Otherwise the whole session is revoked. `unknown`: there is no such token, or it
 * belongs to another user.
 */
export async function rotate(
  tx: Tx,
  presented: string,
  userId: string,
  at: number,
  graceMs: number,
): Promise<Rotation> {
  const hash = hashed(presented);
  const current = await tx.selectFrom('sessions').selectAll().where('refresh_hash', '=', hash).executeTakeFirst();
  if (current !== undefined) {
    if (current.user_id !== userId) return { kind: 'unknown' };
    if (current.revoked_at !== null || current.ends_at <= at) return { kind: 'revoked' };
    const next = derived(current.family_key, presented);
    const done = await tx
      .updateTable('sessions')
      .set({ refresh_hash: hashed(next) })
      .where('id', '=', current.id)
      .where('refresh_hash', '=', hash)
      .where('revoked_at', 'is', null)
      .executeTakeFirst();
    if (done.numUpdatedRows === 1n) {
      await tx.insertInto('used_refreshes').values({ hash, session_id: current.id, used_at: at, unheard: 1 }).execute();
      return { kind: 'rotated', session: current, refresh: next, before: hash };
    }
  }
  const used = await tx.selectFrom('used_refreshes').selectAll().where('hash', '=', hash).executeTakeFirst();
  if (used === undefined) return { kind: 'unknown' };
  const session = await tx
    .selectFrom('sessions')
    .selectAll()
    .where('id', '=', used.session_id)
    .executeTakeFirstOrThrow();
  if (session.user_id !== userId) return { kind: 'unknown' };
  if (session.revoked_at !== null || session.ends_at <= at) return { kind: 'revoked' };
  const isLate = at - used.used_at > graceMs;
  const isLost = used.unheard === 1 && hashed(derived(session.family_key, presented)) === session.refresh_hash;
  if (isLate && !isLost) {
    await revokeSession(tx, session.id, 'replayed', at);
    return { kind: 'replayed' };
  }
  let before = presented;
  for (let step = 0; step < CHAIN_AT_MOST; step += 1) {
    const refresh = derived(session.family_key, before);
    if (hashed(refresh) === session.refresh_hash)
      return { kind: isLate ? 'lost' : 'again', session, refresh, before: hashed(before) };
    before = refresh;
  }
  return { kind: 'unknown' };
}

/** Ends a session, and with it its access tokens. True for the one call that ended it. */
export async function revokeSession(db: Db, sessionId: string, why: string, at: number): Promise<boolean> {
  const done = await db
    .updateTable('sessions')
    .set({ revoked_at: at, revoked_for: why })
    .where('id', '=', sessionId)
    .where('revoked_at', 'is', null)
    .executeTakeFirst();
  return done.numUpdatedRows === 1n;
}

/** Ends this person's sessions, but for `except`, and returns how many they were. */
export async function revokeSessionsOf(
  db: Db,
  userId: string,
  {
    why,
    at,
    except = null,
  }: { why: 'others' | 'joined' | 'deleted' | 'number' | 'password' | 'passed'; at: number; except?: string | null },
): Promise<number> {
  const done = await db
    .updateTable('sessions')
    .set({ revoked_at: at, revoked_for: why })
    .where('user_id', '=', userId)
    .$if(except !== null, (q) => q.where('id', '!=', except))
    .where('revoked_at', 'is', null)
    .where('ends_at', '>', at)
    .executeTakeFirst();
  return Number(done.numUpdatedRows);
}

/** A session was used; what it did not tell when it began is filled in. */
export async function noteUse(db: Db, { id, device, place }: SessionRow, from: SessionFrom, at: number): Promise<void> {
  await db
    .updateTable('sessions')
    .set({ used_at: at, device: device ?? from.device, place: place ?? from.place })
    .where('id', '=', id)
    .execute();
}

/** The sessions of a person that are open, those that were used last first. */
export async function openSessionsOf(db: Db, userId: string, at: number): Promise<SessionRow[]> {
  const rows = await db
    .selectFrom('sessions')
    .selectAll()
    .where('user_id', '=', userId)
    .where('revoked_at', 'is', null)
    .where('ends_at', '>', at)
    .execute();
  const usedAt = (row: SessionRow) => row.used_at ?? row.created_at;
  return rows.sort((a, b) => usedAt(b) - usedAt(a) || (a.id < b.id ? -1 : 1));
}

/**
 * When an account was last used, as far as anything tells (epoch ms): by its sessions, which are kept for some weeks after
 * their end (store/sweep.ts), by the devices that logged in with its number, and by its orders.
 */
export async function lastSeen(db: Db, account: Pick<UserRow, 'id' | 'country' | 'mobile' | 'created_at'>) {
  const sessions = await db
    .selectFrom('sessions')
    .select((e) => [e.fn.max('created_at').as('began'), e.fn.max('used_at').as('used')])
    .where('user_id', '=', account.id)
    .executeTakeFirst();
  const devices = await db
    .selectFrom('known_devices')
    .select((e) => e.fn.max('seen_at').as('seen'))
    .where('country', '=', account.country)
    .where('mobile', '=', account.mobile ?? '')
    .executeTakeFirst();
  const orders = await db
    .selectFrom('orders')
    .select((e) => e.fn.max('submitted_at').as('placed'))
    .where('user_id', '=', account.id)
    .executeTakeFirst();
  const times = [sessions?.began, sessions?.used, devices?.seen, orders?.placed];
  return Math.max(account.created_at, ...times.map((at) => Number(at ?? 0)));
}

/** Ends one session of this person. @returns false if they have no such session; one that is over counts as ended */
export async function revokeSessionOf(db: Db, userId: string, sessionId: string, at: number): Promise<boolean> {
  const row = await db
    .selectFrom('sessions')
    .select('id')
    .where('id', '=', sessionId)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  if (row === undefined) return false;
  await revokeSession(db, sessionId, 'device', at);
  return true;
}

export async function sessionById(db: Db, id: string): Promise<SessionRow | undefined> {
  return await db.selectFrom('sessions').selectAll().where('id', '=', id).executeTakeFirst();
}

interface ProfileRow {
  readonly firstName: string;
  readonly lastName: string;
  readonly email: string;
}

/**
 * Writes a profile, if it still is what `before` says. Another email is not confirmed yet.
 * @returns whether it was
 */
export async function changeProfile(db: Db, userId: string, before: ProfileRow, to: ProfileRow): Promise<boolean> {
  const done = await db
    .updateTable('users')
    .set({
      first_name: to.firstName,
      last_name: to.lastName,
      email: to.email,
      ...(to.email === before.email ? {} : { email_verified: 0 }),
    })
    .where('id', '=', userId)
    .where((e) => e(e.fn.coalesce('first_name', e.val('')), '=', before.firstName))
    .where((e) => e(e.fn.coalesce('last_name', e.val('')), '=', before.lastName))
    .where((e) => e(e.fn.coalesce('email', e.val('')), '=', before.email))
    .executeTakeFirst();
  return done.numUpdatedRows === 1n;
}

/** An email was proven. @returns false if it is not this person's any more */
export async function confirmEmail(db: Db, userId: string, email: string): Promise<boolean> {
  const done = await db
    .updateTable('users')
    .set({ email_verified: 1 })
    .where('id', '=', userId)
    .where('email', '=', email)
    .executeTakeFirst();
  return done.numUpdatedRows === 1n;
}

/** Puts one verified number in the place of another, if no other account has it. @returns whether it did */
export async function changeMobile(
  tx: Tx,
  of: { userId: string; country: string; from: string; to: string },
): Promise<boolean> {
  const done = await tx
    .updateTable('users')
    .set({ mobile: of.to, mobile_verified: 1 })
    .where('id', '=', of.userId)
    .where('mobile', '=', of.from)
    .where((e) =>
      e.not(
        e.exists(
          e
            .selectFrom('users as other')
            .select('other.id')
            .where('other.country', '=', of.country)
            .where('other.mobile', '=', of.to),
        ),
      ),
    )
    .executeTakeFirst();
  return done.numUpdatedRows === 1n;
}

/** The session, if nothing ended it before its time. */
export const openSessions = (db: Db, given: { readonly sessionId: string }) =>
  db.selectFrom('sessions').select('id').where('id', '=', given.sessionId).where('revoked_at', 'is', null);

export async function isOpenSession(db: Db, sessionId: string): Promise<boolean> {
  return (await openSessions(db, { sessionId }).executeTakeFirst()) !== undefined;
}

/** Makes sends to one number wait for each other, also across processes. */
export async function takeTurn(tx: Tx, mobile: string, at: number): Promise<void> {
  await tx
    .insertInto('code_numbers')
    .values({ mobile, turn: at })
    .onConflict((c) => c.column('mobile').doUpdateSet({ turn: at }))
    .execute();
}

/** When codes were sent to a number, out of one budget, since a moment; epoch ms. */
export async function sendsTo(db: Db, mobile: string, since: number, lane: string): Promise<number[]> {
  const rows = await db
    .selectFrom('code_sends')
    .select('sent_at')
    .where('mobile', '=', mobile)
    .where('lane', '=', lane)
    .where('sent_at', '>', since)
    .execute();
  return rows.map((row) => row.sent_at);
}

export async function noteSend(tx: Tx, mobile: string, lane: string, at: number): Promise<string> {
  const id = newId('snd');
  await tx.insertInto('code_sends').values({ id, mobile, lane, sent_at: at }).execute();
  return id;
}

export async function forgetSend(db: Db, id: string): Promise<void> {
  await db.deleteFrom('code_sends').where('id', '=', id).execute();
}

/** Stores a new code; it replaces the last one of the same purpose, number and person. */
export async function putCode(
  tx: Tx,
  code: { id: string; salt: string; hash: string; at: number; endsAt: number; tries: number; details: string },
): Promise<void> {
  const row = {
    salt: code.salt,
    hash: code.hash,
    sent_at: code.at,
    ends_at: code.endsAt,
    tries_left: code.tries,
    used_at: null,
    details: code.details,
  };
  await tx
    .insertInto('codes')
    .values({ id: code.id, ...row })
    .onConflict((c) => c.column('id').doUpdateSet(row))
    .execute();
}

/** Puts another code in the place of one that is not used; the tries that were made count. */
export async function exchangeCode(tx: Tx, id: string, to: { salt: string; hash: string }): Promise<void> {
  await tx.updateTable('codes').set(to).where('id', '=', id).where('used_at', 'is', null).execute();
}

export async function codeById(db: Db, id: string) {
  return await db.selectFrom('codes').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Takes one of the tries and returns how many are left; null if there was none, or the code was used or replaced. */
export async function takeTry(tx: Tx, id: string, salt: string): Promise<number | null> {
  const row = await tx
    .updateTable('codes')
    .set((e) => ({ tries_left: e('tries_left', '-', 1) }))
    .where('id', '=', id)
    .where('salt', '=', salt)
    .where('tries_left', '>', 0)
    .where('used_at', 'is', null)
    .returning('tries_left')
    .executeTakeFirst();
  return row?.tries_left ?? null;
}

export async function markCodeUsed(tx: Tx, id: string, salt: string, at: number): Promise<boolean> {
  const done = await tx
    .updateTable('codes')
    .set({ used_at: at })
    .where('id', '=', id)
    .where('salt', '=', salt)
    .where('used_at', 'is', null)
    .executeTakeFirst();
  return done.numUpdatedRows === 1n;
}

/** Locks a user: transactions of the same person wait here for each other. */
export async function lockUser(tx: Tx, userId: string): Promise<void> {
  await tx
    .updateTable('users')
    .set((e) => ({ orders: e.ref('orders') }))
    .where('id', '=', userId)
    .execute();
}

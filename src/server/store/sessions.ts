import { derived, hashed, newId, newToken } from './ids.ts';
import type { Db, Tx } from './db.ts';

export interface SessionTables {
  users: {
    id: string; country: string; guest: number; cart_id: string; mobile: string | null; mobile_verified: number;
    first_name: string | null; last_name: string | null; email: string | null; email_verified: number;
    /** Orders placed: the specification's frequency. */
    orders: number;
    /** A guest that logged in: the account it went over to. */
    became: string | null;
    created_at: number;
  };
  sessions: {
    id: string; user_id: string; partner: string; login_type: string; subject: string | null;
    /** Guests: hash of the session token. */
    guest_hash: string | null;
    /** Users: hash of the refresh token that is to be used next. */
    refresh_hash: string | null;
    /** Next refresh token = HMAC(family_key, this one): parallel refreshes get the same answer, and the table alone opens nothing. */
    family_key: string;
    created_at: number; ends_at: number; revoked_at: number | null; revoked_for: string | null;
  };
  access_tokens: { hash: string; session_id: string; ends_at: number };
  used_refreshes: { hash: string; session_id: string; used_at: number };
  codes: {
    id: string; salt: string; hash: string; sent_at: number; ends_at: number; tries_left: number; used_at: number | null;
    /** JSON of what was typed beside the number: names, email. */
    details: string;
  };
  code_numbers: { mobile: string; turn: number };
  code_sends: { id: string; mobile: string; sent_at: number };
}

export type UserRow = SessionTables['users'];
export type SessionRow = SessionTables['sessions'];

export async function insertGuest(db: Db, country: string, at: number): Promise<UserRow> {
  return await db.insertInto('users').values({
    id: newId('anonymous'), country, guest: 1, cart_id: newId('cart'), mobile: null, mobile_verified: 0, first_name: null, last_name: null,
    email: null, email_verified: 0, orders: 0, became: null, created_at: at,
  }).returningAll().executeTakeFirstOrThrow();
}

/** The account of a number, made if there is none; parallel calls end in one account. */
export async function accountOfMobile(tx: Tx, country: string, mobile: string, at: number): Promise<UserRow> {
  await tx.insertInto('users').values({
    id: newId('user'), country, guest: 0, cart_id: newId('cart'), mobile, mobile_verified: 1, first_name: null, last_name: null,
    email: null, email_verified: 0, orders: 0, became: null, created_at: at,
  }).onConflict((c) => c.columns(['country', 'mobile']).doNothing()).execute();
  return await tx.selectFrom('users').selectAll().where('country', '=', country).where('mobile', '=', mobile).executeTakeFirstOrThrow();
}

export async function accountOfMobileIfAny(db: Db, country: string, mobile: string): Promise<UserRow | undefined> {
  return await db.selectFrom('users').selectAll().where('country', '=', country).where('mobile', '=', mobile).executeTakeFirst();
}

export async function insertAccount(tx: Tx, country: string, at: number): Promise<UserRow> {
  return await tx.insertInto('users').values({
    id: newId('user'), country, guest: 0, cart_id: newId('cart'), mobile: null, mobile_verified: 0, first_name: null, last_name: null,
    email: null, email_verified: 0, orders: 0, became: null, created_at: at,
  }).returningAll().executeTakeFirstOrThrow();
}

export async function userById(db: Db, id: string): Promise<UserRow | undefined> {
  return await db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Names and email fill empty places only: a login never overwrites a profile. */
export async function fillProfile(tx: Tx, userId: string, from: { firstName?: string | undefined; lastName?: string | undefined; email?: string | undefined; emailVerified?: boolean | undefined }): Promise<UserRow> {
  const user = await tx.selectFrom('users').selectAll().where('id', '=', userId).executeTakeFirstOrThrow();
  const set = {
    first_name: user.first_name ?? from.firstName ?? null,
    last_name: user.last_name ?? from.lastName ?? null,
    email: user.email ?? from.email ?? null,
    email_verified: user.email === null && from.email !== undefined && from.emailVerified === true ? 1 : user.email_verified,
  };
  return await tx.updateTable('users').set(set).where('id', '=', userId).returningAll().executeTakeFirstOrThrow();
}

/** An order was placed: counts towards the specification's `frequency`. */
export async function countOrder(tx: Tx, userId: string): Promise<void> {
  await tx.updateTable('users').set((e) => ({ orders: e('orders', '+', 1) })).where('id', '=', userId).execute();
}

export async function markBecame(tx: Tx, guestId: string, userId: string): Promise<void> {
  await tx.updateTable('users').set({ became: userId }).where('id', '=', guestId).where('guest', '=', 1).execute();
}

/** A new session with its first tokens. Guests get a session token that lasts; users a refresh token that is used once. */
export async function openSession(db: Db, of: { userId: string; partner: string; loginType: string; subject: string | null; guest: boolean; at: number; lifeMs: number; accessLifeMs: number }) {
  const lasting = newToken();
  const session = await db.insertInto('sessions').values({
    id: newId('ses'), user_id: of.userId, partner: of.partner, login_type: of.loginType, subject: of.subject,
    guest_hash: of.guest ? hashed(lasting) : null, refresh_hash: of.guest ? null : hashed(lasting), family_key: newToken(),
    created_at: of.at, ends_at: of.at + of.lifeMs, revoked_at: null, revoked_for: null,
  }).returningAll().executeTakeFirstOrThrow();
  return { session, lasting, access: await addAccess(db, session.id, of.at + of.accessLifeMs) };
}

export async function addAccess(db: Db, sessionId: string, endsAt: number): Promise<string> {
  const access = newToken();
  await db.insertInto('access_tokens').values({ hash: hashed(access), session_id: sessionId, ends_at: endsAt }).execute();
  return access;
}

/** The session and the person behind an access token, ended or not. */
export async function sessionOfAccess(db: Db, access: string) {
  return await db.selectFrom('access_tokens').innerJoin('sessions', 'sessions.id', 'access_tokens.session_id').innerJoin('users', 'users.id', 'sessions.user_id')
    .select(['access_tokens.ends_at as accessEndsAt', 'sessions.id as sessionId', 'sessions.partner', 'sessions.revoked_at as revokedAt', 'sessions.ends_at as endsAt',
      'users.id as userId', 'users.country', 'users.guest', 'users.cart_id as cartId', 'users.mobile'])
    .where('access_tokens.hash', '=', hashed(access)).executeTakeFirst();
}

export async function sessionOfGuestToken(db: Db, token: string): Promise<SessionRow | undefined> {
  return await db.selectFrom('sessions').selectAll().where('guest_hash', '=', hashed(token)).executeTakeFirst();
}

export type Rotation =
  | { kind: 'rotated' | 'again'; session: SessionRow; refresh: string }
  | { kind: 'unknown' | 'revoked' | 'replayed' };

const CHAIN_AT_MOST = 50;

/**
 * Uses a refresh token once and names the next one. Used again within `graceMs` (its reply was lost, or two tabs asked at
 * once) it leads to the newest token of the chain; later it ends the whole family. A session of another user is `unknown`.
 */
export async function rotate(tx: Tx, presented: string, userId: string, at: number, graceMs: number): Promise<Rotation> {
  const hash = hashed(presented);
  const current = await tx.selectFrom('sessions').selectAll().where('refresh_hash', '=', hash).executeTakeFirst();
  if (current !== undefined) {
    if (current.user_id !== userId) return { kind: 'unknown' };
    if (current.revoked_at !== null || current.ends_at <= at) return { kind: 'revoked' };
    const next = derived(current.family_key, presented);
    const done = await tx.updateTable('sessions').set({ refresh_hash: hashed(next) })
      .where('id', '=', current.id).where('refresh_hash', '=', hash).where('revoked_at', 'is', null).executeTakeFirst();
    if (done.numUpdatedRows === 1n) {
      await tx.insertInto('used_refreshes').values({ hash, session_id: current.id, used_at: at }).execute();
      return { kind: 'rotated', session: current, refresh: next };
    }
  }
  const used = await tx.selectFrom('used_refreshes').selectAll().where('hash', '=', hash).executeTakeFirst();
  if (used === undefined) return { kind: 'unknown' };
  const session = await tx.selectFrom('sessions').selectAll().where('id', '=', used.session_id).executeTakeFirstOrThrow();
  if (session.user_id !== userId) return { kind: 'unknown' };
  if (session.revoked_at !== null) return { kind: 'revoked' };
  if (at - used.used_at > graceMs) {
    await revokeSession(tx, session.id, 'replayed', at);
    return { kind: 'replayed' };
  }
  let refresh = presented;
  for (let step = 0; step < CHAIN_AT_MOST; step += 1) {
    refresh = derived(session.family_key, refresh);
    if (hashed(refresh) === session.refresh_hash) return { kind: 'again', session, refresh };
  }
  return { kind: 'unknown' };
}

/** Its access tokens die with it. True for the one call that ended it. */
export async function revokeSession(db: Db, sessionId: string, why: string, at: number): Promise<boolean> {
  const done = await db.updateTable('sessions').set({ revoked_at: at, revoked_for: why }).where('id', '=', sessionId).where('revoked_at', 'is', null).executeTakeFirst();
  return done.numUpdatedRows === 1n;
}

/** Ends all but this session of its person; how many. */
export async function revokeOthers(db: Db, userId: string, sessionId: string, at: number): Promise<number> {
  const done = await db.updateTable('sessions').set({ revoked_at: at, revoked_for: 'others' })
    .where('user_id', '=', userId).where('id', '!=', sessionId).where('revoked_at', 'is', null).where('ends_at', '>', at).executeTakeFirst();
  return Number(done.numUpdatedRows);
}

/** Makes sends to one number take turns, also across processes. */
export async function takeTurn(tx: Tx, mobile: string, at: number): Promise<void> {
  await tx.insertInto('code_numbers').values({ mobile, turn: at }).onConflict((c) => c.column('mobile').doUpdateSet({ turn: at })).execute();
}

/** Epoch ms of the sends to a number since a moment. */
export async function sendsTo(db: Db, mobile: string, since: number): Promise<number[]> {
  const rows = await db.selectFrom('code_sends').select('sent_at').where('mobile', '=', mobile).where('sent_at', '>', since).execute();
  return rows.map((row) => row.sent_at);
}

export async function noteSend(tx: Tx, mobile: string, at: number): Promise<string> {
  const id = newId('snd');
  await tx.insertInto('code_sends').values({ id, mobile, sent_at: at }).execute();
  return id;
}

export async function forgetSend(db: Db, id: string): Promise<void> {
  await db.deleteFrom('code_sends').where('id', '=', id).execute();
}

/** A new code takes the place of the last one of the same purpose, number and person. */
export async function putCode(tx: Tx, code: { id: string; salt: string; hash: string; at: number; endsAt: number; tries: number; details: string }): Promise<void> {
  const row = { salt: code.salt, hash: code.hash, sent_at: code.at, ends_at: code.endsAt, tries_left: code.tries, used_at: null, details: code.details };
  await tx.insertInto('codes').values({ id: code.id, ...row }).onConflict((c) => c.column('id').doUpdateSet(row)).execute();
}

export async function codeById(db: Db, id: string) {
  return await db.selectFrom('codes').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Takes one of the tries; how many are left then, or null when none was, or the code is used. */
export async function takeTry(tx: Tx, id: string, salt: string): Promise<number | null> {
  const row = await tx.updateTable('codes').set((e) => ({ tries_left: e('tries_left', '-', 1) }))
    .where('id', '=', id).where('salt', '=', salt).where('tries_left', '>', 0).where('used_at', 'is', null).returning('tries_left').executeTakeFirst();
  return row?.tries_left ?? null;
}

export async function markCodeUsed(tx: Tx, id: string, salt: string, at: number): Promise<boolean> {
  const done = await tx.updateTable('codes').set({ used_at: at }).where('id', '=', id).where('salt', '=', salt).where('used_at', 'is', null).executeTakeFirst();
  return done.numUpdatedRows === 1n;
}

/** Makes what follows in this transaction take turns with others of the same person. */
export async function lockUser(tx: Tx, userId: string): Promise<void> {
  await tx.updateTable('users').set((e) => ({ orders: e.ref('orders') })).where('id', '=', userId).execute();
}

import { DAY_MS, MINUTE_MS } from '../../../domain/time.ts';
import { quoted } from '../../../domain/plainText.ts';
import { assistants, errors, t } from '../../call/language.ts';
import type { Device } from '../../../contract/devices.ts';
import type { SessionReply, UserAttributes } from '../../../contract/session.ts';
import { userIdOf, type Call } from '../../call/call.ts';
import { refuse } from '../../call/refusal.ts';
import type { CountryCode, HostName } from '../../call/caller.ts';
import { ASSISTANT_LOGIN } from '../../store/assistants.ts';
import { transact } from '../../store/db.ts';
import type { Db, Tx } from '../../store/db.ts';
import { forgetOtherDevices } from '../../store/devices.ts';
import { derived } from '../../store/ids.ts';
import { standingOrders } from '../../store/orders.ts';
import { dropOtherSubscriptions, dropSubscriptionsOfSession } from '../../store/push.ts';
import {
  insertGuest,
  openSession,
  noteUse,
  openSessionsOf,
  replaceAccess,
  revokeSession,
  revokeSessionOf,
  revokeSessionsOf,
  rotate,
  sessionById,
  sessionOfGuestToken,
  userById,
} from '../../store/sessions.ts';
import type { SessionFrom, SessionRow, UserRow } from '../../store/sessions.ts';
import { untieIdentities } from '../../store/vendors.ts';
import { appName } from '../hosts/hosts.ts';
import { deviceOf } from './devices.ts';
import { forgetCallingDevice } from './fingerprint.ts';
import { isVip } from './vip.ts';

export const ACCESS_LIFE_MS = 15 * MINUTE_MS;
/** How long a guest's session lasts, and so how long the guest can come back to the cart. */
const GUEST_LIFE_MS = 90 * DAY_MS;
const REFRESH_GRACE_MS = 10_000;
const LIVES = { lifeMs: ACCESS_LIFE_MS, graceMs: REFRESH_GRACE_MS };

/**
 * A login turned a guest into a user: what belongs to the guest has to move to the account, in the login's transaction.
 * So does what belongs to an account without a number that turns out to be the account of one.
 */
export interface LoginMove {
  readonly guestUserId: string;
  readonly guestCartId: string;
  readonly userId: string;
  readonly cartId: string;
  /** Epoch ms. */
  readonly now: number;
}

async function attributesOf(db: Db, user: UserRow, session: SessionRow, loggedIn: boolean): Promise<UserAttributes> {
  // Counted anew each time: an order that is cancelled does not make anybody a better customer.
  const orders = await standingOrders(db, user);
  const attributes: UserAttributes = {
    userId: user.id,
    cartId: user.cart_id,
    loginType: session.login_type,
    frequency: orders,
    isVip: isVip(orders),
  };
  if (user.mobile !== null) attributes.mobile = user.mobile;
  if (user.first_name !== null) attributes.firstName = user.first_name;
  if (user.last_name !== null) attributes.lastName = user.last_name;
  if (user.email !== null) attributes.email = user.email;
  if (loggedIn) {
    attributes.cognitoId = user.id;
    attributes.cognitoLoggedin = true;
    attributes.emailVerified = user.email_verified === 1;
    attributes.phoneNumberVerified = user.mobile_verified === 1;
    attributes.sub = session.subject ?? user.id;
  }
  return attributes;
}

/** What a page is told of the person who is logged in, as they are now. @throws Error where there is no such session */
export async function customerOf(db: Db, userId: string, sessionId: string): Promise<UserAttributes> {
  const [user, session] = [await userById(db, userId), await sessionById(db, sessionId)];
  if (user === undefined || session === undefined) throw new Error('a customer without a session');
  return await attributesOf(db, user, session, true);
}

export type SessionAnswer = Omit<SessionReply, 'status'>;

export async function sessionReply(
  db: Db,
  user: UserRow,
  session: SessionRow,
  tokens: { access: string; session: string; refresh?: string },
): Promise<SessionAnswer> {
  return {
    credentials: {
      accessToken: tokens.access,
      authToken: tokens.access,
      accessKeyId: session.id,
      secretKey: derived(session.family_key, 'secret'),
      sessionToken: tokens.session,
      ...(tokens.refresh === undefined ? {} : { refreshToken: tokens.refresh }),
    },
    attributes: await attributesOf(db, user, session, tokens.refresh !== undefined),
  };
}

/** A new guest with a cart of their own. */
export async function newGuest(db: Db, country: CountryCode, host: HostName, at: number): Promise<SessionAnswer> {
  return await transact(db, async (tx) => {
    const user = await insertGuest(tx, country, at);
    const { session, lasting, access } = await openSession(tx, {
      userId: user.id,
      host,
      loginType: 'anonymous',
      subject: null,
      guest: true,
      at,
      lifeMs: GUEST_LIFE_MS,
      accessLifeMs: ACCESS_LIFE_MS,
    });
    return await sessionReply(tx, user, session, { access, session: lasting });
  });
}

/** Refuses with 401 TOKEN_INVALID: the session is over, and asking again will not help. */
export function sessionOver(host: HostName = 'web'): never {
  refuse(401, 'TOKEN_INVALID', host === 'web' ? errors.loggedOut : errors.loggedOutInHost);
}

/** Gives a guest a new access token in place of the last; the session token stays the same. */
export async function refreshGuest(
  db: Db,
  userId: string,
  sessionToken: string,
  host: HostName,
  country: CountryCode,
  at: number,
): Promise<SessionAnswer> {
  const session = await sessionOfGuestToken(db, sessionToken);
  if (
    session === undefined ||
    session.user_id !== userId ||
    session.revoked_at !== null ||
    session.ends_at <= at ||
    session.host !== host
  )
    sessionOver(host);
  const user = await userById(db, userId);
  if (user === undefined || user.country !== country) sessionOver(host);
  const access = await transact(db, (tx) => replaceAccess(tx, session.id, at, LIVES));
  return await sessionReply(db, user, session, { access, session: sessionToken });
}

/** Exchanges a refresh token, which can be used once, for new tokens; see rotate(). */
export async function refreshUser(
  db: Db,
  userId: string,
  refreshToken: string,
  host: HostName,
  country: CountryCode,
  at: number,
  from: SessionFrom,
): Promise<SessionAnswer> {
  // The outcome leaves the transaction as a value: a refusal thrown inside would undo the revocation of the session.
  const renewed = await transact(db, async (tx) => {
    const rotation = await rotate(tx, refreshToken, userId, at, REFRESH_GRACE_MS);
    if (!('refresh' in rotation)) return null;
    const user = await userById(tx, userId);
    if (user === undefined || user.country !== country || rotation.session.host !== host) {
      await revokeSession(tx, rotation.session.id, 'elsewhere', at);
      return null;
    }
    await noteUse(tx, rotation.session, from, at);
    const access = await replaceAccess(tx, rotation.session.id, at, LIVES, {
      isAgain: rotation.kind === 'again',
      answers: rotation.before,
    });
    return await sessionReply(tx, user, rotation.session, {
      access,
      session: derived(rotation.session.family_key, 'session'),
      refresh: rotation.refresh,
    });
  });
  return renewed ?? sessionOver(host);
}

/** Everything by which others might still be in the account of the caller ends. @returns how many sessions that were */
export async function endOthers(tx: Tx, call: Call, why: 'others' | 'password'): Promise<number> {
  const { sessionId, country, mobile } = call.caller;
  const userId = userIdOf(call);
  // Else somebody who once proved this number inside an app, as themselves, would be back with their next login.
  await untieIdentities(tx, userId);
  if (mobile !== null) await forgetOtherDevices(tx, { device: deviceOf(call), country, mobile });
  await dropOtherSubscriptions(tx, userId, sessionId!);
  return await revokeSessionsOf(tx, userId, { why, at: call.now, except: sessionId });
}
export const logOutOthers = (call: Call): Promise<number> => transact(call.db, (tx) => endOthers(tx, call, 'others'));

export async function logOut(call: Call): Promise<void> {
  const { db, now } = call;
  const { sessionId } = call.caller;
  await forgetCallingDevice(call);
  if (sessionId === null) return;
  await transact(db, async (tx) => {
    await revokeSession(tx, sessionId, 'logout', now);
    await dropSubscriptionsOfSession(tx, sessionId);
  });
}

/** Ends another session of the caller. @throws Refusal 409 THIS_DEVICE, 404 NOT_FOUND */
export async function endSession(call: Call, sessionId: string): Promise<void> {
  if (sessionId === call.caller.sessionId) refuse(409, 'THIS_DEVICE', t.thisDevice);
  const isOwn = await transact(call.db, async (tx) => {
    const found = await revokeSessionOf(tx, userIdOf(call), sessionId, call.now);
    if (found) await dropSubscriptionsOfSession(tx, sessionId);
    return found;
  });
  if (!isOwn) refuse(404, 'NOT_FOUND', errors.notFound);
}

/** The sessions in which the caller is logged in, this one among them. */
export async function devicesOf(call: Call): Promise<Device[]> {
  const sessions = await openSessionsOf(call.db, userIdOf(call), call.now);
  return sessions.map((one) => ({
    sessionId: one.id,
    isThis: one.id === call.caller.sessionId,
    device: one.login_type === ASSISTANT_LOGIN ? assistants.device({ name: quoted(one.device ?? '') }) : one.device,
    app: appName(one.host),
    place: one.place,
    loggedInAt: one.created_at,
    usedAt: one.used_at ?? one.created_at,
  }));
}

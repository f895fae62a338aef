import { errors } from '../../call/language.ts';
import type { SessionReply, UserAttributes } from '../../../contract/session.ts';
import type { Call } from '../../call/call.ts';
import { refuse } from '../../call/refusal.ts';
import type { CountryCode, HostName } from '../../call/caller.ts';
import { Outdated, transact } from '../../store/db.ts';
import type { Db, Tx } from '../../store/db.ts';
import { derived } from '../../store/ids.ts';
import { standingOrders } from '../../store/orders.ts';
import { renewSubscriptions } from '../../store/push.ts';
import {
  accountOfMobile,
  fillProfile,
  giveMobile,
  insertAccount,
  insertGuest,
  lockUser,
  markBecame,
  openSession,
  noteUse,
  replaceAccess,
  revokeSession,
  revokeSessionsOf,
  rotate,
  sessionById,
  sessionOfGuestToken,
  userById,
} from '../../store/sessions.ts';
import type { SessionFrom, SessionRow, UserRow } from '../../store/sessions.ts';
import { retieIdentities } from '../../store/vendors.ts';
import { wake } from './deletion.ts';
import { isVip } from './people.ts';

const ACCESS_LIFE_MS = 15 * 60_000;
/** How long a guest's session lasts, and so how long the guest can come back to the cart. */
const GUEST_LIFE_MS = 90 * 86_400_000;
const LOGIN_LIFE_MS = 180 * 86_400_000;
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
type Mover = (tx: Tx, move: LoginMove) => Promise<void>;
const movers: Record<'cart' | 'other', Mover[]> = { cart: [], other: [] };

/**
 * Registers a function that moves the guest's carts, orders or addresses. Modules do so at import; all functions run in
 * the login's own transaction. The cart moves before all others, whichever module was imported first: groups and trains
 * refer to it. The others run in no certain order.
 */
export function onLogin(mover: Mover, what: keyof typeof movers = 'other'): void {
  movers[what].push(mover);
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

async function reply(
  db: Db,
  user: UserRow,
  session: SessionRow,
  tokens: { access: string; session: string; refresh?: string },
): Promise<SessionReply> {
  return {
    status: 'SUCCESS',
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
export async function newGuest(db: Db, country: CountryCode, host: HostName, at: number): Promise<SessionReply> {
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
    return await reply(tx, user, session, { access, session: lasting });
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
): Promise<SessionReply> {
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
  return await reply(db, user, session, { access, session: sessionToken });
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
): Promise<SessionReply> {
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
    return await reply(tx, user, rotation.session, {
      access,
      session: derived(rotation.session.family_key, 'session'),
      refresh: rotation.refresh,
    });
  });
  return renewed ?? sessionOver(host);
}

/**
 * The account to log in to when an account without a number proves one: itself, if the number is nobody's yet; else the
 * account of that number, to which then all belongs that is in the other, the vendor's person included. (It has no wallet
 * and no cards: without a number there are accounts only inside payment apps.) The sessions of the emptied account are
 * over: what they did in it would be nobody's. Null when the account has a number already, or is of another country.
 */
export async function accountWithNumber(
  tx: Tx,
  of: { readonly userId: string; readonly country: CountryCode; readonly mobile: string; readonly now: number },
): Promise<string | null> {
  const own = await userById(tx, of.userId);
  if (own === undefined || own.mobile !== null || own.country !== of.country) return null;
  if (await giveMobile(tx, own.id, of.country, of.mobile)) return own.id;
  const account = await accountOfMobile(tx, of.country, of.mobile, of.now);
  // In the order of a vendor's login: its person, then the account. An order that is being submitted comes first.
  await retieIdentities(tx, own.id, account.id);
  for (const { id } of [own, account]) await lockUser(tx, id);
  await markBecame(tx, own.id, account.id);
  await moveAll(tx, own, account, of.now);
  await revokeSessionsOf(tx, own.id, { why: 'joined', at: of.now });
  return account.id;
}

async function moveAll(tx: Tx, from: Belongings, to: Belongings, now: number): Promise<void> {
  const move: LoginMove = {
    guestUserId: from.id,
    guestCartId: from.cart_id,
    userId: to.id,
    cartId: to.cart_id,
    now,
  };
  for (const mover of [...movers.cart, ...movers.other]) await mover(tx, move);
}
type Belongings = Pick<UserRow, 'id' | 'cart_id'>;

/** The session that a call comes with, as a login ends it. Only for endpoints that require one. */
export const sessionIn = ({ caller }: Pick<Call, 'caller'>): Login['session'] => ({
  id: caller.sessionId!,
  userId: caller.userId!,
  cartId: caller.cartId!,
  isLoggedIn: caller.isLoggedIn,
});

export interface Login {
  readonly country: CountryCode;
  readonly host: HostName;
  /** The session that asked. It ends; what belongs to a guest moves to the account. */
  readonly session: {
    readonly id: string;
    readonly userId: string;
    readonly cartId: string;
    readonly isLoggedIn: boolean;
  };
  readonly loginType: string;
  /** A verified number in the country's own digits. */
  readonly mobile: string | null;
  /** An account already known by other means (a vendor's identity). */
  readonly userId: string | null;
  readonly subject: string | null;
  /** Where it comes from; what is left out is told by the first refresh. */
  readonly from?: SessionFrom | undefined;
  readonly profile: {
    firstName?: string | undefined;
    lastName?: string | undefined;
    email?: string | undefined;
    emailVerified?: boolean | undefined;
  };
  /** Whether an account that is asleep is to be brought back. */
  readonly wakes: boolean;
  readonly now: number;
}

/**
 * Opens a user's session in the caller's transaction: finds or makes the account, ends the old session, and moves what
 * belongs to the guest.
 * @throws Refusal 409 ACCOUNT_ASLEEP
 * @throws Outdated when the account has gone meanwhile
 */
export async function logIn(tx: Tx, login: Login): Promise<SessionReply> {
  const { now: at } = login;
  const account =
    login.userId !== null
      ? await userById(tx, login.userId)
      : login.mobile !== null
        ? await accountOfMobile(tx, login.country, login.mobile, at)
        : await insertAccount(tx, login.country, at);
  // Deleted since it was looked up.
  if (account === undefined) throw new Outdated();
  await wake(tx, account, login.wakes);
  const user = await fillProfile(tx, account.id, login.profile);
  const ended = await revokeSession(tx, login.session.id, 'login', at);
  if (ended && !login.session.isLoggedIn && login.session.userId !== user.id) {
    await markBecame(tx, login.session.userId, user.id);
    await moveAll(tx, { id: login.session.userId, cart_id: login.session.cartId }, user, at);
  }
  const { session, lasting, access } = await openSession(tx, {
    userId: user.id,
    host: login.host,
    loginType: login.loginType,
    subject: login.subject,
    guest: false,
    at,
    lifeMs: LOGIN_LIFE_MS,
    accessLifeMs: ACCESS_LIFE_MS,
    from: login.from,
  });
  // It is the same browser, which goes on to hear of this customer's orders.
  if (ended) await renewSubscriptions(tx, user.id, login.session.id, session.id);
  return await reply(tx, user, session, { access, session: derived(session.family_key, 'session'), refresh: lasting });
}

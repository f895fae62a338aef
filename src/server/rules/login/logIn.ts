import { DAY_MS } from '../../../domain/time.ts';
import { WAKE_HEADER } from '../../../contract/deletion.ts';
import type { Call } from '../../call/call.ts';
import type { CountryCode } from '../../call/caller.ts';
import { OutdatedRead, type Tx } from '../../store/db.ts';
import { derived } from '../../store/ids.ts';
import { renewSubscriptions } from '../../store/push.ts';
import {
  accountOfMobile,
  fillProfile,
  giveMobile,
  insertAccount,
  lockUser,
  markBecame,
  openSession,
  revokeSession,
  revokeSessionsOf,
  userById,
  type SessionFrom,
  type UserRow,
} from '../../store/sessions.ts';
import { retieIdentities } from '../../store/vendors.ts';
import { wake } from '../deletion/deletion.ts';
import { ACCESS_LIFE_MS, sessionReply, type SessionAnswer } from '../people/sessions.ts';
import { LOGIN_MOVES } from './loginMoves.ts';

const LOGIN_LIFE_MS = 180 * DAY_MS;

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

type Belongings = Pick<UserRow, 'id' | 'cart_id'>;
async function moveAll(tx: Tx, from: Belongings, to: Belongings, now: number): Promise<void> {
  const of = { guestUserId: from.id, guestCartId: from.cart_id, userId: to.id, cartId: to.cart_id, now };
  for (const move of LOGIN_MOVES) await move(tx, of);
}

export interface Login {
  readonly loginType: string;
  /** A verified number in the country's own digits; only where the account is found by it. */
  readonly mobile?: string;
  /** An account already known by other means (a vendor's identity). */
  readonly userId: string | null;
  readonly subject?: string;
  /** Where it comes from; what is left out is told by the first refresh. */
  readonly from: SessionFrom | undefined;
  readonly profile: {
    firstName?: string | undefined;
    lastName?: string | undefined;
    email?: string | undefined;
    emailVerified?: boolean | undefined;
  };
}

/**
 * Opens the session of somebody who has proved who they are, in the caller's transaction: finds or makes the account,
 * ends the session that asked, and moves what belongs to its guest.
 * @throws Refusal 409 ACCOUNT_ASLEEP
 * @throws Outdated when the account has gone meanwhile
 */
export async function logIn(tx: Tx, call: Call, login: Login): Promise<SessionAnswer> {
  const { caller, now: at } = call;
  const { country, host } = caller;
  const [sessionId, guestId] = [caller.sessionId!, caller.userId!];
  const account =
    login.userId !== null
      ? await userById(tx, login.userId)
      : login.mobile !== undefined
        ? await accountOfMobile(tx, country, login.mobile, at)
        : await insertAccount(tx, country, at);
  // Deleted since it was looked up.
  if (account === undefined) throw new OutdatedRead();
  await wake(tx, account, call.header(WAKE_HEADER) !== '');
  const user = await fillProfile(tx, account.id, login.profile);
  const ended = await revokeSession(tx, sessionId, 'login', at);
  if (ended && !caller.isLoggedIn && guestId !== user.id) {
    await markBecame(tx, guestId, user.id);
    await moveAll(tx, { id: guestId, cart_id: caller.cartId! }, user, at);
  }
  const { session, lasting, access } = await openSession(tx, {
    userId: user.id,
    host,
    loginType: login.loginType,
    subject: login.subject ?? null,
    guest: false,
    at,
    lifeMs: LOGIN_LIFE_MS,
    accessLifeMs: ACCESS_LIFE_MS,
    from: login.from,
  });
  // It is the same browser, which goes on to hear of this customer's orders.
  if (ended) await renewSubscriptions(tx, user.id, sessionId, session.id);
  return await sessionReply(tx, user, session, {
    access,
    session: derived(session.family_key, 'session'),
    refresh: lasting,
  });
}

import { DAY_MS, HOUR_MS } from '../../../domain/time.ts';
import { countryConfig } from '../../../../country/index.ts';
import { DELETION_DAYS, type ask, type HandedOver } from '../../../contract/deletion.ts';
import type { EndpointInput } from '../../../contract/endpoint.ts';
import { money } from '../../../contract/price.ts';
import { maskedPhone } from '../../../domain/phone.ts';
import { catalogueHere, userIdOf, type Call } from '../../call/call.ts';
import { jobs } from '../../call/jobs.ts';
import { t, dayText } from '../../call/language.ts';
import { refuse } from '../../call/refusal.ts';
import type { Services } from '../../call/services.ts';
import { addressesOf } from '../../store/addresses.ts';
import { OutdatedRead, transact, type Root, type Tx } from '../../store/db.ts';
import {
  addDeletion,
  deletionOf,
  dropDeletion,
  forgetPerson,
  isUnderWay,
  NOBODY,
  openOrdersOf,
  whoIs,
} from '../../store/deletions.ts';
import { dropJob, enqueue } from '../../store/jobs.ts';
import { newId } from '../../store/ids.ts';
import { countWaiting } from '../../store/help.ts';
import { walletOf } from '../../store/ledger.ts';
import { linkedWalletsOf } from '../../store/linkedWallets.ts';
import { dropSubscriptionsOf } from '../../store/push.ts';
import { savedCardsOf } from '../../store/savedCards.ts';
import { lockUser, revokeSessionsOf, userById } from '../../store/sessions.ts';
import { cutLog } from '../../store/sweep.ts';
import { vouchersOf } from '../../store/vouchers.ts';
import { legalIn } from '../documents/documents.ts';
import { linkableName } from '../payment/linkedWallets.ts';
import { handOver, onlyOnAccount } from '../payment/vouchers.ts';
import { aboutVoucher, tellOwner } from '../people/accountNews.ts';
import { proved } from '../people/owner.ts';

// An account that is to be deleted sleeps for a week: nobody is logged in to it, and a login may bring it back. Then it is
// gone. What that means for each table: store/personal.ts.

/**
 * So much later a deletion is tried again while an order or a refund is under way. A guest's order with the number may be
 * a stranger's: it puts the deletion off once, until its food has arrived, and no chain of them does again.
 */
const AGAIN_MS = 6 * HOUR_MS;
/** Times that a provider is asked to forget somebody before the deletion goes on without it. */
const PROVIDER_TRIES = 4;
const KIND = 'account.delete';

const keyOf = (userId: string) => `${KIND}:${userId}`;

const deletesAt = (now: number): number => now + DELETION_DAYS * DAY_MS;

/** What the caller's account holds, and so would be lost or is still to come. */
export async function standingOf(call: Call) {
  const { db, caller, now } = call;
  const userId = userIdOf(call);
  const { seeds } = await catalogueHere(call);
  const wallet = await walletOf(db, userId);
  const orders = await openOrdersOf(db, userId);
  const vouchers = await vouchersOf(db, userId);
  return {
    orders: orders.map(({ id, number }) => ({ orderId: id, orderNumber: number })),
    wallet: wallet === undefined ? null : money(wallet.balance),
    currencyCode: countryConfig(caller.country).CURRENCY_CODE,
    questions: await countWaiting(db, userId),
    cards: (await savedCardsOf(db, userId)).length,
    linkedWallets: (await linkedWalletsOf(db, userId)).map(({ provider }) => linkableName(provider)),
    vouchers: vouchers.filter((one) => one.is_given === 0).length,
    givenVouchers: onlyOnAccount(vouchers, now).length,
    addresses: (await addressesOf(db, userId)).length,
    taxLaw: legalIn(seeds.content.legal).taxLaw,
    mobile: caller.mobile === null ? null : maskedPhone(caller.mobile),
    deletesAt: deletesAt(now),
  };
}

/**
 * Puts the caller's account to sleep for its owner, and tells the number so. What is on the account alone is handed over.
 * @throws Refusal as `proved` and `fallAsleep`
 */
export async function askDeletion(call: Call, { code, giveUp }: EndpointInput<typeof ask>['body']) {
  return await proved(call, 'delete', code, async (tx) => {
    const dueAt = await fallAsleep(tx, call, giveUp ?? 0);
    const vouchers = await handOver(tx, userIdOf(call), call.now);
    await tellOfDeletion(tx, call, { dueAt, vouchers });
    return { deletesAt: dueAt, vouchers };
  });
}

/**
 * Puts the caller's account to sleep; all its sessions are over, the caller's too.
 * @param giveUp what the customer said to give up, in minor units
 * @throws Refusal 409 ORDER_OPEN, BALANCE_LEFT
 */
async function fallAsleep(tx: Tx, call: Call, giveUp: number): Promise<number> {
  const [userId, { now }] = [userIdOf(call), call];
  // An order that is being submitted comes first.
  await lockUser(tx, userId);
  const [open] = await openOrdersOf(tx, userId);
  if (open !== undefined) refuse(409, 'ORDER_OPEN', t.deleteOrderOpen, { field: open.id });
  const balance = (await walletOf(tx, userId))?.balance ?? 0;
  if (balance !== giveUp) refuse(409, 'BALANCE_LEFT', t.deleteBalance, { field: 'giveUp' });
  const dueAt = deletesAt(now);
  await addDeletion(tx, { user_id: userId, asked_at: now, due_at: dueAt });
  await enqueue(tx, { kind: KIND, runAt: dueAt, payload: { userId }, key: keyOf(userId) });
  await dropSubscriptionsOf(tx, userId);
  await revokeSessionsOf(tx, userId, { why: 'deleted', at: now });
  return dueAt;
}

/**
 * Tells the number that it was asked for: if it was somebody else, there is a week to say no. And how what was on the
 * account alone is paid with without it.
 */
async function tellOfDeletion(
  tx: Tx,
  call: Call,
  { dueAt, vouchers }: { dueAt: number; vouchers: readonly HandedOver[] },
): Promise<void> {
  const { mobile, country } = call.caller;
  if (mobile === null) return;
  const to = { userId: userIdOf(call), country, mobile };
  await tellOwner(tx, to, { kind: 'deleted', dueAt }, call.now);
  for (const one of vouchers) await tellOwner(tx, to, await aboutVoucher(tx, one), call.now);
}

/**
 * Lets nobody into an account that is asleep, unless they said that they want it back: then it is awake again. Of many
 * that say so at once one wakes it, and the others find it awake. Whoever comes when it has just been deleted begins the
 * transaction anew, which then knows nothing of the account.
 * @throws Refusal 409 ACCOUNT_ASLEEP, which undoes the transaction, so that the code of the login stays good
 */
export async function wake(tx: Tx, user: { id: string; country: string }, isWanted: boolean): Promise<void> {
  const deletion = await deletionOf(tx, user.id);
  if (deletion !== undefined && !isWanted) {
    const day = dayText(deletion.due_at, countryConfig(user.country));
    refuse(409, 'ACCOUNT_ASLEEP', t.asleep({ day }), { header: t.asleepHeader, btnMsg: t.asleepButton });
  }
  // The job that deletes locks the account first, too.
  if (deletion !== undefined) await lockUser(tx, user.id);
  if (deletion !== undefined && (await dropDeletion(tx, user.id))) await dropJob(tx, keyOf(user.id));
  else if ((await userById(tx, user.id)) === undefined) throw new OutdatedRead();
}

/** Has the vault forget the cards, and wallets let go of the account. A provider that is away for long stops nothing. */
async function leaveProviders(db: Root, services: Services, userId: string, isLastTry: boolean): Promise<void> {
  const cards = await savedCardsOf(db, userId);
  const wallets = await linkedWalletsOf(db, userId);
  // All are asked in one go: a refusal that comes while something else is waited for would be nobody's, and end the process.
  const asked = await Promise.allSettled([
    ...cards.map(async ({ token }) => services.payments.forget(token)),
    ...wallets.map(async ({ provider, token }) => services.wallets(provider).unlink(token)),
  ]);
  const failed = asked.find((one) => one.status === 'rejected');
  if (failed === undefined) return;
  if (!isLastTry) throw failed.reason;
  services.log.warn({ error: String(failed.reason) }, 'a provider was not told of a deletion');
}

jobs.on<{ readonly userId: string }>(KIND, async ({ userId }, { db, services, now, jobId, attempt }) => {
  const [deletion, user] = [await deletionOf(db, userId), await userById(db, userId)];
  // The try before deleted it, and ended before it could write so.
  if (user === undefined) return await services.noteDeleted(userId, now);
  if (deletion === undefined || deletion.due_at > now) return;
  const who = await whoIs(db, user, countryConfig(user.country).dialPrefix, deletion.nobody);
  if (await isUnderWay(db, who, now < deletion.due_at + AGAIN_MS)) {
    await enqueue(db, { kind: KIND, runAt: now + AGAIN_MS, payload: { userId }, key: `${keyOf(userId)}:${jobId}` });
    return;
  }
  await leaveProviders(db, services, userId, attempt >= PROVIDER_TRIES);
  const isGone = await transact(db, async (tx) => {
    // A login that wakes the account waits here, and then finds nobody.
    await lockUser(tx, userId);
    const isAsked = (await deletionOf(tx, userId)) !== undefined;
    if (isAsked) await forgetPerson(tx, who, now);
    return isAsked;
  });
  if (isGone) await services.noteDeleted(userId, now);
  await cutLog(db);
});

/**
 * Deletes those accounts that a restored backup has brought back. Their providers were told when they were deleted first.
 * @returns how many were there
 */
export async function deleteAgain(db: Root, userIds: readonly string[], now: number): Promise<number> {
  let count = 0;
  for (const userId of userIds) {
    const user = await userById(db, userId);
    if (user === undefined) continue;
    const nobody = (await deletionOf(db, userId))?.nobody ?? newId(NOBODY);
    await forgetPerson(db, await whoIs(db, user, countryConfig(user.country).dialPrefix, nobody), now);
    await dropJob(db, keyOf(userId));
    count += 1;
  }
  await cutLog(db);
  return count;
}

import { countryConfig } from '../../../../country/index.ts';
import { POINTS_TITLES, type LoyaltyUser, type PointsTitle, type PointsView } from '../../../contract/loyalty.ts';
import { creditAt, isEnrolled, rewards } from '../../../domain/loyalty.ts';
import { localDay } from '../../../domain/hours.ts';
import { phoneNumber } from '../../../domain/phone.ts';
import { newId } from '../../store/ids.ts';
import { accountOfMobileIfAny } from '../../store/sessions.ts';
import { isLost } from '../../../domain/orders.ts';
import { jobs } from '../../call/jobs.ts';
import { errors, shop, t } from '../../call/language.ts';
import { refuse } from '../../call/refusal.ts';
import { transact, type Db, type Tx } from '../../store/db.ts';
import { enqueue } from '../../store/jobs.ts';
import { entryByKey, type EntryRow } from '../../store/ledger.ts';
import {
  addEarning,
  campaignPoints,
  campaignsAt,
  campaignsById,
  earningOf,
  endedAround,
  giveMember,
  lockMember,
  loseWaiting,
  memberOf,
  moveEarning,
  moveEarnings,
  movePoints,
  openMember,
  paidBackOf,
  pointsKey,
  reasonOf,
  setMember,
  sumsByReason,
  waitingFor,
  type CampaignRow,
  type EarnRow,
  type MemberRow,
  type PointsReason,
} from '../../store/loyalty.ts';
import { lockOrder, ordersByIds, type OrderRow } from '../../store/orders.ts';
import type { LoginMove } from '../people/sessions.ts';
import { pointsWonWith } from '../../store/wheel.ts';

// The rewards programme. Points are no money: they live in the ledger of balances, on an account of their own, so that
// an entry is written once, the sum of all entries is the balance, and no point is spent twice. Whoever moves points
// locks the membership first, so that joining, leaving, earning and spending never overlap.

/** The reason of what a missed promise paid: whoever got it keeps the points, as it was late and not bad. */
const PROMISE = 'PROMISE';
type Member = MemberRow & { readonly balance: number };

const isMember = (member: Member | undefined): member is Member => isEnrolled(statusOf(member));
/** As the specification calls it: ENROLLED means opted in. */
const statusOf = (member: Pick<MemberRow, 'status'> | undefined) =>
  member?.status === 'ENROLLED' ? 'ENROLLED' : member?.status === 'LEFT' ? 'OPTED_OUT' : 'NOT_ENROLLED';
const [PROMO, REFUND, OWN] = POINTS_TITLES;
/** What an entry is called; a reward and what was lost are taken from the points that orders gave. */
const titleOf = (reason: PointsReason): PointsTitle =>
  reason === 'PROMO' || reason === 'WHEEL' ? PROMO : reason === 'BACK' ? REFUND : OWN;

async function freeItems(db: Db, userId: string, country: string): Promise<number> {
  const member = await memberOf(db, userId);
  const { redeemPoints } = countryConfig(country).LOYALTY_INFO_DEFAULT_DATA;
  return isMember(member) && member.country === country ? rewards(member.balance, redeemPoints) : 0;
}

/** Whether a customer is in the programme of a country. */
export async function hasJoined(db: Db, of: { readonly userId: string; readonly country: string }): Promise<boolean> {
  const member = await memberOf(db, of.userId);
  return isMember(member) && member.country === of.country;
}

export async function hasReward(db: Db, of: { readonly userId: string; readonly country: string }): Promise<boolean> {
  return (await freeItems(db, of.userId, of.country)) > 0;
}

/** What a customer's card, points and rewards are; a card without a number when they never asked for one. */
export async function loyaltyOf(
  db: Db,
  { userId, country }: { readonly userId: string; readonly country: string },
): Promise<LoyaltyUser> {
  const { loyaltyProgramCode, programName, earnPointsPerOrder, redeemPoints, slices } =
    countryConfig(country).LOYALTY_INFO_DEFAULT_DATA;
  const member = await memberOf(db, userId);
  const points = member?.balance ?? 0;
  const earnings = member === undefined ? [] : await waitingFor(db, member.account_id);
  const orders = await ordersByIds(
    db,
    earnings.map((row) => row.order_id),
  );
  return {
    info: {
      loyaltyCardCode: member?.card_code ?? '',
      loyaltyProgramCode,
      programName,
      enrollmentStatus: statusOf(member),
    },
    balance: {
      burnable: { freeItems: isMember(member) ? rewards(points, redeemPoints) : 0 },
      overall: { points },
      programConfig: { earnPointsPerOrder, redeemPoints, slices, reward: shop.reward },
    },
    points: member === undefined ? [] : await pointsByTitle(db, member.account_id),
    waiting: earnings.map((row) => ({
      orderId: row.order_id,
      orderNumber: orders.find(({ id }) => id === row.order_id)?.number ?? '',
      points: row.points,
      dueAt: row.due_at,
    })),
  };
}

/** The sums of a member's entries by title, in the order of the summary. */
async function pointsByTitle(db: Db, accountId: string): Promise<LoyaltyUser['points']> {
  const sums = await sumsByReason(db, accountId);
  return POINTS_TITLES.map((title) => ({
    title,
    amount: [...sums].reduce((sum, [reason, amount]) => (titleOf(reason) === title ? sum + amount : sum), 0),
  }));
}

/** Joins the programme, or only gets a card with `enroll` false, which takes nobody out. Safe to repeat. */
export async function register(
  db: Db,
  of: { readonly userId: string; readonly country: string; readonly now: number },
  enroll: boolean,
): Promise<void> {
  const { country, userId, now } = of;
  const { loyaltyProgramCode: programme } = countryConfig(country).LOYALTY_INFO_DEFAULT_DATA;
  await transact(db, async (tx) => {
    await openMember(tx, { userId, country, programme, at: now });
    const member = await lockMember(tx, { userId });
    if (member === undefined || !enroll || member.status === 'ENROLLED') return;
    await setMember(tx, member.account_id, 'ENROLLED', now);
    await giveCampaigns(tx, member, now);
  });
}

/** Leaves the programme: all points go, those that are on their way too. @returns how many were lost of the balance */
export async function optOut(db: Db, userId: string, now: number): Promise<number> {
  return await transact(db, async (tx) => {
    const member = await lockMember(tx, { userId });
    if (!isMember(member)) return 0;
    const { account_id: accountId, balance, since } = member;
    await setMember(tx, accountId, 'LEFT', now);
    await loseWaiting(tx, accountId);
    const about = `${accountId}:${since}`;
    if (balance > 0) await movePoints(tx, { accountId, reason: 'LEFT', about, amount: -balance, at: now });
    return balance;
  });
}

/**
 * Gives points to a member of that number, once for a key.
 * @returns how many the member has then. @throws Refusal 404 NOT_FOUND
 */
export async function grantPoints(
  db: Db,
  gift: {
    readonly country: string;
    readonly mobile: string;
    readonly points: number;
    readonly key?: string | undefined;
    readonly now: number;
  },
): Promise<number> {
  const { country, points } = gift;
  const mobile = phoneNumber(gift.mobile, countryConfig(country));
  return await transact(db, async (tx) => {
    const found = mobile === null ? undefined : await accountOfMobileIfAny(tx, country, mobile);
    const member = found && (await lockMember(tx, { userId: found.id }));
    if (member?.status !== 'ENROLLED') return refuse(404, 'NOT_FOUND', errors.notFound, { field: 'mobile' });
    const { account_id: accountId } = member;
    const about = `${accountId}:${gift.key ?? newId('gift')}`;
    const isNew = await movePoints(tx, { accountId, reason: 'PROMO', about, amount: points, at: gift.now });
    return member.balance + (isNew ? points : 0);
  });
}

/**
 * An account without a number joins the one of its number: so does its membership. Where both are members, the points of
 * both are one sum, without those of a campaign that gave them to both.
 */
export async function moveMembership(tx: Tx, { guestUserId, userId, now }: LoginMove): Promise<void> {
  const from = await lockMember(tx, { userId: guestUserId });
  if (from === undefined) return;
  const to = await lockMember(tx, { userId });
  if (to === undefined) return await giveMember(tx, from.account_id, userId);
  // Whoever is a member with either account stays one, since the earlier day: a reward of before may come back.
  if (isMember(from))
    await setMember(tx, to.account_id, 'ENROLLED', isMember(to) ? Math.min(from.since, to.since) : from.since);
  await moveEarnings(tx, from.account_id, to.account_id);
  await setMember(tx, from.account_id, 'LEFT', now);
  let left = from.balance;
  const move = async (reason: PointsReason, about: string, amount: number) => {
    if (amount > 0) await movePoints(tx, { accountId: to.account_id, reason, about, amount, at: now });
    left -= amount;
  };
  if (left > 0)
    await movePoints(tx, {
      accountId: from.account_id,
      reason: 'JOINED',
      about: from.account_id,
      amount: -left,
      at: now,
    });
  // Under the other's key, so that no campaign gives twice, now or later.
  for (const [campaign, points] of await campaignPoints(tx, from.account_id))
    await move('PROMO', `${to.account_id}:${campaign}`, Math.min(points, left));
  await move('JOINED', `${from.account_id}:${to.account_id}`, left);
}

/** Points of campaigns that run now, once per member and campaign, however often somebody joins. */
async function giveCampaigns(tx: Tx, { account_id: accountId, country }: MemberRow, now: number): Promise<void> {
  for (const { id, points } of await campaignsAt(tx, country, now))
    await movePoints(tx, { accountId, reason: 'PROMO', about: `${accountId}:${id}`, amount: points, at: now });
}

/**
 * An order has arrived: what its customer won on the wheel with it comes at once, and its points come a day later. Both
 * are for those who are in the programme, and for an order that was paid; its points for the first such order of the
 * store's day, too. The day is that on which the store began with it.
 */
export async function expectPoints(tx: Tx, order: OrderRow, at: number): Promise<void> {
  if (order.total <= 0) return;
  const member = await lockMember(tx, { userId: order.user_id });
  if (!isMember(member) || member.country !== order.country) return;
  const { account_id: accountId } = member;
  const won = await pointsWonWith(tx, order);
  if (won > 0) await movePoints(tx, { accountId, reason: 'WHEEL', about: order.id, amount: won, at });
  await earnForDay(tx, accountId, order, at);
}

/** The day whose points an order may earn: that on which the store began with it, by its own clock. */
const earningDay = (order: OrderRow) =>
  localDay(order.starts_at ?? order.submitted_at, countryConfig(order.country).timeZone);

/** @returns whether the order earns the points of its day now */
async function earnForDay(tx: Tx, accountId: string, order: OrderRow, at: number): Promise<boolean> {
  const dueAt = creditAt(at);
  const isFirst = await addEarning(tx, {
    order_id: order.id,
    account_id: accountId,
    day: earningDay(order),
    points: countryConfig(order.country).LOYALTY_INFO_DEFAULT_DATA.earnPointsPerOrder,
    delivered_at: at,
    due_at: dueAt,
  });
  if (!isFirst) return false;
  const payload = { orderId: order.id };
  await enqueue(tx, { kind: 'loyalty.credit', runAt: dueAt, payload, key: `loyalty.credit:${order.id}` });
  return true;
}

/** The points of a day whose first order was paid back go to the next one of it that has arrived already, if any. */
async function passOnDay(tx: Tx, member: Member, from: OrderRow, earning: EarnRow): Promise<void> {
  const { user_id: userId, country } = member;
  for (const next of await endedAround(tx, { userId, country, around: earning.delivered_at })) {
    const endedAt = next.finished_at;
    if (next.id === from.id || endedAt === null || endedAt < member.since || isLost(next.status)) continue;
    if (earningDay(next) !== earning.day || (await isPaidBack(tx, next))) continue;
    if (await earnForDay(tx, earning.account_id, next, endedAt)) return;
  }
}

/** Whether all that an order has cost was paid back, beside what a missed promise paid. */
export const isPaidBack = async (tx: Tx, order: OrderRow): Promise<boolean> =>
  (await paidBackOf(tx, order.id, PROMISE)) >= order.total;

jobs.on<{ orderId: string }>('loyalty.credit', async ({ orderId }, { db, now }) => {
  await transact(db, async (tx) => {
    const order = await lockOrder(tx, orderId);
    const earning = await earningOf(tx, orderId);
    if (order === undefined || earning === undefined) return;
    const member = await lockMember(tx, { accountId: earning.account_id });
    if (!isMember(member)) return;
    if (await isPaidBack(tx, order)) {
      if (await moveEarning(tx, orderId, 'WAITING', 'REFUNDED')) await passOnDay(tx, member, order, earning);
      return;
    }
    if (!(await moveEarning(tx, orderId, 'WAITING', 'CREDITED'))) return;
    await movePoints(tx, {
      accountId: earning.account_id,
      reason: 'ORDER',
      about: orderId,
      amount: earning.points,
      at: now,
    });
    await giveCampaigns(tx, member, now);
  });
});

/**
 * Something of an order was paid back: if it was all of it, its points go too, and those of its reward come back. It is
 * looked at after this transaction, which may hold balances that others wait for. `key` makes it happen once for each
 * payment back.
 */
export async function lookAtPoints(tx: Tx, orderId: string, key: string, now: number): Promise<void> {
  if (
    (await earningOf(tx, orderId)) === undefined &&
    (await entryByKey(tx, pointsKey('REWARD', orderId))) === undefined
  )
    return;
  await enqueue(tx, {
    kind: 'loyalty.refund',
    runAt: now,
    payload: { orderId },
    key: `loyalty.refund:${orderId}:${key}`,
  });
}

jobs.on<{ orderId: string }>('loyalty.refund', async ({ orderId }, { db, now }) => {
  await transact(db, async (tx) => {
    const order = await lockOrder(tx, orderId);
    if (order === undefined || !(await isPaidBack(tx, order))) return;
    await giveRewardBack(tx, orderId, now);
    const earning = await earningOf(tx, orderId);
    if (earning === undefined) return;
    const member = await lockMember(tx, { accountId: earning.account_id });
    if (await moveEarning(tx, orderId, 'WAITING', 'REFUNDED')) {
      if (isMember(member)) await passOnDay(tx, member, order, earning);
      return;
    }
    if (!isMember(member) || member.since > earning.delivered_at) return;
    if (!(await moveEarning(tx, orderId, 'CREDITED', 'REFUNDED'))) return;
    // Points that were spent since are not asked for: nobody owes points.
    const amount = Math.min(earning.points, member.balance);
    const { account_id: accountId } = member;
    if (amount > 0) await movePoints(tx, { accountId, reason: 'TAKEN', about: orderId, amount: -amount, at: now });
    await passOnDay(tx, member, order, earning);
  });
});

/**
 * Spends the points of one reward for an order, in the transaction that makes it: they are held while it waits for its
 * payment.
 * @throws Refusal 409 REWARD_GONE when there are too few
 */
export async function spendReward(tx: Tx, order: OrderRow, now: number): Promise<void> {
  const member = await lockMember(tx, { userId: order.user_id });
  const { redeemPoints } = countryConfig(order.country).LOYALTY_INFO_DEFAULT_DATA;
  const isSpent =
    isMember(member) &&
    member.country === order.country &&
    (await movePoints(tx, {
      accountId: member.account_id,
      reason: 'REWARD',
      about: order.id,
      amount: -redeemPoints,
      at: now,
    }));
  if (!isSpent) refuse(409, 'REWARD_GONE', t.rewardGone, { field: 'reward' });
}

/**
 * An order failed, was cancelled or was paid back in full: what its reward cost comes back, unless the customer has left
 * since. Once per order.
 */
export async function giveRewardBack(tx: Tx, orderId: string, now: number): Promise<void> {
  const spent = await entryByKey(tx, pointsKey('REWARD', orderId));
  if (spent === undefined) return;
  // Of the account that the order belongs to now: it may have joined another one meanwhile.
  const order = await lockOrder(tx, orderId);
  const member = order && (await lockMember(tx, { userId: order.user_id }));
  if (!isMember(member) || member.since > spent.at) return;
  await movePoints(tx, {
    accountId: member.account_id,
    reason: 'BACK',
    about: orderId,
    amount: -spent.amount,
    at: now,
  });
}

/** The points that a reward of an order has cost and that have not come back; 0 for none. */
export async function rewardSpent(db: Db, orderId: string): Promise<number> {
  const spent = await entryByKey(db, pointsKey('REWARD', orderId));
  if (spent === undefined || (await entryByKey(db, pointsKey('BACK', orderId))) !== undefined) return 0;
  return -spent.amount;
}

/** Gives the points of an order's reward back after this transaction, which may hold balances that others wait for. */
export async function promiseReward(tx: Tx, orderId: string, now: number): Promise<void> {
  await enqueue(tx, { kind: 'loyalty.reward', runAt: now, payload: { orderId }, key: `loyalty.reward:${orderId}` });
}

jobs.on<{ orderId: string }>('loyalty.reward', async ({ orderId }, { db, now }) => {
  await transact(db, (tx) => giveRewardBack(tx, orderId, now));
});

/** Entries with what they are about; amounts are points. */
export async function pointsViews(db: Db, entries: readonly EntryRow[]): Promise<PointsView[]> {
  const told = entries.map((entry) => ({ entry, ...reasonOf(entry.unique_key) }));
  const campaigns = await campaignsById(
    db,
    told.flatMap(({ reason, entry, about }) => (reason === 'PROMO' ? [campaignIn(entry, about)] : [])),
  );
  const orders = await ordersByIds(db, [...new Set(told.map(({ about }) => about))]);
  return told.map(({ entry, reason, about }) => {
    const order = orders.find(({ id }) => id === about);
    const campaign = campaigns.find(({ id }) => id === campaignIn(entry, about));
    return {
      entryId: entry.id,
      title: titleOf(reason),
      amount: entry.amount,
      balanceAfter: entry.balance_after,
      reason: reasonText(reason, order?.number ?? '', campaign),
      at: entry.at,
      ...(order === undefined ? {} : { orderId: order.id }),
    };
  });
}

const campaignIn = (entry: EntryRow, about: string) => about.slice(entry.account_id.length + 1);

function reasonText(reason: PointsReason, number: string, campaign: CampaignRow | undefined): string {
  switch (reason) {
    case 'ORDER':
      return t.pointsOrder({ number });
    case 'PROMO':
      return campaign?.reason ?? t.pointsPromo;
    case 'WHEEL':
      return t.pointsWheel({ number });
    case 'REWARD':
      return t.pointsReward({ reward: shop.reward, number });
    case 'BACK':
      return t.pointsBack({ number });
    case 'TAKEN':
      return t.pointsTaken({ number });
    case 'LEFT':
      return t.pointsLeft;
    case 'JOINED':
      return t.pointsJoined;
  }
}

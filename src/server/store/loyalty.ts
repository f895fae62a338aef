import { DAY_MS } from '../../domain/time.ts';
import { sql } from 'kysely';
import { engineOf } from './db.ts';
import type { Db, Tx } from './db.ts';
import { digits, newId } from './ids.ts';
import { ticketsOfOrders } from './help.ts';
import { dropAccount, openAccount, post } from './ledger.ts';
import type { OrderRow } from './orders.ts';
import { payingCapture } from './payments.ts';

/** WAITING: its points come at `due_at`. LOST: the customer left before that. REFUNDED: the order was paid back. */
export type EarnState = 'WAITING' | 'CREDITED' | 'LOST' | 'REFUNDED';
/** NONE: has a card without having joined. */
export type MemberStatus = 'ENROLLED' | 'LEFT' | 'NONE';

export interface MemberRow {
  account_id: string;
  user_id: string;
  country: string;
  card_code: string;
  status: MemberStatus;
  /** Epoch ms at which the status began. */
  since: number;
}
export interface EarnRow {
  order_id: string;
  account_id: string;
  day: string;
  points: number;
  delivered_at: number;
  due_at: number;
  state: EarnState;
}
export interface CampaignRow {
  id: string;
  country: string;
  /** As members read it beside the points. */
  reason: string;
  points: number;
  starts_at: number;
  ends_at: number;
}

declare module './db.ts' {
  interface Tables {
    loyalty_members: MemberRow;
    loyalty_orders: EarnRow;
    loyalty_campaigns: CampaignRow;
  }
}

/**
 * Why points came or went: an order, a campaign, the wheel, a reward that was used, one that came back, an order that
 * was paid back, the end of the membership, an account that joined another one. It is part of an entry's unique key, as an
 * entry of the ledger is written once.
 */
const POINTS_REASONS = ['ORDER', 'PROMO', 'WHEEL', 'REWARD', 'BACK', 'TAKEN', 'LEFT', 'JOINED'] as const;
export type PointsReason = (typeof POINTS_REASONS)[number];
/** `about` is an order's id, a campaign's id, or what else may happen only once. */
export const pointsKey = (reason: PointsReason, about: string) => `points:${reason}:${about}`;
/** The reason and what it is about, from a key. */
export function reasonOf(key: string): { reason: PointsReason; about: string } {
  const [, reason = '', ...about] = key.split(':');
  const found = POINTS_REASONS.find((one) => one === reason);
  if (found === undefined) throw new Error(`${key} is no movement of points`);
  return { reason: found, about: about.join(':') };
}

export async function memberOf(db: Db, userId: string): Promise<(MemberRow & { balance: number }) | undefined> {
  return await db
    .selectFrom('loyalty_members')
    .innerJoin('ledger_accounts', 'ledger_accounts.id', 'loyalty_members.account_id')
    .selectAll('loyalty_members')
    .select('ledger_accounts.balance')
    .where('loyalty_members.user_id', '=', userId)
    .executeTakeFirst();
}

/** Reads a membership and locks it until this transaction ends. SQLite has only one writer anyway. */
export async function lockMember(
  tx: Tx,
  by: { readonly userId: string } | { readonly accountId: string },
): Promise<(MemberRow & { balance: number }) | undefined> {
  const all = tx.selectFrom('loyalty_members').selectAll();
  const one = 'userId' in by ? all.where('user_id', '=', by.userId) : all.where('account_id', '=', by.accountId);
  const row = await (engineOf(tx) === 'postgres' ? one.forUpdate() : one).executeTakeFirst();
  if (row === undefined) return undefined;
  const { balance } = await tx
    .selectFrom('ledger_accounts')
    .select('balance')
    .where('id', '=', row.account_id)
    .executeTakeFirstOrThrow();
  return { ...row, balance };
}

/** Opens a membership without points, unless there is one. */
export async function openMember(
  tx: Tx,
  of: { readonly userId: string; readonly country: string; readonly programme: string; readonly at: number },
): Promise<void> {
  if ((await memberOf(tx, of.userId)) !== undefined) return;
  const id = newId('pts');
  // The account has no owner of its own: a user's one account is the wallet.
  await openAccount(tx, {
    id,
    kind: 'POINTS',
    country: of.country,
    currency: of.programme,
    user_id: null,
    created_at: of.at,
  });
  const done = await tx
    .insertInto('loyalty_members')
    .values({
      account_id: id,
      user_id: of.userId,
      country: of.country,
      card_code: digits(12),
      status: 'NONE',
      since: of.at,
    })
    .onConflict((c) => c.column('user_id').doNothing())
    .executeTakeFirst();
  // Another call has opened one at the same moment.
  if ((done.numInsertedOrUpdatedRows ?? 0n) === 0n) await dropAccount(tx, id);
}

export async function setMember(tx: Tx, accountId: string, status: MemberStatus, at: number): Promise<void> {
  await tx.updateTable('loyalty_members').set({ status, since: at }).where('account_id', '=', accountId).execute();
}

/** A membership belongs to another account, which has none. */
export async function giveMember(tx: Tx, accountId: string, userId: string): Promise<void> {
  await tx.updateTable('loyalty_members').set({ user_id: userId }).where('account_id', '=', accountId).execute();
}

/** What orders of one member have earned or will is another's; on a day on which both earned, the other's counts. */
export async function moveEarnings(tx: Tx, fromAccountId: string, toAccountId: string): Promise<void> {
  await tx
    .updateTable('loyalty_orders')
    .set({ account_id: toAccountId })
    .where('account_id', '=', fromAccountId)
    .where('day', 'not in', (e) => e.selectFrom('loyalty_orders').select('day').where('account_id', '=', toAccountId))
    .execute();
  await loseWaiting(tx, fromAccountId);
}

/** The points that a member got from campaigns, by what each was about behind the member's own id. */
export async function campaignPoints(tx: Tx, accountId: string): Promise<ReadonlyMap<string, number>> {
  const start = pointsKey('PROMO', `${accountId}:`);
  const rows = await tx
    .selectFrom('ledger_entries')
    .select(['unique_key', 'amount'])
    .where('account_id', '=', accountId)
    .where('unique_key', 'like', `${start}%`)
    .execute();
  return new Map(rows.map(({ unique_key, amount }) => [unique_key.slice(start.length), amount]));
}

/** Moves points, once per reason and what it is about. @returns whether they moved now; false also when there are too few */
export async function movePoints(
  tx: Tx,
  move: { accountId: string; reason: PointsReason; about: string; amount: number; at: number },
): Promise<boolean> {
  const { accountId, reason, about, amount, at } = move;
  const kind = reason === 'BACK' ? 'RETURN' : amount > 0 ? 'CREDIT' : 'SPEND';
  return (await post(tx, { key: pointsKey(reason, about), accountId, kind, amount, orderId: null, at })) === 'DONE';
}

/**
 * Notes that an order earns points; false when another one of the day does, or this one already. An order that was paid
 * back leaves its day to the next one.
 */
export async function addEarning(tx: Tx, row: Omit<EarnRow, 'state'>): Promise<boolean> {
  await tx
    .deleteFrom('loyalty_orders')
    .where('account_id', '=', row.account_id)
    .where('day', '=', row.day)
    .where('state', '=', 'REFUNDED')
    .where('order_id', '<>', row.order_id)
    .execute();
  const done = await tx
    .insertInto('loyalty_orders')
    .values({ ...row, state: 'WAITING' })
    .onConflict((c) => c.doNothing())
    .executeTakeFirst();
  return (done.numInsertedOrUpdatedRows ?? 0n) === 1n;
}

/**
 * A customer's orders that were paid for and ended within two days of an instant, oldest first.
 * @param around epoch ms
 */
export async function endedAround(
  db: Db,
  of: { readonly userId: string; readonly country: string; readonly around: number },
): Promise<OrderRow[]> {
  return await db
    .selectFrom('orders')
    .selectAll()
    .where('user_id', '=', of.userId)
    .where('country', '=', of.country)
    .where('total', '>', 0)
    .where('finished_at', '>', of.around - 2 * DAY_MS)
    .where('finished_at', '<', of.around + 2 * DAY_MS)
    .orderBy('finished_at')
    .orderBy('id')
    .execute();
}

export async function earningOf(db: Db, orderId: string): Promise<EarnRow | undefined> {
  return await db.selectFrom('loyalty_orders').selectAll().where('order_id', '=', orderId).executeTakeFirst();
}

/** False when it is not in that state (any more). */
export async function moveEarning(tx: Tx, orderId: string, from: EarnState, to: EarnState): Promise<boolean> {
  const done = await tx
    .updateTable('loyalty_orders')
    .set({ state: to })
    .where('order_id', '=', orderId)
    .where('state', '=', from)
    .executeTakeFirst();
  return done.numUpdatedRows === 1n;
}

/** Points that are on their way, the next ones first. */
export async function waitingFor(db: Db, accountId: string): Promise<EarnRow[]> {
  return await db
    .selectFrom('loyalty_orders')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('state', '=', 'WAITING')
    .orderBy('due_at')
    .execute();
}

export async function loseWaiting(tx: Tx, accountId: string): Promise<void> {
  await tx
    .updateTable('loyalty_orders')
    .set({ state: 'LOST' })
    .where('account_id', '=', accountId)
    .where('state', '=', 'WAITING')
    .execute();
}

export async function campaignsAt(db: Db, country: string, at: number): Promise<CampaignRow[]> {
  return await db
    .selectFrom('loyalty_campaigns')
    .selectAll()
    .where('country', '=', country)
    .where('starts_at', '<=', at)
    .where('ends_at', '>', at)
    .execute();
}

export async function campaignsById(db: Db, ids: readonly string[]): Promise<CampaignRow[]> {
  if (ids.length === 0) return [];
  return await db.selectFrom('loyalty_campaigns').selectAll().where('id', 'in', ids).execute();
}

/** The sum of all movements by reason. */
export async function sumsByReason(db: Db, accountId: string): Promise<Map<PointsReason, number>> {
  const start = sql.lit('points:'.length + 1);
  const rest = sql<string>`substr(unique_key, ${start})`;
  const end = engineOf(db) === 'postgres' ? sql`strpos(${rest}, ':')` : sql`instr(${rest}, ':')`;
  const rows = await db
    .selectFrom('ledger_entries')
    .select([
      sql<PointsReason>`substr(${rest}, 1, ${end} - 1)`.as('reason'),
      (e) => e.fn.sum<number>('amount').as('sum'),
    ])
    .where('account_id', '=', accountId)
    .groupBy('reason')
    .execute();
  return new Map(rows.map(({ reason, sum }) => [reason, Number(sum)]));
}

/**
 * What was paid back of an order, to where it came from or elsewhere, in minor units; what a missed promise paid is no
 * part of it.
 * @param promise the reason of such payments
 */
export async function paidBackOf(db: Db, orderId: string, promise: string): Promise<number> {
  const capture = await payingCapture(db, orderId);
  const refunds = await db
    .selectFrom('refunds')
    .select(['capture_id', 'amount', 'reason'])
    .where('order_id', '=', orderId)
    .execute();
  const entries = await db
    .selectFrom('ledger_entries')
    .select(['amount', 'unique_key'])
    .where('order_id', '=', orderId)
    .where('kind', '=', 'RETURN')
    .execute();
  const tickets = await ticketsOfOrders(db, [orderId]);
  // A part of what was captured has the capture's id as the beginning of its own.
  const isOf = (id: string) => capture !== undefined && (id === capture.id || id.startsWith(`${capture.id}:`));
  return (
    refunds.reduce((sum, row) => sum + (isOf(row.capture_id) && row.reason !== promise ? row.amount : 0), 0) +
    entries.reduce((sum, row) => sum + (row.unique_key.endsWith(`:${promise}`) ? 0 : row.amount), 0) +
    tickets.reduce((sum, { way, amount }) => sum + (way === 'SOURCE' ? 0 : amount), 0)
  );
}

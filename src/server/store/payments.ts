import { sql } from 'kysely';
import type { PaymentMode } from '../../contract/names.ts';
import type { PaymentState } from '../../contract/payments.ts';
import type { Db } from './db.ts';
import { tellMove } from './transitions.ts';
import { first, prepared, wroteOne } from './preparedStatement.ts';

export interface PaymentRow {
  id: string;
  order_id: string;
  attempt: number;
  /** The id by which the provider knows this attempt; new for every attempt. */
  reference: string;
  user_id: string;
  mode: PaymentMode;
  label: string;
  amount: number;
  currency: string;
  state: PaymentState;
  /** JSON of the contract's PaymentStep: what the page has to do. */
  step: string | null;
  /** JSON: card token and last four digits, mobile, and whatever else a provider needs again. */
  details: string;
  return_path: string;
  created_at: number;
  settle_by: number;
  settled_at: number | null;
  code: string | null;
  /** Token of the link through which the payment came: then the payer is not the customer. */
  link: string | null;
  /** By what the card, the UPI id or the wallet is known again: a hash (rules/offers/firstOrder.ts); null: by nothing. */
  holder: string | null;
}

/** The provider whose answer a payment waits for: its jobs have a lane of their own, so that they hold up no other provider's. */
export function providerOf({ mode, details }: Pick<PaymentRow, 'mode' | 'details'>): string {
  return mode === 'HOST' ? (JSON.parse(details) as { host: string }).host : mode;
}

export interface CaptureRow {
  id: string;
  payment_id: string;
  order_id: string;
  amount: number;
  currency: string;
  at: number;
  pays: number;
}

export interface RefundRow {
  id: string;
  /** The capture; a name of its own for a part that goes back before or after others of `part_of`. */
  capture_id: string;
  /** The capture that this is a part of; null: `capture_id` is one, and this is what it gives back by itself. */
  part_of: string | null;
  payment_id: string;
  order_id: string;
  amount: number;
  currency: string;
  reason: string;
  state: 'STARTED' | 'PAID';
  /** 1 when the bank returns a failed debit by itself: then the refund is only watched. */
  by_provider: number;
  created_at: number;
  expected_from: number;
  expected_to: number;
  paid_at: number | null;
}

declare module './db.ts' {
  interface Tables {
    payments: PaymentRow;
    captures: CaptureRow;
    refunds: RefundRow;
    notices: { reference: string; status: string; received_at: number; times: number };
  }
}

/** The `code` of a payment that was given up before the provider knew its result. */
export const GIVEN_UP = 'EXPIRED';
/** The `code` of a payment that was closed on our side before anybody had begun to pay it. */
export const CLOSED = 'CLOSED';
/** The `code` of a payment that failed while its money was under way, at a provider that returns it without a word. */
export const UNTOLD = 'UNTOLD';
/** States in which money may still move. */
export const OPEN_STATES: readonly PaymentState[] = ['CREATED', 'OTP_NEEDED', 'SENT', 'UNKNOWN'];

/** A cash order that this customer has placed with this number, which takes a code or a login with it. */
export const confirmedOrder = (db: Db, given: { readonly userId: string; readonly orderMobile: string }) =>
  db
    .selectFrom('payments')
    .innerJoin('orders', 'orders.id', 'payments.order_id')
    .select('payments.id')
    .where('payments.user_id', '=', given.userId)
    .where('orders.mobile', '=', given.orderMobile)
    .where('payments.mode', '=', 'COD')
    .where('payments.state', 'in', ['DUE_AT_DOOR', 'CAPTURED'])
    .limit(1);

export async function hasConfirmed(db: Db, userId: string, mobile: string): Promise<boolean> {
  return (await confirmedOrder(db, { userId, orderMobile: mobile }).executeTakeFirst()) !== undefined;
}

/** Adds an attempt to pay, to be written with what else belongs to it; writes no row when there is one of this number. */
export const newPayment = prepared((db, given: PaymentRow) =>
  db
    .insertInto('payments')
    .values(given)
    .onConflict((c) => c.columns(['order_id', 'attempt']).doNothing()),
);

/** To be called where an attempt was added. */
export function tellNewPayment(db: Db, { mode, state, amount, currency }: PaymentRow): void {
  tellMove(db, { noun: 'payment', mode, state, amount, currency });
}

export async function addPayment(db: Db, row: PaymentRow): Promise<boolean> {
  const isNew = await wroteOne(newPayment(db, row));
  if (isNew) tellNewPayment(db, row);
  return isNew;
}

const withId = prepared((db, given: { id: string }) =>
  db.selectFrom('payments').selectAll().where('id', '=', given.id),
);

export async function paymentById(db: Db, id: string): Promise<PaymentRow | undefined> {
  return await first(withId(db, { id }));
}

export async function paymentByReference(db: Db, reference: string): Promise<PaymentRow | undefined> {
  return await db.selectFrom('payments').selectAll().where('reference', '=', reference).executeTakeFirst();
}

const ofOrders = prepared((db, given: { orderIds: readonly string[] }) =>
  db.selectFrom('payments').selectAll().where('order_id', 'in', given.orderIds).orderBy('order_id').orderBy('attempt'),
);

/** All attempts of the orders, oldest first. */
export async function paymentsOf(db: Db, orderIds: readonly string[]): Promise<PaymentRow[]> {
  if (orderIds.length === 0) return [];
  return (await ofOrders(db, { orderIds })).rows;
}

export async function latestPayment(db: Db, orderId: string): Promise<PaymentRow | undefined> {
  return await db
    .selectFrom('payments')
    .selectAll()
    .where('order_id', '=', orderId)
    .orderBy('attempt', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** True for the one call that moved it. */
export async function movePayment(
  db: Db,
  id: string,
  from: readonly PaymentState[],
  values: Partial<PaymentRow> & { state: PaymentState },
): Promise<boolean> {
  const done = await db
    .updateTable('payments')
    .set(values)
    .where('id', '=', id)
    .where('state', 'in', from)
    .returning(['mode', 'amount', 'currency'])
    .executeTakeFirst();
  if (done !== undefined) tellMove(db, { noun: 'payment', state: values.state, ...done });
  return done !== undefined;
}

/** See setStep. To be written with what else comes of it. */
export const stepSet = prepared((db, given: { id: string; step: string }) =>
  db
    .updateTable('payments')
    .set((e) => ({
      step: given.step,
      state: e.case().when('state', '=', 'CREATED').then<PaymentState>('SENT').else(e.ref('state')).end(),
    }))
    .where('id', '=', given.id),
);

/**
 * Stores what the page has to do. The provider has the payment now, so its state goes from CREATED to SENT. One
 * statement.
 */
export async function setStep(db: Db, id: string, todo: string): Promise<void> {
  await stepSet(db, { id, step: todo });
}

/** True if this movement of money is new to us. */
export async function addCapture(db: Db, row: CaptureRow): Promise<boolean> {
  const done = await db
    .insertInto('captures')
    .values(row)
    .onConflict((c) => c.column('id').doNothing())
    .executeTakeFirst();
  return (done.numInsertedOrUpdatedRows ?? 0n) === 1n;
}

/** Whether a customer has paid before with what is known by `holder`, for orders of their own. */
export async function hasPaidBy(db: Db, userId: string, holder: string): Promise<boolean> {
  const found = await db
    .selectFrom('payments')
    .select('id')
    .where('user_id', '=', userId)
    .where('holder', '=', holder)
    .where('state', '=', 'CAPTURED')
    .where('link', 'is', null)
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}
/** Notes by what the way of an open payment is known again. */
export async function setHolder(db: Db, id: string, holder: string): Promise<void> {
  await db.updateTable('payments').set({ holder }).where('id', '=', id).execute();
}

export async function payingCapture(db: Db, orderId: string): Promise<CaptureRow | undefined> {
  return (await payingCaptures(db, [orderId]))[0];
}

/** What has paid these orders: at most one capture each. */
export async function payingCaptures(db: Db, orderIds: readonly string[]): Promise<CaptureRow[]> {
  if (orderIds.length === 0) return [];
  return await db.selectFrom('captures').selectAll().where('order_id', 'in', orderIds).where('pays', '=', 1).execute();
}

/** True if the refund is new: a capture never gets a second one. */
export async function addRefund(db: Db, row: RefundRow): Promise<boolean> {
  const done = await db
    .insertInto('refunds')
    .values(row)
    .onConflict((c) => c.column('capture_id').doNothing())
    .executeTakeFirst();
  return (done.numInsertedOrUpdatedRows ?? 0n) === 1n;
}

export async function refundById(db: Db, id: string): Promise<RefundRow | undefined> {
  return await db.selectFrom('refunds').selectAll().where('id', '=', id).executeTakeFirst();
}

const refunds = prepared((db, given: { orderIds: readonly string[] }) =>
  db.selectFrom('refunds').selectAll().where('order_id', 'in', given.orderIds).orderBy('created_at').orderBy('id'),
);

export async function refundsOf(db: Db, orderIds: readonly string[]): Promise<RefundRow[]> {
  if (orderIds.length === 0) return [];
  return (await refunds(db, { orderIds })).rows;
}

export async function markRefunded(db: Db, id: string, at: number): Promise<void> {
  await db
    .updateTable('refunds')
    .set({ state: 'PAID', paid_at: at })
    .where('id', '=', id)
    .where('state', '=', 'STARTED')
    .execute();
}

/** Counts a notice with this reference and status; true the first time. */
export async function addNotice(db: Db, reference: string, status: string, at: number): Promise<boolean> {
  const row = await db
    .insertInto('notices')
    .values({ reference, status, received_at: at, times: 1 })
    .onConflict((c) => c.columns(['reference', 'status']).doUpdateSet({ times: sql<number>`notices.times + 1` }))
    .returning('times')
    .executeTakeFirstOrThrow();
  return Number(row.times) === 1;
}

export async function lastPaidMode(db: Db, userId: string): Promise<PaymentMode | null> {
  const row = await db
    .selectFrom('payments')
    .select('mode')
    .where('user_id', '=', userId)
    .where('link', 'is', null)
    .where('state', 'in', ['CAPTURED', 'DUE_AT_DOOR'])
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.mode ?? null;
}

import { refundExpected } from '../../call/bankDays.ts';
import { countryConfig } from '../../../../country/index.ts';
import type { MoneyWay } from '../../../contract/help.ts';
import { COUNTER_FOR_MS } from '../../../domain/help.ts';
import { isFinal } from '../../../domain/orders.ts';
import { isEnabled } from '../../../domain/features.ts';
import { t } from '../../call/language.ts';
import { blockedFor } from '../../call/features.ts';
import { OutdatedRead, type Db, type Tx } from '../../store/db.ts';
import { isLeaving } from '../../store/deletions.ts';
import { ensureWallet, post } from '../../store/ledger.ts';
import { lockUser, userById } from '../../store/sessions.ts';
import { noteGroupChange } from '../../store/group.ts';
import { ticketsOfOrders } from '../../store/help.ts';
import { lockOrder, orderById, snapshotOf, type OrderRow } from '../../store/orders.ts';
import {
  payingCaptures,
  paymentsOf,
  refundsOf,
  type CaptureRow,
  type PaymentRow,
  type RefundRow,
} from '../../store/payments.ts';
import { readSwitches } from '../../store/switches.ts';
import { lookAtSlices } from '../league/score.ts';
import { lookAtPoints } from '../loyalty/loyalty.ts';
import type { AmountParts } from '../order/invoice/invoicePapers.ts';
import { creditNote } from '../order/invoice/invoices.ts';
import { giveBack, partsOf, unreturned, type Part } from '../payment/funds.ts';
import { isPayers, payersLabel } from '../payment/payer.ts';
import { HELP_REASON, writeRefund } from '../payment/refunds.ts';
import { giveVoucher, hasVouchers } from '../payment/vouchers.ts';

/** Where the money of an order came from, and how much of it could still go back; minor units. */
export interface RefundSources {
  readonly capture: CaptureRow | undefined;
  readonly payment: PaymentRow | undefined;
  readonly parts: readonly Part[];
  /** All refunds of the order, of whatever attempt and for whatever reason. */
  readonly refunds: readonly RefundRow[];
  /** Back to where it came from: to a bank or a card; 0 for cash. */
  readonly atSource: number;
  /** Back to the balances that paid a part. */
  readonly atBalances: number;
  /** What only a balance could take that is lost with its account: a person hands it out at the counter. */
  readonly atNobody: number;
  /** In all, whatever the way. */
  readonly left: number;
}

/**
 * What orders have paid, and what of it has not gone back for a promise, a cancellation or another ticket, by the order's
 * id. True as long as an order is locked. Nothing is left to give while it is under way: its cancellation or its promise
 * may still give back all of it. As many statements for many orders as for one.
 */
export async function paidOfOrders(db: Db, orders: readonly OrderRow[]): Promise<ReadonlyMap<string, RefundSources>> {
  const ids = [...new Set(orders.map((order) => order.id))];
  const captures = await payingCaptures(db, ids);
  const payments = await paymentsOf(db, ids);
  const parts = await partsOf(db, ids);
  const refunds = await refundsOf(db, ids);
  const tickets = await ticketsOfOrders(db, ids);
  return new Map(
    orders.map((order) => {
      const capture = captures.find((own) => own.order_id === order.id);
      return [
        order.id,
        paidBy(order, {
          capture,
          payment: payments.find((own) => own.id === capture?.payment_id),
          parts: parts.get(order.id) ?? [],
          refunds: refunds.filter((own) => own.order_id === order.id),
          elsewhere: sumOf(tickets.filter((own) => own.order_id === order.id && own.way !== 'SOURCE')),
        }),
      ];
    }),
  );
}

/** The same of one order. */
export const paidOf = async (db: Db, order: OrderRow): Promise<RefundSources> =>
  (await paidOfOrders(db, [order])).get(order.id)!;

const sumOf = (rows: readonly { readonly amount: number }[]) => rows.reduce((sum, row) => sum + row.amount, 0);

/** @param of `elsewhere`: what tickets gave back in another way than to where it came from */
function paidBy(
  { status }: OrderRow,
  of: Pick<RefundSources, 'capture' | 'payment' | 'parts' | 'refunds'> & { readonly elsewhere: number },
): RefundSources {
  const { capture, payment, parts, refunds, elsewhere } = of;
  const refunded = sumOf(
    refunds.filter((refund) => capture !== undefined && (refund.part_of ?? refund.capture_id) === capture.id),
  );
  const balances = (isLost: boolean) =>
    parts.reduce((sum, part) => sum + (part.isLost === isLost ? unreturned(part) : 0), 0);
  const captured = (capture?.amount ?? 0) - refunded;
  const left = isFinal(status) ? Math.max(0, captured + balances(false) + balances(true) - elsewhere) : 0;
  // What went elsewhere was taken from the payment first.
  const isCash = payment?.mode === 'COD';
  return {
    capture,
    payment,
    parts,
    refunds,
    atSource: isCash ? 0 : Math.max(0, Math.min(captured - elsewhere, left)),
    atBalances: Math.min(balances(false), left),
    atNobody: Math.min(balances(true), left),
    left,
  };
}

/**
 * Locks an order and, before it, whoever it belongs to: while money goes back, no login moves it to another account and
 * no account falls asleep.
 * @throws Outdated when it has moved meanwhile
 */
export async function lockWithOwner(tx: Tx, orderId: string): Promise<OrderRow | undefined> {
  const known = await orderById(tx, orderId);
  if (known === undefined) return undefined;
  await lockUser(tx, known.user_id);
  const order = await lockOrder(tx, orderId);
  if (order?.user_id !== known.user_id) throw new OutdatedRead();
  return order;
}

/**
 * The ways that an amount may go back, the first of which is proposed. To the way that paid; to a wallet where there is
 * one; what was paid in cash to an e-voucher where there is no wallet, and otherwise over the counter. Nothing goes to
 * the wallet or the e-vouchers of an account that is deleted, or sleeps before that, and what somebody else paid through
 * a link is theirs: it goes back to them alone.
 */
export async function waysFor(db: Db, order: OrderRow, paid: RefundSources, amount: number): Promise<MoneyWay[]> {
  const country = countryConfig(order.country);
  const ways: MoneyWay[] = paid.atSource + paid.atBalances >= amount ? ['SOURCE'] : [];
  if (await isLeaving(db, order.user_id)) return ways.length > 0 ? ways : ['COUNTER'];
  const isWallets = paid.atSource === 0 && paid.parts.length > 0 && paid.parts.every((part) => part.mode === 'WALLET');
  const hasWallet =
    !country.IS_WALLET_BLOCKED &&
    isEnabled('wallet', blockedFor(country, 'web', (await readSwitches(db)).features)) &&
    (await userById(db, order.user_id))?.guest === 0;
  if (hasWallet && !isWallets && !isPayers(paid.payment)) ways.push('WALLET');
  if (ways.length === 0) ways.push(hasVouchers(order.country, 'web') ? 'VOUCHER' : 'COUNTER');
  return ways;
}

/** How the source of an order's money is called: its payment's name, or those of the balances that paid. */
export function sourceLabel({
  payment,
  parts,
  atSource,
}: Pick<RefundSources, 'payment' | 'parts' | 'atSource'>): string {
  return atSource > 0 && payment !== undefined
    ? payersLabel(payment)
    : parts.map((part) => part.label).join(', ') || t.wallet;
}

export interface Pays {
  readonly id: string;
  readonly amount: number;
  readonly way: MoneyWay;
  /** What of the amount is tax and rounding, where it goes back for dishes. */
  readonly inside?: AmountParts | undefined;
}

/**
 * Gives money back for a ticket, once: every movement has the ticket's id in its key, and the order's invoice a credit
 * note for it. The order is locked, and `amount` is at most what is left.
 * @returns when it is there at the latest (epoch ms)
 */
export async function payBack(
  tx: Tx,
  order: OrderRow,
  paid: RefundSources,
  ticket: Pays,
  now: number,
): Promise<number> {
  const by = await moveBack(tx, order, paid, ticket, now);
  const { id, amount, inside } = ticket;
  await creditNote(tx, order, { cause: `help:${id}`, amount, reason: 'REFUND', at: now, inside });
  const { group } = snapshotOf(order);
  if (group !== undefined) await noteGroupChange(tx, { code: group.code });
  await lookAtPoints(tx, order.id, `help:${ticket.id}`, now);
  await lookAtSlices(tx, order.id, `help:${ticket.id}`, now);
  return by;
}

async function moveBack(tx: Tx, order: OrderRow, paid: RefundSources, ticket: Pays, now: number): Promise<number> {
  const { id, amount, way } = ticket;
  if (amount <= 0 || amount > paid.left) throw new Error(`ticket ${id} pays ${amount} of ${paid.left}`);
  if (way === 'COUNTER') return now + COUNTER_FOR_MS;
  const of = { userId: order.user_id, country: order.country, now };
  if (way === 'VOUCHER') {
    await giveVoucher(tx, { ...of, amount });
    return now;
  }
  if (way === 'WALLET') {
    const wallet = await ensureWallet(tx, { ...of, currency: order.currency, at: now });
    const move = {
      key: `help:${id}`,
      accountId: wallet.id,
      kind: 'CREDIT',
      amount,
      orderId: order.id,
      at: now,
    } as const;
    if ((await post(tx, move)) !== 'DONE') throw new Error(`ticket ${id} was paid before`);
    return now;
  }
  const outside = Math.min(amount, paid.atSource);
  if (outside > 0 && paid.capture !== undefined && paid.payment !== undefined) {
    const part = { id: paid.capture.id, amount: outside, part: `${HELP_REASON}:${id}` };
    await writeRefund(tx, paid.payment, part, HELP_REASON, false, now);
  }
  const given = outside + (outside < amount ? await giveBack(tx, order, `HELP:${id}`, now, amount - outside) : 0);
  if (given !== amount) throw new Error(`ticket ${id} paid ${given} of ${amount}`);
  return outside > 0 ? refundExpected(now, order.currency).to : now;
}

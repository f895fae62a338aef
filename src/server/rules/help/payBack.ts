import { countryConfig } from '../../../../country/index.ts';
import type { MoneyWay } from '../../../contract/help.ts';
import { COUNTER_FOR_MS } from '../../../domain/help.ts';
import { isFinal, refundWindow } from '../../../domain/orders.ts';
import { isEnabled } from '../../../domain/features.ts';
import { t } from '../../call/language.ts';
import { blockedFor } from '../../call/features.ts';
import type { Db, Tx } from '../../store/db.ts';
import { ensureWallet, post } from '../../store/ledger.ts';
import { userById } from '../../store/sessions.ts';
import { ticketsOfOrder } from '../../store/help.ts';
import type { OrderRow } from '../../store/orders.ts';
import { payingCapture, paymentById, refundsOf, type CaptureRow, type PaymentRow } from '../../store/payments.ts';
import { lookAtSlices } from '../league/score.ts';
import { lookAtPoints } from '../loyalty/loyalty.ts';
import { creditNote } from '../order/invoices.ts';
import { giveBack, partsOf, type Part } from '../payment/funds.ts';
import { HELP_REASON, writeRefund } from '../payment/refunds.ts';
import { giveVoucher, hasVouchers } from '../payment/vouchers.ts';

/** Where the money of an order came from, and how much of it could still go back; minor units. */
export interface Paid {
  readonly capture: CaptureRow | undefined;
  readonly payment: PaymentRow | undefined;
  readonly parts: readonly Part[];
  /** Back to where it came from: to a bank or a card; 0 for cash. */
  readonly atSource: number;
  /** Back to the balances that paid a part. */
  readonly atBalances: number;
  /** In all, whatever the way. */
  readonly left: number;
}

/**
 * What an order has paid, and what of it has not gone back for its promise, its cancellation or another ticket. True as
 * long as the order is locked. Nothing is left to give while it is under way: its cancellation or its promise may still
 * give back all of it.
 */
export async function paidOf(db: Db, order: OrderRow): Promise<Paid> {
  const capture = await payingCapture(db, order.id);
  const payment = capture && (await paymentById(db, capture.payment_id));
  const parts = (await partsOf(db, [order.id])).get(order.id) ?? [];
  const refunds = await refundsOf(db, [order.id]);
  const refunded = refunds
    .filter((refund) => capture !== undefined && (refund.part_of ?? refund.capture_id) === capture.id)
    .reduce((sum, refund) => sum + refund.amount, 0);
  const elsewhere = (await ticketsOfOrder(db, order.id))
    .filter((ticket) => ticket.way !== 'SOURCE')
    .reduce((sum, ticket) => sum + ticket.amount, 0);
  const atBalances = parts.reduce((sum, part) => sum + part.amount - part.returned, 0);
  const captured = (capture?.amount ?? 0) - refunded;
  const left = isFinal(order.status) ? Math.max(0, captured + atBalances - elsewhere) : 0;
  // What went elsewhere was taken from the payment first.
  const isCash = payment?.mode === 'COD';
  return {
    capture,
    payment,
    parts,
    atSource: isCash ? 0 : Math.max(0, Math.min(captured - elsewhere, left)),
    atBalances: Math.min(atBalances, left),
    left,
  };
}

/**
 * The ways that an amount may go back, the first of which is proposed. To the way that paid; to a wallet where there is
 * one; what was paid in cash to an e-voucher where there is no wallet, and otherwise over the counter.
 */
export async function waysFor(db: Db, order: OrderRow, paid: Paid, amount: number): Promise<MoneyWay[]> {
  const country = countryConfig(order.country);
  const ways: MoneyWay[] = paid.atSource + paid.atBalances >= amount ? ['SOURCE'] : [];
  const isWallets = paid.atSource === 0 && paid.parts.length > 0 && paid.parts.every((part) => part.mode === 'WALLET');
  const hasWallet =
    !country.IS_WALLET_BLOCKED &&
    isEnabled('wallet', blockedFor(country, 'web', undefined)) &&
    (await userById(db, order.user_id))?.guest === 0;
  if (hasWallet && !isWallets) ways.push('WALLET');
  if (ways.length === 0) ways.push(hasVouchers(order.country, 'web') ? 'VOUCHER' : 'COUNTER');
  return ways;
}

/** How the source of an order's money is called: its payment's name, or those of the balances that paid. */
export function sourceLabel({ payment, parts, atSource }: Pick<Paid, 'payment' | 'parts' | 'atSource'>): string {
  return atSource > 0 && payment !== undefined ? payment.label : parts.map((part) => part.label).join(', ') || t.wallet;
}

interface Pays {
  readonly id: string;
  readonly amount: number;
  readonly way: MoneyWay;
}

/**
 * Gives money back for a ticket, once: every movement has the ticket's id in its key, and the order's invoice a credit
 * note for it. The order is locked, and `amount` is at most what is left.
 * @returns when it is there at the latest (epoch ms)
 */
export async function payBack(tx: Tx, order: OrderRow, paid: Paid, ticket: Pays, now: number): Promise<number> {
  const by = await moveBack(tx, order, paid, ticket, now);
  await creditNote(tx, order, { cause: `help:${ticket.id}`, amount: ticket.amount, reason: 'REFUND', at: now });
  await lookAtPoints(tx, order.id, `help:${ticket.id}`, now);
  await lookAtSlices(tx, order.id, `help:${ticket.id}`, now);
  return by;
}

async function moveBack(tx: Tx, order: OrderRow, paid: Paid, ticket: Pays, now: number): Promise<number> {
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
  return outside > 0 ? refundWindow(now).to : now;
}

import { money } from '../../../../contract/price.ts';
import { inLanguage } from '../../../call/language.ts';
import type { Tx } from '../../../store/db.ts';
import { addInvoice, invoicesOf, takeSerial, type InvoiceRow } from '../../../store/invoices.ts';
import { creditsOf, lockOrder, type OrderRow } from '../../../store/orders.ts';
import { payingCapture, paymentsOf } from '../../../store/payments.ts';
import { partsOf } from '../../payment/funds.ts';
import { paymentLabel } from '../../payment/paymentLabel.ts';
import type { Paper } from '../../invoice/paper.ts';
import {
  buyerOf,
  creditPaper,
  financialYear,
  invoicePaper,
  lawOf,
  leftAfter,
  numberOf,
  type Credit,
} from './invoicePapers.ts';

// Makes invoices and credit notes out. An invoice is written in the transaction that hands an order over, a credit note
// in the one that gives money back: why, and why in English, says src/decisions/2026-11-22-invoices.md.

const LANGUAGE = 'en';

/** With what a finished order was paid, in minor units. */
async function paidWith(tx: Tx, order: OrderRow): Promise<{ label: string; amount: number }[]> {
  const parts = (await partsOf(tx, [order.id])).get(order.id) ?? [];
  const capture = await payingCapture(tx, order.id);
  const payment = (await paymentsOf(tx, [order.id])).find(({ id }) => id === capture?.payment_id);
  return [
    ...parts.map(({ label, amount }) => ({ label, amount })),
    ...(capture === undefined || payment === undefined
      ? []
      : [{ label: paymentLabel(order, payment), amount: capture.amount }]),
  ].filter(({ amount }) => amount > 0);
}

async function write(
  tx: Tx,
  order: OrderRow,
  { kind, cause, amount, at }: Pick<InvoiceRow, 'kind' | 'cause' | 'amount'> & { readonly at: number },
  paperWith: (made: { number: string; at: number }) => object,
): Promise<void> {
  const law = lawOf(order.country);
  const series = { storeId: order.store_id, kind, year: financialYear(law, at) };
  const taken = await takeSerial(tx, series, at);
  const number = numberOf(kind, order.store_id, series.year, taken.serial);
  await addInvoice(tx, {
    order_id: order.id,
    kind,
    cause,
    store_id: order.store_id,
    year: series.year,
    serial: taken.serial,
    number,
    amount,
    currency: order.currency,
    issued_at: taken.at,
    paper: JSON.stringify(inLanguage(LANGUAGE, () => paperWith({ number, at: taken.at }))),
    buyer: JSON.stringify(buyerOf(order)),
  });
}

/**
 * Takes money that goes back off an order's invoice by a credit note of its own, once for each cause: at most what is
 * left of the invoice. Does nothing for an order without an invoice: there was no sale then. The caller has locked the
 * order.
 */
export async function creditNote(
  tx: Tx,
  order: OrderRow,
  of: Pick<Credit, 'reason' | 'at' | 'inside'> & { readonly cause: string; readonly amount: number },
): Promise<void> {
  const [invoice, ...credits] = await invoicesOf(tx, order.id);
  if (invoice === undefined || credits.some(({ cause }) => cause === of.cause)) return;
  const left = leftAfter(
    order,
    credits.map((credit) => ({ amount: credit.amount, taken: (JSON.parse(credit.paper) as Paper).taken })),
  );
  const amount = Math.min(of.amount, left.amount);
  if (amount <= 0) return;
  await write(tx, order, { kind: 'CREDIT', cause: of.cause, amount, at: of.at }, (made) =>
    creditPaper(order, {
      ...made,
      reason: of.reason,
      amount: money(amount),
      left,
      // Where less than that is left of the invoice, it is a part of the whole bill.
      inside: amount === of.amount ? of.inside : undefined,
      invoice: { number: invoice.number, issuedAt: invoice.issued_at },
    }),
  );
}

/**
 * Makes an order's invoice out once it is handed over and paid, with a credit note for what its missed promise gave
 * back. Does nothing a second time. The caller has locked the order.
 * @param at epoch ms of the hand-over; a series whose last paper is younger keeps to that one's time
 */
export async function makeInvoice(tx: Tx, order: OrderRow, at: number): Promise<void> {
  if ((await invoicesOf(tx, order.id)).length > 0) return;
  const paid = await inLanguage(LANGUAGE, () => paidWith(tx, order));
  await write(tx, order, { kind: 'INVOICE', cause: `order:${order.id}`, amount: order.total, at }, (made) =>
    invoicePaper(order, made, paid),
  );
  for (const { amount } of await creditsOf(tx, [order.id]))
    await creditNote(tx, order, { cause: `promise:${order.id}`, amount, reason: 'PROMISE', at });
}

/** The same for an order that an older release has handed over, when its invoice is asked for. */
export async function makeUpInvoice(tx: Tx, orderId: string, at: number): Promise<void> {
  await makeInvoice(tx, (await lockOrder(tx, orderId))!, at);
}

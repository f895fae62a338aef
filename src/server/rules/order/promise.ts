import { giveBack } from '../payment/funds.ts';
import { writeRefund } from '../payment/refunds.ts';
import type { Tx } from '../../store/db.ts';
import { addCredit, type OrderRow } from '../../store/orders.ts';
import { payingCapture, paymentById, paymentsOf } from '../../store/payments.ts';

/** The reason on the refund that pays for a missed promise. */
export const PROMISE_REASON = 'PROMISE';

/**
 * Pays for a missed promise, once per order, in the transaction that ends the order: back to where the payment came
 * from, or as a deduction from what is due at the door.
 * @returns how much less the rider collects, in minor units
 */
export async function payPromise(tx: Tx, order: OrderRow, amount: number, at: number): Promise<number> {
  const capture = await payingCapture(tx, order.id);
  const due = (await paymentsOf(tx, [order.id])).find((own) => own.state === 'DUE_AT_DOOR');
  // First what was paid from outside, or is still due; the rest goes back to the wallet or e-voucher.
  const outside = Math.min(amount, (capture ?? due)?.amount ?? 0);
  const way = outside === 0 ? 'WALLET' : capture === undefined ? 'DOOR' : 'REFUND';
  const isNew = await addCredit(tx, {
    order_id: order.id,
    user_id: order.user_id,
    amount,
    currency: order.currency,
    at,
    way,
  });
  if (!isNew) return 0;
  if (outside < amount) await giveBack(tx, order, 'PROMISE', at, amount - outside);
  if (way === 'REFUND') {
    const { id, payment_id } = capture!;
    await writeRefund(tx, (await paymentById(tx, payment_id))!, { id, amount: outside }, PROMISE_REASON, false, at);
  }
  return way === 'DOOR' ? outside : 0;
}

import type { Tx } from '../../store/db.ts';
import type { OrderRow } from '../../store/orders.ts';
import { addCapture, movePayment, paymentsOf } from '../../store/payments.ts';

/**
 * Cash counts as paid once the order is handed over. `less` is what the rider collects less because of a missed
 * promise.
 */
export async function collectCash(tx: Tx, order: OrderRow, at: number, less: number): Promise<void> {
  for (const payment of await paymentsOf(tx, [order.id])) {
    if (payment.state !== 'DUE_AT_DOOR') continue;
    await movePayment(tx, payment.id, ['DUE_AT_DOOR'], { state: 'CAPTURED', settled_at: at });
    await addCapture(tx, {
      id: `cash:${payment.id}`,
      payment_id: payment.id,
      order_id: order.id,
      amount: payment.amount - less,
      currency: payment.currency,
      at,
      pays: 1,
    });
  }
}

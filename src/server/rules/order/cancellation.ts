import type { OrderStatus } from '../../../contract/names.ts';
import type { PaymentState } from '../../../contract/payments.ts';
import type { Actor } from '../../../domain/orders.ts';
import { release as releaseCoupons } from '../../store/coupons.ts';
import type { Tx } from '../../store/db.ts';
import { moveOrder, type OrderRow } from '../../store/orders.ts';
import { movePayment, OPEN_STATES, payingCapture, paymentsOf } from '../../store/payments.ts';
import { giveRewardBack } from '../loyalty/loyalty.ts';
import { returnCart } from '../cart/cartReturn.ts';
import { giveBack } from '../payment/funds.ts';
import { writeRefund } from '../payment/refunds.ts';

/**
 * Fails an unpaid order and gives back its coupons, its balances and its cart. Returns false, and changes nothing,
 * while an attempt may still bring money or when the order is no longer PENDING.
 */
export async function failOrder(
  tx: Tx,
  order: OrderRow,
  now: number,
  actor: 'system' | 'customer' = 'system',
): Promise<boolean> {
  const attempts = await paymentsOf(tx, [order.id]);
  if (attempts.some((attempt) => OPEN_STATES.includes(attempt.state))) return false;
  const failed = await moveOrder(
    tx,
    order.id,
    ['PENDING'],
    { status: 'FAILED', stage: null, actor, at: now },
    { finished_at: now },
  );
  if (!failed) return false;
  // A submit of this cart locks it before its coupons, too.
  await returnCart(tx, order, now);
  await releaseCoupons(tx, order.id);
  await giveBack(tx, order, 'FAILED', now);
  await giveRewardBack(tx, order.id, now);
  return true;
}

/**
 * Cancels an order that is in one of the `from` statuses: frees its coupons, gives balances back and refunds captured
 * money. Returns false when it is too late for that.
 */
export async function cancelOrder(
  tx: Tx,
  order: OrderRow,
  from: readonly OrderStatus[],
  actor: Actor,
  now: number,
): Promise<boolean> {
  const moved = await moveOrder(
    tx,
    order.id,
    from,
    { status: 'CANCELLED', stage: null, actor, at: now },
    { finished_at: now, promise_state: null, promise_deadline: null },
  );
  if (!moved) return false;
  await releaseCoupons(tx, order.id);
  await giveBack(tx, order, 'CANCELLED', now);
  await giveRewardBack(tx, order.id, now);
  const capture = await payingCapture(tx, order.id);
  for (const payment of await paymentsOf(tx, [order.id])) {
    if (capture?.payment_id === payment.id) {
      await movePayment(tx, payment.id, ['CAPTURED'], { state: 'REFUNDED', settled_at: now });
      // A capture of 0 means that balances paid everything: there is no outside payment to refund.
      if (capture.amount > 0) await writeRefund(tx, payment, capture, 'CANCELLED', false, now);
    } else {
      const open: PaymentState[] = ['DUE_AT_DOOR', 'OTP_NEEDED'];
      await movePayment(tx, payment.id, open, { state: 'FAILED', code: 'CANCELLED', settled_at: now });
    }
  }
  return true;
}

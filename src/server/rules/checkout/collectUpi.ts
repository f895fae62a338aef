import { isVpa } from '../../../domain/upi.ts';
import type { Call } from '../../call/call.ts';
import { t } from '../../call/language.ts';
import { refuse } from '../../call/refusal.ts';
import { transact } from '../../store/db.ts';
import { lockOrder, snapshotOf, type OrderRow } from '../../store/orders.ts';
import { hasPaidBy, OPEN_STATES, paymentById, setHolder, type PaymentRow } from '../../store/payments.ts';
import { takeWayToPay, upiHolder } from '../offers/firstOrder.ts';
import { mayDo, takeOneBack, unlessFailed } from '../people/limits.ts';
import { applyAnswer } from '../placing/settle.ts';

interface UpiPayment {
  readonly order: OrderRow;
  readonly payment: PaymentRow;
}

/**
 * Counts a UPI id as the one that pays for an order with an offer for a first order, and notes by what it is known again.
 * @returns false, and nothing is counted, when the order or the payment is over by now: what it had is given back already
 * @throws Refusal 422 COUPON_FIRST_ORDER
 */
async function takeUpi(call: Call, { order, payment }: UpiPayment, vpa: string): Promise<boolean> {
  return await transact(call.db, async (tx) => {
    // Cancelling and giving up lock the order, too, and give back what it has used.
    const locked = await lockOrder(tx, order.id);
    const attempt = await paymentById(tx, payment.id);
    if (locked?.status !== 'PENDING' || attempt === undefined || !OPEN_STATES.includes(attempt.state)) return false;
    const holder = await upiHolder(tx, vpa);
    await takeWayToPay(tx, await call.services.catalogue.of(tx, order.country), {
      codes: snapshotOf(locked).coupons,
      holders: [holder],
      orderId: order.id,
      field: 'vpa',
      now: call.now,
    });
    await setHolder(tx, attempt.id, holder.id);
    return true;
  });
}

/**
 * By what the requests to a UPI id are counted. Whoever has paid from it has shown that it is theirs: their own requests
 * count apart, so that strangers who use up those of all leave theirs.
 */
async function whoseAskings({ db }: Call, { user_id: userId, link }: PaymentRow, target: string): Promise<string> {
  if (link !== null) return target;
  const { id } = await upiHolder(db, target);
  return (await hasPaidBy(db, userId, id)) ? `${target}|${userId}` : target;
}

/**
 * Has the bank ask the holder of a UPI id for the money.
 * @returns false when the order or the payment is over, or the payment was never one by UPI
 * @throws Refusal 422 INVALID_VPA, COUPON_FIRST_ORDER; 429 TOO_MANY; 502 PROVIDER
 */
export async function collectUpi(call: Call, of: UpiPayment, typed: string): Promise<boolean> {
  const { db, services, now } = call;
  const { payment } = of;
  if (payment.mode !== 'UPI' || !OPEN_STATES.includes(payment.state)) return false;
  const vpa = typed.trim();
  if (!isVpa(vpa)) refuse(422, 'INVALID_VPA', t.vpaInvalid, { field: 'vpa' });
  const target = await whoseAskings(call, payment, vpa.toLowerCase());
  await mayDo(call, 'collects', { target }, (time) => t.upiIdOften(time));
  if (!(await unlessFailed(call, 'collects', () => takeUpi(call, of, vpa), target))) {
    await takeOneBack(call, 'collects', target);
    return false;
  }
  try {
    await applyAnswer(db, services, payment, services.payments.collect(payment, vpa), now);
  } catch (error) {
    services.log.warn({ error: String(error), paymentId: payment.id }, 'a collect request was not answered');
    refuse(502, 'PROVIDER', t.bankAway);
  }
  if ((await paymentById(db, payment.id))?.state === 'CAPTURED') await takeOneBack(call, 'collects', target);
  return true;
}

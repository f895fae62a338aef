import { countryConfig } from '../../../../country/index.ts';
import type { Call } from '../../call/call.ts';
import { errors, t } from '../../call/language.ts';
import { refuse } from '../../call/refusal.ts';
import { transact, type Tx } from '../../store/db.ts';
import { lockOrder, type OrderRow } from '../../store/orders.ts';
import { movePayment, paymentById, type PaymentRow } from '../../store/payments.ts';
import { countForNumber } from '../offers/redeem.ts';
import { checkCode, guess, refuseCode } from '../people/otp.ts';
import { placeOrder } from '../placing/placed.ts';
import { mustBePayable, payableUntil } from './anotherAttempt.ts';
import { codeOfPayment } from './attempts.ts';

/**
 * Whether the number of a cash order is confirmed by now.
 * @throws Refusal 409 NO_CODE, ORDER_FAILED, as `payableUntil`, and as `mustBePayable` where the attempt takes no code any
 *   more
 */
export async function isCashConfirmed(call: Call, payment: PaymentRow, order: OrderRow): Promise<boolean> {
  if (payment.mode !== 'COD') refuse(409, 'NO_CODE', t.badInput);
  if (payment.state === 'DUE_AT_DOOR' || payment.state === 'CAPTURED') return true;
  if (payment.state === 'OTP_NEEDED') {
    await payableUntil(call.db, order, await call.services.catalogue.of(call.db, order.country, call.seen), call.now);
    return false;
  }
  // Another way to pay has taken its place: how that stands is the answer.
  await transact(call.db, (tx) => mustBePayable(tx, order));
  return refuse(409, 'ORDER_FAILED', errors.orderFailed);
}

/** Places a cash order whose code is right. @throws Refusal 409 ORDER_FAILED, those of a code */
export async function confirmCash(call: Call, payment: PaymentRow, order: OrderRow, typed: string): Promise<void> {
  const check = async (tx: Tx) => {
    const locked = await lockOrder(tx, order.id);
    const found = await checkCode(tx, codeOfPayment(payment, order), typed, call.now);
    if (
      found.kind === 'right' &&
      locked !== undefined &&
      (await movePayment(tx, payment.id, ['OTP_NEEDED'], { state: 'DUE_AT_DOOR' }))
    ) {
      await placeOrder(tx, locked, call.now);
      await countForNumber(tx, locked, countryConfig(locked.country), call.now);
    }
    return found;
  };
  const verdict = await guess(call, () => transact(call.db, check));
  const after = await paymentById(call.db, payment.id);
  // The same code may have arrived twice at once. The first request was right, so this one succeeds too.
  if (after?.state === 'DUE_AT_DOOR') return;
  if (verdict.kind !== 'right') refuseCode(verdict);
  refuse(409, 'ORDER_FAILED', errors.orderFailed);
}

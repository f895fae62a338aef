import type { PaymentMode } from '../../contract/names.ts';
import type { PaymentStep } from '../../contract/payments.ts';
import { OPEN_STATES, addPayment, movePayment, paymentById, setStep, type PaymentRow } from '../store/payments.ts';
import { countryConfig } from '../../../country/index.ts';
import type { Call } from '../http/route.ts';
import type { Tx } from '../store/db.ts';
import { newId } from '../store/ids.ts';
import { orderById, type OrderRow } from '../store/orders.ts';
import { sendCode, type CodeOf } from './otp.ts';
import { nextStep } from './orderView.ts';
import { ProviderRefusal, SETTLE_MS, type Attempt } from './payments.ts';
import { watchPayment } from './settlement.ts';

/** Mounts of the bundles, for a page that did not say where it lives. */
const HOMES: Readonly<Record<string, string>> = { 'IN web': '/in/', 'IN gpay': '/in/gpay/', 'IN paytm': '/in/paytm/', 'LK web': '/lk/', 'BG web': '/bg/' };

/**
 * The mount of the app, from its `returnpath` header: a plain path of this site that ends in '/'. Anything else (another
 * origin, back-slashes, encoded tricks) gives the build's usual mount.
 */
export function returnPath(header: string, country: string, partner: string): string {
  const isPlain = /^\/(?:[A-Za-z0-9_~-][A-Za-z0-9._~-]*\/)*$/.test(header) && header.length <= 200;
  return isPlain ? header : HOMES[`${country} ${partner}`] ?? '/';
}

interface Details { cardToken: string | null; partner: string; mobile: string; note: string; host: string }

export function codeOfPayment(payment: Pick<PaymentRow, 'id' | 'user_id'>, order: Pick<OrderRow, 'country' | 'mobile'>): CodeOf {
  return { purpose: `cod:${payment.id}`, mobile: order.mobile, userId: payment.user_id, country: countryConfig(order.country) };
}

/** Writes an attempt down, before anybody outside hears of it. Cash of a guest needs a code; other cash is due at the door. */
export async function addAttempt(
  tx: Tx, order: OrderRow, wish: { attempt: number; mode: PaymentMode; label: string; cardToken: string | null; needsCode: boolean; returnPath: string; host: string }, now: number,
): Promise<PaymentRow> {
  const id = newId('txn');
  const row: PaymentRow = {
    id, order_id: order.id, attempt: wish.attempt,
    // Plain letters and digits, at most 50: what UPI and Paytm take.
    reference: `GO${order.number}${newId('x').replace(/[^A-Za-z0-9]/g, '').slice(1, 21)}A${wish.attempt}`,
    user_id: order.user_id, mode: wish.mode, label: wish.label, amount: order.total, currency: order.currency,
    state: wish.mode === 'COD' ? (wish.needsCode ? 'OTP_NEEDED' : 'DUE_AT_DOOR') : 'CREATED',
    step: wish.mode === 'COD' && wish.needsCode ? JSON.stringify({ kind: 'cod-otp', transactionId: id, mobile: order.mobile } satisfies PaymentStep) : null,
    details: JSON.stringify({ cardToken: wish.cardToken, partner: order.partner, mobile: order.mobile, note: `Order ${order.number}`, host: wish.host } satisfies Details),
    return_path: wish.returnPath, created_at: now, settle_by: now + SETTLE_MS, settled_at: null, code: null,
  };
  if (!await addPayment(tx, row)) throw new Error(`attempt ${wish.attempt} of order ${order.id} exists`);
  if (row.state !== 'DUE_AT_DOOR') await watchPayment(tx, row);
  return row;
}

function attemptOf(payment: PaymentRow): Attempt {
  const details = JSON.parse(payment.details) as Details;
  return {
    transactionId: payment.id, reference: payment.reference, orderId: payment.order_id, mode: payment.mode, partner: details.partner, amount: payment.amount,
    currency: payment.currency, userId: payment.user_id, mobile: details.mobile, returnPath: payment.return_path, cardToken: details.cardToken,
    note: details.note, expiresAt: payment.settle_by,
  };
}

/**
 * Takes an attempt outside: the provider, or the SMS with the code. Safe to repeat after a crash, since the provider knows the
 * reference. If the provider cannot be brought to answer, the attempt is failed: nobody was given anything to pay with.
 */
export async function begin(call: Call, paymentId: string): Promise<PaymentStep> {
  const { db, services, now } = call;
  const payment = await paymentById(db, paymentId);
  if (payment === undefined) return { kind: 'none' };
  if (payment.mode === 'COD') {
    if (payment.state !== 'OTP_NEEDED') return { kind: 'none' };
    const order = await orderById(db, payment.order_id);
    if (order !== undefined) {
      try {
        await sendCode(call, codeOfPayment(payment, order), { host: (JSON.parse(payment.details) as Details).host });
      } catch (error) {
        // The order stands; the page offers to send the code again.
        services.log.warn({ error: String(error), paymentId }, 'the code for cash was not sent');
      }
    }
    return nextStep(payment, now) ?? { kind: 'none' };
  }
  if (payment.state !== 'CREATED') return nextStep(payment, now) ?? { kind: 'none' };
  let refused = 'START';
  for (let tries = 0; tries < 2; tries += 1) {
    try {
      const step = await services.payments.start(attemptOf(payment));
      await setStep(db, paymentId, JSON.stringify(step));
      return step;
    } catch (error) {
      services.log.warn({ error: String(error), paymentId }, 'a payment could not be started');
      if (error instanceof ProviderRefusal) {
        refused = error.code;
        break;
      }
    }
  }
  await movePayment(db, paymentId, OPEN_STATES, { state: 'FAILED', code: refused, settled_at: now });
  return { kind: 'none' };
}

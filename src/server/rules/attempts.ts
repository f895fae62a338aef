import type { PaymentMode } from '../../contract/names.ts';
import type { PaymentStep } from '../../contract/payments.ts';
import { OPEN_STATES, addCapture, addPayment, movePayment, paymentById, setStep, type PaymentRow } from '../store/payments.ts';
import { countryConfig } from '../../../country/index.ts';
import type { Call } from '../http/route.ts';
import { money } from '../../contract/price.ts';
import type { Tx } from '../store/db.ts';
import { newId, newToken } from '../store/ids.ts';
import { orderById, type OrderRow } from '../store/orders.ts';
import { isOwnMode } from './funds.ts';
import { linkableProvider } from './linkedWallets.ts';
import { payLinkOf } from '../store/payLinks.ts';
import { sendCode, type CodeOf } from './otp.ts';
import { stepOf } from './orderView.ts';
import { ProviderRefusal, SETTLE_MS, type Attempt } from './payments.ts';
import { watchPayment } from './settlement.ts';

/**
 * The mount of the app, from its `returnpath` header: a plain path of this site that ends in '/'. Anything else (another
 * origin, back-slashes, encoded tricks) gives the mount that the build is given here.
 */
export function returnPath(header: string, country: string, partner: string): string {
  const isPlain = /^\/(?:[A-Za-z0-9_~-][A-Za-z0-9._~-]*\/)*$/.test(header) && header.length <= 200;
  return isPlain ? header : `/${country.toLowerCase()}/${partner === 'web' ? '' : `${partner}/`}`;
}

interface Details { cardToken: string | null; partner: string; mobile: string; note: string; host: string; linked?: boolean }

export function codeOfPayment(payment: Pick<PaymentRow, 'id' | 'user_id'>, order: Pick<OrderRow, 'country' | 'mobile'>): CodeOf {
  return { purpose: `cod:${payment.id}`, mobile: order.mobile, userId: payment.user_id, country: countryConfig(order.country) };
}

/** Writes an attempt down, before anybody outside hears of it. Cash of a guest needs a code; other cash is due at the door. */
export async function addAttempt(
  tx: Tx, order: OrderRow, wish: {
    attempt: number; mode: PaymentMode; label: string; cardToken: string | null; needsCode: boolean; returnPath: string; host: string;
    /** What balances have left to pay; the order's total without any. */
    amount: number;
    linked?: boolean;
    link?: string | null;
  }, now: number,
): Promise<PaymentRow> {
  const isWhole = isOwnMode(wish.mode);
  const id = newId('txn');
  const settleBy = now + SETTLE_MS;
  // Somebody else's payment is only waited for: there is nothing to take outside.
  const link = wish.mode === 'LINK' ? await payLinkOf(tx, order.id, newToken(), now) : wish.link ?? null;
  const row: PaymentRow = {
    id, order_id: order.id, attempt: wish.attempt,
    // Plain letters and digits, at most 50: what UPI and Paytm take.
    reference: `GO${order.number}${newId('x').replace(/[^A-Za-z0-9]/g, '').slice(1, 21)}A${wish.attempt}`,
    user_id: order.user_id, mode: wish.mode, label: wish.label, amount: wish.amount, currency: order.currency,
    state: isWhole ? 'CAPTURED' : wish.mode === 'COD' ? (wish.needsCode ? 'OTP_NEEDED' : 'DUE_AT_DOOR') : wish.mode === 'LINK' ? 'SENT' : 'CREATED',
    step: wish.mode === 'COD' && wish.needsCode ? JSON.stringify({ kind: 'cod-otp', transactionId: id, mobile: order.mobile } satisfies PaymentStep)
      : wish.mode === 'LINK' && link !== null ? JSON.stringify({ kind: 'link', transactionId: id, token: link, expiresAt: settleBy } satisfies PaymentStep) : null,
    details: JSON.stringify({ cardToken: wish.cardToken, partner: order.partner, mobile: order.mobile, note: `Order ${order.number}`, host: wish.host, ...(wish.linked === true ? { linked: true } : {}) } satisfies Details),
    return_path: wish.returnPath, created_at: now, settle_by: settleBy, settled_at: isWhole ? now : null, code: null, link,
  };
  if (!await addPayment(tx, row)) throw new Error(`attempt ${wish.attempt} of order ${order.id} exists`);
  // Nothing is left for anybody outside: paid with the balances, in the same transaction.
  if (isWhole) await addCapture(tx, { id: `own:${id}`, payment_id: id, order_id: order.id, amount: 0, currency: order.currency, at: now, pays: 1 });
  else if (row.state !== 'DUE_AT_DOOR') await watchPayment(tx, row);
  return row;
}

export const isLinked = (payment: Pick<PaymentRow, 'details'>): boolean => (JSON.parse(payment.details) as Details).linked === true;

/** The provider knows the attempt; its wallet is asked when the customer says so. */
function linkedStep(payment: PaymentRow): PaymentStep {
  const provider = linkableProvider(payment.mode)!;
  return { kind: 'linked', transactionId: payment.id, provider: provider.id, label: provider.label, amount: money(payment.amount), expiresAt: payment.settle_by };
}

function attemptOf(payment: PaymentRow): Attempt {
  const details = JSON.parse(payment.details) as Details;
  return {
    transactionId: payment.id, reference: payment.reference, orderId: payment.order_id, mode: payment.mode, partner: details.partner, amount: payment.amount,
    currency: payment.currency, returnPath: payment.return_path, cardToken: details.cardToken, note: details.note, expiresAt: payment.settle_by, link: payment.link,
    // Whoever pays by a link is not the customer, and the provider hears nothing of either.
    ...(payment.link === null ? { userId: payment.user_id, mobile: details.mobile } : { userId: payment.id, mobile: '' }),
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
    return stepOf(payment, now) ?? { kind: 'none' };
  }
  if (payment.state !== 'CREATED') return stepOf(payment, now) ?? { kind: 'none' };
  let refused = 'START';
  for (let tries = 0; tries < 2; tries += 1) {
    try {
      const started = await services.payments.start(attemptOf(payment));
      const step = isLinked(payment) ? linkedStep(payment) : started;
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

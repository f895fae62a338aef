import type { PaymentMode } from '../../../contract/names.ts';
import type { OrderView } from '../../../contract/orders.ts';
import type { PaymentChoice, PaymentStep } from '../../../contract/payments.ts';
import {
  latestPayment,
  OPEN_STATES,
  addCapture,
  addPayment,
  movePayment,
  paymentById,
  setStep,
  type PaymentRow,
} from '../../store/payments.ts';
import { countryConfig } from '../../../../country/index.ts';
import { t } from '../../call/language.ts';
import { userIdOf, type Call } from '../../call/call.ts';
import type { Caller, HostName } from '../../call/caller.ts';
import { money } from '../../../contract/price.ts';
import { isOwnCardToken } from '../../store/cardOffers.ts';
import type { Tx } from '../../store/db.ts';
import { newId, newToken } from '../../store/ids.ts';
import { orderById, type OrderRow } from '../../store/orders.ts';
import type { Holder } from '../offers/firstOrder.ts';
import { isOwnMode } from '../payment/funds.ts';
import { linkableProvider } from '../payment/linkedWallets.ts';
import { enqueue } from '../../store/jobs.ts';
import { payLinkOf } from '../../store/payLinks.ts';
import { sendCode, type CodeOf, type SentCode } from '../people/otp.ts';
import { nextStep, stepOf, viewNow } from '../order/orderView.ts';
import { Refusal, refuse } from '../../call/refusal.ts';
import { SETTLE_MS, NotBelieved, ProviderRefusal, type Attempt } from '../../call/payments.ts';
import { noteIncident, watchOf } from '../placing/settle.ts';

interface Details {
  cardToken: string | null;
  host: string;
  mobile: string;
  note: string;
  linked?: boolean;
  /** The bank or service that the customer has chosen. */
  choice?: { id: string; label: string };
}

export function codeOfPayment(
  payment: Pick<PaymentRow, 'id' | 'user_id'>,
  order: Pick<OrderRow, 'country' | 'mobile'>,
): CodeOf {
  return {
    purpose: `cod:${payment.id}`,
    mobile: order.mobile,
    userId: payment.user_id,
    country: countryConfig(order.country),
  };
}

/**
 * Cash needs a code unless this customer has proved to hold the order's number: by logging in with it, or with the code
 * of an earlier cash order.
 */
export const needsCode = (caller: Caller, mode: PaymentMode, mobile: string, isConfirmed: boolean): boolean =>
  mode === 'COD' && !isConfirmed && !(caller.isLoggedIn && caller.mobile === mobile);

/** A card pays for whoever has entered it, and for nobody else. @throws Refusal 422 CARD_TOKEN */
export async function mustOwnCard(tx: Tx, call: Call, mode: PaymentMode, cardToken: string | undefined): Promise<void> {
  if (mode === 'CARD' && cardToken !== undefined && !(await isOwnCardToken(tx, userIdOf(call), cardToken, call.now)))
    refuse(422, 'CARD_TOKEN', t.cardUnknown, { field: 'cardToken' });
}

/** How an order is to be paid. */
interface AttemptWish {
  /** The payment's id, where somebody has to know it before. */
  readonly id?: string;
  readonly attempt: number;
  readonly mode: PaymentMode;
  readonly label: string;
  readonly cardToken: string | null;
  readonly needsCode: boolean;
  /** Where the customer pays, which need not be where the order was made. */
  readonly host: HostName;
  readonly returnPath: string;
  /** What is left after the customer's balances have paid their part; the order's total if none did. */
  readonly amount: number;
  readonly linked?: boolean;
  readonly choice?: PaymentChoice | null;
  readonly link?: string | null;
  /** By what the card or the wallet that pays is known again. */
  readonly holder?: Holder | null;
  /** When the order fails if it is unpaid, where that is sooner than usual. */
  readonly settleBy?: number;
}

/**
 * Writes an attempt to the database before any outside service hears of it. Cash may need a code first (OTP_NEEDED);
 * otherwise it is due at the door.
 */
export async function addAttempt(tx: Tx, order: OrderRow, wish: AttemptWish, now: number): Promise<PaymentRow> {
  const link = wish.mode === 'LINK' ? await payLinkOf(tx, order.id, newToken(), now) : (wish.link ?? null);
  const row = attemptRow(order, { ...wish, link }, now);
  if (!(await addPayment(tx, row))) throw new Error(`attempt ${wish.attempt} of order ${order.id} exists`);
  await captureWhole(tx, row, now);
  await enqueue(tx, ...watchOf(row));
  return row;
}

/** Where the balances paid everything, the payment is complete in the transaction that wrote it. */
export async function captureWhole(tx: Tx, { id, order_id, mode, currency }: PaymentRow, now: number): Promise<void> {
  if (!isOwnMode(mode)) return;
  await addCapture(tx, { id: `own:${id}`, payment_id: id, order_id, amount: 0, currency, at: now, pays: 1 });
}

/**
 * An attempt, as it is written down before anybody hears of it. Pure but for the ids.
 * @param wish with the token of the order's link, if somebody else is to pay through it: there is nothing to start at a
 *   provider then, and this attempt only waits
 */
export function attemptRow(order: OrderRow, wish: AttemptWish, now: number): PaymentRow {
  const isWhole = isOwnMode(wish.mode);
  const { id = newId('txn'), link = null } = wish;
  const settleBy = Math.min(now + SETTLE_MS, wish.settleBy ?? Number.POSITIVE_INFINITY);
  return {
    id,
    order_id: order.id,
    attempt: wish.attempt,
    // Letters and digits only, at most 50: UPI and every gateway accept that.
    reference: `GO${order.number}${newId('x')
      .replace(/[^A-Za-z0-9]/g, '')
      .slice(1, 21)}A${wish.attempt}`,
    user_id: order.user_id,
    mode: wish.mode,
    label: wish.choice ? `${wish.label}, ${wish.choice.label}` : wish.label,
    amount: wish.amount,
    currency: order.currency,
    state: isWhole
      ? 'CAPTURED'
      : wish.mode === 'COD'
        ? wish.needsCode
          ? 'OTP_NEEDED'
          : 'DUE_AT_DOOR'
        : wish.mode === 'LINK'
          ? 'SENT'
          : 'CREATED',
    step:
      wish.mode === 'COD' && wish.needsCode
        ? codeStep(id, order.mobile, false)
        : wish.mode === 'LINK' && link !== null
          ? JSON.stringify({ kind: 'link', transactionId: id, token: link, expiresAt: settleBy } satisfies PaymentStep)
          : null,
    details: JSON.stringify({
      cardToken: wish.mode === 'CARD' ? wish.cardToken : null,
      host: wish.host,
      mobile: order.mobile,
      note: `Order ${order.number}`,
      ...(wish.linked === true ? { linked: true } : {}),
      ...(wish.choice ? { choice: { id: wish.choice.id, label: wish.choice.label } } : {}),
    } satisfies Details),
    return_path: wish.returnPath,
    created_at: now,
    settle_by: settleBy,
    settled_at: isWhole ? now : null,
    code: null,
    link,
    holder: hashOf(wish.holder),
  };
}

const hashOf = (holder: Holder | null | undefined): string | null => holder?.id ?? null;

const codeStep = (transactionId: string, mobile: string, sent: boolean): string =>
  JSON.stringify({ kind: 'cod-otp', transactionId, mobile, sent } satisfies PaymentStep);

/**
 * Sends the code of a cash order; the page says so from then on.
 * @throws Refusal as `sendCode` does
 */
export async function sendCashCode(call: Call, payment: PaymentRow, order: OrderRow): Promise<SentCode> {
  const sent = await sendCode(call, codeOfPayment(payment, order), { page: {} });
  await setStep(call.db, payment.id, codeStep(payment.id, order.mobile, true));
  return sent;
}

/**
 * Sends the code of an order that was just submitted.
 * @returns what the customer has to do, to be stored with `setStep`: it says whether the code was sent
 */
export async function sendFirstCode(call: Call, payment: PaymentRow, order: OrderRow): Promise<string> {
  const { services } = call;
  try {
    await sendCode(call, codeOfPayment(payment, order), { page: {} });
    return codeStep(payment.id, order.mobile, true);
  } catch (error) {
    if (error instanceof Refusal) services.counts.refused(error.errors[0]?.code ?? '');
    // The order stays; the page asks for the code by itself, with a proof if one is wanted.
    services.log.warn({ error: String(error), paymentId: payment.id }, 'the code for cash was not sent');
    return payment.step!;
  }
}

export const isLinked = (payment: Pick<PaymentRow, 'details'>): boolean =>
  (JSON.parse(payment.details) as Details).linked === true;

/** The provider already knows the attempt; the money is taken from the wallet once the customer confirms. */
function linkedStep(payment: PaymentRow): PaymentStep {
  const provider = linkableProvider(payment.mode)!;
  return {
    kind: 'linked',
    transactionId: payment.id,
    provider: provider.id,
    label: provider.label,
    amount: money(payment.amount),
    expiresAt: payment.settle_by,
  };
}

function attemptOf(payment: PaymentRow): Attempt {
  const details = JSON.parse(payment.details) as Details;
  return {
    transactionId: payment.id,
    reference: payment.reference,
    orderId: payment.order_id,
    mode: payment.mode,
    host: details.host,
    amount: payment.amount,
    currency: payment.currency,
    returnPath: payment.return_path,
    cardToken: details.cardToken,
    note: details.choice ? `${details.note}, ${details.choice.label}` : details.note,
    choice: details.choice?.id ?? null,
    expiresAt: payment.settle_by,
    link: payment.link,
    // A person who pays through a link is not the customer, so the provider gets neither the customer's id nor the mobile
    // number.
    ...(payment.link === null
      ? { userId: payment.user_id, mobile: details.mobile }
      : { userId: payment.id, mobile: '' }),
  };
}

/**
 * Starts an attempt outside: at the provider, or with the SMS that carries the code. Safe to repeat after a crash,
 * because the provider knows the reference. If the provider cannot start it, the attempt fails: the customer was given
 * nothing to pay with.
 */
export async function begin(call: Call, paymentId: string): Promise<PaymentStep> {
  const { db, now } = call;
  const payment = await paymentById(db, paymentId);
  if (payment === undefined) return { kind: 'none' };
  if (payment.mode === 'COD') {
    if (payment.state !== 'OTP_NEEDED') return { kind: 'none' };
    const order = await orderById(db, payment.order_id);
    if (order !== undefined) await setStep(db, paymentId, await sendFirstCode(call, payment, order));
    return stepOf((await paymentById(db, paymentId)) ?? payment, now) ?? { kind: 'none' };
  }
  if (payment.state !== 'CREATED') return stepOf(payment, now) ?? { kind: 'none' };
  const step = await startAtProvider(call, payment);
  if (step === null) return { kind: 'none' };
  await setStep(db, paymentId, JSON.stringify(step));
  return step;
}

/**
 * Starts an attempt at its provider.
 * @returns what the customer has to do, to be stored with `setStep`; null where it could not be started, and has failed
 */
export async function startAtProvider(call: Call, payment: PaymentRow): Promise<PaymentStep | null> {
  const { db, services, now } = call;
  const { id: paymentId } = payment;
  let refused = 'START';
  for (let tries = 0; tries < 2; tries += 1) {
    try {
      const started = await services.payments.start(attemptOf(payment));
      return isLinked(payment) ? linkedStep(payment) : started;
    } catch (error) {
      if (error instanceof NotBelieved) noteIncident(services, payment, error);
      else services.log.warn({ error: String(error), paymentId }, 'a payment could not be started');
      if (error instanceof ProviderRefusal) {
        refused = error.code;
        break;
      }
    }
  }
  await movePayment(db, paymentId, OPEN_STATES, { state: 'FAILED', code: refused, settled_at: now });
  return null;
}

/**
 * An order and the next step of its payment. An attempt that was stored but not yet started at the provider is started
 * now.
 */
export async function orderAndNext(
  call: Call,
  orderId: string,
): Promise<{ readonly order: OrderView; readonly next: PaymentStep | null }> {
  const latest = await latestPayment(call.db, orderId);
  const next =
    latest === undefined
      ? null
      : latest.state === 'CREATED' && latest.link === null
        ? await begin(call, latest.id)
        : nextStep(latest, call.now);
  const order = await viewNow(call, orderId);
  return { order, next: next?.kind === 'none' || order.orderStatus !== 'PENDING' ? null : next };
}

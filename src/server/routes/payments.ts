import * as payments from '../../contract/payments.ts';
import * as messages from '../../domain/messages.ts';
import { OTP_LIFE_SECONDS, OTP_RESEND_SECONDS } from '../../domain/otp.ts';
import { countryConfig } from '../../../country/index.ts';
import { blockedFor } from '../http/caller.ts';
import { Refusal, refuse } from '../http/refusal.ts';
import { on, userIdOf } from '../http/route.ts';
import type { Call, RawRoute, Route } from '../http/route.ts';
import { transact } from '../store/db.ts';
import { lockOrder, orderById, type OrderRow } from '../store/orders.ts';
import { addNotice, lastPaidMode, latestPayment, movePayment, OPEN_STATES, paymentById, paymentByReference, type PaymentRow } from '../store/payments.ts';
import { anotherAttempt } from '../rules/anotherAttempt.ts';
import { begin, codeOfPayment } from '../rules/attempts.ts';
import { fundsOffered } from '../rules/funds.ts';
import { fingerprint, keyOf, once } from '../rules/idempotency.ts';
import { readKey } from '../store/idempotency.ts';
import { optionsFor } from '../rules/modes.ts';
import { nextStep, paymentView } from '../rules/orderView.ts';
import { partners } from '../rules/partners.ts';
import { checkCode, refuseCode, sendCode } from '../rules/otp.ts';
import { applyStatus, placeOrder, settle } from '../rules/settlement.ts';
import { fitsBin } from '../rules/coupons.ts';
import { parseSwitches } from '../rules/switches.ts';
import { onLogin } from '../rules/sessions.ts';
import { isVpa } from '../rules/upi.ts';
import { keepCardOffers, moveCardOffers } from '../store/cardOffers.ts';

/** The caller's own payment with its order; another one's is not there. @throws Refusal 404 NOT_FOUND */
export async function ownPayment(call: Call, transactionId: string): Promise<{ payment: PaymentRow; order: OrderRow }> {
  const payment = await paymentById(call.db, transactionId);
  const order = payment && await orderById(call.db, payment.order_id);
  if (payment === undefined || order === undefined || order.user_id !== userIdOf(call) || order.country !== call.caller.country) {
    return refuse(404, 'NOT_FOUND', messages.NOT_FOUND);
  }
  return { payment, order };
}

/** Asks the provider about an open payment; a provider that is away changes nothing. */
export async function settleNow(call: Call, payment: PaymentRow): Promise<void> {
  if (!OPEN_STATES.includes(payment.state) || payment.mode === 'COD') return;
  try {
    await settle(call.db, call.services, payment.id, call.now);
  } catch (error) {
    call.services.log.warn({ error: String(error), paymentId: payment.id, requestId: call.requestId }, 'the provider did not answer');
  }
}

async function viewAgain(call: Call, transactionId: string) {
  const { payment, order } = await ownPayment(call, transactionId);
  return { payment, order, view: paymentView(payment, order.status === 'PENDING') };
}

/** Closes an attempt that nobody began to pay, so that another way can be chosen. */
export async function closeIfUnpaid(call: Call, payment: PaymentRow): Promise<void> {
  if (!OPEN_STATES.includes(payment.state) || payment.mode === 'COD') return;
  try {
    await applyStatus(call.db, payment, await call.services.payments.cancel(payment), call.now);
  } catch (error) {
    call.services.log.warn({ error: String(error), paymentId: payment.id }, 'an attempt could not be closed');
  }
}

export async function optionsOf(call: Call) {
  const { caller, db } = call;
  const country = countryConfig(caller.country);
  const { seeds } = await call.services.catalogue.of(db, caller.country, call.seen);
  return optionsFor(country, seeds, caller.partner, blockedFor(country, caller.partner, parseSwitches(call.seen.switches).features));
}

export const paymentRoutes: Route[] = [
  on(payments.options, async (_input, call) => {
    const options = await optionsOf(call);
    return { status: 'SUCCESS' as const, options, ...fundsOffered(call, options) };
  }),

  on(payments.lastSuccessful, async (_input, call) => {
    const mode = await lastPaidMode(call.db, userIdOf(call));
    const isOffered = (await optionsOf(call)).some((option) => option.id === mode);
    return { status: 'SUCCESS' as const, mode: isOffered ? mode : null };
  }),

  on(payments.codOtp, async ({ transactionId, body }, call) => {
    const { payment, order } = await ownPayment(call, transactionId);
    const life = { expiresInSeconds: OTP_LIFE_SECONDS, resendInSeconds: OTP_RESEND_SECONDS };
    if (payment.mode !== 'COD') refuse(409, 'NO_CODE', messages.BAD_INPUT);
    if (payment.state === 'DUE_AT_DOOR' || payment.state === 'CAPTURED') return { status: 'SUCCESS' as const, sent: false, verified: true, ...life };
    if (payment.state !== 'OTP_NEEDED') refuse(409, 'ORDER_FAILED', messages.ORDER_FAILED);
    const of = codeOfPayment(payment, order);
    if (body.code === undefined) {
      const sent = await sendCode(call, of);
      return { status: 'SUCCESS' as const, sent: true, verified: false, expiresInSeconds: sent.expiresInSeconds, resendInSeconds: sent.resendInSeconds };
    }
    const typed = body.code;
    const verdict = await transact(call.db, async (tx) => {
      const locked = await lockOrder(tx, order.id);
      const found = await checkCode(tx, of, typed, call.now);
      if (found.kind === 'right' && locked !== undefined && await movePayment(tx, payment.id, ['OTP_NEEDED'], { state: 'DUE_AT_DOOR' })) {
        await placeOrder(tx, locked, call.now);
      }
      return found;
    });
    if (verdict.kind !== 'right') {
      // The same code twice at once: the first one was right, and that is what counts.
      const after = await paymentById(call.db, payment.id);
      if (after?.state !== 'DUE_AT_DOOR') refuseCode(verdict);
    }
    const after = await paymentById(call.db, payment.id);
    if (after?.state !== 'DUE_AT_DOOR') refuse(409, 'ORDER_FAILED', messages.ORDER_FAILED);
    return { status: 'SUCCESS' as const, sent: false, verified: true, ...life };
  }),

  on(payments.status, async ({ query }, call) => {
    const { payment } = await ownPayment(call, query.transactionId);
    await settleNow(call, payment);
    const { order, view } = await viewAgain(call, query.transactionId);
    return { status: 'SUCCESS' as const, payment: view, orderId: order.id, orderStatus: order.status };
  }),

  on(payments.transaction, async ({ transactionId }, call) => {
    const { payment, order, view } = await viewAgain(call, transactionId);
    return { status: 'SUCCESS' as const, payment: view, orderId: order.id, next: nextStep(payment, call.now) };
  }),

  on(payments.chargeStatus, async ({ transactionId }, call) => {
    await settleNow(call, (await ownPayment(call, transactionId)).payment);
    return { status: 'SUCCESS' as const, payment: (await viewAgain(call, transactionId)).view };
  }),

  on(payments.retry, async ({ body }, call) => {
    const { db } = call;
    const key = keyOf(call);
    const userId = userIdOf(call);
    const order = await ownOrder(call, body.orderId);
    // The attempt is read before the key, so that a repeated call can never close what its first one opened.
    const last = await latestPayment(db, order.id);
    if (last !== undefined && await readKey(db, userId, key) === undefined) await closeIfUnpaid(call, last);
    const options = await optionsOf(call);
    return await once(call, key, fingerprint(payments.retry.path, body), async (tx) => {
      const locked = await lockOrder(tx, order.id);
      if (locked === undefined) return refuse(404, 'NOT_FOUND', messages.NOT_FOUND);
      return { paymentId: (await anotherAttempt(tx, call, locked, { mode: body.paymentMode, cardToken: body.cardToken, linked: body.linked, options })).id };
    }, async ({ paymentId }) => {
      const next = await begin(call, paymentId);
      return { status: 'SUCCESS' as const, payment: (await viewAgain(call, paymentId)).view, next };
    });
  }),

  on(payments.upiCollect, async ({ transactionId, body }, call) => {
    const { payment } = await ownPayment(call, transactionId);
    if (payment.mode !== 'UPI' || !OPEN_STATES.includes(payment.state)) refuse(409, 'PAYMENT_CLOSED', messages.PAYMENT_FAILED);
    const vpa = body.vpa.trim();
    if (!isVpa(vpa)) refuse(422, 'INVALID_VPA', messages.VPA_INVALID, { field: 'vpa' });
    try {
      await applyStatus(call.db, payment, await call.services.payments.collect(payment, vpa), call.now);
    } catch (error) {
      call.services.log.warn({ error: String(error), paymentId: payment.id }, 'a collect request was not answered');
      refuse(502, 'PROVIDER', messages.INTERNAL_SERVER_ERROR);
    }
    return { status: 'SUCCESS' as const, payment: (await viewAgain(call, transactionId)).view };
  }),

  on(payments.cardToken, async ({ body }, call) => {
    const done = await vaulted(call, body);
    if ('problems' in done) throw new Refusal(422, done.problems);
    await keepCardOffers(call.db, userIdOf(call), done.card.token, await codesForBin(call, done.card.bin), call.now);
    return { status: 'SUCCESS' as const, ...done.card };
  }),
];

onLogin((tx, { guestUserId, userId }) => moveCardOffers(tx, guestUserId, userId));

/** Coupons that a card with these first digits is good for. */
export async function codesForBin(call: Call, bin: string): Promise<string[]> {
  const { coupons } = await call.services.catalogue.of(call.db, call.caller.country, call.seen);
  return [...coupons.values()].filter((coupon) => coupon.bins !== undefined && fitsBin(coupon, bin)).map(({ code }) => code);
}

async function vaulted(call: Call, card: { number: string; expiry: string; cvv: string; name: string }) {
  try {
    return await call.services.payments.vault(card);
  } catch (error) {
    // Never the card itself: only that the vault was away.
    call.services.log.warn({ error: error instanceof Error ? error.name : 'unknown', requestId: call.requestId }, 'the card vault did not answer');
    return refuse(502, 'PROVIDER', messages.INTERNAL_SERVER_ERROR);
  }
}

/** The caller's own order; another one's is not there. @throws Refusal 404 NOT_FOUND */
export async function ownOrder(call: Call, orderId: string): Promise<OrderRow> {
  const order = await orderById(call.db, orderId);
  if (order === undefined || order.user_id !== userIdOf(call) || order.country !== call.caller.country) return refuse(404, 'NOT_FOUND', messages.NOT_FOUND);
  return order;
}

/**
 * A provider's word, delivered at least once and in any order. It is believed only as a reason to ask: the status call
 * decides. 200 only when it was dealt with, so that the provider sends it again otherwise.
 */
function notice(from: string): RawRoute {
  return {
    method: 'POST', path: `/webhooks/${from}`, embedded: false,
    async handler(context, { db, now, services, requestId }) {
      const raw = await context.req.text();
      const signature = context.req.header('x-bank-signature') ?? headSignature(raw);
      const heard = raw.length > 64 * 1024 ? null : services.payments.notice(from, raw, signature);
      if (heard === null) return new Response('{"status":"FAILED"}', { status: 401, headers: { 'content-type': 'application/json' } });
      const payment = await paymentByReference(db, heard.reference);
      // A signed word about a reference that is not ours is taken and forgotten.
      if (payment !== undefined) {
        const isNew = await addNotice(db, heard.reference, heard.status, now);
        // A second capture comes under the same status: asking again is cheap and never wrong.
        if (!isNew) services.log.info({ reference: heard.reference, requestId }, 'a notice came again');
        await settle(db, services, payment.id, now);
      }
      return new Response('{"status":"SUCCESS"}', { headers: { 'content-type': 'application/json' } });
    },
  };
}

function headSignature(raw: string): string {
  try {
    const head = (JSON.parse(raw) as { head?: { signature?: unknown } }).head;
    return typeof head?.signature === 'string' ? head.signature : '';
  } catch {
    return '';
  }
}

/** Where Paytm's own page leaves the customer: a hint to look, and the way back into the app. */
function paytmCallback(method: 'GET' | 'POST'): RawRoute {
  return {
    method, path: '/webhooks/paytm/callback', embedded: false,
    handler(context) {
      const back = context.req.query('back') ?? '/';
      const isOwn = /^\/(?![/\\])[A-Za-z0-9._~\/-]*\?transactionId=[A-Za-z0-9_-]+$/.test(back);
      return new Response(null, { status: 303, headers: { location: isOwn ? back : '/', 'cache-control': 'no-store' } });
    },
  };
}

/** Hosts that move money of their own call `/webhooks/<name>`. */
export function paymentHooks(): RawRoute[] {
  return [notice('bank'), notice('paytm'), paytmCallback('GET'), paytmCallback('POST'), ...partners().filter(({ door }) => door !== undefined).map(({ name }) => notice(name))];
}

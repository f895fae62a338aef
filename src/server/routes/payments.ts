import * as payments from '../../contract/payments.ts';
import { OTP_LIFE_SECONDS, OTP_RESEND_SECONDS } from '../../domain/otp.ts';
import { userIdOf, type Call } from '../call/call.ts';
import { errors } from '../call/language.ts';
import { Refusal, refuse } from '../call/refusal.ts';
import { on, type RawRoute, type Route } from '../call/route.ts';
import { sendCashCode } from '../rules/checkout/attempts.ts';
import { confirmCash, isCashConfirmed } from '../rules/checkout/cashCode.ts';
import { collectUpi } from '../rules/checkout/collectUpi.ts';
import { retryPayment } from '../rules/checkout/retryPayment.ts';
import { hosts } from '../rules/hosts/hosts.ts';
import { noteCard } from '../rules/offers/cardOffers.ts';
import { nextStep, paymentView } from '../rules/order/orderView.ts';
import { ownPayment } from '../rules/order/rights.ts';
import { fundsOffered } from '../rules/payment/funds.ts';
import { fieldsFor, optionsOf } from '../rules/payment/modes.ts';
import { atVault } from '../rules/payment/vault.ts';
import { settleNow, takeNotice, takeReceipt } from '../rules/placing/settle.ts';
import { lastPaidMode } from '../store/payments.ts';

async function viewAgain(call: Call, transactionId: string) {
  const { payment, order } = await ownPayment(call, transactionId);
  return { payment, order, view: paymentView(payment, order.status === 'PENDING') };
}

export const paymentRoutes: Route[] = [
  on(payments.options, async (_input, call) => {
    const options = await optionsOf(call);
    return { options, ...fundsOffered(call, options), ...fieldsFor(call, options) };
  }),

  on(payments.lastSuccessful, async (_input, call) => {
    const mode = await lastPaidMode(call.db, userIdOf(call));
    const isOffered = (await optionsOf(call)).some((option) => option.id === mode);
    return { mode: isOffered ? mode : null };
  }),

  on(payments.codOtp, async ({ transactionId, body: { code } }, call) => {
    const { payment, order } = await ownPayment(call, transactionId);
    const life = { expiresInSeconds: OTP_LIFE_SECONDS, resendInSeconds: OTP_RESEND_SECONDS };
    const isConfirmed = await isCashConfirmed(call, payment, order);
    if (!isConfirmed && code === undefined) {
      const { expiresInSeconds, resendInSeconds } = await sendCashCode(call, payment, order);
      return { sent: true, verified: false, expiresInSeconds, resendInSeconds };
    }
    if (!isConfirmed && code !== undefined) await confirmCash(call, payment, order, code);
    return { sent: false, verified: true, ...life };
  }),

  on(payments.status, async ({ query }, call) => {
    const { payment } = await ownPayment(call, query.transactionId);
    await settleNow(call, payment);
    const { order, view } = await viewAgain(call, query.transactionId);
    return { payment: view, orderId: order.id, orderStatus: order.status };
  }),

  on(payments.transaction, async ({ transactionId }, call) => {
    const { payment, order, view } = await viewAgain(call, transactionId);
    return { payment: view, orderId: order.id, next: nextStep(payment, call.now) };
  }),

  on(payments.chargeStatus, async ({ transactionId }, call) => {
    await settleNow(call, (await ownPayment(call, transactionId)).payment);
    return { payment: (await viewAgain(call, transactionId)).view };
  }),

  on(payments.retry, ({ body }, call) => retryPayment(call, body)),

  on(payments.upiCollect, async ({ transactionId, body }, call) => {
    if (!(await collectUpi(call, await ownPayment(call, transactionId), body.vpa)))
      refuse(409, 'PAYMENT_CLOSED', errors.paymentFailed);
    return { payment: (await viewAgain(call, transactionId)).view };
  }),

  on(payments.receipt, async ({ transactionId, body }, call) => {
    const { payment } = await ownPayment(call, transactionId);
    await takeReceipt(call, payment, body.receipt);
    return { payment: (await viewAgain(call, transactionId)).view };
  }),

  on(payments.cardToken, async ({ body }, call) => {
    const done = await atVault(call, () => call.services.payments.take(body.token));
    if ('problems' in done) throw new Refusal(422, done.problems);
    return await noteCard(call, done.card);
  }),
];

const WEBHOOK_AT_MOST_BYTES = 64 * 1024;

/**
 * The webhook of a provider, which may call more than once and in any order. A notice is only a reason to ask for the
 * status, and that answer decides. The reply is 200 only after the notices were handled, so that otherwise the provider
 * sends them again.
 */
function webhook(method: 'GET' | 'POST', from: string): RawRoute {
  return {
    method,
    path: `/webhooks/${from}`,
    embedded: false,
    async handler({ req }, context) {
      const { services, requestId } = context;
      const { headers, url } = req.raw;
      const { pathname, search } = new URL(url);
      const body = new Uint8Array(await req.arrayBuffer());
      const notices =
        body.length > WEBHOOK_AT_MOST_BYTES
          ? null
          : await services.payments.webhook(from, { method, path: `${pathname}${search}`, headers, body });
      if (notices === null) {
        services.log.warn({ from, method, bytes: body.length, requestId }, 'a webhook call was not believed');
        return new Response('{"status":"FAILED"}', { status: 401, headers: { 'content-type': 'application/json' } });
      }
      for (const notice of notices) await takeNotice(context, notice);
      return new Response('{"status":"SUCCESS"}', { headers: { 'content-type': 'application/json' } });
    },
  };
}

/** The webhooks of the bank and of the hosts that have one: `/webhooks/<name>`. */
export function paymentHooks(): RawRoute[] {
  const names = hosts()
    .filter((host) => host.webhook !== undefined)
    .map(({ name }) => name);
  return ['bank', ...names].flatMap((name) => [webhook('POST', name), webhook('GET', name)]);
}

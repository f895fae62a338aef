import * as paylinks from '../../contract/paylinks.ts';
import type { PayLink } from '../../contract/paylinks.ts';
import { money } from '../../contract/price.ts';
import { errors, t } from '../call/language.ts';
import { refuse } from '../call/refusal.ts';
import { on } from '../call/route.ts';
import { userIdOf } from '../call/call.ts';
import type { Route } from '../call/route.ts';
import type { Call } from '../call/call.ts';
import { readKey } from '../store/idempotency.ts';
import { lockOrder, orderById, type OrderRow, snapshotOf } from '../store/orders.ts';
import { orderOfPayLink } from '../store/payLinks.ts';
import { latestPayment, OPEN_STATES, paymentById, paymentsOf, type PaymentRow } from '../store/payments.ts';
import { anotherAttempt, mustBePayable } from '../rules/checkout/anotherAttempt.ts';
import { begin } from '../rules/checkout/attempts.ts';
import { fingerprint, keyOf, once } from '../rules/reliability/idempotency.ts';
import { aboutOrder } from '../trace.ts';
import { restOf } from '../rules/payment/funds.ts';
import { optionsByLink } from '../rules/payment/modes.ts';
import { applyAnswer } from '../rules/order/settle.ts';
import { isVpa } from '../../domain/upi.ts';
import { closeIfUnpaid, fieldsFor, optionsOf, settleNow, takeUpi } from './payments.ts';

/** Limits how many charges one link can open. */
const TRIES_AT_MOST = 20;

/**
 * The order behind a link. It must be of the caller's country, and the caller a standalone page.
 * @throws Refusal 404 NOT_FOUND
 */
async function orderBehind(call: Call, token: string): Promise<OrderRow> {
  const orderId = await orderOfPayLink(call.db, token);
  const order = orderId === undefined ? undefined : await orderById(call.db, orderId);
  if (order === undefined || order.country !== call.caller.country || call.caller.host !== 'web')
    return refuse(404, 'NOT_FOUND', errors.brokenLink);
  return order;
}

/**
 * Whether a link can still be paid. It ends when the customer starts to pay in another way, or when the time to pay is
 * over.
 */
const isAlive = (order: OrderRow, last: PaymentRow | undefined, token: string, now: number) =>
  order.status === 'PENDING' && last?.link === token && now < order.settle_by;

async function viewOf(call: Call, orderId: string, token: string): Promise<PayLink> {
  const order = await orderById(call.db, orderId);
  if (order === undefined) return refuse(404, 'NOT_FOUND', errors.brokenLink);
  aboutOrder(order);
  const attempts = await paymentsOf(call.db, [orderId]);
  const last = attempts.at(-1);
  const isPaid = attempts.some((attempt) => attempt.state === 'CAPTURED' || attempt.state === 'REFUNDED');
  const state =
    isPaid && order.status !== 'CANCELLED'
      ? 'PAID'
      : !isAlive(order, last, token, call.now)
        ? 'OVER'
        : last?.state === 'UNKNOWN'
          ? 'UNDER_WAY'
          : 'OPEN';
  const options = state === 'OPEN' ? optionsByLink(await optionsOf(call)) : [];
  return {
    state,
    amount: money(await restOf(call.db, order)),
    shopName: snapshotOf(order).store.name,
    expiresAt: order.settle_by,
    hasFailed: last?.link === token && last.mode !== 'LINK' && last.state === 'FAILED',
    tries: attempts.length,
    options,
    ...fieldsFor(call, options),
  };
}

/**
 * Asks the bank about the payment that was started through this link, if there is one, and returns the latest attempt.
 */
async function settleLast(call: Call, orderId: string, token: string): Promise<PaymentRow | undefined> {
  const last = await latestPayment(call.db, orderId);
  if (last?.link === token && last.mode !== 'LINK') await settleNow(call, last);
  return last;
}

export const payLinkRoutes: Route[] = [
  on(paylinks.byToken, async ({ token }, call) => {
    const order = await orderBehind(call, token);
    await settleLast(call, order.id, token);
    return { status: 'SUCCESS' as const, link: await viewOf(call, order.id, token) };
  }),

  on(paylinks.pay, async ({ token, body }, call) => {
    const key = keyOf(call);
    const order = await orderBehind(call, token);
    const options = optionsByLink(await optionsOf(call));
    const last = await latestPayment(call.db, order.id);
    if ((await readKey(call.db, userIdOf(call), key)) === undefined && last?.link === token) {
      await settleNow(call, last);
      const now = await paymentById(call.db, last.id);
      if (now !== undefined && OPEN_STATES.includes(now.state)) await closeIfUnpaid(call, now);
    }
    return await once(
      call,
      key,
      fingerprint(paylinks.pay.path, { token, body }),
      async (tx) => {
        const locked = await lockOrder(tx, order.id);
        const newest = await latestPayment(tx, order.id);
        if (locked === undefined) return refuse(404, 'NOT_FOUND', errors.brokenLink);
        if (locked.status !== 'PENDING' && locked.status !== 'FAILED' && locked.status !== 'CANCELLED')
          refuse(409, 'ALREADY_PAID', errors.linkPaid);
        if (!isAlive(locked, newest, token, call.now)) refuse(409, 'LINK_OVER', errors.linkOver);
        const { length: tries } = await mustBePayable(tx, locked);
        if (tries >= TRIES_AT_MOST) refuse(429, 'TOO_MANY_TRIES', t.tooManyRequests);
        return {
          paymentId: (
            await anotherAttempt(tx, call, locked, {
              mode: body.paymentMode,
              cardToken: body.cardToken,
              choice: body.paymentChoice,
              options,
              link: token,
            })
          ).id,
        };
      },
      async ({ paymentId }) => {
        const next = await begin(call, paymentId);
        return { status: 'SUCCESS' as const, link: await viewOf(call, order.id, token), next };
      },
    );
  }),

  on(paylinks.collect, async ({ token, body }, call) => {
    const order = await orderBehind(call, token);
    const last = await latestPayment(call.db, order.id);
    if (
      last === undefined ||
      !isAlive(order, last, token, call.now) ||
      last.mode !== 'UPI' ||
      !OPEN_STATES.includes(last.state)
    )
      return refuse(409, 'LINK_OVER', errors.linkOver);
    const vpa = body.vpa.trim();
    if (!isVpa(vpa)) refuse(422, 'INVALID_VPA', t.vpaInvalid, { field: 'vpa' });
    if (!(await takeUpi(call, { order, payment: last, vpa }))) refuse(409, 'LINK_OVER', errors.linkOver);
    try {
      await applyAnswer(call.db, call.services, last, call.services.payments.collect(last, vpa), call.now);
    } catch (error) {
      call.services.log.warn({ error: String(error), paymentId: last.id }, 'a collect request was not answered');
      refuse(502, 'PROVIDER', errors.internalServerError);
    }
    return { status: 'SUCCESS' as const, link: await viewOf(call, order.id, token) };
  }),
];

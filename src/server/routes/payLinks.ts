import * as paylinks from '../../contract/paylinks.ts';
import type { PayLink } from '../../contract/paylinks.ts';
import { money } from '../../contract/price.ts';
import * as messages from '../../domain/messages.ts';
import { refuse } from '../http/refusal.ts';
import { on, userIdOf } from '../http/route.ts';
import type { Call, Route } from '../http/route.ts';
import { readKey } from '../store/idempotency.ts';
import { lockOrder, orderById, type OrderRow } from '../store/orders.ts';
import { orderOfPayLink } from '../store/payLinks.ts';
import { latestPayment, OPEN_STATES, paymentById, paymentsOf, type PaymentRow } from '../store/payments.ts';
import { anotherAttempt, mustBePayable } from '../rules/anotherAttempt.ts';
import { begin } from '../rules/attempts.ts';
import { fingerprint, keyOf, once } from '../rules/idempotency.ts';
import { restOf } from '../rules/funds.ts';
import { optionsByLink } from '../rules/modes.ts';
import type { OrderSnapshot } from '../rules/orderView.ts';
import { applyStatus } from '../rules/settlement.ts';
import { isVpa } from '../rules/upi.ts';
import { closeIfUnpaid, optionsOf, settleNow } from './payments.ts';

/** One link must not open charges without end. */
const TRIES_AT_MOST = 20;

/** The order behind a link, of the caller's country and a standalone page. @throws Refusal 404 NOT_FOUND */
async function orderBehind(call: Call, token: string): Promise<OrderRow> {
  const orderId = await orderOfPayLink(call.db, token);
  const order = orderId === undefined ? undefined : await orderById(call.db, orderId);
  if (order === undefined || order.country !== call.caller.country || call.caller.partner !== 'web') return refuse(404, 'NOT_FOUND', messages.BROKEN_LINK);
  return order;
}

/** The customer took another way since, or the time is over: the link ends with its last attempt. */
const isAlive = (order: OrderRow, last: PaymentRow | undefined, token: string, now: number) => order.status === 'PENDING' && last?.link === token && now < order.settle_by;

async function viewOf(call: Call, orderId: string, token: string): Promise<PayLink> {
  const order = await orderById(call.db, orderId);
  if (order === undefined) return refuse(404, 'NOT_FOUND', messages.BROKEN_LINK);
  const attempts = await paymentsOf(call.db, [orderId]);
  const last = attempts.at(-1);
  const isPaid = attempts.some((attempt) => attempt.state === 'CAPTURED' || attempt.state === 'REFUNDED');
  const state = isPaid && order.status !== 'CANCELLED' ? 'PAID' : !isAlive(order, last, token, call.now) ? 'OVER' : last?.state === 'UNKNOWN' ? 'UNDER_WAY' : 'OPEN';
  return {
    state, amount: money(await restOf(call.db, order)), shopName: (JSON.parse(order.snapshot) as OrderSnapshot).store.name, expiresAt: order.settle_by,
    hasFailed: last?.link === token && last.mode !== 'LINK' && last.state === 'FAILED', tries: attempts.length, options: state === 'OPEN' ? optionsByLink(await optionsOf(call)) : [],
  };
}

/** What the bank says of the payment that is under way through the link, if one is. */
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
    if (await readKey(call.db, userIdOf(call), key) === undefined && last?.link === token) {
      await settleNow(call, last);
      const now = await paymentById(call.db, last.id);
      if (now !== undefined && OPEN_STATES.includes(now.state)) await closeIfUnpaid(call, now);
    }
    return await once(call, key, fingerprint(paylinks.pay.path, { token, body }), async (tx) => {
      const locked = await lockOrder(tx, order.id);
      const newest = await latestPayment(tx, order.id);
      if (locked === undefined) return refuse(404, 'NOT_FOUND', messages.BROKEN_LINK);
      if (locked.status !== 'PENDING' && locked.status !== 'FAILED' && locked.status !== 'CANCELLED') refuse(409, 'ALREADY_PAID', messages.LINK_PAID);
      if (!isAlive(locked, newest, token, call.now)) refuse(409, 'LINK_OVER', messages.LINK_OVER);
      const { length: tries } = await mustBePayable(tx, locked);
      if (tries >= TRIES_AT_MOST) refuse(429, 'TOO_MANY_TRIES', messages.TOO_MANY_REQUESTS);
      return { paymentId: (await anotherAttempt(tx, call, locked, { mode: body.paymentMode, cardToken: body.cardToken, options, link: token })).id };
    }, async ({ paymentId }) => {
      const next = await begin(call, paymentId);
      return { status: 'SUCCESS' as const, link: await viewOf(call, order.id, token), next };
    });
  }),

  on(paylinks.collect, async ({ token, body }, call) => {
    const order = await orderBehind(call, token);
    const last = await latestPayment(call.db, order.id);
    if (last === undefined || !isAlive(order, last, token, call.now) || last.mode !== 'UPI' || !OPEN_STATES.includes(last.state)) return refuse(409, 'LINK_OVER', messages.LINK_OVER);
    const vpa = body.vpa.trim();
    if (!isVpa(vpa)) refuse(422, 'INVALID_VPA', messages.VPA_INVALID, { field: 'vpa' });
    try {
      await applyStatus(call.db, last, await call.services.payments.collect(last, vpa), call.now);
    } catch (error) {
      call.services.log.warn({ error: String(error), paymentId: last.id }, 'a collect request was not answered');
      refuse(502, 'PROVIDER', messages.INTERNAL_SERVER_ERROR);
    }
    return { status: 'SUCCESS' as const, link: await viewOf(call, order.id, token) };
  }),
];

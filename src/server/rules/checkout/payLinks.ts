import type { EndpointInput } from '../../../contract/endpoint.ts';
import * as paylinks from '../../../contract/paylinks.ts';
import type { PayLink } from '../../../contract/paylinks.ts';
import { money } from '../../../contract/price.ts';
import { errors, t } from '../../call/language.ts';
import { refuse } from '../../call/refusal.ts';
import { userIdOf } from '../../call/call.ts';
import type { Call } from '../../call/call.ts';
import { readKey } from '../../store/idempotency.ts';
import { orderById, type OrderRow, snapshotOf } from '../../store/orders.ts';
import { orderOfPayLink } from '../../store/payLinks.ts';
import { latestPayment, paymentsOf, type PaymentRow } from '../../store/payments.ts';
import { anotherAttempt, mustBePayable } from './anotherAttempt.ts';
import { begin } from './attempts.ts';
import { collectUpi } from './collectUpi.ts';
import { fingerprint, keyOf } from '../reliability/idempotency.ts';
import { aboutOrder } from '../../trace.ts';
import { restOf } from '../payment/funds.ts';
import { fieldsFor, optionsByLink, optionsOf } from '../payment/modes.ts';
import { settleNow } from '../placing/settle.ts';
import { onUnpaidOrder } from './unpaidOrder.ts';

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

/** The page of a payment link, with its payment as the bank sees it now. @throws Refusal 404 NOT_FOUND */
export async function openLink(call: Call, token: string): Promise<PayLink> {
  const order = await orderBehind(call, token);
  await settleLast(call, order.id, token);
  return await viewOf(call, order.id, token);
}

/** Begins a payment through a link. @throws Refusal 404 NOT_FOUND, 409 ALREADY_PAID, LINK_OVER, 429 TOO_MANY_TRIES */
export async function payByLink(call: Call, { token, body }: EndpointInput<typeof paylinks.pay>) {
  const key = keyOf(call);
  const order = await orderBehind(call, token);
  const options = optionsByLink(await optionsOf(call));
  const last = await latestPayment(call.db, order.id);
  const mayClose = (await readKey(call.db, userIdOf(call), key)) === undefined && last?.link === token;
  if (mayClose) await settleNow(call, last);
  return await onUnpaidOrder(
    call,
    {
      orderId: order.id,
      key,
      print: fingerprint(paylinks.pay.path, { token, body }),
      mayClose,
      goneText: errors.brokenLink,
    },
    async (tx, locked, isRehearsal) => {
      const newest = await latestPayment(tx, locked.id);
      if (locked.status !== 'PENDING' && locked.status !== 'FAILED' && locked.status !== 'CANCELLED')
        refuse(409, 'ALREADY_PAID', errors.linkPaid);
      if (!isAlive(locked, newest, token, call.now)) refuse(409, 'LINK_OVER', errors.linkOver);
      const { length: tries } = await mustBePayable(tx, locked, isRehearsal);
      if (tries >= TRIES_AT_MOST) refuse(429, 'TOO_MANY_TRIES', t.tooManyRequests);
      const { paymentMode: mode, cardToken, paymentChoice: choice } = body;
      const wish = { mode, cardToken, choice, options, link: token, isRehearsal };
      return { paymentId: (await anotherAttempt(tx, call, locked, wish)).id };
    },
    async ({ paymentId }) => {
      const next = await begin(call, paymentId);
      return { link: await viewOf(call, order.id, token), next };
    },
  );
}

/** Asks a UPI id for the payment that a link has begun. @throws Refusal 404 NOT_FOUND, 409 LINK_OVER */
export async function collectByLink(call: Call, token: string, vpa: string): Promise<PayLink> {
  const order = await orderBehind(call, token);
  const last = await latestPayment(call.db, order.id);
  const isOpen = last !== undefined && isAlive(order, last, token, call.now);
  if (!isOpen || !(await collectUpi(call, { order, payment: last }, vpa))) refuse(409, 'LINK_OVER', errors.linkOver);
  return await viewOf(call, order.id, token);
}

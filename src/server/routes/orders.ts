import * as orders from '../../contract/orders.ts';
import { fundsConflict } from '../../domain/funds.ts';
import * as messages from '../../domain/messages.ts';
import { Refusal, refuse } from '../http/refusal.ts';
import { on, userIdOf } from '../http/route.ts';
import type { Call, Route } from '../http/route.ts';
import { transact } from '../store/db.ts';
import type { Root } from '../store/db.ts';
import { readKey } from '../store/idempotency.ts';
import { dropLocks, lockOrder, moveOrdersToUser, orderById, orderByKey, recentOrders, setOrder, type OrderRow } from '../store/orders.ts';
import { finishJob } from '../store/jobs.ts';
import { markSent, unsent } from '../store/outbox.ts';
import { latestPayment, movePayment, paymentsOf } from '../store/payments.ts';
import { begin } from '../rules/attempts.ts';
import { paymentModeProblems } from '../rules/cart.ts';
import { check, duplicateOf, lockPrice, submit, submitSteps } from '../rules/checkout.ts';
import { holdingsOf, isOwnMode, shareOut } from '../rules/funds.ts';
import { fingerprint, keyOf, once, withdrawKey } from '../rules/idempotency.ts';
import { jobs } from '../rules/jobs.ts';
import { modeProblem } from '../rules/modes.ts';
import { cancelRule, COLLECT_MS } from '../rules/orders.ts';
import { nextStep, viewOf, viewsOf } from '../rules/orderView.ts';
import { onLogin } from '../rules/sessions.ts';
import { cancelOrder, failOrder, hurryStep, type OrderLife } from '../rules/settlement.ts';
import { closeIfUnpaid, optionsOf, ownOrder, ownPayment, settleNow } from './payments.ts';

const DAY_MS = 86_400_000;
const SUCCESS = 'SUCCESS' as const;

async function fresh(db: Root, id: string): Promise<OrderRow> {
  const order = await orderById(db, id);
  if (order === undefined) throw new Error(`order ${id} is gone`);
  return order;
}

async function viewNow(call: Call, orderId: string) {
  return await viewOf(call.db, await fresh(call.db, orderId), call.now);
}

/** The order with what is left to do for its payment; an attempt that was written down but never taken outside is taken now. */
async function withNext(call: Call, orderId: string) {
  const latest = await latestPayment(call.db, orderId);
  const next = latest === undefined ? null : latest.state === 'CREATED' && latest.link === null ? await begin(call, latest.id) : nextStep(latest, call.now);
  const order = await viewNow(call, orderId);
  return { status: SUCCESS, order, next: next?.kind === 'none' || order.orderStatus !== 'PENDING' ? null : next };
}

export const orderRoutes: Route[] = [
  on(orders.validations, async ({ body }, call) => {
    const options = await optionsOf(call);
    const holdings = await holdingsOf(call.db, call, body, body.paymentMode);
    const asked = { ...body, held: holdings.sum };
    const first = await check(call.db, call, asked, options);
    // Balances that pay for everything are the mode, with what that means for coupons.
    const isWhole = holdings.sum > 0 && holdings.sum >= first.quote.bill.total && (body.paymentMode === undefined || !isOwnMode(body.paymentMode));
    const basket = isWhole ? { ...asked, paymentMode: holdings.vouchers.length > 0 ? 'EGV' as const : 'WALLET' as const } : asked;
    const checked = isWhole ? await check(call.db, call, basket, options) : first;
    const { country } = checked.catalogue;
    const { quote, lockedUntil } = await transact(call.db, (tx) => lockPrice(tx, call, basket, checked));
    const funds = shareOut(holdings, quote.bill.total);
    return {
      status: SUCCESS, problems: [...holdings.problems, ...checked.problems], funds,
      quote: { cartVersion: checked.state.version, bill: quote.bill, lockedUntil },
      modes: options.map(({ id, label }) => {
        const reason = fundsConflict({ wallet: body.useWallet === true, vouchers: 0, mode: id })
          ?? (modeProblem(country, options, id, funds.rest) ?? paymentModeProblems(checked.state, checked.scene, id)[0])?.displayMsg;
        return { id, label, ...(reason === undefined ? {} : { disabledReason: reason }) };
      }),
      deliveryMinutes: checked.minutes,
    };
  }),

  on(orders.checkDuplicate, async (_input, call) => {
    const found = await duplicateOf(call.db, userIdOf(call), call.now);
    return found === undefined ? { status: SUCCESS, isDuplicate: false } : { status: SUCCESS, isDuplicate: true, orderId: found.id, message: messages.DUPLICATE_ORDER };
  }),

  on(orders.submit, async ({ body }, call) => {
    const key = keyOf(call);
    const options = await optionsOf(call);
    try {
      return await once(call, key, fingerprint(orders.submit.path, body), (tx) => submit(tx, call, body, key, options), async ({ orderId, paymentId }) => {
        await submitSteps.before?.('start');
        const next = await begin(call, paymentId);
        return { status: SUCCESS, order: await viewNow(call, orderId), next };
      });
    } catch (error) {
      // A quote with a coupon that is used up meanwhile must not be quoted again.
      if (error instanceof Refusal && error.errors.some(({ code }) => code.startsWith('COUPON_'))) await dropLocks(call.db, body.cartId);
      throw error;
    }
  }),

  on(orders.confirm, async ({ body }, call) => {
    const { payment, order } = await ownPayment(call, body.transactionId);
    if (order.id !== body.orderId) refuse(404, 'NOT_FOUND', messages.NOT_FOUND);
    await settleNow(call, payment);
    return await withNext(call, order.id);
  }),

  on(orders.byId, async ({ orderId }, call) => ({ status: SUCCESS, order: await viewOf(call.db, await ownOrder(call, orderId), call.now) })),

  on(orders.byKey, async ({ key }, call) => {
    const order = await orderByKey(call.db, userIdOf(call), key);
    if (order === undefined) refuse(404, 'NOT_FOUND', messages.NOT_FOUND);
    return await withNext(call, order.id);
  }),

  on(orders.withdraw, async ({ key }, call) => {
    await withdrawKey(call, key);
    const order = await orderByKey(call.db, userIdOf(call), key);
    return order === undefined ? { status: SUCCESS, order: null, next: null } : await withNext(call, order.id);
  }),

  on(orders.recent, async (_input, call) => ({
    status: SUCCESS, orders: await viewsOf(call.db, await recentOrders(call.db, userIdOf(call), call.now - DAY_MS), call.now),
  })),

  on(orders.cancel, async (input, call) => {
    const { db, now } = call;
    const order = await ownOrder(call, input.orderId);
    const key = keyOf(call);
    const last = await latestPayment(db, order.id);
    if (order.status === 'PENDING' && last !== undefined && await readKey(db, userIdOf(call), key) === undefined) await closeIfUnpaid(call, last);
    return await once(call, key, fingerprint(orders.cancel.path, input), async (tx) => {
      const locked = await lockOrder(tx, order.id);
      if (locked === undefined) return refuse(404, 'NOT_FOUND', messages.NOT_FOUND);
      if (locked.status === 'PENDING') {
        for (const attempt of await paymentsOf(tx, [locked.id])) await movePayment(tx, attempt.id, ['OTP_NEEDED'], { state: 'FAILED', code: 'CANCELLED', settled_at: now });
        if (!await failOrder(tx, locked, now, 'customer')) refuse(409, 'PAYMENT_UNKNOWN', messages.MONEY_UNKNOWN);
        return { orderId: locked.id };
      }
      if (locked.status === 'CANCELLED') return { orderId: locked.id };
      const life = locked.life === null ? null : (JSON.parse(locked.life) as OrderLife);
      const rule = cancelRule({
        status: locked.status, confirmedAt: locked.confirmed_at, startsAt: locked.starts_at,
        confirmsAt: life?.steps.find((step) => step.stage === 'CONFIRMED')?.at ?? null,
      }, now);
      // Seconds after the store began, it takes the order back at the customer's word: then the store is who cancels.
      const actor = locked.status === 'INPROCESS' ? 'store' : 'customer';
      if (!rule.possible || !await cancelOrder(tx, locked, [locked.status], actor, now)) refuse(409, 'CANCEL_TOO_LATE', messages.CANCEL_TOO_LATE);
      return { orderId: locked.id };
    }, async ({ orderId }) => ({ status: SUCCESS, order: await viewNow(call, orderId) }));
  }),

  on(orders.arrived, async ({ body }, call) => {
    const order = await ownOrder(call, body.orderId);
    if (order.delivery_type !== 'CURB' && order.delivery_type !== 'PICKUP') refuse(422, 'NOT_COLLECTED', messages.BAD_INPUT, { field: 'orderId' });
    const { stores } = await call.services.catalogue.of(call.db, order.country, call.seen);
    const bays = stores.get(order.store_id)?.curbBays ?? 0;
    const bay = body.bay?.trim() ?? '';
    if (bay !== '' && order.delivery_type === 'CURB' && (!/^\d{1,3}$/.test(bay) || Number(bay) < 1 || Number(bay) > bays)) {
      refuse(422, 'BAY_UNKNOWN', `This store has bays 1 to ${bays}.`, { field: 'bay' });
    }
    await transact(call.db, async (tx) => {
      const locked = await lockOrder(tx, order.id);
      if (locked === undefined || !['ORDER PLACED', 'INPROCESS'].includes(locked.status) || locked.life === null) refuse(409, 'NOT_READY', messages.NO_TRACKING);
      if (locked.arrived_at === null) {
        await setOrder(tx, locked.id, { arrived_at: call.now, bay: bay === '' ? null : bay });
        const { steps } = JSON.parse(locked.life) as OrderLife;
        const ready = steps.findIndex((step) => step.stage === 'READY');
        await hurryStep(tx, locked, ready + 1, Math.max(call.now, steps[ready]?.at ?? call.now) + COLLECT_MS);
      } else if (bay !== '') await setOrder(tx, locked.id, { bay });
    });
    return { status: SUCCESS, order: await viewNow(call, order.id) };
  }),
];

/** What is owed to the world about an order; the store's own system would be called here. At least once. */
jobs.on<{ orderId: string }>('outbox.send', async ({ orderId }, { db, services, now, jobId }) => {
  const entries = await unsent(db, orderId);
  for (const entry of entries) services.log.info({ orderId, kind: entry.kind, ...(JSON.parse(entry.payload) as object) }, 'told the store of an order');
  // One commit for both: every order has one of these.
  await transact(db, async (tx) => {
    for (const entry of entries) await markSent(tx, orderId, entry.kind, now);
    await finishJob(tx, jobId);
  });
});

onLogin((tx, move) => moveOrdersToUser(tx, move.guestUserId, move.userId));

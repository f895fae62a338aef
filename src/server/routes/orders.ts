import * as orders from '../../contract/orders.ts';
import { hasFundsConflict } from '../../domain/funds.ts';
import { errors, t } from '../call/language.ts';
import { Refusal, refuse } from '../call/refusal.ts';
import { on, onOld } from '../call/route.ts';
import { userIdOf } from '../call/call.ts';
import type { Route } from '../call/route.ts';
import type { Call } from '../call/call.ts';
import { transact } from '../store/db.ts';
import type { Root } from '../store/db.ts';
import { readKey } from '../store/idempotency.ts';
import {
  dropLocks,
  lockOrder,
  moveOrdersToUser,
  orderById,
  orderByKey,
  recentOrders,
  setOrder,
  snapshotOf,
  type OrderRow,
  plannedLife,
} from '../store/orders.ts';
import { finishJob } from '../store/jobs.ts';
import { markSent, unsent } from '../store/outbox.ts';
import { latestPayment, movePayment, paymentsOf } from '../store/payments.ts';
import { begin } from '../rules/checkout/attempts.ts';
import { paymentModeProblems } from '../rules/cart/cart.ts';
import { check, duplicateOf, lockPrice, minutesFor } from '../rules/checkout/checkout.ts';
import { submit, submitSteps } from '../rules/checkout/submit.ts';
import { holdingsOf, isOwnMode, mayPay, shareOut, stepOf } from '../rules/payment/funds.ts';
import { fingerprint, keyOf, once, withdrawKey } from '../rules/reliability/idempotency.ts';
import { jobs } from '../call/jobs.ts';
import { modeProblem } from '../rules/payment/modes.ts';
import { cancelRule, COLLECT_MS } from '../rules/order/orders.ts';
import { invoiceFile } from '../rules/order/invoiceFile.ts';
import { nextStep, typeOf, viewOf, viewsOf } from '../rules/order/orderView.ts';
import { onLogin } from '../rules/people/sessions.ts';
import { trainCancelRule } from '../rules/order/trainView.ts';
import { refreshSaved } from '../rules/trains/saved.ts';
import { trainByEither } from '../store/trains.ts';
import { cancelOrder, failOrder } from '../rules/order/ending.ts';
import { hurryStep } from '../rules/order/life.ts';
import { closeIfUnpaid, optionsOf, ownOrder, ownPayment, settleNow } from './payments.ts';

const DAY_MS = 86_400_000;
const SUCCESS = 'SUCCESS' as const;
/** Until the order leaves the store, its note can be changed. */
const NOTE_CHANGES: readonly string[] = ['PENDING', 'ADVANCE ORDER', 'ORDER PLACED', 'INPROCESS'];

async function fresh(db: Root, id: string): Promise<OrderRow> {
  const order = await orderById(db, id);
  if (order === undefined) throw new Error(`order ${id} is gone`);
  return order;
}

async function viewNow(call: Call, orderId: string) {
  return await viewOf(call.db, await fresh(call.db, orderId), call.now);
}

/**
 * Returns the order and the next step of its payment. An attempt that was stored but not yet started at the provider is
 * started now.
 */
async function withNext(call: Call, orderId: string) {
  const latest = await latestPayment(call.db, orderId);
  const next =
    latest === undefined
      ? null
      : latest.state === 'CREATED' && latest.link === null
        ? await begin(call, latest.id)
        : nextStep(latest, call.now);
  const order = await viewNow(call, orderId);
  return { status: SUCCESS, order, next: next?.kind === 'none' || order.orderStatus !== 'PENDING' ? null : next };
}

export const orderRoutes: Route[] = [
  on(orders.validations, async ({ body }, call) => {
    await refreshSaved(call, body.train);
    const options = await optionsOf(call);
    const holdings = await holdingsOf(call.db, call, body, body.paymentMode);
    const asked = { ...body, held: holdings.sum };
    const first = await check(call.db, call, asked, options);
    // When balances pay for the whole order, they are the payment mode, and coupons are checked for that mode.
    const isWhole =
      holdings.sum > 0 &&
      holdings.sum >= first.quote.bill.total &&
      (body.paymentMode === undefined || !isOwnMode(body.paymentMode));
    const basket = isWhole
      ? { ...asked, paymentMode: holdings.vouchers.length > 0 ? ('EGV' as const) : ('WALLET' as const) }
      : asked;
    const checked = isWhole ? await check(call.db, call, basket, options) : first;
    const { country } = checked.catalogue;
    const { quote, ...held } = await transact(call.db, (tx) => lockPrice(tx, call, basket, checked));
    const funds = shareOut(holdings, quote.bill.total, stepOf(basket.paymentMode, country));
    return {
      status: SUCCESS,
      problems: [...holdings.problems, ...checked.problems],
      funds,
      quote: { cartVersion: checked.state.version, bill: quote.bill, ...held },
      modes: options.map(({ id, label }) => {
        const reason = hasFundsConflict({ wallet: mayPay(holdings.wallet), vouchers: 0, mode: id })
          ? errors.walletConflict
          : (
              modeProblem(country, options, id, funds.rest) ??
              paymentModeProblems(checked.state, checked.context, id)[0]
            )?.displayMsg;
        return { id, label, ...(reason === undefined ? {} : { disabledReason: reason }) };
      }),
      deliveryMinutes: await minutesFor(call, basket, checked),
      termsVersion: checked.catalogue.seeds.content.legal.version,
    };
  }),

  on(orders.checkDuplicate, async (_input, call) => {
    const found = await duplicateOf(call.db, userIdOf(call), call.now);
    return found === undefined
      ? { status: SUCCESS, isDuplicate: false }
      : { status: SUCCESS, isDuplicate: true, orderId: found.id, message: errors.duplicateOrder };
  }),

  on(orders.submit, async ({ body }, call) => {
    const key = keyOf(call);
    await refreshSaved(call, body.train);
    const options = await optionsOf(call);
    await submitSteps.before?.('begin');
    try {
      return await once(
        call,
        key,
        fingerprint(orders.submit.path, body),
        (tx) => submit(tx, call, body, key, options),
        async ({ orderId, paymentId }) => {
          await submitSteps.before?.('start');
          const next = await begin(call, paymentId);
          return { status: SUCCESS, order: await viewNow(call, orderId), next };
        },
      );
    } catch (error) {
      // The price was locked with a coupon that cannot be used any more: drop the lock, so that it is not quoted again.
      if (error instanceof Refusal && error.errors.some(({ code }) => code.startsWith('COUPON_')))
        await dropLocks(call.db, body.cartId);
      throw error;
    }
  }),

  on(orders.confirm, async ({ body }, call) => {
    const { payment, order } = await ownPayment(call, body.transactionId);
    if (order.id !== body.orderId) refuse(404, 'NOT_FOUND', errors.notFound);
    await settleNow(call, payment);
    return await withNext(call, order.id);
  }),

  on(orders.byId, async ({ orderId }, call) => ({
    status: SUCCESS,
    order: await viewOf(call.db, await ownOrder(call, orderId), call.now),
  })),

  on(orders.download, async ({ orderId, query }, call) => {
    const order = await ownOrder(call, orderId);
    const isOther = query.orderType !== undefined && query.orderType !== typeOf(order);
    if (isOther || (query.wiOid !== undefined && query.wiOid !== order.number))
      refuse(404, 'NOT_FOUND', errors.notFound);
    return await invoiceFile(call, order);
  }),

  on(orders.byKey, async ({ key }, call) => {
    const order = await orderByKey(call.db, userIdOf(call), key);
    if (order === undefined) refuse(404, 'NOT_FOUND', errors.notFound);
    return await withNext(call, order.id);
  }),

  on(orders.withdraw, async ({ key }, call) => {
    await withdrawKey(call, key);
    const order = await orderByKey(call.db, userIdOf(call), key);
    return order === undefined ? { status: SUCCESS, order: null, next: null } : await withNext(call, order.id);
  }),

  onOld(orders.recent, async (_input, call) => ({
    status: SUCCESS,
    orders: await viewsOf(call.db, await recentOrders(call.db, userIdOf(call), call.now - DAY_MS), call.now),
  })),

  on(orders.changeNote, async ({ orderId, body }, call) => {
    const { id } = await ownOrder(call, orderId);
    const note = body.note.trim();
    await transact(call.db, async (tx) => {
      const order = await lockOrder(tx, id);
      if (order === undefined || !NOTE_CHANGES.includes(order.status)) return refuse(409, 'NOTE_LATE', t.noteLate);
      await setOrder(tx, id, { snapshot: JSON.stringify({ ...snapshotOf(order), note: note === '' ? null : note }) });
    });
    // Where the rider's messages go too: the store's own screens are no part of this.
    call.services.log.info({ orderId: id, note }, 'changed the note of an order');
    return { status: SUCCESS, order: await viewNow(call, id) };
  }),

  on(orders.cancel, async (input, call) => {
    const { db, now } = call;
    const order = await ownOrder(call, input.orderId);
    const key = keyOf(call);
    const last = await latestPayment(db, order.id);
    if (order.status === 'PENDING' && last !== undefined && (await readKey(db, userIdOf(call), key)) === undefined)
      await closeIfUnpaid(call, last);
    return await once(
      call,
      key,
      fingerprint(orders.cancel.path, input),
      async (tx) => {
        const locked = await lockOrder(tx, order.id);
        if (locked === undefined) return refuse(404, 'NOT_FOUND', errors.notFound);
        if (locked.status === 'PENDING') {
          for (const attempt of await paymentsOf(tx, [locked.id]))
            await movePayment(tx, attempt.id, ['OTP_NEEDED'], { state: 'FAILED', code: 'CANCELLED', settled_at: now });
          if (!(await failOrder(tx, locked, now, 'customer'))) refuse(409, 'PAYMENT_UNKNOWN', errors.moneyUnknown);
          return { orderId: locked.id };
        }
        if (locked.status === 'CANCELLED') return { orderId: locked.id };
        const life = plannedLife(locked);
        const train = locked.delivery_type === 'IRCTC' ? await trainByEither(tx, locked.id) : undefined;
        const rule =
          train !== undefined
            ? trainCancelRule(train, locked, now)
            : cancelRule(
                {
                  status: locked.status,
                  confirmedAt: locked.confirmed_at,
                  startsAt: locked.starts_at,
                  confirmsAt: life?.steps.find((step) => step.stage === 'CONFIRMED')?.at ?? null,
                },
                now,
              );
        if (!rule.possible || !(await cancelOrder(tx, locked, [locked.status], 'customer', now)))
          refuse(409, 'CANCEL_TOO_LATE', t.cancelTooLate);
        return { orderId: locked.id };
      },
      async ({ orderId }) => ({ status: SUCCESS, order: await viewNow(call, orderId) }),
    );
  }),

  on(orders.arrived, async ({ body }, call) => {
    const order = await ownOrder(call, body.orderId);
    if (order.delivery_type !== 'CURB' && order.delivery_type !== 'PICKUP')
      refuse(422, 'NOT_COLLECTED', t.badInput, { field: 'orderId' });
    const { stores } = await call.services.catalogue.of(call.db, order.country, call.seen);
    const bays = stores.get(order.store_id)?.curbBays ?? 0;
    const bay = body.bay?.trim() ?? '';
    if (
      bay !== '' &&
      order.delivery_type === 'CURB' &&
      (!/^\d{1,3}$/.test(bay) || Number(bay) < 1 || Number(bay) > bays)
    ) {
      refuse(422, 'BAY_UNKNOWN', t.bayUnknown({ bays }), { field: 'bay' });
    }
    await transact(call.db, async (tx) => {
      const locked = await lockOrder(tx, order.id);
      const life = locked && plannedLife(locked);
      if (!locked || !life || !['ORDER PLACED', 'INPROCESS'].includes(locked.status))
        return refuse(409, 'NOT_READY', errors.noTracking);
      if (locked.arrived_at === null) {
        await setOrder(tx, locked.id, { arrived_at: call.now, bay: bay === '' ? null : bay });
        const { steps } = life;
        const ready = steps.findIndex((step) => step.stage === 'READY');
        await hurryStep(tx, locked, ready + 1, Math.max(call.now, steps[ready]?.at ?? call.now) + COLLECT_MS);
      } else if (bay !== '') await setOrder(tx, locked.id, { bay });
    });
    return { status: SUCCESS, order: await viewNow(call, order.id) };
  }),
];

/**
 * Sends the stored messages about an order, at least once. They go into the log here; a real store's system would be
 * called in this place.
 */
jobs.on<{ orderId: string }>('outbox.send', async ({ orderId }, { db, services, now, jobId, attempt }) => {
  const entries = await unsent(db, orderId);
  // Where in the train the rider goes is forgotten after the journey, so no message keeps it.
  const train = await trainByEither(db, orderId);
  const seat = train === undefined ? {} : { coach: train.coach, berth: train.berth };
  for (const entry of entries)
    services.log.info(
      { orderId, kind: entry.kind, ...(JSON.parse(entry.payload) as object), ...seat },
      'told the store of an order',
    );
  // Both in one transaction to save a commit, because every order has such a job.
  await transact(db, async (tx) => {
    for (const entry of entries) await markSent(tx, orderId, entry.kind, now);
    await finishJob(tx, { id: jobId, attempts: attempt });
  });
  return 'finished';
});

onLogin((tx, move) => moveOrdersToUser(tx, move.guestUserId, move.userId));

import type { OrderStatus } from '../../contract/names.ts';
import type { PaymentState } from '../../contract/payments.ts';
import { distanceKm } from '../../domain/geo.ts';
import { refundWindow } from '../../domain/orders.ts';
import { promiseDeadline } from '../../domain/promise.ts';
import { countryConfig } from '../../../country/index.ts';
import type { Services } from '../http/services.ts';
import { transact } from '../store/db.ts';
import type { Db, Root, Tx } from '../store/db.ts';
import { newId } from '../store/ids.ts';
import { dropJob, enqueue, type NewJob } from '../store/jobs.ts';
import { addCredit, lockOrder, moveOrder, orderById, setOrder, startedBetween, type OrderRow } from '../store/orders.ts';
import {
  addCapture, addRefund, GIVEN_UP, markRefunded, movePayment, OPEN_STATES, payingCapture, paymentById, paymentsOf, refundById, type PaymentRow,
} from '../store/payments.ts';
import { returnCart } from './cartReturn.ts';
import { giveBack } from './funds.ts';
import { jobs } from './jobs.ts';
import { etaOf } from './eta.ts';
import { fromStatuses, kitchenDelayMs, leadMs, lifeOf, missedCredit, promiseFor, serviceContent, serviceOf, type LifeStep } from './orders.ts';
import type { OrderSnapshot } from './orderView.ts';
import { planNews } from './news.ts';
import { drawOf, usualOf } from './pace.ts';
import type { ProviderStatus } from './payments.ts';
import { readSwitches } from './switches.ts';
import { release as releaseCoupons } from '../store/coupons.ts';

/** Moments after the start at which an open payment is asked about: 2, 4, 8, 15, 30 s, then every 30 s. */
const CHECKS_MS = [2000, 4000, 8000, 15_000, 30_000] as const;
const CHECK_EVERY_MS = 30_000;
/** After giving up, money may still arrive without a word: asked again then. */
const LATE_CHECKS_MS = [5 * 60_000, 60 * 60_000, 6 * 3_600_000, 24 * 3_600_000] as const;

export function checkAtMs(n: number): number {
  return CHECKS_MS[n] ?? CHECKS_MS[4] + (n - 4) * CHECK_EVERY_MS;
}

/** Puts a payment under watch: polls while it is open, and the moment it is given up. */
export async function watchPayment(tx: Db, payment: Pick<PaymentRow, 'id' | 'created_at' | 'settle_by' | 'mode'>): Promise<void> {
  const expire: NewJob = { kind: 'payment.expire', runAt: payment.settle_by, payload: { paymentId: payment.id }, key: `payment.expire:${payment.id}` };
  const check: NewJob = { kind: 'payment.check', runAt: payment.created_at + checkAtMs(0), payload: { paymentId: payment.id, n: 0 }, key: `payment.check:${payment.id}:0` };
  await enqueue(tx, ...payment.mode === 'COD' ? [expire] : [check, expire]);
}

/**
 * Asks the provider, server to server, and makes true what it says. This alone makes an order paid.
 * @throws when the provider cannot be reached; nothing has changed then.
 */
export async function settle(db: Root, services: Services, paymentId: string, now: number): Promise<void> {
  const payment = await paymentById(db, paymentId);
  if (payment === undefined || payment.mode === 'COD') return;
  await applyStatus(db, payment, await services.payments.status(payment), now);
}

/** Safe to repeat and in any order: every move is guarded, every movement of money has its own row. */
export async function applyStatus(db: Db, seen: Pick<PaymentRow, 'id' | 'order_id'>, status: ProviderStatus, now: number): Promise<void> {
  await transact(db, async (tx) => {
    const order = await lockOrder(tx, seen.order_id);
    const payment = await paymentById(tx, seen.id);
    if (order === undefined || payment === undefined) return;
    for (const capture of status.captures) await takeCapture(tx, order.id, payment.id, capture, now);
    if (status.state === 'FAILED' || status.state === 'CANCELLED') {
      await movePayment(tx, payment.id, OPEN_STATES, { state: 'FAILED', code: status.code, settled_at: now });
    } else if (status.state === 'PENDING') {
      await movePayment(tx, payment.id, ['CREATED', 'SENT'], { state: 'UNKNOWN' });
    }
    if (status.reversal !== null && status.reversal.amount > 0) {
      await writeRefund(tx, payment, { id: status.reversal.id, amount: status.reversal.amount }, 'PAYMENT_FAILED', true, now);
    }
  });
}

async function takeCapture(tx: Tx, orderId: string, paymentId: string, capture: ProviderStatus['captures'][number], now: number): Promise<void> {
  const order = await orderById(tx, orderId);
  const payment = await paymentById(tx, paymentId);
  if (order === undefined || payment === undefined) return;
  const fits = capture.amount === payment.amount && capture.currency === payment.currency;
  // One of an order at most: whatever pays moves both states, and an index of the table holds it too.
  const pays = fits && order.status === 'PENDING' && OPEN_STATES.includes(payment.state);
  const isNew = await addCapture(tx, {
    id: capture.id, payment_id: paymentId, order_id: orderId, amount: capture.amount, currency: capture.currency, at: capture.at, pays: pays ? 1 : 0,
  });
  if (!isNew) return;
  if (pays) {
    await movePayment(tx, paymentId, OPEN_STATES, { state: 'CAPTURED', settled_at: now });
    await placeOrder(tx, order, now);
    return;
  }
  if (!fits) await movePayment(tx, paymentId, OPEN_STATES, { state: 'FAILED', code: 'AMOUNT', settled_at: now });
  if (capture.amount > 0) await writeRefund(tx, payment, capture, fits ? (payment.state === 'CAPTURED' ? 'PAID_TWICE' : 'PAID_LATE') : 'AMOUNT', false, now);
}

/** Why a refund of an order that was delivered was written. */
export const PROMISE_REASON = 'PROMISE';

async function writeRefund(tx: Tx, payment: PaymentRow, of: { id: string; amount: number }, reason: string, byProvider: boolean, now: number): Promise<void> {
  const window = refundWindow(now);
  const id = newId('rfd');
  const isNew = await addRefund(tx, {
    id, capture_id: of.id, payment_id: payment.id, order_id: payment.order_id, amount: of.amount, currency: payment.currency, reason,
    state: 'STARTED', by_provider: byProvider ? 1 : 0, created_at: now, expected_from: window.from, expected_to: window.to, paid_at: null,
  });
  if (!isNew) return;
  if (!byProvider) await enqueue(tx, { kind: 'refund.send', runAt: now, payload: { refundId: id }, key: `refund.send:${id}` });
  await enqueue(tx, { kind: 'refund.check', runAt: window.from, payload: { refundId: id, n: 0 }, key: `refund.check:${id}:0` });
}

/** A settled order starts, or waits for the hour that was chosen. */
export async function placeOrder(tx: Tx, order: OrderRow, now: number): Promise<void> {
  if (order.scheduled_for !== null) {
    const startsAt = Math.max(now, order.scheduled_for - leadMs(await lifeFrom(tx, order, order.scheduled_for, 0)));
    if (startsAt > now) {
      await moveOrder(tx, order.id, ['PENDING'], { status: 'ADVANCE ORDER', stage: null, actor: 'system', at: now }, { starts_at: startsAt });
      await enqueue(tx, { kind: 'order.start', runAt: startsAt, payload: { orderId: order.id }, key: `order.start:${order.id}` });
      return;
    }
  }
  await startOrder(tx, order, ['PENDING'], now);
}

/** The values of an order that starts now, and its first job; for orders that are paid, or due at the door, at once too. */
export async function startValues(tx: Tx, order: OrderRow, now: number): Promise<Partial<OrderRow>> {
  const snapshot = JSON.parse(order.snapshot) as OrderSnapshot;
  const service = serviceOf(order);
  const busy = await startedBetween(tx, order.store_id, now - 600_000, now);
  const delayMs = kitchenDelayMs(busy, snapshot.kitchen.maxOrdersPer10Min);
  const life = await lifeFrom(tx, order, now, delayMs);
  const deadline = promiseFor(countryConfig(order.country), { service, pizzas: snapshot.pizzas, isAdvance: order.scheduled_for !== null }, now);
  await enqueueStep(tx, order.id, life, 1);
  return {
    starts_at: now, life: JSON.stringify({ delayMs, steps: life, first: firstSaid(order, life, delayMs, now) } satisfies OrderLife),
    promise_deadline: deadline, promise_state: deadline === null ? null : 'running',
  };
}

async function startOrder(tx: Tx, order: OrderRow, from: readonly OrderStatus[], now: number): Promise<void> {
  await moveOrder(tx, order.id, from, { status: 'ORDER PLACED', stage: null, actor: 'system', at: now }, await startValues(tx, order, now));
}

export interface OrderLife {
  readonly delayMs: number;
  readonly steps: readonly LifeStep[];
  /** The range that was stated when the order started, epoch ms: what a later one is said to have moved from. */
  readonly first?: { readonly from: number; readonly to: number } | null;
}

/** The simulated kitchen and rider: each order at a pace of its own, unless a test has asked for a steady one. */
async function lifeFrom(tx: Db, order: OrderRow, startsAt: number, delayMs: number): Promise<LifeStep[]> {
  const { orderTimeline } = serviceContent(order.country);
  const { store, address, kitchen } = JSON.parse(order.snapshot) as OrderSnapshot;
  const isSteady = kitchen.prepMinutes === undefined || kitchen.minutesPerKm === undefined || (await readSwitches(tx)).kitchen === 'steady';
  if (isSteady) return lifeOf(orderTimeline, serviceOf(order), startsAt, { delayMs });
  const km = address === null ? null : distanceKm(store, address);
  const usual = usualOf({ prepMinutes: kitchen.prepMinutes, minutesPerKm: kitchen.minutesPerKm }, km, startsAt, countryConfig(order.country).timeZone);
  return lifeOf(orderTimeline, serviceOf(order), startsAt, { delayMs, own: { ...usual, draw: drawOf(order.id) } });
}

function firstSaid(order: OrderRow, steps: readonly LifeStep[], delayMs: number, now: number): { from: number; to: number } | null {
  const eta = etaOf({
    status: 'ORDER PLACED', stage: null, steps, doneAt: [now], startsAt: now, delayMs, isBrought: order.delivery_type === 'DELIVERY', distanceKm: null, progress: null, first: null,
  }, now);
  return eta === null ? null : { from: eta.from, to: eta.to };
}

async function enqueueStep(tx: Db, orderId: string, life: readonly LifeStep[], index: number): Promise<void> {
  const step = life[index];
  if (step !== undefined) await enqueue(tx, { kind: 'order.step', runAt: step.at, payload: { orderId, index }, key: `order.step:${orderId}:${index}` });
}

/** Brings a later step forward (the customer stands at the counter). */
export async function hurryStep(tx: Tx, order: OrderRow, index: number, at: number): Promise<void> {
  const life = JSON.parse(order.life ?? '{"delayMs":0,"steps":[]}') as OrderLife;
  const step = life.steps[index];
  if (step === undefined || step.at <= at) return;
  await setOrder(tx, order.id, { life: JSON.stringify({ ...life, steps: life.steps.map((own, i) => (i === index ? { ...own, at } : own)) }) });
  await dropJob(tx, `order.step:${order.id}:${index}`);
  if (order.stage === life.steps[index - 1]?.stage) {
    await enqueue(tx, { kind: 'order.step', runAt: at, payload: { orderId: order.id, index }, key: `order.step:${order.id}:${index}` });
  }
}

jobs.on<{ orderId: string; index: number }>('order.step', async ({ orderId, index }, { db, now }) => {
  await transact(db, async (tx) => {
    const order = await lockOrder(tx, orderId);
    if (order === undefined || order.life === null) return;
    const { steps } = JSON.parse(order.life) as OrderLife;
    const before = steps[index - 1];
    const step = steps[index];
    if (before === undefined || step === undefined) return;
    if (step.at > now) return await enqueueStep(tx, orderId, steps, index);
    const isLast = index === steps.length - 1;
    const more: Partial<OrderRow> = {};
    if (step.stage === 'CONFIRMED') {
      more.confirmed_at = step.at;
      // Until now the deadline was a forecast: the promise runs from the confirmation, and the hour of that decides how long (product.md C19).
      if (order.promise_deadline !== null) more.promise_deadline = promiseDeadline(step.at, countryConfig(order.country));
    }
    let credit: number | null = null;
    if (isLast) {
      more.finished_at = step.at;
      if (order.promise_deadline !== null) {
        credit = missedCredit(countryConfig(order.country), order.total, order.promise_deadline, step.at);
        more.promise_state = credit === null ? 'kept' : 'missed';
      }
    }
    const moved = await moveOrder(tx, orderId, fromStatuses(step.status), { status: step.status, stage: step.stage, actor: 'store', at: step.at }, more, before.stage);
    if (!moved) return;
    if (isLast) {
      const atDoor = credit === null ? 0 : await payPromise(tx, order, credit, step.at);
      await collectCash(tx, order, step.at, atDoor);
    }
    await planNews(tx, order, step, now);
    await enqueueStep(tx, orderId, steps, index + 1);
  });
});

/**
 * A missed promise pays itself, once per order, with the move that ends it: to where the payment came from, or as that much
 * less to pay at the door. Answers what the rider asks for less.
 */
async function payPromise(tx: Tx, order: OrderRow, amount: number, at: number): Promise<number> {
  const capture = await payingCapture(tx, order.id);
  const payment = capture === undefined ? undefined : await paymentById(tx, capture.payment_id);
  const due = (await paymentsOf(tx, [order.id])).find((own) => own.state === 'DUE_AT_DOOR');
  // First what came from outside, or still has to; the rest goes back to the wallet or e-voucher.
  const outside = Math.min(amount, payment === undefined ? due?.amount ?? 0 : capture?.amount ?? 0);
  const way = outside === 0 ? 'WALLET' : payment === undefined ? 'DOOR' : 'REFUND';
  const isNew = await addCredit(tx, { order_id: order.id, user_id: order.user_id, amount, currency: order.currency, at, way });
  if (!isNew) return 0;
  if (outside < amount) await giveBack(tx, order, 'PROMISE', at, amount - outside);
  if (way === 'REFUND' && capture !== undefined && payment !== undefined) await writeRefund(tx, payment, { id: capture.id, amount: outside }, PROMISE_REASON, false, at);
  return way === 'DOOR' ? outside : 0;
}

/** Cash is in the rider's hand once the order is. */
async function collectCash(tx: Tx, order: OrderRow, at: number, less: number): Promise<void> {
  for (const payment of await paymentsOf(tx, [order.id])) {
    if (payment.state !== 'DUE_AT_DOOR') continue;
    await movePayment(tx, payment.id, ['DUE_AT_DOOR'], { state: 'CAPTURED', settled_at: at });
    await addCapture(tx, { id: `cash:${payment.id}`, payment_id: payment.id, order_id: order.id, amount: payment.amount - less, currency: payment.currency, at, pays: 1 });
  }
}

jobs.on<{ orderId: string }>('order.start', async ({ orderId }, { db, now }) => {
  await transact(db, async (tx) => {
    const order = await lockOrder(tx, orderId);
    if (order?.status !== 'ADVANCE ORDER') return;
    await startOrder(tx, order, ['ADVANCE ORDER'], now);
    await planNews(tx, order, { id: 'STARTED' }, now);
  });
});

jobs.on<{ paymentId: string; n: number }>('payment.check', async ({ paymentId, n }, { db, services, now }) => {
  const payment = await paymentById(db, paymentId);
  if (payment === undefined || !OPEN_STATES.includes(payment.state)) return;
  const next = payment.created_at + checkAtMs(n + 1);
  if (next < payment.settle_by) {
    await enqueue(db, { kind: 'payment.check', runAt: next, payload: { paymentId, n: n + 1 }, key: `payment.check:${paymentId}:${n + 1}` });
  }
  try {
    await settle(db, services, paymentId, now);
  } catch (error) {
    // The next check asks again; a provider that is down must not fill the table with retries.
    services.log.warn({ error: String(error), paymentId }, 'a payment could not be checked');
  }
});

/** Fifteen minutes are over: asked once more, then failed; the order with it, unless another attempt is open. */
jobs.on<{ paymentId: string }>('payment.expire', async ({ paymentId }, { db, services, now }) => {
  const payment = await paymentById(db, paymentId);
  if (payment === undefined) return;
  if (OPEN_STATES.includes(payment.state) && payment.mode !== 'COD') {
    try {
      await applyStatus(db, payment, await services.payments.cancel(payment), now);
    } catch (error) {
      services.log.warn({ error: String(error), paymentId }, 'a payment was given up without an answer');
    }
  }
  await transact(db, async (tx) => {
    const order = await lockOrder(tx, payment.order_id);
    if (order === undefined) return;
    const gaveUp = await movePayment(tx, paymentId, OPEN_STATES, { state: 'FAILED', code: GIVEN_UP, settled_at: now });
    if (gaveUp && payment.mode !== 'COD') {
      for (const [n, afterMs] of LATE_CHECKS_MS.entries()) {
        await enqueue(tx, { kind: 'payment.late', runAt: now + afterMs, payload: { paymentId }, key: `payment.late:${paymentId}:${n}` });
      }
    }
    if (now >= order.settle_by) await failOrder(tx, order, now);
  });
});

jobs.on<{ paymentId: string }>('payment.late', async ({ paymentId }, { db, services, now }) => {
  await settle(db, services, paymentId, now);
});

/** An unpaid order ends FAILED and gives its coupons and its cart back; not while an attempt may still bring money. */
export async function failOrder(tx: Tx, order: OrderRow, now: number, actor: 'system' | 'customer' = 'system'): Promise<boolean> {
  const attempts = await paymentsOf(tx, [order.id]);
  if (attempts.some((attempt) => OPEN_STATES.includes(attempt.state))) return false;
  const failed = await moveOrder(tx, order.id, ['PENDING'], { status: 'FAILED', stage: null, actor, at: now }, { finished_at: now });
  if (!failed) return false;
  await releaseCoupons(tx, order.id);
  await giveBack(tx, order, 'FAILED', now);
  await returnCart(tx, order, now);
  return true;
}

/** Cancels from one of `from`: coupons are free again, captured money goes back. False when it was too late. */
export async function cancelOrder(tx: Tx, order: OrderRow, from: readonly OrderStatus[], actor: 'customer' | 'store', now: number): Promise<boolean> {
  const moved = await moveOrder(tx, order.id, from, { status: 'CANCELLED', stage: null, actor, at: now }, { finished_at: now, promise_state: null, promise_deadline: null });
  if (!moved) return false;
  await releaseCoupons(tx, order.id);
  await giveBack(tx, order, 'CANCELLED', now);
  const capture = await payingCapture(tx, order.id);
  for (const payment of await paymentsOf(tx, [order.id])) {
    if (capture?.payment_id === payment.id) {
      await movePayment(tx, payment.id, ['CAPTURED'], { state: 'REFUNDED', settled_at: now });
      // Nothing came from outside where balances paid for everything.
      if (capture.amount > 0) await writeRefund(tx, payment, capture, 'CANCELLED', false, now);
    } else {
      const open: PaymentState[] = ['DUE_AT_DOOR', 'OTP_NEEDED'];
      await movePayment(tx, payment.id, open, { state: 'FAILED', code: 'CANCELLED', settled_at: now });
    }
  }
  return true;
}

jobs.on<{ refundId: string }>('refund.send', async ({ refundId }, { db, services }) => {
  const refund = await refundById(db, refundId);
  const payment = refund && await paymentById(db, refund.payment_id);
  if (refund === undefined || payment === undefined || refund.state === 'PAID') return;
  await services.payments.refund({ refundId, reference: payment.reference, mode: payment.mode, details: payment.details, captureId: refund.capture_id, amount: refund.amount });
});

const REFUND_CHECK_EVERY_MS = 24 * 3_600_000;
const REFUND_CHECKS = 30;
jobs.on<{ refundId: string; n: number }>('refund.check', async ({ refundId, n }, { db, services, now }) => {
  const refund = await refundById(db, refundId);
  const payment = refund && await paymentById(db, refund.payment_id);
  if (refund === undefined || payment === undefined || refund.state === 'PAID') return;
  const done = refund.by_provider === 1
    ? (await services.payments.status(payment)).reversal?.done === true
    : (await services.payments.refund({ refundId, reference: payment.reference, mode: payment.mode, details: payment.details, captureId: refund.capture_id, amount: refund.amount })).done;
  if (done) return await markRefunded(db, refundId, now);
  if (n + 1 < REFUND_CHECKS) {
    await enqueue(db, { kind: 'refund.check', runAt: now + REFUND_CHECK_EVERY_MS, payload: { refundId, n: n + 1 }, key: `refund.check:${refundId}:${n + 1}` });
  } else services.log.error({ refundId }, 'a refund has not arrived after thirty days');
});

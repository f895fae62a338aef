import { countryConfig } from '../../../../country/index.ts';
import type { OrderStatus } from '../../../contract/names.ts';
import { distanceKm } from '../../../domain/geo.ts';
import { promiseDeadline } from '../../../domain/promise.ts';
import { jobs } from '../../call/jobs.ts';
import { transact } from '../../store/db.ts';
import type { Db, Tx } from '../../store/db.ts';
import { dropJob, enqueue } from '../../store/jobs.ts';
import {
  lockOrder,
  moveOrder,
  setOrder,
  snapshotOf,
  type LifeStep,
  type OrderLife,
  type OrderRow,
  plannedLife,
} from '../../store/orders.ts';
import { readSwitches } from '../../store/switches.ts';
import { expectPoints } from '../loyalty/loyalty.ts';
import { collectCash } from '../payment/cash.ts';
import { etaOf } from './eta.ts';
import { makeInvoice } from './invoices.ts';
import { kitchenDelayNow } from './kitchen.ts';
import { planNews } from './news.ts';
import { fromStatuses, leadMs, lifeOf, missedCredit, promiseFor, serviceContent, serviceOf } from './orders.ts';
import { drawOf, usualOf } from './pace.ts';
import { payPromise } from './promise.ts';
import { planReceipt } from './receipt.ts';

type Placed = (tx: Tx, order: OrderRow, now: number) => Promise<void>;
const placed: Placed[] = [];
/** Registers what else an order begins, in the transaction that places it. */
export function onPlaced(told: Placed): void {
  placed.push(told);
}

/** Starts an order whose payment is settled, or schedules its start if the customer chose a later time. */
export async function placeOrder(tx: Tx, order: OrderRow, now: number): Promise<void> {
  await planReceipt(tx, order, now);
  for (const told of placed) await told(tx, order, now);
  if (order.scheduled_for !== null) {
    const startsAt = Math.max(now, order.scheduled_for - leadMs(await lifeFrom(tx, order, order.scheduled_for, 0)));
    if (startsAt > now) {
      await moveOrder(
        tx,
        order.id,
        ['PENDING'],
        { status: 'ADVANCE ORDER', stage: null, actor: 'system', at: now },
        { starts_at: startsAt },
      );
      await enqueue(tx, {
        kind: 'order.start',
        runAt: startsAt,
        payload: { orderId: order.id },
        key: `order.start:${order.id}`,
      });
      return;
    }
  }
  await startOrder(tx, order, ['PENDING'], now);
}

/**
 * The values of an order that starts now, whether it is paid or to be paid at the door. Also enqueues the job of its
 * first step.
 */
async function startValues(tx: Tx, order: OrderRow, now: number): Promise<Partial<OrderRow>> {
  const snapshot = snapshotOf(order);
  const service = serviceOf(order);
  const { maxOrdersPer10Min } = snapshot.kitchen;
  const delayMs = await kitchenDelayNow(tx, { id: order.store_id, maxOrdersPer10Min }, now);
  const life = await lifeFrom(tx, order, now, delayMs);
  const deadline = promiseFor(
    countryConfig(order.country),
    { service, pizzas: snapshot.pizzas, isAdvance: order.scheduled_for !== null },
    now,
  );
  await enqueueStep(tx, order.id, life, 1);
  return {
    starts_at: now,
    life: JSON.stringify({ delayMs, steps: life, first: firstSaid(life, delayMs, now) } satisfies OrderLife),
    promise_deadline: deadline,
    promise_state: deadline === null ? null : 'running',
  };
}

async function startOrder(tx: Tx, order: OrderRow, from: readonly OrderStatus[], now: number): Promise<void> {
  await moveOrder(
    tx,
    order.id,
    from,
    { status: 'ORDER PLACED', stage: null, actor: 'system', at: now },
    await startValues(tx, order, now),
  );
}

/**
 * The steps of the simulated kitchen and rider. Each order has a pace of its own, unless the store has no pace or a
 * test has asked for a steady one.
 */
async function lifeFrom(tx: Db, order: OrderRow, startsAt: number, delayMs: number): Promise<LifeStep[]> {
  const { orderTimeline } = serviceContent(order.country);
  const { store, address, kitchen } = snapshotOf(order);
  const isSteady =
    kitchen.prepMinutes === undefined ||
    kitchen.minutesPerKm === undefined ||
    (await readSwitches(tx)).kitchen === 'steady';
  if (isSteady) return lifeOf(orderTimeline, serviceOf(order), startsAt, { delayMs });
  const km = address === null ? null : distanceKm(store, address);
  const usual = usualOf(
    { prepMinutes: kitchen.prepMinutes, minutesPerKm: kitchen.minutesPerKm },
    km,
    startsAt,
    countryConfig(order.country).timeZone,
  );
  return lifeOf(orderTimeline, serviceOf(order), startsAt, { delayMs, own: { ...usual, draw: drawOf(order.id) } });
}

function firstSaid(steps: readonly LifeStep[], delayMs: number, now: number): { from: number; to: number } | null {
  const eta = etaOf(
    {
      status: 'ORDER PLACED',
      stage: null,
      steps,
      doneAt: [now],
      startsAt: now,
      delayMs,
      distanceKm: null,
      progress: null,
      first: null,
    },
    now,
  );
  return eta === null ? null : { from: eta.from, to: eta.to };
}

async function enqueueStep(tx: Db, orderId: string, life: readonly LifeStep[], index: number): Promise<void> {
  const step = life[index];
  if (step !== undefined)
    await enqueue(tx, {
      kind: 'order.step',
      runAt: step.at,
      payload: { orderId, index },
      key: `order.step:${orderId}:${index}`,
    });
}

/** Brings a later step forward, because the customer stands at the counter. */
export async function hurryStep(tx: Tx, order: OrderRow, index: number, at: number): Promise<void> {
  const life = plannedLife(order);
  const step = life?.steps[index];
  if (life === null || step === undefined || step.at <= at) return;
  await setOrder(tx, order.id, {
    life: JSON.stringify({ ...life, steps: life.steps.map((own, i) => (i === index ? { ...own, at } : own)) }),
  });
  await dropJob(tx, `order.step:${order.id}:${index}`);
  if (order.stage === life.steps[index - 1]?.stage) {
    await enqueue(tx, {
      kind: 'order.step',
      runAt: at,
      payload: { orderId: order.id, index },
      key: `order.step:${order.id}:${index}`,
    });
  }
}

jobs.on<{ orderId: string; index: number }>('order.step', async ({ orderId, index }, { db, now }) => {
  await transact(db, async (tx) => {
    const order = await lockOrder(tx, orderId);
    const life = order && plannedLife(order);
    if (!order || !life) return;
    const { steps } = life;
    const before = steps[index - 1];
    const step = steps[index];
    if (before === undefined || step === undefined) return;
    if (step.at > now) return await enqueueStep(tx, orderId, steps, index);
    const isLast = index === steps.length - 1;
    const more: Partial<OrderRow> = {};
    if (step.stage === 'CONFIRMED') {
      more.confirmed_at = step.at;
      // Until now the deadline was a forecast. The promise runs from the confirmation, and the time of day of the
      // confirmation decides how long it is (product.md C19).
      if (order.promise_deadline !== null)
        more.promise_deadline = promiseDeadline(step.at, countryConfig(order.country));
    }
    let credit: number | null = null;
    if (isLast) {
      more.finished_at = step.at;
      if (order.promise_deadline !== null) {
        credit = missedCredit(countryConfig(order.country), order.total, order.promise_deadline, step.at);
        more.promise_state = credit === null ? 'kept' : 'missed';
      }
    }
    const moved = await moveOrder(
      tx,
      orderId,
      fromStatuses(step.status),
      { status: step.status, stage: step.stage, actor: 'store', at: step.at },
      more,
      before.stage,
    );
    if (!moved) return;
    if (isLast) {
      const atDoor = credit === null ? 0 : await payPromise(tx, order, credit, step.at);
      await collectCash(tx, order, step.at, atDoor);
      await makeInvoice(tx, order, step.at);
      await expectPoints(tx, order, step.at);
    }
    await planNews(tx, order, step, now);
    await enqueueStep(tx, orderId, steps, index + 1);
  });
});

jobs.on<{ orderId: string }>('order.start', async ({ orderId }, { db, now }) => {
  await transact(db, async (tx) => {
    const order = await lockOrder(tx, orderId);
    if (order?.status !== 'ADVANCE ORDER') return;
    await startOrder(tx, order, ['ADVANCE ORDER'], now);
    await planNews(tx, order, { id: 'STARTED' }, now);
  });
});

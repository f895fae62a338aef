import { countryConfig } from '../../../../country/index.ts';
import type { OrderStatus } from '../../../contract/names.ts';
import { distanceKm } from '../../../domain/geo.ts';
import { ON_PLATFORM_MINUTES, stepsForTrain } from '../../../domain/trains.ts';
import { promiseDeadline } from '../../../domain/promise.ts';
import { MINUTE_MS } from '../../../domain/time.ts';
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
import { collectCash } from '../payment/cash.ts';
import { afterDelivered } from './delivered.ts';
import { etaOf } from './eta.ts';
import { kitchenDelayNow } from './kitchen.ts';
import { planNews } from './orderNotices.ts';
import { fromStatuses, leadMs, lifeOf, missedCredit, promiseFor, serviceContent, serviceOf } from './orders.ts';
import { drawOf, usualOf } from './stepDurations.ts';
import { payPromise } from './promise.ts';

export const planStart = (tx: Tx, orderId: string, startsAt: number) =>
  enqueue(tx, {
    kind: 'order.start',
    runAt: startsAt,
    payload: { orderId },
    key: `order.start:${orderId}:${startsAt}`,
  });

/** When the kitchen begins with an order that is wanted at `at`; a rider waits for a train, and not the other way. */
export async function startFor(tx: Tx, order: OrderRow, at: number): Promise<number> {
  const earlier = isToTrain(order) ? ON_PLATFORM_MINUTES * MINUTE_MS : 0;
  return at - leadMs(await plainLife(tx, order, at, 0)) - earlier;
}
const isToTrain = (order: Pick<OrderRow, 'delivery_type'>) => serviceOf(order) === 'IRCTC';

/**
 * Moves an order that the kitchen has not begun with to another time. The caller has locked it.
 * @param earliest it does not begin before this
 * @param more what else changes with it, such as the store
 */
export async function moveStart(
  tx: Tx,
  order: OrderRow,
  at: number,
  { earliest, more = {} }: { readonly earliest: number; readonly more?: Partial<OrderRow> },
): Promise<void> {
  const startsAt = Math.max(earliest, await startFor(tx, { ...order, ...more }, at));
  await setOrder(tx, order.id, { ...more, scheduled_for: at, starts_at: startsAt });
  await planStart(tx, order.id, startsAt);
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
  await enqueueStep(tx, order, life, 1);
  return {
    starts_at: now,
    life: JSON.stringify({ delayMs, steps: life, first: firstSaid(life, delayMs, now) } satisfies OrderLife),
    promise_deadline: deadline,
    promise_state: deadline === null ? null : 'running',
  };
}

export async function startOrder(tx: Tx, order: OrderRow, from: readonly OrderStatus[], now: number): Promise<void> {
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
  const steps = await plainLife(tx, order, startsAt, delayMs);
  if (!isToTrain(order) || order.scheduled_for === null) return steps;
  const times = stepsForTrain(
    steps.map(({ at }) => at),
    startsAt,
    order.scheduled_for,
  );
  return steps.map((step, index) => ({ ...step, at: times[index]! }));
}

async function plainLife(tx: Db, order: OrderRow, startsAt: number, delayMs: number): Promise<LifeStep[]> {
  const { orderTimeline } = serviceContent(order.country);
  const { store, address, kitchen, train } = snapshotOf(order);
  const isSteady =
    kitchen.prepMinutes === undefined ||
    kitchen.minutesPerKm === undefined ||
    (await readSwitches(tx)).kitchen === 'steady';
  if (isSteady) return lifeOf(orderTimeline, serviceOf(order), startsAt, { delayMs });
  const to = address ?? train ?? null;
  const km = to === null ? null : distanceKm(store, to);
  const usual = usualOf(
    { prepMinutes: kitchen.prepMinutes, minutesPerKm: kitchen.minutesPerKm },
    km,
    startsAt,
    countryConfig(order.country).timeZone,
  );
  return lifeOf(orderTimeline, serviceOf(order), startsAt, { delayMs, own: { ...usual, draw: drawOf(order.id) } });
}

function firstSaid(steps: readonly LifeStep[], delayMs: number, now: number): { from: number; to: number } {
  const { from, to } = etaOf(
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
  )!;
  return { from, to };
}

async function enqueueStep(tx: Db, order: OrderRow, life: readonly LifeStep[], index: number): Promise<void> {
  const step = life[index];
  // At a train it is not the plan that decides, but the train (rules/trains/watch.ts).
  if (step === undefined || (isToTrain(order) && index === life.length - 1)) return;
  await enqueue(tx, {
    kind: 'order.step',
    runAt: step.at,
    payload: { orderId: order.id, index },
    key: `order.step:${order.id}:${index}`,
  });
}

/** Brings a later step forward, because the customer stands at the counter. */
export async function hurryStep(tx: Tx, order: OrderRow, index: number, at: number): Promise<void> {
  const life = plannedLife(order)!;
  if (life.steps[index]!.at <= at) return;
  await setOrder(tx, order.id, {
    life: JSON.stringify({ ...life, steps: life.steps.map((own, i) => (i === index ? { ...own, at } : own)) }),
  });
  await dropJob(tx, `order.step:${order.id}:${index}`);
  if (order.stage === life.steps[index - 1]!.stage) {
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
    const order = (await lockOrder(tx, orderId))!;
    const life = plannedLife(order)!;
    const step = life.steps[index];
    if (step === undefined) return;
    if (step.at > now) return await enqueueStep(tx, order, life.steps, index);
    await takeStep(tx, order, life.steps, index, step.at, now);
  });
});

/** The last step of an order that a rider brought to a train. The caller has locked it. */
export async function deliverOrder(tx: Tx, order: OrderRow, at: number): Promise<void> {
  const { steps } = plannedLife(order)!;
  await takeStep(tx, order, steps, steps.length - 1, at, at);
}

async function takeStep(
  tx: Tx,
  order: OrderRow,
  steps: readonly LifeStep[],
  index: number,
  at: number,
  now: number,
): Promise<void> {
  const before = steps[index - 1]!;
  const step = steps[index]!;
  const isLast = index === steps.length - 1;
  const more: Partial<OrderRow> = {};
  if (step.stage === 'CONFIRMED') {
    more.confirmed_at = at;
    // Until now the deadline was a forecast. The promise runs from the confirmation, and the time of day of the
    // confirmation decides how long it is (product.md C19).
    if (order.promise_deadline !== null) more.promise_deadline = promiseDeadline(at, countryConfig(order.country));
  }
  let credit: number | null = null;
  if (isLast) {
    more.finished_at = at;
    if (order.promise_deadline !== null) {
      credit = missedCredit(countryConfig(order.country), order.total, order.promise_deadline, at);
      more.promise_state = credit === null ? 'kept' : 'missed';
    }
  }
  const moved = await moveOrder(
    tx,
    order.id,
    fromStatuses(step.status),
    { status: step.status, stage: step.stage, actor: 'store', at },
    more,
    before.stage,
  );
  if (!moved) return;
  if (isLast) {
    const atDoor = credit === null ? 0 : await payPromise(tx, order, credit, at);
    await collectCash(tx, order, at, atDoor);
    await afterDelivered(tx, order, at);
  }
  await planNews(tx, order, step, now);
  await enqueueStep(tx, order, steps, index + 1);
}

jobs.on<{ orderId: string }>('order.start', async ({ orderId }, { db, now }) => {
  await transact(db, async (tx) => {
    const order = await lockOrder(tx, orderId);
    // It was moved to another time, which has a job of its own.
    if (order?.status !== 'ADVANCE ORDER' || order.starts_at! > now) return;
    await startOrder(tx, order, ['ADVANCE ORDER'], now);
    await planNews(tx, order, { id: 'STARTED' }, now);
  });
});

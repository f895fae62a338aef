import { countryConfig } from '../../../../country/index.ts';
import { distanceKm } from '../../../domain/geo.ts';
import { ON_PLATFORM_MINUTES, stepsForTrain } from '../../../domain/trains.ts';
import { promiseDeadline } from '../../../domain/promise.ts';
import { MINUTE_MS } from '../../../domain/time.ts';
import { jobs } from '../../call/jobs.ts';
import { transact } from '../../store/db.ts';
import type { Db, Tx } from '../../store/db.ts';
import { dropJob, enqueue, type NewJob } from '../../store/jobs.ts';
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

export const startJob = (orderId: string, startsAt: number): NewJob => ({
  kind: 'order.start',
  runAt: startsAt,
  payload: { orderId },
  key: `order.start:${orderId}:${startsAt}`,
});

/** A kitchen as an order finds it. */
export interface KitchenNow {
  /** How much longer it takes because of the orders before. */
  readonly delayMs: number;
  /** Every order has the same pace: a test has asked for it. */
  readonly isSteady: boolean;
}
const isSteady = async (db: Db): Promise<boolean> => (await readSwitches(db)).kitchen === 'steady';

/** When the kitchen begins with an order that is wanted at `at`; a rider waits for a train, and not the other way. */
export function startFor(order: OrderRow, at: number, kitchen: Pick<KitchenNow, 'isSteady'>): number {
  const earlier = isToTrain(order) ? ON_PLATFORM_MINUTES * MINUTE_MS : 0;
  return at - leadMs(plainLife(order, at, { ...kitchen, delayMs: 0 })) - earlier;
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
  const startsAt = Math.max(earliest, startFor({ ...order, ...more }, at, { isSteady: await isSteady(tx) }));
  await setOrder(tx, order.id, { ...more, scheduled_for: at, starts_at: startsAt });
  await enqueue(tx, startJob(order.id, startsAt));
}

/** The start of an order, now, whether it is paid or to be paid at the door: what changes in its row, and its first step. */
export function startOf(
  order: OrderRow,
  kitchen: KitchenNow,
  now: number,
): { readonly values: Partial<OrderRow>; readonly jobs: readonly NewJob[] } {
  const snapshot = snapshotOf(order);
  const service = serviceOf(order);
  const { delayMs } = kitchen;
  const life = lifeFrom(order, now, kitchen);
  const deadline = promiseFor(
    countryConfig(order.country),
    { service, pizzas: snapshot.pizzas, isAdvance: order.scheduled_for !== null },
    now,
  );
  return {
    values: {
      starts_at: now,
      life: JSON.stringify({ delayMs, steps: life, first: firstSaid(life, delayMs, now) } satisfies OrderLife),
      promise_deadline: deadline,
      promise_state: deadline === null ? null : 'running',
    },
    jobs: stepJobs(order, life, 1),
  };
}

/** Starts an order that waited for its time. */
async function startLater(tx: Tx, order: OrderRow, now: number): Promise<void> {
  const { maxOrdersPer10Min } = snapshotOf(order).kitchen;
  const delayMs = await kitchenDelayNow(tx, { id: order.store_id, maxOrdersPer10Min }, now);
  const { values, jobs } = startOf(order, { delayMs, isSteady: await isSteady(tx) }, now);
  await enqueue(tx, ...jobs);
  const to = { status: 'ORDER PLACED', stage: null, actor: 'system', at: now } as const;
  await moveOrder(tx, order.id, ['ADVANCE ORDER'], to, values);
}

/**
 * The steps of the simulated kitchen and rider. Each order has a pace of its own, unless the store has no pace or a
 * test has asked for a steady one.
 */
function lifeFrom(order: OrderRow, startsAt: number, kitchen: KitchenNow): LifeStep[] {
  const steps = plainLife(order, startsAt, kitchen);
  if (!isToTrain(order) || order.scheduled_for === null) return steps;
  const times = stepsForTrain(
    steps.map(({ at }) => at),
    startsAt,
    order.scheduled_for,
  );
  return steps.map((step, index) => ({ ...step, at: times[index]! }));
}

function plainLife(order: OrderRow, startsAt: number, { delayMs, isSteady: isAsked }: KitchenNow): LifeStep[] {
  const { orderTimeline } = serviceContent(order.country);
  const { store, address, kitchen, train } = snapshotOf(order);
  if (isAsked || kitchen.prepMinutes === undefined || kitchen.minutesPerKm === undefined)
    return lifeOf(orderTimeline, serviceOf(order), startsAt, { delayMs });
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

const stepJob = (orderId: string, index: number, at: number): NewJob => ({
  kind: 'order.step',
  runAt: at,
  payload: { orderId, index },
  key: `order.step:${orderId}:${index}`,
});

/** The job of a step, if it has one. */
function stepJobs(order: OrderRow, life: readonly LifeStep[], index: number): NewJob[] {
  const step = life[index];
  // At a train it is not the plan that decides, but the train (rules/trains/watch.ts).
  if (step === undefined || (isToTrain(order) && index === life.length - 1)) return [];
  return [stepJob(order.id, index, step.at)];
}

/** Brings a later step forward, because the customer stands at the counter. */
export async function hurryStep(tx: Tx, order: OrderRow, index: number, at: number): Promise<void> {
  const life = plannedLife(order)!;
  if (life.steps[index]!.at <= at) return;
  await setOrder(tx, order.id, {
    life: JSON.stringify({ ...life, steps: life.steps.map((own, i) => (i === index ? { ...own, at } : own)) }),
  });
  await dropJob(tx, `order.step:${order.id}:${index}`);
  if (order.stage === life.steps[index - 1]!.stage) await enqueue(tx, stepJob(order.id, index, at));
}

jobs.on<{ orderId: string; index: number }>('order.step', async ({ orderId, index }, { db, now }) => {
  await transact(db, async (tx) => {
    const order = (await lockOrder(tx, orderId))!;
    const life = plannedLife(order)!;
    const step = life.steps[index];
    if (step === undefined) return;
    if (step.at > now) return await enqueue(tx, ...stepJobs(order, life.steps, index));
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
  await enqueue(tx, ...stepJobs(order, steps, index + 1));
}

jobs.on<{ orderId: string }>('order.start', async ({ orderId }, { db, now }) => {
  await transact(db, async (tx) => {
    const order = await lockOrder(tx, orderId);
    // It was moved to another time, which has a job of its own.
    if (order?.status !== 'ADVANCE ORDER' || order.starts_at! > now) return;
    await startLater(tx, order, now);
    await planNews(tx, order, { id: 'STARTED' }, now);
  });
});

import type { Tx } from '../../store/db.ts';
import { enqueue, type NewJob } from '../../store/jobs.ts';
import { moveOrder, snapshotOf, type EventRow, type OrderRow } from '../../store/orders.ts';
import {
  readForPlacing,
  type PlacingReader,
  type PlacingReading,
  type VisitorRow,
} from '../../store/placingReading.ts';
import { parseSwitches } from '../../store/switches.ts';
import { newShare } from '../../store/tracking.ts';
import { countOrder, goalJob } from '../experiments/record.ts';
import { askJobs } from '../feedback/ask.ts';
import { ordersBefore } from '../order/kitchen.ts';
import { startFor, startJob, startOf } from '../order/lifecycle.ts';
import { kitchenDelayMs } from '../order/orders.ts';
import '../order/outbox.ts';
import { receiptJob, receiptLink } from '../order/receipt.ts';
import { watchTrain } from '../trains/watch.ts';

/** How an order goes on once it is placed. */
export interface Placement {
  /** What changes in its row. */
  readonly values: Partial<OrderRow>;
  readonly event: Omit<EventRow, 'seq'>;
  readonly jobs: readonly NewJob[];
  /** The link that its receipt says. */
  readonly share: ReturnType<typeof receiptLink>;
  /** See countOrder. */
  readonly visitors: readonly VisitorRow[];
}

const placingReader = (order: Pick<OrderRow, 'user_id' | 'country' | 'store_id'>, now: number): PlacingReader => ({
  userId: order.user_id,
  country: order.country,
  storeId: order.store_id,
  ...ordersBefore(now),
});

/** It starts now, or has its start scheduled if the customer chose a later time. Pure. */
export function placingOf(order: OrderRow, reading: PlacingReading, now: number): Placement {
  const { scheduled_for: wantedAt } = order;
  const isSteady = parseSwitches(reading.switches).kitchen === 'steady';
  const startsAt = wantedAt === null ? now : startFor(order, wantedAt, { isSteady });
  const delayMs = kitchenDelayMs(reading.started, snapshotOf(order).kitchen.maxOrdersPer10Min);
  const { status, values, jobs } =
    startsAt > now
      ? { status: 'ADVANCE ORDER' as const, values: { starts_at: startsAt }, jobs: [startJob(order.id, startsAt)] }
      : { status: 'ORDER PLACED' as const, ...startOf(order, { delayMs, isSteady }, now) };
  return {
    values: { ...values, status, stage: null },
    event: { order_id: order.id, from_status: order.status, status, stage: null, actor: 'system', at: now },
    visitors: reading.visitors,
    share: receiptLink(order, now),
    jobs: [
      receiptJob(order, now),
      ...askJobs(order, now),
      ...(reading.isElsewhere ? [goalJob(order, now)] : []),
      ...jobs,
    ],
  };
}

/** Places an order whose payment is settled, or that is to be paid at the door. The caller has locked it. */
export async function placeOrder(tx: Tx, order: OrderRow, now: number): Promise<void> {
  const reading = await readForPlacing(tx, placingReader(order, now));
  const { values, event, jobs, share, visitors } = placingOf(order, reading, now);
  await enqueue(tx, ...jobs);
  await newShare(tx, share);
  await watchTrain(tx, order, now);
  await countOrder(tx, order, visitors, now);
  await moveOrder(tx, order.id, ['PENDING'], { status: event.status, stage: null, actor: 'system', at: now }, values);
}

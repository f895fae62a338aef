import { HOUR_MS, MINUTE_MS } from '../../../domain/time.ts';
import type * as z from 'zod/mini';
import { shownKm, type Point } from '../../../domain/geo.ts';
import type { Eta, OrderView } from '../../../contract/orders.ts';
import { tellRider as endpoint, type SharedOrder } from '../../../contract/tracking.ts';
import type { Call } from '../../call/call.ts';
import { errors, orders, t } from '../../call/language.ts';
import type { PreparedReply } from '../../call/preparedReply.ts';
import { refuse } from '../../call/refusal.ts';
import { isFinal, statusNews } from '../../../domain/orders.ts';
import { lockOrder, orderById, snapshotOf, type OrderRow } from '../../store/orders.ts';
import { addRiderNote, sharedOrderId } from '../../store/tracking.ts';
import { fingerprint, keyOf, once } from '../reliability/idempotency.ts';
import { progressOf, RIDER_NOTES, riderTimes, viewOf, type RiderTimes } from './orderView.ts';
import { riderOf } from './riders.ts';
import { ownOrder } from './rights.ts';
import { alongPath, lengthOf, pathOf } from './simulatedRoute.ts';

/** How long (ms) a shared link works after the order has ended. */
const SHARED_FOR_MS = 3 * HOUR_MS;

/**
 * The caller's own order, to be tracked. There is nothing to track before the store has it, or after it ended without
 * food.
 * @throws Refusal 404 NOT_FOUND, 409 NO_TRACKING
 */
export async function tracked(call: Call, orderId: string): Promise<OrderRow> {
  const order = await trackedOrComing(call, orderId);
  return order.status === 'ADVANCE ORDER' ? refuse(409, 'NO_TRACKING', errors.noTracking) : order;
}

/** The same, or an order that the store gets later. @throws Refusal 404 NOT_FOUND, 409 NO_TRACKING */
export async function trackedOrComing(call: Call, orderId: string): Promise<OrderRow> {
  const order = await ownOrder(call, orderId);
  const isThere = ['ADVANCE ORDER', 'ORDER PLACED', 'INPROCESS', 'PICKED UP', 'PICKED', 'DELIVERED'];
  return isThere.includes(order.status) ? order : refuse(409, 'NO_TRACKING', errors.noTracking);
}

/**
 * Where the rider is, with a sentence that says the same as the map. The time that is left is estimated from what the
 * way usually takes, not from the simulated arrival.
 */
export function riderAt(
  order: { id: string; country: string },
  store: Point,
  customer: Point,
  times: RiderTimes,
  now: number,
) {
  const progress = progressOf(times, now);
  const path = pathOf(order.id, store, customer);
  const point = alongPath(path, progress);
  const km = shownKm(lengthOf(path) * (1 - progress));
  const minutes = Math.max(1, Math.round((times.usualMs * (1 - progress)) / MINUTE_MS));
  const name = riderOf(order.id, order.country);
  const text =
    progress >= 1
      ? t.riderAtDoor({ name })
      : km === 0
        ? t.riderCloseBy({ name, minutes })
        : t.riderToGo({ name, km, minutes });
  return { ...point, name, progress, text };
}

/** The positions of store and customer, the way between them, and the rider while on it. */
export function mapOf(order: OrderRow, now: number) {
  const { store, address } = snapshotOf(order);
  const from = { latitude: store.latitude, longitude: store.longitude };
  const to = address === null ? null : { latitude: address.latitude, longitude: address.longitude };
  const times = riderTimes(order);
  return {
    store: from,
    customer: to,
    route: to === null ? [] : pathOf(order.id, from, to),
    rider: times === null || to === null ? null : riderAt(order, from, to, times, now),
  };
}

/**
 * The estimate for people other than the customer. It leaves out the reason, because a distance in it would tell how
 * far from the store somebody lives.
 */
export const etaForOthers = (eta: z.output<typeof Eta> | null) => (eta === null ? null : { ...eta, reason: '' });

/** What a shared link shows of an order: its progress, and nothing that says whose it is or where it goes. */
function sharedView(order: OrderView, { rider }: ReturnType<typeof mapOf>): SharedOrder {
  const isOver = isFinal(order.orderStatus);
  return {
    orderType: order.orderType,
    serviceLabel: order.serviceLabel,
    orderStatus: order.orderStatus,
    storeName: order.store.name,
    steps: order.steps,
    eta: etaForOthers(order.eta),
    ...(order.scheduledFor === undefined ? {} : { scheduledFor: order.scheduledFor }),
    progress: rider?.progress ?? null,
    isOver,
    text: orders.status({
      news: statusNews(order.orderStatus, order.serviceLabel === 'IRCTC' ? 'IRCTC' : order.orderType),
    }),
  };
}

/** The order of a shared link, for anybody. @throws Refusal 404 NOT_FOUND */
export async function sharedOrder(call: Call, token: string): Promise<SharedOrder> {
  const orderId = await sharedOrderId(call.db, token);
  const order = orderId === undefined ? undefined : await orderById(call.db, orderId);
  const isOld = order !== undefined && order.finished_at !== null && call.now > order.finished_at + SHARED_FOR_MS;
  if (order === undefined || isOld || order.country !== call.caller.country)
    return refuse(404, 'NOT_FOUND', errors.brokenLink);
  return sharedView(await viewOf(call.db, order, call.now), mapOf(order, call.now));
}

/** Sends the rider of the caller's own order a message. @throws Refusal 404 NOT_FOUND, 409 RIDER_AWAY, RIDER_NOTES, 422 INVALID_INPUT */
export async function tellRider(call: Call, orderId: string, text: string): Promise<PreparedReply> {
  const order = await ownOrder(call, orderId);
  if (text === '') refuse(422, 'INVALID_INPUT', errors.fieldEmpty, { field: 'text' });
  return await once(
    call,
    keyOf(call),
    fingerprint(endpoint.path, { orderHistoryId: orderId, text }),
    async (tx) => {
      const locked = await lockOrder(tx, order.id);
      if (locked?.status !== 'PICKED UP') return refuse(409, 'RIDER_AWAY', t.riderAway);
      if (!(await addRiderNote(tx, { order_id: order.id, text, at: call.now }, RIDER_NOTES)))
        return refuse(409, 'RIDER_NOTES', t.riderNotesOver);
      return { orderId: order.id };
    },
    async () => {
      const now = await orderById(call.db, order.id);
      // The rider's app belongs to the store. The note goes into the log here, like all messages to the store.
      call.services.log.info({ orderId: order.id, rider: text }, 'told the rider of an order');
      return { order: await viewOf(call.db, now ?? order, call.now) };
    },
  );
}

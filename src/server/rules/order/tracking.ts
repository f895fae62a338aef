import { MINUTE_MS } from '../../../domain/time.ts';
import type * as z from 'zod/mini';
import { shownKm, type Point } from '../../../domain/geo.ts';
import type { Eta, OrderView } from '../../../contract/orders.ts';
import type { SharedOrder } from '../../../contract/tracking.ts';
import { orders, t } from '../../call/language.ts';
import { isFinal, statusNews } from '../../../domain/orders.ts';
import type { OrderRow } from '../../store/orders.ts';
import { progressOf, riderTimes, type RiderTimes } from './orderView.ts';
import { snapshotOf } from '../../store/orders.ts';
import { riderOf } from './riders.ts';
import { alongPath, lengthOf, pathOf } from './simulatedRoute.ts';

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
export function sharedView(order: OrderView, { rider }: ReturnType<typeof mapOf>): SharedOrder {
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

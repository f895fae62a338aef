import type * as z from 'zod/mini';
import { shownKm, type Point } from '../../domain/geo.ts';
import type { Eta, OrderView } from '../../contract/orders.ts';
import type { SharedOrder } from '../../contract/tracking.ts';
import { isFinal, statusText } from '../../domain/orders.ts';
import type { OrderRow } from '../store/orders.ts';
import { progressOf, riderTimes, type OrderSnapshot, type RiderTimes } from './orderView.ts';
import { riderOf } from './riders.ts';
import { alongPath, lengthOf, pathOf } from './way.ts';

/** Where the rider is, with a sentence that says the same as the map. Of what is ahead only what it usually takes is told. */
export function riderAt(order: { id: string; country: string }, store: Point, customer: Point, times: RiderTimes, now: number) {
  const progress = progressOf(times, now);
  const path = pathOf(order.id, store, customer);
  const point = alongPath(path, progress);
  const km = shownKm(lengthOf(path) * (1 - progress));
  const minutes = Math.max(1, Math.round(times.usualMs * (1 - progress) / 60_000));
  const name = riderOf(order.id, order.country);
  const text = progress >= 1 ? `${name} is at your door.` : `${name} is ${km === 0 ? 'close by' : `${km} km away`}, about ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}.`;
  return { ...point, name, progress, text };
}

/** Store, door, the way between them, and the rider while on it. */
export function mapOf(order: OrderRow, now: number) {
  const { store, address } = JSON.parse(order.snapshot) as OrderSnapshot;
  const from = { latitude: store.latitude, longitude: store.longitude };
  const to = address === null ? null : { latitude: address.latitude, longitude: address.longitude };
  const times = riderTimes(order);
  return {
    store: from, customer: to, route: to === null ? [] : pathOf(order.id, from, to),
    rider: times === null || to === null ? null : riderAt(order, from, to, times, now),
  };
}

/** A time for others than the customer: distances would tell how far from the store somebody lives. */
export const etaForOthers = (eta: z.output<typeof Eta> | null) => (eta === null ? null : { ...eta, reason: '' });

/** What a shared link shows of an order: how far it is, and nothing that says whose it is or where it goes. */
export function sharedView(order: OrderView, { rider }: ReturnType<typeof mapOf>): SharedOrder {
  const isOver = isFinal(order.orderStatus);
  return {
    orderType: order.orderType, serviceLabel: order.serviceLabel, orderStatus: order.orderStatus, storeName: order.store.name, steps: order.steps,
    eta: etaForOthers(order.eta),
    ...(order.scheduledFor === undefined ? {} : { scheduledFor: order.scheduledFor }),
    progress: rider?.progress ?? null, isOver, text: statusText(order.orderStatus, order.serviceLabel === 'IRCTC' ? 'IRCTC' : order.orderType),
  };
}

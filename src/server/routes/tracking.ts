import * as orders from '../../contract/orders.ts';
import * as tracking from '../../contract/tracking.ts';
import * as messages from '../../domain/messages.ts';
import { refuse } from '../http/refusal.ts';
import { on, userIdOf, type Route } from '../http/route.ts';
import { activeOrders, type OrderRow } from '../store/orders.ts';
import { riderTimes, viewOf, viewsOf, type OrderSnapshot } from '../rules/orderView.ts';
import { serviceContent } from '../rules/orders.ts';
import { riderAt } from '../rules/tracking.ts';
import { ownOrder } from './payments.ts';

/** Before the store has it, and after it has ended without food, there is nothing to follow. */
function mustBeTrackable(order: OrderRow): void {
  if (!['ORDER PLACED', 'INPROCESS', 'PICKED UP', 'PICKED', 'DELIVERED'].includes(order.status)) refuse(409, 'NO_TRACKING', messages.NO_TRACKING);
}

export const trackingRoutes: Route[] = [
  on(tracking.active, async (_input, call) => ({ status: 'SUCCESS' as const, orders: await viewsOf(call.db, await activeOrders(call.db, userIdOf(call)), call.now) })),

  on(tracking.byOrder, async ({ orderHistoryId }, call) => {
    const order = await ownOrder(call, orderHistoryId);
    mustBeTrackable(order);
    return { status: 'SUCCESS' as const, order: await viewOf(call.db, order, call.now) };
  }),

  on(tracking.onMap, async ({ orderId }, call) => {
    const order = await ownOrder(call, orderId);
    mustBeTrackable(order);
    const { store, address } = JSON.parse(order.snapshot) as OrderSnapshot;
    const from = { latitude: store.latitude, longitude: store.longitude };
    const to = address === null ? null : { latitude: address.latitude, longitude: address.longitude };
    const times = riderTimes(order);
    return {
      status: 'SUCCESS' as const, store: from, customer: to,
      rider: times === null || to === null ? null : riderAt(order, from, to, times.leftAt, times.arrivesAt, call.now),
    };
  }),

  on(orders.instructions, (_input, call) => ({ status: 'SUCCESS' as const, instructions: serviceContent(call.caller.country).deliveryInstructions.map(({ id, label }) => ({ id, label })) })),
];

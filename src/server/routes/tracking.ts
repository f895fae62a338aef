import * as orders from '../../contract/orders.ts';
import * as tracking from '../../contract/tracking.ts';
import { Live } from '../call/live.ts';
import { on, onSpoken, type Route } from '../call/route.ts';
import { accessOf, userIdOf } from '../call/call.ts';
import { newToken } from '../store/ids.ts';
import { activeOrders } from '../store/orders.ts';
import { shareToken } from '../store/tracking.ts';
import { viewOf, viewsOf } from '../rules/order/orderView.ts';
import { riderInstructions } from '../rules/order/orders.ts';
import { mapOf, sharedOrder, tellRider, tracked, trackedOrComing } from '../rules/order/tracking.ts';

export const trackingRoutes: Route[] = [
  on(tracking.active, async (_input, call) => ({
    orders: await viewsOf(call.db, await activeOrders(call.db, userIdOf(call)), call.now),
  })),

  on(tracking.byOrder, async ({ orderHistoryId }, call) => ({
    order: await viewOf(call.db, await tracked(call, orderHistoryId), call.now),
  })),

  on(tracking.onMap, async ({ orderId }, call) => ({ ...mapOf(await tracked(call, orderId), call.now) })),

  on(tracking.events, async ({ orderHistoryId }, call) => {
    const order = await trackedOrComing(call, orderHistoryId);
    return new Live(
      await call.services.following.open(order, accessOf(call), call.header('last-event-id').slice(0, 80)),
    );
  }),

  on(tracking.share, async ({ orderHistoryId }, call) => {
    const order = await trackedOrComing(call, orderHistoryId);
    return { token: await shareToken(call.db, order.id, newToken(), call.now) };
  }),

  on(tracking.shared, async ({ token }, call) => ({ order: await sharedOrder(call, token) })),

  on(tracking.tellRider, ({ orderHistoryId, body }, call) => tellRider(call, orderHistoryId, body.text.trim())),

  onSpoken(orders.instructions, (_input, call) => ({ instructions: riderInstructions(call.caller.country) })),
];

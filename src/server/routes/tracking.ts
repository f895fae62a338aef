import { HOUR_MS } from '../../domain/time.ts';
import * as orders from '../../contract/orders.ts';
import * as tracking from '../../contract/tracking.ts';
import { errors, t } from '../call/language.ts';
import { Live } from '../call/live.ts';
import { refuse } from '../call/refusal.ts';
import { on, onSpoken, type Route } from '../call/route.ts';
import { accessOf, userIdOf } from '../call/call.ts';
import { newToken } from '../store/ids.ts';
import { activeOrders, lockOrder, orderById, type OrderRow } from '../store/orders.ts';
import { addRiderNote, sharedOrderId, shareToken } from '../store/tracking.ts';
import { fingerprint, keyOf, once } from '../rules/reliability/idempotency.ts';
import { RIDER_NOTES, viewOf, viewsOf } from '../rules/order/orderView.ts';
import { riderInstructions } from '../rules/order/orders.ts';
import { mapOf, sharedView } from '../rules/order/tracking.ts';
import { ownOrder } from '../rules/order/rights.ts';

/** How long (ms) a shared link works after the order has ended. */
const SHARED_FOR_MS = 3 * HOUR_MS;

/**
 * There is nothing to track before the store has the order, or after it ended without food.
 * @throws Refusal 409 NO_TRACKING
 */
function mustBeTrackable(order: OrderRow): void {
  if (!['ORDER PLACED', 'INPROCESS', 'PICKED UP', 'PICKED', 'DELIVERED'].includes(order.status))
    refuse(409, 'NO_TRACKING', errors.noTracking);
}

export const trackingRoutes: Route[] = [
  on(tracking.active, async (_input, call) => ({
    orders: await viewsOf(call.db, await activeOrders(call.db, userIdOf(call)), call.now),
  })),

  on(tracking.byOrder, async ({ orderHistoryId }, call) => {
    const order = await ownOrder(call, orderHistoryId);
    mustBeTrackable(order);
    return { order: await viewOf(call.db, order, call.now) };
  }),

  on(tracking.onMap, async ({ orderId }, call) => {
    const order = await ownOrder(call, orderId);
    mustBeTrackable(order);
    return { ...mapOf(order, call.now) };
  }),

  on(tracking.events, async ({ orderHistoryId }, call) => {
    const order = await ownOrder(call, orderHistoryId);
    if (order.status !== 'ADVANCE ORDER') mustBeTrackable(order);
    return new Live(
      await call.services.following.open(order, accessOf(call), call.header('last-event-id').slice(0, 80)),
    );
  }),

  on(tracking.share, async ({ orderHistoryId }, call) => {
    const order = await ownOrder(call, orderHistoryId);
    if (order.status !== 'ADVANCE ORDER') mustBeTrackable(order);
    return { token: await shareToken(call.db, order.id, newToken(), call.now) };
  }),

  on(tracking.shared, async ({ token }, call) => {
    const orderId = await sharedOrderId(call.db, token);
    const order = orderId === undefined ? undefined : await orderById(call.db, orderId);
    const isOld = order !== undefined && order.finished_at !== null && call.now > order.finished_at + SHARED_FOR_MS;
    if (order === undefined || isOld || order.country !== call.caller.country)
      return refuse(404, 'NOT_FOUND', errors.brokenLink);
    return { order: sharedView(await viewOf(call.db, order, call.now), mapOf(order, call.now)) };
  }),

  on(tracking.tellRider, async ({ orderHistoryId, body }, call) => {
    const order = await ownOrder(call, orderHistoryId);
    const text = body.text.trim();
    if (text === '') refuse(422, 'INVALID_INPUT', errors.fieldEmpty, { field: 'text' });
    return await once(
      call,
      keyOf(call),
      fingerprint(tracking.tellRider.path, { orderHistoryId, text }),
      async (tx) => {
        const locked = await lockOrder(tx, order.id);
        if (locked?.status !== 'PICKED UP') return refuse(409, 'RIDER_AWAY', t.riderAway);
        if (!(await addRiderNote(tx, { order_id: order.id, text, at: call.now }, RIDER_NOTES)))
          return refuse(409, 'RIDER_NOTES', t.riderNotesOver);
        return { orderId: order.id };
      },
      async ({ orderId }) => {
        const now = await orderById(call.db, orderId);
        // The rider's app belongs to the store. The note goes into the log here, like all messages to the store.
        call.services.log.info({ orderId, rider: text }, 'told the rider of an order');
        return { order: await viewOf(call.db, now ?? order, call.now) };
      },
    );
  }),

  onSpoken(orders.instructions, (_input, call) => ({ instructions: riderInstructions(call.caller.country) })),
];

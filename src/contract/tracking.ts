import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { OrderView } from './orders.ts';
import { Position } from './names.ts';
import { success } from './reply.ts';

export const active = endpoint({
  method: 'GET', path: '/tracker-service/ve2/orders', about: 'Orders on their way.', reply: success({ orders: z.array(OrderView) }),
});
export const byOrder = endpoint({
  method: 'GET', path: '/tracker-service/ve2/orders/{orderHistoryId}', about: 'Progress of one order; error NO_TRACKING.', reply: success({ order: OrderView }),
});
/** Positions for the drawn map; the rider only while on the way. */
export const onMap = endpoint({
  method: 'GET', path: '/order-service/ve1/orders/{orderId}/tracker/trackOnMap', about: 'Store, customer and rider on a map.',
  reply: success({ store: Position, customer: z.nullable(Position), rider: z.nullable(z.object({ ...Position.shape, name: z.string(), progress: z.number(), text: z.string() })) }),
});

import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { Eta, OrderStep, OrderView, ServiceLabel } from './orders.ts';
import { DeliveryType, OrderStatus, Position, text } from './names.ts';
import { success } from './reply.ts';

export const active = endpoint({
  method: 'GET',
  path: '/tracker-service/ve2/orders',
  about: 'Orders on their way.',
  reply: success({ orders: z.array(OrderView) }),
});
export const byOrder = endpoint({
  method: 'GET',
  path: '/tracker-service/ve2/orders/{orderHistoryId}',
  about: 'Progress of one order; error NO_TRACKING.',
  reply: success({ order: OrderView }),
});

const OnMap = {
  store: Position,
  customer: z.nullable(Position),
  /** The route from the store to the door. */
  route: z.array(Position),
  /** Only while the rider is on the way. */
  rider: z.nullable(z.object({ ...Position.shape, name: z.string(), progress: z.number(), text: z.string() })),
};
/** Positions for the drawn map. */
export const onMap = endpoint({
  method: 'GET',
  path: '/order-service/ve1/orders/{orderId}/tracker/trackOnMap',
  about: 'Store, customer and rider on a map.',
  reply: success(OnMap),
});

/**
 * Server-sent events named `order`. Each holds the whole order as it is now, so that losing one does no harm. With
 * `Last-Event-ID`, the caller is not sent again what it already has. The stream ends with `end` when the order is over,
 * or with `bye` when the caller should reconnect: its access token has run out, was replaced, or its session is over.
 */
export const events = endpoint({
  method: 'GET',
  path: '/tracker-service/ve2/orders/{orderHistoryId}/events',
  stream: true,
  about:
    'Follows one order as it moves; errors NO_TRACKING, TOO_MANY_STREAMS (429) and BUSY (503): ask byOrder instead.',
  reply: z.object({
    order: OrderView,
    map: z.nullable(z.object(OnMap)),
    /** The server's clock, epoch ms. */ now: z.number(),
  }),
});

/** What anybody with the link may see: no name, phone number, address, position or bill. */
export const SharedOrder = z.object({
  orderType: DeliveryType,
  serviceLabel: ServiceLabel,
  orderStatus: OrderStatus,
  storeName: z.string(),
  steps: z.array(OrderStep),
  eta: z.nullable(Eta),
  scheduledFor: z.optional(z.number()),
  /** How much of the way is done, 0 to 1; null unless the rider is on the way. */
  progress: z.nullable(z.number()),
  text: z.string(),
  isOver: z.boolean(),
});
export type SharedOrder = z.output<typeof SharedOrder>;

/** One token per order: sharing again returns the same one. It stops working three hours after the order is over. */
export const share = endpoint({
  method: 'POST',
  path: '/tracker-service/ve2/orders/{orderHistoryId}/share',
  about: 'The token of a link that shows the progress and nothing personal.',
  reply: success({ token: z.string() }),
});
export const shared = endpoint({
  method: 'GET',
  path: '/tracker-service/ve2/shared/{token}',
  access: 'open',
  about: 'The progress behind a shared link; error NOT_FOUND.',
  reply: success({ order: SharedOrder }),
});
/** Only while the order is on its way, at most five times; errors RIDER_AWAY and RIDER_NOTES. */
export const tellRider = endpoint({
  method: 'POST',
  path: '/tracker-service/ve2/orders/{orderHistoryId}/rider',
  about: 'Sends the rider a short message.',
  idempotent: true,
  body: z.object({ text: text(120) }),
  reply: success({ order: OrderView }),
});

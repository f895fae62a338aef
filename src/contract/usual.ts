import * as z from 'zod/mini';
import { AddressInput } from './addresses.ts';
import { Bill, CartLine, CartOptions, cartReply, LineAddition, LineInput } from './cart.ts';
import { endpoint } from './endpoint.ts';
import { DeliveryType, Id, PaymentMode, text } from './names.ts';
import { Customer, Vehicle } from './orders.ts';
import { PaymentOption } from './payments.ts';
import { Price } from './price.ts';
import { ApiError, success } from './reply.ts';
import { Takes } from './stores.ts';

/** The most dishes of one "usual". */
const MOST = 20;
/** How the ids of lines begin that a usual order puts into a cart; an earlier try's are told by it. */
export const USUAL_PREFIX = 'usual:';
export type UsualMode = z.output<typeof PaymentMode>;

/**
 * What these dishes would cost as an order of their own, with the best permitted offer on it. Nothing is saved and no
 * cart is touched.
 */
export const price = endpoint({
  method: 'POST',
  path: '/order-service/ve3/orders/usual',
  about: 'What the usual order would cost now, and how it could be paid.',
  body: z.object({
    lines: z.array(z.omit(LineInput, { lineId: true })).check(z.minLength(1), z.maxLength(MOST)),
    storeId: Id,
    deliveryType: DeliveryType,
    address: z.optional(z.nullable(AddressInput)),
    vehicle: z.optional(z.nullable(Vehicle)),
    table: z.optional(z.nullable(text(12))),
    customer: z.optional(z.nullable(Customer)),
    /** Without one the server takes the only one, else the one that paid last. */
    paymentMode: z.optional(PaymentMode),
    withOffers: z.optional(z.boolean()),
  }),
  reply: success({
    /** By the index of the line that was asked for; null where it cannot be sold now. */
    lines: z.array(z.nullable(CartLine)),
    /** What offers give free of charge. */
    gifts: z.array(CartLine),
    gone: z.array(z.object({ productId: z.string(), name: z.string(), reason: z.string() })),
    bill: Bill,
    offers: z.array(z.object({ code: z.string(), title: z.string() })),
    /** What the offers bring, with the worth of what comes free: their part of the bill's savings. */
    saving: Price,
    /** Whether there are offers at all, on or off. */
    hasOffers: z.boolean(),
    /** What keeps it from being ordered as it is; dishes that are gone are not in here. */
    problems: z.array(ApiError),
    paymentMode: z.nullable(PaymentMode),
    modes: z.array(PaymentOption),
    /** What the store takes of this type, whatever time is chosen; `deliveryMinutes` are a promise where it is 'now'. */
    takes: Takes,
    deliveryMinutes: z.object({ from: z.number(), to: z.number() }),
    termsVersion: z.string(),
  }),
});

/**
 * What else is in the cart is kept aside, as after a login (contract/cart.ts, decide). Sending the same operations again
 * changes nothing. Errors GROUP_SHARED, and those of adding lines.
 */
export const put = endpoint({
  method: 'POST',
  path: '/agg/cart-service/ve1/cart/{cartId}/usual',
  about: 'Puts the usual order into the cart, with its offers, in place of what is in there.',
  body: z.object({
    items: z.array(LineAddition).check(z.minLength(1), z.maxLength(MOST)),
    options: CartOptions,
    withOffers: z.optional(z.boolean()),
  }),
  reply: cartReply,
});

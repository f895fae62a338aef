import * as z from 'zod/mini';
import { AddressInput } from './addresses.ts';
import { Cart } from './cart.ts';
import { endpoint } from './endpoint.ts';
import { DeliveryType, Id } from './names.ts';
import { Price } from './price.ts';
import { success } from './reply.ts';
import { Store } from './stores.ts';

/** How the ids of lines begin that came into a cart from an earlier order. */
export const REORDER_PREFIX = 'again:';

/**
 * What else is in the cart is kept aside, as for a usual order (contract/usual.ts). The header `tip_variant` says what
 * becomes of the order's tip: `same` takes it over where it can still be given, anything else leaves it out (product.md
 * C52). Errors NOT_FOUND, REORDER_GONE when nothing of it is on the menu any more, GROUP_SHARED.
 */
export const reorder = endpoint({
  method: 'POST',
  path: '/order-service/ve1/orders/onePassReOrder/order/{orderId}',
  about:
    'Puts the dishes of an earlier order into the cart, as they were built, at the prices and with the offers of now.',
  body: z.object({
    cartId: Id,
    /** Made by the client for each tap: the same one again changes nothing more. */
    operationId: Id,
    /** Where the customer orders now; absent, as with the order. */
    storeId: z.optional(Id),
    deliveryType: z.optional(DeliveryType),
  }),
  reply: success({
    data: z.object({
      cart: Cart,
      /** Dishes that no menu has any more. What is only sold out is in the cart, among its invalid items. */
      gone: z.array(z.object({ productId: z.string(), name: z.string(), reason: z.string() })),
      /** How it was then: the price of one piece of each line that is in the cart now, its offers, its store. */
      was: z.object({
        placedAt: z.number(),
        lines: z.array(z.object({ lineId: z.string(), price: Price })),
        offers: z.array(z.object({ code: z.string(), title: z.string() })),
        store: Store,
        deliveryType: DeliveryType,
        address: z.nullable(AddressInput),
      }),
      /** The store that the cart is priced for now. */
      store: z.object({ id: z.string(), name: z.string() }),
    }),
  }),
});
export type ReorderReply = z.output<typeof reorder.reply>['data'];

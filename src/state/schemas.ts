import * as z from 'zod/mini';
import { AddressInput } from '../contract/addresses.ts';
import { Cart, CartOptions, LineAddition, LineInput } from '../contract/cart.ts';
import { AppConfig } from '../contract/config.ts';
import { Menu } from '../contract/menu.ts';
import { DeliveryType } from '../contract/names.ts';
import { Store } from '../contract/stores.ts';

const Line = z.omit(LineInput, { lineId: true });

/**
 * Schemas of what the first load remembers, by key. They come with the second load, because zod does. A file in first/
 * may call `kept` without a schema only with a key that stands here and with the type of its schema.
 */
export const schemas = {
  'delivery-type': DeliveryType,
  'at-counter': z.boolean(),
  store: z.nullable(Store),
  'takeaway-store': z.nullable(Store),
  place: z.nullable(
    z.object({
      latitude: z.number(),
      longitude: z.number(),
      /** The name of the place, for the bar at the top. */
      text: z.string(),
      address_id: z.optional(z.string()),
      /** `houseNo` may still be empty; it is asked for at checkout. */
      address: z.nullable(AddressInput),
    }),
  ),
  menu: z.nullable(z.extend(Menu, { locale: z.optional(z.string()) })),
  'app-config': z.nullable(AppConfig),
  'group-seat': z.nullable(z.object({ code: z.string(), storeId: z.string() })),
  'veg-only': z.boolean(),
  'card-variant': z.string(),
  favourites: z.array(z.string()),
  usual: z.array(Line),
  cart: z.nullable(Cart),
  'cart-options': z.nullable(CartOptions),
  'cart-operations': z.array(
    z.union([
      z.object({ kind: z.literal('add'), operationId: z.string(), line: LineAddition.shape.line }),
      z.object({
        kind: z.literal('change'),
        operationId: z.string(),
        lineId: z.string(),
        quantity: z.optional(z.number()),
        line: z.optional(z.omit(Line, { quantity: true })),
      }),
    ]),
  ),
};

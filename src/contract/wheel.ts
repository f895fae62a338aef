import * as z from 'zod/mini';
import { Cart } from './cart.ts';
import { endpoint } from './endpoint.ts';
import { Id } from './names.ts';
import { success } from './reply.ts';

const path = '/agg/cart-service/ve1/cart/offers/gamify';

/** One part of the wheel; `chance` is its odds in per cent, and all parts together come to 100. */
const WheelSlot = z.object({ label: z.string(), chance: z.number(), isPrize: z.boolean() });

/** The result. The server drew it before the wheel turned on the screen. */
export const WheelResult = z.object({
  /** Index of the part in the slots. */
  slot: z.number(),
  label: z.string(),
  isPrize: z.boolean(),
  /** A coupon that only this cart can use. */
  code: z.optional(z.string()),
  points: z.optional(z.number()),
  /** FREE: the prize waits on the cart. TAKEN: it is part of an order under way. USED: that order was handed over. */
  state: z.enum(['FREE', 'TAKEN', 'USED']),
  message: z.string(),
});
export type WheelResult = z.output<typeof WheelResult>;

/** Shows the odds before anybody spins, and the result afterwards. */
export const wheel = endpoint({
  method: 'GET',
  path,
  about: 'The wheel of a cart with its odds, and what it brought.',
  query: z.object({ cartId: Id }),
  reply: success({ slots: z.array(WheelSlot), result: z.nullable(WheelResult) }),
});
/**
 * Once per cart: a second spin returns the first result, and other guests on the same device draw the same part that
 * day. After its order was handed over, the cart may spin again. Error CART_EMPTY.
 */
export const spin = endpoint({
  method: 'POST',
  path,
  about: 'Spins the wheel of a cart.',
  body: z.object({ cartId: Id }),
  reply: success({ slots: z.array(WheelSlot), result: WheelResult, isFirst: z.boolean(), cart: Cart }),
});

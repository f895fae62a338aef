import * as z from 'zod/mini';
import { Cart } from './cart.ts';
import { endpoint } from './endpoint.ts';
import { Id } from './names.ts';
import { success } from './reply.ts';

const path = '/agg/cart-service/ve1/cart/offers/gamify';

/** One part of the wheel; `chance` is its odds in per cent, the parts come to 100. */
export const WheelSlot = z.object({ label: z.string(), chance: z.number(), isPrize: z.boolean() });

/** What came out. The server drew it before anything turned. */
export const WheelResult = z.object({
  /** Index into the slots. */
  slot: z.number(),
  label: z.string(),
  isPrize: z.boolean(),
  /** The coupon that now belongs to this cart alone. */
  code: z.optional(z.string()),
  points: z.optional(z.number()),
  /** FREE: it waits on the cart. TAKEN: with an order under way. USED: with an order that was handed over. */
  state: z.enum(['FREE', 'TAKEN', 'USED']),
  message: z.string(),
});
export type WheelResult = z.output<typeof WheelResult>;

/** The odds, before anybody spins; and the result, once somebody has. */
export const wheel = endpoint({
  method: 'GET', path, about: 'The wheel of a cart with its odds, and what it brought.',
  query: z.object({ cartId: Id }), reply: success({ slots: z.array(WheelSlot), result: z.nullable(WheelResult) }),
});
/** Once per cart: a second spin answers the first result; other guests of the same device draw the same that day. When its order was handed over, the cart may spin again. Error CART_EMPTY. */
export const spin = endpoint({
  method: 'POST', path, about: 'Spins the wheel of a cart.',
  body: z.object({ cartId: Id }), reply: success({ slots: z.array(WheelSlot), result: WheelResult, isFirst: z.boolean(), cart: Cart }),
});

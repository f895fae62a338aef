import * as z from 'zod/mini';
import { Bill, CartLine, GroupState } from './cart.ts';
import { endpoint } from './endpoint.ts';
import { DeliveryType, OrderStatus, text } from './names.ts';
import { Eta, OrderStep } from './orders.ts';
import { Price } from './price.ts';
import { success } from './reply.ts';
import { Share } from './shares.ts';

/** What a person eats or avoids; the meaning of each is in domain/group.ts. */
export const Diet = z.enum([
  'VEG',
  'JAIN',
  'NO_EGG',
  'NO_NUTS',
  'NO_MILK',
  'NO_GLUTEN',
  'NO_SOY',
  'NO_MUSTARD',
  'NO_SESAME',
  'NO_SEAFOOD',
]);
export type Diet = z.output<typeof Diet>;

export const Person = z.object({
  personId: z.string(),
  name: z.string(),
  isHost: z.boolean(),
  isMe: z.boolean(),
  /** The person has chosen everything. */
  done: z.boolean(),
  diet: z.array(Diet),
  lines: z.array(CartLine),
  /** This person's lines that the store cannot sell now, with the reason. */
  gone: z.array(z.object({ lineId: z.string(), name: z.string(), reason: z.string() })),
  share: Share,
});
export type Person = z.output<typeof Person>;

export const Group = z.object({
  code: z.string(),
  role: z.enum(['host', 'guest', 'stranger']),
  state: GroupState,
  hostName: z.string(),
  store: z.object({ id: z.string(), name: z.string() }),
  deliveryType: DeliveryType,
  /** Epoch ms of the server's clock. */
  closesAt: z.number(),
  limit: z.nullable(Price),
  /** What the caller may still spend under the limit; null for the host and without a limit. */
  left: z.nullable(Price),
  size: z.number(),
  /** The host first, then in the order of joining. Empty for somebody who has not joined. */
  people: z.array(Person),
  /** What coupons give free with the order; it belongs to nobody in particular. */
  free: z.array(CartLine),
  bill: z.nullable(Bill),
  /** Once ordered: how far the order is, without saying who ordered it. */
  order: z.nullable(
    z.object({
      orderNumber: z.string(),
      orderStatus: OrderStatus,
      orderType: DeliveryType,
      /** Only for the host, who placed the order. */
      orderId: z.optional(z.string()),
      steps: z.array(OrderStep),
      eta: z.nullable(Eta),
    }),
  ),
});
export type Group = z.output<typeof Group>;

const Name = text(30).check(z.minLength(1));
const Diets = z.array(Diet).check(z.maxLength(10));
const Minutes = z.int().check(z.gte(1), z.lte(480));
/** Minor units; null for no limit. */
const Limit = z.nullable(z.int().check(z.gte(100), z.lte(100_000_000)));
const FEATURE = 'groupOrder';
const one = '/agg/cart-service/ve1/group/{code}';
const reply = success({ group: Group });

/** A cart has one group at a time: if it has one already, that is the answer. */
export const start = endpoint({
  method: 'POST',
  path: '/agg/cart-service/ve1/cart/{cartId}/group',
  about: 'Opens a cart to others by a link, as its host.',
  feature: FEATURE,
  body: z.object({ name: Name, diet: Diets, minutes: Minutes, limit: Limit }),
  reply,
});
/** `have` is the `stamp` of an earlier answer; if nothing has changed since, `group` is null. */
export const byCode = endpoint({
  method: 'GET',
  path: one,
  about: 'A group order, as far as the one who asks may see it.',
  feature: FEATURE,
  query: z.object({ have: z.optional(text(60)) }),
  reply: success({ stamp: z.string(), group: z.nullable(Group) }),
});
/** The host changes the rules. `moreMinutes` also reopens a closed group. */
export const rule = endpoint({
  method: 'PUT',
  path: one,
  about: 'The host closes it, gives it more time or sets the limit for each guest.',
  feature: FEATURE,
  body: z.object({ close: z.optional(z.boolean()), moreMinutes: z.optional(Minutes), limit: z.optional(Limit) }),
  reply,
});
/** The guests' dishes are removed from the cart; the host's stay. */
export const end = endpoint({
  method: 'DELETE',
  path: one,
  about: 'The host calls the group order off.',
  feature: FEATURE,
  reply: success({}),
});
/** Somebody who has joined already changes their name or diet with it. */
export const join = endpoint({
  method: 'POST',
  path: `${one}/people`,
  about: 'Joins with a name; no login.',
  feature: FEATURE,
  body: z.object({ name: Name, diet: Diets }),
  reply,
});
export const change = endpoint({
  method: 'PUT',
  path: `${one}/people/{personId}`,
  about: "One's own name, marks, and whether one has chosen everything.",
  feature: FEATURE,
  body: z.object({ name: z.optional(Name), diet: z.optional(Diets), done: z.optional(z.boolean()) }),
  reply,
});
/** A guest can leave; the host can remove any guest. The person's dishes are removed too. */
export const leave = endpoint({
  method: 'DELETE',
  path: `${one}/people/{personId}`,
  about: "Takes a person and that person's dishes out.",
  feature: FEATURE,
  reply: success({}),
});

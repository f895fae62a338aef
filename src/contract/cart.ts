import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { Amount, DealFoodType, DeliveryType, FoodType, Half, Id, ProductType, Size, text } from './names.ts';
import { Price } from './price.ts';
import { success } from './reply.ts';

/** How a pizza is built. Parts that are absent are as in the recipe. */
export const Build = z.object({
  /** At level `none` the pizza has no sauce at all, whichever `id` names. */
  sauce: z.optional(z.object({ id: Id, level: Amount })),
  cheese: z.optional(Amount),
  /** `none` takes a topping of the recipe off that half; other amounts add or change it. */
  toppings: z.optional(z.array(z.object({ id: Id, half: Half, amount: Amount })).check(z.maxLength(40))),
  /** Half-and-half: the product on the right half; the line's own product is the left half. */
  secondHalf: z.optional(Id),
});
export type Build = z.output<typeof Build>;

/** The longest note that a line may have. */
export const NOTE_AT_MOST = 120;

const Chosen = { productId: Id, size: z.optional(Size), crust: z.optional(Id), build: z.optional(Build) };

/** What the customer asks for. It never carries a price. */
export const LineInput = z.object({
  /** Made by the client; stays the same for the life of the line. */
  lineId: Id,
  ...Chosen,
  quantity: z.int().check(z.gte(1), z.lte(50)),
  /** Deals: one entry for each piece in each slot. */
  slots: z.optional(z.array(z.object({ slot: z.int().check(z.gte(0), z.lte(20)), ...Chosen })).check(z.maxLength(30))),
  note: z.optional(text(NOTE_AT_MOST)),
});
export type LineInput = z.output<typeof LineInput>;

/**
 * A change with its own id, so that sending it twice, or after a change from another device, does no harm. Quantity 0
 * removes the line for good.
 */
export const LineChange = z.object({
  operationId: Id,
  lineId: Id,
  quantity: z.optional(z.int().check(z.gte(0), z.lte(50))),
  /** Replaces the line's content, keeping its id and, unless one is given, its quantity. */
  line: z.optional(z.omit(LineInput, { lineId: true, quantity: true })),
});
export type LineChange = z.output<typeof LineChange>;

export const LineAddition = z.object({
  operationId: Id,
  /** `again`: the removed line that this one brings back, as it was built and for whom; what it names else counts without one. */
  line: z.extend(LineInput, { again: z.optional(Id) }),
});
export type LineAddition = z.output<typeof LineAddition>;

/** Everything is off until the customer chooses it (product.md C52). */
export const CartOptions = z.object({
  deliveryType: z.optional(DeliveryType),
  storeId: z.optional(Id),
  /** Delivery only; minor units; 0 removes the tip. */
  tip: z.optional(z.int().check(z.gte(0), z.lte(1_000_000))),
  carryBag: z.optional(z.boolean()),
  cutlery: z.optional(z.boolean()),
  /** Lets the best permitted offer go on the cart by itself; what the customer takes off stays off. */
  bestOffer: z.optional(z.boolean()),
  /** Chosen at payment, so that coupons for certain payment modes can be checked before the customer pays. */
  paymentMode: z.optional(z.string().check(z.maxLength(20))),
});
export type CartOptions = z.output<typeof CartOptions>;

export const CartLine = z.object({
  lineId: z.string(),
  product: z.object({
    id: z.string(),
    name: z.string(),
    kind: z.string(),
    foodType: DealFoodType,
    /** For one piece, with everything that was chosen. */
    price: Price,
    originalPrice: Price,
  }),
  productType: ProductType,
  quantity: z.number(),
  size: z.optional(Size),
  sizeName: z.optional(z.string()),
  crust: z.optional(z.string()),
  crustName: z.optional(z.string()),
  build: z.optional(Build),
  slots: z.optional(
    z.array(
      z.object({
        slot: z.number(),
        productId: z.string(),
        name: z.string(),
        foodType: FoodType,
        size: z.optional(Size),
        crust: z.optional(z.string()),
        build: z.optional(Build),
        surcharge: Price,
      }),
    ),
  ),
  note: z.optional(z.string()),
  /** Short phrases about what was chosen, for the cart and the kitchen. */
  choices: z.array(z.string()),
  lineTotal: Price,
  kcal: z.optional(z.number()),
  allergens: z.array(z.string()),
  /** As built: the recipe can be made Jain, the sauce has no onion or garlic, and all toppings are Jain. */
  jain: z.optional(z.boolean()),
  /** Given by a coupon; cannot be edited. */
  free: z.optional(z.boolean()),
  /** Group orders: the guest whose dish it is; absent for the host's own. */
  by: z.optional(z.object({ personId: z.string(), name: z.string() })),
});
export type CartLine = z.output<typeof CartLine>;

export const BillLine = z.object({
  /** For example 'items', 'discount:CODE', 'packaging', 'carryBag', 'delivery', 'tax:CGST', 'tip' or 'rounding'. */
  id: z.string(),
  label: z.string(),
  /** Negative for discounts. */
  amount: Price,
  kind: z.enum(['items', 'discount', 'charge', 'tax', 'tip', 'rounding', 'wallet']),
  /** Already contained in the prices above, so not added (VAT in Sri Lanka). */
  included: z.optional(z.boolean()),
  note: z.optional(z.string()),
});
export type BillLine = z.output<typeof BillLine>;

export const Bill = z.object({ currencyCode: z.string(), lines: z.array(BillLine), total: Price, savings: Price });
export type Bill = z.output<typeof Bill>;

const OfferMessage = z.object({ messageType: z.enum(['error', 'nudge', 'info']), message: z.string() });

/** Offer of the specification, sections 3 and 4. Times are epoch milliseconds of the server's clock. */
export const Offer = z.object({
  code: z.string(),
  title: z.string(),
  subtitle: z.optional(z.string()),
  status: z.enum(['APPLIED', 'REJECTED', 'AVAILABLE']),
  labelType: z.optional(z.string()),
  offerOptions: z.optional(z.array(z.object({ step: z.number(), label: z.string(), reached: z.boolean() }))),
  /** How far the customer is towards a reward that takes several orders, and the sentence that says it. */
  progress: z.optional(z.object({ steps: z.number(), stepsRequired: z.number(), message: z.string() })),
  expiryTimer: z.optional(z.object({ endTime: z.number(), showTimerBefore: z.number() })),
  timestamp: z.optional(z.number()),
  messages: z.array(OfferMessage),
  paymentId: z.optional(z.string()),
  /** What it takes off the bill, plus the worth of what it gives free of charge: the same sum as on the bill. */
  saving: z.optional(Price),
  details: z.array(z.string()),
  tncHref: z.optional(z.string()),
  partner: z.optional(z.string()),
  stackGroup: z.string(),
});
export type Offer = z.output<typeof Offer>;

/**
 * OPEN: guests may add. CLOSED: only the host may change the cart. ORDERED: the order was placed. ENDED: the host
 * called it off.
 */
export const GroupState = z.enum(['OPEN', 'CLOSED', 'ORDERED', 'ENDED']);
export type GroupState = z.output<typeof GroupState>;

/** The group order that a cart belongs to, as the caller sees it. */
export const CartGroup = z.object({
  code: z.string(),
  role: z.enum(['host', 'guest']),
  state: GroupState,
  hostName: z.string(),
  /** Epoch ms of the server's clock. */
  closesAt: z.number(),
  /** The most that one guest's dishes may cost; null without a limit. */
  limit: z.nullable(Price),
});
export type CartGroup = z.output<typeof CartGroup>;

export const Cart = z.object({
  cartId: z.string(),
  /** Grows with every change; submit names the version that the customer saw. */
  version: z.number(),
  storeId: z.string(),
  deliveryType: DeliveryType,
  validItems: z.array(CartLine),
  invalidItems: z.array(
    z.object({
      lineId: z.string(),
      productId: z.string(),
      name: z.string(),
      quantity: z.number(),
      reason: z.string(),
      alternativeId: z.optional(z.string()),
      by: CartLine.shape.by,
    }),
  ),
  displayNetPrice: Price,
  bill: Bill,
  offers: z.array(Offer),
  vegType: z.enum(['YES', 'NO', 'MIX', 'NA']),
  hasComboSaving: z.boolean(),
  options: z.object({ tip: Price, carryBag: z.boolean(), cutlery: z.boolean() }),
  tipChoices: z.array(Price),
  minimum: z.object({ required: Price, missing: Price }),
  freeDelivery: z.nullable(z.object({ from: Price, missing: Price })),
  promise: z.object({ applies: z.boolean(), minutes: z.number(), reason: z.optional(z.string()) }),
  /**
   * What the account had in its cart before a login brought another cart. It is not part of the bill: the customer adds
   * it or drops it. Dishes that cannot be sold now are left out until they can.
   */
  aside: z.optional(z.array(CartLine)),
  /** Absent if the cart is not shared. A guest of a group sees only their own lines in the cart. */
  group: z.optional(CartGroup),
});
export type Cart = z.output<typeof Cart>;

export const cartReply = success({ cart: Cart });
// In the next three paths, the guest of a group order gives the group's code as {cartId} (contract/group.ts).
/** Store and delivery type let a guest see prices before anything was saved. */
export const byId = endpoint({
  method: 'GET',
  path: '/agg/cart-service/ve1/cart/{cartId}',
  about: 'A cart, priced now.',
  query: z.object({ storeId: z.optional(Id), deliveryType: z.optional(DeliveryType) }),
  reply: cartReply,
});
export const add = endpoint({
  method: 'POST',
  path: '/agg/cart-service/ve1/cart/{cartId}/items',
  about: 'Adds lines; an operation seen before does nothing.',
  body: z.object({ items: z.array(LineAddition).check(z.maxLength(100)), options: z.optional(CartOptions) }),
  reply: cartReply,
});
export const change = endpoint({
  method: 'PUT',
  path: '/agg/cart-service/ve1/cart/{cartId}/items',
  about: "Changes or removes lines and sets the cart's options.",
  body: z.object({ items: z.array(LineChange).check(z.maxLength(100)), options: z.optional(CartOptions) }),
  reply: cartReply,
});
/** ADD puts older lines into the cart, DROP removes them for good. */
export const AsideChoice = z.enum(['ADD', 'DROP']);
export type AsideChoice = z.output<typeof AsideChoice>;
export const decide = endpoint({
  method: 'POST',
  path: '/cart-service/ve2/cart/{cartId}/aside',
  about: 'Decides about lines that a login has put beside the cart. Only those named are decided; error CART_FULL.',
  body: z.object({ choice: AsideChoice, lineIds: z.array(Id).check(z.maxLength(100)) }),
  reply: cartReply,
});
export const upsell = endpoint({
  method: 'GET',
  path: '/cart-service/ve2/cart/{cartId}/upsell_items',
  about: 'Products that go with the cart; never preselected.',
  reply: success({ productIds: z.array(z.string()) }),
});

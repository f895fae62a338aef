import * as z from 'zod/mini';
import { AddressInput } from './addresses.ts';
import { Bill, CartLine, LineInput, Offer } from './cart.ts';
import { endpoint } from './endpoint.ts';
import { DeliveryType, Id, PaymentMode, text } from './names.ts';
import { OrderView, Vehicle } from './orders.ts';
import { PaymentStep } from './payments.ts';
import { Price } from './price.ts';
import { ApiError, success } from './reply.ts';

/** An assistant that orders for somebody (the Model Context Protocol, http/assistants/assistantDoor.ts). No payment app has it. */
const feature = 'assistants';

/** A line as an assistant names it: a cart's own, without an id. */
const AssistantLine = z.omit(LineInput, { lineId: true });

/** Lines that a price is asked for at once. */
const LINES_AT_MOST = 30;

export const Lines = z.array(AssistantLine).check(z.minLength(1), z.maxLength(LINES_AT_MOST));

/** Codes of coupons, as somebody says or types them. */
const Coupons = z.array(Id).check(z.maxLength(5));

/** What dishes cost with the best offer that a new customer gets; nothing is kept, so no price is held. */
export const estimate = endpoint({
  method: 'POST',
  path: '/assistant-service/ve1/estimates',
  access: 'open',
  feature,
  about: 'What dishes would cost at a store with the best offer; keeps nothing, and holds no price.',
  body: z.object({
    storeId: Id,
    deliveryType: DeliveryType,
    lines: Lines,
    /** Codes to apply beside the best offer. */
    coupons: z.optional(Coupons),
  }),
  reply: success({
    lines: z.array(CartLine),
    /** What cannot be sold as it was asked for, and why. */
    unavailable: z.array(
      z.object({ productId: z.string(), name: z.string(), reason: z.string(), alternativeId: z.optional(z.string()) }),
    ),
    bill: Bill,
    offers: z.array(Offer),
    minimum: z.object({ required: Price, missing: Price }),
  }),
});

/** What a program may do for a customer: price and place orders that they confirm, and read what they have saved. */
export const Scope = z.enum(['order', 'account']);
export type Scope = z.output<typeof Scope>;

/** A request for a login as a program has sent it to the authorisation endpoint (OAuth 2.1), word for word. */
const GrantRequest = z.object({
  /** An id that we gave, or the address of the program's own document. */
  client_id: text(300),
  redirect_uri: text(500),
  response_type: text(20),
  code_challenge: text(128),
  code_challenge_method: text(10),
  scope: z.optional(text(200)),
  state: z.optional(text(1_000)),
});

export const grant = endpoint({
  method: 'GET',
  path: '/assistant-service/ve1/grants',
  access: 'user',
  feature,
  about: 'Which program asks for what, and where the answer goes; error ASSISTANT_REQUEST.',
  query: GrantRequest,
  reply: success({
    /** What the program calls itself: it says nothing of who it is. */
    name: z.string(),
    /** The host that describes the program, where its id is an address: whoever has it vouches for the name. */
    describedAt: z.optional(z.string()),
    /** The host that hears the answer. */
    returnsTo: z.string(),
    scopes: z.array(Scope),
  }),
});
export const answer = endpoint({
  method: 'POST',
  path: '/assistant-service/ve1/grants',
  access: 'user',
  feature,
  isSecret: true,
  about: "The customer's yes or no to a program; the page goes on to `goTo`. Error ASSISTANT_REQUEST.",
  body: z.object({ request: GrantRequest, isAllowed: z.boolean() }),
  reply: success({ goTo: z.string() }),
});

/** What an assistant wants to order, how and whereto. */
export const Wish = z.object({
  storeId: Id,
  deliveryType: DeliveryType,
  lines: Lines,
  /** DELIVERY: one of the customer's saved addresses, or a whole one. */
  addressId: z.optional(Id),
  address: z.optional(AddressInput),
  /** CURB only. */
  vehicle: z.optional(Vehicle),
  /** DINEIN only. */
  table: z.optional(text(12)),
  /** A time slot of the store; absent: as soon as possible. */
  slotId: z.optional(Id),
  /** DELIVERY only; minor units. Nothing unless the customer has said so. */
  tip: z.optional(z.int().check(z.gte(0), z.lte(1_000_000))),
  cutlery: z.optional(z.boolean()),
  /** Codes that the customer has named, beside the best offer. One that cannot be used is refused, with why. */
  coupons: z.optional(Coupons),
  note: z.optional(text(200)),
});

/** OPEN: waits for its customer. ORDERED: they have confirmed it. OVER: its price holds no more, or another took its place. */
const QuoteState = z.enum(['OPEN', 'ORDERED', 'OVER']);

/** An order as its customer is shown it before they confirm it. */
const Quote = z.object({
  quoteId: z.string(),
  /** The first quote of those that took each other's place: what a program of the Universal Commerce Protocol knows. */
  checkoutId: z.string(),
  state: QuoteState,
  /** Whether nothing else has taken its place, and nobody has withdrawn it. */
  isCurrent: z.boolean(),
  /** What the program calls itself. */
  name: z.string(),
  storeId: z.string(),
  storeName: z.string(),
  deliveryType: DeliveryType,
  address: z.nullable(AddressInput),
  /** The named place at the position of the address, which is where it is brought, whatever the address says. */
  place: z.nullable(z.string()),
  slotId: z.nullable(z.string()),
  /** The time slot in words; null: as soon as possible. */
  slotLabel: z.nullable(z.string()),
  /** DINEIN only. */
  table: z.nullable(z.string()),
  /** CURB only. */
  vehicle: z.nullable(Vehicle),
  lines: z.array(CartLine),
  note: z.nullable(z.string()),
  /** Codes that the customer has named, as they named them. */
  coupons: z.array(z.string()),
  bill: Bill,
  /** What keeps it from being ordered now. */
  problems: z.array(ApiError),
  modes: z.array(z.object({ id: PaymentMode, label: z.string(), disabledReason: z.optional(z.string()) })),
  deliveryMinutes: z.object({ from: z.number(), to: z.number() }),
  /** Until when it can be confirmed, epoch ms. */
  endsAt: z.number(),
  /** Until when and how it can be cancelled once it is ordered, in words. */
  cancelRule: z.string(),
  /** Of the terms that its customer accepts. */
  termsVersion: z.string(),
  orderId: z.nullable(z.string()),
});
export type Quote = z.output<typeof Quote>;

/** A customer has one open quote: the next one takes its place, whatever program asks. */
export const quote = endpoint({
  method: 'POST',
  path: '/assistant-service/ve1/quotes',
  access: 'user',
  feature,
  about:
    'Prepares an order that its customer confirms on a page of ours; by the program of an assistant alone. Errors ASSISTANT_ONLY, COUPON_REJECTED, NOT_FOUND, QUOTE_OVER, TOO_MANY, and those of the cart.',
  body: z.extend(Wish, {
    /** The checkout that it goes on with; absent, as it opens one. */
    checkoutId: z.optional(Id),
  }),
  reply: success({ quote: Quote }),
});
export const checkout = endpoint({
  method: 'GET',
  path: '/assistant-service/ve1/checkouts/{checkoutId}',
  access: 'user',
  feature,
  about: 'The last quote of a checkout, priced now; error NOT_FOUND.',
  reply: success({ quote: Quote }),
});
export const withdraw = endpoint({
  method: 'POST',
  path: '/assistant-service/ve1/checkouts/{checkoutId}/withdraw',
  access: 'user',
  feature,
  about: 'Ends a checkout that nobody has confirmed; errors NOT_FOUND, QUOTE_OVER where it is ordered.',
  reply: success({ quote: Quote }),
});
export const quoteById = endpoint({
  method: 'GET',
  path: '/assistant-service/ve1/quotes/{quoteId}',
  access: 'user',
  feature,
  about: 'An order that waits for its customer, priced now; error NOT_FOUND.',
  reply: success({ quote: Quote }),
});
/** Twice is once: one quote makes one order, whatever the key. */
export const confirm = endpoint({
  method: 'POST',
  path: '/assistant-service/ve1/quotes/{quoteId}/confirm',
  access: 'user',
  feature,
  idempotent: true,
  about:
    "The customer's own yes on our page: places the order. Errors NOT_FOUND, QUOTE_OVER, PAYMENT_MODE, TOO_MANY, CUSTOMER_ONLY for an assistant, and those of submit.",
  body: z.object({
    /** Who receives it; absent, as in the profile. */
    customer: z.optional(z.object({ firstName: text(60), lastName: text(60) })),
    paymentMode: PaymentMode,
    /** The total that the customer saw. */
    total: z.int(),
    /** The customer was asked and wants a second order within 30 minutes. */
    allowDuplicate: z.optional(z.boolean()),
    termsAccepted: z.boolean(),
    /** Those that the customer was shown. */
    termsVersion: z.optional(text(20)),
  }),
  reply: success({ order: OrderView, next: PaymentStep }),
});

import * as z from 'zod/mini';
import { AddressInput } from './addresses.ts';
import { Bill, CartLine } from './cart.ts';
import { endpoint } from './endpoint.ts';
import { Funds, FundsChoice, FundsPart, FundsWish } from './funds.ts';
import { GroupShares } from './shares.ts';
import { DeliveryType, Id, OrderStatus, PaymentMode, text } from './names.ts';
import { PaymentStep, PaymentView } from './payments.ts';
import { Price } from './price.ts';
import { ApiError, success } from './reply.ts';
import { Store } from './stores.ts';

/** Curbside: mandatory there (specification section 5). */
export const Vehicle = z.object({
  colour: text(30).check(z.minLength(1)),
  model: text(40).check(z.minLength(1)),
  lastFourDigits: text(8).check(z.regex(/^\d{4}$/)),
});
export type Vehicle = z.output<typeof Vehicle>;

export const Customer = z.object({
  firstName: text(60).check(z.minLength(1)), lastName: text(60), mobile: text(24), email: z.optional(text(120)),
});
export type Customer = z.output<typeof Customer>;

const Where = {
  cartId: Id,
  storeId: Id,
  deliveryType: DeliveryType,
  /** DELIVERY only. */
  address: z.optional(z.nullable(AddressInput)),
  /** CURB only. */
  vehicle: z.optional(z.nullable(Vehicle)),
  /** DINEIN only. */
  table: z.optional(z.nullable(text(12))),
  /** A slot id of the store; absent means as soon as possible. */
  slotId: z.optional(z.nullable(Id)),
};

/** All problems at once; `quote` is the bill as it will be charged, locked for ten minutes. */
export const validations = endpoint({
  method: 'POST', path: '/order-service/ve3/orders/validations', about: 'Checks a cart before payment and locks its price.',
  body: z.object({ ...Where, customer: z.optional(z.nullable(Customer)), paymentMode: z.optional(PaymentMode), cardToken: z.optional(text(100)), ...FundsChoice }),
  reply: success({
    problems: z.array(ApiError),
    /** What the wallet or e-vouchers would pay of this bill, and what is left. */
    funds: Funds,
    quote: z.object({ cartVersion: z.number(), bill: Bill, lockedUntil: z.number() }),
    /** Payment modes with why one is not possible now. */
    modes: z.array(z.object({ id: PaymentMode, label: z.string(), disabledReason: z.optional(z.string()) })),
    deliveryMinutes: z.object({ from: z.number(), to: z.number() }),
  }),
});
export const checkDuplicate = endpoint({
  method: 'POST', path: '/order-service/ve3/orders/checkDuplicateOrder', about: 'Did this customer place an order in the last 30 minutes?',
  body: z.object({ cartId: Id }),
  reply: success({ isDuplicate: z.boolean(), orderId: z.optional(z.string()), message: z.optional(z.string()) }),
});

/** Epoch ms: `rate` of the orders arrive between the two. `moved`: by how much and why it is not what was said first. */
export const Eta = z.object({ from: z.number(), to: z.number(), rate: z.number(), reason: z.string(), moved: z.optional(z.string()) });

/** One per step of the life, done ones with their time. */
export const OrderStep = z.object({ id: z.string(), label: z.string(), at: z.nullable(z.number()), state: z.enum(['done', 'current', 'next']) });

/** Shown beside the status, not instead of it. */
export const ServiceLabel = z.enum(['DELIVERY', 'TAKEAWAY', 'IRCTC', 'DINE-IN', 'CURBSIDE PICKUP']);

export const OrderView = z.object({
  orderId: z.string(),
  /** Short and spoken aloud, for example 4821. */
  orderNumber: z.string(),
  orderType: DeliveryType,
  serviceLabel: ServiceLabel,
  orderStatus: OrderStatus,
  /** CONFIRMED, PREP, BAKE, QC, READY while in process. */
  stage: z.optional(z.string()),
  transactionId: z.string(),
  transactionReferenceId: z.string(),
  placedAt: z.number(),
  scheduledFor: z.optional(z.number()),
  store: Store,
  address: z.nullable(AddressInput),
  vehicle: z.nullable(Vehicle),
  table: z.nullable(z.string()),
  customer: Customer,
  lines: z.array(CartLine),
  bill: Bill,
  payment: PaymentView,
  /** What the wallet or e-vouchers paid; `payment` asks for the rest. */
  parts: z.optional(z.array(FundsPart)),
  steps: z.array(OrderStep),
  /** Epoch ms. */
  eta: z.nullable(Eta),
  promise: z.nullable(z.object({
    deadline: z.number(), state: z.enum(['running', 'kept', 'missed']), credit: z.optional(Price),
    /** How the credit was paid: back to the payment's source between two instants, as that much less at the door, or to the wallet or e-voucher. */
    paid: z.optional(z.discriminatedUnion('way', [
      z.object({ way: z.literal('REFUND'), state: z.enum(['STARTED', 'PAID']), expectedFrom: z.number(), expectedTo: z.number() }),
      z.object({ way: z.literal('DOOR') }),
      z.object({ way: z.literal('WALLET') }),
    ])),
  })),
  /** Why a delivery has no promise: a bulk order, or one for later. */
  noPromise: z.optional(z.string()),
  /** What the rider was told: chosen instructions in words, and the customer's own. */
  instructions: z.array(z.string()),
  note: z.nullable(z.string()),
  /** Only while the rider is on the way: a first name, and the store's number that connects without showing either one's. */
  rider: z.nullable(z.object({ name: z.string(), phone: z.string(), notesLeft: z.number() })),
  /** To collect: the customer has said to be there. */
  arrival: z.nullable(z.object({ at: z.number(), bay: z.nullable(z.string()) })),
  cancel: z.object({ possible: z.boolean(), until: z.nullable(z.number()), rule: z.string() }),
  handOverCode: z.optional(z.string()),
  /** FAILED orders that were not given up: when to try again (15 minutes), epoch ms. */
  retryAt: z.optional(z.number()),
  /** A group order: what each one's part came to. */
  group: z.optional(GroupShares),
  refund: z.nullable(z.object({
    amount: Price, state: z.enum(['STARTED', 'PAID']), startedAt: z.number(), expectedFrom: z.number(), expectedTo: z.number(), /** When it arrived. */ paidAt: z.nullable(z.number()),
  })),
});
export type OrderView = z.output<typeof OrderView>;

/** One key, one order: the same key with the same body answers the same bytes (reference: reliability I5). */
export const submit = endpoint({
  method: 'POST', path: '/order-service/ve3/orders/submit', aliases: ['/order-service/ve4/orders/submit'], idempotent: true,
  about: 'Places an order and starts its payment; errors CART_CHANGED, DUPLICATE_ORDER, PRICE_CHANGED, 2.STORENA and each problem of validations.',
  body: z.object({
    ...Where, customer: Customer, paymentMode: PaymentMode,
    cartVersion: z.int(),
    /** The total that was shown; another one is refused with PRICE_CHANGED. */
    total: z.int(),
    instructions: z.optional(z.array(Id).check(z.maxLength(10))),
    note: z.optional(text(200)),
    /** The customer was asked and wants a second order within 30 minutes. */
    allowDuplicate: z.optional(z.boolean()),
    termsAccepted: z.boolean(),
    /** CARD: token of the hosted fields. */
    cardToken: z.optional(text(100)),
    /** As shown by the validations; a balance that does not hold it any more is refused with WALLET_LOW or EGV_LOW. */
    funds: z.optional(FundsWish),
    /** PAYTM: from the wallet that is linked to this account. */
    linked: z.optional(z.boolean()),
  }),
  reply: success({ order: OrderView, next: PaymentStep }),
});
/** Asks the provider server to server what became of the payment and moves the order accordingly. */
export const confirm = endpoint({
  method: 'POST', path: '/order-service/ve3/orders/confirm', about: 'Settles an order with the payment provider now.',
  body: z.object({ orderId: Id, transactionId: Id }), reply: success({ order: OrderView, next: z.nullable(PaymentStep) }),
});
export const byId = endpoint({
  method: 'GET', path: '/order-service/ve3/orders/{orderId}', about: 'One order of this customer.', reply: success({ order: OrderView }),
});
export const cancel = endpoint({
  method: 'POST', path: '/order-service/ve3/orders/{orderId}/cancel', about: 'Cancels within the rule shown with the order; error CANCEL_TOO_LATE.', idempotent: true,
  reply: success({ order: OrderView }),
});
/** Curbside and counter: "I am here". */
export const arrived = endpoint({
  method: 'POST', path: '/order-service/ve4/orders', about: 'Pickup confirm: the customer is at the store.',
  body: z.object({ orderId: Id, bay: z.optional(text(10)) }), reply: success({ order: OrderView }),
});
/** Newest first; what a relaunched page asks before it offers anything else. */
export const recent = endpoint({
  method: 'GET', path: '/order-service/ve1/orders/recent', about: 'Unfinished and recent orders of this session.',
  reply: success({ orders: z.array(OrderView) }),
});
/** By the client's own idempotency key: what became of a submit whose answer was lost. */
export const byKey = endpoint({
  method: 'GET', path: '/order-service/ve3/orders/intent/{key}', about: 'The order an idempotency key made; error NOT_FOUND if none.',
  reply: success({ order: OrderView, next: z.nullable(PaymentStep) }),
});
/** Makes sure that a submit whose answer was lost is no order: either it is one already, or its key is worth nothing from now on. */
export const withdraw = endpoint({
  method: 'POST', path: '/order-service/ve3/orders/intent/{key}', about: 'The order a key made, or none for ever: a submit that comes later is refused with WITHDRAWN.',
  reply: success({ order: z.nullable(OrderView), next: z.nullable(PaymentStep) }),
});
export const instructions = endpoint({
  method: 'GET', path: '/order-service/ve1/delivery-instructions', access: 'open', about: 'Instructions for the rider to choose from.',
  reply: success({ instructions: z.array(z.object({ id: z.string(), label: z.string() })) }),
});

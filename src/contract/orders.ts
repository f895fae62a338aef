import * as z from 'zod/mini';
import { AddressInput } from './addresses.ts';
import { Bill, CartLine } from './cart.ts';
import { endpoint } from './endpoint.ts';
import { Funds, FundsChoice, FundsPart, FundsWish } from './funds.ts';
import { GroupShares } from './shares.ts';
import { DeliveryType, Id, OrderStatus, PaymentMode, Position, ServiceCode, text, TypedEmail } from './names.ts';
import { PaymentStep, PaymentView } from './payments.ts';
import { Price } from './price.ts';
import { ApiError, success } from './reply.ts';
import { Store, Takes } from './stores.ts';
import { TrainOrder } from './trainOrder.ts';

/** Required for curbside pickup (specification section 5). */
export const Vehicle = z.object({
  colour: text(30).check(z.minLength(1)),
  model: text(40).check(z.minLength(1)),
  lastFourDigits: text(8).check(z.regex(/^\d{4}$/)),
});
export type Vehicle = z.output<typeof Vehicle>;

/** All empty in an order that is too old to say whose it was; its address is null then. */
export const Customer = z.object({
  firstName: text(60),
  lastName: text(60),
  mobile: text(24),
  email: z.optional(TypedEmail),
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
  /** A slot id of the store; absent or null means as soon as possible. */
  slotId: z.optional(z.nullable(Id)),
  /** A saved train order (contract/trains.ts): DELIVERY, to its station and at its time; without address and slot. */
  train: z.optional(z.nullable(Id)),
};

/** Reports all problems at once. `quote` is the bill that will be charged, locked for ten minutes. */
export const validations = endpoint({
  method: 'POST',
  path: '/order-service/ve3/orders/validations',
  about: 'Checks a cart before payment and locks its price.',
  body: z.object({
    ...Where,
    /** DELIVERY only: where it is brought to while its address is not whole, for `deliveryMinutes` alone. */
    near: z.optional(Position),
    customer: z.optional(z.nullable(Customer)),
    paymentMode: z.optional(PaymentMode),
    cardToken: z.optional(text(100)),
    ...FundsChoice,
  }),
  reply: success({
    problems: z.array(ApiError),
    /** How much of this bill the wallet or e-vouchers would pay, and what is left. */
    funds: Funds,
    /** `lockedUntil`: so long this price is good, epoch ms; absent while a dish cannot be sold, and so nothing ordered. */
    quote: z.object({ cartVersion: z.number(), bill: Bill, lockedUntil: z.optional(z.number()) }),
    /** Payment modes; `disabledReason` says why one cannot be used now. */
    modes: z.array(z.object({ id: PaymentMode, label: z.string(), disabledReason: z.optional(z.string()) })),
    /** What the store takes of this type, whatever time is chosen; `deliveryMinutes` are a promise where it is 'now'. */
    takes: Takes,
    deliveryMinutes: z.object({ from: z.number(), to: z.number() }),
    /** Version of the current terms (contract/documents.ts); sent back when the customer accepts them. */
    termsVersion: z.string(),
  }),
});
export const checkDuplicate = endpoint({
  method: 'POST',
  path: '/order-service/ve3/orders/checkDuplicateOrder',
  about: 'Did this customer place an order in the last 30 minutes?',
  body: z.object({ cartId: Id }),
  reply: success({ isDuplicate: z.boolean(), orderId: z.optional(z.string()), message: z.optional(z.string()) }),
});

/**
 * Expected arrival, epoch ms: the share `rate` (0 to 1) of orders arrives between `from` and `to`. `moved` says by how
 * much and why it differs from what was said first.
 */
export const Eta = z.object({
  from: z.number(),
  to: z.number(),
  rate: z.number(),
  reason: z.string(),
  moved: z.optional(z.string()),
});

/** One step of the order's progress; steps that are done have their time (epoch ms). */
export const OrderStep = z.object({
  id: z.string(),
  label: z.string(),
  at: z.nullable(z.number()),
  state: z.enum(['done', 'current', 'next']),
});

/** Shown beside the status, not instead of it. */
export const ServiceLabel = z.enum(['DELIVERY', 'TAKEAWAY', 'IRCTC', 'DINE-IN', 'CURBSIDE PICKUP']);

export const OrderView = z.object({
  orderId: z.string(),
  /** A short number to say aloud, for example 4821. */
  orderNumber: z.string(),
  orderType: DeliveryType,
  serviceCode: ServiceCode,
  serviceLabel: ServiceLabel,
  orderStatus: OrderStatus,
  /** While INPROCESS: CONFIRMED, PREP, BAKE, QC or READY. */
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
  /** What the wallet or e-vouchers paid; `payment` is for the rest. */
  parts: z.optional(z.array(FundsPart)),
  steps: z.array(OrderStep),
  /** Epoch ms. */
  eta: z.nullable(Eta),
  /**
   * A delivery's way from the store to the door, until it has arrived: kilometres and minutes that are left, and how
   * much of it the rider has covered, 0 to 1; null while the rider has not left.
   */
  way: z.nullable(z.object({ km: z.number(), minutes: z.number(), progress: z.nullable(z.number()) })),
  promise: z.nullable(
    z.object({
      deadline: z.number(),
      state: z.enum(['running', 'kept', 'missed']),
      credit: z.optional(Price),
      /**
       * How the credit was paid. REFUND: back to the source of the payment, to arrive between two instants (epoch ms).
       * DOOR: that much less to pay at the door. WALLET: to the wallet or e-voucher.
       */
      paid: z.optional(
        z.discriminatedUnion('way', [
          z.object({
            way: z.literal('REFUND'),
            state: z.enum(['STARTED', 'PAID']),
            expectedFrom: z.number(),
            expectedTo: z.number(),
          }),
          z.object({ way: z.literal('DOOR') }),
          z.object({ way: z.literal('WALLET') }),
        ]),
      ),
    }),
  ),
  /** Why a delivery has no promise: it is a bulk order, or one for later. */
  noPromise: z.optional(z.string()),
  /** Instructions for the rider: the chosen ones, in words. */
  instructions: z.array(z.string()),
  note: z.nullable(z.string()),
  /** True where the customer asked for cutlery and napkins; absent where they did not. */
  cutlery: z.optional(z.boolean()),
  /**
   * Only while the rider is on the way: a first name, and a number of the store that connects both without showing
   * either one's own.
   */
  rider: z.nullable(z.object({ name: z.string(), phone: z.string(), notesLeft: z.number() })),
  /** Orders to collect: the customer has said "I am here". */
  arrival: z.nullable(z.object({ at: z.number(), bay: z.nullable(z.string()) })),
  /** Version of the terms that the customer accepted. */
  termsVersion: z.optional(z.string()),
  cancel: z.object({ possible: z.boolean(), until: z.nullable(z.number()), rule: z.string() }),
  handOverCode: z.optional(z.string()),
  /** An order to a train: where the train is, and what is asked. */
  train: z.optional(TrainOrder),
  /** FAILED orders that the customer did not give up: when to try again (15 minutes), epoch ms. */
  retryAt: z.optional(z.number()),
  /** A group order: what each person owes. */
  group: z.optional(GroupShares),
  refund: z.nullable(
    z.object({
      amount: Price,
      state: z.enum(['STARTED', 'PAID']),
      startedAt: z.number(),
      expectedFrom: z.number(),
      expectedTo: z.number(),
      /** When it arrived. */ paidAt: z.nullable(z.number()),
    }),
  ),
});
export type OrderView = z.output<typeof OrderView>;

/**
 * One key makes one order: repeating it with the same body gives exactly the same reply (reference: reliability I5).
 */
export const submit = endpoint({
  method: 'POST',
  path: '/order-service/ve3/orders/submit',
  aliases: ['/order-service/ve4/orders/submit'],
  idempotent: true,
  about:
    'Places an order and starts its payment; errors CART_CHANGED, DUPLICATE_ORDER, PRICE_CHANGED, 2.STORENA and each problem of validations.',
  body: z.object({
    ...Where,
    customer: Customer,
    paymentMode: PaymentMode,
    cartVersion: z.int(),
    /** The total that the customer saw; if it is no longer right, the order is refused with PRICE_CHANGED. */
    total: z.int(),
    instructions: z.optional(z.array(Id).check(z.maxLength(10))),
    note: z.optional(text(200)),
    /** The customer was asked and wants a second order within 30 minutes. */
    allowDuplicate: z.optional(z.boolean()),
    termsAccepted: z.boolean(),
    /** Version of the terms that the customer saw; an outdated one is refused with TERMS. The order keeps it. */
    termsVersion: z.optional(text(20)),
    /** CARD: the token of the card. */
    cardToken: z.optional(text(100)),
    /**
     * The amounts that the validations showed; if a balance is now too low, the order is refused with WALLET_LOW or
     * EGV_LOW.
     */
    funds: z.optional(FundsWish),
    /** Pay from the provider's wallet that is linked to this account; possible for the modes in `linkable`. */
    linked: z.optional(z.boolean()),
    /** The bank or service, one of the mode's `choices`; the payment then begins at its page. */
    paymentChoice: z.optional(Id),
  }),
  reply: success({ order: OrderView, next: PaymentStep }),
});
/** Asks the payment provider for the result of a payment and moves the order accordingly. */
export const confirm = endpoint({
  method: 'POST',
  path: '/order-service/ve3/orders/confirm',
  about: 'Settles an order with the payment provider now.',
  body: z.object({ orderId: Id, transactionId: Id }),
  reply: success({ order: OrderView, next: z.nullable(PaymentStep) }),
});
export const byId = endpoint({
  method: 'GET',
  path: '/order-service/ve3/orders/{orderId}',
  about: 'One order of this customer.',
  reply: success({ order: OrderView }),
});
/**
 * The invoice and the credit notes of an order that was handed over; 400 INVOICE_NOT_YET or NO_INVOICE before that and
 * without that. `wiOid` is the order's number; a number or type that is not the order's gives NOT_FOUND.
 */
export const download = endpoint({
  method: 'GET',
  path: '/order-service/ve3/orders/{orderId}/download',
  aliases: ['/order-service/ve1/orders/{orderId}/download'],
  about: 'The invoice of an order as PDF.',
  query: z.object({ wiOid: z.optional(Id), orderType: z.optional(DeliveryType) }),
  reply: z.string(),
  file: 'application/pdf',
});
export const cancel = endpoint({
  method: 'POST',
  path: '/order-service/ve3/orders/{orderId}/cancel',
  about: 'Cancels within the rule shown with the order; error CANCEL_TOO_LATE.',
  idempotent: true,
  reply: success({ order: OrderView }),
});
/** What the rider reads with the order. After the rider has left there are messages (contract/tracking.ts). */
export const changeNote = endpoint({
  method: 'PUT',
  path: '/order-service/ve3/orders/{orderId}/note',
  about:
    'Changes the note of an order until it leaves the store; an empty text takes it away. Errors NOT_FOUND, NOTE_LATE.',
  body: z.object({ note: text(200) }),
  reply: success({ order: OrderView }),
});
/** Curbside and counter: the customer says "I am here". */
export const arrived = endpoint({
  method: 'POST',
  path: '/order-service/ve4/orders',
  about: 'Pickup confirm: the customer is at the store.',
  body: z.object({ orderId: Id, bay: z.optional(text(10)) }),
  reply: success({ order: OrderView }),
});
/** Newest first. A reloaded page asks this before it offers anything else. */
export const recent = endpoint({
  method: 'GET',
  path: '/order-service/ve1/orders/recent',
  about: 'Unfinished and recent orders of this session.',
  reply: success({ orders: z.array(OrderView) }),
});
/** The result of a submit whose reply was lost, by the client's own idempotency key. */
export const byKey = endpoint({
  method: 'GET',
  path: '/order-service/ve3/orders/intent/{key}',
  about: 'The order an idempotency key made; error NOT_FOUND if none.',
  reply: success({ order: OrderView, next: z.nullable(PaymentStep) }),
});
/**
 * Makes sure that a submit whose reply was lost cannot become an order later: either it is one already, or its key is
 * refused from now on.
 */
export const withdraw = endpoint({
  method: 'POST',
  path: '/order-service/ve3/orders/intent/{key}',
  about: 'The order a key made, or none for ever: a submit that comes later is refused with WITHDRAWN.',
  reply: success({ order: z.nullable(OrderView), next: z.nullable(PaymentStep) }),
});
export const instructions = endpoint({
  method: 'GET',
  path: '/order-service/ve1/delivery-instructions',
  access: 'open',
  about: 'Instructions for the rider to choose from.',
  reply: success({ instructions: z.array(z.object({ id: z.string(), label: z.string() })) }),
});

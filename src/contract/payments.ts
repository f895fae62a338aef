import * as z from 'zod/mini';
import { Bill } from './cart.ts';
import { endpoint } from './endpoint.ts';
import { Flag, Id, PaymentMode, text } from './names.ts';
import { Price } from './price.ts';
import { ApiError, success } from './reply.ts';

/** Only the server changes these: created, at the host, unknown, captured, failed, refunded (product.md 3.2). */
export const PaymentState = z.enum([
  'CREATED',
  'OTP_NEEDED',
  'SENT',
  'UNKNOWN',
  'CAPTURED',
  'DUE_AT_DOOR',
  'FAILED',
  'REFUNDED',
]);
export type PaymentState = z.output<typeof PaymentState>;

export const PaymentView = z.object({
  transactionId: z.string(),
  mode: PaymentMode,
  label: z.string(),
  amount: Price,
  state: PaymentState,
  /** When this attempt began, epoch ms. */
  startedAt: z.number(),
  /** Whether the customer may safely pay again. */
  mayPayAgain: z.boolean(),
  /** Until when an unknown payment is followed up, epoch ms; then it counts as failed and is refunded. */
  settlesBy: z.nullable(z.number()),
  /** Failed without a final answer from the provider about the money: it may have been taken, and is then returned. */
  isGivenUp: z.boolean(),
});
export type PaymentView = z.output<typeof PaymentView>;

/** What the page must do next. */
export const PaymentStep = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('none') }),
  /**
   * Cash that needs a code; the code goes to the mobile number of the order. False: none was sent with the order, since
   * a proof of work is wanted first or there are no more just now, so the page has to ask for one.
   */
  z.object({
    kind: z.literal('cod-otp'),
    transactionId: z.string(),
    mobile: z.string(),
    sent: z.optional(z.boolean()),
  }),
  /** In a browser: a UPI link and a QR code of it, or a request to the customer's UPI id. */
  z.object({
    kind: z.literal('upi'),
    transactionId: z.string(),
    link: z.string(),
    expiresAt: z.number(),
    /** Embedded bank only: a page that stands in for the customer's UPI app (a path below the API's prefix). */
    payerUrl: z.optional(z.string()),
  }),
  /**
   * The provider's payment page (a path: below the API's prefix). It returns to `<returnpath
   * header>payment/<orderId>?transactionId=`.
   */
  z.object({
    kind: z.literal('redirect'),
    transactionId: z.string(),
    paymentUrl: z.string(),
    expiresAt: z.number(),
    /**
     * Set if the page belongs to a payment app: its name, and the path of our screen shown before it. Otherwise the
     * page is the bank's.
     */
    app: z.optional(z.object({ name: z.string(), path: z.string() })),
  }),
  /** Paid inside a host: the host's server part passes `details` to its bridge, and nothing in between reads them. */
  z.object({
    kind: z.literal('host'),
    transactionId: z.string(),
    amount: Price,
    transactionReferenceId: z.string(),
    expiresAt: z.number(),
    details: z.record(z.string(), z.string()),
  }),
  /** Somebody else pays: the token of the link that the customer sends (contract/paylinks.ts). */
  z.object({ kind: z.literal('link'), transactionId: z.string(), token: z.string(), expiresAt: z.number() }),
  /** From a wallet linked to this account: once the customer confirms, the redeem call takes the money. */
  z.object({
    kind: z.literal('linked'),
    transactionId: z.string(),
    provider: z.string(),
    label: z.string(),
    amount: Price,
    expiresAt: z.number(),
  }),
]);
export type PaymentStep = z.output<typeof PaymentStep>;

/** A bank, a mobile money service or a UPI app, chosen on our own page. */
export const PaymentChoice = z.object({
  id: Id,
  label: z.string(),
  /** Shown at once; the others are searched. */
  isPopular: z.boolean(),
  /** UPI: opens this one app, with the query of the UPI link behind it. */
  link: z.optional(z.string()),
});
export type PaymentChoice = z.output<typeof PaymentChoice>;

export const PaymentOption = z.object({
  id: PaymentMode,
  label: z.string(),
  /** What it is called where nothing is delivered: cash is then paid at the counter, the car or the table. */
  labels: z.optional(z.object({ PICKUP: z.string(), CURB: z.string(), DINEIN: z.string() })),
  about: z.string(),
  /** The most this mode can pay, in minor units; cash has such a limit. */
  maxAmount: z.optional(Price),
  /** Banks, services or apps of this mode. */
  choices: z.optional(z.array(PaymentChoice)),
  /** Why nothing can be paid in this mode at present: whoever takes the money does not answer. */
  disabledReason: z.optional(z.string()),
});
export type PaymentOption = z.output<typeof PaymentOption>;

/** The options with the names that they have for a way of receiving the food (`DeliveryType`). */
export const optionsNamed = (options: readonly PaymentOption[], type: string): PaymentOption[] =>
  options.map((option) => ({ ...option, label: option.labels?.[type as 'PICKUP'] ?? option.label }));

/** The bank's page with the fields for a card, shown in a frame; there if a card can be paid with. */
export const CardFieldsAddress = z.optional(z.string());

/** Inside a host, only the partner's own mode. */
export const options = endpoint({
  method: 'GET',
  path: '/payment-service/ve2/options/default',
  aliases: ['/payment-service/ve1/options/default'],
  about: 'Payment modes of this country and host.',
  reply: success({
    options: z.array(PaymentOption),
    /** Balances that can pay all or part of an order here, together with one of the modes. */
    funds: z.array(z.object({ id: z.enum(['WALLET', 'EGV']), label: z.string() })),
    /** Modes that can also be paid from a linked wallet. */
    linkable: z.array(PaymentMode),
    cardFields: CardFieldsAddress,
  }),
});
export const lastSuccessful = endpoint({
  method: 'GET',
  path: '/payment-service/ve5/payment/options/lastSuccessful',
  aliases: [
    '/payment-service/ve1/payment/options/lastSuccessful',
    '/payment-service/ve2/payment/options/lastSuccessful',
  ],
  about: 'The mode this customer last paid with.',
  reply: success({ mode: z.nullable(PaymentMode) }),
});
/** Without a code, POST sends one (again); with a code, it checks it and places the order. */
export const codOtp = endpoint({
  method: 'POST',
  path: '/payment-service/ve1/orders/{transactionId}/otp',
  about: 'One-time code for cash; errors as for login codes.',
  body: z.object({ code: z.optional(text(12)) }),
  reply: success({
    sent: z.boolean(),
    verified: z.boolean(),
    expiresInSeconds: z.number(),
    resendInSeconds: z.number(),
  }),
});
/** While the payment is unknown, the page asks after 2, 4, 8 and 15 s and then every 30 s. */
export const status = endpoint({
  method: 'GET',
  path: '/jfl-payment-aggregator/ve1/payment/transaction-status',
  about: 'What the server knows of a payment.',
  query: z.object({ transactionId: Id }),
  reply: success({ payment: PaymentView, orderId: z.string(), orderStatus: z.string() }),
});
export const transaction = endpoint({
  method: 'GET',
  path: '/order-service/ve3/orders/transaction/{transactionId}',
  aliases: ['/order-service/ve4/orders/transaction/{transactionId}'],
  about: 'A transaction.',
  reply: success({ payment: PaymentView, orderId: z.string(), next: z.nullable(PaymentStep) }),
});
/**
 * Another payment attempt for the same order, only after the last one has failed for certain (otherwise 409
 * PAYMENT_UNKNOWN).
 */
export const retry = endpoint({
  method: 'POST',
  path: '/order-service/ve3/orders/transaction/',
  aliases: ['/order-service/ve4/orders/transaction/'],
  idempotent: true,
  about: 'Another payment attempt for an unpaid order.',
  body: z.object({
    orderId: Id,
    paymentMode: PaymentMode,
    cardToken: z.optional(text(100)),
    linked: z.optional(z.boolean()),
    paymentChoice: z.optional(Id),
  }),
  reply: success({ payment: PaymentView, next: PaymentStep }),
});
const promoQuery = z.object({
  /** How to pay the new attempt; absent means like the last one. */
  paymentMode: z.optional(PaymentMode),
  cardToken: z.optional(text(100)),
  paymentChoice: z.optional(Id),
  /** Only shows what would happen; changes nothing. */
  look: z.optional(Flag),
});
/**
 * As on a cart, a code that does not fit is a normal reply, not an error. `payment` is the new attempt; absent if
 * `look` was given.
 */
const PromoReply = z.object({
  status: z.enum(['SUCCESS', 'FAILED']),
  errors: z.optional(z.array(ApiError)),
  /** The order's total before and after this change. */
  total: z.optional(z.object({ before: Price, after: Price })),
  bill: z.optional(Bill),
  payment: z.optional(PaymentView),
  next: z.optional(PaymentStep),
});
/**
 * Applies a code to an order that is not paid yet: its bill changes, and a new attempt for the new total replaces the
 * old one.
 */
export const applyPromo = endpoint({
  method: 'POST',
  path: '/order-service/ve3/orders/transaction/{transactionId}/promo/{promo}',
  aliases: ['/order-service/ve4/orders/transaction/{transactionId}/promo/{promo}'],
  idempotent: true,
  about: 'Applies a code to an unpaid transaction; errors PAYMENT_UNKNOWN, ALREADY_PAID, PROMO_FIXED.',
  query: promoQuery,
  reply: PromoReply,
});
export const removePromo = endpoint({
  method: 'DELETE',
  path: '/order-service/ve3/orders/transaction/{transactionId}/promo/{promo}',
  aliases: ['/order-service/ve4/orders/transaction/{transactionId}/promo/{promo}'],
  idempotent: true,
  about: 'Takes a code off an unpaid transaction, for example because it needs a payment mode that failed.',
  query: promoQuery,
  reply: PromoReply,
});
/** UPI collect: the provider sends a request to the customer's UPI app. */
export const upiCollect = endpoint({
  method: 'POST',
  path: '/payment-service/ve1/orders/{transactionId}/upi',
  about: 'Sends a collect request to a UPI id; errors INVALID_VPA, and TOO_MANY for whoever asks without end.',
  body: z.object({ vpa: text(80) }),
  reply: success({ payment: PaymentView }),
});
/**
 * The card was typed into the bank's own fields, and only their token comes here; the reply is a token for one checkout
 * with the last four digits.
 */
export const cardToken = endpoint({
  method: 'POST',
  path: '/payment-service/ve1/card/submit',
  isSecret: true,
  about: "Takes over a card that was typed into the bank's fields, by their token; error CARD_TOKEN.",
  body: z.object({ token: text(400) }),
  reply: success({ token: z.string(), lastFour: z.string(), bin: z.string(), brand: z.string() }),
});
/** A host's receipt is no proof of the money, but its signature says that the customer must not be asked to pay again. */
export const receipt = endpoint({
  method: 'POST',
  path: '/payment-service/ve1/orders/{transactionId}/receipt',
  about: 'What a payment app has given to the page about a payment, as JSON text; judged by its signature.',
  body: z.object({ receipt: text(20_000) }),
  reply: success({ payment: PaymentView }),
});
export const chargeStatus = endpoint({
  method: 'GET',
  path: '/payment-service/ve1/card/{transactionId}/status',
  about: 'What became of a card charge.',
  reply: success({ payment: PaymentView }),
});

import * as z from 'zod/mini';
import { Bill } from './cart.ts';
import { endpoint } from './endpoint.ts';
import { Id, PaymentMode, text } from './names.ts';
import { Price } from './price.ts';
import { ApiError, success } from './reply.ts';

/** Only the server moves these: created, at the host, unknown, captured, failed, refunded (product.md 3.2). */
export const PaymentState = z.enum(['CREATED', 'OTP_NEEDED', 'SENT', 'UNKNOWN', 'CAPTURED', 'DUE_AT_DOOR', 'FAILED', 'REFUNDED']);
export type PaymentState = z.output<typeof PaymentState>;

export const PaymentView = z.object({
  transactionId: z.string(),
  mode: PaymentMode,
  label: z.string(),
  amount: Price,
  state: PaymentState,
  /** Whether the customer may safely pay again. */
  mayPayAgain: z.boolean(),
  /** Epoch ms until when an unknown payment is looked after; then it is failed and refunded. */
  settlesBy: z.nullable(z.number()),
  /** Failed without the provider's last word: money may have left the account, and then comes back. */
  isGivenUp: z.boolean(),
});
export type PaymentView = z.output<typeof PaymentView>;

/** What the page has to do now. */
export const PaymentStep = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('none') }),
  /** Cash of a guest: a code is sent to the mobile of the order. */
  z.object({ kind: z.literal('cod-otp'), transactionId: z.string(), mobile: z.string() }),
  /** Browser: intent link and QR of the same string, or collect by UPI id. */
  z.object({
    kind: z.literal('upi'), transactionId: z.string(), link: z.string(), expiresAt: z.number(),
    /** Embedded bank only: a page that stands in for the customer's UPI app (a path below the API's prefix). */
    payerUrl: z.optional(z.string()),
  }),
  /** Hosted page of the provider (a path: below the API's prefix); comes back to `<returnpath header>payment/<orderId>?transactionId=`. */
  z.object({ kind: z.literal('redirect'), transactionId: z.string(), paymentUrl: z.string(), expiresAt: z.number() }),
  /** gpay host: the UPI request of the documented shape is built by the bridge from these. */
  z.object({
    kind: z.literal('gpay'), transactionId: z.string(), amount: Price, payeeVpa: z.string(), payeeName: z.string(), mcc: z.string(),
    transactionReferenceId: z.string(), referenceUrl: z.string(), note: z.string(), expiresAt: z.number(),
  }),
  /** A host with a payment of its own: `details` goes from its half on the server to its bridge, unread in between. */
  z.object({
    kind: z.literal('host'), transactionId: z.string(), amount: Price, transactionReferenceId: z.string(), expiresAt: z.number(),
    details: z.record(z.string(), z.string()),
  }),
  /** Paytm host, or Paytm form in the browser (then `paymentUrl` is set). */
  z.object({
    kind: z.literal('paytm'), transactionId: z.string(), orderId: z.string(), mid: z.string(), txnToken: z.string(), amount: Price,
    expiresAt: z.number(), paymentUrl: z.nullable(z.string()),
  }),
  /** Somebody else pays: the token of the link that the customer sends (contract/paylinks.ts). */
  z.object({ kind: z.literal('link'), transactionId: z.string(), token: z.string(), expiresAt: z.number() }),
  /** From a wallet that is tied to this account: the redeem call takes it, on the customer's word. */
  z.object({ kind: z.literal('linked'), transactionId: z.string(), provider: z.string(), label: z.string(), amount: Price, expiresAt: z.number() }),
]);
export type PaymentStep = z.output<typeof PaymentStep>;

export const PaymentOption = z.object({
  id: PaymentMode, label: z.string(), about: z.string(),
  /** Minor units; cash has a cap. */
  maxAmount: z.optional(Price),
});
export type PaymentOption = z.output<typeof PaymentOption>;

/** Inside a host only the partner's own mode is answered. */
export const options = endpoint({
  method: 'GET', path: '/payment-service/ve2/options/default', aliases: ['/payment-service/ve1/options/default'], about: 'Payment modes of this country and host.',
  reply: success({
    options: z.array(PaymentOption),
    /** Balances that can pay a part or all of an order here, beside one of the modes. */
    funds: z.array(z.object({ id: z.enum(['WALLET', 'EGV']), label: z.string() })),
    /** Modes that can also be paid from a wallet tied to the account. */
    linkable: z.array(PaymentMode),
  }),
});
export const lastSuccessful = endpoint({
  method: 'GET', path: '/payment-service/ve5/payment/options/lastSuccessful',
  aliases: ['/payment-service/ve1/payment/options/lastSuccessful', '/payment-service/ve2/payment/options/lastSuccessful'],
  about: 'The mode this customer last paid with.', reply: success({ mode: z.nullable(PaymentMode) }),
});
/** POST without a code sends (or sends again); with a code checks it and places the order. */
export const codOtp = endpoint({
  method: 'POST', path: '/payment-service/ve1/orders/{transactionId}/otp', about: 'One-time code for cash; errors as for login codes.',
  body: z.object({ code: z.optional(text(12)) }),
  reply: success({ sent: z.boolean(), verified: z.boolean(), expiresInSeconds: z.number(), resendInSeconds: z.number() }),
});
/** Asked at 2, 4, 8, 15 s and then every 30 s while unknown. */
export const status = endpoint({
  method: 'GET', path: '/jfl-payment-aggregator/ve1/payment/transaction-status', about: 'What the server knows of a payment.',
  query: z.object({ transactionId: Id }), reply: success({ payment: PaymentView, orderId: z.string(), orderStatus: z.string() }),
});
export const transaction = endpoint({
  method: 'GET', path: '/order-service/ve3/orders/transaction/{transactionId}', aliases: ['/order-service/ve4/orders/transaction/{transactionId}'],
  about: 'A transaction.', reply: success({ payment: PaymentView, orderId: z.string(), next: z.nullable(PaymentStep) }),
});
/** A new attempt, same order: only after the last one is known to have failed (else PAYMENT_UNKNOWN, 409). */
export const retry = endpoint({
  method: 'POST', path: '/order-service/ve3/orders/transaction/', aliases: ['/order-service/ve4/orders/transaction/'], idempotent: true, about: 'Another payment attempt for an unpaid order.',
  body: z.object({ orderId: Id, paymentMode: PaymentMode, cardToken: z.optional(text(100)), linked: z.optional(z.boolean()) }),
  reply: success({ payment: PaymentView, next: PaymentStep }),
});
const promoQuery = z.object({
  /** How the new attempt is paid; absent means as the one before. */
  paymentMode: z.optional(PaymentMode), cardToken: z.optional(text(100)),
  /** Only tells what would come of it. */
  look: z.optional(z.enum(['true', 'false'])),
});
/** A code that does not fit is an answer, not an error, as on a cart. `payment` is the new attempt; absent after a look. */
const PromoReply = z.object({
  status: z.enum(['SUCCESS', 'FAILED']), errors: z.optional(z.array(ApiError)),
  /** The order's total before and with this change. */
  total: z.optional(z.object({ before: Price, after: Price })),
  bill: z.optional(Bill), payment: z.optional(PaymentView), next: z.optional(PaymentStep),
});
/** Puts a code on an order that is not paid yet: its bill changes, and an attempt for the new total takes the old one's place. */
export const applyPromo = endpoint({
  method: 'POST', path: '/order-service/ve3/orders/transaction/{transactionId}/promo/{promo}', aliases: ['/order-service/ve4/orders/transaction/{transactionId}/promo/{promo}'],
  idempotent: true, about: 'Applies a code to an unpaid transaction; errors PAYMENT_UNKNOWN, ALREADY_PAID, PROMO_FIXED.', query: promoQuery, reply: PromoReply,
});
export const removePromo = endpoint({
  method: 'DELETE', path: '/order-service/ve3/orders/transaction/{transactionId}/promo/{promo}', aliases: ['/order-service/ve4/orders/transaction/{transactionId}/promo/{promo}'],
  idempotent: true, about: 'Takes a code off an unpaid transaction, for example because it needs a payment mode that failed.', query: promoQuery, reply: PromoReply,
});
/** UPI collect: the provider asks the customer's UPI app. */
export const upiCollect = endpoint({
  method: 'POST', path: '/payment-service/ve1/orders/{transactionId}/upi', about: 'Sends a collect request to a UPI id; error INVALID_VPA.',
  body: z.object({ vpa: text(80) }), reply: success({ payment: PaymentView }),
});
/** The number goes to the provider's vault, never to our tables; the reply is a token with the last four digits. */
export const cardToken = endpoint({
  method: 'POST', path: '/payment-service/ve1/card/submit', about: 'Swaps card data for a token; errors CARD_NUMBER, CARD_EXPIRY, CARD_CVV.',
  body: z.object({ number: text(30), expiry: text(10), cvv: text(6), name: text(80) }),
  reply: success({ token: z.string(), lastFour: z.string(), bin: z.string(), brand: z.string() }),
});
export const chargeStatus = endpoint({
  method: 'GET', path: '/payment-service/ve1/card/{transactionId}/status', about: 'What became of a card charge.',
  reply: success({ payment: PaymentView }),
});

import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { Id, PaymentMode, text } from './names.ts';
import { CardFieldsAddress, PaymentOption, PaymentStep } from './payments.ts';
import { Price } from './price.ts';
import { success } from './reply.ts';

// Somebody else pays for an order. Whoever has the link sees the shop and the amount, but not who ordered what.

/**
 * OPEN: can be paid. UNDER_WAY: a payment is being decided. PAID: nothing more to pay. OVER: too late, or no longer
 * wanted.
 */
const PayLinkState = z.enum(['OPEN', 'UNDER_WAY', 'PAID', 'OVER']);

export const PayLink = z.object({
  state: PayLinkState,
  amount: Price,
  shopName: z.string(),
  /** Until when the order can be paid, epoch ms. */
  expiresAt: z.number(),
  /** The last attempt through this link failed and took no money. */
  hasFailed: z.boolean(),
  /** Grows with every attempt, so that a page notices when somebody else has started a newer one. */
  tries: z.number(),
  options: z.array(PaymentOption),
  cardFields: CardFieldsAddress,
});
export type PayLink = z.output<typeof PayLink>;

/** While a payment through the link is under way, this also asks the bank. */
export const byToken = endpoint({
  method: 'GET',
  path: '/payment-service/ve1/links/{token}',
  access: 'open',
  about: 'What a pay link is for and how far it is; error NOT_FOUND.',
  reply: success({ link: PayLink }),
});
/**
 * First closes an earlier attempt that was started through the link but not paid, so that two people with one link
 * cannot both pay.
 */
export const pay = endpoint({
  method: 'POST',
  path: '/payment-service/ve1/links/{token}/pay',
  idempotent: true,
  about: 'Begins to pay by a link; errors ALREADY_PAID, PAYMENT_UNKNOWN, LINK_OVER.',
  body: z.object({ paymentMode: PaymentMode, cardToken: z.optional(text(100)), paymentChoice: z.optional(Id) }),
  reply: success({ link: PayLink, next: PaymentStep }),
});
export const collect = endpoint({
  method: 'POST',
  path: '/payment-service/ve1/links/{token}/upi',
  about:
    'Sends a collect request to the UPI id of whoever pays by a link; errors INVALID_VPA, and TOO_MANY for whoever asks without end.',
  body: z.object({ vpa: text(80) }),
  reply: success({ link: PayLink }),
});

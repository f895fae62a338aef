import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { Id, text } from './names.ts';
import { OrderView } from './orders.ts';
import { Price } from './price.ts';
import { success } from './reply.ts';

/** Never holds the whole number: the last four digits tell e-vouchers apart. */
export const Voucher = z.object({
  voucherId: z.string(),
  lastFour: z.string(),
  balance: Price,
  expiresAt: z.number(),
  isExpired: z.boolean(),
  /** Nobody knows its number and pin: it holds money that only these customers can spend, and stays with them. */
  isOnlyHere: z.optional(z.boolean()),
});
export type Voucher = z.output<typeof Voucher>;

const Keys = { number: text(40), pin: text(20) };
const wrong = 'errors EGV_NUMBER, EGV_PIN, EGV_WRONG, EGV_LOCKED, EGV_EXPIRED, TOO_MANY';

export const verify = endpoint({
  method: 'POST',
  path: '/payment-service/ve3/egv/verify',
  isSecret: true,
  aliases: ['/payment-service/ve4/egv/verify'],
  about: `Looks a number and its pin up, and keeps nothing; ${wrong}.`,
  body: z.object(Keys),
  reply: success({ voucher: Voucher }),
});
export const link = endpoint({
  method: 'POST',
  path: '/payment-service/ve3/egv/link',
  isSecret: true,
  aliases: ['/payment-service/ve4/egv/link'],
  about: `Keeps an e-voucher with this customer, so that it can pay; ${wrong}, EGV_FULL.`,
  body: z.object(Keys),
  reply: success({ voucher: Voucher }),
});
export const balance = endpoint({
  method: 'GET',
  path: '/payment-service/ve3/egv/balance',
  aliases: ['/payment-service/ve4/egv/balance'],
  about: 'The e-vouchers of this customer with their balances.',
  reply: success({ vouchers: z.array(Voucher) }),
});
export const unlink = endpoint({
  method: 'DELETE',
  path: '/payment-service/ve3/egv/{voucherId}',
  aliases: ['/payment-service/ve4/egv/{voucherId}'],
  about: 'Lets an e-voucher go; its money stays on it. Error EGV_ONLY_HERE: nobody else could spend that.',
  reply: success({ vouchers: z.array(Voucher) }),
});
/** Pays what is left of an order whose payment failed, or part of that, with an e-voucher. */
export const redeem = endpoint({
  method: 'POST',
  path: '/payment-service/ve3/egv/redeem',
  aliases: ['/payment-service/ve4/egv/redeem'],
  idempotent: true,
  about:
    'Pays an unpaid order, or a part of it, with an e-voucher; errors PAYMENT_UNKNOWN, EGV_LOW, EGV_COUNT, WALLET_CONFLICT, COUPON_PAYMENT_MODE.',
  body: z.object({ orderId: Id, voucherId: Id, amount: z.int().check(z.gte(1)) }),
  reply: success({ order: OrderView, rest: Price }),
});
/**
 * Without `code`, one is sent to the phone number that the e-voucher belongs to. The reply is the same if there is no
 * such e-voucher.
 */
export const resetPin = endpoint({
  method: 'POST',
  path: '/payment-service/ve1/egv/pin/reset',
  aliases: ['/payment-service/ve3/egv/pin/reset'],
  about: 'A new pin, confirmed by a code; errors as for login codes.',
  body: z.object({ number: text(40), code: z.optional(text(12)), pin: z.optional(text(20)) }),
  reply: success({
    sent: z.boolean(),
    changed: z.boolean(),
    expiresInSeconds: z.number(),
    resendInSeconds: z.number(),
  }),
});

/** Development only: makes a new e-voucher. */
export const issue = endpoint({
  method: 'POST',
  path: '/development/egv',
  access: 'development',
  about: 'Makes an e-voucher, of a number if one is given.',
  body: z.object({
    amount: z.int().check(z.gte(1), z.lte(10_000_000)),
    mobile: z.optional(text(24)),
    days: z.optional(z.int().check(z.gte(0), z.lte(3650))),
  }),
  reply: success({ number: z.string(), pin: z.string(), voucherId: z.string() }),
});

import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { Id, text } from './names.ts';
import { Price } from './price.ts';
import { success } from './reply.ts';

/** Days in which a deleted account can be had back (product.md 4.2). */
export const DELETION_DAYS = 7;

/**
 * Sent with a login whose account is asleep, which means to have it back. Without it such a login is refused with
 * ACCOUNT_ASLEEP, and its code stays good.
 */
export const WAKE_HEADER = 'wake-account';

/** What stands in the way of a deletion, and what would be lost by it. */
const Standing = z.object({
  /** Orders that are not over yet: as long as there is one, nothing can be deleted. */
  orders: z.array(z.object({ orderId: Id, orderNumber: z.string() })),
  /** Money that would be given up, in minor units; null where there is no wallet. */
  wallet: z.nullable(Price),
  currencyCode: z.string(),
  /** Questions about orders that a person still answers: the deletion waits for the answers. Older servers say nothing. */
  questions: z.optional(z.int()),
  cards: z.int(),
  /** Names of the wallets that are linked. */
  linkedWallets: z.array(z.string()),
  /** E-vouchers whose number and pin the customer has typed. */
  vouchers: z.int(),
  /** Those that only this account can pay with, as the help gives them. Older servers say nothing. */
  givenVouchers: z.optional(z.int()),
  addresses: z.int(),
  /** The law by which orders are kept, as it stands in a sentence. */
  taxLaw: z.string(),
  /** The number that the code goes to, with its last four digits alone; null: a fresh login counts in its place. */
  mobile: z.nullable(z.string()),
  /** When the account would be deleted if it was asked for now, epoch ms. */
  deletesAt: z.number(),
});
type Standing = z.output<typeof Standing>;

/** An e-voucher that only the account could pay with, for whoever has its number and pin from now on. */
export const HandedOver = z.object({
  number: z.string(),
  pin: z.string(),
  country: z.string(),
  balance: Price,
  /** Epoch ms. */
  expiresAt: z.number(),
});
export type HandedOver = z.output<typeof HandedOver>;

export const look = endpoint({
  method: 'GET',
  path: '/account-service/ve1/deletion',
  access: 'user',
  about: 'What deleting the account means: what stands in its way, and what would be lost.',
  reply: success({ standing: Standing }),
});
export const sendCode = endpoint({
  method: 'POST',
  path: '/account-service/ve1/deletion/otp',
  access: 'user',
  about: "Sends a code for the deletion to the account's number; errors CHALLENGE, OTP_WAIT, OTP_LIMIT, LOGIN_AGAIN.",
  /** `host`: of the page, for the last line of the SMS. */
  body: z.object({ host: z.optional(text(120)) }),
  reply: success({
    expiresInSeconds: z.number(),
    resendInSeconds: z.number(),
    sendsLeft: z.number(),
    digits: z.number(),
  }),
});
export const ask = endpoint({
  method: 'POST',
  path: '/account-service/ve1/deletion',
  isSecret: true,
  access: 'user',
  about:
    'Puts the account to sleep and ends all its sessions; after seven days it is deleted. Errors OTP_WRONG, OTP_EXPIRED, OTP_TRIES, ORDER_OPEN, BALANCE_LEFT, LOGIN_AGAIN, CHALLENGE, TOO_MANY.',
  body: z.object({
    /** Absent only for an account without a number, which a fresh login stands for. */
    code: z.optional(text(12)),
    /** The balance that is given up, in minor units: what the page showed. */
    giveUp: z.optional(Price),
  }),
  reply: success({
    deletesAt: z.number(),
    /** Told here, and to the account's number, and nowhere again. */
    vouchers: z.optional(z.array(HandedOver)),
  }),
});

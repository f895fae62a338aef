import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { Id, text } from './names.ts';
import { Price } from './price.ts';
import { success } from './reply.ts';

/** One movement of the wallet; `amount` is negative for money spent. */
export const WalletEntry = z.object({
  entryId: z.string(),
  kind: z.enum(['CREDIT', 'SPEND', 'RETURN']),
  amount: Price,
  balanceAfter: Price,
  label: z.string(),
  at: z.number(),
  orderId: z.optional(z.string()),
  orderNumber: z.optional(z.string()),
});
export type WalletEntry = z.output<typeof WalletEntry>;

const feature = 'wallet';

export const balance = endpoint({
  method: 'GET',
  path: '/wallet-service/ve3/wallet/balance',
  aliases: ['/wallet-service/ve2/wallet/balance'],
  access: 'user',
  feature,
  about: "The balance of the caller's wallet.",
  reply: success({ balance: Price, currencyCode: z.string() }),
});
/**
 * `transactionId` is a payment of the caller, or the cart about to be paid. A mobile number that is not the caller's
 * own gives NOT_FOUND.
 */
export const available = endpoint({
  method: 'GET',
  path: '/wallet-service/ve3/wallet/available_balance/{mobile}/{transactionId}',
  aliases: ['/wallet-service/ve2/wallet/available_balance/{mobile}/{transactionId}'],
  access: 'user',
  feature,
  about: 'What the wallet can pay of one transaction.',
  reply: success({ balance: Price, available: Price, currencyCode: z.string() }),
});
export const summary = endpoint({
  method: 'GET',
  path: '/wallet-service/ve3/wallet/summary',
  aliases: ['/wallet-service/ve2/wallet/summary'],
  access: 'user',
  feature,
  about: 'Balance, what came and went in all, and the latest movements.',
  reply: success({
    balance: Price,
    currencyCode: z.string(),
    credited: Price,
    spent: Price,
    returned: Price,
    latest: z.array(WalletEntry),
  }),
});
export const STATEMENT_PAGE = 20;
/**
 * Newest first. `from` (epoch ms) limits the list to movements since then. `loyaltyProgramCode`, if sent, must be the
 * country's.
 */
export const statement = endpoint({
  method: 'GET',
  path: '/wallet-service/ve3/wallet/transactions',
  aliases: ['/wallet-service/ve2/wallet/transactions'],
  access: 'user',
  feature,
  about: "The wallet's movements, page by page from 1.",
  query: z.object({
    pageNumber: z.optional(z.string().check(z.regex(/^[1-9]\d{0,5}$/))),
    loyaltyProgramCode: z.optional(text(40)),
    from: z.optional(z.string().check(z.regex(/^\d{1,15}$/))),
  }),
  reply: success({ entries: z.array(WalletEntry), pageNumber: z.number(), pages: z.number(), total: z.number() }),
});
/** By month in the country's time zone, newest first, with the balance at the beginning and end of each. */
export const passbook = endpoint({
  method: 'GET',
  path: '/wallet-service/ve3/wallet/passbook/{mobile}',
  aliases: ['/wallet-service/ve2/wallet/passbook/{mobile}'],
  access: 'user',
  feature,
  about: 'The wallet month by month: opening balance, in, out, closing balance.',
  reply: success({
    months: z.array(
      z.object({ month: z.string(), opening: Price, credited: Price, spent: Price, returned: Price, closing: Price }),
    ),
  }),
});

/** Development only: puts money into the wallet of a number that has an account. */
export const credit = endpoint({
  method: 'POST',
  path: '/development/wallet',
  access: 'development',
  about: 'Puts money into a wallet; error NOT_FOUND without an account of that number.',
  body: z.object({ mobile: text(24), amount: z.int().check(z.gte(1), z.lte(10_000_000)), key: z.optional(Id) }),
  reply: success({ balance: Price }),
});

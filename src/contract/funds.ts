import * as z from 'zod/mini';
import { Id } from './names.ts';
import { Price } from './price.ts';

// What an order takes from the customer's own balances with us: the pizza wallet, or e-vouchers. The rest is paid by a mode.

/** Catalogue: at most two e-vouchers pay one order. */
export const VOUCHERS_AT_MOST = 2;

/** What the customer would like to use; amounts are the server's to say. */
export const FundsChoice = {
  useWallet: z.optional(z.boolean()),
  vouchers: z.optional(z.array(Id).check(z.maxLength(VOUCHERS_AT_MOST))),
};

const part = z.int().check(z.gte(1));
/** What was shown and is taken: never another amount. */
export const FundsWish = z.object({
  wallet: z.optional(part),
  vouchers: z.optional(z.array(z.object({ voucherId: Id, amount: part })).check(z.maxLength(VOUCHERS_AT_MOST))),
});
export type FundsWish = z.output<typeof FundsWish>;

export const Funds = z.object({
  wallet: z.nullable(z.object({ balance: Price, amount: Price })),
  vouchers: z.array(z.object({ voucherId: z.string(), lastFour: z.string(), balance: Price, amount: Price })),
  /** What is left to pay in another way; 0 needs none. */
  rest: Price,
});
export type Funds = z.output<typeof Funds>;

/** What an order took, as it stands now. */
export const FundsPart = z.object({
  mode: z.enum(['WALLET', 'EGV']), label: z.string(), amount: Price,
  /** How much of it has gone back. */
  returned: Price,
});
export type FundsPart = z.output<typeof FundsPart>;

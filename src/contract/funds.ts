import * as z from 'zod/mini';
import { Id } from './names.ts';
import { Price } from './price.ts';

// What an order takes from the customer's balances with us (the pizza wallet or e-vouchers). A payment mode pays the
// rest.

/** At most two e-vouchers pay for one order (catalogue rule). */
export const VOUCHERS_AT_MOST = 2;

/** What the customer would like to use; the server decides the amounts. */
export const FundsChoice = {
  useWallet: z.optional(z.boolean()),
  vouchers: z.optional(z.array(Id).check(z.maxLength(VOUCHERS_AT_MOST))),
};

const part = z.int().check(z.gte(1));
/** Exactly the amounts that the customer was shown; the server takes these or nothing. */
export const FundsWish = z.object({
  wallet: z.optional(part),
  vouchers: z.optional(z.array(z.object({ voucherId: Id, amount: part })).check(z.maxLength(VOUCHERS_AT_MOST))),
});
export type FundsWish = z.output<typeof FundsWish>;

export const Funds = z.object({
  wallet: z.nullable(z.object({ balance: Price, amount: Price })),
  vouchers: z.array(z.object({ voucherId: z.string(), lastFour: z.string(), balance: Price, amount: Price })),
  /** What is left to pay with a payment mode; 0 needs none. */
  rest: Price,
});
export type Funds = z.output<typeof Funds>;

/** What an order took from a balance, as of now. */
export const FundsPart = z.object({
  mode: z.enum(['WALLET', 'EGV']),
  label: z.string(),
  amount: Price,
  /** How much of it has been returned. */
  returned: Price,
});
export type FundsPart = z.output<typeof FundsPart>;

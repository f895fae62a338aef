import * as z from 'zod/mini';
import { Price } from './price.ts';

/** One person's share of a bill: dishes + discount + charges = total. */
export const Share = z.object({
  dishes: Price,
  /** 0 or below. */
  discount: Price,
  /** Packaging, bag, delivery, taxes, tip and rounding. */
  charges: Price,
  total: Price,
});
export type Share = z.output<typeof Share>;

/** The shares of an order as of when it was placed, less what went back of it as a whole because it was late. */
export const GroupShares = z.object({
  code: z.string(),
  people: z.array(z.object({ personId: z.string(), name: z.string(), isHost: z.boolean(), share: Share })),
});
export type GroupShares = z.output<typeof GroupShares>;

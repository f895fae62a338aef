import * as z from 'zod/mini';
import type { Money } from './money.ts';

// `money` is in a file of its own, so that showing an amount does not need the schema library.
export { money, type Money } from './money.ts';

/** Schema of an amount on the wire: a safe integer of minor units. */
export const Price = z.int() as unknown as z.ZodMiniType<Money, number>;

import * as z from 'zod/mini';
import { kept } from '../first/lib/kept.ts';

/** paymentMode of the specification: what the customer has chosen. */
export const paymentModeAtom = kept<string | null>({
  key: 'payment-mode',
  schema: z.nullable(z.string()),
  initial: null,
  forget: 'logout',
});

import * as z from 'zod/mini';
import { kept } from '../first/lib/kept.ts';

/** Chosen time slot; null means as soon as possible. */
export const slotIdAtom = kept<string | null>({
  key: 'slot',
  schema: z.nullable(z.string()),
  initial: null,
  forget: 'logout',
});

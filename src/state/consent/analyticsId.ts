import * as z from 'zod/mini';
import { kept } from '../first/lib/kept.ts';

/** The id that analytics know this device by: random, made when the customer agrees, replaced after logging out. */
export const analyticsIdAtom = kept<string>({
  key: 'ga-client',
  schema: z.string(),
  initial: '',
  forget: 'logout',
  optional: true,
});

import * as z from 'zod/mini';
import { kept } from './lib/kept.ts';

/** Who analytics think this is: a random id of this device, made when the customer agreed, and another one after logging out. */
export const analyticsIdAtom = kept<string>({ key: 'ga-client', schema: z.string(), initial: '', forget: 'logout' });

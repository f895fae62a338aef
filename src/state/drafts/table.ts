import * as z from 'zod/mini';
import { kept } from '../first/lib/kept.ts';

/** The table that is eaten at, as it was typed or as a link said it; of the chosen store alone. */
export const tableAtom = kept<string>({ key: 'table', schema: z.string(), initial: '', forget: 'logout' });

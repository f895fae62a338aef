import * as z from 'zod/mini';
import * as orders from '../../contract/orders.ts';
import { kept } from '../first/lib/kept.ts';
import { apiAtom } from '../first/seams.ts';
import { remote } from '../lib/remote.ts';

/** Ids of delivery instructions; the customer's own words for the rider are in `orderNoteAtom`. */
export const instructionsAtom = kept<readonly string[]>({
  key: 'instructions',
  schema: z.array(z.string()),
  initial: [],
  forget: 'logout',
});
/** Instructions for the rider to choose from. */
export const instructionChoices = remote(
  async (get, _set, signal) => (await get(apiAtom).call(orders.instructions, {}, { signal })).instructions,
);
export const orderNoteAtom = kept<string>({ key: 'order-note', schema: z.string(), initial: '', forget: 'logout' });

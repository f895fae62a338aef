import { atom } from 'jotai';
import * as z from 'zod/mini';
import { kept } from '../first/lib/kept.ts';

const Visit = z.object({ key: z.string(), experience: z.string(), rating: z.nullable(z.number()), mobile: z.string() });
/** Said without a network: sent once there is one, each under its own key, so that it is there once. */
export const waitingVisitsAtom = kept<z.output<typeof Visit>[]>({
  key: 'visits-said',
  schema: z.array(Visit),
  initial: [],
  forget: 'logout',
});
export const isVisitWaitingAtom = atom((get) => get(waitingVisitsAtom).length > 0);

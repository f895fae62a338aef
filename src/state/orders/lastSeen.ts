import { atom } from 'jotai';
import * as z from 'zod/mini';
import type { OrderView } from '../../contract/orders.ts';
import { isFinal } from '../../domain/orders.ts';
import { clockAheadAtom } from '../base/clock.ts';
import { kept } from '../first/lib/kept.ts';

const Seen = z.nullable(
  z.object({
    orderId: z.string(),
    /** The step that it was at, in the server's words. */
    stage: z.string(),
    /** Epoch ms. */
    eta: z.nullable(z.object({ from: z.number(), to: z.number() })),
    at: z.number(),
  }),
);
/** How far the order under way was when this device last heard of it: shown while there is no network. */
export const lastSeenAtom = kept<z.output<typeof Seen>>({
  key: 'last-seen',
  schema: Seen,
  initial: null,
  forget: 'logout',
});

export const noteSeenAtom = atom(null, (get, set, { orderId, orderStatus, steps, eta }: OrderView): void => {
  const stage = steps.find(({ state }) => state === 'current')?.label;
  if (stage === undefined || isFinal(orderStatus))
    set(lastSeenAtom, (seen) => (seen?.orderId === orderId ? null : seen));
  else
    set(lastSeenAtom, {
      orderId,
      stage,
      eta: eta ? { from: eta.from, to: eta.to } : null,
      at: Date.now() + get(clockAheadAtom),
    });
});

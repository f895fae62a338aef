import { atom } from 'jotai';
import { isFailure } from '../api/failure.ts';
import * as tracking from '../contract/tracking.ts';
import { isFinal } from '../domain/orders.ts';
import { serverClockAtom } from './clock.ts';
import { sessionAtom as forgotten } from './lib/forget.ts';
import { orderAtom, putOrderAtom, trackMap } from './orders.ts';
import { apiAtom } from './seams.ts';

/** How the order on screen is kept true: told as it moves, or asked about. Null: nobody follows it. */
const heldAtom = forgotten<{ readonly orderId: string; readonly by: 'opening' | 'stream' | 'polling' } | null>(null);
export const followedAtom = atom((get) => get(heldAtom));

const POLL_MS = 8_000;
/** A stream that failed is tried again then; until then the order is asked about. */
const AGAIN_AFTER_POLLS = 4;

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((done) => {
    const timer = setTimeout(done, ms);
    signal.addEventListener('abort', () => { clearTimeout(timer); done(); }, { once: true });
  });
}

/** Keeps an order true until it is over or `signal` says stop. Never rejects: what the network does only changes how. */
export const followAtom = atom(null, async (get, set, orderId: string, signal: AbortSignal): Promise<void> => {
  let lastEventId = '';
  const known = () => (get(orderAtom)?.orderId === orderId ? get(orderAtom) : null);
  const isOver = () => { const order = known(); return order !== null && isFinal(order.orderStatus); };
  set(heldAtom, { orderId, by: 'opening' });
  while (!signal.aborted && !isOver()) {
    try {
      const how = await get(apiAtom).follow(tracking.events, { orderHistoryId: orderId }, {
        signal, lastEventId,
        onEvent: ({ order, map, now }, id) => {
          lastEventId = id;
          set(heldAtom, { orderId, by: 'stream' });
          set(serverClockAtom, now);
          set(putOrderAtom, order);
          if (map) set(trackMap.put, { orderId, status: 'SUCCESS', ...map });
        },
      });
      if (how === 'end') break;
      await pause(1_000, signal);
      continue;
    } catch (thrown) {
      if (signal.aborted) break;
      // Not yet on its way: the payment's own polling looks after it.
      if (isFailure(thrown) && thrown.kind === 'refused' && thrown.httpStatus !== 429) break;
    }
    for (let polls = 0; polls < AGAIN_AFTER_POLLS && !signal.aborted && !isOver(); polls += 1) {
      set(heldAtom, { orderId, by: 'polling' });
      try {
        const { order } = await get(apiAtom).call(tracking.byOrder, { orderHistoryId: orderId }, { signal });
        set(putOrderAtom, order);
        if (order.orderStatus === 'PICKED UP') await set(trackMap.load, orderId);
      } catch {
        // Offline or tired: what is on screen stays, and is asked about again.
      }
      await pause(POLL_MS, signal);
    }
  }
  set(heldAtom, (held) => (held?.orderId === orderId ? null : held));
});

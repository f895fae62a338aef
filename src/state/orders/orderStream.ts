import { atom } from 'jotai';
import { isFailure } from '../../api/failure.ts';
import * as tracking from '../../contract/tracking.ts';
import { sleep } from '../../domain/sleep.ts';
import { isFinal } from '../../domain/orders.ts';
import { serverClockAtom } from '../base/clock.ts';
import { customerAtom } from '../lib/forget.ts';
import { remote } from '../lib/remote.ts';
import { orderAtom, orderState, putOrderAtom } from './orders.ts';
import { apiAtom } from '../first/seams.ts';

/** How the order on screen is kept up to date: by a stream of events or by asking. Null: nobody follows it. */
const heldAtom = customerAtom<{ readonly orderId: string; readonly by: 'opening' | 'stream' | 'polling' } | null>(null);
export const followedAtom = atom((get) => get(heldAtom));

/** Positions for the map, with the order they belong to. */
export const trackMap = remote(async (get, _set, signal, orderId: string) => ({
  orderId,
  ...(await get(apiAtom).call(tracking.onMap, { orderId }, { signal })),
}));

const POLL_MS = 8_000;
/** After a stream has failed, the order is asked for this many times before the stream is tried again. */
const AGAIN_AFTER_POLLS = 4;

/** Nobody follows it: it is not followed yet, or it is not this customer's any more. */
const isTurnedAway = (thrown: unknown) => isFailure(thrown) && thrown.kind === 'refused' && thrown.httpStatus !== 429;

/**
 * Keeps an order up to date until it is over or `signal` is aborted. Never rejects: a bad network only changes the way.
 */
export const followAtom = atom(null, async (get, set, orderId: string, signal: AbortSignal): Promise<void> => {
  let lastEventId = '';
  const known = () => (get(orderAtom)?.orderId === orderId ? get(orderAtom) : null);
  const isOver = () => {
    const order = known();
    return order !== null && isFinal(order.orderStatus);
  };
  set(heldAtom, { orderId, by: 'opening' });
  while (!signal.aborted && !isOver()) {
    let isTurned = false;
    try {
      const how = await get(apiAtom).follow(
        tracking.events,
        { orderHistoryId: orderId },
        {
          signal,
          lastEventId,
          onEvent: ({ order, map, now }, id) => {
            lastEventId = id;
            set(heldAtom, { orderId, by: 'stream' });
            set(serverClockAtom, now);
            set(putOrderAtom, order);
            if (map) set(trackMap.put, { orderId, status: 'SUCCESS', ...map });
          },
        },
      );
      if (how === 'end') break;
      await sleep(1_000, signal);
      continue;
    } catch (thrown) {
      if (signal.aborted) break;
      isTurned = isTurnedAway(thrown);
    }
    for (let polls = 0; polls < AGAIN_AFTER_POLLS && !isTurned && !signal.aborted && !isOver(); polls += 1) {
      set(heldAtom, { orderId, by: 'polling' });
      try {
        const { order } = await get(apiAtom).call(tracking.byOrder, { orderHistoryId: orderId }, { signal });
        set(putOrderAtom, order);
        if (order.orderStatus === 'PICKED UP') await set(trackMap.load, orderId);
      } catch (thrown) {
        // Offline or overloaded: what is on screen stays, and is asked for again.
        isTurned = isTurnedAway(thrown);
      }
      if (!isTurned) await sleep(POLL_MS, signal);
    }
    // The payment's own polling looks after an order that is not followed yet; of one that is gone its page says so.
    if (isTurned && !signal.aborted) {
      await set(orderState.load, orderId);
      break;
    }
  }
  set(heldAtom, (held) => (held?.orderId === orderId ? null : held));
});

import * as t from '#text/order.ts';
import { atom } from 'jotai';
import { codeOf } from '../../api/failure.ts';
import * as orders from '../../contract/orders.ts';
import * as tracking from '../../contract/tracking.ts';
import { isLost } from '../../domain/orders.ts';
import { apiAtom } from '../first/seams.ts';
import { newId } from '../first/lib/ids.ts';
import { toastMessageAtom } from '../first/toast.ts';
import { remote } from '../lib/remote.ts';
import { putOrderAtom } from './orders.ts';
import { showFailureAtom } from '../base/popup.ts';
import { tasks } from '../base/task.ts';
import { shareAtom } from '../base/share.ts';

/**
 * Progress of one order (specification section 7, tracker-service). One that ended without food cannot be tracked, but
 * what became of it and of the money is known.
 */
export const trackState = remote(async (get, set, signal, orderId: string) => {
  const { call } = get(apiAtom);
  const { order } = await call(tracking.byOrder, { orderHistoryId: orderId }, { signal }).catch(
    async (thrown: unknown) => {
      const known = codeOf(thrown) === 'NO_TRACKING' ? await call(orders.byId, { orderId }, { signal }) : null;
      if (known && isLost(known.order.orderStatus)) return known;
      throw thrown;
    },
  );
  set(putOrderAtom, order);
  return order.orderId;
});

/** What a shared link shows. */
export const sharedState = remote(
  async (get, _set, signal, token: string) => (await get(apiAtom).call(tracking.shared, { token }, { signal })).order,
  { isCustomers: false },
);

/** Shares a link that shows an order's progress, and nothing about the customer. */
export const shareOrderAtom = atom(null, async (get, set, orderId: string): Promise<void> => {
  try {
    const { token } = await get(apiAtom).call(tracking.share, { orderHistoryId: orderId });
    await set(shareAtom, {
      title: t.shareTitle,
      path: `/shared/${token}`,
      copied: t.shareCopied,
    });
  } catch (thrown) {
    set(showFailureAtom, thrown);
  }
});

/**
 * Tells the store that the customer has arrived, for curbside and takeaway (specification section 7, pickup confirm).
 */
export const arrivedAtom = atom(null, async (get, set, orderId: string, bay?: string) => {
  try {
    const { order } = await get(apiAtom).call(orders.arrived, { body: { orderId, ...(bay ? { bay } : {}) } });
    set(putOrderAtom, order);
    set(toastMessageAtom, t.arrivedKnown);
  } catch (thrown) {
    set(showFailureAtom, thrown);
  }
});

export const riderTasks = tasks();
/** Sends the rider a message. @returns whether it was sent; if not, the typed text stays */
export const tellRiderAtom = riderTasks.task(async (get, set, orderId: string, text: string) => {
  const { order } = await get(apiAtom).call(
    tracking.tellRider,
    { orderHistoryId: orderId, body: { text } },
    { idempotencyKey: newId() },
  );
  set(putOrderAtom, order);
  set(toastMessageAtom, order.rider ? t.riderTold({ name: order.rider.name }) : t.riderToldUnnamed);
});

import { atom } from 'jotai';
import * as z from 'zod/mini';
import * as contract from '../contract/history.ts';
import type { OrderCard } from '../contract/history.ts';
import { cardOf } from '../domain/history.ts';
import { deviceOrdersAtom, noteOrderAtom } from './deviceOrders.ts';
import { kept } from './first/lib/kept.ts';
import { apiAtom } from './first/seams.ts';
import { customerAtom } from './lib/forget.ts';
import { remote, type RemoteAtoms } from './lib/remote.ts';
import { recentOrders } from './orders.ts';
import { isLoggedInAtom } from './session.ts';

interface Page {
  readonly orders: readonly OrderCard[];
  readonly paging: { readonly pageNo: number; readonly isLast: boolean; readonly next: string | null };
}

/** The first page of the account's orders as this device last saw it: shown until the server has answered. */
const lastPageAtom = kept<OrderCard[]>({
  key: 'history',
  schema: z.array(contract.OrderCard),
  initial: [],
  forget: 'logout',
  optional: true,
});

/**
 * The account's orders (specification section 4, Order history): a page above 1 is appended, any other replaces what is
 * there. The loader is on from before the fetch to its end.
 */
export const historyState: RemoteAtoms<Page, [pageNo: number]> = remote(
  async (get, set, signal, pageNo): Promise<Page> => {
    const before = pageNo > 1 ? get(historyState.atom).data : null;
    const after = before?.paging.next;
    const { orders, paging } = await get(apiAtom).call(
      contract.list,
      { query: { pageNo: String(pageNo), ...(after ? { after } : {}) } },
      { signal },
    );
    if (before) return { orders: [...before.orders, ...orders], paging };
    set(lastPageAtom, orders);
    return { orders, paging };
  },
);

/** The orders to show: the account's, or a guest's from this device. Null while nothing is known of them. */
export const shownOrdersAtom = atom((get): readonly OrderCard[] | null => {
  if (!get(isLoggedInAtom)) return get(deviceOrdersAtom).map(cardOf);
  const { data, status } = get(historyState.atom);
  const last = get(lastPageAtom);
  return data?.orders ?? (last.length > 0 || status === 'failed' ? last : null);
});

/** Asks how far the orders are: those of the account, or those of the guest of this device. */
export const loadHistoryAtom = atom(null, async (get, set): Promise<void> => {
  if (get(isLoggedInAtom)) return await set(historyState.load, 1);
  if (get(deviceOrdersAtom).length === 0) return;
  await set(recentOrders.load);
  const held = new Set(get(deviceOrdersAtom).map(({ orderId }) => orderId));
  for (const order of get(recentOrders.atom).data ?? []) if (held.has(order.orderId)) set(noteOrderAtom, order);
});

/** The order whose details are open. */
export const detailedIdAtom = customerAtom('');
/** That order in full. */
export const recordState = remote(async (get, set, signal, orderId: string) => {
  const found = await get(apiAtom).call(contract.record, { orderId }, { signal });
  if (get(deviceOrdersAtom).some((one) => one.orderId === orderId)) set(noteOrderAtom, found.order);
  return found;
});
/** The order on the page of details: as the server has it, else as this device last saw it; null if nobody knows it yet. */
export const detailedAtom = atom((get) => {
  const id = get(detailedIdAtom);
  const { data } = get(recordState.atom);
  const record = data?.order.orderId === id ? data : null;
  const order = record?.order ?? get(deviceOrdersAtom).find((one) => one.orderId === id) ?? null;
  return { record, order };
});

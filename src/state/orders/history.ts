import * as t from '#text/history.ts';
import { atom } from 'jotai';
import * as z from 'zod/mini';
import * as contract from '../../contract/history.ts';
import type { OrderCard } from '../../contract/history.ts';
import { cardOf, tableOf } from '../../domain/history.ts';
import { typedText } from '../../domain/typedText.ts';
import { afterPaint } from '../../ui/time/afterPaint.ts';
import { saveFile } from '../../ui/saveFile.ts';
import { deviceOrdersAtom, noteOrderAtom } from './deviceOrders.ts';
import { toastMessageAtom } from '../first/toast.ts';
import { recommendedState } from './favouriteOrders.ts';
import { kept } from '../first/lib/kept.ts';
import { apiAtom } from '../first/seams.ts';
import { customerAtom } from '../lib/forget.ts';
import { remote, type RemoteAtoms } from '../lib/remote.ts';
import { recentOrders } from './orders.ts';
import { showFailureAtom } from '../base/popup.ts';
import { tasks } from '../base/task.ts';
import { isLoggedInAtom, userAtom } from '../base/session.ts';

type Tab = 'all' | 'favourites';
interface Page {
  readonly tab: Tab;
  readonly search: string;
  readonly orders: readonly OrderCard[];
  readonly isNear: boolean;
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

/** Hearts that were tapped, by order: they count until the server says so itself. */
const heartsAtom = customerAtom<ReadonlyMap<string, boolean>>(new Map());
const markFavouriteAtom = atom(null, (_get, set, orderId: string, isFavourite: boolean) =>
  set(heartsAtom, (hearts) => new Map(hearts).set(orderId, isFavourite)),
);
/** Whether an order is a favourite, of what the server has said of it: undefined where it was not asked. */
export const isFavouriteAtom = atom(
  (get) =>
    ({ orderId, isFavourite }: Pick<OrderCard, 'orderId' | 'isFavourite'>) =>
      isFavourite === undefined ? undefined : (get(heartsAtom).get(orderId) ?? isFavourite),
);

const tabHeldAtom = customerAtom<Tab>('all');
const searchHeldAtom = customerAtom('');

/**
 * The account's orders (specification section 4, Order history): a page above 1 is appended, any other replaces what is
 * there. The loader is on from before the fetch to its end.
 */
export const historyState: RemoteAtoms<Page, [pageNo: number]> = remote(
  async (get, set, signal, pageNo): Promise<Page> => {
    const [tab, search] = [get(tabHeldAtom), typedText(get(searchHeldAtom))];
    const before = pageNo > 1 ? get(historyState.atom).data : null;
    const after = before?.paging.next;
    const { orders, paging, isNear } = await get(apiAtom).call(
      contract.list,
      {
        query: {
          pageNo: String(pageNo),
          ...(after ? { after } : {}),
          ...(search ? { search } : {}),
          ...(tab === 'favourites' ? { favourites: 'true' as const } : {}),
        },
      },
      { signal },
    );
    const of = { tab, search, isNear: isNear === true, paging };
    if (before) return { ...of, orders: [...before.orders, ...orders] };
    if (tab === 'all' && search === '') set(lastPageAtom, orders);
    return { ...of, orders };
  },
);

/** The orders to show: the account's, or a guest's from this device. Null while nothing is known of them. */
export const shownOrdersAtom = atom((get): readonly OrderCard[] | null => {
  if (!get(isLoggedInAtom)) return get(deviceOrdersAtom).map(cardOf);
  const { data, status } = get(historyState.atom);
  const tab = get(tabHeldAtom);
  // While the answer to other words is on its way, what was found before stays.
  if (data?.tab === tab) return data.orders;
  const last = tab === 'all' && get(searchHeldAtom) === '' ? get(lastPageAtom) : [];
  return last.length > 0 || status === 'failed' ? last : null;
});
/** Those orders, with what the server has answered or why it has not. */
export const orderListAtom = atom((get) => {
  const { data, failure } = get(historyState.atom);
  return { orders: get(shownOrdersAtom), data, failure };
});

/** Asks how far the orders are: those of the account, or those of the guest of this device. */
export const loadHistoryAtom = atom(null, async (get, set): Promise<void> => {
  if (get(isLoggedInAtom)) return await set(historyState.load, 1);
  if (get(deviceOrdersAtom).length === 0) return;
  await set(recentOrders.load);
  const held = new Set(get(deviceOrdersAtom).map(({ orderId }) => orderId));
  for (const order of get(recentOrders.atom).data ?? []) if (held.has(order.orderId)) set(noteOrderAtom, order);
});

/** All orders, or those that are kept as favourites. */
export const tabAtom = atom(
  (get) => get(tabHeldAtom),
  (get, set, tab: Tab) => {
    if (tab === get(tabHeldAtom)) return;
    set(tabHeldAtom, tab);
    // The tap is on the screen before its orders are asked for.
    afterPaint(() => {
      if (tab === 'favourites') void set(recommendedState.load);
      void set(historyState.load, 1);
    });
  },
);

const TYPING_MS = 300;
const typingAtom = atom<ReturnType<typeof setTimeout> | undefined>(undefined);
/** What is looked for among the orders: asked for once the typing pauses. */
export const searchOrdersAtom = atom(
  (get) => get(searchHeldAtom),
  (get, set, text: string) => {
    clearTimeout(get(typingAtom));
    const isSame = typedText(text) === typedText(get(searchHeldAtom));
    set(searchHeldAtom, text);
    if (isSame) return;
    set(
      typingAtom,
      setTimeout(() => void set(historyState.load, 1), TYPING_MS),
    );
  },
);

/** Opens the page anew: on the tab of its address, without what was looked for. */
export const openHistoryAtom = atom(null, (get, set, tab: Tab): Promise<void> => {
  set(tabHeldAtom, tab);
  set(searchHeldAtom, '');
  if (tab === 'favourites' && get(isLoggedInAtom)) void set(recommendedState.load);
  return set(loadHistoryAtom);
});

/** The order whose details are open. */
export const detailedIdAtom = customerAtom('');
/** The chosen order in full. */
export const recordState = remote(async (get, set, signal, orderId: string) => {
  const found = await get(apiAtom).call(contract.record, { orderId, query: {} }, { signal });
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

/**
 * Keeps an order as a favourite, or no longer. The heart answers at once; then the order is fetched again (specification
 * section 4, Favourite).
 */
export const toggleFavouriteOrderAtom = atom(null, async (get, set, order: OrderCard): Promise<void> => {
  const { orderId } = order;
  const isFavourite = get(isFavouriteAtom)(order) !== true;
  const { call } = get(apiAtom);
  set(markFavouriteAtom, orderId, isFavourite);
  try {
    const userId = get(userAtom)?.userId ?? '';
    if (isFavourite) await call(contract.saveFavourite, { favOrderId: orderId, body: { data: { userId } } });
    else await call(contract.removeFavourite, { favOrderId: orderId });
    set(toastMessageAtom, isFavourite ? t.favouriteKept : t.favouriteGone);
    // What was answered already stands, should this answer be lost.
    const fresh = await call(contract.record, { orderId, query: { userId } }).catch(() => ({ isFavourite }));
    set(markFavouriteAtom, orderId, fresh.isFavourite);
  } catch (thrown) {
    set(markFavouriteAtom, orderId, !isFavourite);
    set(showFailureAtom, thrown);
  }
});

export const isSpendOpenAtom = customerAtom(false);
/** What was spent in a year; without one, in the last. */
export const spendState = remote(
  async (get, _set, signal, year?: number) =>
    await get(apiAtom).call(contract.summary, { query: year === undefined ? {} : { year: String(year) } }, { signal }),
);

export const tableTasks = tasks();
/** Saves all orders of a year on the device, as a table that spreadsheets open. */
export const saveTableAtom = tableTasks.task(async (get, set, year: number, words: Parameters<typeof tableOf>[1]) => {
  const { rows, currencyCode } = await get(apiAtom).call(contract.rows, { query: { year: String(year) } });
  // Spreadsheets take a text for UTF-8 only if it begins with this mark.
  const blob = new Blob(['\ufeff', tableOf(rows, words, currencyCode)], { type: 'text/csv;charset=utf-8' });
  saveFile(blob, t.fileName({ year: String(year) }));
  set(toastMessageAtom, t.tableSaved);
});

import { atom } from 'jotai';
import type { OrderCard } from '../../contract/history.ts';
import { cardOf } from '../../domain/history.ts';
import { deviceOrdersAtom } from '../orders/deviceOrders.ts';
import { navigateAtom } from '../first/seams.ts';
import { historyState } from '../orders/history.ts';
import { orderAtom, recentOrders } from '../orders/orders.ts';
import { isLoggedInAtom } from '../base/session.ts';
import { addUsualAtom } from '../cart/usual.ts';
import { openUsualAtom, usualKeyAtom } from './usualOrder.ts';

/** The newest order that anybody has told of: the server, of the last day or of all, or this device. */
export const lastOrderAtom = atom((get): OrderCard | undefined => {
  const held = get(orderAtom);
  const told = (get(recentOrders.atom).data ?? []).map((one) => (one.orderId === held?.orderId ? held : one));
  const all = FULL_MODE && get(isLoggedInAtom) ? (get(historyState.atom).data?.orders ?? []) : [];
  // Of one order, who was told of it last comes first, and stays there: the sort is stable.
  const known = [...told.map(cardOf), ...all, ...get(deviceOrdersAtom).map(cardOf)];
  return known.sort((one, other) => other.placedAt - one.placedAt)[0];
});

/** Looks up what the last order is; payment apps have no history beyond a day. Never rejects. */
export const loadLastOrderAtom = atom(null, async (get, set): Promise<void> => {
  await Promise.all([set(recentOrders.load), FULL_MODE && get(isLoggedInAtom) ? set(historyState.load, 1) : undefined]);
});

/** Has the last order of this device again: its sheet on home where all is known that it needs, else in the cart. */
export const againAtom = atom(null, (get, set): void => {
  if (get(usualKeyAtom) === '') {
    set(addUsualAtom);
    get(navigateAtom).go('/cart');
    return;
  }
  get(navigateAtom).go('/');
  void set(openUsualAtom);
});

import { atom } from 'jotai';
import { navigateAtom } from './first/seams.ts';
import { orderAtom, recentOrders } from './orders.ts';
import { addUsualAtom } from './usual.ts';
import { openUsualAtom, usualKeyAtom } from './usualOrder.ts';

/** The newest order that the server has told of, as it was last reported. */
export const lastOrderAtom = atom((get) => {
  const [newest] = get(recentOrders.atom).data ?? [];
  const held = get(orderAtom);
  return newest !== undefined && newest.orderId === held?.orderId ? held : newest;
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

import { atom } from 'jotai';
import { deviceOrdersAtom } from './deviceOrders.ts';
import { journalAtom } from './journal.ts';
import { isHomeAtom } from '../base/path.ts';
import { isLoggedInAtom } from '../base/session.ts';

/** The last orders of this device but the one under way, which has a line of its own. */
export const lastOrdersAtom = atom((get) => {
  const underWay = get(journalAtom)?.orderId;
  return get(deviceOrdersAtom).filter(({ orderId }) => orderId !== underWay);
});
/** Whether home leads to them. */
export const hasLastOrdersAtom = atom((get) => get(isHomeAtom) && get(lastOrdersAtom).length > 0);
/** Whether somebody looks for their orders here: a payment app has no order history (product.md C07). */
export const mayHaveOrdersAtom = atom((get) => FULL_MODE && (get(isLoggedInAtom) || get(deviceOrdersAtom).length > 0));

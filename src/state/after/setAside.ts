import * as t from '#text/cart.ts';
import { atom } from 'jotai';
import type { AsideChoice } from '../../contract/cart.ts';
import * as contract from '../../contract/cart.ts';
import { isOlderAskedAtom } from './cartDiff.ts';
import { hearCartAtom } from '../cart/cart.ts';
import { cartAtom } from '../first/cart.ts';
import { apiAtom } from '../first/seams.ts';
import { toastMessageAtom } from '../first/toast.ts';
import { tasks } from '../base/task.ts';
import { isQuietAtom } from '../orders/quiet.ts';

const NONE: readonly contract.CartLine[] = [];
/** Dishes of an earlier cart of the account, beside the cart; the customer decides about them. */
export const olderAtom = atom((get) => get(cartAtom)?.aside ?? NONE);
/** Whether they are offered on a sheet now; the cart offers them on its page. */
export const isOlderShownAtom = atom((get) => get(isOlderAskedAtom) && get(olderAtom).length > 0 && get(isQuietAtom));
/** The choice that is on its way to the server. */
export const asideTasks = tasks();

/** Adds the older dishes to the cart, or drops them. They stay as they are when the server cannot be reached. */
export const decideOlderAtom = asideTasks.task(
  async (get, set, choice: AsideChoice) => {
    const cart = get(cartAtom);
    const older = get(olderAtom);
    if (!cart || older.length === 0) return;
    const body = { choice, lineIds: older.map((line) => line.lineId) };
    const reply = await get(apiAtom).call(contract.decide, { cartId: cart.cartId, body });
    set(hearCartAtom, reply.cart);
    set(isOlderAskedAtom, false);
    set(toastMessageAtom, choice === 'ADD' ? t.olderAdded({ count: older.length }) : t.olderDropped);
  },
  { as: (choice) => choice },
);

import { atom } from 'jotai';
import * as contract from '../../contract/wheel.ts';
import { aboutCart, hearCartAtom, syncCartAtom } from '../cart/cart.ts';
import { isCartWaitingAtom } from '../first/cart.ts';
import { remote } from '../lib/remote.ts';
import { showFailureAtom } from '../base/popup.ts';
import { apiAtom } from '../first/seams.ts';
import { cartIdAtom } from '../base/session.ts';

/** The wheel of this cart: its odds before the spin, and afterwards the result (requirement CART-17). */
export const wheelState = remote(
  async (get, _set, signal) => {
    const query = { cartId: get(cartIdAtom) ?? '' };
    const { slots, result } = await get(apiAtom).call(contract.wheel, { query }, { signal });
    return { slots, result };
  },
  { about: aboutCart },
);

const isSpinningHeldAtom = atom(false);
export const isSpinningAtom = atom((get) => get(isSpinningHeldAtom));

/** Spins the wheel, once for each cart. The server draws, the page only shows. */
export const spinAtom = atom(null, async (get, set): Promise<void> => {
  if (get(isSpinningHeldAtom)) return;
  set(isSpinningHeldAtom, true);
  try {
    if (get(isCartWaitingAtom)) await set(syncCartAtom);
    const { slots, result, cart } = await get(apiAtom).call(contract.spin, { body: { cartId: get(cartIdAtom) ?? '' } });
    set(hearCartAtom, cart);
    set(wheelState.put, { slots, result });
  } catch (thrown) {
    set(showFailureAtom, thrown);
  } finally {
    set(isSpinningHeldAtom, false);
  }
});

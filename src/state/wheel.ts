import { atom } from 'jotai';
import * as contract from '../contract/wheel.ts';
import { isCartWaitingAtom, putCartAtom, syncCartAtom } from './cart.ts';
import { remote } from './lib/remote.ts';
import { showFailureAtom } from './popup.ts';
import { apiAtom } from './seams.ts';
import { cartIdAtom } from './session.ts';

/** The wheel of this cart: its odds before anybody spins, and the result once somebody has (requirement CART-17). */
export const wheelState = remote(async (get, _set, signal) => {
  const { slots, result } = await get(apiAtom).call(contract.wheel, { query: { cartId: get(cartIdAtom) ?? '' } }, { signal });
  return { slots, result };
});

const isSpinningHeldAtom = atom(false);
export const isSpinningAtom = atom((get) => get(isSpinningHeldAtom));

/** Once per cart: the server draws, the page only shows. */
export const spinAtom = atom(null, async (get, set): Promise<void> => {
  if (get(isSpinningHeldAtom)) return;
  set(isSpinningHeldAtom, true);
  try {
    if (get(isCartWaitingAtom)) await set(syncCartAtom);
    const { slots, result, cart } = await get(apiAtom).call(contract.spin, { body: { cartId: get(cartIdAtom) ?? '' } });
    set(putCartAtom, cart);
    set(wheelState.put, { slots, result });
  } catch (thrown) {
    set(showFailureAtom, thrown);
  } finally {
    set(isSpinningHeldAtom, false);
  }
});

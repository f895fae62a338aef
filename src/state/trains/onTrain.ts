import { atom, type Atom } from 'jotai';
import { loadChunk } from '../../bridge/scripts.ts';
import { isOpenAtom } from '../first/config.ts';
import { leftTripAtom, tripAtom, type Trip } from './station.ts';

/** The train that the cart is for, for screens that every bundle has: null in a bundle without trains, which holds nothing of them. */
export const onTrainAtom: Atom<Trip | null> = TRAINS ? tripAtom : atom(null);

/** Trains were switched off after the cart was put together for one: nothing can be ordered to it. */
export const isTrainOffAtom = atom((get) => TRAINS && get(onTrainAtom) !== null && !get(isOpenAtom)('irctc'));

/**
 * Looks once more at the train that the cart is for, and takes back what was saved for one that was left. Whoever orders to a
 * door has neither, and nothing of trains is loaded.
 */
export const renewTrainAtom = atom(null, async (get, set): Promise<void> => {
  if (TRAINS && (get(tripAtom) !== null || get(leftTripAtom) !== null)) {
    const { dropLeftTrainAtom, renewTripOrderAtom } = await loadChunk(() => import('./trainOrders.ts'));
    await set(dropLeftTrainAtom);
    void set(renewTripOrderAtom);
  }
});

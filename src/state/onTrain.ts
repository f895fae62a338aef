import { atom, type Atom } from 'jotai';
import { isOpenAtom } from './first/config.ts';
import { tripAtom, type Trip } from './station.ts';

/** The train that the cart is for, for screens that every bundle has: null in a bundle without trains, which holds nothing of them. */
export const onTrainAtom: Atom<Trip | null> = TRAINS ? tripAtom : atom(null);

/** Trains were switched off after the cart was put together for one: nothing can be ordered to it. */
export const isTrainOffAtom = atom((get) => TRAINS && get(onTrainAtom) !== null && !get(isOpenAtom)('irctc'));

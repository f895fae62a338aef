import { atom, type Atom } from 'jotai';
import { tripAtom, type Trip } from './station.ts';

/** The train that the cart is for, for screens that every bundle has: null in a bundle without trains, which holds nothing of them. */
export const onTrainAtom: Atom<Trip | null> = TRAINS ? tripAtom : atom(null);

import { atom } from 'jotai';
import { isPlacedAtom, journalAtom } from './journal.ts';
import { isHomeAtom, isMenuAtom } from '../base/path.ts';
import { hasPopupAtom } from '../base/popup.ts';

/**
 * Home or the menu, and nobody is about to order or to pay: the one rule for every question that comes by itself. Any
 * other is asked by a tap.
 */
export const isQuietAtom = atom(
  (get) =>
    (get(isHomeAtom) || get(isMenuAtom)) && !get(hasPopupAtom) && (get(journalAtom) === null || get(isPlacedAtom)),
);

import * as t from '#text/first.ts';
import { atom } from 'jotai';
import { addLineAtom } from './cart.ts';
import { kept } from './lib/kept.ts';
import { itemsByIdAtom } from './menu.ts';
import { toastMessageAtom } from './toast.ts';

/** What was last ordered on this phone, as it was built; no account is needed (requirement MENU-X12). */
export const usualLinesAtom = kept({
  key: 'usual',
  initial: [],
  forget: 'logout',
  optional: true,
});

/** The last order, as far as this menu still has it. */
export const usualAtom = atom((get) => {
  const items = get(itemsByIdAtom);
  return get(usualLinesAtom).filter((line) => items.get(line.productId)?.soldOut !== true && items.has(line.productId));
});
export const addUsualAtom = atom(null, (get, set) => {
  for (const line of get(usualAtom)) set(addLineAtom, line);
  set(toastMessageAtom, t.usualAdded);
});

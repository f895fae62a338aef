import { atom } from 'jotai';
import type { ComponentType } from 'react';
import { kept } from './lib/kept.ts';
import { itemsByIdAtom } from './menu.ts';

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

/** What home says to somebody who has ordered before; it comes with a later script. */
export const usualCardAtom = atom<{ readonly Card: ComponentType } | null>(null);

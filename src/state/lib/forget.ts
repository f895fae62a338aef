import { atom, type WritableAtom } from 'jotai';
import { forgetters } from '../first/lib/forget.ts';

/** Resets everything that was registered. */
export const forgetCustomerAtom = atom(null, (_get, set) => {
  for (const forget of forgetters) forget(set);
});

/** A value of one customer that lasts as long as the page. */
export function customerAtom<T>(initial: T): WritableAtom<T, [T | ((before: T) => T)], void> {
  const heldAtom = atom(initial);
  forgetters.add((set) => set(heldAtom, () => initial));
  return heldAtom;
}

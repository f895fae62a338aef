import { atom, type Setter, type WritableAtom } from 'jotai';

/** Everything of one customer registers here, so that logging out imports no noun (specification section 4, Logout). */
export const forgetters = new Set<(set: Setter) => void>();

/** Runs the register. */
export const forgetCustomerAtom = atom(null, (_get, set) => { for (const forget of forgetters) forget(set); });

/** A value of this customer that lives as long as the page. */
export function sessionAtom<T>(initial: T): WritableAtom<T, [T | ((before: T) => T)], void> {
  const heldAtom = atom(initial);
  forgetters.add((set) => set(heldAtom, () => initial));
  return heldAtom as WritableAtom<T, [T | ((before: T) => T)], void>;
}

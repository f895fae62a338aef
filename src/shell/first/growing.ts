import { atom, type WritableAtom } from 'jotai';

/** A list that later scripts add rows to: writing adds rows, and those that are in it already stay as they are. */
export function growing<T>(...first: readonly T[]): WritableAtom<readonly T[], [readonly T[]], void> {
  const heldAtom = atom<readonly T[]>(first);
  return atom(
    (get) => get(heldAtom),
    (_get, set, rows) => set(heldAtom, (now) => [...now, ...rows.filter((row) => !now.includes(row))]),
  );
}

import { atom } from 'jotai';

const underwayAtom = atom(0);
/** Loader flag of the specification, section 3: at least one call is under way. */
export const isLoadingAtom = atom((get) => get(underwayAtom) > 0);
export const callStartedAtom = atom(null, (_get, set) => set(underwayAtom, (calls) => calls + 1));
export const callEndedAtom = atom(null, (_get, set) => set(underwayAtom, (calls) => calls - 1));

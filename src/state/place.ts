import { atom } from 'jotai';
import { hostAtom, placeAtom } from './seams.ts';

/** Query params of the global state (specification section 3): those of the page that is shown. */
export const queryParamsAtom = atom((get): Readonly<Record<string, string>> => Object.fromEntries(new URLSearchParams(get(placeAtom).split('?')[1] ?? '')));
/** navigationUrl of the global state: an address that leads to this page again, from outside the host too. */
export const navigationUrlAtom = atom((get) => get(hostAtom).link(get(placeAtom)));

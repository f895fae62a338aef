import { atom } from 'jotai';
import type { Country } from '../../country/shape.ts';
import type { Api } from '../api/client.ts';
import type { HostFace } from '../bridge/face.ts';
import type { HostBridge } from '../bridge/hostBridge.ts';

/**
 * What comes from outside: shell/start.tsx fills these once, before the first render. Screens never ask which host or
 * country they are in; they read a value of these or ask `isOpen(feature)`.
 */
/** What the host is: known from the first render on. */
export const faceAtom = atom(null as unknown as HostFace);
/** What the host does: there once the page is connected, and in every screen that waits for that. */
export const hostAtom = atom(null as unknown as HostBridge);
export const countryAtom = atom(null as unknown as Country);
export const apiAtom = atom(null as unknown as Api);
/** Moves to a path of ours ('/cart'); `replace` leaves no entry behind. */
export const navigateAtom = atom<{ go: (path: string, options?: { replace?: boolean }) => void }>({ go: () => {} });
/** Path of the page below its mount point, with its query: '/menu?x=1'. Known to a screen before its first render. */
export const placeAtom = atom('/');
/** Origin of the server; '' for the page's own. For addresses that the server gives and a customer follows. */
export const originAtom = atom('');

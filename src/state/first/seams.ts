import { atom } from 'jotai';
import type { FirstCountry } from '../../../country/shape.ts';
import type { Api } from '../../api/api.ts';
import type { HostProfile } from '../../bridge/profile.ts';
import type { HostBridge } from '../../bridge/hostBridge.ts';

/**
 * What comes from outside the app. shell/first/start.tsx sets these atoms before the first render; `hostAtom`, `apiAtom`
 * and `originAtom` are set when shell/alive.ts connects the page. Screens never ask which host or country they are in;
 * they read a value of these or ask `isOpen(feature)`.
 */
/** What the host is; known from the first render on. */
export const profileAtom = atom(null as unknown as HostProfile);
/** What the host does; set once the page is connected, and in every screen that waits for that. */
export const hostAtom = atom(null as unknown as HostBridge);
/** The part of the country's data that the first load has; all of it is in state/base/country.ts. */
export const firstCountryAtom = atom(null as unknown as FirstCountry);
export const apiAtom = atom(null as unknown as Api);
/** Moves to a path of the app ('/cart'); `replace` adds no history entry. */
export const navigateAtom = atom<{ go: (path: string, options?: { replace?: boolean }) => void }>({ go: () => {} });
/** Path of the page below its mount point, with its query: '/menu?x=1'. Known to a screen before its first render. */
export const pathAtom = atom('/');
/** Origin of the server, '' for the page's own. Used for addresses that the server gives and the customer opens. */
export const originAtom = atom('');

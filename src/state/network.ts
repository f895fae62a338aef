import { atom } from 'jotai';

/** Fed by the shell from the host (asked for its network type in a mini-app) and the browser. */
export const networkAtom = atom<{ readonly isConnected: boolean; readonly networkType: string }>({ isConnected: true, networkType: 'unknown' });
export const isOfflineAtom = atom((get) => !get(networkAtom).isConnected);

import { atom } from 'jotai';
import type { ComponentType } from 'react';

/** The effects that need the server, once shell/alive.tsx is here. */
export const liveWatchersAtom = atom<ComponentType | null>(null);

let tell = () => {};
const connected = new Promise<void>((done) => { tell = done; });

/** Called once, when the page is connected. */
export function nowConnected(): void { tell(); }

/** Screens beyond the first ones begin with calls: they wait for this. */
export function whenConnected(): Promise<void> { return connected; }

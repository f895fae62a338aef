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

let tellShown = () => {};
const shown = new Promise<void>((done) => { tellShown = done; });

/** Called when the first screen is on the page and its effects run. */
export function nowShown(): void { tellShown(); }

/** What the device remembers comes in once the prerendered screen is hydrated, not while React still compares it. */
export function whenShown(): Promise<void> { return shown; }

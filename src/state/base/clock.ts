import { atom } from 'jotai';

const STEP_MS = 2_000;

/** Milliseconds by which the server's clock is ahead of the device's. Server times are compared with this in mind. */
const aheadAtom = atom(0);
export const clockAheadAtom = atom((get) => get(aheadAtom));

/** Called with the time in every answer. Differences below STEP_MS are only the network's. */
export const serverClockAtom = atom(null, (get, set, serverMs: number) => {
  const ahead = serverMs - Date.now();
  if (Math.abs(ahead - get(aheadAtom)) > STEP_MS) set(aheadAtom, ahead);
});

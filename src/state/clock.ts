import { atom } from 'jotai';

const STEP_MS = 2_000;

/** Milliseconds that the server's clock is ahead of the device's: what ends at the server's time is counted with it. */
const aheadAtom = atom(0);
export const clockAheadAtom = atom((get) => get(aheadAtom));

/** Fed by every answer; small differences are only the network's. */
export const serverClockAtom = atom(null, (get, set, serverMs: number) => {
  const ahead = serverMs - Date.now();
  if (Math.abs(ahead - get(aheadAtom)) > STEP_MS) set(aheadAtom, ahead);
});

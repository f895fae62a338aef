import { atom } from 'jotai';
import { networkAtom } from './network.ts';

interface Line extends EventTarget { readonly saveData?: boolean; readonly effectiveType?: string }
const line = () => (globalThis.navigator as { connection?: Line } | undefined)?.connection;
/** The browser's own word: the customer asked for less data, or the line behaves like 2G (src/shell/slowly.ts asks the same). */
const isSaving = () => line()?.saveData === true || /2g$/.test(line()?.effectiveType ?? '');

const isSavingAtom = atom(isSaving());
/** Slow-network mode: no pictures, less on a page, fewer calls. By the host's network type, else by the browser's word. */
export const isSlowAtom = atom((get) => get(isSavingAtom) || get(networkAtom).networkType === '2g');

/** Follows the browser's word from now on. */
export const followLineAtom = atom(null, (_get, set): (() => void) => {
  const hear = () => set(isSavingAtom, isSaving());
  hear();
  const heard = line();
  heard?.addEventListener?.('change', hear);
  return () => heard?.removeEventListener?.('change', hear);
});

import { atom } from 'jotai';

/** Set by the shell: from the host, which a mini-app asks for its network type, and from the browser. */
export const networkAtom = atom<{ readonly isConnected: boolean; readonly networkType: string }>({
  isConnected: true,
  networkType: 'unknown',
});
export const isOfflineAtom = atom((get) => !get(networkAtom).isConnected);

interface Line extends EventTarget {
  readonly saveData?: boolean;
  readonly effectiveType?: string;
}
const line = () => (globalThis.navigator as { connection?: Line } | undefined)?.connection;
/**
 * Whether the browser says that the customer wants less data or that the line behaves like 2G. src/shell/slowly.ts asks
 * the same.
 */
const isSaving = () => line()?.saveData === true || line()?.effectiveType?.endsWith('2g') === true;

const isSavingAtom = atom(isSaving());
/**
 * Slow-network mode: no pictures, less on a page, fewer calls. On if the host's network type or the browser says so.
 */
export const isSlowAtom = atom((get) => get(isSavingAtom) || get(networkAtom).networkType === '2g');

/** Follows what the browser says of the line. */
export const followLineAtom = atom(null, (_get, set): (() => void) => {
  const hear = () => set(isSavingAtom, isSaving());
  hear();
  const heard = line();
  heard?.addEventListener?.('change', hear);
  return () => heard?.removeEventListener?.('change', hear);
});

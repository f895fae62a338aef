import { atom } from 'jotai';
import type { Failure } from '../../api/failure.ts';
import * as contract from '../../contract/config.ts';
import { timeoutSignal } from '../../domain/sleep.ts';
import { apiAtom } from '../first/seams.ts';

/** Set by the shell: from the host, which a mini-app asks for its network type, and from the browser. */
export const networkAtom = atom<{ readonly isConnected: boolean; readonly networkType: string }>({
  isConnected: true,
  networkType: 'unknown',
});
/** The host or the browser says that there is no network. Hosts have said so behind a VPN, and browsers on the wrong line. */
export const isSaidOfflineAtom = atom((get) => !get(networkAtom).isConnected);
/** The server has answered all the same. */
const isAnsweredAtom = atom(false);
export const isOfflineAtom = atom((get) => get(isSaidOfflineAtom) && !get(isAnsweredAtom));

const ANSWER_TIMEOUT_MS = 4_000;
/** Finds out whether calls get through: a server that answers is right, whoever else says that there is no network. */
export const askServerAtom = atom(null, async (get, set): Promise<void> => {
  const signal = timeoutSignal(ANSWER_TIMEOUT_MS);
  const isAnswered = await get(apiAtom)
    .call(contract.app, {}, { retries: 0, signal })
    .then(
      () => true,
      // Somebody else's page, such as a hotel's, is no answer of ours.
      (thrown: Failure) => thrown.errors.length > 0,
    );
  set(isAnsweredAtom, isAnswered && get(isSaidOfflineAtom));
});
export const forgetAnswerAtom = atom(null, (_get, set) => set(isAnsweredAtom, false));

interface Line extends EventTarget {
  readonly saveData?: boolean;
  readonly effectiveType?: string;
}
const line = () => (globalThis.navigator as { connection?: Line } | undefined)?.connection;
/**
 * Whether the browser says that the customer wants less data or that the line behaves like 2G. src/shell/loading/slowly.ts asks
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

import { atom, type Atom } from 'jotai';
import { hostAtom } from '../../state/first/seams.ts';
import { askServerAtom, forgetAnswerAtom, networkAtom } from '../../state/base/network.ts';
import type { Store, Watcher } from '../first/watchers.tsx';

const DOUBT_MS = 5_000;

/** Asks the host for its network type, and follows its changes. */
export function followNetwork(store: Store): () => void {
  const host = store.get(hostAtom);
  const { network } = host;
  const tell = (found: ReturnType<typeof network.getSnapshot>) => store.set(networkAtom, found);
  tell(network.getSnapshot());
  const waiting = new AbortController();
  network.getNetworkType({ signal: waiting.signal }).then(tell, () => tell(network.getSnapshot()));
  const unsubscribe = host.on('network', tell);
  return () => {
    waiting.abort();
    unsubscribe();
  };
}

/** While somebody says that there is no network, the server is asked whether that is so. */
export function doubtOffline(store: Store): () => void {
  const ask = () => void store.set(askServerAtom);
  ask();
  const timer = setInterval(ask, DOUBT_MS);
  return () => {
    clearInterval(timer);
    store.set(forgetAnswerAtom);
  };
}

/** Keeps an attribute of the page as `isSoAtom` says, for the stylesheets: grey while offline, no pictures on a slow line. */
export const marks = (attribute: string, isSoAtom: Atom<boolean>): Watcher => ({
  when: [atom((get) => (get(isSoAtom) ? 'yes' : 'no'))],
  run: ({ get }) => {
    document.documentElement.toggleAttribute(attribute, get(isSoAtom));
  },
});

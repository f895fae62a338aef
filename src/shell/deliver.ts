import { deliverAtom, deliverLeavingAtom } from '../state/telemetry/telemetryOutbox.ts';
import { hostAtom } from '../state/first/seams.ts';
import type { Store } from './first/watchers.tsx';

/** Sends what waits from before, and what still waits when the page is hidden or left. @returns what ends it */
export function deliver(store: Store): () => void {
  void store.set(deliverAtom);
  const leave = () => store.set(deliverLeavingAtom);
  addEventListener('pagehide', leave);
  const unsubscribe = store.get(hostAtom).on('lifecycle', (state) => {
    if (state === 'hidden') leave();
    else void store.set(deliverAtom);
  });
  return () => {
    removeEventListener('pagehide', leave);
    unsubscribe();
  };
}

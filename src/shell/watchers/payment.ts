import { hostAtom } from '../../state/first/seams.ts';
import { journalAtom } from '../../state/orders/journal.ts';
import type { Store } from '../first/watchers.tsx';

/** Looks after a payment that the host still remembers, even if everything on this device was lost. */
export async function findPayment(store: Store): Promise<void> {
  const orderId = await store
    .get(hostAtom)
    .unfinishedPayment()
    .catch(() => null);
  if (orderId && store.get(journalAtom) === null)
    store.set(journalAtom, { key: orderId, orderId, step: 'paying', at: Date.now() });
}

import { atom } from 'jotai';
import { loadChunk } from '../../bridge/scripts.ts';
import { workersHere } from '../../bridge/workers.ts';

const hasNewsHeldAtom = atom(false);
/** Whether notifications may be offered here, and what offers them has come. */
export const hasNewsAtom = atom((get) => get(hasNewsHeldAtom));

/**
 * Looks whether notifications can be offered. They need the page's worker: without one, as on a slow line or in a payment
 * app, their script does not come either. Never rejects.
 */
export const lookForNewsAtom = atom(null, async (_get, set): Promise<void> => {
  try {
    if (!(await workersHere()?.getRegistration())) return;
    const { lookAtPushAtom } = await loadChunk(() => import('./push.ts'));
    await set(lookAtPushAtom);
    set(hasNewsHeldAtom, true);
  } catch {
    // Then nothing is offered.
  }
});

import { atom } from 'jotai';
import { elsewhere, storageKey } from '../first/lib/kept.ts';
import { isLoggedInAtom, userAtom } from './session.ts';

/** What is on the device, whatever this page knows of it. */
function onDevice(name: string): string | null {
  try {
    return localStorage.getItem(storageKey(name));
  } catch {
    return null;
  }
}

/**
 * Takes over what other pages of this device keep. A page that the browser has held while another one was open, as when
 * somebody comes back from the bank by the back button, has heard of nothing meanwhile: it looks at all of it then.
 * @param onAnother called where such a page is somebody else's by now, or nobody's, and where the customer of any page is
 * another one or has logged out: nothing that it knows is theirs
 * @returns what ends it
 */
export const followOtherPagesAtom = atom(null, (get, set, onAnother: () => void): (() => void) => {
  const start = storageKey('');
  const left = new Map<string, string | null>();
  const missed = new Set<string>();
  const onStorage = ({ key, newValue }: StorageEvent) => {
    if (!key?.startsWith(start)) return;
    const name = key.slice(start.length);
    const [user, wasCustomer] = [get(userAtom)?.userId, get(isLoggedInAtom)];
    elsewhere.get(name)?.(set, newValue);
    const wasMissed = missed.delete(name);
    if ((wasMissed || wasCustomer) && get(userAtom)?.userId !== user) onAnother();
  };
  const onHide = () => {
    for (const name of elsewhere.keys()) left.set(name, onDevice(name));
  };
  const onShow = ({ persisted }: PageTransitionEvent) => {
    if (!persisted) return;
    for (const [name, before] of left) {
      const newValue = onDevice(name);
      if (newValue === before) continue;
      missed.add(name);
      // As an event, since secrets are decrypted on the way (lib/secretStorage.ts).
      dispatchEvent(new StorageEvent('storage', { key: storageKey(name), newValue }));
    }
  };
  addEventListener('storage', onStorage);
  addEventListener('pagehide', onHide);
  addEventListener('pageshow', onShow);
  return () => {
    removeEventListener('storage', onStorage);
    removeEventListener('pagehide', onHide);
    removeEventListener('pageshow', onShow);
  };
});

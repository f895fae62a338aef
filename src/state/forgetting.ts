import { atom } from 'jotai';
import * as fingerprint from '../contract/fingerprint.ts';
import { apiAtom } from './first/seams.ts';
import { safeStorage, storageKey } from './first/lib/kept.ts';
import { forgetCustomerAtom } from './lib/forget.ts';
import { switchPushOffAtom } from './push.ts';

/** Names of everything that this bundle remembers on the device. */
function names(): string[] {
  const start = storageKey('');
  try {
    return Object.keys(localStorage).flatMap((key) => (key.startsWith(start) ? [key.slice(start.length)] : []));
  } catch {
    return [];
  }
}

/**
 * Forgets a guest: what this device remembers, its notices, and what the server knows of the device. The page begins
 * anew, since much of it still holds what it read.
 */
export const forgetDeviceAtom = atom(null, async (get, set): Promise<void> => {
  await set(switchPushOffAtom);
  await get(apiAtom)
    .call(fingerprint.forget, {})
    .catch(() => undefined);
  set(forgetCustomerAtom);
  for (const name of names()) safeStorage.write(name, null);
  globalThis.location.assign(document.baseURI);
});

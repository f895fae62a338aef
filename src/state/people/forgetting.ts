import { atom } from 'jotai';
import * as fingerprint from '../../contract/fingerprint.ts';
import { apiAtom } from '../first/seams.ts';
import { safeStorage } from '../first/lib/kept.ts';
import { forgetCustomerAtom, keptNames } from '../lib/forget.ts';
import { switchPushOffAtom } from '../consent/push.ts';

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
  for (const name of keptNames()) safeStorage.write(name, null);
  globalThis.location.assign(document.baseURI);
});

import { atom } from 'jotai';
import { loadChunk } from '../../bridge/scripts.ts';
import { userAtom } from '../base/session.ts';
import { pathAtom } from '../first/seams.ts';
import { sayAtom } from './consents.ts';
import { fingerprintAtom, isDeviceAgreedAtom, isForgettingDeviceAtom } from './deviceId.ts';
import { DAY_MS } from '../../domain/time.ts';

/** A visit has the device looked at once, and each account that is logged in at it. */
const VISIT_MS = DAY_MS;
/** Codes are asked for and coupons are tried here; nowhere else is the device looked at. */
const PLACES = /^\/(?:postorder-ui\/)?(?:login|cart|offers)\b/;
export const isSignalDueAtom = atom((get) => {
  if (!get(isDeviceAgreedAtom) || !PLACES.test(get(pathAtom))) return false;
  const held = get(fingerprintAtom);
  return held === null || held.uid !== (get(userAtom)?.userId ?? '') || Math.abs(Date.now() - held.at) > VISIT_MS;
});
/** What is held here or there without a yes to it, such as after one that was taken back on another device. */
export const isSignalLeftAtom = atom(
  (get) => get(isForgettingDeviceAtom) || (get(fingerprintAtom) !== null && !get(isDeviceAgreedAtom)),
);

/** Has the device looked at, when the page has nothing else to do. Never rejects: without it all goes on as before. */
export const lookAtDeviceAtom = atom(null, async (get, set): Promise<void> => {
  // What stands behind a return would still be in the bundles of payment apps.
  if (FULL_MODE && get(isDeviceAgreedAtom))
    await loadChunk(() => import('./botSignals.ts')).then(
      ({ tellDeviceAtom }) => set(tellDeviceAtom),
      () => undefined,
    );
});
/** Nothing of the device stays, here at once and on the server as soon as it hears it. Never rejects. */
export const forgetSignalAtom = atom(null, async (get, set): Promise<void> => {
  if (get(fingerprintAtom) !== null) set(isForgettingDeviceAtom, true);
  set(fingerprintAtom, null);
  if (FULL_MODE && get(isForgettingDeviceAtom))
    await loadChunk(() => import('./botSignals.ts')).then(
      ({ tellForgottenAtom }) => set(tellForgottenAtom),
      () => undefined,
    );
});

/** Yes has the device looked at; no deletes what is known of it. */
export const agreeDeviceAtom = atom(null, async (_get, set, isAgreed: boolean): Promise<void> => {
  const said = set(sayAtom, 'device', isAgreed);
  await set(isAgreed ? lookAtDeviceAtom : forgetSignalAtom);
  await said;
});

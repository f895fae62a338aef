import { atom } from 'jotai';
import * as z from 'zod/mini';
import { loadChunk } from '../bridge/scripts.ts';
import { isFrugalAtom } from './config.ts';
import { mayIAtom, sayAtom } from './consents.ts';
import { kept } from './first/lib/kept.ts';
import { pathAtom, profileAtom } from './first/seams.ts';
import { userAtom } from './session.ts';

/** The id that the server gave, with the hash of what was sent, whose it was and when (epoch ms). */
const Held = z.object({ id: z.string(), hash: z.string(), uid: z.string(), at: z.number() });
export const fingerprintAtom = kept<z.output<typeof Held> | null>({
  key: 'fingerprint',
  schema: z.nullable(Held),
  initial: null,
  forget: 'logout',
  optional: true,
});
/** The server has not heard yet that it is to forget this device. */
export const isForgettingDeviceAtom = kept<boolean>({
  key: 'forgetting-device',
  schema: z.boolean(),
  initial: false,
  forget: 'logout',
});

/**
 * The question is asked only on our own page (never inside a host or where cookies are disabled, by the shop or the
 * browser), and only where the browser can make the hash.
 */
export const isDeviceAskedAtom = atom(
  (get) =>
    FULL_MODE &&
    get(profileAtom).fullMode &&
    !get(isFrugalAtom) &&
    globalThis.navigator?.cookieEnabled !== false &&
    Boolean(globalThis.crypto?.subtle),
);
export const isDeviceAgreedAtom = atom((get) => get(isDeviceAskedAtom) && get(mayIAtom)('device'));
/** Sent with calls for a code and with coupons, as a hint against misuse; null without consent. */
export const botTokenAtom = atom((get) => {
  const held = get(fingerprintAtom);
  return held && get(isDeviceAgreedAtom) ? `${held.id}:${held.hash}` : null;
});

/** A visit has the device looked at once, and each account that is logged in at it. */
const VISIT_MS = 86_400_000;
/** Codes are asked for and coupons are tried here; nowhere else is the device looked at. */
const PLACES = /^\/(?:postorder-ui\/)?(?:login|cart|offers)\b/;
export const isSignalDueAtom = atom((get) => {
  if (!get(isDeviceAgreedAtom) || !PLACES.test(get(pathAtom))) return false;
  const held = get(fingerprintAtom);
  return held === null || held.uid !== (get(userAtom)?.userId ?? '') || Date.now() - held.at > VISIT_MS;
});
/** What is held here or there without a yes to it, such as after one that was taken back on another device. */
export const isSignalLeftAtom = atom(
  (get) => get(isForgettingDeviceAtom) || (get(fingerprintAtom) !== null && !get(isDeviceAgreedAtom)),
);

/** Has the device looked at, when the page has nothing else to do. Never rejects: without it all goes on as before. */
export const lookAtDeviceAtom = atom(null, async (get, set): Promise<void> => {
  // What stands behind a return would still be in the bundles of payment apps.
  if (FULL_MODE && get(isDeviceAgreedAtom))
    await loadChunk(() => import('./signal.ts')).then(
      ({ tellDeviceAtom }) => set(tellDeviceAtom),
      () => undefined,
    );
});
/** Nothing of the device stays, here at once and on the server as soon as it hears it. Never rejects. */
export const forgetSignalAtom = atom(null, async (get, set): Promise<void> => {
  if (get(fingerprintAtom) !== null) set(isForgettingDeviceAtom, true);
  set(fingerprintAtom, null);
  if (FULL_MODE && get(isForgettingDeviceAtom))
    await loadChunk(() => import('./signal.ts')).then(
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

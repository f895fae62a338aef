import { atom } from 'jotai';
import * as z from 'zod/mini';
import { isFrugalAtom } from '../base/config.ts';
import { mayIAtom } from './consents.ts';
import { kept } from '../first/lib/kept.ts';
import { profileAtom } from '../first/seams.ts';

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

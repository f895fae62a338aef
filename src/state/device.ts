import { atom } from 'jotai';
import * as z from 'zod/mini';
import * as contract from '../contract/fingerprint.ts';
import { shortUserAgent } from '../domain/device.ts';
import { deviceHash } from '../domain/fingerprint.ts';
import { isFrugalAtom } from './config.ts';
import { mayIAtom, sayAtom } from './consents.ts';
import { kept } from './first/lib/kept.ts';
import { deliveryTypeAtom, storeIdAtom } from './first/location.ts';
import { apiAtom, profileAtom } from './first/seams.ts';
import { userAtom } from './session.ts';
import { showFailureAtom } from './popup.ts';

/** The id that the server gave, with the hash of what was sent. */
const fingerprintAtom = kept<{ readonly id: string; readonly hash: string } | null>({
  key: 'fingerprint',
  schema: z.nullable(z.object({ id: z.string(), hash: z.string() })),
  initial: null,
  forget: 'logout',
  optional: true,
});

/**
 * The question is asked only on our own page (never inside a host or where cookies are disabled), and only where the
 * browser can make the hash.
 */
export const isDeviceAskedAtom = atom(
  (get) => get(profileAtom).fullMode && !get(isFrugalAtom) && Boolean(globalThis.crypto?.subtle),
);
export const isDeviceAgreedAtom = atom((get) => get(isDeviceAskedAtom) && get(mayIAtom)('device'));
/** Sent with the request for a login code, as a hint against misuse; null without consent. */
export const botTokenAtom = atom((get) => {
  const held = get(fingerprintAtom);
  return held && get(isDeviceAgreedAtom) ? `${held.id}:${held.hash}` : null;
});

/** What the browser says about itself, under the specification's short keys and no longer than the contract allows. */
function collected(uid: string, storeId: string, deliveryType: string): contract.Fingerprint {
  const { userAgent, appVersion, plugins, mimeTypes, languages, maxTouchPoints } = navigator;
  return {
    ua: shortUserAgent(userAgent),
    av: appVersion.slice(0, 200),
    ww: innerWidth,
    wh: innerHeight,
    pl: plugins?.length ?? 0,
    mt: mimeTypes?.length ?? 0,
    ln: languages.join().slice(0, 120),
    tz: Intl.DateTimeFormat().resolvedOptions().timeZone,
    tp: maxTouchPoints ?? 0,
    st: storeId,
    ls: deliveryType,
    uid,
  };
}

/** Yes sends the fingerprint once; no deletes it here and on the server. */
export const agreeDeviceAtom = atom(null, async (get, set, isAgreed: boolean): Promise<void> => {
  void set(sayAtom, 'device', isAgreed);
  const { call, ensureSession } = get(apiAtom);
  try {
    if (!isAgreed) {
      if (get(fingerprintAtom)) await call(contract.forget, {});
      set(fingerprintAtom, null);
      return;
    }
    await ensureSession();
    const data = collected(get(userAtom)?.userId ?? '', get(storeIdAtom), get(deliveryTypeAtom));
    const { map } = await call(contract.send, { body: data });
    if (get(isDeviceAgreedAtom)) set(fingerprintAtom, { id: map.id, hash: await deviceHash(data, map.value) });
  } catch (thrown) {
    void set(sayAtom, 'device', !isAgreed);
    set(showFailureAtom, thrown);
  }
});

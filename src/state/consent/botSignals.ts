import { atom } from 'jotai';
import { readTraits } from '../../bridge/browserTraits.ts';
import { BOT_TOKEN_HEADER } from '../../contract/challenge.ts';
import * as contract from '../../contract/fingerprint.ts';
import { botSigns } from '../../domain/botSigns.ts';
import { withTimeout } from '../../domain/withTimeout.ts';
import { shortUserAgent } from '../../domain/device.ts';
import { deviceHash } from '../../domain/fingerprint.ts';
import { botTokenAtom, fingerprintAtom, isDeviceAgreedAtom, isForgettingDeviceAtom } from './deviceId.ts';
import { deliveryTypeAtom, storeIdAtom } from '../first/location.ts';
import { apiAtom } from '../first/seams.ts';
import { userAtom } from '../base/session.ts';

// Loaded only after a yes, and when the page is idle.

/** A browser that takes longer to tell of itself is not waited for. */
const LOOK_MS = 1_000;
const IDLE_MS = 2_000;

const idle = () =>
  new Promise<void>((done) => {
    if (typeof requestIdleCallback === 'function') requestIdleCallback(() => done(), { timeout: IDLE_MS });
    else setTimeout(done, 0);
  });

/** As the server trims it: the hash is made of the same. */
const cut = (text: string | undefined, length: number) => (text ?? '').slice(0, length).trim();

/** What the browser says about itself, under the specification's short keys and no longer than the contract allows. */
async function collected(uid: string, storeId: string, deliveryType: string): Promise<contract.Fingerprint> {
  const { userAgent, appVersion, plugins, mimeTypes, languages, maxTouchPoints } = navigator;
  const signs = await withTimeout(readTraits().then(botSigns), LOOK_MS).catch(() => undefined);
  return {
    ua: shortUserAgent(userAgent).trim(),
    av: cut(appVersion, 200),
    ww: Math.round(innerWidth),
    wh: Math.round(innerHeight),
    pl: plugins?.length ?? 0,
    mt: mimeTypes?.length ?? 0,
    ln: cut(languages?.join(), 120),
    tz: cut(Intl.DateTimeFormat().resolvedOptions().timeZone, 60),
    tp: maxTouchPoints ?? 0,
    st: cut(storeId, 20),
    ls: deliveryType,
    uid: cut(uid, 80),
    ...(signs ? { bs: signs } : {}),
  };
}

const isTellingAtom = atom(false);
/** Tells the server what this browser is like, and keeps what it answers. Never rejects; the next visit tries again. */
export const tellDeviceAtom = atom(null, async (get, set): Promise<void> => {
  if (get(isTellingAtom)) return;
  set(isTellingAtom, true);
  try {
    await idle();
    const { call, ensureSession } = get(apiAtom);
    await ensureSession();
    const uid = get(userAtom)?.userId ?? '';
    const data = await collected(uid, get(storeIdAtom), get(deliveryTypeAtom));
    if (!get(isDeviceAgreedAtom)) return;
    const before = get(botTokenAtom);
    const headers = before === null ? {} : { [BOT_TOKEN_HEADER]: before };
    const { map } = await call(contract.send, { body: data }, { headers });
    const hash = await deviceHash(data, map.value);
    // Meanwhile it may have been taken back, or somebody else may be here.
    if (get(isDeviceAgreedAtom) && (get(userAtom)?.userId ?? '') === uid)
      set(fingerprintAtom, { id: map.id, hash, uid, at: Date.now() });
    else await call(contract.forget, {}, { headers: { [BOT_TOKEN_HEADER]: `${map.id}:${hash}` } });
  } catch {
    // It is a hint, and nobody is worse off without it.
  } finally {
    set(isTellingAtom, false);
  }
});

/** Asks the server to forget this device, until it has heard it. Never rejects. */
export const tellForgottenAtom = atom(null, async (get, set): Promise<void> => {
  await get(apiAtom)
    .call(contract.forget, {})
    .then(
      () => set(isForgettingDeviceAtom, false),
      () => undefined,
    );
});

import { atom } from 'jotai';
import type { Credential } from '../bridge/hostBridge.ts';
import * as contract from '../contract/vendors.ts';
import type { VendorCredential } from '../contract/vendors.ts';
import { VENDOR_LOGIN_FAILED } from '../domain/messages.ts';
import { isCartWaitingAtom, syncCartAtom } from './cart.ts';
import { appConfigAtom } from './config.ts';
import { sessionAtom as forgotten } from './lib/forget.ts';
import { fillDetailAtom, welcomeAtom } from './login.ts';
import { refreshConfigAtom } from './live.ts';
import { popupAtom } from './popup.ts';
import { apiAtom, hostAtom } from './seams.ts';
import { isLoggedInAtom } from './session.ts';

/** The page belongs into a host that knows the customer. */
export const isVendorHostAtom = atom((get) => get(hostAtom).partner !== '');
/** The page belongs into a host and was opened somewhere else: nobody there can say who the customer is. */
export const isOutsideHostAtom = atom((get) => get(isVendorHostAtom) && !get(hostAtom).hosted);
/** Our own number-and-code form may be shown. */
export const isOwnLoginAllowedAtom = atom((get) => !get(hostAtom).forbids.has('own-login'));

const runningAtom = atom<Promise<boolean> | null>(null);
const isRunningHeldAtom = atom(false);
export const isVendorLoginRunningAtom = atom((get) => get(isRunningHeldAtom));
/** Asked once by itself; after that only when the customer asks. */
const isTriedAtom = forgotten(false);

/** What the host vouches for, made ready for the server. */
const credentialAtom = atom(null, async (get, set): Promise<VendorCredential> => {
  const host = get(hostAtom);
  const { nonce } = await get(apiAtom).call(contract.nonce, { vendor: host.partner });
  // The config is fetched when the page is idle; who goes straight to the payment is there before it.
  if (get(appConfigAtom) === null) await set(refreshConfigAtom);
  const clientId = get(appConfigAtom)?.vendorConfig.partner?.clientId;
  const credential: Credential = await host.login({ nonce, interactive: true, ...(clientId ? { clientId } : {}) });
  if (credential.kind === 'paytm-auth-code') return credential;
  if (credential.kind === 'web-session') throw new Error('This host has no login of its own.');
  if (host.supports('phoneNumber').state === 'unavailable') return credential;
  try {
    const { token } = await host.getPhoneNumber({ nonce });
    return { ...credential, phoneToken: token };
  } catch {
    // The number is asked for at checkout then; the identity alone is a login.
    return credential;
  }
});

async function once(login: () => Promise<void>, failed: () => void): Promise<boolean> {
  try {
    await login();
    return true;
  } catch {
    // The reason is the host's or the server's and helps nobody here; the popup says what can be done.
    failed();
    return false;
  }
}

/** Logs in with what the host knows. Refused or failed: the catalogue's popup with Retry, and browsing goes on (requirement MINI-X05). */
export const vendorLoginAtom = atom(null, (get, set): Promise<boolean> => {
  const running = get(runningAtom);
  if (running) return running;
  if (get(isLoggedInAtom)) return Promise.resolve(true);
  if (get(isOutsideHostAtom)) return Promise.resolve(false);
  set(isTriedAtom, true);
  set(isRunningHeldAtom, true);
  const run = once(async () => {
    const { call, ensureSession } = get(apiAtom);
    await ensureSession();
    if (get(isCartWaitingAtom)) await set(syncCartAtom);
    const credential = await set(credentialAtom);
    await set(welcomeAtom, await call(contract.auth, { vendor: get(hostAtom).partner, body: { credential } }));
  }, () => set(refusedAtom)).finally(() => {
    set(runningAtom, null);
    set(isRunningHeldAtom, false);
  });
  set(runningAtom, run);
  return run;
});

const refusedAtom = atom(null, (get, set) => {
  const host = get(hostAtom);
  set(popupAtom, {
    message: VENDOR_LOGIN_FAILED,
    second: 'You can also go on as a guest.',
    ...(host.supports('close').state === 'unavailable' ? {} : {
      left: { label: 'Exit', act: () => { host.close().catch(() => set(popupAtom, { message: 'Your app did not close this page. Please use its own back button.', right: { label: 'OK' } })); } },
    }),
    right: { label: 'Retry', act: () => { void set(vendorLoginAtom); } },
  });
});

/**
 * For the checkout: true when the order can be somebody's. A guest is enough (product.md C49); inside a host its login is
 * tried once, and what is then known of the customer is filled in. False: not even a guest could be made (no network).
 */
export const ensureLoginAtom = atom(null, async (get, set): Promise<boolean> => {
  if (get(isVendorHostAtom) && !get(isLoggedInAtom) && !get(isTriedAtom)) await set(vendorLoginAtom);
  try {
    await get(apiAtom).ensureSession();
  } catch {
    return false;
  }
  set(fillDetailAtom);
  return true;
});

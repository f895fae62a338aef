import * as errors from '#text/errors.ts';
import * as t from '#text/login.ts';
import { atom } from 'jotai';
import type { HostBridge, LoginRequest } from '../../bridge/hostBridge.ts';
import * as contract from '../../contract/vendors.ts';
import type { VendorCredential } from '../../contract/vendors.ts';
import { askToWakeAtom, wakeHeadersAtom } from './reactivation.ts';
import { syncCartAtom } from '../cart/cart.ts';
import { isCartWaitingAtom } from '../first/cart.ts';
import { appConfigAtom } from '../first/config.ts';
import { customerAtom } from '../lib/forget.ts';
import { question, stayingHere } from '../lib/question.ts';
import { fillDetailAtom, leaveLoginAtom, welcomeAtom } from './login.ts';
import { refreshConfigAtom } from '../base/config.ts';
import { popupAtom } from '../base/popup.ts';
import { apiAtom, hostAtom } from '../first/seams.ts';
import { isLoggedInAtom } from '../base/session.ts';

/**
 * The page belongs to a host that knows the customer. One that has said that it does not is none, where our own login may take
 * its place.
 */
export const isVendorHost = (host: HostBridge) =>
  host.partner !== '' &&
  (!host.hosted || host.forbids.has('own-login') || host.supports('login').state !== 'unavailable');
/** The page belongs to a host but was opened somewhere else, where nobody can say who the customer is. */
export const isOutsideHostAtom = atom((get) => get(hostAtom).partner !== '' && !get(hostAtom).hosted);
/** Whether our own login by number and code may be shown. */
export const isOwnLoginAllowedAtom = atom((get) => !get(hostAtom).forbids.has('own-login'));

/** The customer's identity, as the host states it. */
const identityQuestion = question((get, signal, request: LoginRequest) => get(hostAtom).login(request, { signal }));
/** Which number the customer has there. */
const numberQuestion = question((get, signal, nonce: string) => get(hostAtom).getPhoneNumber({ nonce }, { signal }));

/** The login under way. The host may never answer: `leave` ends the wait for it, with what takes its place. */
interface Running {
  readonly done: Promise<boolean>;
  readonly leave: (instead: boolean | Promise<boolean>) => void;
}
const runningAtom = atom<Running | null>(null);
export const isVendorLoginRunningAtom = atom((get) => get(runningAtom) !== null);
/** A consent sheet lies over the page, or the host will never answer: the page says so, and what can be done. */
export const isVendorLoginSilentAtom = atom(
  (get) => get(identityQuestion.atom) === 'silent' || get(numberQuestion.atom) === 'silent',
);
/** The host's login was started automatically once; after that only the customer starts it. */
const isTriedAtom = customerAtom(false);

const unwanted = () => new Error('Nobody waits for this login any more.');

/** The host's proof of who the customer is, as the server takes it. @throws what the host says, or that nobody waits any more */
const credentialAtom = atom(null, async (get, set, isWanted: () => boolean): Promise<VendorCredential> => {
  const host = get(hostAtom);
  host.prepare();
  const { nonce } = await get(apiAtom).call(contract.nonce, { vendor: host.partner });
  // The config is usually loaded while the page is idle, but a customer may reach the payment before that.
  if (get(appConfigAtom) === null) await set(refreshConfigAtom);
  const clientId = get(appConfigAtom)?.vendorConfig.partner?.clientId;
  if (!isWanted()) throw unwanted();
  const who = await set(identityQuestion.ask, { nonce, interactive: true, ...(clientId ? { clientId } : {}) });
  if (who.is === 'failed') throw who.thrown;
  if (who.is === 'superseded') throw unwanted();
  if (who.value.kind === 'web-session') throw new Error('This host has no login of its own.');
  const credential = { nonce, proof: who.value.proof };
  if (host.supports('phoneNumber').state === 'unavailable') return credential;
  const number = await set(numberQuestion.ask, nonce);
  // Without a number the checkout asks for it: the identity alone is enough to log in.
  return number.is === 'answered' ? { ...credential, phoneToken: number.value.token } : credential;
});

async function once(login: () => Promise<void>, failed: (thrown: unknown) => void): Promise<boolean> {
  try {
    await login();
    return true;
  } catch (thrown) {
    // The reason would not help the customer; the popup says what they can do. Whoever has opened another sheet knows.
    if ((thrown as { code?: string }).code !== 'ABORTED') failed(thrown);
    return false;
  }
}

/**
 * Logs in through the host. If that is refused or fails, a popup offers Retry, and browsing goes on (requirement
 * MINI-X05). A host that has not answered for a while is asked again.
 */
export const vendorLoginAtom = atom(null, (get, set): Promise<boolean> => {
  const before = get(runningAtom);
  if (before && !get(isVendorLoginSilentAtom)) return before.done;
  if (get(isLoggedInAtom)) return Promise.resolve(true);
  if (get(isOutsideHostAtom)) return Promise.resolve(false);
  set(isTriedAtom, true);
  let isLeft = false;
  let leave: Running['leave'] = () => {};
  const left = new Promise<boolean>((resolve) => {
    leave = resolve;
  });
  const logIn = async () => {
    const { call, ensureSession } = get(apiAtom);
    await ensureSession();
    if (get(isCartWaitingAtom)) await set(syncCartAtom);
    const credential = await set(credentialAtom, () => !isLeft);
    if (get(runningAtom) !== run) return;
    const reply = await call(
      contract.auth,
      { vendor: get(hostAtom).partner, body: { credential } },
      { headers: get(wakeHeadersAtom) },
    );
    // An order on its way has its address with it: it does not wait until the account has taken it.
    void set(welcomeAtom, reply);
  };
  const run: Running = {
    done: Promise.race([
      left,
      // What takes the place of a run that was left counts, and not that it has failed then.
      once(logIn, (thrown) => {
        if (get(runningAtom) !== run) return;
        if (!set(askToWakeAtom, thrown, vendorLoginAtom)) set(refusedAtom);
      }).then((isIn) => (isLeft ? left : isIn)),
    ]).finally(() => set(runningAtom, (one) => (one === run ? null : one))),
    leave(instead) {
      isLeft = true;
      leave(instead);
      set(identityQuestion.drop);
      set(numberQuestion.drop);
    },
  };
  set(runningAtom, run);
  before?.leave(run.done);
  return run.done;
});

/** Logs in from the login page, and goes on from there: whoever has left it before the host answers stays elsewhere. */
export const logInHereAtom = atom(null, async (get, set): Promise<void> => {
  const isHere = stayingHere(get);
  if ((await set(vendorLoginAtom)) && isHere()) set(leaveLoginAtom);
});

/** Goes on without what the host does not answer: as a guest, or without a number. @returns once it is known as whom */
export const leaveVendorLoginAtom = atom(null, async (get, set): Promise<void> => {
  const running = get(runningAtom);
  if (!running) return;
  if (get(numberQuestion.atom) !== 'idle') set(numberQuestion.drop);
  else {
    set(runningAtom, null);
    running.leave(false);
  }
  await running.done;
});

const refusedAtom = atom(null, (get, set) => {
  const host = get(hostAtom);
  set(popupAtom, {
    message: errors.vendorLoginFailed,
    second: t.hostFailed,
    ...(host.supports('close').state === 'unavailable'
      ? {}
      : {
          left: {
            label: t.exit,
            act: () => {
              host.close().catch(() =>
                set(popupAtom, {
                  message: t.exitFailed,
                  right: { label: errors.ok },
                }),
              );
            },
          },
        }),
    right: {
      label: t.hostRetry,
      act: () => {
        void set(vendorLoginAtom);
      },
    },
  });
});

/**
 * Makes sure that there is somebody to order for. A guest is enough (product.md C49); inside a host its login is tried
 * once, and what it knows of the customer is filled in. @returns false if not even a guest could be made (no network)
 */
export const ensureLoginAtom = atom(null, async (get, set): Promise<boolean> => {
  if (HOSTED && isVendorHost(get(hostAtom)) && !get(isLoggedInAtom) && !get(isTriedAtom)) await set(vendorLoginAtom);
  try {
    await get(apiAtom).ensureSession();
  } catch {
    return false;
  }
  set(fillDetailAtom);
  return true;
});

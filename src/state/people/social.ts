import { atom, type WritableAtom } from 'jotai';
import * as contract from '../../contract/social.ts';
import { addressAt } from '../../domain/addressAt.ts';
import { withQuery } from '../../domain/redirects.ts';
import { askToWakeAtom, wakeHeadersAtom } from './reactivation.ts';
import { syncCartAtom } from '../cart/cart.ts';
import { proven } from '../consent/challenge.ts';
import { refreshConfigAtom } from '../base/config.ts';
import { isCartWaitingAtom } from '../first/cart.ts';
import { appConfigAtom, isOpenAtom } from '../first/config.ts';
import { apiAtom, navigateAtom, originAtom, pathAtom } from '../first/seams.ts';
import { customerAtom } from '../lib/forget.ts';
import { leaveLoginAtom, loginFlowAtom, welcomeAtom } from './login.ts';
import { socialWantedAtom } from './loginCode.ts';
import { sentenceOf } from '../base/popup.ts';
import { tasks } from '../base/task.ts';
import { isLoggedInAtom } from '../base/session.ts';

/** With whose accounts one can log in here; none inside a payment app, and none in a step that must not be left. */
export const socialProvidersAtom = atom((get) =>
  get(isOpenAtom)('socialLogin') && !get(loginFlowAtom).noRedirect ? (get(appConfigAtom)?.logins?.social ?? []) : [],
);
/** The provider whose page is being opened: its `source`. */
export const socialLeavingAtom = customerAtom('');
/** The customer is back, and the server looks at what the provider said; or why such a login did not happen. */
export const socialTasks = tasks<'source'>();
/** The error belongs to the screen that is about to be entered. */
const isErrorNewAtom = customerAtom(false);

/** Leaves for the page of a provider; what was typed and the cart wait. */
export const beginSocialAtom = atom(null, async (get, set, source: string): Promise<void> => {
  if (get(socialLeavingAtom) !== '') return;
  set(socialLeavingAtom, source);
  set(socialTasks.clear);
  const { from } = get(loginFlowAtom);
  const page = get(pathAtom).startsWith('/postorder-ui/') ? 'postorder-ui/login' : 'login';
  try {
    const { call, ensureSession } = get(apiAtom);
    await ensureSession();
    // Unsent additions must reach the guest's cart before the guest becomes a customer.
    if (get(isCartWaitingAtom)) await set(syncCartAtom);
    const { url } = await proven(get, set, 'guesses', (headers) =>
      call(
        contract.begin,
        { body: { source, page, ...(from ? { from } : {}) } },
        { headers: { ...headers, returnpath: new URL(document.baseURI).pathname } },
      ),
    );
    // A browser that comes back by its back button shows the page as it was left.
    globalThis.addEventListener('pageshow', () => set(socialLeavingAtom, ''), { once: true });
    globalThis.location.assign(addressAt(get(originAtom), url));
  } catch (thrown) {
    set(socialLeavingAtom, '');
    set(socialTasks.refuse, { source: sentenceOf(thrown) });
  }
});

/** The login screen with the parameters that it had before the customer left, but for `social`. */
const screenAtom = atom((get) => {
  const [path = '/login', text = ''] = get(pathAtom).split('?');
  const query = new URLSearchParams(text);
  query.delete('social');
  return withQuery(path, query);
});

/** What the provider sent the customer back with, as it stood in the address. */
const stateAtom = customerAtom('');

/** Goes on where the provider sent the customer back to, and once more to wake an account that sleeps. */
const finishSocialAtom: WritableAtom<null, [], Promise<void>> = atom(null, async (get, set): Promise<void> => {
  if (get(socialTasks.isBusyAtom)) return;
  // Another tab, or this one before its reload, was first.
  if (get(isLoggedInAtom)) return set(leaveLoginAtom);
  if (await set(hearSocialAtom)) return;
  // The address must not be tried again by a reload, nor be carried on to the next step, where the customer may be by now.
  const here = get(screenAtom);
  if (here !== get(pathAtom)) get(navigateAtom).go(here, { replace: true });
});

/** @returns whether the customer is logged in now */
const hearSocialAtom = socialTasks.task(
  async (get, set) => {
    if (get(appConfigAtom) === null) await set(refreshConfigAtom);
    const body = { state: get(stateAtom) };
    const reply = await get(apiAtom).call(contract.login, { body }, { headers: get(wakeHeadersAtom) });
    if ('credentials' in reply) {
      set(socialWantedAtom, null);
      await set(welcomeAtom, reply);
      set(leaveLoginAtom);
      return true;
    }
    const { source, token, firstName = '', expiresInSeconds } = reply;
    const label = get(socialProvidersAtom).find((one) => one.source === source)?.label ?? source;
    set(socialWantedAtom, { source, label, token, firstName, expiresAt: Date.now() + expiresInSeconds * 1000 });
    return false;
  },
  {
    failed(get, set, thrown) {
      if (set(askToWakeAtom, thrown, finishSocialAtom)) return {};
      set(isErrorNewAtom, get(screenAtom) !== get(pathAtom));
      return { source: sentenceOf(thrown) };
    },
  },
);

/** What the login screen does first: an error is told once, and the way back from a provider goes on. */
export const enterSocialAtom = atom(null, async (get, set, query: URLSearchParams): Promise<void> => {
  if (get(isErrorNewAtom)) set(isErrorNewAtom, false);
  else set(socialTasks.clear);
  set(socialLeavingAtom, '');
  const wanted = get(socialWantedAtom);
  if (wanted !== null && wanted.expiresAt <= Date.now()) set(socialWantedAtom, null);
  const state = query.get('social');
  if (state === null) return;
  set(stateAtom, state);
  await set(finishSocialAtom);
});

/** Goes on with number and code alone. */
export const leaveSocialAtom = atom(null, (_get, set) => set(socialWantedAtom, null));

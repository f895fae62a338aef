import { loadChunk } from '../../bridge/scripts.ts';
import * as t from '#text/login.ts';
import { atom } from 'jotai';
import * as z from 'zod/mini';
import { isFailure } from '../../api/failure.ts';
import { BOT_TOKEN_HEADER } from '../../contract/challenge.ts';
import * as session from '../../contract/session.ts';
import type { SessionReply } from '../../contract/session.ts';
import { withTimeout } from '../../domain/withTimeout.ts';
import { DESKTOP_FROM_PX } from '../../domain/device.ts';
import { afterLogin } from '../../domain/safeRedirect.ts';
import { mergeAddressesAtom } from '../places/addresses.ts';
import { isWakingAtom } from './reactivation.ts';
import { isAccountCartDueAtom } from '../cart/cart.ts';
import { cartCountAtom } from '../first/cart.ts';
import { detailAtom } from '../drafts/detail.ts';
import { isUsageAgreedAtom, syncConsentsAtom } from '../consent/consents.ts';
import { isOpenAtom } from '../first/config.ts';
import { botTokenAtom } from '../consent/deviceId.ts';
import { customerAtom, forgetCustomerAtom } from '../lib/forget.ts';
import { kept } from '../first/lib/kept.ts';
import { popupAtom, showFailureAtom } from '../base/popup.ts';
import { toastMessageAtom } from '../first/toast.ts';
import { endPushAtom, keepPushAtom } from '../consent/push.ts';
import { apiAtom, navigateAtom } from '../first/seams.ts';
import { isLoggedInAtom, renewSessionAtom, userAtom } from '../base/session.ts';

/** OTP-screen visibility flag: hidden to shown when a code was sent, shown to hidden on leaving. */
export const isOtpShownAtom = customerAtom(false);

/** Saved final redirect url of the specification, section 4. */
export const finalRedirectAtom = kept<string>({
  key: 'login-redirect',
  schema: z.string(),
  initial: '',
  forget: 'never',
});
/** Query of a feedback link that waits for a login. */
export const feedbackQueryAtom = kept<string>({
  key: 'feedback-query',
  schema: z.string(),
  initial: '',
  forget: 'never',
});

interface LoginFlow {
  readonly from: string;
  readonly noRedirect: boolean;
}
export const loginFlowAtom = customerAtom<LoginFlow>({ from: '', noRedirect: false });

/** The address of an order is asked for in the cart. */
export const isFromCart = (from: string): boolean => from === 'cart' || from === 'Address';

/** The code is for somebody who has forgotten a password: then another one is chosen. */
export const isForgottenAtom = customerAtom(false);

/** Fills known names and the number into the checkout, where nothing was typed yet. */
export const fillDetailAtom = atom(null, (get, set) => {
  const user = get(userAtom);
  if (!user) return;
  set(detailAtom, (detail) => ({
    fName: detail.fName || (user.firstName ?? ''),
    lName: detail.lName || (user.lastName ?? ''),
    mobNo: detail.mobNo || (user.mobile ?? ''),
    email: detail.email || (user.email ?? ''),
  }));
});

/**
 * Completes every login: the session, the checkout's names, the guest's addresses. The server has already moved the
 * cart.
 */
export const welcomeAtom = atom(null, async (_get, set, reply: SessionReply): Promise<void> => {
  set(isAccountCartDueAtom, true);
  set(renewSessionAtom, reply);
  set(isWakingAtom, false);
  void set(syncConsentsAtom);
  set(fillDetailAtom);
  const merged = set(mergeAddressesAtom);
  const name = reply.attributes.firstName;
  // The specification's flash message: it stays when the page moves on.
  set(toastMessageAtom, name ? t.welcomeNamed({ name }) : t.welcome);
  await merged;
});

/** Goes where the login leads to; a saved url is used once. */
export const leaveLoginAtom = atom(null, (get, set): void => {
  const target = afterLogin(get(finalRedirectAtom), get(feedbackQueryAtom));
  set(finalRedirectAtom, '');
  set(isOtpShownAtom, false);
  const isForgotten = get(isForgottenAtom);
  set(isForgottenAtom, false);
  if (get(loginFlowAtom).noRedirect) return;
  const another = `/postorder-ui/profile/password?redirectUrl=${encodeURIComponent(target)}`;
  get(navigateAtom).go(isForgotten ? another : target, { replace: true });
});

/**
 * Logs out (specification section 4, product.md C14). Asks first if that empties a cart on this device. Leads to '/',
 * reloads with `doNotNavigate`, or goes back on a desktop screen.
 */
export const logoutAtom = atom(
  null,
  async (get, set, { doNotNavigate = false }: { doNotNavigate?: boolean } = {}): Promise<void> => {
    if (!get(isOpenAtom)('logout')) return;
    const count = get(cartCountAtom);
    if (count === 0) return set(endLoginAtom, doNotNavigate);
    set(popupAtom, {
      header: t.logoutAsk,
      message: (get(isLoggedInAtom) ? t.logoutKeeps : t.logoutEmpties)({ count }),
      left: { label: t.logoutNot },
      right: {
        label: t.logoutYes,
        act: () => {
          void set(endLoginAtom, doNotNavigate);
        },
      },
    });
  },
);

/** Ends all other sessions of this account, on every device. */
export const logoutOthersAtom = atom(null, async (get, set): Promise<void> => {
  try {
    const { ended } = await get(apiAtom).call(session.logoutOthers, {});
    set(toastMessageAtom, t.othersLoggedOut({ count: ended }));
    // The server may not know yet of which session this browser's notices are.
    await set(keepPushAtom);
  } catch (thrown) {
    set(showFailureAtom, thrown);
  }
});

/** How long a logout waits for events of the visit that are still to be sent. */
const LAST_WORDS_MS = 2_000;
/**
 * What waits was agreed to by whoever logs out, and belongs to their session: it is sent while there is one, since with
 * the consent it leaves the device. Never rejects.
 */
const sendLastWordsAtom = atom(null, async (get, set): Promise<void> => {
  if (!get(isUsageAgreedAtom)) return;
  const sent = loadChunk(() => import('../telemetry/telemetryOutbox.ts')).then(({ deliverAtom }) => set(deliverAtom));
  await withTimeout(sent, LAST_WORDS_MS).catch(() => undefined);
});

/**
 * Logs out on the server first, and only then removes everything of this customer from the device. A new guest follows.
 */
const endLoginAtom = atom(null, async (get, set, doNotNavigate: boolean): Promise<void> => {
  const { call, ensureSession } = get(apiAtom);
  await set(sendLastWordsAtom);
  try {
    const token = get(botTokenAtom);
    const headers = token === null ? {} : { [BOT_TOKEN_HEADER]: token };
    if (get(isLoggedInAtom)) await call(session.logout, {}, { headers });
  } catch (thrown) {
    // A session that has already expired counts as logged out. Any other failure leaves everything as it was.
    if (!isFailure(thrown) || thrown.kind !== 'expired') {
      set(showFailureAtom, thrown);
      return;
    }
    set(popupAtom, null);
  }
  set(forgetCustomerAtom);
  // The next user of this device must not get notifications about this customer's orders.
  await set(endPushAtom);
  set(toastMessageAtom, t.loggedOut);
  try {
    await ensureSession();
  } catch (thrown) {
    set(showFailureAtom, thrown);
  }
  if (doNotNavigate) globalThis.location.reload();
  else if (globalThis.innerWidth > DESKTOP_FROM_PX && globalThis.history.length > 1) globalThis.history.back();
  else get(navigateAtom).go('/', { replace: true });
});

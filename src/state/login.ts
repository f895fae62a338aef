import { loadChunk } from '../bridge/scripts.ts';
import * as errors from '#text/errors.ts';
import * as t from '#text/login.ts';
import { atom } from 'jotai';
import * as z from 'zod/mini';
import { codeOf, isFailure } from '../api/failure.ts';
import { BOT_TOKEN_HEADER } from '../contract/challenge.ts';
import * as contract from '../contract/login.ts';
import * as session from '../contract/session.ts';
import * as social from '../contract/social.ts';
import type { SessionReply } from '../contract/session.ts';
import { inTime } from '../domain/deadline.ts';
import { DESKTOP_FROM_PX } from '../domain/device.ts';
import { isEmail } from '../domain/email.ts';
import { OTP_DIGITS, OTP_LIFE_SECONDS, OTP_RESEND_SECONDS, otpCode } from '../domain/otp.ts';
import { latinDigits, phoneNumber } from '../domain/phone.ts';
import { afterLogin } from '../domain/returns.ts';
import { mergeAddressesAtom } from './addresses.ts';
import { askToWakeAtom, isWakingAtom, wakeHeadersAtom } from './asleep.ts';
import { syncCartAtom } from './cart.ts';
import { cartCountAtom, isCartWaitingAtom } from './first/cart.ts';
import { expectAccountAtom } from './changes.ts';
import { proven, waitOf } from './challenge.ts';
import { detailAtom } from './checkout.ts';
import { isUsageAgreedAtom, syncConsentsAtom } from './consents.ts';
import { appConfigAtom, isOpenAtom } from './first/config.ts';
import { botTokenAtom } from './device.ts';
import { customerAtom, forgetCustomerAtom } from './lib/forget.ts';
import { kept } from './first/lib/kept.ts';
import { sentenceOf, showFailureAtom } from './popup.ts';
import { popupAtom } from './popup.ts';
import { toastMessageAtom } from './first/toast.ts';
import { endPushAtom, keepPushAtom } from './push.ts';
import { countryAtom } from './country.ts';
import { smsCodeAtom, smsQuestion } from './smsCode.ts';
import { apiAtom, hostAtom, navigateAtom, pathAtom } from './first/seams.ts';
import { deviceTokenAtom, isLoggedInAtom, renewSessionAtom, userAtom } from './session.ts';

/** The number field, as typed. */
export const mobileAtom = kept<string>({ key: 'login-mobile', schema: z.string(), initial: '', forget: 'logout' });
/** The code field, as typed. */
export const codeAtom = customerAtom('');
/** loginErrorMsg of the specification, section 3, beside the field it is about. */
export const loginErrorAtom = customerAtom<{
  readonly field: 'mobile' | 'code' | 'password';
  readonly message: string;
} | null>(null);
/** isLoginResponseAwaited of the specification, section 3. */
export const isLoginAwaitedAtom = customerAtom<'' | 'send' | 'resend' | 'check'>('');
/** The last code could not be sent: too many were asked for, or any other reason (specification section 8). */
export const isOtpLimitAtom = customerAtom(false);
/** OTP-screen visibility flag: hidden to shown when a code was sent, shown to hidden on leaving. */
export const isOtpShownAtom = customerAtom(false);

/** The code that was sent; times are epoch milliseconds of this device. Survives a reload in the middle of a login. */
const OtpSent = z.nullable(
  z.object({ mobile: z.string(), resendAt: z.number(), expiresAt: z.number(), sendsLeft: z.number() }),
);
export type OtpSent = z.output<typeof OtpSent>;
export const otpSentAtom = kept<OtpSent>({ key: 'login-code', schema: OtpSent, initial: null, forget: 'logout' });

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

/**
 * A provider of accounts has said who the customer is, and only the number is missing: the code that proves it goes to
 * the call that joins both. Good for nothing in another session.
 */
const SocialWanted = z.nullable(
  z.object({
    source: z.string(),
    label: z.string(),
    token: z.string(),
    firstName: z.string(),
    /** Epoch milliseconds of this device. */
    expiresAt: z.number(),
  }),
);
export const socialWantedAtom = kept<z.output<typeof SocialWanted>>({
  key: 'login-social',
  schema: SocialWanted,
  initial: null,
  forget: 'logout',
});

interface LoginFlow {
  readonly from: string;
  readonly noRedirect: boolean;
}
export const loginFlowAtom = customerAtom<LoginFlow>({ from: '', noRedirect: false });

/** The address of an order is asked for in the cart. */
export const isFromCart = (from: string): boolean => from === 'cart' || from === 'Address';

/** Opens a login step with the parameters of its address. */
export const openLoginAtom = atom(null, (_get, set, query: URLSearchParams, isOtpShown: boolean) => {
  const from = query.get('from') ?? '';
  // Whoever comes from the cart goes on there, also where the address says no more of it.
  const wanted = query.get('redirectUrl') ?? (isFromCart(from) ? '/cart' : null);
  if (wanted !== null) set(finalRedirectAtom, wanted);
  set(loginFlowAtom, { from, noRedirect: query.get('noRedirect') === 'true' });
  set(loginErrorAtom, null);
  set(isOtpShownAtom, isOtpShown);
});

/** Path of a login step, with the query that this one came with. */
function step(place: string, name: 'login' | 'login-otp'): string {
  const [path = '', query] = place.split('?');
  return `${path.startsWith('/postorder-ui/') ? '/postorder-ui' : ''}/${name}${query ? `?${query}` : ''}`;
}

/** The code is for somebody who has forgotten a password: then another one is chosen. */
export const isForgottenAtom = customerAtom(false);

/** The one of three URL variants that the app config chooses (specification section 7). */
const sendEndpointAtom = atom((get) => {
  const { sendOtp } = contract;
  const [second, third, forgotten] = sendOtp.aliases ?? [];
  const variants = [get(isForgottenAtom) ? forgotten : sendOtp.path, second, third];
  const path = variants[get(appConfigAtom)?.otpVariant ?? 0] ?? sendOtp.path;
  return { ...sendOtp, path: path as typeof sendOtp.path };
});

/** Asks for a code, or for another one. @returns whether one was sent */
export const sendOtpAtom = atom(
  null,
  async (get, set, { isAgain = false }: { isAgain?: boolean } = {}): Promise<boolean> => {
    if (get(isLoginAwaitedAtom) !== '') return false;
    const country = get(countryAtom);
    const typed = isAgain ? (get(otpSentAtom)?.mobile ?? get(mobileAtom)) : get(mobileAtom);
    const mobile = phoneNumber(typed, country);
    if (mobile === null) {
      set(loginErrorAtom, {
        field: 'mobile',
        message: typed.trim() === '' ? errors.fieldEmpty : errors.mobileInvalid({ digits: country.PHONE_DIGIT }),
      });
      return false;
    }
    set(isLoginAwaitedAtom, isAgain ? 'resend' : 'send');
    set(loginErrorAtom, null);
    const flow = get(loginFlowAtom);
    try {
      const { fName, lName, email } = get(detailAtom);
      const body = {
        mobile,
        ...(fName.trim() ? { firstName: fName.trim() } : {}),
        ...(lName.trim() ? { lastName: lName.trim() } : {}),
        ...(isEmail(email) ? { email } : {}),
        ...(globalThis.location?.hostname ? { host: globalThis.location.hostname } : {}),
      };
      const sent = await proven(get, set, 'codes', (headers) =>
        get(apiAtom).call(isAgain ? contract.resendOtp : get(sendEndpointAtom), { body }, { headers }),
      );
      const now = Date.now();
      set(otpSentAtom, {
        mobile,
        resendAt: now + sent.resendInSeconds * 1000,
        expiresAt: now + sent.expiresInSeconds * 1000,
        sendsLeft: sent.sendsLeft,
      });
      set(isOtpLimitAtom, false);
      set(codeAtom, '');
      set(isOtpShownAtom, true);
      if (isAgain) set(toastMessageAtom, t.codeOnItsWay);
      else if (!flow.noRedirect) get(navigateAtom).go(step(get(pathAtom), 'login-otp'));
      return true;
    } catch (thrown) {
      set(sendFailedAtom, thrown, mobile, isAgain);
      return false;
    } finally {
      set(isLoginAwaitedAtom, '');
    }
  },
);

/**
 * Handles a refused code. OTP_WAIT means that a code was sent a moment ago: that one is still good, so its step is
 * shown with the remaining wait.
 */
const sendFailedAtom = atom(null, (get, set, thrown: unknown, mobile: string, isAgain: boolean): void => {
  const code = codeOf(thrown);
  const message = sentenceOf(thrown, !get(hostAtom).fullMode);
  const { from, noRedirect } = get(loginFlowAtom);
  if (code === 'OTP_WAIT') {
    const waitSeconds = waitOf(thrown, OTP_RESEND_SECONDS);
    const held = get(otpSentAtom);
    const now = Date.now();
    const expiresAt = held?.mobile === mobile ? held.expiresAt : now + OTP_LIFE_SECONDS * 1000;
    set(otpSentAtom, { mobile, resendAt: now + waitSeconds * 1000, expiresAt, sendsLeft: held?.sendsLeft ?? 1 });
    set(isOtpShownAtom, true);
    set(loginErrorAtom, { field: 'code', message });
    if (!isAgain && !noRedirect) get(navigateAtom).go(step(get(pathAtom), 'login-otp'));
    return;
  }
  set(isOtpLimitAtom, true);
  if (from === 'Address') {
    set(showFailureAtom, thrown);
    get(navigateAtom).go('/cart', { replace: true });
    return;
  }
  set(loginErrorAtom, { field: isAgain ? 'code' : 'mobile', message });
});

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
  set(expectAccountAtom);
  set(renewSessionAtom, reply);
  set(isWakingAtom, false);
  void set(syncConsentsAtom);
  set(fillDetailAtom);
  await set(mergeAddressesAtom);
  const name = reply.attributes.firstName;
  // The specification's flash message: it stays when the page moves on.
  set(toastMessageAtom, name ? t.welcomeNamed({ name }) : t.welcome);
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

/** Checks the code and logs in (specification section 4, Login). @returns whether it did */
export const validateOtpAtom = atom(null, async (get, set): Promise<boolean> => {
  const sent = get(otpSentAtom);
  if (get(isLoginAwaitedAtom) !== '' || !sent) return false;
  const typed = get(codeAtom);
  const code = otpCode(typed);
  if (code === null) {
    set(loginErrorAtom, { field: 'code', message: typed.trim() === '' ? errors.fieldEmpty : errors.otpWrong });
    return false;
  }
  set(isLoginAwaitedAtom, 'check');
  set(loginErrorAtom, null);
  try {
    // Unsent additions must reach the guest's cart before the guest becomes a customer.
    if (get(isCartWaitingAtom)) await set(syncCartAtom);
    const body = { mobile: sent.mobile, code, screenName: 'login-otp' };
    const wanted = get(socialWantedAtom);
    const reply = await proven(get, set, 'guesses', (headers) =>
      wanted === null
        ? get(apiAtom).call(contract.validateOtp, { body }, { headers: { ...headers, ...get(wakeHeadersAtom) } })
        : get(apiAtom).call(
            social.validate,
            { body: { ...body, source: wanted.source, token: wanted.token } },
            { headers: { ...headers, ...get(wakeHeadersAtom) } },
          ),
    );
    set(socialWantedAtom, null);
    set(smsQuestion.drop);
    set(deviceTokenAtom, reply.device);
    await set(welcomeAtom, reply);
    set(otpSentAtom, null);
    set(mobileAtom, '');
    set(codeAtom, '');
    set(leaveLoginAtom);
    return true;
  } catch (thrown) {
    if (set(askToWakeAtom, thrown, validateOtpAtom)) return false;
    // The code is still good, for a login with it alone.
    if (codeOf(thrown) === 'SOCIAL_LOGIN') set(socialWantedAtom, null);
    if (isFailure(thrown) && (thrown.kind === 'refused' || thrown.kind === 'offline' || thrown.kind === 'timeout')) {
      set(loginErrorAtom, { field: 'code', message: sentenceOf(thrown) });
    } else {
      set(showFailureAtom, thrown);
    }
    return false;
  } finally {
    set(isLoginAwaitedAtom, '');
  }
});

/**
 * Takes what was typed or pasted into the code field. Digits of any script count, and six of them are tried at once.
 */
export const typeCodeAtom = atom(null, (get, set, typed: string) => {
  const digits = latinDigits(typed).slice(0, OTP_DIGITS);
  const before = get(codeAtom);
  set(codeAtom, digits);
  if (digits !== before) set(loginErrorAtom, null);
  if (digits.length === OTP_DIGITS && digits !== before) void set(validateOtpAtom);
});

/** Takes the code from the SMS itself where the browser can (origin-bound codes, requirement AUTH-X01). */
export const listenForCodeAtom = atom(null, async (get, set): Promise<void> => {
  const sent = get(otpSentAtom);
  if (!sent) return;
  const code = await set(smsCodeAtom, sent.expiresAt);
  if (code !== null && get(isOtpShownAtom)) set(typeCodeAtom, code);
});

/** Goes back to the number; a code that was sent stays valid. */
export const changeMobileAtom = atom(null, (get, set) => {
  set(smsQuestion.drop);
  const sent = get(otpSentAtom);
  if (sent) set(mobileAtom, sent.mobile);
  set(loginErrorAtom, null);
  set(isOtpShownAtom, false);
  if (!get(loginFlowAtom).noRedirect) get(navigateAtom).go(step(get(pathAtom), 'login'), { replace: true });
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

/** So long a logout waits for what is still to be told of the visit. */
const LAST_WORDS_MS = 2_000;
/**
 * What waits was agreed to by whoever logs out, and belongs to their session: it is sent while there is one, since with
 * the consent it leaves the device. Never rejects.
 */
const sendLastWordsAtom = atom(null, async (get, set): Promise<void> => {
  if (!get(isUsageAgreedAtom)) return;
  const sent = loadChunk(() => import('./delivery.ts')).then(({ deliverAtom }) => set(deliverAtom));
  await inTime(sent, LAST_WORDS_MS).catch(() => undefined);
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

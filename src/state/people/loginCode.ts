import * as t from '#text/login.ts';
import { atom } from 'jotai';
import * as z from 'zod/mini';
import { codeOf } from '../../api/failure.ts';
import * as contract from '../../contract/login.ts';
import * as social from '../../contract/social.ts';
import { isEmail } from '../../domain/email.ts';
import { typedText } from '../../domain/typedText.ts';
import { askToWakeAtom, wakeHeadersAtom } from './reactivation.ts';
import { syncCartAtom } from '../cart/cart.ts';
import { isCartWaitingAtom } from '../first/cart.ts';
import { CodeSent, oneTimeCode } from '../consent/oneTimeCode.ts';
import { detailAtom } from '../drafts/detail.ts';
import { appConfigAtom } from '../first/config.ts';
import { customerAtom } from '../lib/forget.ts';
import { kept } from '../first/lib/kept.ts';
import { sentenceOf, showFailureAtom } from '../base/popup.ts';
import { toastMessageAtom } from '../first/toast.ts';
import { mobileOf, mobileProblem } from '../base/mobile.ts';
import { saidAtom } from '../base/task.ts';
import { smsQuestion } from '../lib/smsCode.ts';
import {
  finalRedirectAtom,
  isForgottenAtom,
  isFromCart,
  isOtpShownAtom,
  leaveLoginAtom,
  loginFlowAtom,
  welcomeAtom,
} from './login.ts';
import { hostBody } from './ownerCode.ts';
import { apiAtom, hostAtom, navigateAtom, pathAtom } from '../first/seams.ts';
import { deviceTokenAtom } from '../base/session.ts';

/** The number field, as typed. */
export const mobileAtom = kept<string>({ key: 'login-mobile', schema: z.string(), initial: '', forget: 'logout' });
/** The last code could not be sent: too many were asked for, or any other reason (specification section 8). */
export const isOtpLimitAtom = customerAtom(false);
/** The code that was sent. Survives a reload in the middle of a login. */
const OtpSent = z.nullable(z.extend(CodeSent, { mobile: z.string() }));
const otpSentAtom = kept<z.output<typeof OtpSent>>({
  key: 'login-code',
  schema: OtpSent,
  initial: null,
  forget: 'logout',
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

/** Opens a login step with the parameters of its address. */
export const openLoginAtom = atom(null, (_get, set, query: URLSearchParams, isOtpShown: boolean) => {
  const from = query.get('from') ?? '';
  // A customer who comes from the cart goes on there, also where the address says no more of it.
  const wanted = query.get('redirectUrl') ?? (isFromCart(from) ? '/cart' : null);
  if (wanted !== null) set(finalRedirectAtom, wanted);
  set(loginFlowAtom, { from, noRedirect: query.get('noRedirect') === 'true' });
  set(loginCode.clear);
  set(isOtpShownAtom, isOtpShown);
});

/** Path of a login step, with the query that this one came with. */
function step(place: string, name: 'login' | 'login-otp'): string {
  const [path = '', query] = place.split('?');
  return `${path.startsWith('/postorder-ui/') ? '/postorder-ui' : ''}/${name}${query ? `?${query}` : ''}`;
}

/** The one of three URL variants that the app config chooses (specification section 7). */
const sendEndpointAtom = atom((get) => {
  const { sendOtp } = contract;
  const [second, third, forgotten] = sendOtp.aliases ?? [];
  const variants = [get(isForgottenAtom) ? forgotten : sendOtp.path, second, third];
  const path = variants[get(appConfigAtom)?.otpVariant ?? 0] ?? sendOtp.path;
  return { ...sendOtp, path: path as typeof sendOtp.path };
});

/**
 * The code of a login. What it is busy with is isLoginResponseAwaited of the specification, section 3; its problems are
 * loginErrorMsg there, each beside its field: `to` is the number.
 */
export const loginCode = oneTimeCode<{ readonly mobile: string }, 'password'>({
  saysWait: true,
  sentAtom: otpSentAtom,
  to: (get) => ({ mobile: mobileOf(get, get(mobileAtom)) ?? '' }),
  wrongTo: (get) => ({ to: mobileProblem(get, get(mobileAtom)) }),
  send: (get, ask, { mobile }, isAgain) => {
    const { fName, lName, email } = get(detailAtom);
    const body = {
      mobile,
      ...(typedText(fName) ? { firstName: typedText(fName) } : {}),
      ...(typedText(lName) ? { lastName: typedText(lName) } : {}),
      ...(isEmail(email) ? { email } : {}),
      ...hostBody(),
    };
    return ask((headers) =>
      get(apiAtom).call(isAgain ? contract.resendOtp : get(sendEndpointAtom), { body }, { headers }),
    );
  },
  onSent: (get, set, isAgain, isNew) => {
    if (isNew) set(isOtpLimitAtom, false);
    set(isOtpShownAtom, true);
    if (!isAgain && !get(loginFlowAtom).noRedirect) get(navigateAtom).go(step(get(pathAtom), 'login-otp'));
    else if (isAgain && isNew) set(toastMessageAtom, t.codeOnItsWay);
  },
  sendFailed: (get, set, thrown, isAgain) => {
    set(isOtpLimitAtom, true);
    if (get(loginFlowAtom).from !== 'Address')
      return { [isAgain ? 'code' : 'to']: sentenceOf(thrown, !get(hostAtom).fullMode) };
    set(showFailureAtom, thrown);
    get(navigateAtom).go('/cart', { replace: true });
    return null;
  },
  // Logs in (specification section 4, Login).
  check: async (get, set, prove, code, { mobile }) => {
    // Unsent additions must reach the guest's cart before the guest becomes a customer.
    if (get(isCartWaitingAtom)) await set(syncCartAtom);
    const body = { mobile, code, screenName: 'login-otp' };
    const wanted = get(socialWantedAtom);
    const reply = await prove((own) => {
      const headers = { ...own, ...get(wakeHeadersAtom) };
      return wanted === null
        ? get(apiAtom).call(contract.validateOtp, { body }, { headers })
        : get(apiAtom).call(
            social.validate,
            { body: { ...body, source: wanted.source, token: wanted.token } },
            { headers },
          );
    });
    set(socialWantedAtom, null);
    set(deviceTokenAtom, reply.device);
    await set(welcomeAtom, reply);
    set(mobileAtom, '');
    set(leaveLoginAtom);
  },
  checkFailed: (_get, set, thrown, again) => {
    if (set(askToWakeAtom, thrown, again)) return null;
    // The code is still good, for a login with it alone.
    if (codeOf(thrown) === 'SOCIAL_LOGIN') set(socialWantedAtom, null);
    return { code: set(saidAtom, thrown) };
  },
});

/** Says what is wrong with a number as soon as its field is left; an empty one is none yet. */
export const lookAtNumberAtom = atom(null, (get, set) => {
  const problem = typedText(get(mobileAtom)) === '' ? '' : mobileProblem(get, get(mobileAtom));
  if (problem !== '') set(loginCode.refuse, { to: problem });
});

/** Goes back to the number; a code that was sent stays valid. */
export const changeMobileAtom = atom(null, (get, set) => {
  set(smsQuestion.drop);
  const sent = get(loginCode.sentAtom);
  if (sent) set(mobileAtom, sent.mobile);
  set(loginCode.clear);
  set(isOtpShownAtom, false);
  if (!get(loginFlowAtom).noRedirect) get(navigateAtom).go(step(get(pathAtom), 'login'), { replace: true });
});

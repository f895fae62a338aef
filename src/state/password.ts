import * as errors from '#text/errors.ts';
import * as t from '#text/password.ts';
import { atom } from 'jotai';
import { codeOf, isFailure } from '../api/failure.ts';
import * as contract from '../contract/passwords.ts';
import { PASSWORD_FROM, passwordLength } from '../domain/password.ts';
import { phoneNumber } from '../domain/phone.ts';
import { ownPath } from '../domain/returns.ts';
import { askToWakeAtom, wakeHeadersAtom } from './asleep.ts';
import { syncCartAtom } from './cart.ts';
import { proven } from './challenge.ts';
import { countryAtom } from './country.ts';
import { isCartWaitingAtom } from './first/cart.ts';
import { appConfigAtom, isOpenAtom } from './first/config.ts';
import { apiAtom, navigateAtom } from './first/seams.ts';
import { toastMessageAtom } from './first/toast.ts';
import { customerAtom } from './lib/forget.ts';
import {
  isForgottenAtom,
  isLoginAwaitedAtom,
  leaveLoginAtom,
  loginErrorAtom,
  mobileAtom,
  sendOtpAtom,
  welcomeAtom,
} from './login.ts';
import { sentenceOf, showFailureAtom } from './popup.ts';
import { deviceTokenAtom, isLoggedInAtom } from './session.ts';

/** Whether this country has passwords (SHOW_LOAGIN_WITH_PASSWORD), as the server says; never inside a payment app. */
export const isPasswordOpenAtom = atom(
  (get) => get(isOpenAtom)('passwordLogin') && get(appConfigAtom)?.logins?.password === true,
);
/** The customer logs in with number and password; else with a code, which always comes first. */
const wishesPasswordAtom = customerAtom(false);
export const isPasswordWayAtom = atom((get) => get(wishesPasswordAtom) && get(isPasswordOpenAtom));
export const choosePasswordAtom = atom(null, (_get, set, isPassword: boolean) => {
  set(wishesPasswordAtom, isPassword);
  set(isForgottenAtom, false);
  set(loginErrorAtom, null);
});
/** As typed; never kept. */
export const passwordAtom = customerAtom('');

const isTold = (thrown: unknown) =>
  isFailure(thrown) && ['refused', 'offline', 'timeout', 'broken'].includes(thrown.kind);

/** Logs in with number and password. @returns whether it did, or the field to look at */
export const passwordLoginAtom = atom(null, async (get, set): Promise<true | 'mobile' | 'password'> => {
  if (get(isLoginAwaitedAtom) !== '') return 'password';
  const country = get(countryAtom);
  const [typed, password] = [get(mobileAtom), get(passwordAtom)];
  const mobile = phoneNumber(typed, country);
  if (mobile === null || password === '') {
    const field = mobile === null ? 'mobile' : 'password';
    const isEmpty = field === 'password' || typed.trim() === '';
    const message = isEmpty ? errors.fieldEmpty : errors.mobileInvalid({ digits: country.PHONE_DIGIT });
    set(loginErrorAtom, { field, message });
    return field;
  }
  set(isLoginAwaitedAtom, 'check');
  set(loginErrorAtom, null);
  try {
    // Unsent additions must reach the guest's cart before the guest becomes a customer.
    if (get(isCartWaitingAtom)) await set(syncCartAtom);
    const reply = await proven(get, set, 'guesses', (headers) =>
      get(apiAtom).call(
        contract.login,
        { body: { mobile, password } },
        { headers: { ...headers, ...get(wakeHeadersAtom) } },
      ),
    );
    set(deviceTokenAtom, reply.device);
    await set(welcomeAtom, reply);
    set(mobileAtom, '');
    set(passwordAtom, '');
    set(leaveLoginAtom);
    return true;
  } catch (thrown) {
    if (set(askToWakeAtom, thrown, passwordLoginAtom)) return 'password';
    if (isTold(thrown)) set(loginErrorAtom, { field: 'password', message: sentenceOf(thrown) });
    else set(showFailureAtom, thrown);
    return 'password';
  } finally {
    set(isLoginAwaitedAtom, '');
  }
});

/** Sends a code as to everybody; it leads to where another password is chosen, and from there on. */
export const forgotPasswordAtom = atom(null, async (_get, set): Promise<boolean> => {
  set(isForgottenAtom, true);
  return await set(sendOtpAtom);
});

// ---- the page that sets it

/** Null while it is not known. */
export const passwordStandingAtom = customerAtom<{ readonly isSet: boolean; readonly needsProof: boolean } | null>(
  null,
);
/** Why the standing is not known. */
export const standingErrorAtom = customerAtom('');
type Field = 'password' | 'current' | 'code';
export const changeErrorAtom = customerAtom<{ readonly field: Field; readonly message: string } | null>(null);
export const passwordAwaitedAtom = customerAtom<'' | 'code' | 'save'>('');
/** A code was sent to the account's number. */
export const isCodeSentAtom = customerAtom(false);

export const loadStandingAtom = atom(null, async (get, set): Promise<void> => {
  set(changeErrorAtom, null);
  set(isCodeSentAtom, false);
  set(standingErrorAtom, '');
  if (!get(isLoggedInAtom)) return;
  try {
    const { isSet, needsProof } = await get(apiAtom).call(contract.standing, {});
    set(passwordStandingAtom, { isSet, needsProof });
  } catch (thrown) {
    set(standingErrorAtom, sentenceOf(thrown));
  }
});

export const sendPasswordCodeAtom = atom(null, async (get, set): Promise<void> => {
  if (get(passwordAwaitedAtom) !== '') return;
  set(passwordAwaitedAtom, 'code');
  set(changeErrorAtom, null);
  const host = globalThis.location?.hostname;
  try {
    await proven(get, set, 'codes', (headers) =>
      get(apiAtom).call(contract.sendCode, { body: host ? { host } : {} }, { headers }),
    );
    set(isCodeSentAtom, true);
  } catch (thrown) {
    // One that was sent a moment ago is as good.
    if (codeOf(thrown) === 'OTP_WAIT') set(isCodeSentAtom, true);
    set(changeErrorAtom, { field: codeOf(thrown) === 'OTP_WAIT' ? 'code' : 'current', message: sentenceOf(thrown) });
  } finally {
    set(passwordAwaitedAtom, '');
  }
});

interface Change {
  readonly password: string;
  readonly current: string;
  readonly code: string;
  /** Where the page leads afterwards; a path of our own, or the account. */
  readonly next: string | null;
}
/** Sets the password. @returns whether it did, or the field to look at */
export const changePasswordAtom = atom(null, async (get, set, typed: Change): Promise<true | Field> => {
  if (get(passwordAwaitedAtom) !== '') return 'password';
  const refuse = (field: Field, message: string) => {
    set(changeErrorAtom, { field, message });
    return field;
  };
  const isByCode = get(isCodeSentAtom);
  const needsProof = get(passwordStandingAtom)?.needsProof !== false;
  if (needsProof && !isByCode && typed.current === '') return refuse('current', errors.fieldEmpty);
  if (isByCode && typed.code.trim() === '') return refuse('code', errors.fieldEmpty);
  if (passwordLength(typed.password) < PASSWORD_FROM) return refuse('password', t.hint({ count: PASSWORD_FROM }));
  set(passwordAwaitedAtom, 'save');
  set(changeErrorAtom, null);
  try {
    const proof = isByCode ? { code: typed.code } : needsProof ? { current: typed.current } : {};
    const { ended } = await proven(get, set, 'guesses', (headers) =>
      get(apiAtom).call(contract.change, { body: { password: typed.password, ...proof } }, { headers }),
    );
    set(toastMessageAtom, t.saved({ count: ended }));
    set(passwordStandingAtom, null);
    get(navigateAtom).go(ownPath(typed.next) ?? '/postorder-ui/profile', { replace: true });
    return true;
  } catch (thrown) {
    if (codeOf(thrown) === 'PROOF_NEEDED') set(passwordStandingAtom, (now) => now && { ...now, needsProof: true });
    const field = isFailure(thrown) ? thrown.errors[0]?.field : undefined;
    if (isTold(thrown)) return refuse(field === 'current' || field === 'code' ? field : 'password', sentenceOf(thrown));
    set(showFailureAtom, thrown);
    return 'password';
  } finally {
    set(passwordAwaitedAtom, '');
  }
});

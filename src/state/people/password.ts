import * as errors from '#text/errors.ts';
import * as t from '#text/password.ts';
import { atom, type Getter, type Setter, type WritableAtom } from 'jotai';
import { codeOf, isFailure } from '../../api/failure.ts';
import * as contract from '../../contract/passwords.ts';
import { PASSWORD_FROM, passwordLength } from '../../domain/password.ts';
import { ownPath } from '../../domain/safeRedirect.ts';
import { askToWakeAtom, wakeHeadersAtom } from './reactivation.ts';
import { syncCartAtom } from '../cart/cart.ts';
import { proven } from '../consent/challenge.ts';
import { oneTimeCode } from '../consent/oneTimeCode.ts';
import { mobileOf, mobileProblem } from '../base/mobile.ts';
import { saidAtom } from '../base/task.ts';
import { hostBody } from './ownerCode.ts';
import { isCartWaitingAtom } from '../first/cart.ts';
import { appConfigAtom, isOpenAtom } from '../first/config.ts';
import { apiAtom, navigateAtom, pathAtom } from '../first/seams.ts';
import { toastMessageAtom } from '../first/toast.ts';
import { customerAtom } from '../lib/forget.ts';
import { isForgottenAtom, leaveLoginAtom, welcomeAtom } from './login.ts';
import { loginCode, mobileAtom } from './loginCode.ts';
import { sentenceOf } from '../base/popup.ts';
import { deviceTokenAtom, isLoggedInAtom } from '../base/session.ts';

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
  set(loginCode.clear);
});
/** As typed; never kept. */
export const passwordAtom = customerAtom('');

const isTold = (thrown: unknown) => isFailure(thrown) && thrown.kind === 'broken';
/** The sentence beside a field; of an answer that makes no sense, too, as nothing was lost by it. */
const told = (set: Setter, thrown: unknown) => (isTold(thrown) ? sentenceOf(thrown) : set(saidAtom, thrown));

/** Logs in with number and password. @returns whether it did */
export const passwordLoginAtom: WritableAtom<null, [], Promise<boolean>> = loginCode.task(
  async (get, set) => {
    // Unsent additions must reach the guest's cart before the guest becomes a customer.
    if (get(isCartWaitingAtom)) await set(syncCartAtom);
    const body = { mobile: mobileOf(get, get(mobileAtom)) ?? '', password: get(passwordAtom) };
    const reply = await proven(get, set, 'guesses', (headers) =>
      get(apiAtom).call(contract.login, { body }, { headers: { ...headers, ...get(wakeHeadersAtom) } }),
    );
    set(deviceTokenAtom, reply.device);
    await set(welcomeAtom, reply);
    set(mobileAtom, '');
    set(passwordAtom, '');
    set(leaveLoginAtom);
  },
  {
    as: 'check',
    wrong: (get) => {
      const to = mobileProblem(get, get(mobileAtom));
      return { to, ...(to === '' && get(passwordAtom) === '' ? { password: errors.fieldEmpty } : {}) };
    },
    failed: (_get, set, thrown) =>
      set(askToWakeAtom, thrown, passwordLoginAtom) ? null : { password: told(set, thrown) },
  },
);

/** Sends a code as to everybody; it leads to where another password is chosen, and from there on. */
export const forgotPasswordAtom = atom(null, async (_get, set): Promise<boolean> => {
  set(isForgottenAtom, true);
  return await set(loginCode.send);
});

// ---- the page that sets it

/** Null while it is not known. */
export const passwordStandingAtom = customerAtom<{ readonly isSet: boolean; readonly needsProof: boolean } | null>(
  null,
);
/** Why the standing is not known. */
export const standingErrorAtom = customerAtom('');
/** As typed; never kept. */
export const changeDraftAtom = customerAtom({ password: '', current: '' });

export const loadStandingAtom = atom(null, async (get, set): Promise<void> => {
  set(passwordCode.leave);
  set(changeDraftAtom, { password: '', current: '' });
  set(standingErrorAtom, '');
  if (!get(isLoggedInAtom)) return;
  try {
    const { isSet, needsProof } = await get(apiAtom).call(contract.standing, {});
    set(passwordStandingAtom, { isSet, needsProof });
  } catch (thrown) {
    set(standingErrorAtom, sentenceOf(thrown));
  }
});

const changeWith = async (
  get: Getter,
  set: Setter,
  proof: { readonly code?: string; readonly current?: string },
  headers: Readonly<Record<string, string>>,
): Promise<void> => {
  const { password } = get(changeDraftAtom);
  const next = new URLSearchParams(get(pathAtom).split('?')[1]).get('redirectUrl');
  const { ended } = await get(apiAtom).call(contract.change, { body: { password, ...proof } }, { headers });
  set(changeDraftAtom, { password: '', current: '' });
  set(toastMessageAtom, t.saved({ count: ended }));
  set(passwordStandingAtom, null);
  get(navigateAtom).go(ownPath(next) ?? '/postorder-ui/profile', { replace: true });
};
const wrongPassword = (get: Getter) => ({
  password: passwordLength(get(changeDraftAtom).password) < PASSWORD_FROM ? t.hint({ count: PASSWORD_FROM }) : '',
});
const changeFailed = (_get: Getter, set: Setter, thrown: unknown) => {
  if (codeOf(thrown) === 'PROOF_NEEDED') set(passwordStandingAtom, (now) => now && { ...now, needsProof: true });
  const field = isFailure(thrown) ? thrown.errors[0]?.field : undefined;
  return { [field === 'current' || field === 'code' ? field : 'password']: told(set, thrown) };
};

/** A code to the account's number, in place of the password until now. */
export const passwordCode = oneTimeCode<object, 'password' | 'current'>({
  saysWait: true,
  isSentByButton: true,
  to: () => ({}),
  send: (get, ask) => ask((headers) => get(apiAtom).call(contract.sendCode, { body: hostBody() }, { headers })),
  sendFailed: (_get, _set, thrown, isAgain) => ({ [isAgain ? 'code' : 'current']: sentenceOf(thrown) }),
  wrongBeside: wrongPassword,
  check: (get, set, prove, code) => prove((headers) => changeWith(get, set, { code }, headers)),
  checkFailed: changeFailed,
});

const needsCurrent = (get: Getter) => get(passwordStandingAtom)?.needsProof !== false;
const changeByCurrentAtom = passwordCode.task(
  async (get, set) => {
    const proof = needsCurrent(get) ? { current: get(changeDraftAtom).current } : {};
    await proven(get, set, 'guesses', (headers) => changeWith(get, set, proof, headers));
  },
  {
    as: 'check',
    wrong: (get) => ({
      ...wrongPassword(get),
      current: needsCurrent(get) && get(changeDraftAtom).current === '' ? errors.fieldEmpty : '',
    }),
    failed: changeFailed,
  },
);
/** Sets the password. A path of our own that the address names is where it leads to. @returns whether it did */
export const changePasswordAtom = atom(
  null,
  async (get, set): Promise<boolean> =>
    await set(get(passwordCode.sentAtom) === null ? changeByCurrentAtom : passwordCode.check),
);

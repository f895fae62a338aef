import * as errors from '#text/errors.ts';
import * as t from '#text/account.ts';
import { atom } from 'jotai';
import * as z from 'zod/mini';
import { codeOf, isFailure } from '../api/failure.ts';
import * as contract from '../contract/profile.ts';
import type { UserAttributes } from '../contract/session.ts';
import { OTP_DIGITS, OTP_RESEND_SECONDS, otpCode } from '../domain/otp.ts';
import { latinDigits, phoneNumber } from '../domain/phone.ts';
import { profileProblems, trimmed, type Profile, type ProfileProblems } from '../domain/profile.ts';
import { proven, waitOf } from './challenge.ts';
import { detailAtom } from './checkout.ts';
import { countryAtom } from './country.ts';
import { kept } from './first/lib/kept.ts';
import { apiAtom, navigateAtom } from './first/seams.ts';
import { toastMessageAtom } from './first/toast.ts';
import { customerAtom } from './lib/forget.ts';
import { remote } from './lib/remote.ts';
import { sentenceOf, showFailureAtom } from './popup.ts';
import { putUserAtom, userAtom } from './session.ts';

const PROFILE = '/postorder-ui/profile';

const profileOf = (user: UserAttributes | null): Profile => ({
  firstName: user?.firstName ?? '',
  lastName: user?.lastName ?? '',
  email: user?.email ?? '',
});

/** What the checkout had from the profile follows it; what was typed there for another person stays. */
const followAtom = atom(null, (get, set, user: UserAttributes) => {
  const [before, now] = [get(userAtom), user];
  set(putUserAtom, user);
  const follow = (typed: string, was: string | undefined, is: string | undefined) =>
    typed === (was ?? '') ? (is ?? '') : typed;
  set(detailAtom, (detail) => ({
    fName: follow(detail.fName, before?.firstName, now.firstName),
    lName: follow(detail.lName, before?.lastName, now.lastName),
    mobNo: follow(detail.mobNo, before?.mobile, now.mobile),
    email: follow(detail.email, before?.email, now.email),
  }));
});

/** The profile as the account has it: another device may have changed it. The data is whose it is. */
export const profileState = remote(async (get, set, signal) => {
  const { attributes } = await get(apiAtom).call(contract.own, {}, { signal });
  set(followAtom, attributes);
  return attributes.userId;
});

/** A failure as the sentence beside what was sent; what was ended or broken opens the popup. */
const saidAtom = atom(null, (_get, set, thrown: unknown): string => {
  if (isFailure(thrown) && ['refused', 'offline', 'timeout'].includes(thrown.kind)) return sentenceOf(thrown);
  set(showFailureAtom, thrown);
  return '';
});

// ---- names and email

const Fields = z.object({ firstName: z.string(), lastName: z.string(), email: z.string() });
const Draft = z.nullable(z.object({ typed: Fields, before: Fields }));
/** What was typed and not saved yet, with what it was typed over. It outlives errors, reloads and going back. */
const draftAtom = kept<z.output<typeof Draft>>({
  key: 'profile-draft',
  schema: Draft,
  initial: null,
  forget: 'logout',
});
export const typedProfileAtom = atom((get): Profile => get(draftAtom)?.typed ?? profileOf(get(userAtom)));
export const isProfileTypedAtom = atom((get) => get(draftAtom) !== null);
export const profileErrorsAtom = customerAtom<ProfileProblems>({});
export const isProfileBusyAtom = customerAtom(false);
/** What is in the account now, where that is not what this was typed over. */
export const changedProfileAtom = customerAtom<Profile | null>(null);

export const typeProfileAtom = atom(null, (get, set, field: keyof Profile, text: string) => {
  const before = get(draftAtom)?.before ?? profileOf(get(userAtom));
  set(draftAtom, { typed: { ...get(typedProfileAtom), [field]: text }, before });
  set(profileErrorsAtom, ({ [field]: _field, form: _form, ...others }) => others);
});

/** Puts away what was typed. */
export const dropProfileAtom = atom(null, (_get, set) => {
  set(draftAtom, null);
  set(profileErrorsAtom, {});
  set(changedProfileAtom, null);
});

const FIELDS = ['firstName', 'lastName', 'email'] as const;

/** Reads what another device has saved, so that the next save is made over that. */
const rereadAtom = atom(null, async (get, set): Promise<void> => {
  await set(profileState.load);
  const now = profileOf(get(userAtom));
  set(changedProfileAtom, now);
  set(draftAtom, (draft) => draft && { ...draft, before: now });
});

/** Saves the profile. @returns the first field that is to be looked at, '' for none */
export const saveProfileAtom = atom(null, async (get, set): Promise<keyof Profile | ''> => {
  const wrong = () => FIELDS.find((field) => get(profileErrorsAtom)[field]) ?? '';
  if (get(isProfileBusyAtom)) return '';
  const before = get(draftAtom)?.before ?? profileOf(get(userAtom));
  const profile = trimmed(get(typedProfileAtom));
  const problems = profileProblems(errors, profile, before);
  set(profileErrorsAtom, problems);
  if (Object.keys(problems).length > 0) return wrong();
  set(isProfileBusyAtom, true);
  try {
    const { attributes } = await get(apiAtom).call(contract.update, { body: { ...profile, before } });
    set(followAtom, attributes);
    set(dropProfileAtom);
    set(toastMessageAtom, t.profileSaved);
    get(navigateAtom).go(PROFILE, { replace: true });
    return '';
  } catch (thrown) {
    const code = codeOf(thrown);
    if (code === 'PROFILE_CHANGED') await set(rereadAtom);
    const list = isFailure(thrown) && thrown.kind === 'refused' ? thrown.errors : [];
    const beside = list.filter(({ field }) => FIELDS.some((one) => one === field));
    set(
      profileErrorsAtom,
      beside.length > 0
        ? Object.fromEntries(beside.map(({ field, displayMsg }) => [field, displayMsg]))
        : { form: set(saidAtom, thrown) },
    );
    return wrong();
  } finally {
    set(isProfileBusyAtom, false);
  }
});

// ---- codes

/** When another code may be asked for (epoch ms of this device), and how many more. */
const Sent = z.object({ resendAt: z.number(), sendsLeft: z.number() });
type Sent = z.output<typeof Sent>;
const sentNow = (sent: { readonly resendInSeconds: number; readonly sendsLeft: number }): Sent => ({
  resendAt: Date.now() + sent.resendInSeconds * 1000,
  sendsLeft: sent.sendsLeft,
});
/** A code was sent a moment ago, and is still good. @returns null for any other failure */
const stillGood = (thrown: unknown): Sent | null =>
  codeOf(thrown) === 'OTP_WAIT'
    ? { resendAt: Date.now() + waitOf(thrown, OTP_RESEND_SECONDS) * 1000, sendsLeft: 1 }
    : null;
const digitsOf = (typed: string) => latinDigits(typed).slice(0, OTP_DIGITS);
const codeProblem = (typed: string): string => {
  if (typed.trim() === '') return errors.fieldEmpty;
  return otpCode(typed) === null ? errors.otpWrong : '';
};

// ---- the email's code

const EmailSent = z.nullable(z.extend(Sent, { email: z.string() }));
const heldEmailSentAtom = kept<z.output<typeof EmailSent>>({
  key: 'email-code',
  schema: EmailSent,
  initial: null,
  forget: 'logout',
});
/** The code that is on its way to the email of the profile. */
export const emailSentAtom = atom((get) => {
  const sent = get(heldEmailSentAtom);
  return sent !== null && sent.email === get(userAtom)?.email ? sent : null;
});
export const isEmailOpenAtom = customerAtom(false);
export const emailCodeAtom = customerAtom('');
export const emailErrorAtom = customerAtom('');
export const isEmailBusyAtom = customerAtom<'' | 'send' | 'check'>('');

export const sendEmailCodeAtom = atom(null, async (get, set): Promise<void> => {
  const email = get(userAtom)?.email ?? '';
  if (get(isEmailBusyAtom) !== '' || email === '') return;
  set(isEmailBusyAtom, 'send');
  set(emailErrorAtom, '');
  try {
    const sent = await proven(get, set, 'codes', (headers) =>
      get(apiAtom).call(contract.sendEmailCode, {}, { headers }),
    );
    set(heldEmailSentAtom, { ...sentNow(sent), email });
    set(emailCodeAtom, '');
  } catch (thrown) {
    const sent = stillGood(thrown);
    if (sent) set(heldEmailSentAtom, { ...sent, email });
    else set(emailErrorAtom, set(saidAtom, thrown));
  } finally {
    set(isEmailBusyAtom, '');
  }
});

/** Opens the sheet for the code, and sends one unless one is on its way. */
export const openEmailAtom = atom(null, async (get, set): Promise<void> => {
  set(emailErrorAtom, '');
  set(isEmailOpenAtom, true);
  if ((get(emailSentAtom)?.resendAt ?? 0) < Date.now()) await set(sendEmailCodeAtom);
});

export const checkEmailCodeAtom = atom(null, async (get, set): Promise<boolean> => {
  if (get(isEmailBusyAtom) !== '') return false;
  const code = get(emailCodeAtom);
  const problem = codeProblem(code);
  set(emailErrorAtom, problem);
  if (problem !== '') return false;
  set(isEmailBusyAtom, 'check');
  try {
    const { attributes } = await proven(get, set, 'guesses', (headers) =>
      get(apiAtom).call(contract.confirmEmail, { body: { code } }, { headers }),
    );
    set(followAtom, attributes);
    set(heldEmailSentAtom, null);
    set(emailCodeAtom, '');
    set(isEmailOpenAtom, false);
    set(toastMessageAtom, t.emailConfirmed);
    return true;
  } catch (thrown) {
    set(emailErrorAtom, set(saidAtom, thrown));
    return false;
  } finally {
    set(isEmailBusyAtom, '');
  }
});

/** Takes what was typed or pasted; six digits are tried at once. */
export const typeEmailCodeAtom = atom(null, (get, set, typed: string) => {
  const [code, before] = [digitsOf(typed), get(emailCodeAtom)];
  set(emailCodeAtom, code);
  if (code !== before) set(emailErrorAtom, '');
  if (code.length === OTP_DIGITS && code !== before) void set(checkEmailCodeAtom);
});

// ---- the number

/** The new number, as typed. */
export const newNumberAtom = kept<string>({ key: 'number-new', schema: z.string(), initial: '', forget: 'logout' });
const NumberSent = z.nullable(z.extend(Sent, { mobile: z.string() }));
/** Both codes of a change are on their way; `mobile` is the new number in the country's own digits. */
export const numberSentAtom = kept<z.output<typeof NumberSent>>({
  key: 'number-codes',
  schema: NumberSent,
  initial: null,
  forget: 'logout',
});
type NumberField = 'mobile' | 'oldCode' | 'newCode';
export const numberCodesAtom = customerAtom({ oldCode: '', newCode: '' });
export const numberErrorsAtom = customerAtom<Partial<Record<NumberField, string>>>({});
export const isNumberBusyAtom = customerAtom<'' | 'send' | 'check'>('');

export const typeNumberAtom = atom(null, (_get, set, typed: string) => {
  set(newNumberAtom, typed);
  set(numberErrorsAtom, {});
});
export const typeNumberCodeAtom = atom(null, (_get, set, field: 'oldCode' | 'newCode', typed: string) => {
  set(numberCodesAtom, (codes) => ({ ...codes, [field]: digitsOf(typed) }));
  set(numberErrorsAtom, {});
});

/** Sends both codes, that to the new number first: it may be none. @returns whether they are on their way */
export const sendNumberCodesAtom = atom(null, async (get, set): Promise<boolean> => {
  if (get(isNumberBusyAtom) !== '') return false;
  const country = get(countryAtom);
  const typed = get(newNumberAtom);
  const mobile = phoneNumber(typed, country);
  const problem =
    mobile !== null
      ? ''
      : typed.trim() === ''
        ? errors.fieldEmpty
        : errors.mobileInvalid({ digits: country.PHONE_DIGIT });
  set(numberErrorsAtom, problem === '' ? {} : { mobile: problem });
  if (mobile === null) return false;
  set(isNumberBusyAtom, 'send');
  const host = globalThis.location?.hostname;
  const send = async (to: 'OLD' | 'NEW'): Promise<Sent> => {
    try {
      const body = { mobile, to, ...(host ? { host } : {}) };
      return sentNow(
        await proven(get, set, 'codes', (headers) => get(apiAtom).call(contract.sendNumberCode, { body }, { headers })),
      );
    } catch (thrown) {
      const sent = stillGood(thrown);
      if (sent) return sent;
      throw thrown;
    }
  };
  try {
    const [toNew, toOld] = [await send('NEW'), await send('OLD')];
    set(numberSentAtom, {
      mobile,
      resendAt: Math.max(toNew.resendAt, toOld.resendAt),
      sendsLeft: Math.min(toNew.sendsLeft, toOld.sendsLeft),
    });
    return true;
  } catch (thrown) {
    const said = set(saidAtom, thrown);
    set(numberErrorsAtom, said === '' ? {} : { [get(numberSentAtom) ? 'newCode' : 'mobile']: said });
    return false;
  } finally {
    set(isNumberBusyAtom, '');
  }
});

/** Goes back to the number; codes that were sent stay good for it. */
export const backToNumberAtom = atom(null, (_get, set) => {
  set(numberSentAtom, null);
  set(numberCodesAtom, { oldCode: '', newCode: '' });
  set(numberErrorsAtom, {});
});

/** Changes the number with both codes. @returns the first field that is to be looked at, '' for none */
export const changeNumberAtom = atom(null, async (get, set): Promise<NumberField | ''> => {
  const wrong = () => (['mobile', 'newCode', 'oldCode'] as const).find((field) => get(numberErrorsAtom)[field]) ?? '';
  const sent = get(numberSentAtom);
  if (get(isNumberBusyAtom) !== '' || sent === null) return '';
  const { oldCode, newCode } = get(numberCodesAtom);
  const problems = Object.fromEntries(
    Object.entries({ newCode: codeProblem(newCode), oldCode: codeProblem(oldCode) }).filter(([, said]) => said !== ''),
  );
  set(numberErrorsAtom, problems);
  if (Object.keys(problems).length > 0) return wrong();
  set(isNumberBusyAtom, 'check');
  try {
    const { attributes, ended } = await proven(get, set, 'guesses', (headers) =>
      get(apiAtom).call(contract.changeNumber, { body: { mobile: sent.mobile, oldCode, newCode } }, { headers }),
    );
    set(followAtom, attributes);
    set(backToNumberAtom);
    set(newNumberAtom, '');
    set(toastMessageAtom, t.numberChanged({ count: ended }));
    get(navigateAtom).go(PROFILE, { replace: true });
    return '';
  } catch (thrown) {
    const field = isFailure(thrown) ? thrown.errors[0]?.field : undefined;
    const said = set(saidAtom, thrown);
    // The number is somebody else's: another one is needed.
    if (codeOf(thrown) === 'NUMBER_TAKEN') set(backToNumberAtom);
    set(numberErrorsAtom, said === '' ? {} : { [field === 'mobile' || field === 'oldCode' ? field : 'newCode']: said });
    return wrong();
  } finally {
    set(isNumberBusyAtom, '');
  }
});

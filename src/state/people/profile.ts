import * as errors from '#text/errors.ts';
import * as t from '#text/account.ts';
import { atom, type Getter, type WritableAtom } from 'jotai';
import * as z from 'zod/mini';
import { codeOf, isFailure } from '../../api/failure.ts';
import * as contract from '../../contract/profile.ts';
import type { UserAttributes } from '../../contract/session.ts';
import { profileProblems, trimmed, type Profile, type ProfileProblems } from '../../domain/profile.ts';
import { codeDigits, codeProblem, CodeSent, oneTimeCode, waitLeft } from '../consent/oneTimeCode.ts';
import { detailAtom } from '../drafts/detail.ts';
import { mobileOf, mobileProblem } from '../base/mobile.ts';
import { saidAtom, tasks } from '../base/task.ts';
import { hostBody } from './ownerCode.ts';
import { kept } from '../first/lib/kept.ts';
import { apiAtom, navigateAtom } from '../first/seams.ts';
import { toastMessageAtom } from '../first/toast.ts';
import { customerAtom } from '../lib/forget.ts';
import { remote } from '../lib/remote.ts';
import { putUserAtom, userAtom } from '../base/session.ts';

const PROFILE = '/postorder-ui/profile';

const profileOf = (user: UserAttributes | null): Profile => ({
  firstName: user?.firstName ?? '',
  lastName: user?.lastName ?? '',
  email: user?.email ?? '',
});

/** Details of the checkout that came from the profile follow its change; details typed for another person stay. */
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
export const profileTask = tasks<keyof ProfileProblems>();
/** What is in the account now, where that is not what this was typed over. */
export const changedProfileAtom = customerAtom<Profile | null>(null);

export const typeProfileAtom = atom(null, (get, set, field: keyof Profile, text: string) => {
  const before = get(draftAtom)?.before ?? profileOf(get(userAtom));
  set(draftAtom, { typed: { ...get(typedProfileAtom), [field]: text }, before });
  set(profileTask.clear, field, 'form');
});

/** Puts away what was typed. */
export const dropProfileAtom = atom(null, (_get, set) => {
  set(draftAtom, null);
  set(profileTask.clear);
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

/** Saves the profile. @returns whether it was saved */
export const saveProfileAtom = profileTask.task(
  async (get, set) => {
    const before = get(draftAtom)?.before ?? profileOf(get(userAtom));
    const profile = trimmed(get(typedProfileAtom));
    const { attributes } = await get(apiAtom).call(contract.update, { body: { ...profile, before } });
    set(followAtom, attributes);
    set(dropProfileAtom);
    set(toastMessageAtom, t.profileSaved);
    get(navigateAtom).go(PROFILE, { replace: true });
  },
  {
    wrong: (get) =>
      profileProblems(errors, trimmed(get(typedProfileAtom)), get(draftAtom)?.before ?? profileOf(get(userAtom))),
    failed: async (_get, set, thrown) => {
      if (codeOf(thrown) === 'PROFILE_CHANGED') await set(rereadAtom);
      const list = isFailure(thrown) && thrown.kind === 'refused' ? thrown.errors : [];
      const beside = list.filter(({ field }) => FIELDS.some((one) => one === field));
      return beside.length > 0
        ? Object.fromEntries(beside.map(({ field, displayMsg }) => [field, displayMsg]))
        : { form: set(saidAtom, thrown) };
    },
  },
);

// ---- the email's code

const EmailSent = z.nullable(z.extend(CodeSent, { email: z.string() }));
const emailCodeSentAtom = kept<z.output<typeof EmailSent>>({
  key: 'email-code',
  schema: EmailSent,
  initial: null,
  forget: 'logout',
});
const emailOf = (get: Getter) => get(userAtom)?.email ?? '';
export const isEmailOpenAtom = customerAtom(false);

export const emailCode = oneTimeCode<{ readonly email: string }>({
  sentAtom: emailCodeSentAtom,
  to: (get) => ({ email: emailOf(get) }),
  send: (get, ask) => ask((headers) => get(apiAtom).call(contract.sendEmailCode, {}, { headers })),
  check: async (get, set, prove, code) => {
    const { attributes } = await prove((headers) =>
      get(apiAtom).call(contract.confirmEmail, { body: { code } }, { headers }),
    );
    set(followAtom, attributes);
    set(isEmailOpenAtom, false);
    set(toastMessageAtom, t.emailConfirmed);
  },
});
/** The code that is on its way to the email of the profile. */
export const emailSentAtom = atom((get) => {
  const sent = get(emailCode.sentAtom);
  return sent !== null && sent.email === emailOf(get) ? sent : null;
});

/** Opens the sheet for the code, and sends one unless one is on its way. */
export const openEmailAtom = atom(null, async (get, set): Promise<void> => {
  set(emailCode.clear);
  set(isEmailOpenAtom, true);
  if (emailOf(get) !== '' && waitLeft(get(emailSentAtom) ?? { resendAt: 0 }) === 0) await set(emailCode.send);
});

// ---- the number

/** The new number, as typed. */
export const newNumberAtom = kept<string>({ key: 'number-new', schema: z.string(), initial: '', forget: 'logout' });
const NumberSent = z.nullable(z.extend(CodeSent, { mobile: z.string() }));
const numberCodeSentAtom = kept<z.output<typeof NumberSent>>({
  key: 'number-codes',
  schema: NumberSent,
  initial: null,
  forget: 'logout',
});
/** The code to the old number, which is sent and checked with the one to the new number. */
export const oldCodeAtom = customerAtom('');
const numberBody = (get: Getter) => ({ mobile: mobileOf(get, get(newNumberAtom)) ?? '' });

/** Both codes of a change of the number; `mobile` is the new number in the country's own digits. */
export const numberCode = oneTimeCode<{ readonly mobile: string }, 'oldCode'>({
  sentAtom: numberCodeSentAtom,
  isSentByButton: true,
  to: numberBody,
  wrongTo: (get) => ({ to: mobileProblem(get, get(newNumberAtom)) }),
  onSent: (_get, set, _isAgain, isNew) => {
    if (isNew) set(oldCodeAtom, '');
  },
  send: async (get, ask, { mobile }) => {
    const sendTo = (to: 'OLD' | 'NEW') =>
      ask((headers) =>
        get(apiAtom).call(contract.sendNumberCode, { body: { mobile, to, ...hostBody() } }, { headers }),
      );
    // The code to the new number first: it may be none.
    const [toNew, toOld] = [await sendTo('NEW'), await sendTo('OLD')];
    return {
      resendInSeconds: Math.max(toNew.resendInSeconds, toOld.resendInSeconds),
      sendsLeft: Math.min(toNew.sendsLeft ?? 1, toOld.sendsLeft ?? 1),
    };
  },
  wrongBeside: (get) => ({ oldCode: codeProblem(get(oldCodeAtom)) }),
  check: async (get, set, prove, newCode, { mobile }) => {
    const { attributes, ended } = await prove((headers) =>
      get(apiAtom).call(contract.changeNumber, { body: { mobile, oldCode: get(oldCodeAtom), newCode } }, { headers }),
    );
    set(followAtom, attributes);
    set(oldCodeAtom, '');
    set(newNumberAtom, '');
    set(toastMessageAtom, t.numberChanged({ count: ended }));
    get(navigateAtom).go(PROFILE, { replace: true });
  },
  checkFailed: (_get, set, thrown) => {
    const field = isFailure(thrown) ? thrown.errors[0]?.field : undefined;
    // The number is somebody else's: another one is needed.
    if (codeOf(thrown) === 'NUMBER_TAKEN') set(backToNumberAtom);
    return { [field === 'mobile' ? 'to' : field === 'oldCode' ? field : 'code']: set(saidAtom, thrown) };
  },
});
/** Goes back to the number; codes that were sent stay good for it. */
export const backToNumberAtom: WritableAtom<null, [], void> = atom(null, (_get, set) => {
  set(numberCode.leave);
  set(oldCodeAtom, '');
});
export const typeOldCodeAtom = atom(null, (_get, set, typed: string) => {
  set(oldCodeAtom, codeDigits(typed));
  set(numberCode.clear);
});

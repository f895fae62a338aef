import { countryConfig } from '../../../../country/index.ts';
import type { ApiError } from '../../../contract/reply.ts';
import type { UserAttributes } from '../../../contract/session.ts';
import { internationalPhone } from '../../../domain/phone.ts';
import { isSameProfile, profileProblems, trimmed, type Profile } from '../../../domain/profile.ts';
import { userIdOf, type Call } from '../../call/call.ts';
import { errors, t } from '../../call/language.ts';
import { Refusal, refuse } from '../../call/refusal.ts';
import { transact, type Tx } from '../../store/db.ts';
import { forgetDevicesOf } from '../../store/devices.ts';
import { dropOtherSubscriptions } from '../../store/push.ts';
import {
  changeMobile,
  changeProfile,
  confirmEmail,
  revokeSessionsOf,
  takeTurn,
  userById,
} from '../../store/sessions.ts';
import { untieIdentities } from '../../store/vendors.ts';
import { rememberDevice } from './devices.ts';
import { tellOwner } from './accountNews.ts';
import {
  checkCode,
  checkCodes,
  guess,
  numberOf,
  refuseCode,
  sendCode,
  sendEmail,
  type CodeOf,
  type SentCode,
} from './otp.ts';
import { customerOf } from './sessions.ts';

/** The profile of the customer who is logged in, as the account has it now. */
export const own = (call: Call): Promise<UserAttributes> => customerOf(call.db, userIdOf(call), call.caller.sessionId!);

async function profileOf(call: Call): Promise<Profile> {
  const user = await userById(call.db, userIdOf(call));
  return { firstName: user?.first_name ?? '', lastName: user?.last_name ?? '', email: user?.email ?? '' };
}

const CODES = {
  firstName: 'FIRST_NAME',
  lastName: 'LAST_NAME',
  email: 'INVALID_EMAIL',
  form: 'NOTHING_CHANGED',
} as const;

/**
 * Changes names and email, as a person wrote them over what they saw.
 * @param before what they saw; null: whatever is there
 * @throws Refusal 422 with all problems at once, 409 PROFILE_CHANGED where it was changed elsewhere meanwhile
 */
export async function updateProfile(call: Call, typed: Profile, before: Profile | null): Promise<UserAttributes> {
  const profile = trimmed(typed);
  const now = await profileOf(call);
  const problems = profileProblems(errors, profile, before ?? now);
  const list = Object.entries(problems).map(([field, displayMsg]): ApiError => {
    const code = CODES[field as keyof typeof CODES];
    return field === 'form' ? { code, displayMsg } : { code, displayMsg, field };
  });
  if (list.length > 0) throw new Refusal(422, list);
  // It was done already: the reply to it was lost.
  if (!isSameProfile(now, profile) && !(await changeProfile(call.db, userIdOf(call), before ?? now, profile)))
    refuse(409, 'PROFILE_CHANGED', t.profileChanged);
  return await own(call);
}

const emailCode = (call: Call, email: string): CodeOf => ({
  purpose: 'email',
  mobile: email.toLowerCase(),
  userId: userIdOf(call),
  country: countryConfig(call.caller.country),
});

/** @throws Refusal 422 EMAIL_MISSING */
async function emailOf(call: Call): Promise<string> {
  const { email } = await profileOf(call);
  return email === '' ? refuse(422, 'EMAIL_MISSING', t.emailMissing, { field: 'email' }) : email;
}

/** @throws Refusal 422 EMAIL_MISSING, 428 CHALLENGE, 429 OTP_WAIT, OTP_LIMIT, 502 EMAIL_AWAY */
export async function sendEmailCode(call: Call): Promise<SentCode> {
  const email = await emailOf(call);
  return await sendEmail(call, emailCode(call, email), email);
}

/** @throws Refusal 422 EMAIL_MISSING, OTP_..., 428 CHALLENGE, 429 TOO_MANY */
export async function checkEmailCode(call: Call, code: string): Promise<UserAttributes> {
  const email = await emailOf(call);
  const of = emailCode(call, email);
  const verdict = await guess(call, () =>
    transact(call.db, async (tx) => {
      const found = await checkCode(tx, of, code, call.now);
      // Another email was entered meanwhile: this code is not about it.
      if (found.kind === 'right' && !(await confirmEmail(tx, of.userId, email))) return { kind: 'none' as const };
      return found;
    }),
  );
  return verdict.kind === 'right' ? await own(call) : refuseCode(verdict);
}

interface NumberChange {
  readonly from: CodeOf;
  readonly to: CodeOf;
}

/**
 * The two codes of a change. That to the old number is good for one new number only.
 * @throws Refusal 422 INVALID_MOBILE, NUMBER_SAME, 409 NUMBER_MISSING, 403 FEATURE_BLOCKED where a payment app vouches
 *   for the number
 */
function numberChange(call: Call, typed: string): NumberChange {
  const { host, mobile } = call.caller;
  if (host !== 'web') refuse(403, 'FEATURE_BLOCKED', t.numberVouched);
  const country = countryConfig(call.caller.country);
  if (mobile === null) refuse(409, 'NUMBER_MISSING', t.numberMissing);
  const to = numberOf(typed, country);
  if (to === mobile) refuse(422, 'NUMBER_SAME', t.numberSame, { field: 'mobile' });
  const by = { userId: userIdOf(call), country };
  return {
    from: { ...by, purpose: `number-old:${to}`, mobile },
    to: { ...by, purpose: 'number-new', mobile: to },
  };
}

/** @throws Refusal as a change does, 428 CHALLENGE, 429 OTP_WAIT, OTP_LIMIT, 502 SMS_FAILED */
export async function sendNumberCode(
  call: Call,
  { mobile, to, host }: { readonly mobile: string; readonly to: 'OLD' | 'NEW'; readonly host?: string | undefined },
): Promise<SentCode> {
  const change = numberChange(call, mobile);
  if (to === 'NEW') return await sendCode(call, change.to, { page: { host } });
  const end = internationalPhone(change.to.mobile, change.to.country).slice(-4);
  const text = (of: { app: string; code: string }) => t.numberMessage({ ...of, end });
  // No page is offered this one by itself: a field takes one code only, and that is of the new number.
  return await sendCode(call, change.from, { text });
}

/**
 * Puts a new number in the place of the old one: both were proven. Everything of the account stays in it; its other
 * sessions, their notices and what payment apps knew of it end, as they stood for the old number.
 * @throws Refusal as a change does, 422 OTP_..., 409 NUMBER_TAKEN, 428 CHALLENGE, 429 TOO_MANY
 */
export async function changeNumber(
  call: Call,
  typed: { readonly mobile: string; readonly oldCode: string; readonly newCode: string },
): Promise<{ attributes: UserAttributes; ended: number }> {
  const { from, to } = numberChange(call, typed.mobile);
  const outcome = await guess(call, () =>
    transact(call.db, async (tx) => {
      const verdict = await checkCodes(
        tx,
        [
          { of: from, typed: typed.oldCode },
          { of: to, typed: typed.newCode },
        ],
        call.now,
      );
      return verdict.kind === 'right' ? await replaceNumber(tx, call, from.mobile, to) : verdict;
    }),
  );
  if (outcome.kind === 'taken') refuse(409, 'NUMBER_TAKEN', t.numberTaken, { field: 'mobile' });
  if (outcome.kind !== 'changed') return refuseCode(outcome, outcome.at === 0 ? 'oldCode' : 'newCode');
  return { attributes: await own(call), ended: outcome.ended };
}

async function replaceNumber(tx: Tx, call: Call, from: string, { mobile, userId, country }: CodeOf) {
  const { COUNTRY_CODE } = country;
  // Of two who prove the same number at once the second finds it taken.
  await takeTurn(tx, internationalPhone(mobile, country), call.now);
  if (!(await changeMobile(tx, { userId, country: COUNTRY_CODE, from, to: mobile }))) return { kind: 'taken' as const };
  await untieIdentities(tx, userId);
  await forgetDevicesOf(tx, COUNTRY_CODE, from);
  await rememberDevice(tx, call, mobile);
  const end = internationalPhone(mobile, country).slice(-4);
  await tellOwner(tx, { userId, country: COUNTRY_CODE, mobile: from }, { kind: 'number', end }, call.now);
  const sessionId = call.caller.sessionId!;
  await dropOtherSubscriptions(tx, userId, sessionId);
  const ended = await revokeSessionsOf(tx, userId, { why: 'number', at: call.now, except: sessionId });
  return { kind: 'changed' as const, ended };
}

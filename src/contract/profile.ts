import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { OtpSent } from './login.ts';
import { text, TypedEmail } from './names.ts';
import { success } from './reply.ts';
import { UserAttributes } from './session.ts';

const Fields = z.object({
  firstName: z.optional(text(60)),
  lastName: z.optional(text(60)),
  email: z.optional(TypedEmail),
});
const Changed = success({ attributes: UserAttributes });

export const own = endpoint({
  method: 'GET',
  path: '/sso-aggregation/ve1/profile',
  access: 'user',
  about: 'Who is logged in, as the account has it now.',
  reply: Changed,
});

/** With `before`, what was changed elsewhere meanwhile is not written over, and a lost reply may be asked for again. */
export const update = endpoint({
  method: 'POST',
  path: '/loginhandler/updateuser',
  access: 'user',
  about:
    'Changes names and email; errors FIRST_NAME, LAST_NAME, INVALID_EMAIL, NOTHING_CHANGED, and PROFILE_CHANGED where it is not what `before` says. Another email is not confirmed yet.',
  body: z.extend(Fields, { before: z.optional(Fields) }),
  reply: Changed,
});

export const sendEmailCode = endpoint({
  method: 'POST',
  path: '/sso-aggregation/ve1/profile/email/code',
  access: 'user',
  about: 'Sends a code to the email of the profile; errors EMAIL_MISSING, EMAIL_AWAY, OTP_WAIT, CHALLENGE, OTP_LIMIT.',
  reply: OtpSent,
});
export const confirmEmail = endpoint({
  method: 'POST',
  path: '/sso-aggregation/ve1/profile/email',
  access: 'user',
  about:
    'Confirms the email of the profile by its code; errors OTP_WRONG, OTP_EXPIRED, OTP_TRIES, CHALLENGE, TOO_MANY.',
  body: z.object({ code: text(12) }),
  reply: Changed,
});

/**
 * Two codes change a number: one to the number that the account has, one to the new one. Whether somebody else has the
 * new one is said only to whoever has both.
 */
export const sendNumberCode = endpoint({
  method: 'POST',
  path: '/sso-aggregation/ve1/profile/mobile/code',
  access: 'user',
  about:
    'Sends one of the two codes that change the number; errors INVALID_MOBILE, NUMBER_SAME, NUMBER_MISSING, OTP_WAIT, CHALLENGE, OTP_LIMIT, FEATURE_BLOCKED in an app that vouches for the number.',
  body: z.object({
    mobile: text(24),
    to: z.enum(['OLD', 'NEW']),
    /** The last line of the SMS names this host, so that the browser can fill in the code. */
    host: z.optional(text(120)),
  }),
  reply: OtpSent,
});
export const changeNumber = endpoint({
  method: 'POST',
  path: '/sso-aggregation/ve1/profile/mobile',
  access: 'user',
  about:
    'Changes the number and ends every other session; errors NUMBER_TAKEN and those of codes, with the field `oldCode` or `newCode`, FEATURE_BLOCKED in an app that vouches for the number.',
  body: z.object({ mobile: text(24), oldCode: text(12), newCode: text(12) }),
  reply: z.extend(Changed, { ended: z.int() }),
});

import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { text, TypedEmail } from './names.ts';
import { success } from './reply.ts';
import { SessionReply } from './session.ts';

const Mobile = text(24);
const sendBody = z.object({
  mobile: Mobile,
  firstName: z.optional(text(60)),
  lastName: z.optional(text(60)),
  email: z.optional(TypedEmail),
  /** The last line of the SMS names this host, so that the browser can fill in the code. */
  host: z.optional(text(120)),
});
/** How long the code is valid and when the next may be sent; seconds. */
export const OtpSent = success({
  expiresInSeconds: z.number(),
  resendInSeconds: z.number(),
  sendsLeft: z.number(),
  digits: z.number(),
});
type OtpSent = z.output<typeof OtpSent>;

/** What a device keeps and sends with later calls: strangers cannot use up the codes of a device that is known. */
const LoggedIn = z.extend(SessionReply, { device: z.string() });

/**
 * Three URL variants; app config's `otpVariant` chooses one (specification section 7). Whoever forgot a password proves
 * their number by a code as everybody does, and may set another once they are in: so it is the same call.
 */
export const sendOtp = endpoint({
  method: 'POST',
  path: '/loginhandler/login',
  aliases: [
    '/sso-aggregation/ve3/forgotpassword',
    '/sso-aggregation/ve4/forgotpassword',
    '/loginhandler/forgotpassword',
  ],
  about:
    'Sends a code to a mobile number; errors CHALLENGE, OTP_LIMIT, INVALID_MOBILE, FEATURE_BLOCKED in an app with a login of its own.',
  body: sendBody,
  reply: OtpSent,
});
export const resendOtp = endpoint({
  method: 'POST',
  path: '/sso-aggregation/ve2/forgotpassword',
  about: 'Sends the code again, 30 s apart at the earliest; errors OTP_WAIT, CHALLENGE, OTP_LIMIT, FEATURE_BLOCKED.',
  body: sendBody,
  reply: OtpSent,
});
/** The guest's cart and addresses move to the account. */
export const validateOtp = endpoint({
  method: 'POST',
  path: '/loginhandler/validatecode',
  isSecret: true,
  about: 'Checks a code and logs in; errors OTP_WRONG, OTP_EXPIRED, OTP_TRIES, CHALLENGE, TOO_MANY, FEATURE_BLOCKED.',
  body: z.object({ mobile: Mobile, code: text(12), screenName: z.optional(text(40)) }),
  reply: LoggedIn,
});

/** Nobody learns from it who is a customer: the answer depends on the country alone. */
export const searchUser = endpoint({
  method: 'POST',
  path: '/loginhandler/searchuser',
  about:
    'Ways to log in with a number, the first one first; the same for known and unknown numbers. Error INVALID_MOBILE.',
  body: z.object({ mobile: Mobile }),
  reply: success({
    /** In the country's own digits, as every other call takes it. */
    mobile: z.string(),
    ways: z.array(z.enum(['CODE', 'PASSWORD', 'SOCIAL'])),
  }),
});

import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { OtpSent } from './login.ts';
import { text } from './names.ts';
import { success } from './reply.ts';
import { SessionReply } from './session.ts';

/** As it was typed: spaces and signs of every script count. */
const Password = z.string().check(z.maxLength(300));

export const login = endpoint({
  method: 'POST',
  path: '/loginhandler/login/password',
  isSecret: true,
  about:
    'Logs in with number and password, where the country has them; errors PASSWORD_WRONG (the same for unknown numbers), ACCOUNT_ASLEEP, CHALLENGE, TOO_MANY, BUSY.',
  feature: 'passwordLogin',
  body: z.object({ mobile: text(24), password: Password }),
  reply: z.extend(SessionReply, { device: z.string() }),
});
/** Whether the account has a password, and whether this session was logged in to with a code a moment ago. */
export const standing = endpoint({
  method: 'GET',
  path: '/loginhandler/password',
  access: 'user',
  about: 'Whether there is a password, and whether setting one needs a proof.',
  feature: 'passwordLogin',
  reply: success({ isSet: z.boolean(), needsProof: z.boolean() }),
});
export const sendCode = endpoint({
  method: 'POST',
  path: '/loginhandler/password/code',
  access: 'user',
  about: "Sends a code to the account's own number; errors LOGIN_AGAIN, OTP_WAIT, CHALLENGE, OTP_LIMIT.",
  feature: 'passwordLogin',
  body: z.object({ host: z.optional(text(120)) }),
  reply: OtpSent,
});
/** After a change the account's other sessions are over; the password that it has already is no change. */
export const change = endpoint({
  method: 'POST',
  path: '/loginhandler/password',
  isSecret: true,
  access: 'user',
  about:
    'Sets a password of 8 to 128 characters, with the one before or a code as proof; errors PASSWORD_SHORT, PASSWORD_LONG, PASSWORD_COMMON, PASSWORD_WRONG, PROOF_NEEDED and those of a code.',
  feature: 'passwordLogin',
  body: z.object({ password: Password, current: z.optional(Password), code: z.optional(text(12)) }),
  reply: success({ ended: z.int() }),
});

import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { text } from './names.ts';
import { success } from './reply.ts';

/** A number, a text, a flag, nothing, or what a JSON text holds. Times are epoch ms, amounts are in minor units. */
const Value = z.unknown();

/** What we know of a person, by the name of the table and the columns that it stands in. */
export const PersonalCopy = z.object({
  format: z.literal('golden-oven-personal-data'),
  version: z.literal(1),
  madeAt: z.number(),
  country: z.string(),
  currencyCode: z.string(),
  sections: z.array(
    z.object({
      /** me, addresses, orders, money, points, devices, consents, help or activity. */
      id: z.string(),
      tables: z.array(z.object({ name: z.string(), rows: z.array(z.record(z.string(), Value)) })),
    }),
  ),
});
export type PersonalCopy = z.output<typeof PersonalCopy>;

export const look = endpoint({
  method: 'GET',
  path: '/account-service/ve1/data',
  access: 'user',
  about: 'Whether a copy of all data needs a code, and to which number it would go.',
  reply: success({
    /** A login of the last ten minutes stands for a code. */
    needsCode: z.boolean(),
    /** With its last four digits alone; null: only a fresh login helps. */
    mobile: z.nullable(z.string()),
  }),
});
export const sendCode = endpoint({
  method: 'POST',
  path: '/account-service/ve1/data/otp',
  access: 'user',
  about: "Sends a code for the copy to the account's number; errors CHALLENGE, OTP_WAIT, OTP_LIMIT, LOGIN_AGAIN.",
  /** `host`: of the page, for the last line of the SMS. */
  body: z.object({ host: z.optional(text(120)) }),
  reply: success({
    expiresInSeconds: z.number(),
    resendInSeconds: z.number(),
    sendsLeft: z.number(),
    digits: z.number(),
  }),
});
export const make = endpoint({
  method: 'POST',
  path: '/account-service/ve1/data',
  isSecret: true,
  access: 'user',
  about:
    'Everything that we know of the customer, as machines read it; ten an hour. Errors LOGIN_AGAIN, OTP_WRONG, OTP_EXPIRED, OTP_TRIES, CHALLENGE, TOO_MANY.',
  body: z.object({ code: z.optional(text(12)) }),
  reply: success({ copy: PersonalCopy }),
});

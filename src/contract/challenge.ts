import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { success } from './reply.ts';

/** What a caller may have to work for: another code, another guess at one, another look at a coupon. */
export const Use = z.enum(['codes', 'guesses', 'coupons']);
export type Use = z.output<typeof Use>;

/**
 * A piece of work that costs a caller a second, and somebody who calls a thousand times a thousand seconds: find the
 * `n` from 0 to `upTo` for which scrypt(n in decimal, salt; N = cost, r = 8, p = 1) is `target`, 16 bytes in
 * hexadecimal.
 */
export const Challenge = z.object({
  /** Names this challenge in the answer. */
  token: z.string(),
  salt: z.string(),
  target: z.string(),
  cost: z.int(),
  upTo: z.int(),
  /** Epoch ms. */
  expiresAt: z.number(),
});
export type Challenge = z.output<typeof Challenge>;

/** The header that carries the answer, `<token>.<n>`, with the call that was refused with 428 CHALLENGE. It is good once. */
export const ANSWER_HEADER = 'challenge-answer';
/** The header that carries the `device` of an earlier login. */
export const DEVICE_HEADER = 'device-token';
/** The header that carries `id:hash` of a fingerprint with a call that sends a code or tries a coupon. */
export const BOT_TOKEN_HEADER = 'bot-token';

export const ask = endpoint({
  method: 'POST',
  path: '/security/ve1/challenge',
  about: `Sets a challenge; its answer goes with the refused call in the header ${ANSWER_HEADER}. Error TOO_MANY.`,
  body: z.object({ use: Use }),
  reply: success({ challenge: Challenge }),
});

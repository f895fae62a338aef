import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { text } from './names.ts';
import { success } from './reply.ts';

/**
 * What somebody may agree to. What is needed to sell a pizza (the session, the cart, the order, its receipt, protection
 * against misuse) is no question and not in this list.
 */
export const PURPOSES = ['news', 'offers', 'usage', 'device', 'league'] as const;
export type Purpose = (typeof PURPOSES)[number];

export const Consent = z.object({
  purpose: z.enum(PURPOSES),
  given: z.boolean(),
  /** Of the sentence that was agreed to, a date. */
  version: text(20),
  /** Epoch ms. */
  at: z.number(),
});

const path = '/customer-service/ve1/user/consents';
/** What was said last of each purpose; a purpose that is missing was never answered, which counts as no. */
const reply = success({ consents: z.array(Consent) });

export const list = endpoint({
  method: 'GET',
  path,
  access: 'user',
  about: 'What this customer agreed to, with dates.',
  reply,
});
/** Of each purpose what was said last holds, here and before. A time to come counts as now. */
export const say = endpoint({
  method: 'PUT',
  path,
  access: 'user',
  about: 'Agrees to purposes or takes it back; error CONSENT_TEXT for a yes to a sentence that has changed.',
  body: z.object({ consents: z.array(Consent).check(z.maxLength(20)) }),
  reply,
});

import * as z from 'zod/mini';
import { AddressInput } from './addresses.ts';
import { LineInput } from './cart.ts';
import { endpoint } from './endpoint.ts';
import { text } from './names.ts';
import { success } from './reply.ts';

/** What a phone stores for somebody without an account (product.md 3.12). */
export const Memory = z.object({
  /** The last order, as it was built. */
  usual: z.array(z.omit(LineInput, { lineId: true })).check(z.maxLength(6)),
  /** Product ids, newest first. */
  favourites: z.array(text(80)).check(z.maxLength(200)),
  addresses: z.array(AddressInput).check(z.maxLength(20)),
  /** Allergens that nobody at home may eat. */
  household: z.array(text(40)).check(z.maxLength(40)),
  vegOnly: z.boolean(),
});
export type Memory = z.output<typeof Memory>;

export const give = endpoint({
  method: 'POST',
  path: '/customer-service/ve1/user/memory',
  isSecret: true,
  about: 'Keeps what a phone remembers for ten minutes, for whoever types the code on another phone; error TOO_MANY.',
  body: z.object({ memory: Memory }),
  reply: success({ code: z.string(), expiresAt: z.number() }),
});
/** Works once: the server keeps nothing of it afterwards. */
export const take = endpoint({
  method: 'POST',
  path: '/customer-service/ve1/user/memory/take',
  about: 'What another phone of the same country gave away under this code, once; errors CODE_UNKNOWN, TOO_MANY.',
  body: z.object({ code: text(40) }),
  reply: success({ memory: Memory }),
});

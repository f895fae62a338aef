import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { text } from './names.ts';
import { success } from './reply.ts';

const count = z.int().check(z.gte(0), z.lte(100_000));

/**
 * What a browser tells about itself, under short keys (specification section 3); never a token, a place or a phone
 * number.
 */
export const Fingerprint = z.object({
  ua: text(350),
  av: text(200),
  ww: count,
  wh: count,
  pl: count,
  mt: count,
  ln: text(120),
  tz: text(60),
  tp: count,
  st: text(20),
  /** The delivery type and the vegetarian switch, as stored on the device. */
  ls: text(200),
  uid: text(80),
});
export type Fingerprint = z.output<typeof Fingerprint>;

export const send = endpoint({
  method: 'POST',
  path: '/sso-aggregation/ve2/finger-print',
  about: 'Recognises a device whose owner agreed; forgotten after 90 days.',
  body: Fingerprint,
  reply: success({ map: z.object({ id: z.string(), value: z.string() }) }),
});
export const forget = endpoint({
  method: 'DELETE',
  path: '/sso-aggregation/ve2/finger-print',
  about: "Forgets what is known of the caller's devices.",
  reply: success({}),
});

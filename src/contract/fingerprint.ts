import * as z from 'zod/mini';
import { BOT_TOKEN_HEADER } from './challenge.ts';
import { endpoint } from './endpoint.ts';
import { text } from './names.ts';
import { success } from './reply.ts';

const count = z.int().check(z.gte(0), z.lte(100_000));

/** Signs that a program steers a browser; what each looks at is in domain/botSigns.ts. */
export const BOT_SIGNS = [
  'userAgent',
  'appVersion',
  'brands',
  'platform',
  'productSub',
  'touch',
  'webDriver',
  'navigator',
  'languages',
  'plugins',
  'mimeTypes',
  'notifications',
  'windowSize',
  'external',
  'process',
  'evalLength',
  'errorTrace',
  'functionBind',
  'pageAttributes',
  'windowNames',
  'documentNames',
  'bindings',
] as const;
const BotSign = z.enum(BOT_SIGNS);
export type BotSign = z.output<typeof BotSign>;

/**
 * What a browser tells about itself, under short keys (specification section 3); never a token, a place or a phone
 * number.
 */
export const Fingerprint = z.object({
  /** User agent, at most 350 characters of it, and the version beside it. */
  ua: text(350),
  av: text(200),
  /** Width and height of the window, CSS pixels. */
  ww: count,
  wh: count,
  /** Plugins and media types. */
  pl: count,
  mt: count,
  /** Languages, and the time zone's name. */
  ln: text(120),
  tz: text(60),
  /** Points of touch that count at once. */
  tp: count,
  /** The store. */
  st: text(20),
  /** Of what is stored on the device, the delivery type and no more. */
  ls: text(200),
  uid: text(80),
  /** Signs of a program that were found; earlier clients do not look. */
  bs: z.optional(z.array(BotSign).check(z.maxLength(BOT_SIGNS.length))),
});
export type Fingerprint = z.output<typeof Fingerprint>;

export const send = endpoint({
  method: 'POST',
  path: '/sso-aggregation/ve2/finger-print',
  about: `Recognises a device whose owner agreed; forgotten after 90 days. With ${BOT_TOKEN_HEADER} it takes the place of what was known of the same device. Error FEATURE_BLOCKED inside payment apps and where cookies are disabled.`,
  body: Fingerprint,
  reply: success({ map: z.object({ id: z.string(), value: z.string() }) }),
});
export const forget = endpoint({
  method: 'DELETE',
  path: '/sso-aggregation/ve2/finger-print',
  about: "Forgets what is known of the caller's devices.",
  reply: success({}),
});

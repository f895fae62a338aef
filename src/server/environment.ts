import * as z from 'zod/mini';

const flag = z.optional(z.enum(['1', '0', 'true', 'false', 'yes', 'no', 'on', 'off', '']));
const address = z.optional(z.string().check(z.refine((text) => text === '' || /^https?:$/.test(URL.parse(text)?.protocol ?? ''), { error: 'must be an http or https address' })));
/** A slippy map's address; the server asks it, no customer does. */
const tileSource = z.optional(z.string().check(z.refine((text) => text === '' || /^https?:\/\/[^/]/.test(text) && ['{z}', '{x}', '{y}'].every((part) => text.includes(part)), { error: 'must be an http or https address with {z}, {x} and {y}' })));
const plain = z.optional(z.string());

const Environment = z.object({
  PORT: z.optional(z.string().check(z.regex(/^\d{0,5}$/, { error: 'must be a port number, 0 to 65535' }), z.refine((text) => Number(text) <= 65_535, { error: 'must be a port number, 0 to 65535' }))),
  HOST: plain,
  DATABASE_URL: z.optional(z.string().check(z.refine((text) => !/^[a-z]+:\/\//i.test(text) || /^postgres(ql)?:\/\//.test(text), { error: 'must be postgres://... or the path of a file' }))),
  NODE_ENV: plain,
  PUBLIC_ORIGIN: address,
  TRUST_PROXY: flag,
  EMBEDDED_VENDORS: flag,
  SMS_URL: address, SMS_KEY: plain,
  GPAY_CLIENT_ID: plain, GPAY_JWKS_URL: address, GPAY_PHONE_JWKS_URL: address, GPAY_PHONE_ISSUER: plain,
  PAYTM_CLIENT_ID: plain, PAYTM_CLIENT_SECRET: plain, PAYTM_TOKEN_URL: address, PAYTM_USER_URL: address, PAYTM_SCOPE: plain,
  GOOGLE_PAY_MERCHANT: plain, APPLE_PAY_MERCHANT: plain,
  VAPID_PUBLIC_KEY: plain, VAPID_PRIVATE_KEY: plain,
  TILES_URL: tileSource, TILES_CREDIT: plain,
  DISABLE_COOKIES: flag,
  ANALYTICS: flag,
  OTP_VARIANT: z.optional(z.enum(['0', '1', '2', ''])),
});
export type Environment = z.output<typeof Environment>;

/** What the environment says, checked. @throws Error that names every variable that is wrong, and how. */
export function readEnvironment(values: Readonly<Record<string, string | undefined>>): Environment {
  const result = Environment.safeParse(values);
  if (result.success) return result.data;
  const wrong = result.error.issues.map((issue) => `${String(issue.path[0])} ${issue.message} (it is '${values[String(issue.path[0])] ?? ''}')`);
  throw new Error(`The environment has values that cannot be used:\n  ${wrong.join('\n  ')}`);
}

/** '1', 'true', 'yes', 'on'. */
export function isOn(value: string | undefined, otherwise: boolean): boolean {
  return value === undefined || value === '' ? otherwise : ['1', 'true', 'yes', 'on'].includes(value);
}

import { createRemoteJWKSet, jwtVerify } from 'jose';
import type { JWTPayload } from 'jose';
import * as z from 'zod/mini';
import type { VendorCredential } from '../../src/contract/vendors.ts';
import type { Aside, RawRoute } from '../../src/server/http/route.ts';
import { certs, EMBEDDED_GOOGLE_CLIENT, ordered, phoneOf, rotate, signed } from '../../src/server/rules/embedded.ts';
import { type Around, type LoginAsked, NotVouched, type PartnerSide, type VendorPerson } from '../../src/server/rules/partners.ts';

const DEADLINE_MS = 8_000;
/** Clocks of phones and vendors differ a little. */
const CLOCK_TOLERANCE_SECONDS = 30;
const GOOGLE_ISSUERS: readonly string[] = ['accounts.google.com', 'https://accounts.google.com'];

const Identity = z.object({
  sub: z.string().check(z.minLength(1), z.maxLength(200)), nonce: z.string(),
  given_name: z.optional(z.string()), family_name: z.optional(z.string()), name: z.optional(z.string()),
  email: z.optional(z.string()), email_verified: z.optional(z.boolean()),
});
const Phone = z.object({ phone_number: z.string(), phone_number_verified: z.literal(true), nonce: z.optional(z.string()), sub: z.optional(z.string()) });

const clientId = (environment: Around['environment']) => environment['GPAY_CLIENT_ID'] || EMBEDDED_GOOGLE_CLIENT;

/** Google's two tokens, each by its own key set. */
function login({ environment, origin }: Around) {
  /** Read at the first login: the embedded vendor lives on the server's own port. */
  const keySets = () => {
    const options = { timeoutDuration: DEADLINE_MS, cooldownDuration: 1_000 };
    return {
      identity: createRemoteJWKSet(new URL(environment['GPAY_JWKS_URL'] || `${origin()}/vendors/google/certs`), options),
      phone: createRemoteJWKSet(new URL(environment['GPAY_PHONE_JWKS_URL'] || `${origin()}/vendors/google/phone-certs`), options),
    };
  };
  let keys: ReturnType<typeof keySets> | undefined;
  /** Who signs phone tokens is not published: it can be set. */
  const issuers = { identity: GOOGLE_ISSUERS, phone: environment['GPAY_PHONE_ISSUER'] ? [environment['GPAY_PHONE_ISSUER']] : GOOGLE_ISSUERS };

  async function verified(token: string, which: 'identity' | 'phone', now: number): Promise<JWTPayload> {
    keys ??= keySets();
    try {
      const { payload } = await jwtVerify(token, keys[which], {
        algorithms: ['RS256'], audience: clientId(environment), issuer: [...issuers[which]], currentDate: new Date(now),
        clockTolerance: CLOCK_TOLERANCE_SECONDS, requiredClaims: ['exp', 'iat'],
      });
      return payload;
    } catch (error) {
      throw new NotVouched(`${which} token: ${(error as Error).message}`, { cause: error });
    }
  }

  return async (credential: VendorCredential, { now, useNonce }: LoginAsked): Promise<VendorPerson> => {
    if (credential.kind !== 'google-id-token') throw new NotVouched('a credential of another vendor');
    const identity = Identity.safeParse(await verified(credential.idToken, 'identity', now));
    if (!identity.success) throw new NotVouched('identity token lacks sub or nonce');
    const person = identity.data;
    if (person.nonce !== credential.nonce) throw new NotVouched('identity token has another nonce');
    let mobile: string | null = null;
    if (credential.phoneToken !== undefined) {
      const phone = Phone.safeParse(await verified(credential.phoneToken, 'phone', now));
      if (!phone.success) throw new NotVouched('phone number is not verified');
      if (phone.data.nonce !== undefined && phone.data.nonce !== credential.nonce) throw new NotVouched('phone token has another nonce');
      if (phone.data.sub !== undefined && phone.data.sub !== person.sub) throw new NotVouched('phone token is another person\'s');
      mobile = phone.data.phone_number;
    }
    // Last, so that a broken token does not use up a good nonce.
    if (!await useNonce(credential.nonce)) throw new NotVouched('nonce unknown, used or too old');
    return {
      subject: person.sub, mobile, firstName: person.given_name ?? person.name, lastName: person.family_name,
      email: person.email, emailVerified: person.email_verified,
    };
  };
}

// ---- What Google answers, on our own server.

const TokenOrder = z.object({
  nonce: z.optional(z.string()), aud: z.optional(z.string()), sub: z.optional(z.string()), phone: z.optional(z.string()),
  iss: z.optional(z.string()), name: z.optional(z.string()), email: z.optional(z.string()), verified: z.optional(z.boolean()),
  expiresInSeconds: z.optional(z.number()), alg: z.optional(z.enum(['RS256', 'RS512', 'PS256'])),
});
const TOKEN_LIFE_SECONDS = 3_600;
const GOOGLE_ISSUER = 'https://accounts.google.com';

async function googleToken(set: 'identity' | 'phone', request: Request, { db, now }: Aside): Promise<Response> {
  const order = await ordered(TokenOrder, request);
  if (order === null) return Response.json({ error: 'invalid_request' }, { status: 400 });
  const sub = order.sub ?? 'customer-1';
  const claims = {
    iss: order.iss ?? GOOGLE_ISSUER, aud: order.aud ?? EMBEDDED_GOOGLE_CLIENT, sub, ...(order.nonce === undefined ? {} : { nonce: order.nonce }),
    ...(set === 'identity'
      ? { name: order.name ?? 'Asha Rao', given_name: (order.name ?? 'Asha Rao').split(' ')[0], family_name: (order.name ?? 'Asha Rao').split(' ').slice(1).join(' '), ...(order.email === undefined ? {} : { email: order.email, email_verified: order.verified ?? true }) }
      : { phone_number: order.phone ?? `+91 ${phoneOf(sub)}`, phone_number_verified: order.verified ?? true }),
  };
  return Response.json({ token: await signed(db, set, claims, { now, lifeSeconds: order.expiresInSeconds ?? TOKEN_LIFE_SECONDS }, order.alg) });
}

const routes: readonly RawRoute[] = [
  { method: 'GET', path: '/vendors/google/certs', embedded: true, handler: async (_c, { db }) => Response.json(await certs(db, 'identity')) },
  { method: 'GET', path: '/vendors/google/phone-certs', embedded: true, handler: async (_c, { db }) => Response.json(await certs(db, 'phone')) },
  {
    method: 'POST', path: '/vendors/google/rotate', embedded: true,
    async handler(_c, { db, now }) {
      await rotate(db, 'identity', now);
      await rotate(db, 'phone', now);
      return Response.json({ rotated: true });
    },
  },
  { method: 'POST', path: '/vendors/google/identity', embedded: true, handler: (c, aside) => googleToken('identity', c.req.raw, aside) },
  { method: 'POST', path: '/vendors/google/phone', embedded: true, handler: (c, aside) => googleToken('phone', c.req.raw, aside) },
];

export const partner: PartnerSide = { name: 'gpay', partnerName: 'gpay', clientId, paymentMode: 'GPAY', login, routes };

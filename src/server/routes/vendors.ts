import * as z from 'zod/mini';
import { countryConfig } from '../../../country/index.ts';
import * as vendors from '../../contract/vendors.ts';
import * as messages from '../../domain/messages.ts';
import { phoneNumber } from '../../domain/phone.ts';
import { on, userIdOf } from '../http/route.ts';
import type { Aside, Call, RawRoute, Route } from '../http/route.ts';
import { refuse } from '../http/refusal.ts';
import { certs, EMBEDDED_GOOGLE_CLIENT, EMBEDDED_PAYTM_CLIENT, EMBEDDED_PAYTM_SECRET, signed } from '../rules/embedded.ts';
import { logIn } from '../rules/sessions.ts';
import type { VendorPerson } from '../rules/vendors.ts';
import { transact } from '../store/db.ts';
import { accountOfMobile } from '../store/sessions.ts';
import { personOfToken, putGrant, putNonce, tieIdentity, useCode, useNonce, userOfIdentity } from '../store/vendors.ts';

const NONCE_LIFE_MS = 5 * 60_000;

/** The host in the path is the one the build is for, or there is no such vendor. */
function vendorOf(name: string, call: Call): 'gpay' | 'paytm' {
  const { partner } = call.caller;
  if (partner === 'web' || name.toLowerCase() !== partner) refuse(404, 'NOT_FOUND', messages.NOT_FOUND);
  return partner;
}

export const vendorRoutes: Route[] = [
  on(vendors.nonce, async ({ vendor }, call) => ({
    status: 'SUCCESS' as const,
    nonce: await putNonce(call.db, { vendor: vendorOf(vendor, call), userId: userIdOf(call), endsAt: call.now + NONCE_LIFE_MS }),
  })),
  on(vendors.auth, async ({ vendor: name, body }, call) => {
    const { db, caller, now, services } = call;
    const vendor = vendorOf(name, call);
    let person: VendorPerson;
    try {
      person = await services.vendors.identify(vendor, body.credential, now, (nonce) => useNonce(db, nonce, vendor, userIdOf(call), now));
    } catch (error) {
      services.log.warn({ requestId: call.requestId, vendor, error: String(error) }, 'a host\'s login was not accepted');
      refuse(422, 'VENDOR_LOGIN', messages.VENDOR_LOGIN_FAILED);
    }
    const country = countryConfig(caller.country);
    // A number of another country is no way to reach an account here, but the person is still known by the vendor's key.
    const mobile = person.mobile === null || !person.mobile.startsWith(country.dialPrefix) ? null : phoneNumber(person.mobile, country);
    return await transact(db, async (tx) => {
      let userId = await userOfIdentity(tx, vendor, person.subject);
      if (userId === null && mobile !== null) userId = await tieIdentity(tx, vendor, person.subject, (await accountOfMobile(tx, caller.country, mobile, now)).id, now);
      const reply = await logIn(tx, {
        country: caller.country, partner: caller.partner, loginType: vendor, mobile: null, userId, subject: person.subject,
        session: { id: caller.sessionId!, userId: caller.userId!, cartId: caller.cartId!, isLoggedIn: caller.isLoggedIn }, profile: person, now,
      });
      if (userId === null) await tieIdentity(tx, vendor, person.subject, reply.attributes.userId, now);
      return reply;
    });
  }),
];

// ---- The embedded vendors: what Google and Paytm answer, on our own server, so that a login is a real one from end to end.

const TokenOrder = z.object({
  nonce: z.optional(z.string()), aud: z.optional(z.string()), sub: z.optional(z.string()), phone: z.optional(z.string()),
  iss: z.optional(z.string()), name: z.optional(z.string()), email: z.optional(z.string()), verified: z.optional(z.boolean()),
  expiresInSeconds: z.optional(z.number()),
});
const CodeOrder = z.object({
  clientId: z.optional(z.string()), sub: z.optional(z.string()),
  user: z.optional(z.object({ id: z.optional(z.string()), phone: z.optional(z.string()), displayName: z.optional(z.string()), email: z.optional(z.string()) })),
});
interface PaytmPerson { id: string; phone: string; displayName?: string | undefined; email?: string | undefined }

const TOKEN_LIFE_SECONDS = 3_600;
const CODE_LIFE_MS = 5 * 60_000;
const PAYTM_TOKEN_LIFE_MS = 60 * 60_000;
const GOOGLE_ISSUER = 'https://accounts.google.com';

/** Always the same number for the same person. */
function phoneOf(person: string): string {
  let number = 7;
  for (const char of person) number = (number * 31 + char.charCodeAt(0)) % 100_000_000;
  return `98${String(number).padStart(8, '0')}`;
}

async function ordered<S extends z.ZodMiniType>(schema: S, request: Request): Promise<z.output<S> | null> {
  const body: unknown = await request.json().catch(() => null);
  const parsed = schema.safeParse(body);
  return parsed.success ? parsed.data : null;
}

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
  return Response.json({ token: await signed(db, set, claims, { now, lifeSeconds: order.expiresInSeconds ?? TOKEN_LIFE_SECONDS }) });
}

/** Basic authentication of the one client there is; else 401 with an empty body, as Paytm does it. */
function isClient(request: Request): boolean {
  return request.headers.get('authorization') === `Basic ${Buffer.from(`${EMBEDDED_PAYTM_CLIENT}:${EMBEDDED_PAYTM_SECRET}`).toString('base64')}`;
}
const unknownClient = (): Response => new Response(null, { status: 401 });

export const embeddedVendors: RawRoute[] = [
  { method: 'GET', path: '/vendors/google/certs', embedded: true, handler: async (_c, { db }) => Response.json(await certs(db, 'identity')) },
  { method: 'GET', path: '/vendors/google/phone-certs', embedded: true, handler: async (_c, { db }) => Response.json(await certs(db, 'phone')) },
  { method: 'POST', path: '/vendors/google/identity', embedded: true, handler: (c, aside) => googleToken('identity', c.req.raw, aside) },
  { method: 'POST', path: '/vendors/google/phone', embedded: true, handler: (c, aside) => googleToken('phone', c.req.raw, aside) },
  {
    method: 'POST', path: '/vendors/paytm/authcode', embedded: true,
    async handler(c, { db, now }) {
      const order = await ordered(CodeOrder, c.req.raw);
      // The host app's own refusal of a client it does not know (paytmFetchAuthCode).
      if (order === null || !order.clientId) return Response.json({ error: 2, errorMessage: 'no clientId' }, { status: 400 });
      const id = order.user?.id ?? order.sub ?? 'customer-1';
      const person: PaytmPerson = { id, phone: order.user?.phone ?? phoneOf(id), displayName: order.user?.displayName, email: order.user?.email };
      const authId = await putGrant(db, { kind: 'code', clientId: order.clientId, person, endsAt: now + CODE_LIFE_MS });
      return Response.json({ authId, openId: `open-${id}` });
    },
  },
  {
    method: 'POST', path: '/vendors/paytm/oauth2/v2/token', embedded: true,
    async handler(c, { db, now }) {
      if (!isClient(c.req.raw)) return unknownClient();
      const form = new URLSearchParams(await c.req.text());
      if (form.get('grant_type') !== 'authorization_code') return Response.json({ error: 'unsupported_grant_type' }, { status: 400 });
      const person = await useCode(db, form.get('code') ?? '', EMBEDDED_PAYTM_CLIENT, now);
      if (person === null) return Response.json({ error: 'invalid_grant', error_description: 'Invalid authorization code' }, { status: 400 });
      const known = JSON.parse(person) as PaytmPerson;
      const endsAt = now + PAYTM_TOKEN_LIFE_MS;
      const token = await putGrant(db, { kind: 'token', clientId: EMBEDDED_PAYTM_CLIENT, person: known, endsAt });
      return Response.json({ access_token: token, scope: form.get('scope') ?? 'basic', expires: endsAt, resourceOwnerId: known.id });
    },
  },
  {
    method: 'GET', path: '/vendors/paytm/v2/user', embedded: true,
    async handler(c, { db, now }) {
      if (!isClient(c.req.raw)) return unknownClient();
      if (c.req.header('verification_type') !== 'oauth_token') return Response.json({ status: 'FAILURE', responseCode: '434', message: 'Bad request' }, { status: 400 });
      const person = await personOfToken(db, c.req.header('data') ?? '', EMBEDDED_PAYTM_CLIENT, now);
      if (person === null) return Response.json({ status: 'FAILURE', responseCode: '530', message: 'Invalid token' }, { status: 403 });
      const { id, phone, displayName, email } = JSON.parse(person) as PaytmPerson;
      return Response.json({
        userId: id, phoneInfo: { countryCode: '91', phoneNumber: phone },
        ...(displayName === undefined ? {} : { profileInfo: { displayName } }), ...(email === undefined ? {} : { email }),
      });
    },
  },
];

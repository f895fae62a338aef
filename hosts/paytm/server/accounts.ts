import { HOUR_MS, MINUTE_MS } from '../../../src/domain/time.ts';
import * as z from 'zod/mini';
import type { RawRoute } from '../../../src/server/call/route.ts';
import { personOfToken, putGrant, useCode } from '../../../src/server/store/vendors.ts';
import { ordered, phoneOf } from '../../../src/server/vendors/embedded.ts';

// The imitation of Paytm's accounts.

/** Our client id and secret at the imitation, and our own defaults. */
export const EMBEDDED_CLIENT = 'merchant-pizza';
export const EMBEDDED_SECRET = 'embedded-paytm-secret';

/** `odd`: what is optional comes null, as a number or as text; `nobody`: the answer names no person. */
const Profile = z.enum(['documented', 'odd', 'nobody']);
const CodeOrder = z.object({
  clientId: z.optional(z.string()),
  sub: z.optional(z.string()),
  profile: z.optional(Profile),
  user: z.optional(
    z.object({
      id: z.optional(z.string()),
      phone: z.optional(z.string()),
      displayName: z.optional(z.string()),
      email: z.optional(z.string()),
    }),
  ),
});
interface PaytmPerson {
  id: string;
  phone: string;
  displayName?: string | undefined;
  email?: string | undefined;
  profile?: z.output<typeof Profile> | undefined;
}

const CODE_LIFE_MS = 5 * MINUTE_MS;
const PAYTM_TOKEN_LIFE_MS = HOUR_MS;

/** Checks the client's basic authentication; else 401 without a body, as Paytm does. */
function isClient(request: Request): boolean {
  return (
    request.headers.get('authorization') ===
    `Basic ${Buffer.from(`${EMBEDDED_CLIENT}:${EMBEDDED_SECRET}`).toString('base64')}`
  );
}
const unknownClient = (): Response => new Response(null, { status: 401 });

export const accountRoutes: readonly RawRoute[] = [
  {
    method: 'POST',
    path: '/vendors/paytm/authcode',
    embedded: true,
    async handler(c, { db, now }) {
      const order = await ordered(CodeOrder, c.req.raw);
      // How the app refuses a client it does not know (paytmFetchAuthCode).
      if (order === null || !order.clientId)
        return Response.json({ error: 2, errorMessage: 'no clientId' }, { status: 400 });
      const id = order.user?.id ?? order.sub ?? 'customer-1';
      const person: PaytmPerson = {
        id,
        phone: order.user?.phone ?? phoneOf(id),
        displayName: order.user?.displayName,
        email: order.user?.email,
        profile: order.profile,
      };
      const authId = await putGrant(db, { kind: 'code', clientId: order.clientId, person, endsAt: now + CODE_LIFE_MS });
      return Response.json({ authId, openId: `open-${id}` });
    },
  },
  {
    method: 'POST',
    path: '/vendors/paytm/oauth2/v2/token',
    embedded: true,
    async handler(c, { db, now }) {
      if (!isClient(c.req.raw)) return unknownClient();
      const form = new URLSearchParams(await c.req.text());
      if (form.get('grant_type') !== 'authorization_code')
        return Response.json({ error: 'unsupported_grant_type' }, { status: 400 });
      const person = await useCode(db, form.get('code') ?? '', EMBEDDED_CLIENT, now);
      if (person === null)
        return Response.json(
          { error: 'invalid_grant', error_description: 'Invalid authorization code' },
          { status: 400 },
        );
      const known = JSON.parse(person) as PaytmPerson;
      const endsAt = now + PAYTM_TOKEN_LIFE_MS;
      const token = await putGrant(db, { kind: 'token', clientId: EMBEDDED_CLIENT, person: known, endsAt });
      return Response.json({
        access_token: token,
        scope: form.get('scope') ?? 'basic',
        expires: known.profile === 'odd' ? String(endsAt) : endsAt,
        ...(known.profile === 'nobody' ? {} : { resourceOwnerId: known.id }),
      });
    },
  },
  {
    method: 'GET',
    path: '/vendors/paytm/v2/user',
    embedded: true,
    async handler(c, { db, now }) {
      if (!isClient(c.req.raw)) return unknownClient();
      if (c.req.header('verification_type') !== 'oauth_token')
        return Response.json({ status: 'FAILURE', responseCode: '434', message: 'Bad request' }, { status: 400 });
      const person = await personOfToken(db, c.req.header('data') ?? '', EMBEDDED_CLIENT, now);
      if (person === null)
        return Response.json({ status: 'FAILURE', responseCode: '530', message: 'Invalid token' }, { status: 403 });
      const { phone, displayName, email, profile } = JSON.parse(person) as PaytmPerson;
      if (profile === 'odd')
        return Response.json({
          email: null,
          profileInfo: { displayName: null },
          phoneInfo: { countryCode: 91, phoneNumber: Number(phone) },
        });
      return Response.json({
        phoneInfo: { countryCode: '91', phoneNumber: phone },
        ...(displayName === undefined ? {} : { profileInfo: { displayName } }),
        ...(email === undefined ? {} : { email }),
      });
    },
  },
];

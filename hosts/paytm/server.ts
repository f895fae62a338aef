import * as z from 'zod/mini';
import type { VendorCredential } from '../../src/contract/vendors.ts';
import type { RawRoute } from '../../src/server/http/route.ts';
import { EMBEDDED_PAYTM_CLIENT, EMBEDDED_PAYTM_SECRET, ordered, phoneOf } from '../../src/server/rules/embedded.ts';
import { type Around, NotVouched, type PartnerSide, type VendorPerson } from '../../src/server/rules/partners.ts';
import { personOfToken, putGrant, useCode } from '../../src/server/store/vendors.ts';

const DEADLINE_MS = 8_000;

const TokenReply = z.object({ access_token: z.string(), expires: z.optional(z.number()), resourceOwnerId: z.optional(z.string()) });
const UserReply = z.object({
  userId: z.optional(z.union([z.string(), z.number()])),
  email: z.optional(z.string()),
  profileInfo: z.optional(z.object({ displayName: z.optional(z.string()) })),
  phoneInfo: z.optional(z.object({ countryCode: z.optional(z.string()), phoneNumber: z.optional(z.string()) })),
});

const clientId = (environment: Around['environment']) => environment['PAYTM_CLIENT_ID'] || EMBEDDED_PAYTM_CLIENT;

async function asked<S extends z.ZodMiniType>(schema: S, what: string, url: string, init: RequestInit): Promise<z.output<S>> {
  let status = 0;
  let body: unknown;
  try {
    const response = await fetch(url, { ...init, redirect: 'error', signal: AbortSignal.timeout(DEADLINE_MS) });
    status = response.status;
    const text = await response.text();
    // A 401 of theirs has an empty body.
    body = text === '' ? null : JSON.parse(text);
  } catch (error) {
    throw new NotVouched(`paytm ${what} could not be asked (${status})`, { cause: error });
  }
  const parsed = schema.safeParse(body);
  if (status !== 200 || !parsed.success) throw new NotVouched(`paytm ${what} answered ${status} ${String((body as { error?: unknown } | null)?.error ?? '')}`);
  return parsed.data;
}

/** A one-time code is swapped for a token, the token for a person; the client's secret never leaves the server. */
function login({ environment, origin }: Around) {
  return async (credential: VendorCredential): Promise<VendorPerson> => {
    if (credential.kind !== 'paytm-auth-code') throw new NotVouched('a credential of another vendor');
    const authorization = `Basic ${Buffer.from(`${clientId(environment)}:${environment['PAYTM_CLIENT_SECRET'] || EMBEDDED_PAYTM_SECRET}`).toString('base64')}`;
    const token = await asked(TokenReply, 'token', environment['PAYTM_TOKEN_URL'] || `${origin()}/vendors/paytm/oauth2/v2/token`, {
      method: 'POST', headers: { authorization, 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ grant_type: 'authorization_code', code: credential.authCode, client_id: clientId(environment), scope: environment['PAYTM_SCOPE'] || 'basic' }),
    });
    const address = new URL(environment['PAYTM_USER_URL'] || `${origin()}/vendors/paytm/v2/user`);
    address.searchParams.set('fetch_strategy', 'profile_info,phone_number,email');
    const user = await asked(UserReply, 'user', address.href, {
      method: 'GET', headers: { authorization, verification_type: 'oauth_token', data: token.access_token },
    });
    const subject = token.resourceOwnerId ?? (user.userId === undefined ? undefined : String(user.userId)) ?? credential.openId;
    if (subject === undefined || subject === null || subject === '') throw new NotVouched('paytm named no person');
    const [firstName, ...rest] = (user.profileInfo?.displayName ?? '').trim().split(/\s+/);
    const number = user.phoneInfo?.phoneNumber;
    return {
      subject, mobile: number === undefined ? null : `+${(user.phoneInfo?.countryCode ?? '91').replace(/\D/g, '')}${number}`,
      firstName: firstName === '' ? undefined : firstName, lastName: rest.length === 0 ? undefined : rest.join(' '), email: user.email,
    };
  };
}

// ---- What Paytm's accounts answer, on our own server.

const CodeOrder = z.object({
  clientId: z.optional(z.string()), sub: z.optional(z.string()),
  user: z.optional(z.object({ id: z.optional(z.string()), phone: z.optional(z.string()), displayName: z.optional(z.string()), email: z.optional(z.string()) })),
});
interface PaytmPerson { id: string; phone: string; displayName?: string | undefined; email?: string | undefined }

const CODE_LIFE_MS = 5 * 60_000;
const PAYTM_TOKEN_LIFE_MS = 60 * 60_000;

/** Basic authentication of the one client there is; else 401 with an empty body, as Paytm does it. */
function isClient(request: Request): boolean {
  return request.headers.get('authorization') === `Basic ${Buffer.from(`${EMBEDDED_PAYTM_CLIENT}:${EMBEDDED_PAYTM_SECRET}`).toString('base64')}`;
}
const unknownClient = (): Response => new Response(null, { status: 401 });

const routes: readonly RawRoute[] = [
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

export const partner: PartnerSide = { name: 'paytm', partnerName: 'PAYTM', clientId, paymentMode: 'PAYTM', login, routes };

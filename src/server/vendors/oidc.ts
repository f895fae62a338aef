import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from 'hono';
import { exportJWK, generateKeyPair, importJWK, SignJWT, type JWK, type JWTPayload } from 'jose';
import * as z from 'zod/mini';
import { LONGEST_EMAIL } from '../../contract/names.ts';
import type { RawContext } from '../call/call.ts';
import type { RawRoute } from '../call/route.ts';
import { EMBEDDED_OIDC } from '../providers/social.ts';
import type { Db } from '../store/db.ts';
import { newToken } from '../store/ids.ts';
import { countUse, secret, usesOf } from '../store/system.ts';
import { putGrant, useCode } from '../store/vendors.ts';
import { isOwnForm } from './bankInterface.ts';
import { escapeHtml } from '../../domain/html.ts';
import { DAY_MS, DAY_S, HOUR_S, MINUTE_MS } from '../../domain/time.ts';
import { page } from './bankPages.ts';

// The imitation of a provider of accounts: OpenID Connect with code and PKCE, as the real ones do it.

const BASE = '/vendors/oidc';
const CODE_LIFE_MS = MINUTE_MS;
const TOKEN_LIFE_SECONDS = HOUR_S;
const FOR_EVER_MS = 100 * 365 * DAY_MS;
/** Longer than anybody waits. */
const SLOW_MS = 20_000;

/** What it can be told to do wrong: each is chosen on its page, for that one login. */
const BEHAVIOURS = {
  good: 'As it should be',
  expired: 'ID token has expired',
  'too-old': 'ID token is of yesterday',
  'wrong-audience': 'ID token is for another shop',
  'several-audiences': 'ID token is for several shops',
  'wrong-issuer': 'ID token is of another issuer',
  'unknown-key': 'Signed with a key that nobody knows',
  'rotated-key': 'Signed with a new key',
  'shared-secret': 'Signed with our own client secret',
  unsigned: 'Not signed at all',
  'wrong-nonce': 'Answers another login',
  'no-nonce': 'Answers no login in particular',
  'no-subject': 'Says nothing of who it is',
  'wrong-hash': 'Of another access token',
  replayed: 'Gives the code out twice',
  'code-of-another': 'Sends back a code that it never gave',
  'wrong-state': 'Sends back another state',
  'another-provider': 'Comes back as another provider',
  error: 'Has an error of its own',
  broken: 'Its tokens are broken',
  slow: 'Does not answer',
  unverified: 'Email address not confirmed',
  anonymous: 'Says no name and no email',
} as const;
type Behaviour = keyof typeof BEHAVIOURS;
const isBehaviour = (name: string): name is Behaviour => Object.hasOwn(BEHAVIOURS, name);

interface Grant {
  readonly sub: string;
  readonly name: string;
  readonly email: string;
  readonly nonce: string;
  readonly challenge: string;
  readonly redirectUri: string;
  readonly behaviour: Behaviour;
}

const Key = z.looseObject({ kid: z.string() });
const ROTATIONS = 'oidc-rotations';

async function keyOf(db: Db, generation: number): Promise<JWK & { kid: string }> {
  const text = await secret(db, `oidc-${generation}`, async () => {
    const { privateKey } = await generateKeyPair('ES256', { extractable: true });
    return JSON.stringify({ ...(await exportJWK(privateKey)), kid: `doorkey-${generation}`, alg: 'ES256', use: 'sig' });
  });
  return Key.parse(JSON.parse(text));
}
const generationOf = async (db: Db): Promise<number> => 1 + (await usesOf(db, ROTATIONS));

/** What a browser comes with; null where it must not be sent back to wherever it says. */
function requestOf(
  given: URLSearchParams,
): Record<'redirect_uri' | 'state' | 'nonce' | 'code_challenge', string> | null {
  const text = (name: string) => given.get(name) ?? '';
  const redirect = URL.parse(text('redirect_uri'));
  const isOurs =
    text('client_id') === EMBEDDED_OIDC.clientId &&
    redirect?.pathname === `/loginhandler/sociallogin/${EMBEDDED_OIDC.source}/callback` &&
    redirect.search + redirect.hash === '';
  return isOurs
    ? {
        redirect_uri: text('redirect_uri'),
        state: text('state'),
        nonce: text('nonce'),
        code_challenge: text('code_challenge'),
      }
    : null;
}

/** Back to the shop, by a path: it is on this server, at whatever address the browser reached it. */
function back(redirectUri: string, answer: Record<string, string>): Response {
  const location = `${new URL(redirectUri).pathname}?${new URLSearchParams(answer).toString()}`;
  return new Response(null, { status: 303, headers: { location, 'cache-control': 'no-store' } });
}

const MARK =
  '<svg viewBox="0 0 40 40" aria-hidden="true"><rect width="40" height="40" rx="10" fill="#5b3cc4"/><circle cx="16" cy="20" r="6" fill="none" stroke="#fff" stroke-width="3"/><path d="M22 20h10v5M28 20v4" fill="none" stroke="#fff" stroke-width="3" stroke-linecap="round"/></svg>';
const HEAD = `<header>${MARK}<span><b>${EMBEDDED_OIDC.label}</b>Simulated: an account that nobody has</span></header>`;

function refusedPage(): Response {
  return page(
    'Not possible',
    `${HEAD}<h1 class="small">This login cannot go on</h1><p>The shop that sent you here is not registered, or the link is incomplete. Go back and begin again.</p>`,
    400,
  );
}

function consentPage(asked: NonNullable<ReturnType<typeof requestOf>>): Response {
  const hidden = Object.entries({ ...asked, client_id: EMBEDDED_OIDC.clientId })
    .map(([name, value]) => `<input type="hidden" name="${name}" value="${escapeHtml(value)}">`)
    .join('');
  const choices = Object.entries(BEHAVIOURS)
    .map(([name, text]) => `<option value="${name}">${escapeHtml(text)}</option>`)
    .join('');
  return page(
    `Log in with ${EMBEDDED_OIDC.label}`,
    `${HEAD}<h1 class="small">Log in to Golden Oven Pizza</h1>
<p>It will see your name and your email address. It will not see your password, and cannot write in your name.</p>
<form method="post" action="${BASE}/consent">${hidden}
<label>Your name<input name="name" value="Asha Rao" autocomplete="off" maxlength="60"></label>
<label>Your email address<input name="email" type="email" value="asha@doorkey.example" autocomplete="off" maxlength="${LONGEST_EMAIL}" required></label>
<details><summary>What this imitation does</summary><label>Its answer<select name="behaviour">${choices}</select></label></details>
<button class="yes" name="answer" value="allow">Allow</button>
<button class="no" name="answer" value="refuse" formnovalidate>Do not allow</button>
</form>`,
  );
}

async function consent(context: Context, { db, now }: RawContext): Promise<Response> {
  const form = new URLSearchParams(await context.req.text());
  const asked = requestOf(form);
  if (asked === null || !isOwnForm(context)) return refusedPage();
  const chosen = form.get('behaviour') ?? 'good';
  const behaviour = isBehaviour(chosen) ? chosen : 'good';
  const { state, redirect_uri: redirectUri } = asked;
  const own = { state, iss: EMBEDDED_OIDC.issuer };
  if (form.get('answer') !== 'allow') return back(redirectUri, { error: 'access_denied', ...own });
  if (behaviour === 'error') return back(redirectUri, { error: 'server_error', ...own });
  const email = (form.get('email') ?? '').trim().toLowerCase();
  const code = await putGrant(db, {
    kind: 'code',
    clientId: EMBEDDED_OIDC.clientId,
    person: {
      sub: createHash('sha256').update(email).digest('hex').slice(0, 21),
      name: (form.get('name') ?? '').trim(),
      email,
      nonce: asked.nonce,
      challenge: asked.code_challenge,
      redirectUri,
      behaviour,
    } satisfies Grant,
    endsAt: now + CODE_LIFE_MS,
  });
  if (behaviour === 'replayed') await useCode(db, code, EMBEDDED_OIDC.clientId, now);
  const wrong: Partial<Record<Behaviour, Record<string, string>>> = {
    'code-of-another': { code: newToken() },
    'wrong-state': { state: `${state.slice(0, 3)}${newToken()}` },
    'another-provider': { iss: 'https://somebody.example' },
  };
  return back(redirectUri, { code, ...own, ...wrong[behaviour] });
}

/** The claims of an ID token, by what it is told to do wrong. */
function claimsOf({ sub, name, email, nonce, behaviour }: Grant, accessToken: string, now: number): JWTPayload {
  const at = Math.floor(now / 1000);
  const hash = createHash('sha256').update(accessToken).digest().subarray(0, 16).toString('base64url');
  const [given = '', ...family] = name.split(' ');
  const right = {
    iss: EMBEDDED_OIDC.issuer,
    aud: EMBEDDED_OIDC.clientId,
    sub,
    nonce,
    iat: at,
    exp: at + TOKEN_LIFE_SECONDS,
    at_hash: hash,
    ...(behaviour === 'anonymous'
      ? {}
      : { name, given_name: given, family_name: family.join(' '), email, email_verified: behaviour !== 'unverified' }),
  };
  const wrong: Partial<Record<Behaviour, Record<string, unknown>>> = {
    expired: { iat: at - 2 * HOUR_S, exp: at - HOUR_S },
    'too-old': { iat: at - DAY_S, exp: at + TOKEN_LIFE_SECONDS },
    'wrong-audience': { aud: 'another-shop' },
    'several-audiences': { aud: [EMBEDDED_OIDC.clientId, 'another-shop'] },
    'wrong-issuer': { iss: 'https://somebody.example' },
    'wrong-nonce': { nonce: newToken() },
    'no-nonce': { nonce: undefined },
    'no-subject': { sub: undefined },
    'wrong-hash': { at_hash: hash.split('').reverse().join('') },
  };
  return { ...right, ...wrong[behaviour] };
}

const plain = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

async function idToken(db: Db, grant: Grant, accessToken: string, now: number): Promise<string> {
  const { behaviour } = grant;
  const claims = claimsOf(grant, accessToken, now);
  if (behaviour === 'broken') return 'this.is.none';
  if (behaviour === 'unsigned') return `${plain({ alg: 'none' })}.${plain(claims)}.`;
  if (behaviour === 'shared-secret')
    return await new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(Buffer.from(EMBEDDED_OIDC.clientSecret));
  if (behaviour === 'rotated-key') await countUse(db, ROTATIONS, FOR_EVER_MS, now);
  const jwk = await keyOf(db, await generationOf(db));
  const isUnknown = behaviour === 'unknown-key';
  const key = isUnknown ? (await generateKeyPair('ES256')).privateKey : await importJWK(jwk, 'ES256');
  return await new SignJWT(claims)
    .setProtectedHeader({ alg: 'ES256', kid: isUnknown ? 'nobodys' : jwk.kid, typ: 'JWT' })
    .sign(key);
}

const noTokens = (error: string, status = 400) =>
  Response.json({ error }, { status, headers: { 'cache-control': 'no-store' } });

async function tokens(context: Context, { db, now }: RawContext): Promise<Response> {
  const form = new URLSearchParams(await context.req.text());
  const { clientId, clientSecret } = EMBEDDED_OIDC;
  const wanted = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`;
  if (context.req.header('authorization') !== wanted) return noTokens('invalid_client', 401);
  if (form.get('grant_type') !== 'authorization_code') return noTokens('unsupported_grant_type');
  const held = await useCode(db, form.get('code') ?? '', clientId, now);
  if (held === null) return noTokens('invalid_grant');
  const grant = JSON.parse(held) as Grant;
  const challenge = createHash('sha256')
    .update(form.get('code_verifier') ?? '')
    .digest('base64url');
  if (challenge !== grant.challenge || form.get('redirect_uri') !== grant.redirectUri) return noTokens('invalid_grant');
  if (grant.behaviour === 'slow') await sleep(SLOW_MS, undefined, { ref: false });
  const accessToken = newToken();
  return Response.json(
    {
      access_token: accessToken,
      token_type: 'Bearer',
      expires_in: TOKEN_LIFE_SECONDS,
      scope: 'openid profile email',
      id_token: await idToken(db, grant, accessToken, now),
    },
    { headers: { 'cache-control': 'no-store' } },
  );
}

const route = (method: RawRoute['method'], path: string, handler: RawRoute['handler']): RawRoute => ({
  method,
  path: `${BASE}/${path}`,
  embedded: true,
  handler,
});

/** All addresses of the imitated provider; they are not part of the contract. */
export const oidcRoutes: readonly RawRoute[] = [
  route('GET', '.well-known/openid-configuration', (context) => {
    const at = `${new URL(context.req.url).origin}${BASE}`;
    return Response.json({
      issuer: EMBEDDED_OIDC.issuer,
      authorization_endpoint: `${at}/authorize`,
      token_endpoint: `${at}/token`,
      jwks_uri: `${at}/jwks`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['ES256'],
      scopes_supported: ['openid', 'profile', 'email'],
      token_endpoint_auth_methods_supported: ['client_secret_basic'],
      code_challenge_methods_supported: ['S256'],
      authorization_response_iss_parameter_supported: true,
    });
  }),
  route('GET', 'jwks', async (_context, { db }) => {
    const current = await generationOf(db);
    const keys = await Promise.all([current, current - 1].filter((one) => one > 0).map((one) => keyOf(db, one)));
    return Response.json({
      keys: keys.map(({ kty, crv, x, y, kid, alg, use }) => ({ kty, crv, x, y, kid, alg, use })),
    });
  }),
  route('GET', 'authorize', (context) => {
    const query = new URL(context.req.url).searchParams;
    const asked = requestOf(query);
    if (asked === null) return refusedPage();
    const isWhole =
      query.get('response_type') === 'code' &&
      query.get('code_challenge_method') === 'S256' &&
      asked.code_challenge !== '' &&
      (query.get('scope') ?? '').split(' ').includes('openid');
    return isWhole
      ? consentPage(asked)
      : back(asked.redirect_uri, { error: 'invalid_request', state: asked.state, iss: EMBEDDED_OIDC.issuer });
  }),
  route('POST', 'consent', consent),
  route('POST', 'token', tokens),
];

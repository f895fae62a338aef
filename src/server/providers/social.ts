import { HOUR_MS } from '../../domain/time.ts';
import { createHash } from 'node:crypto';
import { createRemoteJWKSet, customFetch, decodeProtectedHeader, jwtVerify } from 'jose';
import * as z from 'zod/mini';
import { NotVouched } from '../call/hostLogin.ts';
import { type HostContext } from '../call/hosts.ts';
import { saidEmail, saidId, saidText, saidTrue } from '../call/said.ts';
import type { SocialPerson, SocialProvider } from '../call/social.ts';
import { oidc } from '../environment.ts';
import { isSafe } from './outside.ts';

const DEADLINE_MS = 5_000;
const METADATA_KEPT_MS = HOUR_MS;
/** Tolerance for the clocks of providers. */
const CLOCK_TOLERANCE_SECONDS = 30;
/** A token was made for this login, a moment ago. */
const TOKEN_AGE_SECONDS = 600;
/** Signatures with a key that only the provider has: never `none`, and none with a secret that both sides know. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'];

/** Our client at the imitated provider. */
export const EMBEDDED_OIDC = {
  source: 'doorkey',
  label: 'Doorkey',
  issuer: 'https://doorkey.example',
  clientId: 'pizza-web',
  clientSecret: 'embedded-doorkey-secret',
} as const;

const address = z.string().check(z.refine(isSafe));
const Metadata = z.object({
  issuer: z.string(),
  authorization_endpoint: address,
  token_endpoint: address,
  jwks_uri: address,
  token_endpoint_auth_methods_supported: z.optional(z.array(z.string())),
});
const Tokens = z.object({ id_token: z.string(), access_token: z.optional(z.string()) });
const Claims = z.object({
  sub: saidId,
  nonce: z.string(),
  aud: z.union([z.string(), z.array(z.string())]),
  azp: z.optional(z.string()),
  at_hash: z.optional(z.string()),
  given_name: saidText,
  family_name: saidText,
  name: saidText,
  email: saidEmail,
  email_verified: saidTrue,
});

/** The hash that an ID token has of the access token beside it (OpenID Connect Core 3.1.3.6). */
function hashOf(accessToken: string, algorithm: string): string {
  const bits = algorithm === 'EdDSA' ? 512 : Number(algorithm.slice(2));
  const whole = createHash(`sha${bits}`).update(accessToken).digest();
  return whole.subarray(0, whole.length / 2).toString('base64url');
}

interface Client {
  readonly source: string;
  readonly label: string;
  readonly vendor: string;
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Where the provider describes itself. */
  readonly metadata: () => string;
  /** Imitated on this server, at whatever address a browser reaches it. */
  readonly isEmbedded: boolean;
}

const basic = (clientId: string, secret: string) =>
  `Basic ${Buffer.from(`${encodeURIComponent(clientId)}:${encodeURIComponent(secret)}`).toString('base64')}`;

function socialProvider(client: Client, outside: HostContext['outside']): SocialProvider {
  const { source, label, vendor, issuer, clientId, clientSecret } = client;
  const name = `social-${source}`;
  type ProviderMetadata = z.output<typeof Metadata> & { readonly keys: ReturnType<typeof createRemoteJWKSet> };
  let held: { readonly at: number; readonly known: ProviderMetadata } | undefined;

  async function metadata(): Promise<ProviderMetadata> {
    if (held !== undefined && performance.now() - held.at < METADATA_KEPT_MS) return held.known;
    const answer = await outside.ask(name, client.metadata(), { deadlineMs: DEADLINE_MS });
    if (!answer.ok) throw new Error(`the description of ${label} answered ${answer.status}`);
    const said = Metadata.parse(await answer.json());
    if (said.issuer !== issuer) throw new Error(`${label} says that it is ${said.issuer}, not ${issuer}`);
    const keys = createRemoteJWKSet(new URL(said.jwks_uri), {
      timeoutDuration: DEADLINE_MS,
      // Only the provider's own answers are checked with them, so a key that we do not know is a new one.
      cooldownDuration: 0,
      [customFetch]: (url: string, init: RequestInit) => outside.ask(name, url, { ...init, deadlineMs: DEADLINE_MS }),
    });
    held = { at: performance.now(), known: { ...said, keys } };
    return held.known;
  }

  async function person(
    { id_token: token, access_token: access }: z.output<typeof Tokens>,
    keys: ProviderMetadata['keys'],
    { nonce, now }: { readonly nonce: string; readonly now: number },
  ): Promise<SocialPerson> {
    const { payload } = await jwtVerify(token, keys, {
      issuer,
      audience: clientId,
      algorithms: ALGORITHMS,
      currentDate: new Date(now),
      clockTolerance: CLOCK_TOLERANCE_SECONDS,
      maxTokenAge: TOKEN_AGE_SECONDS,
      requiredClaims: ['exp', 'iat', 'sub', 'nonce'],
    }).catch((error: unknown) => {
      throw new NotVouched(`ID token: ${(error as Error).message}`, { cause: error });
    });
    const claims = Claims.safeParse(payload);
    if (!claims.success) throw new NotVouched('ID token lacks sub or nonce');
    const said = claims.data;
    if (said.nonce !== nonce) throw new NotVouched('ID token has another nonce');
    const isForSeveral = Array.isArray(said.aud) && said.aud.length > 1;
    if (said.azp === undefined ? isForSeveral : said.azp !== clientId)
      throw new NotVouched('ID token was made for another client');
    if (said.at_hash !== undefined && access !== undefined) {
      const { alg = '' } = decodeProtectedHeader(token);
      if (said.at_hash !== hashOf(access, alg)) throw new NotVouched('ID token is of another access token');
    }
    return {
      subject: said.sub,
      firstName: said.given_name ?? said.name,
      lastName: said.family_name,
      email: said.email,
      emailVerified: said.email_verified,
    };
  }

  return {
    source,
    label,
    vendor,
    issuer,
    async begin({ state, nonce, verifier, redirectUri }) {
      const url = new URL((await metadata()).authorization_endpoint);
      for (const [key, value] of Object.entries({
        response_type: 'code',
        client_id: clientId,
        redirect_uri: redirectUri,
        scope: ['openid', 'profile', 'email'].join(' '),
        state,
        nonce,
        code_challenge: createHash('sha256').update(verifier).digest('base64url'),
        code_challenge_method: 'S256',
      }))
        url.searchParams.set(key, value);
      return client.isEmbedded ? url.pathname + url.search : url.href;
    },
    async finish({ code, nonce, verifier, redirectUri, now }) {
      const { token_endpoint: at, token_endpoint_auth_methods_supported: methods, keys } = await metadata();
      const form = new URLSearchParams({
        grant_type: 'authorization_code',
        code,
        redirect_uri: redirectUri,
        code_verifier: verifier,
      });
      const headers = new Headers({
        accept: 'application/json',
        'content-type': 'application/x-www-form-urlencoded',
      });
      // Without a word of the provider it is the first way (OpenID Connect Discovery 3).
      if (methods === undefined || methods.includes('client_secret_basic'))
        headers.set('authorization', basic(clientId, clientSecret));
      else {
        form.set('client_id', clientId);
        form.set('client_secret', clientSecret);
      }
      const answer = await outside.ask(name, at, { method: 'POST', body: form, headers, deadlineMs: DEADLINE_MS });
      const body: unknown = await answer.json().catch(() => null);
      if (answer.status >= 500) throw new Error(`${label} answered ${answer.status} to a code`);
      const tokens = Tokens.safeParse(body);
      if (!answer.ok || !tokens.success) {
        const { error } = (body ?? {}) as { error?: unknown };
        throw new NotVouched(`no tokens for the code: ${answer.status} ${typeof error === 'string' ? error : ''}`);
      }
      return await person(tokens.data, keys, { nonce, now });
    },
  };
}

/** The providers of the environment; without any the imitated one, where the imitations answer. */
export function socialProviders(
  { environment, origin, outside }: Pick<HostContext, 'environment' | 'origin' | 'outside'>,
  withEmbedded: boolean,
): readonly SocialProvider[] {
  const own = oidc.flatMap((part) => environment.read(part) ?? []);
  const clients: Client[] = own.map((one) => ({
    ...one,
    // Its subjects are its own, whatever it is called here.
    vendor: `oidc:${one.issuer}`,
    metadata: () => `${one.issuer.replace(/\/$/, '')}/.well-known/openid-configuration`,
    isEmbedded: false,
  }));
  if (clients.length === 0 && withEmbedded)
    clients.push({
      ...EMBEDDED_OIDC,
      vendor: `oidc:${EMBEDDED_OIDC.issuer}`,
      metadata: () => `${origin()}/vendors/oidc/.well-known/openid-configuration`,
      isEmbedded: true,
    });
  return clients.map((client) => socialProvider(client, outside));
}

import { generateKeyPairSync } from 'node:crypto';
import { createRemoteJWKSet, customFetch, importJWK, jwtVerify, SignJWT } from 'jose';
import type { JWK, JWTPayload } from 'jose';
import type { HostContext } from '../../../src/server/call/hosts.ts';
import type { Partner } from './partners.ts';

const DEADLINE_MS = 5_000;
const CLOCK_TOLERANCE_SECONDS = 30;
/** Only with a key pair: a partner has nothing with which it could sign for us, nor we for it. */
const ALGORITHMS = ['ES256', 'ES384', 'EdDSA', 'Ed25519', 'RS256', 'PS256'];
/** Keeps a token about money from being taken for one about a person, and the other way round. */
export const PAYMENT_TYPE = 'payment+jwt';
const LIFE_SECONDS = 60;

export type TrustedPartner = Partner & { readonly issuer: string; readonly audience: string; readonly keys: string };
export const isTrusted = (partner: Partner): partner is TrustedPartner => partner.keys !== undefined;

/** A new key pair as JWK text: kept as a secret, its public half is published. */
export function newKey(): string {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const jwk = privateKey.export({ format: 'jwk' });
  return JSON.stringify({ ...jwk, kid: String(jwk.x).slice(0, 8), alg: 'ES256', use: 'sig' });
}

export function publicHalf(key: string): JWK {
  const { d: _secret, ...open } = JSON.parse(key) as JWK;
  return open;
}

export interface Times {
  /** Epoch ms. */
  readonly now: number;
  readonly lifeSeconds?: number;
}

export async function signed(
  key: string,
  claims: JWTPayload,
  { now, lifeSeconds = LIFE_SECONDS }: Times,
  typ?: string,
): Promise<string> {
  const jwk = JSON.parse(key) as JWK;
  const at = Math.floor(now / 1000);
  return await new SignJWT(claims)
    .setProtectedHeader({ alg: 'ES256', kid: jwk.kid!, ...(typ === undefined ? {} : { typ }) })
    .setIssuedAt(at)
    .setExpirationTime(at + lifeSeconds)
    .sign(await importJWK(jwk, 'ES256'));
}

/** Our own key, and the name under which partners know us. */
export function shopKey({ secret, publicOrigin }: Pick<HostContext, 'secret' | 'publicOrigin'>) {
  return { key: () => secret('frame-shop-key', newKey), issuer: publicOrigin };
}

/**
 * Judges a partner's tokens by its key set.
 * @throws Error when it is not signed by this partner, for us, just now
 */
export function judge(partner: TrustedPartner, { origin, outside }: Pick<HostContext, 'origin' | 'outside'>) {
  let keys: ReturnType<typeof createRemoteJWKSet> | undefined;
  return async (token: string, { now }: Times, typ?: string): Promise<JWTPayload> => {
    // At the first token, since the imitated partner runs on this server's own port.
    keys ??= createRemoteJWKSet(new URL(partner.keys, origin()), {
      timeoutDuration: DEADLINE_MS,
      cooldownDuration: 1_000,
      [customFetch]: (url: string, init: RequestInit) =>
        outside.ask(`frame-${partner.name}-keys`, url, { ...init, deadlineMs: DEADLINE_MS }),
    });
    const { payload, protectedHeader } = await jwtVerify(token, keys, {
      algorithms: ALGORITHMS,
      issuer: partner.issuer,
      audience: partner.audience,
      currentDate: new Date(now),
      clockTolerance: CLOCK_TOLERANCE_SECONDS,
      requiredClaims: ['exp', 'iat'],
      ...(typ === undefined ? {} : { typ }),
    });
    if (typ === undefined && /^(application\/)?payment\+jwt$/i.test(protectedHeader.typ ?? ''))
      throw new Error('a token about money');
    return payload;
  };
}

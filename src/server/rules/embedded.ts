import { exportJWK, generateKeyPair, importJWK, SignJWT } from 'jose';
import type { JWK } from 'jose';
import type { Db } from '../store/db.ts';
import { secret } from '../store/system.ts';

/** What the embedded vendors know each other by; only they and our own defaults use these. */
export const EMBEDDED_GOOGLE_CLIENT = 'pizza-gpay';
export const EMBEDDED_PAYTM_CLIENT = 'merchant-pizza';
export const EMBEDDED_PAYTM_SECRET = 'embedded-paytm-secret';

export type KeySet = 'identity' | 'phone';

async function keyOfSet(db: Db, set: KeySet): Promise<JWK & { kid: string }> {
  const text = await secret(db, `google-${set}`, async () => {
    const { privateKey } = await generateKeyPair('RS256', { modulusLength: 2048, extractable: true });
    return JSON.stringify({ ...await exportJWK(privateKey), kid: `${set}-1`, alg: 'RS256', use: 'sig' });
  });
  return JSON.parse(text) as JWK & { kid: string };
}

/** The public half, as a key set document. */
export async function certs(db: Db, set: KeySet): Promise<{ keys: JWK[] }> {
  const { kty, n, e, kid, alg, use } = await keyOfSet(db, set);
  return { keys: [{ kty, n, e, kid, alg, use } as JWK] };
}

/** Signs claims as the vendor does. `issuedAt` and `lifeSeconds` are by the shop's clock. */
export async function signed(db: Db, set: KeySet, claims: Record<string, unknown>, times: { now: number; lifeSeconds: number }): Promise<string> {
  const jwk = await keyOfSet(db, set);
  const at = Math.floor(times.now / 1000);
  return await new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: jwk.kid, typ: 'JWT' })
    .setIssuedAt(Math.min(at, at + times.lifeSeconds)).setExpirationTime(at + times.lifeSeconds).sign(await importJWK(jwk, 'RS256'));
}

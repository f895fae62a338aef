import { exportJWK, generateKeyPair, importJWK, SignJWT } from 'jose';
import type { JWK } from 'jose';
import type * as z from 'zod/mini';
import type { Db } from '../store/db.ts';
import { countUse, secret, usesOf } from '../store/system.ts';

/** What the embedded vendors know each other by; only they and our own defaults use these. */
export const EMBEDDED_GOOGLE_CLIENT = 'pizza-gpay';
export const EMBEDDED_PAYTM_CLIENT = 'merchant-pizza';
export const EMBEDDED_PAYTM_SECRET = 'embedded-paytm-secret';

export type KeySet = 'identity' | 'phone';

const FOR_EVER_MS = 100 * 365 * 24 * 3_600_000;

async function keyOfSet(db: Db, set: KeySet, generation: number): Promise<JWK & { kid: string }> {
  const text = await secret(db, generation === 1 ? `google-${set}` : `google-${set}-${generation}`, async () => {
    const { privateKey } = await generateKeyPair('RS256', { modulusLength: 2048, extractable: true });
    return JSON.stringify({ ...await exportJWK(privateKey), kid: `${set}-${generation}`, alg: 'RS256', use: 'sig' });
  });
  return JSON.parse(text) as JWK & { kid: string };
}

const generationOf = async (db: Db, set: KeySet): Promise<number> => 1 + await usesOf(db, `google-${set}-rotations`);

/** From now on a new key signs; the one before stays published for tokens that are on their way, older ones are withdrawn. */
export async function rotate(db: Db, set: KeySet, now: number): Promise<void> {
  await countUse(db, `google-${set}-rotations`, FOR_EVER_MS, now);
}

/** The public halves, as a key set document. */
export async function certs(db: Db, set: KeySet): Promise<{ keys: JWK[] }> {
  const current = await generationOf(db, set);
  const keys = await Promise.all([current, current - 1].filter((generation) => generation > 0).map((generation) => keyOfSet(db, set, generation)));
  return { keys: keys.map(({ kty, n, e, kid, alg, use }) => ({ kty, n, e, kid, alg, use }) as JWK) };
}

/** Signs claims as the vendor does. `issuedAt` and `lifeSeconds` are by the shop's clock. */
export async function signed(db: Db, set: KeySet, claims: Record<string, unknown>, times: { now: number; lifeSeconds: number }, alg = 'RS256'): Promise<string> {
  const jwk = await keyOfSet(db, set, await generationOf(db, set));
  const at = Math.floor(times.now / 1000);
  return await new SignJWT(claims).setProtectedHeader({ alg, kid: jwk.kid, typ: 'JWT' })
    .setIssuedAt(Math.min(at, at + times.lifeSeconds)).setExpirationTime(at + times.lifeSeconds).sign(await importJWK({ ...jwk, alg }, alg));
}

/** What somebody asked an imitated vendor for; null when it cannot be read. */
export async function ordered<S extends z.ZodMiniType>(schema: S, request: Request): Promise<z.output<S> | null> {
  const body: unknown = await request.json().catch(() => null);
  const parsed = schema.safeParse(body);
  return parsed.success ? parsed.data : null;
}

/** Always the same number for the same person. */
export function phoneOf(person: string): string {
  let number = 7;
  for (const char of person) number = (number * 31 + char.charCodeAt(0)) % 100_000_000;
  return `98${String(number).padStart(8, '0')}`;
}

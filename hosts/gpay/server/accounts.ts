import { DAY_MS, HOUR_S } from '../../../src/domain/time.ts';
import { exportJWK, generateKeyPair, importJWK, SignJWT } from 'jose';
import type { JWK } from 'jose';
import * as z from 'zod/mini';
import type { RawContext } from '../../../src/server/call/call.ts';
import type { RawRoute } from '../../../src/server/call/route.ts';
import type { Db } from '../../../src/server/store/db.ts';
import { countUse, secret, usesOf } from '../../../src/server/store/system.ts';
import { ordered, phoneOf } from '../../../src/server/vendors/embedded.ts';

// The imitation of Google's accounts.

/** Our client id at the imitation, and our own default. */
export const EMBEDDED_CLIENT = 'pizza-gpay';

type KeySet = 'identity' | 'phone';

const FOR_EVER_MS = 100 * 365 * DAY_MS;

async function keyOfSet(db: Db, set: KeySet, generation: number): Promise<JWK & { kid: string }> {
  const text = await secret(db, generation === 1 ? `google-${set}` : `google-${set}-${generation}`, async () => {
    const { privateKey } = await generateKeyPair('RS256', { modulusLength: 2048, extractable: true });
    return JSON.stringify({ ...(await exportJWK(privateKey)), kid: `${set}-${generation}`, alg: 'RS256', use: 'sig' });
  });
  return JSON.parse(text) as JWK & { kid: string };
}

const generationOf = async (db: Db, set: KeySet): Promise<number> => 1 + (await usesOf(db, `google-${set}-rotations`));

/** Signs with a new key from now on. The previous key stays published for tokens that are on their way; older ones are withdrawn. */
async function rotate(db: Db, set: KeySet, now: number): Promise<void> {
  await countUse(db, `google-${set}-rotations`, FOR_EVER_MS, now);
}

/** The public halves, as a key set document. */
async function certs(db: Db, set: KeySet): Promise<{ keys: JWK[] }> {
  const current = await generationOf(db, set);
  const keys = await Promise.all(
    [current, current - 1].filter((generation) => generation > 0).map((generation) => keyOfSet(db, set, generation)),
  );
  return { keys: keys.map(({ kty, n, e, kid, alg, use }) => ({ kty, n, e, kid, alg, use }) as JWK) };
}

/** Signs claims as the vendor does. `issuedAt` and `lifeSeconds` are by the shop's clock. */
async function signed(
  db: Db,
  set: KeySet,
  claims: Record<string, unknown>,
  times: { now: number; lifeSeconds: number },
  alg = 'RS256',
): Promise<string> {
  const jwk = await keyOfSet(db, set, await generationOf(db, set));
  const at = Math.floor(times.now / 1000);
  return await new SignJWT(claims)
    .setProtectedHeader({ alg, kid: jwk.kid, typ: 'JWT' })
    .setIssuedAt(Math.min(at, at + times.lifeSeconds))
    .setExpirationTime(at + times.lifeSeconds)
    .sign(await importJWK({ ...jwk, alg }, alg));
}

const TokenOrder = z.object({
  nonce: z.optional(z.string()),
  aud: z.optional(z.string()),
  sub: z.optional(z.string()),
  phone: z.optional(z.string()),
  iss: z.optional(z.string()),
  name: z.optional(z.string()),
  email: z.optional(z.string()),
  verified: z.optional(z.boolean()),
  expiresInSeconds: z.optional(z.number()),
  alg: z.optional(z.enum(['RS256', 'RS512', 'PS256'])),
});
const TOKEN_LIFE_SECONDS = HOUR_S;
const GOOGLE_ISSUER = 'https://accounts.google.com';

async function googleToken(set: 'identity' | 'phone', request: Request, { db, now }: RawContext): Promise<Response> {
  const order = await ordered(TokenOrder, request);
  if (order === null) return Response.json({ error: 'invalid_request' }, { status: 400 });
  const sub = order.sub ?? 'customer-1';
  const claims = {
    iss: order.iss ?? GOOGLE_ISSUER,
    aud: order.aud ?? EMBEDDED_CLIENT,
    sub,
    ...(order.nonce === undefined ? {} : { nonce: order.nonce }),
    ...(set === 'identity'
      ? {
          name: order.name ?? 'Asha Rao',
          given_name: (order.name ?? 'Asha Rao').split(' ')[0],
          family_name: (order.name ?? 'Asha Rao').split(' ').slice(1).join(' '),
          ...(order.email === undefined ? {} : { email: order.email, email_verified: order.verified ?? true }),
        }
      : { phone_number: order.phone ?? `+91 ${phoneOf(sub)}`, phone_number_verified: order.verified ?? true }),
  };
  return Response.json({
    token: await signed(db, set, claims, { now, lifeSeconds: order.expiresInSeconds ?? TOKEN_LIFE_SECONDS }, order.alg),
  });
}

export const accountRoutes: readonly RawRoute[] = [
  {
    method: 'GET',
    path: '/vendors/google/certs',
    embedded: true,
    handler: async (_c, { db }) => Response.json(await certs(db, 'identity')),
  },
  {
    method: 'GET',
    path: '/vendors/google/phone-certs',
    embedded: true,
    handler: async (_c, { db }) => Response.json(await certs(db, 'phone')),
  },
  {
    method: 'POST',
    path: '/vendors/google/rotate',
    embedded: true,
    async handler(_c, { db, now }) {
      await rotate(db, 'identity', now);
      await rotate(db, 'phone', now);
      return Response.json({ rotated: true });
    },
  },
  {
    method: 'POST',
    path: '/vendors/google/identity',
    embedded: true,
    handler: (c, aside) => googleToken('identity', c.req.raw, aside),
  },
  {
    method: 'POST',
    path: '/vendors/google/phone',
    embedded: true,
    handler: (c, aside) => googleToken('phone', c.req.raw, aside),
  },
];

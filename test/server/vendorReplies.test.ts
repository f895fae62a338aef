import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import fc from 'fast-check';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { SessionReply } from '../../src/contract/session.ts';
import * as vendors from '../../src/contract/vendors.ts';
import type { VendorCredential } from '../../src/contract/vendors.ts';
import * as errors from '#text/errors.ts';
import { startServer } from '../kit/server.ts';
import type { TestServer } from '../kit/server.ts';
import { codeOf, freshMobile, guest } from './people.ts';

// Two vendors of our own at configured addresses, which answer what a test wants.

type Fields = Readonly<Record<string, unknown>>;
/** What the accounts of Paytm answer to a code. `undefined` in a field leaves it out. */
interface Accounts {
  readonly token: unknown;
  readonly user: unknown;
  readonly userStatus?: number;
}
const accounts = new Map<string, Accounts>();
let keySet: { identity: object[]; phone: object[] };

const vendor = createServer((request, response) => {
  const send = (body: unknown, status = 200) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body) ?? '');
  const { pathname } = new URL(request.url ?? '', 'http://vendor');
  if (pathname === '/keys') return send({ keys: keySet.identity });
  if (pathname === '/phone-keys') return send({ keys: keySet.phone });
  if (pathname === '/user') {
    const { user, userStatus } = accounts.get(String(request.headers['data']))!;
    return send(user, userStatus);
  }
  let form = '';
  request.on('data', (part: Buffer) => (form += part.toString()));
  return request.on('end', () => {
    const code = new URLSearchParams(form).get('code') ?? '';
    const { token } = accounts.get(code)!;
    send(typeof token === 'object' && token !== null ? { access_token: code, ...token } : token);
  });
});

let server: TestServer;
let sign: Record<'identity' | 'phone', (claims: Fields) => Promise<string>>;
const ISSUER = { identity: 'https://identity.example', phone: 'microapps@phones.example' };
const AUDIENCE = { identity: 'for-identity', phone: 'for-phones' };

beforeAll(async () => {
  await new Promise<void>((done) => vendor.listen(0, '127.0.0.1', done));
  const at = `http://127.0.0.1:${(vendor.address() as AddressInfo).port}`;
  const pairs = { identity: await generateKeyPair('RS256'), phone: await generateKeyPair('RS256') };
  keySet = {
    identity: [{ ...(await exportJWK(pairs.identity.publicKey)), kid: '1', alg: 'RS256' }],
    phone: [{ ...(await exportJWK(pairs.phone.publicKey)), kid: '1', alg: 'RS256' }],
  };
  const signer = (kind: 'identity' | 'phone') => (claims: Fields) =>
    new SignJWT({ iss: ISSUER[kind], aud: AUDIENCE[kind], ...claims })
      .setProtectedHeader({ alg: 'RS256', kid: '1' })
      .setIssuedAt()
      .setExpirationTime('1h')
      .sign(pairs[kind].privateKey);
  sign = { identity: signer('identity'), phone: signer('phone') };
  server = await startServer({
    settings: {
      distDir: null,
      environment: {
        PAYTM_CLIENT_ID: 'merchant',
        PAYTM_CLIENT_SECRET: 'secret',
        PAYTM_TOKEN_URL: `${at}/token`,
        PAYTM_USER_URL: `${at}/user`,
        GPAY_CLIENT_ID: 'our-client',
        GPAY_JWKS_URL: `${at}/keys`,
        GPAY_ISSUER: `https://other.example, ${ISSUER.identity}`,
        GPAY_AUDIENCE: AUDIENCE.identity,
        GPAY_PHONE_JWKS_URL: `${at}/phone-keys`,
        GPAY_PHONE_ISSUER: ISSUER.phone,
        GPAY_PHONE_AUDIENCE: AUDIENCE.phone,
      },
    },
  });
});
afterAll(async () => {
  await server.stop();
  vendor.close();
});

async function auth(vendorName: 'gpay' | 'paytm', make: (nonce: string) => Promise<Omit<VendorCredential, 'nonce'>>) {
  const who = await guest(server, `in-${vendorName}`);
  // Paytm's code holds no nonce.
  const nonce =
    vendorName === 'paytm' ? '' : (await server.call(vendors.nonce, { vendor: vendorName }, who.as)).body.nonce;
  const credential = { nonce, ...(await make(nonce)) };
  return await server.call(vendors.auth, { vendor: vendorName, body: { credential } }, who.as);
}
const attributesOf = ({ status, body }: Awaited<ReturnType<typeof auth>>) => {
  expect([status, body.errors ?? []]).toEqual([200, []]);
  return (body as SessionReply).attributes;
};
const refused = (answer: Awaited<ReturnType<typeof auth>>) =>
  expect([answer.status, codeOf(answer), answer.body.errors?.[0]?.displayMsg]).toEqual([
    422,
    'VENDOR_LOGIN',
    errors.vendorLoginFailed,
  ]);

let count = 0;
const newCode = () => `code-${(count += 1)}`;
/** Logs in inside Paytm. `page` is what the page adds to the proof by itself. */
function paytm(said: Accounts, page: Readonly<Record<string, string>> = {}) {
  const code = newCode();
  accounts.set(code, said);
  return auth('paytm', async () => ({ proof: { authCode: code, ...page } }));
}
const DOCUMENTED = {
  token: { scope: 'basic', expires: 1_570_465_786_000 },
  user: { email: 'abc@xyz.com', profileInfo: { displayName: 'Shaurya Rao' }, phoneInfo: { countryCode: '91' } },
};

/** A field in every form that a vendor could plausibly send it in; `as` writes the right value as text or number. */
const OFF = [undefined, null, '', ' ', 0, 7, true, false, 'text', {}, [], { value: 'text' }] as const;
const off = fc.constantFrom<unknown>(...OFF);
/** An id that cannot stand for one person. */
const NO_ID = [undefined, null, '', ' ', 0, '0', 'null', 'undefined', true, {}, [], ['12'], 2 ** 60, 1.5] as const;

describe('paytm', () => {
  test('a hostile page cannot name the customer: only the answer to our server says who it is [MINI-06]', async () => {
    const victim = `victim-${freshMobile()}`;
    const own = attributesOf(await paytm({ ...DOCUMENTED, token: { resourceOwnerId: victim } }));
    // The accounts leave the id out, and the page sends the victim's in every name that it could have.
    const page = { openId: victim, resourceOwnerId: victim, userId: victim, sub: victim };
    for (const id of NO_ID) refused(await paytm({ ...DOCUMENTED, token: { resourceOwnerId: id } }, page));
    refused(await paytm({ ...DOCUMENTED, token: null }, page));
    refused(await paytm({ token: {}, user: { ...DOCUMENTED.user, userId: victim, openId: victim } }, page));
    const attacker = attributesOf(await paytm({ ...DOCUMENTED, token: { resourceOwnerId: 'attacker' } }, page));
    expect([attacker.sub, attacker.userId === own.userId]).toEqual(['attacker', false]);
  });

  test('an id is one person, as text and as a number', async () => {
    const id = Number(`10${freshMobile()}`);
    const [asNumber, asText] = [
      attributesOf(await paytm({ ...DOCUMENTED, token: { resourceOwnerId: id } })),
      attributesOf(await paytm({ ...DOCUMENTED, token: { resourceOwnerId: String(id) } })),
    ];
    expect([asNumber.sub, asNumber.userId]).toEqual([String(id), asText.userId]);
  });

  test('what cannot be read in a profile does not refuse its person; what can be, is read', async () => {
    // `mobile` is filled in below: every run has a number of its own.
    const countryCode = fc.constantFrom<unknown>('91', 91, '+91', null, undefined, '');
    const phone = fc.constantFrom<(mobile: string) => unknown>(String, Number, (mobile) => `+91 ${mobile}`);
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          expires: fc.oneof(fc.constantFrom<unknown>(1_570_465_786_000, '1570465786000'), off),
          scope: off,
          email: fc.oneof(fc.constant<unknown>('abc@xyz.com'), off),
          profileInfo: fc.oneof(fc.record({ displayName: fc.oneof(fc.constant<unknown>('Shaurya Rao'), off) }), off),
          phoneInfo: fc.oneof(fc.record({ countryCode, phoneNumber: phone }), off),
          status: fc.constantFrom<unknown>(undefined, null, 200, '200', 'SUCCESS'),
        }),
        async ({ expires, scope, email, profileInfo, phoneInfo, status }) => {
          const [id, mobile] = [newCode(), freshMobile()];
          const isNumber = typeof phoneInfo === 'object' && phoneInfo !== null && 'phoneNumber' in phoneInfo;
          const number = isNumber
            ? { ...phoneInfo, phoneNumber: (phoneInfo as { phoneNumber: typeof String }).phoneNumber(mobile) }
            : phoneInfo;
          const user = attributesOf(
            await paytm({
              token: { expires, scope, resourceOwnerId: id },
              user: { email, profileInfo, phoneInfo: number, status },
            }),
          );
          expect(user).toMatchObject({
            sub: id,
            ...(isNumber && { mobile, phoneNumberVerified: true }),
            ...(email === 'abc@xyz.com' && { email }),
            ...((profileInfo as { displayName?: unknown } | null)?.displayName === 'Shaurya Rao' && {
              firstName: 'Shaurya',
              lastName: 'Rao',
            }),
          });
          if (!isNumber) expect(user.mobile).toBeUndefined();
        },
      ),
      { numRuns: 15 },
    );
    for (const user of [[], null, 'text', 7, {}])
      attributesOf(await paytm({ token: { resourceOwnerId: newCode() }, user }));
  });

  test('a refusal refuses, by its status and in an answer that arrived well', async () => {
    const token = { resourceOwnerId: newCode() };
    const blocked = { status: 'FAILURE', responseCode: '3005', message: 'Blocked due to security reasons' };
    refused(await paytm({ token, user: blocked }));
    refused(await paytm({ token, user: blocked, userStatus: 403 }));
    refused(await paytm({ token, user: DOCUMENTED.user, userStatus: 500 }));
  });
});

describe('gpay', () => {
  interface Claims {
    readonly identity?: Fields;
    readonly phone?: Fields | null;
  }
  const gpay = ({ identity = {}, phone = null }: Claims) =>
    auth('gpay', async (nonce) => ({
      proof: { idToken: await sign.identity({ nonce, ...identity }) },
      ...(phone === null ? {} : { phoneToken: await sign.phone({ nonce, ...phone }) }),
    }));
  const number = (mobile = freshMobile()) => ({ phone_number: `+91 ${mobile}`, phone_number_verified: true });

  test('who signs, and for whom, is set for both tokens', async () => {
    const [sub, mobile] = [newCode(), freshMobile()];
    expect(attributesOf(await gpay({ identity: { sub }, phone: { ...number(mobile), sub } })).mobile).toBe(mobile);
    for (const wrong of [{ iss: 'https://accounts.google.com' }, { aud: 'our-client' }, { aud: AUDIENCE.phone }])
      refused(await gpay({ identity: { sub, ...wrong } }));
    attributesOf(await gpay({ identity: { sub: newCode(), iss: 'https://other.example' } }));
  });

  test('a phone token that proves nothing leaves a login without a number', async () => {
    const mobile = freshMobile();
    const bad: Fields[] = [
      { nonce: undefined },
      { nonce: null },
      { nonce: 'of an earlier login' },
      { sub: 'somebody else' },
      { phone_number_verified: false },
      { phone_number_verified: undefined },
      { phone_number: undefined },
      { phone_number: null },
      { iss: ISSUER.identity },
      { aud: AUDIENCE.identity },
    ];
    for (const wrong of bad) {
      const sub = newCode();
      const user = attributesOf(await gpay({ identity: { sub }, phone: { ...number(mobile), sub, ...wrong } }));
      expect([user.sub, user.mobile], JSON.stringify(wrong)).toEqual([sub, undefined]);
    }
    attributesOf(
      await auth('gpay', async (nonce) => ({
        proof: { idToken: await sign.identity({ nonce, sub: newCode() }) },
        phoneToken: 'no token at all',
      })),
    );
  });

  test('what is signed and optional does not refuse a person, whatever its form', async () => {
    const verified = fc.constantFrom<unknown>(true, 'true', 1, false, 'false', null, undefined);
    const isTrue = (value: unknown) => value === true || value === 'true' || value === 1;
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          name: fc.oneof(fc.constant<unknown>('Asha Rao'), off),
          given_name: fc.oneof(fc.constant<unknown>('Asha'), off),
          family_name: off,
          email: fc.oneof(fc.constant<unknown>('asha@example.com'), off),
          email_verified: verified,
        }),
        fc.record({
          phone_number_verified: verified,
          picture: off,
          sub: fc.constantFrom<unknown>('same', undefined, null),
        }),
        async (claims, phone) => {
          const [sub, mobile] = [newCode(), freshMobile()];
          const user = attributesOf(
            await gpay({
              identity: { ...claims, sub },
              phone: { ...number(mobile), ...phone, ...(phone.sub === 'same' && { sub }) },
            }),
          );
          expect(user.sub).toBe(sub);
          expect(user.mobile).toBe(isTrue(phone.phone_number_verified) ? mobile : undefined);
          if (claims.given_name === 'Asha') expect(user.firstName).toBe('Asha');
          if (claims.email === 'asha@example.com')
            expect([user.email, user.emailVerified]).toEqual([claims.email, isTrue(claims.email_verified)]);
          else expect(user.email).toBeUndefined();
        },
      ),
      { numRuns: 15 },
    );
    for (const sub of NO_ID) refused(await gpay({ identity: { sub } }));
  });
});

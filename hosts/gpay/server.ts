import { createRemoteJWKSet, jwtVerify } from 'jose';
import type { JWTPayload } from 'jose';
import * as z from 'zod/mini';
import type { VendorCredential } from '../../src/contract/vendors.ts';
import { httpAddress, provider, words } from '../../src/server/environment.ts';
import {
  type Around,
  type LoginAsked,
  NotVouched,
  type HostSide,
  type HostPerson,
} from '../../src/server/call/hosts.ts';
import { t } from '../../src/server/call/language.ts';
import { LoginProof } from './contract.ts';
import { accountRoutes, EMBEDDED_CLIENT } from './server/accounts.ts';
import { gateway, pay } from './server/payments.ts';

const DEADLINE_MS = 8_000;
/** Tolerance for clocks of phones and vendors. */
const CLOCK_TOLERANCE_SECONDS = 30;
const GOOGLE_ISSUERS: readonly string[] = ['accounts.google.com', 'https://accounts.google.com'];

const Identity = z.object({
  sub: z.string().check(z.minLength(1), z.maxLength(200)),
  nonce: z.string(),
  given_name: z.optional(z.string()),
  family_name: z.optional(z.string()),
  name: z.optional(z.string()),
  email: z.optional(z.string()),
  email_verified: z.optional(z.boolean()),
});
const Phone = z.object({
  phone_number: z.string(),
  phone_number_verified: z.literal(true),
  nonce: z.optional(z.string()),
  sub: z.optional(z.string()),
});

/** Google does not publish who signs phone tokens, so it can be set. */
const accounts = provider("Google's accounts, for the mini-app in Google Pay", {
  clientId: { name: 'GPAY_CLIENT_ID', about: 'our client id there', as: words },
  keys: { name: 'GPAY_JWKS_URL', about: 'key set of identity tokens', as: httpAddress },
  phoneKeys: { name: 'GPAY_PHONE_JWKS_URL', about: 'key set of phone tokens', as: httpAddress },
  phoneIssuer: {
    name: 'GPAY_PHONE_ISSUER',
    about: 'who signs phone tokens (who signs identity tokens)',
    as: words,
    unset: null,
  },
});

const clientId = (environment: Around['environment']) => environment.read(accounts)?.clientId ?? EMBEDDED_CLIENT;

/** Verifies Google's two tokens, each with its own key set. */
function login({ environment, origin }: Around) {
  const own = environment.read(accounts);
  /** Read at the first login, since the imitated vendor runs on the server's own port, which is known only then. */
  const keySets = () => {
    const options = { timeoutDuration: DEADLINE_MS, cooldownDuration: 1_000 };
    return {
      identity: createRemoteJWKSet(new URL(own?.keys ?? `${origin()}/vendors/google/certs`), options),
      phone: createRemoteJWKSet(new URL(own?.phoneKeys ?? `${origin()}/vendors/google/phone-certs`), options),
    };
  };
  let keys: ReturnType<typeof keySets> | undefined;
  const issuers = {
    identity: GOOGLE_ISSUERS,
    phone: own?.phoneIssuer ? [own.phoneIssuer] : GOOGLE_ISSUERS,
  };

  async function verified(token: string, which: 'identity' | 'phone', now: number): Promise<JWTPayload> {
    keys ??= keySets();
    try {
      const { payload } = await jwtVerify(token, keys[which], {
        algorithms: ['RS256'],
        audience: clientId(environment),
        issuer: [...issuers[which]],
        currentDate: new Date(now),
        clockTolerance: CLOCK_TOLERANCE_SECONDS,
        requiredClaims: ['exp', 'iat'],
      });
      return payload;
    } catch (error) {
      throw new NotVouched(`${which} token: ${(error as Error).message}`, { cause: error });
    }
  }

  return async (credential: VendorCredential, { now, useNonce }: LoginAsked): Promise<HostPerson> => {
    const proof = LoginProof.safeParse(credential.proof);
    if (!proof.success) throw new NotVouched('a proof of another vendor');
    const identity = Identity.safeParse(await verified(proof.data.idToken, 'identity', now));
    if (!identity.success) throw new NotVouched('identity token lacks sub or nonce');
    const person = identity.data;
    if (person.nonce !== credential.nonce) throw new NotVouched('identity token has another nonce');
    let mobile: string | null = null;
    if (credential.phoneToken !== undefined) {
      const phone = Phone.safeParse(await verified(credential.phoneToken, 'phone', now));
      if (!phone.success) throw new NotVouched('phone number is not verified');
      if (phone.data.nonce !== undefined && phone.data.nonce !== credential.nonce)
        throw new NotVouched('phone token has another nonce');
      if (phone.data.sub !== undefined && phone.data.sub !== person.sub)
        throw new NotVouched("phone token is another person's");
      mobile = phone.data.phone_number;
    }
    // Last, so that an invalid token does not use up a valid nonce.
    if (!(await useNonce(credential.nonce))) throw new NotVouched('nonce unknown, used or too old');
    return {
      subject: person.sub,
      mobile,
      firstName: person.given_name ?? person.name,
      lastName: person.family_name,
      email: person.email,
      emailVerified: person.email_verified,
    };
  };
}

export const host: HostSide = {
  name: 'gpay',
  partnerName: 'gpay',
  app: {
    name: 'Google Pay',
    about: 'Mini-app: it signs you in and pays',
    colour: '#27408b',
    ink: '#ffffff',
    switches: [
      {
        control: 'token',
        legend: 'Its proof of who you are',
        hint: 'The server checks it and refuses a bad one.',
        choices: [
          { value: 'good', text: 'Good' },
          { value: 'expired', text: 'Expired' },
          { value: 'wrong-audience', text: 'For another app' },
          { value: 'wrong-keys', text: 'Forged' },
        ],
        deviation: 'bad login proof',
      },
    ],
  },
  settings: [accounts],
  clientId,
  payment: {
    mode: 'GPAY',
    get about() {
      return t.payInsideAbout({ app: 'Google Pay' });
    },
    gateway,
  },
  login,
  routes: [...accountRoutes, pay],
};

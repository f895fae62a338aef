import { createRemoteJWKSet, customFetch, jwtVerify } from 'jose';
import type { JWTPayload } from 'jose';
import * as z from 'zod/mini';
import type { VendorCredential } from '../../src/contract/vendors.ts';
import { httpAddress, provider, wordList, words } from '../../src/server/environment.ts';
import { type LoginContext, NotVouched, type HostPerson } from '../../src/server/call/hostLogin.ts';
import type { HostContext, HostSide } from '../../src/server/call/hosts.ts';
import { t } from '../../src/server/call/language.ts';
import { saidEmail, saidId, saidText, saidTrue } from '../../src/server/call/said.ts';
import { LoginProof } from './contract.ts';
import { accountRoutes, EMBEDDED_CLIENT } from './server/accounts.ts';
import { gateway, pay } from './server/payments.ts';
import { merchantSettings, receiptKeys } from './server/receipts.ts';

const DEADLINE_MS = 8_000;
/** Tolerance for clocks of phones and vendors. */
const CLOCK_TOLERANCE_SECONDS = 30;
const ISSUERS = ['accounts.google.com', 'https://accounts.google.com'];

const Identity = z.object({
  sub: saidId,
  nonce: z.string(),
  given_name: saidText,
  family_name: saidText,
  name: saidText,
  email: saidEmail,
  email_verified: saidTrue,
});
const Phone = z.object({ phone_number: saidText, phone_number_verified: saidTrue, nonce: z.string(), sub: saidText });

/**
 * The defaults are what Google publishes of identity tokens. Who signs phone tokens, and for whom, it does not publish:
 * they are taken for the same until it is set.
 */
const accounts = provider("Google's accounts, for the mini-app in Google Pay", {
  clientId: { name: 'GPAY_CLIENT_ID', about: 'our client id there', as: words },
  keys: { name: 'GPAY_JWKS_URL', about: 'key set of identity tokens', as: httpAddress },
  issuers: {
    name: 'GPAY_ISSUER',
    about: 'who signs identity tokens, with commas (accounts.google.com, https://accounts.google.com)',
    as: wordList,
    unset: ISSUERS,
  },
  audience: { name: 'GPAY_AUDIENCE', about: 'whom they are for (our client id)', as: wordList, unset: null },
  phoneKeys: { name: 'GPAY_PHONE_JWKS_URL', about: 'key set of phone tokens', as: httpAddress },
  phoneIssuers: {
    name: 'GPAY_PHONE_ISSUER',
    about: 'who signs phone tokens (who signs identity tokens)',
    as: wordList,
    unset: null,
  },
  phoneAudience: {
    name: 'GPAY_PHONE_AUDIENCE',
    about: 'whom they are for (whom identity tokens are for)',
    as: wordList,
    unset: null,
  },
});

const clientId = (environment: HostContext['environment']) => environment.read(accounts)?.clientId ?? EMBEDDED_CLIENT;

/** Verifies Google's two tokens, each with its own key set. */
function login({ environment, origin, outside }: HostContext) {
  const own = environment.read(accounts);
  /** Read at the first login, since the imitated vendor runs on the server's own port, which is known only then. */
  const keySets = () => {
    const options = (name: string) => ({
      timeoutDuration: DEADLINE_MS,
      cooldownDuration: 1_000,
      [customFetch]: (url: string, init: RequestInit) => outside.ask(name, url, { ...init, deadlineMs: DEADLINE_MS }),
    });
    return {
      identity: createRemoteJWKSet(new URL(own?.keys ?? `${origin()}/vendors/google/certs`), options('gpay-keys')),
      phone: createRemoteJWKSet(
        new URL(own?.phoneKeys ?? `${origin()}/vendors/google/phone-certs`),
        options('gpay-phone-keys'),
      ),
    };
  };
  let keys: ReturnType<typeof keySets> | undefined;
  const issuer = own?.issuers ?? ISSUERS;
  const audience = own?.audience ?? [clientId(environment)];
  const checks = {
    identity: { issuer, audience },
    phone: { issuer: own?.phoneIssuers ?? issuer, audience: own?.phoneAudience ?? audience },
  };

  async function verified(token: string, which: 'identity' | 'phone', now: number): Promise<JWTPayload> {
    keys ??= keySets();
    try {
      const { payload } = await jwtVerify(token, keys[which], {
        ...checks[which],
        algorithms: ['RS256'],
        currentDate: new Date(now),
        clockTolerance: CLOCK_TOLERANCE_SECONDS,
        requiredClaims: ['exp', 'iat'],
      });
      return payload;
    } catch (error) {
      throw new NotVouched(`${which} token: ${(error as Error).message}`, { cause: error });
    }
  }

  /** The number that Google has verified for this person in this login. @throws NotVouched */
  async function numberOf(token: string, { sub, nonce }: { sub: string; nonce: string }, now: number): Promise<string> {
    const phone = Phone.safeParse(await verified(token, 'phone', now)).data;
    // Without our nonce it may be another login's, and so somebody else's number.
    if (phone?.nonce !== nonce) throw new NotVouched('phone token has another nonce or none');
    if (phone.sub !== undefined && phone.sub !== sub) throw new NotVouched("phone token is another person's");
    if (!phone.phone_number_verified || phone.phone_number === undefined)
      throw new NotVouched('phone number is not verified');
    return phone.phone_number;
  }

  return async (credential: VendorCredential, { now, useNonce, doubt }: LoginContext): Promise<HostPerson> => {
    const proof = LoginProof.safeParse(credential.proof);
    if (!proof.success) throw new NotVouched('a proof of another vendor');
    const identity = Identity.safeParse(await verified(proof.data.idToken, 'identity', now));
    if (!identity.success) throw new NotVouched('identity token lacks sub or nonce');
    const person = identity.data;
    if (person.nonce !== credential.nonce) throw new NotVouched('identity token has another nonce');
    let mobile: string | null = null;
    if (credential.phoneToken !== undefined) {
      // The identity alone is a login; a number that is not proven is asked for later, with a code.
      mobile = await numberOf(credential.phoneToken, person, now).catch((error: unknown) => {
        doubt(String(error));
        return null;
      });
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
      },
    ],
  },
  settings: [accounts, merchantSettings],
  clientId,
  payment: {
    mode: 'GPAY',
    get about() {
      return t.payInsideAbout({ app: 'Google Pay' });
    },
    gateway,
  },
  login,
  routes: [...accountRoutes, pay, receiptKeys],
};

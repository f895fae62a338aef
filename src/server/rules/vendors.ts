import { createRemoteJWKSet, jwtVerify } from 'jose';
import type { JWTPayload } from 'jose';
import * as z from 'zod/mini';
import type { VendorCredential } from '../../contract/vendors.ts';

const DEADLINE_MS = 8_000;
/** Clocks of phones and vendors differ a little. */
const CLOCK_TOLERANCE_SECONDS = 30;

/** Whom a host vouches for. */
export interface VendorPerson {
  /** The vendor's own key of the person. */
  readonly subject: string;
  /** International, as the vendor wrote it; null when it gave none or has not verified it. */
  readonly mobile: string | null;
  readonly firstName?: string | undefined;
  readonly lastName?: string | undefined;
  readonly email?: string | undefined;
  readonly emailVerified?: boolean | undefined;
}

/** Thrown when a credential does not prove who somebody is; the reason is for the log. */
export class NotVouched extends Error {
  override readonly name = 'NotVouched';
}

export interface VendorLogin {
  /**
   * Asks the vendor who this is. `useNonce` says whether a nonce was ours and unused, and uses it up.
   * @param now epoch ms of the shop's clock, by which tokens expire
   * @throws NotVouched
   */
  identify(vendor: 'gpay' | 'paytm', credential: VendorCredential, now: number, useNonce: (nonce: string) => Promise<boolean>): Promise<VendorPerson>;
}

export interface VendorConfig {
  readonly google: {
    readonly clientId: string; readonly certs: string; readonly phoneCerts: string;
    /** Who signs phone tokens is not published: it can be set. */
    readonly phoneIssuers: readonly string[];
  };
  readonly paytm: { readonly clientId: string; readonly clientSecret: string; readonly tokenUrl: string; readonly userUrl: string; readonly scope: string };
}

const Identity = z.object({
  sub: z.string().check(z.minLength(1), z.maxLength(200)), nonce: z.string(),
  given_name: z.optional(z.string()), family_name: z.optional(z.string()), name: z.optional(z.string()),
  email: z.optional(z.string()), email_verified: z.optional(z.boolean()),
});
const Phone = z.object({ phone_number: z.string(), phone_number_verified: z.literal(true), nonce: z.optional(z.string()), sub: z.optional(z.string()) });
const TokenReply = z.object({ access_token: z.string(), expires: z.optional(z.number()), resourceOwnerId: z.optional(z.string()) });
const UserReply = z.object({
  userId: z.optional(z.union([z.string(), z.number()])),
  email: z.optional(z.string()),
  profileInfo: z.optional(z.object({ displayName: z.optional(z.string()) })),
  phoneInfo: z.optional(z.object({ countryCode: z.optional(z.string()), phoneNumber: z.optional(z.string()) })),
});

export const GOOGLE_ISSUERS: readonly string[] = ['accounts.google.com', 'https://accounts.google.com'];

/** `config` is read at the first login: the embedded vendors live on the server's own port. */
export function vendorLogin(config: () => VendorConfig): VendorLogin {
  let keys: { identity: ReturnType<typeof createRemoteJWKSet>; phone: ReturnType<typeof createRemoteJWKSet> } | undefined;

  async function verified(token: string, which: 'identity' | 'phone', now: number): Promise<JWTPayload> {
    const { google } = config();
    const options = { timeoutDuration: DEADLINE_MS, cooldownDuration: 1_000 };
    keys ??= { identity: createRemoteJWKSet(new URL(google.certs), options), phone: createRemoteJWKSet(new URL(google.phoneCerts), options) };
    try {
      const { payload } = await jwtVerify(token, keys[which], {
        algorithms: ['RS256'], audience: google.clientId, issuer: which === 'identity' ? [...GOOGLE_ISSUERS] : [...google.phoneIssuers], currentDate: new Date(now),
        clockTolerance: CLOCK_TOLERANCE_SECONDS, requiredClaims: ['exp', 'iat'],
      });
      return payload;
    } catch (error) {
      throw new NotVouched(`${which} token: ${(error as Error).message}`, { cause: error });
    }
  }

  async function google(credential: Extract<VendorCredential, { kind: 'google-id-token' }>, now: number, useNonce: (nonce: string) => Promise<boolean>): Promise<VendorPerson> {
    const identity = Identity.safeParse(await verified(credential.idToken, 'identity', now));
    if (!identity.success) throw new NotVouched('identity token lacks sub or nonce');
    const person = identity.data;
    if (person.nonce !== credential.nonce) throw new NotVouched('identity token has another nonce');
    let mobile: string | null = null;
    if (credential.phoneToken !== undefined) {
      const phone = Phone.safeParse(await verified(credential.phoneToken, 'phone', now));
      if (!phone.success) throw new NotVouched('phone number is not verified');
      if (phone.data.nonce !== undefined && phone.data.nonce !== credential.nonce) throw new NotVouched('phone token has another nonce');
      if (phone.data.sub !== undefined && phone.data.sub !== person.sub) throw new NotVouched('phone token is another person\'s');
      mobile = phone.data.phone_number;
    }
    // Last, so that a broken token does not use up a good nonce.
    if (!await useNonce(credential.nonce)) throw new NotVouched('nonce unknown, used or too old');
    return {
      subject: person.sub, mobile, firstName: person.given_name ?? person.name, lastName: person.family_name,
      email: person.email, emailVerified: person.email_verified,
    };
  }

  async function paytm(credential: Extract<VendorCredential, { kind: 'paytm-auth-code' }>): Promise<VendorPerson> {
    const own = config().paytm;
    const authorization = `Basic ${Buffer.from(`${own.clientId}:${own.clientSecret}`).toString('base64')}`;
    const token = await asked(TokenReply, 'token', own.tokenUrl, {
      method: 'POST', headers: { authorization, 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ grant_type: 'authorization_code', code: credential.authCode, client_id: own.clientId, scope: own.scope }),
    });
    const address = new URL(own.userUrl);
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
  }

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

  return {
    async identify(vendor, credential, now, useNonce) {
      if (vendor === 'gpay' && credential.kind === 'google-id-token') return await google(credential, now, useNonce);
      if (vendor === 'paytm' && credential.kind === 'paytm-auth-code') return await paytm(credential);
      throw new NotVouched('a credential of another vendor');
    },
  };
}

import * as z from 'zod/mini';
import type { VendorCredential } from '../../../src/contract/vendors.ts';
import { type HostPerson, type LoginContext, NotVouched } from '../../../src/server/call/hostLogin.ts';
import type { HostContext } from '../../../src/server/call/hosts.ts';
import { LoginProof } from '../contract.ts';
import { judge, type TrustedPartner } from './tokens.ts';

/** Strict about what proves somebody; what only describes them may be missing, null or of another form. */
const Identity = z.object({
  sub: z.string().check(z.minLength(1), z.maxLength(200)),
  nonce: z.string().check(z.minLength(1)),
  given_name: z.catch(z.optional(z.string()), undefined),
  family_name: z.catch(z.optional(z.string()), undefined),
  name: z.catch(z.optional(z.string()), undefined),
  email: z.catch(z.optional(z.string()), undefined),
  email_verified: z.catch(z.optional(z.boolean()), undefined),
  phone_number: z.catch(z.optional(z.string()), undefined),
  phone_number_verified: z.catch(z.optional(z.boolean()), undefined),
});

/** Somebody is who the partner's token says, if its key set signed it, for us and with our nonce. */
export function loginWith(partner: TrustedPartner, around: HostContext) {
  const judged = judge(partner, around);
  return async (credential: VendorCredential, { now, useNonce }: LoginContext): Promise<HostPerson> => {
    const proof = LoginProof.safeParse(credential.proof);
    if (!proof.success) throw new NotVouched('a proof of another vendor');
    const claims = await judged(proof.data.token, { now }).catch((cause: Error) => {
      throw new NotVouched(`${partner.name}: ${cause.message}`, { cause });
    });
    const read = Identity.safeParse(claims);
    if (!read.success) throw new NotVouched('the token lacks sub or nonce');
    const person = read.data;
    if (person.nonce !== credential.nonce) throw new NotVouched('the token has another nonce');
    // Last, so that an invalid token does not use up a valid nonce.
    if (!(await useNonce(credential.nonce))) throw new NotVouched('nonce unknown, used or too old');
    return {
      subject: person.sub,
      mobile: partner.vouchesForPhones && person.phone_number_verified === true ? (person.phone_number ?? null) : null,
      firstName: person.given_name ?? person.name,
      lastName: person.family_name,
      email: person.email,
      emailVerified: person.email_verified,
    };
  };
}

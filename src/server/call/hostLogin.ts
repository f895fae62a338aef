import type { VendorCredential } from '../../contract/vendors.ts';

/** A person whose identity a host has confirmed. */
export interface HostPerson {
  /** The vendor's own id of the person. */
  readonly subject: string;
  /** International number as the vendor sent it; null when the vendor sent none or has not verified it. */
  readonly mobile: string | null;
  readonly firstName?: string | undefined;
  readonly lastName?: string | undefined;
  readonly email?: string | undefined;
  readonly emailVerified?: boolean | undefined;
}

/** Thrown when a credential does not prove who somebody is. The reason is meant for the log only. */
export class NotVouched extends Error {
  override readonly name = 'NotVouched';
}

/** What a host may ask the shop while it looks at a credential. */
export interface LoginContext {
  /** Epoch ms of the shop's clock, which decides whether a token has expired. */
  readonly now: number;
  /** Returns whether we gave this nonce to this person and it is still unused; marks it as used. */
  useNonce(nonce: string): Promise<boolean>;
  /** Notes for the log something that is wrong and does not refuse the login. */
  doubt(reason: string): void;
}

/** Asks the vendor who somebody is. @throws NotVouched */
export type HostLogin = (credential: VendorCredential, context: LoginContext) => Promise<HostPerson>;

import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { countries, countryConfig, countryOfApiKey } from '../../../country/index.ts';
import type { Country } from '../../../country/shape.ts';
import type { PaymentMode } from '../../contract/names.ts';
import type { VendorCredential } from '../../contract/vendors.ts';
import type { CountryCode, Partner, RawRoute } from '../http/route.ts';
import type { PaymentDoor } from './payments.ts';

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

/** The server that a host's half runs in. */
export interface Around {
  /** Everything that was set from outside; the host reads its own names. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** How the server reaches itself: its imitated vendors live there. */
  origin(): string;
}

export interface LoginAsked {
  /** Epoch ms of the shop's clock, by which tokens expire. */
  readonly now: number;
  /** Whether a nonce was ours, this person's and unused; uses it up. */
  useNonce(nonce: string): Promise<boolean>;
}

/**
 * The server's half of a payment app: `hosts/<name>/server.ts` exports it as `partner`, and nothing else of the server knows
 * the host. Its name is that of its folder: the partner of its sessions, and `{vendor}` of the login's calls.
 */
export interface PartnerSide {
  readonly name: Partner;
  /** The partner block of the app's config (specification section 3). */
  readonly partnerName: string;
  clientId(environment: Around['environment']): string;
  /** Countries it works in beside those that list its `api_key`; the key there is `<country>-<name>`. */
  readonly countries?: readonly CountryCode[];
  /** The only mode inside the host. HOST: `option` says what it is called, and `door` moves the money. */
  readonly paymentMode: Extract<PaymentMode, 'GPAY' | 'PAYTM' | 'HOST'>;
  readonly option?: { readonly label: string; readonly about: string };
  readonly door?: (around: Around) => PaymentDoor;
  /** Asks the vendor who somebody is. Made once per server. @throws NotVouched */
  login(around: Around): (credential: VendorCredential, asked: LoginAsked) => Promise<VendorPerson>;
  /** What the vendor answers where there is none: on our own server, so that a login is a real one from end to end. */
  readonly routes?: readonly RawRoute[];
}

export const HOSTS = fileURLToPath(new URL('../../../hosts', import.meta.url));
const sides = new Map<Partner, PartnerSide>();

/** Takes in the server's half of every host below the folders. @throws Error when one is not what it should be */
export async function loadPartners(folders: readonly string[]): Promise<void> {
  for (const folder of folders) {
    for (const name of (await readdir(folder)).sort()) {
      const file = path.join(folder, name, 'server.ts');
      if (sides.has(name) || !existsSync(file)) continue;
      const { partner } = await import(pathToFileURL(file).href) as { partner?: PartnerSide };
      if (partner?.name !== name) throw new Error(`${file} has to export 'partner' with the name '${name}'.`);
      if ((partner.paymentMode === 'HOST') !== (partner.door !== undefined && partner.option !== undefined)) throw new Error(`${file}: a host with a payment of its own needs 'option' and 'door', another has neither.`);
      sides.set(name, partner);
    }
  }
}

export function partners(): readonly PartnerSide[] {
  return [...sides.values()];
}

/** @throws Error for the web and for a host that was not loaded: sessions of those do not exist. */
export function partnerSide(name: Partner): PartnerSide {
  const side = sides.get(name);
  if (side === undefined) throw new Error(`there is no host ${name}`);
  return side;
}

/** Country and partner of an `api_key`: a country's own list, else what a host says of itself. Null when no build has it. */
export function buildOfKey(key: string): { country: Country; partner: Partner } | null {
  const listed = countryOfApiKey(key);
  if (listed !== null) return { country: listed.country, partner: listed.host === 'browser' ? 'web' : listed.host };
  const [, code = '', name = ''] = /^([a-z]{2})-([a-z0-9]+)$/.exec(key) ?? [];
  const side = sides.get(name);
  const country = countries.find((own) => own.COUNTRY_CODE.toLowerCase() === code);
  return side === undefined || country === undefined || side.countries?.includes(country.COUNTRY_CODE as CountryCode) !== true
    ? null : { country: countryConfig(country.COUNTRY_CODE), partner: name };
}

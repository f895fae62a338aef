import { countries } from '../../country/index.ts';
import type { Country } from '../../country/shape.ts';

export type Host = 'gpay' | 'paytm' | 'browser';

export interface Phone {
  /** 'in-gpay'; also the id of its place on the page. */
  readonly id: string;
  readonly country: Country;
  readonly host: Host;
  /** Relative to <base>: 'in/gpay/'. */
  readonly mount: string;
  readonly name: string;
  /** For a tab with little room. */
  readonly shortName: string;
  readonly about: string;
  /** Beginnings of the keys that the app keeps in this browser's storage. */
  readonly storagePrefixes: readonly string[];
}

const HOSTS: readonly Host[] = ['gpay', 'paytm', 'browser'];
export const HOST_NAMES: Readonly<Record<Host, string>> = { gpay: 'Google Pay', paytm: 'Paytm', browser: 'the browser' };
const ABOUT: Readonly<Record<Host, string>> = {
  gpay: 'Mini-app: it signs you in and pays',
  paytm: 'Mini-app: one consent, one payment sheet',
  browser: 'Website: code by SMS, all ways to pay',
};

/** Every bundle has its phone: a new country or host appears here by itself. */
export const phones: readonly Phone[] = countries.flatMap((country) => HOSTS.filter((host) => host in country.api.keys).map((host) => {
  const cc = country.COUNTRY_CODE.toLowerCase();
  const mount = host === 'browser' ? `${cc}/` : `${cc}/${host}/`;
  const isOnly = Object.keys(country.api.keys).length === 1;
  return {
    id: `${cc}-${host}`, country, host, mount,
    name: isOnly ? country.label : `${country.label} in ${HOST_NAMES[host]}`,
    shortName: isOnly ? country.label : host === 'browser' ? `${country.label}, web` : HOST_NAMES[host],
    about: ABOUT[host],
    storagePrefixes: [`${country.COUNTRY_CODE}/${host}:`, `${host}/${mount}:`],
  };
}));

/** Accounts that the embedded payment apps know; the name is ours, the id is what the vendor signs. */
export const ACCOUNTS = [
  { id: 'customer-1', name: 'Asha Verma' },
  { id: 'customer-2', name: 'Ravi Nair' },
  { id: 'customer-3', name: 'Meera Joshi' },
] as const;

/** The address of a bundle with its host imitated, or as it is. */
export function addressOf(phone: Phone, imitated: boolean): string {
  return new URL(`${phone.mount}${imitated ? '?simulator' : ''}`, document.baseURI).href;
}

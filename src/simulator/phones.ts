import * as z from 'zod/mini';
import { Phone } from '../contract/simulator.ts';

export type { Phone } from '../contract/simulator.ts';

/** Every bundle that is built has its phone: the server lists them in the page. */
export const phones: readonly Phone[] = z
  .array(Phone)
  .parse(JSON.parse(document.getElementById('phones')?.textContent ?? '[]'));

/** Beginnings of the keys that an app keeps in this browser's storage. */
export const storagePrefixes = ({ country, host, mount }: Phone): readonly string[] => [
  `${country.COUNTRY_CODE}/${host}:`,
  `${host}/${mount}:`,
];

/** Accounts that the embedded payment apps know: the id is what the vendor signs, the name is ours. */
export const ACCOUNTS = new Map([
  ['customer-1', 'Asha Verma'],
  ['customer-2', 'Ravi Nair'],
  ['customer-3', 'Meera Joshi'],
]);

/** The address of a bundle with its host imitated, or as it is. */
export function addressOf(phone: Phone, imitated: boolean): string {
  return new URL(`${phone.mount}${imitated ? '?simulator' : ''}`, document.baseURI).href;
}

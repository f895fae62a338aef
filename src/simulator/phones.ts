import * as z from 'zod/mini';
import { Phone } from '../contract/phones.ts';

export type { Phone } from '../contract/phones.ts';

/** Every bundle that is built has its phone: the server lists them in the page. */
export const phones: readonly Phone[] = z
  .array(Phone)
  .parse(JSON.parse(document.getElementById('phones')?.textContent ?? '[]'));

/** Countries that have a phone, each once. */
export const countryNames: readonly string[] = [...new Set(phones.map(({ country }) => country.label))];

const NUMBERS = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];
/** 'five' for 5: in sentences small numbers are words. */
const inWords = (count: number): string => NUMBERS[count] ?? String(count);
export const counted = (count: number, one: string, more = `${one}s`): string =>
  `${inWords(count)} ${count === 1 ? one : more}`;

/** Beginnings of the keys that an app keeps in this browser's storage. */
export const storagePrefixes = ({ country, host, mount }: Phone): readonly string[] => [
  `${country.COUNTRY_CODE}/${host}:`,
  `${host}/${mount}:`,
];

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

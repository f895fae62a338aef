import { latinDigits, typedText } from './typedText.ts';

/** The fields of a country that the phone rules need; a Country has them. */
export interface PhoneRule {
  readonly trunkPrefix: string;
  readonly PHONE_DIGIT: number;
  readonly dialPrefix: string;
  readonly phoneHint: string;
}

/**
 * The number to send: digits only, without the country's prefix and without the leading 0 of domestic numbers. Null if
 * the length is not the country's (specification section 5).
 */
export function phoneNumber(typed: string, rule: PhoneRule): string | null {
  const { trunkPrefix, PHONE_DIGIT, dialPrefix } = rule;
  const local = (digits: string) => (digits.startsWith(trunkPrefix) ? digits.slice(trunkPrefix.length) : digits);
  const digits = latinDigits(typed);
  const rest = RegExp(`^(?:00)?${dialPrefix.slice(1)}(.*)`).exec(digits)?.[1];
  // The prefix is only removed after a + or 00, or from a number of exactly that greater length: 91... may also be a local
  // number. (+94) 077 123 4567 has the leading 0, too.
  const inside = rest === undefined ? '' : local(rest);
  // With another country's prefix it is none of ours, however long it is: +65 9123 4567.
  const isAbroad = digits.startsWith('00') || typedText(typed).includes('+');
  const number = isAbroad || inside.length === PHONE_DIGIT ? inside : local(digits);
  return number.length === PHONE_DIGIT ? number : null;
}

/**
 * True for a number of the right length that does not begin like a mobile number. Show a warning, never refuse it
 * (product.md C09).
 */
export function isUnusualPhone(number: string, rule: PhoneRule): boolean {
  return !new RegExp(rule.phoneHint).test(number);
}

/** The number with the country's prefix, for example +919876543210. */
export function internationalPhone(number: string, rule: PhoneRule): string {
  return rule.dialPrefix + number;
}

/** The number with only its last four digits shown: ••••••3210, ••••• •3210. */
export function maskedPhone(number: string): string {
  return number.replace(/\d(?=(?:\D*\d){4})/g, '•');
}

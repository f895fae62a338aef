/** The fields of a country that the phone rules need; a Country has them. */
export interface PhoneRule {
  readonly trunkPrefix: string;
  readonly PHONE_DIGIT: number;
  readonly dialPrefix: string;
  readonly phoneHint: string;
}

/**
 * The digits of a text as 0-9, whatever their script (Devanagari, Bengali, Tamil, fullwidth ...); everything else is
 * dropped.
 */
export function latinDigits(text: string): string {
  let digits = '';
  for (const char of text.normalize('NFKC')) {
    if (!/\p{Nd}/u.test(char)) continue;
    const code = char.codePointAt(0) ?? 0;
    // In Unicode, the ten digits of a script begin at a code point that ends in hexadecimal 0 or 6.
    const row = code - (code % 16);
    digits += String((/\p{Nd}/u.test(String.fromCodePoint(row)) ? code - row : code - row - 6) % 10);
  }
  return digits;
}

/**
 * The number to send: digits only, without the country's prefix and without the leading 0 of domestic numbers. Null if
 * the length is not the country's (specification section 5).
 */
export function phoneNumber(typed: string, rule: PhoneRule): string | null {
  let digits = latinDigits(typed);
  const prefix = rule.dialPrefix.slice(1);
  // The prefix is only removed after a + or from a number of exactly that greater length: 91... may also be a local
  // number.
  if (
    digits.startsWith(prefix) &&
    (typed.trim().startsWith('+') || digits.length === prefix.length + rule.PHONE_DIGIT)
  ) {
    digits = digits.slice(prefix.length);
  }
  if (digits.startsWith(rule.trunkPrefix)) digits = digits.slice(rule.trunkPrefix.length);
  return digits.length === rule.PHONE_DIGIT ? digits : null;
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

/**
 * A number as the country writes it, from its own digits with or without the leading 0: 98765 43210, 077 123 4567,
 * 01712-345678. `#` in the pattern is a digit. A number of any other length, such as a short one, stays as it is.
 */
export function writtenPhone(
  number: string,
  rule: { readonly phonePattern: string; readonly trunkPrefix: string },
): string {
  const { phonePattern, trunkPrefix } = rule;
  const places = phonePattern.split('#').length - 1;
  const digits = [number, trunkPrefix + number].find((own) => own.length === places && /^\d+$/.test(own));
  if (digits === undefined) return number;
  let at = 0;
  return phonePattern.replace(/#/g, () => digits[at++] ?? '');
}

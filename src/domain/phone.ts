/** What the phone rules need of a country; a Country has it. */
export interface PhoneRule {
  readonly COUNTRY_CODE: string;
  readonly PHONE_DIGIT: number;
  readonly dialPrefix: string;
  readonly phoneHint: string;
}

/** Digits of a text as 0-9, whatever script they were typed in (Devanagari, Bengali, Tamil, fullwidth ...); all else is dropped. */
export function latinDigits(text: string): string {
  let digits = '';
  for (const char of text.normalize('NFKC')) {
    if (!/\p{Nd}/u.test(char)) continue;
    const code = char.codePointAt(0) ?? 0;
    // Unicode begins every row of digits at ...0 or ...6.
    const row = code - (code % 16);
    digits += String((/\p{Nd}/u.test(String.fromCodePoint(row)) ? code - row : code - row - 6) % 10);
  }
  return digits;
}

/** Digits a field may hold: the country's own number, and one more for a leading 0 outside India (product.md C08). */
export function phoneLength(typed: string, rule: PhoneRule): number {
  return rule.PHONE_DIGIT + (hasTrunkZero(typed, rule) ? 1 : 0);
}

function hasTrunkZero(typed: string, rule: PhoneRule): boolean {
  return rule.COUNTRY_CODE !== 'IN' && latinDigits(typed).startsWith('0');
}

/**
 * The number to send: digits only, without the country's prefix and, outside India, without the leading 0.
 * Returns null when the length is not the country's (specification section 5).
 */
export function phoneNumber(typed: string, rule: PhoneRule): string | null {
  let digits = latinDigits(typed);
  const prefix = rule.dialPrefix.slice(1);
  // Only a number that is too long, or written with +, can carry the prefix: 91... may be a local number.
  if (digits.startsWith(prefix) && (typed.trim().startsWith('+') || digits.length === prefix.length + rule.PHONE_DIGIT)) {
    digits = digits.slice(prefix.length);
  }
  if (rule.COUNTRY_CODE !== 'IN' && digits.startsWith('0')) digits = digits.slice(1);
  return digits.length === rule.PHONE_DIGIT ? digits : null;
}

/** True for a number of the right length that does not begin like a mobile number: worth a warning, never a refusal (product.md C09). */
export function isUnusualPhone(number: string, rule: PhoneRule): boolean {
  return !new RegExp(rule.phoneHint).test(number);
}

/** With the country's prefix, for example +919876543210. */
export function internationalPhone(number: string, rule: PhoneRule): string {
  return rule.dialPrefix + number;
}

/** Only the last four digits show: ••••••3210. */
export function maskedPhone(number: string): string {
  return '•'.repeat(Math.max(0, number.length - 4)) + number.slice(-4);
}

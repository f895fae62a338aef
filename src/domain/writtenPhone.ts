// Apart from phone.ts, which reads typed numbers: the first page shows the shop's number, and must not load the reading.

/**
 * Writes a phone number in the way of its country: 98765 43210, 077 123 4567, 01712-345678.
 * @param number digits without the country's prefix, with or without the leading 0; any other length stays as it is
 * @param rule `phonePattern` has `#` for each digit, '### ### ####'
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

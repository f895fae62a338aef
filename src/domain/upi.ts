/**
 * Whether a text is a UPI id: a local part of 2 to 256 characters, @, and a bank's handle that begins with a letter.
 */
export function isVpa(text: string): boolean {
  return /^[A-Za-z0-9._-]{2,256}@[A-Za-z][A-Za-z0-9]{1,63}$/.test(text.trim());
}

import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** HMAC-SHA256 in hex over parts; each part's length is signed too, so that parts cannot be shifted into one another. */
export function sign(secret: string, ...parts: readonly string[]): string {
  const mac = createHmac('sha256', secret);
  for (const part of parts) mac.update(`${Buffer.byteLength(part)}:`).update(part);
  return mac.digest('hex');
}

/** Compares in constant time; a signature of another length is simply wrong. */
export function isSigned(secret: string, signature: string, ...parts: readonly string[]): boolean {
  return isSame(sign(secret, ...parts), signature);
}

export function isSame(a: string, b: string): boolean {
  const left = Buffer.from(a);
  const right = Buffer.from(b);
  return left.length === right.length && timingSafeEqual(left, right);
}

/** Decimal digits from a cryptographic source, for example a hand-over code. */
export function digits(count: number): string {
  let text = '';
  while (text.length < count) {
    for (const byte of randomBytes(count)) if (byte < 250 && text.length < count) text += String(byte % 10);
  }
  return text;
}

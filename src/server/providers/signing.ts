import { createHmac, timingSafeEqual } from 'node:crypto';

/** HMAC-SHA256 in hex. The length of each part is signed too, so that text cannot move from one part to the next. */
export function sign(secret: string, ...parts: readonly string[]): string {
  const mac = createHmac('sha256', secret);
  for (const part of parts) mac.update(`${Buffer.byteLength(part)}:`).update(part);
  return mac.digest('hex');
}

/** Compares in constant time. A signature of another length is simply wrong. */
export function isSigned(secret: string, signature: string, ...parts: readonly string[]): boolean {
  return isSame(sign(secret, ...parts), signature);
}

export function isSame(a: string, b: string): boolean {
  const left = Buffer.from(a);
  const right = Buffer.from(b);
  return left.length === right.length && timingSafeEqual(left, right);
}

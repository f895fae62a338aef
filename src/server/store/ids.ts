import { createHash, createHmac, randomBytes } from 'node:crypto';

const POOL_BYTES = 4_096;
let pool = Buffer.alloc(0);
let used = 0;
/** Random bytes, drawn from the system many at once: a call for each id takes longer than all else about it. */
function random(count: number): Buffer {
  if (used + count > pool.length) [pool, used] = [randomBytes(POOL_BYTES), 0];
  used += count;
  return pool.subarray(used - count, used);
}

/** 128 random bits, safe in a URL, with a prefix that says what the id is of, for example `ord_...`. */
export function newId(prefix: string): string {
  return `${prefix}_${random(16).toString('base64url')}`;
}

/** 256 random bits, for tokens and keys that give access. */
export function newToken(): string {
  return random(32).toString('base64url');
}

/** How secrets are stored in the database: random values of this length need no salt. */
export function hashed(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url');
}

export function derived(key: string, text: string): string {
  return createHmac('sha256', key).update(text).digest('base64url');
}

/** Decimal digits from a cryptographic source, for example a hand-over code. */
export function digits(count: number): string {
  let text = '';
  while (text.length < count) {
    for (const byte of random(count)) if (byte < 250 && text.length < count) text += String(byte % 10);
  }
  return text;
}

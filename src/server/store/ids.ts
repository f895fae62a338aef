import { createHash, createHmac, randomBytes } from 'node:crypto';

/** 128 random bits, url-safe; with a prefix that says what it is, for example `ord_...`. */
export function newId(prefix: string): string {
  return `${prefix}_${randomBytes(16).toString('base64url')}`;
}

/** 256 random bits for something that opens a door. */
export function newToken(): string {
  return randomBytes(32).toString('base64url');
}

/** How secrets lie in the database: high-entropy values need no salt. */
export function hashed(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url');
}

export function derived(key: string, text: string): string {
  return createHmac('sha256', key).update(text).digest('base64url');
}

import { MINUTE_MS } from '../../../src/domain/time.ts';
import { createCipheriv, createDecipheriv, createHash, randomInt } from 'node:crypto';
import { isSame } from '../../../src/server/providers/signing.ts';

/** The initialization vector that Paytm's checksum library uses for everybody. Keys have 16, 24 or 32 characters (reference: hosts, section 4). */
const IV = '@@@@&&&&####$$$$';
const SALT_CHARACTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const SALT_LENGTH = 4;
/** A transaction token is valid for 15 minutes and one payment. */
export const PAYTM_TOKEN_MS = 15 * MINUTE_MS;
/**
 * Documented result codes of the gateway. 331 comes with the status NO_RECORD_FOUND; 334 means "invalid order id" when a
 * status is asked for and "duplicate order id" when one is used again; 335 "invalid merchant id" and "request expired".
 */
export const PAYTM_CODE = {
  success: '01',
  initiated: '0000',
  initiatedAgain: '0002',
  cancelled: '141',
  checksum: '227',
  balance: '235',
  declined: '267',
  noRecord: '331',
  duplicate: '334',
  expired: '335',
  pending: '402',
  system: '501',
  refundPending: '601',
  refundRepeated: '617',
  refundUnknown: '631',
} as const;

function cipherName(key: string): string {
  return `aes-${Buffer.byteLength(key) * 8}-cbc`;
}

/** Signs a payload: AES-CBC of SHA-256(payload|salt) and the salt, in base64. @throws for a key of a wrong length */
export function paytmSignature(payload: string, key: string, salt = newSalt()): string {
  const hash = createHash('sha256').update(`${payload}|${salt}`).digest('hex') + salt;
  const cipher = createCipheriv(cipherName(key), key, IV);
  return cipher.update(hash, 'utf8', 'base64') + cipher.final('base64');
}

function newSalt(): string {
  let salt = '';
  while (salt.length < SALT_LENGTH) salt += SALT_CHARACTERS[randomInt(SALT_CHARACTERS.length)];
  return salt;
}

/** Whether a signature belongs to exactly these bytes; false for anything unreadable. */
export function isPaytmSignature(payload: string, key: string, signature: string): boolean {
  let opened: string;
  try {
    const decipher = createDecipheriv(cipherName(key), key, IV);
    opened = decipher.update(signature, 'base64', 'utf8') + decipher.final('utf8');
  } catch {
    return false;
  }
  const salt = opened.slice(-SALT_LENGTH);
  if (opened.length !== 64 + SALT_LENGTH) return false;
  return isSame(createHash('sha256').update(`${payload}|${salt}`).digest('hex') + salt, opened);
}

/** What a form callback signs: the values of its fields, sorted by name and joined with `|`, without the checksum itself. */
export function paytmFormPayload(fields: Readonly<Record<string, string>>): string {
  return Object.keys(fields)
    .filter((name) => name !== 'CHECKSUMHASH')
    .sort()
    .map((name) => fields[name] ?? '')
    .join('|');
}

/** A signed message. `body` is the exact text that was signed: it may be parsed, but not replaced by what JSON.stringify makes of it. */
export function paytmEnvelope(body: object, key: string): string {
  const text = JSON.stringify(body);
  return `{"body":${text},"head":${JSON.stringify({ signature: paytmSignature(text, key) })}}`;
}

/** The exact text of `"body"` in a message, as it was sent; null when there is none. */
export function paytmBodyText(envelope: string): string | null {
  const start = envelope.search(/"body"\s*:\s*\{/);
  if (start < 0) return null;
  const open = envelope.indexOf('{', start + 6);
  let depth = 0;
  let quoted = false;
  for (let i = open; i < envelope.length; i += 1) {
    const char = envelope[i];
    if (quoted) {
      if (char === '\\') i += 1;
      else if (char === '"') quoted = false;
    } else if (char === '"') quoted = true;
    else if (char === '{') depth += 1;
    else if (char === '}') {
      depth -= 1;
      if (depth === 0) return envelope.slice(open, i + 1);
    }
  }
  return null;
}

import { randomInt } from 'node:crypto';

/** Without letters and digits that look like each other. */
const ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789';

/** A code for people to pass on: `parts` groups of four letters or digits, about 20 random bits each. */
export function newCode(parts: number): string {
  return Array.from({ length: parts }, () =>
    Array.from({ length: 4 }, () => ALPHABET[randomInt(ALPHABET.length)]).join(''),
  ).join('-');
}

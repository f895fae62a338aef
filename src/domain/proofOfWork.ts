import './hasOwn.ts';
import { scrypt } from '@noble/hashes/scrypt.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import type { Challenge } from '../contract/challenge.ts';

/** A part of the work; `n` is null when the answer is not in it. */
export interface SearchStep {
  readonly n: number | null;
  /** Where to go on. */
  readonly next: number;
}

/** Looks for the answer from `from` on, for about this long. @param forMs at least one candidate is tried */
export function search({ salt, target, cost, upTo }: Challenge, from: number, forMs: number): SearchStep {
  const endsAt = Date.now() + forMs;
  for (let n = from; n <= upTo; n += 1) {
    if (bytesToHex(scrypt(String(n), salt, { N: cost, r: 8, p: 1, dkLen: target.length / 2 })) === target)
      return { n, next: n };
    if (Date.now() >= endsAt) return { n: null, next: n + 1 };
  }
  return { n: null, next: upTo + 1 };
}

import { createHash } from 'node:crypto';
import { brotliDecompressSync, type BrotliOptions } from 'node:zlib';
import { expect, test } from 'vitest';
import { saidUpon } from '../../src/build/differences.ts';

test('a script that is said upon another is read with that one alone, and names it by its digest', async () => {
  const earlier = Array.from({ length: 200 }, (_, at) => `export const name${at} = ${at * at};`).join('\n');
  const later = `${earlier.slice(500, 3_000)} of its own`;
  const made = await saidUpon(
    new Map([
      ['first.js', earlier],
      ['cart.js', later],
    ]),
    new Map([['cart.js', 'first.js']]),
  );
  const digest = createHash('sha256').update(earlier).digest();
  const body = made.get(`cart.js.${digest.toString('hex').slice(0, 16)}.dcb`)!;
  expect(body.subarray(0, 36)).toEqual(Buffer.concat([Buffer.from([0xff, 0x44, 0x43, 0x42]), digest]));
  const dictionary = Buffer.from(earlier);
  expect(brotliDecompressSync(body.subarray(36), { dictionary } as BrotliOptions).toString()).toBe(later);
  expect(body.length).toBeLessThan(36 + 60);
});

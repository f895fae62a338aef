import { execFileSync } from 'node:child_process';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { search } from '../../src/domain/proofOfWork.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** scrypt('3', 'salt'; N = 2, r = 8, p = 1), as Node itself has it. */
const challengeOf = async (answer: number, upTo: number) => {
  const { scryptSync } = await import('node:crypto');
  const target = scryptSync(String(answer), 'salt', 16, { N: 2, r: 8, p: 1 }).toString('hex');
  return { token: 't', salt: 'salt', target, cost: 2, upTo, expiresAt: 0 };
};

test('the work of a challenge ends with its answer, the last candidate included, or with none', async () => {
  expect(search(await challengeOf(3, 5), 0, 1_000)).toEqual({ n: 3, next: 3 });
  expect(search(await challengeOf(5, 5), 0, 1_000)).toEqual({ n: 5, next: 5 });
  expect(search(await challengeOf(6, 5), 0, 1_000)).toEqual({ n: null, next: 6 });
  expect(search(await challengeOf(3, 5), 4, 1_000)).toEqual({ n: null, next: 6 });
});

test('it pauses when its time is over, after one candidate at least, and goes on where it was', async () => {
  const challenge = await challengeOf(2, 5);
  expect(search(challenge, 0, 0)).toEqual({ n: null, next: 1 });
  expect(search(challenge, 1, 0)).toEqual({ n: null, next: 2 });
  expect(search(challenge, 2, 0)).toEqual({ n: 2, next: 2 });
});

test('the work is done in old browsers that lack Object.hasOwn', async () => {
  // A process of its own: whatever runs tests wants hasOwn, too.
  const script = `
    delete Object.hasOwn;
    const { search } = await import('./src/domain/proofOfWork.ts');
    console.log(JSON.stringify(search(${JSON.stringify(await challengeOf(3, 5))}, 0, 10_000)));`;
  const said = execFileSync(process.execPath, ['--input-type=module', '--eval', script], { encoding: 'utf8' });
  expect(JSON.parse(said)).toEqual({ n: 3, next: 3 });
});

import { scryptSync } from 'node:crypto';
import { expect, test } from 'vitest';
import { answerOf } from '../../src/bridge/proof.ts';

/** A challenge that this number answers, as Node itself has scrypt. */
const challengeOf = (answer: number, upTo = 5) => ({
  token: 't',
  salt: 'salt',
  target: scryptSync(String(answer), 'salt', 16, { N: 2, r: 8, p: 1 }).toString('hex'),
  cost: 2,
  upTo,
  expiresAt: 0,
});
/** A signal that knows who listens to it. */
const watched = () => {
  const stop = new AbortController();
  const held = new Set<unknown>();
  const { signal } = stop;
  const [add, remove] = [signal.addEventListener.bind(signal), signal.removeEventListener.bind(signal)];
  Object.assign(signal, {
    addEventListener: (type: string, own: () => void) => (held.add(own), add(type, own)),
    removeEventListener: (type: string, own: () => void) => (held.delete(own), remove(type, own)),
  });
  return { stop, held };
};

test('where there is no worker the work is done here, and nobody is left listening when it is over', async () => {
  const { stop, held } = watched();
  expect(await answerOf(challengeOf(3), stop.signal)).toBe(3);
  expect(held.size).toBe(0);
});

test('a challenge without an answer, and one that is stopped, are errors', async () => {
  const { stop, held } = watched();
  await expect(answerOf(challengeOf(9), stop.signal)).rejects.toThrow('without an answer');
  expect(held.size).toBe(0);
  const stopped = answerOf(challengeOf(3), stop.signal);
  stop.abort();
  await expect(stopped).rejects.toThrow('without an answer');
  await expect(answerOf(challengeOf(3), stop.signal)).rejects.toThrow('without an answer');
});

import { scryptSync } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
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

describe('in a page that has workers', () => {
  /** What each worker that was started was told, and how it may answer. */
  let workers: { address: unknown; asked: unknown[]; ended: number; answer(n: number | null): void; fail(): void }[];
  beforeEach(() => {
    workers = [];
    vi.stubGlobal('document', { baseURI: 'https://pizza.example/in/' });
    vi.stubGlobal(
      'Worker',
      class {
        onmessage?: (event: { data: number | null }) => void;
        onerror?: () => void;
        readonly own;
        constructor(address: unknown) {
          this.own = {
            address,
            asked: [] as unknown[],
            ended: 0,
            answer: (data: number | null) => this.onmessage?.({ data }),
            fail: () => this.onerror?.(),
          };
          workers.push(this.own);
        }
        postMessage(asked: unknown) {
          this.own.asked.push(asked);
        }
        terminate() {
          this.own.ended += 1;
        }
      },
    );
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  test('a worker beside the page does the work, and is gone when it is done', async () => {
    const { signal } = new AbortController();
    const challenge = challengeOf(9);
    const asked = answerOf(challenge, signal);
    expect(workers).toMatchObject([{ address: 'https://pizza.example/in/proof.js', asked: [challenge], ended: 0 }]);
    workers[0]!.answer(7);
    expect(await asked).toBe(7);
    expect(workers[0]!.ended).toBe(1);
    const none = answerOf(challenge, signal);
    workers[1]!.answer(null);
    await expect(none).rejects.toThrow('without an answer');
    expect(workers[1]!.ended).toBe(1);
  });

  test('one that does not start leaves the work to the page', async () => {
    const asked = answerOf(challengeOf(3), new AbortController().signal);
    workers[0]!.fail();
    expect(await asked).toBe(3);
    expect(workers).toHaveLength(1);
  });

  test('who leaves ends it, and one that says nothing for a minute is given up', async () => {
    const leave = new AbortController();
    const left = answerOf(challengeOf(3), leave.signal);
    leave.abort();
    await expect(left).rejects.toThrow('without an answer');
    expect(workers[0]!.ended).toBe(1);
    vi.useFakeTimers();
    const mute = answerOf(challengeOf(3), new AbortController().signal).catch(String);
    await vi.advanceTimersByTimeAsync(59_999);
    expect(workers[1]!.ended).toBe(0);
    await vi.advanceTimersByTimeAsync(1);
    expect(await mute).toMatch(/timeout/);
    expect(workers[1]!.ended).toBe(1);
  });

  test('a page that lets no text be an address is asked once whether this one may', async () => {
    vi.resetModules();
    const { answerOf: anew } = await import('../../src/bridge/proof.ts');
    const createPolicy = vi.fn((_name: string, rules: { createScriptURL(): string }) => ({
      createScriptURL: () => ({ trusted: rules.createScriptURL() }),
    }));
    vi.stubGlobal('trustedTypes', { createPolicy });
    for (const at of [0, 1]) {
      const asked = anew(challengeOf(3), new AbortController().signal);
      expect(workers[at]!.address).toEqual({ trusted: 'https://pizza.example/in/proof.js' });
      workers[at]!.answer(3);
      expect(await asked).toBe(3);
    }
    expect(createPolicy.mock.calls.map(([name]) => name)).toEqual(['proof']);
  });
});

test('the worker answers each challenge that it is told, and says so where there is no answer', async () => {
  let hear: (event: { data: unknown }) => void = () => undefined;
  const answers: unknown[] = [];
  vi.stubGlobal('addEventListener', (name: string, own: typeof hear) => {
    if (name === 'message') hear = own;
  });
  vi.stubGlobal('postMessage', (answer: unknown) => answers.push(answer));
  try {
    vi.resetModules();
    await import('../../src/bridge/proofWorker.ts');
    for (const answer of [3, 9, 0]) hear({ data: challengeOf(answer) });
    expect(answers).toEqual([3, null, 0]);
  } finally {
    vi.unstubAllGlobals();
  }
});

test('what the page itself works on it does in slices, the last candidate included, and ends when it is left', async () => {
  // Each candidate takes as long as a slice.
  let now = 0;
  const clock = vi.spyOn(Date, 'now').mockImplementation(() => (now += 100));
  try {
    expect(await answerOf(challengeOf(5), new AbortController().signal)).toBe(5);
    await expect(answerOf(challengeOf(6), new AbortController().signal)).rejects.toThrow('without an answer');
    const leave = new AbortController();
    const left = answerOf(challengeOf(9, 1_000_000), leave.signal);
    setTimeout(() => leave.abort());
    await expect(left).rejects.toThrow('without an answer');
    const asked = clock.mock.calls.length;
    await new Promise((done) => {
      setTimeout(done, 0);
    });
    await new Promise((done) => {
      setTimeout(done, 0);
    });
    expect(clock.mock.calls.length).toBeLessThanOrEqual(asked + 2);
  } finally {
    clock.mockRestore();
  }
});

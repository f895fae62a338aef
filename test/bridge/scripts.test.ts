import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { loadChunk } from '../../src/bridge/scripts.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A script that comes at this try, counted from 1. */
const comesAt = (at: number) => {
  let tries = 0;
  const load = async () => {
    tries += 1;
    if (tries < at) throw new Error(`try ${tries}`);
    return tries;
  };
  const settled = loadChunk(load).catch(String);
  return { settled, tries: () => tries };
};

test('a script that does not come is asked for five times more, a second apart, and no more often', async () => {
  const { settled, tries } = comesAt(100);
  for (const count of [1, 2, 3, 4, 5, 6]) {
    await vi.advanceTimersByTimeAsync(0);
    expect(tries()).toBe(count);
    await vi.advanceTimersByTimeAsync(999);
    expect(tries()).toBe(count);
    await vi.advanceTimersByTimeAsync(1);
  }
  expect(await settled).toBe('Error: try 6');
  expect(tries()).toBe(6);
});

test('one that comes late is taken', async () => {
  const { settled } = comesAt(6);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(await settled).toBe(6);
});

test('one that neither comes nor fails is given up after two minutes, and asked for again', async () => {
  let tries = 0;
  const settled = loadChunk(async () => {
    tries += 1;
    return tries === 2 ? 'here' : await new Promise<string>(() => undefined);
  });
  await vi.advanceTimersByTimeAsync(119_999);
  expect(tries).toBe(1);
  await vi.advanceTimersByTimeAsync(1_001);
  expect(tries).toBe(2);
  expect(await settled).toBe('here');
});

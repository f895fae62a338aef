import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { loadChunk } from '../../src/bridge/scripts.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Fails so many times, then is there. */
function failing(times: number) {
  const at: number[] = [];
  const load = () => {
    at.push(Date.now());
    return at.length <= times ? Promise.reject(new Error('no chunk')) : Promise.resolve('screen');
  };
  return { load, at };
}

test('a screen that does not load is tried five times more, 1000 ms apart [NAV-76]', async () => {
  const { load, at } = failing(5);
  const loaded = loadChunk(load);
  await vi.runAllTimersAsync();
  expect(await loaded).toBe('screen');
  expect(at.map((time) => time - at[0]!)).toEqual([0, 1_000, 2_000, 3_000, 4_000, 5_000]);
});

test('after that it has failed [NAV-76] [ERR-35]', async () => {
  const { load, at } = failing(Infinity);
  const failed = loadChunk(load).catch((thrown: Error) => thrown.message);
  await vi.runAllTimersAsync();
  expect(await failed).toBe('no chunk');
  expect(at).toHaveLength(6);
});

test('a chunk that never comes is given up after 120000 ms, and asked for again [NAV-77]', async () => {
  let asked = 0;
  const loaded = loadChunk(() => {
    asked += 1;
    return asked === 1 ? new Promise<string>(() => {}) : Promise.resolve('screen');
  });
  await vi.advanceTimersByTimeAsync(119_999);
  expect(asked).toBe(1);
  await vi.advanceTimersByTimeAsync(1 + 1_000);
  expect(asked).toBe(2);
  expect(await loaded).toBe('screen');
});

test('one that never comes at all ends with the sentence of the catalogue [ERR-21]', async () => {
  const failed = loadChunk(() => new Promise<string>(() => {})).catch((thrown: Error) => thrown.message);
  await vi.runAllTimersAsync();
  expect(await failed).toBe('Async call timeout limit reached');
});

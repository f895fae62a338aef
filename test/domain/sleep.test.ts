import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { timeoutSignal, sleep } from '../../src/domain/sleep.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Whether it is over, as far as is known by now. */
function watched(waiting: Promise<void>) {
  const over = vi.fn();
  void waiting.then(over);
  return over;
}

it('a sleep is over after its time, and not before', async () => {
  const over = watched(sleep(1000, new AbortController().signal));
  await vi.advanceTimersByTimeAsync(999);
  expect(over).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  expect(over).toHaveBeenCalledExactlyOnceWith(undefined);
});

it('a sleep is over as soon as it is given up, and leaves no timer behind', async () => {
  const given = new AbortController();
  const over = watched(sleep(1000, given.signal));
  await vi.advanceTimersByTimeAsync(400);
  expect([over.mock.calls.length, vi.getTimerCount()]).toEqual([0, 1]);
  given.abort();
  expect(vi.getTimerCount()).toBe(0);
  await vi.advanceTimersByTimeAsync(0);
  expect(over).toHaveBeenCalledExactlyOnceWith(undefined);
});

it('a sleep whose signal was given up before is over at once', async () => {
  const given = new AbortController();
  given.abort();
  const over = watched(sleep(1000, given.signal));
  await vi.advanceTimersByTimeAsync(0);
  expect([over.mock.calls.length, vi.getTimerCount()]).toEqual([1, 0]);
});

it('a sleep that is over leaves nothing on its signal', async () => {
  const { signal } = new AbortController();
  const [added, removed] = [vi.spyOn(signal, 'addEventListener'), vi.spyOn(signal, 'removeEventListener')];
  void sleep(1000, signal);
  await vi.advanceTimersByTimeAsync(1000);
  expect(removed.mock.calls.map(([, heard]) => heard)).toEqual(added.mock.calls.map(([, heard]) => heard));
});

it('a timeout signal is over after its time, and not before', async () => {
  const signal = timeoutSignal(500);
  const heard = vi.fn();
  signal.addEventListener('abort', heard);
  await vi.advanceTimersByTimeAsync(499);
  expect(signal.aborted).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  expect(signal.aborted).toBe(true);
  expect(heard).toHaveBeenCalledOnce();
});

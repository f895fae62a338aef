import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createCalls, listeners, settle } from '../../src/bridge/call.ts';
import { createBridge } from '../../src/bridge/createBridge.ts';
import { gpay } from '../../hosts/gpay/host.ts';
import { decimal } from '../../src/bridge/payment.ts';
import { unwrap } from '../../src/bridge/unwrap.ts';
import { money } from '../../src/contract/price.ts';
import * as actions from '../../hosts/gpay/actions.ts';
import { fate } from '../hosts/stage.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());
const host = { host: 'paytm', feature: 'login', timeoutMs: 1_000 } as const;

describe('settle', () => {
  it('takes the first reply, and names the others late or extra', async () => {
    const stray = vi.fn();
    let reply: (value: number) => void = () => {};
    const first = fate(settle<number>({ ...host, start: (give) => (reply = give), stray }));
    reply(1);
    reply(2);
    await vi.advanceTimersByTimeAsync(0);
    expect(first.value).toBe(1);
    expect(stray.mock.calls).toEqual([['extra-reply']]);
    const late = fate(settle<number>({ ...host, start: (give) => (reply = give), stray }));
    await vi.advanceTimersByTimeAsync(1_000);
    expect(late.error?.code).toBe('TIMEOUT');
    reply(3);
    expect(stray.mock.calls).toEqual([['extra-reply'], ['late-reply']]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('gives up by the signal, also by one that was given up before', async () => {
    const start = vi.fn();
    const gone = fate(settle({ ...host, signal: AbortSignal.abort(), start }));
    await vi.advanceTimersByTimeAsync(0);
    expect(gone.error?.code).toBe('ABORTED');
    expect(start).not.toHaveBeenCalled();
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('listeners', () => {
  it('one that throws does not harm the others, and is heard of', () => {
    const all = listeners<[number]>();
    const seen = vi.fn();
    all.add(() => {
      throw new Error('broken listener');
    });
    const stop = all.add(seen);
    all.add(seen);
    all.emit(1);
    expect(seen).toHaveBeenCalledTimes(2);
    expect(() => vi.runAllTimers()).toThrow('broken listener');
    stop();
    stop();
    all.emit(2);
    expect(seen).toHaveBeenCalledTimes(3);
  });
});

describe('a sheet that does not answer', () => {
  const never = (signal: AbortSignal) =>
    settle<never>({ host: 'paytm', feature: 'payment', timeoutMs: 600_000, signal, start: () => {} });
  const quick = async () => 'answered';
  const open = () =>
    createCalls({
      id: 'paytm',
      hosted: true,
      present: () => true,
      whenPresent: async () => {},
      has: () => undefined,
      call() {},
      listen: () => () => {},
    });

  it('is one sheet for a double tap, and ends when it is asked for again later', async () => {
    const calls = open();
    const first = fate(calls.sheet('payment', never));
    await vi.advanceTimersByTimeAsync(2_999);
    // Whoever tapped twice may try again.
    expect(await calls.sheet('payment', quick).catch((error: object) => error)).toMatchObject({
      code: 'BUSY',
      retryable: true,
    });
    await vi.advanceTimersByTimeAsync(1);
    expect(await calls.sheet('payment', quick)).toBe('answered');
    expect(first.error?.code).toBe('ABORTED');
    expect(vi.getTimerCount()).toBe(0);
    expect(await calls.sheet('share', quick)).toBe('answered');
  });

  it('ends at once for a page that was left and is back, and for whoever has given it up', async () => {
    const calls = open();
    const first = fate(calls.sheet('login', never));
    calls.returned();
    const stop = new AbortController();
    const second = fate(calls.sheet('address', never, stop.signal));
    await vi.advanceTimersByTimeAsync(0);
    expect([first.error?.code, second.done]).toEqual(['ABORTED', false]);
    stop.abort();
    expect(await calls.sheet('payment', quick)).toBe('answered');
    expect(second.error?.code).toBe('ABORTED');
    const late = vi.fn(quick);
    expect(await calls.sheet('login', late, stop.signal).catch((error: { code: string }) => error)).toMatchObject({
      code: 'ABORTED',
    });
    expect(late).not.toHaveBeenCalled();
  });
});

describe('the code behind the sheets', () => {
  it('that does not arrive is UNAVAILABLE, and is fetched again on the next tap', async () => {
    const transport = {
      id: 'gpay',
      hosted: true,
      present: () => true,
      whenPresent: async () => {},
      has: () => true,
      call() {},
      listen: () => () => {},
    } as const;
    let tries = 0;
    const load = async () => {
      if (++tries === 1) throw new TypeError('Failed to fetch dynamically imported module');
      if (tries === 2) return new Promise<never>(() => {});
      return { ...actions, login: async () => ({ kind: 'web-session' }) as const };
    };
    const sheets = createBridge(gpay, load)({ window: undefined, transport });
    const login = () => fate(sheets.login({ nonce: 'n', interactive: true }));
    const [first, second, third] = [
      login(),
      await vi.advanceTimersByTimeAsync(0).then(login),
      await vi.advanceTimersByTimeAsync(30_000).then(login),
    ];
    await vi.advanceTimersByTimeAsync(0);
    expect(first.error).toMatchObject({ code: 'UNAVAILABLE', retryable: true });
    expect(second.error).toMatchObject({ code: 'UNAVAILABLE', retryable: true });
    expect(third.value).toEqual({ kind: 'web-session' });
  });
});

describe('wire text', () => {
  it('rupees have two decimals and no fraction is computed', () => {
    expect([1, 10, 99, 100, 64_905, 1_000_000_01].map((minor) => decimal(money(minor)))).toEqual([
      '0.01',
      '0.10',
      '0.99',
      '1.00',
      '649.05',
      '1000000.01',
    ]);
  });

  it('JSON is unwrapped at most twice', () => {
    const wrap = (value: unknown, times: number): unknown => (times ? JSON.stringify(wrap(value, times - 1)) : value);
    expect([0, 1, 2].map((times) => unwrap(wrap({ a: 1 }, times)))).toEqual([{ a: 1 }, { a: 1 }, { a: 1 }]);
    expect(unwrap(wrap({ a: 1 }, 3))).toBe('{"a":1}');
    expect([unwrap('{"a":'), unwrap(''), unwrap(null), unwrap(undefined)]).toEqual(['{"a":', '', null, undefined]);
  });
});

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createCalls, listeners, settle } from '../../src/bridge/call.ts';
import { createBridge } from '../../src/bridge/createBridge.ts';
import { gpay } from '../../hosts/gpay/host.ts';
import { HostError } from '../../src/bridge/hostError.ts';
import { decimal, isAmountOf } from '../../src/bridge/payment/payment.ts';
import { plain } from '../../src/bridge/plain.ts';
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

describe('what has gone wrong', () => {
  it('is said with the host, the call and whether to try again; an error of the bridge stays as it is', async () => {
    const ended = (start: Parameters<typeof settle>[0]['start']) => settle({ ...host, start }).catch((error) => error);
    const own = new HostError('DENIED', { host: 'paytm', feature: 'login' });
    expect(await ended((_, fail) => fail(own))).toBe(own);
    expect(own).toMatchObject({ message: 'paytm.login: DENIED', name: 'HostError', retryable: false });
    const cause = new Error('broken');
    for (const start of [
      (_: unknown, fail: (cause: unknown) => void) => fail(cause),
      () => {
        throw cause;
      },
    ])
      expect(await ended(start)).toMatchObject({
        name: 'HostError',
        message: 'paytm.login: HOST_FAILURE',
        code: 'HOST_FAILURE',
        host: 'paytm',
        feature: 'login',
        retryable: true,
        cause,
      });
  });

  it('by the signal is no failure to try again, and leaves nobody listening to it', async () => {
    const stop = new AbortController();
    const held = new Set<unknown>();
    const { signal } = stop;
    const [add, remove] = [signal.addEventListener.bind(signal), signal.removeEventListener.bind(signal)];
    Object.assign(signal, {
      addEventListener: (type: string, own: () => void) => (held.add(own), add(type, own)),
      removeEventListener: (type: string, own: () => void) => (held.delete(own), remove(type, own)),
    });
    expect(await settle<number>({ ...host, signal, start: (reply) => reply(1) })).toBe(1);
    const left = fate(settle({ ...host, signal, start: () => {} }));
    expect(held.size).toBe(1);
    stop.abort();
    await vi.advanceTimersByTimeAsync(0);
    expect(left.error).toMatchObject({ code: 'ABORTED', retryable: false });
    expect([held.size, vi.getTimerCount()]).toEqual([0, 0]);
  });
});

describe('a host that comes late', () => {
  function late(coming: () => Promise<void>, hosted = true) {
    const called: string[] = [];
    let isThere = false;
    const calls = createCalls({
      id: 'paytm',
      hosted,
      present: () => isThere,
      whenPresent: coming,
      has: () => undefined,
      call: (method, _args, reply) => {
        called.push(method);
        reply('said');
      },
      listen: () => () => {},
    });
    return { calls, called, arrive: () => (isThere = true) };
  }
  const never = () => new Promise<void>(() => {});

  it('is waited for as long as is asked for, and others wait on', async () => {
    const { calls } = late(never);
    const [short, whole, long] = [
      fate(calls.ready({ timeoutMs: 1_000 })),
      fate(calls.ready()),
      fate(calls.ready({ timeoutMs: 60_000 })),
    ];
    await vi.advanceTimersByTimeAsync(999);
    expect(short.done).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(short.error).toMatchObject({ code: 'NOT_READY', feature: 'ready', retryable: true });
    await vi.advanceTimersByTimeAsync(3_999);
    expect([whole.done, long.done]).toEqual([false, false]);
    await vi.advanceTimersByTimeAsync(1);
    expect([whole.error?.code, long.error?.code]).toEqual(['NOT_READY', 'NOT_READY']);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('is told of once, also when it is found by being looked for', async () => {
    const { calls, called, arrive } = late(never);
    const heard = vi.fn();
    const stop = calls.onReady(heard);
    expect(calls.isThere()).toBe(false);
    arrive();
    expect([calls.isThere(), calls.isThere()]).toEqual([true, true]);
    expect(heard).toHaveBeenCalledTimes(1);
    stop();
    expect(await calls.ask('login', 'who', {}, { timeoutMs: 1_000 })).toBe('said');
    expect(called).toEqual(['who']);
  });

  it('whose way there failed is sought again by the next call, and one that still may come is not waited for twice', async () => {
    let tries = 0;
    const cause = new Error('no script');
    const broken = late(async () => {
      tries += 1;
      throw cause;
    });
    const ask = (calls: (typeof broken)['calls']) => fate(calls.ask('login', 'who', {}, { timeoutMs: 1_000 }));
    for (const count of [1, 2]) {
      const failed = ask(broken.calls);
      await vi.advanceTimersByTimeAsync(0);
      expect(failed.error).toMatchObject({ code: 'NOT_READY', feature: 'ready', retryable: true, cause });
      expect(tries).toBe(count);
    }
    const mute = late(never);
    ask(mute.calls);
    await vi.advanceTimersByTimeAsync(5_000);
    const again = ask(mute.calls);
    await vi.advanceTimersByTimeAsync(0);
    expect(again.error).toMatchObject({ code: 'NOT_READY', feature: 'login', retryable: true });
    mute.arrive();
    expect(await mute.calls.ask('login', 'who', {}, { timeoutMs: 1_000 })).toBe('said');
  });

  it('outside of it nothing is waited for or asked, whatever is on the page', async () => {
    const { calls, called, arrive } = late(never, false);
    arrive();
    const heard = vi.fn();
    calls.onReady(heard);
    const asked = fate(calls.ask('login', 'who', {}, { timeoutMs: 1_000 }));
    await vi.advanceTimersByTimeAsync(0);
    expect(asked.error).toMatchObject({ code: 'NOT_READY', retryable: false });
    expect([calls.isThere(), called, heard.mock.calls]).toEqual([false, [], []]);
  });

  it('that is not wanted any more is ABORTED for who waits, and for who asks afterwards', async () => {
    const { calls, called } = late(never);
    const leaving = late(
      () =>
        new Promise<void>((_, reject) => {
          setTimeout(() => reject(new Error('Disposed')), 10);
        }),
    ).calls;
    const waiting = fate(leaving.ready());
    leaving.dispose();
    await vi.advanceTimersByTimeAsync(10);
    expect(waiting.error).toMatchObject({ code: 'ABORTED', retryable: false });
    calls.dispose();
    const asked = fate(calls.ask('share', 'tell', {}, { timeoutMs: 1_000 }));
    await vi.advanceTimersByTimeAsync(0);
    expect(asked.error).toMatchObject({ code: 'ABORTED', feature: 'share' });
    expect(called).toEqual([]);
  });
});

describe('a call', () => {
  function host(has: boolean | undefined) {
    const waiting: ((raw: unknown) => void)[] = [];
    const calls = createCalls({
      id: 'paytm',
      hosted: true,
      present: () => true,
      whenPresent: async () => {},
      has: () => has,
      call: (_method, _args, reply) => void waiting.push(reply),
      listen: () => () => {},
    });
    return { calls, waiting };
  }
  const ask = (calls: ReturnType<typeof createCalls>, stray?: () => void) =>
    fate(calls.ask('login', 'who', {}, { timeoutMs: 1_000, ...(stray && { stray }) }));

  it('that the host is known not to have is not made', async () => {
    const { calls, waiting } = host(false);
    const asked = ask(calls);
    await vi.advanceTimersByTimeAsync(0);
    expect(asked.error).toMatchObject({ code: 'UNSUPPORTED', feature: 'login' });
    expect(waiting).toEqual([]);
  });

  it('whose answer cannot be read may be made again; one that comes too late or twice is told of, until all is over', async () => {
    const { calls, waiting } = host(undefined);
    const [told, strays] = [vi.fn(), vi.fn()];
    calls.diagnostics.add(told);
    const broken = ask(calls);
    await vi.advanceTimersByTimeAsync(0);
    const round: { in?: unknown } = {};
    round.in = round;
    waiting[0]!(round);
    await vi.advanceTimersByTimeAsync(0);
    expect(broken.error).toMatchObject({ code: 'MALFORMED_REPLY', feature: 'login', retryable: true });
    const late = ask(calls, strays);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(late.error?.code).toBe('TIMEOUT');
    waiting[1]!('late');
    expect(told.mock.calls).toEqual([[{ kind: 'late-reply', feature: 'login', method: 'who' }]]);
    expect(strays).toHaveBeenCalledTimes(1);
    waiting[0]!('twice');
    expect(told.mock.calls.at(-1)).toEqual([{ kind: 'extra-reply', feature: 'login', method: 'who' }]);
    const left = ask(calls, strays);
    await vi.advanceTimersByTimeAsync(0);
    calls.dispose();
    await vi.advanceTimersByTimeAsync(0);
    expect(left.error).toMatchObject({ code: 'ABORTED', feature: 'login' });
    waiting[2]!('after all');
    expect([told.mock.calls.length, strays.mock.calls.length]).toEqual([2, 1]);
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

describe('a copy of what a host answered', () => {
  const nested = (depth: number): unknown => (depth ? [nested(depth - 1)] : 1);

  it('is plain data, with what an error says of itself', () => {
    const said = { a: [1, 'b', null, undefined, true], f: () => 1, s: Symbol('s'), deep: { d: 2 } };
    const copy = plain(said) as typeof said;
    expect(copy).toEqual({ a: [1, 'b', null, undefined, true], f: undefined, s: undefined, deep: { d: 2 } });
    said.deep.d = 3;
    said.a.push('later');
    expect([copy.deep.d, copy.a.length]).toEqual([2, 5]);
    expect([plain(() => 1), plain(Symbol('s')), plain(null), plain(0), plain('')]).toEqual([
      undefined,
      undefined,
      null,
      0,
      '',
    ]);
    expect(plain(Object.assign(new TypeError('Closed'), { code: '7', statusCode: 7 }))).toEqual({
      name: 'TypeError',
      message: 'Closed',
      code: '7',
      statusCode: 7,
    });
    // Only texts are taken from where a loop does not come by.
    class Refused {
      get code() {
        return 7;
      }
      get message() {
        return 'no';
      }
    }
    expect(plain(new Refused())).toEqual({ message: 'no' });
  });

  it('has an end: so deep, so many values, so much text', () => {
    expect(plain(nested(40))).toEqual(nested(40));
    expect(() => plain(nested(41))).toThrow(RangeError);
    const deep = (depth: number): unknown => (depth ? { in: deep(depth - 1) } : 1);
    expect(plain(deep(40))).toEqual(deep(40));
    expect(() => plain(deep(41))).toThrow(RangeError);
    expect((plain(Array.from({ length: 19_999 }, () => 0)) as unknown[]).length).toBe(19_999);
    expect(() => plain(Array.from({ length: 20_000 }, () => 0))).toThrow(RangeError);
    const half = 'x'.repeat(250_000);
    expect(plain([half, half])).toEqual([half, half]);
    expect(() => plain([half, half, 'y'])).toThrow(RangeError);
  });
});

describe('a receipt', () => {
  const of = (said: string | number | undefined) => isAmountOf({ amount: money(64_950) }, said);
  it('is of the amount of its order however it is written, or says none', () => {
    expect(['649.50', '649.5', 649.5, undefined].map(of)).toEqual([true, true, true, true]);
    expect(['649.51', '64950', 649, '', 'free'].map(of)).toEqual([false, false, false, false, false]);
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
    // What is no text is what it is, also where it reads like JSON.
    expect([unwrap([1]), unwrap(['{}']), unwrap(7)]).toEqual([[1], ['{}'], 7]);
    expect([unwrap('{"a":'), unwrap(''), unwrap(null), unwrap(undefined)]).toEqual(['{"a":', '', null, undefined]);
  });
});

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { listeners } from '../../src/bridge/call.ts';
import { createBridge } from '../../src/bridge/createBridge.ts';
import { gpay } from '../../hosts/gpay/host.ts';
import { isAmountOf } from '../../src/bridge/payment/payment.ts';
import { plain } from '../../src/bridge/plain.ts';
import { unwrap } from '../../src/bridge/unwrap.ts';
import { money } from '../../src/contract/price.ts';
import * as actions from '../../hosts/gpay/actions.ts';
import { fate } from '../hosts/stage.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

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
  it('JSON is unwrapped at most twice', () => {
    const wrap = (value: unknown, times: number): unknown => (times ? JSON.stringify(wrap(value, times - 1)) : value);
    expect([0, 1, 2].map((times) => unwrap(wrap({ a: 1 }, times)))).toEqual([{ a: 1 }, { a: 1 }, { a: 1 }]);
    expect(unwrap(wrap({ a: 1 }, 3))).toBe('{"a":1}');
    // What is no text is what it is, also where it reads like JSON.
    expect([unwrap([1]), unwrap(['{}']), unwrap(7)]).toEqual([[1], ['{}'], 7]);
    expect([unwrap('{"a":'), unwrap(''), unwrap(null), unwrap(undefined)]).toEqual(['{"a":', '', null, undefined]);
  });
});

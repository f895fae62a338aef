import { createStore } from 'jotai';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Failure } from '../../src/api/failure.ts';
import { customerAtom, forgetCustomerAtom } from '../../src/state/lib/forget.ts';
import { remote } from '../../src/state/lib/remote.ts';

/** What is asked of a server, each with the way to answer it. */
let asked: { name: string; signal: AbortSignal; answer(value: string): void; fail(thrown: unknown): void }[];
let store: ReturnType<typeof createStore>;
beforeEach(() => {
  asked = [];
  store = createStore();
});
const reading = (isCustomers?: boolean) => {
  const { atom, load, put } = remote(
    (_get, _set, signal, name: string) =>
      new Promise<string>((answer, fail) => {
        asked.push({ name, signal, answer, fail });
      }),
    ...(isCustomers === undefined ? [] : [{ isCustomers }]),
  );
  return {
    now: () => store.get(atom),
    load: (name: string) => store.set(load, name),
    put: (data: string | null) => store.set(put, data),
  };
};

test('what is asked for is loading until it is there, and stays while it is asked for again', async () => {
  const { now, load } = reading();
  expect(now()).toEqual({ status: 'idle', data: null, failure: null });
  const first = load('a');
  expect(now()).toEqual({ status: 'loading', data: null, failure: null });
  asked[0]!.answer('A');
  await first;
  expect(now()).toEqual({ status: 'ready', data: 'A', failure: null });
  const second = load('b');
  expect([now(), asked.map(({ name }) => name)]).toEqual([{ status: 'loading', data: 'A', failure: null }, ['a', 'b']]);
  const failure = new Failure('offline');
  asked[1]!.fail(failure);
  await second;
  expect(now()).toEqual({ status: 'failed', data: 'A', failure });
  const third = load('c');
  expect(now()).toEqual({ status: 'loading', data: 'A', failure: null });
  const broken = new TypeError('broken');
  asked[2]!.fail(broken);
  await third;
  expect(now()).toMatchObject({ status: 'failed', data: 'A', failure: { kind: 'broken', cause: broken } });
});

test('only the newest question is answered; those before it are called off, and what comes of them is not heard', async () => {
  const { now, load } = reading();
  const first = load('a');
  const second = load('b');
  expect(asked.map(({ signal }) => signal.aborted)).toEqual([true, false]);
  asked[0]!.answer('A');
  await first;
  expect(now()).toEqual({ status: 'loading', data: null, failure: null });
  const third = load('c');
  asked[1]!.fail(new Failure('offline'));
  await second;
  expect(now().status).toBe('loading');
  asked[2]!.answer('C');
  await third;
  expect(now()).toEqual({ status: 'ready', data: 'C', failure: null });
});

test('what came with another answer is taken at once, and calls off what is asked for', async () => {
  const { now, load, put } = reading();
  const first = load('a');
  put('B');
  expect([now(), asked[0]!.signal.aborted]).toEqual([{ status: 'ready', data: 'B', failure: null }, true]);
  asked[0]!.answer('A');
  await first;
  expect(now().data).toBe('B');
  put(null);
  expect(now()).toEqual({ status: 'idle', data: null, failure: null });
});

test("who leaves is forgotten in all that is a customer's, and in nothing that is the shop's", async () => {
  const [own, shops] = [reading(), reading(false)];
  own.put('mine');
  shops.put('menu');
  const word = customerAtom('');
  store.set(word, 'typed');
  store.set(word, (before) => `${before} more`);
  expect(store.get(word)).toBe('typed more');
  store.set(forgetCustomerAtom);
  expect([own.now().data, shops.now().data, store.get(word)]).toEqual([null, 'menu', '']);
});

test('what was asked for a moment ago is not asked for again, unless about something else, after a failure or a minute later', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  let cart = 'one dish';
  const { atom, renew, put } = remote(
    (_get, _set, signal, name: string) =>
      new Promise<string>((answer, fail) => {
        asked.push({ name, signal, answer, fail });
      }),
    { about: () => cart },
  );
  const names = () => asked.splice(0).map(({ name }) => name);
  const first = store.set(renew, 'a');
  const second = store.set(renew, 'a');
  expect(asked).toHaveLength(1);
  asked[0]!.answer('A');
  await Promise.all([first, second, store.set(renew, 'a')]);
  expect([names(), store.get(atom).data]).toEqual([['a'], 'A']);
  void store.set(renew, 'b');
  expect(names()).toEqual(['b']);
  cart = 'two dishes';
  const failing = store.set(renew, 'b');
  asked[0]!.fail(new Failure('offline'));
  await failing;
  expect(names()).toEqual(['b']);
  const again = store.set(renew, 'b');
  asked[0]!.answer('B');
  await again;
  expect(names()).toEqual(['b']);
  for (const [seconds, asks] of [
    [59, 0],
    [2, 1],
    // The phone's clock is put right: the answer lies ahead of it.
    [-600, 1],
  ] as const) {
    vi.setSystemTime(Date.now() + seconds * 1_000);
    void store.set(renew, 'b');
    asked[0]?.answer('B');
    await Promise.resolve();
    expect(names(), String(seconds)).toHaveLength(asks);
  }
  // What another answer took away is asked for.
  store.set(put, null);
  void store.set(renew, 'b');
  expect(names()).toEqual(['b']);
});
afterEach(() => void vi.useRealTimers());

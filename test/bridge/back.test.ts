import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createBack } from '../../src/bridge/back.ts';
import { makePhone } from '../hosts/phone.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A page in a host that tells of its back button. */
function open() {
  const phone = makePhone();
  let told: (event: { readonly raw: unknown; preventDefault(): void }) => void = () => undefined;
  const prevented = vi.fn();
  const back = createBack(phone.window, (name, handler) => {
    if (name === 'back') told = handler;
    return () => {
      told = () => undefined;
    };
  });
  const asked: string[] = [];
  /** Listens, and answers as long as it listens. */
  const listen = (name: string, answer: 'handled' | 'default' = 'handled') =>
    back.onBack(() => {
      asked.push(name);
      return answer;
    });
  const press = async () => {
    phone.history.back();
    await vi.advanceTimersByTimeAsync(1);
  };
  const hostSays = () => told({ raw: null, preventDefault: prevented });
  return { ...phone, back, asked, listen, press, hostSays, prevented };
}
const pass = (ms = 1) => vi.advanceTimersByTimeAsync(ms);

test('the last listener is asked first, and those before it only where it lets the press pass', async () => {
  const { asked, listen, press, depth } = open();
  listen('page');
  listen('sheet', 'default');
  const stop = listen('popup');
  await press();
  expect(asked.splice(0)).toEqual(['popup']);
  expect(depth()).toBe(2);
  stop();
  await pass();
  await press();
  expect(asked.splice(0)).toEqual(['sheet', 'page']);
  expect(depth()).toBe(2);
});

test('the spare entry keeps what the page has written into its own, and there is but one of it', async () => {
  const { listen, history, entries } = open();
  listen('sheet');
  listen('popup');
  expect(history.state).toEqual({ page: 'home', hostBack: true });
  expect(entries).toHaveLength(3);
  const bare = open();
  bare.entries[1]!.state = null;
  bare.listen('sheet');
  expect(bare.history.state).toEqual({ hostBack: true });
});

test('one listener that follows another at once takes over its entry', async () => {
  const { asked, listen, press, depth, entries } = open();
  const stop = listen('first');
  stop();
  listen('second');
  await pass();
  expect([depth(), entries.length]).toEqual([2, 3]);
  await press();
  expect(asked).toEqual(['second']);
});

test('what was taken off is asked no more, twice taken off takes nobody else along, and the entry goes with the last', async () => {
  const { asked, listen, press, depth } = open();
  const first = listen('first');
  const second = listen('second');
  second();
  second();
  await pass();
  expect(depth()).toBe(2);
  await press();
  expect(asked).toEqual(['first']);
  first();
  await pass(10);
  expect(depth()).toBe(1);
  // Taking it away was no press.
  expect(asked).toEqual(['first']);
  listen('third');
  await press();
  expect([asked, depth()]).toEqual([['first', 'third'], 2]);
});

test("a host's own press is taken from it where a listener handled it, and only then", async () => {
  const { asked, listen, hostSays, prevented } = open();
  const stop = listen('first');
  hostSays();
  expect([asked.length, prevented.mock.calls.length]).toEqual([1, 1]);
  stop();
  listen('second', 'default');
  hostSays();
  expect([asked, prevented.mock.calls.length]).toEqual([['first', 'second'], 1]);
});

test('once it is stopped neither the page nor the host asks anybody', async () => {
  const { asked, back, listen, press, hostSays } = open();
  listen('first');
  back.stop();
  hostSays();
  await press();
  expect(asked).toEqual([]);
  open().back.stop();
});

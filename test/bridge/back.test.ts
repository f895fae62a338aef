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

test('where all let it pass the page itself goes back, by one', async () => {
  const { asked, listen, press, depth } = open();
  listen('page', 'default');
  expect(depth()).toBe(2);
  await press();
  await pass();
  expect([asked, depth()]).toEqual([['page'], 0]);
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

test('an entry that was left behind is passed over on the way back, and guards again where somebody listens', async () => {
  const { asked, listen, press, depth, history } = open();
  const stop = listen('first');
  history.pushState({ page: 'cart' });
  stop();
  await pass();
  expect(history.state).toEqual({ page: 'cart' });
  await press();
  await pass();
  expect([history.state, depth()]).toEqual([{ page: 'home' }, 1]);
  expect(asked).toEqual([]);
  const other = open();
  other.listen('first');
  other.history.pushState({ page: 'cart' });
  await other.press();
  expect([other.asked, other.depth()]).toEqual([[], 2]);
  await other.press();
  expect(other.asked).toEqual(['first']);
});

test("a page's own way back without a spare entry asks nobody", async () => {
  const { asked, listen, press, depth } = open();
  listen('first')();
  await pass(10);
  await press();
  expect([asked, depth()]).toEqual([[], 0]);
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

test('a host that goes back all the same within 300 ms has not been pressed again; later it has', async () => {
  const { asked, listen, press, hostSays, depth } = open();
  listen('first');
  hostSays();
  await pass(298);
  await press();
  expect([asked, depth()]).toEqual([['first'], 2]);
  hostSays();
  await pass(300);
  await press();
  expect([asked, depth()]).toEqual([['first', 'first', 'first'], 2]);
  // Nobody handled the second of two presses: the first one's time is over with it.
  const other = open();
  const stop = other.listen('first');
  other.hostSays();
  other.listen('second', 'default');
  stop();
  other.hostSays();
  await other.press();
  expect(other.asked).toEqual(['first', 'second', 'second']);
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

test('without a page the host alone asks', () => {
  let told: (event: { readonly raw: unknown; preventDefault(): void }) => void = () => undefined;
  const back = createBack(undefined, (_, handler) => {
    told = handler;
    return () => undefined;
  });
  const handled = vi.fn(() => 'handled' as const);
  const prevented = vi.fn();
  const stop = back.onBack(handled);
  told({ raw: null, preventDefault: prevented });
  expect([handled.mock.calls.length, prevented.mock.calls.length]).toEqual([1, 1]);
  stop();
  vi.runAllTimers();
});

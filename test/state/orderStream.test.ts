import { createStore } from 'jotai';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Api } from '../../src/api/api.ts';
import { Failure } from '../../src/api/failure.ts';
import * as tracking from '../../src/contract/tracking.ts';
import type { OrderView } from '../../src/contract/orders.ts';
import { clockAheadAtom } from '../../src/state/base/clock.ts';
import { openStorage, wakeAtom } from '../../src/state/first/lib/kept.ts';
import { apiAtom, navigateAtom } from '../../src/state/first/seams.ts';
import { followAtom, followedAtom, trackMap } from '../../src/state/orders/orderStream.ts';
import { orderAtom, putOrderAtom } from '../../src/state/orders/orders.ts';
import { schemas } from '../../src/state/schemas.ts';

const ID = 'ORD-1';
const orderAs = (orderStatus: OrderView['orderStatus'], orderId = ID) =>
  ({
    orderId,
    orderStatus,
    placedAt: 1,
    transactionId: 'T-1',
    paymentStatus: 'SUCCESS',
    steps: [],
  }) as unknown as OrderView;
const MAP = { store: { latitude: 1, longitude: 2 }, customer: null, route: [], rider: null };

let store: ReturnType<typeof createStore>;
let pages = 0;
/** Streams that were opened, with the way to speak in them and to end them. */
let streams: {
  readonly lastEventId: string;
  say(status: OrderView['orderStatus'], id: string, map?: typeof MAP | null): void;
  end(how: 'end' | 'bye'): void;
  fail(thrown: unknown): void;
}[];
/** What was asked for instead. */
let asked: string[];
let status: OrderView['orderStatus'] | 'offline';
let leave: AbortController;
beforeEach(() => {
  vi.useFakeTimers();
  openStorage(`following-${(pages += 1)}`, () => {});
  [store, streams, asked, status, leave] = [createStore(), [], [], 'ORDER PLACED', new AbortController()];
  store.set(navigateAtom, { go: () => undefined });
  store.set(apiAtom, {
    follow: (_endpoint: unknown, input: { orderHistoryId: string }, options: Parameters<Api['follow']>[2]) =>
      new Promise((end, fail) => {
        expect(input).toEqual({ orderHistoryId: ID });
        options.signal?.addEventListener('abort', () => fail(new Failure('aborted')));
        streams.push({
          lastEventId: options.lastEventId ?? '',
          say: (now, id, map = null) => options.onEvent({ order: orderAs(now), map, now: Date.now() + 5_000 }, id),
          end,
          fail,
        });
      }),
    call: async ({ path }: { path: string }) => {
      if (path === tracking.byOrder.path) {
        asked.push('order');
        if (status === 'offline') throw new Failure('offline');
        return { order: orderAs(status) };
      }
      if (path === tracking.onMap.path) {
        asked.push('map');
        return { status: 'SUCCESS', ...MAP };
      }
      return {};
    },
  } as unknown as Api);
  store.set(wakeAtom, schemas);
});
afterEach(() => {
  leave.abort();
  vi.useRealTimers();
});
const follow = () => {
  const state = { done: false };
  void store.set(followAtom, ID, leave.signal).then(() => (state.done = true));
  return state;
};
const pass = (ms = 0) => vi.advanceTimersByTimeAsync(ms);

test('what a stream says of an order is on the page at once, with its map and the clock of the server, until it is over', async () => {
  const following = follow();
  expect(store.get(followedAtom)).toEqual({ orderId: ID, by: 'opening' });
  streams[0]!.say('INPROCESS', '7');
  expect([store.get(followedAtom)?.by, store.get(orderAtom)?.orderStatus]).toEqual(['stream', 'INPROCESS']);
  expect([store.get(trackMap.atom).data, store.get(clockAheadAtom)]).toEqual([null, 5_000]);
  streams[0]!.say('PICKED UP', '8', MAP);
  expect(store.get(trackMap.atom).data).toMatchObject({ orderId: ID, ...MAP });
  streams[0]!.end('end');
  await pass();
  expect([following.done, store.get(followedAtom), asked]).toEqual([true, null, []]);
  await pass(60_000);
  expect(streams).toHaveLength(1);
});

test('a stream that is to be opened anew is, after a second, from where it was', async () => {
  const following = follow();
  streams[0]!.say('INPROCESS', '7');
  streams[0]!.end('bye');
  await pass();
  await pass(999);
  expect(streams).toHaveLength(1);
  await pass(1);
  expect(streams.map(({ lastEventId }) => lastEventId)).toEqual(['', '7']);
  streams[1]!.say('DELIVERED', '8');
  streams[1]!.end('bye');
  await pass(1_000);
  expect([following.done, streams.length]).toEqual([true, 2]);
});

test('without a stream the order is asked for four times, eight seconds apart, and its map while it is on its way', async () => {
  follow();
  streams[0]!.fail(new Failure('offline'));
  await pass();
  expect([store.get(followedAtom)?.by, asked]).toEqual(['polling', ['order']]);
  status = 'PICKED UP';
  await pass(7_999);
  expect(asked).toEqual(['order']);
  await pass(1);
  expect([asked, store.get(orderAtom)?.orderStatus]).toEqual([['order', 'order', 'map'], 'PICKED UP']);
  // One that is not answered is asked for again.
  status = 'offline';
  await pass(8_000);
  expect([asked.length, store.get(orderAtom)?.orderStatus]).toEqual([4, 'PICKED UP']);
  await pass(8_000);
  expect([asked.length, streams.length]).toEqual([5, 1]);
  await pass(8_000);
  expect([asked.length, streams.length]).toEqual([5, 2]);
  // Too many streams are no reason to give it up.
  streams[1]!.fail(new Failure('refused', { httpStatus: 429 }));
  status = 'DELIVERED';
  await pass();
  expect(asked).toHaveLength(6);
  await pass(8_000);
  expect([asked.length, streams.length, store.get(followedAtom)]).toEqual([6, 2, null]);
});

test('an order that is over, or that the server does not let be followed, is followed no more', async () => {
  const following = follow();
  streams[0]!.fail(new Failure('refused', { httpStatus: 404 }));
  await pass();
  expect([following.done, asked, store.get(followedAtom)]).toEqual([true, [], null]);
  store.set(putOrderAtom, orderAs('DELIVERED'));
  const over = follow();
  await pass();
  expect([over.done, streams.length]).toEqual([true, 1]);
  // Another order's end is not this one's.
  store.set(putOrderAtom, orderAs('DELIVERED', 'ORD-2'));
  follow();
  expect(streams).toHaveLength(2);
});

test('who leaves ends it, while it is streamed and while it is asked for; what is followed since stays followed', async () => {
  const following = follow();
  leave.abort();
  await pass();
  expect([following.done, store.get(followedAtom), asked]).toEqual([true, null, []]);
  leave = new AbortController();
  const polled = follow();
  streams[1]!.fail(new Failure('timeout'));
  await pass();
  leave.abort();
  await pass();
  expect([polled.done, asked.length, streams.length]).toEqual([true, 1, 2]);
  leave = new AbortController();
  leave.abort();
  const none = follow();
  await pass();
  expect([none.done, streams.length]).toEqual([true, 2]);
});

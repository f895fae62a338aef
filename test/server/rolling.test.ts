import { afterAll, beforeAll, expect, test } from 'vitest';
import * as menu from '../../src/contract/menu.ts';
import { openDb } from '../../src/server/store/db.ts';
import {
  controls,
  bothEngines,
  spawnServer,
  emptyDatabase,
  type SpawnedServer,
  type TestServer,
} from '../kit/server.ts';
import { follow } from './follow.ts';
import { violations } from './invariants.ts';
import { proxyOf } from './proxy.ts';
import { openShop, member, PICKUP, type Customer } from './shop.ts';

// Several processes share a PostgreSQL in earnest; without one they share a file.
const engine = (await bothEngines()).at(-1)!;
const GUESTS = 3;
const clean: (() => unknown)[] = [];
let first: SpawnedServer[];
let start: (port?: number) => Promise<SpawnedServer>;
let database: Awaited<ReturnType<typeof emptyDatabase>>;
beforeAll(async () => {
  database = await emptyDatabase(engine);
  clean.push(() => database.drop());
  start = async (port = 0) => {
    const settings = { distDir: null, environment: { DRAIN_SECONDS: '2' } };
    const server = await spawnServer({ database, port, settings });
    clean.push(() => server.kill());
    return server;
  };
  first = [await start(), await start()];
});
afterAll(async () => {
  for (const one of clean.reverse()) await one();
});

test(`two servers on ${engine} are replaced one by one, while people browse, order and follow: no call fails`, async () => {
  const proxy = await proxyOf(first.map(({ url }) => Number(new URL(url).port)));
  clean.push(() => proxy.stop());
  await expect.poll(() => proxy.backs.every(({ isReady }) => isReady)).toBe(true);
  const front: TestServer = { ...first[0]!, ...controls(proxy.url), url: proxy.url };
  await openShop(front);

  let isOver = false;
  const acked: string[] = [];
  const failed: string[] = [];
  /** The way of somebody who looks around and orders, again and again. */
  async function shopping(): Promise<void> {
    const who = await member(front, 'IN', PICKUP);
    while (!isOver) {
      const { status } = await who.call(menu.byStore, { storeId: PICKUP.storeId, query: {} });
      if (status !== 200) failed.push(`menu ${status}`);
      const { order } = await who.order({ paymentMode: 'COD' });
      acked.push(order.orderId);
      await who.read(order.orderId);
    }
  }
  const byes: string[] = [];
  const streams = new Set<{ stop(): void }>();
  /** Follows an order as the app does: a stream that says `bye` is opened again. */
  async function following(who: Customer, orderId: string): Promise<void> {
    for (let lastId = ''; ;) {
      const stream = await follow(proxy.url, who, orderId, lastId === '' ? {} : { 'last-event-id': lastId });
      if (stream.answer.status !== 200) return void failed.push(`stream ${stream.answer.status}`);
      streams.add(stream);
      for (let event = await stream.next(); event?.name !== 'bye'; event = await stream.next()) {
        if (event === null) throw new Error('a stream ended without a word');
        lastId = event.id || lastId;
      }
      streams.delete(stream);
      byes.push(stream.answer.headers.get('x-back')!);
    }
  }

  const fan = await member(front, 'IN', PICKUP);
  const { order: followed } = await fan.order({ paymentMode: 'COD' });
  await expect.poll(async () => (await fan.read(followed.orderId)).orderStatus).toBe('ORDER PLACED');
  const failing = (error: unknown) => void (isOver || failed.push(String(error)));
  const heard = Promise.all([1, 2].map(() => following(fan, followed.orderId).catch(failing)));
  const shoppers = Promise.all(Array.from({ length: GUESTS }, () => shopping().catch(failing)));
  for (const [index, old] of first.entries()) {
    const answered = acked.length;
    await expect.poll(() => acked.length).toBeGreaterThan(answered + GUESTS);
    process.kill(old.pid, 'SIGTERM');
    await old.ended;
    await start(proxy.backs[index]!.port);
    const before = proxy.backs[index]!.answered;
    await expect.poll(() => proxy.backs[index]!.answered).toBeGreaterThan(before + GUESTS);
  }
  isOver = true;
  await shoppers;
  for (const stream of streams) stream.stop();
  await heard;
  expect(failed).toEqual([]);
  // Both streams were told by each server that held them.
  expect(byes.length).toBeGreaterThanOrEqual(2);
  const { db } = await openDb(database.target);
  clean.push(() => db.destroy());
  expect(await violations(db, { ackedOrders: acked })).toEqual([]);
});

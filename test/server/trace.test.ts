import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { storyOf } from '../../src/server/store/story.ts';
import { root } from '../architecture/sources.ts';
import { temporaryFolder } from '../kit/folder.ts';
import { engines } from '../kit/server.ts';
import { member, openedShop, pay, type Shop } from './shop.ts';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const PARENT = `00-${TRACE}-b7ad6b7169203331-01`;

const run = promisify(execFile);

describe.each(await engines())('an order and its trace on %s', (engine) => {
  let shop: Shop;
  /** Calls to the bank: the path, and the headers by which they can be found there. */
  const asked: { path: string; traceparent: string | null; state: string | null; requestId: string | null }[] = [];
  const logged: { msg: string; data: { trace?: string; order?: string; [name: string]: unknown } }[] = [];
  let order: { orderId: string; transactionId: string };

  beforeAll(async () => {
    const { fetch } = globalThis;
    vi.spyOn(globalThis, 'fetch').mockImplementation(async (url, init) => {
      const { pathname } = new URL(String(url));
      const headers = new Headers(init?.headers);
      if (pathname.startsWith('/bank/api/'))
        asked.push({
          path: pathname,
          traceparent: headers.get('traceparent'),
          state: headers.get('tracestate'),
          requestId: headers.get('x-request-id'),
        });
      return await fetch(url, init);
    });
    vi.spyOn(console, 'log').mockImplementation((line: unknown) => {
      const [, msg = '', json = '{}'] = /^\S+ \S+ (.*?)(?: (\{.*\}))?$/m.exec(String(line)) ?? [];
      logged.push({ msg, data: JSON.parse(json) as (typeof logged)[number]['data'] });
    });
    shop = await openedShop({ engine, settings: { quiet: false } });
    const { server } = shop;
    const who = await member(server);
    await who.fill();
    const { body } = await who.submit({
      headers: { traceparent: PARENT, tracestate: 'shop=1', 'x-request-id': 'page-1' },
    });
    order = body.order;
    // Its first check comes with a job, and what the bank tells with a call of the bank's own.
    await server.advance(3);
    await pay(server, body.next);
    await server.advance(1);
    // The page asks, and names no trace.
    await who.confirm(body.order);
    await server.advance(90);
  });
  afterAll(async () => {
    vi.restoreAllMocks();
    await shop.stop();
  });

  test('is one from the call of the page to every call of a provider, in jobs and after what the bank calls back', () => {
    expect(asked.length).toBeGreaterThan(2);
    expect(
      asked.filter(({ traceparent }) => !new RegExp(`^00-${TRACE}-[0-9a-f]{16}-01$`).test(traceparent ?? '')),
    ).toEqual([]);
    expect(asked[0]).toMatchObject({ state: 'shop=1', requestId: 'page-1' });
    // Each call is a step of its own.
    expect(new Set(asked.map(({ traceparent }) => traceparent)).size).toBe(asked.length);
  });

  test('stands in every line of the log about the order', () => {
    const own = logged.filter(({ data }) => data.order === order.orderId || data['orderId'] === order.orderId);
    expect(own.map(({ msg }) => msg)).toContain('told the store of an order');
    expect(own.filter(({ data }) => data.trace !== TRACE || data.order !== order.orderId)).toEqual([]);
  });

  test('leads an operator to the whole story, by whatever name is at hand', async () => {
    const log = path.join(temporaryFolder('story'), 'server.log');
    writeFileSync(
      log,
      logged.map(({ msg, data }) => JSON.stringify({ level: 30, time: Date.now(), msg, ...data })).join('\n'),
    );
    const { reference, number, store } = await shop.db
      .selectFrom('orders')
      .innerJoin('payments', 'payments.order_id', 'orders.id')
      .select(['payments.reference', 'orders.number', 'orders.store_id as store'])
      .where('orders.id', '=', order.orderId)
      .executeTakeFirstOrThrow();
    const told = async (name: string, ...logs: string[]) =>
      (
        await run(process.execPath, ['src/server/operations/story.ts', name, ...logs], {
          cwd: root,
          env: { ...process.env, DATABASE_URL: shop.server.database.target },
        })
      ).stdout.split('\n');
    const lines = await told(reference, log);
    expect(lines[0]).toContain(`${order.orderId}  number ${number}@${store}  trace ${TRACE}`);
    const said = (what: string) => lines.findIndex((line) => line.includes(what));
    const steps = ['order submitted', 'payment 1 by UPI', 'a provider called back status=SUCCESS', 'order INPROCESS'];
    expect(steps.map(said)).toEqual(steps.map(said).toSorted((a, b) => a - b));
    expect(steps.map(said)).not.toContain(-1);
    expect(said('money that pays')).toBeGreaterThan(0);
    expect(said('told the store of an order')).toBeGreaterThan(0);
    expect(said('job order.')).toBeGreaterThan(0);
    // Nobody else's, and nothing of whose it is.
    expect(lines.filter((line) => /\+91\d|Barakhamba/.test(line))).toEqual([]);
    for (const name of [order.orderId, TRACE, `${number}@${store}`, order.transactionId])
      expect((await storyOf(shop.db, name))?.order.id).toBe(order.orderId);
    expect(await storyOf(shop.db, 'ord_of_nobody')).toBeUndefined();
  });
});

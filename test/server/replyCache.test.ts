import { randomUUID } from 'node:crypto';
import net, { type AddressInfo } from 'node:net';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as menu from '../../src/contract/menu.ts';
import { serve, type RunningServer } from '../../src/server/app.ts';
import { jobs } from '../../src/server/call/jobs.ts';
import { enqueue } from '../../src/server/store/jobs.ts';
import { now } from '../../src/server/store/system.ts';
import { controls, engines, testDatabase, type TestDatabase, type TestServer } from '../kit/server.ts';
import { violations } from './invariants.ts';
import { member, openShop, PICKUP } from './shop.ts';

interface Ready {
  status: string;
  errors?: { displayMsg: string }[];
  checks: Record<string, { status: string; [detail: string]: unknown }>;
}
let held = Promise.withResolvers<void>();
jobs.on('readiness.held', () => held.promise);

/** Between the server and its PostgreSQL, so that it can be away. */
async function wire(target: string) {
  const to = new URL(target);
  const sockets = new Set<net.Socket>();
  let isCut = false;
  const between = net.createServer((near) => {
    const far = net.connect(Number(to.port || 5432), to.hostname);
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', () => socket.destroy()).on('close', () => sockets.delete(socket));
    }
    if (isCut) return void [near, far].map((socket) => socket.destroy());
    near.pipe(far).pipe(near);
  });
  await new Promise<void>((done) => between.listen(0, '127.0.0.1', done));
  const through = new URL(target);
  through.host = `127.0.0.1:${(between.address() as AddressInfo).port}`;
  return {
    target: through.href,
    cut(is: boolean) {
      isCut = is;
      if (is) for (const socket of sockets) socket.destroy();
    },
    stop: () => between.close(),
  };
}

describe.each(await engines())('what /ready says on %s', (engine) => {
  let database: TestDatabase;
  let line: Awaited<ReturnType<typeof wire>> | undefined;
  let running: RunningServer;
  let server: TestServer;
  beforeAll(async () => {
    database = await testDatabase(engine);
    if (engine === 'postgres') line = await wire(database.target);
    running = await serve({
      port: 0,
      database: line?.target ?? database.target,
      distDir: null,
      development: true,
      quiet: true,
    });
    server = { ...controls(running.url), url: running.url, database, stop: () => running.stop() };
    await server.switches({ kitchen: 'steady' });
    await openShop(server);
  });
  afterAll(async () => {
    held.resolve();
    await running.stop();
    line?.stop();
    await database.drop();
  });
  async function ready(): Promise<{ status: number; body: Ready; retryAfter: string | null }> {
    const answer = await fetch(`${running.url}/ready`);
    return {
      status: answer.status,
      body: (await answer.json()) as Ready,
      retryAfter: answer.headers.get('retry-after'),
    };
  }
  const state = async (check: string) => {
    const { status, body } = await ready();
    return [status, body.checks[check]?.status];
  };

  /** From now on the database takes nothing more, as on a full disk. */
  async function fill(): Promise<void> {
    const { db } = running;
    if (engine === 'postgres') {
      await sql`create function full_disk() returns trigger language plpgsql as
        $$ begin raise exception 'could not extend file: No space left on device' using errcode = '53100'; end $$`.execute(
        db,
      );
      for (const table of ['orders', 'probes'])
        await sql`create trigger full_disk before insert on ${sql.table(table)} execute function full_disk()`.execute(
          db,
        );
      return;
    }
    // No page is left half empty.
    await sql`vacuum`.execute(db);
    const { rows } = await sql<{ page_count: number }>`pragma page_count`.execute(db);
    await sql.raw(`pragma max_page_count = ${rows[0]!.page_count}`).execute(db);
  }
  async function makeRoom(): Promise<void> {
    const { db } = running;
    if (engine === 'postgres') await sql`drop function full_disk cascade`.execute(db);
    else await sql.raw('pragma max_page_count = 1073741823').execute(db);
  }

  test('on a full disk an order gets 503 and a time to retry, reading goes on, and it is taken once there is room', async () => {
    expect(await state('room')).toEqual([200, 'ok']);
    const who = await member(server, 'IN', PICKUP);
    await who.fill();
    const { quote } = (await who.validate({ paymentMode: 'COD' })).body;
    const wish = {
      paymentMode: 'COD',
      key: randomUUID(),
      cartVersion: quote.cartVersion,
      total: quote.bill.total,
    } as const;
    const other = await member(server, 'IN', PICKUP);
    await fill();
    // Tables that were empty have a page each, which somebody uses up.
    for (let last = 200; engine === 'sqlite' && last === 200;)
      last = await other.order({ paymentMode: 'COD' }).then(
        () => 200,
        () => 503,
      );
    const refused = await who.submit(wish);
    expect(refused.body.errors?.[0]?.displayMsg).toBe('Something Went Wrong. Please Try Again.');
    expect([refused.status, Number(refused.headers.get('retry-after'))]).toEqual([503, expect.any(Number)]);
    expect((await who.call(menu.byStore, { storeId: '10101', query: {} })).status).toBe(200);
    await expect.poll(() => state('room')).toEqual([503, 'failed']);
    const { body, retryAfter } = await ready();
    expect(body).toMatchObject({
      status: 'FAILED',
      checks: { database: { status: 'ok' }, migrations: { status: 'ok' } },
    });
    expect(Number(retryAfter)).toBeGreaterThan(0);
    expect((await fetch(`${running.url}/health`)).status).toBe(200);
    expect((await who.cart()).validItems).toHaveLength(1);
    await makeRoom();
    await expect.poll(() => state('room')).toEqual([200, 'ok']);
    const taken = await who.submit(wish);
    expect([taken.status, taken.body.order.orderStatus]).toEqual([200, 'ORDER PLACED']);
    expect(await violations(running.db, { settled: false, ackedOrders: [taken.body.order.orderId] })).toEqual([]);
  });

  test('tables of another release: named, and no calls', async () => {
    const { db } = running;
    const last = '0025-probes';
    const { rows } = await sql<{
      timestamp: string;
    }>`delete from kysely_migration where name = ${last} returning timestamp`.execute(db);
    await expect.poll(() => state('migrations')).toEqual([503, 'failed']);
    expect((await ready()).body.checks['migrations']).toMatchObject({ pending: [last] });
    await sql`insert into kysely_migration (name, timestamp) values (${last}, ${rows[0]!.timestamp})`.execute(db);
    await expect.poll(() => state('migrations')).toEqual([200, 'ok']);
  });

  test('late jobs are a warning: calls are served', async () => {
    held = Promise.withResolvers<void>();
    const runAt = (await now(running.db)) - 600_000;
    const late = { kind: 'readiness.held', runAt, payload: null };
    // The first holds the lane.
    await enqueue(running.db, late, late);
    await expect.poll(() => state('jobs')).toEqual([200, 'warning']);
    const { late: count, oldestMs } = (await ready()).body.checks['jobs']!;
    expect(count).toBeGreaterThan(0);
    expect(oldestMs).toBeGreaterThanOrEqual(600_000);
    held.resolve();
    await expect.poll(() => state('jobs')).toEqual([200, 'ok']);
  });

  if (engine === 'postgres')
    test('a database that is gone: said so at once, and again when it is there', async () => {
      line!.cut(true);
      await expect.poll(() => state('database')).toEqual([503, 'failed']);
      expect((await fetch(`${running.url}/health`)).status).toBe(200);
      line!.cut(false);
      await expect.poll(() => state('database')).toEqual([200, 'ok']);
    });
});

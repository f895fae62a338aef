import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeAll, describe, expect, test } from 'vitest';
import { jobs } from '../../src/server/call/jobs.ts';
import { openDb, type Root } from '../../src/server/store/db.ts';
import { enqueue } from '../../src/server/store/jobs.ts';
import { now, raiseOffset, readSystem } from '../../src/server/store/system.ts';
import { bankSecret } from '../../src/server/vendors/bankDesk.ts';
import { bothEngines, spawnServer, startServer, testDatabase, type TestServer } from '../kit/server.ts';
import { bankAt, bankBetween } from './bankBetween.ts';
import { member, openShop, PICKUP, visitor } from './shop.ts';

const HANGING = 12;

describe.each(await bothEngines())('lanes of jobs on %s', (engine) => {
  let server: TestServer;
  let db: Root;
  let bank: Awaited<ReturnType<typeof bankBetween>>;
  /** Only once all of them wait: on a busy machine the first checks fall due while the last are still being placed. */
  let isMute = false;
  beforeAll(async () => {
    const database = await testDatabase(engine);
    const first = await startServer({ database });
    ({ db } = await openDb(database.target));
    const secret = await bankSecret(db);
    await first.stop();
    bank = await bankBetween(
      () => server.url,
      (path) => (isMute && path.endsWith('/status') ? 'mute' : 'well'),
    );
    server = await startServer({
      database,
      settings: bankAt(bank.url, secret),
    });
    await openShop(server);
    return async () => {
      bank.stop();
      await db.destroy();
      await database.drop();
    };
  });
  test('while the bank leaves a dozen payment checks unanswered, the store still hears of a cash order', async () => {
    for (let at = 0; at < HANGING; at += 1) {
      const who = await visitor(server, 'IN', PICKUP);
      await who.fill(1, 'M');
      expect((await who.submit({ paymentMode: 'UPI' })).status).toBe(200);
    }
    isMute = true;
    // Their checks fall due; nobody does them one by one, as a move of the clock would.
    const { offsetMs } = await readSystem(db);
    await raiseOffset(db, offsetMs + 60_000);
    await expect.poll(() => bank.waiting.length).toBeGreaterThan(1);
    const { order } = await (await visitor(server, 'IN', PICKUP)).order({ paymentMode: 'COD' });
    const told = async () =>
      (await db.selectFrom('outbox').select('sent_at').where('order_id', '=', order.orderId).execute()).length;
    await expect.poll(told).toBe(1);
    // After so many the bank is left alone, and nobody waits for it any more.
    expect(bank.gone()).toBeLessThan(5);
  });

  test('a server that goes gives a job that hangs to the next one, which need not wait for the end of its lease', async () => {
    const kind = `hanging.${engine}`;
    jobs.on(kind, () => new Promise(() => {}));
    await enqueue(db, { kind, runAt: 0, payload: null });
    const job = () =>
      db.selectFrom('jobs').select(['state', 'lease_until', 'attempts']).where('kind', '=', kind).executeTakeFirst();
    await expect.poll(job).toMatchObject({ state: 'RUN', attempts: 1 });
    await server.stop();
    expect(await job()).toEqual({ state: 'DUE', lease_until: 0, attempts: 0 });
  });
});

const RECEIPTS = 40;

/** Who takes messages, of either process at its own address; `take` settles when one may be answered. */
async function smsGateway(take: (from: string) => Promise<void>) {
  const gateway = createServer((request, response) => {
    request.resume().on('end', () => void take(request.url ?? '').then(() => response.end()));
  });
  await new Promise<void>((done) => gateway.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${(gateway.address() as AddressInfo).port}`,
    stop() {
      gateway.closeAllConnections();
      gateway.close();
    },
  };
}

// A file of SQLite is served by one process.
describe.each((await bothEngines()).slice(-1))('two processes on one %s', (engine) => {
  test('share the jobs of a lane, do none twice, and one does what the other was killed in the middle of', async () => {
    const database = await testDatabase(engine);
    const before = await startServer({ database });
    await openShop(before);
    const { order } = await (await member(before, 'IN', PICKUP)).order({ paymentMode: 'COD' });
    await before.advance(1);
    await before.stop();
    const { db } = await openDb(database.target);

    const sent = { '/one': 0, '/two': 0 };
    let held = 0;
    const both = Promise.withResolvers<void>();
    const gateway = await smsGateway(async (from) => {
      sent[from as '/one'] += 1;
      if (sent['/one'] > 0 && sent['/two'] > 0) both.resolve();
      await both.promise;
      // From its tenth on, the first process hears nothing of its messages, and so never ends its jobs.
      if (from !== '/one' || sent['/one'] < 10) return;
      held += 1;
      await new Promise(() => undefined);
    });
    const processes = await Promise.all(
      ['/one', '/two'].map((path) =>
        spawnServer({ database, settings: { environment: { SMS_URL: gateway.url + path }, distDir: null } }),
      ),
    );
    try {
      const runAt = await now(db);
      const jobs = Array.from({ length: RECEIPTS }, (_, at) => ({
        kind: 'receipt.send',
        lane: `receipt:${at % 4}`,
        runAt,
        payload: { orderId: order.orderId, language: 'en' },
      }));
      await enqueue(db, ...jobs);
      const left = async () =>
        (await db.selectFrom('jobs').select('id').where('kind', '=', 'receipt.send').execute()).length;
      await expect.poll(() => held).toBeGreaterThan(0);
      await processes[0]!.kill();
      const cutOff = held;
      const running = async () =>
        (
          await db
            .selectFrom('jobs')
            .select('id')
            .where('kind', '=', 'receipt.send')
            .where('state', '=', 'RUN')
            .execute()
        ).length;
      // The other one does all but what the first was in the middle of.
      await expect.poll(async () => (await left()) === (await running())).toBe(true);
      const orphans = await left();
      await db.updateTable('jobs').set({ lease_until: 0 }).where('kind', '=', 'receipt.send').execute();
      await expect.poll(left).toBe(0);
      // Twice is only what was said, and could not be noted.
      expect(orphans).toBeGreaterThanOrEqual(cutOff);
      expect(sent['/two']).toBeGreaterThan(orphans);
      const total = sent['/one'] + sent['/two'];
      expect([total >= RECEIPTS + cutOff, total <= RECEIPTS + orphans]).toEqual([true, true]);
    } finally {
      for (const one of processes) await one.stop();
      gateway.stop();
      await db.destroy();
      await database.drop();
    }
  });
});

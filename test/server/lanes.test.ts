import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeAll, describe, expect, test } from 'vitest';
import { jobs } from '../../src/server/call/jobs.ts';
import { openDb, type Root } from '../../src/server/store/db.ts';
import { enqueue } from '../../src/server/store/jobs.ts';
import { raiseOffset, readSystem } from '../../src/server/store/system.ts';
import { EMBEDDED_BANK } from '../../src/server/providers/bank.ts';
import { bankSecret } from '../../src/server/vendors/bankDesk.ts';
import { engines, startServer, testDatabase, type TestServer } from '../kit/server.ts';
import { openShop, PICKUP, visitor } from './shop.ts';

const HANGING = 30;

/** A bank that takes every payment, and answers no question about one. */
async function muteBank(bank: () => string) {
  const asked: ServerResponse[] = [];
  let gone = 0;
  const between = createServer((request, response) => {
    if (request.url?.endsWith('/bank/api/status')) {
      asked.push(response);
      response.on('close', () => (gone += 1));
      return;
    }
    void (async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const headers = Object.entries(request.headers).filter(([name]) =>
        /^(content-type|accept-language|x-bank)/.test(name),
      );
      const answer = await fetch(bank() + request.url!, {
        method: 'POST',
        headers: headers as [string, string][],
        body: Buffer.concat(chunks),
      });
      response.writeHead(answer.status, [...answer.headers].flat());
      response.end(await answer.text());
    })();
  });
  await new Promise<void>((done) => between.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${(between.address() as AddressInfo).port}`,
    asked,
    gone: () => gone,
    stop() {
      between.closeAllConnections();
      between.close();
    },
  };
}

describe.each(await engines())('lanes of jobs on %s', (engine) => {
  let server: TestServer;
  let db: Root;
  let bank: Awaited<ReturnType<typeof muteBank>>;
  beforeAll(async () => {
    const database = await testDatabase(engine);
    const first = await startServer({ database });
    ({ db } = await openDb(database.target));
    const secret = await bankSecret(db);
    await first.stop();
    bank = await muteBank(() => server.url);
    server = await startServer({
      database,
      settings: {
        environment: {
          BANK_URL: bank.url,
          BANK_MERCHANT: EMBEDDED_BANK.merchant,
          BANK_SECRET: secret,
          BANK_VPA: EMBEDDED_BANK.payee.vpa,
        },
      },
    });
    await openShop(server);
    return async () => {
      bank.stop();
      await db.destroy();
      await database.drop();
    };
  });
  test('while the bank answers no question about thirty payments, the store hears of a cash order before all of them are given up', async () => {
    for (let at = 0; at < HANGING; at += 1) {
      const who = await visitor(server, 'IN', PICKUP);
      await who.fill(1, 'M');
      expect((await who.submit({ paymentMode: 'UPI' })).status).toBe(200);
    }
    // Their checks fall due; nobody does them one by one, as a move of the clock would.
    const { offsetMs } = await readSystem(db);
    await raiseOffset(db, offsetMs + 60_000);
    await expect.poll(() => bank.asked.length).toBeGreaterThan(1);
    const { order } = await (await visitor(server, 'IN', PICKUP)).order({ paymentMode: 'COD' });
    const told = async () =>
      (await db.selectFrom('outbox').select('sent_at').where('order_id', '=', order.orderId).execute()).every(
        ({ sent_at }) => sent_at !== null,
      );
    await expect.poll(told).toBe(true);
    expect(bank.gone()).toBeLessThan(HANGING);
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

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as payments from '../../src/contract/payments.ts';
import * as orders from '../../src/contract/orders.ts';
import { openDb, type Root } from '../../src/server/store/db.ts';
import { bankSecret } from '../../src/server/vendors/bankDesk.ts';
import { startServer, testDatabase, type TestServer } from '../kit/server.ts';
import { bankAt, bankBetween } from './bankBetween.ts';
import { violations } from './invariants.ts';
import { member, openShop, pay, PICKUP, type Customer } from './shop.ts';

describe('a bank that does not answer', () => {
  let server: TestServer;
  let db: Root;
  let bank: Awaited<ReturnType<typeof bankBetween>>;
  let mood: 'well' | 'away' | 'mute' = 'well';
  beforeAll(async () => {
    const database = await testDatabase();
    ({ db } = await openDb(database.target));
    await (await startServer({ database })).stop();
    bank = await bankBetween(
      () => server.url,
      () => mood,
    );
    server = await startServer({
      database,
      settings: bankAt(bank.url, await bankSecret(db)),
    });
    await openShop(server);
    return async () => {
      await server.stop();
      bank.stop();
      await db.destroy();
      await database.drop();
    };
  });
  afterAll(async () => {
    mood = 'well';
    await server.advance(1);
    expect(await violations(db, { settled: true, ackedOrders: [] })).toEqual([]);
  });

  const asks = (path: string) => bank.asked.filter((one) => one.endsWith(path)).length;
  const reasonOf = async (who: Customer, mode: string) =>
    (await who.call(payments.options, {})).body.options.find(({ id }) => id === mode)?.disabledReason;
  const job = async () => await db.selectFrom('jobs').select('attempts').where('kind', '=', 'refund.send').execute();
  const provider = async () => {
    const { checks } = (await (await fetch(`${server.url}/ready`)).json()) as {
      checks: { providers: { status: string; away?: { provider: string; state: string; failure: string }[] } };
    };
    return checks.providers;
  };

  test('is left alone: its modes say so, the others take the order, refunds wait, one call tries whether it is back', async () => {
    const who = await member(server, 'IN', PICKUP);
    // An order that was paid, and is given back while nobody answers.
    const paid = await who.order({ paymentMode: 'UPI' });
    await pay(server, paid.next);
    expect((await who.confirm(paid.order)).order.orderStatus).toBe('ORDER PLACED');

    mood = 'away';
    const tried = [];
    // Each start is tried twice, so that the third of them meets a bank that is left alone already.
    for (let at = 0; at < 3; at += 1) tried.push(await who.order({ paymentMode: 'UPI' }));
    expect(tried.map(({ order }) => [order.orderStatus, order.payment.state])).toEqual(
      tried.map(() => ['PENDING', 'FAILED']),
    );
    expect(asks('charges')).toBe(1 + 5);
    const before = bank.asked.length;

    expect(await provider()).toMatchObject({
      status: 'warning',
      away: [{ provider: 'bank', failure: expect.stringMatching(/^\w+$/) as string }],
    });
    expect((await fetch(`${server.url}/ready`)).status).toBe(200);
    expect((await who.cancel(paid.order.orderId)).status).toBe(200);

    // What is tried now by itself: one call a second, then every two, four, ...
    mood = 'mute';
    await expect.poll(() => bank.waiting.length).toBe(1);
    const says = await reasonOf(who, 'UPI');
    expect(says).toMatch(/^UPI takes no payments right now\. Nothing is lost: please pay in another way/);
    expect([await reasonOf(who, 'CARD'), await reasonOf(who, 'COD')]).toEqual([
      expect.stringContaining('takes no payments right now'),
      undefined,
    ]);
    await who.fill();
    const refused = await who.submit({ paymentMode: 'UPI' });
    expect([refused.status, refused.body.errors?.[0]]).toEqual([
      422,
      expect.objectContaining({ code: 'PROVIDER_AWAY', displayMsg: says, field: 'paymentMode' }),
    ]);
    expect((await who.cart()).validItems).toHaveLength(1);
    const cash = await who.submit({ paymentMode: 'COD' });
    expect([cash.status, cash.body.order.orderStatus]).toEqual([200, 'ORDER PLACED']);
    // An order whose payment could not begin is paid in another way.
    const again = await who.call(
      payments.retry,
      { body: { orderId: tried[0]!.order.orderId, paymentMode: 'COD' } },
      { 'idempotency-key': 'another-way-1' },
    );
    expect(again.status).toBe(200);
    expect(bank.waiting).toHaveLength(1);
    expect(bank.asked.length - before).toBeLessThanOrEqual(3);

    // The tries while nobody answered do not count.
    expect((await job())[0]?.attempts).toBeLessThan(2);
    mood = 'well';
    for (const one of bank.waiting) one.destroy();
    await expect.poll(async () => (await provider()).status).toBe('ok');
    expect(await reasonOf(who, 'UPI')).toBeUndefined();
    await expect.poll(job).toEqual([]);
    expect(asks('refunds')).toBeGreaterThan(0);
    const { next } = await who.order({ paymentMode: 'UPI' });
    expect(next.kind).toBe('upi');
    for (const { order } of tried.slice(1))
      await who.call(orders.cancel, { orderId: order.orderId }, { 'idempotency-key': order.orderId });
  });
});

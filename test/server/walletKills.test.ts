import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as linked from '../../src/contract/linkedWallets.ts';
import * as orders from '../../src/contract/orders.ts';
import * as vouchers from '../../src/contract/vouchers.ts';
import * as wallet from '../../src/contract/wallet.ts';
import {
  bothEngines,
  spawnServer,
  testDatabase,
  type SpawnedServer,
  type TestDatabase,
  type TestServer,
} from '../kit/server.ts';
import { violationsAt } from './invariants.ts';
import { codeFor, freshMobile } from './people.ts';
import { Customer, member, openShop, pay, PICKUP } from './shop.ts';

/** All of them took three minutes and passed; a run takes those around the commit that moves the money. */
const isAll = process.env['KILLS'] === 'all';
const MOMENTS = isAll
  ? ['before:1', 'after:1', 'before:2', 'after:2', 'before:3', 'after:3', 'before:4', 'after:4']
  : ['before:1', 'after:1'];
const provider = 'PAYTM';

/** The process dies at a commit of the call; whoever repeats the call finds the balances moved once, or not at all. */
describe.each(await bothEngines())('a server that is killed while balances pay, on %s', (engine) => {
  let database: TestDatabase;
  let running: SpawnedServer;
  // What a customer calls: whichever process runs now.
  const anywhere = {
    call: ((...input: Parameters<TestServer['call']>) => running.call(...input)) as TestServer['call'],
    inbox: (mobile?: string) => running.inbox(mobile),
    get url() {
      return running.url;
    },
  } as TestServer;
  const start = () => spawnServer({ database, killable: true, settings: { distDir: null } });
  beforeAll(async () => {
    database = await testDatabase(engine);
    running = await start();
    await openShop(running);
  });
  afterAll(async () => {
    await running.advance(1_000);
    expect(await violationsAt(database.target, { settled: true })).toEqual([]);
    await running.stop();
    await database.drop();
  });

  /** Calls with the wish to die, then again until there is an answer. True: it died. */
  async function dying<T extends { status: number }>(
    moment: string,
    call: (headers: Record<string, string>) => Promise<T>,
  ): Promise<{ died: boolean; answer: T }> {
    let died = false;
    let answer = await call({ 'x-test-kill': moment }).catch(() => null);
    if (answer === null) {
      died = true;
      await running.ended;
      expect(await violationsAt(database.target)).toEqual([]);
      running = await start();
    }
    for (let tries = 0; answer === null || answer.status >= 500 || answer.status === 409; tries += 1) {
      expect(tries).toBeLessThan(100);
      answer = await call({}).catch(() => null);
      if (answer === null || answer.status >= 500 || answer.status === 409)
        await new Promise((done) => setTimeout(done, 100));
    }
    return { died, answer };
  }

  test('a submit with the wallet: taken once with the order, at whichever commit it dies [PAY-14] [PAY-25]', async () => {
    let deaths = 0;
    for (const moment of MOMENTS) {
      const one = await member(anywhere, 'IN', PICKUP);
      await anywhere.call(wallet.credit, { body: { mobile: one.mobile, amount: 9_000 } });
      const { version, bill } = await one.fill();
      const key = randomUUID();
      const { died, answer } = await dying(moment, (headers) =>
        one.submit({ key, cartVersion: version, total: bill.total, headers, body: { funds: { wallet: 9_000 } } }),
      );
      deaths += Number(died);
      expect(answer.status, JSON.stringify(answer.body)).toBe(200);
      expect((await one.call(wallet.balance, {})).body.balance).toBe(0);
      expect((await one.call(orders.recent, {})).body.orders).toHaveLength(1);
      if (answer.body.next.kind === 'upi') await pay(anywhere, answer.body.next);
      expect((await one.confirm(answer.body.order)).order).toMatchObject({
        orderStatus: 'ORDER PLACED',
        parts: [{ amount: 9_000 }],
      });
    }
    expect(deaths).toBeGreaterThan(1);
  });

  test('a cancel: every part goes back once [PAY-09]', async () => {
    let deaths = 0;
    for (const moment of isAll ? MOMENTS : ['after:1']) {
      const one = await member(anywhere, 'IN', PICKUP);
      const card = (await anywhere.call(vouchers.issue, { body: { amount: 50_000 } })).body;
      await one.call(vouchers.link, { body: { number: card.number, pin: card.pin } });
      const { version, bill } = await one.fill();
      const { body } = await one.submit({
        cartVersion: version,
        total: bill.total,
        paymentMode: 'EGV',
        body: { funds: { vouchers: [{ voucherId: card.voucherId, amount: bill.total }] } },
      });
      const key = randomUUID();
      const { died, answer } = await dying(moment, (headers) =>
        one.call(orders.cancel, { orderId: body.order.orderId }, { 'idempotency-key': key, ...headers }),
      );
      deaths += Number(died);
      expect(answer.body.order.orderStatus).toBe('CANCELLED');
      expect((await one.call(vouchers.balance, {})).body.vouchers[0]!.balance).toBe(50_000);
    }
    expect(deaths).toBeGreaterThan(0);
  });

  test('a linked wallet: debited once, whatever died between the provider and us [PAY-11]', async () => {
    let deaths = 0;
    for (const moment of isAll ? ['before:1', 'after:1'] : ['after:1']) {
      const one: Customer = await member(anywhere, 'IN', PICKUP);
      const mobile = freshMobile();
      const { state } = (await one.call(linked.link, { provider, body: { mobile } })).body;
      await one.call(linked.verify, { provider, body: { state, code: await codeFor(anywhere, mobile) } });
      await one.fill();
      const { order } = (await one.submit({ paymentMode: 'PAYTM', body: { linked: true } })).body;
      const before = (await one.call(linked.balance, { provider })).body.wallet.balance!;
      const { died, answer } = await dying(moment, (headers) =>
        one.call(linked.redeem, { provider, body: { transactionId: order.transactionId } }, headers),
      );
      deaths += Number(died);
      expect(answer.body.payment.state).toBe('CAPTURED');
      expect((await one.call(linked.balance, { provider })).body.wallet.balance).toBe(before - order.bill.total);
    }
    expect(deaths).toBeGreaterThan(0);
  });
});

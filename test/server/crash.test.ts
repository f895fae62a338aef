import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import * as cart from '../../src/contract/cart.ts';
import * as orders from '../../src/contract/orders.ts';
import * as payments from '../../src/contract/payments.ts';
import { submitSteps } from '../../src/server/rules/checkout/submit.ts';
import { failOrder } from '../../src/server/rules/order/cancellation.ts';
import { countRedemption, release } from '../../src/server/store/coupons.ts';
import { openDb, transact, type Db, type Root } from '../../src/server/store/db.ts';
import { lockOrder } from '../../src/server/store/orders.ts';
import { lockUser } from '../../src/server/store/sessions.ts';
import { noteChange, readSystem } from '../../src/server/store/system.ts';
import { IS_ALL } from '../kit/matrix.ts';
import {
  bothEngines,
  spawnServer,
  startServer,
  testDatabase,
  type SpawnedServer,
  type TestServer,
} from '../kit/server.ts';
import { violations, violationsAt } from './invariants.ts';
import { codeFor, codeOf, freshMobile, guest } from './people.ts';
import { Customer, member, openShop, pay, type Placed, PLACES, visitor } from './shop.ts';
import { shopHere } from './shopHere.ts';

const place = PLACES['IN']!;

/** Until a transaction of PostgreSQL waits for another. */
async function waiting(db: Db): Promise<void> {
  await expect
    .poll(async () => {
      const { rows } =
        await sql`select 1 from pg_locks where not granted and locktype in ('transactionid', 'tuple')`.execute(db);
      return rows.length;
    })
    .toBeGreaterThan(0);
}

const CROWD = IS_ALL ? 64 : 16;

describe.each(await bothEngines())('a submit between its steps on %s', (engine) => {
  const { server, db } = shopHere({ engine }, 1);
  afterEach(() => {
    submitSteps.before = null;
  });

  /** The process ends at this step, as far as this call can tell: what was not committed is gone. */
  function dieAt(step: string): void {
    submitSteps.before = (now) => {
      if (now === step) throw new Error(`killed before ${step}`);
    };
  }

  test.each(['price', 'redeem', 'commit'] as const)(
    'ended before "%s": nothing has happened, and the same key makes the order [PAY-14] [API-X02]',
    async (step) => {
      const customer = await member(server);
      await customer.fill(2, 'M');
      await customer.coupon('WELCOME50');
      const { quote } = (await customer.validate({ paymentMode: 'UPI' })).body;
      const wish = { key: randomUUID(), cartVersion: quote.cartVersion, total: quote.bill.total };
      dieAt(step);
      expect((await customer.submit(wish)).status).toBe(500);
      submitSteps.before = null;
      expect((await customer.cart()).version).toBe(quote.cartVersion);
      expect((await customer.call(orders.recent, {})).body.orders).toEqual([]);
      expect(await violations(db)).toEqual([]);
      const answer = await customer.submit(wish);
      expect(answer.status, JSON.stringify(answer.body)).toBe(200);
      expect(answer.body.order.bill.total).toBe(quote.bill.total);
      expect((await customer.call(orders.recent, {})).body.orders).toHaveLength(1);
    },
  );

  test('ended between commit and payment: the order is there, and the same key goes on with its payment [PAY-X01] [API-X02]', async () => {
    const customer = await visitor(server);
    const { version, bill } = await customer.fill();
    const wish = { key: randomUUID(), cartVersion: version, total: bill.total };
    dieAt('start');
    expect((await customer.submit(wish)).status).toBe(500);
    const [made] = (await customer.call(orders.recent, {})).body.orders;
    expect(made).toMatchObject({ orderStatus: 'PENDING', payment: { state: 'CREATED' } });
    submitSteps.before = null;
    const answer = await customer.submit(wish);
    expect(answer.body).toMatchObject({ order: { orderId: made!.orderId }, next: { kind: 'upi' } });
    await pay(server, answer.body.next);
    expect((await customer.confirm(answer.body.order)).order.orderStatus).toBe('ORDER PLACED');
  });

  test('ended there, and only asked by key afterwards: the payment is started then [PAY-X01]', async () => {
    const customer = await visitor(server);
    const { version, bill } = await customer.fill();
    const key = randomUUID();
    dieAt('start');
    await customer.submit({ key, cartVersion: version, total: bill.total });
    submitSteps.before = null;
    const { body } = await customer.call(orders.byKey, { key });
    expect(body).toMatchObject({ order: { payment: { state: 'SENT' } }, next: { kind: 'upi' } });
  });

  test('never asked again: it fails after fifteen minutes and costs nothing [ORD-22]', async () => {
    const customer = await visitor(server);
    const { version, bill } = await customer.fill();
    dieAt('start');
    await customer.submit({ cartVersion: version, total: bill.total });
    submitSteps.before = null;
    await server.advance(905);
    expect((await customer.call(orders.recent, {})).body.orders).toMatchObject([
      { orderStatus: 'FAILED', payment: { state: 'FAILED' }, refund: null },
    ]);
  });

  test('what is put into the cart during a submit is in the next cart, not in the order', async () => {
    const customer = await visitor(server);
    const { version, bill } = await customer.fill();
    let rival: Promise<unknown> = Promise.resolve();
    submitSteps.before = (step) => {
      if (step === 'redeem') rival = customer.fill(3);
    };
    const { body } = await customer.submit({ cartVersion: version, total: bill.total });
    await rival;
    expect(body.order.lines.map((line) => line.quantity)).toEqual([1]);
    expect(
      (await customer.cart()).validItems.filter((line) => line.free !== true).map((line) => line.quantity),
    ).toEqual([3]);
  });

  test(`${CROWD} customers at once for five uses of a coupon: five get it, the others hear why and pay nothing [OFF-27]`, async () => {
    await limitCoupon(db, 'UPI75', 5);
    const all = await Promise.all(
      Array.from({ length: CROWD }, async () => {
        const one = await visitor(server);
        await one.fill(1, 'L');
        await one.fill(1, 'L');
        expect((await one.coupon('UPI75')).status).toBe('SUCCESS');
        const { quote } = (await one.validate({ paymentMode: 'UPI' })).body;
        return { one, quote };
      }),
    );
    const answers = await Promise.all(
      all.map(async ({ one, quote }) => {
        const wish = { key: randomUUID(), cartVersion: quote.cartVersion, total: quote.bill.total };
        let answer = await one.submit(wish);
        // A database that is busy says so, and a client asks again with the same key.
        while (answer.status === 503) answer = await one.submit(wish);
        return answer;
      }),
    );
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(5);
    const refused = answers.filter((answer) => answer.status !== 200);
    expect(new Set(refused.map((answer) => `${answer.status} ${codeOf(answer)}`))).toEqual(
      new Set(['409 COUPON_SOLD_OUT']),
    );
    expect(
      (
        await db
          .selectFrom('coupon_states')
          .selectAll()
          .where('country', '=', 'IN')
          .where('code', '=', 'UPI75')
          .executeTakeFirstOrThrow()
      ).used,
    ).toBe(5);
    // One who lost sees the new price and may still order.
    const loser = all[answers.findIndex((answer) => answer.status !== 200)]!.one;
    expect((await loser.submit()).status).toBe(200);
  });

  async function limitCoupon(on: Root, code: string, total: number): Promise<void> {
    const of = (query: { body: string }) => JSON.parse(query.body) as { usage: { total: number | null } };
    const row = await on
      .selectFrom('catalogue_entries')
      .selectAll()
      .where('country', '=', 'IN')
      .where('kind', '=', 'coupon')
      .where('id', '=', code)
      .executeTakeFirstOrThrow();
    const coupon = of(row);
    await on
      .updateTable('catalogue_entries')
      .set({ body: JSON.stringify({ ...coupon, usage: { ...coupon.usage, total } }) })
      .where('country', '=', 'IN')
      .where('kind', '=', 'coupon')
      .where('id', '=', code)
      .execute();
    await on
      .updateTable('catalogue_versions')
      .set({ version: `limited-${code}` })
      .where('country', '=', 'IN')
      .execute();
    await noteChange(on);
  }
});

const CLIENTS = 8;
/** A second one kills what came up after the first. */
const ROUNDS = IS_ALL ? 2 : 1;

/** Submits again under the same key until the answer is definite, through restarts. */
async function insist(submit: () => Promise<Placed>): Promise<Placed> {
  for (let tries = 0; tries < 200; tries += 1) {
    try {
      const answer = await submit();
      if (answer.status < 500 && codeOf(answer) !== 'IN_PROGRESS') return answer;
    } catch {
      /* the server is away: it comes back */
    }
    await new Promise((done) => setTimeout(done, 100));
  }
  throw new Error('no definite answer');
}

describe.each(await bothEngines())('a server process that is killed during submits on %s', (engine) => {
  test('no acknowledged order is lost, no order is made twice, every client gets a definite answer [API-X02]', async () => {
    const database = await testDatabase(engine);
    let server: SpawnedServer = await spawnServer({ database });
    await openShop(server);
    // What a client calls: whichever process runs now.
    const anywhere = {
      call: ((...input: Parameters<TestServer['call']>) => server.call(...input)) as TestServer['call'],
    } as TestServer;
    const acked: string[] = [];
    const keys: { customer: Customer; key: string; orderId: string }[] = [];
    let isOver = false;
    // Enough that every client is in the middle of one when the process dies; more only keep the machine busy.
    let wanted = 0;
    const clients = Array.from({ length: CLIENTS }, async () => {
      while (!isOver) {
        if (acked.length >= wanted) {
          await new Promise((done) => setTimeout(done, 10));
          continue;
        }
        const customer = new Customer(
          anywhere,
          await again(() => guest(anywhere)),
          place.where,
          place.productId,
          freshMobile(),
        );
        await again(() => customer.fill());
        const { quote } = (await again(() => customer.validate({ paymentMode: 'UPI' }))).body;
        const key = randomUUID();
        const answer = await insist(() =>
          customer.submit({ key, cartVersion: quote.cartVersion, total: quote.bill.total }),
        );
        expect(answer.status, JSON.stringify(answer.body)).toBe(200);
        acked.push(answer.body.order.orderId);
        keys.push({ customer, key, orderId: answer.body.order.orderId });
        if (answer.body.next.kind === 'upi') await pay(server, answer.body.next).catch(() => '');
      }
    });
    for (let round = 0; round < ROUNDS; round += 1) {
      const before = acked.length;
      wanted = before + 6 + CLIENTS;
      await until(() => acked.length >= before + 6);
      await server.kill();
      server = await spawnServer({ database });
      expect(await violationsAt(database.target, { ackedOrders: acked })).toEqual([]);
    }
    isOver = true;
    await Promise.all(clients);
    for (const { customer, key, orderId } of keys)
      expect((await customer.call(orders.byKey, { key })).body.order.orderId).toBe(orderId);
    // Everything that was begun settles: what was paid is under way, the rest has failed.
    await server.advance(1000);
    expect(await violationsAt(database.target, { ackedOrders: acked, settled: true })).toEqual([]);
    const { db } = await openDb(database.target);
    const open = await db.selectFrom('orders').select('id').where('status', '=', 'PENDING').execute();
    const mine = await db.selectFrom('orders').select('id').execute();
    await db.destroy();
    expect(open).toEqual([]);
    expect(mine.length).toBe(acked.length);
    await server.stop();
    await database.drop();
  });

  async function again<T>(work: () => Promise<T>): Promise<T> {
    for (let tries = 0; ; tries += 1) {
      try {
        return await work();
      } catch (error) {
        if (tries > 200) throw error;
        await new Promise((done) => setTimeout(done, 100));
      }
    }
  }
  async function until(holds: () => boolean): Promise<void> {
    while (!holds()) await new Promise((done) => setTimeout(done, 10));
  }
});

describe.each((await bothEngines()).filter((engine) => engine === 'postgres'))(
  'who waits for a submit on %s',
  (engine) => {
    const { server, db } = shopHere({ engine });
    afterEach(() => {
      submitSteps.before = null;
    });

    test('a cart that is made while a submit waits for its customer is locked like any other', async () => {
      const [customer, other] = [await visitor(server), await visitor(server)];
      const { version, bill } = await other.fill();
      const free: string[] = [];
      submitSteps.before = async (step) => {
        if (step !== 'redeem') return;
        const { rows } = await sql<{
          id: string;
        }>`select id from carts where id = ${customer.cartId} for update skip locked`.execute(db);
        free.push(...rows.map(({ id }) => id));
      };
      let submitted: Promise<Placed> | undefined;
      await db.transaction().execute(async (tx) => {
        await lockUser(tx, customer.userId);
        submitted = customer.submit({ cartVersion: version, total: bill.total });
        await waiting(tx);
        await customer.fill();
      });
      expect((await submitted)!.status).toBe(200);
      expect(free).toEqual([]);
    });

    test('an order that fails and one that is submitted take the cart and its coupons in the same order', async () => {
      const customer = await visitor(server);
      const held = async () => {
        await customer.fill(2, 'L');
        expect((await customer.coupon('UPI75')).status).toBe('SUCCESS');
        const answer = await customer.submit();
        expect(answer.status, JSON.stringify(answer.body)).toBe(200);
        return answer.body.order;
      };
      const { orderId, transactionId } = await held();
      await db.updateTable('payments').set({ state: 'FAILED' }).where('id', '=', transactionId).execute();
      const tries = { submit: 0, fail: 0 };
      let failed: Promise<boolean> | undefined;
      submitSteps.before = async (step) => {
        if (step !== 'redeem') return;
        tries.submit += 1;
        failed ??= transact(db, async (tx) => {
          tries.fail += 1;
          return await failOrder(tx, (await lockOrder(tx, orderId))!, (await readSystem(tx)).now);
        });
        await waiting(db);
      };
      await held();
      expect(await failed).toBe(true);
      expect(tries).toEqual({ submit: 1, fail: 1 });
    });

    test('an order gives coupons back in the order in which others use them up', async () => {
      const codes = ['SAVE15', 'FLAT100'];
      const uses = codes.map((code) => ({
        country: 'IN',
        code,
        holder: 'user:x',
        slot: 'x',
        order_id: 'x',
        redeemed_at: 0,
      }));
      for (const use of uses) await db.insertInto('coupon_redemptions').values(use).execute();
      await db
        .updateTable('coupon_states')
        .set({ used: 5 })
        .where('country', '=', 'IN')
        .where('code', 'in', codes)
        .execute();
      const tries = { use: 0, release: 0 };
      let released: Promise<void> | undefined;
      await transact(db, async (tx) => {
        tries.use += 1;
        await countRedemption(tx, 'IN', 'FLAT100', null);
        released ??= transact(db, async (other) => {
          tries.release += 1;
          await release(other, 'x');
        });
        await waiting(tx);
        await countRedemption(tx, 'IN', 'SAVE15', null);
      });
      await released;
      expect(tries).toEqual({ use: 1, release: 1 });
      const { rows } = await sql<{ used: number }>`select used from coupon_states where country = 'IN'
      and code in ('SAVE15', 'FLAT100')`.execute(db);
      expect(rows.map(({ used }) => used)).toEqual([5, 5]);
    });
  },
);

describe.each((await bothEngines()).filter((engine) => engine === 'postgres'))('two processes on one %s', (engine) => {
  let one: TestServer;
  let two: SpawnedServer;
  beforeAll(async () => {
    one = await startServer({ engine });
    two = await spawnServer({ database: one.database });
    await openShop(one);
  });
  afterAll(async () => {
    await two.stop();
    expect(await violationsAt(one.database.target, { settled: true })).toEqual([]);
    await one.stop();
  });
  const on = (server: TestServer, customer: Customer) =>
    new Customer(server, customer.person, customer.where, customer.productId, customer.mobile);

  test('the same key at both makes one order and the same bytes [API-X02]', async () => {
    const customer = await visitor(one);
    const { version, bill } = await customer.fill();
    const wish = { key: randomUUID(), cartVersion: version, total: bill.total };
    const other = on(two, customer);
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, n) => (n % 2 === 0 ? customer : other).submit(wish)),
    );
    expect(new Set(answers.map((answer) => JSON.stringify(answer.body))).size).toBe(1);
    expect(answers[0]!.status).toBe(200);
    const { next, order } = answers[0]!.body;
    await pay(two, next);
    expect((await other.confirm(order)).order.orderStatus).toBe('ORDER PLACED');
    expect((await customer.read(order.orderId)).orderStatus).toBe('ORDER PLACED');
  });

  test('a code sent by one is right at the other; the clock of one is the clock of both; every step happens once [API-X04]', async () => {
    const customer = await visitor(one);
    const other = on(two, customer);
    const { order } = await customer.order({ paymentMode: 'COD' });
    const verified = await other.call(payments.codOtp, {
      transactionId: order.transactionId,
      body: { code: await codeFor(two, customer.mobile) },
    });
    expect(verified.body.verified).toBe(true);
    await Promise.all([one.advance(700), two.advance(10)]);
    expect((await other.read(order.orderId)).orderStatus).toBe('PICKED UP');
    expect((await customer.call(cart.byId, { cartId: customer.cartId, query: {} })).body.cart.validItems).toEqual([]);
    await two.advance(800);
    expect((await on(one, other).read(order.orderId)).orderStatus).toBe('DELIVERED');
  });
});

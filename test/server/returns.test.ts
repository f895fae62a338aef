import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import * as cart from '../../src/contract/cart.ts';
import * as orders from '../../src/contract/orders.ts';
import { jobs } from '../../src/server/call/jobs.ts';
import type { ProviderStatus } from '../../src/server/call/payments.ts';
import type { Services } from '../../src/server/call/services.ts';
import { engines } from '../kit/server.ts';
import { codeOf, logIn } from './people.ts';
import { Customer, openedShop, pay, PICKUP, visitor } from './shop.ts';
import { shopHere } from './shopHere.ts';

/** What is in a cart, in words that do not depend on ids. */
const contents = async (customer: Customer) =>
  (await customer.cart()).validItems
    .filter((line) => line.free !== true)
    .map((line) => `${line.quantity} ${line.product.id} ${line.size} ${line.note ?? ''}`.trim())
    .sort();

describe.each(await engines())('an order that came to nothing on %s', (engine) => {
  const { server } = shopHere({ engine }, 1);

  const add = (customer: Customer, productId: string, quantity = 1) =>
    customer.call(cart.add, {
      cartId: customer.cartId,
      body: { items: [{ operationId: randomUUID(), line: { lineId: randomUUID(), productId, quantity } }] },
    });

  test('a given-up order’s dishes and coupon come back once, beside newer dishes, and can be ordered again [PAY-23] [CART-X02]', async () => {
    const customer = await visitor(server, 'IN', PICKUP);
    await customer.fill(2, 'M');
    await customer.coupon('SAVE15');
    const before = (await customer.cart()).bill.total;
    const {
      body: { order },
    } = await customer.submit();
    expect(await contents(customer)).toEqual([]);
    const key = randomUUID();
    await customer.cancel(order.orderId, key);
    expect(await contents(customer)).toEqual(['2 PZ001 M']);
    const back = await customer.cart();
    expect([back.bill.total, back.offers.find((offer) => offer.code === 'SAVE15')?.status]).toEqual([
      before,
      'APPLIED',
    ]);
    await customer.cancel(order.orderId, key);
    await customer.cancel(order.orderId);
    expect(await contents(customer)).toEqual(['2 PZ001 M']);
    const given = await customer.read(order.orderId);
    expect([given.orderStatus, given.retryAt]).toEqual(['FAILED', undefined]);

    const again = await customer.submit();
    expect(again.status).toBe(200);
    await add(customer, 'SD001', 3);
    await customer.cancel(again.body.order.orderId);
    expect(await contents(customer)).toEqual(['2 PZ001 M', '3 SD001 ONE']);
  });

  test('tip, bag, cutlery and offer come back with the dishes if none were chosen since, and change none that were [CART-X02]', async () => {
    const customer = await visitor(server);
    const choose = (options: object) =>
      customer.call(cart.change, { cartId: customer.cartId, body: { items: [], options } });
    const stand = async () => {
      const { options, offers } = await customer.cart();
      return [options, offers.filter(({ code }) => code !== 'FREEDIP').map(({ code }) => code)];
    };
    const ordered = { tip: 2000, carryBag: true, cutlery: true };
    await customer.fill(2, 'M');
    await choose(ordered);
    await customer.coupon('SAVE15');
    const first = (await customer.submit()).body.order;
    expect(await stand()).toEqual([{ tip: 0, carryBag: false, cutlery: false }, []]);
    const { version } = await customer.cart();
    await customer.cancel(first.orderId);
    expect(await stand()).toEqual([ordered, ['SAVE15']]);
    expect((await customer.cart()).version).toBeGreaterThan(version);

    const second = (await customer.submit()).body.order;
    await customer.fill(3, 'M');
    await choose({ tip: 1000 });
    await customer.coupon('FLAT100');
    await customer.cancel(second.orderId);
    expect(await contents(customer)).toEqual(['2 PZ001 M', '3 PZ001 M']);
    expect(await stand()).toEqual([{ tip: 1000, carryBag: false, cutlery: false }, ['FLAT100']]);
  });

  test('never paid: after 15 minutes the cart is back by itself, and the order says when to try again [PAY-23] [CART-X02]', async () => {
    const customer = await visitor(server, 'IN', PICKUP);
    const { order } = await customer.order();
    await server.advance(901);
    const failed = await customer.read(order.orderId);
    expect([failed.orderStatus, failed.retryAt]).toEqual(['FAILED', failed.steps.at(-1)!.at! + 15 * 60_000]);
    expect(await contents(customer)).toEqual(['1 PZ001 R']);
  });

  test("somebody who logged in since finds it in the account's cart [CART-X02]", async () => {
    const customer = await visitor(server, 'IN', PICKUP);
    const { order } = await customer.order();
    const member = new Customer(
      server,
      await logIn(server, customer.mobile, 'in-web', customer.person),
      PICKUP,
      'PZ001',
      customer.mobile,
    );
    await add(member, 'SD001');
    await member.cancel(order.orderId);
    expect(await contents(member)).toEqual(['1 PZ001 R', '1 SD001 ONE']);
  });

  test('a removal made elsewhere before does not take it away again, and it can be changed as any line [CART-X03]', async () => {
    const customer = await visitor(server, 'IN', PICKUP);
    const filled = await customer.fill();
    const {
      body: { order },
    } = await customer.submit();
    await customer.cancel(order.orderId);
    await customer.call(cart.change, {
      cartId: customer.cartId,
      body: { items: [{ operationId: randomUUID(), lineId: filled.validItems[0]!.lineId, quantity: 0 }] },
    });
    expect(await contents(customer)).toEqual(['1 PZ001 R']);
    const [line] = (await customer.cart()).validItems;
    await customer.call(cart.change, {
      cartId: customer.cartId,
      body: { items: [{ operationId: randomUUID(), lineId: line!.lineId, quantity: 4 }] },
    });
    expect(await contents(customer)).toEqual(['4 PZ001 R']);
  });

  test('a paid order gives nothing back [PAY-18]', async () => {
    const customer = await visitor(server, 'IN', PICKUP);
    const { order, next } = await customer.order();
    await pay(server, next);
    await customer.confirm(order);
    expect((await customer.cancel(order.orderId)).body.order.orderStatus).toBe('CANCELLED');
    expect(await contents(customer)).toEqual([]);
  });

  test('a withdrawn submit makes no order however late it arrives; one that came first is answered [PAY-14] [PAY-X01] [API-X02]', async () => {
    const customer = await visitor(server, 'IN', PICKUP);
    await customer.fill();
    const lost = randomUUID();
    const answer = await customer.call(orders.withdraw, { key: lost });
    expect([answer.status, answer.body.order]).toEqual([200, null]);
    const late = await customer.submit({ key: lost });
    expect([late.status, codeOf(late)]).toEqual([409, 'WITHDRAWN']);
    expect((await customer.call(orders.recent, {})).body.orders).toEqual([]);
    expect(await contents(customer)).toEqual(['1 PZ001 R']);
    const key = randomUUID();
    const placed = await customer.submit({ key });
    const found = await customer.call(orders.withdraw, { key });
    expect(found.body.order?.orderId).toBe(placed.body.order.orderId);
    expect(found.body.next?.kind).toBe('upi');
    // The key still answers as before.
    expect((await customer.submit({ key, cartVersion: 0, total: 0 })).status).toBe(422);
    expect(codeOf(await customer.call(orders.withdraw, { key: ' ' }))).toBe('IDEMPOTENCY_KEY');
  });

  test('a submit and its withdrawal at once give either an answered order or none for ever [PAY-14] [API-X02]', async () => {
    for (let n = 0; n < 6; n += 1) {
      const customer = await visitor(server, 'IN', PICKUP);
      await customer.fill();
      const {
        body: { quote },
      } = await customer.validate({ paymentMode: 'UPI' });
      const key = randomUUID();
      const send = () => customer.submit({ key, cartVersion: quote.cartVersion, total: quote.bill.total });
      const withdraw = () => customer.call(orders.withdraw, { key });
      const [submitted, withdrawn] =
        n % 2 === 0
          ? await Promise.all([send(), withdraw()])
          : ((await Promise.all([withdraw(), send()])).toReversed() as [
              Awaited<ReturnType<typeof send>>,
              Awaited<ReturnType<typeof withdraw>>,
            ]);
      const { orders: all } = (await customer.call(orders.recent, {})).body;
      expect(all.map((one) => one.orderId)).toEqual(
        withdrawn.body.order === null ? [] : [withdrawn.body.order.orderId],
      );
      expect(submitted.status).toBe(withdrawn.body.order === null ? 409 : 200);
    }
  });

  test('a refund is asked after every day until it has arrived, or for thirty days, whoever sends it back', async () => {
    // A shop of its own, as no bank knows of this money.
    const { server: own, db, stop } = await openedShop({ engine });
    try {
      const customer = await visitor(own, 'IN', PICKUP);
      const { order, next } = await customer.order();
      await pay(own, next);
      await customer.confirm(order);
      await customer.cancel(order.orderId);
      const refunds = db.selectFrom('refunds').selectAll();
      const { id, expected_from: now } = await refunds.executeTakeFirstOrThrow();
      const [incidents, logged]: string[][] = [[], []];
      let reversal: ProviderStatus['reversal'] = null;
      const services = {
        payments: {
          refund: () => Promise.resolve({ done: false }),
          status: () => Promise.resolve({ reversal }),
        },
        counts: { incident: (kind: string) => incidents!.push(kind) },
        log: { error: (_: object, what: string) => logged!.push(what) },
      } as unknown as Services;
      const asks = (n: number) =>
        jobs.of('refund.check')!({ refundId: id, n } as never, { db, services, now, jobId: 'none', attempt: 1 });
      const nextAt = async (n: number) =>
        (
          await db
            .selectFrom('jobs')
            .select('run_at')
            .where('unique_key', '=', `refund.check:${id}:${n}`)
            .executeTakeFirst()
        )?.run_at;
      await asks(28);
      expect([await nextAt(29), incidents, logged]).toEqual([now + 86_400_000, [], []]);
      await asks(29);
      expect([await nextAt(30), incidents, logged]).toEqual([
        undefined,
        ['REFUND'],
        ['a refund has not arrived after thirty days'],
      ]);
      await db.updateTable('refunds').set({ by_provider: 1 }).execute();
      const state = async () => (await refunds.executeTakeFirstOrThrow()).state;
      for (const [said, is] of [
        [null, 'STARTED'],
        ['UNTOLD', 'STARTED'],
        [{ id: 'r', amount: 1, done: false }, 'STARTED'],
        [{ id: 'r', amount: 1, done: true }, 'PAID'],
      ] as const) {
        reversal = said;
        await asks(0);
        expect([said, await state()]).toEqual([said, is]);
      }
      // What is there is not asked after any more.
      await asks(29);
      expect(incidents).toHaveLength(1);
    } finally {
      await stop();
    }
  });
});

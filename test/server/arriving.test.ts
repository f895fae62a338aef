import { createPublicKey, randomUUID, verify } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as push from '../../src/contract/push.ts';
import * as orders from '../../src/contract/orders.ts';
import type { OrderView } from '../../src/contract/orders.ts';
import * as session from '../../src/contract/session.ts';
import * as stores from '../../src/contract/stores.ts';
import * as tracking from '../../src/contract/tracking.ts';
import * as errors from '#text/errors.ts';
import * as serverText from '#text/server.ts';
import { serve } from '../../src/server/app.ts';
import { enqueue } from '../../src/server/store/jobs.ts';
import { openDb } from '../../src/server/store/db.ts';
import { readSystem } from '../../src/server/store/system.ts';
import { engines, startServer, testDatabase } from '../kit/server.ts';
import { violations } from './invariants.ts';
import { follow } from './follow.ts';
import { codeOf, guest, logIn, type Person } from './people.ts';
import { pushService } from './pushService.ts';
import { Customer, DINEIN, late, member, openShop, pay, PICKUP, visitor } from './shop.ts';
import { shopHere } from './shopHere.ts';

describe.each(await engines())('arriving on %s', (engine) => {
  const { server, db } = shopHere({ engine });

  async function paid(customer: Customer): Promise<OrderView> {
    const { order, next } = await customer.order();
    await pay(server, next);
    return (await customer.confirm(order)).order;
  }

  describe('the promise pays itself', () => {
    test('a late order that was paid gets its credit back to where the money came from, once, without a claim [ORD-25] [ORD-26]', async () => {
      const customer = await visitor(server);
      const order = await paid(customer);
      await late(server, db, order.orderId);
      const done = await customer.read(order.orderId);
      expect(done).toMatchObject({
        orderStatus: 'DELIVERED',
        refund: null,
        payment: { state: 'CAPTURED' },
        promise: {
          state: 'missed',
          credit: Math.min(30_000, done.bill.total),
          paid: { way: 'REFUND', state: 'STARTED' },
        },
      });
      // The step's job comes again, from a process that had died with it.
      for (let again = 0; again < 3; again += 1)
        await enqueue(db, { kind: 'order.step', runAt: 0, payload: { orderId: order.orderId, index: 6 } });
      await server.advance(1);
      const own = await db.selectFrom('refunds').selectAll().where('order_id', '=', order.orderId).execute();
      expect(own.map(({ amount, reason }) => [amount, reason])).toEqual([
        [Math.min(30_000, done.bill.total), 'PROMISE'],
      ]);
      expect(
        await db.selectFrom('promise_credits').selectAll().where('order_id', '=', order.orderId).execute(),
      ).toHaveLength(1);
      // It reached the bank, and arrives.
      expect(await db.selectFrom('bank_movements').select('amount').where('id', '=', own[0]!.id).execute()).toEqual([
        { amount: own[0]!.amount },
      ]);
      await server.advance(11 * 86_400);
      expect((await customer.read(order.orderId)).promise).toMatchObject({ paid: { way: 'REFUND', state: 'PAID' } });
      expect(await violations(db, { settled: true })).toEqual([]);
    });

    test('a late order that is paid at the door costs that much less there [ORD-26]', async () => {
      await openShop(server);
      const customer = await member(server);
      await customer.fill(3, 'L');
      const { order } = (await customer.submit({ paymentMode: 'COD' })).body;
      await late(server, db, order.orderId);
      const done = await customer.read(order.orderId);
      expect(done.bill.total).toBeGreaterThan(30_000);
      expect(done.promise).toMatchObject({ state: 'missed', credit: 30_000, paid: { way: 'DOOR' } });
      expect(
        (
          await db
            .selectFrom('captures')
            .select('amount')
            .where('order_id', '=', order.orderId)
            .executeTakeFirstOrThrow()
        ).amount,
      ).toBe(done.bill.total - 30_000);
      expect(await violations(db)).toEqual([]);
    });

    test('it runs from the confirmation, whose hour decides how long [ORD-25]', async () => {
      await openShop(server);
      // To ten seconds before 23:00: placed by day, confirmed by night.
      await server.advance(
        10 * 3600 - 10 - Math.floor((((await server.advance(0)) + 5.5 * 3_600_000) % 3_600_000) / 1000),
      );
      const customer = await member(server);
      const { order } = await customer.order({ paymentMode: 'COD' });
      await server.advance(30);
      const confirmed = await customer.read(order.orderId);
      const at = confirmed.steps.find((step) => step.id === 'CONFIRMED')!.at!;
      expect(new Date(at + 5.5 * 3_600_000).toISOString().slice(11, 13)).toBe('23');
      expect(confirmed.promise!.deadline - at).toBe(45 * 60_000);
      await server.advance(3600);
      await openShop(server);
    });

    test('an order without one says why [ORD-27]', async () => {
      const customer = await visitor(server);
      await customer.fill(4);
      const four = (await customer.submit()).body;
      await pay(server, four.next);
      expect((await customer.confirm(four.order)).order).toMatchObject({
        promise: null,
        noPromise: errors.bulkOrder,
      });
      expect((await customer.cancel(four.order.orderId)).body.order).not.toHaveProperty('noPromise');
      const { timeSlots } = (
        await server.call(stores.byId, { storeId: customer.where.storeId, query: { timeSlots: 'true' } })
      ).body;
      const later = await visitor(server, 'IN', { ...customer.where, slotId: timeSlots!.at(-1)!.id });
      expect((await later.order({ paymentMode: 'COD' })).order.noPromise).toBe(serverText.laterOrder);
      const collected = await member(server, 'IN', PICKUP);
      expect((await collected.order({ paymentMode: 'COD' })).order.noPromise).toBeUndefined();
    });
  });

  describe('the stream of an order', () => {
    test('tells the whole order at once, every move as it is made, where the rider is, and its end [API-X01] [ORD-X01]', async () => {
      const customer = await member(server);
      const { order } = await customer.order({ paymentMode: 'COD' });
      const stream = await follow(server.url, customer, order.orderId);
      expect(stream.answer.headers.get('content-type')).toMatch(/^text\/event-stream/);
      const first = await stream.next();
      expect(first).toMatchObject({
        name: 'order',
        data: { order: { orderId: order.orderId, orderStatus: 'ORDER PLACED' }, map: { rider: null } },
      });
      await server.advance(90);
      expect((await stream.until('INPROCESS')).data.order!.stage).toBe('PREP');
      await server.advance(630);
      const out = await stream.until('PICKED UP');
      expect(out.data.map!.rider).toMatchObject({
        progress: expect.any(Number) as number,
        text: expect.stringContaining('away') as string,
      });
      await server.advance(800);
      await stream.until('DELIVERED');
      expect(await stream.next()).toMatchObject({ name: 'end' });
      expect(await stream.next()).toBeNull();
    });

    test('sends nothing again that the caller has, and everything that was missed [API-X01]', async () => {
      const customer = await member(server);
      const { order } = await customer.order({ paymentMode: 'COD' });
      const before = await follow(server.url, customer, order.orderId);
      const { id } = (await before.next())!;
      before.stop();
      await server.advance(95);
      const after = await follow(server.url, customer, order.orderId, { 'last-event-id': id });
      const missed = (await after.next())!;
      expect(missed.data.order!.stage).toBe('PREP');
      after.stop();
      const same = await follow(server.url, customer, order.orderId, { 'last-event-id': missed.id });
      await server.advance(200);
      // The clock may have moved the estimate; the state that is known is not told before the new one.
      expect((await same.next())!.id).not.toBe(missed.id);
      same.stop();
    });

    test('is for the owner alone, and not for what cannot be followed [API-X01] [ORD-07]', async () => {
      const customer = await visitor(server);
      const { order } = await customer.order();
      const early = await follow(server.url, customer, order.orderId);
      expect(early.answer.status).toBe(409);
      expect((await follow(server.url, await visitor(server), order.orderId)).answer.status).toBe(404);
    });

    test('is opened six times by one customer, not seven; a caller that leaves makes room [API-X01]', async () => {
      const customer = await member(server);
      const { order } = await customer.order({ paymentMode: 'COD' });
      const open = await Promise.all(Array.from({ length: 6 }, () => follow(server.url, customer, order.orderId)));
      expect(open.map((stream) => stream.answer.status)).toEqual([200, 200, 200, 200, 200, 200]);
      const seventh = await follow(server.url, customer, order.orderId);
      expect([seventh.answer.status, seventh.answer.headers.get('content-type')]).toEqual([429, 'application/json']);
      open[0]!.stop();
      await expect
        .poll(async () => {
          const again = await follow(server.url, customer, order.orderId);
          again.stop();
          return again.answer.status;
        })
        .toBe(200);
      for (const stream of open) stream.stop();
    });
  });

  test("two processes on one database tell each other's moves, and a server that stops says so [API-X01]", async () => {
    const database = await testDatabase(engine);
    const settings = { port: 0, database: database.target, distDir: null, development: true, quiet: true };
    const [one, other] = [await serve(settings), await serve(settings)];
    const here = await startServer({ engine, database });
    await openShop(here);
    const customer = await member(here);
    const { order } = await customer.order({ paymentMode: 'COD' });
    const streams = [await follow(one.url, customer, order.orderId), await follow(other.url, customer, order.orderId)];
    expect([one.services.following.size, other.services.following.size]).toEqual([1, 1]);
    expect(
      (
        await here.call(
          orders.cancel,
          { orderId: order.orderId },
          { ...customer.person.as, headers: { 'idempotency-key': randomUUID() } },
        )
      ).status,
    ).toBe(200);
    for (const stream of streams) await stream.until('CANCELLED');
    await expect.poll(() => one.services.following.size).toBe(0);

    const second = await customer.order({ paymentMode: 'COD' });
    const last = await follow(one.url, customer, second.order.orderId);
    await last.next();
    const stopped = one.stop();
    expect(await last.next()).toMatchObject({ name: 'bye' });
    await stopped;
    await other.stop();
    await here.stop();
    await database.drop();
  });

  test('a stream ends with the session and the token that opened it, whichever process ends them [API-15]', async () => {
    const database = await testDatabase(engine);
    const [one, here] = [await startServer({ database }), await startServer({ database })];
    const { db } = await openDb(database.target);
    await openShop(here);
    const opened = async (customer: Customer, from = customer) => {
      const { order } = await from.order({ paymentMode: 'COD' });
      const stream = await follow(one.url, customer, order.orderId);
      expect(await stream.next()).toMatchObject({ name: 'order' });
      return stream;
    };
    const [leaver, owner, renewed, aged] = await Promise.all([member(here), member(here), member(here), member(here)]);
    await here.advance(31);
    const stays = new Customer(here, await logIn(here, owner.mobile), owner.where, owner.productId, owner.mobile);
    const { order } = await aged.order({ paymentMode: 'COD' });
    const streams = [await opened(leaver), await opened(owner), await opened(renewed)];
    const kept = await opened(stays);
    await db
      .updateTable('sessions')
      .set({ ends_at: (await readSystem(db)).now + 1_000 })
      .where('user_id', '=', aged.userId)
      .execute();
    streams.push(await follow(one.url, aged, order.orderId));
    await here.call(session.logout, {}, leaver.person.as);
    expect((await here.call(session.logoutOthers, {}, stays.person.as)).body.ended).toBe(1);
    const { refreshToken } = renewed.person.reply.credentials;
    await here.call(session.refresh, { body: { userId: renewed.userId, refreshToken: refreshToken! } });
    // The token that was replaced lives on for its grace, then it is over.
    await here.advance(11);
    expect(await Promise.all(streams.map((stream) => stream.last()))).toEqual(['bye', 'bye', 'bye', 'bye']);
    // The device that sent the others away goes on following.
    await here.advance(695);
    await kept.until('PICKED UP');
    kept.stop();
    await db.destroy();
    await one.stop();
    await here.stop();
    await database.drop();
  });

  test('a shared link shows how far the order is, and nothing of whose it is or where it goes [ORD-X07]', async () => {
    const customer = await visitor(server);
    const order = await paid(customer);
    await server.advance(900);
    const share = async () => (await customer.call(tracking.share, { orderHistoryId: order.orderId })).body.token;
    const token = await share();
    expect(await share()).toBe(token);
    expect(token.length).toBeGreaterThanOrEqual(40);
    const { status, body } = await server.call(tracking.shared, { token });
    expect([status, body.order.orderStatus, body.order.progress! > 0]).toEqual([200, 'PICKED UP', true]);
    // Without its times, whose digits are like any others.
    const text = JSON.stringify(body, (_name, value: unknown) =>
      typeof value === 'number' && value > 1e12 ? null : value,
    );
    const {
      customer: who,
      address,
      orderNumber,
      handOverCode,
      orderId,
      transactionId,
      payment,
      rider,
    } = await customer.read(order.orderId);
    for (const secret of [
      who.firstName,
      who.lastName,
      who.mobile,
      customer.mobile,
      address!.address,
      String(address!.latitude),
      String(address!.longitude),
      orderNumber,
      handOverCode!,
      orderId,
      transactionId,
      payment.label,
      rider!.name,
    ]) {
      expect(text).not.toContain(secret);
    }
    expect(text).not.toMatch(/\bkm\b|latitude|total|lines/);
    expect((await (await visitor(server)).call(tracking.share, { orderHistoryId: order.orderId })).status).toBe(404);
    expect((await server.call(tracking.shared, { token: `${token.slice(0, -2)}xx` })).status).toBe(404);
    await server.advance(3600);
    expect((await server.call(tracking.shared, { token })).body.order.isOver).toBe(true);
    await server.advance(3 * 3600);
    const gone = await server.call(tracking.shared, { token });
    expect([gone.status, gone.body.errors?.[0]?.displayMsg]).toEqual([404, errors.brokenLink]);
    await openShop(server);
  });

  test('the rider is reached on the way, not before and not after, five times at most [ORD-X06]', async () => {
    const customer = await visitor(server);
    const order = await paid(customer);
    const tell = (text: string, key: string = randomUUID()) =>
      customer.call(tracking.tellRider, { orderHistoryId: order.orderId, body: { text } }, { 'idempotency-key': key });
    expect((await customer.read(order.orderId)).rider).toBeNull();
    expect(codeOf(await tell('I am at the gate'))).toBe('RIDER_AWAY');
    await server.advance(700);
    expect((await customer.read(order.orderId)).rider).toMatchObject({
      name: expect.any(String) as string,
      phone: expect.stringContaining(order.orderNumber) as string,
      notesLeft: 5,
    });
    const key = randomUUID();
    await tell('I am at the gate', key);
    // The answer was lost: said again, sent once.
    expect((await tell('I am at the gate', key)).body.order.rider!.notesLeft).toBe(4);
    const answers = await Promise.all(Array.from({ length: 8 }, (_, n) => tell(`Note ${n}`)));
    expect(answers.map((answer) => answer.status).sort((a, b) => a - b)).toEqual([
      200, 200, 200, 200, 409, 409, 409, 409,
    ]);
    expect(answers.map(codeOf).find(Boolean)).toBe('RIDER_NOTES');
    await server.advance(800);
    expect((await customer.read(order.orderId)).rider).toBeNull();
    expect(codeOf(await tell('Thanks'))).toBe('RIDER_AWAY');
  });

  test('a prepaid order has a code for the rider; paying at the door or leaving it there needs none [ORD-28] [ORD-X05] [ORD-X08]', async () => {
    const customer = await visitor(server);
    const { order, next } = await customer.order({
      body: { instructions: ['pet', 'nobell', 'unknown'], note: 'Blue gate' },
    });
    expect(order.handOverCode).toBeUndefined();
    await pay(server, next);
    expect((await customer.confirm(order)).order).toMatchObject({
      handOverCode: expect.stringMatching(/^\d{4}$/) as string,
      instructions: ['There is a pet', 'Do not ring the bell'],
      note: 'Blue gate',
    });
    for (const left of ['door', 'guard']) {
      const { order: alone, next: paying } = await customer.order({ body: { instructions: [left, 'nobell'] } });
      await pay(server, paying);
      const placed = (await customer.confirm(alone)).order;
      expect([placed.orderStatus, placed.handOverCode, placed.instructions?.length]).toEqual([
        'ORDER PLACED',
        undefined,
        2,
      ]);
    }
    const cash = await member(server);
    expect((await cash.order({ paymentMode: 'COD' })).order.handOverCode).toBeUndefined();
  });

  test('what was eaten at a table was served, not collected [ORD-19]', async () => {
    const customer = await member(server, 'IN', DINEIN);
    const { order } = await customer.order({ paymentMode: 'COD' });
    await server.advance(1300);
    const done = await customer.read(order.orderId);
    expect([done.orderStatus, done.steps.at(-1)]).toMatchObject(['PICKED', { label: 'Served', state: 'done' }]);
  });

  describe('news without an open page', () => {
    const service = pushService();
    const { got } = service;
    const browser = (name: string) => service.browser(name);
    beforeAll(() => service.listen());
    afterAll(() => service.close());

    test('a browser that asked for it is told by its own push service, sealed and signed [ORD-X03]', async () => {
      const customer = await visitor(server);
      const { publicKey } = (await customer.call(push.key, {})).body;
      const phone = browser('phone');
      expect(
        (await customer.call(push.subscribe, { body: { subscription: phone.subscription, mount: '/in/' } })).status,
      ).toBe(200);
      const order = await paid(customer);
      await server.advance(700);
      await expect.poll(() => got.filter(({ path }) => path === '/phone').length).toBe(1);
      const { headers, body } = got.find(({ path }) => path === '/phone')!;
      expect(phone.read(body)).toEqual({
        title: `Order ${order.orderNumber}`,
        body: 'Your order is on its way.',
        tag: order.orderId,
        path: `/in/order/${order.orderId}`,
      });
      expect(headers).toMatchObject({ 'content-encoding': 'aes128gcm', urgency: 'high' });
      const [, token = '', key] = /^vapid t=([^,]+), ?k=(.+)$/.exec(headers.authorization!) ?? [];
      expect(key).toBe(publicKey);
      const [head, claims, signature] = token.split('.');
      const raw = Buffer.from(publicKey, 'base64url');
      const jwk = {
        kty: 'EC',
        crv: 'P-256',
        x: raw.subarray(1, 33).toString('base64url'),
        y: raw.subarray(33).toString('base64url'),
      };
      expect(
        verify(
          'sha256',
          Buffer.from(`${head}.${claims}`),
          { key: createPublicKey({ key: jwk, format: 'jwk' }), dsaEncoding: 'ieee-p1363' },
          Buffer.from(signature!, 'base64url'),
        ),
      ).toBe(true);
      await server.advance(800);
      await expect.poll(() => got.filter(({ path }) => path === '/phone').length).toBe(2);
    });

    test('each step that counts is told once, in its own words: begun, on its way, there, and ready at the counter', async () => {
      await openShop(server);
      const phones = { later: browser('later'), collects: browser('collects') };
      const heard = (name: keyof typeof phones) =>
        got.filter(({ path }) => path === `/${name}`).map(({ body }) => phones[name].read(body).body);
      const subscribed = async (customer: Customer, name: keyof typeof phones) => {
        const { subscription } = phones[name];
        expect((await customer.call(push.subscribe, { body: { subscription, mount: '/in/' } })).status).toBe(200);
        return customer;
      };
      const { where } = await visitor(server);
      const { timeSlots } = (await server.call(stores.byId, { storeId: where.storeId, query: { timeSlots: 'true' } }))
        .body;
      const slot = timeSlots![1]!;
      const later = await subscribed(await member(server, 'IN', { ...where, slotId: slot.id }), 'later');
      const collects = await subscribed(await member(server, 'IN', PICKUP), 'collects');
      const { order } = await later.order({ paymentMode: 'COD' });
      await collects.order({ paymentMode: 'COD' });
      const now = await server.advance(1);
      await server.advance(Math.ceil((slot.startsAt - now) / 1000) - 1_440 + 800);
      // The step's job comes again, from a process that had died with it.
      await enqueue(db, { kind: 'order.step', runAt: 0, payload: { orderId: order.orderId, index: 5 } });
      await server.advance(1_000);
      await expect
        .poll(() => heard('later'))
        .toEqual([serverText.newsStarted, serverText.etaOnItsWay, serverText.newsDelivered]);
      await expect.poll(() => heard('collects')).toEqual([serverText.etaReady]);
    });

    test("a browser that is gone is forgotten, one that says stop too, and nobody's server is called [ORD-X03]", async () => {
      const customer = await visitor(server);
      const [gone, quiet] = [browser('gone'), browser('quiet')];
      for (const { subscription } of [gone, quiet])
        await customer.call(push.subscribe, { body: { subscription, mount: '/in/' } });
      await customer.call(push.unsubscribe, { body: { endpoint: quiet.subscription.endpoint } });
      service.answer(410);
      await paid(customer);
      await server.advance(700);
      await expect.poll(() => got.filter(({ path }) => path === '/gone').length).toBe(1);
      await server.advance(800);
      service.answer(201);
      expect(got.filter(({ path }) => path === '/gone' || path === '/quiet')).toHaveLength(1);
      const { keys } = gone.subscription;
      for (const endpoint of [
        'https://example.com/x',
        'https://fcm.googleapis.com.evil.example/x',
        'http://169.254.169.254/x',
        'https://fcm.googleapis.com:8443/x',
        'https://user@fcm.googleapis.com/x',
        'file:///etc/passwd',
        'x',
      ]) {
        expect([
          endpoint,
          codeOf(await customer.call(push.subscribe, { body: { subscription: { endpoint, keys }, mount: '/in/' } })),
        ]).toEqual([endpoint, 'PUSH_SERVICE']);
      }
      expect(
        (
          await customer.call(push.subscribe, {
            body: { subscription: { endpoint: 'https://fcm.googleapis.com/fcm/send/x', keys }, mount: '/in/' },
          })
        ).status,
      ).toBe(200);
    });

    test('a push service that does not answer keeps nobody else waiting [ORD-X03]', async () => {
      const customer = await visitor(server);
      for (const name of ['hanging-1', 'hanging-2', 'well'])
        await customer.call(push.subscribe, { body: { subscription: browser(name).subscription, mount: '/in/' } });
      const order = await paid(customer);
      const advanced = server.advance(700);
      const named = (name: string) => got.filter(({ path }) => path === `/${name}`);
      await expect.poll(() => ['hanging-1', 'hanging-2', 'well'].map((name) => named(name).length)).toEqual([1, 1, 1]);
      service.letGo();
      await advanced;
      expect((await customer.read(order.orderId)).orderStatus).toBe('PICKED UP');
    });

    test('a browser hears of orders as long as its session: not after a logout, nor after one from another device [ORD-X03]', async () => {
      const other = await member(server);
      const subscribe = async (who: Person, name: string) =>
        expect(
          (
            await server.call(
              push.subscribe,
              { body: { subscription: browser(name).subscription, mount: '/in/' } },
              who.as,
            )
          ).status,
        ).toBe(200);
      const { person } = other;
      await subscribe(person, 'other');
      await subscribe(person, 'older');
      await server.advance(31);
      // A guest's browser goes on to hear after the login, in the session that follows.
      const asGuest = await guest(server);
      await subscribe(asGuest, 'own');
      const own = await logIn(server, other.mobile, 'in-web', asGuest);
      const stays = new Customer(server, own, other.where, other.productId, other.mobile);
      await db
        .updateTable('push_subscriptions')
        .set({ session_id: null })
        .where('endpoint', '=', browser('older').subscription.endpoint)
        .execute();
      const heard = () => ['own', 'other', 'older'].map((name) => got.filter(({ path }) => path === `/${name}`).length);
      await paid(stays);
      await server.advance(700);
      await expect.poll(heard).toEqual([1, 1, 1]);
      expect((await server.call(session.logoutOthers, {}, own.as)).body.ended).toBe(1);
      await server.advance(800);
      await expect.poll(heard).toEqual([2, 1, 1]);
      await paid(stays);
      expect((await stays.call(session.logout, {})).status).toBe(200);
      await server.advance(1500);
      expect(heard()).toEqual([2, 1, 1]);
    });

    test("a payment app's page is refused: the host has its own notices [ORD-X03]", async () => {
      const inHost = await server.call(session.anonymous, {}, { apiKey: 'in-gpay' });
      const { credentials, attributes } = inHost.body;
      expect(
        codeOf(
          await server.call(
            push.key,
            {},
            { apiKey: 'in-gpay', authToken: credentials.authToken, userId: attributes.userId },
          ),
        ),
      ).toBe('FEATURE_BLOCKED');
    });
  });
});

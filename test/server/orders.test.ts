import { afterAll, afterEach, beforeAll, describe, expect } from 'vitest';
import { randomUUID } from 'node:crypto';
import * as cart from '../../src/contract/cart.ts';
import * as coupons from '../../src/contract/coupons.ts';
import * as development from '../../src/contract/development.ts';
import * as orders from '../../src/contract/orders.ts';
import * as payments from '../../src/contract/payments.ts';
import * as stores from '../../src/contract/stores.ts';
import * as tracking from '../../src/contract/tracking.ts';
import type { OrderView } from '../../src/contract/orders.ts';
import * as errors from '#text/errors.ts';
import * as orderText from '#text/orders.ts';
import * as serverText from '#text/server.ts';
import { openDb } from '../../src/server/store/db.ts';
import { currentTrace } from '../../src/server/trace.ts';
import { hearStatements, isBoundary, isSavepoint } from '../kit/asked.ts';
import { callsOf } from '../kit/callCounts.ts';
import { on } from '../kit/engines.ts';
import { bothEngines, startServer, type TestServer } from '../kit/server.ts';
import { violationsAt } from './invariants.ts';
import { codeFor, codeOf, logIn } from './people.ts';
import { CURB, Customer, DINEIN, member, openShop, pay, PICKUP, PLACES, visitor } from './shop.ts';

const codes = (answer: { body: { errors?: { code: string }[] | undefined } }) =>
  (answer.body.errors ?? []).map((error) => error.code);

/** The same call under its two versions. */
const PATHS = [orders.submit.path, '/order-service/ve4/orders/submit'] as const;

describe.each(await bothEngines())('orders on %s', (engine) => {
  const { raced, test, describe } = on(engine);
  let server: TestServer;
  beforeAll(async () => {
    server = await startServer({ engine });
    await openShop(server);
  });
  afterAll(async () => {
    expect(await violationsAt(server.database.target)).toEqual([]);
    await server.stop();
  });
  afterEach(async () => {
    await server.switches({ bankOutcome: null, offlineStores: [], soldOut: [] });
  });

  async function cash(customer: Customer): Promise<OrderView> {
    const { order, next } = await customer.order({ paymentMode: 'COD' });
    if (next.kind === 'cod-otp') {
      const code = await codeFor(server, customer.mobile, customer.person.as.apiKey);
      await customer.call(payments.codOtp, { transactionId: order.transactionId, body: { code } });
    }
    return await customer.read(order.orderId);
  }

  describe('validations', () => {
    test('every problem comes at once, each with its field and sentence [PAY-12] [API-32] [ERR-17]', async () => {
      const customer = await visitor(server);
      const { body } = await customer.call(orders.validations, {
        body: {
          cartId: customer.cartId,
          storeId: '10101',
          deliveryType: 'DELIVERY',
          address: { latitude: 19.07, longitude: 72.87, houseNo: '1', address: 'Far away', type: 'home' },
          customer: { firstName: 'A', lastName: '', mobile: '123', email: 'nobody' },
          paymentMode: 'MFS',
        },
      });
      expect(body.problems.map((problem) => problem.code)).toEqual([
        ...['CART_EMPTY', 'OUT_OF_RANGE', 'INVALID_MOBILE', 'INVALID_EMAIL', 'PAYMENT_MODE'],
      ]);
      expect(body.problems.find((problem) => problem.code === 'OUT_OF_RANGE')).toMatchObject({
        displayMsg: errors.noDeliveryHere,
        field: 'address',
      });
      expect(body.problems.find((problem) => problem.code === 'INVALID_MOBILE')).toMatchObject({
        displayMsg: errors.mobileInvalid({ digits: 10 }),
        field: 'customer.mobile',
      });
    });

    test('a cart that is fine has no problem, the whole bill, and the modes with their reasons [PAY-12] [PAY-04] [PAY-35]', async () => {
      const customer = await visitor(server);
      await customer.fill(7, 'L');
      const { body } = await customer.validate({
        customer: { firstName: 'Asha', lastName: 'Rao', mobile: customer.mobile },
      });
      expect(body.problems).toEqual([]);
      const { bill } = body.quote;
      expect(bill.lines.filter((line) => line.included !== true).reduce((sum, line) => sum + line.amount, 0)).toBe(
        bill.total,
      );
      expect(body.modes.map((mode) => mode.id)).toEqual(['UPI', 'CARD', 'NETBANKING', 'PAYTM', 'COD', 'LINK']);
      expect(bill.total).toBeGreaterThan(200_000);
      expect(body.modes.find((mode) => mode.id === 'COD')?.disabledReason).toBe(
        serverText.cashLimit({ amount: '₹2,000' }),
      );
      expect(body.modes.find((mode) => mode.id === 'UPI')?.disabledReason).toBeUndefined();
      expect(codes(await customer.submit({ paymentMode: 'COD' }))).toEqual(['CASH_LIMIT']);
    });

    test('an address is needed to deliver, a vehicle at the curb, a table that the store has to dine in [LOC-48] [LOC-49]', async () => {
      const at = await visitor(server);
      await at.fill();
      const problems = async (where: object) =>
        (
          await at.call(orders.validations, {
            body: { cartId: at.cartId, storeId: '10102', deliveryType: 'DELIVERY', ...where },
          })
        ).body.problems.map(({ code, field }) => `${code} ${field}`);
      expect(await problems({})).toEqual(['ADDRESS_MISSING address']);
      expect(await problems({ deliveryType: 'CURB' })).toEqual(['VEHICLE_MISSING vehicle']);
      expect(await problems({ ...CURB })).toEqual([]);
      // None of its three parts may be missing, nor be something else.
      for (const wrong of [{ colour: ' ' }, { model: '' }, { lastFourDigits: '482' }, { lastFourDigits: '48A1' }]) {
        const vehicle = { ...CURB.vehicle!, ...wrong };
        const body = { cartId: at.cartId, storeId: '10102', deliveryType: 'CURB' as const, vehicle };
        const answer = await at.call(orders.validations, { body });
        expect([answer.status, answer.body.errors?.[0]?.displayMsg]).toEqual([400, errors.vehicleMissing]);
      }
      expect(await problems({ deliveryType: 'DINEIN' })).toEqual(['TABLE_MISSING table']);
      expect(await problems({ deliveryType: 'DINEIN', table: '11' })).toEqual(['TABLE_UNKNOWN table']);
      expect(await problems({ deliveryType: 'DINEIN', table: '10' })).toEqual([]);
      expect(await problems({ deliveryType: 'DINEIN', storeId: '10103', table: '1' })).toEqual(
        expect.arrayContaining([expect.stringMatching(/^SERVICE_NOT_OFFERED /)]),
      );
    });

    test('below the country’s minimum nothing is ordered, and it is named; a sold-out dish is said first [CFG-34] [CART-15]', async () => {
      const customer = await visitor(server, 'BG', { storeId: '30101', deliveryType: 'PICKUP' });
      const put = async (quantity: number) =>
        await customer.call(cart.add, {
          cartId: customer.cartId,
          body: {
            items: [{ operationId: randomUUID(), line: { lineId: 'dip', productId: 'SD007', quantity } }],
            options: customer.where,
          },
        });
      const problems = async () => (await customer.validate()).body.problems;
      await put(1);
      expect(await problems()).toEqual([{ code: 'MINIMUM_ORDER', displayMsg: errors.minimumOrder({ amount: '৳50' }) }]);
      await server.switches({ offlineStores: [], soldOut: ['SD007'] });
      expect((await problems()).map(({ code }) => code)).toEqual(['ITEM_UNAVAILABLE']);
      await server.switches({ offlineStores: [], soldOut: [] });
      await put(3);
      expect(await problems()).toEqual([]);
    });

    test('the table of a link: one that the store does not have is told, a store without tables is refused [LOC-49]', async () => {
      const told = async (table: string) =>
        (await server.call(stores.byId, { storeId: '10102', query: { table } })).body.tableMessage;
      expect([await told('1'), await told('10')]).toEqual([undefined, undefined]);
      for (const table of ['0', '11', '7a', '-7', '7.5'])
        expect(await told(table)).toBe(serverText.tableUnknown({ tables: 10 }));
      expect(await told('')).toBe(errors.tableMissing);
      expect(codes(await server.call(stores.byId, { storeId: '10103', query: { table: '1' } }))).toEqual([
        'SERVICE_NOT_OFFERED',
      ]);
    });

    test('a store that went offline is 2.STORENA, and a sold-out line is named, with a price that nobody holds [ERR-01] [PAY-12]', async () => {
      const customer = await visitor(server);
      const line = (await customer.fill()).validItems[0]!;
      await server.switches({ offlineStores: ['10101'], soldOut: [] });
      expect((await customer.validate()).body.problems).toMatchObject([
        { code: '2.STORENA', displayMsg: serverText.storeTrouble },
      ]);
      expect(codes(await customer.submit())).toEqual(['2.STORENA']);
      await server.switches({ offlineStores: [], soldOut: [customer.productId] });
      const { problems, quote } = (await customer.validate()).body;
      expect(problems).toMatchObject([{ code: 'ITEM_UNAVAILABLE', field: line.lineId }]);
      expect(quote.lockedUntil).toBeUndefined();
      expect(codes(await customer.submit())).toEqual(['ITEM_UNAVAILABLE']);
    });

    test('a coupon of another payment mode is said before the money is asked for [PAY-12] [OFF-X03]', async () => {
      const customer = await visitor(server);
      await customer.fill(2, 'L');
      expect((await customer.coupon('UPI75')).status).toBe('SUCCESS');
      const { body } = await customer.validate({ paymentMode: 'CARD' });
      expect(body.problems).toMatchObject([{ code: 'COUPON_PAYMENT_MODE', field: 'UPI75' }]);
      expect(body.modes.find((mode) => mode.id === 'CARD')?.disabledReason).toBe(body.problems[0]?.displayMsg);
      expect((await customer.validate({ paymentMode: 'UPI' })).body.problems).toEqual([]);
    });
  });

  describe('submit', () => {
    test('the terms must be accepted [PAY-24] [ERR-45]', async () => {
      const customer = await visitor(server);
      await customer.fill();
      const answer = await customer.submit({ body: { termsAccepted: false } });
      expect(answer.status).toBe(422);
      expect(answer.body.errors).toMatchObject([
        { code: 'TERMS', displayMsg: errors.termsMissing, field: 'termsAccepted' },
      ]);
    });

    test("an order keeps what was ordered, has the specification's ids, and empties the cart [ORD-01] [API-34] [API-39]", async () => {
      const customer = await visitor(server);
      const before = await customer.fill(2);
      const { body, status } = await customer.submit({ body: { instructions: ['door'], note: 'Ring twice' } });
      expect(status).toBe(200);
      const { order } = body;
      expect(order).toMatchObject({
        orderType: 'DELIVERY',
        orderStatus: 'PENDING',
        serviceLabel: 'DELIVERY',
        bill: before.bill,
      });
      expect(order.lines).toEqual(before.validItems);
      expect(order.orderNumber).toMatch(/^[1-9]\d{3}$/);
      expect(order.transactionReferenceId).toMatch(/^[A-Za-z0-9]{10,50}$/);
      expect(order.transactionId).toMatch(/^[\w-]{8,}$/);
      expect(order.transactionId).not.toBe(order.orderId);
      expect((await customer.cart()).validItems).toEqual([]);
      const { orderId, transactionId, transactionReferenceId } = order;
      expect(await customer.read(orderId)).toMatchObject({ orderId, transactionId, transactionReferenceId });
      const stranger = await visitor(server);
      expect((await stranger.call(orders.byId, { orderId: order.orderId })).status).toBe(404);
    });

    /**
     * The bank and the texts are imitated here; a process in production remembers the clock and the switches for a moment;
     * and what callers leave behind is counted once in many calls.
     */
    const isOwn = (sql: string) =>
      !isBoundary(sql) &&
      !isSavepoint(sql) &&
      !/"(?:bank_|inbox")/.test(sql) &&
      !/^(?:select "offset_ms"|insert into "counters")/.test(sql);
    raced.each([
      // One more than in production: the job in which the imitated bank tells us.
      { who: visitor, paymentMode: 'UPI', next: 'upi', commits: 2, most: { sqlite: [16, 16], postgres: [6, 6] } },
      // What follows the answer is the text that says what was ordered.
      { who: member, paymentMode: 'COD', next: 'none', commits: 2, most: { sqlite: [15, 17], postgres: [5, 7] } },
      // A code keeps to limits of its own.
      { who: visitor, paymentMode: 'COD', next: 'cod-otp', commits: 3, most: { sqlite: [20, 20], postgres: [10, 10] } },
    ] as const)(
      'an order by $paymentMode ($next) costs the database few statements, and a commit before and after its payment is begun',
      async ({ who, paymentMode, next, commits, most }) => {
        const traceId = randomUUID().replaceAll('-', '');
        const asked: string[] = [];
        /** By the call itself; the others by the jobs that follow it, which may begin before it is answered. */
        const before: string[] = [];
        // Those before have made what is kept for all, such as the secret of codes.
        await who(server, 'IN', PICKUP).then((first) => first.order({ paymentMode }));
        const customer = await who(server, 'IN', PICKUP);
        await customer.fill();
        const { quote } = (await customer.validate({ paymentMode })).body;
        const end = hearStatements((sql) => {
          const trace = currentTrace();
          if (trace?.id !== traceId || isSavepoint(sql)) return;
          asked.push(sql);
          if (trace.requestId === 'submitted') before.push(sql);
        });
        const headers = { traceparent: `00-${traceId}-00000000000000ab-01`, 'request-id': 'submitted' };
        const seen = { cartVersion: quote.cartVersion, total: quote.bill.total };
        const { body } = await customer.submit({ paymentMode, ...seen, headers });
        await server.advance(0);
        end();
        expect(body.next.kind).toBe(next);
        const own = (sqls: readonly string[]) => sqls.filter(isOwn);
        expect([own(before).length, own(asked).length], asked.join('\n')).toEqual(most[engine]);
        const others = before.filter((sql) => !isOwn(sql) && /^(insert|update)/.test(sql)).length;
        expect(before.filter((sql) => sql.startsWith('commit')).length, asked.join('\n')).toBeLessThanOrEqual(
          commits + others,
        );
      },
    );

    raced('a cart, its offers and its quote cost the database few statements', async () => {
      const customer = await visitor(server, 'IN', PICKUP);
      await customer.fill();
      const statements = async (call: (headers: Record<string, string>) => Promise<{ status: number }>) => {
        const traceId = randomUUID().replaceAll('-', '');
        const asked: string[] = [];
        const end = hearStatements((sql) => {
          if (currentTrace()?.id === traceId && isOwn(sql)) asked.push(sql);
        });
        const { status } = await call({ traceparent: `00-${traceId}-00000000000000ab-01` });
        end();
        expect(status).toBe(200);
        return asked.length;
      };
      const { cartId } = customer;
      const line = { lineId: randomUUID(), productId: customer.productId, quantity: 1 };
      const items = [{ operationId: randomUUID(), line }];
      expect({
        change: await statements((headers) => customer.call(cart.add, { cartId, body: { items } }, headers)),
        cart: await statements((headers) => customer.call(cart.byId, { cartId, query: {} }, headers)),
        offers: await statements((headers) => customer.call(coupons.combined, { cartId, query: {} }, headers)),
        quote: await statements((headers) =>
          customer.call(orders.validations, { body: { cartId, ...PICKUP, paymentMode: 'UPI' } }, headers),
        ),
      }).toEqual({ change: { sqlite: 6, postgres: 4 }[engine], cart: 2, offers: 2, quote: 4 });
    });

    test('a cart is priced once for its change, for its quote, for the validations and for its order', async () => {
      const customer = await visitor(server, 'IN', PICKUP);
      await customer.fill();
      const { cartId } = customer;
      const pricings = async (call: () => Promise<{ status: number }>) => {
        const answer = { status: 0 };
        const count = await callsOf('/rules/cart/cart.ts', 'priceCart', async () => {
          answer.status = (await call()).status;
        });
        expect(answer.status).toBe(200);
        return count;
      };
      const line = { lineId: randomUUID(), productId: customer.productId, quantity: 1 };
      const change = await pricings(() =>
        customer.call(cart.add, { cartId, body: { items: [{ operationId: randomUUID(), line }] } }),
      );
      const quote = await pricings(() => customer.call(orders.validations, { body: { cartId, ...PICKUP } }));
      const validations = await pricings(() => customer.validate({ paymentMode: 'UPI' }));
      const { cartVersion, bill } = (await customer.validate({ paymentMode: 'UPI' })).body.quote;
      const submit = await pricings(() => customer.submit({ paymentMode: 'UPI', cartVersion, total: bill.total }));
      expect({ change, quote, validations, submit }).toEqual({ change: 1, quote: 1, validations: 1, submit: 1 });
    });

    raced('a store whose numbers of four digits are gone for today gives out longer ones, and none twice', async () => {
      const customer = await visitor(server, 'IN', PICKUP);
      const first = (await customer.order()).order;
      expect(first.orderNumber).toMatch(/^[1-9]\d{3}$/);
      const { db } = await openDb(server.database.target);
      const { store_id, day } = await db
        .selectFrom('order_numbers')
        .select(['store_id', 'day'])
        .where('number', '=', first.orderNumber)
        .executeTakeFirstOrThrow();
      const all = Array.from({ length: 9_000 }, (_, n) => ({ store_id, day, number: String(n + 1_000) }));
      for (let from = 0; from < all.length; from += 1_000)
        await db
          .insertInto('order_numbers')
          .values(all.slice(from, from + 1_000))
          .onConflict((c) => c.doNothing())
          .execute();
      const next = (await (await visitor(server, 'IN', PICKUP)).order()).order;
      expect(next.orderNumber).toMatch(/^[1-9]\d{5}$/);
      await db.deleteFrom('order_numbers').where('number', 'not in', [first.orderNumber, next.orderNumber]).execute();
      await db.destroy();
    });

    test('a kitchen note is on its own line of the order, when submitted and when read later, and on no other line [MENU-X08]', async () => {
      const customer = await visitor(server);
      await customer.fill();
      const item = { operationId: randomUUID(), line: { lineId: 'noted', productId: 'SD001', quantity: 1 } };
      await customer.call(cart.add, {
        cartId: customer.cartId,
        body: { items: [{ ...item, line: { ...item.line, note: 'no butter on top' } }] },
      });
      const { order } = (await customer.submit()).body;
      for (const { lines } of [order, await customer.read(order.orderId)])
        expect(Object.fromEntries(lines.map(({ product, note }) => [product.id, note]))).toMatchObject({
          [customer.productId]: undefined,
          SD001: 'no butter on top',
        });
    });

    test('of where it goes an order keeps what its way needs, and each wish once', async () => {
      const customer = await visitor(server, 'IN', CURB);
      const kept = async (more: object, note = '  ') => {
        await customer.fill();
        const where = { ...PLACES['IN']!.where, ...CURB, table: ' 7 ', ...more };
        const { cartVersion, bill } = (await customer.validate({ ...where, paymentMode: 'UPI' })).body.quote;
        const body = { ...where, note, instructions: ['pet', 'door', 'pet'] };
        const { order } = (await customer.submit({ cartVersion, total: bill.total, body })).body;
        return [order.address?.houseNo, order.vehicle?.model, order.table, order.note, order.instructions];
      };
      const wishes = [null, ['There is a pet', 'Leave at the door']];
      expect(await kept({})).toEqual([undefined, 'Swift', null, ...wishes]);
      expect(await kept({ deliveryType: 'PICKUP' })).toEqual([undefined, undefined, null, ...wishes]);
      expect(await kept({ deliveryType: 'DINEIN' })).toEqual([undefined, undefined, '7', ...wishes]);
      expect(await kept({ deliveryType: 'DELIVERY', storeId: '10101' })).toEqual(['12', undefined, null, ...wishes]);
      expect((await kept({}, ' Ring twice '))[3]).toBe('Ring twice');
    });

    test('cutlery is on an order and in what the store is told only where it was asked for [CART-X08]', async () => {
      const customer = await visitor(server);
      const { openDb } = await import('../../src/server/store/db.ts');
      const { db } = await openDb(server.database.target);
      try {
        const toldOf = async (id: string) => {
          const told = db.selectFrom('outbox').select('payload').where('order_id', '=', id);
          const { payload } = await told.where('kind', '=', 'order.submitted').executeTakeFirstOrThrow();
          return JSON.parse(payload) as object;
        };
        const { order: plain } = await customer.order();
        const { orderNumber: number, bill } = plain;
        const told = { number, storeId: '10101', total: bill.total, currency: 'INR' };
        expect([(await customer.read(plain.orderId)).cutlery, await toldOf(plain.orderId)]).toEqual([undefined, told]);
        const wish = { items: [], options: { cutlery: true } };
        await customer.call(cart.change, { cartId: customer.cartId, body: wish });
        const { order } = await customer.order();
        // The next cart begins without it again.
        expect((await customer.cart()).options.cutlery).toBe(false);
        expect([(await customer.read(order.orderId)).cutlery, await toldOf(order.orderId)]).toEqual([
          true,
          { ...told, number: order.orderNumber, cutlery: true },
        ]);
        // As a release leaves it that does not know of it.
        await db.updateTable('orders').set({ cutlery: null }).where('id', '=', order.orderId).execute();
        expect((await customer.read(order.orderId)).cutlery).toBeUndefined();
      } finally {
        await db.destroy();
      }
    });

    raced(
      'parallel submits with one key make one order and get the same bytes; another body is refused [API-X02] [PAY-14] [API-34]',
      async () => {
        const customer = await visitor(server);
        await customer.fill();
        const { quote } = (await customer.validate({ paymentMode: 'UPI' })).body;
        const key = randomUUID();
        const raw = async (path: (typeof PATHS)[number] = orders.submit.path) =>
          await fetch(server.url + path, {
            method: 'POST',
            headers: {
              'content-type': 'application/json',
              api_key: 'in-web',
              authToken: customer.person.as.authToken!,
              userId: customer.userId,
              'idempotency-key': key,
            },
            body: JSON.stringify({
              cartId: customer.cartId,
              ...customer.where,
              customer: { firstName: 'A', lastName: 'B', mobile: customer.mobile },
              paymentMode: 'UPI',
              cartVersion: quote.cartVersion,
              total: quote.bill.total,
              termsAccepted: true,
            }),
          });
        const texts = await Promise.all(
          Array.from({ length: 10 }, async (_, n) => await (await raw(PATHS[n % 2])).text()),
        );
        expect(new Set(texts).size).toBe(1);
        expect(JSON.parse(texts[0]!)).toMatchObject({ status: 'SUCCESS' });
        for (const path of PATHS) expect(await (await raw(path)).text()).toBe(texts[0]);
        const { body } = await customer.call(orders.recent, {});
        expect(body.orders).toHaveLength(1);
        const changed = await customer.submit({ key, cartVersion: quote.cartVersion, total: quote.bill.total + 1 });
        expect([changed.status, codeOf(changed)]).toEqual([422, 'IDEMPOTENCY_MISMATCH']);
        expect((await customer.call(orders.byKey, { key })).body.order.orderId).toBe(body.orders[0]?.orderId);
      },
    );

    raced('one cart under many keys at once becomes one order [PAY-14]', async () => {
      const customer = await visitor(server);
      await customer.fill();
      const { quote } = (await customer.validate({ paymentMode: 'UPI' })).body;
      const answers = await Promise.all(
        PATHS.flatMap((path) =>
          Array.from({ length: 4 }, () =>
            customer.submit({ path, cartVersion: quote.cartVersion, total: quote.bill.total }),
          ),
        ),
      );
      expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1);
      for (const answer of answers.filter((one) => one.status !== 200))
        expect([answer.status, codeOf(answer)]).toEqual([409, 'CART_CHANGED']);
      expect((await customer.call(orders.recent, {})).body.orders).toHaveLength(1);
    });

    test('another total than the one shown is refused and costs nothing [PAY-14]', async () => {
      const customer = await visitor(server);
      const { bill, version } = await customer.fill();
      const answer = await customer.submit({ cartVersion: version, total: bill.total - 100 });
      expect([answer.status, codeOf(answer)]).toEqual([409, 'PRICE_CHANGED']);
      expect(answer.body.errors?.[0]).toMatchObject({ displayMsg: serverText.priceChanged, field: 'total' });
      expect((await customer.cart()).validItems).toHaveLength(1);
      const old = await customer.submit({ cartVersion: version - 1, total: bill.total });
      expect([old.status, codeOf(old)]).toEqual([409, 'CART_CHANGED']);
    });

    test('a quoted bill holds for ten minutes, though a coupon in it has ended meanwhile [PAY-X02]', async () => {
      const customer = await visitor(server);
      await customer.fill(2, 'L');
      const ending = await endCouponsIn(customer, 5 * 60);
      const { quote } = (await customer.validate({ paymentMode: 'UPI' })).body;
      expect(quote.bill.lines.some((line) => line.id === `discount:${ending}`)).toBe(true);
      await server.advance(6 * 60);
      expect((await customer.cart()).bill.total).toBeGreaterThan(quote.bill.total);
      expect((await customer.validate({ paymentMode: 'UPI' })).body.quote.bill).toEqual(quote.bill);
      const { status, body } = await customer.submit({ cartVersion: quote.cartVersion, total: quote.bill.total });
      expect(status, JSON.stringify(body)).toBe(200);
      expect(body.order.bill).toEqual(quote.bill);

      const late = await visitor(server);
      await late.fill(2, 'L');
      const other = await endCouponsIn(late, 5 * 60);
      const kept = (await late.validate({ paymentMode: 'UPI' })).body.quote;
      expect(kept.bill.lines.some((line) => line.id === `discount:${other}`)).toBe(true);
      await server.advance(11 * 60);
      const refused = await late.submit({ cartVersion: kept.cartVersion, total: kept.bill.total });
      expect([refused.status, codeOf(refused)]).toEqual([409, 'PRICE_CHANGED']);
    });

    /** Moves the clock to some seconds before the end of the offer of two hours, which is at 14:30, and applies it. */
    async function endCouponsIn(customer: Customer, seconds: number): Promise<string> {
      const { now } = (await server.call(development.clock, {})).body;
      const DAY_S = 86_400;
      const local = (now / 1000 + 5.5 * 3600) % DAY_S;
      await server.advance(Math.round((14.5 * 3600 - seconds - local + DAY_S) % DAY_S));
      expect((await customer.coupon('FLASH2H')).status).toBe('SUCCESS');
      return 'FLASH2H';
    }

    test('a second order within 30 minutes is asked about, but not after one that failed or was cancelled [PAY-13] [API-33] [ERR-13]', async () => {
      const asked = async (who: Customer) =>
        (await who.call(orders.checkDuplicate, { body: { cartId: who.cartId } })).body;
      const customer = await visitor(server);
      expect((await asked(customer)).isDuplicate).toBe(false);
      const { order } = await customer.order();
      await customer.fill();
      expect(await asked(customer)).toMatchObject({
        isDuplicate: true,
        orderId: order.orderId,
        message: errors.duplicateOrder,
      });
      const refused = await customer.submit({ body: { allowDuplicate: false } });
      expect([refused.status, codeOf(refused)]).toEqual([409, 'DUPLICATE_ORDER']);
      expect((await customer.submit()).status).toBe(200);
      const [failed, cancelled] = [await visitor(server), await visitor(server)];
      for (const [who, answer] of [
        [failed, 'decline'],
        [cancelled, 'approve'],
      ] as const) {
        const made = await who.order();
        await pay(server, made.next, answer);
        await who.confirm(made.order);
        await who.fill();
        expect((await asked(who)).isDuplicate).toBe(answer === 'approve');
        if (answer === 'approve') expect((await who.cancel(made.order.orderId)).status).toBe(200);
        expect((await asked(who)).isDuplicate).toBe(false);
        expect((await who.submit({ body: { allowDuplicate: false } })).status).toBe(200);
      }
      await server.advance(31 * 60);
      expect((await asked(customer)).isDuplicate).toBe(false);
    });

    test('equal lines are one on the order: the same dish, size and crust, however it came into the cart', async () => {
      const customer = await visitor(server);
      await customer.fill(1, 'L');
      await customer.fill(2, 'L');
      await customer.fill(1, 'M');
      const { body } = await customer.submit();
      // An offer's gift is on the order too, on a line of its own.
      const paid = body.order.lines.filter((line) => line.free !== true);
      expect(paid.map(({ quantity, sizeName }) => [quantity, sizeName])).toEqual([
        [3, 'Large'],
        [1, 'Medium'],
      ]);
      const [large, medium] = paid;
      expect(large!.lineTotal).toBe(large!.product.price * 3);
      expect(medium!.lineTotal).toBe(medium!.product.price);
    });

    test('a key that made nothing is not found; a submit without a key is refused [API-X02]', async () => {
      const customer = await visitor(server);
      expect((await customer.call(orders.byKey, { key: 'never-used' })).status).toBe(404);
      const { version, bill } = await customer.fill();
      const answer = await customer.call(orders.submit, {
        body: {
          cartId: customer.cartId,
          ...customer.where,
          customer: { firstName: 'A', lastName: 'B', mobile: customer.mobile },
          paymentMode: 'UPI',
          cartVersion: version,
          total: bill.total,
          termsAccepted: true,
        },
      });
      expect([answer.status, codeOf(answer)]).toEqual([400, 'IDEMPOTENCY_KEY']);
    });

    test('an order and its key go with the guest into the account', async () => {
      const customer = await visitor(server);
      await customer.fill();
      const key = randomUUID();
      const { body } = await customer.submit({ key });
      const user = await logIn(server, customer.mobile, 'in-web', customer.person);
      const after = new Customer(server, user, customer.where, customer.productId, customer.mobile);
      expect((await after.read(body.order.orderId)).orderId).toBe(body.order.orderId);
      expect((await after.call(orders.byKey, { key })).body.order.orderId).toBe(body.order.orderId);
      // The answer was lost and the page asks again, from the account: still the one order.
      const again = await after.submit({ key, cartVersion: body.order.bill.total, total: 1 });
      expect([again.status, again.body.order?.orderId]).toEqual([200, body.order.orderId]);
    });
  });

  describe('the life of an order', () => {
    raced('a step whose job runs again, late or out of turn, changes nothing [ORD-22]', async () => {
      const customer = await member(server);
      const { order } = await customer.order({ paymentMode: 'COD' });
      await server.advance(610);
      const before = await customer.read(order.orderId);
      const { openDb } = await import('../../src/server/store/db.ts');
      const { enqueue } = await import('../../src/server/store/jobs.ts');
      const { db } = await openDb(server.database.target);
      for (const index of [5, 4, 3, 2, 1, 1, 9])
        await enqueue(db, { kind: 'order.step', runAt: 0, payload: { orderId: order.orderId, index } });
      await db.destroy();
      await server.advance(1);
      const after = await customer.read(order.orderId);
      expect({ ...after, eta: null }).toEqual({ ...before, eta: null });
    });

    test.each([
      ['LOC-05', 'D', 'D', undefined, 'DELIVERY'],
      ['ORD-17', 'T', 'P', PICKUP, 'TAKEAWAY'],
      ['ORD-20', 'CURB', 'CURB', CURB, 'CURBSIDE PICKUP'],
      ['ORD-19', 'DINEIN', 'DINEIN', DINEIN, 'DINE-IN'],
    ] as const)(
      '%s: code %s where it is paid there, %s where it is paid already; what is collected is ready first [LOC-05] [ORD-17] [ORD-19] [ORD-20]',
      async (_row, there, already, where, label) => {
        const payer = await visitor(server, 'IN', where);
        const paid = await payer.order({ paymentMode: 'UPI' });
        await pay(server, paid.next);
        expect((await payer.read(paid.order.orderId)).serviceCode).toBe(already);
        const customer = await visitor(server, 'IN', where);
        const order = await cash(customer);
        expect(order).toMatchObject({
          ...{ orderStatus: 'ORDER PLACED', serviceLabel: label, serviceCode: there },
          payment: { state: 'DUE_AT_DOOR' },
        });
        if (where === undefined) return;
        expect(order.promise).toBeNull();
        expect(order.handOverCode).toBeUndefined();
        await server.advance(700);
        expect(await customer.read(order.orderId)).toMatchObject({ orderStatus: 'INPROCESS', stage: 'READY' });
        await server.advance(510);
        const done = await customer.read(order.orderId);
        expect(done).toMatchObject({ orderStatus: 'PICKED', payment: { state: 'CAPTURED' } });
        const steps = ['ORDER PLACED', 'CONFIRMED', 'PREP', 'BAKE', 'QC', 'READY', 'PICKED'];
        expect(done.steps.map((step) => step.id)).toEqual(steps);
      },
    );
    test('"I am here" brings a ready order out at once, into the bay that was named [ORD-11] [ORD-24] [API-37]', async () => {
      const customer = await visitor(server, 'IN', CURB);
      const order = await cash(customer);
      const unknown = await customer.call(orders.arrived, { body: { orderId: order.orderId, bay: '9' } });
      expect([unknown.status, codeOf(unknown)]).toEqual([422, 'BAY_UNKNOWN']);
      await server.advance(720);
      expect((await customer.call(orders.arrived, { body: { orderId: order.orderId, bay: '2' } })).status).toBe(200);
      const here = await customer.read(order.orderId);
      expect(here.arrival).toEqual({ at: expect.any(Number) as number, bay: '2' });
      expect(here.steps.find(({ id }) => id === 'READY')?.label).toBe(orderText.step({ news: 'READY_BAY' }));
      expect((await customer.call(tracking.onMap, { orderId: order.orderId })).body.route).toEqual([]);
      await server.advance(125);
      expect((await customer.read(order.orderId)).orderStatus).toBe('PICKED');
      const early = await visitor(server, 'IN', CURB);
      const second = await cash(early);
      await early.call(orders.arrived, { body: { orderId: second.orderId } });
      await server.advance(695);
      expect((await early.read(second.orderId)).stage).toBe('READY');
      await server.advance(120);
      expect((await early.read(second.orderId)).orderStatus).toBe('PICKED');
      const delivered = await visitor(server);
      expect(codeOf(await delivered.call(orders.arrived, { body: { orderId: (await cash(delivered)).orderId } }))).toBe(
        'NOT_COLLECTED',
      );
    });

    test('an order for later waits, starts in time for its slot, and can be cancelled until then [ORD-16] [ORD-23] [ORD-X09]', async () => {
      const probe = await visitor(server);
      const { timeSlots } = (await probe.call(stores.byId, { storeId: '10101', query: { timeSlots: 'true' } })).body;
      const slot = timeSlots![2]!;
      const customer = await visitor(server, 'IN', { ...PLACES['IN']!.where, slotId: slot.id });
      const order = await cash(customer);
      const { now } = (await server.call(development.clock, {})).body;
      await server.advance(Math.floor((slot.startsAt - now) / 1000) - 1442);
      expect((await customer.read(order.orderId)).orderStatus).toBe('ADVANCE ORDER');
      const other = await visitor(server, 'IN', { ...PLACES['IN']!.where, slotId: timeSlots!.at(-1)!.id });
      const late = await cash(other);
      await server.advance(1445);
      expect((await customer.read(order.orderId)).orderStatus).toBe('DELIVERED');
      expect((await other.cancel(late.orderId)).body.order.orderStatus).toBe('CANCELLED');
      const gone = await visitor(server, 'IN', { ...PLACES['IN']!.where, slotId: slot.id });
      await gone.fill();
      expect((await gone.validate()).body.problems).toMatchObject([
        { code: 'SLOT_INVALID', displayMsg: serverText.slotInvalid },
      ]);
    });

    test('cancelling: until 60 s after the store confirmed, then no more; money goes back once [ORD-09] [ORD-X04] [PAY-X07]', async () => {
      const customer = await visitor(server);
      const { order, next } = await customer.order();
      await pay(server, next);
      const placed = (await customer.confirm(order)).order;
      expect(placed.cancel).toMatchObject({ possible: true });
      // In the midst of those seconds; where they end is in orderView.
      await server.advance(50);
      const open = await customer.read(order.orderId);
      const confirmedAt = open.steps.find((step) => step.id === 'CONFIRMED')!.at!;
      expect(open.cancel).toEqual({
        possible: true,
        until: confirmedAt + 60_000,
        rule: 'You can cancel for free until 60 seconds after the store has confirmed your order. After that, please call the store.',
      });
      const key = randomUUID();
      const [first, second] = [await customer.cancel(order.orderId, key), await customer.cancel(order.orderId, key)];
      expect(first.status, JSON.stringify(first.body)).toBe(200);
      expect(JSON.stringify(second.body)).toBe(JSON.stringify(first.body));
      expect(first.body.order).toMatchObject({
        orderStatus: 'CANCELLED',
        payment: { state: 'REFUNDED' },
        refund: { amount: order.bill.total, state: 'STARTED' },
      });
      const { refund } = first.body.order;
      const days = (ms: number) => (ms - first.body.order.placedAt) / 86_400_000;
      expect(days(refund!.expectedFrom)).toBeGreaterThanOrEqual(4);
      expect(days(refund!.expectedTo)).toBeGreaterThanOrEqual(10);
      await server.advance(1500);
      expect((await customer.read(order.orderId)).orderStatus).toBe('CANCELLED');

      const late = await visitor(server);
      const kept = await cash(late);
      await server.advance(82);
      const refused = await late.cancel(kept.orderId);
      expect([refused.status, codeOf(refused), refused.body.errors?.[0]?.displayMsg]).toEqual([
        409,
        'CANCEL_TOO_LATE',
        serverText.cancelTooLate,
      ]);
      expect((await late.read(kept.orderId)).cancel.possible).toBe(false);
    });

    test('what coupons an order that is cancelled used may be used again', async () => {
      const customer = await member(server);
      await customer.fill(2, 'M');
      expect((await customer.coupon('WELCOME50')).status).toBe('SUCCESS');
      const { body } = await customer.submit({ paymentMode: 'COD' });
      expect(body.order.bill.lines.some((line) => line.id === 'discount:WELCOME50')).toBe(true);
      await customer.fill(2, 'M');
      expect((await customer.coupon('WELCOME50')).status).toBe('FAILED');
      expect((await customer.cancel(body.order.orderId)).status).toBe(200);
      expect((await customer.coupon('WELCOME50')).status).toBe('SUCCESS');
    });
  });

  describe('the promise', () => {
    test('a delivery has 30 minutes; 4 pizzas, pickup and later have none [ORD-25] [ORD-27]', async () => {
      const customer = await visitor(server);
      const order = await cash(customer);
      expect(order.promise).toEqual({ deadline: order.steps[0]!.at! + 30 * 60_000, state: 'running' });
      const party = await visitor(server);
      await party.fill(3);
      const three = (await party.submit({ paymentMode: 'UPI' })).body;
      await pay(server, three.next);
      expect((await party.confirm(three.order)).order.promise).not.toBeNull();
      await party.fill(4);
      const four = (await party.submit({ paymentMode: 'UPI' })).body;
      await pay(server, four.next);
      expect((await party.confirm(four.order)).order.promise).toBeNull();
    });

    test('a full kitchen says why it is late, and a missed promise pays a credit by itself, up to the limit [ORD-26] [ORD-X02]', async () => {
      // Twelve orders in ten minutes are what this store makes; the 25th waits ten minutes.
      const many = await Promise.all(
        Array.from({ length: 24 }, async () => {
          const one = await visitor(server);
          return await one.order({ paymentMode: 'UPI' }).then(async (made) => {
            await pay(server, made.next);
            await one.confirm(made.order);
          });
        }),
      );
      expect(many).toHaveLength(24);
      const customer = await visitor(server);
      const { order, next } = await customer.order();
      await pay(server, next);
      const placed = (await customer.confirm(order)).order;
      expect(placed.eta?.reason).toMatch(/^The kitchen is busy: orders before yours add about \d+ minutes\.$/);
      await server.advance(31 * 60);
      expect((await customer.read(order.orderId)).orderStatus).not.toBe('DELIVERED');
      await server.advance(30 * 60);
      const done = await customer.read(order.orderId);
      expect(done).toMatchObject({
        orderStatus: 'DELIVERED',
        promise: { state: 'missed', credit: Math.min(30_000, done.bill.total) },
      });
    });
  });

  test("an offline store's orders for later go to the store that takes them [ORD-X10]", async () => {
    const { timeSlots } = (
      await (
        await visitor(server)
      ).call(stores.byId, { storeId: '10304', query: { timeSlots: 'true', deliveryType: 'PICKUP' } })
    ).body;
    const customer = await visitor(server, 'IN', { storeId: '10304', deliveryType: 'PICKUP' });
    await customer.fill();
    expect((await customer.validate()).body.problems).toMatchObject([
      { code: '2.STORENA', displayMsg: errors.advanceOrderOnly },
    ]);
    const later = new Customer(
      server,
      customer.person,
      { ...customer.where, slotId: timeSlots![0]!.id },
      customer.productId,
      customer.mobile,
    );
    const { status, body } = await later.submit({ paymentMode: 'UPI' });
    expect(status, JSON.stringify(body)).toBe(200);
    expect(body.order.store.id).toBe('10301');
  });

  test('instructions to choose from [ORD-28] [API-75]', async () => {
    const { body } = await server.call(orders.instructions, {});
    expect(body.instructions.map((one) => one.id)).toEqual(['door', 'guard', 'nobell', 'call', 'pet']);
  });
});

import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import * as cart from '../../src/contract/cart.ts';
import * as history from '../../src/contract/history.ts';
import * as orders from '../../src/contract/orders.ts';

import { orderById } from '../../src/server/store/orders.ts';
import { engines } from '../kit/server.ts';
import { codeOf, logIn, logInByPaytm } from './people.ts';
import { CURB, Customer, DINEIN, member, pay, PICKUP, visitor } from './shop.ts';
import { shopHere } from './shopHere.ts';

describe.each(await engines())('the order history on %s', (engine) => {
  const { server, db } = shopHere({ engine });

  const page = async (one: Customer, query: Record<string, string> = {}) => {
    const { status, body } = await one.call(history.list, { query });
    if (status !== 200) throw new Error(`no history: ${status} ${JSON.stringify(body)}`);
    return body;
  };
  const ids = (list: readonly { orderId: string }[]) => list.map(({ orderId }) => orderId);
  /** Copies of an order, each a minute older than the one before: a long history without its making. */
  async function copies(orderId: string, count: number): Promise<string[]> {
    const order = (await orderById(db, orderId))!;
    const payment = await db
      .selectFrom('payments')
      .selectAll()
      .where('order_id', '=', orderId)
      .executeTakeFirstOrThrow();
    const made = Array.from({ length: count }, () => randomUUID());
    for (const [at, id] of made.entries()) {
      const when = order.submitted_at - (at + 1) * 60_000;
      const status = { status: 'DELIVERED' as const, stage: null, finished_at: when + 1_800_000 };
      await db
        .insertInto('orders')
        .values({ ...order, ...status, id, cart_id: id, idempotency_key: id, submitted_at: when })
        .execute();
      await db
        .insertInto('payments')
        .values({ ...payment, id: `p${id}`, order_id: id, reference: `r${id}`, created_at: when })
        .execute();
    }
    return made;
  }

  test('pages of a customer: newest first, each order once, whatever is ordered meanwhile [API-38] [HIST-04]', async () => {
    const one = await member(server, 'IN', PICKUP);
    expect(await page(one)).toMatchObject({ orders: [], paging: { pageNo: 1, isLast: true, next: null } });
    const first = (await one.order({ paymentMode: 'COD' })).order;
    const all = [first.orderId, ...(await copies(first.orderId, 24))];
    const begin = await page(one);
    expect(ids(begin.orders)).toEqual(all.slice(0, 10));
    expect(begin.paging).toMatchObject({ pageNo: 1, pageSize: 10, isLast: false });
    const newer = (await one.order({ paymentMode: 'COD' })).order;
    // By its number alone a page shifts with what was ordered; behind an order it does not.
    expect(ids((await page(one, { pageNo: '2' })).orders)).toEqual([newer.orderId, ...all].slice(10, 20));
    const second = await page(one, { pageNo: '2', after: begin.paging.next! });
    expect(ids(second.orders)).toEqual(all.slice(10, 20));
    const third = await page(one, { pageNo: '3', after: second.paging.next! });
    expect([ids(third.orders), third.paging]).toEqual([
      all.slice(20),
      { pageNo: 3, pageSize: 10, isLast: true, next: null },
    ]);
    expect((await page(one, { pageNo: '9' })).orders).toEqual([]);
    for (const query of [{ pageNo: '0' }, { pageNo: 'x' }, { after: 'x' }])
      expect((await one.call(history.list, { query })).status, JSON.stringify(query)).toBe(400);
  });

  test('orders of the same moment are all there, once each', async () => {
    const one = await member(server, 'IN', PICKUP);
    const { order } = await one.order({ paymentMode: 'COD' });
    const all = [order.orderId, ...(await copies(order.orderId, 14))];
    await db.updateTable('orders').set({ submitted_at: order.placedAt }).where('id', 'in', all).execute();
    const first = await page(one);
    const second = await page(one, { pageNo: '2', after: first.paging.next! });
    expect([...ids(first.orders), ...ids(second.orders)].sort()).toEqual([...all].sort());
  });

  test('every kind of order says what, where and how much; a cancelled or failed one stays, with its money [HIST-X05] [HIST-X04]', async () => {
    const one = await member(server);
    const delivered = (await one.order({ paymentMode: 'COD' })).order;
    const paid = await one.paid();
    await one.cancel(paid.orderId);
    const failed = await one.order();
    await pay(server, failed.next, 'decline');
    await one.confirm(failed.order);
    await one.cancel(failed.order.orderId);
    const others = [];
    for (const where of [PICKUP, CURB, DINEIN]) {
      const same = new Customer(server, one.person, where, one.productId, one.mobile);
      others.unshift((await same.order({ paymentMode: 'COD' })).order);
    }
    const shown = (await page(one)).orders;
    expect(shown.map(({ orderId, serviceLabel }) => [orderId, serviceLabel])).toEqual([
      ...others.map(({ orderId, serviceLabel }) => [orderId, serviceLabel]),
      [failed.order.orderId, 'DELIVERY'],
      [paid.orderId, 'DELIVERY'],
      [delivered.orderId, 'DELIVERY'],
    ]);
    expect(shown.map(({ serviceLabel }) => serviceLabel).slice(0, 3)).toEqual([
      'DINE-IN',
      'CURBSIDE PICKUP',
      'TAKEAWAY',
    ]);
    expect(shown[3]).toMatchObject({ orderStatus: 'FAILED', payment: { state: 'FAILED' }, refund: null });
    expect(shown[4]).toMatchObject({
      orderStatus: 'CANCELLED',
      refund: { amount: paid.bill.total, state: 'STARTED' },
    });
    expect(shown[5]).toMatchObject({
      orderNumber: delivered.orderNumber,
      total: delivered.bill.total,
      currencyCode: 'INR',
      address: { type: 'home', houseNo: '12', address: 'Barakhamba Road' },
      lines: [{ quantity: 1, product: { id: 'PZ001', name: delivered.lines[0]!.product.name } }],
      step: delivered.steps.find(({ state }) => state === 'current')!.label,
    });
  });

  test('an order in full: every try to pay, every refund with its days, who brought it [HIST-06]', async () => {
    const one = await member(server);
    const { order, next } = await one.order();
    await pay(server, next, 'decline');
    await one.confirm(order);
    const { body: again } = await one.retry({ orderId: order.orderId, paymentMode: 'UPI' });
    await pay(server, again.next);
    await one.confirm(order, again.payment.transactionId);
    const { body } = await one.call(history.record, { orderId: order.orderId, query: {} });
    expect(body.payments.map(({ state, amount }) => [state, amount])).toEqual([
      ['FAILED', order.bill.total],
      ['PAID', order.bill.total],
    ]);
    expect([body.refunds, body.riderName]).toEqual([[], null]);
    await server.advance(3 * 3_600);
    const later = (await one.call(history.record, { orderId: order.orderId, query: {} })).body;
    expect(later.order.orderStatus).toBe('DELIVERED');
    expect(later.riderName).toMatch(/^\p{L}+/u);

    const back = await one.paid();
    await one.cancel(back.orderId);
    const refunded = (await one.call(history.record, { orderId: back.orderId, query: {} })).body.refunds;
    expect(refunded).toEqual([
      expect.objectContaining({ amount: back.bill.total, isPromise: false, state: 'STARTED', paidAt: null }),
    ]);
    expect(refunded[0]!.expectedTo).toBeGreaterThan(refunded[0]!.expectedFrom);
  });

  test('orders belong to the account alone: a guest has none until the login brings them, and nobody reads another’s [HIST-01]', async () => {
    const guest = await visitor(server, 'IN', PICKUP);
    const { order } = await guest.order({ paymentMode: 'UPI' });
    const refused = await guest.call(history.list, { query: {} });
    expect([refused.status, codeOf(refused)]).toEqual([403, 'LOGIN_NEEDED']);
    expect((await guest.call(history.record, { orderId: order.orderId, query: {} })).status).toBe(200);
    const other = await member(server, 'IN', PICKUP);
    expect((await other.call(history.record, { orderId: order.orderId, query: {} })).status).toBe(404);
    const of = async (userId: string) =>
      (await guest.call(history.record, { orderId: order.orderId, query: { userId } })).status;
    expect([await of(guest.person.userId), await of(other.person.userId)]).toEqual([200, 404]);
    const known = new Customer(
      server,
      await logIn(server, guest.mobile, 'in-web', guest.person),
      PICKUP,
      'PZ001',
      guest.mobile,
    );
    expect(ids((await page(known)).orders)).toEqual([order.orderId]);
  });

  test('a search goes over all orders, page by page; without a hit it says what comes near; nobody finds another’s [HIST-05]', async () => {
    const one = await member(server, 'IN', PICKUP);
    const tomato = (await one.order({ paymentMode: 'COD' })).order;
    const drink = { operationId: randomUUID(), line: { lineId: randomUUID(), productId: 'BV001', quantity: 1 } };
    const options = { storeId: PICKUP.storeId, deliveryType: 'PICKUP' } as const;
    await one.call(cart.add, { cartId: one.cartId, body: { items: [drink], options } });
    const coke = (await one.submit({ paymentMode: 'COD' })).body.order;
    const old = await copies(tomato.orderId, 25);
    const all = async (search: string) => {
      const found: string[] = [];
      let isNear = false;
      for (let after: string | null = '', pageNo = 1; after !== null; pageNo += 1) {
        const body = await page(one, { search, pageNo: String(pageNo), ...(after === '' ? {} : { after }) });
        found.push(...ids(body.orders));
        isNear = body.isNear ?? false;
        after = body.paging.next;
      }
      return { found: found.sort(), isNear };
    };
    const of = (...list: string[]) => ({ found: list.sort(), isNear: false });
    for (const word of ['colla', coke.orderNumber]) expect(await all(word), word).toEqual(of(coke.orderId));
    expect(await all('tomatto')).toEqual(of(tomato.orderId, ...old));
    expect(await all('tomato coke')).toMatchObject({ isNear: true });
    expect(await all('xylophone')).toEqual(of());
    expect((await page(await member(server), { search: 'coke' })).orders).toEqual([]);
  });

  test('favourites are kept by their order’s id, last saved first, and belong to one account [HIST-15]', async () => {
    const one = await member(server, 'IN', PICKUP);
    const { order } = await one.order({ paymentMode: 'COD' });
    const [second, third] = await copies(order.orderId, 3);
    const save = (favOrderId: string, userId = one.userId) =>
      one.call(history.saveFavourite, { favOrderId, body: { data: { userId } } });
    const tab = async (more: Record<string, string> = {}) =>
      ids((await page(one, { favourites: 'true', ...more })).orders);
    expect(await tab()).toEqual([]);
    for (const id of [third!, order.orderId, third!]) {
      expect((await save(id)).status).toBe(200);
      await server.advance(1);
    }
    expect(await tab()).toEqual([order.orderId, third]);
    expect((await page(one)).orders.filter(({ isFavourite }) => isFavourite).map(({ orderId }) => orderId)).toEqual([
      order.orderId,
      third,
    ]);
    expect((await one.call(history.record, { orderId: third!, query: {} })).body.isFavourite).toBe(true);
    expect([await tab({ search: 'tomato' }), await tab({ search: 'coke' })]).toEqual([[order.orderId, third], []]);
    const other = await member(server, 'IN', PICKUP);
    for (const [who, userId] of [
      [other, other.userId],
      [one, other.userId],
    ] as const)
      expect(codeOf(await who.call(history.saveFavourite, { favOrderId: second!, body: { data: { userId } } }))).toBe(
        'NOT_FOUND',
      );
    await other.call(history.removeFavourite, { favOrderId: third! });
    expect(await tab()).toEqual([order.orderId, third]);
    await one.call(history.removeFavourite, { favOrderId: third! });
    expect(await tab()).toEqual([order.orderId]);
    const many = await copies(order.orderId, 60);
    const answers = await Promise.all(many.map((id) => save(id)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(49);
    expect(new Set(answers.filter(({ status }) => status !== 200).map(codeOf))).toEqual(new Set(['FAVOURITES_FULL']));

    // The last one that a page shows is taken off, and the next page begins where that one ended.
    const favourites = { favourites: 'true' };
    const first = await page(one, favourites);
    const following = ids((await page(one, { ...favourites, pageNo: '2', after: first.paging.next! })).orders);
    await one.call(history.removeFavourite, { favOrderId: first.orders.at(-1)!.orderId });
    expect(ids((await page(one, { ...favourites, pageNo: '2', after: first.paging.next! })).orders)).toEqual(following);
  });

  test('what was spent by month of the country, without what was never made; all of a year as rows [HIST-X03]', async () => {
    const one = await member(server, 'IN', PICKUP);
    expect((await one.call(history.summary, { query: {} })).body).toMatchObject({ total: 0, orders: 0, months: [] });
    const { order } = await one.order({ paymentMode: 'COD' });
    const [a, b, c, d] = await copies(order.orderId, 4);
    const at = (id: string, iso: string, status: 'DELIVERED' | 'CANCELLED' = 'DELIVERED') =>
      db
        .updateTable('orders')
        .set({ submitted_at: Date.parse(iso), status })
        .where('id', '=', id)
        .execute();
    await at(order.orderId, '2025-03-05T12:00:00+05:30');
    await at(a!, '2025-03-01T00:00:00+05:30');
    await at(b!, '2025-02-28T23:59:59+05:30');
    await at(c!, '2025-02-02T12:00:00+05:30', 'CANCELLED');
    await at(d!, '2024-12-31T23:59:59+05:30');
    const { total } = order.bill;
    const { body } = await one.call(history.summary, { query: {} });
    expect(body).toEqual({
      status: 'SUCCESS',
      year: 2025,
      years: [2025, 2024],
      currencyCode: 'INR',
      total: total * 3,
      orders: 3,
      months: [
        { month: '2025-03', orders: 2, total: total * 2 },
        { month: '2025-02', orders: 1, total },
      ],
    });
    expect((await one.call(history.summary, { query: { year: '2024' } })).body).toMatchObject({ orders: 1, total });
    // Part of it has gone back: it was not spent.
    const payment = await db.selectFrom('payments').selectAll().where('order_id', '=', d!).executeTakeFirstOrThrow();
    const [moment, id] = [payment.created_at, randomUUID()];
    const of = { payment_id: payment.id, order_id: d!, currency: 'INR' };
    await db
      .insertInto('captures')
      .values({ ...of, id, amount: total, at: moment, pays: 1 })
      .execute();
    const part = { ...of, id: randomUUID(), capture_id: id, part_of: null, amount: 2_500, reason: 'HELP' };
    const dates = { created_at: moment, expected_from: moment, expected_to: moment, paid_at: null };
    await db
      .insertInto('refunds')
      .values({ ...part, ...dates, state: 'STARTED', by_provider: 0 })
      .execute();
    expect((await one.call(history.summary, { query: { year: '2024' } })).body).toMatchObject({
      orders: 1,
      total: total - 2_500,
    });
    const rowsOf = async (year: string) => (await one.call(history.rows, { query: { year } })).body.rows;
    expect((await rowsOf('2025')).map((row) => row.orderStatus)).toEqual(
      ['ORDER PLACED', 'DELIVERED', 'DELIVERED', 'CANCELLED'].map((status, index) =>
        index === 0 ? expect.any(String) : status,
      ),
    );
    expect(await rowsOf('2024')).toEqual([
      {
        orderNumber: order.orderNumber,
        placedAt: Date.parse('2024-12-31T23:59:59+05:30'),
        orderType: 'PICKUP',
        orderStatus: 'DELIVERED',
        store: order.store.name,
        address: '',
        dishes: [{ name: order.lines[0]!.product.name, quantity: 1 }],
        savings: order.bill.savings,
        total,
        payment: order.payment.label,
      },
    ]);
    expect(await rowsOf('2023')).toEqual([]);
  });

  test('payment apps have no history, though what was ordered there can be followed [NAV-48] [NAV-49] [API-38]', async () => {
    const inGpay = await visitor(server, 'IN', PICKUP, 'in-gpay');
    const { order } = await inGpay.order({ paymentMode: 'GPAY' });
    const refused = await inGpay.call(history.record, { orderId: order.orderId, query: {} });
    expect([refused.status, codeOf(refused)]).toEqual([403, 'FEATURE_BLOCKED']);
    const inPaytm = await logInByPaytm(server);
    const calls = [
      await server.call(history.list, { query: {} }, inPaytm.as),
      await server.call(history.summary, { query: {} }, inPaytm.as),
      await server.call(history.rows, { query: { year: '2026' } }, inPaytm.as),
      await server.call(history.removeFavourite, { favOrderId: order.orderId }, inPaytm.as),
    ];
    expect(calls.map((answer) => [answer.status, codeOf(answer)])).toEqual(calls.map(() => [403, 'FEATURE_BLOCKED']));
    expect(ids((await inGpay.call(orders.recent, {})).body.orders)).toEqual([order.orderId]);
  });
});

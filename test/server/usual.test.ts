import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as cart from '../../src/contract/cart.ts';
import * as group from '../../src/contract/group.ts';
import * as loyalty from '../../src/contract/loyalty.ts';
import * as orders from '../../src/contract/orders.ts';
import * as payments from '../../src/contract/payments.ts';
import * as usual from '../../src/contract/usual.ts';
import { engines, startServer, type TestServer } from '../kit/server.ts';
import { codeFor, codeOf } from './people.ts';
import { member, openShop, visitor, type Customer } from './shop.ts';

const LINES = [
  { productId: 'PZ004', quantity: 1, size: 'M' as const },
  { productId: 'PZ001', quantity: 2, size: 'R' as const },
];

describe.each(await engines())('the usual order on %s', (engine) => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startServer({ engine });
    await openShop(server);
  });
  afterAll(async () => {
    await server.stop();
  });

  const customerOf = (who: Customer) => ({ firstName: 'Asha', lastName: '', mobile: who.mobile });
  const price = (who: Customer, more: object = {}) =>
    who.call(usual.price, {
      body: { ...who.where, lines: LINES, customer: customerOf(who), paymentMode: 'UPI', ...more },
    });
  const put = (who: Customer, id = randomUUID(), withOffers = true) =>
    who.call(usual.put, {
      cartId: who.cartId,
      body: {
        items: LINES.map((line, at) => ({
          operationId: `usual:${id}:${at}`,
          line: { ...line, lineId: `usual:${id}:${at}` },
        })),
        options: { storeId: who.where.storeId, deliveryType: who.where.deliveryType, paymentMode: 'UPI' },
        withOffers,
      },
    });

  test('it is priced without touching the cart, at the total that the bill then has', async () => {
    const who = await visitor(server);
    const { body } = await price(who);
    expect(body.lines.map((line) => line?.product.id)).toEqual(['PZ004', 'PZ001']);
    expect([body.gone, body.problems, body.paymentMode]).toEqual([[], [], 'UPI']);
    expect((await who.call(cart.byId, { cartId: who.cartId, query: {} })).body.cart.validItems).toEqual([]);
    expect((await put(who)).status).toBe(200);
    const { quote, deliveryMinutes } = (
      await who.call(orders.validations, {
        body: { ...who.where, cartId: who.cartId, customer: customerOf(who), paymentMode: 'UPI' },
      })
    ).body;
    expect(quote.bill).toEqual(body.bill);
    expect(deliveryMinutes).toEqual(body.deliveryMinutes);
  });

  test('the best permitted offer is on, and without offers it costs what it saves more', async () => {
    const who = await visitor(server);
    const [on, off] = [(await price(who)).body, (await price(who, { withOffers: false })).body];
    expect([on.hasOffers, off.hasOffers, on.offers.length > 0, off.offers]).toEqual([true, true, true, []]);
    expect(off.bill.savings + on.saving).toBe(on.bill.savings);
    expect((await put(who, randomUUID(), false)).body.cart.bill.total).toBe(off.bill.total);
  });

  test('a reward that was chosen for the other dishes in the cart is not spent on it', async () => {
    const who = await member(server);
    await who.call(loyalty.register, { query: { enroll: 'true' } });
    await who.call(loyalty.grant, { body: { mobile: who.mobile, points: 600 } });
    await who.fill(2, 'R');
    expect((await who.call(loyalty.useReward, { cartId: who.cartId })).status).toBe(200);
    const { bill } = (await price(who)).body;
    expect((await put(who)).body.cart.bill).toEqual(bill);
  });

  test('a dish that is gone is named and costs nothing; a closed store is a problem; a mode that is not offered is not taken', async () => {
    const who = await visitor(server);
    await server.switches({ soldOut: ['PZ001'], offlineStores: [who.where.storeId] });
    try {
      const { body } = await price(who, { paymentMode: 'GPAY' });
      expect(body.lines.map((line) => line?.product.id)).toEqual(['PZ004', undefined]);
      expect(body.gone.map(({ productId }) => productId)).toEqual(['PZ001']);
      expect(body.problems.map(({ code }) => code)).toEqual(['2.STORENA']);
      expect(body.paymentMode).toBeNull();
    } finally {
      await server.switches({ soldOut: [], offlineStores: [] });
    }
  });

  test('what was in the cart is kept aside, a second sending changes nothing, and an older try is replaced', async () => {
    const who = await visitor(server);
    await who.fill(3);
    const id = randomUUID();
    await put(who, id);
    const once = (await put(who, id)).body.cart;
    const shown = (one: typeof once) => [
      one.validItems.filter((line) => !line.free).map((line) => [line.product.id, line.quantity]),
      one.aside?.map((line) => [line.product.id, line.quantity]),
    ];
    const wanted = [
      [
        ['PZ004', 1],
        ['PZ001', 2],
      ],
      [[who.productId, 3]],
    ];
    expect(shown(once)).toEqual(wanted);
    expect(shown((await put(who)).body.cart)).toEqual(wanted);
    const stranger = await visitor(server);
    expect(
      (
        await stranger.call(usual.put, {
          cartId: who.cartId,
          body: { items: [{ operationId: 'a', line: { lineId: 'a', ...LINES[0]! } }], options: {} },
        })
      ).status,
    ).toBe(404);
  });

  test('a cart that is shared with a group stays as it is', async () => {
    const who = await visitor(server);
    await who.fill();
    const { status } = await who.call(group.start, {
      cartId: who.cartId,
      body: { name: 'Asha', diet: [], minutes: 30, limit: null },
    });
    expect(status).toBe(200);
    expect(codeOf(await put(who))).toBe('GROUP_SHARED');
  });

  test('cash takes a code once for each number of a customer, not again once it was confirmed [PAY-05]', async () => {
    const who = await visitor(server);
    const first = await who.order({ paymentMode: 'COD' });
    expect(first.next.kind).toBe('cod-otp');
    await server.advance(60);
    const unconfirmed = await who.order({ paymentMode: 'COD', body: { allowDuplicate: true } });
    expect(unconfirmed.next.kind).toBe('cod-otp');
    const { transactionId } = unconfirmed.order;
    await who.call(payments.codOtp, { transactionId, body: { code: await codeFor(server, who.mobile) } });
    expect((await who.order({ paymentMode: 'COD', body: { allowDuplicate: true } })).next.kind).toBe('none');
    const other = await visitor(server);
    expect((await other.order({ paymentMode: 'COD' })).next.kind).toBe('cod-otp');
  });
});

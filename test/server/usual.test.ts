import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import * as cart from '../../src/contract/cart.ts';
import * as coupons from '../../src/contract/coupons.ts';
import * as development from '../../src/contract/development.ts';
import * as group from '../../src/contract/group.ts';
import * as loyalty from '../../src/contract/loyalty.ts';
import * as orders from '../../src/contract/orders.ts';
import * as payments from '../../src/contract/payments.ts';
import * as stores from '../../src/contract/stores.ts';
import * as usual from '../../src/contract/usual.ts';
import * as text from '#text/server.ts';
import { engines, startServer } from '../kit/server.ts';
import { codeFor, codeOf } from './people.ts';
import { member, openShop, pay, PICKUP, visitor, type Customer } from './shop.ts';
import { during } from '../kit/during.ts';

const LINES = [
  { productId: 'PZ004', quantity: 1, size: 'M' as const },
  { productId: 'PZ001', quantity: 2, size: 'R' as const },
];

describe.each(await engines())('the usual order on %s', (engine) => {
  const server = during(() => startServer({ engine }), openShop);

  const customerOf = (who: Customer) => ({ firstName: 'Asha', lastName: '', mobile: who.mobile });
  const price = (who: Customer, more: object = {}) =>
    who.call(usual.price, {
      body: { ...who.where, lines: LINES, customer: customerOf(who), paymentMode: 'UPI', ...more },
    });
  const put = (who: Customer, id = randomUUID(), withOffers = true, extras: object = {}) =>
    who.call(usual.put, {
      cartId: who.cartId,
      body: {
        items: LINES.map((line, at) => ({
          operationId: `usual:${id}:${at}`,
          line: { ...line, lineId: `usual:${id}:${at}` },
        })),
        options: { storeId: who.where.storeId, deliveryType: who.where.deliveryType, paymentMode: 'UPI', ...extras },
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

  test('what comes free with it is told apart, and no offer of a first order is on: as usual is not the first time', async () => {
    const who = await member(server);
    const one = [{ productId: 'PZ001', quantity: 1, size: 'M' as const }];
    const { body } = await price(who, { lines: one });
    expect(body.offers).toEqual([{ code: 'VEGLOVE20', title: '20% off veg pizzas' }]);
    expect([body.gifts, body.saving]).toEqual([[], 4580]);
    // In the cart it would be.
    await who.fill(1, 'M');
    const { best } = (await who.call(coupons.combined, { cartId: who.cartId, query: {} })).body;
    expect(best!.codes).toEqual(['WELCOME50']);
    const more = (await price(who)).body;
    expect(more.gifts.map(({ lineId, product, free }) => [lineId, product.id, free])).toEqual([
      ['free:FREEDIP', 'SD007', true],
    ]);
    expect(more.offers.map(({ code }) => code)).toContain('FREEDIP');
    expect((await price(who, { withOffers: false })).body.gifts).toEqual([]);
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

  test('a store that makes orders for later alone tells no minutes of now, with one tap and at the checkout', async () => {
    const who = await visitor(server, 'IN', { storeId: '10304', deliveryType: 'PICKUP' });
    await who.fill(1, 'M');
    const validated = async (slotId: string | null) =>
      (
        await who.call(orders.validations, {
          body: { ...who.where, cartId: who.cartId, slotId, customer: customerOf(who), paymentMode: 'UPI' },
        })
      ).body;
    const { timeSlots, kitchen } = (
      await who.call(stores.byId, {
        storeId: '10304',
        query: { timeSlots: 'true', kitchen: 'true', locality: 'false', deliveryType: 'PICKUP' },
      })
    ).body;
    const { now } = (await who.call(development.clock, {})).body;
    const minutes = (at: number) => Math.round((timeSlots![at]!.startsAt - now) / 60_000);
    const { body } = await price(who, { address: undefined });
    expect([body.problems.map(({ code }) => code), kitchen?.minutes]).toEqual([['2.STORENA'], null]);
    const about = (at: number) => ({ from: expect.closeTo(minutes(at), -0.3), to: expect.closeTo(minutes(at), -0.3) });
    expect(minutes(0)).toBeGreaterThan(11);
    expect(body.deliveryMinutes).toEqual(about(0));
    expect((await validated(null)).deliveryMinutes).toEqual(about(0));
    // Of a time that was chosen, at a store that makes them at once as well.
    expect((await validated(timeSlots![3]!.id)).deliveryMinutes).toEqual(about(3));
    who.where.storeId = '10301';
    expect((await validated(timeSlots![3]!.id)).deliveryMinutes).toEqual(about(3));
    expect((await validated(null)).deliveryMinutes.from).toBeLessThan(20);
  });

  test('the usual order says all that prevents it at once: no address, no number to call, less than the country’s minimum', async () => {
    const who = await visitor(server);
    const { body } = await price(who, { address: null, customer: { ...customerOf(who), mobile: '12' } });
    expect(body.problems.map(({ code, field }) => [code, field])).toEqual([
      ['ADDRESS_MISSING', 'address'],
      ['INVALID_MOBILE', 'customer.mobile'],
    ]);
    // Who it is for may be asked later.
    expect((await price(who, { customer: null })).body.problems).toEqual([]);
    const far = await visitor(server, 'BG', { storeId: '30101', deliveryType: 'PICKUP' });
    const dip = await price(far, { lines: [{ productId: 'SD007', quantity: 1 }], customer: null });
    expect(dip.body.problems.map(({ code }) => code)).toEqual(['MINIMUM_ORDER']);
  });

  test('the usual order is paid like the last one, if that is offered, or in the only mode; a mode that cannot says why', async () => {
    const who = await visitor(server);
    const modeOf = async (from: Customer, more: object = {}) =>
      (await price(from, { paymentMode: undefined, ...more })).body.paymentMode;
    expect(await modeOf(who)).toBeNull();
    const { next } = await who.order({ paymentMode: 'NETBANKING' });
    await pay(server, next);
    await server.advance(60);
    expect(await modeOf(who)).toBe('NETBANKING');
    expect(await modeOf(who, { paymentMode: 'CARD' })).toBe('CARD');
    const inApp = await visitor(server, 'IN', PICKUP, 'in-gpay');
    expect(await modeOf(inApp)).toBe('GPAY');
    // What paid last and is switched off now is not chosen for anybody.
    const byUpi = await visitor(server);
    await pay(server, (await byUpi.order()).next);
    await server.advance(60);
    expect(await modeOf(byUpi)).toBe('UPI');
    await server.switches({ features: JSON.stringify({ features: [{ name: 'upiForm', value: 'D' }] }) });
    expect([await modeOf(byUpi), await modeOf(byUpi, { paymentMode: 'UPI' })]).toEqual([null, null]);
    await server.switches({ features: JSON.stringify({ features: [] }) });
    const { modes } = (await price(who, { lines: [{ productId: 'PZ004', quantity: 10, size: 'L' }] })).body;
    expect(modes.find(({ id }) => id === 'COD')?.disabledReason).toMatch(/₹/);
    expect(modes.find(({ id }) => id === 'UPI')).not.toHaveProperty('disabledReason');
    const cashOf = async (deliveryType: string) =>
      (await price(who, { deliveryType })).body.modes.find(({ id }) => id === 'COD')?.label;
    expect([await cashOf('DELIVERY'), await cashOf('PICKUP')]).toEqual(['Cash on delivery', text.payCashPickup]);
  });

  test('tip, bag and cutlery of the other dishes are not on it, nor those that are sent along', async () => {
    const who = await visitor(server);
    await who.fill(2);
    const extras = { tip: 3_000, carryBag: true, cutlery: true };
    await who.call(cart.change, { cartId: who.cartId, body: { items: [], options: extras } });
    expect((await who.cart()).options).toEqual(extras);
    const none = { tip: 0, carryBag: false, cutlery: false };
    expect((await put(who)).body.cart.options).toEqual(none);
    expect((await put(who, randomUUID(), true, extras)).body.cart.options).toEqual(none);
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

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as development from '../../src/contract/development.ts';
import * as payments from '../../src/contract/payments.ts';
import * as stores from '../../src/contract/stores.ts';
import * as usual from '../../src/contract/usual.ts';
import { localTime, timeText } from '../../src/domain/hours.ts';
import * as orderText from '#text/orders.ts';
import * as text from '#text/server.ts';
import { codeOf } from './people.ts';
import { CURB, DINEIN, openedShop, pay, PICKUP, PLACES, visitor, type Shop, type Where } from './shop.ts';

const MINUTE_MS = 60_000;
/** Of a store that takes its last order within a minute: twice the eleven minutes of its kitchen after that. */
const closing = (now: number) => (Math.floor(now / MINUTE_MS) + 23) * MINUTE_MS;
const ZONES: Readonly<Record<string, string>> = { IN: 'Asia/Kolkata', LK: 'Asia/Colombo', BG: 'Asia/Dhaka' };

describe('the last order before a store closes', () => {
  let shop: Shop;
  beforeAll(async () => {
    shop = await openedShop();
  });
  afterAll(() => shop.close(3600));

  const now = async () => (await shop.server.call(development.clock, {})).body.now;
  /** Moves the clock to the next such time of day in the country. */
  async function until(country: string, clock: string) {
    const { minutes } = localTime(await now(), ZONES[country]!);
    const [hours, rest] = clock.split(':').map(Number) as [number, number];
    const seconds = Math.floor((await now()) / 1000) % 60;
    await shop.server.advance((((hours * 60 + rest - minutes + 1440) % 1440) * 60 || 86_400) - seconds);
  }
  const storeNow = async ({ storeId, deliveryType }: Where, apiKey = 'in-web') =>
    (
      await shop.server.call(
        stores.byId,
        { storeId, query: { kitchen: 'true', timeSlots: 'true', locality: 'false', deliveryType } },
        { apiKey },
      )
    ).body;
  const SAKET = { storeId: '10102' };
  const saketDelivery: Where = { ...PLACES['IN']!.where, storeId: '10103' };
  const dhanmondi: Where = {
    storeId: '30102',
    deliveryType: 'CURB',
    vehicle: { colour: 'Red', model: 'Axio', lastFourDigits: '4821' },
  };

  test.each<[string, string, Where, string, string]>([
    ['takeaway', 'IN', { ...PICKUP, ...SAKET }, '22:37', '23:00'],
    ['a car outside', 'IN', CURB, '22:37', '23:00'],
    ['a table', 'IN', { ...DINEIN, ...SAKET }, '22:37', '23:00'],
    ['a store that is open past midnight', 'IN', DINEIN, '02:37', '03:00'],
    ['Sri Lanka', 'LK', { storeId: '20106', deliveryType: 'PICKUP' }, '22:07', '22:30'],
    ['Bangladesh, past midnight', 'BG', dhanmondi, '01:37', '02:00'],
  ])(
    '%s: is ready before it closes; a minute later none is taken, with its sentence [ORD-X09] [ORD-X10]',
    async (_, country, where, last, closes) => {
      const { server } = shop;
      const who = await visitor(server, country, where);
      const say = (at: number) => timeText(at, ZONES[country]!, orderText.clock);
      await who.fill(2, 'M');
      await until(country, last);
      const closesAt = closing(await now());
      expect(localTime(closesAt, ZONES[country]!).minutes).toBe(
        Number(closes.slice(0, 2)) * 60 + Number(closes.slice(3)),
      );
      // Other countries have no UPI; cash is taken after a code.
      const paymentMode = country === 'IN' ? 'UPI' : 'COD';
      const placed = await who.submit({ paymentMode });
      expect(placed.status, JSON.stringify(placed.body)).toBe(200);
      if (country === 'IN') {
        await pay(server, placed.body.next);
        const { order } = await who.confirm(placed.body.order);
        expect(order.orderStatus).toBe('ORDER PLACED');
      }
      const before = await storeNow(where, PLACES[country]!.apiKey);
      expect((await now()) + before.kitchen!.minutes!.to * MINUTE_MS).toBeLessThanOrEqual(closesAt);
      expect(before).toMatchObject({ store: { isOpen: true }, kitchen: { isLastHour: true } });

      await server.advance(60);
      const late = await visitor(server, country, where);
      await late.fill(2, 'M');
      const over = text.lastOrderOver({ time: say(closesAt - 22 * MINUTE_MS) });
      const refused = await late.submit({ paymentMode });
      expect([refused.status, codeOf(refused), refused.body.errors?.[0]?.displayMsg]).toEqual([
        422,
        'STORE_CLOSED',
        text.storeClosing({ hours: over }),
      ]);
      // Every page says the same: the store, its kitchen, and the cart.
      const after = await storeNow(where, PLACES[country]!.apiKey);
      expect(after).toMatchObject({
        store: { isOpen: false, hoursText: over },
        kitchen: { minutes: null, promiseMinutes: null, text: over },
      });
      // What can be wanted is later than the closing, and is taken.
      expect(after.timeSlots![0]!.startsAt).toBeGreaterThan(closesAt);
      const advance = await late.submit({ paymentMode, body: { slotId: after.timeSlots![0]!.id } });
      expect(advance.status).toBe(200);
    },
  );

  test('a delivery leaves in time, and none is taken or promised after that', async () => {
    const where = {
      ...saketDelivery,
      address: { ...PLACES['IN']!.where.address!, latitude: 28.5245, longitude: 77.2066 },
      storeId: '10102',
    };
    const who = await visitor(shop.server, 'IN', where);
    await who.fill(2, 'M');
    await until('IN', '22:37');
    expect((await who.cart()).promise.applies).toBe(true);
    expect((await who.validate()).body.problems.map(({ code }) => code)).not.toContain('STORE_CLOSED');
    await shop.server.advance(60);
    expect((await who.cart()).promise).toMatchObject({ applies: false, reason: text.promiseLater });
    expect((await who.validate()).body.problems.map(({ code }) => code)).toContain('STORE_CLOSED');
    // Nor with one tap.
    const { body } = await who.call(usual.price, {
      body: { storeId: '10102', deliveryType: 'PICKUP', lines: [{ productId: 'PZ001', size: 'M', quantity: 1 }] },
    });
    expect(body.problems.map(({ code }) => code)).toContain('STORE_CLOSED');
  });

  test('is paid while it can still be ready before closing, in another attempt too, and fails after that', async () => {
    const where: Where = { ...PICKUP, ...SAKET };
    const who = await visitor(shop.server, 'IN', where);
    await who.fill(2, 'M');
    await until('IN', '22:37');
    const { order, next } = (await who.submit()).body;
    const closesAt = closing(await now());
    expect(order.payment.settlesBy! + 11 * MINUTE_MS).toBeLessThanOrEqual(closesAt);
    await pay(shop.server, next, 'decline');
    await who.confirm(order);
    await until('IN', '22:48');
    const retry = () =>
      who.call(
        payments.retry,
        { body: { orderId: order.orderId, paymentMode: 'UPI' } },
        { 'idempotency-key': crypto.randomUUID() },
      );
    const again = await retry();
    expect([again.status, JSON.stringify(again.body)]).toEqual([200, expect.any(String)]);
    await pay(shop.server, again.body.next, 'decline');
    await who.confirm(order, again.body.payment.transactionId);
    await shop.server.advance(62);
    const late = await retry();
    expect(late.status).not.toBe(200);
    await shop.server.advance(60);
    expect((await who.read(order.orderId)).orderStatus).toBe('FAILED');
  });
});

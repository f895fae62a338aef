import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as development from '../../src/contract/development.ts';
import * as group from '../../src/contract/group.ts';
import * as paylinks from '../../src/contract/paylinks.ts';
import * as payments from '../../src/contract/payments.ts';
import type { PaymentStep } from '../../src/contract/payments.ts';
import * as reorder from '../../src/contract/reorder.ts';
import type { FailedReply } from '../../src/contract/reply.ts';
import * as stores from '../../src/contract/stores.ts';
import * as usual from '../../src/contract/usual.ts';
import * as vouchers from '../../src/contract/vouchers.ts';
import * as wallet from '../../src/contract/wallet.ts';
import { localTime, timeText } from '../../src/domain/hours.ts';
import * as errors from '#text/errors.ts';
import * as orderText from '#text/orders.ts';
import * as text from '#text/server.ts';
import { codeFor, codeOf } from './people.ts';
import {
  DINEIN,
  member,
  openedShop,
  pay,
  PICKUP,
  PLACES,
  visitor,
  type Customer,
  type Placed,
  type Shop,
  type Where,
} from './shop.ts';

const MINUTE_MS = 60_000;
/** Of a store that takes its last order within a minute: twice the eleven minutes of its kitchen after that. */
const closing = (now: number) => (Math.floor(now / MINUTE_MS) + 23) * MINUTE_MS;
const ZONES: Readonly<Record<string, string>> = { IN: 'Asia/Kolkata', LK: 'Asia/Colombo', BG: 'Asia/Dhaka' };

interface Told {
  readonly status: number;
  readonly body: Partial<Pick<FailedReply, 'errors'>>;
}

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
    ['a table of a store that is open past midnight', 'IN', DINEIN, '02:37', '03:00'],
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

  const SAKET_PICKUP: Where = { ...PICKUP, ...SAKET };
  const DOOR = { paymentMode: 'COD' } as const;
  /** An answer's status, its code and its sentence. */
  const told = ({ status, body: { errors: [first] = [] } }: Told) => [status, first?.code, first?.displayMsg];
  const over = text.lastOrderOver({ time: '10:38 PM' });

  const WHO: readonly [string, () => Promise<() => Promise<Placed>>][] = [
    [
      'a group',
      async () => {
        const host = await visitor(shop.server, 'IN', SAKET_PICKUP);
        await host.fill();
        const people = { name: 'Asha', diet: [], minutes: 60, limit: null };
        const { code } = (await host.call(group.start, { cartId: host.cartId, body: people })).body.group;
        const friend = await visitor(shop.server, 'IN', SAKET_PICKUP);
        await friend.call(group.join, { code, body: { name: 'Ravi', diet: [] } });
        return () => host.submit();
      },
    ],
    [
      'who orders again',
      async () => {
        const who = await member(shop.server, 'IN', SAKET_PICKUP);
        const { order } = await who.order(DOOR);
        return async () => {
          const body = { cartId: who.cartId, operationId: randomUUID() };
          expect((await who.call(reorder.reorder, { orderId: order.orderId, body })).status).toBe(200);
          return await who.submit();
        };
      },
    ],
    [
      'who pays at the door',
      async () => {
        const who = await member(shop.server, 'IN', SAKET_PICKUP);
        await who.fill();
        return () => who.submit(DOOR);
      },
    ],
    [
      'who pays from the wallet',
      async () => {
        const who = await member(shop.server, 'IN', SAKET_PICKUP);
        await shop.server.call(wallet.credit, { body: { mobile: who.mobile, amount: 100_000 } });
        const { bill } = await who.fill();
        return () => who.submit({ body: { funds: { wallet: bill.total } } });
      },
    ],
  ];
  test('a group, who orders again, pays at the door or from the wallet orders at the last minute, and nobody a minute later', async () => {
    // Before, so that they are there at this minute.
    await until('IN', '22:20');
    const all = [];
    for (const [name, prepared] of WHO) all.push({ name, last: await prepared(), late: await prepared() });
    await until('IN', '22:37');
    const placed: string[] = [];
    for (const { name, last } of all) {
      const { status, body } = await last();
      expect([name, status, body.errors]).toEqual([name, 200, undefined]);
      if (body.next.kind !== 'none') await pay(shop.server, body.next);
      placed.push(body.order.orderId);
    }
    await until('IN', '22:38');
    for (const { name, late } of all)
      expect([name, ...told(await late())]).toEqual([name, 422, 'STORE_CLOSED', text.storeClosing({ hours: over })]);
    expect(await shop.db.selectFrom('orders').select('status').where('id', 'in', placed).execute()).toEqual(
      WHO.map(() => ({ status: 'ORDER PLACED' })),
    );
  });

  const key = () => ({ 'idempotency-key': randomUUID() });
  const declined = async (who: Customer) => {
    const { order, next } = await who.order();
    await pay(shop.server, next, 'decline');
    await who.confirm(order);
    return order;
  };
  /** The next step of each, where somebody has to pay still. */
  type Paying = () => Promise<Told & { readonly body: { readonly next?: PaymentStep | null | undefined } }>;
  const FAILED = [409, 'ORDER_FAILED', errors.orderFailed];
  const TOO_LATE = [422, 'STORE_CLOSED', text.payTooLate({ hours: over })];
  const LINK_OVER = [409, 'LINK_OVER', errors.linkOver];
  const WAYS: readonly [
    string,
    readonly unknown[],
    readonly unknown[],
    (who: Customer) => Promise<[string, Paying]>,
  ][] = [
    [
      'in another attempt',
      FAILED,
      TOO_LATE,
      async (who) => {
        const { orderId } = await declined(who);
        return [orderId, () => who.call(payments.retry, { body: { orderId, paymentMode: 'UPI' } }, key())];
      },
    ],
    [
      'with another offer',
      FAILED,
      TOO_LATE,
      async (who) => {
        await who.fill(4, 'M');
        const { orderId, transactionId } = (await who.submit()).body.order;
        const promo = { transactionId, promo: 'UPI75', query: {} };
        return [orderId, () => who.call(payments.applyPromo, promo, key())];
      },
    ],
    [
      'with an e-voucher',
      FAILED,
      TOO_LATE,
      async (who) => {
        const card = (await shop.server.call(vouchers.issue, { body: { amount: 500_000 } })).body;
        const body = { number: card.number, pin: card.pin };
        const { voucherId } = (await who.call(vouchers.link, { body })).body.voucher;
        const { orderId, bill } = await declined(who);
        return [orderId, () => who.call(vouchers.redeem, { body: { orderId, voucherId, amount: bill.total } }, key())];
      },
    ],
    [
      'through a pay link',
      LINK_OVER,
      LINK_OVER,
      async (who) => {
        const { order, next } = await who.order({ paymentMode: 'LINK' });
        if (next.kind !== 'link') throw new Error(`no link: ${next.kind}`);
        const payer = await visitor(shop.server, 'IN', SAKET_PICKUP);
        const { token } = next;
        return [order.orderId, () => payer.call(paylinks.pay, { token, body: { paymentMode: 'UPI' } }, key())];
      },
    ],
    [
      'at the door, with a code',
      FAILED,
      TOO_LATE,
      async (who) => {
        const { orderId, transactionId } = (await who.order(DOOR)).order;
        return [
          orderId,
          // The first code has ended by then.
          async () => {
            const sent = await who.call(payments.codOtp, { transactionId, body: {} });
            if (sent.status !== 200) return sent;
            const code = await codeFor(shop.server, who.mobile);
            return await who.call(payments.codOtp, { transactionId, body: { code } });
          },
        ];
      },
    ],
  ];
  test('an order is paid in each way until 22:48, and not at 22:49, whether it has failed by then or not', async () => {
    await until('IN', '22:37');
    const prepared = async ([way, failed, open, begin]: (typeof WAYS)[number]) => {
      const begun = async () => await begin(await visitor(shop.server, 'IN', SAKET_PICKUP));
      return { way, failed, open, last: await begun(), late: await begun(), held: await begun() };
    };
    const all: Awaited<ReturnType<typeof prepared>>[] = [];
    for (const way of WAYS) all.push(await prepared(way));
    const statusOf = async ([orderId]: [string, Paying]) =>
      (await shop.db.selectFrom('orders').select('status').where('id', '=', orderId).executeTakeFirstOrThrow()).status;
    await until('IN', '22:48');
    for (const { way, last } of all) {
      const { status, body } = await last[1]();
      expect([way, status, body.errors]).toEqual([way, 200, undefined]);
      if (body.next != null && body.next.kind !== 'none') await pay(shop.server, body.next);
    }
    // Of some of them a busy shop is late with its work.
    const waiting = shop.db
      .updateTable('jobs')
      .set((e) => ({ run_at: e('run_at', '+', 5 * MINUTE_MS) }))
      .where('kind', '=', 'payment.expire')
      .where('unique_key', 'in', (e) =>
        e
          .selectFrom('payments')
          .select(sql<string>`'payment.expire:' || id`.as('key'))
          .where(
            'order_id',
            'in',
            all.map(({ held }) => held[0]),
          ),
      );
    await waiting.execute();
    await until('IN', '22:49');
    for (const { way, failed, open, last, late, held } of all) {
      const states = [await statusOf(last), await statusOf(late), await statusOf(held)];
      expect([way, ...states]).toEqual([way, 'ORDER PLACED', 'FAILED', 'PENDING']);
      expect([way, told(await late[1]()), told(await held[1]())]).toEqual([way, failed, open]);
    }
    await until('IN', '22:55');
    for (const { way, held } of all) expect([way, await statusOf(held)]).toEqual([way, 'FAILED']);
  });

  test('a charge that is open as its time ends cannot be paid at the bank after it', async () => {
    const who = await visitor(shop.server, 'IN', SAKET_PICKUP);
    await who.fill();
    await until('IN', '22:37');
    const { order, next } = (await who.submit()).body;
    expect(order.payment.settlesBy).toBe(closing(await now()) - 11 * MINUTE_MS);
    await until('IN', '22:49');
    await expect(pay(shop.server, next)).rejects.toThrow();
    expect(await who.read(order.orderId)).toMatchObject({ orderStatus: 'FAILED', payment: { state: 'FAILED' } });
  });

  test('an order for the last time of the day is paid by the same minute, however often it is tried', async () => {
    const who = await visitor(shop.server, 'IN', SAKET_PICKUP);
    await until('IN', '22:17');
    const slot = (await storeNow(SAKET_PICKUP)).timeSlots![0]!;
    expect(localTime(slot.startsAt, ZONES['IN']!).minutes).toBe(22 * 60 + 30);
    const { order, next } = await who.order({ body: { slotId: slot.id } });
    const retry = () => who.call(payments.retry, { body: { orderId: order.orderId, paymentMode: 'UPI' } }, key());
    await pay(shop.server, next, 'decline');
    await who.confirm(order);
    for (const [clock, settlesBy] of [
      ['22:31', '22:46'],
      ['22:45', '22:49'],
    ] as const) {
      await until('IN', clock);
      const { status, body } = await retry();
      expect([status, body.errors]).toEqual([200, undefined]);
      const [hours, minutes] = settlesBy.split(':').map(Number) as [number, number];
      expect(localTime(body.payment.settlesBy!, ZONES['IN']!).minutes).toBe(hours * 60 + minutes);
      await pay(shop.server, body.next, 'decline');
      await who.confirm(order, body.payment.transactionId);
    }
    expect((await who.read(order.orderId)).orderStatus).toBe('PENDING');
    await until('IN', '22:49');
    expect(told(await retry())).toEqual(FAILED);
  });
});

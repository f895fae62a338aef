import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DEVICE_HEADER } from '../../src/contract/challenge.ts';
import * as orders from '../../src/contract/orders.ts';
import * as payments from '../../src/contract/payments.ts';
import * as serverText from '#text/server.ts';
import { failOrder } from '../../src/server/rules/order/ending.ts';
import { transact } from '../../src/server/store/db.ts';
import { lockOrder } from '../../src/server/store/orders.ts';
import { movePayment, OPEN_STATES } from '../../src/server/store/payments.ts';
import { now } from '../../src/server/store/system.ts';
import { engines, type TestServer } from '../kit/server.ts';
import { codeOf, freshMobile } from './people.ts';
import { member, openedShop, PICKUP, PLACES, visitor, type Customer, type Shop, type Where } from './shop.ts';

const CODE = 'WELCOME50';
const home = PLACES['IN']!.where;
let houses = 100;
/** A place of its own, so that tests do not share a street. */
function elsewhere(houseNo?: string, street = 'Barakhamba Road'): Where {
  houses += 1;
  const at = { latitude: home.address!.latitude + houses / 10_000, longitude: home.address!.longitude };
  return { ...home, address: { ...home.address!, ...at, houseNo: houseNo ?? String(houses), address: street } };
}

describe.each(await engines())('the offer for a first order on %s', (engine) => {
  let server: TestServer;
  let db: Shop['db'];
  let close: Shop['close'];
  beforeAll(async () => {
    ({ server, db, close } = await openedShop({ engine }));
  });
  afterAll(() => close(60));

  /** A newcomer with a pizza and the offer in the cart. */
  async function newcomer(where: Where): Promise<Customer> {
    const one = await member(server, 'IN', where);
    await one.fill(2, 'M');
    expect((await one.coupon(CODE)).status).toBe('SUCCESS');
    return one;
  }
  const problemsOf = async (one: Customer, headers: Record<string, string> = {}, more: object = {}) => {
    const { body } = await one.call(
      orders.validations,
      { body: { cartId: one.cartId, ...one.where, ...more } },
      headers,
    );
    return body.problems.map(({ code }) => code);
  };
  const placed = (one: Customer) => one.submit({ paymentMode: 'COD' });
  const codeAndStatus = (answer: Awaited<ReturnType<typeof placed>>) =>
    answer.status === 200 ? 'ok' : `${answer.status} ${codeOf(answer)}`;

  test('twenty newcomers at one address, however they write it, get it three times, and what came to nothing comes back', async () => {
    const { address } = elsewhere();
    const ways: [string, string][] = [
      ['12A', 'Barakhamba Road'],
      ['No. 12-a', 'barakhamba rd.'],
      ['#12 A', 'Bárakhamba Road'],
      ['House 012a,', 'BARAKHAMBA, ROAD'],
    ];
    const people = await Promise.all(
      Array.from({ length: 20 }, (_, n) => {
        const [houseNo, street] = ways[n % ways.length]!;
        return newcomer({ ...home, address: { ...address!, houseNo, address: street } });
      }),
    );
    // Nobody has had it yet: all of them are promised it, and submit what they were promised.
    const quotes = await Promise.all(people.map((one) => one.validate({ paymentMode: 'COD' })));
    expect(quotes.flatMap(({ body }) => body.problems)).toEqual([]);
    const answers = await Promise.all(
      people.map((one, n) =>
        one.submit({
          paymentMode: 'COD',
          cartVersion: quotes[n]!.body.quote.cartVersion,
          total: quotes[n]!.body.quote.bill.total,
        }),
      ),
    );
    const got = answers.filter(({ status }) => status === 200);
    expect(got).toHaveLength(3);
    expect(new Set(answers.filter(({ status }) => status !== 200).map(codeOf))).toEqual(
      new Set(['COUPON_FIRST_ORDER']),
    );
    // The others are told before they pay, with a day, and may order without it.
    const [late, next] = people.filter((_, n) => answers[n]!.status !== 200) as [Customer, Customer];
    const { problems } = (await late.validate()).body;
    expect(problems).toMatchObject([{ code: 'COUPON_FIRST_ORDER', field: CODE }]);
    expect(problems[0]!.displayMsg).toMatch(/^As many first orders to this address .* from .+\d.*take WELCOME50 off/);
    const first = people[answers.indexOf(got[0]!)]!;
    expect((await first.cancel(got[0]!.body.order.orderId)).status).toBe(200);
    expect(codeAndStatus(await placed(late))).toBe('ok');
    expect(codeAndStatus(await placed(next))).toBe('422 COUPON_FIRST_ORDER');
    const rows = JSON.stringify(await db.selectFrom('first_orders').selectAll().execute());
    for (const clear of [late.mobile, 'barakhamba', late.userId]) expect(rows.toLowerCase()).not.toContain(clear);
    // After 90 days an address may have it again, a person may not.
    await db.updateTable('first_orders').set({ ends_at: 1 }).where('ends_at', '<', Number.MAX_SAFE_INTEGER).execute();
    expect(codeAndStatus(await placed(next))).toBe('ok');
  });

  test('an address counts where it is delivered to: before there is one only it is missing, and what is collected has none', async () => {
    const { address } = elsewhere();
    for (let n = 0; n < 3; n += 1)
      expect(codeAndStatus(await placed(await newcomer({ ...home, address: address! })))).toBe('ok');
    const fourth = await newcomer(elsewhere());
    expect(await problemsOf(fourth, {}, { address: undefined })).toEqual(['ADDRESS_MISSING']);
    expect(await problemsOf(fourth, {}, { address })).toEqual(['COUPON_FIRST_ORDER']);
    expect(await problemsOf(fourth, {}, { address, deliveryType: 'PICKUP' })).toEqual([]);
  });

  test('a number that is typed tells nobody whether it is a customer: the same answer, and no offer without a login', async () => {
    const known = await member(server, 'IN', PICKUP);
    await known.order({ paymentMode: 'COD' });
    const stranger = await visitor(server, 'IN', PICKUP);
    await stranger.fill(2, 'M');
    expect((await stranger.coupon(CODE)).status).toBe('SUCCESS');
    const asked = async (mobile: string) => {
      const { status, body } = await stranger.validate({ customer: { firstName: 'A', lastName: 'B', mobile } });
      return [status, body.problems, body.quote.bill];
    };
    const forKnown = await asked(known.mobile);
    expect(forKnown).toEqual(await asked(freshMobile()));
    expect(forKnown[1]).toMatchObject([{ code: 'COUPON_LOGIN', displayMsg: serverText.couponLogin({ code: CODE }) }]);
    const submits = [];
    for (const mobile of [known.mobile, freshMobile()]) {
      const { status, body } = await stranger.submit({ body: { customer: { firstName: 'A', lastName: 'B', mobile } } });
      submits.push([status, body.errors]);
    }
    expect(submits[0]).toEqual(submits[1]);
    expect(submits[0]![0]).toBe(422);
    // The customer is told so, who is logged in.
    await known.fill(2, 'M');
    expect(await known.coupon(CODE)).toMatchObject({ status: 'FAILED' });
  });

  test('two of a device, of a card and of a UPI id', async () => {
    const device = { [DEVICE_HEADER]: 'd'.repeat(43) };
    const sharing = await Promise.all(Array.from({ length: 3 }, () => newcomer(PICKUP)));
    for (const one of sharing.slice(0, 2)) {
      expect(await problemsOf(one, device)).toEqual([]);
      expect((await one.submit({ paymentMode: 'COD', headers: device })).status).toBe(200);
    }
    expect(await problemsOf(sharing[2]!, device)).toEqual(['COUPON_FIRST_ORDER']);
    expect(await problemsOf(sharing[2]!)).toEqual([]);

    const card = { number: '4111 1111 1111 1111', expiry: '12/49', cvv: '123', name: 'Asha Rao' };
    const results: string[] = [];
    for (let n = 0; n < 3; n += 1) {
      const one = await newcomer(PICKUP);
      const { token } = (await one.call(payments.cardToken, { body: card })).body;
      results.push(codeAndStatus(await one.submit({ paymentMode: 'CARD', body: { cardToken: token } })));
    }
    expect(results).toEqual(['ok', 'ok', '422 COUPON_FIRST_ORDER']);

    const asked = [];
    let last: Customer | null = null;
    let transactionId = '';
    for (let n = 0; n < 3; n += 1) {
      last = await newcomer(PICKUP);
      ({ transactionId } = (await last.submit({ paymentMode: 'UPI' })).body.order);
      asked.push(
        await last.call(payments.upiCollect, {
          transactionId,
          body: { vpa: n === 1 ? ' Asha@OKAXIS' : 'asha@okaxis' },
        }),
      );
    }
    expect(asked.map((answer) => [answer.status, answer.body.errors?.[0]?.field])).toEqual([
      [200, undefined],
      [200, undefined],
      [422, 'vpa'],
    ]);
    // Nothing was paid: another id may, and without the offer this one.
    const promo = { transactionId, promo: CODE, query: {} };
    const off = await last!.call(payments.removePromo, promo, { 'idempotency-key': randomUUID() });
    expect(off.body.status).toBe('SUCCESS');
    const again = { transactionId: off.body.payment!.transactionId, body: { vpa: 'asha@okaxis' } };
    expect((await last!.call(payments.upiCollect, again)).status).toBe(200);
  });

  test('a UPI id that comes while its order is given up is not counted', async () => {
    const one = await newcomer(PICKUP);
    const { transactionId, orderId } = (await one.submit({ paymentMode: 'UPI' })).body.order;
    let asked: Promise<{ status: number }> | null = null;
    await transact(db, async (tx) => {
      const order = (await lockOrder(tx, orderId))!;
      const at = await now(tx);
      await movePayment(tx, transactionId, OPEN_STATES, { state: 'FAILED', code: 'CANCELLED', settled_at: at });
      expect(await failOrder(tx, order, at)).toBe(true);
      asked ??= one.call(payments.upiCollect, { transactionId, body: { vpa: 'late@okaxis' } });
      // It has seen an order that waits for money, and is about to count the id.
      for (let n = 0; n < 3; n += 1) await one.read(orderId);
    });
    expect((await asked!).status).toBe(409);
    expect(await db.selectFrom('first_orders').selectAll().where('order_id', '=', orderId).execute()).toEqual([]);
  });
});

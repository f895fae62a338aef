import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DEVICE_HEADER } from '../../src/contract/challenge.ts';
import * as orders from '../../src/contract/orders.ts';
import * as payments from '../../src/contract/payments.ts';
import { countryConfig } from '../../country/index.ts';
import * as serverText from '#text/server.ts';
import { dayText } from '../../src/server/call/language.ts';
import type { Caller } from '../../src/server/call/caller.ts';
import type { Refusal } from '../../src/server/call/refusal.ts';
import { catalogueFromDisk } from '../../src/server/rules/catalogue/catalogue.ts';
import {
  firstOrderProblems,
  holdersFor,
  placeHolders,
  takeFirstOrders,
  takeWayToPay,
  upiHolder,
  wayHolder,
  type Holder,
} from '../../src/server/rules/offers/firstOrder.ts';
import { failOrder } from '../../src/server/rules/order/cancellation.ts';
import { openDb, transact, type Root } from '../../src/server/store/db.ts';
import { keepCardOffers } from '../../src/server/store/cardOffers.ts';
import { keepLinked } from '../../src/server/store/linkedWallets.ts';
import { migrate } from '../../src/server/store/migrate.ts';
import { lockOrder } from '../../src/server/store/orders.ts';
import { movePayment, OPEN_STATES } from '../../src/server/store/payments.ts';
import { now } from '../../src/server/store/system.ts';
import { on } from '../kit/engines.ts';
import { bothEngines, engines, testDatabase } from '../kit/server.ts';
import { codeOf, freshMobile, logInByPaytm, type Person } from './people.ts';
import { member, pay, PICKUP, PLACES, visitor, type Customer, type Where } from './shop.ts';
import { enteredCard } from './typed.ts';
import { shopHere } from './shopHere.ts';

const CODE = 'WELCOME50';
const home = PLACES['IN']!.where;
let houses = 100;
/** A place of its own, so that tests do not share a street. */
function elsewhere(houseNo?: string, street = 'Barakhamba Road'): Where {
  houses += 1;
  const at = { latitude: home.address!.latitude + houses / 10_000, longitude: home.address!.longitude };
  return { ...home, address: { ...home.address!, ...at, houseNo: houseNo ?? String(houses), address: street } };
}

describe.each(await bothEngines())('the offer for a first order on %s', (engine) => {
  const { raced, test } = on(engine);
  const { server, db } = shopHere({ engine }, 60);

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

  raced(
    'twenty newcomers at one address, however they write it, get it three times, and what came to nothing comes back',
    async () => {
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
      expect(quotes.flatMap<unknown>(({ status, body }) => (status === 200 ? body.problems : [body]))).toEqual([]);
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
      expect(problems[0]!.displayMsg).toMatch(
        /^This offer has been used at this address .* from .+\d.*take WELCOME50 off/,
      );
      const first = people[answers.indexOf(got[0]!)]!;
      expect((await first.cancel(got[0]!.body.order.orderId)).status).toBe(200);
      expect(codeAndStatus(await placed(late))).toBe('ok');
      expect(codeAndStatus(await placed(next))).toBe('422 COUPON_FIRST_ORDER');
      const rows = JSON.stringify(await db.selectFrom('first_orders').selectAll().execute());
      for (const clear of [late.mobile, 'barakhamba', late.userId]) expect(rows.toLowerCase()).not.toContain(clear);
      // After 90 days an address may have it again, a person may not.
      await db.updateTable('first_orders').set({ ends_at: 1 }).where('ends_at', '<', Number.MAX_SAFE_INTEGER).execute();
      expect(codeAndStatus(await placed(next))).toBe('ok');
    },
  );

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

  raced('two of a device, of a card and of a UPI id', async () => {
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
      const token = await enteredCard(one, card);
      results.push(codeAndStatus(await one.submit({ paymentMode: 'CARD', body: { cardToken: token } })));
    }
    expect(results).toEqual(['ok', 'ok', '422 COUPON_FIRST_ORDER']);
    // Nor does it pay at a second try for who has ordered otherwise.
    const other = await newcomer(PICKUP);
    const cardToken = await enteredCard(other, card);
    const { order, next } = (await other.submit({ paymentMode: 'UPI' })).body;
    await pay(server, next, 'decline');
    await other.confirm(order);
    const retry = (wish: object) =>
      other.call(
        payments.retry,
        { body: { orderId: order.orderId, paymentMode: 'NETBANKING', ...wish } },
        { 'idempotency-key': randomUUID() },
      );
    const refused = await retry({ paymentMode: 'CARD', cardToken });
    expect([refused.status, refused.body.errors?.[0]?.code, refused.body.errors?.[0]?.field]).toEqual([
      ...[422, 'COUPON_FIRST_ORDER', 'paymentMode'],
    ]);
    expect((await retry({})).status).toBe(200);

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

  test('who comes by Paytm is known by its person, too, and by the number once there is one', async () => {
    const kinds = async (who: Person, mobile: string | null) => {
      const caller = {
        userId: who.userId,
        mobile,
        isLoggedIn: true,
        country: 'IN',
        host: 'paytm',
      } as unknown as Caller;
      return await holdersFor(db, caller, { deliveryType: 'PICKUP', device: null }, await now(db));
    };
    const mobile = freshMobile();
    const one = await logInByPaytm(server, mobile);
    const known = await kinds(one, mobile);
    expect(known.map(({ kind }) => kind)).toEqual(['person', 'person', 'person']);
    expect(await kinds(one, null)).toEqual([known[0], known[2]]);
    const plain = await member(server);
    expect(await kinds(plain.person, mobile)).toEqual([expect.anything(), known[1]]);
    const third = (await kinds(await logInByPaytm(server), mobile)).map(({ id }) => id);
    expect([third[1], new Set([...third, ...known.map(({ id }) => id)]).size]).toEqual([known[1]!.id, 5]);
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

describe.each(await engines())('what offers for a first order are counted by, on %s', (engine) => {
  const DAY = 86_400_000;
  const NOW = Date.UTC(2027, 0, 13, 7, 0);
  const india = catalogueFromDisk(countryConfig('IN'));
  let db: Root;
  let drop: () => Promise<void>;
  beforeAll(async () => {
    const database = await testDatabase(engine);
    const opened = await openDb(database.target);
    ({ db } = opened);
    drop = async () => {
      await db.destroy();
      await database.drop();
    };
    await migrate(opened);
  });
  afterAll(() => drop());

  let orderCount = 0;
  const said = (asked: Promise<void>) =>
    asked.then(
      () => 'ok',
      ({ httpStatus, errors }: Refusal) =>
        `${httpStatus} ${errors.map(({ code, field, displayMsg }) => `${code} ${field}: ${displayMsg}`).join()}`,
    );
  const take = (holders: readonly Holder[], now = NOW) => {
    orderCount += 1;
    const orderId = `ord_${orderCount}`;
    return said(transact(db, (tx) => takeFirstOrders(tx, india, { code: CODE, holders, orderId, now })));
  };
  const day = (days: number) => dayText(NOW + days * DAY, india.country);
  const takeOff = (reason: string) =>
    `409 COUPON_FIRST_ORDER ${CODE}: ${serverText.firstOrderTakeOff({ reason, code: CODE })}`;

  test.each([
    ['person', 1, null, () => serverText.couponFirstOrder],
    ['device', 2, 365, (from: string) => serverText.firstOrderDevice({ from })],
    ['address', 3, 90, (from: string) => serverText.firstOrderAddress({ from })],
    ['spot', 20, 90, (from: string) => serverText.firstOrderAddress({ from })],
    ['payment', 2, 365, (from: string) => serverText.firstOrderPayment({ from })],
  ] as const)('a %s has it %d times, in %s days', async (kind, most, days, sentence) => {
    const holder: Holder = { kind, id: `${kind}-1` };
    for (let n = 0; n < most; n += 1) expect(await take([holder])).toBe('ok');
    const over = takeOff(sentence(days === null ? '' : day(days)));
    expect(await take([holder])).toBe(over);
    expect(await take([holder, { kind: 'person', id: `${kind}-other` }])).toBe(over);
    // What was refused has used nothing up.
    expect(await take([{ kind: 'person', id: `${kind}-other` }])).toBe('ok');
    if (days === null) return expect(await take([holder], NOW + 9999 * DAY)).toBe(over);
    expect(await take([holder], NOW + days * DAY - 1)).toBe(over);
    expect(await take([holder], NOW + days * DAY)).toBe('ok');
  });
  test('before it is paid: a guest is asked to log in for an offer that each customer has so often, and a customer for nothing', async () => {
    const own = (code: string, usage: object) => [code, { ...india.coupons.get(code)!, usage }] as const;
    const usage = { perUser: null, total: null, firstOrderOnly: false };
    const shop = {
      ...india,
      coupons: new Map([...india.coupons, own('FLAT100', { ...usage, perUser: 2 }), own('SAVE15', usage)]),
    } as typeof india;
    const who = (isLoggedIn: boolean) =>
      ({ userId: 'usr_1', mobile: '9844', isLoggedIn, country: 'IN', host: 'web' }) as unknown as Caller;
    const order = { deliveryType: 'PICKUP', device: null };
    const problems = (isLoggedIn: boolean, ...codes: readonly string[]) =>
      firstOrderProblems(db, shop, codes, who(isLoggedIn), order, NOW);
    const login = (code: string) => [
      { code: 'COUPON_LOGIN', displayMsg: serverText.couponLogin({ code }), field: code },
    ];
    expect(await problems(false, 'FLAT100')).toEqual(login('FLAT100'));
    expect(await problems(false, 'FLAT100', CODE)).toEqual(login(CODE));
    for (const codes of [['SAVE15'], ['NOSUCH'], []]) expect(await problems(false, ...codes)).toEqual([]);
    expect(await problems(true, 'FLAT100')).toEqual([]);
    expect(await problems(true, CODE)).toEqual([]);
    const holders = await holdersFor(db, who(true), order, NOW);
    expect(holders.map(({ kind }) => kind)).toEqual(['person', 'person']);
    expect(await holdersFor(db, who(false), order, NOW)).toEqual([]);
    expect(await take(holders.slice(1))).toBe('ok');
    expect(await problems(true, 'SAVE15', CODE)).toEqual([
      {
        code: 'COUPON_FIRST_ORDER',
        displayMsg: serverText.firstOrderTakeOff({ reason: serverText.couponFirstOrder, code: CODE }),
        field: CODE,
      },
    ]);
    expect(await problems(true, 'FLAT100')).toEqual([]);
  });
  test('nobody known is asked to log in', async () => {
    expect(await take([])).toBe(`409 COUPON_LOGIN ${CODE}: ${serverText.couponLogin({ code: CODE })}`);
  });
  test('another way to pay counts where the order has such an offer, and by nothing but the way', async () => {
    const holders: Holder[] = [
      { kind: 'person', id: 'way-person' },
      { kind: 'payment', id: 'way-1' },
    ];
    const pay = (orderId: string, codes: readonly string[] = [CODE]) =>
      said(transact(db, (tx) => takeWayToPay(tx, india, { codes, holders, orderId, field: 'vpa', now: NOW })));
    for (const id of ['w1', 'w2', 'w2']) expect(await pay(id)).toBe('ok');
    expect(await pay('w3')).toBe(`422 COUPON_FIRST_ORDER vpa: ${serverText.firstOrderPayment({ from: day(365) })}`);
    expect(await pay('w3', ['FLAT100'])).toBe('ok');
    expect(await take([holders[0]!])).toBe('ok');
  });

  test('one address is one however it is written; a neighbour’s is another', async () => {
    const idsOf = async (houseNo: string, address: string, more: object = {}) => {
      const holders = await placeHolders(db, 'IN', {
        device: null,
        deliveryType: 'DELIVERY',
        address: { houseNo, address, latitude: 28.63151, longitude: 77.21671, ...more },
      });
      return Object.fromEntries(holders.map(({ kind, id }) => [kind, id]));
    };
    const own = await idsOf('12A', 'MG Road');
    for (const [houseNo, address] of [
      ['12-a', 'mg road'],
      ['No. 12 A', 'MG Rd'],
      ['Flat 012A', 'Road, MG'],
      ['12/A', 'the MĠ road'],
      ['House number 12A', 'near MG road'],
    ] as const)
      expect(await idsOf(houseNo, address), `${houseNo}, ${address}`).toEqual(own);
    expect((await idsOf('Apt 3, Blk 2', 'Hill Apartments St'))['address']).toBe(
      (await idsOf('Apartment 3 Block 2', 'Hill Street'))['address'],
    );
    for (const [houseNo, address] of [
      ['12B', 'MG Road'],
      ['12', 'MG Road'],
      ['12A', 'MG Street'],
      ['112A', 'MG Road'],
    ] as const)
      expect((await idsOf(houseNo, address))['address'], `${houseNo}, ${address}`).not.toBe(own['address']);
    // About eleven metres are one spot.
    expect((await idsOf('9', 'x', { latitude: 28.63149 }))['spot']).toBe(own['spot']);
    expect((await idsOf('12A', 'MG Road', { latitude: 28.6317 }))['spot']).not.toBe(own['spot']);
    expect((await idsOf('12A', 'MG Road', { longitude: 77.2169 }))['spot']).not.toBe(own['spot']);
  });
  test('what is collected has no address, and a device only where there is one', async () => {
    const address = { houseNo: '1', address: 'a', latitude: 1, longitude: 2 };
    const kinds = async (device: string | null, deliveryType: string, where: typeof address | null = address) =>
      (await placeHolders(db, 'IN', { device, deliveryType, address: where })).map(({ kind }) => kind);
    expect(await kinds('d', 'DELIVERY')).toEqual(['device', 'address', 'spot']);
    expect(await kinds(null, 'DELIVERY')).toEqual(['address', 'spot']);
    expect(await kinds('d', 'PICKUP')).toEqual(['device']);
    expect(await kinds(null, 'DELIVERY', null)).toEqual([]);
  });
  test('a card is known again, and a linked wallet by its number, whoever pays with it; nothing is known of another way', async () => {
    for (const [who, fingerprint] of [
      ['usr_a', 'one card'],
      ['usr_b', 'one card'],
      ['usr_c', 'another'],
      ['usr_d', ''],
    ] as const)
      await keepCardOffers(db, who, { token: `card_${who}`, fingerprint }, [], NOW);
    for (const [user_id, mobile] of [
      ['usr_a', '9811'],
      ['usr_b', '9811'],
      ['usr_c', '9822'],
    ] as const)
      await keepLinked(db, { user_id, provider: 'paytm', mobile, token: 't', linked_at: NOW });
    const way = (userId: string, by: { cardToken?: string; wallet?: string }, at = NOW) =>
      wayHolder(db, userId, by, at);
    const card = (userId: string, at = NOW) => way(userId, { cardToken: `card_${userId}` }, at);
    const paytm = (userId: string) => way(userId, { wallet: 'paytm' });
    const [own, other] = [await card('usr_a'), await paytm('usr_a')];
    expect([own?.kind, other?.kind]).toEqual(['payment', 'payment']);
    expect([await card('usr_b'), await paytm('usr_b')]).toEqual([own, other]);
    const ids = [own, other, await card('usr_c'), await paytm('usr_c')].map((one) => one?.id);
    expect(new Set(ids).size).toBe(4);
    // The card first, where both are named.
    expect(await way('usr_a', { cardToken: 'card_usr_a', wallet: 'paytm' })).toEqual(own);
    const nothing = [
      await way('usr_a', {}),
      await way('usr_a', { cardToken: 'card_usr_b' }),
      await card('usr_a', NOW + 2 * DAY),
      await card('usr_d'),
      await paytm('usr_d'),
      await way('usr_a', { wallet: 'gpay' }),
    ];
    expect(nothing).toEqual(nothing.map(() => null));
    const caller = {
      userId: 'usr_a',
      mobile: '9811',
      isLoggedIn: true,
      country: 'IN',
      host: 'web',
    } as unknown as Caller;
    const by = { deliveryType: 'PICKUP', device: null, cardToken: 'card_usr_a' };
    expect((await holdersFor(db, caller, by, NOW)).at(-1)).toEqual(own);
  });
  test('a UPI id is one with blanks around it and in capitals', async () => {
    const { id } = await upiHolder(db, 'asha@okaxis');
    expect(await upiHolder(db, ' ASHA@okaxis ')).toEqual({ kind: 'payment', id });
    expect((await upiHolder(db, 'usha@okaxis')).id).not.toBe(id);
  });
});

import { randomUUID } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import * as cart from '../../src/contract/cart.ts';
import * as development from '../../src/contract/development.ts';
import { fillPath } from '../../src/contract/endpoint.ts';
import * as orders from '../../src/contract/orders.ts';
import * as payments from '../../src/contract/payments.ts';
import * as vouchers from '../../src/contract/vouchers.ts';
import * as wallet from '../../src/contract/wallet.ts';
import { sign } from '../../src/server/providers/signing.ts';
import { openDb, type Root } from '../../src/server/store/db.ts';
import { bankSecret } from '../../src/server/vendors/bankDesk.ts';
import { startServer, testDatabase, type TestServer } from '../kit/server.ts';
import { bankAt } from './bankBetween.ts';
import { violations } from './invariants.ts';
import { type Customer, member, openShop, pay, PICKUP, visitor } from './shop.ts';

type Lie = (reply: Record<string, unknown>, captures: Capture[]) => Record<string, unknown>;
interface Capture {
  id: string;
  amount: number;
  currency: string;
  at: number;
}

/** Stands between the shop and the bank: passes everything on, and changes what is said about a payment. */
async function between(bank: () => string, key: () => string) {
  const state: { lie: Lie | null; about: string; sign: (reply: string, nonce: string) => string } = {
    lie: null,
    about: '',
    sign: () => '',
  };
  const signed = (reply: string, nonce: string) => sign(key(), 'reply', nonce, '200', reply);
  state.sign = signed;
  const headersOf = (headers: IncomingHttpHeaders) =>
    Object.entries(headers).filter(([name]) => /^(content-type|accept-language|x-bank)/.test(name)) as [
      string,
      string,
    ][];
  const server = createServer((request, response) => {
    void (async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const answer = await fetch(bank() + request.url!, {
        method: 'POST',
        headers: headersOf(request.headers),
        body: Buffer.concat(chunks),
      });
      const text = await answer.text();
      const isStatus = /\/(status|cancel)$/.test(request.url!) && answer.status === 200;
      const reply = isStatus ? (JSON.parse(text) as Record<string, unknown> & { captures: Capture[] }) : null;
      if (state.lie === null || reply?.['reference'] !== state.about) {
        response.writeHead(answer.status, [...answer.headers].flat());
        return void response.end(text);
      }
      const told = JSON.stringify(state.lie(reply, reply.captures));
      response.setHeader('x-bank-signature', state.sign(told, String(request.headers['x-bank-nonce'])));
      response.end(told);
    })();
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    state,
    signed,
    stop: () => server.close(),
  };
}

/** What the catalogues let the server say to a customer, as patterns. */
const sentences = ['errors', 'server', 'orders'].flatMap((name) =>
  Object.values(
    JSON.parse(readFileSync(new URL(`../../src/text/en/${name}.json`, import.meta.url), 'utf8')) as Record<
      string,
      string
    >,
  ).map((text) => {
    const plain = text.replaceAll(/[$()*+.?[\\\]^|]/g, String.raw`\$&`);
    // A place to be filled in, and what may stand in it in braces of its own.
    return new RegExp(`^${plain.replaceAll(/\{(?:[^{}]|\{[^{}]*\})*\}/g, '.+')}$`, 's');
  }),
);

describe('cases of money', () => {
  let server: TestServer;
  let db: Root;
  let bank: Awaited<ReturnType<typeof between>>;
  let key = '';
  let stop: () => Promise<void>;
  beforeAll(async () => {
    const database = await testDatabase();
    const first = await startServer({ database });
    ({ db } = await openDb(database.target));
    key = await bankSecret(db);
    await first.stop();
    bank = await between(
      () => server.url,
      () => key,
    );
    server = await startServer({
      database,
      settings: bankAt(bank.url, key),
    });
    await openShop(server);
    stop = async () => {
      bank.stop();
      await db.destroy();
      await server.stop();
      await database.drop();
    };
  });
  afterAll(() => stop());

  interface Said {
    readonly status: number;
    readonly body: { errors?: { code: string; displayMsg: string }[] } & Record<string, unknown>;
  }
  /** Raw JSON, so that nothing here makes it well-formed. */
  async function send(method: string, where: string, who: Customer, body?: string, more: object = {}): Promise<Said> {
    const { as, userId } = who.person;
    const answer = await fetch(server.url + where, {
      method,
      headers: {
        api_key: as.apiKey!,
        authToken: as.authToken!,
        userId,
        'content-type': 'application/json',
        'idempotency-key': randomUUID(),
        ...more,
      },
      ...(body === undefined ? {} : { body }),
    });
    return { status: answer.status, body: (await answer.json()) as Said['body'] };
  }
  /** Why this is no proper refusal; null when it is one. */
  const notRefused = ({ status, body }: Said): string | null => {
    if (status < 400 || status >= 500) return `${status} ${JSON.stringify(body).slice(0, 300)}`;
    const said = body.errors?.[0]?.displayMsg ?? '';
    return sentences.some((sentence) => sentence.test(said)) ? null : `${status}, in words of its own: ${said}`;
  };
  const everythingIsRight = async () => expect(await violations(db, { settled: false })).toEqual([]);

  const NO_COUNTS =
    '-1 0 1.5 51 1e3 2147483648 -2147483649 9007199254740993 1e400 -1e400 1e-7 "2" "2e1" "٢" null true [1] {"$gt":0} NaN 0x10 01'.split(
      ' ',
    );
  const NO_SUMS = '-1 0 0.5 1e400 9007199254740993 "100" "1.00" null true [] {} Infinity'.split(' ');
  const NO_TIPS = ['-1', '-0.01', '0.5', '1000001', '99999999999999999999', '1e309', '"500"', 'null', 'true', '[500]'];

  test('an invalid amount, count or price is refused in a catalogue sentence, and a price that is sent counts for nothing', async () => {
    const customer = await member(server);
    await server.call(wallet.credit, { body: { mobile: customer.mobile, amount: 20_000 } });
    const voucher = (await server.call(vouchers.issue, { body: { amount: 30_000 } })).body;
    await customer.call(vouchers.link, { body: { number: voucher.number, pin: voucher.pin } });
    await customer.fill(2);
    const before = await customer.cart();
    const items = fillPath(cart.add.path, { cartId: customer.cartId });
    const line = (more: string, id = randomUUID()) =>
      `{"items":[{"operationId":"${id}","line":{"lineId":"${id}","productId":"PZ001"${more}}}]}`;
    const change = (quantity: string) =>
      `{"items":[{"operationId":"${randomUUID()}","lineId":"${before.validItems[0]!.lineId}","quantity":${quantity}}]}`;

    const { quote } = (await customer.validate({ paymentMode: 'UPI' })).body;
    const { total } = quote.bill;
    const good = {
      cartId: customer.cartId,
      ...customer.where,
      customer: { firstName: 'Asha', lastName: 'Rao', mobile: customer.mobile },
      paymentMode: 'UPI',
      cartVersion: quote.cartVersion,
      total,
      termsAccepted: true,
      allowDuplicate: true,
    };
    const submit = (field: string, value: string) =>
      send(
        'POST',
        orders.submit.path,
        customer,
        `${JSON.stringify({ ...good, [field]: undefined }).slice(0, -1)},"${field}":${value}}`,
      );
    const funds = (value: string) => submit('funds', value);
    const own = voucher.voucherId;

    const cases: [string, () => Promise<Said>][] = [
      ...NO_COUNTS.map((n): [string, () => Promise<Said>] => [
        `${n} pizzas`,
        () => send('POST', items, customer, line(`,"quantity":${n}`)),
      ]),
      ...NO_COUNTS.filter((n) => n !== '0').map((n): [string, () => Promise<Said>] => [
        `a line changed to ${n}`,
        () => send('PUT', items, customer, change(n)),
      ]),
      ...NO_TIPS.map((n): [string, () => Promise<Said>] => [
        `a tip of ${n}`,
        () => send('POST', items, customer, `{"items":[],"options":{"tip":${n}}}`),
      ]),
      ...`-1 0 1 0.5 ${total - 1} ${total + 1} ${-total} "${total}" ${total}.01 9007199254740991 1e21 null [${total}]`
        .split(' ')
        .map((n): [string, () => Promise<Said>] => [`a total of ${n}`, () => submit('total', n)]),
      ...['-1', '0', `${quote.cartVersion - 1}`, `${quote.cartVersion + 1}`, `"${quote.cartVersion}"`, 'null'].map(
        (n): [string, () => Promise<Said>] => [`version ${n} of the cart`, () => submit('cartVersion', n)],
      ),
      ...NO_SUMS.map((n): [string, () => Promise<Said>] => [`${n} from the wallet`, () => funds(`{"wallet":${n}}`)]),
      ...NO_SUMS.map((n): [string, () => Promise<Said>] => [
        `${n} from an e-voucher`,
        () => funds(`{"vouchers":[{"voucherId":"${own}","amount":${n}}]}`),
      ]),
      ['more than the wallet holds', () => funds('{"wallet":20001}')],
      ['more from the wallet than the order costs', () => funds(`{"wallet":${total + 1}}`)],
      ['more than the e-voucher holds', () => funds(`{"vouchers":[{"voucherId":"${own}","amount":30001}]}`)],
      [
        'the same e-voucher twice',
        () => funds(`{"vouchers":[{"voucherId":"${own}","amount":100},{"voucherId":"${own}","amount":100}]}`),
      ],
      [
        'three e-vouchers',
        () => funds(`{"vouchers":[${`{"voucherId":"${own}","amount":1},`.repeat(3).slice(0, -1)}]}`),
      ],
      ['wallet and e-voucher together', () => funds(`{"wallet":100,"vouchers":[{"voucherId":"${own}","amount":100}]}`)],
      ['an e-voucher that never was', () => funds('{"vouchers":[{"voucherId":"egv_none","amount":100}]}')],
      ['a mode that never was', () => submit('paymentMode', '"GOLD"')],
      ['a mode of a payment app', () => submit('paymentMode', '"GPAY"')],
      ['a mode of another country', () => submit('paymentMode', '"MFS"')],
      ['a linked wallet that is none', () => submit('linked', 'true')],
      ["another country's store", () => submit('storeId', '"20101"')],
      ['a store that never was', () => submit('storeId', '"0"')],
      ['terms that were not accepted', () => submit('termsAccepted', 'false')],
      ...['-1', '0', '0.5', '10000001', '"5"', '1e400', 'null'].map((n): [string, () => Promise<Said>] => [
        `development's credit of ${n}`,
        () => send('POST', wallet.credit.path, customer, `{"mobile":"${customer.mobile}","amount":${n}}`),
      ]),
      ...['-1', '0', '0.5', '10000001', '"5"'].map((n): [string, () => Promise<Said>] => [
        `an e-voucher over ${n}`,
        () => send('POST', vouchers.issue.path, customer, `{"amount":${n}}`),
      ]),
    ];
    expect(cases.length).toBeGreaterThan(100);
    const wrong: string[] = [];
    for (const [name, ask] of cases) {
      const why = notRefused(await ask());
      if (why !== null) wrong.push(`${name}: ${why}`);
    }
    expect(wrong).toEqual([]);
    expect(await customer.cart()).toEqual(before);
    expect((await customer.call(orders.recent, {})).body.orders).toEqual([]);

    // Everything that names a price of its own is priced by the server all the same.
    const bribe =
      '"price":1,"originalPrice":1,"lineTotal":1,"surcharge":-9900,"discount":99999,"free":true,"currencyCode":"LKR"';
    const id = randomUUID();
    const bribed = await send('POST', items, customer, line(`,"quantity":1,${bribe}`, id));
    expect(bribed.status).toBe(200);
    const { validItems } = await customer.cart();
    const [clean, dear] = [validItems[0]!, validItems.find(({ lineId }) => lineId === id)!];
    expect([dear.product.price, dear.free, dear.lineTotal]).toEqual([
      clean.product.price,
      clean.free,
      clean.product.price,
    ]);
    const now = (await customer.validate({ paymentMode: 'UPI' })).body.quote;
    expect(now.bill.currencyCode).toBe('INR');
    const body = { ...good, cartVersion: now.cartVersion, total: now.bill.total };
    const placed = await send(
      'POST',
      orders.submit.path,
      customer,
      `${JSON.stringify(body).slice(0, -1)},"bill":{"total":1,"currencyCode":"LKR","lines":[]},"amount":1,"currency":"LKR","payment":{"state":"CAPTURED"},"orderStatus":"ORDER PLACED","lines":[],${bribe}}`,
    );
    expect([placed.status, placed.body['order']]).toMatchObject([
      200,
      { bill: now.bill, orderStatus: 'PENDING', payment: { amount: now.bill.total } },
    ]);
    // The price that was locked is spent with its cart, and is not there again.
    const again = await send('POST', orders.submit.path, customer, JSON.stringify(body));
    expect(notRefused(again)).toBeNull();
    await everythingIsRight();
  });

  test('a quote that ran out is priced anew, and every coupon at once still leaves a bill that adds up', async () => {
    const customer = await member(server);
    await customer.fill(3, 'L');
    const { quote } = (await customer.validate({ paymentMode: 'COD' })).body;
    await server.advance(11 * 60);
    const { status, body } = await customer.submit({
      paymentMode: 'COD',
      cartVersion: quote.cartVersion,
      total: quote.bill.total,
    });
    expect([status, body.order.bill.total]).toEqual([200, quote.bill.total]);

    const greedy = await member(server);
    await greedy.fill(6, 'L');
    const codes = [
      ...'FLAT100 FLAT200 SAVE15 MEGA25 VEGLOVE20 UPI75 FREEBREAD FREEDEL STUDENT10'.split(' '),
      ...['WHEEL10', 'SOLDOUT', 'DIWALI25', 'NEWYEAR', 'flat200', ' FLAT200 ', 'FLAT200,FLAT100', '__proto__'],
    ];
    await Promise.all([...codes, ...codes].map((code) => greedy.coupon(code)));
    const { bill, offers } = await greedy.cart();
    const on = offers.filter(({ status: state }) => state === 'APPLIED').map(({ code }) => code);
    expect(new Set(on).size).toBe(on.length);
    for (const code of ['WHEEL10', 'SOLDOUT', 'DIWALI25', 'NEWYEAR']) expect(on).not.toContain(code);
    expect(bill.total).toBeGreaterThan(0);
    const ordered = await greedy.submit({ paymentMode: 'COD' });
    expect(ordered.status, JSON.stringify(ordered.body)).toBe(200);
    await everythingIsRight();
  });

  test('a balance is spent once, however many spend it at the same time', async () => {
    const voucher = (await server.call(vouchers.issue, { body: { amount: 10_000 } })).body;
    const people = await Promise.all(Array.from({ length: 6 }, () => visitor(server, 'IN', PICKUP)));
    for (const one of people) {
      await one.call(vouchers.link, { body: { number: voucher.number, pin: voucher.pin } });
      await one.fill();
    }
    const spent = await Promise.all(
      people.map((one) =>
        one.submit({ body: { funds: { vouchers: [{ voucherId: voucher.voucherId, amount: 6_000 }] } } }),
      ),
    );
    expect(spent.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409, 409]);
    const winner = people[spent.findIndex(({ status }) => status === 200)]!;
    const { order } = spent.find(({ status }) => status === 200)!.body;
    const wish = (amount: string) =>
      send(
        'POST',
        vouchers.redeem.path,
        winner,
        `{"orderId":"${order.orderId}","voucherId":"${voucher.voucherId}","amount":${amount}}`,
      );
    for (const amount of [...NO_SUMS, '4001', String(order.bill.total + 1)])
      expect([amount, notRefused(await wish(amount))]).toEqual([amount, null]);

    const one = await member(server);
    await server.call(wallet.credit, { body: { mobile: one.mobile, amount: 15_000 } });
    await one.fill();
    const at = (await one.validate({ paymentMode: 'UPI' })).body.quote;
    const storm = await Promise.all(
      Array.from({ length: 8 }, () =>
        one.submit({ cartVersion: at.cartVersion, total: at.bill.total, body: { funds: { wallet: 10_000 } } }),
      ),
    );
    const made = storm.filter(({ status }) => status === 200).map(({ body }) => body.order.orderId);
    expect([new Set(made).size, storm.every(({ status }) => status < 500)]).toEqual([1, true]);
    expect((await one.call(wallet.balance, {})).body.balance).toBe(5_000);
    await everythingIsRight();
  });

  test('a payment that came once is given back once, and no order that is paid is paid or changed again', async () => {
    const customer = await visitor(server);
    const { order, next } = await customer.order();
    await pay(server, next);
    expect((await customer.confirm(order)).order.orderStatus).toBe('ORDER PLACED');
    const { transactionId, orderId } = order;
    const late: [string, Said][] = [
      [
        'another attempt',
        await send('POST', payments.retry.path, customer, JSON.stringify({ orderId, paymentMode: 'UPI' })),
      ],
      [
        'a coupon',
        await send('POST', fillPath(payments.applyPromo.path, { transactionId, promo: 'FLAT100' }), customer),
      ],
      [
        'a collect request',
        await send('POST', fillPath(payments.upiCollect.path, { transactionId }), customer, '{"vpa":"a@bank"}'),
      ],
    ];
    for (const [name, said] of late) expect([name, notRefused(said)]).toEqual([name, null]);
    const cancelled = await Promise.all(Array.from({ length: 5 }, () => customer.cancel(orderId)));
    expect(cancelled.filter(({ status }) => status >= 500)).toEqual([]);
    expect((await customer.read(orderId)).orderStatus).toBe('CANCELLED');
    const refunds = await db.selectFrom('refunds').select('amount').where('order_id', '=', orderId).execute();
    expect(refunds).toEqual([{ amount: order.bill.total }]);
    await everythingIsRight();
  });

  test('no word of a stranger, of a page or of an altered answer makes an order paid [PAY-18]', async () => {
    const said = vi.spyOn(console, 'log').mockImplementation(() => undefined);
    try {
      const paid = await visitor(server);
      const first = await paid.paid();
      const { id: spent } = await db
        .selectFrom('captures')
        .select('id')
        .where('order_id', '=', first.orderId)
        .executeTakeFirstOrThrow();

      const customer = await visitor(server);
      const { order } = await customer.order();
      const row = await db
        .selectFrom('payments')
        .selectAll()
        .where('order_id', '=', order.orderId)
        .executeTakeFirstOrThrow();
      const { reference, amount } = row;
      bank.state.about = reference;
      const success =
        (...captures: Partial<Record<keyof Capture, unknown>>[]): Lie =>
        (reply) => ({
          ...reply,
          state: 'SUCCESS',
          code: '00',
          captures: captures.map((one, index) => ({
            id: `cap_${randomUUID()}_${index}`,
            amount,
            currency: 'INR',
            at: Date.now(),
            ...one,
          })),
        });
      /** The bank's key signs these: its program, or somebody in its house, is wrong. */
      const signed: [string, Lie][] = [
        ['of one unit less', success({ amount: amount - 1 })],
        ['of one unit more', success({ amount: amount + 1 })],
        ['of nothing', success({ amount: 0 })],
        ['of less than nothing', success({ amount: -amount })],
        ['as a fraction', success({ amount: amount + 0.5 })],
        ['as text', success({ amount: String(amount) })],
        ['in main units', success({ amount: amount / 100 })],
        ['in two halves', success({ amount: amount / 2 }, { amount: amount / 2 })],
        ['in rupees of Sri Lanka', success({ currency: 'LKR' })],
        ['in small letters', success({ currency: 'inr' })],
        ['without a currency', success({ currency: null })],
        ['without money', success()],
        ["which is another order's", success({ id: spent })],
        ['without an id', success({ id: undefined })],
        ['of another payment', (reply, captures) => ({ ...success({})(reply, captures), reference: `${reference}x` })],
        ['of another merchant', (reply, captures) => ({ ...success({})(reply, captures), merchant: 'somebody' })],
        ['without a merchant', (reply, captures) => ({ ...success({})(reply, captures), merchant: undefined })],
        ['of another word', (reply, captures) => ({ ...success({})(reply, captures), state: 'PAID' })],
      ];
      const whole = success({});
      const unsigned: [string, (reply: string, nonce: string) => string][] = [
        ['nobody', () => ''],
        ['a guess', (reply, nonce) => sign('guess', 'reply', nonce, '200', reply)],
        ['an empty key', (reply, nonce) => sign('', 'reply', nonce, '200', reply)],
        ['the bank, for another question', (reply) => bank.signed(reply, 'q_other')],
        ['the bank, under another text', (_reply, nonce) => bank.signed('{}', nonce)],
        ['the bank, as a notice', (reply) => sign(key, 'notice', reply)],
        ['the bank, in capitals', (reply, nonce) => bank.signed(reply, nonce).toUpperCase()],
        ['the bank, with a second one behind', (reply, nonce) => `${bank.signed(reply, nonce)}, x`],
      ];
      const isPaid = async () => {
        const asked = [
          await customer.call(payments.status, { query: { transactionId: order.transactionId } }),
          await customer.call(orders.confirm, { body: { orderId: order.orderId, transactionId: order.transactionId } }),
        ];
        expect(asked.map(({ status }) => Math.floor(status / 100))).not.toContain(5);
        const { orderStatus, payment } = await customer.read(order.orderId);
        return orderStatus !== 'PENDING' || payment.state === 'CAPTURED';
      };
      const wrong: string[] = [];
      for (const [name, lie] of signed) {
        bank.state.lie = lie;
        if (await isPaid()) wrong.push(`money ${name}`);
      }
      bank.state.lie = whole;
      for (const [name, by] of unsigned) {
        bank.state.sign = by;
        if (await isPaid()) wrong.push(`signed by ${name}`);
      }
      bank.state.lie = null;
      bank.state.sign = bank.signed;

      // What anybody can send: notices, and what a page says it got.
      const notice = JSON.stringify({ reference, status: 'SUCCESS', amount, captures: [{ amount }] });
      for (const from of ['bank', 'paytm', 'gpay', 'frame-sample', 'nobody'])
        for (const signature of [
          '',
          sign('guess', 'notice', notice),
          sign('', 'notice', notice),
          sign(key, 'reply', notice),
        ]) {
          const answer = await fetch(`${server.url}/webhooks/${from}`, {
            method: 'POST',
            body: notice,
            headers: {
              'content-type': 'application/json',
              'x-bank-signature': signature,
              authorization: `Bearer ${signature}`,
            },
          });
          if (![401, 404].includes(answer.status)) wrong.push(`${answer.status} for a notice of ${from}`);
        }
      for (const receipt of ['{"STATUS":"TXN_SUCCESS"}', notice, '[]', '""', 'null'])
        await customer.call(payments.receipt, { transactionId: order.transactionId, body: { receipt } });
      for (const body of [
        `{"orderId":"${order.orderId}","transactionId":"${order.transactionId}","status":"SUCCESS","paid":true,"state":"CAPTURED"}`,
      ])
        await send('POST', orders.confirm.path, customer, body);
      if (await isPaid()) wrong.push('a notice or a receipt');
      const sheet = await visitor(server, 'IN', undefined, 'in-gpay');
      const { order: inHost, next } = await sheet.order({ paymentMode: 'GPAY' });
      if (next.kind !== 'host') throw new Error(next.kind);
      for (const changed of ['1.00', '0', '-1.00', '1e9', 'NaN', '', String(next.amount)]) {
        await fetch(`${server.url}/vendors/google/pay`, {
          method: 'POST',
          body: JSON.stringify({
            ...next.details,
            transactionReferenceId: next.transactionReferenceId,
            amount: changed,
          }),
        });
        if ((await sheet.confirm(inHost)).order.payment.state === 'CAPTURED') wrong.push(`${changed} in a payment app`);
      }
      expect(wrong).toEqual([]);
      expect(
        said.mock.calls.flat().filter((line) => String(line).includes('"incident":"PAYMENT"')).length,
      ).toBeGreaterThan(20);
    } finally {
      said.mockRestore();
    }
    await server.call(development.advanceClock, { body: { seconds: 25 * 3_600 } });
    expect(await violations(db, { settled: true })).toEqual([]);
  });

  // The last one here: the bank knows nothing of the money that it is said to have sent.
  test('of two sums that came for one order the one that fits pays it, and the other one goes back', async () => {
    await openShop(server);
    const customer = await visitor(server);
    const { order } = await customer.order();
    const { reference, amount } = await db
      .selectFrom('payments')
      .selectAll()
      .where('order_id', '=', order.orderId)
      .executeTakeFirstOrThrow();
    const [odd, right] = [randomUUID(), randomUUID()];
    bank.state.about = reference;
    bank.state.lie = (reply) => ({
      ...reply,
      state: 'SUCCESS',
      code: '00',
      captures: [
        { id: odd, amount: 700, currency: 'INR', at: Date.now() },
        { id: right, amount, currency: 'INR', at: Date.now() },
      ],
    });
    try {
      expect((await customer.confirm(order)).order).toMatchObject({
        orderStatus: 'ORDER PLACED',
        payment: { state: 'CAPTURED' },
      });
    } finally {
      bank.state.lie = null;
    }
    const captures = await db
      .selectFrom('captures')
      .select(['id', 'pays'])
      .where('order_id', '=', order.orderId)
      .orderBy('pays')
      .execute();
    expect(captures).toEqual([
      { id: odd, pays: 0 },
      { id: right, pays: 1 },
    ]);
    expect(
      await db.selectFrom('refunds').select(['capture_id', 'amount']).where('order_id', '=', order.orderId).execute(),
    ).toEqual([{ capture_id: odd, amount: 700 }]);
  });
});

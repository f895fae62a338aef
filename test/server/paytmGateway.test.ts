import { randomUUID } from 'node:crypto';
import { createRequire } from 'node:module';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { OrderView } from '../../src/contract/orders.ts';
import * as paylinks from '../../src/contract/paylinks.ts';
import * as payments from '../../src/contract/payments.ts';
import { decimal } from '../../src/domain/money.ts';
import { codeOf, freshMobile, logIn, logInByPaytm } from './people.ts';
import { Customer, openedShop, PLACES, type Shop, visitor } from './shop.ts';

/** The published library has no types: these are the two calls it documents. It alters the form it is given, so it gets copies. */
const published = createRequire(import.meta.url)('paytmchecksum') as {
  generateSignature(payload: string | Record<string, string>, key: string): Promise<string>;
  verifySignature(payload: string | Record<string, string>, key: string, signature: string): boolean;
};
const KEY = 'kbzk1DSbJiV_O3p5';
const MID = 'SHOPXX00000000000001';

type Body = Record<string, unknown>;
/** What the gateway says of an order; `head` instead of its own signature. */
interface Answer {
  readonly body: Body;
  readonly head?: object;
}

/** A gateway of the pages that Paytm has published, with nothing of ours: one test tells it what to say. */
let say: (orderId: string) => Answer | Promise<Answer>;
const asked: string[] = [];
/** Whom the last payment was begun for. */
let person: unknown;
const taken = new Map<string, string>();
const paytm = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    void (async () => {
      const text = Buffer.concat(chunks).toString();
      const { body, head } = JSON.parse(text) as { body: Body; head: { signature: string } };
      const isSigned = published.verifySignature(JSON.stringify(body), KEY, head.signature);
      const path = new URL(request.url ?? '', 'http://paytm').pathname;
      asked.push(path);
      const orderId = String(body['orderId']);
      const answer: Answer = !isSigned
        ? { body: info('F', '227', 'Checksum provided is invalid'), head: {} }
        : path === '/theia/api/v1/initiateTransaction'
          ? { body: { ...info('S', '0000', 'Success'), txnToken: 'token', isPromoCodeValid: false } }
          : path === '/v3/order/status'
            ? await say(orderId)
            : { body: refunds(path, body) };
      if (path.endsWith('initiateTransaction')) {
        taken.set(orderId, (body['txnAmount'] as { value: string }).value);
        person = body['userInfo'];
      }
      const sent = JSON.stringify(answer.body);
      const signed = answer.head ?? {
        responseTimestamp: '1700000000000',
        version: 'v1',
        signature: await published.generateSignature(sent, KEY),
      };
      response.end(`{"head":${JSON.stringify(signed)},"body":${sent}}`);
    })();
  });
});

function info(resultStatus: string, resultCode: string, resultMsg: string): { resultInfo: object } {
  return { resultInfo: { resultStatus, resultCode, resultMsg } };
}
/** Refunds by their id: asked for, then paid once somebody asks again after that. */
const raised = new Map<string, number>();
function refunds(path: string, body: Body): Body {
  const id = String(body['refId']);
  const known = raised.get(id);
  if (path === '/refund/apply') {
    if (known !== undefined) return info('TXN_FAILURE', '617', 'Refund Already Raised');
    raised.set(id, 0);
    return info('PENDING', '601', 'Refund request was raised for this transaction. But it is pending state.');
  }
  if (path !== '/v2/refund/status') return info('F', '501', 'System error');
  if (known === undefined) return info('TXN_FAILURE', '631', 'Record not found');
  raised.set(id, known + 1);
  return known > 0 ? info('TXN_SUCCESS', '10', 'Refund Successfull') : info('PENDING', '601', 'Pending');
}
const success = (orderId: string, more: Body = {}): Body => ({
  ...info('TXN_SUCCESS', '01', 'Txn Success'),
  txnId: `2020${orderId}`,
  bankTxnId: '777001',
  orderId,
  txnAmount: taken.get(orderId),
  txnType: 'SALE',
  gatewayName: 'WALLET',
  bankName: 'WALLET',
  mid: MID,
  paymentMode: 'PPI',
  refundAmt: '0.00',
  txnDate: '2020-07-24 15:13:02.0',
  ...more,
});
const noRecord = (): Answer => ({ body: info('NO_RECORD_FOUND', '331', 'No Record Found') });

describe("a gateway of Paytm's pages", () => {
  let shop: Shop;
  let said: { mock: { calls: unknown[][] }; mockRestore(): void };
  beforeAll(async () => {
    await new Promise<void>((done) => {
      paytm.listen(0, '127.0.0.1', done);
    });
    shop = await openedShop({
      settings: {
        environment: {
          PAYTM_URL: `http://127.0.0.1:${(paytm.address() as AddressInfo).port}`,
          PAYTM_MID: MID,
          PAYTM_KEY: KEY,
          PAYTM_WEBSITE: 'DEFAULT',
        },
      },
    });
  });
  afterAll(async () => {
    await shop.stop();
    paytm.close();
  });
  beforeEach(() => {
    said = vi.spyOn(console, 'log').mockImplementation(() => undefined);
  });
  afterEach(() => {
    said.mockRestore();
  });
  const incidents = () => said.mock.calls.flat().filter((line) => String(line).includes('"incident":"PAYMENT"'));

  async function sheet(): Promise<{ customer: Customer; order: OrderView; reference: string }> {
    say = noRecord;
    const customer = await visitor(shop.server, 'IN', undefined, 'in-paytm');
    const { order, next } = await customer.order({ paymentMode: 'PAYTM' });
    if (next.kind !== 'host') throw new Error(next.kind);
    expect(next.details).toEqual({ mid: MID, txnToken: 'token' });
    return { customer, order, reference: next.transactionReferenceId };
  }
  const ask = async (customer: Customer, order: OrderView) =>
    (await customer.call(payments.status, { query: { transactionId: order.transactionId } })).body;
  const again = (customer: Customer, order: OrderView) =>
    customer.retry({ orderId: order.orderId, paymentMode: 'PAYTM' });

  test('a signed success of this order, merchant and amount places it [PAY-07]', async () => {
    const { customer, order } = await sheet();
    say = (orderId) => ({ body: success(orderId) });
    expect(await ask(customer, order)).toMatchObject({ payment: { state: 'CAPTURED' }, orderStatus: 'ORDER PLACED' });
    expect(incidents()).toEqual([]);
  });

  test('it is told who orders, but not whose order it is that somebody else pays by a link [PAY-X06]', async () => {
    const { customer } = await sheet();
    expect(person).toEqual({ custId: customer.userId, mobile: expect.stringContaining(customer.mobile) });
    const owner = await visitor(shop.server);
    const { next } = await owner.order({ paymentMode: 'LINK' });
    if (next.kind !== 'link') throw new Error(next.kind);
    const payer = await visitor(shop.server);
    const { body } = await payer.call(
      paylinks.pay,
      { token: next.token, body: { paymentMode: 'PAYTM' } },
      { 'idempotency-key': randomUUID(), returnpath: '/in/' },
    );
    expect(body.next.kind).toBe('redirect');
    expect(Object.keys(person as object)).toEqual(['custId']);
    const told = JSON.stringify(person);
    for (const { userId, mobile } of [owner, payer]) {
      expect(told).not.toContain(userId);
      expect(told).not.toContain(mobile);
    }
  });

  const forged = async (body: Body, key: string) => ({
    body,
    head: { signature: await published.generateSignature(JSON.stringify(body), key) },
  });
  const LIES: readonly [string, (orderId: string) => Answer | Promise<Answer>][] = [
    ['without a signature', (orderId) => ({ body: success(orderId), head: {} })],
    ['with an empty signature', (orderId) => ({ body: success(orderId), head: { signature: '' } })],
    ['signed with another key', (orderId) => forged(success(orderId), 'another_key_1234')],
    [
      'whose signature is of another text',
      async (orderId) => ({ ...(await forged(success(orderId), KEY)), body: success(orderId, { refundAmt: '1.00' }) }),
    ],
    ['for another order', (orderId) => ({ body: success(orderId, { orderId: 'ORDER_OF_SOMEBODY' }) })],
    ['for no order', (orderId) => ({ body: success(orderId, { orderId: undefined }) })],
    ['for another merchant', (orderId) => ({ body: success(orderId, { mid: 'OTHERX00000000000009' }) })],
    ['for no merchant', (orderId) => ({ body: success(orderId, { mid: undefined }) })],
    ['of another amount', (orderId) => ({ body: success(orderId, { txnAmount: '1.00' }) })],
    ['of no amount', (orderId) => ({ body: success(orderId, { txnAmount: undefined }) })],
    ['of an amount in words', (orderId) => ({ body: success(orderId, { txnAmount: 'all' }) })],
    ['in another currency', (orderId) => ({ body: success(orderId, { currency: 'LKR' }) })],
    ['without a transaction', (orderId) => ({ body: success(orderId, { txnId: undefined }) })],
    ['without a result', (orderId) => ({ body: success(orderId, { resultInfo: undefined }) })],
    [
      'that failed for another order',
      () => ({ body: { ...info('TXN_FAILURE', '227', 'Declined'), orderId: 'ORDER_OF_SOMEBODY', mid: MID } }),
    ],
    [
      'that failed for another amount',
      (orderId) => ({ body: success(orderId, { ...info('TXN_FAILURE', '227', 'Declined'), txnAmount: '1.00' }) }),
    ],
  ];
  test('an answer that is not signed, not of this order or not of its sum is an incident, and never pays [PAY-15] [PAY-18]', async () => {
    const { customer, order } = await sheet();
    for (const [at, [name, answer]] of LIES.entries()) {
      say = answer;
      const { payment, orderStatus } = await ask(customer, order);
      expect([name, payment.state, payment.mayPayAgain, orderStatus]).toEqual([name, 'UNKNOWN', false, 'PENDING']);
      expect([name, incidents().length]).toEqual([name, at + 1]);
    }
    expect(codeOf(await again(customer, order))).toBe('PAYMENT_UNKNOWN');
    // A gateway that says the truth after all is believed.
    say = (orderId) => ({ body: success(orderId) });
    expect((await ask(customer, order)).orderStatus).toBe('ORDER PLACED');
  });

  const CLOSED: readonly [string, (orderId: string) => Answer][] = [
    ['no record (331)', noRecord],
    ['an order id that it does not know (334)', () => ({ body: info('TXN_FAILURE', '334', 'Invalid Order Id.') })],
    [
      'pending without a transaction (402)',
      (orderId) => ({ body: { ...info('PENDING', '402', 'Looks like it'), orderId, mid: MID } }),
    ],
    [
      'that the customer has not completed it (141)',
      (orderId) => ({ body: success(orderId, info('TXN_FAILURE', '141', 'User has not completed transaction')) }),
    ],
    ['a declined payment (810)', (orderId) => ({ body: success(orderId, info('TXN_FAILURE', '810', 'Txn Failed')) })],
  ];
  test('a closed sheet that nobody paid can be paid again at once; if both are paid in the end, one goes back [PAY-22]', async () => {
    const all: { name: string; order: OrderView; reference: string }[] = [];
    for (const [name, answer] of CLOSED) {
      const { customer, order, reference } = await sheet();
      say = answer;
      expect((await ask(customer, order)).payment.state, name).not.toBe('UNKNOWN');
      const reply = await again(customer, order);
      const { next } = reply.body;
      expect([name, reply.status, next.kind]).toEqual([name, 200, 'host']);
      if (next.kind !== 'host') throw new Error(next.kind);
      expect(next.transactionReferenceId).not.toBe(reference);
      say = (orderId) => ({ body: success(orderId) });
      const placed = { ...order, transactionId: next.transactionId };
      expect((await ask(customer, placed)).orderStatus, name).toBe('ORDER PLACED');
      all.push({ name, order, reference });
    }
    await shop.server.advance(24 * 3_600 + 1);
    for (const { name, order, reference } of all) {
      const refunds = await shop.db.selectFrom('refunds').selectAll().where('order_id', '=', order.orderId).execute();
      const isOver = /14|810/.test(name);
      expect([name, ...refunds.map(({ reason, amount }) => `${reason} ${decimal(amount)}`)]).toEqual(
        isOver ? [name] : [name, `PAID_LATE ${taken.get(reference)}`],
      );
    }
  });

  test.each([
    ['in-paytm', 'in-web', 'redirect'],
    ['in-web', 'in-paytm', 'host'],
  ])('an unpaid order of %s is paid in %s by what works there: a %s [PAY-16]', async (made, paid, kind) => {
    say = noRecord;
    const mobile = freshMobile();
    const { where, productId } = PLACES['IN']!;
    const inside = async (apiKey: string) => {
      const who = await (apiKey === 'in-paytm' ? logInByPaytm(shop.server, mobile) : logIn(shop.server, mobile));
      return new Customer(shop.server, who, where, productId, mobile);
    };
    const { order } = await (await inside(made)).order({ paymentMode: 'PAYTM' });
    const here = await inside(paid);
    say = (orderId) => ({ body: success(orderId, info('TXN_FAILURE', '810', 'Txn Failed')) });
    const { next, payment } = (await again(here, order)).body;
    expect(next.kind).toBe(kind);
    say = (orderId) => ({ body: success(orderId) });
    const placed = { ...order, transactionId: payment.transactionId };
    expect((await ask(here, placed)).orderStatus).toBe('ORDER PLACED');
  });

  test('a refund is asked for once, and followed until it is paid [PAY-X07]', async () => {
    const { customer, order } = await sheet();
    say = (orderId) => ({ body: success(orderId) });
    await ask(customer, order);
    // The job of the refund may run before the answer to the cancellation is read.
    asked.length = 0;
    await customer.cancel(order.orderId);
    const state = async () => (await customer.read(order.orderId)).refund?.state;
    expect(await state()).toBe('STARTED');
    await shop.server.advance(20 * 86_400);
    expect(await state()).toBe('PAID');
    expect(asked.filter((path) => path === '/refund/apply')).toHaveLength(1);
    expect(incidents()).toEqual([]);
  });

  test.each([
    ['402', 'PENDING'],
    ['400', 'PENDING'],
  ])(
    'a transaction that was begun and waits for the bank (%s) is not to be paid again [PAY-21]',
    async (code, status) => {
      const { customer, order } = await sheet();
      say = (orderId) => ({ body: success(orderId, info(status, code, 'Looks like the payment is not complete.')) });
      expect((await ask(customer, order)).payment).toMatchObject({ state: 'UNKNOWN', mayPayAgain: false });
      expect(codeOf(await again(customer, order))).toBe('PAYMENT_UNKNOWN');
      expect(incidents()).toEqual([]);
    },
  );

  test('a gateway that is down, or does not know us, says nothing of the payment', async () => {
    const { customer, order } = await sheet();
    for (const [code, says] of [
      ['501', 'Server Down'],
      ['335', 'Mid is invalid'],
    ] as const) {
      say = (orderId) => ({ body: success(orderId, info('TXN_FAILURE', code, says)) });
      expect((await ask(customer, order)).payment).toMatchObject({ state: 'SENT', mayPayAgain: false });
      expect(codeOf(await again(customer, order))).toBe('PAYMENT_UNKNOWN');
    }
  });

  test('nobody ever began: after fifteen minutes the order is over, and no money was taken [ORD-08]', async () => {
    const { customer, order } = await sheet();
    await shop.server.advance(901);
    expect(await customer.read(order.orderId)).toMatchObject({
      orderStatus: 'FAILED',
      payment: { state: 'FAILED', isGivenUp: false },
    });
  });

  describe('its webhook', () => {
    const form = async (fields: Record<string, string>, key = KEY) =>
      new URLSearchParams({
        ...fields,
        CHECKSUMHASH: await published.generateSignature({ ...fields }, key),
      }).toString();
    const fieldsOf = (reference: string, more: Record<string, string> = {}) => ({
      ORDERID: reference,
      MID,
      TXNID: `2020${reference}`,
      TXNAMOUNT: taken.get(reference) ?? '',
      PAYMENTMODE: 'PPI',
      CURRENCY: 'INR',
      TXNDATE: '2020-07-24 15:13:02.0',
      STATUS: 'TXN_SUCCESS',
      RESPCODE: '01',
      RESPMSG: 'Txn Success & पैसे + 100%',
      GATEWAYNAME: 'WALLET',
      BANKTXNID: '',
      BANKNAME: 'null',
      ...more,
    });
    const post = async (body: string, type = 'application/x-www-form-urlencoded') =>
      (await fetch(`${shop.server.url}/webhooks/paytm`, { method: 'POST', body, headers: { 'content-type': type } }))
        .status;

    test('the documented form with its CHECKSUMHASH is taken, and the gateway is asked [PAY-18]', async () => {
      const { customer, order, reference } = await sheet();
      say = (orderId) => ({ body: success(orderId) });
      expect(await post(await form(fieldsOf(reference)))).toBe(200);
      expect((await customer.read(order.orderId)).orderStatus).toBe('ORDER PLACED');
      expect(await post(await form(fieldsOf(reference)))).toBe(200);
    });
    test('the same in JSON, in both of its spellings', async () => {
      for (const body of [
        { status: 'TXN_SUCCESS' },
        { ...info('TXN_SUCCESS', '01', 'Txn Success'), extendInfo: { mercUnqRef: '} "body":{' } },
      ]) {
        const { customer, order, reference } = await sheet();
        say = (orderId) => ({ body: success(orderId) });
        const sent = JSON.stringify({ mid: MID, orderId: reference, txnAmount: taken.get(reference), ...body });
        const signature = await published.generateSignature(sent, KEY);
        expect(
          await post(`{"head":{"version":"v1","signature":"${signature}"}, "body": ${sent}}`, 'application/json'),
        ).toBe(200);
        expect((await customer.read(order.orderId)).orderStatus).toBe('ORDER PLACED');
      }
    });
    test('forged, altered, doubled, unsigned and of another merchant: none is taken', async () => {
      const { customer, order, reference } = await sheet();
      asked.length = 0;
      say = (orderId) => ({ body: success(orderId) });
      const right = await form(fieldsOf(reference));
      const { CHECKSUMHASH: _, ...bare } = Object.fromEntries(new URLSearchParams(right));
      for (const body of [
        await form(fieldsOf(reference), 'another_key_1234'),
        right.replace('TXN_SUCCESS', 'TXN_FAILURE'),
        `${right}&ORDERID=${reference}`,
        `${right}&EXTRA=1`,
        new URLSearchParams(bare).toString(),
        await form(fieldsOf(reference, { MID: 'OTHERX00000000000009' })),
        'CHECKSUMHASH=x',
        '',
        '{}',
        '[]',
        '{"body":{}}',
      ])
        expect([body, await post(body)]).toEqual([body, 401]);
      expect(asked).toEqual([]);
      expect((await customer.read(order.orderId)).orderStatus).toBe('PENDING');
    });
    test('a signed one is no proof: the gateway is asked, and its answer counts', async () => {
      const { customer, order, reference } = await sheet();
      expect(await post(await form(fieldsOf(reference)))).toBe(200);
      expect(await customer.read(order.orderId)).toMatchObject({ orderStatus: 'PENDING', payment: { state: 'SENT' } });
    });
  });
});

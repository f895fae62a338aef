import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import fc from 'fast-check';
import { openDb, type Root } from '../../src/server/store/db.ts';
import { deskKey } from '../../hosts/paytm/server/desk.ts';
import { EMBEDDED_MID } from '../../hosts/paytm/server/merchant.ts';
import {
  isPaytmSignature,
  paytmBodyText,
  paytmEnvelope,
  paytmFormPayload,
  paytmSignature,
} from '../../hosts/paytm/server/checksum.ts';
import { decimal, minorOf } from '../../src/domain/money.ts';
import { engines, startServer, type TestServer } from '../kit/server.ts';
import { openShop, visitor } from './shop.ts';

const KEY = 'kbzk1DSbJiV_O3p5';

describe('the checksum', () => {
  test('is what openssl makes of the same steps', () => {
    expect(paytmSignature('{"mid":"M","orderId":"O"}', KEY, 'AbC1')).toBe(
      'xhng+75lfVSVxR4W8zX5771dhq6K6QqpNXLEW0LxRD6im/joXthT8CiAe50jc9OsddmblKkO402j9hO6jwjXnsiNan5u46qTK3Aj5N5zM1I=',
    );
  });
  test('fits its own bytes and key, and no others', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string(), (payload, other) => {
        const signature = paytmSignature(payload, KEY);
        expect(isPaytmSignature(payload, KEY, signature)).toBe(true);
        expect(isPaytmSignature(payload + other + '.', KEY, signature)).toBe(false);
        expect(isPaytmSignature(payload, 'another_key_1234', signature)).toBe(false);
        expect(isPaytmSignature(payload, KEY, other)).toBe(false);
      }),
    );
  });
  test('of a form goes over its values by name, without the checksum', () => {
    expect(paytmFormPayload({ b: '2', a: '1', CHECKSUMHASH: 'x', c: 'null', A: '0', d: '' })).toBe('0|1|2|null|');
  });
  test('the body of an envelope is found as its exact bytes', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), fc.oneof(fc.string(), fc.integer(), fc.constant({ x: '}{"' }))),
        (body) => {
          expect(paytmBodyText(paytmEnvelope(body, KEY))).toBe(JSON.stringify(body));
        },
      ),
    );
    expect(paytmBodyText('{"head":{},"body" : {"a" : "\\"}"}}')).toBe('{"a" : "\\"}"}');
    for (const text of ['', '{}', '{"body":1}', '{"body":{']) expect(paytmBodyText(text)).toBeNull();
  });
  test('amounts are written with two decimals and read back', () => {
    fc.assert(
      fc.property(fc.nat({ max: 10 ** 11 }), (minor) => {
        expect(minorOf(decimal(minor))).toBe(minor);
      }),
    );
    for (const text of ['', '-1.00', '1.234', 'x', '1e3', '٣.00']) expect(minorOf(text)).toBeNull();
  });
});

describe.each(await engines())('the embedded gateway on %s', (engine) => {
  let server: TestServer;
  let db: Root;
  let key: string;
  beforeAll(async () => {
    server = await startServer({ engine });
    ({ db } = await openDb(server.database.target));
    key = await deskKey(db);
    await openShop(server);
  });
  afterAll(async () => {
    await db.destroy();
    await server.stop();
  });

  async function gateway(path: string, body: object, envelope = paytmEnvelope(body, key)) {
    const text = await (await fetch(`${server.url}/vendors/paytm${path}`, { method: 'POST', body: envelope })).text();
    const reply = JSON.parse(text) as {
      body: Record<string, unknown> & { resultInfo: { resultStatus: string; resultCode: string } };
      head?: { signature: string };
    };
    if (reply.head !== undefined) expect(isPaytmSignature(paytmBodyText(text)!, key, reply.head.signature)).toBe(true);
    return reply.body;
  }
  let orders = 0;
  const wish = (orderId = `ORDER-${engine}-${(orders += 1)}`) => ({
    requestType: 'Payment',
    mid: EMBEDDED_MID,
    websiteName: 'WEBSTAGING',
    orderId,
    callbackUrl: `${server.url}/webhooks/paytm/callback`,
    txnAmount: { value: '399.00', currency: 'INR' },
    userInfo: { custId: 'C1' },
  });
  const initiate = (body: object) => gateway('/theia/api/v1/initiateTransaction', body);
  const status = (orderId: string) => gateway('/v3/order/status', { mid: EMBEDDED_MID, orderId });
  const pay = async (fields: object) =>
    (await (
      await fetch(`${server.url}/vendors/paytm/pay`, {
        method: 'POST',
        body: JSON.stringify({ mid: EMBEDDED_MID, amount: '399.00', ...fields }),
      })
    ).json()) as { data: unknown };
  const parsed = (reply: { data: unknown }) => JSON.parse(reply.data as string) as Record<string, string>;

  test('a transaction is initiated, paid and confirmed [PAY-07]', async () => {
    const body = wish();
    const started = await initiate(body);
    expect(started.resultInfo).toMatchObject({ resultStatus: 'S', resultCode: '0000' });
    expect((await status(body.orderId)).resultInfo).toMatchObject({
      resultStatus: 'NO_RECORD_FOUND',
      resultCode: '331',
    });
    const fields = parsed(await pay({ orderId: body.orderId, txnToken: started['txnToken'] }));
    expect(fields).toMatchObject({
      STATUS: 'TXN_SUCCESS',
      RESPCODE: '01',
      TXNAMOUNT: '399.00',
      ORDERID: body.orderId,
      MID: EMBEDDED_MID,
    });
    expect(isPaytmSignature(paytmFormPayload(fields), key, fields['CHECKSUMHASH']!)).toBe(true);
    expect(await status(body.orderId)).toMatchObject({
      resultInfo: { resultStatus: 'TXN_SUCCESS', resultCode: '01' },
      txnAmount: '399.00',
      orderId: body.orderId,
    });
  });
  test('a wrong signature is 227: changed bytes, another key, another merchant, more in the head', async () => {
    const body = wish();
    const right = paytmEnvelope(body, key);
    const code = async (envelope: string) => (await gateway('/v3/order/status', {}, envelope)).resultInfo.resultCode;
    expect(await code(right.replace('399.00', '399.0 '))).toBe('227');
    expect(await code(paytmEnvelope(body, 'another_key_1234'))).toBe('227');
    expect(await code(paytmEnvelope({ ...body, mid: 'OTHER' }, key))).toBe('227');
    expect(await code(right.replace('"head":{', '"head":{"tokenType":"AES",'))).toBe('227');
    expect(await code('nothing')).toBe('227');
  });
  test('a token serves one payment, for fifteen minutes, for its own amount', async () => {
    const first = wish();
    const { txnToken } = await initiate(first);
    expect(parsed(await pay({ orderId: first.orderId, txnToken, amount: '1.00' }))).toMatchObject({
      STATUS: 'TXN_FAILURE',
    });
    expect(parsed(await pay({ orderId: first.orderId, txnToken: 'guess' }))).toMatchObject({ STATUS: 'TXN_FAILURE' });
    expect((await status(first.orderId)).resultInfo.resultStatus).toBe('NO_RECORD_FOUND');
    expect(parsed(await pay({ orderId: first.orderId, txnToken }))).toMatchObject({ STATUS: 'TXN_SUCCESS' });
    expect(parsed(await pay({ orderId: first.orderId, txnToken }))).toMatchObject({
      STATUS: 'TXN_FAILURE',
      RESPCODE: '334',
    });
    const second = wish();
    const late = (await initiate(second))['txnToken'];
    await server.advance(901);
    expect(parsed(await pay({ orderId: second.orderId, txnToken: late }))).toMatchObject({
      STATUS: 'TXN_FAILURE',
      RESPCODE: '335',
    });
  });
  test('an order in Paytm is paid with its token, and every attempt has an order id of its own [PAY-07] [PAY-15] [API-35]', async () => {
    const customer = await visitor(server, 'IN', undefined, 'in-paytm');
    const { order, next } = await customer.order({ paymentMode: 'PAYTM' });
    if (next.kind !== 'host') throw new Error(next.kind);
    expect(next).toMatchObject({
      details: { mid: EMBEDDED_MID },
      transactionReferenceId: order.transactionReferenceId,
    });
    expect(next.transactionReferenceId).toMatch(/^[A-Za-z0-9_@-]{1,50}$/);
    const reply = await pay({
      orderId: next.transactionReferenceId,
      txnToken: next.details['txnToken'],
      amount: decimal(next.amount),
    });
    expect(parsed(reply)).toMatchObject({ STATUS: 'TXN_SUCCESS', TXNAMOUNT: decimal(order.bill.total) });
    expect((await customer.confirm(order)).order).toMatchObject({
      orderStatus: 'ORDER PLACED',
      payment: { state: 'CAPTURED' },
    });
  });
  test('the callback leads only into our own pages [PAY-19]', async () => {
    const back = async (to: string) =>
      (
        await fetch(`${server.url}/webhooks/paytm/callback?back=${encodeURIComponent(to)}`, { redirect: 'manual' })
      ).headers.get('location');
    expect(await back('/in/payment/ord_1?transactionId=txn_2')).toBe('/in/payment/ord_1?transactionId=txn_2');
    for (const to of [
      ...['//evil.example/?transactionId=1', '/\\evil?transactionId=1', 'https://evil.example/?transactionId=1'],
      ...['/in/?transactionId=1&x=2', ''],
    ])
      expect(await back(to)).toBe('/');
  });
});

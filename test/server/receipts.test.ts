import { createSign, generateKeyPairSync, type KeyObject, randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import * as development from '../../src/contract/development.ts';
import type { OrderView } from '../../src/contract/orders.ts';
import * as payments from '../../src/contract/payments.ts';
import * as errors from '#text/errors.ts';
import { decimal } from '../../src/domain/money.ts';
import { codeOf } from './people.ts';
import { type Customer, openedShop, pay, type Shop, visitor } from './shop.ts';

const MERCHANT = 'BCR2DN4TXKPMSHOP';
const google = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const other = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const spki = (key: KeyObject) => key.export({ type: 'spki', format: 'der' }).toString('base64');

/** Google's key document, as its page shows it. */
const keyServer = createServer((_request, response) => {
  response.end(
    JSON.stringify({
      keys: [
        { keyValue: 'bm9uZQ==', protocolVersion: 'ECv1' },
        { keyValue: spki(other.publicKey), protocolVersion: 'ECv2' },
        { keyValue: spki(other.publicKey), protocolVersion: 'ECv1', keyExpiration: '1' },
        { keyValue: spki(google.publicKey), protocolVersion: 'ECv1' },
      ],
    }),
  );
});

/** Signs a message by the steps of Google's page: each part after its length in four bytes, the lowest first. */
function signature(message: string, { key = google.privateKey, recipient = `merchant:${MERCHANT}` } = {}): string {
  const signing = createSign('SHA256');
  for (const part of ['Google', recipient, 'ECv1', message]) {
    const length = new DataView(new ArrayBuffer(4));
    length.setUint32(0, Buffer.byteLength(part), true);
    signing.update(Buffer.from(length.buffer)).update(part);
  }
  return signing.sign(key, 'base64');
}

interface Wish {
  readonly details?: object;
  readonly expiresAt?: number;
  readonly signer?: Parameters<typeof signature>[1];
  readonly change?: (token: { protocolVersion: string; signature: string; signedMessage: string }) => object;
}

describe('a receipt of Google Pay', () => {
  let shop: Shop;
  let said: { mock: { calls: unknown[][] }; mockRestore(): void };
  beforeAll(async () => {
    await new Promise<void>((done) => {
      keyServer.listen(0, '127.0.0.1', done);
    });
    shop = await openedShop({
      settings: {
        environment: {
          GPAY_MERCHANT_ID: MERCHANT,
          GPAY_RECEIPT_KEYS_URL: `http://127.0.0.1:${(keyServer.address() as AddressInfo).port}/keys.json`,
        },
      },
    });
  });
  afterAll(async () => {
    await shop.close(901);
    keyServer.close();
  });
  beforeEach(() => {
    said = vi.spyOn(console, 'log').mockImplementation(() => undefined);
  });
  afterEach(() => {
    said.mockRestore();
  });
  const incidents = () => said.mock.calls.flat().filter((line) => String(line).includes('"incident":"PAYMENT"'));

  async function sheet() {
    const customer = await visitor(shop.server, 'IN', undefined, 'in-gpay');
    const { order, next } = await customer.order({ paymentMode: 'GPAY' });
    if (next.kind !== 'host') throw new Error(next.kind);
    const { body } = await shop.server.call(development.clock, {});
    const receipt = ({ details = {}, expiresAt = body.now + 60_000, signer, change = (token) => token }: Wish = {}) => {
      const signedMessage = JSON.stringify({
        messageExpiration: String(expiresAt),
        paymentMethod: 'UPI',
        paymentMethodDetails: {
          status: 'SUCCESS',
          responseCode: '00',
          amount: decimal(next.amount),
          txnRef: next.transactionReferenceId,
          toVpa: next.details['payeeVpa'],
          ...details,
        },
      });
      const token = change({ protocolVersion: 'ECv1', signature: signature(signedMessage, signer), signedMessage });
      return JSON.stringify({
        apiVersion: 2,
        apiVersionMinor: 0,
        paymentMethodData: { type: 'UPI', tokenizationData: { type: 'DIRECT', token: JSON.stringify(token) } },
      });
    };
    return { customer, order, next, receipt };
  }
  const send = (customer: Customer, { transactionId }: OrderView, receipt: string) =>
    customer.call(payments.receipt, { transactionId, body: { receipt } });

  test('our merchant id goes with the payment', async () => {
    expect((await sheet()).next.details['merchantId']).toBe(MERCHANT);
  });

  test.each(['SUCCESS', 'SUBMITTED'])(
    'after a signed receipt (%s) a payment is neither asked for again nor paid before the bank answers [PAY-15] [PAY-21]',
    async (status) => {
      const { customer, order, next, receipt } = await sheet();
      const { body } = await send(customer, order, receipt({ details: { status } }));
      expect(body.payment).toMatchObject({ state: 'UNKNOWN', mayPayAgain: false });
      expect((await customer.read(order.orderId)).orderStatus).toBe('PENDING');
      const retry = { orderId: order.orderId, paymentMode: 'GPAY' as const };
      const again = () => customer.call(payments.retry, { body: retry }, { 'idempotency-key': randomUUID() });
      // Nothing has arrived at the bank yet, which says nothing of what has left the customer's account.
      const refused = await again();
      expect([refused.status, codeOf(refused), refused.body.errors?.[0]?.displayMsg]).toEqual([
        409,
        'PAYMENT_UNKNOWN',
        errors.moneyUnknown,
      ]);
      // It was not closed there: how it ends is what counts.
      await pay(shop.server, next, status === 'SUCCESS' ? 'approve' : 'decline');
      const after = await again();
      expect([after.status, codeOf(after)]).toEqual(status === 'SUCCESS' ? [409, 'ALREADY_PAID'] : [200, '']);
      expect(incidents()).toEqual([]);
    },
  );

  test('one that is not right is written down, and nothing else', async () => {
    const { customer, order, receipt } = await sheet();
    for (const [index, wish] of (
      [
        // By somebody else, for another merchant, of an older protocol.
        { signer: { key: other.privateKey } },
        { signer: { recipient: 'merchant:BCR2OTHER' } },
        { change: (token) => ({ ...token, protocolVersion: 'ECv0' }) },
        // Altered, unsigned, too old.
        { change: (token) => ({ ...token, signedMessage: token.signedMessage.replace('SUCCESS', 'SUBMITTED') }) },
        { change: ({ signature: _, ...token }) => token },
        { expiresAt: 1 },
        // Of another amount or payment, to another payee, of an unknown status.
        { details: { amount: '1.00' } },
        { details: { txnRef: 'ANOTHER' } },
        { details: { toVpa: 'somebody@else' } },
        { details: { status: 'DEFERRED' } },
      ] as Wish[]
    ).entries()) {
      const { status, body } = await send(customer, order, receipt(wish));
      expect([index, status, body.payment.state, incidents().length]).toEqual([index, 200, 'SENT', index + 1]);
    }
  });

  test('whatever else a page sends changes nothing; nor does it about a payment of somebody else', async () => {
    const { customer, order, receipt } = await sheet();
    for (const text of [
      '',
      'null',
      '{}',
      '{"paymentMethodData":{"tokenizationData":{"token":"{"}}}',
      'x'.repeat(20_000),
    ])
      expect((await send(customer, order, text)).body.payment.state).toBe('SENT');
    expect((await send(customer, order, 'x'.repeat(20_001))).status).toBe(400);
    expect((await send(await visitor(shop.server, 'IN', undefined, 'in-gpay'), order, receipt())).status).toBe(404);
  });
});

test('what the imitated apps give to a page is signed as the documents say, and judged by our server', async () => {
  const said = vi.spyOn(console, 'log').mockImplementation(() => undefined);
  const shop = await openedShop();
  try {
    for (const [apiKey, mode, path] of [
      ['in-gpay', 'GPAY', '/vendors/google/pay'],
      ['in-paytm', 'PAYTM', '/vendors/paytm/pay'],
    ] as const) {
      const customer = await visitor(shop.server, 'IN', undefined, apiKey);
      const { order, next } = await customer.order({ paymentMode: mode });
      if (next.kind !== 'host') throw new Error(next.kind);
      expect(next.details['merchantId']).toBeUndefined();
      const reference = next.transactionReferenceId;
      const reply = (await (
        await fetch(shop.server.url + path, {
          method: 'POST',
          body: JSON.stringify({
            ...next.details,
            transactionReferenceId: reference,
            orderId: reference,
            amount: decimal(next.amount),
            outcome: 'pending',
          }),
        })
      ).json()) as { data?: string };
      const receipt = reply.data ?? JSON.stringify(reply);
      const { body } = await customer.call(payments.receipt, { transactionId: order.transactionId, body: { receipt } });
      expect(body.payment.state).toBe('UNKNOWN');
      expect(said.mock.calls.flat().filter((line) => String(line).includes('incident'))).toEqual([]);
      const forged = receipt.replace(decimal(next.amount), '1.00');
      const second = await customer.call(payments.receipt, {
        transactionId: order.transactionId,
        body: { receipt: forged },
      });
      expect(second.status).toBe(200);
      expect(said.mock.calls.flat().filter((line) => String(line).includes('incident'))).toHaveLength(1);
      said.mockClear();
    }
  } finally {
    said.mockRestore();
    await shop.close(901);
  }
});

import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import * as errors from '#text/errors.ts';
import { Failure, type FailureKind } from '../../src/api/failure.ts';
import { redeemLinkedAtom } from '../../src/state/payment/linkedWallets.ts';
import { cancelOrderAtom } from '../../src/state/orders/orders.ts';
import { moneySentence, popupAtom, showFailureAtom } from '../../src/state/base/popup.ts';
import { redeemVoucherAtom } from '../../src/state/payment/redeem.ts';
import type { TestServer } from '../kit/server.ts';
import type { ShippedHost } from '../hosts/stage.ts';
import { openCustomer } from './customer.ts';

/** No call goes out: failures arrive as the page's own calls throw them. */
const NOWHERE = { url: 'http://127.0.0.1:9' } as TestServer;
beforeAll(() => {
  vi.stubGlobal('document', { baseURI: 'https://pizza.example/in/' });
});
afterAll(() => {
  vi.unstubAllGlobals();
});

const said = (thrown: unknown, host: ShippedHost = 'browser') => {
  const customer = openCustomer(NOWHERE, { host });
  customer.set(showFailureAtom, thrown);
  return customer.get(popupAtom);
};

describe('what a customer is told of a failure', () => {
  test.each<[FailureKind, string, string]>([
    ['offline', errors.connectionLost, errors.connectionLost],
    ['timeout', errors.requestTimeout, errors.requestTimeout],
    ['unrefreshed', errors.refreshFailed, errors.refreshFailed],
    ['expired', errors.loggedOut, errors.loggedOutInHost],
    ['broken', errors.internalServerError, errors.internalServerError],
    ['refused', errors.internalServerError, errors.internalServerError],
  ])('without words of the server, %s says: %s, and inside a payment app: %s', (kind, message, inHost) => {
    const plain = { header: errors.oops, right: { label: errors.ok } };
    expect(said(new Failure(kind))).toEqual({ ...plain, message });
    expect(said(new Failure(kind), 'gpay')).toEqual({ ...plain, message: inHost });
  });

  test("the server's own words, header and button come before ours, with the id by which support finds the call", () => {
    const shown = (kind: FailureKind, requestId = '') =>
      said(
        new Failure(kind, {
          requestId,
          errors: [
            { code: 'X', displayMsg: 'The oven is cold.', header: 'Sorry', btnMsg: 'Wait' },
            { code: 'Y', displayMsg: 'And the door is shut.' },
          ],
        }),
      );
    const own = { header: 'Sorry', message: 'The oven is cold.', right: { label: 'Wait' } };
    expect(shown('refused', 'req-1')).toEqual({ ...own, reference: 'req-1' });
    expect(shown('broken')).toEqual(own);
    expect(shown('timeout')).toEqual(own);
    // An ended session is no matter of one call: what to do now comes first.
    expect(shown('expired')?.message).toBe(errors.loggedOut);
    expect(shown('unrefreshed')?.message).toBe(errors.refreshFailed);
  });

  test('a mistake of our own says that something went wrong, and nothing of its inside', () => {
    expect(said(new TypeError('x is undefined'))).toEqual({
      header: errors.oops,
      message: errors.internalServerError,
      right: { label: errors.ok },
    });
  });

  test('a failure about an order or its money says what it means for them, also when the login ends with it', async () => {
    const customer = openCustomer(NOWHERE);
    await customer.set(cancelOrderAtom, 'order');
    expect(customer.get(popupAtom)).toMatchObject({ message: errors.connectionLost, second: errors.orderStands });
    await customer.set(
      redeemLinkedAtom,
      { orderId: 'order' } as never,
      { provider: 'PAYTM', transactionId: 't' } as never,
    );
    expect(customer.get(popupAtom)).toMatchObject({ message: errors.connectionLost, second: errors.lookBeforePaying });
    await customer.set(redeemVoucherAtom, 'order', 'voucher', 100);
    expect(customer.get(popupAtom)).toMatchObject({ second: errors.lookBeforePaying });
    // What the server has refused, it has not done.
    for (const kind of ['refused', 'expired', 'unrefreshed'] as const)
      expect(moneySentence(new Failure(kind))).toBe(errors.nothingTaken);
    for (const kind of ['broken', 'timeout', 'offline'] as const)
      expect(moneySentence(new Failure(kind))).toBe(errors.lookBeforePaying);
    // Whose login has ended was told so; what it means for the order stands below.
    customer.set(popupAtom, { message: errors.loggedOut, right: { label: 'Login' } });
    customer.set(showFailureAtom, new Failure('expired'), 'Nothing was ordered.');
    expect(customer.get(popupAtom)).toEqual({
      message: errors.loggedOut,
      right: { label: 'Login' },
      second: 'Nothing was ordered.',
    });
  });

  test('who leaves a page hears nothing of the calls it gave up, and a popup that is open stays', () => {
    expect(said(new Failure('aborted'))).toBeNull();
    const customer = openCustomer(NOWHERE);
    customer.set(showFailureAtom, new Failure('offline'));
    customer.set(showFailureAtom, new Failure('aborted', { requestId: 'req-2' }));
    expect(customer.get(popupAtom)?.message).toBe(errors.connectionLost);
  });
});

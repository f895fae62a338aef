import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import * as errors from '#text/errors.ts';
import * as menu from '../../src/contract/menu.ts';
import * as orders from '../../src/contract/orders.ts';
import type { Endpoint } from '../../src/contract/endpoint.ts';
import { applyCouponAtom } from '../../src/state/offers/couponActions.ts';
import { apiAtom } from '../../src/state/first/seams.ts';
import { loadAlertsAtom } from '../../src/state/shop/notices.ts';
import { toastAtom } from '../../src/state/first/toast.ts';
import { popupAtom, showFailureAtom } from '../../src/state/base/popup.ts';
import type { TestServer } from '../kit/server.ts';
import { openCustomer } from './customer.ts';

/** A chain's own API, whose answers are not ours: it gives one answer to everything, after a guest's session. */
let api: Server;
let answer: { status: number; body: unknown } = { status: 200, body: {} };
const session = {
  status: 'SUCCESS',
  credentials: { accessToken: 'a', accessKeyId: 'k', secretKey: 's', sessionToken: 't', authToken: 'b' },
  attributes: { userId: 'u', cartId: 'c' },
};
let shop: TestServer;
beforeAll(async () => {
  vi.stubGlobal('document', { baseURI: 'https://pizza.example/in/' });
  api = createServer((request, response) => {
    const isSession = request.url!.startsWith('/loginhandler/anonymous');
    response.writeHead(isSession ? 200 : answer.status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(isSession ? session : answer.body));
  }).listen(0, '127.0.0.1');
  await new Promise((done) => api.once('listening', done));
  shop = { url: `http://127.0.0.1:${(api.address() as AddressInfo).port}` } as TestServer;
});
afterAll(() => {
  api.close();
  vi.unstubAllGlobals();
});

const CALLS = [
  ['the submit', orders.submit, { body: {} }],
  ['the menu', menu.widgets, { storeId: '10101', query: {} }],
] as unknown as [string, Endpoint, never][];

describe.each(CALLS)("an answer of a chain's own API to %s", (_, endpoint, input) => {
  const popupFor = async (status: number, body: unknown) => {
    answer = { status, body };
    const customer = openCustomer(shop);
    const thrown = await customer
      .get(apiAtom)
      .call(endpoint, input, { retries: 0 })
      .catch((failure: unknown) => failure);
    customer.set(showFailureAtom, thrown);
    const { header, message, right } = customer.get(popupAtom)!;
    return [header, message, right!.label];
  };

  test('has no header and button: ours, and its own sentence; without a sentence ours and its button [ERR-22]', async () => {
    for (const none of [null, '  ', '\u200b\u00a0', '\u202e', undefined, 5, {}]) {
      const error = { code: none, field: none, displayMsg: 'The oven is cold.', header: none, btnMsg: none };
      expect(await popupFor(422, { status: 'FAILED', errors: [error] })).toEqual(['Oops', error.displayMsg, 'OK']);
      const silent = { code: 'X', displayMsg: none, header: 'Sorry', btnMsg: 'Fine' };
      expect(await popupFor(422, { status: 'ERROR', requestId: null, errors: [silent] })).toEqual([
        'Sorry',
        errors.internalServerError,
        'Fine',
      ]);
    }
  });

  test('says that a store is offline, in whatever letters: the advance-order message [ERR-26]', async () => {
    for (const [status, displayMsg] of [
      [422, 'STORE OFFLINE'],
      [503, 'The store went Offline.'],
    ] as const)
      expect(await popupFor(status, { status: 'FAILED', errors: [{ code: 'X', displayMsg }] })).toEqual([
        'Oops',
        errors.advanceOrderOnly,
        'OK',
      ]);
  });
});

test("a coupon that a chain's own API refuses in a normal reply shows its sentence, and ours for what is missing [ERR-24]", async () => {
  for (const [sent, told] of [
    [
      [{ displayMsg: 'Only on Mondays', header: null, btnMsg: '' }],
      { header: 'Oops', message: 'Only on Mondays', right: { label: 'OK' } },
    ],
    [[{ displayMsg: null }], { header: 'Oops', message: errors.internalServerError, right: { label: 'OK' } }],
    [null, { header: 'Oops', message: errors.internalServerError, right: { label: 'OK' } }],
    [
      [{ displayMsg: 'store offline', btnMsg: 'Fine' }],
      { header: 'Oops', message: errors.advanceOrderOnly, right: { label: 'Fine' } },
    ],
  ]) {
    answer = { status: 200, body: { status: 'FAILED', errors: sent } };
    const customer = openCustomer(shop);
    await customer.set(applyCouponAtom, 'MONDAY', { isTyped: false, from: 'offers', isFromCart: false });
    expect(customer.get(popupAtom)).toEqual(told);
  }
});

test('a notice without a word is not shown, and one of a store that is offline says what it means', async () => {
  const shown = async (messages: unknown[]) => {
    answer = {
      status: 200,
      body: { status: 'SUCCESS', alerts: messages.map((message, at) => ({ id: `${at}`, message })) },
    };
    const customer = openCustomer(shop);
    await customer.set(loadAlertsAtom);
    return customer.get(toastAtom)?.message;
  };
  expect(await shown([null, '', ' '])).toBeUndefined();
  expect(await shown([null, 'Heavy rain.', 'Store offline'])).toBe(`Heavy rain. ${errors.advanceOrderOnly}`);
});

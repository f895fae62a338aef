import { expect, vi } from 'vitest';
import { createBrowser } from '../../hosts/browser/bridge.ts';
import type { FakeOptions } from '../../hosts/imitated/phone.ts';
import type { ScenarioName } from '../../hosts/imitated/scenarios.ts';
import { createBrowserFake } from '../../hosts/browser/fake.ts';
import { createFrame } from '../../hosts/frame/bridge.ts';
import { createFrameFake } from '../../hosts/frame/fake.ts';
import { createGpay } from '../../hosts/gpay/bridge.ts';
import { createGpayFake } from '../../hosts/gpay/fake.ts';
import { createPaytm } from '../../hosts/paytm/bridge.ts';
import { createPaytmFake } from '../../hosts/paytm/fake.ts';
import { createSixpay } from './sixpay/bridge.ts';
import { createSixpayFake } from './sixpay/fake.ts';
import { createTarnpay } from './tarnpay/bridge.ts';
import { createTarnpayFake } from './tarnpay/fake.ts';
// The code behind the sheets is loaded beforehand: a module fetch does not run on fake timers.
import '../../hosts/browser/actions.ts';
import '../../hosts/frame/actions.ts';
import '../../hosts/gpay/actions.ts';
import '../../hosts/paytm/actions.ts';
import './sixpay/actions.ts';
import './tarnpay/actions.ts';
import '../../src/bridge/back.ts';
import { money } from '../../src/contract/price.ts';
import type { HostBridge, HostId, PaymentOrder } from '../../src/bridge/hostBridge.ts';
import { makePhone, type PhoneOptions } from './phone.ts';

/** Invented hosts of folders beside this file: they show what a new host takes. */
const INVENTED = ['sixpay', 'tarnpay'] as const satisfies readonly HostId[];
export const SHIPPED = ['browser', 'frame', 'gpay', 'paytm'] as const satisfies readonly HostId[];
export const HOSTS = [...SHIPPED, ...INVENTED] as const;
export type ShippedHost = (typeof SHIPPED)[number];
/** Whom the one suite plays; a host that has just been added is not among them until it has its row here. */
export type StagedHost = (typeof HOSTS)[number];
export const ORDER_ID = 'ORD-1';
export const REFERENCE = 'TR-1';
/** Where an app that leaves the page opens it again. */
export const RETURN_TO = `/in/tarnpay/payment/${ORDER_ID}?transactionId=T-1`;
const GOOGLE = 'https://microapps.google.com';
/** The page of a partner, and the partner's row. */
export const ACME = 'https://acme.example';
const ROW = JSON.stringify({ name: 'acme', origins: [ACME, 'self'], blocked: [], pays: true });

function base64url(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

/** The embedded vendors and bank, as the page sees them: only their shapes; the real ones are tested with the server. */
function makeServer() {
  const posts: { path: string; body: Record<string, unknown> }[] = [];
  const paid = new Map<string, unknown>();
  let codes = 0;
  const answer = (path: string, body: Record<string, unknown>): unknown => {
    switch (path) {
      case '/vendors/google/identity':
      case '/vendors/google/phone':
        return { token: `${base64url({ alg: 'RS256', kid: path })}.${base64url({ ...body, name: 'अनीता ÿ' })}.c2ln-_` };
      case '/vendors/paytm/authcode':
        return { authId: `code-${++codes}`, openId: 'open-1' };
      case '/vendors/google/pay':
        paid.set(String(body.transactionReferenceId), body.outcome ?? 'success');
        return {
          apiVersion: 2,
          apiVersionMinor: 0,
          paymentMethodData: {
            type: 'UPI',
            tokenizationData: {
              type: 'DIRECT',
              token: JSON.stringify({
                protocolVersion: 'ECv1',
                signature: 'c2ln',
                signedMessage: JSON.stringify({
                  messageExpiration: '1',
                  paymentMethod: 'UPI',
                  paymentMethodDetails: {
                    status: { failure: 'FAILURE', pending: 'SUBMITTED' }[String(body.outcome)] ?? 'SUCCESS',
                    responseCode: '00',
                    amount: body.amount,
                    txnRef: body.transactionReferenceId,
                  },
                }),
              }),
            },
          },
        };
      case '/vendors/paytm/pay':
        paid.set(String(body.orderId), body.outcome ?? 'success');
        return {
          data: JSON.stringify({
            ORDERID: body.orderId,
            MID: body.mid,
            TXNID: 'T1',
            TXNAMOUNT: body.amount,
            CURRENCY: 'INR',
            CHECKSUMHASH: 'c2ln',
            STATUS: { failure: 'TXN_FAILURE', pending: 'PENDING' }[String(body.outcome)] ?? 'TXN_SUCCESS',
            RESPCODE: '01',
          }),
        };
      case '/vendors/frame/identity':
        return { token: `${base64url({ alg: 'ES256' })}.${base64url({ ...body, name: 'अनीता ÿ' })}.c2ln-_` };
      case '/vendors/frame/pay':
        paid.set(String(body.reference), body.outcome ?? 'success');
        return { status: { failure: 'failed', pending: 'pending' }[String(body.outcome)] ?? 'paid' };
      case '/vendors/sixpay/identity':
      case '/vendors/sixpay/phone':
        return { token: `${base64url({ kind: path })}.${base64url({ ...body, name: 'अनीता ÿ' })}.c2ln-_` };
      case '/vendors/tarnpay/app/grant':
        return { grantToken: `code-${++codes}` };
      case '/vendors/tarnpay/app/open':
        return { amount: '649.05', note: 'Order 1', returnTo: RETURN_TO };
      case '/vendors/tarnpay/app/pay':
        paid.set(String(body.reference), body.outcome ?? 'success');
        return {};
      case '/vendors/sixpay/pay':
        paid.set(String(body.reference), body.outcome ?? 'success');
        return { state: { failure: 'REFUSED', pending: 'WAITING' }[String(body.outcome)] ?? 'PAID', proof: 'c2ln' };
      default:
        return undefined;
    }
  };
  const fetch = (async (input: string, init: { body: string }) => {
    const path = new URL(input).pathname;
    const body = JSON.parse(init.body) as Record<string, unknown>;
    posts.push({ path, body });
    const reply = answer(path, body);
    return { ok: reply !== undefined, status: reply === undefined ? 404 : 200, json: async () => reply };
  }) as unknown as typeof globalThis.fetch;
  return { fetch, posts, paid };
}

/** Scenarios that were played so far, by host. */
export const played = new Map<ScenarioName, Set<StagedHost>>();

/** One host with its phone, its fake and its bridge, wired as in the shipped page: the fake first, then the bridge. */
export function stage(id: StagedHost, options: FakeOptions & { phone?: PhoneOptions } = {}) {
  const { phone: phoneOptions, ...fakeOptions } = options;
  const { scenario = 'calm' } = options;
  played.set(scenario, (played.get(scenario) ?? new Set()).add(id));
  const phone = makePhone({
    url: `https://pizza.example/in/${id === 'browser' ? '' : `${id}/`}`,
    parent: id === 'gpay' ? GOOGLE : id === 'frame' ? ACME : null,
    settings: {
      'gpay-spot': 'pizza',
      'paytm-app': 'pizza',
      'paytm-client': 'merchant-pizza',
      ...(id === 'frame' ? { partner: ROW } : {}),
    },
    ...phoneOptions,
  });
  const server = makeServer();
  const create = {
    browser: createBrowserFake,
    frame: createFrameFake,
    gpay: createGpayFake,
    paytm: createPaytmFake,
    sixpay: createSixpayFake,
    tarnpay: createTarnpayFake,
  }[id];
  const fake = create({ fetch: server.fetch, ...fakeOptions, window: phone.window });
  const open = (): HostBridge =>
    ({
      browser: createBrowser,
      frame: createFrame,
      gpay: createGpay,
      paytm: createPaytm,
      sixpay: createSixpay,
      tarnpay: createTarnpay,
    })[id]({
      window: phone.window,
    });
  return { id, phone, server, fake, bridge: open(), open };
}

const UPI = {
  payeeVpa: 'pizza@bank',
  payeeName: 'Pizza',
  mcc: '5814',
  referenceUrl: 'https://pizza.example/',
  note: 'Order 1',
};
const REQUEST = { request: 'a.signed.request', currency: 'INR', note: 'Order 1' };
const TICKET = { shop: 'sixpay-shop', ticket: 'ticket-1' };
export function orderFor(id: StagedHost, more: { orderId?: string; expiresAt?: number } = {}): PaymentOrder {
  const { orderId = ORDER_ID, expiresAt = Date.now() + 15 * 60_000 } = more;
  return {
    orderId,
    transactionReferenceId: REFERENCE,
    amount: money(64_905),
    expiresAt,
    details: {
      browser: UPI,
      frame: REQUEST,
      gpay: UPI,
      paytm: { mid: 'PIZZA', txnToken: 'token-1' },
      sixpay: TICKET,
      tarnpay: { token: 'token-1' },
    }[id],
  };
}

/** What became of a promise, without waiting for it. */
export function fate<T>(promise: Promise<T>) {
  const state: { value?: T; error?: { code: string; retryable: boolean; vendorCode?: string }; done: boolean } = {
    done: false,
  };
  promise.then(
    (value) => Object.assign(state, { value, done: true }),
    (error: { code: string; retryable: boolean }) => Object.assign(state, { error, done: true }),
  );
  return state;
}

/** Runs timers, the promises between them, and what the module loader still owes. */
export async function pass(ms = 0): Promise<void> {
  await vi.advanceTimersByTimeAsync(0);
  await vi.dynamicImportSettled();
  await vi.advanceTimersByTimeAsync(ms);
}
/** What became of a promise by the end of the longest wait there is. */
export async function end<T>(promise: Promise<T>, ms = 25 * 60_000) {
  const state = fate(promise);
  await pass(ms);
  expect(state.done, 'every promise settles').toBe(true);
  return state;
}

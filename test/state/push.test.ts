import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import * as errors from '#text/errors.ts';
import { Failure } from '../../src/api/failure.ts';
import * as contract from '../../src/contract/push.ts';
import { consentToAtom } from '../../src/state/consent/consents.ts';

import { toastAtom } from '../../src/state/first/toast.ts';
import {
  endPushAtom,
  pushTasks,
  keepPushAtom,
  lookAtPushAtom,
  pushAtom,
  switchPushOffAtom,
  switchPushOnAtom,
} from '../../src/state/consent/push.ts';
import { startServer } from '../kit/server.ts';
import { between, fails, openCustomer, type Customer } from './customer.ts';
import { during } from '../kit/during.ts';

const server = during(() => startServer({ settings: { distDir: null } }));

/** What the browser answers, and whether it has a subscription. */
const browser = { permission: 'default', answer: 'granted', isHeld: false, isThere: true };
const held = {
  endpoint: 'https://fcm.googleapis.com/fcm/send/x',
  toJSON: () => ({ endpoint: 'https://fcm.googleapis.com/fcm/send/x', keys: { p256dh: 'p', auth: 'a' } }),
  unsubscribe: () => {
    browser.isHeld = false;
    return Promise.resolve(true);
  },
};
const subscribe = vi.fn<(options: object) => Promise<typeof held>>(() => {
  browser.isHeld = true;
  return Promise.resolve(held);
});
beforeEach(() => {
  Object.assign(browser, { permission: 'default', answer: 'granted', isHeld: false, isThere: true });
  subscribe.mockClear();
  vi.stubGlobal('document', { baseURI: 'https://pizza.example/in/' });
  vi.stubGlobal('Notification', {
    get permission() {
      return browser.permission;
    },
    requestPermission: () => {
      browser.permission = browser.answer;
      return Promise.resolve(browser.answer);
    },
  });
  stubWorkers({});
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});
/** The browser's service workers, as they are or with something else in their place. */
function stubWorkers({ registration, manager }: { registration?: () => Promise<unknown>; manager?: object }): void {
  const pushManager = { getSubscription: () => Promise.resolve(browser.isHeld ? held : null), subscribe, ...manager };
  const getRegistration = registration ?? (() => Promise.resolve(browser.isThere ? { pushManager } : undefined));
  vi.stubGlobal('navigator', { serviceWorker: { getRegistration } });
}
const never = () => new Promise<never>(() => {});
const broken = () => Promise.reject(new Error('The browser is broken'));

/** A page whose server takes every subscription; with `publicKey` it has that at once, whatever the clock says. */
function opened(publicKey?: string) {
  const customer = openCustomer(server);
  const told: unknown[] = [];
  between(customer, (next, { path, method }, input) => {
    if (publicKey !== undefined && path === contract.key.path) return { status: 'SUCCESS', publicKey };
    if (path !== contract.subscribe.path || method !== contract.subscribe.method) return next();
    told.push((input as { body?: unknown }).body);
    return { status: 'SUCCESS' };
  });
  return { customer, told };
}
const look = async (customer: Customer) => {
  await customer.set(lookAtPushAtom);
  return customer.get(pushAtom);
};

test('notifications are offered if the browser has them and did not deny them, and are on only with a subscription', async () => {
  const { customer } = opened();
  expect(customer.get(pushAtom)).toBe('unknown');
  expect(await look(customer)).toBe('offered');
  browser.isHeld = true;
  expect(await look(customer)).toBe('offered');
  browser.permission = 'granted';
  expect(await look(customer)).toBe('on');
  browser.permission = 'denied';
  expect(await look(customer)).toBe('denied');
  browser.isThere = false;
  expect(await look(customer)).toBe('none');
  browser.isThere = true;
  vi.stubGlobal('Notification', undefined);
  expect(await look(customer)).toBe('none');
});

test('after a tap the browser asks, and the server learns where to, for this mount; a second tap meanwhile is none', async () => {
  const { customer, told } = opened();
  const switching = customer.set(switchPushOnAtom);
  expect(customer.get(pushTasks.isBusyAtom)).toBe(true);
  await Promise.all([customer.set(switchPushOnAtom), switching]);
  expect([customer.get(pushTasks.isBusyAtom), customer.get(pushAtom), subscribe.mock.calls.length]).toEqual([
    false,
    'on',
    1,
  ]);
  expect(subscribe.mock.calls[0]![0]).toMatchObject({
    userVisibleOnly: true,
    applicationServerKey: expect.stringMatching(/./),
  });
  expect(told).toEqual([
    { subscription: { endpoint: held.endpoint, keys: { p256dh: 'p', auth: 'a' } }, mount: '/in/' },
  ]);
  expect([customer.get(consentToAtom)('news')?.given, customer.get(toastAtom)]).toEqual([true, null]);
});

test.each([
  ['denied', 'denied'],
  ['default', 'offered'],
])('an answer of %s is said, and nobody is told of anything', async (answer, state) => {
  const { customer, told } = opened();
  browser.answer = answer;
  await customer.set(switchPushOnAtom);
  expect([customer.get(pushAtom), customer.get(toastAtom)?.message, told, customer.get(pushTasks.isBusyAtom)]).toEqual([
    state,
    errors.pushDenied,
    [],
    false,
  ]);
});

test('what goes wrong on the way is said, and they are not called on, nor are news agreed to', async () => {
  for (const endpoint of [contract.key, contract.subscribe]) {
    const { customer } = opened();
    fails(customer, endpoint, new Failure('offline'));
    await customer.set(switchPushOnAtom);
    expect([
      customer.get(pushAtom),
      customer.get(toastAtom)?.message,
      customer.get(pushTasks.isBusyAtom),
      customer.get(consentToAtom)('news'),
    ]).toEqual(['unknown', errors.pushUnknown, false, undefined]);
  }
});

test('those of this browser stay on while other devices end, or are offered again where the server could not be told', async () => {
  const { customer, told } = opened();
  await customer.set(keepPushAtom);
  expect(told).toEqual([]);
  browser.isHeld = true;
  browser.permission = 'granted';
  expect(await look(customer)).toBe('on');
  await customer.set(keepPushAtom);
  expect([told.length, customer.get(pushAtom)]).toEqual([1, 'on']);
  fails(customer, contract.subscribe, new Failure('offline'));
  await customer.set(keepPushAtom);
  expect(customer.get(pushAtom)).toBe('offered');
});

test('ended, the browser has none any more and tells which it was; without one nothing changes', async () => {
  const { customer } = opened();
  expect([await customer.set(endPushAtom), customer.get(pushAtom)]).toEqual([null, 'unknown']);
  browser.isHeld = true;
  browser.permission = 'granted';
  await look(customer);
  expect([await customer.set(endPushAtom), browser.isHeld, customer.get(pushAtom)]).toEqual([held, false, 'offered']);
  browser.isHeld = true;
  await look(customer);
  const asked: unknown[] = [];
  between(customer, (_, { method }, input) => {
    asked.push([method, input]);
    return { status: 'SUCCESS' };
  });
  await customer.set(switchPushOffAtom);
  expect([browser.isHeld, customer.get(pushAtom), customer.get(consentToAtom)('news')?.given]).toEqual([
    false,
    'offered',
    false,
  ]);
  expect(asked).toEqual([['DELETE', { body: { endpoint: held.endpoint } }]]);
  await customer.set(switchPushOffAtom);
  expect(asked).toHaveLength(1);
});

test.each<[string, () => void]>([
  [
    'whose frame may not read its workers',
    () =>
      vi.stubGlobal('navigator', {
        get serviceWorker() {
          throw new Error('sandboxed');
        },
      }),
  ],
  ['that never says which it has', () => stubWorkers({ registration: never })],
  ['whose worker takes no notifications', () => stubWorkers({ registration: () => Promise.resolve({}) })],
])('a page %s offers none, and a tap all the same says so', async (_what, stub) => {
  vi.useFakeTimers();
  stub();
  const { customer, told } = opened();
  const looking = customer.set(lookAtPushAtom);
  await vi.advanceTimersByTimeAsync(15_000);
  await looking;
  expect(customer.get(pushAtom)).toBe('none');
  const switching = customer.set(switchPushOnAtom);
  await vi.advanceTimersByTimeAsync(15_000);
  await switching;
  expect([customer.get(toastAtom)?.message, customer.get(pushTasks.isBusyAtom), told]).toEqual([
    errors.pushDenied,
    false,
    [],
  ]);
  // Nothing is kept on or ended that is not there.
  const ending = [customer.set(keepPushAtom), customer.set(endPushAtom)];
  await vi.advanceTimersByTimeAsync(15_000);
  expect([(await Promise.all(ending))[1], told]).toEqual([null, []]);
});

test('where the browser never says whether it has them, they are offered, and it counts as without', async () => {
  vi.useFakeTimers();
  stubWorkers({ manager: { getSubscription: never } });
  browser.permission = 'granted';
  const { customer, told } = opened();
  const asking = [customer.set(lookAtPushAtom), customer.set(keepPushAtom), customer.set(endPushAtom)];
  await vi.advanceTimersByTimeAsync(15_000);
  expect([(await Promise.all(asking))[2], customer.get(pushAtom), told]).toEqual([null, 'offered', []]);
});

test.each<[string, () => void]>([
  [
    'nobody answers the question',
    () => vi.stubGlobal('Notification', { permission: 'default', requestPermission: never }),
  ],
  ['the browser subscribes to nothing', () => stubWorkers({ manager: { subscribe: broken } })],
  ['the browser never subscribes', () => stubWorkers({ manager: { subscribe: never } })],
])('where %s, that is said, nobody is told, and one can tap again', async (_what, stub) => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  stub();
  const { customer, told } = opened('key');
  const switching = customer.set(switchPushOnAtom);
  await vi.advanceTimersByTimeAsync(120_000);
  await switching;
  expect([customer.get(pushAtom), customer.get(toastAtom)?.message, customer.get(pushTasks.isBusyAtom), told]).toEqual([
    'unknown',
    errors.pushUnknown,
    false,
    [],
  ]);
  expect(customer.get(consentToAtom)('news')).toBeUndefined();
});

test('a customer who takes their time to answer is waited for', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  let answer: (said: string) => void = () => {};
  const requestPermission = () =>
    new Promise((done) => {
      answer = done;
    });
  vi.stubGlobal('Notification', { permission: 'default', requestPermission });
  const { customer } = opened();
  const switching = customer.set(switchPushOnAtom);
  await vi.advanceTimersByTimeAsync(100_000);
  expect([customer.get(pushTasks.isBusyAtom), customer.get(toastAtom)]).toEqual([true, null]);
  vi.useRealTimers();
  answer('granted');
  await switching;
  expect(customer.get(pushAtom)).toBe('on');
});

test('switched off where the browser never ends them and the server hears nothing, they are off for the page', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const own = { ...held, unsubscribe: never };
  stubWorkers({ manager: { getSubscription: () => Promise.resolve(own) } });
  browser.permission = 'granted';
  const { customer } = opened();
  expect(await look(customer)).toBe('on');
  fails(customer, contract.unsubscribe, new Failure('offline'));
  const switching = customer.set(switchPushOffAtom);
  await vi.advanceTimersByTimeAsync(15_000);
  await switching;
  expect([customer.get(pushAtom), customer.get(consentToAtom)('news')?.given]).toEqual(['offered', false]);
});

import { afterEach, expect, test, vi } from 'vitest';
import { Failure } from '../../src/api/failure.ts';
import * as contract from '../../src/contract/config.ts';
import { refreshConfigAtom } from '../../src/state/base/config.ts';
import { syncCartAtom } from '../../src/state/cart/cart.ts';
import { campaignAtom } from '../../src/state/consent/campaign.ts';
import { sayAtom } from '../../src/state/consent/consents.ts';
import { addLineAtom } from '../../src/state/first/cart.ts';
import { keepCampaignAtom, openAnalyticsAtom, trackAtom, trackCartAtom } from '../../src/state/telemetry/telemetry.ts';
import { appConfigAtom } from '../../src/state/first/config.ts';
import { networkAtom, followLineAtom, isSlowAtom } from '../../src/state/base/network.ts';
import { popupAtom } from '../../src/state/base/popup.ts';
import { pathAtom } from '../../src/state/first/seams.ts';
import { journalAtom } from '../../src/state/orders/journal.ts';
import { isQuietAtom } from '../../src/state/orders/quiet.ts';
import { startServer } from '../kit/server.ts';
import { between, fails, openCustomer } from './customer.ts';
import { during } from '../kit/during.ts';

const server = during(() => startServer({ settings: { distDir: null, environment: { ANALYTICS: 'on' } } }));
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

test('what the server said last holds while it says nothing, and its switches also where the new ones cannot be read', async () => {
  const logged = vi.fn<(thrown: Error) => void>();
  vi.spyOn(console, 'error').mockImplementation(logged);
  const customer = openCustomer(server);
  const mend = fails(customer, contract.app, new Failure('offline'));
  await customer.set(refreshConfigAtom);
  expect(customer.get(appConfigAtom)).toBeNull();
  mend();
  await customer.set(refreshConfigAtom);
  const first = customer.get(appConfigAtom)!;
  fails(customer, contract.app, new Failure('offline'));
  await customer.set(refreshConfigAtom);
  expect(customer.get(appConfigAtom)).toBe(first);
  const say = async (config: object) => {
    const stepAside = between(customer, () => ({ config }));
    await customer.set(refreshConfigAtom);
    stepAside();
  };
  const off = JSON.stringify({ features: [{ name: 'irctc', value: 'D' }] });
  await say({ ...first, features: off });
  expect([customer.get(appConfigAtom)?.features, logged.mock.calls]).toEqual([off, []]);
  await say({ ...first, features: 'no list', disableCookies: true });
  expect(customer.get(appConfigAtom)).toEqual({ ...first, features: off, disableCookies: true });
  expect(logged).toHaveBeenCalledTimes(1);
});

test.each([
  ['/home?x=1', null, true],
  ['/menu/sides', null, true],
  ['/cart', null, false],
  ['/order/ord_1', null, false],
  ['/login?redirectUrl=/payment', null, false],
  ['/', 'submitting', false],
  ['/menu', 'paying', false],
  ['/', 'watching', true],
] as const)(
  'the moment on %s, with an order that is %s, is quiet enough for the question: %s',
  async (path, step, isQuiet) => {
    const customer = openCustomer(server);
    customer.set(pathAtom, path);
    if (step) customer.set(journalAtom, { key: 'k', orderId: 'ord_1', step, at: 1 });
    expect(customer.get(isQuietAtom)).toBe(isQuiet);
    customer.set(popupAtom, { message: 'Your order is cancelled.' });
    expect(customer.get(isQuietAtom)).toBe(false);
  },
);

test('a slow line is one that the host calls 2G, or the browser, or on which the customer saves data', () => {
  const line = Object.assign(new EventTarget(), { saveData: false, effectiveType: '4g' });
  vi.stubGlobal('navigator', { connection: line });
  try {
    const customer = openCustomer(server);
    const leave = customer.set(followLineAtom);
    const hears = (change: Partial<typeof line>) => {
      Object.assign(line, { saveData: false, effectiveType: '4g' }, change);
      line.dispatchEvent(new Event('change'));
      return customer.get(isSlowAtom);
    };
    expect([hears({}), hears({ saveData: true }), hears({ effectiveType: 'slow-2g' }), hears({})]).toEqual([
      false,
      true,
      true,
      false,
    ]);
    customer.set(networkAtom, { isConnected: true, networkType: '2g' });
    expect(customer.get(isSlowAtom)).toBe(true);
    customer.set(networkAtom, { isConnected: true, networkType: '3g' });
    leave();
    expect(hears({ saveData: true })).toBe(false);
  } finally {
    vi.unstubAllGlobals();
  }
  const bare = openCustomer(server);
  bare.set(followLineAtom)();
  expect(bare.get(isSlowAtom)).toBe(false);
});

test('an event of the cart says what it comes to, and nothing where there is none', async () => {
  const told: object[] = [];
  vi.stubGlobal('dataLayer', told);
  vi.stubGlobal('document', { visibilityState: 'visible' });
  // Sizes of a screen are not there without one; the event goes on.
  vi.spyOn(console, 'error').mockImplementation(() => {});
  const customer = openCustomer(server);
  await customer.set(refreshConfigAtom);
  await customer.set(sayAtom, 'usage', true);
  customer.set(trackCartAtom, 'empty');
  customer.set(addLineAtom, { productId: 'SD001', quantity: 2 });
  await customer.set(syncCartAtom);
  customer.set(trackCartAtom, 'full');
  expect(told).toEqual([
    { event: 'empty', currency: 'INR', orderCurrency: 'INR' },
    expect.objectContaining({ event: 'full', items: 1, value: expect.any(Number) }),
  ]);
});

test('without a yes no tag manager is told anything, and no campaign is kept', async () => {
  const told: object[] = [];
  vi.stubGlobal('dataLayer', told);
  const customer = openCustomer(server);
  await customer.set(refreshConfigAtom);
  await customer.set(sayAtom, 'usage', false);
  customer.set(openAnalyticsAtom, '/menu?utm_source=leaflet');
  customer.set(keepCampaignAtom);
  customer.set(trackAtom, 'page_view');
  expect([told, customer.get(campaignAtom)]).toEqual([[], null]);
});

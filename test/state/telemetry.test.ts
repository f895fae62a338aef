import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import * as errors from '#text/errors.ts';
import * as t from '#text/alive.ts';
import { countryConfig } from '../../country/index.ts';
import { refreshConfigAtom } from '../../src/state/base/config.ts';
import { campaignAtom } from '../../src/state/consent/campaign.ts';
import { consentToAtom, sayAtom } from '../../src/state/consent/consents.ts';
import { deliverAtom } from '../../src/state/telemetry/telemetryOutbox.ts';
import { syncCartAtom } from '../../src/state/cart/cart.ts';
import { addLineAtom } from '../../src/state/first/cart.ts';
import { appConfigAtom } from '../../src/state/first/config.ts';
import { deliveryTypeAtom } from '../../src/state/first/location.ts';
import { pathAtom } from '../../src/state/first/seams.ts';
import { networkAtom } from '../../src/state/base/network.ts';
import { gpsAtom } from '../../src/state/places/places.ts';
import { journalAtom } from '../../src/state/orders/journal.ts';
import { popupAtom } from '../../src/state/base/popup.ts';
import { isQuietAtom } from '../../src/state/orders/quiet.ts';
import { userAtom } from '../../src/state/base/session.ts';
import {
  askAnalyticsAtom,
  isAnalyticsAskedAtom,
  isAnalyticsOnAtom,
  keepCampaignAtom,
  openAnalyticsAtom,
  trackAtom,
  trackCartAtom,
  trackPlaceAtom,
} from '../../src/state/telemetry/telemetry.ts';
import { openDb, type Root } from '../../src/server/store/db.ts';
import { startServer, type TestServer } from '../kit/server.ts';
import { freshMobile, logIn } from '../server/people.ts';
import { openShop } from '../server/shop.ts';
import { openCustomer, type Customer, type CustomerOptions } from './customer.ts';

let server: TestServer;
let db: Root;
beforeAll(async () => {
  server = await startServer({ settings: { distDir: null, environment: { ANALYTICS: 'on' } } });
  ({ db } = await openDb(server.database.target));
  await openShop(server);
});
afterAll(async () => {
  await db.destroy();
  await server.stop();
});
const page = globalThis as { dataLayer?: unknown };
beforeEach(() => {
  vi.stubGlobal('document', { visibilityState: 'visible', baseURI: 'https://pizza.example/in/' });
  vi.stubGlobal('navigator', { userAgent: 'Mozilla/5.0 (Linux; Android 14) Mobile' });
  vi.stubGlobal('innerWidth', 390);
  vi.stubGlobal('innerHeight', 780);
  vi.stubGlobal('screen', { width: 1080, height: 2400 });
  delete page.dataLayer;
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

/** A page whose server lets visits be counted, with the customer's word about it, if they have given one. */
async function opened(isAgreed: boolean | null = true, options: CustomerOptions = {}): Promise<Customer> {
  const customer = openCustomer(server, options);
  await customer.set(refreshConfigAtom);
  if (isAgreed !== null) await customer.set(sayAtom, 'usage', isAgreed);
  return customer;
}
type Told = { readonly user: Record<string, string>; readonly properties: Record<string, unknown> };
/** What the server keeps of this customer's events, by their names. */
async function told(customer: Customer): Promise<Record<string, Told>> {
  await customer.set(deliverAtom);
  const userId = customer.get(userAtom)?.userId ?? '';
  const rows = await db.selectFrom('activity').selectAll().where('user_id', '=', userId).execute();
  return Object.fromEntries(
    rows.filter(({ kind }) => kind === 'event').map(({ name, data }) => [name, JSON.parse(data) as Told]),
  );
}

test('the customer is asked where the server counts visits, once, and neither answer is nearer', async () => {
  const customer = openCustomer(server);
  expect([customer.get(isAnalyticsAskedAtom), customer.get(isAnalyticsOnAtom)]).toEqual([false, false]);
  await customer.set(refreshConfigAtom);
  expect([customer.get(isAnalyticsAskedAtom), customer.get(isAnalyticsOnAtom)]).toEqual([true, false]);
  customer.set(askAnalyticsAtom);
  const popup = customer.get(popupAtom)!;
  expect([popup.message, popup.areEqual, popup.left?.label, popup.right?.label]).toEqual([
    errors.analyticsAsk,
    true,
    t.analyticsNo,
    t.analyticsYes,
  ]);
  for (const [answer, isOn] of [
    [popup.right!, true],
    [popup.left!, false],
  ] as const) {
    answer.act!();
    await vi.waitFor(() => expect(customer.get(consentToAtom)('usage')?.given).toBe(isOn));
    expect([customer.get(isAnalyticsOnAtom), customer.get(isAnalyticsAskedAtom)]).toEqual([isOn, false]);
  }
});

test.each([
  ['/', null, true],
  ['/home?x=1', null, true],
  ['/menu/sides', null, true],
  ['/cart', null, false],
  ['/payment', null, false],
  ['/offers', null, false],
  ['/order/ord_1', null, false],
  ['/login?redirectUrl=/payment', null, false],
  ['/address?from=cart', null, false],
  ['/', 'submitting', false],
  ['/menu', 'paying', false],
  ['/', 'watching', true],
] as const)(
  'the moment on %s, with an order that is %s, is quiet enough for the question: %s',
  async (path, step, isQuiet) => {
    const customer = await opened(null);
    customer.set(pathAtom, path);
    if (step) customer.set(journalAtom, { key: 'k', orderId: 'ord_1', step, at: 1 });
    expect(customer.get(isQuietAtom)).toBe(isQuiet);
    customer.set(popupAtom, { message: 'Your order is cancelled.' });
    expect(customer.get(isQuietAtom)).toBe(false);
  },
);

test('it is not asked over something else that the page says', async () => {
  const customer = await opened(null);
  const other = { message: 'Your order is cancelled.' };
  customer.set(popupAtom, other);
  customer.set(askAnalyticsAtom);
  expect(customer.get(popupAtom)).toBe(other);
});

test('a browser that says no itself is not asked, and a shop without cookies asks nobody and counts nothing', async () => {
  const customer = await opened();
  const config = customer.get(appConfigAtom)!;
  customer.set(appConfigAtom, { ...config, disableCookies: true });
  expect([customer.get(isAnalyticsOnAtom), customer.get(isAnalyticsAskedAtom)]).toEqual([false, false]);
  customer.set(appConfigAtom, { ...config, analytics: false });
  expect(customer.get(isAnalyticsOnAtom)).toBe(false);
  vi.stubGlobal('navigator', { userAgent: '', globalPrivacyControl: true });
  const refusing = await opened(null);
  expect([refusing.get(isAnalyticsAskedAtom), refusing.get(isAnalyticsOnAtom)]).toEqual([false, false]);
});

test('without a yes nothing is told, to the server or to a tag manager, and no campaign is kept', async () => {
  const customer = await opened(false);
  customer.set(openAnalyticsAtom, '/menu?utm_source=leaflet');
  customer.set(keepCampaignAtom);
  customer.set(trackAtom, 'page_view');
  expect([await told(customer), page.dataLayer, customer.get(campaignAtom)]).toEqual([{}, undefined, null]);
});

test('an event says what it is about, and who is here no nearer than as a guest on a phone', async () => {
  const customer = await opened();
  customer.set(openAnalyticsAtom, '/menu/sides?utm_source=leaflet&utm_medium=paper&utm_campaign=rain');
  // What comes later is no landing.
  customer.set(openAnalyticsAtom, '/cart?utm_source=mail');
  customer.set(keepCampaignAtom);
  customer.set(pathAtom, '/menu/sides?q=1');
  customer.set(trackPlaceAtom);
  customer.set(pathAtom, '/about-somewhere');
  customer.set(deliveryTypeAtom, 'PICKUP');
  const all = await told(customer);
  const properties = { pageName: 'menu categories', url: expect.stringMatching(/menu\/sides\?q=1$/) };
  expect(all['page_view']).toMatchObject({
    properties: { ...properties, currency: 'INR', orderCurrency: countryConfig('in').CURRENCY_CODE },
    user: {
      userType: 'guest',
      storeCode: '10101',
      orderType: 'DELIVERY',
      gps: 'off',
      loginRoute: '',
      deviceType: expect.stringMatching(/./),
      screenSize: '390x780',
      screenResolution: '1080x2400',
      networkType: 'unknown',
      landingPage: '/menu/sides',
      campaignSource: 'leaflet',
      campaignMedium: 'paper',
      campaignName: 'rain',
    },
  });
  expect(page.dataLayer).toMatchObject([{ event: 'page_view', ...properties, currency: 'INR' }]);
});

test('it says how somebody is logged in, whether the place is found by itself, and which network they have', async () => {
  const { reply } = await logIn(server, freshMobile());
  const customer = await opened(true, { as: reply });
  customer.set(gpsAtom, 'on');
  vi.stubGlobal('navigator', { userAgent: '', connection: { effectiveType: '3g' } });
  customer.set(trackAtom, 'by_browser');
  customer.set(networkAtom, { isConnected: true, networkType: 'wifi' });
  customer.set(trackAtom, 'by_host');
  const { by_browser: one, by_host: other } = await told(customer);
  expect(one!.user).toMatchObject({
    userType: 'loggedIn',
    loginRoute: customer.get(userAtom)!.loginType,
    gps: 'on',
    networkType: '3g',
    landingPage: '',
    campaignSource: '',
    campaignMedium: '',
    campaignName: '',
  });
  expect(other!.user['networkType']).toBe('wifi');
});

test.each([
  ['/menu?utm_medium=paper', { source: '', medium: 'paper', name: '' }],
  ['/menu?utm_campaign=rain', { source: '', medium: '', name: 'rain' }],
  ['/menu?q=1', { source: 'mail', medium: 'news', name: 'november' }],
  ['/menu', { source: 'mail', medium: 'news', name: 'november' }],
])('after a visit to %s the last campaign is %j', async (landed, campaign) => {
  const customer = await opened();
  customer.set(campaignAtom, { source: 'mail', medium: 'news', name: 'november', at: Date.now() });
  customer.set(openAnalyticsAtom, landed);
  customer.set(keepCampaignAtom);
  expect(customer.get(campaignAtom)).toEqual({ ...campaign, at: expect.any(Number) as number });
});

test('a tag manager whose own push fails loses nothing, and neither does an event whose visitor cannot be told', async () => {
  const logged = vi.spyOn(console, 'error').mockImplementation(() => {});
  const broken: unknown[] = [];
  broken.push = () => {
    throw new Error('tag manager');
  };
  page.dataLayer = broken;
  const customer = await opened();
  vi.stubGlobal('screen', undefined);
  customer.set(trackAtom, 'page_view', { url: 'x' });
  expect([...broken]).toMatchObject([{ event: 'page_view', url: 'x' }]);
  expect(logged.mock.calls.map(([thrown]) => (thrown as Error).constructor.name)).toEqual(['Error', 'TypeError']);
  expect((await told(customer))['page_view']).toMatchObject({ user: {}, properties: { url: 'x' } });
});

test('an event of the cart says what it comes to, and nothing where there is none', async () => {
  const customer = await opened();
  customer.set(trackCartAtom, 'empty');
  customer.set(addLineAtom, { productId: 'SD001', quantity: 2 });
  await customer.set(syncCartAtom);
  customer.set(trackCartAtom, 'full');
  const { empty, full } = await told(customer);
  expect(Object.keys(empty!.properties).sort()).toEqual(['currency', 'orderCurrency']);
  expect(full!.properties).toMatchObject({ items: 1, value: expect.any(Number) });
});

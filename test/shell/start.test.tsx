import { afterEach, expect, test, vi } from 'vitest';
import * as config from '../../src/contract/config.ts';
import * as stores from '../../src/contract/stores.ts';
import { lentServer } from '../kit/lentServer.ts';

import { openPage } from '../screens/page.ts';
import { openShop } from '../server/shop.ts';
import { countCalls, withoutWaiting } from './quiet.ts';
import { during } from '../kit/during.ts';

const server = during(() => lentServer(), openShop);
const settled = countCalls();
withoutWaiting();
afterEach(async () => {
  vi.restoreAllMocks();
  await settled();
  await server.switches({ faults: [], offlineStores: [], features: JSON.stringify({ features: [] }) });
});

test('the notices of the chosen store are told, and the page takes the colour that the server names [CFG-41]', async () => {
  await server.switches({ offlineStores: ['10101'] });
  const page = await openPage(server.url, '/');
  const colour = document.createElement('meta');
  colour.name = 'theme-color';
  document.head.append(colour);
  await page.sees('This store is taking no orders right now.');
  const { themeColor } = (await server.call(config.pwa, {})).body.pwa;
  await vi.waitFor(() => expect(colour.content).toBe(themeColor));
});

test('a dismissed alert stays away after a reload until it comes anew; one that nobody dismissed is shown again [ORD-29]', async () => {
  const alert = 'This store is taking no orders right now.';
  const said = () =>
    [...document.querySelectorAll('[role=status]')].filter(({ textContent }) => textContent.includes(alert)).length;
  await server.switches({ offlineStores: ['10101'] });
  await (await openPage(server.url, '/')).sees(alert);
  const again = await openPage(server.url, '/', { keep: true });
  await again.sees(alert);
  expect(said()).toBe(1);
  await again.press('button', 'OK');
  await vi.waitFor(() => expect(said()).toBe(0));
  const asked = async () => {
    const seen = vi.fn<() => void>();
    const plain = globalThis.fetch;
    const spy = vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
      const reply = await plain(input, init);
      if (input instanceof Request && input.url.includes('/alert-service/')) seen();
      return reply;
    });
    const page = await openPage(server.url, '/', { keep: true });
    await vi.waitFor(() => expect(seen).toHaveBeenCalled());
    await settled();
    spy.mockRestore();
    return page;
  };
  expect((await asked()).text()).not.toContain(alert);
  // It is over, and so forgotten.
  await server.switches({ offlineStores: [] });
  expect((await asked()).text()).not.toContain(alert);
  await server.switches({ offlineStores: ['10101'] });
  await (await asked()).sees(alert);
});

test('while a call is under way a bar says so, over the page with its heading and the room of what is to come [NAV-81]', async () => {
  const plain = globalThis.fetch;
  let answer = () => {};
  const held = new Promise<void>((done) => {
    answer = done;
  });
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
    if (input instanceof Request && input.url.endsWith('/menu')) await held;
    return await plain(input, init);
  });
  const page = await openPage(server.url, '/menu/sides');
  await vi.waitFor(() =>
    expect(document.querySelector('[role=progressbar]')?.getAttribute('aria-label')).toBe('Loading'),
  );
  // No screen of its own stands in the way.
  expect(page.get('heading', 'Sides')?.tagName).toBe('H1');
  const bones = () => document.querySelectorAll('main [aria-busy=true] > [aria-hidden]').length;
  expect(bones()).toBeGreaterThan(2);
  answer();
  await page.find('button', 'Add Garlic Bread Sticks');
  expect(bones()).toBe(0);
  await vi.waitFor(() => expect(document.querySelector('[role=progressbar]')).toBeNull());
});

test('a browser with cookies off is told, and a mini-app, whose sessions are tokens, is not [AUTH-36] [ERR-10]', async () => {
  vi.spyOn(navigator, 'cookieEnabled', 'get').mockReturnValue(false);
  const page = await openPage(server.url, '/');
  await page.sees(/Your browser has cookies disabled\./);
  await page.press('button', 'OK');
  await page.gone('heading', 'Oops');
  for (const host of ['gpay', 'paytm'] as const) {
    const hosted = await openPage(server.url, '/', { host });
    await hosted.find('link', 'Sides');
    await vi.waitFor(() => expect(localStorage.getItem(`IN/${host}:app-config`)).not.toBeNull());
    expect(hosted.text()).not.toContain('cookies');
  }
});

test('an answering server is right, whoever says that there is no network; where nothing answers, there is none', async () => {
  const online = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  const every = globalThis.setInterval;
  // It is asked every 5 s.
  vi.spyOn(globalThis, 'setInterval').mockImplementation(((act: () => void, ms?: number) =>
    every(act, ms === 5_000 ? 50 : ms)) as typeof setInterval);
  const isGrey = () => document.documentElement.hasAttribute('data-offline');
  const page = await openPage(server.url, '/menu/sides');
  await page.press('button', 'Add Garlic Bread Sticks');
  await page.find('link', /^Cart, 1 item ?₹/);
  expect(isGrey()).toBe(false);
  const plain = globalThis.fetch;
  // A hotel's page is no answer of ours.
  for (const nothing of [
    async () => Promise.reject(new TypeError('Failed to fetch')),
    async () => new Response('<h1>Please log in</h1>', { headers: { 'content-type': 'text/html' } }),
  ]) {
    vi.spyOn(globalThis, 'fetch').mockImplementation(nothing);
    await vi.waitFor(() => expect(isGrey()).toBe(true), 10_000);
    vi.spyOn(globalThis, 'fetch').mockImplementation(plain);
    await vi.waitFor(() => expect(isGrey()).toBe(false), 10_000);
  }
  online.mockReturnValue(true);
});

test('a request that the network lost is sent again, and the page says so [ERR-07]', async () => {
  const menu = await openPage(server.url, '/menu/sides');
  await menu.press('button', 'Add Garlic Bread Sticks');
  await menu.find('link', /^Cart, 1 item ?₹/);
  await server.switches({ faults: [{ match: '/combinedOffers', drop: true, times: 1 }] });
  const page = await openPage(server.url, '/offers', { keep: true });
  await page.sees('There seems to be network issue. Retrying ....');
  await page.find('heading', 'Not for this cart yet');
});

test('a session that is still refused after all renewals ends with the sentence for it [ERR-05] [AUTH-30]', async () => {
  const page = await openPage(server.url, '/menu/sides');
  await page.find('button', 'Add Garlic Bread Sticks');
  await server.switches({ faults: [{ match: '/items', status: 401 }] });
  await page.press('button', 'Add Garlic Bread Sticks');
  await page.sees('Looks like something went wrong, please retry. If you were logged in, please re-login...');
  await page.press('button', 'OK');
});

test.each([
  [false, 1],
  [true, 0],
])('an applied coupon is felt for 200 ms; with reduced motion %s: %i times [NAV-85]', async (isCalm, times) => {
  const felt: unknown[] = [];
  Object.defineProperty(navigator, 'vibrate', {
    value: (pattern: unknown) => {
      felt.push(pattern);
      return true;
    },
    configurable: true,
  });
  vi.spyOn(window, 'matchMedia').mockImplementation(
    (query) =>
      ({
        matches: isCalm && query.includes('reduce'),
        addEventListener() {},
        removeEventListener() {},
      }) as unknown as MediaQueryList,
  );
  const menu = await openPage(server.url, '/menu/veg-pizza');
  // Too little for the offer of two hours, which would be on the cart by itself and worth more.
  for (const dish of ['Garden Four', 'Double Cheese Melt']) await menu.press('button', `Add ${dish}`);
  await menu.find('link', /^Cart, 2 items ?₹/);
  const page = await openPage(server.url, '/cart', { keep: true });
  const colour = document.createElement('meta');
  colour.name = 'theme-color';
  document.head.append(colour);
  // What is not urgent is there once its first call was answered.
  await vi.waitFor(() => expect(colour.content).not.toBe(''));
  await page.type('Have an offer code?', 'WELCOME50');
  await page.press('button', 'Apply');
  await page.sees('(WELCOME50)');
  await settled();
  expect(felt).toEqual(Array.from({ length: times }, () => [200]));
  Reflect.deleteProperty(navigator, 'vibrate');
});

test('a chosen store that is closed at this hour says so and when it opens; one that nobody chose says nothing', async () => {
  await server.advance(14 * 3_600);
  const {
    body: { store },
  } = await server.call(stores.byId, { storeId: '10101', query: {} });
  const told = vi.fn();
  const fetchNow = globalThis.fetch;
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (...call) => {
    const reply = await fetchNow(...call);
    if (/alerts/.test(new Request(...call).url)) told();
    return reply;
  });
  const guest = await openPage(server.url, '/menu');
  await vi.waitFor(() => expect(told).toHaveBeenCalled());
  await settled();
  expect(guest.text()).not.toContain('is closed now');
  localStorage.clear();
  localStorage.setItem('IN/browser:store', JSON.stringify(store));
  const page = await openPage(server.url, '/menu', { keep: true });
  await page.sees(/is closed now\. Opens at \d+ AM: you can choose a time for later when you pay\./);
});

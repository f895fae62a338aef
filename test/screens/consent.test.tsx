import { afterEach, expect, test, vi } from 'vitest';
import { firstRoutes } from '../../src/shell/first/routes.ts';
import { routes } from '../../src/shell/routes.full.ts';
import { lentServer } from '../kit/lentServer.ts';

import { openShop } from '../server/shop.ts';
import { countCalls, withoutWaiting } from '../shell/quiet.ts';
import { openPage, type AppPage } from './page.ts';
import { during } from '../kit/during.ts';

/** What is done for each purpose that may be refused: calls, and keys on the device. Everything else an order needs. */
const CALLS =
  /\/(analytics-service|user-activity-tracking|events\/t|server-side\/(?!settings)|push-service)|\/finger-print|\/push\b/;
const KEYS = /~(ga-client|waiting-usage|fingerprint|experiment)/;

const server = during(() => lentServer({ settings: { environment: { ANALYTICS: 'on' } } }), openShop);

const calls: string[] = [];
const written: string[] = [];
const wired = globalThis.fetch;
globalThis.fetch = async (input, init) => {
  const { method, url } = input instanceof Request ? input : { method: init?.method ?? 'GET', url: String(input) };
  const { pathname } = new URL(url, 'http://x');
  if (CALLS.test(pathname)) calls.push(`${method} ${pathname}`);
  return await wired(input, init);
};
const setItem = Storage.prototype.setItem;
Storage.prototype.setItem = function (key, value) {
  if (KEYS.test(key)) written.push(key);
  setItem.call(this, key, value);
};
const settled = countCalls();
withoutWaiting();
afterEach(settled);

const sample = (path: string) =>
  path
    .replace(':category', 'sides')
    .replace(':productId', 'PZ001')
    .replace(':dealId', 'DL001')
    .replace(/:(orderId|eventId|token|code)/, 'NONE');

/** Opens every screen of the app, one after the other, as a customer would by links. @returns how many were opened, and where none came */
async function visitAll(page: AppPage): Promise<{ opened: number; missing: string[] }> {
  let opened = 0;
  const missing: string[] = [];
  const all = [...firstRoutes, ...routes];
  // Neighbours may be drawn by one component, which keeps its heading: each comes after one from the other half.
  const half = Math.ceil(all.length / 2);
  for (const { path } of all.slice(0, half).flatMap((one, at) => [one, ...all.slice(half + at, half + at + 1)])) {
    const [before, heading] = [page.path(), document.querySelector('h1')];
    page.go(sample(path));
    // A path that leads back to where one was has the heading of before.
    const isThere = () => {
      const shown = document.querySelector('h1');
      return shown !== null && (shown !== heading || page.path() === before);
    };
    const until = performance.now() + 5_000;
    while (!isThere() && performance.now() < until) await new Promise((next) => void setTimeout(next, 10));
    if (!isThere()) missing.push(path);
    if (page.path() !== before) opened += 1;
  }
  await settled();
  return { opened, missing };
}

test('no screen calls or stores anything optional before consent or after a no; after a yes each reports itself [EXP-X02]', async () => {
  const page = await openPage(server.url, '/menu/sides');
  await page.sees('May we count how this app is used?');
  calls.length = written.length = 0;
  const { opened, missing } = await visitAll(page);
  expect(missing).toEqual([]);
  expect(opened).toBeGreaterThan(45);
  expect([calls, written]).toEqual([[], []]);

  const refused = await openPage(server.url, '/menu/sides', { keep: true });
  await refused.press('button', 'No');
  await settled();
  expect([calls, written]).toEqual([[], []]);

  // The same list finds what is done with a yes: so it would have found it before.
  const agreed = await openPage(server.url, '/consents', { keep: true });
  await agreed.press('checkbox', /^Measure how the app is used/);
  await vi.waitFor(() => expect(calls).toContain('POST /analytics-service/ve1/events'));
  expect(written.join()).toMatch(/~ga-client.*~waiting-usage/);
}, 150_000);

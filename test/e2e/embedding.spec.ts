import { createServer, type Server } from 'node:http';
import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { BrowserContext, Frame, Page } from '@playwright/test';
import { expect, watchTrouble, type Bundle } from '../kit/app.ts';
import type { SpawnedServer } from '../kit/server.ts';
import { sample } from '../kit/matrix.ts';
import { enterHost, setHost } from './hosts.ts';
import { test } from './atNoon.ts';
import {
  acceptTerms,
  addFromMenu,
  bundle,
  chooseMode,
  chooseWhere,
  fillDoor,
  fillWho,
  heading,
  isLoggedIn,
  payButton,
  settleAt,
} from './steps.ts';

const web = bundle('in', 'browser');
const gpay = bundle('in', 'gpay');
const paytm = bundle('in', 'paytm');
/** A frame has all of a page that the steps ask for. */
type Place = Page;

/** What a bare webview lacks: storage, cookies, service worker, vibration, dialogs, new windows. Each use of a dialog or a window is remembered. */
async function makeBare(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    const denied = () => {
      throw new DOMException('Access is denied for this document', 'SecurityError');
    };
    for (const name of ['localStorage', 'sessionStorage', 'indexedDB', 'caches'])
      Object.defineProperty(window, name, { configurable: true, get: denied });
    Object.defineProperty(Document.prototype, 'cookie', { configurable: true, get: denied, set: denied });
    const { prototype } = Navigator;
    for (const name of ['serviceWorker', 'vibrate', 'share', 'clipboard', 'locks'])
      delete (prototype as unknown as Record<string, unknown>)[name];
    const used: string[] = [];
    for (const name of ['alert', 'confirm', 'prompt', 'open', 'print'])
      Object.defineProperty(window, name, {
        configurable: true,
        value: () => {
          used.push(name);
          return null;
        },
      });
    (window as unknown as { usedDialogs: string[] }).usedDialogs = used;
  });
}
const dialogsOf = (place: Page | Frame) =>
  place.evaluate(() => (window as unknown as { usedDialogs: string[] }).usedDialogs);

/** From home to the payment page, as somebody who is here for the first time. */
async function order(place: Place, own: Bundle): Promise<void> {
  await chooseWhere(place, own.country);
  if (own.host === 'paytm') await place.getByRole('button', { name: 'Open my addresses' }).click();
  else await fillDoor(place);
  await toPayment(place);
}
async function toPayment(place: Place): Promise<void> {
  await addFromMenu(place);
  await place.getByRole('link', { name: /^Cart/ }).click();
  await place.getByRole('link', { name: 'Go to payment' }).click();
}

for (const own of sample([gpay, paytm], [gpay])) {
  test(`${own.host}: an order works in a webview without storage, cookies, service worker and dialogs [MINI-X01] [LOC-X05]`, async ({
    page,
    mobile,
  }) => {
    await makeBare(page.context());
    await enterHost(page, own, { user: `customer-${mobile}`, controls: { storage: 'throws', vibrate: 'absent' } });
    const troubles = watchTrouble(page);
    await page.goto(own.mount);
    await order(page, own);
    await expect(page.getByRole('group', { name: 'Payment mode' }).getByRole('radio')).toHaveCount(1);
    await acceptTerms(page);
    await expect(payButton(page)).toBeEnabled();
    await payButton(page).click();
    await expect(heading(page, 'Thank you! Your order is placed.')).toBeVisible();
    expect(await dialogsOf(page)).toEqual([]);
    expect(troubles).toEqual([]);
  });
}

/** The product behind a proxy that mounts it at another path, as a gateway does. */
async function mounted(shop: SpawnedServer, prefix: string): Promise<{ url: string; stop: () => Promise<void> }> {
  const to = new URL(shop.url);
  const proxy: Server = createServer((incoming, outgoing) => {
    if (!incoming.url?.startsWith(`${prefix}/`)) {
      outgoing.statusCode = 404;
      outgoing.end('Nothing of ours is here.');
      return;
    }
    const inner = request(
      {
        host: to.hostname,
        port: to.port,
        method: incoming.method,
        path: incoming.url.slice(prefix.length),
        headers: { ...incoming.headers, 'x-forwarded-prefix': prefix },
      },
      (reply) => {
        outgoing.writeHead(reply.statusCode ?? 502, reply.headers);
        reply.pipe(outgoing);
      },
    );
    inner.on('error', () => outgoing.destroy());
    incoming.pipe(inner);
  });
  await new Promise<void>((resolve) => {
    proxy.listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    stop: () =>
      new Promise((resolve) => {
        proxy.close(() => resolve());
        proxy.closeAllConnections();
      }),
  };
}

test('a sandboxed frame of an origin of its own sends no form, and is a page to order from all the same', async ({
  page,
  server,
  mobile,
}) => {
  const troubles = watchTrouble(page);
  await page.context().setExtraHTTPHeaders({ 'x-simulator': '1' });
  await page.context().addInitScript(
    (own) => {
      (window as unknown as { hostFakeOptions?: unknown }).hostFakeOptions ??= own;
    },
    { user: `customer-${mobile}`, server: server.url },
  );
  // Our own origin may frame the page outside production; the sandbox takes the origin, and with it storage and cookies.
  await page.route(`${server.url}/around`, (route) =>
    route.fulfill({
      contentType: 'text/html',
      body: `<!doctype html><title>A host</title><iframe title="Mini app" width="390" height="760" sandbox="allow-scripts" src="${gpay.mount}"></iframe>`,
    }),
  );
  await page.goto(`${server.url}/around`);
  const inside = (await (await page.waitForSelector('iframe')).contentFrame())! as unknown as Place;
  await expect(heading(inside, /./).first()).toBeVisible();
  expect(
    await inside.evaluate(() => {
      try {
        return String(localStorage.length);
      } catch (error) {
        return (error as Error).name;
      }
    }),
  ).toBe('SecurityError');
  await chooseWhere(inside, 'in');
  await fillDoor(inside, '');
  await expect(inside.getByText('This field cannot be left empty').first()).toBeVisible();
  await inside.getByLabel('House, flat or floor number').fill('12 B');
  await inside.getByLabel('Street', { exact: true }).press('Enter');
  await expect.poll(() => inside.url()).not.toMatch(/\/address/);
  await toPayment(inside);
  await expect(inside.getByRole('group', { name: 'Payment mode' }).getByRole('radio')).toHaveCount(1);
  await acceptTerms(inside);
  await payButton(inside).click();
  await expect(heading(inside, 'Thank you! Your order is placed.')).toBeVisible();
  expect(troubles.filter(({ text }) => !text.includes('allow-forms'))).toEqual([]);
});

for (const own of sample([web, gpay], [gpay])) {
  test(`${own.host}: any mount point: behind a gateway everything stays below its path, up to the placed order`, async ({
    page,
    server,
    mobile,
  }) => {
    const gateway = await mounted(server, '/shop/pizza');
    const outside: string[] = [];
    page.on('request', (one) => {
      if (one.url().startsWith(gateway.url) && !one.url().startsWith(`${gateway.url}/shop/pizza/`))
        outside.push(one.url());
    });
    await enterHost(page, own, { user: `customer-${mobile}` });
    try {
      await page.goto(`${gateway.url}/shop/pizza${own.mount}`);
      await order(page, own);
      if (own === web) {
        await fillWho(page, mobile);
        await chooseMode(page, 'Cash on delivery');
        await acceptTerms(page);
        await payButton(page).click();
        await expect(page.getByLabel('6-digit code')).toBeVisible();
        const [sms = ''] = await server.inbox(`+91${mobile}`);
        await page.getByLabel('6-digit code').fill(/\d{6}/.exec(sms)?.[0] ?? '');
      } else {
        await acceptTerms(page);
        await payButton(page).click();
      }
      await expect(heading(page, 'Thank you! Your order is placed.')).toBeVisible();
      expect(new URL(page.url()).pathname).toMatch(new RegExp(`^/shop/pizza${own.mount}order/`));
      await page.reload();
      await expect(heading(page, 'Thank you! Your order is placed.')).toBeVisible();
      expect(outside).toEqual([]);
    } finally {
      await gateway.stop();
    }
  });
}

test('two apps on one page of one origin each keep their own cart, session and place', async ({
  page,
  server,
  mobile,
}) => {
  await page.context().setExtraHTTPHeaders({ 'x-simulator': '1' });
  await page.context().addInitScript(
    (own) => {
      (window as unknown as { hostFakeOptions?: unknown }).hostFakeOptions ??= own;
    },
    { user: `customer-${mobile}` },
  );
  for (const own of [gpay, paytm]) await settleAt(page, server.url, own, mobile);
  await page.evaluate(() => {
    for (const key of Object.keys(localStorage)) if (/:(session|cart|journal)/.test(key)) localStorage.removeItem(key);
  });
  await page.route(`${server.url}/around`, (route) =>
    route.fulfill({
      contentType: 'text/html',
      body: `<!doctype html><title>Two</title>${[gpay, paytm].map((own) => `<iframe title="${own.host}" width="390" height="700" src="${own.mount}menu"></iframe>`).join('')}`,
    }),
  );
  await page.goto(`${server.url}/around`);
  const inside = async (own: Bundle) =>
    (await (await page.waitForSelector(`iframe[title="${own.host}"]`)).contentFrame())! as unknown as Place;
  const [left, right] = [await inside(gpay), await inside(paytm)];
  await addFromMenu(left, 'Garden Four', 2);
  await expect(right.getByRole('button', { name: 'Add Garden Four' }).first()).toBeVisible();
  await addFromMenu(right);
  await expect(left.getByRole('group', { name: 'Quantity of Garden Four' }).first()).toContainText('2');
  await setHost(left, { networkType: 'none' });
  await expect(left.locator('html[data-offline]')).toHaveCount(1);
  await expect(right.locator('html[data-offline]')).toHaveCount(0);
  await setHost(left, { networkType: 'wifi' });
  await left.getByRole('link', { name: /^Cart/ }).click();
  await left.getByRole('link', { name: 'Go to payment' }).click();
  await expect.poll(() => isLoggedIn(left, gpay)).toBe(true);
  expect(await isLoggedIn(right, paytm)).toBe(false);
  await expect(right.getByRole('group', { name: 'Quantity of Garden Four' }).first()).toContainText('1');
  await acceptTerms(left);
  await payButton(left).click();
  await expect(heading(left, 'Thank you! Your order is placed.')).toBeVisible();
  await expect(right.getByRole('complementary', { name: 'Your order' })).toHaveCount(0);
  const keys = await page.evaluate(() => Object.keys(localStorage));
  expect(keys.filter((key) => !/^(IN\/(gpay|paytm):|(gpay|paytm)\/in\/)/.test(key))).toEqual([]);
});

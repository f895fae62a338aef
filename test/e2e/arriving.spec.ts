import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from '@playwright/test';
import { expect, type Bundle } from '../kit/app.ts';
import type { SpawnedServer } from '../kit/server.ts';
import { checkNow, enterHost, payAtBank } from './hosts.ts';
import { test } from './atNoon.ts';
import { acceptTerms, addFromMenu, bundle, chooseMode, heading, look, payButton, settleAt } from './steps.ts';

const web = bundle('in', 'browser');
const step = (page: Page, name: string) => page.getByRole('listitem').filter({ hasText: name }).first();
const isCurrent = (page: Page, name: string) => expect(step(page, name)).toHaveAttribute('aria-current', 'step');
const followed = (page: Page, by: 'stream' | 'polling') =>
  expect(page.locator(`[data-followed="${by}"]`)).toBeVisible();

/** A customer at the payment page with one dish. */
async function readyToPay(
  page: Page,
  server: SpawnedServer,
  mobile: string,
  mode: string,
  own: Bundle = web,
): Promise<void> {
  await enterHost(page, own, { user: `customer-${mobile}` });
  await settleAt(page, server.url, own, mobile);
  await addFromMenu(page);
  await page.getByRole('link', { name: /^Cart/ }).click();
  await page.getByRole('link', { name: 'Go to payment' }).click();
  await chooseMode(page, mode);
}

async function payByUpi(page: Page): Promise<void> {
  await acceptTerms(page);
  await payButton(page).click();
  await expect(page).toHaveURL(/\/upiForm/);
  await payAtBank(page);
  await checkNow(page);
}

async function orderNow(page: Page, server: SpawnedServer, mobile: string): Promise<string> {
  await readyToPay(page, server, mobile, 'UPI');
  await payByUpi(page);
  await expect(heading(page, 'Thank you! Your order is placed.')).toBeVisible();
  return /\/order\/([^/?]+)/.exec(page.url())![1]!;
}

test('an order’s state and its rider move live; whoever has its link sees that, and nothing else [API-X01] [ORD-X01] [ORD-X07]', async ({
  page,
  server,
  mobile,
  browser,
}) => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const orderId = await orderNow(page, server, mobile);
  await followed(page, 'stream');
  // Without a network nothing is live, whatever the open line still looks like.
  await page.context().setOffline(true);
  await expect(page.locator('[data-followed]')).toHaveCount(0);
  await page.context().setOffline(false);
  await followed(page, 'stream');
  await expect(page.getByText(/^8 in 10 orders arrive in this time\./)).toBeVisible();
  await expect(page.getByText(/left, or it is free/).first()).toBeVisible();
  await expect(page.locator('b[aria-label]').filter({ hasText: /^\d{4}$/ })).toBeVisible();
  await look(page, 'placed');
  await page.getByRole('button', { name: 'Share the tracking link' }).click();
  await expect(page.getByText('The link is copied.')).toBeVisible();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  expect(link).toMatch(/\/in\/shared\/[\w-]{40,}$/);
  const number = /Order (\d+)/.exec(await page.locator('main header').first().innerText())![1]!;
  const code = (await page.locator('b[aria-label]').first().innerText()).trim();
  await server.advance(250);
  await isCurrent(page, 'In the oven');
  await page.getByRole('link', { name: 'Track your order' }).click();
  await expect(page.getByText(/[,:] about \d+ minutes? (?:on the|by) road\.$/)).toBeVisible();
  await server.advance(500);
  await isCurrent(page, 'Out for delivery');
  const other = await browser.newContext();
  const friend = await other.newPage();
  await friend.goto(link);
  await expect(heading(friend, 'Follow an order')).toBeVisible();
  await isCurrent(friend, 'Out for delivery');
  const seen = await friend.locator('#app').innerText();
  for (const secret of ['Asha', mobile, '12 B', number, code, '₹', orderId]) expect(seen).not.toContain(secret);
  await look(friend, 'shared');
  await other.close();
  // The promise's clock is the server's, however far that has jumped.
  await expect(page.getByText(/^1[78]:\d\d left, or it is free$/).first()).toBeVisible();
  // The line says in words what it shows.
  const way = page.getByText(/ is ((\d+(\.\d)? km away,|on the way:) about \d+ minutes?|at your door)\.$/);
  await expect(way).toBeVisible();
  const text = await way.innerText();
  // The rider stands on the line, and is nearer to the door as the words are.
  const rider = page.locator('[style*="inset-inline-start"]');
  const share = async () => Number(/([\d.]+)\D*$/.exec((await rider.getAttribute('style')) ?? '')?.[1]);
  const before = await share();
  expect(before).toBeGreaterThan(0);
  await look(page, 'way');
  await server.advance(400);
  await expect(way).not.toHaveText(text);
  expect(await share()).toBeGreaterThan(before);
  await server.advance(400);
  await expect(page.getByText('We kept our promise.')).toBeVisible();
  await look(page, 'kept');
});

test.describe('with the worker of the page', () => {
  test.use({ serviceWorkers: 'allow' });

  test('news without an open page: offered on the order, asked of the browser after a tap, shown by the worker [ORD-X03]', async ({
    page,
    server,
    mobile,
  }) => {
    const got: string[] = [];
    const service = createServer((request, response) => {
      got.push(request.url!);
      request.resume();
      response.writeHead(201).end();
    });
    await new Promise<void>((done) => {
      service.listen(0, '127.0.0.1', done);
    });
    const endpoint = `http://127.0.0.1:${(service.address() as AddressInfo).port}/push`;
    // A headless browser neither asks its user nor reaches its push service: those two are played, all else is real.
    await page.addInitScript((address) => {
      const asked = { times: 0 };
      Object.assign(window, { asked });
      let permission: NotificationPermission = 'default';
      Object.defineProperty(Notification, 'permission', { get: () => permission });
      Notification.requestPermission = () => {
        asked.times += 1;
        permission = 'granted';
        return Promise.resolve(permission);
      };
      const keys = {
        p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
        auth: 'BTBZMqHH6r4Tts7J_aSIgg',
      };
      PushManager.prototype.subscribe = () =>
        Promise.resolve({
          endpoint: address,
          toJSON: () => ({ endpoint: address, keys }),
        } as unknown as PushSubscription);
    }, endpoint);
    const orderId = await orderNow(page, server, mobile);
    const offer = page.getByRole('button', { name: 'Tell me when it is on its way' });
    // The worker is registered once the page is idle.
    await expect(async () => {
      await page.reload();
      await expect(offer).toBeVisible({ timeout: 3_000 });
    }).toPass();
    expect(await page.evaluate(() => (window as unknown as { asked: { times: number } }).asked.times)).toBe(0);
    await offer.click();
    await expect(page.getByText('This browser tells you when your order is on its way.')).toBeVisible();
    await look(page, 'news');
    await server.advance(720);
    await expect.poll(() => got.length).toBe(1);

    const said = {
      title: 'Order 4821',
      body: 'Your order is on its way.',
      tag: orderId,
      path: `${web.mount}order/${orderId}`,
    };
    const worker = page
      .context()
      .serviceWorkers()
      .find((one) => one.url().endsWith(`${web.mount}sw.js`))!;
    const shown = await worker.evaluate(async (data) => {
      const own = self as unknown as EventTarget & { registration: { showNotification: unknown } };
      return new Promise<unknown[]>((done) => {
        own.registration.showNotification = (...given: unknown[]) => {
          done(given);
          return Promise.resolve();
        };
        const Push = (self as unknown as { PushEvent: new (type: string, init: object) => Event }).PushEvent;
        own.dispatchEvent(new Push('push', { data }));
      });
    }, JSON.stringify(said));
    expect(shown).toMatchObject([said.title, { body: said.body, tag: orderId, data: { path: said.path } }]);
    service.close();
  });
});

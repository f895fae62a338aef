import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from '@playwright/test';
import { expect, test as base, type Bundle } from '../kit/app.ts';
import type { SpawnedServer } from '../kit/server.ts';
import { checkNow, enterHost, payAtBank } from './hosts.ts';
import {
  acceptTerms,
  addFromMenu,
  bundle,
  chooseMode,
  heading,
  look,
  noon,
  payButton,
  settleAt,
  unfold,
} from './steps.ts';

const web = bundle('in', 'browser');
const step = (page: Page, name: string) => page.getByRole('listitem').filter({ hasText: name }).first();
const isCurrent = (page: Page, name: string) => expect(step(page, name)).toHaveAttribute('aria-current', 'step');
const followed = (page: Page, by: 'stream' | 'polling') =>
  expect(page.locator(`[data-followed="${by}"]`)).toBeVisible();

const test = base.extend<{ mobile: string }>({
  mobile: async ({ phone, server }, use) => {
    await noon(server);
    await use(phone('in'));
  },
});

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

test('an order’s state and its rider on the map move on the screen live, without a reload [API-X01] [ORD-X01] [ORD-X02]', async ({
  page,
  server,
  mobile,
}) => {
  await orderNow(page, server, mobile);
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
  await server.advance(250);
  await isCurrent(page, 'In the oven');
  await page.getByRole('link', { name: 'Track your order' }).click();
  await expect(page.getByText(/[,:] about \d+ minutes? (?:on the|by) road\.$/)).toBeVisible();
  await server.advance(500);
  await isCurrent(page, 'Out for delivery');
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

test('a stream that is cut, and one that a webview keeps back, are replaced by asking [API-X01] @all', async ({
  page,
  server,
  mobile,
}) => {
  await server.switches({ faults: [{ match: '/events', status: 503 }] });
  // The page's own deadlines and pauses are over when the test says so.
  await page.clock.install();
  const askedAgain = (name: string) =>
    expect(async () => {
      await page.clock.fastForward(10_000);
      await expect(step(page, name)).toHaveAttribute('aria-current', 'step', { timeout: 1_000 });
    }).toPass();
  await orderNow(page, server, mobile);
  await followed(page, 'polling');
  await server.advance(250);
  await askedAgain('In the oven');
  await server.switches({ faults: [] });
  // Opened, and never a byte: what a buffering webview does.
  await page.route(/\/events$/, () => {});
  await page.reload();
  await isCurrent(page, 'In the oven');
  await server.advance(500);
  // Nothing but asking can bring it.
  await askedAgain('Out for delivery');
  await followed(page, 'polling');
  await page.unroute(/\/events$/);
  await page.reload();
  await followed(page, 'stream');
});

test("an order for later offers only the store's times; cancelled by its rule it is refunded [ORD-16] [ORD-X04] [ORD-X09] @all", async ({
  page,
  server,
  mobile,
}) => {
  await readyToPay(page, server, mobile, 'UPI');
  const choice = page.getByLabel('When?');
  await unfold(page, choice);
  const labels = await choice.locator('option').allInnerTexts();
  expect(labels[0]).toBe('As soon as possible');
  expect(labels.slice(1).every((label) => /^(Today|Tomorrow), \d{1,2}(:30)? (AM|PM)$/.test(label))).toBe(true);
  const wanted = labels.find((label) => label === 'Tomorrow, 1 PM')!;
  await choice.selectOption({ label: wanted });
  await payByUpi(page);
  await expect(heading(page, 'Thank you! Your order is booked.')).toBeVisible();
  await isCurrent(page, 'Booked for later');
  // The range lies around the time that was chosen, a day from now.
  const [, hour, minute = '00', half] = /, (\d+)(?::(\d+))? (AM|PM)$/.exec(wanted)!;
  const said = await page
    .locator('b')
    .filter({ hasText: / to \d/ })
    .first()
    .innerText();
  const clock = (text: string) => {
    const [, h, m = '0', ap] = /(\d+)(?::(\d+))? (AM|PM)/.exec(text)!;
    return ((Number(h) % 12) + (ap === 'PM' ? 12 : 0)) * 60 + Number(m);
  };
  const [from, to] = said.split(' to ');
  const at = clock(`${hour}:${minute} ${half}`);
  expect(clock(from!)).toBeLessThanOrEqual(at);
  expect(clock(to!)).toBeGreaterThanOrEqual(at);
  await expect(
    page.getByText('Orders for a later time come at that time: the delivery-time promise does not apply.'),
  ).toBeVisible();
  await expect(
    page.getByText('You can cancel for free until the store starts on your order. After that, please call the store.'),
  ).toBeVisible();
  await look(page, 'booked');
  await page.getByRole('button', { name: 'Cancel the order' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel the order' }).click();
  await expect(heading(page, 'Order cancelled')).toBeVisible();
  await expect(page.getByText(/arrives between .+ and .+\./)).toBeVisible();
  await look(page, 'cancelled');
});

test('an installation that the browser offers before the app listens is offered by the order, once [NAV-X01] @all', async ({
  page,
  server,
  mobile,
}) => {
  const orderId = await orderNow(page, server, mobile);
  const install = page.getByRole('button', { name: 'Add to the home screen' });
  await expect(install).toHaveCount(0);
  // Chromium offers it once the page has been read: before what the page loads later has come.
  await page.addInitScript(() => {
    addEventListener('DOMContentLoaded', () => {
      const prompt = async () => void Object.assign(window, { isPrompted: true });
      const userChoice = Promise.resolve({ outcome: 'accepted' });
      const offer = new Event('beforeinstallprompt', { cancelable: true });
      dispatchEvent(Object.assign(offer, { prompt, userChoice }));
      // Else the browser would show a bar of its own.
      Object.assign(window, { isTaken: offer.defaultPrevented });
    });
  });
  await page.goto(`${web.mount}order/${orderId}`);
  await install.click();
  await expect(page.getByText('It is on your home screen now.')).toBeVisible();
  await expect(install).toHaveCount(0);
  const told = await page.evaluate(() => {
    const { isPrompted, isTaken } = window as unknown as Record<string, unknown>;
    return { isPrompted, isTaken };
  });
  expect(told).toEqual({ isPrompted: true, isTaken: true });
  await page.reload();
  await expect(heading(page, 'Thank you! Your order is placed.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Share the tracking link' })).toBeVisible();
  await expect(install).toHaveCount(0);
});

test('a shared link shows another person how far it is, and nothing else [ORD-X07] [NAV-X03]', async ({
  page,
  server,
  mobile,
  browser,
}) => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const orderId = await orderNow(page, server, mobile);
  await page.getByRole('button', { name: 'Share the tracking link' }).click();
  await expect(page.getByText('The link is copied.')).toBeVisible();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  expect(link).toMatch(/\/in\/shared\/[\w-]{40,}$/);
  expect(link).not.toContain(orderId);
  const number = /Order (\d+)/.exec(await page.locator('main header').first().innerText())![1]!;
  const code = (await page.locator('b[aria-label]').first().innerText()).trim();
  expect(code).toMatch(/^\d{4}$/);

  const other = await browser.newContext();
  const friend = await other.newPage();
  await friend.goto(link);
  await expect(heading(friend, 'Follow an order')).toBeVisible();
  await isCurrent(friend, 'Order placed');
  await server.advance(760);
  await friend.reload();
  await isCurrent(friend, 'Out for delivery');
  const seen = await friend.locator('#app').innerText();
  for (const secret of ['Asha', mobile, '12 B', number, code, '₹', orderId]) expect(seen).not.toContain(secret);
  await look(friend, 'shared');
  await friend.goto(link.slice(0, -3));
  await expect(friend.getByText("We're sorry. The link you clicked is not a working one!")).toBeVisible();
  await other.close();
});

test('an order left at the door needs no code; only a rider on the way can be called [ORD-28] [ORD-X06] [ORD-X08] @all', async ({
  page,
  server,
  mobile,
}) => {
  await readyToPay(page, server, mobile, 'UPI');
  await unfold(page, page.getByLabel('Anything else for the rider? (optional)'));
  await page.getByRole('button', { name: 'Leave at the door' }).click();
  await page.getByLabel('Anything else for the rider? (optional)').fill('Blue gate');
  await payByUpi(page);
  await expect(heading(page, 'Thank you! Your order is placed.')).toBeVisible();
  await expect(page.getByText('Leave at the door', { exact: true })).toBeVisible();
  await expect(page.locator('b[aria-label]').filter({ hasText: /^\d{4}$/ })).toHaveCount(0);
  await expect(page.getByText('“Blue gate”')).toBeVisible();
  await expect(page.getByRole('link', { name: /^Call / })).toHaveCount(0);
  await server.advance(720);
  const call = page.getByRole('link', { name: /^Call / });
  await expect(call).toHaveAttribute('href', /^tel:\d+,\d+$/);
  await page.getByRole('button', { name: 'I am at the gate' }).click();
  await expect(page.getByLabel(/^Message to /)).toHaveValue('I am at the gate');
  await look(page, 'rider');
  await page.getByRole('button', { name: 'Send' }).click();
  await expect(page.getByText(/^Sent to /)).toBeVisible();
  await expect(page.getByLabel(/^Message to /)).toHaveValue('');
  await server.advance(800);
  await expect(heading(page, 'Enjoy your meal!')).toBeVisible();
  await expect(call).toHaveCount(0);
});

test('two orders under way are both on the first screen after a relaunch, and the second stays when the first is over', async ({
  page,
  server,
  mobile,
}) => {
  const first = await orderNow(page, server, mobile);
  await server.advance(300);
  await page.goto(`${web.mount}menu`);
  await addFromMenu(page);
  await page.getByRole('link', { name: /^Cart/ }).click();
  await page.getByRole('link', { name: 'Go to payment' }).click();
  await chooseMode(page, 'UPI');
  await acceptTerms(page);
  await payButton(page).click();
  await page.getByRole('button', { name: 'Yes, order again' }).click();
  await expect(page).toHaveURL(/\/upiForm/);
  await payAtBank(page);
  await checkNow(page);
  await expect(heading(page, 'Thank you! Your order is placed.')).toBeVisible();
  const second = /\/order\/([^/?]+)/.exec(page.url())![1]!;
  const again = await page.context().newPage();
  await page.close();
  await again.goto(web.mount);
  const strip = again.getByRole('complementary', { name: 'Your order' });
  await expect(strip.getByRole('link')).toHaveCount(2);
  await look(again, 'strip');
  await strip.locator(`a[href$="${first}"]`).click();
  await followed(again, 'stream');
  await server.advance(1200);
  await expect(heading(again, 'Enjoy your meal!')).toBeVisible();
  await again.goto(web.mount);
  await expect(strip.getByRole('link')).toHaveCount(1);
  await expect(strip.getByRole('link')).toHaveAttribute('href', new RegExp(`${second}$`));
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

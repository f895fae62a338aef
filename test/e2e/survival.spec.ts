import { rmSync } from 'node:fs';
import { chromium, type Page } from '@playwright/test';
import * as contract from '../../src/contract/orders.ts';
import * as errors from '#text/errors.ts';
import { chromiumOptions } from '../kit/browser.ts';
import { expect, type Bundle } from '../kit/app.ts';
import { temporaryFolder } from '../kit/folder.ts';
import type { SpawnedServer } from '../kit/server.ts';
import { sample } from '../kit/matrix.ts';
import { checkNow, enterHost, payAtBank, setHost } from './hosts.ts';
import { test } from './atNoon.ts';
import {
  acceptTerms,
  addFromMenu,
  bundle,
  chooseMode,
  heading,
  isLoggedIn,
  look,
  payButton,
  sessionOf,
  settleAt,
  billedTotal,
  totalOf,
} from './steps.ts';

const web = bundle('in', 'browser');
const strip = (page: Page) => page.getByRole('complementary', { name: 'Your order' });
const placed = (page: Page) => expect(heading(page, 'Thank you! Your order is placed.')).toBeVisible();

/** The orders that this page's customer has, as the server knows them. */
async function ordersOf(page: Page, server: SpawnedServer, own: Bundle = web) {
  const session = await sessionOf(page, own);
  if (!session) return [];
  const { body } = await server.call(
    contract.recent,
    {},
    { apiKey: own.apiKey, authToken: session.credentials.accessToken, userId: session.attributes.userId },
  );
  return body.orders ?? [];
}

/** A customer with one dish in the cart, at the payment page with everything filled in. */
async function readyToPay(page: Page, server: SpawnedServer, own: Bundle, mobile: string, mode: string): Promise<void> {
  await enterHost(page, own, { user: `customer-${mobile}` });
  await settleAt(page, server.url, own, mobile);
  await addFromMenu(page);
  await page.getByRole('link', { name: /^Cart/ }).click();
  await page.getByRole('link', { name: 'Go to payment' }).click();
  if (own.host === 'browser') await chooseMode(page, mode);
  else await expect.poll(() => isLoggedIn(page, own)).toBe(true);
  await acceptTerms(page);
  await expect(payButton(page)).not.toHaveAttribute('aria-busy', 'true');
}

/** Ends the page without a word, as a phone does that needs the memory, and opens the app anew. */
async function reopen(page: Page, own: Bundle = web, route = ''): Promise<Page> {
  const context = page.context();
  await page.close({ runBeforeUnload: false });
  const next = await context.newPage();
  await next.goto(own.mount + route);
  return next;
}

test('an app killed during payment reopens with the order waiting, and it is paid only once [PAY-21, PAY-X01, MINI-X02]', async ({
  page,
  server,
  mobile,
}) => {
  await readyToPay(page, server, web, mobile, 'UPI');
  await payButton(page).click();
  await expect(page).toHaveURL(/\/upiForm/);
  // A phone shows its app first, a computer the code for the phone beside it, and its own app last.
  const order = async (width: number) => {
    await page.setViewportSize({ width, height: 900 });
    const places = {
      app: page.getByRole('link', { name: 'Open your UPI app' }),
      code: page.getByRole('img', { name: 'QR code of this payment' }),
      request: page.getByRole('button', { name: 'Send the request' }),
    };
    const found: [string, number][] = [];
    for (const [name, place] of Object.entries(places)) {
      await expect(place).toBeVisible();
      found.push([name, (await place.boundingBox())!.y]);
    }
    return found.sort((a, b) => a[1] - b[1]).map(([name]) => name);
  };
  const size = page.viewportSize()!;
  expect(await order(360)).toEqual(['app', 'request', 'code']);
  expect(await order(1280)).toEqual(['code', 'request', 'app']);
  await page.setViewportSize(size);
  let again = await reopen(page);
  // The bank has heard of nothing: nobody is told that it is being checked, nor left without a way on.
  await expect(strip(again)).toContainText(errors.moneyWaitedFor);
  await look(again, 'strip');
  // Nothing else is offered first: paying leads to the open order.
  await addFromMenuAt(again);
  await again.goto(`${web.mount}payment`);
  await acceptTerms(again);
  await payButton(again).click();
  await expect(heading(again, 'Pending confirmation')).toBeVisible();
  await expect(again.getByText(errors.moneyWaitedFor)).toBeVisible();
  await look(again, 'pending');
  await again.getByRole('button', { name: 'Continue with the payment' }).click();
  await expect(again).toHaveURL(/\/upiForm/);
  await payAtBank(again);
  // Killed once more, after the money went and before the page could know.
  again = await reopen(again);
  await expect(strip(again)).not.toContainText(errors.moneyWaitedFor);
  await strip(again).getByRole('link').click();
  await placed(again);
  await expect(again.getByText(errors.moneyTaken)).toBeVisible();
  expect(await ordersOf(again, server)).toHaveLength(1);
});

async function addFromMenuAt(page: Page): Promise<void> {
  await page.goto(`${web.mount}menu`);
  await addFromMenu(page, 'Double Cheese Melt');
}

test('the whole browser ended in the middle of a payment: its profile knows the order [PAY-X01, MINI-X02]', async ({
  server,
  mobile,
}) => {
  const profile = temporaryFolder('pizza-profile');
  const start = () =>
    chromium.launchPersistentContext(profile, {
      ...chromiumOptions(),
      baseURL: server.url,
      viewport: { width: 390, height: 780 },
      locale: 'en-IN',
    });
  try {
    const first = await start();
    const page = first.pages()[0] ?? (await first.newPage());
    await readyToPay(page, server, web, mobile, 'UPI');
    await payButton(page).click();
    await expect(page).toHaveURL(/\/upiForm/);
    await first.close();
    const second = await start();
    const again = second.pages()[0] ?? (await second.newPage());
    await again.goto(web.mount);
    await strip(again).getByRole('link').click();
    await again.getByRole('button', { name: 'Continue with the payment' }).click();
    await payAtBank(again);
    await checkNow(again);
    await placed(again);
    expect(await ordersOf(again, server)).toHaveLength(1);
    await second.close();
  } finally {
    rmSync(profile, { recursive: true, force: true });
  }
});

for (const host of sample(['gpay', 'paytm'], ['paytm'])) {
  const own = bundle('in', host);

  test(`in/${host}: killed while the host pays; the bank knows, and so does the page on return [PAY-X01, MINI-X02]`, async ({
    page,
    server,
    mobile,
  }) => {
    await readyToPay(page, server, own, mobile, '');
    await setHost(page, { payment: 'no-reply' });
    await payButton(page).click();
    await expect
      .poll(() =>
        page.evaluate(() =>
          (window as unknown as { hostFake: { log: { method: string }[] } }).hostFake.log.some(({ method }) =>
            /payment/i.test(method),
          ),
        ),
      )
      .toBe(true);
    const again = await reopen(page, own);
    await strip(again).getByRole('link').click();
    await placed(again);
    await expect(again.getByText(errors.moneyTaken)).toBeVisible();
    expect(await ordersOf(again, server, own)).toHaveLength(1);
  });
}

test('offline and back: the strip, the grey page, and a cart that catches up [NAV-70, NAV-71, CART-X03]', async ({
  page,
  server,
  mobile,
}) => {
  await settleAt(page, server.url, web, mobile);
  await addFromMenu(page);
  await page.getByRole('link', { name: /^Cart/ }).click();
  await expect(totalOf(page)).toContainText('₹');
  const before = await billedTotal(page);
  await page.context().setOffline(true);
  // The region that announces it has no size of its own.
  await expect(page.getByRole('status').getByText(/internet connection/i)).toBeVisible();
  await expect(page.locator('html')).toHaveAttribute('data-offline', '');
  expect(
    await page.evaluate(
      () =>
        getComputedStyle(document.querySelector('main')!).filter +
        getComputedStyle(document.body).filter +
        getComputedStyle(document.documentElement).filter,
    ),
  ).toContain('grayscale');
  await page.getByRole('button', { name: 'One more Garden Four' }).click();
  await page.getByRole('button', { name: 'One more Garden Four' }).click();
  await expect(page.getByRole('group', { name: 'Quantity of Garden Four' })).toContainText('3');
  await expect(page.getByText('Prices follow when you are online again.')).toBeVisible();
  await look(page, 'offline-cart');
  await page.context().setOffline(false);
  await expect(page.locator('html')).not.toHaveAttribute('data-offline', '');
  await expect(page.getByText('Prices follow when you are online again.')).toHaveCount(0);
  await expect(totalOf(page)).not.toHaveText(before);
  await page.reload();
  await expect(page.getByRole('group', { name: 'Quantity of Garden Four' })).toContainText('3');
});

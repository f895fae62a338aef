import { rmSync } from 'node:fs';
import { chromium, type Page } from '@playwright/test';
import * as contract from '../../src/contract/orders.ts';
import * as errors from '#text/errors.ts';
import * as orderText from '#text/order.ts';
import { chromiumOptions } from '../kit/browser.ts';
import { expect, test as base, type Bundle } from '../kit/app.ts';
import { temporaryFolder } from '../kit/folder.ts';
import type { SpawnedServer } from '../kit/server.ts';
import { sample } from '../kit/matrix.ts';
import { checkNow, enterHost, payAtBank, setHost } from './hosts.ts';
import {
  acceptTerms,
  addFromMenu,
  bundle,
  chooseMode,
  heading,
  isLoggedIn,
  look,
  noon,
  payButton,
  sessionOf,
  settleAt,
  toast,
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

const test = base.extend<{ mobile: string }>({
  mobile: async ({ phone, server }, use) => {
    await noon(server);
    await use(phone('in'));
  },
});

test('killed before paying: the cart, the details and the place are there, and nothing was ordered [CART-X02] @all', async ({
  page,
  server,
  mobile,
}) => {
  await readyToPay(page, server, web, mobile, 'UPI');
  const again = await reopen(page, web, 'payment');
  await expect(again.getByLabel('Mobile number')).toHaveValue(mobile);
  await expect(again.getByRole('radio', { name: /^UPI/ })).toBeChecked();
  await expect(totalOf(again)).toContainText('₹');
  // They set it themselves, beside these very terms.
  await expect(again.getByRole('checkbox').last()).toBeChecked();
  await expect(strip(again)).toHaveCount(0);
  expect(await ordersOf(again, server)).toHaveLength(0);
});

test('killed while the order is being placed: found again, and made once [PAY-14, PAY-X01, MINI-X02] @all', async ({
  page,
  server,
  mobile,
}) => {
  await readyToPay(page, server, web, mobile, 'UPI');
  await server.switches({ faults: [{ match: '/orders/submit', delayMs: 4_000, times: 1 }] });
  await payButton(page).click();
  await expect.poll(() => page.evaluate(() => localStorage.getItem('IN/browser:journal'))).toContain('submitting');
  const again = await reopen(page);
  await expect(strip(again)).toContainText(errors.submitUnknown);
  // Whether it reached the server or not, the customer ends with one order or with the cart as it was.
  await strip(again).getByRole('link').click();
  await expect(async () => {
    const orders = await ordersOf(again, server);
    expect(orders.length).toBeLessThanOrEqual(1);
    if (orders.length === 1) await expect(heading(again, 'Pending confirmation')).toBeVisible({ timeout: 1_000 });
    else await expect(heading(again, 'Your cart')).toBeVisible({ timeout: 1_000 });
  }).toPass({ timeout: 40_000 });
});

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

test('killed at the code for cash: the code of before still counts [PAY-05] @all', async ({ page, server, mobile }) => {
  await readyToPay(page, server, web, mobile, 'Cash on delivery');
  await payButton(page).click();
  await expect(page.getByLabel('6-digit code')).toBeVisible();
  const again = await reopen(page);
  await strip(again).getByRole('link').click();
  await again.getByRole('button', { name: 'Enter the code' }).click();
  await expect(again.getByText(/Ask again in/).first()).toBeVisible();
  const sent = await server.inbox(`+91${mobile}`);
  expect(sent).toHaveLength(1);
  await again.getByLabel('6-digit code').fill('000000');
  await expect(again.getByText('That code is not right. Please check it and try again.')).toBeVisible();
  await expect(again.getByLabel('6-digit code')).toHaveValue('000000');
  await again.getByLabel('6-digit code').fill(/\d{6}/.exec(sent[0]!)![0]);
  await placed(again);
  await expect(again.getByText(orderText.moneyAtDoor)).toBeVisible();
  expect(await ordersOf(again, server)).toHaveLength(1);
});

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

  test(`in/${host}: if the host says paid and the bank says no, the bank counts and a retry is offered [PAY-18, ERR-09, ERR-X01] @all`, async ({
    page,
    server,
    mobile,
  }) => {
    await readyToPay(page, server, own, mobile, '');
    await setHost(page, { payment: 'success', bank: 'failure' });
    await payButton(page).click();
    await expect(heading(page, errors.paymentFailed)).toBeVisible();
    await expect(page.getByText(orderText.moneyNotTaken)).toBeVisible();
    await look(page, `${host}-failed`);
    await setHost(page, { payment: 'success', bank: 'same' });
    await page.getByRole('button', { name: /^Try .* again$/ }).click();
    await placed(page);
    expect(await ordersOf(page, server, own)).toHaveLength(1);
  });

  test(`in/${host}: the host says failed and the bank has the money; the order is placed [PAY-18] @all`, async ({
    page,
    server,
    mobile,
  }) => {
    await readyToPay(page, server, own, mobile, '');
    await setHost(page, { payment: 'failure', bank: 'success' });
    await payButton(page).click();
    await placed(page);
    await expect(page.getByText(errors.moneyTaken)).toBeVisible();
  });

  test(`in/${host}: the sheet is closed without paying; nothing was taken, and the sheet opens again [PAY-22] @all`, async ({
    page,
    server,
    mobile,
  }) => {
    await readyToPay(page, server, own, mobile, '');
    await setHost(page, { payment: 'cancel' });
    await payButton(page).click();
    await expect(heading(page, /Pending confirmation|Payment Failed/)).toBeVisible();
    await setHost(page, { payment: 'success' });
    await page.getByRole('button', { name: /^(Continue with the payment|Try .* again)$/ }).click();
    await placed(page);
    expect(await ordersOf(page, server, own)).toHaveLength(1);
  });
}

test('a reload in the cart changes nothing, not even where the device has lost its copy [CART-01, CART-19, CART-X02] @all', async ({
  page,
  server,
  mobile,
}) => {
  await settleAt(page, server.url, web, mobile);
  await addFromMenu(page, 'Garden Four', 2);
  await page.getByRole('link', { name: /^Cart/ }).click();
  await expect(totalOf(page)).toContainText('₹');
  await expect(page.getByText('Working out the new total…')).toHaveCount(0);
  const bill = await page.locator('dl').innerText();
  const isAsItWas = async () => {
    await expect(page.getByRole('group', { name: 'Quantity of Garden Four' })).toContainText('2');
    await expect(page.locator('dl')).toHaveText(bill, { useInnerText: true });
  };
  await page.reload();
  await isAsItWas();
  // Without the device's own copy it comes from the server, by the id that the session has.
  expect(await page.evaluate(() => localStorage.getItem('IN/browser:cart'))).toContain('Garden Four');
  await page.evaluate(() => localStorage.removeItem('IN/browser:cart'));
  await page.reload();
  await isAsItWas();
});

test.describe('before the page is connected', () => {
  test('what was put into the cart is there after a reload [CART-X02]', async ({ page, server, mobile }) => {
    await settleAt(page, server.url, web, mobile);
    // On a slow network the half of the page that talks to the server comes late, or, as here, never.
    await page.route(/\/alive-\w+\.js/, () => {});
    await page.reload();
    await addFromMenu(page, 'Garden Four', 2);
    await page.unroute(/\/alive-\w+\.js/);
    await page.reload();
    await expect(page.getByRole('group', { name: 'Quantity of Garden Four' }).first()).toContainText('2');
    await expect.poll(() => page.evaluate(() => localStorage.getItem('IN/browser:cart-operations') ?? '[]')).toBe('[]');
    await page.reload();
    await expect(page.getByRole('group', { name: 'Quantity of Garden Four' }).first()).toContainText('2');
  });
});

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

test('in/paytm: the host is asked which network there is, not the browser [NAV-72]', async ({ page, mobile: _ }) => {
  const own = bundle('in', 'paytm');
  await enterHost(page, own, { scenario: 'network-disagrees' });
  // A server that answers would be believed more than both.
  await page.route(
    ({ pathname }) => !pathname.startsWith(own.mount),
    (route) => route.abort(),
  );
  await page.goto(`${own.mount}menu`);
  expect(await page.evaluate(() => navigator.onLine)).toBe(true);
  await expect(page.getByRole('status').getByText(/internet connection/i)).toBeVisible();
  await setHost(page, { hostNetwork: 'same' });
  await expect(page.locator('html')).not.toHaveAttribute('data-offline', '');
  await expect(page.getByRole('status').getByText(/internet connection/i)).toHaveCount(0);
});

test('in/paytm: where the host does not say which network there is, the browser does [NAV-72] @all', async ({
  page,
  mobile: _,
}) => {
  const own = bundle('in', 'paytm');
  await enterHost(page, own, { scenario: 'network-silent' });
  await page.goto(`${own.mount}menu`);
  await expect(page.getByRole('button', { name: /^Add / }).first()).toBeVisible();
  // The host goes on saying nothing: what the page knows is of the browser.
  await setHost(page, { networkType: 'none' });
  await expect(page.getByRole('status').getByText(/internet connection/i)).toBeVisible();
  await setHost(page, { networkType: 'wifi' });
  await expect(page.locator('html')).not.toHaveAttribute('data-offline', '');
});

test('offline in the payment: it cannot be paid, and says so; online again it can [NAV-70, PAY-X01] @all', async ({
  page,
  server,
  mobile,
}) => {
  await readyToPay(page, server, web, mobile, 'UPI');
  await page.context().setOffline(true);
  await expect(page.getByRole('button', { name: 'You are offline' })).toBeDisabled();
  await page.context().setOffline(false);
  await payButton(page).click();
  await expect(page).toHaveURL(/\/upiForm/);
});

test('a double tap on Pay makes one order [PAY-14, API-X02] @all', async ({ page, server, mobile }) => {
  await readyToPay(page, server, web, mobile, 'UPI');
  const submits: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('/orders/submit')) submits.push(request.url());
  });
  await payButton(page).evaluate((button: HTMLElement) => {
    button.click();
    button.click();
    button.click();
  });
  await expect(page).toHaveURL(/\/upiForm/);
  expect(submits).toHaveLength(1);
  expect(await ordersOf(page, server)).toHaveLength(1);
});

test('the answer to a submit is lost: found by its key, not placed again [PAY-14, PAY-X01, ERR-X01] @all', async ({
  page,
  server,
  mobile,
}) => {
  await readyToPay(page, server, web, mobile, 'UPI');
  // A browser asks again by itself on every kept connection that ends: more often than anybody would count.
  await server.switches({
    faults: [
      { match: '/orders/submit', drop: true, times: 99 },
      { match: '/orders/intent', delayMs: 1_000, times: 1 },
    ],
  });
  await payButton(page).click();
  await expect(page.getByRole('alertdialog')).toContainText(errors.submitUnknown);
  await look(page, 'submit-unknown');
  await page.getByRole('button', { name: 'OK' }).click();
  await expect(heading(page, 'Pending confirmation')).toBeVisible();
  expect(await ordersOf(page, server)).toHaveLength(1);
  await page.getByRole('button', { name: 'Continue with the payment' }).click();
  await payAtBank(page);
  await checkNow(page);
  await placed(page);
  expect(await ordersOf(page, server)).toHaveLength(1);
});

test('one lost answer to a submit goes unnoticed: asked again with the same key, placed once [PAY-14, API-X02] @all', async ({
  page,
  server,
  mobile,
}) => {
  await readyToPay(page, server, web, mobile, 'UPI');
  await server.switches({ faults: [{ match: '/orders/submit', drop: true, times: 1 }] });
  await payButton(page).click();
  await expect(page).toHaveURL(/\/upiForm/);
  expect(await ordersOf(page, server)).toHaveLength(1);
});

test('a payment that failed is paid again, in another way [PAY-22, ERR-09] @all', async ({ page, server, mobile }) => {
  await readyToPay(page, server, web, mobile, 'UPI');
  await payButton(page).click();
  await payAtBank(page, 'decline');
  await checkNow(page);
  await expect(heading(page, errors.paymentFailed)).toBeVisible();
  await expect(page.getByText(orderText.moneyNotTaken)).toBeVisible();
  await look(page, 'payment-failed');
  await page.getByRole('button', { name: 'Try UPI again' }).click();
  await payAtBank(page);
  await checkNow(page);
  await placed(page);
  expect(await ordersOf(page, server)).toHaveLength(1);
});

test('somebody who changes their mind before paying pays in another way, or gives the order up [PAY-01, ORD-X04] @all', async ({
  page,
  server,
  mobile,
}) => {
  await readyToPay(page, server, web, mobile, 'UPI');
  await payButton(page).click();
  await page.getByRole('link', { name: 'Back to the order' }).click();
  await page.getByRole('button', { name: 'Pay with Cash on delivery instead' }).click();
  await expect(page.getByLabel('6-digit code')).toBeVisible();
  await page.getByRole('link', { name: 'See the order, or pay in another way' }).click();
  await page.getByRole('button', { name: 'Cancel this order and keep my cart' }).click();
  await expect(heading(page, errors.givenUp)).toBeVisible();
  await expect(page.getByText(orderText.moneyNone, { exact: true })).toBeVisible();
  await expect(page.getByText('15 minutes')).toHaveCount(0);
  await look(page, 'given-up');
});

test.describe('with the worker of the page', () => {
  test.use({ serviceWorkers: 'allow' });

  test('a given-up order returns its dishes beside what was added since, also after a reload offline [CART-X02, PAY-23] @all', async ({
    page,
    server,
    mobile,
  }) => {
    await readyToPay(page, server, web, mobile, 'UPI');
    await payButton(page).click();
    await expect(page).toHaveURL(/\/upiForm/);
    await addFromMenuAt(page);
    await strip(page).getByRole('link').click();
    await page.getByRole('button', { name: 'Cancel this order and keep my cart' }).click();
    await expect(heading(page, errors.givenUp)).toBeVisible();
    await page.getByRole('link', { name: 'Back to your cart' }).click();
    const both = async () => {
      await expect(page.getByRole('group', { name: 'Quantity of Garden Four' })).toContainText('1');
      await expect(page.getByRole('group', { name: 'Quantity of Double Cheese Melt' })).toContainText('1');
    };
    await both();
    // Nothing is promised without a network before the page's worker has taken over.
    await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
    await page.context().setOffline(true);
    // What lies beside the dishes is asked for once the cart has failed to come, which no message over it has to say.
    const hasFailed = page.waitForEvent('requestfailed', (request) => request.url().includes('/upsell_items'));
    await page.reload();
    await both();
    await hasFailed;
    await page.context().setOffline(false);
    await page.getByRole('link', { name: 'Go to payment' }).click();
    await acceptTerms(page);
    await payButton(page).click();
    await expect(page).toHaveURL(/\/upiForm/);
    expect((await ordersOf(page, server)).map((order) => order.orderStatus).toSorted()).toEqual(['FAILED', 'PENDING']);
  });
});

test('an unpaid order that nobody came back for ends by itself, and its dishes wait in the cart [CART-X02, PAY-X01] @all', async ({
  page,
  server,
  mobile,
}) => {
  await readyToPay(page, server, web, mobile, 'UPI');
  await payButton(page).click();
  await expect(page).toHaveURL(/\/upiForm/);
  const context = page.context();
  await page.close({ runBeforeUnload: false });
  await server.advance(16 * 60);
  const again = await context.newPage();
  await again.goto(`${web.mount}cart`);
  await expect(again.getByRole('group', { name: 'Quantity of Garden Four' })).toContainText('1');
  await expect(strip(again)).toHaveCount(0);
});

test('a submit that arrives long after the page has died is no order [PAY-X01, API-X02] @all', async ({
  page,
  server,
  mobile,
}) => {
  await readyToPay(page, server, web, mobile, 'UPI');
  interface Sent {
    readonly url: string;
    readonly headers: Record<string, string>;
    readonly body: string;
  }
  let sent: Sent | null = null;
  await page.exposeFunction('held', (request: Sent) => {
    sent = request;
  });
  // The network holds it back for as long as the test wants. Held inside the page: what the browser's own interception
  // holds is let go to the server when the page is closed.
  await page.evaluate(() => {
    const { fetch } = window;
    window.fetch = async (input, init) => {
      const request = new Request(input, init);
      if (!request.url.includes('orders/submit')) return fetch(request);
      const { held } = window as unknown as { held: (sent: Sent) => Promise<void> };
      await held({ url: request.url, headers: Object.fromEntries(request.headers), body: await request.text() });
      return new Promise(() => {});
    };
  });
  await payButton(page).click();
  await expect.poll(() => sent).not.toBeNull();
  await page.evaluate(() => {
    const journal = JSON.parse(localStorage.getItem('IN/browser:journal')!) as { at: number };
    localStorage.setItem('IN/browser:journal', JSON.stringify({ ...journal, at: journal.at - 60_000 }));
  });
  const again = await reopen(page, web, 'cart');
  await expect(toast(again).filter({ hasText: errors.submitLost })).toBeVisible();
  await expect(again.getByRole('group', { name: 'Quantity of Garden Four' })).toContainText('1');
  const late = await fetch(sent!.url, { method: 'POST', headers: sent!.headers, body: sent!.body });
  expect(late.status).toBe(409);
  expect(await ordersOf(again, server)).toHaveLength(0);
});

test('pending, killed, and then paid [PAY-21, PAY-X01, ORD-03] @all', async ({ page, server, mobile }) => {
  await readyToPay(page, server, web, mobile, 'UPI');
  await payButton(page).click();
  await server.switches({ bankOutcome: 'pending-then-success' });
  await payAtBank(page);
  await checkNow(page);
  // Nothing is left to do at the payment: its page leads to the order's.
  await expect(page).toHaveURL(/\/order\/[^/]+$/);
  await expect(heading(page, 'Pending confirmation')).toBeVisible();
  await expect(page.getByText(errors.moneyUnknown)).toBeVisible();
  // Killed meanwhile: it is still being checked, and nothing else is said of the money.
  const again = await reopen(page);
  await expect(strip(again)).toContainText(errors.moneyUnknown);
  await strip(again).getByRole('link').click();
  await expect(heading(again, 'Pending confirmation')).toBeVisible();
  await expect(again.getByText(errors.moneyUnknown)).toBeVisible();
  await server.advance(30);
  await again.reload();
  await placed(again);
  await expect(again.getByText(errors.moneyTaken)).toBeVisible();
});

test('pending, then failed: the money comes back with dates [PAY-23, PAY-X07, ERR-15] @all', async ({
  page,
  server,
  mobile,
}) => {
  await readyToPay(page, server, web, mobile, 'UPI');
  await payButton(page).click();
  await server.switches({ bankOutcome: 'pending-then-failure' });
  await payAtBank(page);
  await checkNow(page);
  await expect(page.getByText(errors.moneyUnknown).first()).toBeVisible();
  await server.advance(30);
  await page.reload();
  await expect(heading(page, errors.paymentFailed)).toBeVisible();
  await look(page, 'pending-failed');
  // Never paid: after 15 minutes the order is over.
  await server.advance(16 * 60);
  await page.reload();
  await expect(heading(page, errors.orderFailed)).toBeVisible();
  await look(page, 'order-failed');
  await expect(page.getByText(orderText.refundNote)).toBeVisible();
  await expect(page.getByText(/Need help\? Call 6888 6888/)).toBeVisible();
});

test('the bank reports a payment twice: one order, and the second sum comes back [PAY-15, PAY-X07] @all', async ({
  page,
  server,
  mobile,
}) => {
  await readyToPay(page, server, web, mobile, 'UPI');
  await payButton(page).click();
  await server.switches({ bankOutcome: 'twice' });
  await payAtBank(page);
  await checkNow(page);
  await placed(page);
  await server.advance(10);
  await page.reload();
  await expect(page.getByText(orderText.moneyTakenTwice)).toBeVisible();
  await look(page, 'twice');
  expect(await ordersOf(page, server)).toHaveLength(1);
});

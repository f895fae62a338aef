import type { Frame, Page } from '@playwright/test';
import type { ScenarioName } from '../../hosts/imitated/scenarios.ts';
import { expect, test as base, watchTrouble, type Bundle } from '../kit/app.ts';
import { sample } from '../kit/matrix.ts';
import { enterHost } from './hosts.ts';
import { acceptTerms, addFromMenu, bundle, chooseWhere, fillDoor, heading, noon, payButton } from './steps.ts';

/** What only a browser can play of the behaviours in test/hosts/behaviours.ts. */
const gpay = bundle('in', 'gpay');
const paytm = bundle('in', 'paytm');

const test = base.extend<{ user: string }>({
  user: async ({ phone, server }, use) => {
    await noon(server);
    await use(`customer-${phone('in')}`);
  },
});

/** From home to the thank-you page, inside Paytm, where the app's own address picker is open. */
async function orderInPaytm(page: Page): Promise<void> {
  await chooseWhere(page, 'in');
  await page.getByRole('button', { name: 'Open my addresses' }).click();
  await addFromMenu(page);
  await page.getByRole('link', { name: /^Cart/ }).click();
  await page.getByRole('link', { name: 'Go to payment' }).click();
  await acceptTerms(page);
  await payButton(page).click();
  await expect(heading(page, 'Thank you! Your order is placed.')).toBeVisible();
}

async function open(page: Page, own: Bundle, scenario: ScenarioName, user: string, path = ''): Promise<void> {
  await enterHost(page, own, { scenario, user });
  await page.goto(own.mount + path);
}

test('the main script of the page runs twice: the page is the one of the first time, and every later part fits it @all', async ({
  page,
  user,
}) => {
  const troubles = watchTrouble(page);
  const again = page.waitForResponse(/\/first\.\w+\.js\?again$/);
  await open(page, gpay, 'script-twice', user, 'menu');
  await again;
  await addFromMenu(page);
  await page.getByRole('link', { name: /^Cart/ }).click();
  await expect(heading(page, 'Your cart')).toBeVisible();
  await page.goBack();
  await page.getByRole('link', { name: 'Garden Four' }).first().click();
  await expect(page.getByRole('group', { name: 'Size' })).toBeVisible();
  expect(troubles).toEqual([]);
});

test('a sandbox sends no form: the door is checked and saved all the same, by the button and by Enter', async ({
  page,
  server,
  user,
}) => {
  const troubles = watchTrouble(page);
  await enterHost(page, gpay, { user, server: server.url });
  await page.route(`${server.url}/around`, (route) =>
    route.fulfill({
      contentType: 'text/html',
      body: `<!doctype html><title>A host</title><iframe title="Mini app" width="390" height="760" sandbox="allow-scripts allow-same-origin" src="${gpay.mount}"></iframe>`,
    }),
  );
  await page.goto(`${server.url}/around`);
  const inside = (await (await page.waitForSelector('iframe')).contentFrame()) as Frame as unknown as Page;
  await chooseWhere(inside, 'in');
  await fillDoor(inside, '');
  await expect(inside.getByText('This field cannot be left empty').first()).toBeVisible();
  await inside.getByLabel('House, flat or floor number').fill('12 B');
  await inside.getByLabel('Street', { exact: true }).press('Enter');
  await expect.poll(() => inside.url()).not.toMatch(/\/address/);
  expect(troubles.filter(({ text }) => !text.includes('allow-forms'))).toEqual([]);
});

for (const scenario of sample<ScenarioName>(['clock-ahead', 'clock-behind'], ['clock-behind']))
  test(`the phone's clock is hours wrong (${scenario}): an order is placed and paid`, async ({ page, user }) => {
    const troubles = watchTrouble(page);
    await open(page, paytm, scenario, user);
    await orderInPaytm(page);
    expect(troubles).toEqual([]);
  });

test('the page starts out of sight, where no frame is drawn: it is alive when it is looked at', async ({
  page,
  user,
}) => {
  const troubles = watchTrouble(page);
  await page.addInitScript(() => {
    const waiting: FrameRequestCallback[] = [];
    let isHidden = true;
    Object.defineProperty(document, 'hidden', { configurable: true, get: () => isHidden });
    Object.defineProperty(document, 'visibilityState', {
      configurable: true,
      get: () => (isHidden ? 'hidden' : 'visible'),
    });
    const real = window.requestAnimationFrame.bind(window);
    window.requestAnimationFrame = (act) => (isHidden ? waiting.push(act) : real(act));
    Object.assign(window, {
      comeIntoSight: () => {
        isHidden = false;
        document.dispatchEvent(new Event('visibilitychange'));
        for (const act of waiting.splice(0)) act(performance.now());
      },
    });
  });
  await open(page, gpay, 'calm', user, 'menu');
  await page.waitForLoadState('networkidle');
  await page.evaluate(() => (window as unknown as { comeIntoSight(): void }).comeIntoSight());
  await addFromMenu(page);
  await expect(page.getByRole('link', { name: /^Cart ?, 1 item ?₹/ })).toBeVisible();
  expect(troubles).toEqual([]);
});

test('a deep link carries garbage: a page of ours opens, and nothing of it is shown or run @all', async ({
  page,
  user,
}) => {
  const troubles = watchTrouble(page);
  const dialogs: string[] = [];
  page.on('dialog', (dialog) => {
    dialogs.push(dialog.message());
    void dialog.dismiss();
  });
  const data = (value: unknown) => `?data=${encodeURIComponent(btoa(JSON.stringify(value)))}`;
  for (const link of [
    '?data=%%%',
    '?data=null',
    `?data=${'A'.repeat(4_000)}`,
    data(null),
    data({ path: 5, params: 7 }),
    data({ path: '/menu', params: [1, 2] }),
    data({ path: '/menu/../../../etc', params: '' }),
    data({ path: '/%E0%A4%A', params: '' }),
    data({ path: `/${'a/'.repeat(500)}`, params: '' }),
    data({ path: '/customise/<img src=x onerror=alert(1)>', params: { __proto__: { a: 1 }, constructor: 'x' } }),
    data({ path: '/search?q=%00%F0', params: 'a=%E0%A4%A&b' }),
    'menu/%E0%A4%A',
    'customise/%00',
    'order/__proto__',
  ]) {
    await open(page, paytm, 'calm', user, link);
    await expect(page.locator('#main'), link).toBeAttached();
    await expect(page.locator('#main'), link).not.toBeEmpty();
    expect(page.url(), link).toContain(paytm.mount);
    await page.waitForLoadState('networkidle');
    await expect(page.locator('img[src="x"]'), link).toHaveCount(0);
    await expect(page.getByText('onerror'), link).toHaveCount(0);
  }
  expect(dialogs).toEqual([]);
  expect(troubles.filter(({ text }) => !/404|400/.test(text))).toEqual([]);
});

test('other programs talk to the window, and it goes on @all', async ({ page, user }) => {
  const troubles = watchTrouble(page);
  await open(page, paytm, 'message-noise', user);
  await orderInPaytm(page);
  expect(troubles).toEqual([]);
});

test('the host adds to the objects of the language: an order is placed and paid', async ({ page, user }) => {
  const troubles = watchTrouble(page);
  await open(page, paytm, 'globals-polluted', user);
  await orderInPaytm(page);
  expect(troubles).toEqual([]);
});

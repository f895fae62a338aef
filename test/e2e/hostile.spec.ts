import type { Page } from '@playwright/test';
import { SCENARIOS, type ScenarioName } from '../../hosts/imitated/scenarios.ts';
import { expect, test as base, watchTrouble, type Bundle } from '../kit/app.ts';
import { enterHost } from './hosts.ts';
import { acceptTerms, addFromMenu, bundle, chooseWhere, heading, noon, payButton } from './steps.ts';

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

test('a deep link carries garbage: a page of ours opens, and nothing of it is shown or run', async ({ page, user }) => {
  const troubles = watchTrouble(page);
  const dialogs: string[] = [];
  page.on('dialog', (dialog) => {
    dialogs.push(dialog.message());
    void dialog.dismiss();
  });
  const data = (value: unknown) => `?data=${encodeURIComponent(btoa(JSON.stringify(value)))}`;
  for (const link of [
    '?data=%%%',
    data({ path: 5, params: 7 }),
    data({ path: '/menu/../../../etc', params: [1, 2] }),
    data({ path: '/customise/<img src=x onerror=alert(1)>', params: { __proto__: { a: 1 }, constructor: 'x' } }),
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

test("the phone's clock is hours wrong and the host adds to the objects of the language: an order is placed and paid", async ({
  page,
  user,
}) => {
  const troubles = watchTrouble(page);
  const { controls } = SCENARIOS['globals-polluted'];
  await enterHost(page, paytm, { scenario: 'clock-behind', controls, user });
  await page.goto(paytm.mount);
  await orderInPaytm(page);
  expect(troubles).toEqual([]);
});

test('the main script of the page runs twice and other programs talk to the window: every later part fits the page', async ({
  page,
  user,
}) => {
  const troubles = watchTrouble(page);
  const again = page.waitForResponse(/\/first\.\w+\.js\?again$/);
  await enterHost(page, gpay, { scenario: 'script-twice', controls: SCENARIOS['message-noise'].controls, user });
  await page.goto(`${gpay.mount}menu`);
  await again;
  await addFromMenu(page);
  await page.getByRole('link', { name: /^Cart/ }).click();
  await expect(heading(page, 'Your cart')).toBeVisible();
  await page.goBack();
  await page.getByRole('link', { name: 'Garden Four' }).first().click();
  await expect(page.getByRole('group', { name: 'Size' })).toBeVisible();
  expect(troubles).toEqual([]);
});

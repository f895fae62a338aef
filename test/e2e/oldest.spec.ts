import { selectors } from '@playwright/test';
import { expect, test, watchTrouble } from '../kit/app.ts';
import { oldestOptions } from '../kit/browser.ts';
import { oldestAbsence } from '../kit/chromium.ts';
import {
  acceptTerms,
  bundle,
  chooseMode,
  chooseWhere,
  customise,
  fillDoor,
  fillWho,
  heading,
  look,
  noon,
  payButton,
  billedTotal,
} from './steps.ts';

/** Playwright asks elements of the page for this, which Chromium has since 105; an engine for selectors reaches the world it asks in. */
const giveVisibility = () => {
  Element.prototype.checkVisibility ??= function isDrawn(this: Element) {
    return this.getClientRects().length > 0;
  };
  return { query: () => null, queryAll: () => [] };
};

// run.ts says where it is not run.
if (oldestAbsence() === null) {
  test.use({ launchOptions: oldestOptions(), serviceWorkers: 'allow', viewport: { width: 360, height: 740 } });
  test.beforeAll(() => selectors.register('visibility', giveVisibility, { contentScript: true }));

  test('a whole order for cash, in the oldest browser that is promised', async ({ page, server, phone, browser }) => {
    const own = bundle('in', 'browser');
    const troubles = watchTrouble(page);
    const mobile = phone('in');
    expect(browser.version()).toMatch(/^87\./);
    await noon(server);
    await page.goto(own.mount);
    await look(page, 'oldest-home');
    await chooseWhere(page, 'in');
    await fillDoor(page);
    await expect(page).toHaveURL(/\/menu$/);

    await page.getByRole('link', { name: 'Garden Four' }).first().click();
    await customise(page);
    await page.getByLabel('Your choice').getByRole('button', { name: /^Add/ }).click();
    await page.getByRole('button', { name: 'View cart' }).click();
    await expect(heading(page, 'Your cart')).toBeVisible();
    const total = await billedTotal(page);
    await look(page, 'oldest-cart');

    await page.getByRole('link', { name: 'Go to payment' }).click();
    await expect(heading(page, 'Payment').first()).toBeVisible();
    await fillWho(page, mobile);
    await chooseMode(page, 'Cash on delivery');
    await acceptTerms(page);
    await expect(page.getByLabel('Pay', { exact: true })).toContainText(total);
    await look(page, 'oldest-payment');
    await payButton(page).click();
    await expect(page.getByLabel('6-digit code')).toBeVisible();
    const [sms = ''] = await server.inbox(`+91${mobile}`);
    await page.getByLabel('6-digit code').fill(/\d{6}/.exec(sms)?.[0] ?? 'no SMS');

    await expect(heading(page, 'Thank you! Your order is placed.')).toBeVisible();
    await look(page, 'oldest-thanks');
    await page.getByRole('link', { name: 'Track your order' }).click();
    await expect(page).toHaveURL(/\/track\//);
    await server.advance(250);
    // Told by the stream, not by a new page.
    await expect(page.getByRole('listitem').filter({ hasText: 'In the oven' })).toHaveAttribute('aria-current', 'step');
    await look(page, 'oldest-track');
    expect(troubles).toEqual([]);
  });
}

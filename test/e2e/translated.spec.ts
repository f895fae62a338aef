import type { Page } from '@playwright/test';
import { expect, test, watchTrouble } from '../kit/app.ts';
import { chromiumOptions } from '../kit/browser.ts';
import { checkNow, enterHost, payAtBank } from './hosts.ts';
import {
  acceptTerms,
  bundle,
  chooseMode,
  chooseWhere,
  fillDoor,
  fillWho,
  heading,
  noon,
  payButton,
  billedTotal,
  totalOf,
  unfoldBill,
} from './steps.ts';
import { sample } from '../kit/matrix.ts';
import { translatePage } from '../screens/translator.ts';

test.use({ launchOptions: chromiumOptions() });

/** Every page of this tab is translated as soon as it is there, as a browser does whose user has asked for it. */
async function translate(page: Page): Promise<void> {
  await page.addInitScript(`addEventListener('DOMContentLoaded', () => (${translatePage.toString()})())`);
}

for (const host of sample(['browser', 'gpay'], ['gpay']))
  test(`in/${host}: a whole order on translated pages, with a dish more and a coupon, says the sums of the server`, async ({
    page,
    server,
    phone,
  }) => {
    const own = bundle('in', host);
    const troubles = watchTrouble(page);
    const mobile = phone('in');
    await noon(server);
    await enterHost(page, own, { user: `customer-${mobile}` });
    await translate(page);
    await page.goto(own.mount);
    await expect(heading(page, /^(Hot in|Your pizza)/)).toBeVisible();
    await expect(page.locator('h1 font').first()).toBeVisible();
    await chooseWhere(page, 'in');
    await fillDoor(page);
    await expect(page).toHaveURL(/\/menu$/);
    await page.getByRole('button', { name: 'Add Garden Four' }).first().click();
    await page.getByRole('button', { name: 'Add Tomato Basil Classic' }).first().click();
    await page.getByRole('button', { name: 'One more Garden Four' }).first().click();
    await page.getByRole('link', { name: /^Cart/ }).click();
    await expect(heading(page, 'Your cart')).toBeVisible();
    const before = await billedTotal(page);
    await page.getByRole('button', { name: 'One more Garden Four' }).click();
    await expect(totalOf(page)).not.toHaveText(before);
    await page.getByRole('button', { name: 'One less Garden Four' }).click();
    await expect(totalOf(page)).toHaveText(before);
    await page.getByLabel('Have an offer code?').fill('SAVE15');
    await page.getByRole('button', { name: 'Apply' }).click();
    await expect(page.locator('dl')).toContainText('SAVE15');
    await expect(totalOf(page)).not.toHaveText(before);
    const total = await billedTotal(page);
    await page.getByRole('link', { name: 'Go to payment' }).click();
    await expect(heading(page, 'Payment').first()).toBeVisible();
    await unfoldBill(page);
    await expect(totalOf(page)).toHaveText(total);
    if (host === 'browser') {
      await fillWho(page, mobile);
      await chooseMode(page, 'UPI');
    }
    await acceptTerms(page);
    await expect(payButton(page)).toContainText(total);
    await payButton(page).click();
    if (host === 'browser') {
      await payAtBank(page);
      await checkNow(page);
    }
    await expect(heading(page, /^Thank you!/)).toBeVisible();
    await expect(totalOf(page)).toHaveText(total);
    expect(troubles.filter(({ text }) => !text.includes('status of 401'))).toEqual([]);
  });

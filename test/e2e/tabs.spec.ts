import type { Page } from '@playwright/test';
import * as errors from '#text/errors.ts';
import { expect, test } from '../kit/app.ts';
import { payAtBank, checkNow } from './hosts.ts';
import {
  acceptTerms,
  addFromMenu,
  bundle,
  chooseMode,
  follow,
  heading,
  logInAt,
  noon,
  payButton,
  settleAt,
} from './steps.ts';

// Two pages of one browser: what one does, the other hears of through the browser's own storage and by asking the server.

const web = bundle('in', 'browser');
const dish = (page: Page) => page.getByRole('group', { name: 'Quantity of Garden Four' });
const placed = (page: Page) => expect(heading(page, 'Thank you! Your order is placed.')).toBeVisible();
/** Whether the other page waits for its payment. */
const qrCode = (page: Page) => page.getByRole('img', { name: 'QR code of this payment' });

/** Orders what is in the cart, up to the UPI page. */
async function waits(page: Page): Promise<void> {
  await follow(page, web, '/payment');
  await chooseMode(page, 'UPI');
  await acceptTerms(page);
  await payButton(page).click();
  await expect(qrCode(page)).toBeVisible();
}

test('an order that waits for its payment in one tab is given up or paid in another: the first ends its wait by itself', async ({
  page,
  server,
  phone,
}) => {
  await noon(server);
  await settleAt(page, server.url, web, phone('in'));
  await addFromMenu(page);
  await waits(page);
  const other = await page.context().newPage();
  await other.goto(web.mount);
  const strip = other.getByRole('complementary', { name: 'Your order' }).getByRole('link');

  await strip.click();
  await other.getByRole('button', { name: 'Cancel this order and keep my cart' }).click();
  await expect(heading(other, errors.givenUp)).toBeVisible();
  await expect(heading(page, errors.givenUp)).toBeVisible();
  await expect(qrCode(page)).toHaveCount(0);
  // Its dishes are in the cart of both.
  for (const one of [page, other]) {
    await one.getByRole('link', { name: 'Back to your cart' }).click();
    await expect(dish(one)).toContainText('1');
  }

  await waits(page);
  await follow(other, web, '/');
  await strip.click();
  await other.getByRole('button', { name: 'Continue with the payment' }).click();
  await expect(qrCode(other)).toBeVisible();
  await payAtBank(other);
  await checkNow(other);
  for (const one of [other, page]) await placed(one);
});

test('a cart, a login and a logout in one tab are seen in another, which nobody touches', async ({
  page,
  server,
  phone,
}) => {
  await noon(server);
  const mobile = phone('in');
  await settleAt(page, server.url, web, mobile);
  const other = await page.context().newPage();
  await other.goto(`${web.mount}cart`);
  await expect(heading(other, 'Your cart is empty')).toBeVisible();
  await addFromMenu(page);
  await expect(dish(other)).toContainText('1');

  const account = await page.context().newPage();
  await account.goto(`${web.mount}login`);
  await expect(account.getByLabel('Mobile number')).toBeVisible();
  await logInAt(page, server, mobile, 'cart');
  await expect(account.getByLabel('Mobile number')).toHaveCount(0);
  await expect(dish(other)).toContainText('1');

  await page.goto(`${web.mount}login`);
  await page.getByRole('button', { name: 'Log out', exact: true }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Log out', exact: true }).click();
  await expect(heading(page, /^(Hot in|Your pizza)/)).toBeVisible();
  await expect(heading(other, 'Your cart is empty')).toBeVisible();
  await follow(account, web, '/login');
  await expect(account.getByLabel('Mobile number')).toBeVisible();
});

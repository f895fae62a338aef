import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import * as errors from '#text/errors.ts';
import * as wallet from '../../src/contract/wallet.ts';
import { expect, test as base, type Bundle } from '../kit/app.ts';
import { readPdf } from '../kit/pdf.ts';
import type { SpawnedServer } from '../kit/server.ts';
import { sample } from '../kit/matrix.ts';
import { codeFor } from '../server/people.ts';
import { pay } from '../server/shop.ts';
import { orderingAs } from './ordering.ts';
import { bundle, heading, isLoggedIn, look, noon, toast } from './steps.ts';

const HANDED_OVER_SECONDS = 5_400;

const test = base.extend<{ mobile: string }>({
  mobile: async ({ phone, server }, use) => {
    await noon(server);
    await server.switches({ faults: [] });
    await use(phone('in'));
  },
});

async function logInHere(page: Page, server: SpawnedServer, own: Bundle, mobile: string): Promise<void> {
  await page.getByLabel('Mobile number').fill(mobile);
  await page.getByRole('button', { name: 'Send me a code' }).click();
  await expect(page.getByLabel('Code')).toBeVisible();
  await page.getByLabel('Code').fill(await codeFor(server, mobile, own.apiKey));
  await expect.poll(() => isLoggedIn(page, own)).toBe(true);
}

for (const country of sample(['in', 'lk', 'bg'] as const, ['in']))
  test(`in /${country}/ the invoice of an order is a file, or the page says why not [HIST-09] [HIST-10] [HIST-11]`, async ({
    page,
    server,
    phone,
    mobile: _,
  }) => {
    const own = bundle(country, 'browser');
    const mobile = phone(country);
    await page.goto(`${own.mount}postorder-ui/login?redirectUrl=%2Fpostorder-ui%2Fprofile`);
    await logInHere(page, server, own, mobile);
    const one = await orderingAs(page, server, own, mobile);
    const { order } = await one.order({ paymentMode: 'COD' });
    await page.goto(`${own.mount}order/${order.orderId}`);
    await expect(heading(page, 'Thank you! Your order is placed.')).toBeVisible();
    const button = page.getByRole('button', { name: 'Download invoice' });
    await expect(button).toHaveCount(0);
    await server.advance(HANDED_OVER_SECONDS);
    for (const path of [`order/${order.orderId}`, `postorder-ui/orderdetails?orderId=${order.orderId}`]) {
      await page.goto(own.mount + path);
      const [file] = await Promise.all([page.waitForEvent('download'), button.click()]);
      expect(file.suggestedFilename()).toBe(`Invoice ${order.orderNumber}.pdf`);
      await expect(toast(page)).toHaveText('Invoice Downloaded');
      const { text } = readPdf(readFileSync(await file.path()));
      expect(text).toContain({ in: 'GSTIN', lk: 'VAT registration', bg: 'Mushak-6.3' }[country]);
    }
    await look(page, `invoice-${country}`);
    await server.switches({ faults: [{ match: '/download', status: 500, times: 1 }] });
    await button.click();
    const popup = page.getByRole('alertdialog').or(page.getByRole('dialog'));
    await expect(popup).toContainText('Oops');
    await expect(popup).toContainText(errors.internalServerError);
    await look(page, `invoice-failed-${country}`);
    await popup.getByRole('button', { name: 'OK' }).click();
    await expect(popup).toHaveCount(0);
    await page.route('**/download?*', (route) =>
      route.fulfill({ status: 400, json: { status: 'FAILED', errors: [{ code: 'X', displayMsg: 'Not today.' }] } }),
    );
    await button.click();
    await expect(toast(page)).toHaveText('Not today.');
    await expect(page.getByRole('main').getByText('Not today.')).toBeVisible();
  });

test('the wallet tells its balance and every movement with its order, a refund among them [NAV-50] [CFG-47] [PAY-30] @all', async ({
  page,
  server,
  mobile,
}) => {
  const own = bundle('in', 'browser');
  await page.goto(`${own.mount}postorder-ui/wallet`);
  await expect(heading(page, 'Your wallet is in your account')).toBeVisible();
  await look(page, 'wallet-guest');
  await page.getByRole('main').getByRole('link', { name: 'Login', exact: true }).click();
  await logInHere(page, server, own, mobile);
  await expect(heading(page, 'No transactions yet')).toBeVisible();
  await look(page, 'wallet-empty');
  for (let gift = 0; gift < 24; gift += 1) await server.call(wallet.credit, { body: { mobile, amount: 5_000 + gift } });
  const one = await orderingAs(page, server, own, mobile);
  const { order, next } = await one.order({ body: { funds: { wallet: 5_000 } } });
  await pay(server, next);
  await one.confirm(order);
  await one.cancel(order.orderId);
  await page.goto(`${own.mount}postorder-ui/profile`);
  await page.getByRole('link', { name: /^Pizza wallet/ }).click();
  await expect(heading(page, 'Pizza wallet')).toBeVisible();
  // Twenty-four gifts; what the order took has come back.
  await expect(page.getByRole('main')).toContainText('₹1,202.76');
  const rows = page.getByRole('main').getByRole('listitem');
  await expect(rows).toHaveCount(20);
  await expect(rows.nth(0)).toContainText(`Back from order ${order.orderNumber}`);
  await expect(rows.nth(0)).toContainText('+₹50');
  await expect(rows.nth(1)).toContainText(`Order ${order.orderNumber}`);
  await expect(rows.nth(1)).toContainText('-₹50');
  await look(page, 'wallet');
  await page.getByRole('button', { name: 'Show older transactions' }).click();
  await expect(rows).toHaveCount(26);
  await expect(page.getByText('These are all transactions of your wallet.')).toBeVisible();
  await rows.nth(0).getByRole('link').click();
  await expect(heading(page, `Order ${order.orderNumber}`)).toBeVisible();
  // Without a network the page says what this phone knows.
  await page.goBack();
  await expect(rows.nth(0)).toBeVisible();
  await page.context().setOffline(true);
  await page.getByRole('link', { name: 'Account' }).first().click();
  await page.getByRole('link', { name: /^Pizza wallet/ }).click();
  await expect(page.getByText('₹', { exact: false }).first()).toBeVisible();
  await look(page, 'wallet-offline');
  await page.context().setOffline(false);
});

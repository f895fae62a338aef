import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import * as errors from '#text/errors.ts';
import { expect, test } from '../kit/app.ts';
import { readPdf } from '../kit/pdf.ts';
import { orderingAs } from './ordering.ts';
import { addFromMenu, bundle, heading, logInAt, look, noon, toast, totalOf } from './steps.ts';

const HANDED_OVER_SECONDS = 5_400;

/** The page as it is printed: one sheet, black on white, without anything to press. */
async function sheetOf(page: Page, name: string): Promise<void> {
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  for (const role of ['button', 'link', 'navigation', 'textbox', 'checkbox'] as const)
    await expect(page.locator('body').getByRole(role)).toHaveCount(0);
  await expect(totalOf(page)).toBeVisible();
  // Whatever stands on the sheet is black, or nearly.
  const inks = await page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('[data-printed] *, #main')]
      .filter((one) => one.checkVisibility() && one.textContent !== '' && !one.closest('svg'))
      .map((one) => getComputedStyle(one).color),
  );
  expect([...new Set(inks)]).toEqual(['rgb(0, 0, 0)']);
  await look(page, `print-${name}`);
  const pdf = await page.pdf({ preferCSSPageSize: true });
  expect(pdf.toString('latin1').match(/\/Type\s*\/Page\b/g)).toHaveLength(1);
}

test.describe('in the dark, where the screen is no paper', () => {
  test.use({ colorScheme: 'dark' });

  test('cart and order are printed on one black sheet each; the invoice is a file, or says why not [HIST-09] [HIST-10] [HIST-11]', async ({
    page,
    server,
    phone,
  }) => {
    await noon(server);
    const own = bundle('in', 'browser');
    const mobile = phone('in');
    const screen = () => page.emulateMedia({ media: 'screen', colorScheme: 'dark' });
    await logInAt(page, server, mobile, 'postorder-ui/profile');
    const { order } = await (await orderingAs(page, server, own, mobile)).order({ paymentMode: 'COD' });
    const dish = order.lines[0]!.product.name;
    for (const path of [`order/${order.orderId}`, `postorder-ui/orderdetails?orderId=${order.orderId}`]) {
      await screen();
      await page.goto(own.mount + path);
      await expect(heading(page, new RegExp(order.orderNumber))).toBeVisible();
      await expect(page.getByRole('main').getByText(dish).first()).toBeVisible();
      await sheetOf(page, path.split('/')[0]!);
      const top = async (text: string) => (await page.locator('body').getByText(text).first().boundingBox())!.y;
      expect(await top(order.orderNumber)).toBeLessThan(await top(order.store.address));
      expect(await top(order.store.address)).toBeLessThan(await top(dish));
      await expect(totalOf(page)).toHaveText(`₹${order.bill.total / 100}`);
    }
    await screen();
    await page.goto(`${own.mount}menu`);
    await addFromMenu(page, 'Garden Four', 2);
    await page.goto(`${own.mount}cart`);
    await expect(totalOf(page)).toContainText('₹');
    await expect(page.locator('[data-old=true]')).toHaveCount(0);
    await sheetOf(page, 'cart');
    const many = (await page.locator('output').filter({ hasText: 'Garden Four' }).boundingBox())!;
    const what = page.getByRole('main').getByText('Garden Four').filter({ visible: true }).first();
    expect(many.x + many.width).toBeLessThanOrEqual((await what.boundingBox())!.x);

    await screen();
    const button = page.getByRole('button', { name: 'Download invoice' });
    await server.advance(HANDED_OVER_SECONDS);
    await page.goto(`${own.mount}order/${order.orderId}`);
    const [file] = await Promise.all([page.waitForEvent('download'), button.click()]);
    expect(file.suggestedFilename()).toBe(`Invoice ${order.orderNumber}.pdf`);
    await expect(toast(page)).toHaveText('Invoice Downloaded');
    expect(readPdf(readFileSync(await file.path())).text).toContain('GSTIN');
    await server.switches({ faults: [{ match: '/download', status: 500, times: 1 }] });
    await button.click();
    const popup = page.getByRole('alertdialog').or(page.getByRole('dialog'));
    await expect(popup).toContainText('Oops');
    await expect(popup).toContainText(errors.internalServerError);
    await popup.getByRole('button', { name: 'OK' }).click();
    await page.route('**/download?*', (route) =>
      route.fulfill({ status: 400, json: { status: 'FAILED', errors: [{ code: 'X', displayMsg: 'Not today.' }] } }),
    );
    await button.click();
    await expect(page.getByRole('main').getByText('Not today.')).toBeVisible();
  });
});

import { expect, test } from '../kit/app.ts';
import { enterHost } from './hosts.ts';
import { acceptTerms, addFromMenu, bundle, heading, isLoggedIn, look, noon, payButton, settleAt } from './steps.ts';

test('inside Google Pay: who has ordered before orders again with two taps, and a double tap orders once [MENU-X12]', async ({
  page,
  server,
  phone,
}) => {
  const own = bundle('in', 'gpay');
  const mobile = phone('in');
  await noon(server);
  await enterHost(page, own, { user: `customer-${mobile}` });
  await settleAt(page, server.url, own, mobile);
  await addFromMenu(page);
  await page.goto(`${own.mount}payment`);
  await expect.poll(() => isLoggedIn(page, own)).toBe(true);
  await acceptTerms(page);
  await payButton(page).click();
  await expect(heading(page, /^Thank you/)).toBeVisible();
  await server.advance(3_600);

  await page.goto(own.mount);
  // A payment app has no order history: the strip leads to the last orders of the device (product.md C07).
  await page.getByRole('button', { name: /^Your last orders/ }).click();
  const last = page.getByRole('dialog', { name: 'Your last orders' });
  await expect(last.getByRole('link')).toHaveCount(1);
  await look(page, 'last-orders');
  await last.getByRole('link', { name: /Garden Four.*Delivered.*₹/ }).click();
  await expect(heading(page, /^Order \d+/)).toBeVisible();
  await expect(last).toHaveCount(0);
  await page.goBack();
  const again = page.getByRole('button', { name: 'Order again' });
  await expect(page.getByText(/₹\d+ · \d+ to \d+ min/)).toBeVisible();
  await look(page, 'usual-home');
  await again.click();
  const sheet = page.getByRole('dialog', { name: 'Your usual' });
  await expect(sheet).toContainText('Regular · Hand Tossed');
  await expect(sheet).toContainText(/Arrives in \d+ to \d+ min/);
  // Accepted with the first order.
  await expect(sheet.getByRole('checkbox')).toHaveCount(0);
  await look(page, 'usual-sheet');
  const submitted: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/orders/submit')) submitted.push(request.url());
  });
  await sheet.getByRole('button', { name: /^Pay ₹\d+ with Google Pay$/ }).dblclick();
  await expect(heading(page, /^Thank you/)).toBeVisible();
  await expect(sheet).toHaveCount(0);
  expect(submitted).toHaveLength(1);
});

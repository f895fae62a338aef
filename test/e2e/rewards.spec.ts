import * as loyalty from '../../src/contract/loyalty.ts';
import { expect } from '../kit/app.ts';
import { test } from './atNoon.ts';
import {
  acceptTerms,
  addFromMenu,
  bundle,
  chooseMode,
  heading,
  logInAt,
  look,
  noon,
  payButton,
  settleAt,
} from './steps.ts';

const HOUR_S = 3_600;
const web = bundle('in', 'browser');

test('a customer joins, a day after an order its slice is on the ring, a free pizza waits, and leaving is asked [NAV-89] [LOY-X01]', async ({
  page,
  server,
  mobile,
}) => {
  await settleAt(page, server.url, web, mobile);
  const rewards = async () => {
    await page.goto(`${web.mount}rewards`);
    await expect(heading(page, 'How it works')).toBeVisible();
    await expect(page.locator('main [aria-busy="true"]')).toHaveCount(0);
  };
  /** The slices that the picture has, and what else is drawn: an empty one for each of six, what is on its way, a part. */
  const draws = async (slices: number, rest: number) => {
    const ring = page.getByRole('img', { name: /of 6 slices/ });
    await expect(ring.locator('g')).toHaveCount(slices);
    await expect(ring.locator('> path')).toHaveCount(rest);
  };
  const order = async () => {
    await page.goto(`${web.mount}payment`);
    await chooseMode(page, 'Cash on delivery');
    await acceptTerms(page);
    await payButton(page).click();
    await expect(page).toHaveURL(/\/order\/ord_/);
  };

  await rewards();
  await expect(page.getByRole('img', { name: 'A pizza of 6 slices, still empty.' })).toBeVisible();
  await draws(0, 6);
  await look(page, 'rewards-guest');
  await page.getByRole('link', { name: 'Log in and join' }).click();
  await expect(page).toHaveURL(/\/postorder-ui\/login\?redirectUrl=%2Frewards$/);
  await logInAt(page, server, mobile, 'rewards');
  await look(page, 'rewards-logged-in');
  await page.getByRole('button', { name: 'Join Pizza Pals' }).click();
  await expect(heading(page, '600 more points to a free regular pizza')).toBeVisible();
  await expect(page.getByText('Your first points will be here')).toBeVisible();
  await look(page, 'rewards-joined');

  await page.goto(`${web.mount}menu`);
  await addFromMenu(page);
  await order();
  await expect(page.getByText('100 points come a day after it has arrived')).toBeVisible();
  await look(page, 'rewards-thanks');
  await server.advance(2 * HOUR_S);
  await rewards();
  await expect(page.getByText(/^100 points for order \d+$/)).toBeVisible();
  await expect(page.getByRole('img', { name: /^0 of 6 slices .* One more slice is on its way\.$/ })).toBeVisible();
  await draws(0, 7);
  await look(page, 'rewards-waiting');
  await server.advance(24 * HOUR_S);
  await noon(server);
  await server.call(loyalty.grant, { body: { mobile, points: 450 } });
  await rewards();
  await expect(heading(page, '50 more points to a free regular pizza')).toBeVisible();
  await expect(page.getByText('+100', { exact: true })).toBeVisible();
  await draws(5, 7);
  await look(page, 'rewards-nearly');
  await server.call(loyalty.grant, { body: { mobile, points: 100 } });
  await rewards();
  await expect(page.getByRole('img', { name: '6 of 6 slices of your pizza: 650 points.' })).toBeVisible();
  await draws(6, 6);
  await look(page, 'rewards-ready');

  await page.getByRole('button', { name: 'Leave the programme' }).click();
  const sheet = page.getByRole('dialog', { name: 'Leave Pizza Pals?' });
  await expect(sheet.getByText('You lose 650 points for good.')).toBeVisible();
  await look(page, 'rewards-leave');
  await sheet.getByRole('button', { name: 'Leave and lose my points' }).click();
  await expect(page.getByText('You left. If you join again, you begin with an empty pizza.')).toBeVisible();
});

import type { Page } from '@playwright/test';
import { expect, test, watchTrouble, type Bundle } from '../kit/app.ts';
import {
  acceptTerms,
  bundle,
  chooseMode,
  chooseWhere,
  customise,
  fillDoor,
  fillWho,
  heading,
  isLoggedIn,
  look,
  noon,
  payButton,
  billedTotal,
  totalOf,
  unfoldBill,
} from './steps.ts';
import { checkNow, enterHost, payAtBank } from './hosts.ts';

// As customers have it: with the worker of the page, with pictures and with all that moves.
test.use({ serviceWorkers: 'allow', reducedMotion: 'no-preference' });

const DELIVERED_S = 1_440;

/** Follows the order through every state that the clock brings. */
async function follow(page: Page, advance: (seconds: number) => Promise<unknown>): Promise<void> {
  const state = (text: RegExp | string) => expect(page.locator('header').getByText(text).first()).toBeVisible();
  await expect(heading(page, 'Thank you! Your order is placed.')).toBeVisible();
  await look(page, 'confirmation');
  await page.getByRole('link', { name: 'Track your order' }).click();
  await expect(page).toHaveURL(/\/track\//);
  await advance(250);
  await page.reload();
  await expect(page.getByRole('listitem').filter({ hasText: 'In the oven' })).toHaveAttribute('aria-current', 'step');
  await advance(700 - 250);
  await page.reload();
  await expect(page.getByRole('listitem').filter({ hasText: 'Out for delivery' })).toHaveAttribute(
    'aria-current',
    'step',
  );
  await look(page, 'track');
  await advance(DELIVERED_S - 700 + 60);
  await page.reload();
  await state(/Delivered/);
  await page.getByRole('link', { name: 'Back to the order' }).click();
  await expect(heading(page, 'Enjoy your meal!')).toBeVisible();
  await look(page, 'delivered');
}

// The other countries' whole orders are played in their own languages (languages.spec.ts).
for (const host of ['browser', 'gpay', 'paytm'])
  test(`in/${host}: a customised pizza with a coupon, from the first page to the door [CART-X10, PAY-19, ORD-10]`, async ({
    page,
    server,
    phone,
  }) => {
    const own = bundle('in', host);
    const troubles = watchTrouble(page);
    const mobile = phone('in');
    await noon(server);
    await enterHost(page, own, { user: `customer-${mobile}` });
    await page.goto(own.mount);
    await expect(heading(page, /^(Hot in|Your pizza)/)).toBeVisible();
    await look(page, `in-${host}-home`);

    await chooseWhere(page, 'in');
    if (host === 'paytm') {
      await page.getByRole('button', { name: 'Open my addresses' }).click();
    } else {
      await fillDoor(page);
    }
    await expect(page).toHaveURL(/\/menu$/);
    await expect(page.getByText('Prices may differ at your store.')).toHaveCount(0);
    await look(page, `in-${host}-menu`);

    await page.getByRole('link', { name: 'Garden Four' }).first().click();
    await customise(page);
    const add = page.getByLabel('Your choice').getByRole('button', { name: /^Add/ });
    const price = (await add.innerText()).replace(/^Add\s*/, '').trim();
    await add.click();
    await page.getByRole('button', { name: 'View cart' }).click();

    await expect(heading(page, 'Your cart')).toBeVisible();
    // What the builder said is what the server asks.
    await expect(page.getByRole('listitem').filter({ hasText: 'Garden Four' }).getByText(price).first()).toBeVisible();
    await expect(page.locator('dl')).toContainText('GST');
    const before = await billedTotal(page);
    await page.getByLabel('Have an offer code?').fill('SAVE15');
    await page.getByRole('button', { name: 'Apply' }).click();
    await expect(page.locator('dl')).toContainText('SAVE15');
    await expect(totalOf(page)).not.toHaveText(before);
    const total = await billedTotal(page);
    const lines = await page.locator('dl dt').allInnerTexts();
    await look(page, `in-${host}-cart`);

    await page.getByRole('link', { name: 'Go to payment' }).click();
    await expect(heading(page, 'Payment').first()).toBeVisible();
    await unfoldBill(page);
    // The whole bill was there before any login, and no line is new.
    await expect(totalOf(page)).toHaveText(total);
    expect(await page.locator('dl dt').allInnerTexts()).toEqual(lines);
    if (host === 'browser') await fillWho(page, mobile);
    else await expect.poll(() => isLoggedIn(page, own)).toBe(true);
    await pay(page, own, total);
    await expect(page.locator('dl')).toContainText('SAVE15');
    await expect(totalOf(page)).toHaveText(total);
    await follow(page, (seconds) => server.advance(seconds));
    // A session that the clock outran is renewed: that is the one answer a browser complains about.
    expect(troubles.filter(({ text }) => !text.includes('status of 401'))).toEqual([]);
  });
async function pay(page: Page, own: Bundle, total: string): Promise<void> {
  if (own.host === 'browser') await chooseMode(page, 'UPI');
  else await expect(page.getByRole('group', { name: 'Payment mode' }).getByRole('radio')).toHaveCount(1);
  await acceptTerms(page);
  await expect(page.getByLabel('Pay', { exact: true })).toContainText(total);
  await look(page, `in-${own.host}-payment`);
  await payButton(page).click();
  if (own.host !== 'browser') return;
  await expect(page).toHaveURL(/\/upiForm/);
  await look(page, 'upi');
  await payAtBank(page);
  await checkNow(page);
}

import type { Page } from '@playwright/test';
import * as errors from '#text/errors.ts';
import * as serverText from '#text/server.ts';
import { expect } from '../kit/app.ts';
import type { SpawnedServer } from '../kit/server.ts';
import { enterHost } from './hosts.ts';
import { test } from './atNoon.ts';
import { addFromMenu, bundle, heading, isLoggedIn, look, sessionOf, settleAt } from './steps.ts';

const web = bundle('in', 'browser');

async function newestCode(server: SpawnedServer, mobile: string): Promise<string> {
  const [sms = ''] = await server.inbox(mobile);
  return /\d{6}/.exec(sms)?.[0] ?? 'no SMS';
}

async function askForCode(page: Page, mobile: string, path = 'login'): Promise<void> {
  await page.goto(web.mount + path);
  await page.getByLabel('Mobile number').fill(mobile);
  await page.getByRole('button', { name: 'Send me a code' }).click();
  await expect(page.getByLabel('Code')).toBeVisible();
}

test('a wrong code is kept, the right one logs in with the cart; logging out asks, and forgets both [AUTH-17] [AUTH-26] [CART-18]', async ({
  page,
  server,
  mobile,
}) => {
  await settleAt(page, server.url, web, mobile);
  await addFromMenu(page);
  await askForCode(page, mobile, 'login?redirectUrl=%2Fcart');
  await expect(page).toHaveURL(/\/login-otp/);
  await expect(page.getByLabel('Code')).toHaveAttribute('autocomplete', 'one-time-code');
  await look(page, 'otp');
  const code = await newestCode(server, `+91${mobile}`);
  await page.getByLabel('Code').fill(code === '111111' ? '222222' : '111111');
  await expect(page.getByText(errors.otpWrong)).toBeVisible();
  await expect(page.getByLabel('Code')).toHaveValue(/^\d{6}$/);
  await look(page, 'otp-wrong');
  await page.getByLabel('Code').fill(code);
  await expect(page.getByRole('heading', { level: 1, name: 'Your cart' })).toBeVisible();
  expect(await isLoggedIn(page, web)).toBe(true);
  await expect(page.getByRole('group', { name: 'Quantity of Garden Four' })).toContainText('1');
  await page.reload();
  await expect(page.getByRole('group', { name: 'Quantity of Garden Four' })).toContainText('1');
  expect((await sessionOf(page, web))?.attributes.mobile).toContain(mobile);
  await page.goto(`${web.mount}login`);
  await page.getByRole('button', { name: 'Log out', exact: true }).click();
  await expect(page.getByRole('alertdialog')).toContainText('Log out?');
  await page.getByRole('button', { name: 'Log out', exact: true }).last().click();
  await expect(heading(page, /^(Hot in|Your pizza)/)).toBeVisible();
  await expect.poll(() => isLoggedIn(page, web)).toBe(false);
  await expect(page.getByRole('link', { name: /^Cart/ })).not.toContainText(/[1-9]/);
  await expect.poll(async () => (await sessionOf(page, web))?.attributes.userId ?? '').toMatch(/^anonymous/);
});

test('in/gpay: while the host asks, the payment page takes its place, and nothing on it moves afterwards [MINI-01, MINI-06]', async ({
  page,
  server,
  mobile,
}) => {
  const own = bundle('in', 'gpay');
  await enterHost(page, own, { user: `customer-${mobile}`, controls: { replyAfterMs: 3_000 } });
  await settleAt(page, server.url, own, mobile);
  await addFromMenu(page);
  await page.goto(`${own.mount}payment`);
  const places = () =>
    Promise.all(
      [page.getByText('How do you want to pay?'), page.getByRole('checkbox').last()].map(async (one) =>
        Math.round((await one.boundingBox())!.y),
      ),
    );
  expect(await isLoggedIn(page, own)).toBe(false);
  const before = await places();
  await expect.poll(() => isLoggedIn(page, own)).toBe(true);
  await expect(page.getByText(/This price is held/).first()).toBeAttached();
  await expect(page.getByRole('group', { name: 'Payment mode' })).toBeVisible();
  // A line of text may be a hair higher than the room that was kept for it; a finger does not notice.
  for (const [at, y] of (await places()).entries()) expect(Math.abs(y - before[at]!)).toBeLessThan(8);
});

test('login by another account asks for the number only the first time, then takes one tap, and the cart comes along [AUTH-18]', async ({
  page,
  server,
  mobile,
}) => {
  await settleAt(page, server.url, web, mobile);
  await addFromMenu(page);
  const elsewhere = page.getByRole('button', { name: 'Continue with Doorkey' });
  const answer = async (name: string) => {
    await elsewhere.click();
    await page.getByLabel('Your email address').fill(`e${mobile}@doorkey.example`);
    await page.getByRole('button', { name, exact: true }).click();
  };
  await page.goto(`${web.mount}login?redirectUrl=%2Fcart`);
  await page.getByLabel('Mobile number').fill(mobile);
  await answer('Do not allow');
  await expect(page.getByRole('alert')).toContainText(serverText.socialRefused({ label: 'Doorkey' }));
  await expect(page).toHaveURL(/\/in\/login$/);
  await expect(page.getByLabel('Mobile number')).toHaveValue(mobile);
  await look(page, 'social-refused');
  // The way back to the provider's page and again to ours is open; nothing stays busy.
  await elsewhere.click();
  await expect(page.getByRole('button', { name: 'Do not allow' })).toBeVisible();
  await page.goBack();
  await expect(elsewhere).toHaveAttribute('aria-busy', 'false');
  // Somebody else's login, as a link.
  await page.goto(`${web.mount}login?social=in.${'x'.repeat(43)}`);
  await expect(page.getByRole('alert')).toContainText(serverText.socialOver);
  await expect(page).toHaveURL(/\/in\/login$/);
  await page.reload();
  await expect(elsewhere).toBeVisible();
  await expect(page.getByRole('alert')).toHaveCount(0);

  await answer('Allow');
  await expect(page.getByText('Welcome, Asha.')).toBeVisible();
  await look(page, 'social-number');
  await page.reload();
  await expect(page.getByText('Welcome, Asha.')).toBeVisible();
  await page.getByRole('button', { name: 'Send me a code' }).click();
  await expect(page.getByLabel('Code')).toBeVisible();
  await page.getByLabel('Code').fill(await newestCode(server, `+91${mobile}`));
  await expect(page.getByRole('heading', { level: 1, name: 'Your cart' })).toBeVisible();
  await expect(page.getByRole('group', { name: 'Quantity of Garden Four' })).toContainText('1');
  expect((await sessionOf(page, web))?.attributes).toMatchObject({ mobile, loginType: 'doorkey', firstName: 'Asha' });
  // The page of the provider is the one before; what it was asked is over.
  await page.evaluate(() => localStorage.clear());
  await page.goto(`${web.mount}login?redirectUrl=%2Fmenu`);
  await answer('Allow');
  await expect(page).toHaveURL(/\/in\/menu$/);
  expect((await sessionOf(page, web))?.attributes.mobile).toBe(mobile);
});

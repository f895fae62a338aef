import type { Locator } from '@playwright/test';
import type { SessionReply } from '../../src/contract/session.ts';
import { expect } from '../kit/app.ts';
import { codeFor, person } from '../server/people.ts';
import { Customer, PLACES } from '../server/shop.ts';
import { test } from './atNoon.ts';
import { bundle, heading, look, sessionOf, settleAt, tabTo } from './steps.ts';

const web = bundle('in', 'browser');
const ACCOUNT = 'postorder-ui/profile';

test('by keyboard alone profile, email and number change, a device is ended, an order followed [NAV-51] [AUTH-22] [QUAL-X01]', async ({
  page,
  server,
  mobile,
  browser,
  phone,
}) => {
  const press = async (target: Locator) => {
    await tabTo(page, target);
    await page.keyboard.press('Enter');
  };
  const type = async (label: string | RegExp, text: string) => {
    await tabTo(page, page.getByLabel(label));
    await page.keyboard.press('Control+A');
    await page.keyboard.type(text);
  };
  await settleAt(page, server.url, web, mobile);
  await page.goto(web.mount);
  await press(page.getByRole('navigation', { name: 'Your account' }).getByRole('link', { name: 'Account' }));
  await expect(heading(page, 'Your account')).toBeFocused();
  await look(page, 'account-guest');
  await press(page.getByRole('link', { name: 'Log in with your number' }));
  await type('Mobile number', mobile);
  await page.keyboard.press('Enter');
  await expect(page.getByLabel('Code')).toBeFocused();
  await page.keyboard.type(await codeFor(server, mobile));
  // Back where the way to the login began.
  await expect(heading(page, 'Your account')).toBeVisible();

  const session = await sessionOf(page, web);
  const me = person(session as unknown as SessionReply);
  const { where, productId } = PLACES['IN']!;
  await new Customer(server, me, where, productId, mobile).order({ paymentMode: 'NETBANKING' });
  await page.goto(web.mount + ACCOUNT);
  await expect(page.getByRole('link', { name: 'See where it is' })).toBeVisible();
  await look(page, 'account-order');

  await press(page.getByRole('link', { name: 'Edit your profile' }));
  await expect(heading(page, 'Your profile')).toBeFocused();
  await press(page.getByRole('button', { name: 'Save' }));
  // The order has told the first name.
  await expect(page.getByText('Please enter last name.')).toBeVisible();
  await expect(page.getByLabel('Last name')).toBeFocused();
  await look(page, 'profile-problems');
  await page.keyboard.type('Iyer');
  // What was typed is there again after a way elsewhere.
  await page.goto(web.mount + ACCOUNT);
  await press(page.getByRole('link', { name: 'Edit your profile' }));
  await expect(page.getByLabel('Last name')).toHaveValue('Iyer');
  const email = `asha.${mobile}@example.in`;
  await type('Email', email);
  await page.keyboard.press('Enter');
  await expect(heading(page, 'Asha Iyer')).toBeVisible();

  await press(page.getByRole('button', { name: 'Confirm it' }));
  const emailCode = page.getByLabel('Code from the email');
  await expect(emailCode).toBeFocused();
  await look(page, 'account-email');
  await page.keyboard.press('Escape');
  await expect(emailCode).toBeHidden();
  await press(page.getByRole('button', { name: 'Confirm it' }));
  await tabTo(page, emailCode);
  await page.keyboard.type(/\d{6}/.exec((await server.inbox(email))[0]!)![0]);
  await expect(page.getByText('Confirmed', { exact: true })).toBeVisible();

  await server.advance(31);
  const elsewhere = await browser.newContext({ baseURL: server.url, serviceWorkers: 'block' });
  const other = await elsewhere.newPage();
  await other.goto(`${web.mount}login?redirectUrl=%2F${encodeURIComponent(ACCOUNT)}`);
  await other.getByLabel('Mobile number').fill(mobile);
  await other.getByRole('button', { name: 'Send me a code' }).click();
  await expect(other.getByLabel('Code')).toBeVisible();
  await other.getByLabel('Code').fill(await codeFor(server, mobile));
  await expect(heading(other, 'Asha Iyer')).toBeVisible();

  await press(page.getByRole('link', { name: /^Your devices/ }));
  await expect(page.getByText('This device')).toBeVisible();
  await look(page, 'devices');
  await press(page.getByRole('button', { name: /^Log out \S+ ·/ }));
  await expect(page.getByText('You are logged in nowhere else.')).toBeVisible();
  await other.reload();
  await expect(other.getByRole('alertdialog')).toContainText('You have been logged out.');
  await elsewhere.close();

  const next = phone('in');
  await page.goto(`${web.mount}${ACCOUNT}/edit`);
  await press(page.getByRole('link', { name: 'Change your number' }));
  await type('New mobile number', next);
  await page.keyboard.press('Enter');
  await expect(page.getByLabel(/^Code sent to/).first()).toBeFocused();
  await look(page, 'number-codes');
  await page.keyboard.type(await codeFor(server, next));
  await type(/until now/, await codeFor(server, mobile));
  await page.keyboard.press('Enter');
  await expect(heading(page, 'Asha Iyer')).toBeVisible();
  await expect(page.getByText(`${next.slice(0, 5)} ${next.slice(5)}`)).toBeVisible();
  expect((await sessionOf(page, web))?.attributes.mobile).toBe(next);
  await press(page.getByRole('link', { name: 'See where it is' }));
  await expect.poll(() => page.url()).toContain('/order/');
});

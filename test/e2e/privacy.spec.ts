import type { Page } from '@playwright/test';
import { expect } from '../kit/app.ts';
import { codeFor } from '../server/people.ts';
import { enterHost } from './hosts.ts';
import { test } from './atNoon.ts';
import { bundle, heading, isLoggedIn, look, sessionOf, settleAt, tabTo } from './steps.ts';

const WEEK_S = 7 * 86_400;
const web = bundle('in', 'browser');
const ACCOUNT = 'postorder-ui/profile';

const press = async (page: Page, role: 'link' | 'button', name: string | RegExp) => {
  await tabTo(page, page.getByRole(role, { name }).first());
  await page.keyboard.press('Enter');
};

test('by keyboard alone an account is deleted, restored, deleted again; a week later login makes a new one [AUTH-25] [NAV-29]', async ({
  page,
  server,
  mobile,
}) => {
  const logIn = async () => {
    await page.goto(`${web.mount}login?redirectUrl=%2F${encodeURIComponent(ACCOUNT)}`);
    await tabTo(page, page.getByLabel('Mobile number'));
    await page.keyboard.type(mobile);
    await page.keyboard.press('Enter');
    await expect(page.getByLabel('Code')).toBeFocused();
    await page.keyboard.type(await codeFor(server, mobile));
  };
  const isIn = async () => {
    await expect(page).toHaveURL(new RegExp(`/${ACCOUNT}$`));
    await expect.poll(() => isLoggedIn(page, web)).toBe(true);
    return (await sessionOf(page, web))!.attributes.userId;
  };
  const deleteIt = async () => {
    await server.advance(31);
    await press(page, 'link', /^Delete your account/);
    await expect(heading(page, 'What we delete')).toBeVisible();
    await expect(page.getByText('Your name, number and email, and every login and device')).toBeVisible();
    await expect(heading(page, 'What we keep, and why')).toBeVisible();
    await expect(page.getByText('No name, no number, no address.')).toBeVisible();
    await look(page, 'delete');
    await press(page, 'button', 'Send me the code');
    const code = page.getByLabel('Code from the SMS');
    await expect(code).toBeFocused();
    await page.keyboard.type('12');
    await page.keyboard.press('Enter');
    await expect(page.getByText('That code is not right.')).toBeVisible();
    await expect(code).toBeFocused();
    await look(page, 'delete-code');
    await page.keyboard.press('Control+A');
    await page.keyboard.type(await codeFor(server, mobile));
    await page.keyboard.press('Enter');
    await expect(heading(page, 'Your account is asleep')).toBeVisible();
    await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
    expect(await isLoggedIn(page, web)).toBe(false);
    await look(page, 'asleep');
    await press(page, 'link', 'Back to the pizzas');
    await expect(page).toHaveURL(new RegExp(`${web.mount}$`));
  };

  await settleAt(page, server.url, web, mobile);
  await logIn();
  const userId = await isIn();
  await deleteIt();

  await server.advance(WEEK_S - 86_400);
  await logIn();
  const asked = page.getByRole('alertdialog');
  await expect(asked).toContainText('This account is to be deleted on');
  await look(page, 'bring-it-back');
  await press(page, 'button', 'Bring it back');
  expect(await isIn()).toBe(userId);
  await deleteIt();

  await server.advance(WEEK_S + 60);
  await logIn();
  expect(await isIn()).not.toBe(userId);
  await expect(asked).toHaveCount(0);
});

test('consents are refused, given and taken back, and one page shows all data, also in Google Pay [AUTH-X02] [AUTH-25]', async ({
  page,
  server,
  mobile,
  browser,
}) => {
  const usage = page.getByRole('checkbox', { name: /^Measure how the app is used/ });
  await settleAt(page, server.url, web, mobile);
  await page.goto(`${web.mount}consents`);
  await expect(page.getByText('Not answered, which means no')).toHaveCount(5);
  await look(page, 'consents');
  await tabTo(page, page.getByRole('button', { name: 'No to all' }));
  await page.keyboard.press('Enter');
  await expect(page.getByText(/^No, since/)).toHaveCount(5);
  await tabTo(page, usage);
  await page.keyboard.press('Space');
  await expect(page.getByText(/^Yes, since/)).toHaveCount(1);
  await look(page, 'consents-given');
  await page.goto(`${web.mount}login?redirectUrl=%2Fmy-data`);
  await page.getByLabel('Mobile number').fill(mobile);
  await page.getByRole('button', { name: 'Send me a code' }).click();
  await expect(page.getByLabel('Code')).toBeVisible();
  await page.getByLabel('Code').fill(await codeFor(server, mobile));

  await expect(heading(page, 'Your data')).toBeVisible();
  await look(page, 'data-ask');
  await page.getByRole('button', { name: 'Show my data' }).click();
  await expect(heading(page, 'Who you are')).toBeVisible();
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
  await expect(heading(page, 'What you agreed to')).toBeVisible();
  await look(page, 'data');
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Download as a file' }).click(),
  ]);
  expect(file.suggestedFilename()).toMatch(/^golden-oven-my-data-[\d-]{10}\.json$/);
  // The login of just now stands for a code only for some minutes.
  await server.advance(11 * 60);
  await page.reload();
  await expect(page.getByRole('button', { name: 'Send me the code' })).toBeVisible();
  await look(page, 'data-code');

  // What was agreed to before the login came along, and is taken back by the same tap.
  await page.goto(`${web.mount}consents`);
  await expect(usage).toBeChecked();
  await usage.uncheck();
  await expect(page.getByText(/^No, since/)).toHaveCount(5);
  await page.reload();
  await expect(page.getByText('Kept with your account, for all your devices.')).toBeVisible();
  await expect(usage).not.toBeChecked();

  const own = bundle('in', 'gpay');
  const context = await browser.newContext({
    baseURL: server.url,
    viewport: page.viewportSize(),
    serviceWorkers: 'block',
    locale: 'en-IN',
  });
  const app = await context.newPage();
  await enterHost(app, own, { user: `customer-${mobile}` });
  await app.goto(`${own.mount}consents`);
  await expect(app.getByRole('checkbox')).toHaveCount(1);
  await look(app, 'gpay-consents');
  await app.goto(`${own.mount}login?redirectUrl=%2Fmy-data`);
  await app.getByRole('button', { name: 'Continue with your account' }).click();
  await app.getByRole('button', { name: 'Show my data' }).click();
  await expect(heading(app, 'Who you are')).toBeVisible();
  await expect(app.getByRole('link', { name: 'Download as a file' })).toHaveCount(0);
  await look(app, 'gpay-data');
  await app.goto(`${own.mount}delete-account`);
  await expect(heading(app, 'What we delete')).toBeVisible();
  await look(app, 'gpay-delete');
  await context.close();
});

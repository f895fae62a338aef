import type { Page } from '@playwright/test';
import { openDb } from '../../src/server/store/db.ts';
import { expect, test } from '../kit/app.ts';
import { bundle, noon, toast } from './steps.ts';

const web = bundle('in', 'browser');
const FINGERPRINT = '/sso-aggregation/ve2/finger-print';

/** What the page asks for that has to do with its device, as 'POST /path 200'. */
function follow(page: Page): string[] {
  const heard: string[] = [];
  page.on('response', (reply) => {
    const { pathname } = new URL(reply.url());
    if (/finger-print|loginhandler|promo|coupon.*validate|ve1\/challenge/.test(pathname))
      heard.push(`${reply.request().method()} ${pathname} ${reply.status()}`);
  });
  return heard;
}
const device = (page: Page) => page.getByRole('checkbox', { name: /^Recognise this device/ });
const agree = async (page: Page) => {
  const told = page.waitForResponse((reply) => reply.url().endsWith(FINGERPRINT));
  await device(page).check();
  expect((await told).status()).toBe(200);
  await expect.poll(() => page.evaluate(() => localStorage.getItem('IN/browser:~fingerprint'))).toMatch(/fpr_/);
};
const ask = async (page: Page, mobile: string) => {
  await page.getByLabel('Mobile number').fill(mobile);
  await page.getByRole('button', { name: 'Send me a code' }).click();
};
test('an automated browser sends no device data before a yes, then works for its code; a no deletes it all [EXP-26] [AUTH-35]', async ({
  page,
  server,
  phone,
}) => {
  await noon(server);
  const { db } = await openDb(server.database.target);
  const rows = () => db.selectFrom('fingerprints').select(['data', 'signs']).execute();
  try {
    const heard = follow(page);
    await page.goto(`${web.mount}login`);
    await ask(page, phone('in'));
    await expect(page.getByLabel('Code')).toBeVisible();
    expect(heard.filter((one) => !/loginhandler/.test(one))).toEqual([]);

    await page.goto(`${web.mount}login`);
    await agree(page);
    const before = await rows();
    expect(before.at(-1)!.signs.split(',')).toEqual(expect.arrayContaining(['userAgent', 'webDriver']));
    heard.length = 0;
    await ask(page, phone('in'));
    await expect(page.getByLabel('Code')).toBeVisible();
    expect(heard.map((one) => one.split('/').at(-1))).toEqual(['login 428', 'challenge 200', 'login 200']);
    await expect(toast(page)).toHaveCount(0);

    await page.goto(`${web.mount}consents`);
    const forgotten = page.waitForResponse((reply) => reply.request().method() === 'DELETE');
    await page.getByRole('checkbox', { name: /^Recognise my device/ }).uncheck();
    expect((await forgotten).status()).toBe(200);
    expect(await rows()).toHaveLength(before.length - 1);
    expect(await page.evaluate(() => Object.keys(localStorage).filter((key) => /fingerprint/.test(key)))).toEqual([]);
    heard.length = 0;
    await page.goto(`${web.mount}login`);
    await ask(page, phone('in'));
    await expect(page.getByLabel('Code')).toBeVisible();
    expect(heard.map((one) => one.split('/').at(-1))).toEqual(['login 200']);
  } finally {
    await db.destroy();
  }
});

import type { Page } from '@playwright/test';
import * as errors from '#text/errors.ts';
import * as serverText from '#text/server.ts';
import { openDb } from '../../src/server/store/db.ts';
import { expect, test } from '../kit/app.ts';
import { problemsOf } from './judging.ts';
import { addFromMenu, bundle, look, noon, settleAt, tabTo, toast } from './steps.ts';

const web = bundle('in', 'browser');
const CHALLENGE = '**/security/ve1/challenge';
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
/** A challenge that no number answers: its work ends only by being stopped. */
const endless = (page: Page) =>
  page.route(CHALLENGE, async (route) => {
    const reply = await route.fetch();
    const body = (await reply.json()) as { challenge: object };
    await route.fulfill({
      response: reply,
      json: { ...body, challenge: { ...body.challenge, target: '0'.repeat(32), upTo: 1e9 } },
    });
  });

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

test('proof of work is announced, can be stopped and keeps the typed coupon; a wrong answer says so, a good one applies @all', async ({
  page,
  server,
  phone,
}) => {
  await noon(server);
  await settleAt(page, server.url, web, phone('in'));
  await page.goto(`${web.mount}login`);
  await agree(page);
  await page.goto(`${web.mount}menu`);
  await addFromMenu(page, 'Garden Four', 3);
  await page.goto(`${web.mount}cart`);
  const code = page.getByLabel('Have an offer code?');
  await code.fill('FLAT100');
  await endless(page);
  await page.getByRole('button', { name: 'Apply' }).click();
  // In the region that is read out.
  const said = toast(page).filter({ hasText: errors.proving });
  await expect(said).toBeVisible();
  await look(page, 'proving');
  const stop = said.getByRole('button', { name: errors.provingStop });
  expect(await problemsOf(page)).toEqual([]);
  await tabTo(page, stop);
  await page.keyboard.press('Enter');
  await expect(page.getByText(errors.stopped)).toBeVisible();
  await expect(said).toHaveCount(0);
  await expect(code).toHaveValue('FLAT100');
  await look(page, 'stopped');

  // Whoever answers something else is told so, after two more tries of the page.
  await page.unroute(CHALLENGE);
  const heard = follow(page);
  await page.route('**/promo*/**', async (route) => {
    const headers = route.request().headers();
    const answer = headers['challenge-answer'];
    await route.continue(answer ? { headers: { ...headers, 'challenge-answer': `${answer}9` } } : {});
  });
  await page.getByRole('button', { name: 'Apply' }).click();
  await expect(page.getByText(serverText.challengeAgain)).toBeVisible();
  expect(heard.filter((one) => one.endsWith(' 428'))).toHaveLength(3);
  await expect(code).toHaveValue('FLAT100');
  await look(page, 'not-counted');

  await page.unroute('**/promo*/**');
  heard.length = 0;
  await page.getByRole('button', { name: 'Apply' }).click();
  await expect(toast(page).filter({ hasText: 'FLAT100' })).toBeVisible();
  // Looked at by work, then applied without more.
  expect(heard.filter((one) => one.endsWith(' 428'))).toHaveLength(1);
});

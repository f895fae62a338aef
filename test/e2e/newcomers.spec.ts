import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Page } from '@playwright/test';
import { expect, test, watchTrouble, type Bundle } from '../kit/app.ts';
import { temporaryFolder } from '../kit/folder.ts';
import { projectWithNewcomers, runIn } from '../kit/newcomers.ts';
import { spawnServer, type SpawnedServer } from '../kit/server.ts';
import { enterHost } from './hosts.ts';
import {
  acceptTerms,
  addFromMenu,
  chooseMode,
  chooseWhere,
  fillDoor,
  fillWho,
  heading,
  isLoggedIn,
  noon,
  payButton,
  billedTotal,
  totalOf,
  unfoldBill,
} from './steps.ts';

const NEPAL: Bundle = { country: 'np', host: 'browser', language: 'en', mount: '/np/', apiKey: 'np-web' };
const EIGHTPAY: Bundle = {
  country: 'in',
  host: 'eightpay',
  language: 'en',
  mount: '/in/eightpay/',
  apiKey: 'in-eightpay',
};
const DUSKPAY: Bundle = { country: 'in', host: 'duskpay', language: 'en', mount: '/in/duskpay/', apiKey: 'in-duskpay' };
let shop: SpawnedServer;
let dist: string;

/** A copy of the project with three folders more is built and started; nothing else of it is touched. */
// What is built for all of them is built once.
test.describe.configure({ mode: 'default' });
test.beforeAll(async () => {
  test.setTimeout(300_000);
  const copy = projectWithNewcomers();
  dist = temporaryFolder('pizza-newcomers-dist');
  runIn(copy, 'build.mjs', '--country', 'nepal', '--host', 'browser', '--out', dist);
  for (const { host } of [EIGHTPAY, DUSKPAY]) runIn(copy, 'build.mjs', '--host', host, '--out', dist);
  shop = await spawnServer({ root: copy, settings: { distDir: dist } });
});
test.afterAll(async () => {
  await shop?.stop();
});

test('a country of one folder: from its first page to a cash order in its own money [CFG-04]', async ({
  page,
  phone,
}) => {
  const troubles = watchTrouble(page);
  const mobile = phone('lk');
  await noon(shop);
  await page.goto(`${shop.url}${NEPAL.mount}`);
  await chooseWhere(page, 'np');
  await fillDoor(page);
  await expect(page).toHaveURL(/\/np\/menu$/);
  await addFromMenu(page);
  await page.getByRole('link', { name: /^Cart/ }).click();
  await expect(totalOf(page)).toContainText('रु');
  await page.getByRole('link', { name: 'Go to payment' }).click();
  await fillWho(page, mobile);
  await chooseMode(page, 'Cash on delivery');
  await unfoldBill(page);
  const total = await billedTotal(page);
  await acceptTerms(page);
  await payButton(page).click();
  await expect(page.getByLabel('6-digit code')).toBeVisible();
  const [sms = ''] = await shop.inbox(`+977${mobile}`);
  await page.getByLabel('6-digit code').fill(/\d{6}/.exec(sms)?.[0] ?? 'no SMS');
  await expect(heading(page, 'Thank you! Your order is placed.')).toBeVisible();
  await expect(totalOf(page)).toHaveText(total);
  expect(troubles).toEqual([]);
});

/** Orders a pizza in a host, up to the tap on the payment's button. @returns the total */
async function orderInside(page: Page, { mount, country }: Bundle, isIn: () => Promise<boolean>): Promise<string> {
  await noon(shop);
  await page.goto(`${shop.url}${mount}`);
  await chooseWhere(page, country);
  await fillDoor(page);
  await expect(page).toHaveURL(/\/menu$/);
  await addFromMenu(page);
  await page.getByRole('link', { name: /^Cart/ }).click();
  await page.getByRole('link', { name: 'Go to payment' }).click();
  await expect.poll(isIn).toBe(true);
  await expect(page.getByRole('group', { name: 'Payment mode' }).getByRole('radio')).toHaveCount(1);
  await unfoldBill(page);
  const total = await billedTotal(page);
  await acceptTerms(page);
  await payButton(page).click();
  return total;
}
const callsOf = (page: Page) =>
  page.evaluate(() =>
    (window as unknown as { hostFake: { log: { method: string }[] } }).hostFake.log.map(({ method }) => method),
  );

test('a host of one folder has a bundle of that folder and no other host; an order is paid in it [MINI-X01]', async ({
  page,
  phone,
}) => {
  const graph = Object.keys(
    (JSON.parse(readFileSync(path.join(dist, 'in/eightpay/metafile.json'), 'utf8')) as { inputs: object }).inputs,
  );
  expect(graph).toContain('hosts/eightpay/bridge.ts');
  expect(graph.filter((file) => /^hosts\/(?!eightpay\/)|\/(fake|server)\.ts$/.test(file))).toEqual([]);
  expect(graph.filter((file) => /^src\/(screens\/external|server|simulator)\/|routes\.full/.test(file))).toEqual([]);
  const troubles = watchTrouble(page);
  await enterHost(page, EIGHTPAY, { user: `customer-${phone('in')}` });
  const total = await orderInside(page, EIGHTPAY, () => isLoggedIn(page, EIGHTPAY));
  await expect(heading(page, 'Thank you! Your order is placed.')).toBeVisible();
  await expect(totalOf(page)).toHaveText(total);
  expect(await callsOf(page)).toEqual(['identify', 'phone', 'pay']);
  expect(troubles).toEqual([]);
});

test('a host of one folder that pays in another app: the page is left, opened again, and the order is there [MINI-X01]', async ({
  page,
  phone,
}) => {
  const troubles = watchTrouble(page);
  await enterHost(page, DUSKPAY, { user: `customer-${phone('in')}` });
  const opened: string[] = [];
  page.on('request', (request) => {
    if (request.isNavigationRequest()) opened.push(new URL(request.url()).pathname);
  });
  const total = await orderInside(page, DUSKPAY, () => isLoggedIn(page, DUSKPAY));
  // The page that is about to be left may have heard of the payment first.
  await expect.poll(() => opened.at(-1)).toMatch(/^\/in\/duskpay\/payment\/[\w-]+$/);
  await expect(heading(page, 'Thank you! Your order is placed.')).toBeVisible();
  await expect(totalOf(page)).toHaveText(total);
  // The page that was opened again has not asked for anything.
  expect(await callsOf(page)).toEqual([]);
  expect(troubles).toEqual([]);
});

import type { Page } from '@playwright/test';
import * as development from '../../src/contract/development.ts';
import { builtBundles, expect, type Bundle } from '../kit/app.ts';
import { sample } from '../kit/matrix.ts';
import { enterHost } from './hosts.ts';
import { hurry, test } from './measuring.ts';
import { look } from './steps.ts';

const COLLECTOR = '/analytics-service/ve1/events';
const OPTIONAL = /analytics-service|savePageViewData|finger-print|server-side\/(?!settings)|events\/t/;
const APPS = builtBundles().filter(({ country, host }) => host === 'browser' || (country === 'in' && host !== 'frame'));
const BUNDLES = sample(
  APPS,
  APPS.filter(({ country, host }) => country === 'in' && host !== 'paytm'),
);

const optionalKeys = (page: Page) =>
  page.evaluate(() => Object.keys(localStorage).filter((key) => /~(ga-client|waiting-usage|fingerprint)/.test(key)));

async function walk(page: Page, own: Bundle): Promise<void> {
  const asked: string[] = [];
  page.on('request', (request) => {
    if (OPTIONAL.test(request.url())) asked.push(`${request.method()} ${new URL(request.url()).pathname}`);
  });
  const dialog = page.getByRole('alertdialog');
  await page.goto(`${own.mount}menu`);
  await expect(dialog).toContainText('May we count how this app is used?');
  await look(page, `${own.country}-${own.host}-ask`);
  // As easy to refuse as to accept: two buttons of one look and size.
  const [no, yes] = [dialog.getByRole('button', { name: 'No' }), dialog.getByRole('button', { name: 'Yes' })];
  const looks = await Promise.all(
    [no, yes].map((button) =>
      button.evaluate((node) => {
        const { backgroundColor, color, fontWeight, borderColor } = getComputedStyle(node);
        return [backgroundColor, color, fontWeight, borderColor, node.clientHeight];
      }),
    ),
  );
  expect(looks[0]).toEqual(looks[1]);
  expect([asked, await optionalKeys(page)]).toEqual([[], []]);

  await no.click();
  // Inside a payment app a dialog that closes goes back in the history, which may end a move that begins meanwhile.
  await expect(() => page.goto(`${own.mount}cart`)).toPass();
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(dialog).toHaveCount(0);
  expect([asked, await optionalKeys(page)]).toEqual([[], []]);

  await page.getByRole('link', { name: 'Your choices' }).click();
  const usage = page.getByRole('checkbox', { name: /^Measure how the app is used/ });
  const told = page.waitForResponse((reply) => reply.url().endsWith(COLLECTOR) && reply.request().method() === 'POST');
  await usage.check();
  expect((await told).status()).toBe(200);
  await expect(page.getByText(/^Yes, since/)).toHaveCount(1);

  const forgotten = page.waitForResponse((reply) => reply.request().method() === 'DELETE');
  await usage.uncheck();
  expect((await forgotten).status()).toBe(200);
  asked.length = 0;
  await page.goto(`${own.mount}menu`);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect.poll(() => optionalKeys(page)).toEqual([]);
  expect(asked).toEqual([]);
}

test('every app asks first, by two equal buttons; a no sends and stores nothing, taking back a yes deletes its data [EXP-X02]', async ({
  browser,
  server,
  viewport,
}) => {
  for (const own of BUNDLES)
    await test.step(`${own.country}/${own.host}`, async () => {
      const context = await browser.newContext({ baseURL: server.url, viewport, serviceWorkers: 'block' });
      const page = await context.newPage();
      await hurry(page);
      await enterHost(page, own);
      await walk(page, own);
      await context.close();
    });
});

test('what is told as a page is left arrives, with how fast it was, and once, though it is sent again on the next visit', async ({
  page,
  server,
  books,
}) => {
  const [own] = BUNDLES.filter(({ country, host }) => country === 'in' && host === 'browser');
  const rows = async () =>
    (await books.selectFrom('activity').select(['name', 'data']).execute()).filter(({ data }) =>
      data.includes('left at last'),
    );
  const vitals = async () =>
    (await server.call(development.vitals, {})).body.vitals.filter(
      ({ host, country }) => host === 'web' && country === 'IN',
    );
  await hurry(page);
  await page.goto(`${own!.mount}menu`);
  const told = page.waitForResponse((reply) => reply.url().endsWith(COLLECTOR));
  await page.getByRole('alertdialog').getByRole('button', { name: 'Yes' }).click();
  await told;
  await expect.poll(() => optionalKeys(page)).toEqual(['IN/browser:~ga-client']);
  await page.evaluate(() => {
    (window as unknown as { isPatient: boolean }).isPatient = true;
    dispatchEvent(new CustomEvent('Error FrontEnd', { detail: 'left at last' }));
  });
  expect(await rows()).toEqual([]);
  await page.goto('/simulator/icon.svg');
  await expect.poll(async () => (await rows()).length).toBe(1);
  await expect
    .poll(async () => (await vitals()).map(({ metric }) => metric))
    .toEqual(expect.arrayContaining(['LCP', 'TTFB', 'CLS']));
  for (const { p50, p75, p95, n } of await vitals()) {
    expect(n).toBeGreaterThan(0);
    expect(p50).toBeLessThanOrEqual(p75);
    expect(p75).toBeLessThanOrEqual(p95);
  }
  // Nobody was there to hear that it had arrived.
  await page.goto(`${own!.mount}menu`);
  await expect.poll(() => optionalKeys(page)).toEqual(['IN/browser:~ga-client']);
  expect(await rows()).toHaveLength(1);
});

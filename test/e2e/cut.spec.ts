import type { Locator, Page } from '@playwright/test';
import { expect, test as base } from '../kit/app.ts';
import { sample } from '../kit/matrix.ts';
import { cuttingProxy, type Cut } from './cutting.ts';
import { bundle, heading } from './steps.ts';

// Lines that end in the middle of a script: which of them it is, and where, decides what the page says and how it goes on.

const web = bundle('in', 'browser');
const notice = (page: Page) => page.locator('.late');
const link = (page: Page) => page.getByRole('link', { name: /^Cart/ });

const test = base.extend<{ line: Awaited<ReturnType<typeof cuttingProxy>> }>({
  line: async ({ server }, use) => {
    const line = await cuttingProxy(server.url);
    await use(line);
    line.stop();
  },
});

/** After how long the notice is shown. */
const delays = (page: Page) =>
  page.evaluate(() =>
    document
      .getAnimations()
      .filter((one) => (one as CSSAnimation).animationName === 'late')
      .map((one) => one.effect?.getTiming().delay),
  );
const FAILED_MS = 3_000;
const COMING_MS = 30_000;

/** The notice after its time, as often as something that came lets it wait anew; `says` stands in it then. */
async function told(page: Page, says: string): Promise<Locator> {
  await expect(async () => {
    await page.evaluate(() => document.getAnimations().forEach((one) => one.finish()));
    await expect(notice(page)).toContainText(says, { timeout: 1_000, useInnerText: true });
  }).toPass();
  return notice(page);
}

async function startsAgain(page: Page, title: string): Promise<void> {
  await notice(page).getByRole('link', { name: 'Start again' }).click();
  await expect(heading(page, title)).toBeVisible();
  await expect(notice(page)).toHaveCount(0);
}

const SCRIPTS = {
  'first load': { file: /\/first\.[^/]*\.js/, path: '', title: 'Bestsellers' },
  'second load': { file: /\/alive-[^/]*\.js/, path: '', title: 'Bestsellers' },
  'deep link': { file: /\/first\.[^/]*\.js/, path: 'cart', title: 'Your cart is empty' },
} as const;

for (const [what, { file, path, title }] of Object.entries(SCRIPTS)) {
  test(`${what}: a script that is cut in its middle has failed, as the page says soon`, async ({ page, line }) => {
    line.set(file, 'closes');
    await page.goto(line.url + web.mount + path, { waitUntil: 'commit' });
    await expect.poll(() => delays(page)).toEqual([FAILED_MS]);
    const said = await told(page, 'Ordering has not started on this page.');
    await expect(said).not.toContainText('still loading', { useInnerText: true });
    line.set(null, 'closes');
    await startsAgain(page, title);
  });

  for (const how of sample<Cut>(['stops', 'trickles'], [what === 'second load' ? 'trickles' : 'stops']))
    test(`${what}: a script that ${how} in its middle is still loading, as the page says after 30 s`, async ({
      page,
      line,
    }) => {
      line.set(file, how);
      await page.goto(line.url + web.mount + path, { waitUntil: 'commit' });
      await expect.poll(() => delays(page)).toEqual([COMING_MS]);
      const said = await told(page, 'Chrome 87');
      await expect(said).toContainText('This page is still loading.');
      await expect(said).not.toContainText('Ordering has not started', { useInnerText: true });
      line.set(null, how);
      await startsAgain(page, title);
    });
}

const CART = /\/cart-[^/]*\.js/;

test("a screen's script that is cut in its middle is asked for again, and then the screen has failed", async ({
  page,
  line,
}) => {
  await page.clock.install();
  await page.goto(line.url + web.mount);
  await expect(notice(page)).toHaveCount(0);
  line.set(CART, 'closes');
  await link(page).click();
  await expect(async () => {
    await page.clock.runFor(1_000);
    await expect(heading(page, 'Something went wrong!')).toBeVisible({ timeout: 1_000 });
  }).toPass();
  line.set(null, 'closes');
  await page.getByRole('button', { name: 'Refresh' }).click();
  await expect(heading(page, 'Your cart is empty')).toBeVisible();
});

for (const how of ['stops', 'trickles'] satisfies Cut[])
  test(`a screen's script that ${how} in its middle: the page says so after 30 s, and asks anew after 120 s`, async ({
    page,
    line,
  }) => {
    await page.clock.install();
    await page.goto(line.url + web.mount);
    await expect(notice(page)).toHaveCount(0);
    line.set(CART, how);
    await link(page).click();
    await expect.poll(line.asked).toHaveLength(1);
    await expect.poll(() => delays(page)).toEqual([COMING_MS]);
    const said = await told(page, 'This page is still loading.');
    await expect(said).not.toContainText('Chrome 87', { useInnerText: true });
    await expect(said.getByRole('link', { name: 'Start again' })).toHaveAttribute(
      'href',
      `${line.url}${web.mount}cart`,
    );
    // Left, it says nothing any more.
    await page.goBack();
    await expect(heading(page, 'Bestsellers')).toBeVisible();
    await expect(notice(page)).toHaveCount(0);
    await link(page).click();
    await told(page, 'This page is still loading.');
    if (how === 'stops') {
      line.set(null, how);
      return startsAgain(page, 'Your cart is empty');
    }
    // Nobody does anything: what is asked for a second time comes whole.
    line.set(/nothing/, how);
    await page.clock.runFor(122_000);
    await expect(heading(page, 'Your cart is empty')).toBeVisible();
    await expect(notice(page)).toHaveCount(0);
  });

test.describe(() => {
  test.use({ serviceWorkers: 'allow' });
  test('a script that stops in its middle keeps nobody off the other pages, or from asking anew, beside a worker @all', async ({
    page,
    line,
  }) => {
    line.set(CART, 'stops');
    await page.goto(line.url + web.mount);
    await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
    await expect.poll(line.asked).toHaveLength(1);
    await page.reload();
    await expect(heading(page, 'Bestsellers')).toBeVisible();
    await expect(notice(page)).toHaveCount(0);
    line.set(null, 'stops');
    await expect(async () => {
      await page.goto(`${line.url}${web.mount}cart`);
      await expect(heading(page, 'Your cart is empty')).toBeVisible({ timeout: 5_000 });
    }).toPass({ timeout: 60_000 });
  });
});

test('on a line of 50 kbit/s the page comes, and is never called failed @all', async ({ page, server }) => {
  await page.addInitScript(() => {
    const said: string[] = [];
    Object.assign(globalThis, { said });
    addEventListener(
      'animationend',
      ({ animationName }) =>
        animationName === 'late' && said.push(document.querySelector<HTMLElement>('.late')!.innerText),
      true,
    );
  });
  const wire = await page.context().newCDPSession(page);
  await wire.send('Network.enable');
  const throughput = 50_000 / 8;
  await wire.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 600,
    downloadThroughput: throughput,
    uploadThroughput: throughput,
  });
  await page.goto(`${server.url}${web.mount}menu`, { waitUntil: 'commit', timeout: 60_000 });
  // A link that is tapped after a button waits with it, and shows that it does.
  await page.getByRole('button', { name: 'All filters' }).click({ timeout: 60_000 });
  await link(page).click();
  await expect(link(page)).toHaveAttribute('aria-busy', 'true');
  await expect(heading(page, 'Your cart is empty')).toBeVisible({ timeout: 100_000 });
  const said = await page.evaluate(() => (globalThis as unknown as { said: string[] }).said);
  expect(said.filter((text) => !text.includes('still loading'))).toEqual([]);
});

// An engine that lacks a function fails in the same way, at its first call; Chromium 80 stumbles over `??=` (decisions/2026-11-22-oldest-browsers.md).
for (const what of ['first load', 'second load'] as const)
  test(`${what}: a browser that cannot read its syntax says soon which one is needed`, async ({ page, line }) => {
    await page.route(SCRIPTS[what].file, async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, body: `${await response.text()};let newer;newer ???= 1` });
    });
    await page.goto(line.url + web.mount);
    await expect.poll(() => delays(page)).toEqual([FAILED_MS]);
    const said = await told(page, 'Chrome 87');
    await expect(said).not.toContainText('still loading', { useInnerText: true });
  });

test('a browser without script modules says soon which one is needed', async ({ page, line }) => {
  // The page as such a browser reads it, under the same policy.
  await page.route(line.url + web.mount, async (route) => {
    const response = await route.fetch();
    const body = (await response.text()).replace('type="module"', 'type="unknown"').replace(' nomodule', '');
    await route.fulfill({ response, body });
  });
  await page.goto(line.url + web.mount);
  await expect.poll(() => delays(page)).toEqual([FAILED_MS]);
  const said = await told(page, 'Chrome 87');
  await expect(said).not.toContainText('still loading', { useInnerText: true });
});

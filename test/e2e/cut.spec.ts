import type { Locator, Page } from '@playwright/test';
import { expect, test as base } from '../kit/app.ts';
import { cuttingProxy } from './cutting.ts';
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

const FIRST = /\/first\.[^/]*\.js/;
const SECOND = /\/alive-[^/]*\.js/;

test('a first script that is cut in its middle has failed, as the page says soon', async ({ page, line }) => {
  line.set(FIRST, 'closes');
  await page.goto(line.url + web.mount, { waitUntil: 'commit' });
  await expect.poll(() => delays(page)).toEqual([FAILED_MS]);
  const said = await told(page, 'Ordering has not started on this page.');
  await expect(said).not.toContainText('still loading', { useInnerText: true });
  line.set(null, 'closes');
  await startsAgain(page, 'Bestsellers');
});

test('a second script that trickles is still loading, as the page says after 30 s', async ({ page, line }) => {
  line.set(SECOND, 'trickles');
  await page.goto(line.url + web.mount, { waitUntil: 'commit' });
  await expect.poll(() => delays(page)).toEqual([COMING_MS]);
  const said = await told(page, 'Chrome 87');
  await expect(said).toContainText('This page is still loading.');
  await expect(said).not.toContainText('Ordering has not started', { useInnerText: true });
  line.set(null, 'trickles');
  await startsAgain(page, 'Bestsellers');
});

const CART = /\/cart-[^/]*\.js/;

test("a screen's script that trickles: the page says so after 30 s, and asks anew after 120 s", async ({
  page,
  line,
}) => {
  await page.clock.install();
  await page.goto(line.url + web.mount);
  await expect(notice(page)).toHaveCount(0);
  line.set(CART, 'trickles');
  await link(page).click();
  await expect.poll(line.asked).toHaveLength(1);
  await expect.poll(() => delays(page)).toEqual([COMING_MS]);
  const said = await told(page, 'This page is still loading.');
  await expect(said).not.toContainText('Chrome 87', { useInnerText: true });
  await expect(said.getByRole('link', { name: 'Start again' })).toHaveAttribute('href', `${line.url}${web.mount}cart`);
  // Left, it says nothing any more.
  await page.goBack();
  await expect(heading(page, 'Bestsellers')).toBeVisible();
  await expect(notice(page)).toHaveCount(0);
  await link(page).click();
  await told(page, 'This page is still loading.');
  // Nobody does anything: what is asked for a second time comes whole.
  line.set(/nothing/, 'trickles');
  await page.clock.runFor(122_000);
  await expect(heading(page, 'Your cart is empty')).toBeVisible();
  await expect(notice(page)).toHaveCount(0);
});

// An engine that lacks a function fails in the same way, at its first call; Chromium 80 stumbles over `??=` (decisions/2026-11-22-oldest-browsers.md).
test('a browser that cannot read the syntax of a script, or knows no modules, says soon which one is needed', async ({
  page,
  line,
}) => {
  const says = async () => {
    await page.goto(line.url + web.mount);
    await expect.poll(() => delays(page)).toEqual([FAILED_MS]);
    const said = await told(page, 'Chrome 87');
    await expect(said).not.toContainText('still loading', { useInnerText: true });
    await page.unrouteAll();
  };
  for (const file of [FIRST, SECOND]) {
    await page.route(file, async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, body: `${await response.text()};let newer;newer ???= 1` });
    });
    await says();
  }
  // The page as such a browser reads it, under the same policy.
  await page.route(line.url + web.mount, async (route) => {
    const response = await route.fetch();
    const body = (await response.text()).replace('type="module"', 'type="unknown"').replace(' nomodule', '');
    await route.fulfill({ response, body });
  });
  await says();
});

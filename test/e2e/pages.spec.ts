import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from '@playwright/test';
import { builtBundles, expect, test } from '../kit/app.ts';
import { sample } from '../kit/matrix.ts';

const built = builtBundles();
const named = (...names: readonly string[]) =>
  built.filter(({ country, host }) => names.includes(`${country}/${host}`));
// Of what partners embed, one country stands for all.
const bundles = sample(
  built.filter(({ host, country }) => host !== 'frame' || country === 'lk'),
  named('in/browser', 'in/gpay', 'lk/browser'),
);
const browsers = sample(
  built.filter((bundle) => bundle.host === 'browser'),
  named('in/browser'),
);

/** Collects what moves in a page without a tap. @returns how to read it */
async function watchShifts(page: Page): Promise<() => Promise<readonly string[]>> {
  await page.addInitScript(() => {
    const shifts: string[] = [];
    (globalThis as { shifts?: string[] }).shifts = shifts;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & {
        value: number;
        hadRecentInput: boolean;
        sources?: { node?: Element }[];
      })[]) {
        // Less is a mark that is drawn before its word, where the network has cut between them (steady.spec.ts).
        if (!entry.hadRecentInput && entry.value >= 0.001)
          shifts.push(
            `${entry.value.toFixed(4)} ${entry.sources?.map(({ node }) => node?.outerHTML?.slice(0, 80)).join(' | ')}`,
          );
      }
    }).observe({ type: 'layout-shift', buffered: true });
  });
  return () => page.evaluate(() => (globalThis as { shifts?: string[] }).shifts ?? []);
}

test('the menu is readable, and its links lead on, before any script has run', async ({ browser, server }) => {
  const context = await browser.newContext({ javaScriptEnabled: false, baseURL: server.url });
  const page = await context.newPage();
  for (const { mount } of bundles) {
    await page.goto(mount);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await page.goto(`${mount}menu`);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    expect(await page.getByRole('button', { name: /add/i }).count()).toBeGreaterThan(5);
    const links = await page
      .locator('main a[href]')
      .evaluateAll((all) => all.map((link) => (link as HTMLAnchorElement).pathname));
    expect(links.length).toBeGreaterThan(3);
    expect(links.filter((link) => !link.startsWith(mount))).toEqual([]);
  }
  await context.close();
});

test('what is tapped before the script turns or is counted at once, and stays so when the script is there [CART-X02]', async ({
  page,
}) => {
  let letGo = () => {};
  const released = new Promise<void>((done) => {
    letGo = done;
  });
  await page.route(/\/first\.[^/]*\.js$/, async (route) => {
    await released;
    await route.continue();
  });
  await page.goto('/in/gpay/menu', { waitUntil: 'commit' });
  const heart = page.getByRole('button', { name: /^Favourite: / }).first();
  for (const pressed of ['true', 'false', 'true']) {
    await heart.click();
    await expect(heart).toHaveAttribute('aria-pressed', pressed);
  }
  await page.getByRole('button', { name: 'Add Garden Four' }).first().click();
  const dish = page.getByRole('group', { name: 'Quantity of Garden Four' });
  await expect(dish.first()).toContainText('1');
  const filters = page.getByRole('button', { name: 'All filters' });
  await filters.click();
  await filters.click();
  await expect(filters).toHaveAttribute('aria-busy', 'true');
  letGo();
  await expect(page.getByRole('dialog', { name: 'Filters' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(heart).toHaveAttribute('aria-pressed', 'true');
  await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
  await page.getByRole('link', { name: /^Cart ?, 1 item/ }).click();
  await expect(page.getByRole('heading', { name: 'Your cart', exact: true })).toBeVisible();
  await expect(dish).toContainText('1');
});

test('a page that is painted in the middle of its bottom bar has the bar where it stays [QUAL-X06]', async ({
  page,
  server,
}) => {
  const { mount } = browsers[0]!;
  let letGo = () => {};
  const released = new Promise<void>((done) => {
    letGo = done;
  });
  // In front of the server: the rest of the page comes when its beginning is painted.
  const line = createServer((request, response) => {
    void fetch(server.url + request.url).then(async (answer) => {
      const body = Buffer.from(await answer.arrayBuffer());
      response.setHeader('content-type', answer.headers.get('content-type') ?? '');
      if (request.url !== mount) return response.end(body);
      const cut = body.indexOf('>', body.indexOf('data-dock')) + 1;
      response.write(body.subarray(0, cut));
      await released;
      return response.end(body.subarray(cut));
    });
  });
  await new Promise<void>((done) => {
    line.listen(0, done);
  });
  try {
    const shifts = await watchShifts(page);
    await page.goto(`http://127.0.0.1:${(line.address() as AddressInfo).port}${mount}`, { waitUntil: 'commit' });
    await page.waitForFunction(() => performance.getEntriesByType('paint').length > 0);
    await expect(page.locator('[data-dock] a')).toHaveCount(0);
    letGo();
    await page.waitForLoadState('networkidle');
    await expect(page.locator('[data-dock] a')).toHaveCount(4);
    expect(await shifts()).toEqual([]);
  } finally {
    letGo();
    line.closeAllConnections();
    line.close();
  }
});

test.describe('with the worker of the page', () => {
  test.use({ serviceWorkers: 'allow' });

  for (const bundle of browsers) {
    test(`${bundle.country}: is a web app that opens and shows its menu without a network [NAV-79, NAV-X02]`, async ({
      page,
      open,
      context,
    }) => {
      await open(bundle, '/menu');
      await page.evaluate(async () => {
        await navigator.serviceWorker.ready;
      });
      // The worker takes the page over once it has kept all it needs.
      await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
      const dish = await page.locator('main h3').first().innerText();
      await page.reload();
      await page.waitForLoadState('networkidle');
      // Nothing that is a customer's own.
      const kept = await page.evaluate(async () => {
        const held = await Promise.all((await caches.keys()).map(async (name) => (await caches.open(name)).keys()));
        return held.flat().map(({ url }) => new URL(url).pathname);
      });
      expect(kept.length).toBeGreaterThan(3);
      const ours = /^\/content\/ve1\/stores\/[^/]+\/(menu|toppings)$/;
      expect(kept.filter((where) => !where.startsWith(bundle.mount) && !ours.test(where))).toEqual([]);
      await context.setOffline(true);
      for (const route of ['menu', '', 'menu/sides']) {
        await page.goto(bundle.mount + route);
        await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible();
      }
      await page.goto(`${bundle.mount}menu`);
      await expect(page.getByText(dish).first()).toBeVisible();
      await context.setOffline(false);
    });
  }

  test('a page of a country is not taken over by the worker of another bundle below it', async ({ page, open }) => {
    const [india, mini] = [named('in/browser')[0], named('in/gpay')[0]];
    expect([india?.mount, mini?.mount]).toEqual(['/in/', '/in/gpay/']);
    await open(india!, '/');
    await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
    await open(mini!, '/');
    await page.context().setOffline(true);
    const failed = await page.reload().then(
      () => false,
      () => true,
    );
    expect(failed).toBe(true);
  });
});

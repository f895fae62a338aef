import { cpSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { temporaryFolder } from '../kit/folder.ts';
import { expect, test } from '../kit/app.ts';
import { spawnServer } from '../kit/server.ts';
import { bundle, heading, look } from './steps.ts';

const web = bundle('in', 'browser');

test('what is switched off closes with the first answer; what is not urgent is asked 3 s later [NAV-86] [CFG-41]', async ({
  page,
  server,
}) => {
  await server.switches({ features: JSON.stringify({ features: [{ name: 'offers', value: 'D' }] }) });
  try {
    // No timer of the page runs before it is told to.
    const now = Date.now();
    await page.clock.install({ time: now });
    await page.clock.pauseAt(now + 1_000);
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await page.goto(web.mount);
    await expect(page.getByRole('link', { name: 'Coupons' })).toHaveCount(0);
    await expect(heading(page, 'Bestsellers')).toBeVisible();
    await page.waitForLoadState('networkidle');
    const late = ['/api/ve1/pwa-config', '/alert-service/ve1/alerts'];
    expect(asked.filter((one) => late.includes(one))).toEqual([]);
    await page.clock.runFor(2_999);
    // What a timer had begun by now is under way before the answer to this.
    for (let turn = 0; turn < 3; turn += 1)
      await page.evaluate(async () => await (await fetch(location.href, { cache: 'no-store' })).text());
    expect(asked.filter((one) => late.includes(one))).toEqual([]);
    await page.clock.runFor(1);
    for (const one of late) await expect.poll(() => asked).toContain(one);
  } finally {
    await server.switches({ features: JSON.stringify({ features: [] }) });
  }
});

test('the layout of a desk begins above 770 px; a popup takes 75, 50 or 30 percent of the width [NAV-83] [NAV-84]', async ({
  page,
  server,
}) => {
  await page.setViewportSize({ width: 770, height: 900 });
  await page.goto(`${web.mount}menu/sides`);
  const dock = page.getByRole('navigation', { name: 'Main' });
  const bottomOf = async () => {
    const box = (await dock.boundingBox())!;
    return box.y + box.height;
  };
  await expect(dock).toBeVisible();
  expect(await bottomOf()).toBeGreaterThan(800);
  await page.setViewportSize({ width: 771, height: 900 });
  await expect.poll(bottomOf).toBeLessThan(200);
  await server.switches({ faults: [{ match: '/items', status: 401 }] });
  await page.getByRole('button', { name: 'Add Garlic Bread Sticks' }).click();
  const popup = page.getByRole('alertdialog');
  await expect(popup).toContainText('Looks like something went wrong');
  for (const [width, share] of [
    [400, 0.75],
    [600, 0.5],
    [1_200, 0.3],
  ] as const) {
    await page.setViewportSize({ width, height: 900 });
    await expect.poll(async () => Math.round((await popup.boundingBox())!.width)).toBe(width * share);
  }
  const [height, width, em] = await popup.evaluate((dialog) => {
    const body = dialog.querySelector<HTMLElement>('[tabindex="0"]')!;
    body.querySelector('p')!.textContent = 'Very long. '.repeat(500);
    const { height, width } = body.getBoundingClientRect();
    return [height, width, Number.parseFloat(getComputedStyle(body).fontSize)];
  });
  expect([height, width <= 18.75 * em]).toEqual([18.75 * em, true]);
});

test('a new version is offered, and the page is loaded anew only when asked to [NAV-X04]', async ({ browser }) => {
  const folder = temporaryFolder('bundles');
  cpSync(path.resolve(import.meta.dirname, '../../dist/in/browser'), path.join(folder, 'in/browser'), {
    recursive: true,
  });
  const server = await spawnServer({ settings: { distDir: folder } });
  const context = await browser.newContext({ baseURL: server.url, serviceWorkers: 'allow' });
  try {
    const page = await context.newPage();
    await page.clock.install();
    await page.goto(web.mount);
    await page.evaluate(async () => {
      await navigator.serviceWorker.ready;
      if (!navigator.serviceWorker.controller)
        await new Promise((done) => {
          navigator.serviceWorker.addEventListener('controllerchange', done, { once: true });
        });
    });
    const inside = path.join(folder, 'in/browser');
    writeFileSync(
      path.join(inside, 'sw.js'),
      `${readFileSync(path.join(inside, 'sw.js'), 'utf8')}\n// Another version.`,
    );
    for (const packed of ['sw.js.gz', 'sw.js.br']) rmSync(path.join(inside, packed));
    utimesSync(path.join(inside, 'meta.json'), new Date(), new Date());
    let loads = 0;
    page.on('load', () => {
      loads += 1;
    });
    await page.clock.runFor(4_000);
    await page.evaluate(async () => {
      await (await navigator.serviceWorker.ready).update();
    });
    await expect(page.getByText('A new version of this app is ready.')).toBeVisible();
    expect(loads).toBe(0);
    await page.getByRole('button', { name: 'Reload' }).click();
    // The whole page anew, which a busy machine takes its time for.
    await expect.poll(() => loads, { timeout: 45_000 }).toBe(1);
    await expect(heading(page, 'Bestsellers')).toBeVisible();
    await page.clock.runFor(4_000);
    expect(loads).toBe(1);
    expect(await page.evaluate(async () => (await navigator.serviceWorker.ready).waiting)).toBeNull();
  } finally {
    await context.close();
    await server.stop();
  }
});

test('where the script never comes taps are let go, and the page says so, with the help number and the menu to read', async ({
  page,
}) => {
  const script = /\/first\.[^/]*\.js$/;
  await page.clock.install();
  await page.route(script, () => {});
  await page.goto(`${web.mount}menu`, { waitUntil: 'commit' });
  const notice = page.getByRole('alert').filter({ hasText: 'Ordering has not started' });
  const toggle = page.getByRole('button', { name: 'All filters' });
  // Nobody waits for it here.
  const end = () => page.evaluate(() => document.getAnimations().forEach((one) => one.finish()));
  await toggle.click();
  await expect(toggle).toHaveAttribute('aria-busy', 'true');
  await expect(notice).toBeHidden();
  await end();
  await expect(toggle).not.toHaveAttribute('aria-busy');
  await toggle.click();
  await expect(page.locator('[aria-busy]')).toHaveCount(0);
  await end();
  await expect(notice).toBeVisible();
  await expect(notice.getByRole('link', { name: '6888 6888' })).toHaveAttribute('href', 'tel:68886888');
  await look(page, 'late');
  await notice.getByRole('link', { name: 'Read the menu' }).click();
  // All of it, also what the page draws only when it is scrolled to.
  await expect(heading(page, 'Garden Four')).toBeVisible();
  await expect(heading(page, 'Beverages')).toBeVisible();
  await page.unroute(script);
  await page.getByRole('link', { name: 'Start again' }).click();
  await expect(heading(page, 'Bestsellers')).toBeVisible();
  await expect(page.locator('.late')).toHaveCount(0);
});

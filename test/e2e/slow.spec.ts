import type { Page } from '@playwright/test';
import { expect, test } from '../kit/app.ts';
import { enterHost, setHost } from './hosts.ts';
import { addFromMenu, bundle, heading, look, noon } from './steps.ts';

const web = bundle('in', 'browser');
const paytm = bundle('in', 'paytm');

/** What the page asks for, by the end of its address. */
function asked(page: Page) {
  const paths: string[] = [];
  page.on('request', (request) => paths.push(new URL(request.url()).pathname));
  return {
    pictures: () => paths.filter((path) => /food[^/]*\.svg$|\/tiles\//.test(path)),
    calls: () => paths.filter((path) => /\/widget$|alerts|pwa-config|savePageView/.test(path)),
  };
}

test("on a slow network, by the customer's wish or the host's word, pictures wait until it gets better [MINI-21] [QUAL-X07]", async ({
  page,
  server,
}) => {
  await noon(server);
  const seen = asked(page);
  // The customer's wish is known before the first picture is.
  await page.addInitScript(() => {
    const line = Object.assign(new EventTarget(), {
      saveData: !location.pathname.includes('paytm'),
      effectiveType: '4g',
    });
    Object.defineProperty(navigator, 'connection', { configurable: true, get: () => line });
  });
  const slow = page.locator('html[data-slow]');
  const better = () =>
    page.evaluate(() => {
      const line = (navigator as unknown as { connection: EventTarget & { saveData: boolean } }).connection;
      line.saveData = false;
      line.dispatchEvent(new Event('change'));
    });
  await page.goto(`${web.mount}menu`);
  await addFromMenu(page);
  await page.goto(`${web.mount}menu/sides`);
  await expect(heading(page, 'Sides').first()).toBeVisible();
  await look(page, 'slow-sides');
  await page.goto(web.mount);
  await expect(heading(page, 'Bestsellers')).toBeVisible();
  await expect(slow).toHaveCount(1);
  expect([seen.pictures(), seen.calls()]).toEqual([[], []]);
  // Nor does the worker fetch its own copies of the pages beside an order.
  expect(await page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length)).toBe(0);
  await better();
  await expect(slow).toHaveCount(0);
  await expect.poll(seen.calls).toEqual(expect.arrayContaining([expect.stringMatching(/\/widget$/)]));
  await page.goto(`${web.mount}menu/sides`);
  await expect(slow).toHaveCount(1);
  await better();
  await expect.poll(seen.pictures).not.toEqual([]);

  // Inside a host its own query decides, whatever the browser says.
  await enterHost(page, paytm, { user: 'slow-customer', controls: { networkType: 'wifi', hostNetwork: '2g' } });
  await page.goto(`${paytm.mount}menu/sides`);
  await expect(slow).toHaveCount(1);
  await setHost(page, { networkType: 'cellular', hostNetwork: 'wifi' });
  await expect(slow).toHaveCount(0);
});

test('a customer who asks for less motion gets no transition, lasting animation or smooth scrolling [QUAL-X08]', async ({
  page,
  server,
}) => {
  await noon(server);
  /** What moves on the page as it stands. */
  const moving = () =>
    page.evaluate(() => {
      const found = new Set<string>();
      const most = (list: string) => Math.max(...list.split(', ').map(Number.parseFloat));
      for (const element of document.querySelectorAll('*'))
        for (const part of [null, '::before', '::after']) {
          const style = getComputedStyle(element, part);
          if (most(style.transitionDuration) > 0.001) found.add('transition');
          if (style.animationName !== 'none' && most(style.animationDuration) > 0.001) found.add('animation');
          if (style.scrollBehavior === 'smooth') found.add('scrolling');
        }
      return [...found].sort();
    });
  await page.goto(`${web.mount}menu`);
  await addFromMenu(page);
  await page.getByRole('button', { name: 'Filters' }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  expect(await moving()).toEqual(['animation', 'scrolling', 'transition']);
  await page.emulateMedia({ reducedMotion: 'reduce' });
  expect(await moving()).toEqual([]);
});

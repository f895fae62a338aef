import type { Page } from '@playwright/test';
import { expect, test as base } from '../kit/app.ts';
import * as firstText from '#text/first.ts';
import { addFromMenu, below, bundle, follow, heading, look, noon } from './steps.ts';

const web = bundle('in', 'browser');

const test = base.extend<{ asOpen: void }>({
  asOpen: [
    async ({ server }, use) => {
      await noon(server);
      await use();
    },
    { auto: true },
  ],
});

test('a screen whose script does not come ends after five tries in the error screen; Refresh brings all back [ERR-35, ERR-51] [NAV-76]', async ({
  page,
}) => {
  let refused = 0;
  await page.goto(`${web.mount}menu`);
  await addFromMenu(page);
  // Its journey's script was fetched ahead: the page is loaded anew without it.
  await page.route(/\/dishes-\w+\.js/, (route) => {
    refused += 1;
    return refused <= 2 ? route.abort() : route.continue();
  });
  await page.reload();
  await page.getByRole('link', { name: 'Search' }).first().click();
  await expect(page.getByRole('searchbox')).toBeVisible();
  expect(refused).toBeGreaterThan(2);
  await page.route(/\/dishes-\w+\.js/, (route) => route.abort());
  await page.goto(`${web.mount}menu`);
  await expect(page.getByRole('contentinfo')).toBeVisible();
  await page.route(/\.js(\?|$)/, (route) => route.abort());
  await page.getByRole('link', { name: 'Search' }).first().click();
  await expect(heading(page, firstText.screenErrorTitle)).toBeVisible();
  await expect(page.getByText(firstText.screenErrorText)).toBeVisible();
  await expect(page.getByText(firstText.routerError)).toBeVisible();
  await look(page, 'error-screen');
  await page.unrouteAll();
  await page.getByRole('button', { name: 'Refresh' }).click();
  await expect(page.getByRole('searchbox')).toBeVisible();
  await page.goto(`${web.mount}cart`);
  await expect(heading(page, 'Your cart')).toBeVisible();
  await expect(page.getByRole('group', { name: 'Quantity of Garden Four' })).toContainText('1');
});

const scrolledTo = (page: Page, top: number) =>
  expect.poll(() => page.evaluate((wanted) => Math.abs(scrollY - wanted), top)).toBeLessThan(40);

test('back returns each visit to the menu to its place, with the focus on the dish; a new one begins at the top [NAV-X05]', async ({
  page,
}) => {
  const dish = page.locator('main li h3 a').and(page.locator(':visible'));
  const openAt = async (top: number) => {
    await page.evaluate((to) => scrollTo(0, to), top);
    await scrolledTo(page, top);
    await expect.poll(() => dish.evaluateAll((all) => all.length)).toBeGreaterThan(3);
    const at = await dish.evaluateAll((all) =>
      all.findIndex(
        (one) => one.getBoundingClientRect().top > 120 && one.getBoundingClientRect().bottom < innerHeight - 80,
      ),
    );
    const name = await dish.nth(at).innerText();
    await dish.nth(at).click();
    await expect(heading(page, name)).toBeFocused();
    return name;
  };
  const isBackAt = async (name: string, top: number) => {
    // The keyboard and a screen reader go on from the dish, too.
    await expect(page.getByRole('link', { name, exact: true }).and(page.locator(':focus'))).toBeInViewport();
    await scrolledTo(page, top);
  };
  await page.goto(`${web.mount}menu`);
  await expect(page.getByRole('button', { name: /^Add / }).first()).toBeVisible();
  const first = await openAt(2_400);
  await follow(page, web, '/menu');
  await expect(heading(page, 'Menu').first()).toBeFocused();
  await scrolledTo(page, 0);
  const second = await openAt(900);
  await page.goBack();
  await isBackAt(second, 900);
  await page.goBack();
  await expect(heading(page, first)).toBeVisible();
  await page.goBack();
  await isBackAt(first, 2_400);
  // A link that is tapped twice is one step.
  await page
    .getByRole('link', { name: /^Cart/ })
    .first()
    .evaluate((link: HTMLElement) => {
      link.click();
      link.click();
    });
  await expect(heading(page, 'Your cart is empty')).toBeVisible();
  await page.goBack();
  await expect.poll(() => below(page, web)).toBe('/menu');

  // The same between two views of one page.
  await page.setViewportSize({ width: 390, height: 420 });
  await page.goto(`${web.mount}manualSelector`);
  const city = page.getByRole('link', { name: /^New Delhi/ });
  await expect(city).toBeVisible();
  await city.evaluate((link) => link.scrollIntoView({ block: 'center' }));
  const cities = await page.evaluate(() => scrollY);
  await city.click();
  await expect(heading(page, 'Areas of New Delhi')).toBeFocused();
  await scrolledTo(page, 0);
  const area = page.getByRole('link', { name: /^Saket/ });
  await area.evaluate((link) => link.scrollIntoView({ block: 'center' }));
  const areas = await page.evaluate(() => scrollY);
  expect([cities, areas].every((top) => top > 40)).toBe(true);
  await area.click();
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
  await page.goBack();
  await expect(area).toBeFocused();
  await scrolledTo(page, areas);
  await page.goBack();
  await expect(city).toBeFocused();
  await scrolledTo(page, cities);
  await page.goForward();
  await expect(area).toBeFocused();
});

test('the first Tab offers to skip to the content; a sheet gives the focus back to what opened it, pressed as in Safari [NAV-X06]', async ({
  page,
}) => {
  // Presses that do not focus what they press.
  await page.addInitScript(() => addEventListener('mousedown', (event) => event.preventDefault(), true));
  await page.goto(`${web.mount}menu`);
  // The foot comes once the page is connected.
  await expect(page.getByRole('contentinfo')).toBeVisible();
  await page.keyboard.press('Tab');
  const skip = page.getByRole('link', { name: 'Skip to the content' });
  await expect(skip).toBeFocused();
  await expect(skip).toBeInViewport();
  await page.keyboard.press('Enter');
  // Past the categories and the filters: the next stop is in the first dish.
  await expect(page.locator('#main')).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(page.locator('#main li:first-child :focus').first()).toBeInViewport();
  expect(below(page, web)).toBe('/menu');
  const opener = page.getByRole('button', { name: 'All filters' });
  await opener.click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(opener).toBeFocused();
});

import type { Page } from '@playwright/test';
import { expect, test, type Bundle } from '../kit/app.ts';
import { sample } from '../kit/matrix.ts';
import { enterHost, setHost } from './hosts.ts';
import { bundle, heading, look, settleAt } from './steps.ts';

const bar = (page: Page) => page.getByLabel('Your choice');
const olives = (page: Page) => page.getByRole('listitem').filter({ hasText: 'Black Olive' });
const line = (page: Page) => page.getByRole('listitem').filter({ hasText: 'Left half: Garden Four' });
const amount = (text: string) => text.replace(/[^₹\d,.]/g, '');

const setOffline = (page: Page, own: Bundle, isOffline: boolean) =>
  own.host === 'browser'
    ? page.context().setOffline(isOffline)
    : setHost(page, { networkType: isOffline ? 'none' : 'wifi' });

for (const host of sample(['browser', 'gpay'], ['gpay'])) {
  test(`in/${host}: two halves are built, come back as they were built, and are changed offline [MENU-X01]`, async ({
    page,
    server,
    phone,
  }) => {
    const own = bundle('in', host);
    const mobile = phone('in');
    await enterHost(page, own, { user: `customer-${mobile}` });
    await settleAt(page, server.url, own, mobile);

    await page.getByRole('link', { name: 'Garden Four' }).first().click();
    await page.getByRole('group', { name: 'Size' }).getByText('Medium').click();
    await page.getByRole('button', { name: 'Choose', exact: true }).click();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /Double Cheese Melt/ })
      .click();
    await olives(page).getByRole('checkbox').check();
    await olives(page).getByRole('button', { name: 'Black Olive: Normal, whole' }).click();
    await page.getByRole('group', { name: 'Amount of Black Olive' }).getByText('Extra').click();
    await page.getByRole('group', { name: 'Where to put Black Olive' }).getByText('Left').click();
    await expect(page.getByRole('img', { name: /Black Olive/ }).first()).toBeVisible();
    await look(page, `${host}-halves`);
    const price = amount(await bar(page).getByRole('button', { name: /^Add/ }).innerText());
    // It slides in and leaves after five seconds: a busy machine may never find it at rest, or look only after them.
    const seen = page.getByRole('button', { name: 'View cart' }).dispatchEvent('click');
    await bar(page).getByRole('button', { name: /^Add/ }).click();
    await seen;
    await expect(line(page)).toContainText('Right half: Double Cheese Melt');
    await expect(line(page)).toContainText(price);

    await line(page).getByRole('link', { name: /^Edit/ }).click();
    await expect(page.getByRole('radio', { name: /Medium/ })).toBeChecked();
    await expect(page.getByText('Left: Garden Four. Right: Double Cheese Melt.')).toBeVisible();
    await expect(olives(page).getByRole('button', { name: 'Black Olive: Extra, left' })).toBeVisible();
    await expect(bar(page).getByRole('button', { name: 'Update' })).toContainText(price);
    await page.getByRole('group', { name: 'Size' }).getByText('Large').click();
    await expect(bar(page).getByRole('button', { name: 'Update' })).not.toContainText(price);
    const dearer = amount(await bar(page).getByRole('button', { name: 'Update' }).innerText());
    await bar(page).getByRole('button', { name: 'Update' }).click();
    await expect(heading(page, 'Your cart')).toBeVisible();
    await expect(line(page)).toContainText(dearer);
    await expect(line(page)).toHaveCount(1);

    // Offline it is changed all the same, and priced when there is a network again.
    await setOffline(page, own, true);
    await expect(page.locator('html')).toHaveAttribute('data-offline', '');
    await page.getByRole('button', { name: /^One more .*Garden Four/ }).click();
    await expect(page.getByText('Prices follow when you are online again.')).toBeVisible();
    await setOffline(page, own, false);
    await expect(page.getByText(/^(Prices follow|Working out)/)).toHaveCount(0);
    await expect(page.getByRole('group', { name: /^Quantity of .*Garden Four/ })).toContainText('2');
  });
}

for (const width of sample([320, 390, 760], [320])) {
  test(`${width} px: a finger needs one tap for each category; the sum of a large cart keeps its place, whole [MENU-02]`, async ({
    browser,
    server,
  }) => {
    const context = await browser.newContext({
      baseURL: server.url,
      viewport: { width, height: 780 },
      hasTouch: true,
      isMobile: true,
      // What moves under a finger is measured where it stands.
      reducedMotion: 'reduce',
    });
    const page = await context.newPage();
    const own = `${bundle('in', 'browser').mount}menu`;
    await page.goto(own);
    await expect(heading(page, 'Menu')).toBeVisible();
    const tabs = page.getByRole('navigation', { name: 'Categories' }).getByRole('link');
    await expect(tabs.nth(4)).toBeAttached();
    const names = await tabs.allTextContents();
    for (const [at, name] of names.entries()) {
      const tab = tabs.nth(at);
      const seen = async () => {
        const box = (await tab.boundingBox())!;
        return { ...box, from: Math.max(0, box.x), to: Math.min(width, box.x + box.width) };
      };
      let { from, to, y, height } = await seen();
      if (to - from < 16) {
        await tab.evaluate((element) => element.scrollIntoView({ inline: 'nearest', block: 'nearest' }));
        ({ from, to, y, height } = await seen());
      }
      await page.touchscreen.tap((from + to) / 2, y + height / 2);
      await expect(tab, name).toHaveAttribute('aria-current', 'page');
      // It is a place on the page, not another page.
      await expect(page.getByRole('region', { name, exact: true })).toBeInViewport();
      expect(new URL(page.url()).pathname, name).toBe(own);
    }
    await page.evaluate(() => scrollTo(0, 0));
    const dishes = page.getByRole('main').getByRole('listitem');
    for (const position of [0, 1, 2, 3, 4]) await dishes.nth(position).getByRole('button', { name: /^Add/ }).click();
    const more = dishes.first().getByRole('button', { name: /^One more/ });
    for (let count = 0; count < 4; count += 1) await more.click();
    const link = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: /^Cart/ });
    const sum = link.getByText(/^₹1,\d{3}/);
    await expect(sum).toBeVisible();
    // The sum is drawn anew when the server's own comes.
    const room = async () => {
      const [inner, outer] = [await sum.boundingBox(), await link.boundingBox()];
      return inner && outer ? outer.x + outer.width - inner.x - inner.width : null;
    };
    await expect.poll(room).toBeGreaterThanOrEqual(2);
    await context.close();
  });
}

test('in/browser: the legal marks are green and brown, sign and square alike, also where colours are forced [MENU-06]', async ({
  open,
  page,
}) => {
  for (const [name, path, isRight] of [
    ['Vegetarian', '/menu/veg-pizza', (r: number, g: number, b: number) => g > 1.5 * r && g > 1.5 * b],
    [
      'Non-vegetarian',
      '/menu/non-veg-pizza',
      (r: number, g: number, b: number) => r > 1.5 * g && g > 1.5 * b && r < 200,
    ],
  ] as const) {
    await open(bundle('in', 'browser'), path);
    const square = page.getByRole('img', { name, exact: true }).first().locator('svg').first();
    for (const forcedColors of ['none', 'active'] as const) {
      await page.emulateMedia({ forcedColors });
      await expect(square).toBeVisible();
      const found = await square.evaluate((one) => {
        const { borderTopColor, color } = getComputedStyle(one);
        return [borderTopColor, color, getComputedStyle(one.firstElementChild!).fill];
      });
      expect(new Set(found).size, found.join()).toBe(1);
      const [r = 0, g = 0, b = 0] = found[0]!.match(/\d+/g)!.map(Number);
      expect(isRight(r, g, b), `${name} ${forcedColors} ${found[0]}`).toBe(true);
    }
  }
});

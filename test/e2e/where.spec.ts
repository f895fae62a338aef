import type { Page } from '@playwright/test';
import { expect, test, watchTrouble } from '../kit/app.ts';
import { sample } from '../kit/matrix.ts';
import { enterHost } from './hosts.ts';
import { bundle, heading, look, noon } from './steps.ts';

const map = (page: Page) => page.getByRole('group', { name: /^Map with your pin/ });
/** Tiles of the map that the browser could draw. */
const tilesDrawn = (page: Page) =>
  page
    .locator('img[src*="/tiles/"]')
    .evaluateAll((images) => images.filter((image) => (image as HTMLImageElement).naturalWidth > 0).length);

test.beforeEach(async ({ server }) => {
  await noon(server);
});

for (const own of sample(
  [bundle('in', 'browser'), bundle('in', 'gpay'), bundle('in', 'paytm')],
  [bundle('in', 'gpay')],
)) {
  test(`${own.country}/${own.host}: keys alone move the pin to the door, and a pointer the map [LOC-10, LOC-13, NAV-57]`, async ({
    page,
    phone,
  }) => {
    const troubles = watchTrouble(page);
    await enterHost(page, own, { user: `customer-${phone('in')}` });
    await page.goto(`${own.mount}postorder-ui/mapScreen?page=%2Fmenu`);
    await expect(heading(page, 'Put the pin at your door')).toBeVisible();
    await expect.poll(() => tilesDrawn(page)).toBeGreaterThan(1);
    await expect(heading(page, /India Gate|New Delhi/)).toBeVisible();
    await look(page, `pin-${own.host}`);
    // However short the page, its bar lies at the lower edge.
    expect(await page.locator('[data-bar]').evaluate((bar) => innerHeight - bar.getBoundingClientRect().bottom)).toBe(
      0,
    );
    await map(page).focus();
    for (let step = 0; step < 12; step += 1) await page.keyboard.press('Shift+ArrowUp');
    await expect(map(page)).toHaveAccessibleName(/Connaught Place/);
    await page.keyboard.press('+');
    await page.getByRole('button', { name: 'Deliver here' }).focus();
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(/\/menu$/);
    await expect(page.getByRole('link', { name: /^Delivery to ?.*Connaught Place/ })).toBeVisible();
    // No way out of a mini-app from here.
    expect(await page.locator('a[href^="http"]').count()).toBe(0);
    // Dragged, the map moves below the pin, and the words follow.
    await page.goto(`${own.mount}postorder-ui/mapScreen?page=%2Fmenu`);
    await expect.poll(() => tilesDrawn(page)).toBeGreaterThan(1);
    await expect(map(page)).toHaveAccessibleName(/Connaught Place|New Delhi/);
    const before = (await map(page).getAttribute('aria-label'))!;
    const box = (await map(page).boundingBox())!;
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width / 2 - 90, box.y + box.height / 2 + 100, { steps: 8 });
    await page.mouse.up();
    await expect.poll(() => map(page).getAttribute('aria-label')).not.toBe(before);
    expect(troubles).toEqual([]);
  });
}

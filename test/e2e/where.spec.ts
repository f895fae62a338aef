import type { Page } from '@playwright/test';
import * as errors from '#text/errors.ts';
import { expect, test, watchTrouble, type Bundle } from '../kit/app.ts';
import { chromiumOptions } from '../kit/browser.ts';
import { sample } from '../kit/matrix.ts';
import { enterHost } from './hosts.ts';
import { bundle, heading, logInAt, look, noon, toast } from './steps.ts';

test.use({ launchOptions: chromiumOptions() });

const web = bundle('in', 'browser');
const map = (page: Page) => page.getByRole('group', { name: /^Map with your pin/ });
/** Tiles of the map that the browser could draw. */
const tilesDrawn = (page: Page) =>
  page
    .locator('img[src*="/tiles/"]')
    .evaluateAll((images) => images.filter((image) => (image as HTMLImageElement).naturalWidth > 0).length);

async function search(page: Page, own: Bundle, typed: string, suggestion: RegExp, query = ''): Promise<void> {
  await page.goto(`${own.mount}postorder-ui/searchAddress${query}`);
  await page.getByRole('combobox', { name: 'Search for your area' }).pressSequentially(typed);
  await page.getByRole('option', { name: suggestion }).first().click();
}

test.beforeEach(async ({ server }) => {
  await noon(server);
});

for (const own of sample([web, bundle('in', 'gpay'), bundle('in', 'paytm')], [bundle('in', 'gpay')])) {
  test(`${own.country}/${own.host}: keys alone move the pin to the door, on an allowed map [LOC-10, LOC-13, NAV-57]`, async ({
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
    expect(troubles).toEqual([]);
  });
}

test('dragging the map moves the pin, and the words follow [LOC-10]', async ({ page }) => {
  await page.goto(`${web.mount}postorder-ui/mapScreen`);
  await expect.poll(() => tilesDrawn(page)).toBeGreaterThan(1);
  await expect(map(page)).toHaveAccessibleName(/New Delhi/);
  const before = await map(page).getAttribute('aria-label');
  const box = (await map(page).boundingBox())!;
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width / 2 - 90, box.y + box.height / 2 + 100, { steps: 8 });
  await page.mouse.up();
  await expect.poll(() => map(page).getAttribute('aria-label')).not.toBe(before);
});

test('where no map can be had, the buttons and the words are enough [LOC-10] @all', async ({ page, phone }) => {
  const own = bundle('in', 'gpay');
  await page.route(/\/tilemap-|\/tiles\//, (route) => route.abort());
  await enterHost(page, own, { user: `customer-${phone('in')}` });
  await page.goto(`${own.mount}postorder-ui/mapScreen`);
  await expect(page.getByText('The map did not load. You can order without it.')).toBeVisible();
  const there = await map(page).getAttribute('aria-label');
  for (let step = 0; step < 10; step += 1)
    await page.getByRole('button', { name: 'Move the pin east' }).click({ modifiers: ['Shift'] });
  await expect.poll(() => map(page).getAttribute('aria-label')).not.toBe(there);
  await expect(page.getByRole('button', { name: 'Deliver here' })).toBeEnabled();
});

test('a number on the takeaway map picks a store, which home then names; the list does the same [LOC-23, LOC-24, LOC-47] @all', async ({
  page,
}) => {
  const troubles = watchTrouble(page);
  await page.goto(`${web.mount}postorder-ui/selectRestaurant?deliveryType=DINEIN&storePage=map&isFromHome=true`);
  await expect.poll(() => tilesDrawn(page)).toBeGreaterThan(1);
  const numbers = page.getByRole('list', { name: 'Stores on the map' }).getByRole('button');
  const cards = page.getByRole('article');
  await expect(numbers).toHaveCount(await cards.count());
  await look(page, 'takeaway-map');
  await page.getByRole('button', { name: 'Come closer' }).click();
  await page.getByRole('button', { name: 'Show more of the map' }).click();
  await numbers.nth(1).click();
  await expect(numbers.nth(1)).toHaveAttribute('aria-pressed', 'true');
  const name = (await page.getByRole('article').nth(1).getByRole('heading').innerText()).replace(/^\d\s*/, '');
  await page.getByRole('button', { name: 'Choose it' }).click();
  await expect(page).toHaveURL(/\/in\/$/);
  await expect(page.getByRole('link', { name: new RegExp(`^Dine-in from ?${name.split(',')[0]}`) })).toBeVisible();
  await page.goto(`${web.mount}postorder-ui/selectRestaurant?deliveryType=DINEIN&isFromHome=true`);
  await expect(page.getByRole('article').filter({ hasText: name }).getByRole('button')).toHaveAttribute(
    'aria-pressed',
    'true',
  );
  // Not from home, and at a store that brings it to the car.
  await page.goto(`${web.mount}postorder-ui/selectRestaurant?deliveryType=PICKUP`);
  await page
    .getByRole('article')
    .filter({ has: heading(page, /Saket, New Delhi/) })
    .getByRole('button')
    .click();
  await expect(page).toHaveURL(/\/home\?offline=false$/);
  await expect(toast(page).getByText('Takeaway at Saket, New Delhi.')).toBeVisible();
  await expect(page.getByRole('link', { name: /^Takeaway from ?Saket/ })).toBeVisible();
  expect(await page.evaluate(() => localStorage.getItem('IN/browser:delivery-type'))).toBe('"CURB"');
  expect(troubles).toEqual([]);
});

test('a place nobody delivers to offers the nearest store to collect from [LOC-17, ERR-17] @all', async ({ page }) => {
  await search(page, web, 'फरीदाबाद', /^Faridabad/, '?page=%2Fmenu');
  await expect(heading(page, errors.noDeliveryHere)).toBeVisible();
  await look(page, 'no-delivery');
  await page.getByRole('button', { name: /^Collect at / }).click();
  await expect(page).toHaveURL(/\/home\?offline=false$/);
  await expect(page.getByRole('link', { name: /^(Takeaway|Curbside pickup) from/ })).toBeVisible();
});

test('an address kept on the device goes into the account with the login, notes and receiver too [LOC-42, LOC-X03, NAV-52] @all', async ({
  page,
  server,
  phone,
}) => {
  const mobile = phone('in');
  await search(page, web, 'connaught', /^Connaught Place/);
  await expect(page).toHaveURL(/\/address/);
  await page.getByLabel('House, flat or floor number').fill('7 C');
  await page.getByLabel('Street', { exact: true }).fill('Radial Road 3');
  await page.getByLabel(/^Landmark/).fill('the clock tower');
  await page.getByLabel(/^For the rider/).fill('Ring twice');
  await page.getByRole('group', { name: 'Save it as' }).getByText('Office').click();
  await page.getByRole('button', { name: 'Somebody else receives it' }).click();
  await page.getByLabel(/^Receiver's name/).fill('Ravi');
  await look(page, 'address-form');
  await page.getByRole('button', { name: 'Save address' }).click();
  await expect(page).toHaveURL(/\/menu$/);
  await page.goto(`${web.mount}postorder-ui/myAddresses?fromProfile=true`);
  await expect(page.getByText('Kept on this device.')).toBeVisible();

  await page.goto(`${web.mount}login?redirectUrl=%2Fpostorder-ui%2FmyAddresses%3FfromProfile%3Dtrue`);
  await page.getByLabel('Mobile number').fill(mobile);
  await page.getByRole('button', { name: 'Send me a code' }).click();
  await expect(page.getByLabel('Code')).toBeVisible();
  const [sms = ''] = await server.inbox(`+91${mobile}`);
  await page.getByLabel('Code').fill(/\d{6}/.exec(sms)?.[0] ?? '');
  await expect(heading(page, 'My addresses')).toBeVisible();
  await expect(page.getByText('7 C, Radial Road 3, Connaught Place')).toBeVisible();
  await expect(page.getByText(/Near the clock tower · For Ravi · Ring twice/)).toBeVisible();
  await expect(page.getByText('Kept on this device.')).toHaveCount(0);
  await look(page, 'my-addresses');
  expect(await page.evaluate(() => localStorage.getItem('IN/browser:addresses') ?? '[]')).toBe('[]');
});

test('an address changed or deleted in the account stays so, and the other one is untouched [LOC-36, LOC-40, LOC-41] @all', async ({
  page,
  server,
  phone,
}) => {
  await page.goto(`${web.mount}privacy`);
  await page.evaluate(() => {
    const at = { latitude: 28.6315, longitude: 77.2167, address: 'Radial Road 3, Connaught Place' };
    localStorage.setItem(
      'IN/browser:addresses',
      JSON.stringify([
        { ...at, address_id: 'a1', houseNo: '7 C', type: 'office' },
        { ...at, address_id: 'a2', houseNo: '21', type: 'home' },
      ]),
    );
  });
  await logInAt(page, server, phone('in'), 'postorder-ui/myAddresses');
  await expect(page.getByText('7 C, Radial Road 3, Connaught Place')).toBeVisible();
  await page.getByRole('button', { name: 'Edit Office' }).click();
  await page.getByLabel('House, flat or floor number').fill('8 D');
  await page.getByRole('button', { name: 'Save address' }).click();
  // Whoever leaves before the server has answered has saved nothing.
  await expect(heading(page, 'Change address')).toHaveCount(0);
  await page.goto(`${web.mount}postorder-ui/myAddresses`);
  await expect(page.getByText('8 D, Radial Road 3, Connaught Place')).toBeVisible();
  await page.getByRole('button', { name: 'Delete Office' }).click();
  const office = page.getByText(/8 D, Radial Road 3/);
  await expect(office).toHaveCount(0);
  await expect(toast(page).getByText('Office is deleted.')).toBeVisible();
  await page.reload();
  await expect(page.getByText('21, Radial Road 3, Connaught Place')).toBeVisible();
  await expect(office).toHaveCount(0);
});

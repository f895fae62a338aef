import * as development from '../../src/contract/development.ts';
import * as trains from '../../src/contract/trains.ts';
import { expect, test } from '../kit/app.ts';
import { codeFor } from '../server/people.ts';
import { checkNow, payAtBank } from './hosts.ts';
import { acceptTerms, addFromMenu, bundle, chooseMode, fillWho, heading, look, noon, payButton } from './steps.ts';

const web = bundle('in', 'browser');
const DAY_S = 86_400;
const HOUR_S = 3_600;

test.beforeEach(async ({ server }) => {
  // The tickets of the embedded railway begin anew with the first question of a day.
  await server.advance(DAY_S);
  await noon(server);
});

test('food is ordered to a train: PNR, station, seat, dishes, payment and handover by its code [TRN-07] [TRN-08] [TRN-X03]', async ({
  page,
  server,
  phone,
}) => {
  test.setTimeout(120_000);
  const mobile = phone('in');
  await page.goto(web.mount);
  // The cards and the foot of home are evenly spaced.
  await expect(page.getByRole('complementary')).toHaveCount(2);
  await expect(page.getByRole('contentinfo')).toBeVisible();
  const gaps = await page.evaluate(() => {
    const parts = [...document.querySelectorAll('main > * > *')].map((part) => part.getBoundingClientRect().bottom);
    const after = [...document.querySelectorAll('main ~ aside, main ~ footer')].map((one) =>
      one.getBoundingClientRect(),
    );
    return after.map(({ top }, at) => top - (after[at - 1]?.bottom ?? Math.max(...parts)));
  });
  expect(gaps).toHaveLength(3);
  expect(Math.min(...gaps), String(gaps)).toBeGreaterThanOrEqual(8);
  expect(Math.max(...gaps), String(gaps)).toBeLessThanOrEqual(32);
  await page.getByRole('link', { name: /^On a train\?/ }).click();
  await expect(heading(page, 'Food on your train')).toBeVisible();
  await look(page, 'train-landing');
  const pnr = page.getByLabel('PNR', { exact: true });
  await pnr.fill('261 234');
  await page.getByRole('button', { name: 'Find my train' }).click();
  await expect(page.getByText('A PNR has 10 digits, this one has 6.')).toBeVisible();
  await expect(pnr).toBeFocused();
  await expect(pnr).toHaveValue('261 234');
  await pnr.fill('261 234 5602');
  await pnr.press('Enter');
  await expect(heading(page, 'Where shall we bring it?')).toBeVisible();
  const stations = page.getByRole('list', { name: /^Stations of 12951/ });
  await expect(stations.getByRole('listitem')).toHaveCount(5);
  await look(page, 'train-journey');
  await stations.getByRole('button', { name: /^Surat/ }).click();
  await expect(page.getByRole('dialog', { name: 'Surat' })).toBeVisible();
  await look(page, 'train-station-closed');
  await page.getByRole('button', { name: 'Another station' }).click();
  await stations.getByRole('button', { name: /^Vadodara/ }).click();
  await look(page, 'train-station-sheet');
  await page.getByRole('link', { name: /^Order to Vadodara/ }).click();
  const bar = page.getByRole('region', { name: 'See the food' });
  await expect(bar).toBeVisible();
  expect(Math.abs(await bar.evaluate((one) => innerHeight - one.getBoundingClientRect().bottom))).toBeLessThanOrEqual(
    1,
  );
  await expect(page.getByLabel('Coach')).toHaveValue('A1');
  await expect(page.getByLabel('Berth or seat')).toHaveValue('7');
  await page.getByRole('checkbox', { name: /^Somebody else eats/ }).check();
  await page.getByRole('button', { name: 'See the food' }).click();
  await expect(page.getByLabel('Name of who eats')).toBeFocused();
  await page.getByLabel('Name of who eats').fill('Meena');
  await page.getByLabel('Mobile number of who eats').fill('98200 12345');
  await look(page, 'train-seat');
  await page.getByRole('button', { name: 'See the food' }).click();
  await expect(heading(page, 'Good on a train')).toBeVisible();
  await look(page, 'train-food');
  await page.getByRole('link', { name: 'See the whole menu' }).click();
  await addFromMenu(page);
  await look(page, 'train-menu');
  await page.getByRole('link', { name: /^Cart/ }).click();
  await expect(page.getByRole('link', { name: /^To Vadodara/ })).toBeVisible();
  await look(page, 'train-cart');
  await page.reload();
  await expect(page.getByRole('link', { name: /^To Vadodara/ })).toBeVisible();
  await page.getByRole('region', { name: 'Continue to payment' }).getByRole('link').click();
  await fillWho(page, mobile);
  await chooseMode(page, 'UPI');
  await acceptTerms(page);
  await expect(page.getByText('Please choose where we should deliver.')).toHaveCount(0);
  await look(page, 'train-payment');
  await payButton(page).click();
  await expect(page.getByRole('dialog', { name: 'Is this your phone?' })).toBeVisible();
  await look(page, 'train-code');
  await page.getByLabel('6-digit code').fill('000000');
  await expect(page.getByText('That code is not right. Please check it and try again.')).toBeVisible();
  await page.getByLabel('6-digit code').fill(await codeFor(server, mobile));
  await payAtBank(page);
  await checkNow(page);
  await expect(heading(page, /^Thank you/)).toBeVisible();
  await expect(page.getByText('Train and kitchen')).toBeVisible();
  await expect(page.getByText(/^For Meena/)).toBeVisible();
  const code = await page.getByRole('img', { name: /^Your hand-over code:/ }).innerText();
  expect(code).toMatch(/^[A-Z2-9]{6}$/);
  await look(page, 'train-order');
  await page.getByRole('button', { name: 'Show it large' }).click();
  await look(page, 'train-large-code');
  await page.keyboard.press('Escape');
  // Another coach, while the kitchen has not begun.
  await page.getByRole('button', { name: /^Coach A1, berth 7/ }).click();
  await page.getByRole('textbox', { name: 'Coach' }).fill('B2');
  await page.getByRole('button', { name: 'Save the seat' }).click();
  await expect(page.getByRole('button', { name: /^Coach B2, berth 7/ })).toBeVisible();

  // The train stands at the station, nine hours and a quarter later.
  await server.advance(9.25 * HOUR_S + 60);
  const orderId = /\/order\/([^/?]+)/.exec(page.url())![1]!;
  const { body: rider } = await server.call(development.rider, { orderId });
  await expect
    .poll(async () => (await server.call(trains.handOver, { body: { token: rider.token, code } })).status)
    .toBe(200);
  await page.reload();
  await expect(heading(page, 'Enjoy your meal!')).toBeVisible();
  await look(page, 'train-delivered');
});

import type { Page } from '@playwright/test';
import * as development from '../../src/contract/development.ts';
import type { OrderView } from '../../src/contract/orders.ts';
import * as trains from '../../src/contract/trains.ts';
import { expect, test } from '../kit/app.ts';
import type { SpawnedServer } from '../kit/server.ts';
import { codeFor } from '../server/people.ts';
import { Customer } from '../server/shop.ts';
import { ordered, PNR, saved } from '../server/trainShop.ts';
import { checkNow, payAtBank } from './hosts.ts';
import { orderingAs } from './ordering.ts';
import { acceptTerms, addFromMenu, bundle, chooseMode, fillWho, heading, look, noon, payButton } from './steps.ts';

const web = bundle('in', 'browser');
const DAY_S = 86_400;
const HOUR_S = 3_600;

test.beforeEach(async ({ server }) => {
  // The tickets of the embedded railway begin anew with the first question of a day.
  await server.advance(DAY_S);
  await noon(server);
});

/** A paid order of the page's customer to a station of the Rajdhani from Mumbai, made past the page. */
async function orderedTo(page: Page, server: SpawnedServer, mobile: string, storeId: string, stationId: string) {
  const who = await orderingAs(page, server, web, mobile);
  const there = new Customer(server, who.person, { storeId, deliveryType: 'DELIVERY' }, 'PZ001', mobile);
  const train = await saved(server, there, PNR.mumbai, stationId);
  await there.fill();
  return await ordered(server, there, train);
}
const railway = async (
  server: SpawnedServer,
  event: { event: 'delay' | 'skip'; stationId: string; minutes?: number },
) => {
  const { status } = await server.call(development.railway, { body: { pnr: PNR.mumbai, ...event } });
  expect(status).toBe(200);
};
/** From the page of an order to the question of its train, once its three choices are there, and what happens without an answer. */
async function asked(page: Page, { orderId }: OrderView): Promise<void> {
  await page.goto(`${web.mount}order/${orderId}`);
  await page.getByRole('link', { name: 'Choose now' }).click();
  await expect(page.getByRole('radio')).toHaveCount(3);
  await expect(page.getByText(/^Without an answer by .* we give you all your money back\.$/)).toBeVisible();
}
/** The page with a session of its own. */
async function arrive(page: Page): Promise<void> {
  await page.goto(`${web.mount}deliverontrain`);
  await expect(heading(page, 'Food on your train')).toBeVisible();
  await expect.poll(() => page.evaluate(() => localStorage.getItem('IN/browser:session') !== null)).toBe(true);
}

test('food is ordered to a train: PNR, station, seat, dishes, payment and handover by its code [TRN-07] [TRN-08] [TRN-X03]', async ({
  page,
  server,
  phone,
}) => {
  test.setTimeout(120_000);
  const mobile = phone('in');
  await page.goto(web.mount);
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

test('a passenger of a late train chooses the new time, another station or a refund, and sees the default [TRN-X02] @all', async ({
  page,
  server,
  phone,
}) => {
  test.setTimeout(120_000);
  await arrive(page);
  const orders: OrderView[] = [];
  for (let at = 0; at < 3; at += 1) orders.push(await orderedTo(page, server, phone('in'), '10204', 'MMCT'));
  await railway(server, { event: 'delay', stationId: 'MMCT', minutes: 150 });
  // The railway is asked every ten minutes while the train is far.
  await server.advance(1_200);
  await asked(page, orders[0]!);
  await look(page, 'train-question');
  await page.getByRole('radio').first().check({ force: true });
  await page.getByRole('button', { name: 'Bring it at the new time' }).click();
  await expect(page.getByText('2 hours 30 minutes late')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Choose now' })).toHaveCount(0);
  await look(page, 'train-new-time');

  await asked(page, orders[1]!);
  await page.getByText('Bring it to New Delhi').click();
  await page.getByRole('button', { name: 'Bring it to the other station' }).click();
  await expect(page.getByText('New Delhi', { exact: true })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Choose now' })).toHaveCount(0);
  await look(page, 'train-other-station');

  await asked(page, orders[2]!);
  await page.getByRole('radio').last().check({ force: true });
  await page.getByRole('button', { name: 'Give me my money back' }).click();
  await expect(heading(page, 'Order cancelled')).toBeVisible();
  await expect(heading(page, 'News of your train')).toBeVisible();
  await look(page, 'train-money-back');
});

test('if a train skips a stop, one screen offers another station or a refund, and no new time if there is none [TRN-X02] @all', async ({
  page,
  server,
  phone,
}) => {
  test.setTimeout(120_000);
  await arrive(page);
  const orders: OrderView[] = [];
  for (let at = 0; at < 2; at += 1) orders.push(await orderedTo(page, server, phone('in'), '10104', 'NDLS'));
  const dish = orders[0]!.lines[0]!.product;
  await railway(server, { event: 'skip', stationId: 'NDLS' });
  await server.advance(3_600);
  const ask = async (at: number) => {
    await asked(page, orders[at]!);
    await expect(page.getByText('Your train does not stop at New Delhi this time. What shall we do?')).toBeVisible();
  };
  await ask(0);
  await expect(page.getByText('Bring it at the new time')).toHaveCount(0);
  await look(page, 'train-skipped');
  await page.getByText('Bring it to Vadodara').click();
  // The dish sells out at every store while the passenger thinks.
  await server.switches({ soldOut: [dish.id] });
  try {
    await page.getByRole('button', { name: 'Bring it to the other station' }).click();
    await expect(page.getByText(`Our store at Vadodara Junction has no ${dish.name} any more.`)).toBeVisible();
    await page.getByRole('button', { name: 'OK' }).click();
    await expect(page.getByRole('radio')).toHaveCount(1);
    await expect(
      page.getByText(`It cannot come to Vadodara Junction: our store there has no ${dish.name}`),
    ).toBeVisible();
    await look(page, 'train-skipped-lacking');
  } finally {
    await server.switches({ soldOut: [] });
  }
  await page.getByRole('radio').check({ force: true });
  await page.getByRole('button', { name: 'Give me my money back' }).click();
  await expect(heading(page, 'Order cancelled')).toBeVisible();

  await ask(1);
  await page.getByText('Bring it to Vadodara').click();
  await page.getByRole('button', { name: 'Bring it to the other station' }).click();
  await expect(page.getByText('Vadodara Junction', { exact: true })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Choose now' })).toHaveCount(0);
  await look(page, 'train-skipped-moved');
});

test('a device forgets number, seat, eater and station once the journey is over, whatever page is opened next @all', async ({
  page,
  server,
}) => {
  await arrive(page);
  await page.getByLabel('PNR', { exact: true }).fill(PNR.mumbai);
  await page.getByRole('button', { name: 'Find my train' }).click();
  await page.getByRole('button', { name: /^Vadodara/ }).click();
  await page.getByRole('link', { name: /^Order to Vadodara/ }).click();
  await page.getByRole('checkbox', { name: /^Somebody else eats/ }).check();
  await page.getByLabel('Name of who eats').fill('Meena');
  await page.getByLabel('Mobile number of who eats').fill('98200 12345');
  await page.getByRole('button', { name: 'See the food' }).click();
  await expect(heading(page, 'Good on a train')).toBeVisible();
  const keys = ['pnr', 'train-seat', 'station-id'];
  const held = () => page.evaluate((all) => all.map((key) => localStorage.getItem(`IN/browser:${key}`) !== null), keys);
  expect(await held()).toEqual([true, true, true]);
  await server.advance(2 * DAY_S);
  await page.goto(`${web.mount}menu`);
  await expect.poll(held, { timeout: 20_000 }).toEqual([false, false, false]);
});

test('on a phone the cards and foot of home are evenly spaced, and a station’s bar sits at the lower edge', async ({
  page,
}) => {
  await page.goto(web.mount);
  const card = page.getByRole('complementary', { name: 'Food on your train' });
  await expect(card).toBeVisible();
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
  await card.getByRole('link').click();
  await page.getByLabel('PNR', { exact: true }).fill(PNR.mumbai);
  await page.getByRole('button', { name: 'Find my train' }).click();
  await page.getByRole('button', { name: /^Vadodara/ }).click();
  await page.getByRole('link', { name: /^Order to Vadodara/ }).click();
  const bar = page.getByRole('region', { name: 'See the food' });
  await expect(bar).toBeVisible();
  const edge = await bar.evaluate((one) => innerHeight - one.getBoundingClientRect().bottom);
  expect(Math.abs(edge)).toBeLessThanOrEqual(1);
  const between = await page.evaluate(() => {
    const seat = document.querySelector('form')!.getBoundingClientRect().bottom;
    const terms = [...document.querySelectorAll('button')].find(
      (one) => one.textContent === 'Terms of food on trains',
    )!;
    return terms.getBoundingClientRect().top - seat;
  });
  expect(between).toBeLessThanOrEqual(32);
});

test('a train order can be deleted until two hours before arrival; then the page gives a number to call [TRN-09] [TRN-10] @all', async ({
  page,
  server,
  phone,
}) => {
  await arrive(page);
  await orderedTo(page, server, phone('in'), '10204', 'MMCT');
  await orderedTo(page, server, phone('in'), '10204', 'MMCT');
  await page.goto(`${web.mount}irctcOrder`);
  const cards = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: /^To Mumbai Central/ }) });
  await expect(cards).toHaveCount(2);
  await look(page, 'train-orders');
  await cards.first().getByRole('button', { name: 'Cancel this train order' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel this train order' }).click();
  await expect(cards.first().getByText('Cancelled', { exact: true })).toBeVisible();
  await server.advance(3 * HOUR_S);
  await page.reload();
  await expect(cards.last().getByText(/^It is less than two hours until your train is there/)).toBeVisible();
  await expect(cards.last().getByRole('button', { name: 'Cancel this train order' })).toHaveCount(0);
  await expect(cards.last().getByRole('link', { name: /6888/ })).toBeVisible();
  await look(page, 'train-orders-late');
});

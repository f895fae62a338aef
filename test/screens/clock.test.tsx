import { expect, test } from 'vitest';
import * as stores from '../../src/contract/stores.ts';
import { lentServer } from '../kit/lentServer.ts';

import { atHour } from './hour.ts';
import { openPage, type AppPage } from './page.ts';
import { during } from '../kit/during.ts';

const server = during(() => lentServer());

const PLACE = { latitude: 28.532, longitude: 77.219 };
/** Somebody who has chosen Saket, which is open from 11 AM to 11 PM. */
async function chosen(path: string, type = 'DELIVERY', storeId = '10102'): Promise<AppPage> {
  const { store } = (await server.call(stores.byId, { storeId, query: {} })).body;
  const page = await openPage(server.url, path);
  for (const [key, value] of Object.entries({
    'delivery-type': type,
    store,
    'takeaway-store': store,
    // Next door to another store: nobody there promises what they cannot keep on the way to Saket.
    place: { ...(storeId === '10102' ? PLACE : store), text: 'Saket', address: null },
  }))
    localStorage.setItem(`IN/browser:${key}`, JSON.stringify(value));
  return page.path() === path ? await openPage(server.url, path, { keep: true }) : page;
}
const header = () => document.querySelector('header p')?.textContent ?? '';

test("the header of home and menu says when a delivery would arrive, as the kitchen's own estimate has it [ORD-X02]", async () => {
  await atHour(server, 16);
  const { kitchen } = (
    await server.call(stores.byId, {
      storeId: '10102',
      query: {
        kitchen: 'true',
        deliveryType: 'DELIVERY',
        latitude: String(PLACE.latitude),
        longitude: String(PLACE.longitude),
      },
    })
  ).body;
  const time = `Arrives in ${kitchen!.minutes!.from} to ${kitchen!.minutes!.to} min`;
  const home = await chosen('/');
  await home.sees(time);
  expect(header()).toBe(time);
  await home.find('heading', 'Hot in 30 minutes, or it’s free up to ₹300');
  const menu = await chosen('/menu');
  await menu.sees(time);
});

test('a takeaway says when it is ready, and promises no delivery time', async () => {
  const page = await chosen('/', 'PICKUP');
  await page.sees(/Ready in \d+ to \d+ min/);
  expect(page.get('heading', /^Hot in/)).toBeNull();
  await page.find('heading', 'Your pizza, hot from the oven');
});

test('without a place there is no time of arrival and no promise', async () => {
  const page = await openPage(server.url, '/');
  await page.find('heading', 'Deals and offers');
  expect(header()).not.toMatch(/min/);
  expect(page.get('heading', /^Hot in/)).toBeNull();
});

test('the last hour says until when orders are taken, and a page that stands there says that it has closed and when it opens', async () => {
  await atHour(server, 22.5);
  const page = await chosen('/');
  await page.sees(/Last order 10:\d\d PM/);
  expect(header()).toMatch(/^Last order 10:\d\d PM \d+ to \d+ min$/);
  await atHour(server, 23.1);
  // As coming back to the page does.
  window.dispatchEvent(new Event('blur'));
  document.dispatchEvent(new Event('visibilitychange'));
  window.dispatchEvent(new Event('pagehide'));
  window.dispatchEvent(new Event('pageshow'));
  await page.sees('Closed now Opens tomorrow at 11 AM');
  expect(page.get('heading', /^Hot in/)).toBeNull();
  expect(page.text()).not.toMatch(/\d+ to \d+ min\b/);
});

test('the cart says it too, closed or open, and a store that takes no orders is not called closed', async () => {
  await atHour(server, 16);
  const menu = await chosen('/menu/veg-pizza');
  await menu.press('button', 'Add Garden Four');
  await menu.find('link', /^Cart, 1 item ?₹/);
  const cart = await openPage(server.url, '/cart', { keep: true });
  await cart.sees(/1 item · Arrives in \d+ to \d+ min/);
  await server.switches({ offlineStores: ['10102'] });
  try {
    const paused = await openPage(server.url, '/cart', { keep: true });
    await paused.sees('1 item · No orders right now');
  } finally {
    await server.switches({ offlineStores: [] });
  }
  await atHour(server, 5);
  const night = await openPage(server.url, '/cart', { keep: true });
  await night.sees('1 item · Closed now · Opens at 11 AM');
  await night.find('button', 'Spin the wheel');
});

test('who orders by night reads that it takes 45 minutes or is free, on home and in the cart [ORD-25]', async () => {
  await atHour(server, 22.5);
  const home = await chosen('/', 'DELIVERY', '10101');
  await home.find('heading', 'Hot in 30 minutes, or it’s free up to ₹300');
  await atHour(server, 23.1);
  const night = await openPage(server.url, '/', { keep: true });
  await night.find('heading', 'Hot in 45 minutes, or it’s free up to ₹300');
  const menu = await openPage(server.url, '/menu/veg-pizza', { keep: true });
  await menu.press('button', 'Add Garden Four');
  await menu.find('link', /^Cart, 1 item ?₹/);
  const cart = await openPage(server.url, '/cart', { keep: true });
  await cart.sees('45 minutes or it is free, up to ₹300.');
  await cart.find('button', 'Spin the wheel');
});

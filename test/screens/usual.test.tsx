import { beforeEach, expect, test, vi } from 'vitest';
import * as development from '../../src/contract/development.ts';
import * as stores from '../../src/contract/stores.ts';
import { lentServer } from '../kit/lentServer.ts';

import { codeFor, freshMobile } from '../server/people.ts';
import { deviceWithCart } from './device.ts';
import { hearingAmounts, newDevice, openPage, type AppPage } from './page.ts';
import { during } from '../kit/during.ts';

const server = during(() => lentServer());

const HOUR_MS = 3_600_000;
async function atHour(hour: number): Promise<void> {
  const { body } = await server.call(development.clock, {});
  const local = (body.now + 5.5 * HOUR_MS) % (24 * HOUR_MS);
  await server.advance(Math.ceil(((hour * HOUR_MS - local + 24 * HOUR_MS) % (24 * HOUR_MS)) / 1000));
}
beforeEach(() => atHour(13));

type Host = 'browser' | 'gpay';
const USUAL = [
  { productId: 'PZ004', quantity: 1, size: 'M', crust: 'hand-tossed' },
  { productId: 'PZ001', quantity: 1, size: 'R' },
];
/** A device that has ordered before: what it keeps of that. */
async function known(
  more: Record<string, unknown> = {},
  { host = 'browser', keep = false }: { host?: Host; keep?: boolean } = {},
): Promise<AppPage> {
  const { store } = (await server.call(stores.byId, { storeId: '10102', query: {} })).body;
  if (!keep) await newDevice();
  const point = { latitude: 28.532, longitude: 77.219 };
  for (const [key, value] of Object.entries({
    'delivery-type': 'DELIVERY',
    store,
    place: { ...point, text: 'Saket', address: { ...point, houseNo: '12', address: 'Press Enclave', type: 'home' } },
    'checkout-detail': { fName: 'Asha', lName: '', mobNo: freshMobile(), email: '' },
    'payment-mode': host === 'browser' ? 'UPI' : null,
    terms: await termsVersion(),
    '~usual': USUAL,
    ...more,
  }))
    localStorage.setItem(`IN/${host}:${key}`, JSON.stringify(value));
  return await openPage(server.url, '/', { host, keep: true });
}
let version = '';
async function termsVersion(): Promise<string> {
  if (version) return version;
  const reply = (await (await fetch(`${server.url}/content/ve1/terms`, { headers: { api_key: 'in-web' } })).json()) as {
    document?: { version?: string };
  };
  version = reply.document?.version ?? '';
  return version;
}
async function opened(page: AppPage): Promise<void> {
  await page.sees(/Your usual.*₹\d+/);
  await page.press('button', 'Order again');
  await page.find('link', 'Change');
}
const dialog = () => document.querySelector('dialog');

test('two taps order again: the card says price, time and mode, the sheet shows everything, the button orders once [MENU-X12]', async () => {
  await deviceWithCart(server, ['Double Cheese Melt'], { storeId: '10102', deliveryType: 'DELIVERY' });
  const page = await known({}, { keep: true });
  await page.find('heading', 'Your usual');
  await page.sees(/Garden Four, Tomato Basil Classic ?₹\d+ ?· ?\d+ to \d+ min ?Pay with UPI/);
  const [, total] = /Tomato Basil Classic ?(₹\d+)/.exec(page.text())!;
  await opened(page);
  await page.sees(/Arrives in \d+ to \d+ min/);
  await page.sees('Your cart (1 item) is kept');
  expect(dialog()!.textContent).toContain('Medium · Hand Tossed');
  expect(page.get('checkbox', /terms/)).toBeNull();
  const button = await page.find('button', `Pay ${total} with UPI`);
  button.click();
  button.click();
  await page.find('button', 'Open your UPI app');
  expect(page.path()).toMatch(/^\/upiForm/);
  await page.sees(total!);
  expect(dialog()).toBeNull();
  const cart = await openPage(server.url, '/cart', { keep: true });
  await cart.sees(/Double Cheese Melt/);
  expect(cart.text()).not.toContain('Tomato Basil Classic');
});

test('at a store that makes orders for later alone the card and the sheet say so, without a time of now', async () => {
  const { store } = (await server.call(stores.byId, { storeId: '10304', query: {} })).body;
  const page = await known({ 'delivery-type': 'PICKUP', 'takeaway-store': store });
  await page.sees(/₹\d+ ?· ?Orders for later only/);
  await page.press('button', 'Order again');
  await page.find('button', 'Choose a time');
  expect(dialog()!.textContent).toContain('This store is taking advance orders only right now');
  // Nor does home around them.
  expect(page.text()).not.toMatch(/\d min\b|minutes or free|minutes, or it/);
});

test('a closed store says so on the card and before the tap, and a time for later is offered', async () => {
  await atHour(5);
  const page = await known();
  await page.sees(/₹\d+ · closed now/);
  await opened(page);
  await page.sees('This store is closed now. Opens at 11 AM. Please choose a time for later.');
  expect(page.get('button', /^Pay ₹/)).toBeNull();
  await page.press('button', 'Choose a time');
  await vi.waitFor(() => expect(page.path()).toBe('/payment'));
  await page.sees(/Choose a time \(Opens at 11 AM\)/);
});

test('a dish that is gone and a price that has changed are told before the tap, and the rest can be ordered', async () => {
  await server.switches({ soldOut: ['PZ001'] });
  try {
    const page = await known({ '~usual-prices': [30_000, 11_900] });
    await opened(page);
    await page.sees(/Tomato Basil Classic is not there today/);
    await page.sees('You can order the rest.');
    await page.sees('₹300 last time');
    await page.press('button', /^Pay ₹\d+ with UPI$/);
    await page.find('button', 'Open your UPI app');
  } finally {
    await server.switches({ soldOut: [] });
  }
});

test('the best offer is on with what it saves, and one tap takes it off', async () => {
  const page = await known();
  await opened(page);
  await page.sees(/: you save ₹\d+/);
  // Nobody's usual order is a first one: the offers that are left give dishes away.
  expect(page.text()).toMatch(/Free with FREEBREAD.*FREEBREAD \+ FREEDIP: you save ₹139/);
  await page.press('button', 'Take off');
  await page.sees('Best offer is off');
  expect(page.text()).not.toMatch(/Free with|[Yy]ou save/);
});

test('what the usual order comes to is said once without its offer, and once with it again [QUAL-X02]', async () => {
  const page = await known({ '~usual': [{ productId: 'PZ004', quantity: 3, size: 'M' }] });
  await opened(page);
  const toPay = async () => /₹[\d,]+/.exec((await page.find('button', /^Pay ₹[\d,]+ with UPI$/)).textContent)![0];
  const less = await toPay();
  const { said, end } = hearingAmounts();
  await page.press('button', 'Take off');
  await page.sees('Best offer is off');
  const whole = await toPay();
  expect(whole).not.toBe(less);
  expect(said.splice(0)).toEqual([`To pay now: ${whole}`]);
  await page.press('button', 'Use it');
  await page.find('button', `Pay ${less} with UPI`);
  expect(said).toEqual([`To pay now: ${less}`]);
  end();
  await page.press('button', 'Close');
  await vi.waitFor(() => expect(dialog()).toBeNull());
  await page.find('link', 'Cart');
});

test('terms of a new version are asked for once, where they can be read [ERR-45]', async () => {
  const page = await known({ terms: 'older' });
  await opened(page);
  await page.press('button', /^Pay ₹\d+ with UPI$/);
  await page.sees('Please Accept Terms and Conditions First');
  expect((await page.find('link', 'Read the terms')).getAttribute('href')).toBe('terms');
  expect(page.path()).toBe('/');
  await page.press('checkbox', /terms/);
  await page.press('button', /^Pay ₹\d+ with UPI$/);
  await page.find('button', 'Open your UPI app');
});

test('another way to pay is chosen in the sheet, and a second cash order with a confirmed number needs no code', async () => {
  const mobile = freshMobile();
  const detail = { fName: 'Asha', lName: '', mobNo: mobile, email: '' };
  const page = await known({ 'checkout-detail': detail });
  await opened(page);
  await page.press('button', 'Pay in another way');
  await vi.waitFor(() => expect(document.activeElement).toBe(page.get('radio', /^UPI/)));
  await page.press('radio', /^Cash/);
  await page.find('radio', /^UPI/);
  await page.press('button', /^Order for ₹\d+, pay cash$/);
  await page.sees('We sent a code to');
  await page.type('6-digit code', await codeFor(server, mobile));
  await page.press('button', 'Confirm the order');
  await page.find('heading', /^Thank you!/);
  await server.advance(3_600);
  const again = await openPage(server.url, '/', { keep: true });
  await again.sees(/₹\d+ · \d+ to \d+ min ?Pay with Cash/);
  await opened(again);
  await again.press('button', /^Order for ₹\d+, pay cash$/);
  await again.find('heading', /^Thank you!/);
});

test('without an address the dishes go into the cart with one tap', async () => {
  const page = await known({ place: null });
  await page.find('heading', 'Your usual');
  await page.press('button', 'Add all');
  await page.sees('Your usual is in your cart');
  await page.find('link', /^Cart, 2 items/);
});

import { beforeEach, expect, test, vi } from 'vitest';
import * as addresses from '../../src/contract/addresses.ts';
import * as loyalty from '../../src/contract/loyalty.ts';
import * as session from '../../src/contract/session.ts';
import * as stores from '../../src/contract/stores.ts';
import * as wallet from '../../src/contract/wallet.ts';
import { next } from '#text/login.ts';
import { lentServer } from '../kit/lentServer.ts';

import { codeFor, freshMobile, logIn, type Person } from '../server/people.ts';
import { member, openShop } from '../server/shop.ts';
import { logInOn } from './device.ts';
import { newDevice, openPage, type AppPage } from './page.ts';
import { during } from '../kit/during.ts';

const server = during(() => lentServer(), openShop);
beforeEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

const at = (path: string, width?: number) =>
  openPage(server.url, path, { keep: true, ...(width === undefined ? {} : { width }) });
/** Logs in by the pages themselves. */
async function enter(mobile = freshMobile(), path = '/login'): Promise<AppPage> {
  const page = await openPage(server.url, path);
  await logInOn(page, server, mobile);
  await page.sees('You are logged in');
  return page;
}
/** A width at which there is no desktop. */
const PHONE_PX = 400;
const leads = (page: AppPage, path: string) => vi.waitFor(() => expect(page.path()).toBe(path));
const put = (key: string, value: unknown) => localStorage.setItem(`IN/browser:${key}`, JSON.stringify(value));
/** All that this device remembers of its customer: home keeps the menu again, which is everybody's. */
const remembered = () => JSON.stringify({ ...localStorage, 'IN/browser:menu': undefined });
const confirmed = async (page: AppPage) => {
  await page.find('heading', 'Log out?');
  await page.sees(/Your cart with (one item|\d+ items) stays in your account and leaves this device\./);
  await page.find('button', 'Stay');
  const buttons = [...document.querySelectorAll<HTMLElement>('[role=alertdialog] button, dialog button')];
  buttons.find(({ textContent }) => textContent === 'Log out')!.click();
};

test('logging out asks first because of the cart, and leaves none of the customer’s data on the device [AUTH-26] [AUTH-27]', async () => {
  const mobile = freshMobile();
  await enter(mobile);
  await server.advance(31);
  const { as } = await logIn(server, mobile);
  const body = { latitude: 28.64, longitude: 77.22, houseNo: '12', address: 'Barakhamba Road', type: 'home' as const };
  await server.call(addresses.create, { mobNo: mobile, body }, as);
  await server.call(loyalty.register, { query: { enroll: 'true' } }, as);
  await server.call(wallet.credit, { body: { mobile, amount: 50_000 } });
  const { store } = (await server.call(stores.byId, { storeId: '10201', query: {} }, { apiKey: 'in-web' })).body;
  put('delivery-type', 'PICKUP');
  put('takeaway-store', store);
  put('checkout-detail', { fName: 'Asha', lName: '', mobNo: mobile, email: '' });
  const menu = await at('/menu/veg-pizza');
  for (const dish of ['Garden Four', 'Tomato Basil Classic', 'Double Cheese Melt'])
    await menu.press('button', `Add ${dish}`);
  await menu.find('link', /^Cart, 3 items? ?₹/);
  const cart = await at('/cart');
  await cart.type('Have an offer code?', 'UPI75');
  const offer = document.querySelector<HTMLInputElement>('input[name="offer-code"]')!;
  await vi.waitFor(() => expect(offer.getAttribute('value')).toBe('UPI75'));
  offer.form!.requestSubmit();
  await cart.find('button', 'Remove UPI75');
  const paying = await at('/payment');
  await paying.press('radio', /^UPI/);
  await paying.press('checkbox', /^Pizza wallet/);
  const HIS = [mobile, 'Asha', store.name, '"storeId":"10201"', 'UPI75', 'Garden Four', 'payment-mode', 'wallet'];
  await vi.waitFor(() => {
    const known = remembered().replaceAll('\\"', '"');
    expect(HIS.filter((one) => !known.includes(one))).toEqual([]);
  });
  const saved = await at('/postorder-ui/myAddresses');
  await saved.sees('Barakhamba Road');
  const rewards = await at('/rewards');
  await rewards.sees('600 more points');

  const page = await at('/postorder-ui/profile', PHONE_PX);
  await page.press('button', 'Log out');
  await confirmed(page);
  await leads(page, '/');
  const known = remembered().replaceAll('\\"', '"');
  expect(HIS.filter((one) => known.includes(one))).toEqual([]);
  await (await at('/rewards')).find('button', 'Log in and join');
  await (await at('/cart')).find('heading', 'Your cart is empty');
  const none = await at('/postorder-ui/myAddresses');
  await none.find('link', 'Add an address');
  expect(none.text()).not.toContain('Barakhamba Road');
  const guest = await at('/menu/veg-pizza');
  await guest.sees('Prices may differ at your store.');
});

test('on a desktop a logout leads back to where one was, and where only a step is closed the page begins anew [AUTH-27]', async () => {
  const desktop = 1280;
  await enter();
  const page = await at('/menu/sides', desktop);
  await page.find('button', 'Add Garlic Bread Sticks');
  history.pushState(null, '', `${server.url}/in/postorder-ui/profile`);
  await page.press('button', 'Log out');
  await page.sees('You are logged out.');
  await leads(page, '/menu/sides');
  await page.find('button', 'Add Garlic Bread Sticks');

  await enter();
  const step = await at('/login?noRedirect=true', desktop);
  const reload = vi.spyOn(location, 'reload').mockImplementation(() => {});
  await step.press('button', 'Log out');
  await step.sees('You are logged out.');
  await vi.waitFor(() => expect(reload).toHaveBeenCalledOnce());
  expect(step.path()).toBe('/login?noRedirect=true');
});

test('with noRedirect the code is asked for where one is, and a login only closes that step [AUTH-16]', async () => {
  const path = '/postorder-ui/login?noRedirect=true&redirectUrl=%2Fmenu';
  const mobile = freshMobile();
  const page = await openPage(server.url, path);
  await page.type('Mobile number', mobile);
  await page.press('button', 'Send me a code');
  await page.find('button', /^Log in|^Check/);
  expect(page.path()).toBe(path);
  await page.type('Code', await codeFor(server, mobile));
  await page.sees('You are logged in');
  await page.find('button', 'Log out');
  // What was to be done with a page to go on to is done by then.
  await vi.waitFor(() => expect(localStorage.getItem('IN/browser:login-redirect') ?? '""').toBe('""'));
  expect(page.get('button', 'Send me a code')).toBeNull();
  expect(page.get('button', next)).toBeNull();
  expect(page.path()).toBe(path);
});

test('a customer who logs in to choose another address comes back to the choice, with the account’s addresses [AUTH-14]', async () => {
  const who = await member(server);
  const body = { latitude: 28.64, longitude: 77.22, houseNo: '12', address: 'Barakhamba Road', type: 'home' as const };
  await who.call(addresses.create, { mobNo: who.mobile, body });
  await server.advance(31);
  await newDevice();
  put('delivery-type', 'PICKUP');
  const choice = await at('/postorder-ui/searchAddress?deliveryType=delivery&from=cart');
  const to = (await choice.find('link', 'Log in')).getAttribute('href')!;
  const page = await at(`/${to}`);
  await logInOn(page, server, who.mobile);
  await leads(page, '/postorder-ui/searchAddress?changeAddress=true&from=cart&deliveryType=delivery');
  await page.find('heading', 'Where should we deliver?');
  await page.sees('Barakhamba Road');
});

test('a failed session renewal shows one popup: a server error keeps the login, an ended session offers to log in [AUTH-32]', async () => {
  const mobile = await enter().then(() => freshMobile());
  await enter(mobile);
  // The token is over by then, the login is not.
  await server.advance(2 * 86_400);
  await server.switches({ faults: [{ match: session.refresh.path, status: 500 }] });
  let page = await at('/postorder-ui/profile');
  await page.find('heading', 'Oops');
  await page.sees('Something Went Wrong. Please Try Again.');
  await page.press('button', 'OK');
  await page.gone('heading', 'Oops');
  await server.switches({ faults: [] });
  page = await at('/postorder-ui/profile');
  await page.sees(`${mobile.slice(0, 5)} ${mobile.slice(5)}`);
  await page.find('button', 'Log out');

  await server.advance(2 * 86_400);
  const fetched = globalThis.fetch;
  const moved = 'Your number has moved to another phone.';
  vi.stubGlobal('fetch', (input: Request, init?: RequestInit) =>
    new URL(input instanceof Request ? input.url : String(input), server.url).pathname === session.refresh.path
      ? Promise.resolve(
          Response.json(
            {
              status: 'FAILED',
              requestId: 'r',
              errors: [{ code: 'GONE', displayMsg: moved, header: 'Oops', btnMsg: 'OK' }],
            },
            { status: 401 },
          ),
        )
      : fetched(input, init),
  );
  page = await at('/postorder-ui/profile');
  await page.sees(moved);
  expect(page.text().split(moved)).toHaveLength(2);
  vi.unstubAllGlobals();
  await page.press('button', 'Login');
  await leads(page, '/login?redirectUrl=%2Fpostorder-ui%2Fprofile');
  await page.find('heading', 'Log in');
});

test('all other devices are logged out with one button, and this one is not [AUTH-X03]', async () => {
  const mobile = freshMobile();
  await enter(mobile);
  const others: Person[] = [];
  await server.advance(31);
  others.push(await logIn(server, mobile));
  const page = await at('/postorder-ui/profile/devices');
  await page.press('button', 'Log out all other devices');
  await page.sees('Logged out on 1 other device.');
  await page.sees('You are logged in nowhere else.');
  for (const { as } of others) expect((await server.call(loyalty.user, {}, as)).status).toBe(401);
  const again = await at('/login');
  await again.find('button', 'Log out');
  await server.advance(31);
  const late = await logIn(server, mobile);
  await again.press('button', 'Log out on other devices');
  await again.sees('Logged out on 1 other device.');
  expect((await server.call(loyalty.user, {}, late.as)).status).toBe(401);
  await again.find('button', 'Log out');
});

import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import * as session from '../../src/contract/session.ts';
import { spawnServer, type SpawnedServer } from '../kit/server.ts';
import { freshMobile, logIn, logInByPaytm } from '../server/people.ts';
import { Customer, member, openShop, pay, PLACES } from '../server/shop.ts';
import { countCalls } from '../shell/quiet.ts';
import { openPage, type AppPage } from './page.ts';

let server: SpawnedServer;
beforeAll(async () => {
  server = await spawnServer();
  await openShop(server);
});
const settled = countCalls();
afterAll(async () => {
  await settled();
  await server.stop();
});

const { where, productId } = PLACES['IN']!;

/** The page of this customer inside Paytm, as their device has it. */
async function insidePaytm(who: Customer, path: string): Promise<AppPage> {
  await openPage(server.url, '/privacy', { host: 'paytm' });
  const { credentials, attributes } = who.person.reply;
  localStorage.setItem('IN/paytm:session', JSON.stringify({ credentials, attributes }));
  return await openPage(server.url, path, { host: 'paytm', keep: true, inside: {} });
}
async function paytmCustomer(mobile = freshMobile()): Promise<Customer> {
  return new Customer(server, await logInByPaytm(server, mobile), where, productId, mobile);
}

const inPopup = () =>
  [...document.querySelectorAll('[role=alertdialog] :is(a,button)')].map(
    (one) => one.getAttribute('aria-label') ?? one.textContent,
  );
/** Ends every login of this number but a new one, in a browser elsewhere. */
async function endElsewhere(mobile: string): Promise<void> {
  const elsewhere = await logIn(server, mobile);
  expect((await server.call(session.logoutOthers, {}, elsewhere.as)).body.ended).toBe(1);
}

test('a login that ended on the server is told on the web with the way back in, which leads back to where it was [ERR-11]', async () => {
  const who = await member(server);
  await openPage(server.url, '/privacy');
  const { credentials, attributes } = who.person.reply;
  localStorage.setItem('IN/browser:session', JSON.stringify({ credentials, attributes }));
  const page = await openPage(server.url, '/menu/sides', { keep: true });
  await page.find('button', 'Add Garlic Bread Sticks');
  await server.advance(31);
  await endElsewhere(who.mobile);
  await page.press('button', 'Add Garlic Bread Sticks');
  await page.sees('You have been logged out. Please login again.');
  await settled();
  expect(inPopup()).toEqual(['Not now', 'Login', 'Close']);
  await page.press('button', 'Login');
  await page.find('heading', 'Log in');
  expect(page.path()).toBe('/login?redirectUrl=%2Fmenu%2Fsides');
});

test('a login that ended on the server is told inside a payment app by the way out alone, and the menu goes on selling [MINI-24] [ERR-12]', async () => {
  const mobile = freshMobile();
  const page = await insidePaytm(await paytmCustomer(mobile), '/menu/sides');
  await page.find('button', 'Add Garlic Bread Sticks');
  await endElsewhere(mobile);
  await page.press('button', 'Add Garlic Bread Sticks');
  await page.sees('You have been logged out. Please exit.');
  await settled();
  expect(inPopup()).toEqual(['OK', 'Close']);
  await page.press('button', 'OK');
  await page.gone('button', 'OK');
  await page.press('button', 'Add Peri Fries');
  await page.find('link', /^Cart, 1 item ?₹/);
});

const linked = (path: string, params = '') => `/?data=${encodeURIComponent(btoa(JSON.stringify({ path, params })))}`;

test.each([
  ['/menu/sides', '', '/menu/sides', /^Sides \d+$/],
  ['/customise/PZ004', '', '/customise/PZ004', 'Garden Four'],
  [
    '/postorder-ui/selectRestaurant',
    'deliveryType=DINEIN',
    '/postorder-ui/selectRestaurant?deliveryType=DINEIN',
    'Choose a restaurant',
  ],
  ['/cart', '', '/cart', 'Your cart'],
  // Nothing that leads away from here is followed.
  ['//elsewhere.example/menu', '', /^\/\?data=/, 'Bestsellers'],
] as const)('a deep link of Paytm opens its page: %s %s [MINI-X04]', async (path, params, shown, heading) => {
  const page = await openPage(server.url, linked(path, params), { host: 'paytm', inside: {} });
  await page.find('heading', heading);
  expect(page.path()).toMatch(shown);
});

test('a delivered order can be rated and its help called on the web; inside a payment app there is neither, and the number is there to read [MINI-10] [MINI-14]', async () => {
  const [web, inside] = [await member(server), await paytmCustomer()];
  const own = await web.order({ paymentMode: 'COD' });
  const theirs = await inside.order({ paymentMode: 'PAYTM' });
  await pay(server, theirs.next);
  await server.advance(2 * 3_600);
  for (const [who, { order }] of [
    [web, own],
    [inside, theirs],
  ] as const)
    expect((await who.read(order.orderId)).orderStatus).toBe('DELIVERED');

  await openPage(server.url, '/privacy');
  const { credentials, attributes } = web.person.reply;
  localStorage.setItem('IN/browser:session', JSON.stringify({ credentials, attributes }));
  const page = await openPage(server.url, `/order/${own.order.orderId}`, { keep: true });
  await page.find('link', '5 stars of 5');
  await page.find('link', /^Get help/);

  const app = await insidePaytm(inside, `/order/${theirs.order.orderId}`);
  await app.sees('Call 6888 6888');
  await settled();
  expect(document.querySelectorAll('a[href^="tel:"],a[href*="help"],a[href*="uf?"]')).toHaveLength(0);
  expect(app.get('link', '5 stars of 5')).toBeNull();
});

test('home offers the app of a chain that has one in the browser of a phone that can have it, until somebody does not want it; a payment app never does, nor where it is switched off [MINI-17]', async () => {
  const config = { apps: { android: 'https://play.example/golden', ios: 'https://apps.example/golden' } };
  const hold = (phone: string) =>
    Object.defineProperty(navigator, 'userAgent', { configurable: true, get: () => `Mozilla/5.0 (${phone}) Mobile` });
  try {
    hold('Linux; Android 15');
    const inside = await openPage(server.url, '/', { host: 'gpay', inside: {}, config });
    await inside.find('link', 'About this app');
    await settled();
    expect(inside.get('link', 'Get the app')).toBeNull();

    hold('Linux; Android 15');
    const page = await openPage(server.url, '/', { config });
    expect((await page.find('link', 'Get the app')).getAttribute('href')).toBe(config.apps.android);
    hold('iPhone; CPU iPhone OS 18_0 like Mac OS X');
    const other = await openPage(server.url, '/', { config });
    expect((await other.find('link', 'Get the app')).getAttribute('href')).toBe(config.apps.ios);
    await other.press('button', 'No, thank you');
    await other.gone('link', 'Get the app');
    const later = await openPage(server.url, '/', { config, keep: true });
    await later.find('link', 'About this app');
    expect(later.get('link', 'Get the app')).toBeNull();

    await server.switches({ features: JSON.stringify({ features: [{ name: 'showAppBanner', value: 'D' }] }) });
    const off = await openPage(server.url, '/', { config });
    await off.find('link', 'About this app');
    await vi.waitFor(() => expect(off.get('link', 'Get the app')).toBeNull());
    await server.switches({ features: JSON.stringify({ features: [] }) });
    const without = await openPage(server.url, '/');
    await without.find('link', 'About this app');
    expect(without.get('link', 'Get the app')).toBeNull();
  } finally {
    Reflect.deleteProperty(navigator, 'userAgent');
    await server.switches({ features: JSON.stringify({ features: [] }) });
  }
});

import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { FakeOptions } from '../../hosts/imitated/phone.ts';
import * as session from '../../src/contract/session.ts';
import { lentServer } from '../kit/lentServer.ts';
import type { TestServer } from '../kit/server.ts';
import { freshMobile, logIn, logInByPaytm } from '../server/people.ts';
import { Customer, member, openShop, pay, PLACES } from '../server/shop.ts';
import { countCalls } from '../shell/quiet.ts';
import { openAs, remember, sessionOf } from './device.ts';
import { newDevice, notingCalls, openPage, type AppPage } from './page.ts';

let server: TestServer;
beforeAll(async () => {
  server = await lentServer();
  await openShop(server);
});
const settled = countCalls();
afterAll(async () => {
  await settled();
  await server.stop();
});

const { where, productId } = PLACES['IN']!;
type Controls = NonNullable<FakeOptions['controls']>;

/** The page of this customer inside Paytm, as their device has it. */
const insidePaytm = (who: Customer, path: string, controls: Controls = {}) =>
  openAs(server, who, path, { host: 'paytm', inside: { controls } });
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
  const page = await openAs(server, who, '/menu/sides');
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

test('inside a payment app, an ended login only offers to exit, and the menu goes on taking dishes [MINI-24] [ERR-12]', async () => {
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

test('inside a payment app no screen shows a wallet or asks the server for one [MINI-26]', async () => {
  const paytm = await paytmCustomer();
  for (const host of ['gpay', 'paytm'] as const)
    await notingCalls(async (asked) => {
      await newDevice();
      if (host === 'paytm') remember('session', sessionOf(paytm.person), { host });
      const shown: string[] = [];
      const at = async (path: string, heading: string | RegExp) => {
        const page = await openPage(server.url, path, { host, keep: true, inside: {} });
        await page.find('heading', heading);
        return page;
      };
      const leave = async (page: AppPage) => {
        await settled();
        shown.push(page.text());
      };
      await leave(await at('/', 'Bestsellers'));
      const menu = await at('/menu/sides', /^Sides \d+$/);
      await menu.press('button', 'Add Garlic Bread Sticks');
      await menu.find('link', /^Cart, 1 item ?₹/);
      await leave(menu);
      await leave(await at('/cart', 'Your cart'));
      await leave(await at('/payment', 'How do you want to pay?'));
      await leave(await at('/postorder-ui/profile', 'Your account'));
      expect([host, asked.filter((url) => /wallet/i.test(url))]).toEqual([host, []]);
      expect([host, shown.filter((text) => /pizza wallet/i.test(text))]).toEqual([host, []]);
      expect(asked.some((url) => url.includes('/orders/validations'))).toBe(true);
    });
});

test('an offer code changes the sum of an order that waits, but none that the app’s own sheet asks for at the moment [PAY-17]', async () => {
  const who = await paytmCustomer();
  const { order } = await who.order({ paymentMode: 'PAYTM' });
  const page = await insidePaytm(who, `/order/${order.orderId}`, { reply: 'never', replyOn: 'paytmPayment' });
  await page.find('button', 'Apply');
  await page.press('button', 'Continue with the payment');
  await page.gone('button', 'Apply');
  await page.find('heading', 'Pending confirmation');
});

const linked = (path: string, params = '') => `/?data=${encodeURIComponent(btoa(JSON.stringify({ path, params })))}`;

test.each([
  ['/menu/sides', '', '/menu/sides', /^Sides \d+$/],
  [
    '/postorder-ui/selectRestaurant',
    'deliveryType=DINEIN',
    '/postorder-ui/selectRestaurant?deliveryType=DINEIN',
    'Choose a restaurant',
  ],
  // Nothing that leads away from here is followed.
  ['//elsewhere.example/menu', '', /^\/\?data=/, 'Bestsellers'],
] as const)('a deep link of Paytm opens its page: %s %s [MINI-X04]', async (path, params, shown, heading) => {
  const page = await openPage(server.url, linked(path, params), { host: 'paytm', inside: {} });
  await page.find('heading', heading);
  expect(page.path()).toMatch(shown);
});

test('a delivered order can be rated and helped on the web; inside a payment app only a number shows [MINI-10] [MINI-14]', async () => {
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

  const page = await openAs(server, web, `/order/${own.order.orderId}`);
  await page.find('link', '5 stars of 5');
  await page.find('link', /^Get help/);

  const app = await insidePaytm(inside, `/order/${theirs.order.orderId}`);
  await app.sees('Call 6888 6888');
  await settled();
  expect(document.querySelectorAll('a[href^="tel:"],a[href*="help"],a[href*="uf?"]')).toHaveLength(0);
  expect(app.get('link', '5 stars of 5')).toBeNull();
});

test('home offers the chain’s own app in a phone’s browser until declined, never in a payment app or if switched off [MINI-17]', async () => {
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

/** What the imitated app was asked for, by the names of its own calls. */
const asked = (name: RegExp) =>
  (window as unknown as { hostFake: { log: { method: string; args: unknown }[] } }).hostFake.log.filter(({ method }) =>
    name.test(method),
  );

test('Paytm is asked for the permission only once somebody taps their own position, and what came of it is kept [LOC-09]', async () => {
  Object.defineProperty(window, 'isSecureContext', { configurable: true, value: true });
  try {
    for (const [location, kept] of [
      ['deny', '"off"'],
      ['grant', '"on"'],
    ] as const) {
      const page = await openPage(server.url, '/postorder-ui/searchAddress', {
        host: 'paytm',
        inside: { controls: { location, permissions: [0, location === 'grant' ? 1 : 0] } },
      });
      const row = await page.find('button', /^Use my current location ?We ask once/);
      await settled();
      expect([asked(/Permission/), localStorage.getItem('IN/paytm:gps')]).toEqual([[], null]);
      row.click();
      if (location === 'deny') await page.sees(/cannot see your location/);
      else await page.find('heading', /^Are you (?:near|in) /);
      expect(asked(/Permission/).map(({ method }) => method)).toEqual([
        'paytmCheckPermission',
        'paytmRequestPermission',
      ]);
      expect(localStorage.getItem('IN/paytm:gps')).toBe(kept);
    }
  } finally {
    Reflect.deleteProperty(window, 'isSecureContext');
  }
});

test('after an order the app asks once to go on the home screen, only where the browser or payment app can do it [NAV-X01]', async () => {
  const inside = await paytmCustomer();
  const theirs = await inside.order({ paymentMode: 'PAYTM' });
  await pay(server, theirs.next);
  const path = `/order/${theirs.order.orderId}`;
  const app = await insidePaytm(inside, path);
  await app.press('button', 'Add to the home screen');
  await app.sees('It is on your home screen now.');
  expect(asked(/Shortcut/)).toMatchObject([{ method: 'createAppShortcut', args: { longLabel: 'Golden Oven Pizza' } }]);
  await app.gone('button', 'Add to the home screen');
  const later = await openPage(server.url, path, { host: 'paytm', keep: true, inside: {} });
  await later.find('heading', 'Thank you! Your order is placed.');
  await settled();
  expect(later.get('button', 'Add to the home screen')).toBeNull();

  const web = await member(server);
  const own = await web.order({ paymentMode: 'COD' });
  const page = await openAs(server, web, `/order/${own.order.orderId}`);
  await page.find('heading', 'Thank you! Your order is placed.');
  expect(page.get('button', 'Add to the home screen')).toBeNull();
  const prompt = vi.fn(async () => {});
  window.dispatchEvent(
    Object.assign(new Event('beforeinstallprompt', { cancelable: true }), {
      prompt,
      userChoice: Promise.resolve({ outcome: 'accepted' }),
    }),
  );
  await page.press('button', 'Add to the home screen');
  await page.sees('It is on your home screen now.');
  expect(prompt).toHaveBeenCalledTimes(1);
});

test('a dish’s share button gives a link that opens it, by the share sheet of browser or app, or copied [NAV-X03]', async () => {
  const share = vi.fn(async (_given: { title: string; text: string; url: string }) => {});
  Object.defineProperty(navigator, 'share', { configurable: true, value: share });
  try {
    const page = await openPage(server.url, '/customise/PZ004');
    await page.press('button', 'Share Garden Four');
    await vi.waitFor(() => expect(share).toHaveBeenCalledTimes(1));
    const { title, url } = share.mock.calls[0]![0];
    expect([title, url]).toEqual(['Garden Four', `${server.url}/in/customise/PZ004`]);
  } finally {
    Reflect.deleteProperty(navigator, 'share');
  }
  const copied = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
  const bare = await openPage(server.url, '/customise/PZ004');
  await bare.press('button', 'Share Garden Four');
  await bare.sees('The link is copied.');
  expect(copied).toHaveBeenCalledWith(`${server.url}/in/customise/PZ004`);
  copied.mockRestore();
  const app = await openPage(server.url, '/customise/PZ004', { host: 'gpay', inside: {} });
  await app.press('button', 'Share Garden Four');
  await vi.waitFor(() => expect(asked(/Sharing/)).toMatchObject([{ args: { title: 'Garden Four' } }]));
  expect(JSON.stringify(asked(/Sharing/))).toContain('/customise/PZ004');
});

test('a cart’s share button gives a link with its dishes; the receiver decides whether they come into their own cart [NAV-X03]', async () => {
  const copied = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
  try {
    const menu = await openPage(server.url, '/customise/PZ004?size=M');
    await menu.press('button', /^Add ₹/);
    await menu.find('link', /^Cart, 1 item ?₹/);
    const sides = await openPage(server.url, '/menu/sides', { keep: true });
    await sides.press('button', 'Add Peri Fries');
    await sides.press('button', 'One more Peri Fries');
    const cart = await openPage(server.url, '/cart', { keep: true });
    await cart.press('button', 'Share this cart');
    await cart.sees('The link is copied.');
    const link = new URL(copied.mock.calls[0]![0]);

    const page = await openPage(server.url, link.href.slice(`${server.url}/in`.length));
    await page.find('heading', 'Shared with you');
    await page.sees(/Garden Four.*2 × Peri Fries/);
    await page.gone('button', 'Share this cart');
    await page.press('button', 'Add them to my cart');
    await page.sees(/Garden Four ?Medium/);
    await page.gone('heading', 'Shared with you');
    await page.sees('3 items');
    expect(page.path()).toBe('/cart');

    const other = await openPage(server.url, link.href.slice(`${server.url}/in`.length));
    await other.press('button', 'Keep only my cart');
    await other.find('heading', 'Your cart is empty');
    await other.gone('heading', 'Shared with you');
    const others = (...ids: string[]) =>
      `/cart?dishes=${btoa(JSON.stringify(ids.map((productId) => ({ productId, quantity: 1 })))).replaceAll('=', '')}`;
    const none = await openPage(server.url, others('GONE1', 'GONE2'));
    await none.sees('None of the 2 dishes that somebody has shared with you is on the menu of your store.');
    expect(none.get('button', /^Add/)).toBeNull();
    await none.press('button', 'Keep only my cart');
    await none.gone('heading', 'Shared with you');
    const some = await openPage(server.url, others('GONE1', 'SD001'));
    await some.sees('1 more dish was shared that is not on the menu of your store.');
    await some.press('button', 'Add it to my cart');
    await some.sees('1 item');
    const broken = await openPage(server.url, '/cart?dishes=W3sicHJv');
    await broken.sees("We're sorry. The link you clicked is not a working one!");
    const app = await openPage(server.url, link.href.slice(`${server.url}/in`.length), { host: 'gpay', inside: {} });
    await app.press('button', 'Add them to my cart');
    await app.press('button', 'Share this cart');
    await vi.waitFor(() => expect(asked(/Sharing/)).toMatchObject([{ args: { title: 'What I have in my cart' } }]));
  } finally {
    copied.mockRestore();
  }
});

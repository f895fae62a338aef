import path from 'node:path';
import type { Page } from '@playwright/test';
import { buildSync } from 'esbuild';
import { expect, test as base, builtBundles, type Bundle } from '../kit/app.ts';
import { bridge as gpay } from '../../hosts/gpay/bridge.ts';
import { bridge as paytm } from '../../hosts/paytm/bridge.ts';
import { ROUTER_ERROR, SCREEN_ERROR_TITLE, SCREEN_ERROR_TEXT, VENDOR_LOGIN_FAILED } from '../../src/domain/messages.ts';
import { enterHost } from './hosts.ts';
import { acceptTerms, addFromMenu, bundle, heading, look, noon, payButton, settleAt } from './steps.ts';

const test = base.extend<{ mobile: string }>({
  mobile: async ({ phone, server }, use) => {
    await noon(server);
    await server.switches({ faults: [], bankOutcome: null });
    await use(phone('in'));
  },
});

const web = bundle('in', 'browser');
const below = (page: Page, { mount }: Bundle) => { const { pathname, search } = new URL(page.url()); return pathname.slice(mount.length - 1) + search; };

async function leads(page: Page, own: Bundle, table: Readonly<Record<string, string>>): Promise<void> {
  for (const [from, to] of Object.entries(table)) {
    await page.goto(own.mount + from.slice(1));
    await expect.poll(() => below(page, own), { message: from }).toBe(to);
    await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1);
    expect((await page.title()).length, from).toBeGreaterThan(5);
  }
}

test('in: category ids and aliases lead to their friendly paths [NAV-06, NAV-07, NAV-08, NAV-09, NAV-10, NAV-11, NAV-12, NAV-13, NAV-14, NAV-15, NAV-16, NAV-17, NAV-18, NAV-19, NAV-20, NAV-21, NAV-26]', async ({ page, mobile: _ }) => {
  await leads(page, web, {
    '/menu/2': '/menu/veg-pizza', '/menu/3': '/menu/non-veg-pizza', '/menu/4': '/menu/sides', '/menu/5': '/menu/beverages', '/menu/20': '/menu/pizza-mania',
    '/menu/26': '/menu/dessert', '/menu/46': '/menu/speciality-chicken', '/menu/50': '/menu/combos', '/everyday-value-offers': '/edv', '/edv': '/edv',
    '/menu/bestsellers': '/menu', '/menu/daily-essentials': '/menu', '/menu?categoryId=4': '/menu/sides', '/menu/sides?categoryId=5&utm_source=x': '/menu/beverages?utm_source=x',
    '/menu/pasta-pizza-party': '/menu/pasta-pizza-party', '/menu/loaded-pizza': '/menu/loaded-pizza', '/menu/favourite': '/menu/favourite', '/menu/desserts': '/menu/dessert',
  });
});

test('lk: its own categories, and bestsellers as a page [NAV-30, NAV-31, NAV-32, NAV-33, NAV-34, NAV-35, NAV-36, NAV-37, NAV-38, NAV-39, NAV-40]', async ({ page, mobile: _ }) => {
  const same = Object.fromEntries(['bestsellers', '1', '35', '37', '38', '39', '40', '41', '43', '44', 'veg-pizza', 'non-veg-pizza', 'sides', 'beverages'].map((one) => [`/menu/${one}`, `/menu/${one}`]));
  await leads(page, bundle('lk', 'browser'), { ...same, '/menu/desserts': '/menu/41' });
});

test('bg: the second table [NAV-15, NAV-41, NAV-42, NAV-43, NAV-44]', async ({ page, mobile: _ }) => {
  await leads(page, bundle('bg', 'browser'), {
    '/menu/50': '/menu/pizza', '/menu/52': '/menu/loaded-pizza', '/menu/4': '/menu/sides', '/menu/5': '/menu/beverages', '/menu/51': '/menu/desserts', '/menu/0': '/menu/favourite', '/menu/bestsellers': '/menu',
  });
});

test('any other path leads home and leaves nothing behind [NAV-01, NAV-02, NAV-03, NAV-60]', async ({ page, mobile: _ }) => {
  await leads(page, web, { '/': '/', '/landing': '/landing', '/home': '/home', '/no/such/page?x=1': '/', '/%E0%A4%A': '/', '/MENU': '/' });
  await page.goto(`${web.mount}menu/sides`);
  await page.goto(`${web.mount}nothing-here`);
  await expect.poll(() => below(page, web)).toBe('/');
  await page.goBack();
  await expect.poll(() => below(page, web)).toBe('/menu/sides');
});

test('a link that is tapped twice is one step: back leaves it at once', async ({ page, server, mobile }) => {
  await settleAt(page, server.url, web, mobile);
  await addFromMenu(page);
  await page.getByRole('link', { name: /^Cart/ }).first().evaluate((link: HTMLElement) => { link.click(); link.click(); });
  await expect(heading(page, 'Your cart')).toBeVisible();
  await page.goBack();
  await expect.poll(() => below(page, web)).toBe('/menu');
});

for (const own of builtBundles()) {
  test(`${own.country}/${own.host}: opened and reloaded at any screen, it stays there [NAV-05, NAV-22, NAV-23, NAV-24, NAV-27, NAV-52, NAV-53, NAV-54, NAV-55, NAV-56, NAV-57, NAV-58, NAV-88, MINI-X04]`, async ({ page, mobile: _ }) => {
    await enterHost(page, own);
    for (const route of ['/menu', '/cart', '/search?q=garden', '/customise/PZ004', '/address', '/manualSelector', '/login', '/postorder-ui/login', '/postorder-ui/myAddresses', '/postorder-ui/searchAddress', '/postorder-ui/mapScreen', '/postorder-ui/nearestStore', '/postorder-ui/selectRestaurant?deliveryType=DINEIN', '/postorder-ui/takeawayMapScreen']) {
      await page.goto(own.mount + route.slice(1));
      await expect(page.getByRole('heading', { level: 1 }), route).toHaveCount(1);
      const title = await page.getByRole('heading', { level: 1 }).innerText();
      await page.reload();
      await expect(page.getByRole('heading', { level: 1 }), route).toHaveText(title);
      expect(below(page, own)).toBe(route);
    }
  });
}

test('in/gpay, in/paytm: what a mini-app does not have leads home, and nothing points at it [NAV-47, NAV-66, NAV-67, MINI-08, MINI-16, MINI-18, MINI-19, CFG-33]', async ({ page, mobile: _ }) => {
  for (const host of ['gpay', 'paytm']) {
    const own = bundle('in', host);
    await enterHost(page, own);
    await leads(page, own, { '/offers': '/', '/edv': '/', '/everyday-value-offers': '/', '/upiForm': '/', '/paytmForm': '/', '/postorder-ui/offers': '/', '/postorder-ui/wallet': '/', '/postorder-ui/orderHistory': '/' });
    const links = await page.locator('a[href]').evaluateAll((all) => all.map((link) => (link as HTMLAnchorElement).pathname));
    expect(links.filter((link) => /offers|edv|wallet|orderHistory/.test(link))).toEqual([]);
  }
});

test('lk, bg: what the country does not have leads home [NAV-66, NAV-67, CFG-31, CFG-32, CFG-33]', async ({ page, mobile: _ }) => {
  for (const country of ['lk', 'bg']) await leads(page, bundle(country, 'browser'), { '/upiForm': '/', '/paytmForm': '/', '/irctc': '/', '/chatbot': '/' });
});

async function openPopup(page: Page, own: Bundle): Promise<void> {
  if (own.host === 'browser') {
    // The last popup steps back over its own history entry, which would cut the next navigation short.
    await expect.poll(() => page.evaluate(() => Boolean((history.state as { hostBack?: boolean } | null)?.hostBack))).toBe(false);
    await page.goto(`${own.mount}login?from=Address`);
    await page.getByLabel('Mobile number').fill('9876500000');
    await page.getByRole('button', { name: 'Send me a code' }).click();
  } else {
    // Without a new navigation: closing the popup may still be taking back the entry that catches the host's back.
    if (!page.url().includes('/login')) await page.goto(`${own.mount}login`);
    await page.getByRole('button', { name: 'Continue with your account' }).click();
    await expect(page.getByRole('alertdialog')).toContainText(VENDOR_LOGIN_FAILED);
  }
  await expect(page.getByRole('alertdialog')).toBeVisible();
}

test('in/browser: a popup closes by a click outside, by Escape and by its button [NAV-74, NAV-75, ERR-04, ERR-22]', async ({ page, server, mobile: _ }) => {
  await server.switches({ faults: [{ match: '/loginhandler/login', status: 500 }] });
  await openPopup(page, web);
  await expect(page.getByRole('alertdialog').getByRole('heading', { name: 'Oops' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'OK' })).toBeFocused();
  await page.mouse.click(6, 6);
  await expect(page.getByRole('alertdialog')).toHaveCount(0);
  await openPopup(page, web);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('alertdialog')).toHaveCount(0);
  await openPopup(page, web);
  await page.getByRole('button', { name: 'OK' }).click();
  await expect(page.getByRole('alertdialog')).toHaveCount(0);
});

for (const host of ['gpay', 'paytm']) {
  test(`in/${host}: a popup does not close by a click outside, but by Escape and by the host's back [NAV-75, MINI-22]`, async ({ page, mobile: _ }) => {
    const own = bundle('in', host);
    await enterHost(page, own, { controls: { login: 'deny' } });
    await openPopup(page, own);
    await page.mouse.click(6, 6);
    await expect(page.getByRole('alertdialog')).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('alertdialog')).toHaveCount(0);
    await openPopup(page, own);
    await page.evaluate(() => { (window as unknown as { hostFake: { back(): void } }).hostFake.back(); });
    await expect(page.getByRole('alertdialog')).toHaveCount(0);
    expect(below(page, own)).toBe('/login');
  });
}

test.describe('a screen whose script does not come', () => {
  test.use({ serviceWorkers: 'block' });

  for (const script of ['SearchScreen', 'shared', 'alive']) {
    test(`is asked for again until it does: ${script} [NAV-76]`, async ({ page, mobile: _ }) => {
      let refused = 0;
      await page.route(new RegExp(`/${script}-\\w+\\.js`), (route) => { refused += 1; return refused <= 2 ? route.abort() : route.continue(); });
      await page.goto(`${web.mount}menu`);
      await page.getByRole('link', { name: 'Search' }).first().click();
      await expect(page.getByRole('searchbox')).toBeVisible();
      expect(refused).toBeGreaterThan(2);
    });
  }

  test('ends after five tries in the error screen, and Refresh brings everything back [NAV-73, NAV-78, ERR-35, ERR-50, ERR-51, CART-X02]', async ({ page, mobile: _ }) => {
    await page.goto(`${web.mount}menu`);
    await addFromMenu(page);
    await page.route(/\.js(\?|$)/, (route) => route.abort());
    // The cart's script may be here already: it is fetched ahead.
    await page.getByRole('link', { name: 'Search' }).first().click();
    await expect(heading(page, SCREEN_ERROR_TITLE)).toBeVisible();
    await expect(page.getByText(SCREEN_ERROR_TEXT)).toBeVisible();
    await expect(page.getByText(ROUTER_ERROR)).toBeVisible();
    await look(page, 'error-screen');
    await page.unroute(/\.js(\?|$)/);
    await page.getByRole('button', { name: 'Refresh' }).click();
    await expect(page.getByRole('searchbox')).toBeVisible();
    await page.goto(`${web.mount}cart`);
    await expect(heading(page, 'Your cart')).toBeVisible();
    await expect(page.getByRole('group', { name: 'Quantity of Garden Four' })).toContainText('1');
  });
});

test('back returns to where one was on the menu [NAV-X05]', async ({ page, mobile: _ }) => {
  await page.goto(`${web.mount}menu`);
  await expect(page.getByRole('button', { name: /^Add / }).first()).toBeVisible();
  await page.evaluate(() => scrollTo(0, 2_400));
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(2_400);
  const dish = page.locator('main li h3 a').and(page.locator(':visible'));
  const index = await dish.evaluateAll((all) => all.findIndex((one) => { const box = one.getBoundingClientRect(); return box.top > 120 && box.bottom < innerHeight - 80; }));
  const name = await dish.nth(index).innerText();
  await dish.nth(index).click();
  await expect(heading(page, name)).toBeVisible();
  await page.goBack();
  await expect(heading(page, 'Menu')).toBeVisible();
  await expect.poll(() => page.evaluate(() => Math.abs(scrollY - 2_400))).toBeLessThan(40);
  await expect(page.getByRole('link', { name }).first()).toBeInViewport();
});

test('the first Tab offers to skip to the content [NAV-X06, QUAL-X01]', async ({ page, mobile: _ }) => {
  await page.goto(`${web.mount}menu`);
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'Skip to the content' })).toBeFocused();
  await expect(page.getByRole('link', { name: 'Skip to the content' })).toBeInViewport();
  await page.keyboard.press('Enter');
  await expect(page.locator('main')).toBeFocused();
  expect(below(page, web)).toBe('/menu');
});

const PROBE = buildSync({ entryPoints: [path.resolve(import.meta.dirname, '../hosts/policyProbe.ts')], bundle: true, format: 'iife', globalName: 'policyProbe', write: false }).outputFiles[0]!.text;

/** One of a kind is enough: every pizza's page is built alike. */
const kindOf = (address: string) => address.replace(/\/(customise|combo|order|track|payment)\/[^/?]+/, '/$1/x').replace(/\?.*$/, '');

for (const [host, { forbids }] of Object.entries({ gpay, paytm })) {
  test(`in/${host}: no link leads out of the host, and no screen shows what it forbids [MINI-X06, MINI-X03, MINI-14, MINI-17]`, async ({ page, server, mobile }) => {
    const own = bundle('in', host);
    await enterHost(page, own, { user: `customer-${mobile}` });
    await settleAt(page, server.url, own, mobile);
    await addFromMenu(page);
    // The order is made first, so that its own screens are among those that are seen.
    await page.goto(`${own.mount}payment`);
    await acceptTerms(page);
    await payButton(page).click();
    await expect(heading(page, 'Thank you! Your order is placed.')).toBeVisible();
    const order = below(page, own);
    await page.goto(`${own.mount}menu`);
    await addFromMenu(page);
    const seen = new Set<string>();
    const open = ['/', order, order.replace('order', 'track'), '/cart', '/payment', '/address', '/login', '/manualSelector', '/postorder-ui/searchAddress', '/postorder-ui/mapScreen', '/postorder-ui/myAddresses', '/postorder-ui/selectRestaurant'];
    for (let route = open.shift(); route !== undefined; route = open.shift()) {
      if (seen.has(kindOf(route))) continue;
      seen.add(kindOf(route));
      await page.goto(own.mount + route.slice(1));
      await expect(page.getByRole('heading', { level: 1 }), route).toHaveCount(1);
      await expect(page.locator('main [aria-busy="true"]'), route).toHaveCount(0);
      await page.evaluate(`${PROBE};globalThis.policyProbe = policyProbe;0`);
      const found = await page.evaluate((policies) => (globalThis as unknown as { policyProbe: { forbiddenElements(root: Document, forbids: ReadonlySet<string>, origin: string): string[] } })
        .policyProbe.forbiddenElements(document, new Set(policies), location.origin), [...forbids]);
      expect(found, route).toEqual([]);
      const links = await page.locator('a[href]').evaluateAll((all) => all.map((link) => (link as HTMLAnchorElement).href));
      const outside = links.filter((link) => !link.startsWith(`${server.url}${own.mount}`));
      expect(outside, route).toEqual([]);
      open.push(...links.map((link) => link.slice(server.url.length + own.mount.length - 1).replace(/#.*$/, '')));
    }
    expect(seen.size).toBeGreaterThan(20);
  });
}

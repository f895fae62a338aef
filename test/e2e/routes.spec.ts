import type { Page } from '@playwright/test';
import { expect, test as base, builtBundles, type Bundle } from '../kit/app.ts';
import { sample } from '../kit/matrix.ts';
import * as errors from '#text/errors.ts';
import * as firstText from '#text/first.ts';
import { enterHost } from './hosts.ts';
import {
  addFromMenu,
  below,
  bundle,
  follow,
  heading,
  look,
  noon,
  OWN_ADDRESSES,
  REOPENED,
  reloaded,
  settleAt,
  stands,
} from './steps.ts';

const test = base.extend<{ mobile: string }>({
  mobile: async ({ phone, server }, use) => {
    await noon(server);
    await use(phone('in'));
  },
});

const web = bundle('in', 'browser');
/** What a reload must not lose. */
const WITH_QUERY: Readonly<Record<string, string>> = {
  '/search': '/search?q=garden',
  '/postorder-ui/selectRestaurant': '/postorder-ui/selectRestaurant?deliveryType=DINEIN',
};

async function leads(page: Page, own: Bundle, table: Readonly<Record<string, string>>): Promise<void> {
  for (const [from, to] of Object.entries(table)) {
    await page.goto(own.mount + from.slice(1));
    await expect.poll(() => below(page, own), { message: from }).toBe(to);
    await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1);
    expect((await page.title()).length, from).toBeGreaterThan(5);
  }
}

// Every row of the three tables is opened in test/screens/menu.test.tsx; here the built pages take one of each kind.
test('category ids and aliases lead to their friendly paths in the page of each country [NAV-06, NAV-30, NAV-42] @all', async ({
  page,
  mobile: _,
}) => {
  await leads(page, web, {
    '/menu/2': '/menu/veg-pizza',
    '/menu/sides?categoryId=5&utm_source=x': '/menu/beverages?utm_source=x',
    '/menu/bestsellers': '/menu',
    '/everyday-value-offers': '/edv',
  });
  await leads(page, bundle('lk', 'browser'), {
    '/menu/bestsellers': '/menu/bestsellers',
    '/menu/desserts': '/menu/41',
  });
  await leads(page, bundle('bg', 'browser'), { '/menu/52': '/menu/loaded-pizza', '/menu/0': '/menu/favourite' });
});

test('any other path leads home and leaves nothing behind [NAV-02, NAV-03, NAV-60] @all', async ({
  page,
  mobile: _,
}) => {
  await leads(page, web, {
    '/': '/',
    '/landing': '/landing',
    '/home': '/home',
    '/no/such/page?x=1': '/',
    '/%E0%A4%A': '/',
    '/menu/no-such-category': '/',
    '/menu?categoryId=999': '/',
  });
  // What it means, too, when a link inside the app leads there.
  await page.goto(`${web.mount}menu`);
  await expect(heading(page, 'Menu').first()).toBeVisible();
  await follow(page, web, '/menu/no-such-category');
  await expect.poll(() => below(page, web)).toBe('/');
  await expect(page.getByRole('heading', { name: 'Bestsellers' })).toBeVisible();
  await page.goto(`${web.mount}menu/sides`);
  await page.goto(`${web.mount}nothing-here`);
  await expect.poll(() => below(page, web)).toBe('/');
  await page.goBack();
  await expect.poll(() => below(page, web)).toBe('/menu/sides');
});

test('what there is not is answered with 404, and its page leads on [NAV-60] @all', async ({ page, mobile: _ }) => {
  const asked = async (path: string) => {
    const reply = await page.goto(web.mount + path);
    expect(reply!.status(), path).toBe(404);
  };
  for (const path of ['nothing-here', 'menu/no-such-category', 'menu?categoryId=999']) {
    await asked(path);
    await expect.poll(() => below(page, web), { message: path }).toBe('/');
    await expect(heading(page, 'Bestsellers')).toBeVisible();
  }
  for (const [path, link] of [
    ['customise/NONE', 'See the menu'],
    ['combo/NONE', 'Back'],
  ] as const) {
    await asked(path);
    await page.getByRole('main').getByRole('link', { name: link, exact: true }).click();
    await expect.poll(() => below(page, web), { message: path }).toBe('/menu');
  }
});

test('a link that is tapped twice is one step: back leaves it at once', async ({ page, server, mobile }) => {
  await settleAt(page, server.url, web, mobile);
  await addFromMenu(page);
  await page
    .getByRole('link', { name: /^Cart/ })
    .first()
    .evaluate((link: HTMLElement) => {
      link.click();
      link.click();
    });
  await expect(heading(page, 'Your cart')).toBeVisible();
  await page.goBack();
  await expect.poll(() => below(page, web)).toBe('/menu');
});

/** The rows of the screens that may be reached by a link, their addresses and what their heading says to a guest. */
const ROWS = {
  'NAV-05': ['/menu', 'Menu'],
  'NAV-22': ['/cart', 'Your cart'],
  'NAV-23': ['/address', 'Your address'],
  'NAV-24': ['/manualSelector', 'Choose your city'],
  'NAV-88': ['/manualSelector', 'Choose your city'],
  'NAV-27': ['/login', 'Log in'],
  'NAV-52': ['/postorder-ui/myAddresses', 'My addresses'],
  'NAV-53': ['/postorder-ui/searchAddress', 'Where should we deliver?'],
  'NAV-54': ['/postorder-ui/nearestStore', 'Nearest stores'],
  'NAV-55': ['/postorder-ui/takeawayMapScreen', 'Stores on the map'],
  'NAV-56': ['/postorder-ui/selectRestaurant', 'Choose a restaurant'],
  'NAV-57': ['/postorder-ui/mapScreen', 'Put the pin at your door'],
  'NAV-58': ['/postorder-ui/login', 'Log in'],
} as const;

// Inside the hosts the walk of crawl.spec.ts reloads the same screens.
const pages = builtBundles().filter(({ host }) => host === 'browser');
for (const own of sample(
  pages,
  pages.filter(({ country }) => country === 'in'),
)) {
  test(`${own.country}: links work [NAV-05, NAV-22, NAV-23, NAV-24, NAV-27, NAV-52, NAV-53, NAV-54, NAV-55, NAV-56, NAV-57, NAV-58, NAV-88]`, async ({
    page,
    mobile: _,
  }) => {
    for (const [row, [route]] of Object.entries(ROWS)) expect(OWN_ADDRESSES, row).toContain(route);
    await page.goto(own.mount);
    await stands(page, '/');
    for (const route of OWN_ADDRESSES) {
      const asked = WITH_QUERY[route] ?? route;
      await follow(page, own, asked);
      await stands(page, asked);
      for (const [row, [at, title]] of Object.entries(ROWS))
        if (at === route) await expect(page.getByRole('heading', { level: 1 }), row).toHaveText(title);
      if (REOPENED.has(route)) await reloaded(page, own, asked);
    }
  });
}

test('lk, bg: what the country does not have leads home, and nothing leads there [CFG-31, CFG-32, CFG-33] @all', async ({
  page,
  mobile: _,
}) => {
  for (const country of ['lk', 'bg'])
    await leads(page, bundle(country, 'browser'), {
      '/upiForm': '/',
      '/paytmForm': '/',
      '/irctc': '/',
      '/irctcStation': '/',
      '/irctcOrder': '/',
      '/deliverontrain': '/',
      '/chatbot': '/',
      '/wallet': '/',
      '/postorder-ui/wallet': '/',
      '/worldPizzaLeague': '/',
      '/worldPizzaLeagueApp': '/',
    });
  // Nor does anything lead there.
  for (const country of ['lk', 'bg'])
    for (const route of ['', 'postorder-ui/searchAddress', 'postorder-ui/profile']) {
      const own = bundle(country, 'browser');
      await page.goto(own.mount + route);
      await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1);
      // The foot of the page comes after everything that may stand above it.
      await expect(page.getByRole('contentinfo')).toBeVisible();
      await expect(page.getByRole('link', { name: /train/i }), `${country} ${route}`).toHaveCount(0);
    }
});

async function openPopup(page: Page, own: Bundle): Promise<void> {
  if (own.host === 'browser') {
    // The last popup steps back over its own history entry, which would cut the next navigation short.
    await expect
      .poll(() => page.evaluate(() => Boolean((history.state as { hostBack?: boolean } | null)?.hostBack)))
      .toBe(false);
    await page.goto(`${own.mount}login?from=Address`);
    await page.getByLabel('Mobile number').fill('9876500000');
    await page.getByRole('button', { name: 'Send me a code' }).click();
  } else {
    // Without a new navigation: closing the popup may still be taking back the entry that catches the host's back.
    if (!page.url().includes('/login')) await page.goto(`${own.mount}login`);
    await page.getByRole('button', { name: 'Continue with your account' }).click();
    await expect(page.getByRole('alertdialog')).toContainText(errors.vendorLoginFailed);
  }
  await expect(page.getByRole('alertdialog')).toBeVisible();
}

test('in/browser: a popup closes by a click outside, by Escape and by its button [NAV-74, NAV-75] @all', async ({
  page,
  server,
  mobile: _,
}) => {
  await server.switches({ faults: [{ match: '/loginhandler/login', status: 500 }] });
  await openPopup(page, web);
  await expect(page.getByRole('alertdialog').getByRole('heading', { name: 'Oops' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'OK' })).toBeFocused();
  // The keyboard comes to nothing of the page behind it.
  const stops = new Set<string>();
  for (let stop = 0; stop < 6; stop += 1) {
    await page.keyboard.press('Tab');
    stops.add(
      await page.evaluate(() => {
        const now = document.activeElement!;
        if (now === document.body) return 'the browser';
        return now.closest('[role=alertdialog]') ? (now.getAttribute('aria-label') ?? now.textContent) : 'the page';
      }),
    );
  }
  expect(stops).toContain('Close');
  expect(stops).toContain('OK');
  expect(stops).not.toContain('the page');
  await page.mouse.click(6, 6);
  await expect(page.getByRole('alertdialog')).toHaveCount(0);
  await openPopup(page, web);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('alertdialog')).toHaveCount(0);
  await openPopup(page, web);
  await page.getByRole('button', { name: 'OK' }).click();
  await expect(page.getByRole('alertdialog')).toHaveCount(0);
});

for (const host of sample(['gpay', 'paytm'], ['gpay'])) {
  test(`in/${host}: a popup does not close by a click outside, but by Escape and by the host's back [NAV-75, MINI-22] @all`, async ({
    page,
    mobile: _,
  }) => {
    const own = bundle('in', host);
    await enterHost(page, own, { controls: { login: 'deny' } });
    await openPopup(page, own);
    await page.mouse.click(6, 6);
    await expect(page.getByRole('alertdialog')).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('alertdialog')).toHaveCount(0);
    await openPopup(page, own);
    await page.evaluate(() => {
      (window as unknown as { hostFake: { back(): void } }).hostFake.back();
    });
    await expect(page.getByRole('alertdialog')).toHaveCount(0);
    expect(below(page, own)).toBe('/login');
  });
}

test.describe('a screen whose script does not come', () => {
  for (const script of sample(['dishes', 'alive'], ['dishes'])) {
    test(`is asked for again until it does: ${script} [NAV-76]`, async ({ page, mobile: _ }) => {
      let refused = 0;
      await page.route(new RegExp(`/${script}-\\w+\\.js`), (route) => {
        refused += 1;
        return refused <= 2 ? route.abort() : route.continue();
      });
      await page.goto(`${web.mount}menu`);
      await page.getByRole('link', { name: 'Search' }).first().click();
      await expect(page.getByRole('searchbox')).toBeVisible();
      expect(refused).toBeGreaterThan(2);
    });
  }

  test('is given up after 120 s, asked for five times more, and then told in the error screen [NAV-76, NAV-77] @all', async ({
    page,
    mobile: _,
  }) => {
    const now = Date.now();
    await page.clock.install({ time: now });
    // Its journey's script would be fetched ahead.
    await page.route(/\/dishes-\w+\.js/, (route) => route.abort());
    await page.goto(`${web.mount}menu`);
    await addFromMenu(page);
    await page.clock.pauseAt(now + 60_000);
    let asked = 0;
    await page.route(/\.js(\?|$)/, () => {
      asked += 1;
    });
    await page.getByRole('link', { name: 'Search' }).first().click();
    await expect.poll(() => asked).toBeGreaterThan(0);
    for (let tries = 0; tries < 5; tries += 1) {
      await page.clock.runFor(120_000);
      await page.clock.runFor(1_000);
    }
    await page.clock.runFor(119_999);
    await expect(page.locator('main [aria-busy=true]')).toBeVisible();
    await page.clock.runFor(1);
    await expect(heading(page, firstText.screenErrorTitle)).toBeVisible();
  });

  test('ends after five tries in the error screen, and Refresh brings everything back [ERR-35, ERR-51, CART-X02]', async ({
    page,
    mobile: _,
  }) => {
    // Its journey's script would be fetched ahead.
    await page.route(/\/dishes-\w+\.js/, (route) => route.abort());
    await page.goto(`${web.mount}menu`);
    await addFromMenu(page);
    await page.route(/\.js(\?|$)/, (route) => route.abort());
    await page.getByRole('link', { name: 'Search' }).first().click();
    await expect(heading(page, firstText.screenErrorTitle)).toBeVisible();
    await expect(page.getByText(firstText.screenErrorText)).toBeVisible();
    await expect(page.getByText(firstText.routerError)).toBeVisible();
    await look(page, 'error-screen');
    await page.unrouteAll();
    await page.getByRole('button', { name: 'Refresh' }).click();
    await expect(page.getByRole('searchbox')).toBeVisible();
    await page.goto(`${web.mount}cart`);
    await expect(heading(page, 'Your cart')).toBeVisible();
    await expect(page.getByRole('group', { name: 'Quantity of Garden Four' })).toContainText('1');
  });
});

test('back returns to where one was on the menu, with the focus on the dish [NAV-X05]', async ({ page, mobile: _ }) => {
  await page.goto(`${web.mount}menu`);
  await expect(page.getByRole('button', { name: /^Add / }).first()).toBeVisible();
  await page.evaluate(() => scrollTo(0, 2_400));
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(2_400);
  const dish = page.locator('main li h3 a').and(page.locator(':visible'));
  const index = await dish.evaluateAll((all) =>
    all.findIndex((one) => {
      const box = one.getBoundingClientRect();
      return box.top > 120 && box.bottom < innerHeight - 80;
    }),
  );
  const name = await dish.nth(index).innerText();
  await dish.nth(index).click();
  await expect(heading(page, name)).toBeFocused();
  await page.goBack();
  await expect(heading(page, 'Menu')).toBeVisible();
  // The keyboard and a screen reader go on from the dish, too.
  await expect(dish.nth(index)).toBeFocused();
  await expect.poll(() => page.evaluate(() => Math.abs(scrollY - 2_400))).toBeLessThan(40);
  await expect(page.getByRole('link', { name }).first()).toBeInViewport();
});

/** Presses that do not focus what they press, as in Safari. */
const pressAsSafari = (page: Page) =>
  page.addInitScript(() => addEventListener('mousedown', (event) => event.preventDefault(), true));
const scrolledTo = (page: Page, top: number) =>
  expect.poll(() => page.evaluate((wanted) => Math.abs(scrollY - wanted), top)).toBeLessThan(40);

test('who goes on before the page is connected has the focus on the heading, and comes back to the dish, too [NAV-X05] @all', async ({
  page,
  mobile: _,
}) => {
  let release = () => {};
  const held = new Promise<void>((done) => {
    release = done;
  });
  await page.route(/\/alive-\w+\.js/, async (route) => {
    await held;
    await route.continue();
  });
  await page.goto(`${web.mount}menu`);
  const dish = page.locator('main li h3 a').first();
  const name = await dish.innerText();
  await dish.click();
  await expect(page).toHaveURL(/\/customise\//);
  release();
  await expect(heading(page, name)).toBeFocused();
  await page.goBack();
  await expect(dish).toBeFocused();
});

test('between two views of one page back returns to the row that was followed, and forward to the heading [NAV-X05] @all', async ({
  page,
  mobile: _,
}) => {
  await page.setViewportSize({ width: 390, height: 420 });
  await page.goto(`${web.mount}manualSelector`);
  const city = page.getByRole('link', { name: /^New Delhi/ });
  await expect(city).toBeVisible();
  await city.evaluate((link) => link.scrollIntoView({ block: 'center' }));
  const cities = await page.evaluate(() => scrollY);
  await city.click();
  await expect(heading(page, 'Areas of New Delhi')).toBeFocused();
  await scrolledTo(page, 0);
  const area = page.getByRole('link', { name: /^Saket/ });
  await area.evaluate((link) => link.scrollIntoView({ block: 'center' }));
  const areas = await page.evaluate(() => scrollY);
  expect([cities, areas].every((top) => top > 40)).toBe(true);
  await area.click();
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
  await page.goBack();
  await expect(area).toBeFocused();
  await scrolledTo(page, areas);
  await page.goBack();
  await expect(city).toBeFocused();
  await scrolledTo(page, cities);
  await page.goForward();
  await expect(area).toBeFocused();
  await scrolledTo(page, areas);
  // What is typed there is in nobody's way: the next page of the address begins at its heading.
  await page.getByRole('searchbox').fill('sak');
  await area.click();
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
});

test('each visit to the menu is returned to where it was left, and a new one begins at the top [NAV-X05]', async ({
  page,
  mobile: _,
}) => {
  const dish = page.locator('main li h3 a').and(page.locator(':visible'));
  const openAt = async (top: number) => {
    await page.evaluate((to) => scrollTo(0, to), top);
    await scrolledTo(page, top);
    await expect.poll(() => dish.evaluateAll((all) => all.length)).toBeGreaterThan(3);
    const at = await dish.evaluateAll((all) =>
      all.findIndex(
        (one) => one.getBoundingClientRect().top > 120 && one.getBoundingClientRect().bottom < innerHeight - 80,
      ),
    );
    const name = await dish.nth(at).innerText();
    await dish.nth(at).click();
    await expect(heading(page, name)).toBeFocused();
    return name;
  };
  await page.goto(`${web.mount}menu`);
  const first = await openAt(2_400);
  // From there to home and to the menu once more.
  await follow(page, web, '/menu');
  await expect(heading(page, 'Menu').first()).toBeFocused();
  await scrolledTo(page, 0);
  const second = await openAt(900);
  await page.goBack();
  await expect(page.getByRole('link', { name: second, exact: true }).first()).toBeFocused();
  await scrolledTo(page, 900);
  await page.goBack();
  await expect(heading(page, first)).toBeVisible();
  await page.goBack();
  await expect(page.getByRole('link', { name: first, exact: true }).first()).toBeFocused();
  await scrolledTo(page, 2_400);
});

for (const own of [web, bundle('in', 'gpay')])
  test(`in/${own.host}: a popup gives the focus back, and the page after it begins at its top [NAV-74, NAV-X05] @all`, async ({
    page,
    server,
    mobile: _,
  }) => {
    if (own === web) await server.switches({ faults: [{ match: '/loginhandler/login', status: 500 }] });
    else await enterHost(page, own, { controls: { login: 'deny' } });
    await pressAsSafari(page);
    await page.goto(`${own.mount}menu`);
    await expect(page.getByRole('button', { name: /^Add / }).first()).toBeVisible();
    await page.evaluate(() => scrollTo(0, 2_400));
    await scrolledTo(page, 2_400);
    await follow(page, own, '/login?from=Address');
    if (own === web) await page.getByLabel('Mobile number').fill('9876500000');
    const opener = page.getByRole('button', { name: own === web ? 'Send me a code' : 'Continue with your account' });
    await opener.click();
    await expect(page.getByRole('alertdialog')).toBeVisible();
    // In the browser what opened it has gone with its page.
    if (own === web) await expect.poll(() => below(page, own)).toBe('/cart');
    await page.keyboard.press('Escape');
    await expect(page.getByRole('alertdialog')).toHaveCount(0);
    await expect(own === web ? page.getByRole('heading', { level: 1 }) : opener).toBeFocused();
    // The entry that caught the host's back is gone.
    await expect
      .poll(() => page.evaluate(() => Boolean((history.state as { hostBack?: boolean } | null)?.hostBack)))
      .toBe(false);
    await follow(page, own, '/menu');
    await expect(heading(page, 'Menu').first()).toBeFocused();
    await scrolledTo(page, 0);
  });

test('a sheet gives the focus back to what opened it, where a press focuses nothing, too [NAV-X05]', async ({
  page,
  mobile: _,
}) => {
  await pressAsSafari(page);
  await page.goto(`${web.mount}menu`);
  // The foot comes once the page is connected.
  await expect(page.getByRole('contentinfo')).toBeVisible();
  const opener = page.getByRole('button', { name: 'All filters' });
  await opener.click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(opener).toBeFocused();
});

test('the first Tab offers to skip to the content [NAV-X06, QUAL-X01]', async ({ page, mobile: _ }) => {
  await page.goto(`${web.mount}menu`);
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'Skip to the content' })).toBeFocused();
  await expect(page.getByRole('link', { name: 'Skip to the content' })).toBeInViewport();
  await page.keyboard.press('Enter');
  // Past the categories and the filters: the next stop is in the first dish.
  await expect(page.locator('#main')).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(page.locator('#main li:first-child :focus').first()).toBeInViewport();
  expect(below(page, web)).toBe('/menu');
});

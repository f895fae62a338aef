import * as english from '#text/found.ts';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { countryConfig } from '../../country/index.ts';
import { pagesTold } from '../../src/domain/seo.ts';
import * as menu from '../../src/contract/menu.ts';
import * as stores from '../../src/contract/stores.ts';
import { sample } from '../kit/matrix.ts';
import { lentServer } from '../kit/lentServer.ts';
import type { TestServer } from '../kit/server.ts';
import { freshMobile } from '../server/people.ts';
import { countCalls } from '../shell/quiet.ts';
import { deviceWithCart } from './device.ts';
import { atHour } from './hour.ts';
import { notingCalls, openPage, walkTo, type AppPage } from './page.ts';

let server: TestServer;
beforeAll(async () => {
  server = await lentServer();
  // The document was never at the addresses of the pages before: going back from an alert would leave the server.
  vi.spyOn(history, 'back').mockImplementation(() => {});
});
afterAll(() => server.stop());

const settled = countCalls();
afterEach(settled);

const leads = (page: AppPage, path: string) => vi.waitFor(() => expect(page.path()).toBe(path));
const HOME = 'Your pizza, hot from the oven';

describe('every path opens its own screen', () => {
  test.each([
    ['NAV-22', '/cart', 'Your cart'],
    ['NAV-23', '/address', 'Your address'],
    ['NAV-24', '/manualSelector', 'Choose your city'],
    ['NAV-25', '/offers', 'Coupons'],
    ['NAV-27', '/login', 'Log in'],
    ['NAV-51', '/postorder-ui/profile', 'Your account'],
    ['NAV-53', '/postorder-ui/searchAddress', 'Where should we deliver?'],
    ['NAV-54', '/postorder-ui/nearestStore', 'Nearest stores'],
    ['NAV-55', '/postorder-ui/takeawayMapScreen', 'Stores on the map'],
    ['NAV-56', '/postorder-ui/selectRestaurant', 'Choose a restaurant'],
    ['NAV-57', '/postorder-ui/mapScreen', 'Put the pin at your door'],
    ['NAV-58', '/postorder-ui/login', 'Log in'],
  ])(
    '%s: %s has one heading, "%s" [NAV-22, NAV-23, NAV-24, NAV-25, NAV-27, NAV-51, NAV-53, NAV-54, NAV-55, NAV-57, NAV-58]',
    async (_row, path, title) => {
      const page = await walkTo(server.url, path);
      expect((await page.find('heading', title)).tagName).toBe('H1');
      expect(page.path()).toBe(path);
      expect(document.querySelectorAll('h1')).toHaveLength(1);
    },
  );

  test('restaurants are chosen for the type of the link, in a list or on the map, and the way leads home again [NAV-56]', async () => {
    const list = await openPage(server.url, '/postorder-ui/selectRestaurant?deliveryType=DINEIN&isFromHome=true');
    await list.find('heading', 'Choose a restaurant');
    const chosen = () =>
      document.querySelector('[aria-label="How do you want your order?"] [aria-pressed=true]')?.textContent;
    await vi.waitFor(() => expect(chosen()).toBe('Dine-in'));
    expect(list.get('link', 'Back to home')?.getAttribute('href')).toBe('./');
    await vi.waitFor(() => expect(list.get('link', 'Near a place')?.getAttribute('href')).toContain('isFromHome=true'));
    const map = await openPage(server.url, '/postorder-ui/selectRestaurant?deliveryType=CURB&storePage=map');
    await map.find('heading', 'Stores on the map');
    await vi.waitFor(() => expect(chosen()).toBe('Curbside'));
  });

  test('saved addresses are to be kept in order from the profile, and to be chosen from elsewhere [NAV-52]', async () => {
    const own = await openPage(server.url, '/postorder-ui/myAddresses?fromProfile=true');
    await own.find('heading', 'My addresses');
    await vi.waitFor(() =>
      expect(own.get('link', 'Add an address')?.getAttribute('href')).toContain('fromProfile=true'),
    );
    expect(own.get('link', 'Back')?.getAttribute('href')).toBe('postorder-ui/profile');
    const other = await openPage(server.url, '/postorder-ui/myAddresses');
    expect((await other.find('link', 'Add an address')).getAttribute('href')).not.toContain('fromProfile');
  });

  test('every menu page of Bangladesh has one title, the keywords "Our Menu" and one description that invites to order [NAV-45]', async () => {
    const said = (name: string) => document.querySelector(`meta[name=${name}]`)?.getAttribute('content');
    const page = await openPage(server.url, '/menu/sides', { country: 'bg' });
    const { paths } = pagesTold(countryConfig('bg'), english);
    // What comes last: from here on moves are followed.
    await vi.waitFor(() => expect(document.title).toBe(paths['/menu/sides']!.title));
    const seen = new Set<string>();
    for (const path of [
      '/',
      '/menu/pizza',
      '/menu/loaded-pizza',
      '/menu/beverages',
      '/menu/desserts',
      '/menu/favourite',
    ]) {
      // What the page before said of itself is no answer.
      document.title = '';
      for (const meta of document.querySelectorAll('meta[name]')) meta.setAttribute('content', '');
      history.pushState(null, '', `${server.url}/bg${path}`);
      await leads(page, path);
      await vi.waitFor(() => expect([document.title, said('keywords')]).not.toContain(''));
      expect(said('keywords'), path).toBe('Our Menu');
      seen.add(`${document.title} | ${said('description')}`);
    }
    expect([...seen]).toEqual([
      expect.stringMatching(/\| .*\bOrder pizza online\b.*favourites.*sides.*desserts.*deals.*coupons/i),
    ]);
  });

  test('each page has its own title and description, not the last one’s, and a cart has no address for others [NAV-46]', async () => {
    document.title = '';
    await openPage(server.url, '/cart');
    const { paths } = pagesTold(countryConfig('in'), english);
    // What comes last: from here on moves are followed.
    await vi.waitFor(() => expect(document.title).toBe(paths['/cart']!.title));
    const said = (name: string) => document.querySelector(`meta[name=${name}]`)?.getAttribute('content');
    const canonical = () => document.querySelector('link[rel=canonical]')?.getAttribute('href');
    history.pushState(null, '', `${server.url}/in/menu/veg-pizza`);
    const { description, keywords } = paths['/menu/veg-pizza']!;
    await vi.waitFor(() => expect(said('description')).toBe(description));
    expect(said('keywords')).toBe(keywords);
    expect(canonical()).toMatch(/\/menu\/veg-pizza$/);
    history.pushState(null, '', `${server.url}/in/cart`);
    await vi.waitFor(() => expect(said('description')).toBe(paths['/cart']!.description));
    expect(canonical()).toBeUndefined();
  });

  test("a dish or combo opened inside the app describes itself, while an order that is one customer's own says nothing [NAV-46]", async () => {
    document.title = '';
    const page = await openPage(server.url, '/menu');
    await page.find('button', 'Add Double Cheese Melt');
    // What comes last: from here on moves are followed.
    await vi.waitFor(() => expect(document.title).toBe(pagesTold(countryConfig('in'), english).paths['/menu']!.title));
    const meta = document.createElement('meta');
    meta.name = 'description';
    document.head.append(meta);
    const { items } = (await server.call(menu.byStore, { storeId: '10101', query: {} })).body.menu!;
    for (const [path, id] of [
      ['/customise/PZ001', 'PZ001'],
      ['/combo/DL001', 'DL001'],
    ] as const) {
      const { name, description } = items.find((one) => one.id === id)!;
      meta.content = 'of the page before';
      history.pushState(null, '', `${server.url}/in${path}`);
      await vi.waitFor(() => expect(meta.content, path).toBe(description));
      await vi.waitFor(() => expect(document.title).toBe(`${name} | Golden Oven Pizza`));
      expect(document.querySelector('link[rel=canonical]')?.getAttribute('href')).toMatch(new RegExp(`/in${path}$`));
    }
    history.pushState(null, '', `${server.url}/in/order/ord-1`);
    await vi.waitFor(() => expect(meta.content).toBe(''));
    expect(document.querySelector('link[rel=canonical]')).toBeNull();
  });
});

describe('any other path leads home, without a step back to it', () => {
  test.each(['lk', 'bg'])('in %s each path that is blocked there, the wallet among them [CFG-15]', async (country) => {
    const { BLOCKED_PATHS } = countryConfig(country);
    expect(BLOCKED_PATHS).toContain('/postorder-ui/wallet');
    const page = await openPage(server.url, '/', { country });
    await page.find('heading', HOME);
    for (const path of BLOCKED_PATHS) {
      history.pushState(null, '', `${server.url}/${country}${path}`);
      await leads(page, '/');
    }
  });

  test('in India no path is blocked, and both paths of the wallet have it [CFG-15]', async () => {
    expect(countryConfig('in').BLOCKED_PATHS).toEqual([]);
    for (const path of ['/wallet', '/postorder-ui/wallet']) {
      const there = await walkTo(server.url, path);
      await there.find('heading', 'Pizza wallet');
      expect(there.path()).toBe(path);
    }
  });

  test('where a chain has a home application its paths lead there at once, other pages and payment apps stay [NAV-04]', async () => {
    const replace = vi.spyOn(location, 'replace').mockImplementation(() => {});
    const config = { HOME_APP_URL: 'https://home.example/in/' };
    try {
      for (const path of ['/', '/home', '/landing']) {
        await openPage(server.url, path, { config });
        expect(replace.mock.calls.splice(0), path).toEqual([[config.HOME_APP_URL]]);
        expect(document.querySelector('h1')).toBeNull();
      }
      const menu = await openPage(server.url, '/menu', { config });
      await menu.find('heading', 'Menu');
      const inside = await openPage(server.url, '/', { config, host: 'gpay', inside: {} });
      await inside.find('heading', HOME);
      // Its own address is this one: no circle.
      const own = await openPage(server.url, '/', { config: { HOME_APP_URL: `${server.url}/in/` } });
      await own.find('heading', HOME);
      expect(replace).not.toHaveBeenCalled();
    } finally {
      replace.mockRestore();
    }
  });

  test.each([
    '/nothing',
    '/MENU',
    '/postorder-ui/nothing',
    '/menu/a/b',
    '/menu/nothing',
    '/menu?categoryId=nothing',
    '/%E0%A4%A',
  ])('%s [NAV-60]', async (path) => {
    const page = await walkTo(server.url, '/terms');
    await page.find('heading', 'Terms of ordering');
    const before = history.length;
    history.replaceState(null, '', `${server.url}/in${path}`);
    await page.find('heading', HOME);
    expect([page.path(), history.length]).toEqual(['/', before]);
  });

  test.each([
    ['MINI-16', '/offers'],
    ['MINI-16', '/offers?from=cart'],
    ['MINI-18', '/everyday-value-offers'],
    ['MINI-19', '/edv'],
    ['NAV-47', '/postorder-ui/offers'],
    ['NAV-48', '/postorder-ui/orderHistory'],
    ['NAV-49', '/postorder-ui/orderdetails'],
    ['NAV-50', '/postorder-ui/wallet'],
  ])(
    '%s: in a payment app so does %s [MINI-16] [MINI-18] [MINI-19] [NAV-47] [NAV-48] [NAV-49] [NAV-50]',
    async (_row, path) => {
      // The host's own list is enough: the server's is not there yet.
      await server.switches({ faults: [{ match: 'app-config', status: 500 }] });
      const page = await walkTo(server.url, '/terms', { host: 'gpay' });
      await page.find('heading', 'Terms of ordering');
      history.replaceState(null, '', `${server.url}/in/gpay${path}`);
      await page.find('heading', HOME);
      expect(page.path()).toBe('/');
      await server.switches({ faults: [] });
    },
  );
});

describe('the coupons page', () => {
  // At lunch a better offer than the codes typed here comes on the cart by itself, and what takes its place is not celebrated.
  beforeAll(() => atHour(server, 16));

  /** Four servings of ₹109, so that some coupons fit and others do not. */
  const filled = async (path: string) => {
    await deviceWithCart(server, Array<string>(4).fill('Garlic Bread Sticks'));
    return await openPage(server.url, path, { keep: true });
  };
  const box = () => document.querySelector<HTMLInputElement>('input[name="offer-code"]')!;
  const type = async (page: AppPage, code: string) => {
    await page.type('Have an offer code?', code);
    // The page has it once it was drawn with it.
    await vi.waitFor(() => expect(box().getAttribute('value')).toBe(code));
    box().form!.requestSubmit();
  };

  /** The server's answer to calls of `path` with these fields instead of its own. */
  const answering = async (path: RegExp, fields: object, during: () => Promise<void>, status = 200) => {
    const real = globalThis.fetch;
    globalThis.fetch = async (...given: Parameters<typeof fetch>) => {
      const reply = await real(...given);
      const url = given[0] instanceof Request ? given[0].url : String(given[0]);
      if (!path.test(url)) return reply;
      return Response.json({ ...((await reply.json()) as object), ...fields }, { status });
    };
    try {
      await during();
    } finally {
      globalThis.fetch = real;
    }
  };

  test('the page is called Coupons and shows the cart’s value without charges, none if it is empty [OFF-01] [OFF-02] [CART-14]', async () => {
    const page = await filled('/offers');
    await page.find('heading', 'Coupons');
    const { displayNetPrice, bill } = JSON.parse(localStorage.getItem('IN/browser:cart')!) as {
      displayNetPrice: number;
      bill: { total: number };
    };
    expect(displayNetPrice).not.toBe(bill.total);
    await page.sees(`Your cart value ₹${(displayNetPrice / 100).toFixed(2)} + Charges`);
  });

  test('takes a code, tells the details of a coupon and leads on, from an empty cart home [OFF-03] [OFF-04] [OFF-05]', async () => {
    const page = await filled('/offers');
    await page.find('heading', 'Best for your cart');
    expect(page.get('heading', 'No offers right now')).toBeNull();
    expect(box().labels?.[0]?.textContent).toBe('Have an offer code?');
    expect(box().placeholder).toBe('Type Offer code here…');
    expect(page.get('button', 'Apply')).not.toBeNull();
    const details = [...document.querySelectorAll('details')][0]!;
    expect(details.querySelector('summary')?.textContent).toBe('More details');
    expect([details.open, details.textContent]).toEqual([false, expect.stringContaining('Offer Details:')]);
    expect(page.get('link', 'Add Items')?.getAttribute('href')).toBe('menu');
    expect(page.get('link', 'GO TO CART')?.getAttribute('href')).toBe('cart');
    const empty = await openPage(server.url, '/offers');
    expect((await empty.find('link', 'GO TO HOME')).getAttribute('href')).toBe('./');
    expect(empty.text()).not.toContain('Your cart value');
  });

  test.each([
    ['/offers', '/home'],
    ['/offers?from=cart', '/cart'],
  ])(
    'a code typed at %s is applied, leads to %s and is celebrated there once [OFF-06] [OFF-21]',
    async (path, target) => {
      const page = await filled(path);
      await page.find('heading', 'Coupons');
      await type(page, 'MEGA25');
      await vi.waitFor(() =>
        expect(document.getElementById(`${box().id}-error`)!.textContent).toMatch(/Add items worth ₹[\d,]+ more/),
      );
      expect(page.path()).toBe(path);
      const explicitPromo = {
        promoCode: 'SAVE15',
        confettiMessage: 'Well chosen!',
        confettiSubMessage: '₹65 stay with you',
      };
      await answering(/save15/i, { explicitPromo }, async () => {
        await type(page, 'save15');
        await leads(page, target);
        await page.sees('Well chosen! ₹65 stay with you');
        expect(JSON.parse(localStorage.getItem('IN/browser:coupon-code')!)).toBe('SAVE15');
      });
      // Once: neither does the cart say it later, nor again when it is opened again.
      if (target === '/cart') {
        await page.press('link', 'Back to the menu');
        await page.find('heading', 'Menu');
      }
      await page.press('link', /^Cart, 4 items/);
      await page.find('button', 'Remove SAVE15');
      // The toast of before may still be there; the cart says it in bold.
      expect([...document.querySelectorAll('main b')].map((one) => one.textContent)).not.toContain('Well chosen!');
    },
  );

  test.each([
    ['/offers', '/home'],
    ['/offers?from=cart', '/cart'],
  ])(
    'a tapped card at %s is applied, kept as the last code and celebrated, and leads to %s [OFF-24]',
    async (path, target) => {
      const page = await filled(path);
      const ready = await page.find('button', /^Apply [A-Z0-9]+$/);
      const code = ready.getAttribute('aria-label')!.slice('Apply '.length);
      const explicitPromo = { promoCode: code, confettiMessage: 'Well tapped!', confettiSubMessage: 'It is yours' };
      await answering(/cart\/[^/]+\/promo\//, { explicitPromo }, async () => {
        ready.click();
        await leads(page, target);
        await page.sees('Well tapped! It is yours');
      });
      expect(JSON.parse(localStorage.getItem('IN/browser:coupon-code')!)).toBe(code);
      await (await openPage(server.url, '/cart', { keep: true })).find('button', `Remove ${code}`);
    },
  );

  test('a gift that is taken off leaves the code that was used last; that code taken off leaves none [OFF-24]', async () => {
    const page = await filled('/cart');
    await type(page, 'SAVE15');
    await page.sees('SAVE15 is applied');
    const last = () => JSON.parse(localStorage.getItem('IN/browser:coupon-code')!) as unknown;
    await page.press('button', 'Remove FREEDIP');
    await page.sees('FREEDIP is taken off.');
    expect(last()).toBe('SAVE15');
    await page.press('button', 'Remove SAVE15');
    // It would be on by itself, too: going without it is another step.
    await page.sees('SAVE15 is still on: we add it ourselves.');
    await page.press('button', 'Remove SAVE15');
    await page.sees('SAVE15 is taken off.');
    expect(last()).toBeNull();
  });

  test('the message of a code and the line below it come with confetti, and without any where less motion is wanted [OFF-25]', async () => {
    const { settings } = (window as unknown as { happyDOM: { settings: { device: { prefersReducedMotion: string } } } })
      .happyDOM;
    // The imitated page animates nothing by itself.
    const pieces: Element[] = [];
    Object.assign(Element.prototype, {
      animate(this: Element) {
        pieces.push(this);
        return { finished: new Promise(() => {}) };
      },
    });
    const explicitPromo = { promoCode: 'SAVE15', confettiMessage: 'Well chosen!', confettiSubMessage: 'It stays' };
    try {
      for (const motion of ['no-preference', 'reduce']) {
        settings.device.prefersReducedMotion = motion;
        pieces.length = 0;
        const page = await filled('/cart');
        await page.find('button', 'Spin the wheel');
        await answering(/SAVE15/, { explicitPromo }, async () => {
          await type(page, 'SAVE15');
          await page.sees('Well chosen! It stays');
        });
        const news = [...document.querySelectorAll('[role=status]')].find((one) => one.textContent.includes('Well'))!;
        expect(news.querySelector('b')!.textContent).toBe('Well chosen!');
        // Whatever it would have thrown is thrown by now.
        await page.press('button', 'Remove SAVE15');
        // It would be on by itself, too: going without it is another step.
        await page.sees('SAVE15 is still on: we add it ourselves.');
        expect([motion, pieces.length > 20]).toEqual([motion, motion !== 'reduce']);
      }
    } finally {
      settings.device.prefersReducedMotion = 'no-preference';
      delete (Element.prototype as { animate?: unknown }).animate;
    }
  });

  test('more details of a card are its own terms, which come from the server once they are opened [OFF-11]', async () => {
    const page = await filled('/offers');
    await page.find('heading', 'Best for your cart');
    const card = [...document.querySelectorAll('article')].find(
      (one) => one.querySelector('code')?.textContent === 'WELCOME50',
    )!;
    expect(card.textContent).not.toContain('Not with a gift card');
    await answering(/WELCOME50\/tnc/, { tncList: ['First order only', 'Not with a gift card'] }, async () => {
      card.querySelector('details')!.open = true;
      await vi.waitFor(() =>
        expect([...card.querySelectorAll('details li')].map((one) => one.textContent)).toContain(
          'Not with a gift card',
        ),
      );
    });
    // What the card itself says is not said twice.
    for (const once of ['Order at least ₹199', 'First order only'])
      await vi.waitFor(() => expect(card.querySelector('details')!.textContent.split(once)).toHaveLength(2));
    expect(page.text().split('Not with a gift card')).toHaveLength(2);
  });

  test('a coupon’s details load its text in plain words when they are opened, and a tap tries again if that failed [OFF-30]', async () => {
    const page = await filled('/offers');
    await page.find('heading', 'Best for your cart');
    const card = [...document.querySelectorAll('article')].find(
      (one) => one.querySelector('code')?.textContent === 'WELCOME50',
    )!;
    const more = card.querySelector('details')!;
    await server.switches({ faults: [{ match: 'WELCOME50/text', status: 500, times: 1 }] });
    await notingCalls(async (asked) => {
      const texts = () => asked.filter((url) => url.includes('/text')).map((url) => new URL(url).pathname);
      more.open = true;
      const again = await page.find('button', 'Try again');
      expect([more.contains(again), more.querySelector('[role=alert]')!.textContent]).toEqual([
        true,
        expect.stringContaining('Something Went Wrong. Please Try Again.'),
      ]);
      // What the card knows by itself is there all the same.
      expect(more.textContent).toContain('Order at least ₹199');
      await server.switches({ faults: [{ match: 'WELCOME50/text', delayMs: 500, times: 1 }] });
      again.click();
      await vi.waitFor(() => expect(again.getAttribute('aria-busy')).toBe('true'));
      await page.sees(/50% off.*Order at least ₹199.*\. Code WELCOME50\./);
      expect(more.querySelector('[role=alert]')).toBeNull();
      expect(more.textContent.split('Order at least ₹199')).toHaveLength(2);
      more.open = false;
      more.open = true;
      await page.find('button', /^Apply [A-Z0-9]+$/);
      expect(new Set(texts())).toEqual(new Set(['/content/ve1/promo/WELCOME50/text']));
      expect(texts()).toHaveLength(2);
    });
  });

  test('with an empty cart the page shows the store’s offers, asked for once; with a dish it shows what fits the cart [OFF-29]', async () => {
    const menu = await openPage(server.url, '/menu/sides');
    await menu.find('button', 'Add Garlic Bread Sticks');
    await notingCalls(async (asked) => {
      const calls = (of: string) => asked.filter((url) => url.includes(of)).map((url) => url.slice(server.url.length));
      const page = await openPage(server.url, '/offers', { keep: true });
      await page.find('heading', 'Offers running now');
      expect(calls('/leftnav/')).toEqual(['/agg/ve1/leftnav/store/10101/offers?includePartnerOffer=true']);
      expect([calls('combinedOffers'), calls('/cart-service/')]).toEqual([[], []]);
      // An offer for nothing cannot be applied, and one of another store does not run here.
      await page.press('button', /^Show \d+ more/);
      const codes = [...document.querySelectorAll('article code')].map((one) => one.textContent);
      expect(codes).toEqual(expect.arrayContaining(['FLAT100', 'WELCOME50']));
      expect(codes).not.toContain('SAKETONLY');
      expect(page.get('button', /^Apply [A-Z0-9]+$/)).toBeNull();
      await page.press('link', 'Add Items');
      await page.find('heading', 'Menu');
      await page.press('button', 'Add Double Cheese Melt');
      await page.find('link', /^Cart, 1 item ?₹/);
      const filledNow = await openPage(server.url, '/offers', { keep: true });
      await filledNow.find('heading', /^(?:Best for your cart|Add a little more)/);
      expect([calls('/leftnav/').length, calls('combinedOffers').length]).toEqual([1, 1]);
    });
  });

  test('offers that the server still works out say so, and a tap looks again; refused ones say why [OFF-13] [CFG-47]', async () => {
    const waiting = 'We are still looking for your offers.';
    let page = await filled('/cart');
    await page.find('button', 'Spin the wheel');
    await answering(/combinedOffers/, { status: 'WAIT', combinedOffers: undefined }, async () => {
      page = await openPage(server.url, '/offers', { keep: true });
      await page.sees(waiting);
      expect(page.get('heading', 'No offers right now')).toBeNull();
    });
    await page.press('button', 'Look again');
    await page.find('heading', 'Best for your cart');
    expect(page.text()).not.toContain(waiting);
    const refused = { status: 'FAILED', errors: [{ code: 'NONE', displayMsg: 'No offers today' }] };
    await answering(/combinedOffers/, { ...refused, combinedOffers: undefined }, async () => {
      page = await openPage(server.url, '/offers', { keep: true });
      await page.find('heading', 'Oops! Something went wrong');
      await page.sees('No offers today');
    });
    await page.press('button', 'Try again');
    await page.find('heading', 'Best for your cart');
    expect(page.text()).not.toContain('No offers today');
  });

  const PARTNERS = [
    ['browser', 'true'],
    ['gpay', 'false'],
    ['paytm', 'false'],
    ['frame', 'false'],
  ] as const;
  test.each(sample(PARTNERS, PARTNERS.slice(0, 2)))(
    'in %s offers of partners are asked for: %s [OFF-28]',
    async (host, wanted) => {
      await notingCalls(async (asked) => {
        const menu = await openPage(server.url, '/menu/sides', { host });
        await menu.press('button', 'Add Garlic Bread Sticks');
        await menu.find('link', /^Cart, 1 item ?₹/);
        const cart = await openPage(server.url, '/cart', { host, keep: true });
        await cart.find('button', 'Spin the wheel');
        await type(cart, 'GPAYSPOT');
        await vi.waitFor(() => expect(document.getElementById(`${box().id}-error`)?.textContent).toMatch(/./));
        const said = asked.flatMap((url) => new URL(url).searchParams.get('includePartnerOffer') ?? []);
        expect(asked.some((url) => url.includes('combinedOffers'))).toBe(true);
        expect(asked.some((url) => url.includes('GPAYSPOT'))).toBe(true);
        expect(new Set(said)).toEqual(new Set([wanted]));
        const error = document.getElementById(`${box().id}-error`)!.textContent;
        expect(error === 'This coupon is not available here').toBe(wanted === 'false');
      });
    },
  );

  test('with groups that are all empty it says that there is no offer, and leads to the menu [OFF-08]', async () => {
    const none = { coupons: [{ title: 'On your cart', list: [] }] };
    await answering(/combinedOffers/, { combinedOffers: none }, async () => {
      const page = await filled('/offers');
      await page.find('heading', 'No offers right now');
      expect(page.get('heading', 'On your cart')).toBeNull();
      expect(page.get('link', 'Add Items')?.getAttribute('href')).toBe('menu');
    });
    await answering(/leftnav/, { offers: [] }, async () => {
      const page = await openPage(server.url, '/offers');
      await page.find('heading', 'No offers right now');
      expect(page.get('heading', 'Offers running now')).toBeNull();
    });
  });

  test('a typed code that is answered with any other status is a fault of ours, and stays in the box [OFF-23]', async () => {
    await answering(/\/validate/, { status: 'WAIT' }, async () => {
      const page = await filled('/offers');
      await type(page, 'SAVE15');
      await vi.waitFor(() =>
        expect(document.getElementById(`${box().id}-error`)?.textContent).toBe(
          'Something Went Wrong. Please Try Again.',
        ),
      );
      expect([box().value, page.path()]).toEqual(['SAVE15', '/offers']);
    });
  });

  test('a tapped card, and a code for the login, that are answered with any other status are a fault of ours [OFF-23] [ERR-28]', async () => {
    const fault = 'Something Went Wrong. Please Try Again.';
    const page = await filled('/offers');
    const ready = await page.find('button', /^Apply [A-Z0-9]+$/);
    await answering(/cart\/[^/]+\/promo\//, { status: 'WAIT' }, async () => {
      ready.click();
      await page.find('heading', 'Oops');
      expect(document.querySelector('dialog[role=alertdialog]')!.textContent).toContain(fault);
      await page.press('button', 'OK');
      expect(page.path()).toBe('/offers');
    });
    const login = await openPage(server.url, '/login');
    await answering(/loginhandler|forgotpassword/, { status: 'WAIT' }, async () => {
      await login.type('Mobile number', freshMobile());
      await login.press('button', 'Send me a code');
      await login.sees(fault);
      expect(login.path()).toBe('/login');
    });
  });

  test("a refusal is an alert with the server's own header and button, of a tapped card and of a change of the cart [ERR-22]", async () => {
    const refused = {
      status: 'FAILED',
      errors: [{ code: 'NO', displayMsg: 'It is not for you', header: 'Sorry about that', btnMsg: 'I see' }],
    };
    const alert = async (page: AppPage) => {
      await page.find('heading', 'Sorry about that');
      expect(document.querySelector('dialog[role=alertdialog]')!.textContent).toContain('It is not for you');
      await page.press('button', 'I see');
      await page.gone('heading', 'Sorry about that');
    };
    const page = await filled('/offers');
    const ready = await page.find('button', /^Apply [A-Z0-9]+$/);
    await answering(/cart\/[^/]+\/promo\//, refused, async () => {
      ready.click();
      await alert(page);
    });
    const menu = await openPage(server.url, '/menu/sides');
    await answering(
      /\/items/,
      refused,
      async () => {
        await menu.press('button', 'Add Garlic Bread Sticks');
        await alert(menu);
      },
      422,
    );
  });

  test('an invalid code says so at the box and stays to be corrected; the code before is forgotten [OFF-10] [OFF-22] [ERR-24]', async () => {
    await filled('/menu');
    localStorage.setItem('IN/browser:coupon-code', '"SAVE15"');
    const page = await openPage(server.url, '/offers', { keep: true });
    await page.find('heading', 'Best for your cart');
    expect(localStorage.getItem('IN/browser:coupon-code')).toBe('"SAVE15"');
    await type(page, 'NOSUCH');
    await page.sees('Invalid coupon code');
    expect(localStorage.getItem('IN/browser:coupon-code')).toBeNull();
    expect([box().value, box().getAttribute('aria-invalid'), page.path()]).toEqual(['NOSUCH', 'true', '/offers']);
    await type(page, '');
    await page.sees('This field cannot be left empty');
  });

  test('offers on their way make the page busy; where they do not come they can be asked for again [OFF-09] [ERR-03]', async () => {
    await server.switches({ faults: [{ match: 'combinedOffers', status: 500, delayMs: 200, times: 1 }] });
    const page = await filled('/offers');
    const busy = () => document.querySelector('[aria-busy=true] form');
    await vi.waitFor(() => expect(busy()).not.toBeNull());
    await page.find('heading', 'Oops! Something went wrong');
    await page.press('button', 'Try again');
    await page.find('heading', 'Best for your cart');
    expect(page.text()).not.toContain('Oops!');
    expect(busy()).toBeNull();
  });

  test('a tapped card whose call fails opens the error alert, and OK closes it; offline it says so [OFF-12] [ERR-02, ERR-08]', async () => {
    const page = await filled('/offers');
    await page.find('heading', 'Best for your cart');
    await server.switches({ faults: [{ match: '/promo/', status: 500, times: 1 }] });
    const card = [...document.querySelectorAll('button')].find(
      (one) => one.textContent === 'Apply' && one.type !== 'submit',
    )!;
    card.click();
    await page.find('heading', 'Oops');
    const alert = document.querySelector('dialog[role=alertdialog]')!;
    expect(alert.textContent).toContain('Something Went Wrong. Please Try Again.');
    await page.press('button', 'OK');
    await page.gone('heading', 'Oops');
    expect(page.path()).toBe('/offers');
    const online = globalThis.fetch;
    globalThis.fetch = () => Promise.reject(new TypeError('Failed to fetch'));
    try {
      card.click();
      await page.sees('Internet connection Lost');
    } finally {
      globalThis.fetch = online;
    }
  });
});

describe('the cart page', () => {
  test('says how far it is to free delivery, and to the smallest order where there is one [CART-X05] [CART-15]', async () => {
    const page = await openPage(server.url, '/menu/sides');
    await page.press('button', 'Add Garlic Bread Sticks');
    const cart = await openPage(server.url, '/cart', { keep: true });
    const meter = () => document.querySelector('[role=meter][aria-label="Towards free delivery"]');
    const percent = () => Number(meter()?.getAttribute('aria-valuenow'));
    await cart.sees('Add ₹290 more for free delivery.');
    const [least, most] = ['aria-valuemin', 'aria-valuemax'].map((end) => meter()?.getAttribute(end));
    expect([least, percent(), most]).toEqual(['0', Math.round((100 * (399 - 290)) / 399), '100']);
    expect(cart.text()).not.toContain('The smallest order is');
    await cart.press('button', 'One more Garlic Bread Sticks');
    await cart.sees('Add ₹181 more for free delivery.');
    expect(percent()).toBe(Math.round((100 * (399 - 181)) / 399));
    for (const _more of [3, 4]) await cart.press('button', 'One more Garlic Bread Sticks');
    await cart.sees('Your delivery is free.');
    expect(percent()).toBe(100);
    expect(cart.text()).not.toContain('more for free delivery');
  });

  test('below Bangladesh’s minimum the cart says what is missing; payment opens only above it [CART-X05] [CFG-34] [CART-15]', async () => {
    const page = await openPage(server.url, '/menu/sides', { country: 'bg' });
    await page.press('button', 'Add Cheesy Dip');
    await page.find('link', /^Cart, 1 item/);
    // A delivery's fee alone would be enough.
    const put = (key: string, value: unknown) => localStorage.setItem(`BG/browser:${key}`, JSON.stringify(value));
    put('delivery-type', 'PICKUP');
    const { store } = (await server.call(stores.byId, { storeId: '30101', query: {} }, { apiKey: 'bg-web' })).body;
    put('takeaway-store', store);
    const cart = await openPage(server.url, '/cart', { keep: true, country: 'bg' });
    await cart.sees(/Add ৳\d+ more to reach the smallest order of ৳50\./);
    const meter = document.querySelector('[role=meter][aria-label="Towards the smallest order"]')!;
    expect(Number(meter.getAttribute('aria-valuenow'))).toBeGreaterThan(50);
    await cart.find('link', 'Add more items');
    expect(cart.get('link', 'Go to payment')).toBeNull();
    await cart.press('button', 'One more Cheesy Dip');
    await cart.find('link', 'Go to payment');
    expect(cart.text()).not.toContain('to reach the smallest order');
  });

  test('four pizzas are a bulk order, and the cart says that the promise does not apply [CART-21]', async () => {
    const page = await openPage(server.url, '/menu/veg-pizza');
    await page.press('button', 'Add Garden Four');
    for (const count of [2, 3, 4]) {
      await page.press('button', 'One more Garden Four');
      await vi.waitFor(() =>
        expect(page.get('group', 'Quantity of Garden Four')?.textContent).toContain(String(count)),
      );
    }
    const cart = await openPage(server.url, '/cart', { keep: true });
    await cart.sees('4 or more pizzas are a bulk order: the delivery-time promise does not apply.');
  });
});

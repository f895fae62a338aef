import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { firstRoutes } from '../../src/shell/first/routes.ts';
import { routes } from '../../src/shell/routes.full.ts';
import { lentServer } from '../kit/lentServer.ts';

import { countCalls } from '../shell/quiet.ts';
import { openPage } from './page.ts';
import { during } from '../kit/during.ts';

const server = during(() => lentServer());
const settled = countCalls();
afterEach(settled);

const BRAND = 'Golden Oven Pizza';
/** Title of every path without the brand, which ends all but home's. */
const TITLES: Readonly<Record<string, string>> = {
  '/': `${BRAND} | Order pizza online`,
  '/home': `${BRAND} | Order pizza online`,
  '/landing': `${BRAND} | Order pizza online`,
  '/menu': 'Our menu',
  '/menu/:category': 'Sides',
  '/edv': 'Everyday value',
  '/search': 'Search the menu',
  '/customise/:productId': 'Tomato Basil Classic',
  '/combo/:dealId': 'Solo Veg Meal',
  '/cart': 'Your cart',
  '/offers': 'Coupons and offers',
  '/group': 'Order with others',
  '/group/:code': 'Group order',
  '/address': 'Delivery address',
  '/assistant/:what': 'Order with an assistant',
  '/manualSelector': 'Find a store',
  '/payment': 'Payment',
  '/payment/:orderId': 'Pay for your order',
  '/order/:orderId': 'Your order',
  '/track/:orderId': 'Track your order',
  '/shared/:token': 'Follow an order',
  '/rewards': 'Rewards',
  '/worldPizzaLeague': 'World Pizza League',
  '/worldPizzaLeagueApp': 'World Pizza League',
  '/phones': 'Move to another phone',
  '/terms': 'Terms of ordering',
  '/privacy': 'Privacy',
  '/credits': 'About this app',
  '/login': 'Log in',
  '/login-otp': 'Enter the code',
  '/postorder-ui/profile': 'Your account',
  '/postorder-ui/profile/edit': 'Your profile',
  '/postorder-ui/profile/number': 'Change your number',
  '/postorder-ui/profile/devices': 'Your devices',
  '/postorder-ui/profile/password': 'Password',
  '/consents': 'Your choices',
  '/experiments': 'What we try out',
  '/delete-account': 'Delete your account',
  '/my-data': 'Your data',
  '/postorder-ui/login': 'Log in',
  '/postorder-ui/login-otp': 'Enter the code',
  '/postorder-ui/searchAddress': 'Where should we deliver?',
  '/postorder-ui/mapScreen': 'Put the pin at your door',
  '/postorder-ui/myAddresses': 'My addresses',
  '/postorder-ui/nearestStore': 'Nearest stores',
  '/postorder-ui/selectRestaurant': 'Choose a restaurant',
  '/postorder-ui/takeawayMapScreen': 'Stores on the map',
  '/postorder-ui/offers': 'Coupons',
  '/wallet': 'Pizza wallet',
  '/postorder-ui/wallet': 'Pizza wallet',
  '/postorder-ui/orderHistory': 'Your orders',
  '/postorder-ui/orderdetails': 'Order details',
  '/help': 'Help',
  '/help/:orderId': 'Help with an order',
  '/ticket/:eventId': 'Our answer',
  '/chatbot': 'Ask us',
  '/uf': 'Rate your order',
  '/feedback': 'Tell us about your visit',
  // Without a payment to make they lead to the cart.
  '/upiForm': 'Your cart',
  '/paytmForm': 'Your cart',
  '/pay/:token': 'Pay for an order',
  '/deliverontrain': 'Food on your train',
  '/irctc': 'Your journey',
  '/irctcStation': 'Station',
  '/irctcOrder': 'Your train orders',
  '/irctcOrder/:orderId': 'Your train: what shall we do?',
};

/** A path that its screen answers with what it has, even if only with what is missing. */
const sample = (path: string) =>
  path
    .replace(':category', 'sides')
    .replace(':productId', 'PZ001')
    .replace(':dealId', 'DL001')
    .replace(/:(orderId|eventId|token|code)/, 'NONE');

/** Who has no place yet types at once where the food should come; elsewhere the heading is read first. */
const focusOf = (title: string) => (title === 'Where should we deliver?' ? 'INPUT' : 'H1');

test('news that come after the heading get the focus from it, but not from where somebody has gone on to', async () => {
  const page = await openPage(server.url, '/manualSelector');
  await vi.waitFor(() => expect(document.title).toBe(`Find a store | ${BRAND}`));
  page.go('/terms');
  await vi.waitFor(() => expect(document.activeElement?.textContent).toBe('Terms of ordering'));
  const says = (text: string) => {
    const news = document.createElement('h2');
    news.innerHTML = `<span data-news>${text}</span>`;
    document.querySelector('main')!.prepend(news);
    return news;
  };
  const news = says('Payment failed');
  await vi.waitFor(() => expect(document.activeElement).toBe(news));
  const link = document.querySelector<HTMLElement>('main a[href]')!;
  link.focus();
  says('Paid');
  await vi.waitFor(() => expect(document.title).toContain('Paid'));
  expect(document.activeElement).toBe(link);
});

test('the page that was loaded is never called as its heading while its own words are on their way', async () => {
  const loaded = `${BRAND} | Order pizza online`;
  const titles = [loaded];
  Object.defineProperty(document, 'title', {
    configurable: true,
    get: () => titles[titles.length - 1],
    set: (title: string) => {
      titles.push(title);
    },
  });
  onTestFinished(() => {
    Reflect.deleteProperty(document, 'title');
  });
  await openPage(server.url, '/');
  await vi.waitFor(() => expect(titles.length).toBeGreaterThan(1));
  expect(new Set(titles)).toEqual(new Set([loaded]));
});

test('every screen has a title of its own, and on entering it the focus is on its heading', async () => {
  const page = await openPage(server.url, '/manualSelector');
  await vi.waitFor(() => expect(document.title).toBe(`Find a store | ${BRAND}`));
  expect(document.activeElement, 'the page that was loaded keeps its focus').toBe(document.body);
  const heard: Record<string, unknown> = {};
  for (const { path } of [...firstRoutes, ...routes]) {
    const before = document.activeElement;
    (before as HTMLElement).blur();
    page.go(sample(path));
    const wanted = TITLES[path] ?? '?';
    await vi
      .waitFor(
        () => {
          expect(document.title).toBe(wanted.startsWith(BRAND) ? wanted : `${wanted} | ${BRAND}`);
          expect(document.activeElement?.tagName).toBe(focusOf(wanted));
        },
        { timeout: 8000 },
      )
      .catch(() => undefined);
    heard[path] = [document.title.replace(` | ${BRAND}`, ''), document.activeElement?.tagName];
  }
  expect(heard).toEqual(
    Object.fromEntries(Object.entries(TITLES).map(([path, title]) => [path, [title, focusOf(title)]])),
  );
}, 150_000);

test('a message goes with the screen that it is about', async () => {
  const page = await openPage(server.url, '/menu/veg-pizza');
  await page.press('button', 'Add Garden Four');
  await page.sees(/Garden Four is in your cart/);
  page.go('/');
  await page.find('heading', 'Bestsellers');
  await vi.waitFor(() => expect(page.text()).not.toMatch(/Garden Four is in your cart/), { timeout: 4000 });
});

test('a built dish leads back to the menu, where it is told, however slowly the browser goes back', async () => {
  const page = await openPage(server.url, '/menu/veg-pizza');
  await page.find('heading', 'Veg Pizza');
  // Until the page's effects have run, a click is nobody's here; a browser would load the link.
  await vi.waitFor(() => {
    page.go('/customise/PZ004');
    expect(page.path()).toBe('/customise/PZ004');
  });
  await page.find('button', /^Add ₹/);
  const back = history.back.bind(history);
  let isWanted = false;
  history.back = () => {
    isWanted = true;
  };
  try {
    await page.press('button', /^Add ₹/);
    await vi.waitFor(() => expect(isWanted).toBe(true));
    // Time for a message to be drawn.
    await new Promise((done) => {
      requestAnimationFrame(() => setTimeout(done));
    });
    back();
    await vi.waitFor(() => expect(page.path()).toBe('/menu/veg-pizza'));
    await page.find('heading', 'Veg Pizza');
    await page.press('button', 'View cart');
    await vi.waitFor(() => expect(page.path()).toBe('/cart'));
  } finally {
    history.back = back;
  }
});

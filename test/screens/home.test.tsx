import { expect, test } from 'vitest';
import * as home from '../../src/contract/home.ts';
import * as menu from '../../src/contract/menu.ts';
import { openShop } from '../server/shop.ts';
import { lentServer } from '../kit/lentServer.ts';

import { closePage, openPage } from './page.ts';
import { during } from '../kit/during.ts';

const server = during(() => lentServer());

test.each([
  ['NAV-01', '/'],
  ['NAV-02', '/landing'],
  ['NAV-03', '/home'],
])(
  '%s: %s is the home page: places to go, categories and bestsellers of the menu [NAV-01] [NAV-02] [NAV-03]',
  async (_row, path) => {
    const page = await openPage(server.url, path);
    await page.find('heading', 'Your pizza, hot from the oven');
    await page.find('link', 'Sides');
    for (const [name, href] of [
      ['Search the menu', 'search'],
      ['Menu', 'menu'],
      ['Cart', 'cart'],
    ] as const)
      expect(page.get('link', name)?.getAttribute('href'), name).toBe(href);
    expect(page.get('link', /^Delivery to ?Choose your place$/)?.getAttribute('href')).toBe(
      'postorder-ui/searchAddress?page=%2Fmenu',
    );
    expect(document.querySelectorAll('h1')).toHaveLength(1);
    expect(page.path()).toBe(path);
  },
);

test('tiles on home say price, serving size, calories and allergens; a tap puts one into the cart [MENU-08] [MENU-X05] [MENU-X06]', async () => {
  const { items } = (await server.call(menu.byStore, { storeId: '10101', query: {} }, { apiKey: 'in-web' })).body.menu!;
  const page = await openPage(server.url, '/');
  const shelf = (await page.find('heading', 'Bestsellers')).closest('section')!;
  const dishes = [...shelf.querySelectorAll('li')].map((dish) => dish.textContent);
  const best = items.filter(({ tags }) => tags.includes('bestseller')).map(({ name }) => name);
  expect(best.length).toBeGreaterThan(8);
  expect([...shelf.querySelectorAll('h3')].map((name) => name.textContent)).toEqual(best.slice(0, 8));
  for (const dish of dishes) expect(dish).toMatch(/₹\d/);
  await page.find('heading', 'New on the menu');
  const tiles = [...document.querySelectorAll('li[data-tile]')];
  expect(tiles.length).toBeGreaterThan(15);
  const large = (await page.find('region', "Today's favourite")).querySelector('div')!;
  for (const tile of [...tiles, large]) {
    const named = tile.querySelector('h3')?.textContent;
    const item = items.find(({ name }) => (named ? name === named : tile.textContent.includes(` ${name} ₹`)))!;
    // A dish that does not come in the smallest size says which it is.
    const kcal = item.kcal.R ?? item.kcal.ONE;
    const serving = kcal === undefined ? 'Medium' : (item.serving ?? 'serves 1');
    const facts = `${serving} · ${kcal ?? item.kcal.M} kcal`;
    expect(tile.textContent).toContain(
      item.allergens.length > 0 ? `${facts} · contains ${item.allergens.join(', ')}` : facts,
    );
  }
  await page.press('button', shelf.querySelector('li button[aria-label^="Add "]')!.getAttribute('aria-label')!);
  await page.find('link', /^Cart, 1 item ?₹/);
});

test('home plans food for many guests and puts it in the cart; if it cannot, it offers a retry [MENU-18] [MENU-X05] [MENU-X06]', async () => {
  await openShop(server);
  const page = await openPage(server.url, '/');
  await server.switches({ faults: [{ match: '/potp', status: 503, times: 9 }] });
  await page.press('button', /^Many to feed\?/);
  await page.sees('We could not plan it.');
  await server.switches({ faults: [] });
  await page.press('button', 'Try again');
  await page.sees('Feeds 8 guests');
  for (let more = 0; more < 3; more += 1) await page.press('button', 'One more Guests');
  const { body } = await server.call(home.party, { storeId: '10101', query: { guests: '11' } });
  await page.sees(`Feeds ${body.plan!.serves} guests`);
  const offered = [...document.querySelectorAll('dialog li')].map((line) => line.textContent);
  expect(offered).toHaveLength(body.plan!.lines.length);
  for (const line of offered) expect(line).toMatch(/· [\d,]+ kcal · contains [a-z]/);
  const pieces = body.plan!.lines.reduce((sum, { quantity }) => sum + quantity, 0);
  await page.press('button', 'Add it all to the cart');
  await page.sees('It is all in your cart.');
  await page.find('link', new RegExp(`^Cart, ${pieces} items? ?₹`));
});

test('the four delivery types lead to where they are chosen; delivery is the first [LOC-01] [LOC-02] [LOC-07]', async () => {
  const page = await openPage(server.url, '/');
  const types = await page.find('navigation', 'How do you want your order?');
  expect([...types.querySelectorAll('a')].map((link) => [link.textContent, link.getAttribute('aria-current')])).toEqual(
    [
      ['Delivery', 'true'],
      ['Takeaway', null],
      ['Curbside', null],
      ['Dine-in', null],
    ],
  );
  expect(page.get('link', 'Dine-in')?.getAttribute('href')).toBe(
    'postorder-ui/selectRestaurant?deliveryType=DINEIN&isFromHome=true',
  );
});

test('what a payment app forbids is not there: deals, offers, everyday value, a number to call [MINI-11] [MINI-14] [MINI-18]', async () => {
  const web = await openPage(server.url, '/');
  await web.find('heading', 'Everyday value');
  await web.find('heading', 'Deals and offers');
  await web.find('link', 'Coupons');
  expect((await web.find('link', '6888 6888')).getAttribute('href')).toBe('tel:68886888');
  const inside = await openPage(server.url, '/', { host: 'gpay' });
  // The store's own shelves are there, and this one is not among them.
  await inside.find('heading', 'New on the menu');
  expect(inside.get('heading', 'Deals and offers')).toBeNull();
  expect(inside.get('heading', 'Everyday value')).toBeNull();
  expect(inside.get('link', 'Coupons')).toBeNull();
  expect(inside.get('link', '6888 6888')).toBeNull();
  expect(inside.text()).toContain('Call 6888 6888');
});

test.each([
  ['in', '₹300', '6888 6888'],
  ['lk', 'Rs. 750', '011 777 7888'],
  ['bg', '৳300', '16656'],
])(
  'in %s home has the promise with its limit of %s, and the number of the help, %s [ORD-25] [HIST-27] [CFG-25]',
  async (country, limit, number) => {
    const page = await openPage(server.url, '/', { country });
    expect((await page.find('link', number)).getAttribute('href')).toBe(`tel:${number.replaceAll(' ', '')}`);
    await page.sees('30 minutes or free');
    expect(page.text().replace(/\u00a0/g, ' ')).toMatch(
      new RegExp(
        `45 minutes from 11 PM to 3 AM. Not for 4 or more pizzas; up to ${limit.replace('.', '\\.').replace(' ', ' ?')}`,
      ),
    );
  },
);

test('veg only on home holds for every row of it [MENU-X07]', async () => {
  const page = await openPage(server.url, '/');
  await page.find('button', 'Add Chicken Tikka Blaze');
  await page.press('button', 'Veg only');
  await page.gone('button', 'Add Chicken Tikka Blaze');
  expect(document.querySelector('[aria-label="Non-vegetarian"]')).toBeNull();
});

/** Answers of the widget calls replaced: so many failures of each first. */
function failing(fails: (path: string) => number): { asked: Map<string, number>; restore: () => void } {
  const real = globalThis.fetch;
  const asked = new Map<string, number>();
  globalThis.fetch = async (...given: Parameters<typeof fetch>) => {
    const path = new URL(given[0] instanceof Request ? given[0].url : String(given[0])).pathname;
    if (!/\/widgets?(\/|$)/.test(path)) return await real(...given);
    asked.set(path, (asked.get(path) ?? 0) + 1);
    return asked.get(path)! <= fails(path) ? new Response('{}', { status: 503 }) : await real(...given);
  };
  return {
    asked,
    restore: () => {
      globalThis.fetch = real;
    },
  };
}

test('a widget that fails once is retried, one that fails twice is left out, and the page stays [MENU-13] [ERR-34] [MENU-12]', async () => {
  // Calls of the page before are not counted.
  await closePage();
  const { asked, restore } = failing((path) => (path.endsWith('/widgets/new') ? 9 : 1));
  try {
    const page = await openPage(server.url, '/');
    await page.find('heading', 'Deals and offers');
    await page.find('heading', 'Mild and for the young ones');
    expect(page.get('heading', 'New on the menu')).toBeNull();
    expect([...asked].filter(([path]) => path.endsWith('/widgets/new')).map(([, times]) => times)).toEqual([2]);
    expect(new Set(asked.values())).toEqual(new Set([2]));
    expect(page.get('heading', 'Bestsellers')).not.toBeNull();
  } finally {
    restore();
  }
});

test('a shelf on home shows what its first link leads to in the API; a link to elsewhere is not followed [MENU-12]', async () => {
  const real = globalThis.fetch;
  const asked: string[] = [];
  globalThis.fetch = async (...given: Parameters<typeof fetch>) => {
    const { origin, pathname } = new URL(given[0] instanceof Request ? given[0].url : String(given[0]));
    if (origin !== server.url || /\/widgets?(\/|$)/.test(pathname))
      asked.push((origin === server.url ? '' : origin) + pathname);
    const reply = await real(...given);
    if (!pathname.endsWith('/stores/10101/widget')) return reply;
    const shelf = (title: string, ...hrefs: string[]) => ({
      label: title,
      title,
      links: hrefs.map((href) => ({ href })),
    });
    return Response.json({
      status: 'SUCCESS',
      widgets: [
        shelf('Saket once more', '/content/ve1/stores/10102/widgets/kids'),
        shelf('Shelf of Saket', '/content/ve1/stores/10102/widgets/kids', '/content/ve1/stores/10101/widgets/combos'),
        shelf('Elsewhere', 'https://elsewhere.example/content/ve1/stores/10101/widgets/combos'),
        shelf('Nowhere', '//elsewhere.example/combos'),
        shelf('Linkless'),
      ],
    });
  };
  try {
    const page = await openPage(server.url, '/');
    const shelf = (await page.find('heading', 'Shelf of Saket')).closest('section')!;
    const followed = [...asked];
    const { body } = await server.call(menu.widgetContent, { storeId: '10102', name: 'kids' }, { apiKey: 'in-web' });
    const { items } = (await server.call(menu.byStore, { storeId: '10101', query: {} }, { apiKey: 'in-web' })).body
      .menu!;
    expect([...shelf.querySelectorAll('h3')].map((name) => name.textContent)).toEqual(
      body.productIds.slice(0, 8).map((id) => items.find((item) => item.id === id)!.name),
    );
    const kids = '/content/ve1/stores/10102/widgets/kids';
    expect(followed).toEqual(['/catalog-service/ve1/stores/10101/widget', kids, kids]);
    // The same dishes are not shown twice.
    for (const title of ['Saket once more', 'Elsewhere', 'Nowhere', 'Linkless'])
      expect(page.get('heading', title)).toBeNull();
  } finally {
    globalThis.fetch = real;
  }
});

test('offers after the order: how far it is to the reward, with the coupons; on the web alone [OFF-31] [OFF-18] [NAV-47]', async () => {
  const web = await openPage(server.url, '/postorder-ui/offers');
  await web.find('heading', 'Coupons');
  const reward = await web.find('region', 'On the way to a reward');
  expect(reward.textContent).toContain('Five orders to a free regular pizza');
  expect(reward.textContent).toContain('5 more orders to your reward · 0 of 5');
  await web.find('heading', 'Not for this cart yet');
  expect(web.path()).toBe('/postorder-ui/offers');
  const inside = await openPage(server.url, '/postorder-ui/offers', { host: 'gpay' });
  await inside.find('heading', 'Bestsellers');
  expect(inside.path()).toBe('/');
});

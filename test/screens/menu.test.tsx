import { expect, test, vi } from 'vitest';
import { countryConfig } from '../../country/index.ts';
import * as menu from '../../src/contract/menu.ts';
import * as stores from '../../src/contract/stores.ts';
import { localTime } from '../../src/domain/hours.ts';
import { lentServer } from '../kit/lentServer.ts';

import { openPage, walkTo } from './page.ts';
import { during } from '../kit/during.ts';

const server = during(() => lentServer());

// First in the file: the document of these tests keeps answers it has seen.
test('a sold-out dish says so, and one tap takes the alternative [MENU-X09]', async () => {
  await server.switches({ soldOut: ['SD005'] });
  const page = await openPage(server.url, '/menu/sides');
  const card = await page.find('listitem', /Potato Wedges.*Sold out/);
  expect(page.get('button', 'Add Potato Wedges')).toBeNull();
  const instead = [...card.querySelectorAll('button')].find((one) => one.textContent?.startsWith('Add '))!;
  const name = instead.textContent.slice('Add '.length);
  expect(name).not.toBe('Potato Wedges');
  // Of the same diet, and to be had.
  const other = await page.find('listitem', new RegExp(`${name}(?!.*Sold out)`));
  expect(other.querySelector('[aria-label="Vegetarian"]')).not.toBeNull();
  instead.click();
  await page.find('group', `Quantity of ${name}`);
  await server.switches({ soldOut: [] });
});

test('a dish whose picture the build did not make is drawn in the page', async () => {
  for (const [path, name] of [
    ['/menu/sides', /Potato Wedges/],
    ['/menu', /Tomato Basil Classic/],
  ] as const) {
    const page = await openPage(server.url, path);
    const picture = (await page.find('listitem', name)).querySelector('img')!;
    // As a browser says it of a file that is not there; the page may still be connecting.
    await vi.waitFor(() => {
      picture.dispatchEvent(new Event('error'));
      expect(picture.src).toMatch(/^data:image\/svg\+xml,%3Csvg/);
    });
  }
});

test('all categories of the country are sections, with tabs to their friendly paths that arrow keys walk [NAV-05] [MENU-02] [MENU-03]', async () => {
  const page = await openPage(server.url, '/menu');
  await page.find('heading', /^Veg Pizza \d+$/);
  for (const [label, path] of [
    ['Veg Pizza', 'menu/veg-pizza'],
    ['Sides', 'menu/sides'],
    ['Beverages', 'menu/beverages'],
    ['Combos', 'menu/combos'],
    ['Speciality Chicken', 'menu/speciality-chicken'],
  ] as const) {
    expect((await page.find('link', label)).getAttribute('href')).toBe(path);
    expect(page.get('region', label), label).not.toBeNull();
  }
  const tabs = [...page.get('navigation', 'Categories')!.querySelectorAll('a')];
  tabs[0]!.focus();
  const after = (key: string) => {
    document.activeElement!.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
    return tabs.indexOf(document.activeElement as HTMLAnchorElement);
  };
  expect(['ArrowRight', 'ArrowLeft', 'ArrowLeft', 'ArrowRight'].map(after)).toEqual([1, 0, tabs.length - 1, 0]);
});

test.each([
  ['NAV-06', 'in', '/menu/2', '/menu/veg-pizza', 'Veg Pizza'],
  ['NAV-07', 'in', '/menu/3', '/menu/non-veg-pizza', 'Non-Veg Pizza'],
  ['NAV-08', 'in', '/menu/4', '/menu/sides', 'Sides'],
  ['NAV-09', 'in', '/menu/5', '/menu/beverages', 'Beverages'],
  ['NAV-10', 'in', '/menu/20', '/menu/pizza-mania', 'Mini Pizzas'],
  ['NAV-11', 'in', '/menu/26', '/menu/dessert', 'Dessert'],
  ['NAV-12', 'in', '/menu/46', '/menu/speciality-chicken', 'Speciality Chicken'],
  ['NAV-13', 'in', '/menu/50', '/menu/combos', 'Combos'],
  ['NAV-17', 'in', '/menu?categoryId=5', '/menu/beverages', 'Beverages'],
  ['NAV-18', 'in', '/menu/pasta-pizza-party', '/menu/pasta-pizza-party', 'Pasta Pizza Party'],
  ['NAV-19', 'in', '/menu/loaded-pizza', '/menu/loaded-pizza', 'Loaded Pizza'],
  ['NAV-21', 'in', '/menu/desserts', '/menu/dessert', 'Dessert'],
  ['NAV-17', 'in', '/menu/sides?categoryId=5&utm_source=x', '/menu/beverages?utm_source=x', 'Beverages'],
  ['NAV-09', 'in', '/menu/5?x=1#offers', '/menu/beverages?x=1#offers', 'Beverages'],
  ['NAV-30', 'lk', '/menu/bestsellers', '/menu/bestsellers', 'Bestsellers'],
  ['NAV-31', 'lk', '/menu/1', '/menu/1', 'All Pizza'],
  ['NAV-32', 'lk', '/menu/35', '/menu/35', 'All Day Favourites'],
  ['NAV-33', 'lk', '/menu/37', '/menu/37', 'Simply Cheese Range'],
  ['NAV-34', 'lk', '/menu/38', '/menu/38', 'Supreme Range'],
  ['NAV-35', 'lk', '/menu/39', '/menu/39', 'Loaded Range'],
  ['NAV-36', 'lk', '/menu/40', '/menu/40', 'Rice & Pasta'],
  ['NAV-37', 'lk', '/menu/41', '/menu/41', 'Desserts'],
  ['NAV-38', 'lk', '/menu/43', '/menu/43', 'Meals & Combos'],
  ['NAV-39', 'lk', '/menu/44', '/menu/44', 'Pasta Pizza'],
  ['NAV-40', 'lk', '/menu/veg-pizza', '/menu/veg-pizza', 'Veg Pizza'],
  ['NAV-37', 'lk', '/menu/desserts', '/menu/41', 'Desserts'],
  ['NAV-41', 'bg', '/menu/50', '/menu/pizza', 'Pizza'],
  ['NAV-42', 'bg', '/menu/52', '/menu/loaded-pizza', 'Loaded Pizza'],
  ['NAV-43', 'bg', '/menu/51', '/menu/desserts', 'Desserts'],
  ['NAV-15', 'bg', '/menu/4', '/menu/sides', 'Sides'],
  ['NAV-15', 'bg', '/menu/5', '/menu/beverages', 'Beverages'],
])(
  '%s: in %s, %s leads to %s and shows %s alone [NAV-06, NAV-07, NAV-08, NAV-09, NAV-10, NAV-11, NAV-12, NAV-13, NAV-17, NAV-18, NAV-19, NAV-21, NAV-30, NAV-31, NAV-32, NAV-33, NAV-34, NAV-35, NAV-36, NAV-37, NAV-38, NAV-39, NAV-40, NAV-41, NAV-42, NAV-43]',
  async (_row, country, path, own, title) => {
    document.title = '';
    const page = await walkTo(server.url, path, { country });
    await vi.waitFor(() => expect(page.path()).toBe(own));
    expect((await page.find('heading', title)).tagName).toBe('H1');
    await page.find('button', /^(Add|Choose) /);
    await vi.waitFor(() => expect(document.title.length).toBeGreaterThan(5));
    expect([...document.querySelectorAll('section[id]')].map((section) => section.getAttribute('aria-label'))).toEqual([
      title,
    ]);
  },
);

test.each([
  ['in', '/menu/bestsellers', 'NAV-15'],
  ['in', '/menu/daily-essentials', 'NAV-16'],
  ['bg', '/menu/daily-essentials', 'NAV-16'],
])('in %s %s is the whole menu (%s) [NAV-15, NAV-16]', async (country, path) => {
  const page = await walkTo(server.url, path, { country });
  await vi.waitFor(() => expect(page.path()).toBe('/menu'));
  await page.find('heading', 'Menu');
  await vi.waitFor(() => expect(document.querySelectorAll('section[id]').length).toBeGreaterThan(3));
});

test.each([
  ['in', '/menu/favourite', 'NAV-20'],
  ['lk', '/menu/favourite', 'NAV-20'],
  ['bg', '/menu/0', 'NAV-44'],
])('in %s %s says that there are no favourites yet (%s) [NAV-20, NAV-44]', async (country, path) => {
  const page = await openPage(server.url, path, { country });
  await page.find('heading', 'Favourites');
  await page.sees('You have no favourites yet');
  expect(page.path()).toBe('/menu/favourite');
});

test('every card says diet, calories, serving, allergens and price from [MENU-06] [MENU-X05] [MENU-X06]', async () => {
  const page = await openPage(server.url, '/menu');
  const card = await page.find('listitem', /Paneer Tikka Blaze/);
  expect(card.querySelector('[role=img]')?.getAttribute('aria-label')).toBe('Vegetarian');
  expect(card.textContent).toMatch(/from ₹\d+/);
  expect(card.textContent).toMatch(/serves 1/);
  expect(card.textContent).toMatch(/\d+ kcal/);
  expect(card.textContent).toMatch(/contains gluten, milk, mustard/);
});

test('every dish of the menu has the legal mark of what it is, a circle or a triangle, said in words [MENU-06]', async () => {
  const { items } = (await server.call(menu.byStore, { storeId: '10101', query: {} }, { apiKey: 'in-web' })).body.menu!;
  const MARKS = {
    VEG: ['Vegetarian', 'circle'],
    NON_VEG: ['Non-vegetarian', 'path'],
    MIX: ['Vegetarian and non-vegetarian', 'circle path'],
  };
  const seen = new Map<string, string[]>();
  for (const path of ['/menu/non-veg-pizza', '/menu/sides', '/menu/combos']) {
    const page = await openPage(server.url, path);
    await page.find('heading', /./);
    await vi.waitFor(() => expect(document.querySelectorAll('li h3').length).toBeGreaterThan(3));
    for (const card of document.querySelectorAll('li')) {
      const name = card.querySelector('h3')?.textContent;
      const mark = card.querySelector('[role=img][aria-label$="egetarian"]');
      if (name)
        seen.set(name, [
          mark?.getAttribute('aria-label') ?? '',
          [...(mark?.querySelectorAll('circle,path') ?? [])].map((one) => one.tagName.toLowerCase()).join(' '),
        ]);
    }
  }
  const shown = items.filter(({ name }) => seen.has(name));
  expect(shown.length).toBeGreaterThan(20);
  expect(new Set(shown.map(({ foodType }) => foodType))).toEqual(new Set(['VEG', 'NON_VEG', 'MIX']));
  for (const { name, foodType } of shown) expect([name, seen.get(name)]).toEqual([name, MARKS[foodType]]);
});

test('before a store is known a dish of one price says from, and the page that prices may differ [MENU-21]', async () => {
  const page = await openPage(server.url, '/menu/sides');
  const price = async () => (await page.find('listitem', /Garlic Bread Sticks/)).textContent;
  await page.sees('Prices may differ at your store.');
  expect(await price()).toMatch(/from ₹109/);
  const { store } = (await server.call(stores.byId, { storeId: '10201', query: {} }, { apiKey: 'in-web' })).body;
  localStorage.setItem('IN/browser:delivery-type', JSON.stringify('PICKUP'));
  localStorage.setItem('IN/browser:takeaway-store', JSON.stringify(store));
  const known = await openPage(server.url, '/menu/sides', { keep: true });
  await known.find('button', 'Add Garlic Bread Sticks');
  await vi.waitFor(() => expect(known.text()).not.toContain('Prices may differ'));
  expect(await price()).not.toMatch(/from ₹/);
});

test('daily essentials are the dishes of every day, and no others [MENU-09]', async () => {
  const { items } = (await server.call(menu.byStore, { storeId: '10101', query: {} }, { apiKey: 'in-web' })).body.menu!;
  const named = (wanted: boolean) =>
    items.filter(({ tags }) => tags.includes('value') === wanted).map(({ name }) => name);
  const page = await openPage(server.url, '/menu');
  await page.find('heading', /^Non-Veg Pizza/);
  const shown = () => [...document.querySelectorAll('li h3')].map(({ textContent }) => textContent);
  expect(shown().some((name) => named(false).includes(name))).toBe(true);
  await page.press('button', 'All filters');
  await page.press('button', 'Daily essentials');
  await page.press('button', /^Show \d+ dishes$/);
  await vi.waitFor(() => expect(shown().filter((name) => named(false).includes(name))).toEqual([]));
  expect(shown().length).toBeGreaterThan(3);
});

test('a combo shows its price and, struck through, what it costs apart [MENU-22] [MENU-17]', async () => {
  const { items } = (await server.call(menu.byStore, { storeId: '10101', query: {} }, { apiKey: 'in-web' })).body.menu!;
  const page = await openPage(server.url, '/menu/combos');
  await page.find('listitem', /Two Regulars/);
  const cards = [...document.querySelectorAll('section[id] li')];
  expect(cards.length).toBeGreaterThan(5);
  const rupees = (amount: number | undefined) => `₹${(amount! / 100).toLocaleString('en-IN')}`;
  for (const card of cards) {
    const item = items.find(({ name }) => name === card.querySelector('h3')!.textContent)!;
    const { prices, originalPrices } = item;
    expect(card.textContent).toContain(`from ${rupees(prices.ONE)}`);
    expect(card.querySelector('s')?.textContent).toBe(originalPrices && `Before ${rupees(originalPrices.ONE)}`);
  }
  expect(cards.filter((card) => card.querySelector('s')).length).toBeGreaterThan(3);
});

test('one tap adds a dish, the count stands in its card, and the server prices it [CART-02] [CART-03] [CART-09]', async () => {
  const page = await openPage(server.url, '/menu/sides');
  await page.press('button', 'Add Garlic Bread Sticks');
  await page.find('group', 'Quantity of Garlic Bread Sticks');
  await page.find('link', /^Cart, 1 item ?₹109$/);
  await page.press('button', 'One more Garlic Bread Sticks');
  await page.find('link', /^Cart, 2 items ?₹218$/);
  await page.press('button', 'One less Garlic Bread Sticks');
  await page.press('button', 'Remove Garlic Bread Sticks');
  await page.find('button', 'Add Garlic Bread Sticks');
  await page.find('link', 'Cart');
});

test('a pizza is added in its first size at once, and undone with one tap [CART-02] [CART-09]', async () => {
  const page = await openPage(server.url, '/menu/veg-pizza');
  await page.press('button', 'Add Tomato Basil Classic');
  await page.sees('Tomato Basil Classic is in your cart, regular size');
  // What its card says: what offers, delivery and taxes make of it can be read in the cart.
  await page.find('link', /^Cart, 1 item ?₹119$/);
  await page.press('button', 'Undo');
  await page.find('button', 'Add Tomato Basil Classic');
});

test('veg only leaves out the rest, and is remembered for the next visit [MENU-X07]', async () => {
  const page = await openPage(server.url, '/menu');
  await page.find('heading', /^Non-Veg Pizza/);
  await page.press('button', 'Veg only');
  await page.gone('heading', /^Non-Veg Pizza/);
  await page.sees('Tomato Basil Classic');
  expect(document.querySelector('[aria-label="Non-vegetarian"]')).toBeNull();
  const again = await openPage(server.url, '/menu', { keep: true });
  await again.find('heading', /^Veg Pizza/);
  await again.gone('heading', /^Non-Veg Pizza/);
  expect((await again.find('button', 'Veg only')).getAttribute('aria-pressed')).toBe('true');
});

test('filters add up, and what fits nothing says so and offers the way back [MENU-X07]', async () => {
  const page = await openPage(server.url, '/menu/dessert');
  await page.find('heading', 'Dessert');
  await page.press('button', 'All filters');
  await page.press('button', 'Spicy');
  await page.press('button', /^Show \d+ dishes$/);
  await page.sees('Nothing fits these filters');
  await page.press('button', 'Show everything');
  await page.find('heading', 'Molten Chocolate Cup');
});

test.each([
  ['Not spicy', 0],
  ['A little spicy', 1],
  ['Spicy', 2],
] as const)('%s leaves the dishes that are so hot, and no others [MENU-X07]', async (filter, from) => {
  const page = await openPage(server.url, '/menu/veg-pizza');
  await page.find('heading', 'Tomato Basil Classic');
  await page.press('button', 'All filters');
  await page.press('button', filter);
  await page.press('button', /^Show \d+ dishes$/);
  const flames = () =>
    [...document.querySelectorAll('li h3')].map((name) =>
      Number(
        /Spice (\d) of 3/.exec(
          name.closest('li')!.querySelector('[aria-label^=Spice]')?.getAttribute('aria-label') ?? '',
        )?.[1] ?? 0,
      ),
    );
  await vi.waitFor(() => {
    expect(flames().length).toBeGreaterThan(0);
    expect(flames().every((spice) => (from === 2 ? spice >= 2 : spice === from))).toBe(true);
  });
});

test('what is pressed stands beside the menu, one tap from off; only what would leave something is offered [MENU-X07]', async () => {
  const page = await openPage(server.url, '/menu');
  await page.find('heading', /^Non-Veg Pizza/);
  await page.press('button', 'All filters');
  await page.find('button', 'Daily essentials');
  await page.press('button', 'No onion or garlic');
  const kept = Number((await page.find('button', /^Show \d+ dishes$/)).textContent.match(/\d+/)![0]);
  expect(kept).toBeGreaterThan(3);
  await page.press('button', /^Show \d+ dishes$/);
  // A recipe with onion on it, and without any Jain way of making it.
  await page.gone('heading', 'Garden Four');
  await page.find('heading', 'Tomato Basil Classic');
  await page.press('button', 'No onion or garlic');
  await page.find('heading', 'Garden Four');
  expect(page.get('button', 'No onion or garlic')).toBeNull();
  const abroad = await openPage(server.url, '/menu', { country: 'lk' });
  await abroad.press('button', 'All filters');
  await abroad.find('button', 'Egg free');
  expect(abroad.get('button', 'Jain')).toBeNull();
});

test('with the Jain filter a tap orders the dish without onion, card and kitchen note say so, and the filter stays [MENU-X07]', async () => {
  const page = await openPage(server.url, '/menu/veg-pizza');
  await page.find('button', 'Add Jalapeno Fire Veg');
  await page.press('button', 'All filters');
  await page.press('button', 'Jain');
  await page.press('button', /^Show \d+ dishes$/);
  await page.gone('button', 'Add Jalapeno Fire Veg');
  await page.find('listitem', /Jalapeno Fire Veg.*Jain: no Onion/);
  await page.press('button', /^Add Jalapeno Fire Veg, Jain: no Onion/);
  await page.find('link', /^Cart, 1 item ?₹/);
  const again = await openPage(server.url, '/menu/veg-pizza', { keep: true });
  expect((await again.find('button', 'Jain')).getAttribute('aria-pressed')).toBe('true');
  const cart = await openPage(server.url, '/cart', { keep: true });
  await cart.sees(/No Onion.*“Jain: no Onion/);
});

test('allergens that a household avoids stay on the phone; the menu hides them and the builder warns [MENU-X06] [MENU-X07]', async () => {
  const page = await openPage(server.url, '/menu/non-veg-pizza');
  const { body } = await server.call(
    menu.byStore,
    { storeId: countryConfig('in').DEFAULT_STORE, query: {} },
    { apiKey: 'in-web' },
  );
  const here = body.menu!.items.filter((item) => item.categoryIds.includes('3'));
  const [soy, other] = [
    here.find((item) => item.allergens.includes('soy') && item.customisable)!,
    here.find((item) => !item.allergens.includes('soy'))!,
  ];
  await page.find('heading', soy.name);
  await page.press('button', 'All filters');
  await page.press('button', 'soy');
  await page.press('button', /^Show \d+ dishes$/);
  await page.gone('heading', soy.name);
  await page.find('heading', other.name);
  const again = await openPage(server.url, '/menu/non-veg-pizza', { keep: true });
  await again.gone('heading', soy.name);
  // Whoever wants to see it anyway is one tap away, and is warned.
  await again.press('button', 'Without soy');
  await again.find('heading', soy.name);
  const builder = await openPage(server.url, `/customise/${soy.id}`, { keep: true });
  await builder.sees('Your household avoids this: soy');
  const safe = await openPage(server.url, `/customise/${other.id}`, { keep: true });
  await safe.sees('extra toppings');
  expect(safe.text()).not.toContain('Your household avoids');
});

test.each([
  ['in', 'Under ₹300 for two', 30_000],
  ['lk', /^Under (Rs|LKR).?\s?1,500 for two$/, 150_000],
  ['bg', /^Under ৳\s?500 for two$/, 50_000],
] as const)(
  'in %s a budget for two leaves meals that two can have for less: %s [MENU-X13]',
  async (country, label, budget) => {
    const page = await openPage(server.url, '/menu', { country });
    await page.press('button', 'All filters');
    await page.press('button', label);
    await page.press('button', /^Show \d+ dish/);
    const { body } = await server.call(
      menu.byStore,
      { storeId: countryConfig(country).DEFAULT_STORE, query: {} },
      { apiKey: `${country}-web` },
    );
    const fitting = body.menu!.items.filter((item) => item.priceForTwo !== undefined && item.priceForTwo < budget);
    /** Two small pizzas or a medium one, whichever there is and costs less. */
    const forTwo = ({ R, M }: (typeof fitting)[number]['prices']) => Math.min(2 * (R ?? Infinity), M ?? Infinity);
    const dear = body.menu!.items.filter((item) => item.kind === 'PIZZA' && forTwo(item.prices) >= budget);
    expect([fitting.length > 0, dear.length > 0]).toEqual([true, true]);
    await page.find('heading', fitting[0]!.name);
    for (const item of dear) await page.gone('heading', item.name);
    for (const item of fitting) if (item.kind === 'PIZZA') expect(forTwo(item.prices)).toBeLessThan(budget);
  },
);

test('a heart keeps a dish on the device, and the favourites page shows it [MENU-10] [NAV-20]', async () => {
  const dish = 'Garlic Bread Sticks';
  const page = await openPage(server.url, '/menu/sides');
  const heart = await page.find('button', `Favourite: ${dish}`);
  expect(heart.getAttribute('aria-pressed')).toBe('false');
  heart.click();
  await page.find('link', 'Favourites');
  const again = await openPage(server.url, '/menu/favourite', { keep: true });
  await again.find('heading', dish);
  expect(document.querySelectorAll('section[id] li')).toHaveLength(1);
  await again.press('button', `Favourite: ${dish}`);
  await again.sees('You have no favourites yet');
});

test.each([
  [undefined, 's'],
  ['U', 'u'],
  ['w', 'w'],
  ['X', 'x'],
  ['y', 'y'],
  ['S', 's'],
  ['z', 's'],
] as const)('the card layout of variant %s is %s, with everything of a dish in it [MENU-07]', async (variant, look) => {
  localStorage.clear();
  if (variant) localStorage.setItem('IN/browser:~card-variant', JSON.stringify(variant));
  const page = await openPage(server.url, '/menu/veg-pizza', { keep: true });
  const card = await page.find('listitem', /Tomato Basil Classic/);
  await vi.waitFor(() => expect(card.closest('[data-look]')?.getAttribute('data-look')).toBe(look));
  expect(card.textContent).toMatch(/from ₹119.*560 kcal.*gluten, milk/);
  expect(card.querySelector('[aria-label="Vegetarian"]')).not.toBeNull();
});

test("outside its hours, by the server's clock, it cannot be chosen and says why [MENU-X10]", async () => {
  const minutesNow = () => localTime(now, 'Asia/Colombo').minutes;
  let now = await server.advance(0);
  const until = async (minutes: number) => {
    now = await server.advance(((minutes - minutesNow() + 1440) % 1440) * 60);
  };
  // Once the server has answered, its clock counts.
  const shown = async () => {
    const page = await openPage(server.url, '/menu/sides', { country: 'lk' });
    await page.press('button', 'Add Garlic Bread Sticks');
    await page.find('link', /^Cart, 1 item ?\D*\d/);
    await page.press('link', 'Meals & Combos');
    await page.find('button', 'Choose Bread & Dip');
    return page;
  };
  await until(12 * 60);
  const open = await shown();
  await open.find('button', 'Choose Lunch Meal');
  expect(open.text()).not.toContain('Not now');
  await until(15 * 60 + 1);
  const page = await shown();
  const card = await page.find('listitem', /Lunch Meal.*Not now.*Sold 11 AM to 3 PM/);
  expect(card.textContent).toContain('Only 11 AM to 3 PM');
  expect(page.get('button', 'Choose Lunch Meal')).toBeNull();
  const inside = await openPage(server.url, '/combo/DL011', { country: 'lk' });
  expect((await inside.find('button', 'Sold 11 AM to 3 PM')).hasAttribute('disabled')).toBe(true);
});

test('in Bangladesh everyday value has its page by both names, too [NAV-14] [NAV-26]', async () => {
  for (const path of ['/everyday-value-offers', '/edv']) {
    const page = await walkTo(server.url, path, { country: 'bg' });
    await page.find('heading', 'Everyday value offers');
    await page.find('button', /^(Add|Choose) /);
    expect(page.path()).toBe('/edv');
  }
});

test('everyday value has its page where offers are allowed, and none inside a payment app [MENU-11] [NAV-14] [NAV-26]', async () => {
  const page = await openPage(server.url, '/everyday-value-offers');
  await page.find('heading', 'Everyday value offers');
  await page.find('listitem', /Two Mediums/);
  expect(page.path()).toBe('/edv');
  expect(page.get('listitem', /Garlic Bread Sticks/)).toBeNull();
  const inside = await openPage(server.url, '/edv', { host: 'gpay' });
  await inside.find('heading', 'Your pizza, hot from the oven');
  expect(inside.path()).toBe('/');
});

test('an open page goes on offering the last menu without a network [NAV-X02]', async () => {
  const page = await openPage(server.url, '/menu/sides');
  await page.find('button', 'Add Garlic Bread Sticks');
  const fetchNow = globalThis.fetch;
  globalThis.fetch = () => Promise.reject(new TypeError('Failed to fetch'));
  try {
    const offline = await openPage(server.url, '/menu/sides', { keep: true });
    await offline.find('button', 'Add Garlic Bread Sticks');
    const never = await openPage(server.url, '/menu/sides');
    await never.sees('The menu did not load');
    expect(never.get('button', 'Try again')).not.toBeNull();
  } finally {
    globalThis.fetch = fetchNow;
  }
});

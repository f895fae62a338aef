import { afterAll, beforeAll, expect, test } from 'vitest';
import { spawnServer, type SpawnedServer } from '../kit/server.ts';
import { openPage } from './page.ts';

let server: SpawnedServer;
beforeAll(async () => { server = await spawnServer(); });
afterAll(() => server.stop());

// First in the file: the document of these tests keeps answers it has seen.
test('a sold-out dish says so and names an alternative [MENU-X09]', async () => {
  await server.switches({ soldOut: ['SD005'] });
  const page = await openPage(server.url, '/menu/sides');
  const card = await page.find('listitem', /Potato Wedges.*Sold out/);
  expect(card.querySelector('button')).toBeNull();
  expect(card.textContent).toMatch(/Try /);
  await server.switches({ soldOut: [] });
});

test('all categories of the country are sections, with tabs to their friendly paths [NAV-05] [MENU-02] [MENU-03]', async () => {
  const page = await openPage(server.url, '/menu');
  await page.find('heading', /^Veg Pizza \d+$/);
  for (const [label, path] of [['Veg Pizza', 'menu/veg-pizza'], ['Sides', 'menu/sides'], ['Beverages', 'menu/beverages'], ['Combos', 'menu/combos'], ['Speciality Chicken', 'menu/speciality-chicken']] as const) {
    expect((await page.find('link', label)).getAttribute('href')).toBe(path);
    expect(page.get('region', label), label).not.toBeNull();
  }
});

test.each([
  ['NAV-06', 'in', '/menu/2', '/menu/veg-pizza', 'Veg Pizza'], ['NAV-07', 'in', '/menu/3', '/menu/non-veg-pizza', 'Non-Veg Pizza'],
  ['NAV-08', 'in', '/menu/4', '/menu/sides', 'Sides'], ['NAV-09', 'in', '/menu/5', '/menu/beverages', 'Beverages'],
  ['NAV-10', 'in', '/menu/20', '/menu/pizza-mania', 'Mini Pizzas'], ['NAV-11', 'in', '/menu/26', '/menu/dessert', 'Dessert'],
  ['NAV-12', 'in', '/menu/46', '/menu/speciality-chicken', 'Speciality Chicken'], ['NAV-13', 'in', '/menu/50', '/menu/combos', 'Combos'],
  ['NAV-17', 'in', '/menu?categoryId=5', '/menu/beverages', 'Beverages'], ['NAV-18', 'in', '/menu/pasta-pizza-party', '/menu/pasta-pizza-party', 'Pasta Pizza Party'],
  ['NAV-19', 'in', '/menu/loaded-pizza', '/menu/loaded-pizza', 'Loaded Pizza'], ['NAV-21', 'in', '/menu/desserts', '/menu/dessert', 'Dessert'],
  ['NAV-30', 'lk', '/menu/bestsellers', '/menu/bestsellers', 'Bestsellers'], ['NAV-31', 'lk', '/menu/1', '/menu/1', 'All Pizza'],
  ['NAV-32', 'lk', '/menu/35', '/menu/35', 'All Day Favourites'], ['NAV-33', 'lk', '/menu/37', '/menu/37', 'Simply Cheese Range'],
  ['NAV-34', 'lk', '/menu/38', '/menu/38', 'Supreme Range'], ['NAV-35', 'lk', '/menu/39', '/menu/39', 'Loaded Range'],
  ['NAV-36', 'lk', '/menu/40', '/menu/40', 'Rice & Pasta'], ['NAV-37', 'lk', '/menu/41', '/menu/41', 'Desserts'],
  ['NAV-38', 'lk', '/menu/43', '/menu/43', 'Meals & Combos'], ['NAV-39', 'lk', '/menu/44', '/menu/44', 'Pasta Pizza'], ['NAV-40', 'lk', '/menu/veg-pizza', '/menu/veg-pizza', 'Veg Pizza'],
  ['NAV-41', 'bg', '/menu/50', '/menu/pizza', 'Pizza'], ['NAV-42', 'bg', '/menu/52', '/menu/loaded-pizza', 'Loaded Pizza'], ['NAV-43', 'bg', '/menu/51', '/menu/desserts', 'Desserts'],
])('in its country the path shows that category alone, with dishes to add [%s]: %s %s leads to %s, %s [MENU-03] [MENU-04] [MENU-05]', async (_row, country, path, own, title) => {
  const page = await openPage(server.url, path, { country });
  expect((await page.find('heading', title)).tagName).toBe('H1');
  await page.find('button', /^(Add|Choose) /);
  expect(page.path()).toBe(own);
  expect([...document.querySelectorAll('section[id]')].map((section) => section.getAttribute('aria-label'))).toEqual([title]);
});

test.each([['in', '/menu/bestsellers', 'NAV-15'], ['in', '/menu/daily-essentials', 'NAV-16']])('in %s %s is the whole menu [%s]', async (country, path) => {
  const page = await openPage(server.url, path, { country });
  await page.find('heading', 'Menu');
  expect(page.path()).toBe('/menu');
});

test.each([['in', '/menu/favourite', 'NAV-20'], ['bg', '/menu/0', 'NAV-44']])('in %s %s says that there are no favourites yet [%s]', async (country, path) => {
  const page = await openPage(server.url, path, { country });
  await page.sees('You have no favourites yet');
  expect(page.path()).toBe('/menu/favourite');
});

test('every card says diet, calories, serving, allergens and price from [MENU-06] [MENU-X05] [MENU-X06] [MENU-21]', async () => {
  const page = await openPage(server.url, '/menu');
  const card = await page.find('listitem', /Paneer Tikka Blaze/);
  expect(card.querySelector('[role=img]')?.getAttribute('aria-label')).toBe('Vegetarian');
  expect(card.textContent).toMatch(/from ₹\d+/);
  expect(card.textContent).toMatch(/serves 1/);
  expect(card.textContent).toMatch(/\d+ kcal/);
  expect(card.textContent).toMatch(/contains gluten, milk, mustard/);
});

test('a combo shows what it costs apart, struck through [MENU-22] [MENU-17]', async () => {
  const page = await openPage(server.url, '/menu/combos');
  const card = await page.find('listitem', /Two Regulars/);
  expect(card.querySelector('s')?.textContent).toMatch(/^Before ₹\d+/);
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
  await page.press('button', 'Spicy');
  await page.sees('Nothing fits these filters');
  await page.press('button', 'Show everything');
  await page.find('heading', 'Molten Chocolate Cup');
});

test('a dish of certain hours says which [MENU-X10]', async () => {
  const page = await openPage(server.url, '/menu/43', { country: 'lk' });
  const card = await page.find('listitem', /Lunch Meal/);
  expect(card.textContent).toContain('Only 11:00 to 15:00');
});

test('everyday value has its page where offers are allowed, and none inside a payment app [MENU-11] [NAV-14] [NAV-26] [MINI-19]', async () => {
  const page = await openPage(server.url, '/everyday-value-offers');
  await page.find('heading', 'Everyday value offers');
  await page.find('listitem', /Two Mediums/);
  expect(page.path()).toBe('/edv');
  expect(page.get('listitem', /Garlic Bread Sticks/)).toBeNull();
  const inside = await openPage(server.url, '/edv', { host: 'gpay' });
  await inside.find('heading', /minutes, or it’s free/);
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
    await never.sees('The menu did not arrive');
    expect(never.get('button', 'Try again')).not.toBeNull();
  } finally {
    globalThis.fetch = fetchNow;
  }
});

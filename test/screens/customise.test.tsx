import { expect, test, vi } from 'vitest';
import * as cart from '../../src/contract/cart.ts';
import * as group from '../../src/contract/group.ts';
import * as menu from '../../src/contract/menu.ts';
import { lentServer } from '../kit/lentServer.ts';

import { visitor } from '../server/shop.ts';
import { openPage, type AppPage } from './page.ts';
import { during } from '../kit/during.ts';

const server = during(() => lentServer());

const spoken = async (page: AppPage) =>
  (await page.find('img', /^(Regular|Medium|Large) pizza in/)).getAttribute('alt');
/** Address of the editor of a line, as the cart links it. */
const editor = async (page: AppPage, product: string) => {
  const link = await page.find('link', /Edit|Change|Customise/);
  const href =
    [...document.querySelectorAll('a')]
      .map((one) => one.getAttribute('href') ?? '')
      .find((one) => one.includes(`${product}?line=`)) ?? link.getAttribute('href');
  return `/${href}`;
};

test.each(['/customise/PZ001', '/combo/DL003'])(
  'while %s waits for its answer, the page is laid out as with the bar that comes with it',
  async (path) => {
    const real = globalThis.fetch;
    globalThis.fetch = async (...given) => {
      const to = given[0] instanceof Request ? given[0].url : String(given[0]);
      return /toppings|deals?\/|builder/.test(to) ? await new Promise<never>(() => {}) : await real(...given);
    };
    try {
      await openPage(server.url, path);
      await vi.waitFor(() => expect(document.querySelector('main [aria-busy] > *')).not.toBeNull());
      await vi.waitFor(() => expect(document.documentElement.dataset['bars']).toBe('1'));
      expect(document.querySelector('[data-bar]')).toBeNull();
    } finally {
      globalThis.fetch = real;
    }
  },
);

test('size, crust and toppings change picture, description and price; the server says the same [MENU-19] [MENU-20] [MENU-X03]', async () => {
  const page = await openPage(server.url, '/customise/PZ001');
  await page.find('button', /^Add ₹119$/);
  expect(await spoken(page)).toBe(
    'Regular pizza in 4 slices, Hand Tossed crust, Tomato & Basil sauce, normal cheese; Basil Leaves.',
  );
  const drawn = async () => (await page.find('img', /^(Regular|Medium) pizza in/)).getAttribute('src');
  // Drawn here: no photo is asked for.
  expect(await drawn()).toMatch(/^(data:image\/svg|blob:)/);
  const first = await drawn();
  await page.press('radio', /^Medium/);
  await page.find('button', /^Add ₹229$/);
  const second = await drawn();
  await page.press('radio', /^Cheese-Filled Edge/);
  await page.sees(/Cheese-Filled Edge ?\+₹99/i);
  await page.press('checkbox', /^Onion/);
  await page.find('button', /^Add ₹380$/);
  expect(new Set([first, second, await drawn()]).size).toBe(3);
  expect(await spoken(page)).toBe(
    'Medium pizza in 6 slices, Cheese-Filled Edge crust, Tomato & Basil sauce, normal cheese; Basil Leaves, Onion.',
  );
  await page.press('button', /^Add ₹380$/);
  // The server's price with the best offer on, 20 % off.
  await page.find('link', /^Cart, 1 item ?₹380$/);
});

test('every topping of the list of the store can be put on, at the price of the size, and none that it has not [MENU-20]', async () => {
  const { builder } = (await server.call(menu.toppings, { storeId: '10101' }, { apiKey: 'in-web' })).body;
  // A store that is out of one of them.
  const [gone, ...left] = builder.toppings;
  const real = globalThis.fetch;
  globalThis.fetch = async (...given: Parameters<typeof fetch>) => {
    const { pathname } = new URL(given[0] instanceof Request ? given[0].url : String(given[0]));
    return pathname.endsWith('/toppings')
      ? Response.json({ status: 'SUCCESS', builder: { ...builder, toppings: left } })
      : await real(...given);
  };
  try {
    const page = await openPage(server.url, '/customise/PZ001?size=M');
    await page.find('checkbox', /^Onion/);
    expect(page.get('checkbox', new RegExp(`^${gone!.name}`))).toBeNull();
    for (const { id, name, prices } of left)
      // What the recipe has costs nothing more.
      expect(
        (await page.find('checkbox', new RegExp(`^${name}`)))
          .closest('li')!
          .textContent.includes(`₹${prices.M! / 100}`),
      ).toBe(id !== 'basil');
  } finally {
    globalThis.fetch = real;
  }
});

test('a link to a dish waits for a menu that comes late, and then opens what it named [NAV-X03]', async () => {
  const real = globalThis.fetch;
  let release = () => {};
  const held = new Promise<void>((done) => {
    release = done;
  });
  globalThis.fetch = async (...given: Parameters<typeof fetch>) => {
    if (new URL(given[0] instanceof Request ? given[0].url : String(given[0])).pathname.endsWith('/menu')) await held;
    return await real(...given);
  };
  try {
    const page = await openPage(server.url, '/customise/PZ001?size=M');
    await page.find('heading', 'Customise');
    release();
    await page.find('button', /^Add ₹229$/);
  } finally {
    release();
    globalThis.fetch = real;
  }
});

test('a topping goes on the whole or one half, in four amounts, on the picture too [MENU-X02] [MENU-X03]', async () => {
  const page = await openPage(server.url, '/customise/PZ001');
  await page.press('checkbox', /^Onion/);
  await page.find('button', /^Add ₹154$/);
  const drawn = async () => (await page.find('img', /^Regular pizza in/)).getAttribute('src');
  const whole = await drawn();
  await page.press('button', /^Onion: Normal/);
  await page.press('radio', 'Left');
  await page.find('button', /^Add ₹137$/);
  const left = await drawn();
  expect(left).not.toBe(whole);
  expect(await spoken(page)).toContain('left half: Onion');
  // A light one is baked with less, and costs what a normal one does.
  await page.press('radio', 'Light');
  await vi.waitFor(async () => expect(await spoken(page)).toContain('left half: light Onion'));
  await page.find('button', /^Add ₹137$/);
  await page.press('radio', 'Extra');
  await page.find('button', /^Add ₹155$/);
  expect([whole, left]).not.toContain(await drawn());
  await page.press('checkbox', /^Basil Leaves/);
  expect(await spoken(page)).not.toContain('Basil Leaves');
  await page.find('button', /^Add ₹155$/);
});

test('sauce and cheese come in four amounts, none of it too: on the picture, in the cart and for the kitchen [MENU-X02]', async () => {
  const page = await openPage(server.url, '/customise/PZ001');
  const choose = async (amount: string, of = 'sauce') => {
    const amounts = (await page.find('group', new RegExp(`^How much ${of}`))).querySelectorAll('label');
    [...amounts].find((one) => one.textContent === amount)!.click();
  };
  for (const [amount, said] of [
    ['Light', 'light Tomato & Basil sauce'],
    ['Extra', 'extra Tomato & Basil sauce'],
    ['None', 'no sauce'],
  ] as const) {
    await choose(amount);
    expect(await spoken(page)).toContain(`crust, ${said},`);
  }
  await page.sees('No sauce');
  await choose('None', 'cheese');
  await page.sees('no sauce · no cheese');
  await page.press('button', /^Add ₹119$/);
  await page.press('button', 'View cart');
  // As the server has it, too: the line's own price comes with these words.
  await page.find('listitem', /Tomato Basil Classic.*No sauce · No cheese/);
  await page.find('link', /^Edit/);
  // Whoever then picks a sauce by name gets it.
  const again = await openPage(server.url, await editor(page, 'PZ001'), { keep: true });
  expect(await spoken(again)).toContain('crust, no sauce,');
  await again.press('radio', 'Makhani');
  expect(await spoken(again)).toContain('crust, Makhani sauce,');
});

test("a second recipe makes it half and half, in a size that can be, at the dearer half's price, and says that rule [MENU-X01] [MENU-X05]", async () => {
  const page = await openPage(server.url, '/customise/PZ001');
  await page.sees('Make it half and half (medium or large). The half that costs more sets the price.');
  await page.press('button', 'Choose');
  expect((await page.find('button', /Paneer Tikka Blaze/)).textContent).toMatch(
    /1,?290 kcal · contains gluten, milk, mustard/,
  );
  const halves = [...document.querySelectorAll('dialog li')];
  expect(halves.length).toBeGreaterThan(5);
  for (const half of halves) expect(half.textContent).toMatch(/serves 2 · [\d,]+ kcal · contains (egg, )?gluten, milk/);
  await page.press('button', /Paneer Tikka Blaze/);
  await page.sees('Left: Tomato Basil Classic. Right: Paneer Tikka Blaze. The half that costs more sets the price.');
  await page.find('button', /^Add ₹429$/);
  expect(await spoken(page)).toMatch(/^Medium pizza.*left half: Basil Leaves; right half: .*Paneer Tikka/);
  await page.press('radio', /^Regular/);
  await page.sees(/does not come with half-and-half/);
  await page.find('button', /^Add ₹119$/);
});

test('diet and allergens are worked out again for what is built; the limit of toppings is kept [MENU-X04] [MENU-X06]', async () => {
  const page = await openPage(server.url, '/customise/PZ001');
  await page.sees('Contains gluten, milk');
  await page.press('checkbox', /^Chicken Tikka/);
  await page.find('img', 'Non-vegetarian');
  await page.sees(/Contains [a-z, ]*mustard/);
  await page.press('checkbox', /^Chicken Tikka/);
  for (const name of [/^Onion/, /^Green Capsicum/, /^Tomato/, /^Mushroom/, /^Pineapple/])
    await page.press('checkbox', name);
  await page.sees('5 of 5 extra toppings');
  await page.press('checkbox', /^Sweet Corn/);
  await page.sees('A regular pizza holds at most 5 extra toppings, or it does not bake through. Please take one off.');
  expect(((await page.find('checkbox', /^Sweet Corn/)) as HTMLInputElement).checked).toBe(false);
});

test('Jain on request changes the sauce and leaves out what a Jain kitchen does not use [MENU-X07]', async () => {
  const page = await openPage(server.url, '/customise/PZ007');
  expect(await spoken(page)).toContain('Onion');
  await page.press('checkbox', /^Make it Jain/);
  await page.sees(/Jain Tomato/);
  expect(await spoken(page)).not.toContain('Onion');
  await page.press('checkbox', /^Make it Jain/);
  await page.find('checkbox', /^Onion/);
  expect(await spoken(page)).toContain('Onion');
});

test('editing from the cart brings back exactly what was built, and puts it back into its line [CART-03] [MENU-X08]', async () => {
  const page = await openPage(server.url, '/customise/PZ004?size=M');
  await page.press('radio', /^Deep Pan/);
  await page.press('button', 'Choose');
  await page.press('button', /Double Cheese Melt/);
  await page.press('checkbox', /^Sweet Corn/);
  await page.press('button', 'Well done');
  await page.type('Anything else', 'ring twice');
  const before = await spoken(page);
  await page.press('button', /^Add ₹/);
  await page.find('link', /^Cart, 1 item ?₹[\d.]+$/);
  const cart = await openPage(server.url, '/cart', { keep: true });
  const address = await editor(cart, 'PZ004');
  const again = await openPage(server.url, address, { keep: true });
  await again.find('button', /^Update ₹/);
  expect(await spoken(again)).toBe(before);
  expect((await again.find('button', 'Well done')).getAttribute('aria-pressed')).toBe('true');
  await again.press('radio', /^Hand Tossed/);
  await again.press('button', /^Update ₹/);
  await again.sees('ring twice');
  expect(again.path()).toBe('/cart');
  const once = await openPage(server.url, '/menu', { keep: true });
  await once.find('link', /^Cart, 1 item ?₹[\d.]+$/);
});

test('a dish that cannot be built says so', async () => {
  const page = await openPage(server.url, '/customise/SD001');
  await page.sees('This dish cannot be changed');
});

test('a combo has its places with defaults, choices and surcharges, and says the saving [MENU-X11] [MENU-17]', async () => {
  const page = await openPage(server.url, '/combo/DL001');
  await page.find('button', /^Add ₹299$/);
  await page.sees(/You save ₹\d+/);
  await page.press('button', /^Change Side/);
  await page.press('button', /Peri Fries/);
  await page.find('heading', /Peri Fries/);
  await page.press('button', 'Customise Garden Four');
  await page.press('checkbox', /^Sweet Corn/);
  expect(page.get('radio', /^Medium/)).toBeNull();
  await page.press('button', 'Keep this');
  await page.sees('Add Sweet Corn');
  await page.press('button', /^Add ₹334$/);
  await page.find('link', /^Cart, 1 item ?₹334$/);
});

test('a combo takes a note for the kitchen, with it into the cart and back from there [MENU-X08]', async () => {
  const page = await openPage(server.url, '/combo/DL001');
  await page.find('button', /^Add ₹299$/);
  await page.press('button', 'Well done');
  for (const typed of ['ring ', 'ring twice']) await page.type('Anything else', typed);
  await page.press('button', /^Add ₹299$/);
  await page.find('link', /^Cart, 1 item ?₹299$/);
  const cart = await openPage(server.url, '/cart', { keep: true });
  await cart.sees('“Well done, ring twice”');
  // From its own page it comes back as it was, and can be taken away.
  await cart.press('link', /^Edit/);
  await cart.find('button', /^Update ₹299$/);
  await vi.waitFor(async () =>
    expect((await cart.find('button', 'Well done')).getAttribute('aria-pressed')).toBe('true'),
  );
  await cart.press('button', 'Well done');
  await cart.press('button', /^Update ₹299$/);
  await cart.find('heading', 'Your cart');
  await cart.sees('“ring twice”');
});

test('when prices load late, a note stays split into tapped and typed parts, for pizza and combo [MENU-X08]', async () => {
  const real = globalThis.fetch;
  for (const [path, price] of [
    ['/customise/PZ001', /^Add ₹119$/],
    ['/combo/DL001', /^Add ₹299$/],
  ] as const) {
    const page = await openPage(server.url, path);
    await page.find('button', price);
    await page.press('button', 'Well done');
    await page.type('Anything else', 'ring twice');
    await page.press('button', price);
    await page.find('link', /^Cart, 1 item ?₹/);
    // A device that has the cart and not the price list.
    localStorage.removeItem('IN/browser:builder');
    let release = () => {};
    const held = new Promise<void>((done) => {
      release = done;
    });
    globalThis.fetch = async (...given: Parameters<typeof fetch>) => {
      const { pathname } = new URL(given[0] instanceof Request ? given[0].url : String(given[0]));
      if (pathname.endsWith('/toppings')) await held;
      return await real(...given);
    };
    try {
      const cart = await openPage(server.url, '/cart', { keep: true });
      await cart.press('link', /^Edit/);
      // What was chosen is shown with its prices: without them nothing of it is.
      await vi.waitFor(() => expect(document.querySelector('[aria-busy]')).not.toBeNull());
      expect(ownWords()).toBeNull();
      release();
      await vi.waitFor(async () =>
        expect((await cart.find('button', 'Well done')).getAttribute('aria-pressed')).toBe('true'),
      );
      expect(ownWords()!.value).toBe('ring twice');
    } finally {
      release();
      globalThis.fetch = real;
    }
  }
});

/** The box for the customer's own words in a builder. */
const ownWords = () => document.querySelector<HTMLInputElement>('details input:not([type])');

test('a kitchen note holds all that was tapped and typed, up to its length; a ready note without room is refused [MENU-X08]', async () => {
  const page = await openPage(server.url, '/customise/PZ001');
  await page.find('button', /^Add ₹119$/);
  const ready = ['Less spicy', 'Well done', 'No oregano', 'Cut in squares'];
  for (const note of ready) await page.press('button', note);
  // As much as the box lets in, and what matters at its end.
  const typed = `${'please '.repeat(12)}no nuts`.slice(-ownWords()!.maxLength);
  await page.type('Anything else', typed);
  await page.sees('No room is left: a note has at most 120 characters.');
  await page.press('button', /^Add ₹119$/);
  const note = [...ready, typed].join(', ');
  expect(note).toMatch(/no nuts$/);
  await vi.waitFor(() => expect(localStorage.getItem('IN/browser:cart')).toContain(note));

  const long = await openPage(server.url, '/customise/PZ001');
  await long.press('button', 'Less spicy');
  const most = `${'please '.repeat(14)}no nuts`;
  await long.type('Anything else', most);
  await long.press('button', 'Well done');
  await long.sees('There is no room for “Well done”: a note has at most 120 characters.');
  expect((await long.find('button', 'Well done')).getAttribute('aria-pressed')).toBe('false');
  expect(ownWords()!.value).toBe(most);
  // One that is there can always be taken off, and leaves its room.
  await long.press('button', 'Less spicy');
  await long.press('button', 'Well done');
  expect((await long.find('button', 'Well done')).getAttribute('aria-pressed')).toBe('true');
});

test('a side takes a note for the kitchen in the cart, where it is read again, changed and taken away [MENU-X08]', async () => {
  const menu = await openPage(server.url, '/menu/sides');
  await menu.press('button', 'Add Garlic Bread Sticks');
  await menu.find('link', /^Cart, 1 item ?₹/);
  const cart = await openPage(server.url, '/cart', { keep: true });
  await cart.press('button', 'Add note to Garlic Bread Sticks');
  await cart.type('Note for the kitchen', 'no butter on top');
  await cart.press('button', 'Save');
  await cart.find('listitem', /Garlic Bread Sticks.*“no butter on top”/);
  // The server has it: another device of the same customer, or a reload, reads it there.
  await vi.waitFor(() => expect(localStorage.getItem('IN/browser:cart')).toContain('no butter on top'));
  const again = await openPage(server.url, '/cart', { keep: true });
  await again.press('button', /^Change note of Garlic Bread Sticks/);
  await vi.waitFor(() =>
    expect(document.querySelector<HTMLInputElement>('li form input')?.value).toBe('no butter on top'),
  );
  await again.type('Note for the kitchen', '');
  await again.press('button', 'Save');
  await vi.waitFor(() => expect(again.text()).not.toContain('no butter on top'));
  await vi.waitFor(() => expect(localStorage.getItem('IN/browser:cart')).not.toContain('no butter on top'));
});

test('in a group the others read the note of a dish under the name of who added it [MENU-X08]', async () => {
  const host = await visitor(server);
  const line = { lineId: 'noted', productId: 'SD001', quantity: 1, note: 'no butter on top' };
  const { storeId, deliveryType } = host.where;
  await host.call(cart.add, {
    cartId: host.cartId,
    body: { items: [{ operationId: 'adding', line }], options: { storeId, deliveryType } },
  });
  const body = { name: 'Asha', diet: [], minutes: 30, limit: null };
  const { code } = (await host.call(group.start, { cartId: host.cartId, body })).body.group;
  const page = await openPage(server.url, `/group/${code}`);
  await page.type('Your name', 'Ravi');
  await page.press('button', 'Join');
  await page.find('heading', 'With Asha');
  const dish = await page.find('listitem', /1 × ?Garlic Bread Sticks.*“no butter on top”/);
  expect(dish.closest('section')!.querySelector('h2,h3')!.textContent).toMatch(/^Asha/);
});

test('a combo and every dish that can be in it show calories, serving size and allergens [MENU-X05] [MENU-X06]', async () => {
  const menu = await openPage(server.url, '/menu/combos');
  expect((await menu.find('listitem', /Party of Six/)).textContent).toMatch(/serves 9-12 · [\d,]+ kcal/);
  expect((await menu.find('listitem', /Two Mediums/)).textContent).toMatch(/serves 4 · [\d,]+ kcal/);
  // No pizza in it: its portions.
  expect((await menu.find('listitem', /Bread & Dip/)).textContent).toMatch(/6 pc \+ 2 × 25 g · [\d,]+ kcal/);

  const page = await openPage(server.url, '/combo/DL001');
  // How many it serves comes with the parts of a pizza, after its name.
  await page.find('listitem', /^Pizza.*serves 1 · [\d,]+ kcal · contains gluten, milk/);
  await page.find('listitem', /^Drink.*475 ml · [\d,]+ kcal/);
  await page.press('button', /^Change Pizza/);
  await page.find('button', /Double Cheese Melt/);
  const others = [...document.querySelectorAll('dialog li')];
  expect(others.length).toBeGreaterThan(5);
  for (const other of others) expect(other.textContent).toMatch(/serves 1 · [\d,]+ kcal · contains gluten, milk/);
  expect((await page.find('button', /Paneer Tikka Blaze/)).textContent).toMatch(
    /680 kcal · contains gluten, milk, mustard/,
  );
});

test('a combo that does not exist leads to the menu without a retry; one that failed to load can be tried again', async () => {
  const page = await openPage(server.url, '/combo/NOPE');
  await page.sees('This combo did not load');
  expect(page.get('link', 'See the menu')?.getAttribute('href')).toBe('menu');
  expect(page.get('button', 'Try again')).toBeNull();
  await server.switches({ faults: [{ match: 'DL001', status: 503 }] });
  const late = await openPage(server.url, '/combo/DL001');
  const again = await late.find('button', 'Try again');
  expect(late.get('link', 'See the menu')).toBeNull();
  await server.switches({ faults: [] });
  again.click();
  await late.find('listitem', /^Pizza/);
});

import { expect, onTestFinished, test, vi } from 'vitest';
import * as menu from '../../src/contract/menu.ts';
import * as stores from '../../src/contract/stores.ts';
import { openDb } from '../../src/server/store/db.ts';
import { noteChange } from '../../src/server/store/system.ts';
import { lentServer } from '../kit/lentServer.ts';

import { openShop } from '../server/shop.ts';
import { deviceWithCart } from './device.ts';
import { notingCalls, openPage, type AppPage } from './page.ts';
import { during } from '../kit/during.ts';

const server = during(() => lentServer(), openShop);

/** The page has asked everything that a cart asks: a closed page's late answer must not meet the next one's storage. */
async function settled(page: AppPage): Promise<AppPage> {
  await page.find('group', 'Best offer');
  await page.find('button', 'Spin the wheel');
  return page;
}

async function cartWith(...dishes: readonly string[]): Promise<AppPage> {
  await deviceWithCart(server, dishes);
  return await settled(await openPage(server.url, '/cart', { keep: true }));
}

/** Types an offer code into the cart, and waits until it is on it. */
async function useCode(page: AppPage, code: string): Promise<void> {
  await page.type('Have an offer code?', code);
  const box = document.querySelector<HTMLInputElement>('input[name="offer-code"]')!;
  await vi.waitFor(() => expect(box.getAttribute('value')).toBe(code));
  box.form!.requestSubmit();
  await page.find('button', `Remove ${code}`);
}

test('the cart applies the best offer by itself, saves what the bill says, and leaves it off once removed [OFF-X01] [OFF-X04]', async () => {
  const page = await cartWith('Garden Four', 'Tomato Basil Classic', 'Double Cheese Melt');
  await page.find('button', /^Remove (?!FREEDIP)[A-Z0-9]+$/);
  const card = () => [...document.querySelectorAll('article')].find((one) => !one.textContent.includes('FREEDIP'));
  expect(card()!.textContent).toMatch(/Off (all food|Veg)/);
  const code = card()!.querySelector('code')!.textContent;
  const [, saving] = /Save ?(₹[\d,]+)/.exec(card()!.textContent)!;
  await page.sees(new RegExp(`-${saving}`));
  await page.press('button', `Remove ${code}`);
  await page.sees(`${code} is taken off.`);
  await page.gone('button', `Remove ${code}`);
  const again = await settled(await openPage(server.url, '/cart', { keep: true }));
  expect(card()).toBeUndefined();
  // Another dish does not bring it back either; a tap does, for the sum that was said.
  const best = await again.find('group', 'Best offer');
  expect(best.textContent).toMatch(/^With \w+( \+ \w+)* you save ₹\d/);
  const [, sum] = /To pay: (₹[\d,.]+)Use it/.exec(best.textContent)!;
  expect(bill()['To pay']).not.toBe(sum);
  await again.press('button', 'Use it');
  await again.sees('On your cart');
  await vi.waitFor(() => expect(bill()['To pay']).toBe(sum));
});

test('a first dish, its cart, the menu and the cart again ask for nothing twice; another dish asks anew what depends on it', async () => {
  // However slow this machine is, no time passes here.
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  await notingCalls(async (asked) => {
    /** How often each answer of a cart was asked for. */
    const times = () => {
      const paths = asked.splice(0).map((url) => new URL(url).pathname.replace(/cart_[\w-]+/, ':cart'));
      const own = paths.filter((path) => /cart|stores\/\d+$|favourites/.test(path));
      return own.map((path) => path.split('/').slice(-2).join('/')).sort();
    };
    const page = await openPage(server.url, '/menu/veg-pizza', { host: 'browser' });
    await page.press('button', 'Add Garden Four');
    await page.find('link', /^Cart, 1 item ?₹/);
    // Too narrow for a cart beside the menu.
    expect(document.querySelector('aside')).toBeNull();
    page.go('/cart');
    await settled(page);
    await page.find('heading', 'Goes well with it');
    expect(times()).toEqual([
      ':cart/combinedOffers',
      ':cart/items',
      ':cart/upsell_items',
      'offers/gamify',
      'stores/10101',
    ]);
    page.go('/menu');
    await page.find('link', /^Cart, 1 item ?₹/);
    page.go('/cart');
    await settled(page);
    expect(times()).toEqual([]);
    await page.press('button', 'One more Garden Four');
    await vi.waitFor(() => expect(asked.join()).toContain('combinedOffers'));
    page.go('/menu');
    await page.find('link', /^Cart, 2 items ?₹/);
    page.go('/cart');
    await vi.waitFor(() => expect(asked.join()).toContain('upsell_items'));
    expect(times().filter((path) => path.startsWith(':cart/') && path !== ':cart/items')).toEqual([
      ':cart/combinedOffers',
      ':cart/upsell_items',
    ]);
  });
});

test('the cart suggests a dish with which the total falls, with its price, and adds it by a tap only [OFF-X01]', async () => {
  const page = await cartWith('Double Cheese Melt');
  const best = () => page.get('group', 'Best offer')!;
  const [, name] = /Add ([^₹]+) and pay ₹\d+ less in all/.exec(best().textContent)!;
  const add = [...best().querySelectorAll('button')].find((one) => one.textContent.startsWith(`Add ${name}, ₹`))!;
  expect(page.get('group', `Quantity of ${name}`)).toBeNull();
  add.click();
  await page.find('group', `Quantity of ${name}`);
});

test('dishes offered beside the cart show serving, calories and allergens; a tap adds them [CART-08] [MENU-24] [MENU-X05]', async () => {
  const { items } = (await server.call(menu.byStore, { storeId: '10101', query: {} }, { apiKey: 'in-web' })).body.menu!;
  const page = await cartWith('Garden Four');
  const shelf = (await page.find('heading', 'Goes well with it')).closest('section')!;
  const offered = [...shelf.querySelectorAll('li')];
  expect(offered.length).toBeGreaterThan(2);
  for (const one of offered) {
    const [, name] = /^Add (.+)$/.exec(one.querySelector('button')!.getAttribute('aria-label')!)!;
    const item = items.find((dish) => dish.name === name)!;
    const facts = `${item.serving} · ${item.kcal.ONE} kcal`;
    expect(one.textContent).toContain(
      item.allergens.length > 0 ? `${facts} · contains ${item.allergens.join(', ')}` : facts,
    );
    // Nothing but the dish that was chosen is in the cart.
    expect(page.get('group', `Quantity of ${name}`)).toBeNull();
  }
  const first = offered[0]!.querySelector('button')!;
  const [, name] = /^Add (.+)$/.exec(first.getAttribute('aria-label')!)!;
  first.click();
  await page.find('group', `Quantity of ${name}`);
});

test('a code that takes the place of a better offer is not said to be applied: what it costs more is [OFF-X04]', async () => {
  const page = await cartWith('Garden Four', 'Tomato Basil Classic', 'Double Cheese Melt');
  const best = (await page.find('button', /^Remove (?!FREEDIP)[A-Z0-9]+$/))
    .getAttribute('aria-label')!
    .slice('Remove '.length);
  const total = () => Number(/To pay ?₹([\d,]+)/.exec(page.text())?.[1]?.replace(',', ''));
  const before = total();
  // As it comes out of a message.
  await page.type('Have an offer code?', ' “upi75” ');
  document.querySelector<HTMLInputElement>('input[name="offer-code"]')!.form!.requestSubmit();
  await page.sees(new RegExp(`UPI75 takes the place of ${best}\\. Your total is ₹[\\d,]+ higher now\\.`));
  const [, more] = /is ₹([\d,]+) higher/.exec(page.text())!;
  expect(page.text()).not.toContain('UPI75 is applied');
  await vi.waitFor(() => expect(total()).toBe(before + Number(more!.replace(',', ''))));
});

test('a coupon of one way to pay says how to keep it, one of several orders how far one is [OFF-16] [OFF-17]', async () => {
  const page = await cartWith('Garden Four', 'Tomato Basil Classic', 'Double Cheese Melt');
  const ticket = (code: string) =>
    [...document.querySelectorAll('article')].find((one) => one.querySelector('code')?.textContent === code);
  await useCode(page, 'UPI75');
  expect(ticket('UPI75')!.textContent).toContain('Pay with UPI to keep this offer');
  await useCode(page, 'MILESTONE5');
  const meter = ticket('MILESTONE5')!.querySelector('[role=meter]')!;
  expect(meter.getAttribute('aria-label')).toBe('Progress of Five orders to a free regular pizza');
  expect(meter.getAttribute('aria-valuenow')).toBe('0');
  expect(ticket('MILESTONE5')!.textContent).toContain('5 more orders to your reward · 0 of 5');
  expect([...ticket('MILESTONE5')!.querySelectorAll('[data-reached]')].map((step) => step.textContent)).toEqual([
    '1 order',
    '3 orders: free dip',
    '5 orders: free regular pizza',
  ]);
});

test('an offer that the cart no longer fits stays on it with its reason, until it fits again [ERR-23]', async () => {
  const page = await cartWith('Garden Four', 'Tomato Basil Classic', 'Double Cheese Melt');
  await useCode(page, 'SAVE15');
  const ticket = () =>
    [...document.querySelectorAll('article')].find((one) => one.querySelector('code')?.textContent === 'SAVE15')!;
  const reason = /Add items worth ₹[\d.,]+ more/;
  expect(ticket().textContent).not.toMatch(reason);
  await page.press('button', 'Remove Garden Four');
  await vi.waitFor(() => expect(ticket().textContent).toMatch(reason));
  await page.press('button', 'Undo');
  await vi.waitFor(() => expect(ticket().textContent).not.toMatch(reason));
});

test('a combo that costs less than its dishes has a badge at the bill, another cart has none [CART-07]', async () => {
  const combo = await openPage(server.url, '/combo/DL001');
  await combo.press('button', /^Add/);
  await combo.find('link', /^Cart, 1 item/);
  const page = await openPage(server.url, '/cart', { keep: true });
  await page.sees('Combo saving');
  await page.find('button', 'Spin the wheel');
  const other = await cartWith('Garden Four');
  expect(other.text()).not.toContain('Combo saving');
});

test('a removed line hands the focus to the next one, and a new total is said once it is known', async () => {
  const page = await cartWith('Garden Four', 'Tomato Basil Classic');
  (await page.find('button', 'Remove Garden Four')).focus();
  await page.press('button', 'Remove Garden Four');
  await page.gone('button', 'Remove Garden Four');
  expect(document.activeElement?.getAttribute('aria-label')).toBe('Remove Tomato Basil Classic');
  await page.sees(/To pay now: ₹/);
  expect(page.text().match(/To pay now/g)).toHaveLength(1);
  await page.press('button', 'Remove Tomato Basil Classic');
  await page.find('heading', 'Your cart is empty');
  await vi.waitFor(() => expect(document.activeElement?.tagName).toBe('H1'));
});

/** Each line of the bill by its label. */
const bill = () =>
  Object.fromEntries(
    [...document.querySelectorAll('dl div')].map((line) => [
      line.querySelector('dt')!.textContent.trim(),
      line.querySelector('dd')!.textContent.trim(),
    ]),
  );

test('a guest sees the whole bill in the cart, packaging too where the store asks for it, and it adds up [CART-X01]', async () => {
  const menu = await openPage(server.url, '/menu/veg-pizza');
  await menu.press('button', 'Add Tomato Basil Classic');
  await menu.find('link', /^Cart, 1 item ?₹/);
  const { store } = (await server.call(stores.byId, { storeId: '10201', query: {} }, { apiKey: 'in-web' })).body;
  localStorage.setItem('IN/browser:delivery-type', JSON.stringify('PICKUP'));
  localStorage.setItem('IN/browser:takeaway-store', JSON.stringify(store));
  const page = await settled(await openPage(server.url, '/cart', { keep: true }));
  await vi.waitFor(() => expect(bill()).toHaveProperty('Packaging', '₹10'));
  await page.press('checkbox', /^Carry bag/);
  await vi.waitFor(() => expect(bill()).toHaveProperty('Carry bag', '₹7'));
  const lines = bill();
  expect(Object.keys(lines)).toEqual(expect.arrayContaining(['Items', 'CGST 2.5%', 'SGST 2.5%', 'Rounding']));
  const amounts = Object.values(lines).map((text) => Number(text.replace('−', '-').replace(/[^\d.-]/g, '')));
  const total = amounts.pop()!;
  expect(amounts.reduce((sum, one) => sum + one, 0)).toBeCloseTo(total, 6);
});

test('the carry bag is off by default, shows its price and is on the bill while ticked; the promise names its limit [CART-12]', async () => {
  const page = await cartWith('Tomato Basil Classic');
  const bag = async () => (await page.find('checkbox', /^Carry bag/)) as HTMLInputElement;
  expect((await bag()).checked).toBe(false);
  expect(bill()).not.toHaveProperty('Carry bag');
  await page.sees(/Carry bagOnly if you need one₹7/);
  await page.press('checkbox', /^Carry bag/);
  await vi.waitFor(() => expect(bill()).toHaveProperty('Carry bag', '₹7'));
  const again = await settled(await openPage(server.url, '/cart', { keep: true }));
  expect((await bag()).checked).toBe(true);
  await again.press('checkbox', /^Carry bag/);
  await vi.waitFor(() => expect(bill()).not.toHaveProperty('Carry bag'));
  await page.sees('30 minutes or it is free, up to ₹300.');
  await page.sees(/To win: .*off/);
});

test('a tip is asked for only where a rider comes, none is chosen beforehand, and a second tap takes it back [CART-11]', async () => {
  const page = await cartWith('Tomato Basil Classic');
  const tips = () => [...document.querySelectorAll('[aria-pressed]')].filter((one) => /^₹\d+$/.test(one.textContent));
  expect(tips().map((one) => [one.textContent, one.getAttribute('aria-pressed')])).toEqual([
    ['₹10', 'false'],
    ['₹20', 'false'],
    ['₹30', 'false'],
  ]);
  expect(bill()).not.toHaveProperty('Tip for the rider');
  await page.press('button', '₹20');
  await vi.waitFor(() => expect(bill()).toHaveProperty('Tip for the rider', '₹20'));
  await page.press('button', '₹20');
  await vi.waitFor(() => expect(bill()).not.toHaveProperty('Tip for the rider'));
  await page.press('button', '₹30');
  await vi.waitFor(() => expect(bill()).toHaveProperty('Tip for the rider', '₹30'));
  const { store } = (await server.call(stores.byId, { storeId: '10101', query: {} }, { apiKey: 'in-web' })).body;
  localStorage.setItem('IN/browser:delivery-type', JSON.stringify('PICKUP'));
  localStorage.setItem('IN/browser:takeaway-store', JSON.stringify(store));
  const counter = await settled(await openPage(server.url, '/cart', { keep: true }));
  await counter.find('checkbox', /^Carry bag/);
  await vi.waitFor(() => expect(bill()).not.toHaveProperty('Delivery'));
  expect([tips(), Object.keys(bill()).includes('Tip for the rider')]).toEqual([[], false]);
});

test('the wheel shows its odds before it turns, and turns once for a cart [CART-17]', async () => {
  const page = await cartWith('Garden Four', 'Double Cheese Melt');
  await page.press('button', 'Spin the wheel');
  await page.sees('Prizes and chances');
  const odds = [...document.querySelectorAll('dialog li')].map((line) =>
    Number(/([\d.]+) %$/.exec(line.textContent ?? '')?.[1]),
  );
  expect(odds.length).toBeGreaterThan(3);
  expect(odds.reduce((sum, one) => sum + one, 0)).toBeCloseTo(100, 6);
  await page.press('button', 'Spin once');
  await page.find('button', 'Back to the cart');
  expect(document.querySelectorAll('dialog li[aria-current]')).toHaveLength(1);
  const said = document.querySelector('dialog [role=status]')!.textContent;
  const again = await openPage(server.url, '/cart', { keep: true });
  await again.press('button', 'See the wheel');
  await again.sees(said);
  expect(again.get('button', 'Spin once')).toBeNull();
});

test('a coupon that does not fit says why and what would make it fit, and links there instead of Apply [OFF-X02] [OFF-X05]', async () => {
  await cartWith('Tomato Basil Classic');
  const page = await openPage(server.url, '/offers?from=cart', { keep: true });
  await page.find('heading', 'Not for this cart yet');
  // The nearest ones are in view, the others a tap away.
  const codes = () => [...document.querySelectorAll('article code')].map((one) => one.textContent);
  expect(codes().length).toBeLessThan(10);
  const shown = new Set(codes());
  await page.press('button', /^Show \d+ more: not for this cart yet$/);
  expect(codes().length).toBeGreaterThan(shown.size);
  const ticket = (code: string) =>
    [...document.querySelectorAll('article')].find((one) => one.querySelector('code')?.textContent === code)!;
  const big = ticket('MEGA25');
  expect(big.textContent).toMatch(/Add items worth ₹[\d,]+/);
  await vi.waitFor(() => expect([...big.querySelectorAll('a')].map((one) => one.textContent)).toContain('Add items'));
  expect(page.get('button', 'Apply MEGA25')).toBeNull();
  expect(ticket('PICKUP30').textContent).toMatch(/not valid for delivery.*takeaway/i);
  await page.sees(/^.*Your cart value ₹95.20 \+ Charges/);
});

test('a sold-out dish in the cart waits for a choice, and nothing can be paid before [CART-X04]', async () => {
  const page = await cartWith('Garden Four', 'Tomato Basil Classic');
  await page.find('listitem', /Garden Four/);
  await server.switches({ soldOut: ['PZ004'] });
  try {
    const later = await openPage(server.url, '/cart', { keep: true });
    await later.find('heading', 'What changed since last time');
    await later.find('button', /^Take /);
    expect(later.get('button', 'Choose where')).toBeNull();
    await later.press('button', 'Accept the changes');
    await later.gone('heading', 'What changed since last time');
    await later.find('button', 'Choose where');
    await later.sees('1 item');
    expect(later.get('group', 'Quantity of Garden Four')).toBeNull();
  } finally {
    await server.switches({ soldOut: [] });
  }
});

test('a dearer line shows what it was, and is kept with one tap [CART-X04]', async () => {
  await cartWith('Garden Four', 'Tomato Basil Classic');
  const seen = JSON.parse(localStorage.getItem('IN/browser:cart-seen')!) as {
    lines: Record<string, { what: string; price: number }>;
  };
  const [lineId] = Object.entries(seen.lines).find(([, line]) => line.what.includes('PZ004'))!;
  seen.lines[lineId]!.price -= 2_000;
  localStorage.setItem('IN/browser:cart-seen', JSON.stringify(seen));
  const page = await openPage(server.url, '/cart', { keep: true });
  await settled(page);
  await page.sees('Garden Four costs more now: ₹199 instead of ₹179');
  await page.press('button', 'Keep it: Garden Four');
  await page.gone('heading', 'What changed since last time');
  await page.find('group', 'Quantity of Garden Four');
});

test('an offer that was on by itself and has ended since is told, with a way on; one that no longer fits says why [CART-X04]', async () => {
  const cart = await cartWith('Garden Four', 'Tomato Basil Classic', 'Double Cheese Melt');
  const taken = await cart.find('button', /^Remove (?!FREEDIP)[A-Z0-9]+$/);
  const code = taken.getAttribute('aria-label')!.slice('Remove '.length);
  const { db } = await openDb(server.database.target);
  try {
    const coupon = { country: 'IN', kind: 'coupon', id: code } as const;
    const entry = () =>
      db
        .selectFrom('catalogue_entries')
        .select('body')
        .where((eb) => eb.and(coupon));
    const { body } = await entry().executeTakeFirstOrThrow();
    const publish = async (text: string) => {
      await db
        .updateTable('catalogue_entries')
        .set({ body: text })
        .where((eb) => eb.and(coupon))
        .execute();
      await db.updateTable('catalogue_versions').set({ version: text }).where('country', '=', 'IN').execute();
      await noteChange(db);
    };
    const over = { starts: '2020-01-01T00:00', hours: 1 };
    await publish(JSON.stringify({ ...(JSON.parse(body) as object), window: over }));
    const page = await openPage(server.url, '/cart', { keep: true });
    const changes = await page.find('heading', 'What changed since last time');
    await vi.waitFor(() => expect(changes.closest('section')?.textContent).toContain('is not on your cart any more.'));
    await page.press('button', /^Continue without/);
    await page.gone('heading', 'What changed since last time');
    await settled(await openPage(server.url, '/cart', { keep: true }));
    expect(document.body.textContent).not.toContain('What changed since last time');
    await publish(body);
  } finally {
    await db.destroy();
  }
});

test('what was built comes back as it was, although it was sold out when it was removed [CART-09] [CART-05]', async () => {
  let page = await openPage(server.url, '/customise/PZ004');
  await page.press('radio', /Large/);
  await page.press('button', /^Add/);
  await page.find('link', /^Cart, 1 item ?₹/);
  await server.switches({ soldOut: ['PZ004'] });
  try {
    page = await openPage(server.url, '/cart', { keep: true });
    await page.sees('Garden Four is sold out at this store');
    await page.press('button', 'Remove Garden Four');
    await page.gone('group', 'Quantity of Garden Four');
    await page.press('button', 'Undo');
    await page.find('group', 'Quantity of Garden Four');
    await page.sees('Garden Four is sold out at this store');
  } finally {
    await server.switches({ soldOut: [] });
  }
  page = await settled(await openPage(server.url, '/cart', { keep: true }));
  await vi.waitFor(() => expect(page.get('listitem', /Garden Four/)?.textContent).toContain('Large'));
});

test('a dish built alike is more of its line; another size is a line that says so, with buttons that say which', async () => {
  await cartWith('Garden Four');
  let page = await openPage(server.url, '/customise/PZ004', { keep: true });
  await page.press('button', /^Add/);
  page = await settled(await openPage(server.url, '/cart', { keep: true }));
  expect((await page.find('group', 'Quantity of Garden Four')).textContent).toContain('2');
  expect((await page.find('listitem', /Garden Four/)).textContent).toContain('Regular · Hand Tossed');

  page = await openPage(server.url, '/customise/PZ004', { keep: true });
  await page.press('radio', /Large/);
  await page.press('button', /^Add/);
  page = await settled(await openPage(server.url, '/cart', { keep: true }));
  expect((await page.find('group', 'Quantity of Garden Four, Large, Hand Tossed')).textContent).toContain('1');
  expect((await page.find('group', 'Quantity of Garden Four, Regular, Hand Tossed')).textContent).toContain('2');
});

test('beside the menu of a wide page stands the cart: its lines change there, with its total, its offer and the way to pay', async () => {
  const page = await openPage(server.url, '/menu/veg-pizza', { width: 1280 });
  await page.sees('Your cart is empty');
  await page.press('button', 'Add Tomato Basil Classic');
  const cart = await vi.waitFor(() => {
    const aside = document.querySelector('aside')!;
    expect(aside.textContent).toMatch(/To pay.*₹\d/);
    return aside;
  });
  const total = () => /To pay.*?(₹[\d,.]+)(?!.*To pay now)/.exec(cart.textContent)?.[1];
  const one = total();
  cart.querySelector<HTMLElement>('[aria-label="One more Tomato Basil Classic"]')!.click();
  // Two places show the quantity; the one on the dish's card says it.
  expect(cart.querySelector('output')!.getAttribute('aria-live')).toBe('off');
  await vi.waitFor(() => expect(total()).not.toBe(one));
  expect((await page.find('link', 'Choose where')).closest('aside')).toBe(cart);
  for (const name of ['One less', 'Remove']) {
    const button = cart.querySelector<HTMLElement>(`[aria-label^="${name}"]`)!;
    button.focus();
    button.click();
    await vi.waitFor(() =>
      expect(button.isConnected && button.getAttribute('aria-label')!.startsWith(name)).toBe(false),
    );
  }
  await page.sees('Your cart is empty');
  await vi.waitFor(() => expect(document.activeElement?.textContent).toBe('Your cart'));
});

import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Locator, Page } from '@playwright/test';
import type { SessionReply } from '../../src/contract/session.ts';
import { expect, type Bundle } from '../kit/app.ts';
import { openDb } from '../../src/server/store/db.ts';
import { orderById } from '../../src/server/store/orders.ts';
import { codeFor, guest, person, type Person } from '../server/people.ts';
import { DIST } from '../kit/server.ts';
import { customerWith } from '../bench/pastOrders.ts';
import { Customer, pay, PICKUP, type Where } from '../server/shop.ts';
import { DESK, inspector, PHONE } from './judging.ts';
import { test } from './atNoon.ts';
import { bundle, heading, look, sessionOf, settleAt, tabTo } from './steps.ts';

const web = bundle('in', 'browser');
/** The parts that the built page is loaded in, by name, and its later styles. */
const META = JSON.parse(readFileSync(path.join(DIST, 'in/browser/meta.json'), 'utf8')) as {
  readonly units: Readonly<Record<string, { readonly file: string; readonly needs: readonly string[] }>>;
  readonly laterCss: string;
  readonly restCss: string;
};
const LIST = 'postorder-ui/orderHistory';
const HOUR_S = 3_600;
const DAY_MS = 86_400_000;
/** Not the store that delivers to where the customer of settleAt is. */
const ELSEWHERE: Where = { storeId: '10104', deliveryType: 'PICKUP' };

// Colours are judged as they stand, not while they fade in.
test.use({ viewport: PHONE, colorScheme: 'light' });

/** Opens the app as this person's device has it. */
async function enterAs(page: Page, own: Bundle, { reply }: Person): Promise<void> {
  const { credentials, attributes } = reply;
  await page.context().addInitScript(
    ([key, session]) => {
      if (localStorage.getItem(key) === null) localStorage.setItem(key, session);
    },
    [`${own.country.toUpperCase()}/${own.host}:session`, JSON.stringify({ credentials, attributes })] as const,
  );
}

test('by keyboard alone an old order is found, kept, read, reordered, and its changes decided [HIST-01] [HIST-17] [HIST-X01]', async ({
  page,
  server,
  mobile,
}) => {
  const { found, seen, inspect } = inspector(page, [PHONE, DESK]);
  const press = async (target: Locator) => {
    await tabTo(page, target);
    await page.keyboard.press('Enter');
  };
  const list = page.getByRole('tabpanel');
  await settleAt(page, server.url, web, mobile);
  await page.goto(`${web.mount}login?redirectUrl=%2F${encodeURIComponent(LIST)}`);
  await tabTo(page, page.getByLabel('Mobile number'));
  await page.keyboard.type(mobile);
  await page.keyboard.press('Enter');
  await expect(page.getByLabel('Code')).toBeFocused();
  await page.keyboard.type(await codeFor(server, mobile));
  await expect(heading(page, 'No orders yet')).toBeVisible();
  await inspect('no orders');

  const me = person((await sessionOf(page, web)) as unknown as SessionReply);
  const buy = async (...dishes: string[]) => {
    const each = dishes.map((dish) => new Customer(server, me, ELSEWHERE, dish, mobile));
    for (const one of each) await one.fill();
    const { status, body } = await each[0]!.submit({ paymentMode: 'COD' });
    expect(status, JSON.stringify(body)).toBe(200);
    return body.order;
  };
  await buy('SD001');
  const { orderNumber } = await buy('PZ001', 'PZ004', 'PZ005');
  await server.advance(3 * HOUR_S);
  // One tap from home.
  await page.goto(web.mount);
  await press(page.getByRole('link', { name: 'Orders', exact: true }));
  await expect(list.getByRole('article')).toHaveCount(2);
  await inspect('list');

  const heart = page.getByRole('button', { name: `Keep order ${orderNumber} as a favourite` });
  await press(heart);
  await expect(heart).toHaveAttribute('aria-pressed', 'true');
  await expect(page.getByText('Kept among your favourite orders.')).toBeVisible();
  await page.keyboard.press('Control+Home');
  await page.reload();
  await expect(list.getByRole('article')).toHaveCount(2);
  await tabTo(page, page.getByRole('tab', { name: 'All orders' }));
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('tab', { name: 'Favourites' })).toHaveAttribute('aria-selected', 'true');
  await expect(list.getByRole('article')).toHaveCount(1);
  await expect(list.getByRole('link', { name: new RegExp(`^Order ${orderNumber}, Tomato`) })).toBeVisible();
  await inspect('favourites');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('Space');
  await expect(list.getByRole('article')).toHaveCount(2);

  await page.keyboard.press('Shift+Tab');
  await expect(page.getByRole('searchbox', { name: 'Search your orders' })).toBeFocused();
  await page.keyboard.type('garlc bread');
  await expect(list.getByRole('status')).toHaveText(/1 order fits|These come close/);
  await expect(list.getByRole('link', { name: /Garlic Bread Sticks/ })).toBeVisible();
  await page.keyboard.press('Control+A');
  await page.keyboard.type('blaze');
  await expect(list.getByRole('link', { name: /Paneer Tikka Blaze/ })).toBeVisible();
  await expect(list.getByRole('article')).toHaveCount(1);
  await inspect('search');

  await press(list.getByRole('link', { name: /Paneer Tikka Blaze/ }));
  await expect(heading(page, `Order ${orderNumber}`)).toBeFocused();
  await expect(heading(page, 'What was paid and returned')).toBeVisible();
  await inspect('details');
  await server.switches({ soldOut: ['PZ001', 'PZ005'] });
  await press(page.getByRole('button', { name: 'Order this again' }));

  await expect(heading(page, /^What changed since your order of/)).toBeVisible();
  const changes = page.getByRole('status').filter({ has: heading(page, /^What changed/) });
  await expect(changes).toContainText('Tomato Basil Classic is sold out at this store');
  await expect(changes).toContainText('It is made at Connaught Place, New Delhi now');
  await inspect('changes');
  await press(changes.getByRole('button', { name: 'Leave it out: Tomato Basil Classic' }));
  await expect(changes).not.toContainText('Tomato Basil Classic');
  await expect(changes).toContainText('Paneer Tikka Blaze is sold out at this store');
  await expect(page.getByRole('group', { name: 'Quantity of Tomato Basil Classic' })).toHaveCount(0);
  await press(changes.getByRole('button', { name: 'Accept all' }));
  await expect(changes).toHaveCount(0);
  await expect(page.getByRole('group', { name: /^Quantity of/ })).toHaveCount(1);
  await expect(page.getByRole('group', { name: 'Quantity of Garden Four' })).toContainText('1');
  await press(page.getByRole('link', { name: 'Go to payment' }));
  await expect(page.getByRole('group', { name: 'Payment mode' })).toBeVisible();
  expect(found).toEqual([]);
  expect(seen).toHaveLength(6);
});

test("the browser's own search finds the words of an order far down the list, and they stay as its card is drawn", async ({
  page,
  server,
  mobile: _,
}) => {
  const { db } = await openDb(server.database.target);
  const me = await customerWith(server, db, 60);
  try {
    const old = new Customer(server, me.person, PICKUP, 'PZ004', me.mobile);
    const { order } = await old.order({ paymentMode: 'COD' });
    const { submitted_at: at } = (await orderById(db, order.orderId))!;
    await db
      .updateTable('orders')
      .set({ submitted_at: at - 400 * DAY_MS, finished_at: at, status: 'DELIVERED', stage: null })
      .where('id', '=', order.orderId)
      .execute();
    await enterAs(page, web, me.person);
    await page.goto(web.mount + LIST);
    const older = page.getByRole('button', { name: 'Show older orders' });
    const stands = () => expect(page.locator('[role=tabpanel] > [aria-busy]')).toHaveAttribute('aria-busy', 'false');
    await expect(older).toBeVisible();
    while (await older.isVisible()) {
      await older.click();
      await stands();
    }
    await expect(page.getByRole('article')).toHaveCount(61);
    await page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }));
    const dish = order.lines[0]!.product.name;
    const far = page.getByRole('article').last();
    await expect(far).not.toBeInViewport();
    await expect(far.getByRole('button')).toHaveCount(0);
    const words = far.getByRole('link', { name: new RegExp(dish) });
    await expect(words).toBeVisible();
    expect(await words.evaluate((one) => one.closest('[hidden], [aria-hidden]'))).toBeNull();
    // What that search does with words that it has found; the browser of these tests has none of its own.
    await words.evaluate((one) => {
      getSelection()!.selectAllChildren(one);
      one.scrollIntoView({ block: 'center', behavior: 'instant' });
    });
    await expect(far.getByRole('button', { name: /again/ })).toBeVisible();
    await expect(far.locator('time')).toBeVisible();
    await expect(words).toBeInViewport();
    expect(await page.evaluate(() => getSelection()?.toString())).toBe(dish);
    await look(page, 'found-far');
  } finally {
    await db.destroy();
  }
});

test.describe('with the worker of the page', () => {
  test.use({ serviceWorkers: 'allow' });

  test('without a network a guest reads the orders of this device, and is told why none can be reordered now [HIST-01]', async ({
    page,
    context,
    server,
    mobile,
  }) => {
    const me = await guest(server);
    const customer = new Customer(server, me, ELSEWHERE, 'PZ004', mobile);
    const { order, next } = await customer.order();
    await pay(server, next);
    await customer.confirm(order);
    await enterAs(page, web, me);
    await page.goto(`${web.mount}order/${order.orderId}`);
    await expect(heading(page, /^Thank you/)).toBeVisible();
    await expect(page.getByRole('link', { name: 'See all your orders' })).toBeVisible();
    await look(page, 'thanks');
    // The worker fetches what comes later once the page is idle: the list's script, those that it needs, and their styles.
    const missing = async (files: readonly string[]) => {
      const caught = await Promise.all((await caches.keys()).map(async (name) => (await caches.open(name)).keys()));
      const held = caught.flat().map(({ url }) => url);
      return files.filter((file) => !held.some((url) => url.endsWith(`/${file}`)));
    };
    const { history } = META.units;
    const scripts = [history!, ...history!.needs.map((name) => META.units[name]!)].map(({ file }) => file);
    const files = [...scripts, META.laterCss, META.restCss];
    await expect.poll(() => page.evaluate(missing, files)).toEqual([]);
    await context.setOffline(true);
    await page.goto(web.mount + LIST);
    const card = page.getByRole('article');
    await expect(card).toHaveCount(1);
    await expect(card.getByText(/^₹[\d,]+/)).toBeVisible();
    await expect(page.getByRole('link', { name: 'Log in', exact: true })).toBeVisible();
    await expect(page.getByRole('searchbox')).toHaveCount(0);
    await look(page, 'guest-offline');
    await card.getByRole('link').first().click();
    await expect(heading(page, `Order ${order.orderNumber}`)).toBeVisible();
    await expect(page.getByText('This is the order as this device last saw it.')).toBeVisible();
    await look(page, 'guest-offline-details');
    await page.getByRole('button', { name: 'Order this again' }).click();
    await expect(page.getByRole('alertdialog')).toBeVisible();
    await look(page, 'guest-offline-again');
  });
});

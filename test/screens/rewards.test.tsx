import { expect, test, vi } from 'vitest';
import * as contract from '../../src/contract/loyalty.ts';

import { readSystem } from '../../src/server/store/system.ts';

import { member, openShop, PICKUP, type Customer } from '../server/shop.ts';
import { openAs } from './device.ts';
import { openPage, type AppPage } from './page.ts';
import { lentShopHere } from '../server/shopHere.ts';

const { server, db } = lentShopHere();

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** The rewards of this customer, as their device has them. */
async function rewards(who: Customer, path = '/rewards'): Promise<AppPage> {
  // Whoever has been away for hours has another token by now.
  await who.call(contract.user, {});
  return await openAs(server, who, path);
}
/** A date as the country writes it, worked out otherwise than the page does. */
const dateOf = (at: number) => {
  const say = (part: Intl.DateTimeFormatOptions) =>
    new Date(at).toLocaleString('en-GB', { timeZone: 'Asia/Kolkata', ...part });
  return `${say({ weekday: 'short' })}, ${say({ day: 'numeric' })} ${say({ month: 'short' })}`;
};
const flat = (element: Element) => element.textContent.replace(/\s+/g, ' ').trim();

test('points are shown from offers, returns, orders and rewards, each movement with its reason and date [LOY-07] [LOY-15] [LOY-X02]', async () => {
  const who = await member(server, 'IN', PICKUP);
  const { now } = await readSystem(db);
  await db
    .insertInto('loyalty_campaigns')
    .values({
      id: 'welcome',
      country: 'IN',
      reason: 'Welcome',
      points: 750,
      starts_at: now - 1,
      ends_at: now + HOUR_MS,
    })
    .execute();
  let page = await rewards(who);
  await page.press('button', 'Join Pizza Pals');
  await page.sees('In all: 750 from offers, 0 given back, 0 from orders and rewards.');
  await db.updateTable('loyalty_campaigns').set({ ends_at: now }).where('id', '=', 'welcome').execute();
  const { order: eaten } = await who.order({ paymentMode: 'COD' });
  await server.advance(26 * 3_600);
  await openShop(server);
  await who.fill(2, 'R');
  expect((await who.call(contract.useReward, { cartId: who.cartId })).status).toBe(200);
  const { order } = (await who.submit({ paymentMode: 'COD' })).body;
  expect((await who.cancel(order.orderId)).status).toBe(200);

  page = await rewards(who);
  await page.sees('In all: 750 from offers, 600 given back, -500 from orders and rewards.');
  const { entries } = (await who.call(contract.transactions, { query: {} })).body;
  expect(new Set(entries.map(({ at }) => dateOf(at))).size).toBeGreaterThan(1);
  const said = [
    ['Refund Points', `Your reward from order ${order.orderNumber}`, '+600'],
    ['Pizza Pals Points', `Used for a free regular pizza in order ${order.orderNumber}`, '−600'],
    ['Pizza Pals Points', `For order ${eaten.orderNumber}`, '+100'],
    ['Promo Points', 'Welcome', '+750'],
  ].map(([title, reason, amount], index) => `${title}${reason} · ${dateOf(entries[index]!.at)}${amount}`);
  const card = (await page.find('heading', 'Your points')).closest('section')!;
  await vi.waitFor(() => expect([...card.querySelectorAll('li')].map(flat)).toEqual(said));
});

test.each([
  ['lk', 4, 400],
  ['bg', 4, 400],
  ['in', 6, 600],
])(
  'in %s the pizza has %i slices, one for a day, and %i points are a free one [LOY-08] [LOY-09]',
  async (country, slices, needed) => {
    const page = await openPage(server.url, '/rewards', { country });
    await page.find('img', `A pizza of ${slices} slices, still empty.`);
    await page.sees(`Order on ${slices} days, and a free regular pizza is yours.`);
    await page.sees(`${slices} slices make a whole pizza: ${needed} points.`);
  },
);

test('what a slice of the pizza was earned with stands beside it', async () => {
  const who = await member(server, 'IN', PICKUP);
  await who.call(contract.register, { query: { enroll: 'true' } });
  const { order } = await who.order({ paymentMode: 'COD' });
  await server.advance(2 * 3_600);
  await (await rewards(who)).sees(`100 points for order ${order.orderNumber}`);
});

test('a weekend of the league is played until its Sunday is over, and the next one can be foreseen before it', async () => {
  const { now } = await readSystem(db);
  const local = new Date(now + 5.5 * HOUR_MS);
  const quarterOf = (at: number) => Math.floor(new Date(at).getUTCMonth() / 3);
  // To the afternoon of a Sunday, by the clock there, in whose season the weekend after it lies, too.
  let sunday = Date.UTC(local.getUTCFullYear(), local.getUTCMonth(), local.getUTCDate() + 7 - local.getUTCDay(), 15);
  while (quarterOf(sunday - DAY_MS) !== quarterOf(sunday + 7 * DAY_MS)) sunday += 7 * DAY_MS;
  await server.advance(Math.ceil((sunday - local.getTime()) / 1_000));
  const page = await openPage(server.url, '/worldPizzaLeague');
  await page.sees(`Predictions close on ${dateOf(sunday + 6 * DAY_MS)}, 12 AM`);
  await page.sees(new RegExp(`Predictions close on .* against .*Being played until ${dateOf(sunday)}(?!,)`));
});

test('each of five orders fills the bar of the milestone by a fifth; a cancelled one takes it back; over, there is none [OFF-17]', async () => {
  const who = await member(server, 'IN', PICKUP);
  /** Its bars on the page of offers: after an order, and of a cart. */
  const bars = async (path: string) => {
    const page = await rewards(who, path);
    await page.find('heading', 'On your cart');
    return [...document.querySelectorAll('[role=meter][aria-label*="Five orders"]')].map(
      (bar) =>
        `${bar.getAttribute('aria-valuenow')} ${/\d more orders? to your reward/.exec(bar.parentElement!.textContent)}`,
    );
  };
  const shown = async (bar: string) => {
    await who.fill();
    expect((await who.coupon('MILESTONE5')).status).toBe('SUCCESS');
    expect([await bars('/postorder-ui/offers'), await bars('/offers')]).toEqual([[bar], [bar]]);
  };
  await shown('0 5 more orders to your reward');
  await who.order({ paymentMode: 'COD' });
  await shown('20 4 more orders to your reward');
  await server.advance(86_400);
  const { order } = await who.order({ paymentMode: 'COD' });
  await shown('40 3 more orders to your reward');
  expect((await who.cancel(order.orderId)).status).toBe(200);
  await shown('20 4 more orders to your reward');
});

import { beforeEach, expect, test, vi } from 'vitest';
import * as stores from '../../src/contract/stores.ts';

import { codeFor, freshMobile } from '../server/people.ts';
import { CURB, late, member, openShop, pay, PICKUP, PLACES, visitor, type Customer } from '../server/shop.ts';
import { enteredCard } from '../server/typed.ts';
import { countCalls } from '../shell/quiet.ts';
import { collectsAt, openAs } from './device.ts';
import { openPage, type AppPage } from './page.ts';
import { lentShopHere } from '../server/shopHere.ts';

const settled = countCalls();
const { server, db } = lentShopHere();
beforeEach(() => vi.restoreAllMocks());

/** A page of this customer, as their device has it. */
async function opened(who: Customer, path: string, country = 'in'): Promise<AppPage> {
  // Whoever has been away for long has another token by now.
  await who.cart();
  return await openAs(server, who, path, { country });
}
async function paid(who: Customer, quantity = 1, size?: 'L') {
  await who.fill(quantity, size);
  const token = await enteredCard(who);
  const { status, body } = await who.submit({ paymentMode: 'CARD', body: { cardToken: token } });
  expect(status).toBe(200);
  await pay(server, body.next);
  return (await who.confirm(body.order)).order;
}
/** The bar with the number of an order and how far it is. */
const barOf = () =>
  [...document.querySelectorAll('header')].map((bar) => bar.textContent).find((bar) => /Order \d{4}/.test(bar ?? ''));
/** A kitchen that forgets this order for 40 minutes. */
async function slow(orderId: string): Promise<void> {
  const { life } = await db.selectFrom('orders').select('life').where('id', '=', orderId).executeTakeFirstOrThrow();
  const own = JSON.parse(life!) as { steps: { status: string; at: number }[] };
  for (const step of own.steps) if (step.status === 'DELIVERED') step.at += 40 * 60_000;
  await db
    .updateTable('orders')
    .set({ life: JSON.stringify(own) })
    .where('id', '=', orderId)
    .execute();
}

test.each([
  ['in', 1, undefined, /We are late: it is free/, null],
  ['in', 3, 'L', /We are late: ₹300 back/, 300],
] as const)(
  'in %s an order of %i dishes (%s) that is late says %s, and the money goes back unasked [ORD-25] [ORD-26]',
  async (country, quantity, size, said, limit) => {
    await openShop(server);
    const who = await visitor(server, country.toUpperCase());
    const order = await paid(who, quantity, size);
    let page = await opened(who, `/order/${order.orderId}`, country);
    // The promise runs, second by second.
    const left = () => /((29|30):\d\d) left, or/.exec(page.text())?.[1];
    await vi.waitFor(() => expect(left()).toBeDefined());
    const first = left();
    await vi.waitFor(() => expect(left()).not.toBe(first));
    await slow(order.orderId);
    await server.advance(32 * 60);
    page = await opened(who, `/order/${order.orderId}`, country);
    await page.sees(said);
    await server.advance(45 * 60);
    page = await opened(who, `/order/${order.orderId}`, country);
    const amount = limit ?? order.bill.total / 100;
    await page.sees(new RegExp(`We were late, so \\D*${amount} goes back to your `));
    await page.sees(/between .+ and /i);
  },
);

test('an order of four pizzas says that it is a bulk order without the delivery promise; one of three has it [ORD-27]', async () => {
  await openShop(server);
  const bulk = '4 or more pizzas are a bulk order: the delivery-time promise does not apply.';
  const who = await visitor(server);
  const [three, four] = [await paid(who, 3), await paid(who, 4)];
  let page = await opened(who, `/order/${four.orderId}`);
  await page.sees(bulk);
  expect(page.text()).not.toMatch(/left, or/);
  page = await opened(who, `/order/${three.orderId}`);
  await page.sees(/left, or (it is free|₹300 back)/);
  expect(page.text()).not.toContain(bulk);
});

test('how long it will take is counted down while one looks, also for what is collected [ORD-X02]', async () => {
  await openShop(server);
  const who = await visitor(server, 'IN', PICKUP);
  const order = await paid(who);
  const page = await opened(who, `/order/${order.orderId}`);
  const left = () => /In (\d+) to (\d+) minutes/.exec(page.text())?.slice(1).map(Number) ?? [];
  await page.sees(/In \d+ to \d+ minutes/);
  const [from = 0, to = 0] = left();
  expect(from).toBeGreaterThan(4);
  expect(to).toBeLessThan(25);
  // Nothing is heard from here on: the page counts by itself. An answer under way would set the page's clock by the server's.
  await settled();
  vi.spyOn(globalThis, 'fetch').mockImplementation(() => new Promise(() => {}));
  const later = Date.now.bind(Date);
  vi.spyOn(Date, 'now').mockImplementation(() => later() + 3 * 60_000);
  await vi.waitFor(() => expect(left()).toEqual([from - 3, to - 3]));
  vi.mocked(Date.now).mockImplementation(() => later() + (from + 1) * 60_000);
  await page.sees(`Within ${to - from - 1} minute`);
  vi.mocked(Date.now).mockImplementation(() => later() + (to + 1) * 60_000);
  await page.sees('Any minute now');
});

test('an order that was late and is paid at the door costs so much less there, and says so [ORD-26]', async () => {
  await openShop(server);
  const who = await member(server);
  await who.fill(3, 'L');
  const { order } = (await who.submit({ paymentMode: 'COD' })).body;
  await late(server, db, order.orderId);
  const page = await opened(who, `/order/${order.orderId}`);
  await page.sees('We were late, so you paid ₹300 less at the door.');
});

test('a closed store sells for its next hours: the cart says so, and the order is booked for a time [ORD-23] [ORD-X10]', async () => {
  await openShop(server);
  // Half past five in the morning: it opens at eleven.
  await server.advance(16.5 * 3_600);
  const menu = await openPage(server.url, '/menu/veg-pizza');
  for (const dish of ['Garden Four', 'Double Cheese Melt']) await menu.press('button', `Add ${dish}`);
  await menu.find('link', /^Cart, 2 items? ?₹/);
  const { store } = (await server.call(stores.byId, { storeId: '10102', query: {} }, { apiKey: 'in-web' })).body;
  expect(store.isOpen).toBe(false);
  const mobile = freshMobile();
  await collectsAt(server, '10102', { mobile });
  const cart = await openPage(server.url, '/cart', { keep: true });
  await cart.sees(/Closed now\. Opens (today )?at 11 AM: choose a time on the payment page\./);
  const page = await openPage(server.url, '/payment', { keep: true });
  await page.find('radio', /^Credit/);
  const choice = await vi.waitFor(() => document.querySelector<HTMLSelectElement>('#slot')!);
  expect(choice.options[0]!.text).toMatch(/^Choose a time \(Opens (today )?at 11 AM\)$/);
  await vi.waitFor(() => expect(choice.selectedIndex).toBe(1));
  await page.press('radio', /^Cash at the counter/);
  if (!((await page.find('checkbox', /terms/)) as HTMLInputElement).checked) await page.press('checkbox', /terms/);
  const settled = () =>
    vi.waitFor(() => {
      if (document.querySelector('[aria-busy="true"]')) throw new Error('the bill is being asked for');
    });
  await settled();
  const wanted = [...choice.options].find(({ text }) => text === 'Today, 1 PM')!;
  choice.value = wanted.value;
  choice.dispatchEvent(new Event('change', { bubbles: true }));
  await settled();
  await page.press('button', /^Order for ₹\d+, pay cash$/);
  await page.sees('We sent a code to');
  await page.type('6-digit code', await codeFor(server, mobile));
  await page.find('heading', 'Thank you! Your order is booked.');
  await page.sees(/Booked for later/);
  await page.sees(/12:5\d PM to 1(:0\d)? PM/);
  await page.sees(store.name);
});

test('an order’s page shows each state, from pending payment to the door, also if booked for later [ORD-12] [ORD-15] [ORD-21]', async () => {
  await openShop(server);
  const said = async (who: Customer, orderId: string, state: string, heading: string) => {
    const page = await opened(who, `/order/${orderId}`);
    await page.find('heading', heading);
    await vi.waitFor(() => expect(barOf()).toContain(state));
  };
  const who = await visitor(server);
  const { order, next } = await who.order();
  await said(who, order.orderId, 'Pending confirmation', 'Pending confirmation');
  await pay(server, next);
  await who.confirm(order);
  const thanks = 'Thank you! Your order is placed.';
  let at = 0;
  for (const [second, status, state, heading] of [
    [1, 'ORDER PLACED', 'Order placed', thanks],
    [25, 'ORDER PLACED', 'Confirmed by the store', thanks],
    [85, 'INPROCESS', 'Being made', 'Being made'],
    [245, 'INPROCESS', 'In the oven', 'In the oven'],
    [605, 'INPROCESS', 'Quality check and boxing', 'Quality check and boxing'],
    [695, 'PICKED UP', 'Out for delivery', 'Out for delivery'],
    [1445, 'DELIVERED', 'Delivered', 'Enjoy your meal!'],
  ] as const) {
    await server.advance(second - at);
    at = second;
    expect((await who.read(order.orderId)).orderStatus).toBe(status);
    await said(who, order.orderId, state, heading);
  }
  const collects = await visitor(server, 'IN', PICKUP);
  const collected = (await collects.order({ paymentMode: 'UPI' })).order;
  const { body } = await collects.call(stores.byId, { storeId: '10101', query: { timeSlots: 'true' } });
  const slotId = body.timeSlots!.at(-1)!.id;
  const later = await visitor(server, 'IN', { ...PICKUP, slotId });
  const booked = await later.order({ paymentMode: 'UPI' });
  await pay(server, booked.next);
  await later.confirm(booked.order);
  await said(later, booked.order.orderId, 'Booked for later', 'Thank you! Your order is booked.');
  await later.cancel(booked.order.orderId);
  await said(later, booked.order.orderId, 'Cancelled', 'Order cancelled');
  await server.advance(901);
  await collects.read(collected.orderId);
  await said(collects, collected.orderId, 'Failed', 'Unable to process your order - Please try again after 15 minutes');
});

test('who waits in the car says so on the page of the order, names the bay, and has it brought at once [ORD-20] [ORD-24]', async () => {
  await openShop(server);
  const who = await visitor(server, 'IN', CURB);
  const { order, next } = await who.order({ paymentMode: 'UPI' });
  await pay(server, next);
  await who.confirm(order);
  await server.advance(720);
  const page = await opened(who, `/order/${order.orderId}`);
  await page.sees('CURBSIDE PICKUP');
  await page.find('heading', 'When you are outside the store');
  await page.press('button', '2');
  await page.press('button', 'I am here');
  await page.find('heading', 'You are here');
  await page.sees(/We told the store at \d{1,2}(:\d\d)? [AP]M: you are in bay 2\./);
  expect((await who.read(order.orderId)).arrival).toMatchObject({ bay: '2' });
  await server.advance(125);
  const over = await opened(who, `/order/${order.orderId}`);
  await over.find('heading', 'Enjoy your meal!');
  await vi.waitFor(() => expect(barOf()).toContain('Picked up'));
});

test('the map shows store, door and route; the rider moves without a reload, and words say the same [ORD-X01] [ORD-05]', async () => {
  await openShop(server);
  // There is no layout here, and a map without a size draws nothing.
  vi.spyOn(HTMLElement.prototype, 'offsetWidth', 'get').mockReturnValue(400);
  vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(300);
  const { where } = PLACES['IN']!;
  const far = { ...where, address: { ...where.address!, latitude: 28.655, longitude: 77.2167 } };
  const who = await visitor(server, 'IN', far);
  const order = await paid(who);
  await opened(who, `/track/${order.orderId}`);
  const pins = () => [...document.querySelectorAll<SVGGElement>('figure g[data-kind]')];
  const kinds = () => pins().map((pin) => pin.dataset['kind']);
  await vi.waitFor(() => expect(kinds()).toEqual(['store', 'customer']));
  const label = () => document.querySelector('figure [role=img]')!.getAttribute('aria-label')!;
  await server.advance(740);
  await vi.waitFor(() => expect(kinds()).toEqual(['store', 'customer', 'rider']));
  const rider = () => pins()[2]!.querySelector('g')!.getAttribute('transform')!;
  const [at, said] = [rider(), label()];
  expect(said).toMatch(/is (\d+(\.\d)? km away,|on the way:) about \d+ minutes?\./);
  expect(document.querySelector('figcaption')!.textContent).toBe(said.replace(/ [^.]*\.$/, ''));
  await server.advance(300);
  await vi.waitFor(() => expect(rider()).not.toBe(at));
  await vi.waitFor(() => expect(label()).not.toBe(said));
});

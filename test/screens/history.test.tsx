import { randomUUID } from 'node:crypto';
import { beforeEach, expect, test, vi } from 'vitest';
import * as history from '../../src/contract/history.ts';
import * as orders from '../../src/contract/orders.ts';
import { reorder } from '../../src/contract/reorder.ts';

import * as t from '#text/order.ts';
import { orderById } from '../../src/server/store/orders.ts';

import { Customer, member, openShop, pay, PICKUP, visitor } from '../server/shop.ts';
import { openAs } from './device.ts';
import { openPage, type AppPage } from './page.ts';
import { lentShopHere } from '../server/shopHere.ts';

const { server, db } = lentShopHere();
beforeEach(() => {
  vi.restoreAllMocks();
  // Nothing is far from the screen: there is none.
  vi.stubGlobal('IntersectionObserver', undefined);
});

const LIST = '/postorder-ui/orderHistory';
/** Opens what a link leads to: this document resolves links by the page's address, and not by its base. */
const follow = async (page: AppPage, name: RegExp) =>
  await openPage(server.url, `/${(await page.find('link', name)).getAttribute('href')}`, { keep: true });

/** A page of this customer, as their device has it. */
const opened = (who: Customer, path: string, device: Record<string, unknown> = {}) =>
  openAs(server, who, path, { device });

/** The same order at other times, delivered: a long history without its making. */
async function copies(orderId: string, count: number, stepMs: number): Promise<void> {
  const order = (await orderById(db, orderId))!;
  const payment = await db.selectFrom('payments').selectAll().where('order_id', '=', orderId).executeTakeFirstOrThrow();
  for (let at = 1; at <= count; at += 1) {
    const [id, when] = [randomUUID(), order.submitted_at - at * stepMs];
    const over = { status: 'DELIVERED' as const, stage: null, finished_at: when + 1_800_000 };
    const own = { id, cart_id: id, idempotency_key: id, submitted_at: when, number: String(1_000 + at) };
    await db
      .insertInto('orders')
      .values({ ...order, ...over, ...own })
      .execute();
    await db
      .insertInto('payments')
      .values({ ...payment, id: `p${id}`, order_id: id, reference: `r${id}`, created_at: when })
      .execute();
  }
}
const cards = () => [...document.querySelectorAll('article')];
const numbers = () =>
  cards().map((card) => /^Order (\d+)/.exec(card.querySelector('a')?.getAttribute('aria-label') ?? '')?.[1]);
const busy = () => document.querySelector('[role=tabpanel] [aria-busy]')?.getAttribute('aria-busy');

test('the account’s orders load page by page; a new tab or search replaces them, with a loader [HIST-02] [HIST-03] [HIST-15]', async () => {
  const one = await member(server);
  const { order } = await one.order({ paymentMode: 'COD' });
  await copies(order.orderId, 14, 86_400_000);
  const asked: string[] = [];
  const fetched = globalThis.fetch;
  const busyAtFetch: (string | null | undefined)[] = [];
  vi.stubGlobal('fetch', async (input: Request, init?: RequestInit) => {
    const { pathname, searchParams } = new URL(input instanceof Request ? input.url : String(input), server.url);
    if (pathname === history.list.path) {
      asked.push(searchParams.get('pageNo') ?? '');
      // Held back until what was set is drawn.
      await vi.waitFor(() => expect(busy()).toBe('true')).catch(() => {});
      busyAtFetch.push(busy());
    }
    return await fetched(input, init);
  });
  // One tap from home.
  const page = await follow(await opened(one, '/'), /^Orders$/);
  expect(page.path()).toBe(LIST);
  await page.find('heading', 'Under way');
  expect(cards()).toHaveLength(10);
  // One main action each: what is under way is followed, what is over is ordered again. Below the first six cards they are
  // drawn after the words.
  await vi.waitFor(() =>
    expect(
      cards().map((card) => card.querySelectorAll('footer a, footer [type=button]:not([aria-pressed])').length),
    ).toEqual(cards().map(() => 1)),
  );
  await vi.waitFor(() => expect(busy()).toBe('false'));
  const first = numbers();
  await server.switches({ faults: [{ match: history.list.path, status: 500 }] });
  await page.press('button', 'Show older orders');
  await page.sees('The older orders did not load.');
  await vi.waitFor(() => expect(busy()).toBe('false'));
  expect(numbers()).toEqual(first);
  await server.switches({ faults: [] });
  await page.press('button', 'Try again');
  await page.sees('That is all: your first order with us.');
  await vi.waitFor(() => expect(busy()).toBe('false'));
  await vi.waitFor(() =>
    expect(numbers()).toEqual([order.orderNumber, ...Array.from({ length: 14 }, (_, at) => String(1_001 + at))]),
  );
  expect(numbers().slice(0, 10)).toEqual(first);
  expect(asked).toEqual(['1', '2', '2']);

  await page.press('button', 'Keep order 1012 as a favourite');
  await page.sees('Kept among your favourite orders.');
  await page.press('button', 'Favourites');
  await vi.waitFor(() => expect(numbers()).toEqual(['1012']));
  await page.press('button', 'Keep order 1012 as a favourite');
  await page.sees('No longer among your favourite orders.');
  await page.press('button', 'All orders');
  await vi.waitFor(() => expect(cards()).toHaveLength(10));
  await page.press('button', 'Favourites');
  await page.find('heading', 'No favourite orders yet');
  await page.press('button', 'All orders');
  await page.type('Search your orders', '1013');
  await vi.waitFor(() => expect(numbers()).toEqual(['1013']));
  await page.sees('1 order fits');
  await page.type('Search your orders', 'tomto');
  await page.sees('The latest 10 orders that fit');
  await page.type('Search your orders', 'xylophone');
  await page.find('heading', 'Nothing you ordered fits “xylophone”.');
  await page.press('button', 'Clear');
  await vi.waitFor(() => expect(cards()).toHaveLength(10));
  expect(busyAtFetch).toEqual(asked.map(() => 'true'));
  await vi.waitFor(() => expect(busy()).toBe('false'));
  vi.unstubAllGlobals();
});

/** An order of this customer that was paid and then cancelled. */
async function cancelled(one: Customer) {
  const { order, next } = await one.order();
  await pay(server, next);
  await one.confirm(order);
  await one.cancel(order.orderId);
  return order;
}

test('a cancelled order says in the list where its money went, and opens its details [NAV-49] [HIST-06] [HIST-X04]', async () => {
  const one = await member(server);
  const order = await cancelled(one);
  const list = await opened(one, LIST);
  await list.find('heading', 'Your orders');
  await vi.waitFor(() => expect(numbers()).toEqual([order.orderNumber]));
  await list.sees('Your order was cancelled. Your money is on its way back and arrives in 4-10 business days.');
  await list.sees('To Home · 12, Barakhamba Road');
  const page = await follow(list, new RegExp(`^Order ${order.orderNumber}, `));
  await page.find('heading', `Order ${order.orderNumber}`);
  expect(page.path()).toBe(`/postorder-ui/orderdetails?orderId=${order.orderId}`);
  await page.find('heading', 'What was paid and returned');
  await page.sees(/On its way back to UPI ?Arrives between .+ and .+₹/);
  await page.sees(/Order placed ?Today, 1(:\d\d)? PM/);
  await page.sees(/Cancelled ?Today, /);
  await page.sees('12, Barakhamba Road');
  await page.sees(`1 × ${order.lines[0]!.product.name}`);
  const bill = (await page.find('heading', 'What was in this order')).closest('section')!.querySelector('dl')!;
  for (const { label } of order.bill.lines) expect(bill.textContent).toContain(label);
  expect(bill.lastElementChild!.textContent).toMatch(new RegExp(`^(Total|Paid) ?₹${order.bill.total / 100}$`));
  await page.sees(`Payment reference ${order.transactionReferenceId}`);
  expect((await page.find('link', /^Get help/)).getAttribute('href')).toMatch(new RegExp(`help/${order.orderId}$`));
});

test('an order that is too old to say whose it was is shown with a sentence in place of the address', async () => {
  const one = await member(server);
  const { orderId, orderNumber, lines } = await cancelled(one);
  const whole = JSON.parse((await orderById(db, orderId))!.snapshot) as object;
  const snapshot = JSON.stringify({ ...whole, address: null, customer: { firstName: '', lastName: '', mobile: '' } });
  await db.updateTable('orders').set({ mobile: '', snapshot }).where('id', '=', orderId).execute();
  const page = await follow(await opened(one, LIST), new RegExp(`^Order ${orderNumber}, `));
  await page.sees(t.placeForgotten);
  await page.sees(`1 × ${lines[0]!.product.name}`);
  expect(document.body.textContent).not.toContain('Barakhamba Road');
});

test('an order whose dish and store are on no menu any more is shown as it was', async () => {
  const one = await member(server, 'IN', PICKUP);
  const { order } = await one.order({ paymentMode: 'COD' });
  const row = (await orderById(db, order.orderId))!;
  const snapshot = row.snapshot
    .replaceAll('"PZ001"', '"PZ999"')
    .replaceAll(order.lines[0]!.product.name, 'Truffle Dream')
    .replaceAll(order.store.name, 'The Old Mill');
  await db.updateTable('orders').set({ snapshot, store_id: '99999' }).where('id', '=', order.orderId).execute();
  let page = await opened(one, LIST);
  await page.sees('Collected at The Old Mill');
  page = await follow(page, /Truffle Dream/);
  await page.sees('1 × Truffle Dream');
  await page.sees('The Old Mill');
});

test('what was spent by month, and the year’s orders as a file that spreadsheets open [HIST-X03]', async () => {
  const one = await member(server, 'IN', PICKUP);
  const { order } = await one.order({ paymentMode: 'COD' });
  await copies(order.orderId, 2, 40 * 86_400_000);
  const saved: { name: string; text: Promise<string> }[] = [];
  let text: Promise<string> = Promise.resolve('');
  vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => {
    text = (blob as Blob).text();
    return 'blob:saved';
  });
  const page = await opened(one, LIST);
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function click(this: HTMLAnchorElement) {
    if (this.download) saved.push({ name: this.download, text });
  });
  (await page.find('button', 'Spending')).click();
  const { year, total } = (await one.call(history.summary, { query: {} })).body;
  await page.sees(new RegExp(`₹${(total / 100).toLocaleString('en-IN')} ?for \\d orders? in ${year}`));
  (await page.find('button', `Save ${year} as a table`)).click();
  await page.sees('The table is saved.');
  expect(saved.map(({ name }) => name)).toEqual([`orders-${year}.csv`]);
  const lines = (await saved[0]!.text).split('\r\n');
  expect(lines[0]).toBe(
    '\ufeff"Ordered","Order number","State","Service","Store","Address","Dishes","Saved","Total paid","Currency","Payment"',
  );
  expect(lines[1]).toMatch(
    new RegExp(
      `^"\\d+ \\w+ ${year}, .+","${order.orderNumber}",".+","Takeaway",".+","","1 x .+",\\d+\\.\\d\\d,\\d+\\.\\d\\d,INR,".+"$`,
    ),
  );
});

/** Somebody with an order that was handed over a day ago, and its id. */
async function served() {
  const one = await member(server, 'IN', PICKUP);
  const { order } = await one.order({ paymentMode: 'COD' });
  await copies(order.orderId, 1, 86_400_000);
  const { id: orderId } = await db
    .selectFrom('orders')
    .select('id')
    .where('user_id', '=', one.userId)
    .where('status', '=', 'DELIVERED')
    .executeTakeFirstOrThrow();
  return { one, orderId };
}
const told = () => [...document.querySelectorAll('[role=status]')].map(({ textContent }) => textContent.trim());

test('the invoice of an order is saved as a PDF under its number, and said so [HIST-07] [ERR-49]', async () => {
  const { one, orderId } = await served();
  let kept: Blob | null = null;
  vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => {
    kept = blob as Blob;
    return 'blob:saved';
  });
  const saved: string[] = [];
  const page = await opened(one, `/postorder-ui/orderdetails?orderId=${orderId}`);
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function click(this: HTMLAnchorElement) {
    if (this.download) saved.push(this.download);
  });
  // The actions of the page are one group of equal buttons, and ordering again leads it.
  const main = await page.find('button', 'Order this again');
  const invoice = await page.find('button', 'Download invoice');
  expect([main.nextElementSibling, main.dataset['small'], invoice.dataset['small']]).toEqual([
    invoice,
    undefined,
    undefined,
  ]);
  invoice.click();
  await vi.waitFor(() => expect(told()).toContain('Invoice Downloaded'));
  expect(saved).toEqual(['Invoice 1001.pdf']);
  expect(await kept!.slice(0, 5).text()).toBe('%PDF-');
});

test('an invoice that is refused says why where it was asked for; anything else is a popup [HIST-08] [ERR-29]', async () => {
  const { one, orderId } = await served();
  const page = await opened(one, `/postorder-ui/orderdetails?orderId=${orderId}`);
  const saved = vi.spyOn(URL, 'createObjectURL');
  await page.find('button', 'Download invoice');
  await server.switches({ faults: [{ match: '/download', status: 500, times: 1 }] });
  await page.press('button', 'Download invoice');
  await page.find('heading', 'Oops');
  await page.sees('Something Went Wrong. Please Try Again.');
  await page.press('button', 'OK');
  await page.gone('heading', 'Oops');

  for (const table of ['invoice_files', 'invoices'] as const)
    await db.deleteFrom(table).where('order_id', '=', orderId).execute();
  await db.updateTable('orders').set({ status: 'CANCELLED' }).where('id', '=', orderId).execute();
  const logged = vi.spyOn(console, 'error').mockImplementation(() => {});
  await page.press('button', 'Download invoice');
  const why = 'This order was not handed over, so it has no invoice.';
  await vi.waitFor(() => expect(told()).toContain(why));
  expect([...document.querySelectorAll('main p')].map(({ textContent }) => textContent)).toContain(why);
  expect(logged).toHaveBeenCalled();
  expect(saved).not.toHaveBeenCalled();
});

test('recent orders show on any device of the customer, with their progress; those that are over do not [HIST-05] [CFG-47]', async () => {
  const guest = await visitor(server, 'IN', PICKUP);
  const paid = async () => {
    const { order, next } = await guest.order();
    await pay(server, next);
    await guest.confirm(order);
    return order;
  };
  const recent = async () => (await guest.call(orders.recent, {})).body.orders.map(({ orderId }) => orderId);
  const early = await paid();
  let page = await opened(guest, `/order/${early.orderId}`);
  await page.sees('Tomato Basil Classic');
  // Collected while no page was open: the device alone would still say that it is being made.
  await server.advance(2_400);
  page = await openPage(server.url, LIST, { keep: true });
  await vi.waitFor(() => expect(numbers()).toEqual([early.orderNumber]));
  await page.gone('heading', 'Under way');
  expect(await recent()).toEqual([early.orderId]);
  await server.advance(25 * 3_600);
  await openShop(server);
  const one = await paid();
  const other = await paid();
  expect(await recent()).toEqual(expect.arrayContaining([one.orderId, other.orderId]));
  expect(await recent()).toHaveLength(2);
  const journal = { key: one.orderId, orderId: one.orderId, step: 'watching', at: Date.now() };
  page = await opened(guest, '/menu', { journal });
  await page.find('link', new RegExp(`^Order ${one.orderNumber}(?!\\d)`));
  await page.find('link', new RegExp(`^Order ${other.orderNumber}(?!\\d)`));
});

test('a favourite order is one tap away on the account page, and is gone from there once it is none any more [HIST-16]', async () => {
  const one = await member(server, 'IN', PICKUP);
  const { order } = await one.order({ paymentMode: 'COD' });
  await server.advance(2_400);
  const heart = `Keep order ${order.orderNumber} as a favourite`;
  const account = async () => {
    const page = await openPage(server.url, '/postorder-ui/profile', { keep: true });
    await page.find('button', 'See the order');
    return page;
  };
  let page = await opened(one, LIST);
  await page.press('button', heart);
  await page.sees('Kept among your favourite orders.');
  page = await account();
  await page.find('heading', 'In one tap');
  await page.sees(/Tomato Basil Classic ?A favourite of yours · ₹\d+/);
  page = await openPage(server.url, LIST, { keep: true });
  await page.press('button', heart);
  await page.sees('No longer among your favourite orders.');
  page = await account();
  await page.gone('heading', 'In one tap');
  await openShop(server);
});

test('a guest reorders from the list into the cart without a tip, even if the server forgot the order [HIST-12] [HIST-X02]', async () => {
  const guest = await visitor(server, 'IN', PICKUP);
  const { order, next } = await guest.order();
  await pay(server, next);
  await guest.confirm(order);
  await server.advance(2_400);
  let page = await opened(guest, `/order/${order.orderId}`);
  await page.sees('Tomato Basil Classic');
  const asked: unknown[] = [];
  const fetched = globalThis.fetch;
  vi.stubGlobal('fetch', (input: Request, init?: RequestInit) => {
    const { pathname } = new URL(input instanceof Request ? input.url : String(input), server.url);
    if (pathname === reorder.path.replace('{orderId}', order.orderId))
      asked.push([input.method, input.headers.get('tip_variant')]);
    return fetched(input, init);
  });
  page = await openPage(server.url, LIST, { keep: true });
  await page.press('button', 'Order this again');
  await vi.waitFor(() => expect(page.path()).toBe('/cart'));
  await page.find('group', 'Quantity of Tomato Basil Classic');
  expect(asked).toEqual([['POST', 'none']]);
  vi.unstubAllGlobals();

  // The device of a guest whose session is over: whoever uses it is somebody new to the server.
  const remembered = localStorage.getItem('IN/browser:~orders')!;
  page = await opened(await visitor(server, 'IN', PICKUP), LIST, { '~orders': JSON.parse(remembered) as unknown });
  await page.press('button', 'Order this again');
  await page.sees('Your dishes are in your cart.');
  await vi.waitFor(() => expect(page.path()).toBe('/cart'));
  await page.find('group', 'Quantity of Tomato Basil Classic');
});

/** Opens an order that was eaten, on the device of a guest whose cart has another dish now: so many pieces a line. */
async function eatenBefore(pieces: readonly number[]): Promise<void> {
  const guest = await visitor(server, 'IN', PICKUP);
  const { order, next } = await guest.order();
  await pay(server, next);
  await guest.confirm(order);
  await server.advance(2_400);
  const other = new Customer(server, guest.person, PICKUP, 'PZ004', guest.mobile);
  for (const quantity of pieces) await other.fill(quantity);
  const page = await opened(guest, `/order/${order.orderId}`);
  await page.sees('Tomato Basil Classic');
}

test('reordering replaces the cart, which is set aside, and the cart says since which order something has changed [HIST-13]', async () => {
  await eatenBefore([2]);
  const quantities = () =>
    [...document.querySelectorAll('[role=group][aria-label^="Quantity of "]')].map((one) =>
      one.getAttribute('aria-label'),
    );
  const again = async () => {
    const list = await openPage(server.url, LIST, { keep: true });
    await list.press('button', 'Order this again');
    await vi.waitFor(() => expect(list.path()).toBe('/cart'));
    return list;
  };
  // The second tap puts the same order there, and not twice.
  for (let tap = 0; tap < 2; tap += 1) {
    const cart = await again();
    await cart.find('heading', /^What changed since your order of/);
    await cart.find('heading', 'From an earlier cart');
    await cart.sees('This was in your cart before. It is not in your bill. 2 × Garden Four');
    expect(quantities()).toEqual(['Quantity of Tomato Basil Classic']);
    expect(cart.text()).toContain(`Items₹119`);
  }
});

test('a dish that stood on several lines of an earlier cart is offered once, with all its pieces', async () => {
  await eatenBefore([1, 1]);
  const list = await openPage(server.url, LIST, { keep: true });
  await list.press('button', 'Order this again');
  await vi.waitFor(() => expect(list.path()).toBe('/cart'));
  await list.find('heading', 'From an earlier cart');
  await list.sees('2 × Garden Four');
  expect(list.text().split('Garden Four')).toHaveLength(2);
});

test('a guest sees the orders of the device, also offline, and a way to log in; an empty device says so [HIST-X02]', async () => {
  const guest = await visitor(server, 'IN', PICKUP);
  const { order } = await guest.order({ paymentMode: 'UPI' });
  let page = await opened(guest, `/order/${order.orderId}`);
  await page.sees('Tomato Basil Classic');
  page = await openPage(server.url, LIST, { keep: true });
  await page.find('heading', 'Under way');
  expect(numbers()).toEqual([order.orderNumber]);
  expect(page.get('button', 'Favourites')).toBeNull();
  expect((await page.find('link', 'Log in')).getAttribute('href')).toContain(
    'redirectUrl=%2Fpostorder-ui%2ForderHistory',
  );
  const fetched = globalThis.fetch;
  vi.stubGlobal('fetch', (input: Request | string, init?: RequestInit) =>
    String(input instanceof Request ? input.url : input).includes('/order-service/')
      ? Promise.reject(new TypeError('no network'))
      : fetched(input, init),
  );
  page = await openPage(server.url, LIST, { keep: true });
  page = await follow(page, new RegExp(`^Order ${order.orderNumber}, `));
  await page.sees('This is the order as this device last saw it.');
  await page.sees('1 × Tomato Basil Classic');
  vi.unstubAllGlobals();
  page = await openPage(server.url, LIST);
  await page.sees('Nothing was ordered on this device yet. Log in to see the orders of your account.');
});

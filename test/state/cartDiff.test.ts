import { beforeEach, expect, test } from 'vitest';
import * as t from '#text/cart.ts';
import * as errors from '#text/errors.ts';
import type { Cart } from '../../src/contract/cart.ts';
import type { Money } from '../../src/contract/price.ts';
import { formatMoney } from '../../src/domain/money.ts';
import { loadCartAtom, syncCartAtom } from '../../src/state/cart/cart.ts';
import { addLineAtom, cartAtom, cartLinesAtom, changeLineAtom } from '../../src/state/first/cart.ts';
import {
  acceptAllAtom,
  acceptChangeAtom,
  changesAtom,
  isOlderAskedAtom,
  noteCartAtom,
} from '../../src/state/after/cartDiff.ts';
import { applyCouponAtom, removeCouponAtom } from '../../src/state/offers/couponActions.ts';
import { pathAtom } from '../../src/state/first/seams.ts';
import { journalAtom } from '../../src/state/orders/journal.ts';
import { decideOlderAtom, isOlderShownAtom, olderAtom } from '../../src/state/after/setAside.ts';
import { popupAtom } from '../../src/state/base/popup.ts';
import { vendorLoginAtom } from '../../src/state/people/vendorLogin.ts';
import { refreshMenuAtom } from '../../src/state/menu/menu.ts';
import { sessionAtom } from '../../src/state/base/session.ts';
import { startServer } from '../kit/server.ts';
import { openShop } from '../server/shop.ts';
import { between, openCustomer, type Customer } from './customer.ts';
import { during } from '../kit/during.ts';

const server = during(() => startServer({ settings: { distDir: null } }), openShop);
beforeEach(() => server.switches({ soldOut: [] }));

/** What the page does whenever a cart arrives. */
async function fetched(customer: Customer): Promise<void> {
  await customer.set(syncCartAtom);
  await customer.set(loadCartAtom);
  customer.set(noteCartAtom);
}
async function withPizza(productId = 'PZ001', customer = openCustomer(server)) {
  await customer.set(refreshMenuAtom);
  const lineId = customer.set(addLineAtom, { productId, size: 'M', quantity: 1 });
  await fetched(customer);
  return { customer, lineId };
}
/** From now on the server's answers have this cart instead of its own. */
const carts = (customer: Customer, change: (cart: Cart) => Cart) =>
  between(customer, async (next) => {
    const reply = (await next()) as { cart?: Cart };
    return reply.cart ? { ...reply, cart: change(reply.cart) } : reply;
  });
/** The server's answers with another price for every piece, as after a night in which prices went up. */
const dearer = (customer: Customer, by: number) =>
  carts(customer, (cart) => ({
    ...cart,
    validItems: cart.validItems.map((line) => ({
      ...line,
      product: { ...line.product, price: (line.product.price + by) as Money },
    })),
  }));

test('a price that went up is shown with both amounts, and is accepted once, for later visits too [CART-X04]', async () => {
  const { customer, lineId } = await withPizza();
  const before = customer.get(cartAtom)!.validItems[0]!.product.price;
  expect(customer.get(changesAtom)).toEqual([]);
  dearer(customer, 1_000);
  await fetched(customer);
  expect(customer.get(changesAtom)).toEqual([
    { kind: 'price', id: lineId, name: 'Tomato Basil Classic', before, after: before + 1_000 },
  ]);
  const later = openCustomer(server, { device: customer.device });
  expect(later.get(changesAtom)).toHaveLength(1);
  later.set(acceptChangeAtom, later.get(changesAtom)[0]!);
  expect(later.get(changesAtom)).toEqual([]);
  expect(openCustomer(server, { device: customer.device }).get(changesAtom)).toEqual([]);
});

test('a dish that is free, made otherwise, or not known yet is no dearer one', async () => {
  const { customer, lineId } = await withPizza();
  const line = (change: (line: Cart['validItems'][number]) => object) =>
    carts(customer, (cart) => ({
      ...cart,
      validItems: cart.validItems.map((own) => ({
        ...own,
        product: { ...own.product, price: (own.product.price + 700) as Money },
        ...change(own),
      })),
    }));
  for (const change of [{ free: true }, { size: 'L' as const }, { lineId: 'of-another-page' }]) {
    const mend = line(() => change);
    await fetched(customer);
    expect(
      customer.get(changesAtom).filter(({ kind }) => kind === 'price'),
      JSON.stringify(change),
    ).toEqual([]);
    mend();
    await fetched(customer);
  }
  line(() => ({}));
  await fetched(customer);
  expect(customer.get(changesAtom)).toMatchObject([{ kind: 'price', id: lineId }]);
});

test('an offer that ended is named with its reason, one that the customer took off is not [CART-X04] [OFF-15]', async () => {
  const { customer, lineId } = await withPizza();
  customer.set(changeLineAtom, { lineId, quantity: 4 });
  await fetched(customer);
  const by = { isTyped: true, from: 'cart', isFromCart: true } as const;
  expect(await customer.set(applyCouponAtom, 'FLAT100', by)).toBe(true);
  await fetched(customer);
  customer.set(changeLineAtom, { lineId, line: { productId: 'PZ001', size: 'R' } });
  customer.set(changeLineAtom, { lineId, quantity: 1 });
  await fetched(customer);
  expect(customer.get(changesAtom)).toEqual([
    expect.objectContaining({ kind: 'offer', id: 'FLAT100', reason: expect.stringMatching(/^Add items worth/) }),
  ]);
  customer.set(acceptAllAtom);
  expect(customer.get(changesAtom)).toEqual([]);

  customer.set(changeLineAtom, { lineId, quantity: 9 });
  await fetched(customer);
  await customer.set(removeCouponAtom, 'FLAT100');
  await fetched(customer);
  expect(customer.get(changesAtom)).toEqual([]);
});

test('an offer that is gone after a change of the customer is no news, nor is one of a cart that is empty now', async () => {
  const { customer, lineId } = await withPizza();
  const none = () =>
    carts(customer, (cart) => ({
      ...cart,
      offers: [],
      bill: { ...cart.bill, total: (cart.bill.total + 500) as Money },
    }));
  const back = none();
  customer.set(changeLineAtom, { lineId, quantity: 2 });
  await fetched(customer);
  expect(customer.get(changesAtom)).toEqual([]);
  back();
  await fetched(customer);
  none();
  await fetched(customer);
  expect(customer.get(changesAtom)).not.toEqual([]);
  customer.set(changeLineAtom, { lineId, quantity: 0 });
  await fetched(customer);
  expect(customer.get(changesAtom)).toEqual([]);
});

test('a cart that another page of the customer changes twice, and empties, is told once, with what it came to before', async () => {
  const { customer, lineId } = await withPizza();
  const other = openCustomer(server, { as: { status: 'SUCCESS', ...customer.get(sessionAtom)! } });
  await other.set(loadCartAtom);
  const before = formatMoney(customer.get(cartAtom)!.bill.total, customer.country);
  for (const quantity of [2, 0]) {
    other.set(changeLineAtom, { lineId, quantity });
    await other.set(syncCartAtom);
    await customer.set(loadCartAtom);
  }
  customer.set(noteCartAtom);
  expect(customer.get(popupAtom)).toMatchObject({ message: t.elsewhereEmpty({ before }), right: { label: errors.ok } });
  customer.set(popupAtom, null);
  customer.set(noteCartAtom);
  expect([customer.get(popupAtom), customer.get(isOlderShownAtom)]).toEqual([null, false]);
});

/** Two pages of one account: the second logs in with a dish of its own, after the first. */
async function twoPages() {
  const user = `customer-${crypto.randomUUID()}`;
  const first = openCustomer(server, { host: 'gpay', user });
  await withPizza('PZ001', first);
  await first.set(vendorLoginAtom);
  await fetched(first);
  expect([first.get(isOlderShownAtom), first.get(popupAtom)]).toEqual([false, null]);
  const second = openCustomer(server, { host: 'gpay', user });
  await withPizza('PZ002', second);
  const before = second.get(cartAtom)!.bill.total;
  await second.set(vendorLoginAtom);
  await fetched(second);
  return { first, second, before };
}
const dishesOf = (customer: Customer) =>
  customer.get(cartLinesAtom).flatMap((line) => (line.priced?.free ? [] : [line.productId]));

test('what the account had in its cart is offered after the login and joins only when it is asked for [CART-X09]', async () => {
  const { first, second, before } = await twoPages();
  expect(dishesOf(second)).toEqual(['PZ002']);
  expect(second.get(cartAtom)!.bill.total).toBe(before);
  expect(second.get(olderAtom).map((line) => line.product.id)).toEqual(['PZ001']);
  // On a sheet at a quiet moment alone: never between the cart and the order, and never over something that is said.
  for (const [path, isShown] of [
    ['/cart', false],
    ['/payment', false],
    ['/address?from=cart', false],
    ['/login?redirectUrl=/payment', false],
    ['/menu/sides', true],
    ['/', true],
  ] as const) {
    second.set(pathAtom, path);
    expect([path, second.get(isOlderShownAtom)]).toEqual([path, isShown]);
  }
  second.set(popupAtom, { message: 'Your order is cancelled.' });
  expect(second.get(isOlderShownAtom)).toBe(false);
  second.set(popupAtom, null);
  second.set(journalAtom, { key: 'k', orderId: 'ord_1', step: 'paying', at: 1 });
  expect(second.get(isOlderShownAtom)).toBe(false);
  second.set(journalAtom, null);
  expect(second.get(isOlderShownAtom)).toBe(true);
  // Later is no decision: the sheet is told once, the dishes stay on offer.
  second.set(isOlderAskedAtom, false);
  await fetched(second);
  expect([second.get(isOlderShownAtom), second.get(olderAtom).length]).toEqual([false, 1]);
  await fetched(first);
  await first.set(decideOlderAtom, 'ADD');
  await fetched(second);
  expect(dishesOf(second).sort()).toEqual(['PZ001', 'PZ002']);
  expect(second.get(olderAtom)).toEqual([]);
});

test('a dish that sells out above another one is not told as a change from another app or device', async () => {
  const { customer } = await withPizza('PZ001');
  await withPizza('PZ002', customer);
  expect(dishesOf(customer)).toEqual(['PZ001', 'PZ002']);
  await server.switches({ soldOut: ['PZ001'] });
  await fetched(customer);
  expect(customer.get(cartAtom)!.invalidItems).toMatchObject([{ productId: 'PZ001' }]);
  expect(dishesOf(customer)).toEqual(['PZ002', 'PZ001']);
  expect(customer.get(popupAtom)).toBeNull();
});

test("another app's open page is told the new total of a cart that it did not change, and may get its dishes back [CART-X04]", async () => {
  const { first, second } = await twoPages();
  const was = first.get(cartAtom)!.bill.total;
  await fetched(first);
  const now = first.get(cartAtom)!.bill.total;
  expect(now).not.toBe(was);
  expect(first.get(popupAtom)).toMatchObject({
    header: 'Your cart has changed',
    message: `It was changed in another app or on another device. To pay now: ${formatMoney(now, first.country)}, instead of ${formatMoney(was, first.country)}.`,
  });
  // One thing after the other.
  expect(first.get(isOlderShownAtom)).toBe(false);
  first.get(popupAtom)!.left!.act!();
  expect(first.went).toEqual(['/cart']);
  // Told once, and its own changes are no news to a page.
  first.set(popupAtom, null);
  first.set(addLineAtom, { productId: 'SD001', quantity: 1 });
  await fetched(first);
  await first.set(decideOlderAtom, 'DROP');
  await fetched(first);
  expect(first.get(popupAtom)).toBeNull();
  expect(dishesOf(first)).toEqual(['PZ002', 'SD001']);
  // Nor is an empty page that finds a cart.
  second.set(cartAtom, null);
  await fetched(second);
  expect(second.get(popupAtom)).toBeNull();
});

test('cart loads at the same time share one answer, and an answer that a change has overtaken is dropped [CART-X03]', async () => {
  const { customer, lineId } = await withPizza();
  customer.calls.length = 0;
  await Promise.all([customer.set(loadCartAtom), customer.set(loadCartAtom)]);
  expect(customer.calls).toHaveLength(1);
  await customer.set(loadCartAtom);
  expect(customer.calls).toHaveLength(2);

  // The next answer arrives late: made before the change, here after the change's own answer.
  const [late, made] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  between(customer, async (next, endpoint) => {
    const reply = await next();
    if (endpoint.method === 'GET') {
      made.resolve();
      await late.promise;
    }
    return reply;
  });
  const loading = customer.set(loadCartAtom);
  await made.promise;
  customer.set(changeLineAtom, { lineId, quantity: 3 });
  await customer.set(syncCartAtom);
  late.resolve();
  await loading;
  expect(customer.get(cartAtom)!.validItems.find((line) => line.lineId === lineId)?.quantity).toBe(3);
});

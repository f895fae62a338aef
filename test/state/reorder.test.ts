import { randomUUID } from 'node:crypto';
import { beforeEach, expect, test } from 'vitest';
import * as errors from '#text/errors.ts';
import * as t from '#text/reorder.ts';
import { Failure } from '../../src/api/failure.ts';
import * as cart from '../../src/contract/cart.ts';
import * as history from '../../src/contract/history.ts';
import * as orders from '../../src/contract/orders.ts';
import * as contract from '../../src/contract/reorder.ts';
import { money } from '../../src/contract/price.ts';
import type { OrderSnapshot } from '../../src/server/store/orders.ts';
import { cardOf } from '../../src/domain/history.ts';
import { lastSentAtom, loadCartAtom, syncCartAtom, takeSessionAtom } from '../../src/state/cart/cart.ts';
import {
  acceptAllAtom,
  acceptChangeAtom,
  changesAtom,
  declineChangeAtom,
  noteCartAtom,
  reorderedFromAtom,
  type CartChange,
} from '../../src/state/after/cartDiff.ts';
import { noteOrderAtom } from '../../src/state/orders/deviceOrders.ts';
import { addLineAtom, cartAtom, cartLinesAtom } from '../../src/state/first/cart.ts';
import { chosenStoreAtom, deliveryPlaceAtom, deliveryTypeAtom } from '../../src/state/first/location.ts';
import { apiAtom } from '../../src/state/first/seams.ts';
import { isFavouriteAtom, toggleFavouriteOrderAtom } from '../../src/state/orders/history.ts';
import { olderAtom } from '../../src/state/after/setAside.ts';
import { toastAtom } from '../../src/state/first/toast.ts';
import { popupAtom } from '../../src/state/base/popup.ts';
import { reorderAtom, reorderTasks } from '../../src/state/after/reorder.ts';
import { cartIdAtom } from '../../src/state/base/session.ts';
import { freshMobile, logIn } from '../server/people.ts';
import { PLACES } from '../server/shop.ts';
import { fails, openAtStore, openCustomer, type Customer } from './customer.ts';
import { shopHere } from '../server/shopHere.ts';

const { server, db } = shopHere({ settings: { distDir: null } });
beforeEach(() => server.switches({ soldOut: [] }));

const PICKUP = { storeId: '10101', deliveryType: 'PICKUP' as const };

/** Orders a medium pizza and a small one. @returns the order as it was placed */
async function ordered(customer: Customer, where: object = PICKUP): Promise<orders.OrderView> {
  const { call, ensureSession } = customer.get(apiAtom);
  await ensureSession();
  const cartId = customer.get(cartIdAtom)!;
  const line = (productId: string, size: 'M' | 'R') => ({
    operationId: randomUUID(),
    line: { lineId: randomUUID(), productId, size, quantity: 1 },
  });
  await call(cart.add, { cartId, body: { items: [line('PZ004', 'M'), line('PZ001', 'R')], options: where } });
  const asked = { cartId, ...(where as typeof PICKUP), paymentMode: 'COD' as const };
  const { quote, termsVersion } = await call(orders.validations, { body: asked });
  const { order } = await call(
    orders.submit,
    {
      body: {
        ...asked,
        customer: { firstName: 'Asha', lastName: '', mobile: freshMobile() },
        cartVersion: quote.cartVersion,
        total: quote.bill.total,
        termsAccepted: true,
        termsVersion,
        allowDuplicate: true,
      },
    },
    { idempotencyKey: randomUUID() },
  );
  return order;
}
/** The order as one of another day. */
async function rewrite(orderId: string, change: (snapshot: OrderSnapshot) => OrderSnapshot): Promise<void> {
  const at = () => db.selectFrom('orders').select('snapshot').where('id', '=', orderId).executeTakeFirstOrThrow();
  const snapshot = JSON.stringify(change(JSON.parse((await at()).snapshot) as OrderSnapshot));
  await db.updateTable('orders').set({ snapshot }).where('id', '=', orderId).execute();
}
/** What the page does after a tap. */
async function again(customer: Customer, orderId: string): Promise<void> {
  await customer.set(reorderAtom, orderId);
  customer.set(noteCartAtom);
}
const dishes = (customer: Customer) =>
  customer.get(cartLinesAtom).flatMap((line) => (line.priced?.free ? [] : [[line.productId, line.quantity]]));
const kinds = (customer: Customer) => customer.get(changesAtom).map(({ kind, name }) => [kind, name]);
const only = <K extends CartChange['kind']>(customer: Customer, kind: K) =>
  customer.get(changesAtom).filter((one): one is Extract<CartChange, { kind: K }> => one.kind === kind);

test('each difference from then has a choice, and one tap accepts all that is left [HIST-X01]', async () => {
  const customer = await openAtStore(server);
  const order = await ordered(customer);
  await rewrite(order.orderId, (snapshot) => ({
    ...snapshot,
    store: { ...snapshot.store, id: '10102', name: 'Saket' },
    coupons: ['OLDCODE'],
    lines: [
      ...snapshot.lines.map((line) => ({
        ...line,
        product: { ...line.product, price: money(line.product.price - 1_000) },
      })),
      {
        ...snapshot.lines[0]!,
        lineId: 'old',
        product: { ...snapshot.lines[0]!.product, id: 'PZ-OLD', name: 'Old Pie' },
      },
    ],
  }));
  await server.switches({ soldOut: ['PZ001'] });
  await again(customer, order.orderId);
  const applied = (customer.get(cartAtom)?.offers ?? []).filter(({ status }) => status === 'APPLIED');
  expect(applied.length).toBeGreaterThan(0);
  const expected = [
    ['stock', 'Tomato Basil Classic'],
    ['price', 'Garden Four'],
    ['gone', 'Old Pie'],
    ['store', 'Saket'],
    ['offer', 'OLDCODE'],
    ...applied.map(({ title }) => ['gained', title]),
  ];
  expect(kinds(customer)).toEqual(expected);
  const [price] = only(customer, 'price');
  expect(price!.after - price!.before).toBe(1_000);
  // A reload of the page knows it still.
  const later = openCustomer(server, { device: customer.device });
  expect(kinds(later)).toEqual(expected);
  const [gained] = only(later, 'gained');
  later.set(declineChangeAtom, gained!);
  const statusOf = (code: string) => later.get(cartAtom)?.offers.find((offer) => offer.code === code)?.status;
  await expect.poll(() => statusOf(gained!.id)).not.toBe('APPLIED');
  for (const kind of ['gone', 'store', 'offer'] as const) later.set(acceptChangeAtom, only(later, kind)[0]!);
  expect(later.get(changesAtom).map(({ kind }) => kind)).toEqual([
    'stock',
    'price',
    ...applied.slice(1).map(() => 'gained'),
  ]);
  later.set(acceptAllAtom);
  await later.set(syncCartAtom);
  later.set(noteCartAtom);
  expect(later.get(changesAtom)).toEqual([]);
  expect(dishes(later)).toEqual([['PZ004', 1]]);
});

test('on a device where no place was chosen it goes where it went', async () => {
  const customer = openCustomer(server);
  const { where } = PLACES['IN']!;
  const order = await ordered(customer, where);
  expect(customer.get(chosenStoreAtom)).toBeNull();
  await again(customer, order.orderId);
  expect(customer.get(deliveryPlaceAtom)).toMatchObject({ latitude: 28.64, address: { houseNo: '12' } });
  // The store that delivers there now is another one.
  expect([customer.get(chosenStoreAtom)?.id, customer.get(cartAtom)?.storeId]).toEqual(['10104', '10104']);
  expect(only(customer, 'store')).toMatchObject([{ name: order.store.name }]);
  const other = openCustomer(server);
  const collected = await ordered(other);
  await again(other, collected.orderId);
  expect([other.get(deliveryTypeAtom), other.get(chosenStoreAtom)?.id]).toEqual(['PICKUP', '10101']);
});

test('a lost answer puts it in once when it is tapped again', async () => {
  const customer = await openAtStore(server);
  const order = await ordered(customer);
  await server.switches({ faults: [{ match: 'onePassReOrder', status: 500, times: 1 }] });
  await again(customer, order.orderId);
  expect(customer.went).toEqual([]);
  await again(customer, order.orderId);
  expect(dishes(customer)).toHaveLength(2);
  expect(customer.get(olderAtom)).toEqual([]);
});

test('once it is ordered or emptied, the cart speaks of no earlier order', async () => {
  const customer = await openAtStore(server);
  const order = await ordered(customer);
  await again(customer, order.orderId);
  await ordered(customer);
  await customer.set(loadCartAtom);
  customer.set(noteCartAtom);
  expect(customer.get(reorderedFromAtom)).toBeNull();
});

test('a favourite that is kept stays so when the order cannot be fetched again; what the fetched order says counts [HIST-14]', async () => {
  const customer = await openAtStore(server);
  customer.set(takeSessionAtom, (await logIn(server)).reply);
  const card = { ...cardOf(await ordered(customer)), isFavourite: false };
  await server.switches({ faults: [{ match: 'record', status: 500, times: 5 }] });
  await customer.set(toggleFavouriteOrderAtom, card);
  expect([customer.get(isFavouriteAtom)(card), customer.get(popupAtom)]).toEqual([true, null]);
  await server.switches({ faults: [] });
  // Another device of this customer took it off just after this one put it on.
  const { call } = customer.get(apiAtom);
  const inBetween = {
    ...customer.get(apiAtom),
    call: (async (endpoint: never, input: never) => {
      if (endpoint === history.record) await call(history.removeFavourite, { favOrderId: card.orderId });
      return call(endpoint, input);
    }) as typeof call,
  };
  customer.set(apiAtom, inBetween);
  await customer.set(toggleFavouriteOrderAtom, { ...card, isFavourite: false });
  expect(customer.get(isFavouriteAtom)(card)).toBe(false);
});

test('a quiet tap leads nowhere; a cart that was not sent yet waits beside the order, and is not lost', async () => {
  const customer = await openAtStore(server);
  const order = await ordered(customer);
  await customer.set(loadCartAtom);
  customer.set(addLineAtom, { productId: 'PZ002', size: 'R', quantity: 1 });
  const adding = customer.set(reorderAtom, order.orderId, true);
  expect(customer.get(reorderTasks.busyAtom)).toBe(order.orderId);
  expect([await customer.set(reorderAtom, order.orderId), await adding]).toEqual([false, true]);
  expect([customer.get(reorderTasks.busyAtom), customer.went]).toEqual(['', []]);
  expect(dishes(customer)).toEqual([
    ['PZ004', 1],
    ['PZ001', 1],
  ]);
  expect(customer.get(olderAtom).map(({ product }) => product.id)).toEqual(['PZ002']);
  expect(customer.get(lastSentAtom)).toEqual({
    cartId: customer.get(cartIdAtom),
    operationId: customer.get(cartLinesAtom).findLast(({ priced }) => !priced?.free)!.lineId,
  });
});

test('what the device has kept stands in only for an order that the server knows no more, and only of that order', async () => {
  const customer = await openAtStore(server);
  const [order, other] = [await ordered(await openAtStore(server)), await ordered(await openAtStore(server))];
  expect(await customer.set(reorderAtom, order.orderId)).toBe(false);
  expect(customer.get(popupAtom)?.message).toMatch(/\w/);
  customer.set(popupAtom, null);
  customer.set(noteOrderAtom, { ...other, lines: other.lines.slice(0, 1) });
  expect(await customer.set(reorderAtom, order.orderId)).toBe(false);
  expect(customer.get(cartLinesAtom)).toEqual([]);
  customer.set(noteOrderAtom, order);
  const api = customer.get(apiAtom);
  fails(customer, contract.reorder, new Failure('offline'));
  customer.set(popupAtom, null);
  expect(await customer.set(reorderAtom, order.orderId)).toBe(false);
  expect([customer.get(popupAtom)?.message, customer.get(cartLinesAtom), customer.get(reorderTasks.busyAtom)]).toEqual([
    errors.connectionLost,
    [],
    '',
  ]);
  customer.set(apiAtom, api);
  expect(await customer.set(reorderAtom, order.orderId, true)).toBe(true);
  expect([customer.went, customer.get(toastAtom)?.message]).toEqual([[], t.remembered]);
  await customer.set(syncCartAtom);
  expect(dishes(customer)).toHaveLength(2);
});

test('where a place was chosen the order comes to it, and asks for no other', async () => {
  const customer = await openAtStore(server);
  const order = await ordered(customer, PLACES['IN']!.where);
  await again(customer, order.orderId);
  expect([customer.get(deliveryTypeAtom), customer.get(chosenStoreAtom)?.id, customer.get(deliveryPlaceAtom)]).toEqual([
    'PICKUP',
    '10101',
    null,
  ]);
  expect(customer.get(cartAtom)).toMatchObject({ storeId: '10101', deliveryType: 'PICKUP' });
});

import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import * as errors from '#text/errors.ts';
import { Failure } from '../../src/api/failure.ts';
import * as contract from '../../src/contract/history.ts';
import { deviceOrdersAtom, noteOrderAtom } from '../../src/state/orders/deviceOrders.ts';
import { pathAtom } from '../../src/state/first/seams.ts';
import { toastAtom } from '../../src/state/first/toast.ts';
import {
  detailedAtom,
  detailedIdAtom,
  isFavouriteAtom,
  openHistoryAtom,
  orderListAtom,
  recordState,
  shownOrdersAtom,
  toggleFavouriteOrderAtom,
} from '../../src/state/orders/history.ts';
import { journalAtom } from '../../src/state/orders/journal.ts';
import { hasLastOrdersAtom, lastOrdersAtom, mayHaveOrdersAtom } from '../../src/state/orders/lastOrders.ts';
import { popupAtom } from '../../src/state/base/popup.ts';
import type { TestServer } from '../kit/server.ts';
import { member, openedShop, PICKUP, visitor, type Customer as Buyer, type Shop } from '../server/shop.ts';
import { fails, openCustomer, type Customer } from './customer.ts';

let shop: Shop;
let server: TestServer;
/** A customer with some orders, the newest first. */
let many: { who: Buyer; ids: readonly string[] };
beforeAll(async () => {
  shop = await openedShop({ settings: { distDir: null } });
  ({ server } = shop);
  vi.stubGlobal('requestAnimationFrame', (act: () => void) => setTimeout(act));
  const who = await member(server, 'IN', PICKUP);
  const ids: string[] = [];
  for (let count = 0; count < 4; count += 1) {
    ids.unshift((await who.order({ paymentMode: 'COD' })).order.orderId);
    await server.advance(1);
  }
  many = { who, ids };
});
afterAll(async () => {
  vi.unstubAllGlobals();
  await shop.stop();
});

function pageOf(who: Buyer, device?: string): Customer {
  return openCustomer(server, { as: who.person.reply, ...(device === undefined ? {} : { device }) });
}

describe('the orders of an account', () => {
  test('where the server does not answer, what is known is shown with the reason', async () => {
    const customer = pageOf(many.who);
    fails(customer, contract.list, new Failure('offline'));
    await customer.set(openHistoryAtom, 'all');
    expect(customer.get(orderListAtom)).toMatchObject({ orders: [], data: null, failure: { kind: 'offline' } });
  });

  test('a heart that the server does not take goes back, and it is said', async () => {
    const customer = pageOf(many.who);
    await customer.set(openHistoryAtom, 'all');
    const [, card] = customer.get(shownOrdersAtom)!;
    fails(customer, contract.saveFavourite, new Failure('offline'));
    await customer.set(toggleFavouriteOrderAtom, card!);
    expect([customer.get(isFavouriteAtom)(card!), customer.get(popupAtom)?.message, customer.get(toastAtom)]).toEqual([
      false,
      errors.connectionLost,
      null,
    ]);
  });
});
const orderOf = async (orderId: string) => await many.who.read(orderId);

describe('an order in full', () => {
  test('is as the server has it, else as this device last saw it, and newer on the device from then on', async () => {
    const customer = pageOf(many.who);
    const [id, other] = many.ids as [string, string];
    expect(customer.get(detailedAtom)).toEqual({ record: null, order: null });
    const early = { ...(await orderOf(id)), orderStatus: 'PENDING' as const };
    customer.set(noteOrderAtom, await orderOf(other));
    customer.set(noteOrderAtom, early);
    customer.set(detailedIdAtom, id);
    expect(customer.get(detailedAtom)).toEqual({ record: null, order: early });
    await customer.set(recordState.load, id);
    const record = customer.get(recordState.atom).data!;
    expect(customer.get(detailedAtom)).toEqual({ record, order: record.order });
    expect(customer.get(deviceOrdersAtom).find((one) => one.orderId === id)?.orderStatus).toBe(
      record.order.orderStatus,
    );
    customer.set(detailedIdAtom, other);
    expect(customer.get(detailedAtom)).toMatchObject({ record: null, order: { orderId: other } });
    // An order of another device is not noted on this one.
    await customer.set(recordState.load, many.ids[3]!);
    expect(
      customer
        .get(deviceOrdersAtom)
        .map(({ orderId }) => orderId)
        .sort(),
    ).toEqual([id, other].sort());
  });
});

test('home leads to the last orders of this device, but not to the one under way', async () => {
  const who = await visitor(server, 'IN', PICKUP);
  const [first, second] = [(await who.order()).order, (await who.order()).order];
  const customer = openCustomer(server);
  const seen = () => [
    customer.get(hasLastOrdersAtom),
    customer.get(mayHaveOrdersAtom),
    customer.get(lastOrdersAtom).map(({ orderId }) => orderId),
  ];
  customer.set(pathAtom, '/');
  expect(seen()).toEqual([false, false, []]);
  customer.set(noteOrderAtom, first);
  customer.set(journalAtom, { key: 'k', orderId: first.orderId, step: 'watching', at: Date.now() });
  expect(seen()).toEqual([false, true, []]);
  customer.set(noteOrderAtom, second);
  expect(seen()).toEqual([true, true, [second.orderId]]);
  customer.set(pathAtom, '/menu');
  expect(seen()[0]).toBe(false);
  expect(pageOf(many.who).get(mayHaveOrdersAtom)).toBe(true);
});

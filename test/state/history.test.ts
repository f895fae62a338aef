import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import * as errors from '#text/errors.ts';
import * as t from '#text/history.ts';
import { Failure } from '../../src/api/failure.ts';
import * as contract from '../../src/contract/history.ts';
import * as favourites from '../../src/contract/favouriteOrders.ts';
import * as orders from '../../src/contract/orders.ts';
import { cardOf } from '../../src/domain/history.ts';
import { deviceOrdersAtom, noteOrderAtom } from '../../src/state/orders/deviceOrders.ts';
import { apiAtom, pathAtom } from '../../src/state/first/seams.ts';
import { toastAtom } from '../../src/state/first/toast.ts';
import {
  detailedAtom,
  detailedIdAtom,
  historyState,
  isFavouriteAtom,
  tableTasks,
  loadHistoryAtom,
  openHistoryAtom,
  orderListAtom,
  recordState,
  saveTableAtom,
  searchOrdersAtom,
  shownOrdersAtom,
  spendState,
  tabAtom,
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
/** A customer with many orders, the newest first. */
let many: { who: Buyer; ids: readonly string[] };
beforeAll(async () => {
  shop = await openedShop({ settings: { distDir: null } });
  ({ server } = shop);
  vi.stubGlobal('requestAnimationFrame', (act: () => void) => setTimeout(act));
  const who = await member(server, 'IN', PICKUP);
  const ids: string[] = [];
  for (let count = 0; count < 12; count += 1) {
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
const shown = (customer: Customer) => customer.get(shownOrdersAtom)?.map(({ orderId }) => orderId) ?? null;
const asked = (customer: Customer) => customer.calls.filter((path) => path === contract.list.path).length;

describe('the orders of an account', () => {
  test('come page by page; the first page is known again after a reload, until the server has answered', async () => {
    const customer = pageOf(many.who);
    expect(shown(customer)).toBeNull();
    await customer.set(openHistoryAtom, 'all');
    expect(shown(customer)).toEqual(many.ids.slice(0, 10));
    expect(customer.get(historyState.atom).data!.paging).toMatchObject({ pageNo: 1, isLast: false });
    await customer.set(historyState.load, 2);
    expect(shown(customer)).toEqual(many.ids);
    expect(customer.get(historyState.atom).data!.paging).toMatchObject({ pageNo: 2, isLast: true });
    expect(customer.get(orderListAtom)).toMatchObject({
      failure: null,
      data: { tab: 'all', search: '', isNear: false },
    });
    await customer.set(historyState.load, 1);
    expect(shown(customer)).toEqual(many.ids.slice(0, 10));

    const again = pageOf(many.who, customer.device);
    const opening = again.set(openHistoryAtom, 'all');
    expect(shown(again)).toEqual(many.ids.slice(0, 10));
    // What is kept is of all orders, and not of those that are searched or of the favourites.
    again.set(searchOrdersAtom, 'x');
    expect(shown(again)).toBeNull();
    again.set(searchOrdersAtom, '');
    again.set(tabAtom, 'favourites');
    expect(shown(again)).toBeNull();
    await opening;
  });

  test('where the server does not answer, what is known is shown with the reason', async () => {
    const customer = pageOf(many.who);
    fails(customer, contract.list, new Failure('offline'));
    await customer.set(openHistoryAtom, 'all');
    expect(customer.get(orderListAtom)).toMatchObject({ orders: [], data: null, failure: { kind: 'offline' } });
  });

  test('a search asks once the typing pauses, for the words without white space around them; the same words ask nobody', async () => {
    const customer = pageOf(many.who);
    await customer.set(openHistoryAtom, 'all');
    customer.calls.length = 0;
    for (const text of ['n', 'no', ' nothing of that ']) customer.set(searchOrdersAtom, text);
    expect([customer.get(searchOrdersAtom), asked(customer)]).toEqual([' nothing of that ', 0]);
    // What was found before stays meanwhile.
    expect(shown(customer)).toHaveLength(10);
    await vi.waitFor(() => expect(customer.get(historyState.atom).data?.search).toBe('nothing of that'));
    expect([asked(customer), shown(customer)]).toEqual([1, []]);
    customer.set(searchOrdersAtom, 'nothing of that');
    customer.set(searchOrdersAtom, 'x');
    customer.set(searchOrdersAtom, ' ');
    await vi.waitFor(() => expect(shown(customer)).toHaveLength(10));
    expect(asked(customer)).toBe(2);
    // The first page that is kept is that of all orders.
    const again = pageOf(many.who, customer.device);
    expect(shown(again)).toHaveLength(10);
    again.set(searchOrdersAtom, 'of before');
    await again.set(openHistoryAtom, 'all');
    expect([again.get(searchOrdersAtom), shown(again)?.length]).toEqual(['', 10]);
  });

  test('the favourites are a list of their own, with what might be one; a tap on the tab that is open asks nobody', async () => {
    const customer = pageOf(many.who);
    await customer.set(openHistoryAtom, 'all');
    const [card] = customer.get(shownOrdersAtom)!;
    const tapping = customer.set(toggleFavouriteOrderAtom, card!);
    // The heart answers at once.
    expect(customer.get(isFavouriteAtom)(card!)).toBe(true);
    await tapping;
    expect(customer.get(toastAtom)?.message).toBe(t.favouriteKept);
    customer.calls.length = 0;
    customer.set(tabAtom, 'all');
    customer.set(tabAtom, 'favourites');
    expect([customer.get(tabAtom), shown(customer)]).toEqual(['favourites', null]);
    await vi.waitFor(() => expect(shown(customer)).toEqual([card!.orderId]));
    expect([asked(customer), customer.calls.includes(favourites.recommendations.path)]).toEqual([1, true]);
    customer.set(tabAtom, 'all');
    await vi.waitFor(() => expect(shown(customer)).toHaveLength(10));
    expect(customer.calls.filter((path) => path === favourites.recommendations.path)).toHaveLength(1);

    await customer.set(openHistoryAtom, 'favourites');
    expect(shown(customer)).toEqual([card!.orderId]);
    await vi.waitFor(() =>
      expect(customer.calls.filter((path) => path === favourites.recommendations.path)).toHaveLength(2),
    );
    await customer.set(toggleFavouriteOrderAtom, card!);
    expect([customer.get(isFavouriteAtom)(card!), customer.get(toastAtom)?.message]).toEqual([false, t.favouriteGone]);
    // Of what nobody was asked about nothing is said.
    expect(customer.get(isFavouriteAtom)({ orderId: card!.orderId })).toBeUndefined();
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

  test('what was spent is told of a year or of the last one', async () => {
    const customer = pageOf(many.who);
    await customer.set(spendState.load);
    const last = customer.get(spendState.atom).data!;
    await customer.set(spendState.load, 2001);
    const old = customer.get(spendState.atom).data!;
    expect(JSON.stringify(last)).not.toBe(JSON.stringify(old));
    expect(JSON.stringify(old)).toContain('2001');
  });

  test('all orders of a year become a table that spreadsheets open, one at a time', async () => {
    const customer = pageOf(many.who);
    const words = {
      head: ['When', 'Number'],
      when: () => 'then',
      service: (type: string) => type,
      status: () => 'done',
    };
    const blobs: Blob[] = [];
    const link = { click: vi.fn(), remove: vi.fn(), download: '' };
    const kept = vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => {
      blobs.push(blob as Blob);
      return 'blob:x';
    });
    vi.stubGlobal('document', { createElement: () => link, body: { append: () => {} } });
    try {
      const year = new Date((await orderOf(many.ids[0]!)).placedAt).getFullYear();
      const saving = customer.set(saveTableAtom, year, words);
      expect(customer.get(tableTasks.isBusyAtom)).toBe(true);
      await Promise.all([customer.set(saveTableAtom, year, words), saving]);
      expect([
        customer.get(tableTasks.isBusyAtom),
        link.click.mock.calls.length,
        customer.get(toastAtom)?.message,
      ]).toEqual([false, 1, t.tableSaved]);
      expect([link.download, blobs[0]!.type]).toEqual([t.fileName({ year: String(year) }), 'text/csv;charset=utf-8']);
      const bytes = new Uint8Array(await blobs[0]!.arrayBuffer());
      expect([...bytes.slice(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
      expect((await blobs[0]!.text()).trim().split(/\r?\n/)).toHaveLength(13);
      fails(customer, contract.rows, new Failure('offline'));
      await customer.set(saveTableAtom, year, words);
      expect([customer.get(popupAtom)?.message, customer.get(tableTasks.isBusyAtom), blobs.length]).toEqual([
        errors.connectionLost,
        false,
        1,
      ]);
    } finally {
      kept.mockRestore();
      vi.stubGlobal('document', undefined);
    }
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

describe('the orders of a guest', () => {
  test('are those of this device, as far as they are now', async () => {
    const who = await visitor(server, 'IN', PICKUP);
    const { order } = await who.order({ paymentMode: 'COD' });
    const { order: elsewhere } = await who.order({ paymentMode: 'COD' });
    const customer = pageOf(who);
    expect(customer.get(shownOrdersAtom)).toEqual([]);
    customer.calls.length = 0;
    await customer.set(loadHistoryAtom);
    expect(customer.calls).toEqual([]);
    customer.set(noteOrderAtom, { ...order, orderStatus: 'FAILED' });
    await customer.set(openHistoryAtom, 'favourites');
    expect(customer.calls).toEqual([orders.recent.path]);
    expect(customer.get(shownOrdersAtom)).toEqual([cardOf(await who.read(order.orderId))]);
    expect(customer.get(shownOrdersAtom)![0]!.orderStatus).not.toBe('FAILED');
    expect(elsewhere.orderId).not.toBe(order.orderId);
    await customer.get(apiAtom).ensureSession();
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

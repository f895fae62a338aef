import { expect, test } from 'vitest';
import * as errors from '#text/errors.ts';
import * as t from '#text/order.ts';
import { Failure } from '../../src/api/failure.ts';
import type { OrderView } from '../../src/contract/orders.ts';
import * as contract from '../../src/contract/tracking.ts';
import { serverClockAtom } from '../../src/state/base/clock.ts';
import { apiAtom } from '../../src/state/first/seams.ts';
import { toastAtom } from '../../src/state/first/toast.ts';
import { lastSeenAtom, noteSeenAtom } from '../../src/state/orders/lastSeen.ts';
import { orderAtom } from '../../src/state/orders/orders.ts';
import { popupAtom } from '../../src/state/base/popup.ts';
import { riderTasks, sharedState, shareOrderAtom, tellRiderAtom, trackState } from '../../src/state/orders/tracking.ts';

import { pay, PICKUP, visitor, type Customer as Buyer, type Where } from '../server/shop.ts';
import { fails, openCustomer } from './customer.ts';
import { shopHere } from '../server/shopHere.ts';

const { server } = shopHere({ settings: { distDir: null } });

const pageOf = (who: Buyer) => openCustomer(server, { as: who.person.reply });
/** Somebody whose order is under way, on their page. */
async function underWay(where: Where = PICKUP) {
  const who = await visitor(server, 'IN', where);
  const { order, next } = await who.order();
  await pay(server, next);
  return { who, order: (await who.confirm(order)).order, customer: pageOf(who) };
}

test('an order is followed as the server tells it; one that ended without food tells what became of it', async () => {
  const { who, order, customer } = await underWay();
  await customer.set(trackState.load, order.orderId);
  expect([customer.get(trackState.atom).data, customer.get(orderAtom)?.orderStatus]).toEqual([
    order.orderId,
    'ORDER PLACED',
  ]);
  await who.cancel(order.orderId);
  await customer.set(trackState.load, order.orderId);
  expect([customer.get(trackState.atom).status, customer.get(orderAtom)?.orderStatus]).toEqual(['ready', 'CANCELLED']);
  await customer.set(trackState.load, 'ord_unknown');
  expect([customer.get(trackState.atom).status, customer.get(orderAtom)?.orderId]).toEqual(['failed', order.orderId]);
  // Only an order that is lost is told like that.
  const { order: other, customer: page } = await underWay();
  const list = [{ code: 'NO_TRACKING', displayMsg: 'Not now.' }];
  fails(page, contract.byOrder, new Failure('refused', { errors: list }));
  await page.set(trackState.load, other.orderId);
  expect([page.get(trackState.atom).failure?.errors, page.get(orderAtom)]).toEqual([list, null]);
  const away = pageOf(who);
  fails(away, contract.byOrder, new Failure('offline'));
  away.calls.length = 0;
  await away.set(trackState.load, order.orderId);
  expect([away.get(trackState.atom).failure?.kind, away.calls]).toEqual(['offline', []]);
});

test('its link shows the progress to anybody, and a failure to make one is said', async () => {
  const { order, customer } = await underWay();
  await customer.set(shareOrderAtom, order.orderId);
  const [{ method, args }] = customer.fake!.log as [{ method: string; args: { title: string; url: string } }];
  expect([method, args.title]).toEqual(['share', t.shareTitle]);
  const token = args.url.split('/shared/')[1]!;
  const stranger = openCustomer(server);
  await stranger.set(sharedState.load, token);
  expect(stranger.get(sharedState.atom).data).toMatchObject({ orderStatus: 'ORDER PLACED' });
  fails(customer, contract.share, new Failure('offline'));
  await customer.set(shareOrderAtom, order.orderId);
  expect(customer.get(popupAtom)?.message).toBe(errors.connectionLost);
});

test('a word to the rider is sent once and said with the name; one that cannot be sent stays typed', async () => {
  const { order, customer } = await underWay();
  const rider = { name: 'Ravi' } as NonNullable<OrderView['rider']>;
  const api = customer.get(apiAtom);
  const answered = (of: OrderView['rider']) =>
    customer.set(apiAtom, {
      ...api,
      call: (() => Promise.resolve({ order: { ...order, rider: of } })) as unknown as typeof api.call,
    });
  answered(rider);
  const telling = customer.set(tellRiderAtom, order.orderId, 'Gate 2');
  expect(customer.get(riderTasks.isBusyAtom)).toBe(true);
  expect([await customer.set(tellRiderAtom, order.orderId, 'Gate 2'), await telling]).toEqual([false, true]);
  expect([customer.get(riderTasks.isBusyAtom), customer.get(toastAtom)?.message]).toEqual([
    false,
    t.riderTold({ name: 'Ravi' }),
  ]);
  answered(null);
  await customer.set(tellRiderAtom, order.orderId, 'Gate 2');
  expect(customer.get(toastAtom)?.message).toBe(t.riderToldUnnamed);
  customer.set(apiAtom, api);
  // Nobody is on the way to a counter.
  expect(await customer.set(tellRiderAtom, order.orderId, 'Gate 2')).toBe(false);
  expect([customer.get(popupAtom)?.message, customer.get(riderTasks.isBusyAtom)]).toEqual([
    expect.stringMatching(/\w/),
    false,
  ]);
});

test('how far an order was stays for a time without a network, and is gone with its end', async () => {
  const { order, customer } = await underWay();
  const now = Date.now() + 7 * 3_600_000;
  customer.set(serverClockAtom, now);
  const step = { label: 'In the oven', state: 'current' } as OrderView['steps'][number];
  const at = { ...order, steps: [step], eta: { from: 1, to: 2 } as OrderView['eta'] };
  customer.set(noteSeenAtom, at);
  const seen = customer.get(lastSeenAtom)!;
  expect(seen).toMatchObject({ orderId: order.orderId, stage: 'In the oven', eta: { from: 1, to: 2 } });
  expect([seen.at >= now, seen.at < now + 60_000]).toEqual([true, true]);
  customer.set(noteSeenAtom, { ...at, orderId: 'another', steps: [] });
  expect(customer.get(lastSeenAtom)?.orderId).toBe(order.orderId);
  customer.set(noteSeenAtom, { ...at, eta: null });
  expect(customer.get(lastSeenAtom)?.eta).toBeNull();
  customer.set(noteSeenAtom, { ...at, orderStatus: 'PICKED' });
  expect(customer.get(lastSeenAtom)).toBeNull();
  customer.set(noteSeenAtom, at);
  customer.set(noteSeenAtom, { ...at, steps: [] });
  expect(customer.get(lastSeenAtom)).toBeNull();
});

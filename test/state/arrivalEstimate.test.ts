import { beforeEach, expect, test } from 'vitest';
import * as t from '#text/alive.ts';
import * as trains from '#text/trains.ts';
import type { Api } from '../../src/api/api.ts';
import { Failure } from '../../src/api/failure.ts';
import * as contract from '../../src/contract/stores.ts';
import { serverClockAtom } from '../../src/state/base/clock.ts';
import { clockAtom } from '../../src/state/first/clock.ts';
import { seatAtom } from '../../src/state/first/group.ts';
import { chosenStoreAtom, deliveryPlaceAtom, deliveryTypeAtom } from '../../src/state/first/location.ts';
import { apiAtom } from '../../src/state/first/seams.ts';
import { askKitchenAtom, kitchenKeyAtom } from '../../src/state/shop/arrivalEstimate.ts';
import { boardAtom } from '../../src/state/trains/station.ts';
import { startServer } from '../kit/server.ts';
import { openShop } from '../server/shop.ts';
import { fails, openAtStore, openCustomer, type Customer } from './customer.ts';
import { during } from '../kit/during.ts';

const server = during(() => startServer({ settings: { distDir: null } }), openShop);
beforeEach(() => server.switches({ offlineStores: [] }));

const SAKET = { latitude: 28.5285, longitude: 77.219, text: 'Saket, New Delhi', address: null };
/** The store answers as it does, with this in its kitchen. */
async function says(
  customer: Customer,
  kitchen: Partial<contract.Kitchen> | null,
  store: object = {},
): Promise<number> {
  const api = customer.get(apiAtom);
  customer.set(apiAtom, {
    ...api,
    call: (async (endpoint, input, options) => {
      const reply = (await api.call(endpoint, input, options)) as { store: object; kitchen?: object };
      return {
        ...reply,
        store: { ...reply.store, ...store },
        kitchen: kitchen === null ? undefined : { ...reply.kitchen, isLastHour: false, ...kitchen },
      };
    }) as Api['call'],
  });
  try {
    return await customer.set(askKitchenAtom);
  } finally {
    customer.set(apiAtom, api);
  }
}

test('the header speaks of the chosen store, for a delivery of its place, and of none while nobody knows where to', async () => {
  const customer = openCustomer(server);
  expect(customer.get(kitchenKeyAtom)).toBe('');
  customer.set(seatAtom, { code: 'ABCDEF', storeId: '10102' });
  customer.set(deliveryTypeAtom, 'PICKUP');
  expect(customer.get(kitchenKeyAtom)).toContain('10102 PICKUP');
  const chosen = await openAtStore(server);
  const pickup = chosen.get(kitchenKeyAtom);
  expect(pickup).toContain('10101 PICKUP');
  const store = chosen.get(chosenStoreAtom);
  chosen.set(deliveryTypeAtom, 'DELIVERY');
  chosen.set(chosenStoreAtom, store);
  expect(chosen.get(kitchenKeyAtom)).toBe('');
  chosen.set(deliveryPlaceAtom, SAKET);
  expect(chosen.get(kitchenKeyAtom)).toContain(`10101 DELIVERY ${SAKET.latitude} ${SAKET.longitude}`);
});

test('an open kitchen tells the minutes until one can collect or it is there, and what is promised', async () => {
  const customer = await openAtStore(server);
  const wait = await customer.set(askKitchenAtom);
  const clock = customer.get(clockAtom)!;
  expect(clock).toMatchObject({ label: t.clockReady, isUrgent: false, promise: null });
  expect([wait >= 1_000, wait <= 180_000]).toEqual([true, true]);
  const minutes = { from: 20, to: 30 };
  await says(customer, { minutes, promiseMinutes: 30 });
  expect(customer.get(clockAtom)).toEqual({
    label: t.clockReady,
    time: t.clockMinutes(minutes),
    isUrgent: false,
    promise: 30,
  });
  await says(customer, { minutes, isLastHour: true, text: 'Until 11 pm' });
  expect(customer.get(clockAtom)).toMatchObject({ label: 'Until 11 pm', isUrgent: true });
  const store = customer.get(chosenStoreAtom);
  customer.set(deliveryTypeAtom, 'DELIVERY');
  customer.set(chosenStoreAtom, store);
  customer.set(deliveryPlaceAtom, SAKET);
  await says(customer, { minutes });
  expect(customer.get(clockAtom)?.label).toBe(t.clockArrives);
});

test('a shut one says when it opens; a store that takes no such order, or no word of it, says nothing', async () => {
  const customer = await openAtStore(server);
  const shut = { minutes: null, text: 'Opens at 11 am' } as Partial<contract.Kitchen>;
  await says(customer, shut, { isOpen: false });
  expect(customer.get(clockAtom)).toEqual({
    label: t.clockShut,
    time: 'Opens at 11 am',
    isUrgent: true,
    promise: null,
  });
  await says(customer, shut, { isOpen: true });
  expect(customer.get(clockAtom)?.label).toBe('');
  await says(customer, {}, { services: ['DELIVERY'] });
  expect(customer.get(clockAtom)).toBeNull();
  await customer.set(askKitchenAtom);
  expect(customer.get(clockAtom)).not.toBeNull();
  expect(await says(customer, null)).toBe(180_000);
  expect(customer.get(clockAtom)).toBeNull();
});

test('it is asked again when something changes there by the clock of the shop, after three minutes at the latest', async () => {
  const customer = await openAtStore(server);
  const now = Date.now() + 7 * 3_600_000;
  customer.set(serverClockAtom, now);
  const waits = async (changesAt: number) => await says(customer, { changesAt });
  const soon = await waits(now + 60_000);
  expect([soon > 30_000, soon <= 61_000]).toEqual([true, true]);
  expect([await waits(now + 3_600_000), await waits(now - 3_600_000)]).toEqual([180_000, 1_000]);
});

test('without an answer an old time is taken away; an answer about another store or place is none', async () => {
  const customer = await openAtStore(server);
  await customer.set(askKitchenAtom);
  const before = customer.get(clockAtom);
  const api = customer.get(apiAtom);
  const asking = customer.set(askKitchenAtom);
  customer.set(deliveryTypeAtom, 'DINEIN');
  expect([await asking, customer.get(clockAtom)]).toEqual([30_000, before]);
  fails(customer, contract.byId, new Failure('offline'));
  const failing = customer.set(askKitchenAtom);
  customer.set(deliveryTypeAtom, 'PICKUP');
  expect([await failing, customer.get(clockAtom)]).toEqual([30_000, before]);
  expect([await customer.set(askKitchenAtom), customer.get(clockAtom)]).toEqual([30_000, null]);
  customer.set(apiAtom, api);
});

test('on a train the food comes when the train does, and no kitchen is asked', async () => {
  const customer = await openAtStore(server);
  const at = Date.UTC(2026, 10, 25, 12, 0);
  const trip = {
    trainOrderId: 'trn',
    stationId: 'NDLS',
    storeId: '10101',
    latitude: 28.6,
    longitude: 77.2,
    text: 'NDLS',
  };
  customer.set(boardAtom, { ...trip, arrivesAt: at, orderUntil: at }, customer.get(chosenStoreAtom)!);
  customer.calls.length = 0;
  expect(await customer.set(askKitchenAtom)).toBe(180_000);
  expect([customer.get(clockAtom), customer.calls]).toEqual([
    { label: trains.arrives, time: expect.stringMatching(/5:30/), isUrgent: false, promise: null },
    [],
  ]);
  expect(customer.get(kitchenKeyAtom)).toContain(String(at));
});

import { beforeEach, expect, test } from 'vitest';
import * as trains from '#text/trains.ts';
import type { Api } from '../../src/api/api.ts';
import { Failure } from '../../src/api/failure.ts';
import * as contract from '../../src/contract/stores.ts';
import { serverClockAtom } from '../../src/state/base/clock.ts';
import { clockAtom } from '../../src/state/first/clock.ts';
import { chosenStoreAtom, deliveryTypeAtom } from '../../src/state/first/location.ts';
import { apiAtom } from '../../src/state/first/seams.ts';
import { askKitchenAtom, kitchenKeyAtom } from '../../src/state/shop/arrivalEstimate.ts';
import { boardAtom } from '../../src/state/trains/station.ts';
import { startServer } from '../kit/server.ts';
import { openShop } from '../server/shop.ts';
import { fails, openAtStore, type Customer } from './customer.ts';
import { during } from '../kit/during.ts';

const server = during(() => startServer({ settings: { distDir: null } }), openShop);
beforeEach(() => server.switches({ offlineStores: [] }));

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

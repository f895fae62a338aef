import { describe, expect, test } from 'vitest';
import { countryConfig } from '../../country/index.ts';
import * as text from '#text/server.ts';
import * as cart from '../../src/contract/cart.ts';
import * as stores from '../../src/contract/stores.ts';
import { DELIVERY_TYPES } from '../../src/domain/delivery.ts';
import { distanceKm } from '../../src/domain/geo.ts';
import { catalogueFromDisk } from '../../src/server/rules/catalogue/catalogue.ts';
import { areasOfCity, localitiesOf, placeAt } from '../../src/server/rules/places/places.ts';
import { takesOf } from '../../src/server/rules/catalogue/taking.ts';
import {
  citiesOf,
  kitchenNow,
  lookUp,
  nearestStores,
  ownSlots,
  slotsOf,
  storeProblem,
  storesOfCity,
  storeView,
  visibleStores,
  wantedTypes,
} from '../../src/server/rules/places/stores.ts';
import type { SeedPlace, SeedStore } from '../../src/server/store/seeds.ts';
import { engines, startServer } from '../kit/server.ts';
import { codeOf, guest } from './people.ts';
import { openShop } from './shop.ts';
import { during } from '../kit/during.ts';

const CP = { latitude: 28.6315, longitude: 77.2167 };
const HSR = { latitude: 12.9116, longitude: 77.6389 };
/** Between two cities: nothing is near. */
const DESERT = { latitude: 26.9, longitude: 70.9 };
const india = catalogueFromDisk(countryConfig('IN'));

/** At the door of two stores, one of which takes orders for later alone. */
const PIN = { latitude: '12.9', longitude: '77.64' };

describe.each(await engines())('stores on %s', (engine) => {
  const server = during(() => startServer({ engine }));
  const where = (point: typeof CP) => ({ latitude: String(point.latitude), longitude: String(point.longitude) });

  const nearest = async (query: { latitude: string; longitude: string; orderDeliveryType?: string }) =>
    (await server.call(stores.nearest, { query })).body.storeStationDetails;

  test('the five nearest stores to a point, with the distance to one decimal [LOC-21] [LOC-22] [API-59]', async () => {
    const list = await nearest(where(CP));
    expect(list).toHaveLength(5);
    expect(list[0]).toMatchObject({ id: '10101', distanceKm: 0 });
    for (const [index, store] of list.entries()) {
      expect(store.distanceKm).toBe(Math.round(distanceKm(CP, store) * 10) / 10);
      expect(store.distanceKm ?? 0).toBeGreaterThanOrEqual(list[index - 1]?.distanceKm ?? 0);
    }
    expect((await nearest(where(HSR)))[0]).toMatchObject({ city: 'Bengaluru', distanceKm: 0 });
  });

  test('the nearest stores are listed by type, pickup and curbside together; the one that delivers is another call [API-53]', async () => {
    const idsOf = async (orderDeliveryType: string) =>
      (await nearest({ ...where(CP), orderDeliveryType })).map(({ id }) => id);
    // The nearest of all has no curb.
    const curb = await nearest({ ...where(CP), orderDeliveryType: 'CURB' });
    expect(curb.map(({ id, services }) => [id === '10101', services.includes('CURB')])).toEqual(
      curb.map(() => [false, true]),
    );
    for (const both of ['PICKUP,CURB', 'CURB,PICKUP'])
      expect(await idsOf(both)).toEqual(expect.arrayContaining(['10101', curb[0]?.id]));
    const dineIn = await nearest({ ...where(CP), orderDeliveryType: 'DINEIN' });
    expect(dineIn).not.toEqual([]);
    expect(dineIn.every((store) => store.services.includes('DINEIN') && store.dineInTables > 0)).toBe(true);
    const { body } = await server.call(stores.lookup, { body: { ...CP, deliveryType: 'DELIVERY' } });
    expect([body.servicable, body.storeData?.id]).toEqual([true, '10101']);
  });

  test.each([
    ['in-web', '10101'],
    ['lk-web', '20101'],
    ['bg-web', '30106'],
  ])(
    "for %s the stores nearest to the country's map centre, where no point is asked for, begin with %s [CFG-44]",
    async (apiKey, id) => {
      const { body } = await server.call(stores.nearest, { query: {} }, { apiKey });
      expect(body.storeStationDetails[0]?.id).toBe(id);
    },
  );

  test("the store that delivers to a point, with the place's name and a time in minutes [LOC-15] [LOC-X01] [API-59]", async () => {
    await openShop(server);
    const { body } = await server.call(stores.lookup, { body: { ...CP, deliveryType: 'DELIVERY' } });
    expect(body).toMatchObject({ servicable: true, storeData: { id: '10101', online: 1 }, nearestPickup: null });
    expect(body.geoCodeData).toEqual({
      geometry: { location: { lat: CP.latitude, lng: CP.longitude } },
      formatted_address: 'Connaught Place, New Delhi, 110001',
    });
    const minutes = body.storeData?.deliveryMinutes;
    expect(minutes?.from).toBeGreaterThan(0);
    expect(minutes?.to).toBeGreaterThan(minutes?.from ?? 0);
  });

  test('out of the delivery area: the nearest pickup store is offered; far from all: the sentence [LOC-17] [ERR-17]', async () => {
    const point = { latitude: 28.45, longitude: 77.1 };
    const lookUpThere = async () =>
      (await server.call(stores.lookup, { body: { ...point, deliveryType: 'DELIVERY' } })).body;
    const out = await lookUpThere();
    expect([out.servicable, out.storeData]).toEqual([false, null]);
    const [first, second] = await nearest({ ...where(point), orderDeliveryType: 'PICKUP,CURB' });
    expect(out.nearestPickup).toEqual(first);
    // Who cannot collect there now is told of the next one.
    await server.switches({ offlineStores: [first!.id] });
    expect((await lookUpThere()).nearestPickup?.id).toBe(second!.id);
    await server.switches({ offlineStores: [] });
    const far = await server.call(stores.lookup, { body: { ...DESERT, deliveryType: 'DELIVERY' } });
    expect([far.status, codeOf(far), far.body.errors?.[0]?.displayMsg]).toEqual([
      404,
      'NO_STORE',
      "We currently don't deliver to your location",
    ]);
  });

  test('an offline store’s orders go to one that works; without one the answer is 2.STORENA [LOC-29] [LOC-31] [ERR-01]', async () => {
    const hsr = (await server.call(stores.lookup, { body: { ...HSR, deliveryType: 'DELIVERY' } })).body;
    expect(hsr.storeData).toMatchObject({ id: '10301', online: 1 });
    const own = (await server.call(stores.byId, { storeId: '10304', query: { timeSlots: 'true' } })).body;
    expect(own.store).toMatchObject({ online: 0, advanceOrderStoreId: '10301', locality: 'HSR Layout' });
    const maker = (await server.call(stores.byId, { storeId: '10301', query: {} })).body.store;
    expect(own.store.advanceOrderStore).toEqual({ name: maker.name, address: maker.address });
    expect(maker.advanceOrderStore).toBeUndefined();
    // The times are those of the store that makes the orders, which is open longer.
    const times = (await server.call(stores.advanceOrderTime, { storeId: '10304' })).body;
    expect(times).toEqual((await server.call(stores.advanceOrderTime, { storeId: '10301' })).body);
    expect(times).toMatchObject({ storeId: '10301', slots: own.timeSlots });
    expect(times.slots.length).toBeGreaterThan(0);
    await server.switches({ offlineStores: ['10101', '10104', '10103'] });
    const shut = await server.call(stores.lookup, { body: { ...CP, deliveryType: 'DELIVERY' } });
    expect([shut.status, codeOf(shut), shut.body.errors?.[0]?.displayMsg]).toEqual([
      409,
      '2.STORENA',
      'Sorry, we are facing some temporary issues with the store selected. Please select a different store',
    ]);
    expect((await server.call(stores.byId, { storeId: '10101', query: {} })).body.store.online).toBe(0);
    await server.switches({ offlineStores: [] });
    expect((await server.call(stores.lookup, { body: { ...CP, deliveryType: 'DELIVERY' } })).body.storeData?.id).toBe(
      '10101',
    );
  });

  test("slots are future half hours in opening hours, and hours are told by the database's clock [LOC-32] [LOC-X02] [API-55]", async () => {
    const answer = (
      await server.call(stores.byId, { storeId: '10102', query: { timeSlots: 'true', locality: 'false' } })
    ).body;
    const first = answer.timeSlots?.[0];
    expect(answer.timeSlots?.length).toBeGreaterThan(5);
    const alone = await server.call(stores.advanceOrderTime, { storeId: '10102' });
    expect(alone.body).toMatchObject({ storeId: '10102', slots: answer.timeSlots });
    for (const slot of answer.timeSlots ?? []) {
      const minutes = Math.floor(slot.startsAt / 60_000 + 330) % 1440;
      expect(minutes % 30).toBe(0);
      expect(minutes).toBeGreaterThanOrEqual(11 * 60);
      expect(minutes).toBeLessThanOrEqual(23 * 60);
      expect(slot.label).toMatch(/^(Today|Tomorrow), /);
    }
    const now = await server.advance(0);
    expect(first?.startsAt).toBeGreaterThan(now);
    // Past the first slot it is no longer offered.
    const later = await server.advance(Math.ceil(((first?.startsAt ?? now) - now) / 1000) + 60);
    const after = (await server.call(stores.byId, { storeId: '10102', query: { timeSlots: 'true' } })).body;
    expect(after.timeSlots?.some((slot) => slot.id === first?.id)).toBe(false);
    expect(after.store.isOpen).toBe(true);
    expect(after.store.hoursText).toBe('Open until 11 PM');
    // To 2 AM of the next night: this one is closed, the all-night one is not.
    const midnight = Math.ceil((later + 19_800_000) / 86_400_000) * 86_400_000 - 19_800_000;
    await server.advance(Math.ceil((midnight + 2 * 3_600_000 - later) / 1000));
    expect((await server.call(stores.byId, { storeId: '10102', query: {} })).body.store).toMatchObject({
      isOpen: false,
      hoursText: 'Opens at 11 AM',
    });
    expect((await server.call(stores.byId, { storeId: '10101', query: {} })).body.store).toMatchObject({
      isOpen: true,
      hoursText: 'Open until 3 AM',
    });
    expect(
      (await server.call(stores.byId, { storeId: '10102', query: { timeSlots: 'true' } })).body.timeSlots?.[0]?.label,
    ).toBe('Today, 11:30 AM');
  });

  test('a store that cannot cook now, offline or closed, shows no minutes and no promise until it is back', async () => {
    const told = async (storeId: string) => {
      const who = await guest(server);
      const at = { storeId, query: { kitchen: 'true', ...PIN } };
      const { store, kitchen } = (await server.call(stores.byId, at, who.as)).body;
      const query = { storeId, deliveryType: 'DELIVERY' } as const;
      const { promise } = (await server.call(cart.byId, { cartId: who.cartId, query }, who.as)).body.cart;
      return [store.deliveryMinutes !== undefined, kitchen!.minutes !== null, promise.applies, promise.reason];
    };
    await openShop(server);
    const now = [true, true, true, undefined];
    const later = [false, false, false, text.promiseLater];
    expect([await told('10301'), await told('10304')]).toEqual([now, later]);
    await server.switches({ offlineStores: ['10301'] });
    // Nobody makes its orders for later.
    expect(await told('10301')).toEqual([...later.slice(0, 3), text.noOrders]);
    await server.switches({ offlineStores: [] });
    expect(await told('10301')).toEqual(now);
    // Connaught Place sleeps at five in the morning.
    expect((await told('10101')).slice(2)).toEqual([true, undefined]);
    await server.advance(16 * 3_600);
    expect(await told('10101')).toEqual(later);
  });

  test('a store’s localities are its own and those it delivers to, with or without it; its slots can be read [API-54] [API-59]', async () => {
    const { data, loyaltyProgramCode } = (await server.call(stores.localitiesOfStore, { storeId: '10102' })).body;
    expect(loyaltyProgramCode).not.toBe('');
    expect(data[0]?.locality).toBe('Saket');
    expect(data.length).toBeGreaterThan(2);
    expect(new Set(data.map(({ locality }) => locality)).size).toBe(data.length);
    // What is listed is delivered to, by this store or a nearer one.
    for (const { latitude, longitude } of data.slice(0, 4))
      expect(
        (await server.call(stores.lookup, { body: { latitude, longitude, deliveryType: 'DELIVERY' } })).body.servicable,
      ).toBe(true);
    expect(data.map(({ locality }) => locality)).not.toContain('Connaught Place');
    expect((await server.call(stores.localitiesOfStore, { storeId: '10990' })).status).toBe(404);
    const asked = async (query: { locality?: string; timeSlots?: string }) =>
      (await server.call(stores.byId, { storeId: '10102', query })).body;
    expect((await asked({})).localities).toEqual(data);
    expect(await asked({})).not.toHaveProperty('timeSlots');
    const { timeSlots, localities } = await asked({ timeSlots: 'true' });
    expect(timeSlots?.length).toBeGreaterThan(5);
    expect(localities).toEqual(data);
    const without = await asked({ locality: 'false' });
    expect(without).not.toHaveProperty('localities');
    expect(without.store.id).toBe('10102');
  });

  test('a city’s areas are those delivered to, also from another city, or those with stores [LOC-26] [LOC-27] [API-56]', async () => {
    const areasOf = async (city: string, orderDeliveryType: string, apiKey = 'in-web') =>
      (await server.call(stores.localities, { city, query: { orderDeliveryType } }, { apiKey })).body.data;
    const storesOf = (city: string, locality: string, orderDeliveryType: string, more = {}) =>
      server.call(stores.ofCity, { city, query: { locality, orderDeliveryType, ...more } });
    const delivered = await areasOf('New Delhi', 'DELIVERY');
    const names = delivered.map(({ locality }) => locality);
    expect(names).toEqual([...new Set(names)].sort());
    expect(names).toEqual(expect.arrayContaining(['Connaught Place', 'Hauz Khas', 'Karol Bagh', 'Okhla']));
    expect(delivered.find(({ locality }) => locality === 'Karol Bagh')!.stores).toBeGreaterThan(1);
    for (const { locality, storeId, stores: count, ...area } of delivered.slice(0, 6)) {
      const { body } = await storesOf('new delhi', locality, 'DELIVERY');
      expect(body.locality).toEqual({ locality, ...area });
      const serving = body.storeStationDetails;
      expect(serving).toHaveLength(count);
      expect(serving[0]!.id).toBe(storeId);
      for (const store of serving) {
        expect(store.distanceKm).toBe(Math.round(distanceKm(area, store) * 10) / 10);
        // Minutes are of an order that is made at once.
        expect(store.deliveryMinutes !== undefined).toBe(store.isOpen && store.online === 1);
        const taken = await server.call(stores.lookup, {
          body: { ...area, deliveryType: 'DELIVERY', storeId: store.id },
        });
        expect(taken.body.storeData?.id).toBe(store.id);
      }
    }
    const okhla = (await storesOf('New Delhi', 'Okhla', 'DELIVERY')).body.storeStationDetails;
    expect(okhla.map(({ city }) => city)).toContain('Noida');
    const collecting = (await areasOf('New Delhi', 'PICKUP,CURB')).map(({ locality }) => locality);
    expect(collecting).toEqual([...new Set(collecting)].sort());
    expect(collecting).toEqual(expect.arrayContaining(['Connaught Place', 'Paharganj', 'Rajouri Garden', 'Saket']));
    const collected = (await storesOf('New Delhi', 'saket', 'PICKUP,CURB')).body.storeStationDetails;
    expect(collected.map(({ id }) => id)).toContain('10102');
    expect(collected.filter(({ distanceKm: km }) => km !== undefined)).toEqual([]);
    const fromHere = (await storesOf('New Delhi', 'Saket', 'PICKUP,CURB', where(CP))).body.storeStationDetails;
    expect(fromHere.map(({ distanceKm: km }) => km)).toEqual(
      fromHere.map((store) => Math.round(distanceKm(CP, store) * 10) / 10),
    );
    expect(fromHere).toHaveLength(collected.length);
    // The store of a town that no list of localities knows.
    expect((await areasOf('Negombo', 'DELIVERY', 'lk-web')).map(({ locality }) => locality)).toContain('Negombo');
    for (const [locality, type] of [
      [names.find((name) => !collecting.includes(name))!, 'PICKUP,CURB'],
      ['Powai', 'DELIVERY'],
    ] as const)
      expect((await storesOf('New Delhi', locality, type)).status).toBe(404);
  });

  test('cities by delivery type, stores of a city, localities; the fixture store is nowhere [LOC-25] [LOC-26] [API-56]', async () => {
    const all = (await server.call(stores.cities, { query: {} })).body.data;
    expect(all.find((entry) => entry.city === 'New Delhi')?.stores).toBeGreaterThan(2);
    expect(all.some((entry) => entry.city === 'Test City')).toBe(false);
    const dineIn = (await server.call(stores.cities, { query: { delivery_type: 'DINEIN' } })).body.data;
    expect(dineIn.length).toBeLessThan(all.length);
    const list = (await server.call(stores.ofCity, { city: 'new delhi', query: where(CP) })).body.storeStationDetails;
    expect(list[0]?.id).toBe('10101');
    const alias = await fetch(
      `${server.url}/locator-service/ve3/stores/city/new%20delhi?${new URLSearchParams(where(CP))}`,
      {
        headers: { api_key: 'in-web' },
      },
    );
    expect(await alias.json()).toMatchObject({ storeStationDetails: list });
    expect(list.every((store) => store.city === 'New Delhi' && store.distanceKm !== undefined)).toBe(true);
    const localities = (await server.call(stores.localities, { city: 'Mumbai', query: {} })).body.data;
    expect(localities.map((entry) => entry.locality)).toContain('Powai');
    expect((await server.call(stores.localities, { city: 'Test City', query: {} })).status).toBe(404);
    expect((await server.call(stores.byId, { storeId: '10990', query: {} })).status).toBe(404);
  });

  test('what is no place, no type or no store of the country is refused with a message', async () => {
    for (const [status, answer] of [
      [400, await server.call(stores.nearest, { query: { latitude: '28.6' } })],
      [400, await server.call(stores.nearest, { query: { latitude: 'NaN', longitude: '77' } })],
      [400, await server.call(stores.lookup, { body: { latitude: 123, longitude: 77, deliveryType: 'DELIVERY' } })],
      [400, await server.call(stores.nearest, { query: { orderDeliveryType: 'DRONE' } })],
      [404, await server.call(stores.byId, { storeId: '20101', query: {} })],
      [404, await server.call(stores.ofCity, { city: 'Atlantis', query: {} })],
    ] as const) {
      expect(answer.status).toBe(status);
      expect(answer.body.errors?.[0]?.displayMsg).not.toBe('');
    }
  });
});

describe('whether a store can take an order', () => {
  const NIGHT = Date.UTC(2027, 0, 13, 20, 30);
  const problem = (
    order: { deliveryType: 'DELIVERY' | 'DINEIN' | 'CURB'; slotId: string | null },
    now: number,
    offline: string[] = [],
    store = saket,
  ) => storeProblem(india, store, new Set(offline), order, now)?.code ?? null;

  test('open now, closed but for later, not served, offline, offline with another store for later [LOC-31] [ORD-X10]', () => {
    expect(problem({ deliveryType: 'DELIVERY', slotId: null }, NOON)).toBeNull();
    expect(problem({ deliveryType: 'DELIVERY', slotId: null }, NIGHT)).toBe('STORE_CLOSED');
    const noonSlot = String(Date.UTC(2027, 0, 14, 7, 0) / 60_000);
    expect(problem({ deliveryType: 'DELIVERY', slotId: noonSlot }, NIGHT)).toBeNull();
    expect(problem({ deliveryType: 'DELIVERY', slotId: '1' }, NIGHT)).toBe('SLOT_INVALID');
    expect(problem({ deliveryType: 'DINEIN', slotId: null }, NOON, [], india.stores.get('10104'))).toBe(
      'SERVICE_NOT_OFFERED',
    );
    expect(problem({ deliveryType: 'DELIVERY', slotId: null }, NOON, ['10102'])).toBe('2.STORENA');
    const hsr = india.stores.get('10304')!;
    expect(problem({ deliveryType: 'DELIVERY', slotId: null }, NOON, ['10304'], hsr)).toBe('2.STORENA');
    expect(problem({ deliveryType: 'DELIVERY', slotId: noonSlot }, NOON, ['10304'], hsr)).toBeNull();
    // The store that makes them has no bays for cars.
    const withBays: typeof hsr = { ...hsr, services: ['CURB'] };
    const curb = { deliveryType: 'CURB', slotId: noonSlot } as const;
    expect([problem(curb, NOON, [], withBays), problem(curb, NOON, ['10304'], withBays)]).toEqual([null, '2.STORENA']);
  });
  test('the chosen store delivers though another is nearer; out of its reach the nearest does; an offline one is kept [LOC-15]', () => {
    const found = (storeId: string, offline: readonly string[] = []) => {
      const lookup = lookUp(india, 'DELIVERY', india.stores.get('10301')!, new Set(offline), NOON, storeId);
      return lookup.kind === 'found' ? lookup.store.id : lookup.kind;
    };
    expect(found('10304')).toBe('10304');
    expect(found('10102')).toBe('10301');
    expect(found('10304', ['10304'])).toBe('10304');
    expect(found('10304', ['10304', '10301'])).toBe('unavailable');
  });
});

const KM = 1 / 111.2;
const NOON = Date.UTC(2027, 0, 13, 7, 0);
const HOUR_MS = 3_600_000;
const country = countryConfig('IN');
const saket = india.stores.get('10102')!;
const hsr = india.stores.get('10304')!;
/** Makes what the one before takes for later. */
const koramangala = india.stores.get('10301')!;
/** To the north of the store in Saket. */
const north = (km: number) => ({ latitude: saket.latitude + km * KM, longitude: saket.longitude });
/** The stores of a town of its own, each made of the one in Saket. */
const townOf = (...list: readonly Partial<SeedStore>[]) => ({
  ...india,
  stores: new Map(
    list.map((more, n) => {
      const id = `s${n + 1}`;
      return [id, { ...saket, id, advanceOrderStoreId: id, ...more }] as const;
    }),
  ),
  places: [] as SeedPlace[],
});
const placeIn = (name: string, city: string, km: number, kind = 'locality'): SeedPlace => ({
  id: `p-${name}`,
  name,
  city,
  kind,
  aliases: [],
  ...north(km),
});

test.each([
  [undefined, ['DELIVERY', 'PICKUP', 'CURB', 'DINEIN']],
  ['', ['DELIVERY', 'PICKUP', 'CURB', 'DINEIN']],
  ['  ', ['DELIVERY', 'PICKUP', 'CURB', 'DINEIN']],
  ['PICKUP', ['PICKUP']],
  [' pickup , Curb', ['PICKUP', 'CURB']],
  ['PICKUP,DRONE', null],
  ['PICKUP,', null],
])('the delivery types of %j are %j', (asked, types) => {
  const found = wantedTypes(asked);
  expect(found?.toSorted() ?? null).toEqual(types?.toSorted() ?? null);
});

describe('what a kitchen can do now', () => {
  const ONLINE = new Set<string>();
  const order = { deliveryType: 'DELIVERY' as const, from: null, delayMs: 0 };
  // 11 AM to 11 PM.
  const opens = Date.UTC(2027, 0, 13, 5, 30);
  const closes = opens + 12 * HOUR_MS;
  /** Twice the eleven minutes of its kitchen before. */
  const lastAt = closes - 22 * 60_000;

  test('as long as it is open: minutes, promise and hours, until the last hour begins', () => {
    expect(kitchenNow(india, saket, order, ONLINE, NOON)).toEqual({
      minutes: { from: expect.any(Number) as number, to: expect.any(Number) as number },
      promiseMinutes: 30,
      text: 'Open until 11 PM',
      isLastHour: false,
      changesAt: lastAt - HOUR_MS,
    });
  });
  test('in the last hour the last order is told, from its first moment, and that it is over', () => {
    expect(kitchenNow(india, saket, order, ONLINE, lastAt - HOUR_MS - 1)).toMatchObject({
      text: 'Open until 11 PM',
      isLastHour: false,
    });
    expect(kitchenNow(india, saket, order, ONLINE, lastAt - HOUR_MS)).toMatchObject({
      text: 'Last order 10:38 PM',
      isLastHour: true,
      changesAt: lastAt,
    });
    expect(kitchenNow(india, saket, order, ONLINE, lastAt).minutes).not.toBeNull();
    expect(kitchenNow(india, saket, order, ONLINE, lastAt + 1)).toEqual({
      minutes: null,
      promiseMinutes: null,
      text: 'The last order was at 10:38 PM',
      changesAt: closes,
    });
  });
  test('closed: when it opens, and no minutes', () => {
    expect(kitchenNow(india, saket, order, ONLINE, opens - 1)).toEqual({
      minutes: null,
      promiseMinutes: null,
      text: 'Opens at 11 AM',
      changesAt: opens,
    });
    // It is not what it rests for that keeps it from orders then.
    expect(kitchenNow(india, hsr, order, new Set([hsr.id]), opens - 1).text).toBe('Opens at 11 AM');
  });
  test('offline while it is open: for later only; a type that it has not: its hours alone', () => {
    for (const [store, said] of [
      [hsr, text.laterOnly],
      // Nobody makes its orders for later.
      [saket, text.noOrders],
    ] as const)
      expect(kitchenNow(india, store, order, new Set([store.id]), NOON)).toEqual({
        minutes: null,
        promiseMinutes: null,
        text: said,
        changesAt: lastAt,
      });
    const bare = { ...saket, services: ['PICKUP' as const] };
    expect(kitchenNow(india, bare, order, ONLINE, NOON)).toMatchObject({ minutes: null, text: 'Open until 11 PM' });
    expect(kitchenNow(india, bare, { ...order, deliveryType: 'PICKUP' }, ONLINE, NOON).minutes).not.toBeNull();
  });
  test('what a store takes is what it is asked for and answers, by how it stands, its maker, the clock and the service', () => {
    const stores = [
      saket,
      hsr,
      { ...hsr, services: ['CURB' as const, 'DINEIN' as const] },
      { ...hsr, advanceOrderStoreId: '1' },
    ];
    const seen = new Set<string>();
    for (const store of stores)
      for (const away of [[], [store.id], [store.id, store.advanceOrderStoreId]])
        for (const now of [NOON, opens - 1, lastAt + 1, closes + 1])
          for (const deliveryType of DELIVERY_TYPES) {
            const offline = new Set(away);
            const problem = (slotId: string | null) =>
              storeProblem(india, store, offline, { deliveryType, slotId }, now);
            const every = [
              ...slotsOf(country, store, deliveryType, now),
              ...slotsOf(country, koramangala, deliveryType, now),
            ];
            const right =
              problem(null) === null ? 'now' : every.some(({ id }) => problem(id) === null) ? 'later' : 'none';
            const where = `${store.id} ${away.join()} ${new Date(now).toISOString()} ${deliveryType}`;
            expect(takesOf(india, store, offline, deliveryType, now), where).toBe(right);
            const view = storeView(india, store, offline, now);
            expect(view.takes?.[deliveryType] ?? 'none', where).toBe(right);
            expect(kitchenNow(india, store, { ...order, deliveryType }, offline, now).minutes !== null, where).toBe(
              right === 'now',
            );
            expect(view.deliveryMinutes !== undefined && deliveryType === 'DELIVERY' && right !== 'now', where).toBe(
              false,
            );
            expect(ownSlots(india, store, offline, deliveryType, now).length > 0, where).toBe(
              every.some(({ id }) => problem(id) === null),
            );
            seen.add(right);
          }
    expect([...seen].sort()).toEqual(['later', 'none', 'now']);
  });
  test('a way that is longer, and a kitchen that is full, take longer', () => {
    const from = (more: object) => kitchenNow(india, saket, { ...order, ...more }, ONLINE, NOON).minutes!.from;
    expect(from({ from: north(1) })).toBeLessThan(from({ from: north(3.5) }));
    expect(from({ delayMs: 600_000 })).toBeGreaterThan(from({}) + 5);
  });
});

describe('a store as it is shown', () => {
  const view = (more: Partial<SeedStore>, from?: { latitude: number; longitude: number }, offline: string[] = []) => {
    const town = townOf({ advanceOrderStoreId: 's2', ...more }, { name: 'Other', address: 'Far street' });
    return storeView(town, town.stores.get('s1')!, new Set(offline), NOON, from);
  };
  test('says its minutes to who may be delivered to, up to the edge of its circle', () => {
    expect(view({}).deliveryMinutes).toBeDefined();
    expect(view({}, north(3.99)).deliveryMinutes).toBeDefined();
    expect(view({}, north(4.01))).not.toHaveProperty('deliveryMinutes');
    expect(view({ services: ['PICKUP'] })).not.toHaveProperty('deliveryMinutes');
    expect(view({})).not.toHaveProperty('distanceKm');
    expect(view({}, north(3.24)).distanceKm).toBe(3.2);
  });
  test('says who makes its orders for later only while that is another one', () => {
    expect(view({})).toMatchObject({ online: 1 });
    expect(view({})).not.toHaveProperty('advanceOrderStore');
    expect(view({}, undefined, ['s1'])).toMatchObject({
      online: 0,
      advanceOrderStore: { name: 'Other', address: 'Far street' },
    });
    for (const offline of [['s1', 's2'], ['s2']])
      expect(view({}, undefined, offline)).not.toHaveProperty('advanceOrderStore');
    expect(view({ advanceOrderStoreId: 's1' }, undefined, ['s1'])).not.toHaveProperty('advanceOrderStore');
  });
});

describe('which store it is', () => {
  const found = (lookup: ReturnType<typeof lookUp>) => (lookup.kind === 'found' ? lookup.store.id : lookup.kind);
  test('delivered to in its circle, collected from within 30 km', () => {
    const town = townOf({});
    const at = (type: 'DELIVERY' | 'PICKUP', km: number) => found(lookUp(town, type, north(km), new Set(), NOON));
    expect([at('DELIVERY', 3.99), at('DELIVERY', 4.01)]).toEqual(['s1', 'none']);
    expect([at('PICKUP', 29.9), at('PICKUP', 30.1)]).toEqual(['s1', 'none']);
  });
  test('where nobody delivers, the nearest store is offered that gives out food, works, and is within 30 km', () => {
    const town = townOf(
      { services: ['DINEIN'] },
      { services: ['PICKUP'], ...north(1) },
      { services: ['CURB'], ...north(-3) },
    );
    const offered = (km: number, offline: string[] = []) => {
      const lookup = lookUp(town, 'DELIVERY', north(km), new Set(offline), NOON);
      return lookup.kind === 'none' ? (lookup.pickup?.id ?? null) : lookup.kind;
    };
    expect(offered(0)).toBe('s2');
    expect(offered(-2)).toBe('s3');
    expect(offered(0, ['s2'])).toBe('s3');
    expect(offered(30.9)).toBe('s2');
    expect(offered(31.1)).toBeNull();
  });
  test('if all rest, the nearest one still counts as long as another makes its orders for later', () => {
    const town = townOf({ advanceOrderStoreId: 's3' }, { ...north(1) }, { ...north(200) });
    const at = (offline: string[]) => found(lookUp(town, 'DELIVERY', north(0), new Set(offline), NOON));
    expect(at(['s1', 's2'])).toBe('s1');
    expect(at(['s1', 's2', 's3'])).toBe('unavailable');
    expect(at(['s1'])).toBe('s2');
  });
  test('five are near at most, and fixtures are nobody’s', () => {
    const town = townOf(
      ...[3, 1, 2, 5, 4, 6].map((km) => north(km)),
      { fixture: true, ...north(0) },
      { locality: 'Pokhra', ...north(0) },
      { services: ['DINEIN'], ...north(0) },
    );
    expect(nearestStores(town, ['PICKUP'], north(0)).map(({ id }) => id)).toEqual(['s2', 's3', 's1', 's5', 's4']);
    expect(visibleStores(town).map(({ id }) => id)).toEqual(['s1', 's2', 's3', 's4', 's5', 's6', 's9']);
  });
});

test('an order for later is possible after what it takes to make it, and for a delivery to bring it', () => {
  const first = (deliveryType: 'DELIVERY' | 'PICKUP', more: Partial<SeedStore>) =>
    (slotsOf(country, { ...saket, ...more }, deliveryType, NOON)[0]!.startsAt - NOON) / 60_000;
  expect(first('PICKUP', { prepMinutes: 30 })).toBe(30);
  expect(first('PICKUP', { prepMinutes: 30.5 })).toBe(60);
  expect(first('DELIVERY', { prepMinutes: 20, deliveryRadiusKm: 4, minutesPerKm: 2.5 })).toBe(30);
  expect(first('DELIVERY', { prepMinutes: 20, deliveryRadiusKm: 4, minutesPerKm: 3 })).toBe(60);
});

describe('cities and their parts', () => {
  const town = {
    ...townOf(
      { city: 'Beta', locality: 'Mill' },
      { city: 'Alpha', locality: 'Port', services: ['DELIVERY'], ...north(20) },
      { city: 'Beta', locality: 'Hill', ...north(6), services: ['PICKUP'] },
      { city: 'Gamma', locality: 'Pokhra' },
    ),
    places: [
      placeIn('Mill', 'Beta', 0),
      placeIn('Creek', 'Beta', 3),
      placeIn('Brook', 'Beta', -2),
      placeIn('Edge', 'Beta', 4.2),
      placeIn('Temple', 'Beta', 1, 'landmark'),
      placeIn('Suburb', 'Nowhere', 2),
      placeIn('Quay', 'Alpha', 18),
      placeIn('Border', 'Alpha', 1),
    ],
  };
  test('cities are told by name, with as many stores as serve the type', () => {
    expect(citiesOf(town, ['DELIVERY', 'PICKUP'])).toEqual([
      { city: 'Alpha', stores: 1 },
      { city: 'Beta', stores: 2 },
    ]);
    expect(citiesOf(town, ['PICKUP'])).toEqual([{ city: 'Beta', stores: 2 }]);
    expect(citiesOf(town, ['DINEIN'])).toEqual([{ city: 'Beta', stores: 1 }]);
    expect(storesOfCity(town, ' BETA ').map(({ id }) => id)).toEqual(['s1', 's3']);
    expect(storesOfCity(town, 'Gamma')).toEqual([]);
  });
  test('a store’s own locality comes first, then those of its circle by distance; without a delivery there is its own alone', () => {
    const names = (id: string) => localitiesOf(town, town.stores.get(id)!).map(({ locality }) => locality);
    expect(names('s1')).toEqual(['Mill', 'Border', 'Brook', 'Suburb', 'Creek']);
    expect(names('s3')).toEqual(['Hill']);
    expect(localitiesOf(town, town.stores.get('s2')!)).toEqual([
      { locality: 'Port', ...north(20) },
      { locality: 'Quay', ...north(18) },
    ]);
  });
  test('areas that are delivered to: also a suburb without a store, but not another town’s with one', () => {
    const areas = (city: string, types: ('DELIVERY' | 'PICKUP' | 'DINEIN')[]) =>
      areasOfCity(town, city, types).map(({ locality, stores: by }) => [locality, by.map(({ id }) => id).join()]);
    expect(areas('beta', ['DELIVERY'])).toEqual([
      ['Brook', 's1'],
      ['Creek', 's1'],
      ['Mill', 's1'],
      ['Suburb', 's1'],
    ]);
    expect(areas('Alpha', ['DELIVERY'])).toEqual([
      ['Border', 's1'],
      ['Port', 's2'],
      ['Quay', 's2'],
    ]);
    expect(areas('Beta', ['PICKUP'])).toEqual([
      ['Hill', 's3'],
      ['Mill', 's1'],
    ]);
    expect(areas('Beta', ['DINEIN'])).toEqual([['Mill', 's1']]);
    expect(areas('Beta', ['DELIVERY', 'PICKUP'])).toEqual([
      ['Brook', 's1'],
      ['Creek', 's1'],
      ['Hill', 's3'],
      ['Mill', 's1'],
      ['Suburb', 's1'],
    ]);
    expect(areas('Gamma', ['DELIVERY'])).toEqual([]);
  });
});

describe('the name of a point', () => {
  const named = (latitude: number, longitude: number) => placeAt(india, { latitude, longitude });
  const cp = india.places.find(({ name }) => name === 'Connaught Place')!;
  test('a place that is near is named itself, one farther away as what it is near to, with the point’s own position', () => {
    const at = { latitude: cp.latitude + 0.1 * KM, longitude: cp.longitude };
    expect(placeAt(india, at)).toEqual({
      place_id: cp.id,
      name: cp.name,
      formatted_address: 'Connaught Place, New Delhi, 110001',
      geometry: { location: { lat: at.latitude, lng: at.longitude } },
    });
    // In the desert: only a town is within 60 km.
    const far = named(26.9, 70.5)!;
    expect(far.formatted_address).toMatch(/^Near /i);
  });
  test('beyond 60 km nothing is named', () => {
    expect(named(10, 66)).toBeNull();
  });
});

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { countryConfig } from '../../country/index.ts';
import * as stores from '../../src/contract/stores.ts';
import { distanceKm } from '../../src/domain/geo.ts';
import { catalogueFromDisk } from '../../src/server/rules/catalogue/catalogue.ts';
import { lookUp, storeProblem } from '../../src/server/rules/places/stores.ts';
import { engines, startServer, type TestServer } from '../kit/server.ts';
import { codeOf } from './people.ts';

const CP = { latitude: 28.6315, longitude: 77.2167 };
const HSR = { latitude: 12.9116, longitude: 77.6389 };
/** Between two cities: nothing is near. */
const DESERT = { latitude: 26.9, longitude: 70.9 };
const india = catalogueFromDisk(countryConfig('IN'));

describe.each(await engines())('stores on %s', (engine) => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startServer({ engine });
  });
  afterAll(async () => {
    await server.stop();
  });
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

  test('the nearest stores that serve a type, pickup and curbside asked for together; the one that delivers is a call of its own [API-53]', async () => {
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

  test('an offline store hands over to one that works; one with nobody to take its advance orders is 2.STORENA [LOC-29] [LOC-31] [ERR-01]', async () => {
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

  test("slots are in the future, in opening hours and on half hours; hours are told by the database's clock [LOC-32] [LOC-X02] [API-55]", async () => {
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

  test('the localities of a store: its own and those that it delivers to, with the store or without; its slots are told to who asks for them [API-54] [API-59]', async () => {
    const { data, loyaltyProgramCode } = (await server.call(stores.localitiesOfStore, { storeId: '10102' })).body;
    expect(loyaltyProgramCode).not.toBe('');
    expect(data[0]?.locality).toBe('Saket');
    expect(data.length).toBeGreaterThan(2);
    expect(new Set(data.map(({ locality }) => locality)).size).toBe(data.length);
    // What is listed is delivered to, by this store or a nearer one.
    for (const { latitude, longitude } of data)
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

  test('the areas of a city are those that are delivered to, from another city too, or those that stores stand in, each with its stores [LOC-26] [LOC-27] [API-56]', async () => {
    const areasOf = async (city: string, orderDeliveryType: string, apiKey = 'in-web') =>
      (await server.call(stores.localities, { city, query: { orderDeliveryType } }, { apiKey })).body.data;
    const storesOf = (city: string, locality: string, orderDeliveryType: string, more = {}) =>
      server.call(stores.ofCity, { city, query: { locality, orderDeliveryType, ...more } });
    const delivered = await areasOf('New Delhi', 'DELIVERY');
    const names = delivered.map(({ locality }) => locality);
    expect(names).toEqual([...new Set(names)].sort());
    expect(names).toEqual(expect.arrayContaining(['Connaught Place', 'Hauz Khas', 'Karol Bagh', 'Okhla']));
    expect(delivered.find(({ locality }) => locality === 'Karol Bagh')).toMatchObject({ storeId: '10104', stores: 2 });
    for (const { locality, storeId, stores: count, ...area } of delivered) {
      const { body } = await storesOf('new delhi', locality, 'DELIVERY');
      expect(body.locality).toEqual({ locality, ...area });
      const serving = body.storeStationDetails;
      expect(serving).toHaveLength(count);
      expect(serving[0]!.id).toBe(storeId);
      for (const store of serving) {
        expect(store.distanceKm).toBe(Math.round(distanceKm(area, store) * 10) / 10);
        expect(store.deliveryMinutes).toBeDefined();
        const taken = await server.call(stores.lookup, {
          body: { ...area, deliveryType: 'DELIVERY', storeId: store.id },
        });
        expect(taken.body.storeData?.id).toBe(store.id);
      }
    }
    expect((await storesOf('New Delhi', 'Okhla', 'DELIVERY')).body.storeStationDetails).toMatchObject([
      { city: 'Noida' },
    ]);
    expect((await areasOf('New Delhi', 'PICKUP,CURB')).map(({ locality }) => locality)).toEqual([
      'Connaught Place',
      'Paharganj',
      'Rajouri Garden',
      'Saket',
    ]);
    const collected = (await storesOf('New Delhi', 'saket', 'PICKUP,CURB')).body.storeStationDetails;
    expect(collected.map(({ id, distanceKm: km }) => [id, km])).toEqual([['10102', undefined]]);
    expect((await storesOf('New Delhi', 'Saket', 'PICKUP,CURB', where(CP))).body.storeStationDetails).toMatchObject([
      { distanceKm: Math.round(distanceKm(CP, collected[0]!) * 10) / 10 },
    ]);
    // The store of a town that no list of localities knows.
    expect((await areasOf('Negombo', 'DELIVERY', 'lk-web')).map(({ locality }) => locality)).toContain('Negombo');
    for (const [locality, type] of [
      ['Hauz Khas', 'PICKUP'],
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

  test.each([
    ['half a position', () => server.call(stores.nearest, { query: { latitude: '28.6' } }), 400],
    [
      'a latitude that is none',
      () => server.call(stores.nearest, { query: { latitude: 'NaN', longitude: '77' } }),
      400,
    ],
    [
      'a latitude beyond the pole',
      () => server.call(stores.lookup, { body: { latitude: 123, longitude: 77, deliveryType: 'DELIVERY' } }),
      400,
    ],
    ['a type that is none', () => server.call(stores.nearest, { query: { orderDeliveryType: 'DRONE' } }), 400],
    ['a store of another country', () => server.call(stores.byId, { storeId: '20101', query: {} }), 404],
    ['a city without a store', () => server.call(stores.ofCity, { city: 'Atlantis', query: {} }), 404],
  ])('%s is refused with a message', async (_, ask, status) => {
    const answer = await ask();
    expect(answer.status).toBe(status);
    expect(answer.body.errors?.[0]?.displayMsg).not.toBe('');
  });
});

describe('whether a store can take an order', () => {
  const saket = india.stores.get('10102')!;
  const NOON = Date.UTC(2027, 0, 13, 7, 0);
  const NIGHT = Date.UTC(2027, 0, 13, 20, 30);
  const problem = (
    order: { deliveryType: 'DELIVERY' | 'DINEIN'; slotId: string | null },
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
  });
  test('a nearer store that is offline does not keep a customer from one that works [LOC-15]', () => {
    const found = lookUp(india, 'DELIVERY', CP, new Set(['10101']));
    expect(found.kind === 'found' && found.store.id).toBe('10104');
  });
  test('a store that is wanted delivers though another is nearer; where it does not, the nearest does; and it is not replaced because it rests [LOC-15]', () => {
    const found = (storeId: string, offline: readonly string[] = []) => {
      const lookup = lookUp(india, 'DELIVERY', india.stores.get('10301')!, new Set(offline), storeId);
      return lookup.kind === 'found' ? lookup.store.id : lookup.kind;
    };
    expect(found('10304')).toBe('10304');
    expect(found('10102')).toBe('10301');
    expect(found('10304', ['10304'])).toBe('10304');
    expect(found('10304', ['10304', '10301'])).toBe('unavailable');
  });
});

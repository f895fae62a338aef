import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { Api } from '../../src/api/api.ts';
import * as stores from '../../src/contract/stores.ts';
import type { DeliveryType } from '../../src/contract/names.ts';
import * as errorText from '#text/errors.ts';
import { chosenStoreAtom, deliveryPlaceAtom, deliveryTypeAtom } from '../../src/state/first/location.ts';
import { safeStorage } from '../../src/state/first/lib/kept.ts';
import {
  askPickerAgainAtom,
  choosePlaceAtom,
  choosePredictionAtom,
  confirmPinAtom,
  findTasks,
  hostAddressMessageAtom,
  isHostPickerFirstAtom,
  isHostPickerOfferedAtom,
  movePinAtom,
  pickerQuestion,
  pickHostAddressAtom,
  pinAtom,
  pinState,
  predictionsState,
  searchAddressAtom,
  searchAtom,
} from '../../src/state/places/places.ts';
import { recentLocationsAtom, recentSearchesAtom } from '../../src/state/places/recents.ts';
import {
  areaState,
  chooseStoreAtom,
  citiesState,
  cityState,
  nearestState,
  nearStoresAtom,
  openChoiceAtom,
  storeIdListAtom,
} from '../../src/state/places/stores.ts';
import { apiAtom } from '../../src/state/first/seams.ts';
import { toastAtom } from '../../src/state/first/toast.ts';
import { followHostAtom } from '../../src/state/base/share.ts';
import { startServer } from '../kit/server.ts';
import { openCustomer, type Customer } from './customer.ts';

// Loaded beforehand: a module fetch does not run on fake timers.
import '../../hosts/paytm/actions.ts';
import { during } from '../kit/during.ts';

const server = during(() => startServer({ settings: { distDir: null } }));
beforeEach(() => server.switches({ offlineStores: [] }));

const SAKET = { lat: 28.5285, long: 77.219, text: 'Saket, New Delhi' };
const HSR = { lat: 12.9116, long: 77.6389, text: 'HSR Layout, Bengaluru' };
const SOUTH_OF_HSR = { lat: 12.885, long: 77.645, text: 'Begur, Bengaluru' };
/** Ten kilometres from the nearest store, and nowhere near any. */
const OUTSIDE = { lat: 28.44, long: 77.3, text: 'Beyond the town' };
const choose = (customer: Customer, at: typeof SAKET, flow = '') => {
  customer.set(openChoiceAtom, new URLSearchParams(flow));
  return customer.set(choosePlaceAtom, { delType: 'DELIVERY', ...at });
};
const suggestions = async (customer: Customer, text: string) => {
  customer.set(searchAtom, text);
  return vi.waitFor(() => {
    const { status, data } = customer.get(predictionsState.atom);
    if (status !== 'ready' || data?.text !== text) throw new Error(status);
    return data.predictions;
    // The first search of all sets up the index.
  });
};

describe('where a place leads', () => {
  test.each([
    ['from=cart', '/cart'],
    ['', '/address'],
    ['page=/menu', '/menu'],
    [`page=${encodeURIComponent('/address&fromProfile=true')}`, '/address?fromProfile=true'],
    ['page=https://elsewhere.example', '/address'],
  ])(
    '%s leads to %s, and a toast says who delivers where the page does not [LOC-45] [LOC-46]',
    async (flow, target) => {
      const customer = openCustomer(server);
      await choose(customer, SAKET, flow);
      expect([customer.went, customer.get(toastAtom) !== null]).toEqual([[target], target === '/menu']);
    },
  );

  test('an offline store with an advance-order store carries the flag, and the recent entry says why [LOC-30] [LOC-31] [LOC-50]', async () => {
    await server.switches({ offlineStores: ['10304'] });
    const customer = openCustomer(server);
    await choose(customer, SOUTH_OF_HSR);
    expect([customer.get(chosenStoreAtom)?.id, customer.get(chosenStoreAtom)?.online]).toEqual(['10304', 0]);
    expect(customer.went).toEqual(['/address?offline=true']);
    expect(customer.get(recentLocationsAtom)[0]?.recent.offline_msg).toBe(errorText.advanceOrderOnly);
    // A store that takes orders goes first where it reaches the place as well.
    await choose(customer, HSR);
    expect([customer.get(chosenStoreAtom)?.id, customer.went.at(-1)]).toEqual(['10301', '/address']);
  });

  test('a place with its door leads to the menu when it is chosen for its own sake, else to what asked for it [LOC-51]', async () => {
    const door = { houseNo: '12B', address: SAKET.text, type: 'home' } as const;
    const atTheDoor = { ...SAKET, address: { ...door, latitude: SAKET.lat, longitude: SAKET.long } };
    for (const [flow, target] of [
      ['', '/menu'],
      ['from=cart', '/cart'],
      ['page=/offers', '/offers'],
    ] as const) {
      const customer = openCustomer(server);
      await choose(customer, atTheDoor, flow);
      expect(customer.went).toEqual([target]);
    }
  });
});

describe('nobody delivers there', () => {
  test('the payload says what is wanted: a place to deliver to, stores to collect from, or a point known to lie outside [LOC-16]', async () => {
    const customer = openCustomer(server);
    const asked = () => customer.calls.splice(0);
    const { text, ...point } = SAKET;
    await customer.set(choosePlaceAtom, { delType: 'DELIVERY', ...point, text });
    expect(asked().filter((path) => path === stores.lookup.path)).toHaveLength(1);
    expect(customer.get(deliveryPlaceAtom)).toMatchObject({ latitude: point.lat, longitude: point.long });
    await customer.set(choosePlaceAtom, { delType: 'PICKUP', ...point, isTakeAwayFlow: true, text });
    expect(asked()).not.toContain(stores.lookup.path);
    expect(customer.get(nearStoresAtom)).toMatchObject({ type: 'PICKUP' });
    expect(customer.get(nearStoresAtom)!.stores.every(({ services }) => services.includes('PICKUP'))).toBe(true);
    const kept = customer.get(deliveryPlaceAtom);
    await customer.set(choosePlaceAtom, { delType: 'DELIVERY', ...point, isNoDelZone: true, text });
    expect([asked(), customer.get(deliveryPlaceAtom)]).toEqual([[], kept]);
    expect(customer.get(searchAddressAtom)).toMatchObject({
      servicable: false,
      storeDetails: null,
      geoLocation: { lat: point.lat, lng: point.long },
    });
  });

  test('a pin that is known to lie outside is not asked about again, and says where to collect instead [LOC-16] [LOC-17]', async () => {
    const customer = openCustomer(server);
    customer.set(movePinAtom, { latitude: OUTSIDE.lat, longitude: OUTSIDE.long });
    await vi.waitFor(() =>
      expect(customer.get(pinState.atom).data).toMatchObject({ servicable: false, latitude: OUTSIDE.lat }),
    );
    customer.calls.length = 0;
    await customer.set(confirmPinAtom);
    expect([customer.calls, customer.went]).toEqual([[], []]);
    expect(customer.get(searchAddressAtom)).toMatchObject({
      servicable: false,
      nearbyStore: { id: expect.any(String) },
    });
  });
});

describe('stores', () => {
  test('pickup and curbside ask for stores of both [LOC-06]', async () => {
    const customer = openCustomer(server);
    await customer.set(choosePlaceAtom, { delType: 'CURB', ...SAKET, isTakeAwayFlow: true });
    const curb = customer.get(nearestState.atom).data!.stores.map((store) => store.id);
    await customer.set(nearestState.load, 'PICKUP');
    expect(customer.get(nearestState.atom).data!.stores.map((store) => store.id)).toEqual(curb);
  });

  test.each([
    ['10102', 'PICKUP', 'CURB', 'PICKUP'],
    ['10102', 'CURB', 'CURB', 'CURB'],
    ['10101', 'CURB', 'PICKUP', 'PICKUP'],
    ['10102', 'DINEIN', 'DINEIN', 'DINEIN'],
  ] as const)(
    'store %s chosen for %s is stored as %s, and ordered from as %s [LOC-05] [LOC-47]',
    async (id, wanted, stored, type) => {
      const customer = openCustomer(server);
      await customer.set(choosePlaceAtom, { delType: wanted, ...SAKET, isTakeAwayFlow: true });
      const store = customer.get(nearestState.atom).data!.stores.find((one) => one.id === id)!;
      customer.set(openChoiceAtom, new URLSearchParams('isFromHome=true'));
      customer.set(chooseStoreAtom, store, wanted);
      customer.set(openChoiceAtom, new URLSearchParams());
      customer.set(chooseStoreAtom, store, wanted);
      customer.set(openChoiceAtom, new URLSearchParams('from=cart'));
      customer.set(chooseStoreAtom, store, wanted);
      expect(customer.went).toEqual(['/', '/home?offline=false', '/cart']);
      expect([customer.get(deliveryTypeAtom), customer.get(chosenStoreAtom)?.id]).toEqual([type, id]);
      expect(safeStorage.read('delivery-type')).toBe(JSON.stringify(stored));
      // The device remembers it, too.
      expect(openCustomer(server, { device: customer.device }).get(deliveryTypeAtom)).toBe(type);
    },
  );

  test("cities by delivery type, their stores and localities, none of them 'pokhra' [LOC-25] [LOC-27] [LOC-28]", async () => {
    const customer = openCustomer(server);
    const cities = async (type: DeliveryType) => {
      await customer.set(citiesState.load, type);
      return customer.get(citiesState.atom).data!.cities.map((one) => one.city);
    };
    const all = await cities('DELIVERY');
    expect(all).toContain('New Delhi');
    expect((await cities('DINEIN')).length).toBeLessThan(all.length);
    for (const city of all) {
      await customer.set(cityState.load, city, 'DELIVERY');
      const { localities } = customer.get(cityState.atom).data!;
      expect(localities.map((one) => one.locality.toLowerCase())).not.toContain('pokhra');
      const { locality, stores: count } = localities[0]!;
      await customer.set(areaState.load, city, locality, 'DELIVERY');
      const { stores } = customer.get(areaState.atom).data!;
      expect(stores).toHaveLength(count);
      expect(stores.every((store) => store.services.includes('DELIVERY') && store.advanceOrderStoreId !== '')).toBe(
        true,
      );
    }
  });
});

test('every look-up of a store asks for its rewards programme: a chosen place, a pin on the map, the areas of a city [LOY-16]', async () => {
  const customer = openCustomer(server);
  const api = customer.get(apiAtom);
  const asked: [string, string | undefined][] = [];
  customer.set(apiAtom, {
    ...api,
    call: ((...given: Parameters<Api['call']>) => {
      asked.push([given[0].path, given[2]?.headers?.['getStoreLoyaltyProgramCode']]);
      return api.call(...given);
    }) as Api['call'],
  });
  const lookUps = () => {
    const paths = ['/locator-service/ve2/stores', stores.localities.path];
    return asked.splice(0).filter(([path]) => paths.includes(path));
  };
  await choose(customer, SAKET);
  expect(lookUps()).toEqual([['/locator-service/ve2/stores', 'true']]);
  customer.set(movePinAtom, { latitude: HSR.lat, longitude: HSR.long });
  await vi.waitFor(() => expect(customer.get(pinState.atom)).toMatchObject({ data: { latitude: HSR.lat } }));
  expect(lookUps()).toEqual([['/locator-service/ve2/stores', 'true']]);
  await customer.set(cityState.load, 'New Delhi', 'DELIVERY');
  expect(lookUps()).toEqual([[stores.localities.path, 'true']]);
});

describe('lists of what was before', () => {
  const points = [
    SAKET,
    HSR,
    { lat: 28.6315, long: 77.2167, text: 'Connaught Place' },
    { lat: 19.0607, long: 72.8362, text: 'Bandra' },
    { lat: 12.9719, long: 77.6412, text: 'Indiranagar' },
  ];

  test('stores and locations keep four, newest first, none twice [LOC-18] [LOC-19]', async () => {
    const customer = openCustomer(server);
    for (const point of [...points, points[1]!]) await choose(customer, point);
    const ids = customer.get(storeIdListAtom);
    expect(ids).toHaveLength(4);
    expect(new Set(ids).size).toBe(4);
    expect(ids[0]).toBe(customer.get(chosenStoreAtom)?.id);
    expect(customer.get(recentLocationsAtom).map((one) => one.text)).toEqual([
      'HSR Layout, Bengaluru',
      'Indiranagar',
      'Bandra',
      'Connaught Place',
    ]);
    expect(customer.get(recentLocationsAtom)[0]).toMatchObject({
      recent: { offline_msg: '', address_id: null },
      location: { lat: HSR.lat, lng: HSR.long, address_id: null },
      deliveryType: 'DELIVERY',
    });
  });

  test('three searches, and a reload keeps them [LOC-20]', async () => {
    const customer = openCustomer(server);
    for (const text of ['saket', 'connaught', 'bandra', 'koramangala']) {
      const [first] = await suggestions(customer, text);
      await customer.set(choosePredictionAtom, first!, 'DELIVERY');
    }
    const again = openCustomer(server, { device: customer.device });
    expect(again.get(recentSearchesAtom).map((one) => one.main_text)[0]).toMatch(/Koramangala/);
    expect(again.get(recentSearchesAtom)).toHaveLength(3);
  });
});

describe('position', () => {
  test('confirmed before its name is there, a pin has the one of where it was first, or none of its own', async () => {
    const customer = openCustomer(server);
    const named = async (text: string) => {
      customer.set(pinAtom, { latitude: HSR.lat, longitude: HSR.long, text });
      await customer.set(confirmPinAtom);
      return customer.get(deliveryPlaceAtom)?.text;
    };
    expect(await named('HSR Layout')).toBe('HSR Layout');
    expect(await named('')).toBe('The place of your pin');
    customer.set(pinAtom, null);
    const went = customer.went.length;
    await customer.set(confirmPinAtom);
    expect([customer.went.length, customer.get(findTasks.busyAtom)]).toEqual([went, '']);
  });

  test('what was known of where the pin stood before says nothing of where it stands now [LOC-13]', async () => {
    for (const [latitude, longitude] of [
      [HSR.lat, HSR.long],
      [OUTSIDE.lat, HSR.long],
      [HSR.lat, OUTSIDE.long],
    ] as const) {
      const customer = openCustomer(server);
      customer.set(movePinAtom, { latitude: OUTSIDE.lat, longitude: OUTSIDE.long });
      await vi.waitFor(() => expect(customer.get(pinState.atom).data).toMatchObject({ servicable: false }));
      customer.calls.length = 0;
      customer.set(pinAtom, { latitude, longitude, text: 'Moved' });
      await customer.set(confirmPinAtom);
      expect(customer.calls.length, `${latitude} ${longitude}`).toBeGreaterThan(0);
    }
  });
});

describe('addresses of the host', () => {
  test('silent: the second tap asks again, the third one opens our own form [LOC-X05]', async () => {
    const silent = openCustomer(server, { host: 'paytm', controls: { address: 'silent' } });
    const asked = () => silent.fake!.log.filter(({ method }) => method === 'SelectAddress').length;
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
    const tap = async () => {
      const picking = silent.set(pickHostAddressAtom);
      await vi.advanceTimersByTimeAsync(100);
      return picking;
    };
    void tap();
    await vi.advanceTimersByTimeAsync(1_000);
    // A double tap.
    void tap();
    await vi.advanceTimersByTimeAsync(2_500);
    expect([asked(), silent.get(pickerQuestion.atom) === 'silent']).toEqual([1, true]);
    const second = tap();
    await vi.advanceTimersByTimeAsync(500);
    expect([asked(), silent.get(pickerQuestion.atom) === 'silent', silent.get(isHostPickerFirstAtom)]).toEqual([
      2,
      false,
      true,
    ]);
    await vi.advanceTimersByTimeAsync(4_000);
    await tap();
    vi.useRealTimers();
    await second;
    expect([asked(), silent.get(isHostPickerFirstAtom), silent.get(findTasks.busyAtom)]).toEqual([2, false, '']);
    expect(silent.get(hostAddressMessageAtom)).toContain('please tell us here');
    const asks = openCustomer(server, { host: 'paytm', controls: { address: 'silent' } });
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
    void asks.set(pickHostAddressAtom);
    await vi.advanceTimersByTimeAsync(4_000);
    asks.fake!.set({ address: 'pick' });
    const again = asks.set(pickHostAddressAtom);
    await vi.advanceTimersByTimeAsync(10);
    vi.useRealTimers();
    await again;
    expect(asks.get(deliveryPlaceAtom)?.address).toMatchObject({ houseNo: 'Flat 12, Rose Apartments' });
  });

  test("a late host's address picker is offered on the next visit of the page, never while somebody is choosing [LOC-X05]", async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const late = openCustomer(server, { host: 'paytm', controls: { ready: 'late', readyAfterMs: 60_000 } });
    late.set(followHostAtom);
    const picking = late.set(pickHostAddressAtom);
    await vi.advanceTimersByTimeAsync(40_000);
    await picking;
    late.set(askPickerAgainAtom);
    expect(late.get(isHostPickerFirstAtom)).toBe(false);
    await vi.advanceTimersByTimeAsync(30_000);
    vi.useRealTimers();
    expect(late.get(isHostPickerFirstAtom)).toBe(false);
    late.set(askPickerAgainAtom);
    expect(late.get(isHostPickerFirstAtom)).toBe(true);
    await late.set(pickHostAddressAtom);
    expect(late.get(deliveryPlaceAtom)?.address).toMatchObject({ houseNo: 'Flat 12, Rose Apartments' });
  });

  test('a browser has none, and uses the form', () => {
    expect(openCustomer(server).get(isHostPickerOfferedAtom)).toBe(false);
    expect(openCustomer(server, { host: 'gpay' }).get(isHostPickerOfferedAtom)).toBe(false);
    expect(openCustomer(server).get(isHostPickerFirstAtom)).toBe(false);
    expect(openCustomer(server, { host: 'paytm', isOutside: true }).get(isHostPickerFirstAtom)).toBe(false);
  });
});

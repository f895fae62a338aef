import { describe, expect, test, vi } from 'vitest';
import * as errors from '#text/errors.ts';
import * as t from '#text/location.ts';
import type { Api } from '../../src/api/api.ts';
import { Failure } from '../../src/api/failure.ts';
import type { HostAddress, HostBridge } from '../../src/bridge/hostBridge.ts';
import * as contract from '../../src/contract/places.ts';
import type { Prediction } from '../../src/contract/places.ts';
import * as stores from '../../src/contract/stores.ts';
import { STORE_NOT_AVAILABLE } from '../../src/domain/storeAlert.ts';
import { detailAtom } from '../../src/state/drafts/detail.ts';
import { deliveryPlaceAtom, storeIdAtom } from '../../src/state/first/location.ts';
import { apiAtom, hostAtom } from '../../src/state/first/seams.ts';
import { toastAtom } from '../../src/state/first/toast.ts';
import {
  chooseAreaAtom,
  choosePlaceAtom,
  choosePredictionAtom,
  findTasks,
  hereQuestion,
  gpsAtom,
  gpsMessageAtom,
  hostAddressMessageAtom,
  isHostPickerOfferedAtom,
  pickHostAddressAtom,
  pinAtom,
  pinState,
  predictionsState,
  searchAddressAtom,
  searchAtom,
  searchTextAtom,
  takeHereAtom,
  typedDoorAtom,
} from '../../src/state/places/places.ts';
import { popupAtom } from '../../src/state/base/popup.ts';
import { recentSearchesAtom } from '../../src/state/places/recents.ts';
import { aroundAtom, openChoiceAtom } from '../../src/state/places/stores.ts';
import { startServer } from '../kit/server.ts';
import { openShop } from '../server/shop.ts';
import { fails, openCustomer, type Customer } from './customer.ts';
import { during } from '../kit/during.ts';

const server = during(() => startServer({ settings: { distDir: null } }), openShop);

const SAKET = { lat: 28.5285, long: 77.219, text: 'Saket, New Delhi' };
const FAR = { lat: 34.15, long: 77.58, text: 'The mountains' };
const DELIVERY = 'DELIVERY' as const;
function opened(flow = ''): Customer {
  const customer = openCustomer(server);
  customer.set(openChoiceAtom, new URLSearchParams(flow));
  return customer;
}
/** From now on the host answers this call so. */
function answers(customer: Customer, name: keyof HostBridge, answer: () => unknown): void {
  customer.set(
    hostAtom,
    new Proxy(customer.host, { get: (host, of) => (of === name ? answer : Reflect.get(host, of)) as unknown }),
  );
}
/** What calls carry, by their path. */
function heard(customer: Customer) {
  const api = customer.get(apiAtom);
  const asked: [string, unknown][] = [];
  customer.set(apiAtom, {
    ...api,
    call: ((...given: Parameters<Api['call']>) => {
      asked.push([given[0].path, given[1]]);
      return api.call(...given);
    }) as Api['call'],
  });
  return asked;
}

describe('what is typed', () => {
  test('stays in the field, is looked for cleaned and near where one is, and not at all where it is too long', async () => {
    const customer = opened();
    const asked = heard(customer);
    const long = 'x'.repeat(301);
    customer.set(searchAtom, long);
    expect([customer.get(searchTextAtom), customer.get(predictionsState.atom).status]).toEqual([long, 'idle']);
    customer.set(searchAtom, ' s ');
    expect([customer.get(predictionsState.atom).status, customer.get(searchTextAtom)]).toEqual(['idle', ' s ']);
    customer.set(aroundAtom, { latitude: 28.5, longitude: 77.2, text: 'Saket' });
    customer.set(searchAtom, ' sa\u200bket\u202c ');
    await vi.waitFor(() => expect(customer.get(predictionsState.atom).data?.text).toBe('saket'));
    expect(asked).toEqual([
      [contract.autocomplete.path, { query: { input: 'saket', country: 'in', latitude: '28.5', longitude: '77.2' } }],
    ]);
  });
});

describe('a place that is chosen', () => {
  test('with its house, for its own sake, leads to the menu and says when the food is there', async () => {
    const customer = opened();
    const address = {
      latitude: SAKET.lat,
      longitude: SAKET.long,
      houseNo: '12',
      address: 'Road',
      type: 'home' as const,
    };
    await customer.set(choosePlaceAtom, { delType: DELIVERY, ...SAKET, address, addressId: 'adr_1' });
    expect(customer.went).toEqual(['/menu']);
    expect(customer.get(deliveryPlaceAtom)).toMatchObject({ address, address_id: 'adr_1', text: SAKET.text });
    expect(customer.get(toastAtom)?.message).toMatch(/\d/);
    // The page of the address says the same itself.
    const plain = opened();
    await plain.set(choosePlaceAtom, { delType: DELIVERY, ...SAKET });
    expect([plain.went, plain.get(toastAtom)]).toEqual([['/address'], null]);
    expect(plain.get(deliveryPlaceAtom)).not.toHaveProperty('address_id');
  });

  test('without a name has that of the nearest place; where nobody delivers it is shown with where one could collect', async () => {
    const named = opened();
    await named.set(choosePlaceAtom, { delType: DELIVERY, ...SAKET, text: '' });
    expect(named.get(deliveryPlaceAtom)?.text).toMatch(/New Delhi/);
    const far = opened();
    await far.set(choosePlaceAtom, { delType: DELIVERY, ...FAR });
    expect(far.get(searchAddressAtom)).toMatchObject({
      text: FAR.text,
      geoLocation: { lat: FAR.lat, lng: FAR.long },
      servicable: false,
      storeDetails: null,
      childStoreId: '',
    });
    expect([far.went, far.get(popupAtom), far.get(deliveryPlaceAtom)]).toEqual([[], null, null]);
  });

  test('no store there is no alert, any other refusal is one', async () => {
    const customer = opened();
    const list = (code: string) => new Failure('refused', { errors: [{ code, displayMsg: 'The store is full.' }] });
    fails(customer, stores.lookup, list('NO_STORE'));
    await customer.set(choosePlaceAtom, { delType: DELIVERY, ...SAKET });
    expect([customer.get(popupAtom), customer.get(searchAddressAtom)]).toMatchObject([
      null,
      { text: SAKET.text, geoLocation: { lat: SAKET.lat, lng: SAKET.long }, servicable: false, nearbyStore: null },
    ]);
    fails(customer, stores.lookup, list('FULL'));
    await customer.set(choosePlaceAtom, { delType: DELIVERY, ...SAKET });
    expect([customer.get(popupAtom)?.message, customer.get(searchAddressAtom)]).toEqual(['The store is full.', null]);
  });

  test('of a list of areas it has its city beside it, once, and the store that shall deliver', async () => {
    const customer = opened();
    const area = { locality: 'Saket', latitude: SAKET.lat, longitude: SAKET.long };
    const asked = heard(customer);
    await customer.set(chooseAreaAtom, area, 'New Delhi', '10102');
    expect(customer.get(deliveryPlaceAtom)?.text).toBe('Saket, New Delhi');
    expect(asked.find(([path]) => path === stores.lookup.path)?.[1]).toMatchObject({ body: { storeId: '10102' } });
    await customer.set(chooseAreaAtom, { ...area, locality: 'New Delhi' }, 'New Delhi', '10102');
    expect(customer.get(deliveryPlaceAtom)?.text).toBe('New Delhi');
  });
});

describe('a suggestion that is chosen', () => {
  const first = async (customer: Customer, text: string): Promise<Prediction> => {
    customer.set(searchAtom, text);
    return await vi.waitFor(() => {
      const { data } = customer.get(predictionsState.atom);
      if (data?.text !== text) throw new Error('not yet');
      return data.predictions[0]!;
    });
  };

  test('keeps the house that was typed with it, and clears the search', async () => {
    const customer = opened();
    const saket = await first(customer, 'saket');
    await customer.set(
      choosePredictionAtom,
      { ...saket, house: '12', street: 'Press Enclave', landmark: 'Mall' },
      DELIVERY,
    );
    const { latitude, longitude } = customer.get(deliveryPlaceAtom)!;
    expect(customer.get(typedDoorAtom)).toEqual({
      latitude,
      longitude,
      house: '12',
      street: 'Press Enclave',
      landmark: 'Mall',
    });
    expect([customer.get(searchTextAtom), customer.get(predictionsState.atom).status]).toEqual(['', 'idle']);
    expect(customer.get(recentSearchesAtom)).toHaveLength(1);
    await customer.set(choosePredictionAtom, { ...saket, house: '12' }, DELIVERY);
    expect(customer.get(typedDoorAtom)).toMatchObject({ house: '12', street: '', landmark: '' });
    await customer.set(choosePredictionAtom, saket, DELIVERY);
    expect(customer.get(typedDoorAtom)).toBeNull();
  });

  test('a town that is delivered to in parts leads to its areas; for collecting, to the stores around it', async () => {
    const customer = opened('from=cart');
    const saket = await first(customer, 'saket');
    const town = { ...saket, main_text: 'New Delhi', delivery: 'PARTLY' as const };
    await customer.set(choosePredictionAtom, town, DELIVERY);
    expect(customer.went).toEqual(['/manualSelector?city=New+Delhi&deliveryType=DELIVERY&from=cart']);
    expect(customer.get(deliveryPlaceAtom)).toBeNull();
    await customer.set(choosePredictionAtom, town, 'PICKUP');
    expect([customer.get(aroundAtom)?.text, customer.went.length]).toEqual([expect.stringContaining('Saket'), 1]);
  });

  test('one at a time; what cannot be looked up is said, and what is unknown changes nothing', async () => {
    const customer = opened();
    const saket = await first(customer, 'saket');
    const choosing = customer.set(choosePredictionAtom, saket, DELIVERY);
    expect(customer.get(findTasks.busyAtom)).toBe('place');
    customer.calls.length = 0;
    await customer.set(choosePredictionAtom, saket, DELIVERY);
    expect(customer.calls).not.toContain(contract.details.path);
    await choosing;
    expect([customer.get(findTasks.busyAtom), customer.went]).toEqual(['', ['/address']]);
    const other = opened();
    fails(other, contract.details, new Failure('offline'));
    await other.set(choosePredictionAtom, saket, DELIVERY);
    expect([other.get(popupAtom)?.message, other.get(findTasks.busyAtom), other.get(recentSearchesAtom)]).toEqual([
      errors.connectionLost,
      '',
      [],
    ]);
  });
});

describe('the own position', () => {
  test.each([
    ['DENIED', t.gpsDenied, 'off'],
    ['TIMEOUT', t.gpsTimeout, null],
    ['BUSY', t.gpsBusy, null],
    [undefined, t.gpsUnavailable, null],
  ] as const)('%s is said in a sentence of its own', async (code, sentence, gps) => {
    const customer = opened();
    answers(customer, 'getLocation', () => Promise.reject(Object.assign(new Error('x'), { code })));
    await customer.set(takeHereAtom, DELIVERY);
    expect([
      customer.get(gpsMessageAtom),
      customer.get(gpsAtom),
      customer.get(findTasks.busyAtom),
      customer.went,
    ]).toEqual([sentence, gps, '', []]);
  });

  test('for collecting it lists the stores around it, for a delivery it is a pin on the map', async () => {
    const customer = opened();
    customer.set(gpsMessageAtom, 'of before');
    answers(customer, 'getLocation', () => Promise.resolve({ latitude: SAKET.lat, longitude: SAKET.long }));
    const taking = customer.set(takeHereAtom, 'PICKUP');
    expect([customer.get(hereQuestion.atom), customer.get(gpsMessageAtom)]).toEqual(['asked', '']);
    await taking;
    expect([customer.get(aroundAtom), customer.get(pinAtom), customer.went]).toEqual([
      { latitude: SAKET.lat, longitude: SAKET.long, text: '' },
      null,
      [],
    ]);
    await customer.set(takeHereAtom, DELIVERY);
    expect([customer.get(pinAtom), customer.get(gpsAtom)]).toEqual([
      { latitude: SAKET.lat, longitude: SAKET.long, text: '' },
      'on',
    ]);
  });

  test('a pin where nobody delivers says so, and one whose store takes no order says why; anything else fails', async () => {
    const look = async (thrown: unknown) => {
      const customer = opened();
      fails(customer, stores.lookup, thrown);
      await customer.set(pinState.load, { latitude: SAKET.lat, longitude: SAKET.long, text: '' });
      return customer.get(pinState.atom);
    };
    const refused = (code: string) => new Failure('refused', { errors: [{ code, displayMsg: 'Closed today.' }] });
    const none = { servicable: false, store: null, nearestPickup: null };
    expect((await look(refused('NO_STORE'))).data).toMatchObject({ ...none, refused: '', latitude: SAKET.lat });
    expect((await look(refused(STORE_NOT_AVAILABLE))).data).toMatchObject({ ...none, refused: 'Closed today.' });
    expect(await look(new Failure('offline'))).toMatchObject({ status: 'failed', data: null });
  });
});

describe('an address that a host has picked', () => {
  const PICKED: HostAddress = {
    name: ' Asha  Devi Verma ',
    mobile: '9876543210',
    line1: 'Flat 12',
    line2: 'Rose Apartments',
    area: 'Saket',
    city: 'New Delhi',
    state: null,
    pincode: '110017',
    latitude: SAKET.lat,
    longitude: SAKET.long,
  };
  async function picked(change: Partial<HostAddress>, detail = { fName: '', lName: '', mobNo: '', email: '' }) {
    const customer = openCustomer(server, { host: 'paytm' });
    customer.set(openChoiceAtom, new URLSearchParams('from=cart'));
    customer.set(detailAtom, detail);
    answers(customer, 'pickAddress', () => Promise.resolve({ ...PICKED, ...change }));
    const asked = heard(customer);
    await customer.set(pickHostAddressAtom);
    return { customer, asked: asked.flatMap(([path, input]) => (path === contract.autocomplete.path ? [input] : [])) };
  }

  test('is the place with its lines, and its receiver is that of the order where nobody was typed', async () => {
    const { customer, asked } = await picked({});
    const rest = 'Rose Apartments, Saket, New Delhi, 110017';
    expect(customer.get(deliveryPlaceAtom)).toMatchObject({
      text: rest,
      address: {
        latitude: SAKET.lat,
        houseNo: 'Flat 12',
        address: rest,
        type: 'home',
        receiverName: PICKED.name,
        receiverMobile: '9876543210',
      },
    });
    expect(customer.get(detailAtom)).toEqual({ fName: 'Asha', lName: 'Devi Verma', mobNo: '9876543210', email: '' });
    expect([asked, customer.get(storeIdAtom)]).toEqual([[], '10102']);
    const typed = { fName: 'Usha', lName: 'Rao', mobNo: '9800000000', email: 'u@example.in' };
    expect((await picked({}, typed)).customer.get(detailAtom)).toEqual(typed);
    const bare = (await picked({ name: null, mobile: null, line2: ' ', area: null, city: null, pincode: null }))
      .customer;
    expect(bare.get(deliveryPlaceAtom)).toMatchObject({ text: 'Flat 12', address: { address: 'Flat 12' } });
    expect(bare.get(deliveryPlaceAtom)!.address).not.toHaveProperty('receiverName');
    expect(bare.get(detailAtom)).toEqual({ fName: '', lName: '', mobNo: '', email: '' });
  });

  test('without a position it is looked for by what it says, the nearest first', async () => {
    const unknown = { latitude: null, longitude: null };
    const inputs = (asked: readonly unknown[]) => asked.map((one) => (one as { query: { input: string } }).query.input);
    const { customer, asked } = await picked({ ...unknown, pincode: 'xqzxqz' });
    expect(inputs(asked)).toEqual(['xqzxqz', 'Saket New Delhi']);
    expect(customer.get(deliveryPlaceAtom)?.address).toMatchObject({ houseNo: 'Flat 12' });
    const half = await picked({ latitude: null, pincode: null, city: null });
    expect(inputs(half.asked)).toEqual(['Saket']);
    expect(half.customer.get(storeIdAtom)).toBe('10102');

    const lost = await picked({ ...unknown, pincode: null, area: 'Xqzxqzxqz', city: null });
    expect(lost.customer.get(deliveryPlaceAtom)).toBeNull();
    expect([lost.customer.get(hostAddressMessageAtom), lost.customer.get(searchTextAtom)]).toEqual([
      t.pickedUnknown,
      'Xqzxqzxqz',
    ]);
    expect([lost.customer.get(isHostPickerOfferedAtom), lost.customer.get(findTasks.busyAtom)]).toEqual([false, '']);
  });

  test.each([
    ['CANCELLED', t.pickerCancelled, true],
    ['BUSY', t.pickerCancelled, true],
    ['ABORTED', t.pickerCancelled, true],
    ['NOT_CANCELLED', t.pickerFailed, false],
    [undefined, t.pickerFailed, false],
  ] as const)(
    'none because of %s: what that means, and whether the picker is offered again',
    async (code, says, isOffered) => {
      const customer = openCustomer(server, { host: 'paytm' });
      answers(customer, 'pickAddress', () => Promise.reject(Object.assign(new Error('x'), { code })));
      await customer.set(pickHostAddressAtom);
      expect([customer.get(hostAddressMessageAtom), customer.get(isHostPickerOfferedAtom)]).toEqual([says, isOffered]);
    },
  );

  test('what cannot be looked up then is said over the page', async () => {
    const customer = openCustomer(server, { host: 'paytm' });
    answers(customer, 'pickAddress', () => Promise.resolve({ ...PICKED, latitude: null }));
    fails(customer, contract.autocomplete, new Failure('offline'));
    await customer.set(pickHostAddressAtom);
    expect([customer.get(popupAtom)?.message, customer.get(findTasks.busyAtom)]).toEqual([errors.connectionLost, '']);
  });
});

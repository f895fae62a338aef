import { expect, test } from 'vitest';
import * as errors from '#text/errors.ts';
import type { Api } from '../../src/api/api.ts';
import { Failure } from '../../src/api/failure.ts';
import * as contract from '../../src/contract/addresses.ts';
import {
  accountAddressesState,
  addressDetailAtom,
  addressesAtom,
  checkAddressAtom,
  chooseAddressAtom,
  localAddressesAtom,
  mergeAddressesAtom,
  openAddressAtom,
  removeAddressAtom,
  saveAddressAtom,
  type AddressDetail,
} from '../../src/state/places/addresses.ts';
import { apiAtom } from '../../src/state/first/seams.ts';
import { deliveryPlaceAtom, deliveryTypeAtom, storeIdAtom } from '../../src/state/first/location.ts';
import { mobileAtom, loginCode } from '../../src/state/people/loginCode.ts';
import {
  choosePlaceAtom,
  choosePredictionAtom,
  predictionsState,
  searchAddressAtom,
  searchAtom,
  typedDoorAtom,
  findTasks,
} from '../../src/state/places/places.ts';
import { recentSearchesAtom } from '../../src/state/places/recents.ts';
import { networkAtom } from '../../src/state/base/network.ts';
import { isLoggedInAtom } from '../../src/state/base/session.ts';
import { openChoiceAtom } from '../../src/state/places/stores.ts';
import { popupAtom } from '../../src/state/base/popup.ts';
import { toastAtom } from '../../src/state/first/toast.ts';
import { startServer } from '../kit/server.ts';
import { codeFor, freshMobile } from '../server/people.ts';
import { fails, openCustomer, type Customer } from './customer.ts';
import { during } from '../kit/during.ts';

const server = during(() => startServer({ settings: { distDir: null } }));

const SAKET = { delType: 'DELIVERY' as const, lat: 28.5285, long: 77.219, text: 'Saket, New Delhi' };
const open = async (customer: Customer, flow = '', id: string | null = null) => {
  customer.set(openChoiceAtom, new URLSearchParams(flow));
  await customer.set(openAddressAtom, id);
};
const fill = (customer: Customer, fields: Partial<AddressDetail>) =>
  customer.set(addressDetailAtom, (detail) => detail && { ...detail, ...fields });
/** A guest who has chosen a place and saved an address there. */
async function withAddress(fields: Partial<AddressDetail> = {}, customer = openCustomer(server)) {
  await customer.set(choosePlaceAtom, SAKET);
  await open(customer);
  fill(customer, { houseNo: '12B', address: 'Press Enclave Road', ...fields });
  expect(await customer.set(saveAddressAtom)).toBe(true);
  return customer;
}
async function logIn(customer: Customer, mobile = freshMobile()) {
  customer.set(mobileAtom, mobile);
  expect(await customer.set(loginCode.send)).toBe(true);
  customer.set(loginCode.typedAtom, await codeFor(server, mobile));
  expect(await customer.set(loginCode.check)).toBe(true);
  expect([customer.get(isLoggedInAtom), customer.get(loginCode.sentAtom)]).toEqual([true, null]);
}

test("a guest's address stays on the device, and a reload keeps it [LOC-36] [LOC-39] [LOC-42]", async () => {
  const customer = await withAddress({
    houseNo: ' 12B ',
    landmark: ' the temple ',
    type: 'office',
    label: 'of no use at the office',
    instructions: 'Gate 4',
    receiverName: 'Ravi',
    receiverMobile: '98765 43210',
  });
  expect(customer.calls.filter((path) => path.startsWith('/customer-service'))).toEqual([]);
  const again = openCustomer(server, { device: customer.device });
  expect(again.get(addressesAtom)).toEqual([
    {
      address_id: expect.any(String),
      houseNo: '12B',
      address: 'Press Enclave Road, Saket, New Delhi',
      area: 'Saket, New Delhi',
      latitude: SAKET.lat,
      longitude: SAKET.long,
      landmark: 'the temple',
      type: 'office',
      instructions: 'Gate 4',
      receiverName: 'Ravi',
      receiverMobile: '9876543210',
    },
  ]);
});

test.each([
  // The page of the payment begins with the address.
  ['from=cart', '/payment', undefined],
  ['', '/menu', 'Home is saved.'],
  ['page=/offers', '/offers', 'Home is saved.'],
  ['fromProfile=true', '/postorder-ui/myAddresses?fromProfile=true', 'Home is saved.'],
])('saved with %s it leads to %s, and a toast says: %s', async (flow, target, said) => {
  const customer = openCustomer(server);
  await customer.set(choosePlaceAtom, SAKET);
  await open(customer, flow);
  fill(customer, { houseNo: '7', landmark: 'the temple' });
  customer.set(toastAtom, null);
  await customer.set(saveAddressAtom);
  expect([customer.went.at(-1), customer.get(toastAtom)?.message]).toEqual([target, said]);
  expect(customer.get(addressDetailAtom)).toBeNull();
});

test('what is missing or wrong is said field by field, and nothing is saved [LOC-37] [LOC-38] [ERR-44]', async () => {
  const customer = openCustomer(server);
  await customer.set(choosePlaceAtom, SAKET);
  await open(customer);
  fill(customer, { address: ' ', type: 'other', receiverMobile: '123' });
  expect(customer.get(checkAddressAtom)).toEqual({
    houseNo: errors.fieldEmpty,
    address: errors.streetMissing,
    label: errors.fieldEmpty,
    receiverMobile: errors.mobileInvalid({ digits: 10 }),
  });
  expect(await customer.set(saveAddressAtom)).toBe(false);
  expect(customer.get(localAddressesAtom)).toEqual([]);
});

test('what was typed survives a reload, and a moved pin changes the area alone; saved, it is in the list [LOC-38] [ERR-X02]', async () => {
  const customer = openCustomer(server);
  await customer.set(choosePlaceAtom, SAKET);
  await open(customer);
  fill(customer, { houseNo: '12B', landmark: 'the temple' });
  const again = openCustomer(server, { device: customer.device });
  await open(again);
  expect(again.get(addressDetailAtom)).toMatchObject({
    houseNo: '12B',
    landmark: 'the temple',
    placeText: 'Saket, New Delhi',
    address: '',
  });
  await again.set(choosePlaceAtom, { ...SAKET, lat: 28.53, text: 'Malviya Nagar, New Delhi' });
  await open(again);
  expect(again.get(addressDetailAtom)).toMatchObject({
    houseNo: '12B',
    landmark: 'the temple',
    placeText: 'Malviya Nagar, New Delhi',
    latitude: 28.53,
  });
  fill(again, { address: 'My own words' });
  await again.set(choosePlaceAtom, SAKET);
  await open(again);
  expect(again.get(addressDetailAtom)).toMatchObject({ address: 'My own words', latitude: SAKET.lat });
  expect(await again.set(saveAddressAtom)).toBe(true);
  expect(again.get(addressesAtom)).toMatchObject([
    {
      houseNo: '12B',
      address: 'My own words, Saket, New Delhi',
      landmark: 'the temple',
      latitude: SAKET.lat,
      longitude: SAKET.long,
    },
  ]);
});

test('what was prefilled is no address: a street is asked for, or a landmark, and a house that is more than a dash', async () => {
  const customer = openCustomer(server);
  await customer.set(choosePlaceAtom, { ...SAKET, text: 'Saket, New Delhi, 110017' });
  await open(customer);
  const problems = (fields: Partial<AddressDetail>) => {
    fill(customer, fields);
    return customer.get(checkAddressAtom);
  };
  expect(problems({ houseNo: '12A' })).toEqual({ address: errors.streetMissing });
  for (const address of ['saket', 'Saket, New Delhi - 110017', '110017', '12'])
    expect(problems({ address })).toEqual({ address: errors.streetMissing });
  expect(problems({ address: '', landmark: 'New Delhi' })).toEqual({ address: errors.streetMissing });
  expect(problems({ landmark: 'Behind the temple' })).toEqual({});
  expect(problems({ landmark: '', address: 'Press Enclave Road' })).toEqual({});
  expect(problems({ address: 'Saket Road' })).toEqual({});
  expect(problems({ houseNo: '-' })).toEqual({ houseNo: errors.houseMissing });
});

test('house and street that were typed into the search are in the form, and a changed address has its street alone', async () => {
  const customer = openCustomer(server);
  customer.set(searchAtom, '12, 80 feet road, Indiranagar');
  await expect.poll(() => customer.get(predictionsState.atom).data?.predictions[0]?.main_text).toBe('Indiranagar');
  await customer.set(choosePredictionAtom, customer.get(predictionsState.atom).data!.predictions[0]!, 'DELIVERY');
  await open(customer);
  expect(customer.get(addressDetailAtom)).toMatchObject({
    houseNo: '12',
    address: '80 feet road',
    placeText: 'Indiranagar, Bengaluru, 560038',
  });
  // The next search has no house of its own.
  expect(customer.get(recentSearchesAtom)[0]).not.toHaveProperty('house');
  expect(await customer.set(saveAddressAtom)).toBe(true);
  const [saved] = customer.get(addressesAtom);
  expect(saved?.address).toBe('80 feet road, Indiranagar, Bengaluru, 560038');
  await open(customer, 'fromProfile=true', saved!.address_id);
  expect(customer.get(addressDetailAtom)).toMatchObject({ address: '80 feet road', houseNo: '12' });
});

test('a house or street alone typed into the search leaves the form’s other field, and what is too long is said, not cut', async () => {
  const customer = openCustomer(server);
  await customer.set(choosePlaceAtom, SAKET);
  await open(customer);
  fill(customer, { houseNo: '12B', address: 'Press Enclave Road' });
  const { lat: latitude, long: longitude } = SAKET;
  const searched = async (typed: { house?: string; street?: string; landmark?: string }) => {
    customer.set(typedDoorAtom, { latitude, longitude, house: '', street: '', landmark: '', ...typed });
    await open(customer);
    return customer.get(addressDetailAtom);
  };
  expect(await searched({ street: 'Temple Road' })).toMatchObject({ houseNo: '12B', address: 'Temple Road' });
  expect(await searched({ house: '7' })).toMatchObject({ houseNo: '7', address: 'Temple Road' });
  const long = { house: '7'.repeat(90), street: 'T'.repeat(200), landmark: 'L'.repeat(121) };
  expect(await searched(long)).toMatchObject({ houseNo: long.house, address: long.street, landmark: long.landmark });
  expect(customer.get(checkAddressAtom)).toEqual({
    houseNo: errors.textLong({ count: 80 }),
    address: errors.textLong({ count: 160 }),
    landmark: errors.textLong({ count: 120 }),
  });
  // Lengths are counted of what can be seen.
  fill(customer, { houseNo: `${'7'.repeat(80)} \u200b`, address: 'Temple Road', landmark: '\u202aMetro\u202c' });
  expect(customer.get(checkAddressAtom)).toEqual({});
});

test("a login takes the guest's addresses into the account, without doubles [LOC-42]", async () => {
  const mobile = freshMobile();
  const customer = await withAddress();
  await logIn(customer, mobile);
  expect(customer.get(localAddressesAtom)).toEqual([]);
  const saved = customer.get(addressesAtom);
  expect(saved).toMatchObject([{ houseNo: '12B' }]);
  expect(customer.get(deliveryPlaceAtom)?.address_id).toBe(saved[0]?.address_id);
  await server.advance(31);
  const elsewhere = await withAddress();
  // On a slow line the list comes with what shows it.
  elsewhere.set(networkAtom, { isConnected: true, networkType: '2g' });
  await logIn(elsewhere, mobile);
  expect(elsewhere.calls).not.toContain(contract.list.path);
  await elsewhere.set(accountAddressesState.load);
  expect(elsewhere.get(addressesAtom)).toHaveLength(1);
});

test('where nobody delivers an address is not taken, and the form stays [LOC-17]', async () => {
  const customer = openCustomer(server);
  await customer.set(choosePlaceAtom, SAKET);
  await open(customer);
  fill(customer, { houseNo: '1', address: 'Temple Road', latitude: 28.44, longitude: 77.3 });
  expect(await customer.set(saveAddressAtom)).toBe(false);
  expect(customer.get(searchAddressAtom)).toMatchObject({ servicable: false });
  expect([customer.get(addressDetailAtom)?.houseNo, customer.get(deliveryPlaceAtom)?.address]).toEqual(['1', null]);
});

test('an address that the server would not delete is back in the list, with the reason; one that is gone already is deleted', async () => {
  const customer = await withAddress();
  await logIn(customer);
  const [one] = customer.get(addressesAtom);
  const api = customer.get(apiAtom);
  customer.set(apiAtom, { ...api, call: (() => Promise.reject(new Failure('offline'))) as Api['call'] });
  customer.set(toastAtom, null);
  await customer.set(removeAddressAtom, one!.address_id);
  expect(customer.get(addressesAtom)).toEqual([one]);
  expect([customer.get(popupAtom)?.message, customer.get(toastAtom)]).toEqual([errors.connectionLost, null]);

  customer.set(apiAtom, api);
  customer.set(popupAtom, null);
  // Another device of the account deletes it first.
  await api.call(contract.remove, { addressId: one!.address_id });
  await customer.set(removeAddressAtom, one!.address_id);
  expect([customer.get(addressesAtom), customer.get(popupAtom)]).toEqual([[], null]);
  expect(customer.get(toastAtom)?.message).toBe('Home is deleted.');
});

test('a form closes with the address that it changes, and one that is gone leads to the list', async () => {
  const customer = await withAddress();
  await withAddress({ houseNo: '14' }, customer);
  const [second, first] = customer.get(addressesAtom);
  await open(customer, 'fromProfile=true', first!.address_id);
  await customer.set(removeAddressAtom, second!.address_id);
  expect(customer.get(addressDetailAtom)).toMatchObject({ houseNo: '12B' });
  await customer.set(removeAddressAtom, first!.address_id);
  expect(customer.get(addressDetailAtom)).toBeNull();
  await open(customer, 'fromProfile=true', first!.address_id);
  expect([customer.went.at(-1), customer.get(addressDetailAtom)]).toEqual(['/postorder-ui/myAddresses', null]);
});

test('an address changed from the profile leaves the place of delivery where it is, unless it is that one [LOC-40] [LOC-44]', async () => {
  const customer = await withAddress();
  await withAddress({ houseNo: '14' }, customer);
  const [second, first] = customer.get(addressesAtom);
  for (const [one, delivered] of [
    [first, '14'],
    [second, '99'],
  ] as const) {
    await open(customer, 'fromProfile=true', one!.address_id);
    fill(customer, { houseNo: '99' });
    customer.set(deliveryTypeAtom, 'PICKUP');
    expect(await customer.set(saveAddressAtom)).toBe(true);
    expect(customer.get(deliveryPlaceAtom)?.address?.houseNo).toBe(delivered);
    expect(customer.get(deliveryTypeAtom)).toBe('PICKUP');
  }
  expect(customer.get(addressesAtom).map((one) => one.houseNo)).toEqual(['99', '99']);
  // Saved on the way to an order, it is where the food goes to.
  await open(customer, '', first!.address_id);
  expect(await customer.set(saveAddressAtom)).toBe(true);
  expect(customer.get(deliveryPlaceAtom)?.address_id).toBe(first!.address_id);
  expect([customer.get(deliveryTypeAtom), customer.get(storeIdAtom)]).toEqual(['DELIVERY', '10102']);
});

test("an address that the account would not take at the login stays on the device, under its id, beside the account's own", async () => {
  const customer = await withAddress();
  const [kept] = customer.get(addressesAtom);
  const api = customer.get(apiAtom);
  customer.set(apiAtom, {
    ...api,
    call: ((...given: Parameters<Api['call']>) =>
      given[0] === contract.create ? Promise.reject(new Failure('offline')) : api.call(...given)) as Api['call'],
  });
  await logIn(customer);
  customer.set(apiAtom, api);
  expect(customer.get(addressesAtom)).toEqual([kept]);
  await open(customer, 'fromProfile=true', kept!.address_id);
  fill(customer, { houseNo: '15' });
  customer.calls.length = 0;
  expect(await customer.set(saveAddressAtom)).toBe(true);
  expect(customer.calls.filter((path) => path.startsWith('/customer-service'))).toEqual([]);
  expect(customer.get(addressesAtom)).toEqual([{ ...kept, houseNo: '15' }]);
  // What is saved from now on goes into the account, and stands before it.
  await withAddress({ houseNo: '16' }, customer);
  expect(customer.get(addressesAtom).map((one) => one.houseNo)).toEqual(['16', '15']);
  expect(customer.get(localAddressesAtom)).toHaveLength(1);
  // The next login brings it over.
  await customer.set(mergeAddressesAtom);
  expect(customer.get(localAddressesAtom)).toEqual([]);
  expect(
    customer
      .get(addressesAtom)
      .map((one) => one.houseNo)
      .sort(),
  ).toEqual(['15', '16']);
});

test('what the server refuses is said where it can be mended, a full account beside the form, and the form is as it was', async () => {
  const customer = openCustomer(server);
  await customer.set(choosePlaceAtom, SAKET);
  await logIn(customer);
  await open(customer);
  fill(customer, { houseNo: '12B', address: 'Press Enclave Road' });
  const typed = customer.get(addressDetailAtom);
  const displayMsg = 'Not like that.';
  for (const [error, problems] of [
    [{ code: 'INVALID', field: 'body.houseNo', displayMsg }, { houseNo: displayMsg }],
    [{ code: 'ADDRESS_LIMIT', displayMsg }, { form: displayMsg }],
    [{ code: 'INVALID', field: 'body.latitude', displayMsg }, null],
  ] as const) {
    const mend = fails(customer, contract.create, new Failure('refused', { errors: [error] }));
    expect(await customer.set(saveAddressAtom)).toBe(false);
    expect(customer.get(findTasks.problemsAtom)).toEqual(problems ?? {});
    expect(customer.get(popupAtom)?.message).toBe(problems ? undefined : displayMsg);
    expect(customer.get(addressDetailAtom)).toEqual(typed);
    mend();
  }
  // The next try begins afresh.
  expect(await customer.set(saveAddressAtom)).toBe(true);
  expect(customer.get(findTasks.problemsAtom)).toEqual({});
});

test('an address from before the area was asked for keeps every word in its street, and an area alone is no street', async () => {
  const customer = openCustomer(server);
  const old = { houseNo: '7', latitude: SAKET.lat, longitude: SAKET.long, type: 'home' as const };
  const streets = async (more: { address: string; area?: string }) => {
    customer.set(localAddressesAtom, [{ ...old, ...more, address_id: `local-${more.address}${more.area}` }]);
    await open(customer, 'fromProfile=true', `local-${more.address}${more.area}`);
    return customer.get(addressDetailAtom)!.address;
  };
  expect(await streets({ address: 'Temple Road, Saket' })).toBe('Temple Road, Saket');
  expect(await streets({ address: 'Temple Road, Saket', area: 'Malviya Nagar' })).toBe('Temple Road, Saket');
  expect(await streets({ address: 'Temple Road, Saket', area: 'Saket' })).toBe('Temple Road');
  expect(await streets({ address: 'Saket', area: 'Saket' })).toBe('');
});

test('the form of a saved address opens on a page that was just loaded, and what is typed into it outlasts a look elsewhere', async () => {
  const first = await withAddress({ type: 'other', label: ' Gym ' });
  expect(first.get(toastAtom)?.message).toContain('Gym');
  await logIn(first);
  const [one] = first.get(addressesAtom);
  expect(one).toMatchObject({ type: 'other', label: 'Gym' });
  const again = openCustomer(server, { device: first.device });
  await open(again, 'fromProfile=true', one!.address_id);
  expect([again.get(addressDetailAtom)?.houseNo, again.went]).toEqual(['12B', []]);
  fill(again, { houseNo: '14' });
  await open(again, 'fromProfile=true', one!.address_id);
  expect(again.get(addressDetailAtom)?.houseNo).toBe('14');
});

test("an area's name that stood in the street's field is no street once the pin has moved", async () => {
  const customer = openCustomer(server);
  await customer.set(choosePlaceAtom, SAKET);
  await open(customer);
  fill(customer, { houseNo: '12B', address: SAKET.text });
  await customer.set(choosePlaceAtom, { ...SAKET, lat: 28.53, text: 'Malviya Nagar, New Delhi' });
  await open(customer);
  expect(customer.get(addressDetailAtom)).toMatchObject({ houseNo: '12B', address: '' });
});

test('what was typed into the search for another place is not in the form, and stays for its own', async () => {
  const customer = openCustomer(server);
  const typed = { latitude: 28.53, longitude: SAKET.long, house: '7', street: 'Temple Road', landmark: '' };
  customer.set(typedDoorAtom, typed);
  await customer.set(choosePlaceAtom, SAKET);
  customer.set(typedDoorAtom, typed);
  await open(customer);
  expect(customer.get(addressDetailAtom)).toMatchObject({ houseNo: '', address: '' });
  expect(customer.get(typedDoorAtom)).toEqual(typed);
});

test('a form for the place opens with its own address, not with that of another one which was looked at before', async () => {
  const customer = await withAddress();
  const [first] = customer.get(addressesAtom);
  await withAddress({ houseNo: '14' }, customer);
  await open(customer, 'fromProfile=true', first!.address_id);
  fill(customer, { landmark: 'of the first' });
  await open(customer);
  expect(customer.get(addressDetailAtom)).toMatchObject({ houseNo: '14', landmark: '' });
});

test('a saved address that is chosen is where the food goes to, with its door', async () => {
  const customer = await withAddress();
  const [saved] = customer.get(addressesAtom);
  await customer.set(choosePlaceAtom, { ...SAKET, lat: 28.53, text: 'Malviya Nagar, New Delhi' });
  expect(customer.get(deliveryPlaceAtom)?.address).toBeNull();
  customer.set(deliveryTypeAtom, 'PICKUP');
  await customer.set(chooseAddressAtom, saved!);
  expect(customer.get(deliveryPlaceAtom)).toMatchObject({
    latitude: SAKET.lat,
    longitude: SAKET.long,
    text: 'Saket, New Delhi',
    address: { houseNo: '12B' },
    address_id: saved!.address_id,
  });
  expect(customer.get(deliveryTypeAtom)).toBe('DELIVERY');
  // One from before the area was asked for.
  const { area: _, ...old } = saved!;
  await customer.set(chooseAddressAtom, old);
  expect(customer.get(deliveryPlaceAtom)?.text).toBe('Press Enclave Road, Saket, New Delhi');
});

test('to delete an address that is not there does nothing, and an Undo that fails says so', async () => {
  const customer = await withAddress();
  customer.set(toastAtom, null);
  await customer.set(removeAddressAtom, 'nothing of this name');
  expect([customer.get(addressesAtom).length, customer.get(toastAtom)]).toEqual([1, null]);
  await logIn(customer);
  await customer.set(removeAddressAtom, customer.get(addressesAtom)[0]!.address_id);
  fails(customer, contract.create, new Failure('offline'));
  customer.get(toastAtom)!.action!.act!();
  await expect.poll(() => customer.get(popupAtom)?.message).toBe(errors.connectionLost);
  expect(customer.get(addressesAtom)).toEqual([]);
});

test('at a login the addresses that the account does not take stay on the device, and keep none of the others back', async () => {
  const customer = await withAddress();
  const place = customer.get(deliveryPlaceAtom);
  const old = {
    houseNo: '7',
    address: 'Saket, New Delhi',
    area: 'Saket, New Delhi',
    latitude: SAKET.lat,
    longitude: SAKET.long,
    type: 'home' as const,
    address_id: 'local-old',
  };
  customer.set(localAddressesAtom, (list) => [...list, old]);
  await logIn(customer);
  expect(customer.get(localAddressesAtom)).toEqual([old]);
  const [saved] = customer.get(addressesAtom);
  expect(customer.get(addressesAtom).map((one) => one.houseNo)).toEqual(['12B', '7']);
  // The place follows its own address alone.
  expect(saved!.address_id).not.toBe(place?.address_id);
  expect(customer.get(deliveryPlaceAtom)).toEqual({ ...place, address_id: saved!.address_id });
});

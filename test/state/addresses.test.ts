import { afterAll, beforeAll, expect, test } from 'vitest';
import * as errors from '#text/errors.ts';
import {
  addressDetailAtom,
  addressesAtom,
  addressProblemsAtom,
  checkAddressAtom,
  localAddressesAtom,
  openAddressAtom,
  removeAddressAtom,
  saveAddressAtom,
  type AddressDetail,
} from '../../src/state/addresses.ts';
import { deliveryPlaceAtom, deliveryTypeAtom, storeIdAtom } from '../../src/state/first/location.ts';
import { codeAtom, mobileAtom, otpSentAtom, sendOtpAtom, validateOtpAtom } from '../../src/state/login.ts';
import {
  choosePlaceAtom,
  choosePredictionAtom,
  predictionsState,
  searchAddressAtom,
  searchAtom,
} from '../../src/state/places.ts';
import { recentSearchesAtom } from '../../src/state/recents.ts';
import { isLoggedInAtom } from '../../src/state/session.ts';
import { openChoiceAtom } from '../../src/state/stores.ts';
import { popupAtom } from '../../src/state/popup.ts';
import { toastAtom } from '../../src/state/first/toast.ts';
import { startServer, type TestServer } from '../kit/server.ts';
import { codeFor, freshMobile } from '../server/people.ts';
import { openCustomer, type Customer } from './customer.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer({ settings: { distDir: null } });
});
afterAll(() => server.stop());

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
  expect(await customer.set(sendOtpAtom)).toBe(true);
  customer.set(codeAtom, await codeFor(server, mobile));
  expect(await customer.set(validateOtpAtom)).toBe(true);
  expect([customer.get(isLoggedInAtom), customer.get(otpSentAtom)]).toEqual([true, null]);
}

test("a guest's address stays on the device, and a reload keeps it [LOC-36] [LOC-39] [LOC-42]", async () => {
  const customer = await withAddress({
    landmark: 'the temple',
    type: 'office',
    instructions: 'Gate 4',
    receiverName: 'Ravi',
    receiverMobile: '98765 43210',
  });
  expect(customer.calls.filter((path) => path.startsWith('/customer-service'))).toEqual([]);
  const again = openCustomer(server, { device: customer.device });
  expect(again.get(addressesAtom)).toMatchObject([
    {
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
  ['from=cart', '/payment'],
  ['', '/menu'],
  ['page=/offers', '/offers'],
  ['fromProfile=true', '/postorder-ui/myAddresses?fromProfile=true'],
])('saved with %s it leads to %s', async (flow, target) => {
  const customer = openCustomer(server);
  await customer.set(choosePlaceAtom, SAKET);
  await open(customer, flow);
  fill(customer, { houseNo: '7', landmark: 'the temple' });
  await customer.set(saveAddressAtom);
  expect(customer.went.at(-1)).toBe(target);
  expect(customer.get(addressDetailAtom)).toBeNull();
});

test('saving makes it the delivery place with its door [LOC-44]', async () => {
  const customer = await withAddress();
  expect(customer.get(deliveryPlaceAtom)).toMatchObject({
    address_id: customer.get(addressesAtom)[0]?.address_id,
    address: { houseNo: '12B' },
  });
  expect([customer.get(deliveryTypeAtom), customer.get(storeIdAtom)]).toEqual(['DELIVERY', '10102']);
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

test('what was typed survives a reload, and a moved pin changes the area alone [ERR-X02]', async () => {
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

test('a town where only some areas are delivered to leads to the list of them', async () => {
  const customer = openCustomer(server);
  customer.set(searchAtom, 'bengaluru');
  await expect.poll(() => customer.get(predictionsState.atom).data?.predictions[0]?.delivery).toBe('PARTLY');
  await customer.set(choosePredictionAtom, customer.get(predictionsState.atom).data!.predictions[0]!, 'DELIVERY');
  expect(customer.went).toEqual(['/manualSelector?city=Bengaluru&deliveryType=DELIVERY']);
});

test('an address is changed under its id [LOC-40]', async () => {
  const customer = await withAddress();
  const address_id = customer.get(addressesAtom)[0]!.address_id;
  await open(customer, 'fromProfile=true', address_id);
  fill(customer, { houseNo: '14' });
  await customer.set(saveAddressAtom);
  expect(customer.get(addressesAtom)).toMatchObject([{ address_id, houseNo: '14' }]);
  expect(customer.get(deliveryPlaceAtom)?.address?.houseNo).toBe('14');
});

test('deleted by address_id at once, and Undo puts it back, for a guest and in an account [LOC-41]', async () => {
  const customer = await withAddress();
  for (const loggedIn of [false, true]) {
    if (loggedIn) await logIn(customer);
    const [before] = customer.get(addressesAtom);
    await customer.set(removeAddressAtom, before!.address_id);
    expect(customer.get(addressesAtom)).toEqual([]);
    const toast = customer.get(toastAtom)!;
    expect([toast.message, toast.action?.label]).toEqual(['Home is deleted.', 'Undo']);
    toast.action!.act!();
    await expect.poll(() => customer.get(addressesAtom).map((one) => one.houseNo)).toEqual(['12B']);
  }
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
  await logIn(elsewhere, mobile);
  expect(elsewhere.get(addressesAtom)).toHaveLength(1);
});

test('an account that is full says so and keeps what was typed', async () => {
  const customer = openCustomer(server);
  await customer.set(choosePlaceAtom, SAKET);
  await logIn(customer);
  for (let door = 1; door <= 20; door += 1) {
    await open(customer);
    fill(customer, { address_id: null, houseNo: String(door), address: 'Press Enclave Road' });
    expect(await customer.set(saveAddressAtom)).toBe(true);
  }
  await open(customer);
  fill(customer, { address_id: null, houseNo: '21', address: 'Press Enclave Road' });
  expect(await customer.set(saveAddressAtom)).toBe(false);
  expect(customer.get(addressProblemsAtom).form).toBe(errors.addressLimit);
  expect(customer.get(addressDetailAtom)?.houseNo).toBe('21');
  expect(customer.get(popupAtom)).toBeNull();
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

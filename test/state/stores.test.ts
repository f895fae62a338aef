import { expect, test, vi } from 'vitest';
import * as errorText from '#text/errors.ts';
import { Failure } from '../../src/api/failure.ts';
import { chosenStoreAtom, deliveryTypeAtom } from '../../src/state/first/location.ts';
import { navigateAtom } from '../../src/state/first/seams.ts';
import { toastAtom } from '../../src/state/first/toast.ts';
import { choosePlaceAtom } from '../../src/state/places/places.ts';
import { popupAtom } from '../../src/state/base/popup.ts';
import { recentLocationsAtom } from '../../src/state/places/recents.ts';
import {
  aroundAtom,
  chooseStoreAtom,
  areaState,
  flowAtom,
  flowPath,
  isIndependentFlowAtom,
  lookAtTypeAtom,
  nearestState,
  nearStoresAtom,
  openChoiceAtom,
  openTableAtom,
  shownStoresAtom,
  shownTypeAtom,
  showStoreFailureAtom,
  storeErrorAtom,
  storeIdListAtom,
} from '../../src/state/places/stores.ts';
import { tableAtom } from '../../src/state/drafts/table.ts';
import { startServer } from '../kit/server.ts';
import { openCustomer } from './customer.ts';
import { during } from '../kit/during.ts';

const server = during(() => startServer({ settings: { distDir: null } }));

const SAKET = { lat: 28.5285, long: 77.219, text: 'Saket, New Delhi' };
/** Nowhere near any store. */
const MOUNTAINS = { latitude: 34.15, longitude: 77.58, text: 'The mountains' };

test('distances only from a place that is known, and what is far when nothing is near', async () => {
  const customer = openCustomer(server);
  await customer.set(nearestState.load, 'PICKUP');
  const guessed = customer.get(nearestState.atom).data!.stores;
  expect(guessed.length).toBeGreaterThan(0);
  expect(guessed.filter((store) => store.distanceKm !== undefined)).toEqual([]);
  customer.set(aroundAtom, MOUNTAINS);
  await customer.set(nearestState.load, 'PICKUP');
  const far = customer.get(nearStoresAtom)!.stores;
  expect(far.length).toBeGreaterThan(0);
  expect(far.every((store) => store.distanceKm! > 60)).toBe(true);
  await customer.set(areaState.load, 'New Delhi', 'Saket', 'PICKUP');
  expect(customer.get(areaState.atom).data!.stores.every((store) => store.distanceKm! > 60)).toBe(true);
});

test('stores to eat at never stand under the title of those to collect from, and looking at them changes no price', async () => {
  const customer = openCustomer(server);
  await customer.set(choosePlaceAtom, { delType: 'DELIVERY', ...SAKET });
  expect(customer.set(openChoiceAtom, new URLSearchParams('deliveryType=PICKUP'))).toBe('PICKUP');
  await customer.set(nearestState.load, 'PICKUP');
  expect(customer.get(shownStoresAtom)!.every((store) => store.services.includes('PICKUP'))).toBe(true);
  customer.set(lookAtTypeAtom, 'DINEIN');
  expect([customer.get(shownTypeAtom), customer.get(shownStoresAtom)]).toEqual(['DINEIN', null]);
  await vi.waitFor(() => expect(customer.get(shownStoresAtom)).not.toBeNull());
  expect(customer.get(shownStoresAtom)!.every((store) => store.services.includes('DINEIN'))).toBe(true);
  expect(customer.get(deliveryTypeAtom)).toBe('DELIVERY');
  // A delivery has a place, and cities to find one in, not a list of stores to choose from.
  customer.calls.length = 0;
  customer.set(lookAtTypeAtom, 'DELIVERY');
  expect([customer.get(shownTypeAtom), customer.calls]).toEqual(['DELIVERY', ['/locator-service/ve2/cities']]);
  // Opened anew without a wish, it shows what is stored.
  customer.set(lookAtTypeAtom, 'DINEIN');
  expect(customer.set(openChoiceAtom, new URLSearchParams())).toBe('DELIVERY');
  expect(customer.get(shownTypeAtom)).toBe('DELIVERY');
});

test('a chosen store is first of the recent ones, says where to, and why if it takes no order now', async () => {
  const customer = openCustomer(server);
  await customer.set(choosePlaceAtom, { delType: 'DINEIN', ...SAKET, isTakeAwayFlow: true });
  const [store] = customer.get(nearestState.atom).data!.stores;
  for (const online of [1, 0]) {
    customer.set(storeErrorAtom, { header: '', message: '', button: '' });
    customer.set(chooseStoreAtom, { ...store!, online }, 'DINEIN');
    expect(customer.get(recentLocationsAtom)[0]).toMatchObject({
      recent: { id: store!.id, offline_msg: online === 0 ? errorText.advanceOrderOnly : '' },
      text: store!.name,
      location: { lat: store!.latitude, lng: store!.longitude },
      deliveryType: 'DINEIN',
    });
    expect([customer.get(storeIdListAtom)[0], customer.get(storeErrorAtom)]).toEqual([store!.id, null]);
  }
  expect(customer.get(toastAtom)).toMatchObject({ message: expect.stringContaining(store!.name) });
});

test('why a store is refused has the id by which support finds the call; a lost network is said as such', () => {
  const customer = openCustomer(server);
  const errors = [{ code: 'STORE', displayMsg: 'The store is full.', header: 'Sorry', btnMsg: 'Close' }];
  customer.set(showStoreFailureAtom, new Failure('refused', { errors, requestId: 'req-1' }), false);
  const alert = { header: 'Sorry', message: 'The store is full.' };
  expect(customer.get(popupAtom)).toEqual({ ...alert, right: { label: 'Close' }, reference: 'req-1' });
  expect(customer.get(storeErrorAtom)).toEqual({ ...alert, button: 'Close' });
  customer.set(showStoreFailureAtom, new Failure('refused', { errors }), false);
  expect(customer.get(popupAtom)).not.toHaveProperty('reference');
  customer.set(showStoreFailureAtom, new Failure('offline'), true);
  expect(customer.get(popupAtom)?.message).toBe(errorText.connectionLost);
  customer.set(showStoreFailureAtom, new TypeError('x'), true);
  expect(customer.get(popupAtom)?.message).toBe(errorText.internalServerError);
});

test.each(['from=cart&page=%2Foffers&isFromHome=true&fromProfile=true', 'fromProfile=true', ''])(
  'where the choice began goes along from page to page: %s',
  (query) => {
    const customer = openCustomer(server);
    customer.set(openChoiceAtom, new URLSearchParams(query));
    // For its own sake, or on the way to another page.
    expect(customer.get(isIndependentFlowAtom)).toBe(!/from=|page=/.test(query));
    const next = flowPath('/manualSelector', customer.get(flowAtom));
    expect(next).toBe(query ? `/manualSelector?${query}` : '/manualSelector');
    expect(flowPath('/manualSelector', customer.get(flowAtom), { city: 'Goa' })).toBe(
      `/manualSelector?city=Goa${query && '&'}${query}`,
    );
  },
);

test("whoever goes on before a table's store is here stays where they are, with the store that they have", async () => {
  const link = new URLSearchParams('store=10102&table=7');
  const stayed = openCustomer(server);
  stayed.get(navigateAtom).go(`/postorder-ui/nearestStore?${link}`);
  await stayed.set(openTableAtom, link);
  expect(stayed.went.at(-1)).toBe('/menu');
  expect([stayed.get(chosenStoreAtom)?.id, stayed.get(deliveryTypeAtom)]).toEqual(['10102', 'DINEIN']);

  for (const asked of [link, new URLSearchParams('store=99999&table=7')]) {
    const gone = openCustomer(server);
    gone.get(navigateAtom).go(`/postorder-ui/nearestStore?${asked}`);
    const opening = gone.set(openTableAtom, asked);
    gone.get(navigateAtom).go('/cart');
    const before = [gone.get(chosenStoreAtom), gone.get(deliveryTypeAtom)];
    await opening;
    expect(gone.went.at(-1)).toBe('/cart');
    expect([gone.get(chosenStoreAtom), gone.get(deliveryTypeAtom)]).toEqual(before);
    expect([gone.get(popupAtom), gone.get(toastAtom)]).toEqual([null, null]);
  }
});

test("a table's link sets store and table and is replaced; an unknown table is said and left out", async () => {
  const customer = openCustomer(server);
  const open = (query: string) => customer.set(openTableAtom, new URLSearchParams(query));
  for (const query of ['', 'store=10102', 'table=7']) await open(query);
  expect([customer.calls, customer.went]).toEqual([[], []]);
  await open('store=10102&table=%207%20');
  expect([customer.get(tableAtom), customer.replaced, customer.get(popupAtom)]).toEqual(['7', ['/menu'], null]);
  await open('store=10102&table=999');
  expect([customer.get(tableAtom), customer.get(popupAtom)]).toEqual([
    '',
    { message: expect.stringMatching(/\w/), right: { label: errorText.ok } },
  ]);
  // The same store keeps its table, another one forgets it.
  await open('store=10102&table=7');
  const same = customer.get(chosenStoreAtom)!;
  customer.set(chooseStoreAtom, same, 'DINEIN');
  expect(customer.get(tableAtom)).toBe('7');
  customer.set(chooseStoreAtom, { ...same, id: '10101' }, 'DINEIN');
  expect(customer.get(tableAtom)).toBe('');
});

test('at most five stores near by, none of them at all before they are known, and a place may be exactly that far', async () => {
  const customer = openCustomer(server);
  expect([customer.get(nearStoresAtom), customer.get(shownStoresAtom)]).toEqual([null, null]);
  customer.set(aroundAtom, { latitude: SAKET.lat, longitude: SAKET.long, text: SAKET.text });
  await customer.set(nearestState.load, 'PICKUP');
  const [store] = customer.get(nearestState.atom).data!.stores;
  expect(customer.get(nearestState.atom).data!.stores).toHaveLength(5);
  const at = (...all: readonly (number | undefined)[]) => {
    const stores = all.map((distanceKm, at) => {
      const { distanceKm: _far, ...other } = { ...store!, id: String(at) };
      return distanceKm === undefined ? other : { ...other, distanceKm };
    });
    customer.set(nearestState.put, { type: 'PICKUP', stores });
    return customer.get(nearStoresAtom)!.stores.map(({ id }) => id);
  };
  expect([at(1, 60, 60.1), at(61, undefined), at(61, 62)]).toEqual([['0', '1'], ['1'], ['0', '1']]);
});

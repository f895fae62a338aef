import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { Failure } from '../../src/api/failure.ts';
import * as fingerprint from '../../src/contract/fingerprint.ts';
import { vegOnlyAtom } from '../../src/state/first/filters.ts';
import { favouritesAtom, toggleFavouriteAtom } from '../../src/state/first/favourites.ts';
import { OPTIONAL_MARK, openStorage, safeStorage } from '../../src/state/first/lib/kept.ts';
import { apiAtom } from '../../src/state/first/seams.ts';
import { forgetDeviceAtom } from '../../src/state/forgetting.ts';
import { keepShortly, optionalNames } from '../../src/state/lib/optional.ts';
import { sessionAtom } from '../../src/state/session.ts';
import { startServer, type TestServer } from '../kit/server.ts';
import { fails, openCustomer } from './customer.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer({ settings: { distDir: null } });
});
afterAll(() => server.stop());

/** A device: its keys are its own, as those of a browser's storage. */
let device: Record<string, string>;
const went: string[] = [];
const { read, write } = safeStorage;
beforeEach(() => {
  [device, went.length] = [{}, 0];
  const calls = {
    getItem: (key: string) => device[key] ?? null,
    setItem: (key: string, value: string) => void (device[key] = value),
    removeItem: (key: string) => void delete device[key],
  };
  vi.stubGlobal(
    'localStorage',
    new Proxy(device, { get: (of, key) => Reflect.get(calls, key) ?? Reflect.get(of, key) }),
  );
  vi.stubGlobal('document', { baseURI: 'https://pizza.example/in/' });
  vi.stubGlobal('location', { assign: (to: string) => void went.push(to) });
});
afterEach(() => {
  Object.assign(safeStorage, { read, write });
  vi.unstubAllGlobals();
});

test('a guest who wants nothing of this device to be remembered begins anew, and other shops on it keep what is theirs', async () => {
  const customer = openCustomer(server, { device: 'shop' });
  await customer.get(apiAtom).ensureSession();
  customer.set(vegOnlyAtom, true);
  customer.set(toggleFavouriteAtom, 'PZ001');
  device['other:veg-only'] = 'true';
  expect(Object.keys(device).filter((key) => key.startsWith('shop:')).length).toBeGreaterThan(2);
  customer.calls.length = 0;
  await customer.set(forgetDeviceAtom);
  expect([Object.keys(device), went]).toEqual([['other:veg-only'], ['https://pizza.example/in/']]);
  expect([customer.get(sessionAtom), customer.get(favouritesAtom), customer.calls]).toEqual([
    null,
    [],
    [fingerprint.forget.path],
  ]);
});

test('a server that cannot be told, and a browser that shows no storage, hold nobody back', async () => {
  const customer = openCustomer(server, { device: 'shop' });
  fails(customer, fingerprint.forget, new Failure('offline'));
  vi.stubGlobal('localStorage', undefined);
  customer.set(toggleFavouriteAtom, 'PZ001');
  await customer.set(forgetDeviceAtom);
  expect([went, customer.get(favouritesAtom), optionalNames()]).toEqual([['https://pizza.example/in/'], [], []]);
});

test('in a shop without cookies what is optional lasts as long as the page, and the rest stays on the device', () => {
  openStorage('shop', () => {});
  const [own, before, place] = [`${OPTIONAL_MARK}new`, `${OPTIONAL_MARK}before`, 'place'];
  safeStorage.write(before, 'a');
  safeStorage.write(place, 'here');
  device[`other:${before}`] = 'theirs';
  expect(optionalNames()).toEqual([before]);
  keepShortly();
  expect([device, safeStorage.read(before)]).toEqual([{ 'shop:place': 'here', [`other:${before}`]: 'theirs' }, 'a']);
  safeStorage.write(own, 'b');
  safeStorage.write(before, null);
  safeStorage.write(place, 'there');
  expect([own, before, place].map((name) => safeStorage.read(name))).toEqual(['b', null, 'there']);
  expect(device).toEqual({ 'shop:place': 'there', [`other:${before}`]: 'theirs' });
});

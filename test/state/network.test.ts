import { beforeEach, expect, test, vi } from 'vitest';
import * as errors from '#text/errors.ts';
import type { Api } from '../../src/api/api.ts';
import { Failure } from '../../src/api/failure.ts';
import * as config from '../../src/contract/config.ts';
import { seatAtom } from '../../src/state/first/group.ts';
import { isStoreGuessedAtom } from '../../src/state/first/location.ts';
import { apiAtom } from '../../src/state/first/seams.ts';
import { toastAtom } from '../../src/state/first/toast.ts';
import {
  askServerAtom,
  followLineAtom,
  forgetAnswerAtom,
  isOfflineAtom,
  isSaidOfflineAtom,
  isSlowAtom,
  networkAtom,
} from '../../src/state/base/network.ts';
import { loadAlertsAtom, loadPwaConfigAtom, pwaConfigAtom } from '../../src/state/shop/notices.ts';
import { startServer } from '../kit/server.ts';
import { openShop } from '../server/shop.ts';
import { fails, openAtStore, openCustomer, type Customer } from './customer.ts';
import { during } from '../kit/during.ts';

const server = during(() => startServer({ settings: { distDir: null } }), openShop);
beforeEach(() => server.switches({ offlineStores: [] }));

test('a host that says there is no network is wrong while our server answers, and right again when it is asked anew', async () => {
  const customer = openCustomer(server);
  expect([customer.get(isSaidOfflineAtom), customer.get(isOfflineAtom)]).toEqual([false, false]);
  customer.set(networkAtom, { isConnected: false, networkType: 'unknown' });
  expect([customer.get(isSaidOfflineAtom), customer.get(isOfflineAtom)]).toEqual([true, true]);
  await customer.set(askServerAtom);
  expect([customer.get(isSaidOfflineAtom), customer.get(isOfflineAtom)]).toEqual([true, false]);
  customer.set(forgetAnswerAtom);
  expect(customer.get(isOfflineAtom)).toBe(true);
  // A refusal is an answer of ours; a hotel's page is none.
  fails(customer, config.app, new Failure('refused', { errors: [{ code: 'X', displayMsg: 'No.' }] }));
  await customer.set(askServerAtom);
  expect(customer.get(isOfflineAtom)).toBe(false);
  fails(customer, config.app, new Failure('broken'));
  await customer.set(askServerAtom);
  expect(customer.get(isOfflineAtom)).toBe(true);
  // What was answered while there was a network says nothing of the time after it.
  const other = openCustomer(server);
  await other.set(askServerAtom);
  other.set(networkAtom, { isConnected: false, networkType: 'unknown' });
  expect(other.get(isOfflineAtom)).toBe(true);
});

test('a slow line is one that the host calls 2G, or the browser, or on which the customer saves data', () => {
  const line = Object.assign(new EventTarget(), { saveData: false, effectiveType: '4g' });
  vi.stubGlobal('navigator', { connection: line });
  try {
    const customer = openCustomer(server);
    const leave = customer.set(followLineAtom);
    const hears = (change: Partial<typeof line>) => {
      Object.assign(line, { saveData: false, effectiveType: '4g' }, change);
      line.dispatchEvent(new Event('change'));
      return customer.get(isSlowAtom);
    };
    expect([hears({}), hears({ saveData: true }), hears({ effectiveType: 'slow-2g' }), hears({})]).toEqual([
      false,
      true,
      true,
      false,
    ]);
    customer.set(networkAtom, { isConnected: true, networkType: '2g' });
    expect(customer.get(isSlowAtom)).toBe(true);
    customer.set(networkAtom, { isConnected: true, networkType: '3g' });
    leave();
    expect(hears({ saveData: true })).toBe(false);
  } finally {
    vi.unstubAllGlobals();
  }
  const bare = openCustomer(server);
  bare.set(followLineAtom)();
  expect(bare.get(isSlowAtom)).toBe(false);
});

test('name and colours are those of the server, and those of before where it does not answer', async () => {
  const customer = openCustomer(server);
  await customer.set(loadPwaConfigAtom);
  const held = customer.get(pwaConfigAtom);
  expect(held).toMatchObject({ name: expect.stringMatching(/\w/) });
  fails(customer, config.pwa, new Failure('offline'));
  await customer.set(loadPwaConfigAtom);
  expect(customer.get(pwaConfigAtom)).toBe(held);
});

/** What the server says of every store. */
function alerts(customer: Customer, list: readonly { id: string; message: string }[]): void {
  const api = customer.get(apiAtom);
  customer.set(apiAtom, { ...api, call: (() => Promise.resolve({ alerts: list })) as unknown as Api['call'] });
}
const ONE = { id: 'offline-1', message: 'No orders now.' };
const TWO = { id: 'closed-1', message: 'Shut until 11.' };

test('what is to be said of a store is said once in a visit, all of it together, and no more once it was dismissed', async () => {
  const customer = await openAtStore(server);
  await customer.set(loadAlertsAtom);
  expect(customer.get(toastAtom)).toBeNull();
  await server.switches({ offlineStores: ['10101'] });
  await customer.set(loadAlertsAtom);
  expect(customer.get(toastAtom)?.message).toBe(errors.noOrdersNow);
  // It is said of that store alone.
  const elsewhere = await openAtStore(server);
  elsewhere.set(seatAtom, { code: 'ABCDEF', storeId: '10102' });
  await elsewhere.set(loadAlertsAtom);
  expect(elsewhere.get(toastAtom)).toBeNull();
  await server.switches({ offlineStores: ['10102'] });
  await elsewhere.set(loadAlertsAtom);
  expect(elsewhere.get(toastAtom)?.message).toBe(errors.noOrdersNow);

  const other = await openAtStore(server);
  alerts(other, [ONE, TWO]);
  await other.set(loadAlertsAtom);
  const toast = other.get(toastAtom)!;
  expect([toast.message, toast.action?.label]).toEqual([`${ONE.message} ${TWO.message}`, errors.ok]);
  other.set(toastAtom, null);
  await other.set(loadAlertsAtom);
  expect(other.get(toastAtom)).toBeNull();
  toast.action!.act!();
  const says = async (list: readonly (typeof ONE)[], device: string) => {
    const again = openCustomer(server, { device });
    alerts(again, list);
    await again.set(loadAlertsAtom);
    return again.get(toastAtom)?.message ?? null;
  };
  expect(await says([ONE, TWO], other.device)).toBeNull();
  // Once it was over, it is news again.
  expect(await says([TWO], other.device)).toBeNull();
  expect(await says([ONE, TWO], other.device)).toBe(ONE.message);
});

test('the hours of a store that nobody has chosen are not said; what comes too late or not at all says nothing', async () => {
  const guessed = openCustomer(server);
  expect(guessed.get(isStoreGuessedAtom)).toBe(true);
  alerts(guessed, [ONE, TWO]);
  await guessed.set(loadAlertsAtom);
  expect(guessed.get(toastAtom)?.message).toBe(ONE.message);

  const customer = await openAtStore(server);
  alerts(customer, [ONE]);
  const loading = customer.set(loadAlertsAtom);
  customer.set(seatAtom, { code: 'ABCDEF', storeId: '10102' });
  await loading;
  fails(customer, config.alerts, new Failure('offline'));
  await customer.set(loadAlertsAtom);
  expect(customer.get(toastAtom)).toBeNull();
});

import { beforeEach, expect, test, vi } from 'vitest';
import { followLineAtom, isSlowAtom, networkAtom } from '../../src/state/base/network.ts';
import { startServer } from '../kit/server.ts';
import { openShop } from '../server/shop.ts';
import { openCustomer } from './customer.ts';
import { during } from '../kit/during.ts';

const server = during(() => startServer({ settings: { distDir: null } }), openShop);
beforeEach(() => server.switches({ offlineStores: [] }));

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

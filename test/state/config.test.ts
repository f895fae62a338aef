import { afterEach, expect, test, vi } from 'vitest';
import { Failure } from '../../src/api/failure.ts';
import * as contract from '../../src/contract/config.ts';
import { refreshConfigAtom } from '../../src/state/base/config.ts';
import { appConfigAtom } from '../../src/state/first/config.ts';
import { startServer } from '../kit/server.ts';
import { between, fails, openCustomer } from './customer.ts';
import { during } from '../kit/during.ts';

const server = during(() => startServer({ settings: { distDir: null, environment: { ANALYTICS: 'on' } } }));
afterEach(() => void vi.restoreAllMocks());

test('what the server said last holds while it says nothing, and its switches also where the new ones cannot be read', async () => {
  const logged = vi.fn<(thrown: Error) => void>();
  vi.spyOn(console, 'error').mockImplementation(logged);
  const customer = openCustomer(server);
  const mend = fails(customer, contract.app, new Failure('offline'));
  await customer.set(refreshConfigAtom);
  expect(customer.get(appConfigAtom)).toBeNull();
  mend();
  await customer.set(refreshConfigAtom);
  const first = customer.get(appConfigAtom)!;
  fails(customer, contract.app, new Failure('offline'));
  await customer.set(refreshConfigAtom);
  expect(customer.get(appConfigAtom)).toBe(first);
  const say = async (config: object) => {
    const stepAside = between(customer, () => ({ config }));
    await customer.set(refreshConfigAtom);
    stepAside();
  };
  const off = JSON.stringify({ features: [{ name: 'irctc', value: 'D' }] });
  await say({ ...first, features: off });
  expect([customer.get(appConfigAtom)?.features, logged.mock.calls]).toEqual([off, []]);
  await say({ ...first, features: 'no list', disableCookies: true });
  expect(customer.get(appConfigAtom)).toEqual({ ...first, features: off, disableCookies: true });
  expect(logged).toHaveBeenCalledTimes(1);
});

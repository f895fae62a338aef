import { beforeEach, describe, expect, test, vi } from 'vitest';
import * as errors from '#text/errors.ts';
import * as t from '#text/login.ts';
import { Failure } from '../../src/api/failure.ts';
import * as addresses from '../../src/contract/addresses.ts';
import * as cart from '../../src/contract/cart.ts';
import { app } from '../../src/contract/config.ts';
import * as contract from '../../src/contract/vendors.ts';
import { isWakingAtom } from '../../src/state/people/reactivation.ts';
import { deleteNumberlessAtom, sleepsUntilAtom } from '../../src/state/people/deletion.ts';
import { addLineAtom, cartLinesAtom } from '../../src/state/first/cart.ts';
import { appConfigAtom } from '../../src/state/first/config.ts';
import { apiAtom, hostAtom } from '../../src/state/first/seams.ts';
import { popupAtom } from '../../src/state/base/popup.ts';
import { isLoggedInAtom, userAtom } from '../../src/state/base/session.ts';
import {
  ensureLoginAtom,
  isVendorHost,
  isVendorLoginRunningAtom,
  leaveVendorLoginAtom,
  vendorLoginAtom,
} from '../../src/state/people/vendorLogin.ts';
import {
  addressDetailAtom,
  localAddressesAtom,
  openAddressAtom,
  saveAddressAtom,
} from '../../src/state/places/addresses.ts';
import { choosePlaceAtom } from '../../src/state/places/places.ts';
import { openChoiceAtom } from '../../src/state/places/stores.ts';
import { startServer } from '../kit/server.ts';
import { openShop } from '../server/shop.ts';
import { between, fails, openCustomer, type Customer, type CustomerOptions } from './customer.ts';
import { during } from '../kit/during.ts';

const server = during(() => startServer({ settings: { distDir: null } }), openShop);
beforeEach(() => server.switches({ faults: [] }));

/** What the host was asked by this call of its own. */
const askedOf = (customer: Customer, method: string) =>
  customer.fake!.log.filter((one) => one.method === method).map(({ args }) => args);
const IDENTITY = { gpay: 'getIdentity', paytm: 'paytmFetchAuthCode' } as const;
const vouches = async (options: CustomerOptions) => {
  const customer = openCustomer(server, options);
  // Whether a page around the app has a login, it says itself.
  await customer.host.ready().catch(() => undefined);
  return isVendorHost(customer.host);
};

test('a host with a login vouches for its customers, even if it is absent; a browser or a host without one never does', async () => {
  expect([
    await vouches({ host: 'gpay' }),
    await vouches({ host: 'paytm' }),
    await vouches({ host: 'gpay', isOutside: true }),
    await vouches({ host: 'frame' }),
    await vouches({ host: 'frame', controls: { reply: 'missing-method', replyOn: 'login' } }),
    await vouches({ host: 'browser' }),
  ]).toEqual([true, true, true, true, false, false]);
});

describe.each(['gpay', 'paytm'] as const)('inside %s', (host) => {
  const identity = IDENTITY[host];

  test('what a guest has just chosen is sent before the login, so that it comes along', async () => {
    const customer = openCustomer(server, { host });
    customer.set(addLineAtom, { productId: 'SD001', quantity: 2 });
    expect(await customer.set(vendorLoginAtom)).toBe(true);
    expect(customer.get(cartLinesAtom).map(({ productId, quantity }) => [productId, quantity])).toEqual([['SD001', 2]]);
    const sent = customer.calls.indexOf(cart.add.path);
    expect([sent >= 0, sent < customer.calls.indexOf(contract.auth.path)]).toEqual([true, true]);
  });

  test('who orders does not wait until the account has taken the addresses of this device', async () => {
    const customer = openCustomer(server, { host });
    await customer.set(choosePlaceAtom, { delType: 'DELIVERY', lat: 28.5285, long: 77.219, text: 'Saket, New Delhi' });
    customer.set(openChoiceAtom, new URLSearchParams());
    await customer.set(openAddressAtom, null);
    customer.set(addressDetailAtom, (detail) => detail && { ...detail, houseNo: '12B', address: 'Press Enclave Road' });
    expect(await customer.set(saveAddressAtom)).toBe(true);
    let answer = (): void => {};
    const late = new Promise<void>((done) => {
      answer = done;
    });
    between(customer, async (next, endpoint) => {
      if (endpoint === addresses.create) await late;
      return await next();
    });
    const loggedIn = vi.fn<(is: boolean) => void>();
    void customer.set(vendorLoginAtom).then(loggedIn);
    await vi.waitFor(() => expect(loggedIn).toHaveBeenCalledWith(true));
    expect([customer.get(isLoggedInAtom), customer.get(localAddressesAtom)]).toMatchObject([
      true,
      [{ houseNo: '12B' }],
    ]);
    answer();
    await vi.waitFor(() => expect(customer.get(localAddressesAtom)).toEqual([]));
  });

  test.each([
    ['has no answer to the proof', contract.auth],
    ['gives nothing to prove', contract.nonce],
  ])('a server that %s is said, and Retry tries once more', async (_what, endpoint) => {
    const customer = openCustomer(server, { host });
    const mend = fails(customer, endpoint, new Failure('offline'));
    expect(await customer.set(vendorLoginAtom)).toBe(false);
    expect([customer.get(popupAtom)?.message, customer.get(popupAtom)?.second]).toEqual([
      errors.vendorLoginFailed,
      t.hostFailed,
    ]);
    expect([customer.get(isVendorLoginRunningAtom), customer.get(isLoggedInAtom)]).toEqual([false, false]);
    mend();
    customer.get(popupAtom)!.right!.act!();
    await vi.waitFor(() => expect(customer.get(isLoggedInAtom)).toBe(true));
  });

  test('who goes on as a guest stays one, however late the host answers', async () => {
    const customer = openCustomer(server, { host });
    let answer = (): void => {};
    const late = new Promise<void>((done) => {
      answer = done;
    });
    const { login } = customer.host;
    const said = vi.fn<(...given: Parameters<typeof login>) => ReturnType<typeof login>>(async (...given) => {
      await late;
      return await login(given[0]);
    });
    customer.set(
      hostAtom,
      new Proxy(customer.host, { get: (of, name) => (name === 'login' ? said : Reflect.get(of, name)) }),
    );
    const waiting = customer.set(vendorLoginAtom);
    await vi.waitFor(() => expect(said).toHaveBeenCalledTimes(1));
    await customer.set(leaveVendorLoginAtom);
    expect([await waiting, customer.get(isVendorLoginRunningAtom)]).toEqual([false, false]);
    answer();
    await said.mock.results[0]!.value;
    expect(await customer.set(ensureLoginAtom)).toBe(true);
    expect([
      customer.get(isLoggedInAtom),
      customer.get(popupAtom),
      customer.calls.includes(contract.auth.path),
    ]).toEqual([false, null, false]);
  });

  test('with no network at all there is nobody to order for', async () => {
    const customer = openCustomer(server, { host });
    const api = customer.get(apiAtom);
    customer.set(apiAtom, { ...api, ensureSession: () => Promise.reject(new Failure('offline')) });
    expect(await customer.set(ensureLoginAtom)).toBe(false);
    expect([customer.get(userAtom), askedOf(customer, identity)]).toEqual([null, []]);
  });
});

test('the consent sheet names our shop as the server says it, which is asked where the page does not know yet', async () => {
  const customer = openCustomer(server, { host: 'paytm' });
  const login = async () => {
    customer.calls.length = 0;
    await customer.set(vendorLoginAtom);
    return [askedOf(customer, IDENTITY.paytm).at(-1), customer.calls.includes(app.path)];
  };
  customer.fake!.set({ login: 'deny' });
  expect(await login()).toEqual([{ clientId: customer.get(appConfigAtom)!.vendorConfig.partner!.clientId }, true]);
  const known = customer.get(appConfigAtom)!;
  customer.set(appConfigAtom, {
    ...known,
    vendorConfig: { ...known.vendorConfig, partner: { ...known.vendorConfig.partner!, clientId: 'our-shop' } },
  });
  expect(await login()).toEqual([{ clientId: 'our-shop' }, false]);
});

test('Exit leads out to the payment app; where nothing comes of it, that is said', async () => {
  const customer = openCustomer(server, { host: 'paytm', controls: { login: 'deny', close: 'silent' } });
  await customer.set(vendorLoginAtom);
  const exit = () => customer.get(popupAtom)!.left!;
  expect(exit().label).toBe(t.exit);
  const leave = exit().act!;
  customer.set(popupAtom, null);
  leave();
  await vi.waitFor(() => expect(customer.get(popupAtom)?.message).toBe(t.exitFailed));
  expect(customer.get(popupAtom)?.right?.label).toBe(errors.ok);
  customer.fake!.set({ close: 'works' });
  customer.set(popupAtom, null);
  leave();
  await vi.waitFor(() => expect(askedOf(customer, 'popWindow')).toHaveLength(2));
  expect(customer.get(popupAtom)).toBeNull();
});

test('an account that sleeps is brought back by one tap, and only then', async () => {
  const customer = openCustomer(server, { host: 'gpay', user: 'sleeper', controls: { phone: 'deny' } });
  await customer.set(vendorLoginAtom);
  await customer.set(deleteNumberlessAtom);
  expect([customer.get(sleepsUntilAtom), customer.get(isLoggedInAtom)]).toEqual([expect.any(Number), false]);
  expect(await customer.set(vendorLoginAtom)).toBe(false);
  const popup = customer.get(popupAtom)!;
  expect([customer.get(isLoggedInAtom), popup.message === errors.vendorLoginFailed]).toEqual([false, false]);
  popup.right!.act!();
  expect(customer.get(isWakingAtom)).toBe(true);
  await vi.waitFor(() => expect(customer.get(isLoggedInAtom)).toBe(true));
});

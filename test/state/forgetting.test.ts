import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Failure } from '../../src/api/failure.ts';
import * as fingerprint from '../../src/contract/fingerprint.ts';
import { vegOnlyAtom } from '../../src/state/first/filters.ts';
import { favouritesAtom, toggleFavouriteAtom } from '../../src/state/first/favourites.ts';
import { OPTIONAL_MARK, openStorage, safeStorage } from '../../src/state/first/lib/kept.ts';
import { apiAtom } from '../../src/state/first/seams.ts';
import { sayAtom, WAITING_USAGE } from '../../src/state/consent/consents.ts';
import { forgetSignalAtom } from '../../src/state/consent/deviceCheck.ts';
import { forgetDeviceAtom } from '../../src/state/people/forgetting.ts';
import { forgetCustomerAtom } from '../../src/state/lib/forget.ts';
import { keepShortly, optionalNames } from '../../src/state/lib/optional.ts';
import { sessionAtom } from '../../src/state/base/session.ts';
import { root } from '../architecture/sources.ts';
import { startServer } from '../kit/server.ts';
import { fails, openCustomer } from './customer.ts';
import { during } from '../kit/during.ts';

const server = during(() => startServer({ settings: { distDir: null } }));

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

/** Everything that is kept on a device, by its key: for what it needs a yes, or null. */
const PURPOSES: Readonly<Record<string, 'usage' | 'device' | null>> = {
  'address-detail': null,
  addresses: null,
  'alerts-dismissed': null,
  'app-config': null,
  'app-refused': null,
  around: null,
  'at-counter': null,
  builder: null,
  'card-variant': 'usage',
  cart: null,
  'cart-operations': null,
  'cart-options': null,
  'cart-seen': null,
  chat: null,
  'chat-draft': null,
  'checkout-detail': null,
  consents: null,
  'coupon-code': null,
  'delivery-type': null,
  'device-token': null,
  'email-code': null,
  'experiment-rows': 'usage',
  'experiment-settings': null,
  'experiment-visitor': 'usage',
  favourites: null,
  'favourites-agreed': null,
  'feedback-query': null,
  filters: null,
  fingerprint: 'device',
  forgetting: null,
  'forgetting-device': null,
  'ga-client': 'usage',
  gps: null,
  'group-draft': null,
  'group-me': null,
  'group-seat': null,
  history: null,
  household: null,
  instructions: null,
  'is-from-reorder': null,
  'is-promo-applied': null,
  journal: null,
  language: null,
  'language-scroll': null,
  'last-seen': null,
  'login-code': null,
  'login-mobile': null,
  'login-redirect': null,
  'login-social': null,
  menu: null,
  'number-codes': null,
  'number-new': null,
  'order-note': null,
  orders: null,
  'payment-choices': null,
  'payment-mode': null,
  pin: null,
  place: null,
  pnr: null,
  'profile-draft': null,
  'recent-locations': null,
  'recent-queries': null,
  'recent-searches': null,
  'selected-wallet': null,
  session: null,
  'shortcut-settled': null,
  slot: null,
  'slot-taken': null,
  'station-id': null,
  store: null,
  'store-ids': null,
  table: null,
  'takeaway-store': null,
  terms: null,
  'terms-tick': null,
  'train-seat': null,
  'typed-door': null,
  unasked: null,
  usual: null,
  'usual-prices': null,
  utm: 'usage',
  'veg-only': null,
  vehicle: null,
  'visits-said': null,
  'vouchers-chosen': null,
  'wallet-balance': null,
  'wallet-used': null,
};
/** As the sources declare them: whether a key is optional, and whether it goes with the customer. */
function declared() {
  const found = new Map<string, { readonly name: string; readonly forget: string }>();
  let begun = 0;
  for (const file of readdirSync(path.join(root, 'src'), { recursive: true, encoding: 'utf8' })) {
    if (!/\.tsx?$/.test(file) || file.endsWith(path.join('lib', 'kept.ts'))) continue;
    const text = readFileSync(path.join(root, 'src', file), 'utf8');
    const from = [...text.matchAll(/\bkept(?:<[^(]+>)?\(\{/g)].map(({ index }) => index);
    begun += from.length;
    for (const at of from) {
      const own = text.slice(at, text.indexOf('});', at));
      const [, key] = /key: '([\w-]+)'/.exec(own) ?? [];
      const [, forget] = /forget: '(\w+)'/.exec(own) ?? [];
      if (key && forget) found.set(key, { name: (/optional: true/.test(own) ? OPTIONAL_MARK : '') + key, forget });
    }
  }
  expect(found.size).toBe(begun);
  return found;
}
/** A device on which everything is kept, most of it by scripts that this page has not loaded. */
async function full() {
  const customer = openCustomer(server, { device: 'shop' });
  await customer.get(apiAtom).ensureSession();
  const keys = declared();
  for (const { name } of keys.values()) device[`shop:${name}`] ??= '{"of":"somebody"}';
  device[`shop:${WAITING_USAGE}1`] = '{"of":"somebody"}';
  // The server has to be told of this one.
  device[`shop:${OPTIONAL_MARK}fingerprint`] = '{"id":"i","hash":"h","uid":"","at":1}';
  return { customer, keys };
}
const names = () => Object.keys(device).map((key) => key.slice('shop:'.length));

test('what is kept on a device stands in the table of purposes', () => {
  expect(Object.keys(PURPOSES).sort()).toEqual([...declared().keys()].sort());
});

test.each(['usage', 'device'] as const)(
  'a consent to %s that is taken back leaves nothing that was kept for it, and all else stays',
  async (purpose) => {
    const { customer, keys } = await full();
    const needing = [...keys].filter(([key]) => PURPOSES[key] === purpose).map(([, { name }]) => name);
    const others = [...keys].filter(([key]) => PURPOSES[key] !== purpose).map(([, { name }]) => name);
    expect(needing).not.toEqual([]);
    await customer.set(sayAtom, purpose, false);
    if (purpose === 'device') await customer.set(forgetSignalAtom);
    expect(names().filter((name) => needing.includes(name))).toEqual([]);
    expect(names().some((name) => name.startsWith(WAITING_USAGE))).toBe(purpose !== 'usage');
    expect(others.filter((name) => !names().includes(name) && !name.startsWith('forgetting'))).toEqual([]);
  },
);

test('somebody who leaves the device leaves what is the device’s alone, also of scripts that their page has not loaded', async () => {
  const { customer, keys } = await full();
  customer.set(forgetCustomerAtom);
  const staying = [...keys.values()].filter(({ forget }) => forget === 'never').map(({ name }) => name);
  expect(names().sort()).toEqual(staying.sort());
});

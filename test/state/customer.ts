import { createStore } from 'jotai';
import { countryConfig } from '../../country/index.ts';
import type { FakeOptions } from '../../hosts/imitated/phone.ts';
import { createBrowser } from '../../hosts/browser/bridge.ts';
import { createBrowserFake } from '../../hosts/browser/fake.ts';
import { createGpay } from '../../hosts/gpay/bridge.ts';
import { createFrame } from '../../hosts/frame/bridge.ts';
import { createFrameFake } from '../../hosts/frame/fake.ts';
import { createGpayFake } from '../../hosts/gpay/fake.ts';
import { createPaytm } from '../../hosts/paytm/bridge.ts';
import { createPaytmFake } from '../../hosts/paytm/fake.ts';
import type { Api } from '../../src/api/api.ts';
import { createApi } from '../../src/api/client.ts';
import type { Endpoint } from '../../src/contract/endpoint.ts';
import type { SessionReply } from '../../src/contract/session.ts';
import * as stores from '../../src/contract/stores.ts';
import type { HostBridge } from '../../src/bridge/hostBridge.ts';
import { takeSessionAtom } from '../../src/state/cart/cart.ts';
import { openStorage, wakeAtom } from '../../src/state/first/lib/kept.ts';
import { schemas } from '../../src/state/schemas.ts';
import { chosenStoreAtom, deliveryTypeAtom, storeIdAtom } from '../../src/state/first/location.ts';
import { refreshMenuAtom } from '../../src/state/menu/menu.ts';
import { countryAtom } from '../../src/state/base/country.ts';
import { apiAtom, profileAtom, hostAtom, navigateAtom, pathAtom } from '../../src/state/first/seams.ts';
import { placeOrderAtom } from '../../src/state/checkout/placing.ts';
import { quoteState } from '../../src/state/checkout/quote.ts';
import { termsAcceptedAtom } from '../../src/state/checkout/terms.ts';
import { detailAtom } from '../../src/state/drafts/detail.ts';
import { paymentModeAtom } from '../../src/state/drafts/mode.ts';
import { journalAtom } from '../../src/state/orders/journal.ts';
import { popupAtom, showFailureAtom } from '../../src/state/base/popup.ts';
import { endSessionAtom, identityFrom, renewSessionAtom, sessionAtom } from '../../src/state/base/session.ts';
import { makePhone, makeStorage } from '../hosts/phone.ts';
import type { ShippedHost } from '../hosts/stage.ts';
import type { TestServer } from '../kit/server.ts';
import { freshMobile } from '../server/people.ts';

let customers = 0;
/** What the host's own page of a device remembers. */
const storages = new Map<string, Storage>();

export interface CustomerOptions {
  readonly country?: string;
  readonly host?: ShippedHost;
  readonly controls?: FakeOptions['controls'];
  /** Opened in a plain tab, not inside its host. */
  readonly isOutside?: boolean;
  /** The device of an earlier customer: a reload of the page. One device is awake at a time. */
  readonly device?: string;
  /** Account at the host. */
  readonly user?: string;
  /** A session that it has already: that of a client without a page, for example. */
  readonly as?: SessionReply;
  /** Where the page's calls go, if not straight to the server. */
  readonly origin?: string;
}

/** Lets nothing through that comes after the page's end, as a killed web view hears nothing any more. */
function gate(page: { isDead: boolean }) {
  const settle = <T>(promise: Promise<T>): Promise<T> =>
    new Promise((done, fail) => {
      promise.then(
        (value) => {
          if (!page.isDead) done(value);
        },
        (error: unknown) => {
          if (!page.isDead) fail(error);
        },
      );
    });
  return <T extends object>(object: T): T =>
    new Proxy(object, {
      get(target, name) {
        const value = Reflect.get(target, name) as unknown;
        if (typeof value !== 'function') return value;
        return (...given: unknown[]) => {
          if (page.isDead) return new Promise(() => {});
          const answer = (value as (...all: unknown[]) => unknown).apply(target, given);
          return answer instanceof Promise ? settle(answer) : answer;
        };
      },
    });
}

const AGENTS = {
  browser: undefined,
  frame: undefined,
  gpay: undefined,
  paytm: 'Mozilla/5.0 (Linux; Android 14) Mobile AppContainer/10.1',
};

/** The state of one customer's page over a real server, inside an imitated host, without a screen. */
export function openCustomer(
  server: TestServer,
  {
    country: name = 'in',
    host: id = 'browser',
    controls,
    isOutside = false,
    device = `device-${(customers += 1)}`,
    user,
    as,
    origin = server.url,
  }: CustomerOptions = {},
) {
  openStorage(device, () => {});
  const country = countryConfig(name);
  const agent = AGENTS[id];
  const phone = makePhone({
    url: `https://pizza.example/${name}/`,
    parent: id === 'gpay' && !isOutside ? 'https://microapps.google.com' : null,
    settings: { 'paytm-client': 'merchant-pizza' },
    storage: storages.get(device) ?? storages.set(device, makeStorage()).get(device)!,
    ...(agent && !isOutside ? { userAgent: agent } : {}),
  });
  // The vendors live on the product's own server.
  const toServer = ((address: string, init: RequestInit) =>
    fetch(origin + new URL(address, phone.window.location.href).pathname, init)) as typeof fetch;
  const createFake = {
    browser: createBrowserFake,
    frame: createFrameFake,
    gpay: createGpayFake,
    paytm: createPaytmFake,
  }[id];
  const fake = isOutside
    ? null
    : createFake({
        window: phone.window,
        fetch: toServer,
        ...(controls ? { controls } : {}),
        ...(user ? { user } : {}),
      });
  const page = { isDead: false };
  const alive = gate(page);
  const host: HostBridge = alive(
    { browser: createBrowser, frame: createFrame, gpay: createGpay, paytm: createPaytm }[id]({ window: phone.window }),
  );

  const store = createStore();
  const went: string[] = [];
  const replaced: string[] = [];
  const calls: string[] = [];
  store.set(profileAtom, host);
  store.set(hostAtom, host);
  store.set(countryAtom, country);
  store.set(navigateAtom, {
    go: (path, options) => {
      went.push(path);
      if (options?.replace) replaced.push(path);
      store.set(pathAtom, path);
    },
  });
  const api = createApi({
    origin,
    apiKey: country.api.keys[id] ?? `${name}-${host.apiKeyName}`,
    clientType: host.clientType,
    language: 'en-IN',
    source: 'PWA18',
    identity: () => identityFrom(store.get(sessionAtom), store.get(storeIdAtom), store.get(deliveryTypeAtom)),
    renewed: (reply) => store.set(takeSessionAtom, reply),
    ended: (said) => store.set(endSessionAtom, said),
    unrenewed: (failure) => store.set(showFailureAtom, failure),
    told: () => {},
  });
  const call: Api['call'] = (endpoint, input, options) => {
    calls.push(endpoint.path);
    return api.call(endpoint, input, options);
  };
  store.set(apiAtom, alive({ ...api, call }));
  store.set(wakeAtom, schemas);
  if (as) store.set(renewSessionAtom, as);
  return {
    get: store.get,
    set: store.set,
    store,
    went,
    /** Those of them that the way back does not lead to. */
    replaced,
    calls,
    fake,
    phone,
    country,
    device,
    host,
    /** The page is killed: nothing that it waits for ever arrives. What the device remembers stays. */
    kill: () => {
      page.isDead = true;
    },
  };
}
export type Customer = ReturnType<typeof openCustomer>;

/**
 * From now on the test stands between the customer's page and the server: it answers a call, or lets it through with
 * `next`. @returns what takes it away again
 */
export function between(
  customer: Customer,
  answer: (next: () => Promise<unknown>, endpoint: Endpoint, input: unknown) => unknown,
): () => void {
  const api = customer.get(apiAtom);
  const call = (async (...given: Parameters<Api['call']>) =>
    await answer(() => api.call(...given), given[0], given[1])) as Api['call'];
  customer.set(apiAtom, { ...api, call });
  return () => customer.set(apiAtom, api);
}

/** From now on this call of the customer's page fails so. */
export const fails = (customer: Customer, { method, path }: Pick<Endpoint, 'method' | 'path'>, thrown: unknown) =>
  between(customer, (next, endpoint) =>
    endpoint.path === path && endpoint.method === method ? Promise.reject(thrown) : next(),
  );

/** From now on something happens on the page while this call of it is answered. @returns what takes that away again */
export const meanwhile = (
  customer: Customer,
  { method, path }: Pick<Endpoint, 'method' | 'path'>,
  act: () => unknown,
): (() => void) =>
  between(customer, async (next, endpoint) => {
    const answer = await next();
    if (endpoint.path === path && endpoint.method === method) await act();
    return answer;
  });

/** A customer of India in the browser who collects at the first store, whose menu is there. */
export async function openAtStore(server: TestServer): Promise<Customer> {
  const customer = openCustomer(server);
  await customer.set(refreshMenuAtom);
  const { store } = await customer.get(apiAtom).call(stores.byId, { storeId: '10101', query: {} });
  customer.set(deliveryTypeAtom, 'PICKUP');
  customer.set(chosenStoreAtom, store);
  return customer;
}

/** Orders what is in the cart, and is at the payment: nothing is paid yet. @returns the id of the order */
export async function placeOrder(customer: Customer): Promise<string> {
  customer.set(detailAtom, { fName: 'Asha', lName: '', mobNo: freshMobile(), email: '' });
  customer.set(paymentModeAtom, 'UPI');
  customer.set(termsAcceptedAtom, true);
  await customer.set(quoteState.load);
  await customer.set(placeOrderAtom);
  const orderId = customer.get(journalAtom)?.orderId;
  if (!orderId) throw new Error(`Nothing was ordered: ${JSON.stringify(customer.get(popupAtom))}`);
  return orderId;
}

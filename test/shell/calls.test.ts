import { createStore } from 'jotai';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { countryConfig } from '../../country/index.ts';
import { createBrowser } from '../../hosts/browser/bridge.ts';
import { browserProfile } from '../../hosts/browser/profile.ts';
import { createGpay } from '../../hosts/gpay/bridge.ts';
import { gpayProfile } from '../../hosts/gpay/profile.ts';
import { createPaytm } from '../../hosts/paytm/bridge.ts';
import { paytmProfile } from '../../hosts/paytm/profile.ts';
import type { Api } from '../../src/api/api.ts';
import type { Failure } from '../../src/api/failure.ts';
import { tokenKindOf } from '../../src/api/refresh.ts';
import * as addresses from '../../src/contract/addresses.ts';
import * as cart from '../../src/contract/cart.ts';
import * as config from '../../src/contract/config.ts';
import * as menu from '../../src/contract/menu.ts';
import * as profile from '../../src/contract/profile.ts';
import { NOT_MODIFIED } from '../../src/contract/reply.ts';
import * as session from '../../src/contract/session.ts';
import { enliven } from '../../src/shell/alive.ts';
import { analyticsIdAtom } from '../../src/state/consent/analyticsId.ts';
import { takeSessionAtom } from '../../src/state/cart/cart.ts';
import { forgetCustomerAtom } from '../../src/state/lib/forget.ts';
import { openStorage } from '../../src/state/first/lib/kept.ts';
import { deliveryTypeAtom } from '../../src/state/first/location.ts';
import { cardLookAtom } from '../../src/state/first/menu.ts';
import { countryAtom } from '../../src/state/base/country.ts';
import { apiAtom, profileAtom, navigateAtom } from '../../src/state/first/seams.ts';
import { cartIdAtom, isLoggedInAtom, sessionAtom } from '../../src/state/base/session.ts';
import { makePhone } from '../hosts/phone.ts';
import { startServer } from '../kit/server.ts';
import { logIn } from '../server/people.ts';
import { during } from '../kit/during.ts';

const PHONE = 'Mozilla/5.0 (Linux; Android 15; Pixel 8) Chrome/130 Mobile Safari/537.36';
const DESK = 'Mozilla/5.0 (X11; Linux x86_64) Chrome/130';
const HOSTS = {
  browser: { profile: browserProfile, create: createBrowser },
  gpay: { profile: gpayProfile, create: createGpay },
  paytm: { profile: paytmProfile, create: createPaytm },
};

const server = during(() => startServer());
let pages = 0;
let last: ReturnType<typeof createStore> | undefined;
const fetchNow = globalThis.fetch;
afterEach(() => {
  // Pages of one process share what a device without storage keeps: whoever is logged in here would be in the next one, too.
  last?.set(forgetCustomerAtom);
  globalThis.fetch = fetchNow;
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

interface Heard {
  readonly path: string;
  readonly headers: Headers;
}

/** A page as the shell connects it, with what it sends. */
function connect(country = 'in', host: keyof typeof HOSTS = 'browser', agent = PHONE) {
  vi.stubGlobal('navigator', { userAgent: agent, onLine: true });
  const { window: page } = makePhone({ url: `https://pizza.example/${country}/`, userAgent: agent });
  const store = createStore();
  last = store;
  openStorage(`calls-${(pages += 1)}`, () => {});
  store.set(profileAtom, HOSTS[host].profile(page));
  store.set(countryAtom, countryConfig(country));
  store.set(navigateAtom, { go: () => {} });
  void enliven(store, countryConfig(country), HOSTS[host].create({ window: page }), server.url);
  const heard: Heard[] = [];
  globalThis.fetch = (input, init) => {
    // The product's client makes requests, this test's own calls are addresses.
    if (input instanceof Request) heard.push({ path: new URL(input.url).pathname, headers: input.headers });
    return fetchNow(input, init);
  };
  const api: Api = store.get(apiAtom);
  return { store, heard, api };
}
/** Everything is answered by `reply`. */
function answering(reply: (path: string) => Response | Promise<Response>) {
  const asked: string[] = [];
  globalThis.fetch = async (input) => {
    const path = new URL((input as Request).url).pathname;
    asked.push(path);
    return await reply(path);
  };
  return asked;
}
const json = (status: number, body: unknown) =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } });
const failureOf = async (call: Promise<unknown>) =>
  await call.then(
    () => null,
    (thrown: Failure) => thrown,
  );

describe('what every call says of its caller', () => {
  test.each([
    ['in', 'browser', 'in-web', 'web app-chrome', ''],
    ['in', 'gpay', 'in-gpay', 'web app-gpay', 'gpay'],
    ['in', 'paytm', 'in-paytm', 'web app-paytm', 'paytm'],
    ['lk', 'browser', 'lk-web', 'web app-chrome', ''],
    ['bg', 'browser', 'bg-web', 'web app-chrome', ''],
  ] as const)(
    '%s/%s has the key %s and is a %s; its mini-app flag is "%s" [MINI-03] [MINI-04] [MINI-25]',
    async (country, host, key, client, flag) => {
      const { api, heard, store } = connect(country, host);
      expect((await api.call(config.app, {})).status).toBe('SUCCESS');
      expect([heard[0]?.headers.get('api_key'), heard[0]?.headers.get('client_type')]).toEqual([key, client]);
      expect(store.get(profileAtom).partner).toBe(flag);
    },
  );

  test.each([
    [PHONE, 'PWA18'],
    ['Mozilla/5.0 (iPad; CPU OS 16_0 like Mac OS X) AppleWebKit/605.1.15', 'PWA18'],
    ['Mozilla/5.0 (Linux; Tablet) Gecko/130 Firefox/130', 'PWA18'],
    [DESK, 'NewDesktop'],
  ])('%s is %s [MINI-05] [NAV-87]', async (agent, source) => {
    const { api, heard } = connect('in', 'browser', agent);
    await api.call(config.app, {});
    expect(heard[0]?.headers.get('source')).toBe(source);
  });

  test('a guest and a customer are told apart, with store, type, number and a request id of their own [AUTH-03] [AUTH-05] [API-02]', async () => {
    const { api, heard, store } = connect();
    await api.ensureSession();
    const { credentials, attributes } = store.get(sessionAtom)!;
    await api.call(cart.byId, { cartId: attributes.cartId, query: {} });
    const asGuest = heard.at(-1)!.headers;
    expect(
      Object.fromEntries(
        ['authToken', 'sessiontoken', 'userId', 'isLoggedIn', 'mobile', 'source', 'storeId', 'deliveryType'].map(
          (name) => [name, asGuest.get(name)],
        ),
      ),
    ).toEqual({
      authToken: credentials.accessToken,
      sessiontoken: credentials.sessionToken,
      userId: attributes.userId,
      isLoggedIn: 'false',
      mobile: null,
      source: 'PWA18',
      storeId: '10101',
      deliveryType: 'DELIVERY',
    });
    expect(asGuest.get('request-id')).toMatch(new RegExp(`^pwa-anon-${attributes.userId}-\\d{13}$`));
    expect([store.get(isLoggedInAtom), store.get(cartIdAtom)]).toEqual([false, attributes.cartId]);

    const { reply } = await logIn(server);
    store.set(sessionAtom, { credentials: reply.credentials, attributes: reply.attributes });
    store.set(deliveryTypeAtom, 'PICKUP');
    store.set(analyticsIdAtom, 'client-1');
    store.set(cardLookAtom, 'w');
    await api.call(addresses.list, { userId: reply.attributes.userId });
    // Every header of the contract, with the layout that is seen and the id of agreed analytics.
    expect(Object.fromEntries(heard.at(-1)!.headers)).toMatchObject({
      api_key: 'in-web',
      authtoken: reply.credentials.accessToken,
      userid: reply.attributes.userId,
      storeid: '10101',
      isloggedin: 'true',
      client_type: 'web app-chrome',
      source: 'PWA18',
      'request-id': expect.stringMatching(new RegExp(`^pwa-${reply.attributes.userId}-\\d{13}$`)),
      'ab-variant': 'NextgenProductCardsV2:w',
      'ga-client-id': 'client-1',
      deliverytype: 'PICKUP',
      mobile: reply.attributes.mobile,
      sessiontoken: reply.credentials.sessionToken,
    });
    expect([store.get(isLoggedInAtom), store.get(cartIdAtom)]).toEqual([true, reply.attributes.cartId]);
    store.set(forgetCustomerAtom);
    expect(store.get(analyticsIdAtom)).toBe('');
  });
});

describe('how a call ends', () => {
  test('an answer below 600 is an answer, whatever its status: its errors reach the caller [API-01]', async () => {
    const { api } = connect();
    const errors = [{ code: 'NO', displayMsg: 'Not today', header: 'Oops', btnMsg: 'OK' }];
    for (const [status, kind] of [
      [404, 'refused'],
      [409, 'refused'],
      [422, 'refused'],
      [500, 'broken'],
      [599, 'broken'],
    ] as const) {
      answering(() => json(status, { status: 'FAILED', requestId: 'r-1', errors }));
      expect(await failureOf(api.call(config.pwa, {})), String(status)).toMatchObject({
        kind,
        httpStatus: status,
        requestId: 'r-1',
        errors,
      });
    }
  });

  test('only status SUCCESS with what was asked for is a success [API-01]', async () => {
    const { api } = connect();
    for (const body of [
      { status: 'FAILED', requestId: 'r', errors: [] },
      { status: 'SUCCESS' },
      { pwa: {} },
      'text',
      null,
    ]) {
      answering(() => json(200, body));
      expect(await failureOf(api.call(config.pwa, {})), JSON.stringify(body)).not.toBeNull();
    }
  });

  test('an answer that does not come is given up after 30 s [API-01]', async () => {
    const { api } = connect();
    vi.useFakeTimers();
    answering(() => new Promise<Response>(() => {}));
    let ended: Failure | null = null;
    void failureOf(api.call(session.anonymous, {})).then((failure) => {
      ended = failure;
    });
    await vi.advanceTimersByTimeAsync(29_900);
    expect(ended).toBeNull();
    await vi.advanceTimersByTimeAsync(200);
    expect(ended).toMatchObject({ kind: 'timeout' });
  });
});

describe('a token that has expired', () => {
  test('is renewed once for all who wait, and each request goes through [AUTH-29] [AUTH-31] [API-10]', async () => {
    const { api, heard, store } = connect();
    const { reply, as } = await logIn(server);
    store.set(sessionAtom, { credentials: reply.credentials, attributes: reply.attributes });
    // The name changes elsewhere; the renewal brings it here.
    const name = { firstName: 'Meera', lastName: 'Rao', email: 'meera@example.in' };
    expect((await server.call(profile.update, { body: name }, as)).status).toBe(200);
    expect(store.get(sessionAtom)!.attributes.firstName).not.toBe('Meera');
    await server.advance(15 * 60);
    const answers = await Promise.all(
      [1, 2, 3, 4].map(() => api.call(addresses.list, { userId: reply.attributes.userId })),
    );
    expect(answers.map((answer) => answer.status)).toEqual(Array(4).fill('SUCCESS'));
    const renewals = heard.filter(({ path }) => path === '/loginhandler/refreshtoken');
    expect(
      renewals.map(({ headers }) => ['userId', 'refreshToken', 'authToken'].map((name) => headers.get(name))),
    ).toEqual([[reply.attributes.userId, reply.credentials.refreshToken, reply.credentials.accessToken]]);
    // Nobody else is told that token.
    expect(heard.filter(({ headers }) => headers.has('refreshToken'))).toEqual(renewals);
    const now = store.get(sessionAtom)!;
    expect(now.attributes).toMatchObject({ userId: reply.attributes.userId, ...name });
    expect([
      now.credentials.accessToken === reply.credentials.accessToken,
      now.credentials.refreshToken === reply.credentials.refreshToken,
    ]).toEqual([false, false]);
  });

  test('each of the three token kinds has its own call, which keeps id and cart; 304 has its name [AUTH-33] [API-11]', async () => {
    const { api, heard, store } = connect();
    const identity = () => ({
      credentials: store.get(sessionAtom)?.credentials ?? null,
      userId: store.get(sessionAtom)?.attributes.userId ?? '',
    });
    const renewals = () =>
      heard
        .splice(0)
        .map(({ path }) => path)
        .filter((path) => path.startsWith('/loginhandler/'));
    expect(tokenKindOf(identity())).toBe('ANONYMOUS_USER');
    await api.ensureSession();
    expect(renewals()).toEqual([session.anonymous.path]);
    expect(tokenKindOf(identity())).toBe('REFRESH_TOKEN_ANONYMOUS');
    const { userId, cartId } = store.get(sessionAtom)!.attributes;
    await server.advance(15 * 60);
    expect((await api.call(cart.byId, { cartId, query: {} })).status).toBe('SUCCESS');
    expect(renewals()).toEqual([session.refreshAnonymous.path]);
    expect(store.get(sessionAtom)!.attributes).toMatchObject({ userId, cartId });
    const { reply, as } = await logIn(server);
    store.set(takeSessionAtom, reply);
    expect(tokenKindOf(identity())).toBe('REFRESH_TOKEN');
    await server.advance(15 * 60);
    expect((await api.call(cart.byId, { cartId: store.get(cartIdAtom)!, query: {} })).status).toBe('SUCCESS');
    expect(renewals()).toEqual([session.refresh.path]);
    const { authToken: _gone, ...without } = as;
    expect((await server.call(cart.byId, { cartId: 'cart_none', query: {} }, without)).body.status).toBe('FAILED');
    const first = await server.call(menu.byStore, { storeId: '10101', query: {} });
    const again = await server.call(
      menu.byStore,
      { storeId: '10101', query: {} },
      { headers: { 'if-none-match': first.headers.get('etag') ?? '' } },
    );
    expect([again.status, again.body]).toEqual([NOT_MODIFIED, null]);
    expect(NOT_MODIFIED).toBe(304);
    expect(session.TokenKind.options).toEqual(['ANONYMOUS_USER', 'REFRESH_TOKEN', 'REFRESH_TOKEN_ANONYMOUS']);
  });

  test('nobody yet: a guest is made before the first call, one for all who wait [AUTH-01] [AUTH-29] [API-12]', async () => {
    const { api, heard, store } = connect();
    await Promise.all([1, 2, 3].map(() => api.ensureSession()));
    expect(heard.map(({ path }) => path)).toEqual([session.anonymous.path]);
    expect(store.get(sessionAtom)!.attributes.userId).toMatch(/^anonymous/);
  });

  test('is renewed twice for one request and no more [AUTH-30]', async () => {
    const { api, store } = connect();
    await api.ensureSession();
    const { credentials, attributes } = store.get(sessionAtom)!;
    let renewals = 0;
    const asked = answering((path) => {
      if (path !== session.refreshAnonymous.path)
        return json(401, {
          status: 'FAILED',
          requestId: 'r',
          errors: [{ code: 'TOKEN_EXPIRED', displayMsg: 'Again', header: 'Oops', btnMsg: 'OK' }],
        });
      renewals += 1;
      return json(200, {
        status: 'SUCCESS',
        credentials: { ...credentials, accessToken: `token-${renewals}` },
        attributes,
      });
    });
    expect(await failureOf(api.call(cart.byId, { cartId: attributes.cartId, query: {} }))).toMatchObject({
      kind: 'unrefreshed',
      httpStatus: 401,
    });
    expect(renewals).toBe(2);
    expect(asked.filter((path) => path !== session.refreshAnonymous.path)).toHaveLength(3);
  });
});

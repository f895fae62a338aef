import * as serverText from '#text/server.ts';
import { expect, test, vi } from 'vitest';
import * as stores from '../../src/contract/stores.ts';
import { lentServer } from '../kit/lentServer.ts';

import { member, openShop } from '../server/shop.ts';
import { openAs } from './device.ts';
import { newDevice, notingCalls, openPage, type AppPage } from './page.ts';
import { during } from '../kit/during.ts';

const server = during(() => lentServer());

const box = () => document.querySelector<HTMLInputElement>('[role=combobox]')!;
const options = () =>
  [...document.querySelectorAll('[role=option]')].map((option) => option.querySelector('b')?.textContent);
const key = (name: string) =>
  box().dispatchEvent(new KeyboardEvent('keydown', { key: name, bubbles: true, cancelable: true }));
const leads = (page: AppPage, path: string | RegExp) => vi.waitFor(() => expect(page.path()).toMatch(path));
/** Chooses a place by its name. */
async function choose(page: AppPage, name: string) {
  await page.type('Search for your area', name);
  await vi.waitFor(() => expect(options()[0]).toMatch(new RegExp(name, 'i')));
  key('Enter');
}
const fields = () => [...document.querySelectorAll('input')].map((input) => [input.name, input.value]);
const write = (name: string, text: string) => {
  const input = document.querySelector<HTMLInputElement>(`[name="${name}"]`)!;
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')!.set!.call(input, text);
  input.dispatchEvent(new Event('input', { bubbles: true }));
  return input;
};

test('four types, search, position, cities and no login asked for [LOC-08] [LOC-03] [LOC-04]', async () => {
  const page = await openPage(server.url, '/postorder-ui/searchAddress');
  await page.find('heading', 'Where should we deliver?');
  // Somebody new types at once; whoever has places to choose from sees them first (below).
  expect(document.activeElement?.role).toBe('combobox');
  expect([...document.querySelectorAll('[role=tab]')].map((tab) => tab.textContent)).toEqual([
    'Delivery',
    'Takeaway',
    'Curbside',
    'Dine-in',
  ]);
  await page.find('button', /^Use my current location ?We ask once/);
  await vi.waitFor(() =>
    expect(page.get('link', /^Choose your city and area/)?.getAttribute('href')).toBe(
      'manualSelector?deliveryType=DELIVERY',
    ),
  );
  await page.find('link', /^New Delhi/);
  // The search and the list lead on.
  await page.type('Search for your area', 'sak');
  await vi.waitFor(() => expect(document.querySelector('[role=option]')?.textContent).toMatch(/^Saket/));
  await page.type('Search for your area', '');
  expect((await page.find('link', 'Where our places and maps come from')).getAttribute('href')).toBe('credits');
  expect(document.querySelectorAll('h1')).toHaveLength(1);
});

const put = (key: string, value: unknown) => localStorage.setItem(`IN/browser:${key}`, JSON.stringify(value));
const kept = (key: string) => JSON.parse(localStorage.getItem(`IN/browser:${key}`)!) as unknown;
const HOME = {
  latitude: 28.5285,
  longitude: 77.219,
  address_id: 'a1',
  houseNo: '12B',
  address: 'Press Enclave Road, Saket',
  type: 'home',
};

test('the place screen shows saved and recent places, a saved one only once, and a tap takes one [LOC-08] [LOC-50]', async () => {
  const home = await openPage(server.url, '/');
  expect(home.get('heading', 'Saved addresses')).toBeNull();
  put('addresses', [HOME]);
  put('recent-locations', [
    {
      recent: { id: 'r1', offline_msg: '', address_id: null },
      location: { lat: 28.6315, lng: 77.2167, address_id: null },
      deliveryType: 'DELIVERY',
      text: 'Connaught Place, New Delhi',
    },
  ]);
  put('recent-searches', [{ place_id: 'in-noida', main_text: 'Sector 18', secondary_text: 'Noida', delivery: 'YES' }]);
  const page = await openPage(server.url, '/postorder-ui/searchAddress', { keep: true });
  await page.find('heading', 'Saved addresses');
  expect(document.activeElement?.role).not.toBe('combobox');
  await page.find('button', /^Home ?12B, Press Enclave Road/);
  await page.find('heading', 'Recent');
  await page.find('button', /^Sector 18 ?Noida/);
  await page.press('button', /^Connaught Place ?New Delhi/);
  await leads(page, /^\/address/);
  expect(kept('place')).toMatchObject({ latitude: 28.6315 });
  const again = await openPage(server.url, '/postorder-ui/searchAddress', { keep: true });
  await again.press('button', /^Home ?12B, Press Enclave Road/);
  await leads(again, /^\/menu/);
  expect((kept('~recent-locations') as object[])[0]).toMatchObject({
    recent: { id: 'a1', offline_msg: '', address_id: 'a1' },
    location: { lat: HOME.latitude, lng: HOME.longitude, address_id: 'a1' },
    deliveryType: 'DELIVERY',
  });
  const last = await openPage(server.url, '/postorder-ui/searchAddress', { keep: true });
  await last.find('button', /^Connaught Place ?New Delhi/);
  expect([...document.querySelectorAll('button')].filter((one) => /Press Enclave/.test(one.textContent))).toHaveLength(
    1,
  );
});

test('a tap on a saved address takes it with the store that delivers there, and orders are delivered again [LOC-36] [LOC-44]', async () => {
  await newDevice();
  put('addresses', [HOME]);
  put('delivery-type', 'PICKUP');
  const page = await openPage(server.url, '/postorder-ui/searchAddress?deliveryType=DELIVERY', { keep: true });
  await page.press('button', /^Home ?12B, Press Enclave Road/);
  await leads(page, /^\/menu/);
  expect(kept('place')).toMatchObject({
    latitude: HOME.latitude,
    longitude: HOME.longitude,
    address: { address_id: 'a1', houseNo: '12B', address: HOME.address },
  });
  expect(kept('store')).toMatchObject({ id: '10102' });
  // A delivery is what is done where nothing else is kept.
  expect(kept('delivery-type') ?? 'DELIVERY').toBe('DELIVERY');
  await page.find('link', /^Delivery to/);
});

test("without a position the menu shows the default store's prices as a guess, or the last store's as real [LOC-X06] [LOC-09]", async () => {
  // A browser says no; without a secure page it would not even ask.
  const getCurrentPosition = vi.fn((_found: unknown, failed: (error: object) => void) => failed({ code: 1 }));
  const kept = () => localStorage.getItem('IN/browser:gps');
  Object.defineProperty(navigator, 'geolocation', { configurable: true, value: { getCurrentPosition } });
  Object.defineProperty(window, 'isSecureContext', { configurable: true, value: true });
  try {
    const page = await openPage(server.url, '/postorder-ui/searchAddress');
    const row = await page.find('button', /^Use my current location ?We ask once/);
    await page.find('link', /^New Delhi/);
    // Nobody is asked by coming here.
    expect([getCurrentPosition.mock.calls.length, kept()]).toEqual([0, null]);
    row.click();
    await page.sees(/cannot see your location/);
    expect([getCurrentPosition.mock.calls.length, kept()]).toEqual([1, '"off"']);
    const guessed = await openPage(server.url, '/menu/sides', { keep: true });
    expect((await guessed.find('listitem', /Garlic Bread Sticks/)).textContent).toMatch(/from ₹109/);
    await guessed.find('link', /Choose your place/);
    const { store } = (await server.call(stores.byId, { storeId: '10102', query: {} }, { apiKey: 'in-web' })).body;
    localStorage.setItem('IN/browser:delivery-type', JSON.stringify('PICKUP'));
    localStorage.setItem('IN/browser:takeaway-store', JSON.stringify(store));
    const again = await openPage(server.url, '/postorder-ui/searchAddress', { keep: true });
    await again.press('button', /^Use my current location/);
    await again.sees(/cannot see your location/);
    const last = await openPage(server.url, '/menu/sides', { keep: true });
    await last.sees('Saket');
    await vi.waitFor(async () =>
      expect((await last.find('listitem', /Garlic Bread Sticks/)).textContent).not.toMatch(/from ₹/),
    );
    getCurrentPosition.mockImplementation(((found: PositionCallback) =>
      found({ coords: { latitude: 28.6315, longitude: 77.2167, accuracy: 20 } } as GeolocationPosition)) as never);
    const shared = await openPage(server.url, '/postorder-ui/searchAddress?deliveryType=delivery', { keep: true });
    await shared.press('button', /^Use my current location/);
    await shared.find('heading', 'Are you in Connaught Place?');
    await shared.sees('Connaught Place, New Delhi delivers here');
    expect(kept()).toBe('"on"');
    // The map is for who wants it.
    const map = () => document.querySelector('[aria-label^="Map with your pin"]');
    expect(map()).toBeNull();
    await shared.press('button', 'Not quite');
    await shared.find('heading', 'Put the pin at your door');
    expect(map()).not.toBeNull();
    expect(shared.get('button', 'Not quite')).toBeNull();
    await shared.press('button', 'Deliver here');
    await vi.waitFor(() => expect(shared.path()).toMatch(/^\/address/));
  } finally {
    delete (navigator as { geolocation?: unknown }).geolocation;
    delete (window as { isSecureContext?: unknown }).isSecureContext;
  }
});

test('the search is a combobox: arrows walk, the field keeps the focus, Escape clears, Enter takes, and nothing found is said [LOC-11] [LOC-12] [ERR-14]', async () => {
  const page = await openPage(server.url, '/postorder-ui/searchAddress?from=cart');
  await page.type('Search for your area', 'ban');
  await vi.waitFor(() => expect(options().length).toBeGreaterThan(1));
  expect(box().getAttribute('aria-expanded')).toBe('true');
  expect(document.getElementById(box().getAttribute('aria-controls')!)?.getAttribute('role')).toBe('listbox');
  key('ArrowDown');
  key('ArrowDown');
  await vi.waitFor(() =>
    expect(document.getElementById(box().getAttribute('aria-activedescendant')!)?.getAttribute('aria-selected')).toBe(
      'true',
    ),
  );
  expect(document.querySelectorAll('[aria-selected=true][role=option]')).toHaveLength(1);
  key('Escape');
  await vi.waitFor(() => expect([box().value, options()]).toEqual(['', []]));
  await page.type('Search for your area', 'qqzzxx');
  await page.sees('No result found on your search! Try the name of your area');
  await choose(page, 'Saket');
  await leads(page, /^\/cart$/);
});

test('the places of an answer that is no success are not suggested [LOC-11]', async () => {
  const real = globalThis.fetch;
  let status = 'ZERO_RESULTS';
  globalThis.fetch = async (...given) => {
    const reply = await real(...given);
    if (!(given[0] instanceof Request) || !given[0].url.includes('/autocomplete')) return reply;
    return Response.json({ ...((await reply.json()) as object), status });
  };
  try {
    const page = await openPage(server.url, '/postorder-ui/searchAddress');
    await page.type('Search for your area', 'Saket');
    await vi.waitFor(() => expect(box().getAttribute('aria-invalid')).toBe('true'));
    expect(options()).toEqual([]);
    // The same places of one that is.
    status = 'SUCCESS';
    await page.type('Search for your area', 'Saket ');
    await vi.waitFor(() => expect(options()[0]).toBe('Saket'));
  } finally {
    globalThis.fetch = real;
  }
});

test.each([
  ['in', 'in', 'Saket'],
  ['lk', 'lk', 'Kollupitiya'],
  ['bg', 'bd', 'Dhanmondi'],
])('in %s places are searched for within %s alone [CFG-20]', async (country, within, name) => {
  await notingCalls(async (asked) => {
    const page = await openPage(server.url, '/postorder-ui/searchAddress', { country });
    await page.type('Search for your area', name);
    await vi.waitFor(() => expect(options()[0]).toContain(name));
    const searches = asked.map((url) => new URL(url)).filter(({ pathname }) => pathname.endsWith('/autocomplete'));
    expect(new Set(searches.map(({ searchParams }) => searchParams.get('country')))).toEqual(new Set([within]));
  });
});

test('where nobody delivers the nearest store is one tap away [LOC-17] [ERR-17] [CFG-47]', async () => {
  const page = await openPage(server.url, '/postorder-ui/searchAddress?from=cart');
  await page.find('heading', 'Where should we deliver?');
  await choose(page, 'Faridabad');
  await page.find('heading', "We currently don't deliver to your location");
  await page.press('button', /^Collect at /);
  await leads(page, /^\/cart$/);
  await page.sees(/We bring it to your car at|Takeaway at/);
});

/** A city's link on the page, with as many stores of that delivery type as there are. */
async function linkOf(city: string, type: 'DELIVERY' | 'DINEIN'): Promise<RegExp> {
  const { data } = (await server.call(stores.cities, { query: { delivery_type: type } }, { apiKey: 'in-web' })).body;
  return new RegExp(`^${city} ?${data.find((one) => one.city === city)!.stores} stores`);
}

/** The way that the sentence asks for: a city to choose, which has its areas. */
async function takesCity(page: AppPage) {
  const path = (await page.find('link', 'Choose your city')).getAttribute('href');
  // The imitated browser does not know what a link below another folder is relative to.
  const cities = await openPage(server.url, `/${path}`, { keep: true });
  await cities.find('heading', 'Choose your city');
  await cities.press('link', await linkOf('Bengaluru', 'DELIVERY'));
  await cities.find('heading', 'Areas of Bengaluru');
}
const NO_STORE = 'We could not find a restaurant near your location! Please select your city and try again.';

test('with no store anywhere near the sentence leads to the cities, and a city to its areas [ERR-16]', async () => {
  const page = await openPage(server.url, '/postorder-ui/searchAddress');
  await page.find('heading', 'Where should we deliver?');
  await choose(page, 'Srinagar');
  await page.find('heading', NO_STORE);
  await takesCity(page);
});

const SRINAGAR = { latitude: 34.0837, longitude: 74.7973, text: '' };
const SAKET = { latitude: 28.5285, longitude: 77.219, text: '' };
test.each([
  { why: 'no store is near', pin: SRINAGAR, offline: [], sentence: NO_STORE },
  {
    why: 'the store that delivers there takes no orders',
    pin: SAKET,
    offline: ['10102'],
    sentence: serverText.storeTrouble,
  },
])(
  'on the map, where $why, the pin says so, takes nothing and leads to cities or another place [ERR-01] [ERR-16] [LOC-33]',
  async ({ pin, offline, sentence }) => {
    await server.switches({ offlineStores: offline });
    try {
      await newDevice();
      put('pin', pin);
      const page = await openPage(server.url, '/postorder-ui/mapScreen', { keep: true });
      await page.sees(sentence);
      expect(page.text().match(/Please select/g)).toHaveLength(1);
      expect(page.get('button', 'Deliver here')).toBeNull();
      expect(page.get('link', 'Try another place')?.getAttribute('href')).toBe('postorder-ui/searchAddress');
      await takesCity(page);
    } finally {
      await server.switches({ offlineStores: [] });
    }
  },
);

test('on the map a store that takes orders for later alone says so, and promises no minutes [LOC-34] [LOC-X02]', async () => {
  await server.switches({ offlineStores: ['10304'] });
  try {
    const { store } = (await server.call(stores.byId, { storeId: '10304', query: {} }, { apiKey: 'in-web' })).body;
    await newDevice();
    put('pin', { latitude: 12.885, longitude: 77.645, text: '' });
    const page = await openPage(server.url, '/postorder-ui/mapScreen', { keep: true });
    await page.sees(`${store.name} delivers here. ${store.hoursText}.`);
    await page.sees('This store is taking advance orders only right now');
    expect(page.text()).not.toMatch(/delivers here in/);
    await page.press('button', 'Deliver here');
    await leads(page, /^\/address\?offline=true$/);
  } finally {
    await server.switches({ offlineStores: [] });
  }
});

test('every card of a store says its hours, and of one that takes no orders that it does not, in the list and on the map [LOC-X02]', async () => {
  await server.switches({ offlineStores: ['10102'] });
  try {
    const query = { latitude: String(SAKET.latitude), longitude: String(SAKET.longitude), orderDeliveryType: 'PICKUP' };
    const { storeStationDetails } = (await server.call(stores.nearest, { query }, { apiKey: 'in-web' })).body;
    const hours = storeStationDetails.map(({ online, takes, hoursText }) =>
      online ? hoursText : takes?.PICKUP === 'none' ? 'No orders right now' : `Orders for later only · ${hoursText}`,
    );
    // Nobody makes its orders for later.
    expect(hours[0]).toBe('No orders right now');
    await newDevice();
    put('around', { ...SAKET, text: 'Saket' });
    const list = await openPage(server.url, '/postorder-ui/selectRestaurant?deliveryType=PICKUP', { keep: true });
    await list.find('button', /^Saket/);
    const all = [...document.querySelectorAll('article')];
    expect(all).toHaveLength(hours.length);
    for (const [at, card] of all.entries()) expect(card.textContent).toContain(hours[at]);
    const map = await openPage(server.url, '/postorder-ui/takeawayMapScreen?deliveryType=PICKUP', { keep: true });
    (await map.find('button', new RegExp(`^1\\. Saket.*, ${hours[0]}$`))).click();
    const bar = (await map.find('button', 'Choose it')).closest('[aria-label]')!;
    expect(bar.textContent).toContain(hours[0]);
  } finally {
    await server.switches({ offlineStores: [] });
  }
});

test('takeaway lists the nearest stores with distance, hours and services [LOC-22] [LOC-24] [LOC-X02]', async () => {
  const page = await openPage(server.url, '/postorder-ui/selectRestaurant?deliveryType=PICKUP&isFromHome=true');
  await page.find('heading', 'Choose a restaurant');
  await page.find('heading', /Connaught Place/);
  expect(page.text()).toMatch(/(Opens|Open until|Open all day|Closed|The last order was)/);
  expect(page.text()).toContain('Delivery, Takeaway');
  await page.press('button', /Connaught Place/);
  await leads(page, /^\/$/);
  await page.find('link', /^Takeaway from ?Connaught Place/);
});

test('both store lists say whose nearest stores they show, what went wrong and how to go on', async () => {
  const geolocation = { getCurrentPosition: (found: PositionCallback) => found(position) };
  const position = { coords: { latitude: 28.6315, longitude: 77.2167, accuracy: 20 } } as GeolocationPosition;
  // As a browser on a secure address.
  Object.defineProperty(window, 'isSecureContext', { value: true, configurable: true });
  Object.defineProperty(navigator, 'geolocation', { value: geolocation, configurable: true });
  const page = await openPage(server.url, '/postorder-ui/selectRestaurant?deliveryType=DINEIN');
  await page.press('button', 'Near me');
  await page.sees('Nearest to you');
  const search = await openPage(server.url, '/postorder-ui/searchAddress?deliveryType=DINEIN', { keep: true });
  await search.find('heading', 'Nearest to you');
  await search.find('heading', /Connaught Place/);

  const ask = globalThis.fetch;
  let answer: () => Promise<Response> = async () => new Response('{}', { status: 503 });
  globalThis.fetch = (...asked) => {
    const to = asked[0] instanceof Request ? asked[0].url : String(asked[0]);
    return to.includes('/locator-service/ve3/stores?') ? answer() : ask(...asked);
  };
  try {
    for (const path of ['selectRestaurant', 'searchAddress']) {
      answer = async () => new Response('{}', { status: 503 });
      const shown = await openPage(server.url, `/postorder-ui/${path}?deliveryType=DINEIN`);
      await shown.find('heading', 'The stores did not load');
      answer = async () => Response.json({ status: 'SUCCESS', storeStationDetails: [] });
      await shown.press('button', 'Try again');
      await shown.find('heading', 'No store near here offers dine-in');
      expect((await shown.find('link', 'Choose your city')).getAttribute('href')).toBe(
        'manualSelector?deliveryType=DINEIN',
      );
    }
  } finally {
    globalThis.fetch = ask;
  }
});

test('near a place each store says how far it is, to a tenth of a kilometre, the nearest first [LOC-22] [CFG-47]', async () => {
  const page = await openPage(server.url, '/postorder-ui/searchAddress?deliveryType=PICKUP');
  await page.find('heading', /Nearest|Stores|stores/);
  await page.type('Search near a place', 'Saket');
  await vi.waitFor(() => expect(options()[0]).toMatch(/Saket/));
  key('Enter');
  await page.find('heading', /^Nearest to Saket/);
  const far: number[] = await vi.waitFor(() => {
    const cards = [...document.querySelectorAll('section[aria-labelledby=nearest-stores] article')];
    const said = cards.flatMap((card) => /(\d+(?:\.\d)?) km/.exec(card.textContent)?.[1] ?? []);
    expect(said.length).toBeGreaterThan(2);
    // At the very place there is no distance to speak of.
    expect(said.length).toBeGreaterThanOrEqual(cards.length - 1);
    return said.map(Number);
  });
  expect(far).toEqual([...far].sort((a, b) => a - b));
  expect(far).not.toContain(0);
  expect(far[0]).toBeLessThan(2);
  expect(document.querySelector('section[aria-labelledby=nearest-stores] article h3')?.textContent).toMatch(/Saket/);
});

test('the place search alerts if a store takes no orders, and says so until another place is sought [LOC-33] [LOC-35] [ERR-25]', async () => {
  const page = await openPage(server.url, '/postorder-ui/searchAddress');
  await page.find('heading', 'Where should we deliver?');
  await server.switches({ offlineStores: ['10102'] });
  try {
    await choose(page, 'Saket');
    await page.find('heading', 'Oops');
    const alert = document.querySelector('dialog')!;
    expect(alert.textContent).toContain(serverText.storeTrouble);
    await page.press('button', 'OK');
    await page.gone('heading', 'Oops');
    expect(page.path()).toBe('/postorder-ui/searchAddress');
    expect((await page.find('region', 'Oops')).textContent).toContain(serverText.storeTrouble);
    await page.press('button', 'Try another place');
    await page.gone('region', 'Oops');
    await choose(page, 'Saket');
    await page.press('button', 'OK');
    await page.find('region', 'Oops');
    await choose(page, 'Connaught Place');
    await leads(page, /^\/address/);
    // The same page again, without loading it anew.
    history.back();
    await page.find('heading', 'Where should we deliver?');
    expect(page.get('region', 'Oops')).toBeNull();
  } finally {
    await server.switches({ offlineStores: [] });
  }
});

test("a refusal that speaks of 'offline' is shown as the sentence about orders for later [LOC-34] [ERR-26]", async () => {
  const page = await openPage(server.url, '/postorder-ui/searchAddress');
  await page.find('heading', 'Where should we deliver?');
  const ask = globalThis.fetch;
  globalThis.fetch = (...asked) => {
    const to = asked[0] instanceof Request ? asked[0].url : String(asked[0]);
    return to.includes(stores.lookup.path)
      ? Promise.resolve(
          Response.json(
            { status: 'FAILED', errors: [{ code: '2.STORENA', displayMsg: 'Store is offline' }] },
            { status: 409 },
          ),
        )
      : ask(...asked);
  };
  try {
    await choose(page, 'Saket');
    await page.find('heading', 'Oops');
    const alert = document.querySelector('dialog')!;
    expect(alert.textContent).toContain('This store is taking advance orders only right now');
    expect(alert.textContent).not.toContain('Store is offline');
  } finally {
    globalThis.fetch = ask;
  }
});

test('where a store takes orders for later alone, the address says so from the link on; elsewhere it does not [LOC-30]', async () => {
  await server.switches({ offlineStores: ['10304'] });
  try {
    await newDevice();
    const put = (id: string, text: string, lat: number, lng: number) => ({
      recent: { id, offline_msg: '', address_id: null },
      location: { lat, lng, address_id: null },
      deliveryType: 'DELIVERY',
      text,
    });
    localStorage.setItem(
      'IN/browser:recent-locations',
      JSON.stringify([
        put('r1', 'Begur, Bengaluru', 12.885, 77.645),
        put('r2', 'Connaught Place, New Delhi', 28.6315, 77.2167),
      ]),
    );
    const later = 'This store is taking advance orders only right now';
    const page = await openPage(server.url, '/postorder-ui/searchAddress', { keep: true });
    await page.press('button', /^Begur/);
    await leads(page, /^\/address\?offline=true$/);
    // Of the form itself: what the store has to say is told on every page.
    const inForm = () => [...document.querySelectorAll('form [role=status]')].map((one) => one.textContent);
    await vi.waitFor(() => expect(inForm()).toEqual([expect.stringContaining(later)]));
    // The child store of the search (specification, section 3).
    const maker = (await server.call(stores.byId, { storeId: '10301', query: {} }, { apiKey: 'in-web' })).body.store;
    expect(inForm()[0]).toContain(`Orders for later come from ${maker.name}.`);
    const other = await openPage(server.url, '/postorder-ui/searchAddress', { keep: true });
    // It is remembered with the place.
    await other.find('button', new RegExp(`^Begur ?${later}`));
    await other.press('button', /^Connaught Place/);
    await leads(other, /^\/address$/);
    await other.find('heading', 'Your door');
    expect(inForm()).toEqual([]);
  } finally {
    await server.switches({ offlineStores: [] });
  }
});

test('with cart-refresh the page reloads once a place is taken, and the cart has the prices of its store [LOC-45] [CART-19]', async () => {
  const first = await openPage(server.url, '/menu/sides');
  await first.press('button', 'Add Garlic Bread Sticks');
  await first.find('link', /^Cart, 1 item ?₹/);
  const reload = vi.spyOn(location, 'reload').mockImplementation(() => {});
  const asked: string[] = [];
  const ask = globalThis.fetch;
  globalThis.fetch = (...given) => {
    const { pathname, searchParams } = new URL(given[0] instanceof Request ? given[0].url : String(given[0]));
    if (/\/cart\/cart_[^/]+$/.test(pathname)) asked.push(searchParams.get('storeId') ?? '');
    return ask(...given);
  };
  try {
    const from = '/postorder-ui/searchAddress?from=cart-refresh';
    const page = await openPage(server.url, from, { keep: true });
    await page.find('heading', 'Where should we deliver?');
    await choose(page, 'Saket');
    await vi.waitFor(() => expect(reload).toHaveBeenCalledTimes(1));
    expect(page.path()).toBe(from);
    asked.length = 0;
    const again = await openPage(server.url, from, { keep: true });
    expect((await again.find('region', /^Delivering/)).textContent).toContain('Saket');
    await vi.waitFor(() => expect(asked).toContain('10102'));
    expect([...new Set(asked)]).toEqual(['10102']);
  } finally {
    globalThis.fetch = ask;
    reload.mockRestore();
  }
});

test('the map does what the list does: a number picks, a button chooses [LOC-23] [NAV-55] [CFG-47]', async () => {
  const page = await openPage(server.url, '/postorder-ui/takeawayMapScreen?deliveryType=DINEIN');
  await page.find('heading', 'Stores on the map');
  const pin = await page.find('button', /^1\. /);
  const list = [...document.querySelectorAll('article h3')].map((heading) => heading.textContent);
  expect(list[0]).toMatch(/^1\p{L}/u);
  expect(pin.getAttribute('aria-label')).toMatch(new RegExp(`^1\\. ${list[0]!.slice(1)}, `));
  expect([...document.querySelectorAll('[aria-label="Stores on the map"] button')]).toHaveLength(list.length);
  pin.click();
  await page.press('button', 'Choose it');
  await leads(page, /^\/home\?offline=false$/);
});

const keptType = () => JSON.parse(localStorage.getItem('IN/browser:delivery-type') ?? 'null') as unknown;
const currentType = () =>
  document.querySelector('[aria-label="How do you want your order?"] [aria-current=true]')?.textContent;

test('a visit starts with delivery; another type is kept, the cart is priced anew, and its new total is said [LOC-07]', async () => {
  const first = await openPage(server.url, '/postorder-ui/searchAddress?page=%2Fmenu');
  await choose(first, 'Saket');
  await leads(first, /^\/menu$/);
  await first.press('button', 'Add Garden Four');
  await first.find('link', /^Cart, 1 item ?₹/);
  const toPay = async () => {
    const cart = await openPage(server.url, '/cart', { keep: true });
    await cart.sees(/To pay ?₹\d/);
    return [/To pay ?(₹[\d,]+(?:\.\d+)?)/.exec(cart.text())![1], /Delivery ?₹/.test(cart.text())];
  };
  const [before, fee] = await toPay();
  expect(fee).toBe(true);
  const home = await openPage(server.url, '/', { keep: true });
  await vi.waitFor(() => expect(currentType()).toBe('Delivery'));
  await home.find('link', /^Cart, 1 item ?₹/);
  await home.press('link', 'Takeaway');
  await home.sees(/To pay now: ₹[\d,.]+, instead of ₹/);
  const [, now, was] = /To pay now: (₹[\d,]+(?:\.\d+)?), instead of (₹[\d,]+(?:\.\d+)?)\./.exec(home.text())!;
  expect([was, currentType(), keptType()]).toEqual([before, 'Takeaway', 'PICKUP']);
  // No rider is paid for any more.
  expect(await toPay()).toEqual([now, false]);
  localStorage.setItem('IN/browser:delivery-type', '"BALLOON"');
  await openPage(server.url, '/', { keep: true });
  await vi.waitFor(() => expect(currentType()).toBe('Delivery'));
});

const rows = () => [...document.querySelectorAll('main li a')].map((row) => row.textContent.replace(/\s+/g, ' '));
const cards = () => [...document.querySelectorAll('main article h3')].map((name) => name.textContent);
/** What the device keeps, whatever host it is in. */
const keptAs = (name: string) => {
  const key = Object.keys(localStorage).find((one) => one.endsWith(`:${name}`));
  return key === undefined ? {} : (JSON.parse(localStorage.getItem(key)!) as object);
};

test.each([
  // An area without a store of its own, to which two stores deliver: the farther one is taken.
  {
    type: 'DELIVERY',
    host: 'browser',
    area: 'Karol Bagh',
    heading: 'Stores that deliver to Karol Bagh',
    stores: ['Paharganj, New Delhi', 'Connaught Place, New Delhi'],
    others: ['Hauz Khas', 'Okhla', 'Saket'],
    taken: { store: { id: '10101' }, place: { text: 'Karol Bagh, New Delhi' } },
  },
  {
    type: 'PICKUP',
    host: 'paytm',
    area: 'Saket',
    heading: 'Stores in Saket',
    stores: ['Saket, New Delhi'],
    others: ['Connaught Place', 'Paharganj', 'Rajouri Garden'],
    taken: { 'takeaway-store': { id: '10102' } },
  },
] as const)(
  'city, then area, then store, and back by one step each: $type without searching [NAV-24] [NAV-88]',
  async ({ type, host, area, heading, stores, others, taken }) => {
    const page = await openPage(server.url, `/manualSelector?deliveryType=${type}&from=cart`, { host });
    await page.press('link', /^New Delhi/);
    await page.find('heading', 'Areas of New Delhi');
    await page.find('link', new RegExp(`^${area}`));
    const areas = rows();
    for (const other of others) expect(areas.filter((one) => one.startsWith(other))).toHaveLength(1);
    expect(areas.find((one) => one.startsWith(area))).toMatch(new RegExp(`${stores.length} stores?$`));
    // To collect one goes where a store stands.
    expect(areas.some((one) => one.startsWith('Hauz Khas'))).toBe(type === 'DELIVERY');
    await page.press('link', new RegExp(`^${area}`));
    await page.find('heading', heading);
    await page.find('button', new RegExp(`^${stores.at(-1)}`));
    expect(cards()).toEqual(stores);
    expect(page.text()).toMatch(/(Opens|Open until|Open all day|Closed|The last order was at)/);
    // Nothing is taken by looking.
    for (const [name, value] of Object.entries(taken)) expect(keptAs(name)).not.toMatchObject(value);
    await page.press('link', 'Other areas');
    await page.find('heading', 'Areas of New Delhi');
    await page.press('link', 'Other cities');
    await page.find('heading', 'Choose your city');
    await page.press('link', /^New Delhi/);
    await page.press('link', new RegExp(`^${area}`));
    await page.press('button', new RegExp(`^${stores.at(-1)}`));
    await leads(page, /^\/cart$/);
    for (const [name, value] of Object.entries(taken)) expect(keptAs(name)).toMatchObject(value);
  },
);

test('each delivery type has its own cities; a customer who switches to delivery finds those alone [LOC-08] [LOC-25]', async () => {
  const [delivery, dineIn] = [await linkOf('Bengaluru', 'DELIVERY'), await linkOf('Bengaluru', 'DINEIN')];
  expect(delivery).not.toEqual(dineIn);
  const page = await openPage(server.url, '/manualSelector?deliveryType=DINEIN');
  await page.find('link', dineIn);
  expect(page.get('link', /^Noida/)).toBeNull();
  await page.press('link', /^Back/);
  await page.find('heading', 'Where will you eat?');
  [...document.querySelectorAll<HTMLElement>('[role=tab]')].find((tab) => tab.textContent === 'Delivery')!.click();
  await page.find('link', delivery);
  const again = await openPage(server.url, '/postorder-ui/searchAddress?deliveryType=PICKUP', { keep: true });
  await again.find('heading', 'Where will you collect it?');
  [...document.querySelectorAll<HTMLElement>('[role=tab]')].find((tab) => tab.textContent === 'Delivery')!.click();
  await again.find('link', delivery);
});

test('an area of a city is found by a part of its name, and what failed to load is asked for again [LOC-25] [LOC-27] [CFG-47]', async () => {
  const ask = globalThis.fetch;
  let isDown = false;
  globalThis.fetch = (...asked) => {
    const to = asked[0] instanceof Request ? asked[0].url : String(asked[0]);
    return isDown && to.includes('/cities/') ? Promise.resolve(new Response('{}', { status: 503 })) : ask(...asked);
  };
  try {
    const page = await openPage(server.url, '/manualSelector?from=cart');
    const failsOnce = async (name: RegExp) => {
      isDown = true;
      await page.press('link', name);
      await page.find('heading', 'The list did not load');
      isDown = false;
      await page.press('button', 'Try again');
    };
    await failsOnce(/^New Delhi/);
    await page.find('link', /^Saket/);
    await page.type('Find your area', 'hauz');
    await vi.waitFor(() => expect(rows()).toEqual([expect.stringMatching(/^Hauz Khas/)]));
    await failsOnce(/^Hauz Khas/);
    await page.press('button', /^Saket/);
    await leads(page, /^\/cart$/);
  } finally {
    globalThis.fetch = ask;
  }
});

test('the pin moves by buttons and keys, and its words follow [LOC-10] [LOC-13] [CFG-47]', async () => {
  const page = await openPage(server.url, '/postorder-ui/mapScreen?from=cart');
  const map = await page.find('group', /^Map with your pin/);
  await page.find('heading', /India Gate|New Delhi/);
  const before = map.getAttribute('aria-label');
  for (let step = 0; step < 12; step += 1)
    map.dispatchEvent(
      new KeyboardEvent('keydown', { key: 'ArrowUp', shiftKey: true, bubbles: true, cancelable: true }),
    );
  await vi.waitFor(() => expect(map.getAttribute('aria-label')).not.toBe(before));
  for (const way of ['north', 'south', 'west', 'east']) await page.press('button', `Move the pin ${way}`);
  await page.sees('Connaught Place, New Delhi delivers here');
  await page.press('button', 'Deliver here');
  await leads(page, /^\/cart$/);
});

test.each([
  ['lk', 'Colombo'],
  ['bg', 'Dhaka'],
])('in %s the pin of somebody who has chosen no place stands in %s [CFG-44]', async (country, city) => {
  const page = await openPage(server.url, '/postorder-ui/mapScreen', { country });
  await page.find('heading', new RegExp(city));
});

test('the address form says what is missing, survives a reload and lets other places have a name [LOC-37] [LOC-39] [LOC-X04]', async () => {
  const page = await openPage(server.url, '/postorder-ui/searchAddress');
  await page.find('heading', 'Where should we deliver?');
  await choose(page, 'Saket');
  await leads(page, /^\/address$/);
  await page.find('heading', 'Your door');
  expect(page.text()).not.toContain('This field cannot be left empty');
  const house = document.querySelector<HTMLInputElement>('[name="houseNo"]')!;
  house.focus();
  house.blur();
  house.dispatchEvent(new FocusEvent('focusout', { bubbles: true }));
  await page.sees('This field cannot be left empty');
  write('houseNo', '12B');
  write('landmark', 'the temple');
  await page.press('radio', 'Other');
  await vi.waitFor(() => expect(fields().map(([name]) => name)).toContain('label'));
  write('label', 'Gym');
  await page.press('button', 'Somebody else receives it');
  await page.find('heading', 'Your address');
  await vi.waitFor(() => expect(fields().map(([name]) => name)).toContain('receiverMobile'));
  write('receiverName', 'Ravi');
  await vi.waitFor(() => expect(Object.fromEntries(fields())).toMatchObject({ receiverName: 'Ravi' }));
  write('receiverMobile', '9812345670');
  await vi.waitFor(() => expect(Object.fromEntries(fields())['receiverMobile']).toMatch(/98123 ?45670/));
  const again = await openPage(server.url, '/address?from=cart', { keep: true });
  await again.find('heading', 'Your door');
  expect(Object.fromEntries(fields())).toMatchObject({
    houseNo: '12B',
    landmark: 'the temple',
    label: 'Gym',
    receiverName: 'Ravi',
    address: '',
  });
  (await again.find('button', 'Save and pay')).click();
  await leads(again, /^\/payment$/);
  const list = await openPage(server.url, '/postorder-ui/myAddresses', { keep: true });
  await list.sees(/For Ravi, 98123 45670/);
  await list.press('button', 'Edit Gym');
  await list.find('heading', 'Change address');
  await list.press('radio', 'Office');
  await list.press('button', 'Save address');
  await leads(list, /^\/menu$/);
  const last = await openPage(server.url, '/postorder-ui/myAddresses', { keep: true });
  await last.find('button', 'Edit Office');
});

test('an order’s page shows a different receiver with their number, and the rider’s directions [LOC-X03] [LOC-X04]', async () => {
  await openShop(server);
  const who = await member(server);
  const address = { ...who.where.address!, receiverName: 'Ravi', receiverMobile: '9812345670' };
  const way = { landmark: 'the temple', instructions: 'Gate code 44' };
  const { order } = await who.order({ paymentMode: 'COD', body: { address: { ...address, ...way } } });
  const page = await openAs(server, who, `/order/${order.orderId}`);
  await page.sees('For Ravi, 98123 45670');
  await page.sees('“Gate code 44”');
  await page.sees(/Near the temple/i);
  expect(page.text()).not.toContain('For Asha');
});

test('reordering from a place whose store takes no orders now fills the cart without an alert [LOC-33] [ERR-25]', async () => {
  await openShop(server);
  const who = await member(server, 'IN', {
    storeId: '10102',
    deliveryType: 'DELIVERY',
    address: { latitude: 28.5285, longitude: 77.219, houseNo: '12', address: 'Press Enclave Road', type: 'home' },
  });
  const { order } = await who.order({ paymentMode: 'COD' });
  await server.advance(2 * 3_600);
  const page = await openAs(server, who, `/order/${order.orderId}`);
  await page.find('button', 'Order this again');
  await server.switches({ offlineStores: ['10102'] });
  try {
    await page.press('button', 'Order this again');
    await leads(page, /^\/cart$/);
    await page.sees('Tomato Basil Classic');
    expect(document.querySelector('[role=alertdialog]')).toBeNull();
    expect(page.text()).not.toContain(serverText.storeTrouble);
  } finally {
    await server.switches({ offlineStores: [] });
  }
});

test('deleting an address leaves another that differs only in its door, and Undo brings it back [LOC-36] [LOC-41]', async () => {
  await newDevice();
  const office = { ...HOME, address_id: 'a2', houseNo: '3', type: 'office' };
  put('addresses', [HOME, office]);
  const page = await openPage(server.url, '/postorder-ui/myAddresses?fromProfile=true', { keep: true });
  await page.sees('12B, Press Enclave Road, Saket');
  await page.sees('3, Press Enclave Road, Saket');
  await page.press('button', 'Delete Home');
  await page.find('button', 'Undo');
  await vi.waitFor(() => expect(page.text()).not.toContain('12B'));
  expect(page.text()).toContain('3, Press Enclave Road, Saket');
  await vi.waitFor(() => expect(kept('addresses')).toMatchObject([office]));
  await page.press('button', 'Undo');
  await page.sees('12B, Press Enclave Road, Saket');
  expect(page.text()).toContain('3, Press Enclave Road, Saket');
});

test('saved addresses are there to choose, to change and to delete with Undo [LOC-40] [LOC-41] [LOC-43]', async () => {
  const start = await openPage(server.url, '/postorder-ui/searchAddress');
  await start.find('heading', 'Where should we deliver?');
  await choose(start, 'Saket');
  await start.find('heading', 'Your door');
  write('houseNo', '12B');
  await start.press('button', 'Save address');
  await start.sees('Write your street, or a landmark below');
  expect(document.activeElement?.getAttribute('name')).toBe('address');
  write('address', 'Press Enclave Road');
  await start.press('button', 'Save address');
  await leads(start, /^\/menu$/);
  const page = await openPage(server.url, '/postorder-ui/myAddresses?fromProfile=true', { keep: true });
  await page.sees('12B, Press Enclave Road, Saket, New Delhi, 110017');
  await page.press('button', 'Delete Home');
  await page.find('button', 'Undo');
  await page.sees('No address saved yet');
  await page.press('button', 'Undo');
  await page.sees('12B, Press Enclave Road, Saket, New Delhi, 110017');
  await page.press('button', 'Edit Home');
  await page.find('heading', 'Change address');
  await vi.waitFor(() => expect(Object.fromEntries(fields())).toMatchObject({ houseNo: '12B' }));
  write('houseNo', '14');
  await page.press('button', 'Save address');
  await leads(page, /^\/postorder-ui\/myAddresses/);
  await page.sees('14, Press Enclave Road, Saket, New Delhi, 110017');
  expect(page.text()).not.toContain('12B');
});

test('the cart shows its delivery address; a tap offers the saved addresses, and the chosen one is used at once [CART-13]', async () => {
  await openShop(server);
  const menu = await openPage(server.url, '/menu/sides');
  await menu.press('button', 'Add Garlic Bread Sticks');
  await menu.find('link', /^Cart, 1 item/);
  const saket = { latitude: 28.5285, longitude: 77.219, houseNo: '12B', address: 'Press Enclave Road, Saket' };
  const conna = { latitude: 28.6315, longitude: 77.2167, houseNo: '7', address: 'Barakhamba Road, Connaught Place' };
  const saved = [
    { ...saket, address_id: 'a1', type: 'home' },
    { ...conna, address_id: 'a2', type: 'office' },
  ];
  localStorage.setItem('IN/browser:addresses', JSON.stringify(saved));
  const places = await openPage(server.url, '/postorder-ui/searchAddress?from=cart', { keep: true });
  await places.press('button', /^Home ?12B, Press Enclave Road/);
  await leads(places, /^\/cart$/);
  const cart = await openPage(server.url, '/cart', { keep: true });
  await cart.press('link', /^Delivery to Press Enclave Road, Saket.*From Saket.*Change$/);
  await cart.find('heading', 'Saved addresses');
  await cart.press('button', /^Office ?7, Barakhamba Road/);
  await leads(cart, /^\/cart$/);
  await cart.find('link', /^Delivery to Barakhamba Road, Connaught Place.*From Connaught Place.*Change$/);
  expect(cart.get('link', /Press Enclave Road/)).toBeNull();
});

test('an address without a place asks for the place first', async () => {
  const page = await openPage(server.url, '/address?from=cart');
  await page.find('heading', 'First, where is it?');
  await vi.waitFor(() =>
    expect(page.get('link', 'Find your area')?.getAttribute('href')).toBe(
      'postorder-ui/searchAddress?deliveryType=delivery&from=cart&page=%2Faddress',
    ),
  );
});

test('places without delivery say so before the tap, for a delivery only', async () => {
  const page = await openPage(server.url, '/postorder-ui/searchAddress');
  await page.type('Search for your area', 'faridabad');
  await vi.waitFor(() =>
    expect(document.querySelector('[role=option]')?.textContent).toContain('No delivery here yet'),
  );
  const tabs = [...document.querySelectorAll<HTMLElement>('[role=tab]')];
  tabs.find((tab) => tab.textContent === 'Takeaway')!.click();
  await page.type('Search near a place', 'faridabad');
  await vi.waitFor(() => expect(options()[0]).toBe('Faridabad'));
  expect(document.querySelector('[role=listbox]')?.textContent).not.toContain('No delivery here yet');
});

test('a page around the app offers the addresses it keeps, below our own search; a tap delivers there [LOC-X05]', async () => {
  const page = await openPage(server.url, '/postorder-ui/searchAddress', { host: 'frame' });
  const row = await page.find('button', /^Choose from your saved addresses/);
  expect(box().compareDocumentPosition(row) & Node.DOCUMENT_POSITION_FOLLOWING).toBeTruthy();
  row.click();
  await leads(page, /^\/menu/);
  await page.sees('Barakhamba Road');
});

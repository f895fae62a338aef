import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import * as stores from '../../src/contract/stores.ts';
import { lentServer } from '../kit/lentServer.ts';

import { newDevice, openPage } from '../screens/page.ts';
import { openShop, visitor } from '../server/shop.ts';
import { countCalls, withoutWaiting } from './quiet.ts';
import { during } from '../kit/during.ts';

const tracking = vi.hoisted(() => ({ switch: 'false' }));
// What a country's own configuration says of its production.
vi.mock('../../country/bg/config.ts', async (original) => {
  const { config } = await original<typeof import('../../country/bg/config.ts')>();
  return {
    config: {
      ...config,
      ENVIRONMENTS: {
        ...config.ENVIRONMENTS,
        production: {
          ...config.ENVIRONMENTS.production,
          get USER_ACTIVITY_TRACKING() {
            return tracking.switch;
          },
        },
      },
    },
  };
});

const server = during(() => lentServer({ settings: { environment: { ANALYTICS: 'on' } } }), openShop);

interface Sent {
  readonly path: string;
  readonly headers: Headers;
  readonly body: {
    data?: Record<string, unknown>;
    clientId?: string;
    user?: Record<string, unknown>;
    events?: { name: string; properties: Record<string, unknown> }[];
  };
}
const sent: Sent[] = [];
const wired = globalThis.fetch;
globalThis.fetch = async (input, init) => {
  if (input instanceof Request && /events|savePageView/.test(input.url)) {
    const { pathname } = new URL(input.url);
    const entry = {
      path: pathname,
      headers: input.headers,
      body: JSON.parse(await input.clone().text()) as Sent['body'],
    };
    const reply = await wired(input, init);
    expect(reply.status).toBe(200);
    sent.push(entry);
    return reply;
  }
  return await wired(input, init);
};
const settled = countCalls();
withoutWaiting();
const page = globalThis as unknown as { dataLayer?: { event: string; currency: string; orderCurrency: string }[] };
const names = () => sent.flatMap(({ body }) => body.events?.map((event) => event.name) ?? []);
beforeEach(() => {
  sent.length = 0;
  delete page.dataLayer;
  tracking.switch = 'false';
});
afterEach(async () => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  await settled();
});

test.each([
  ['in', 'INR'],
  ['lk', 'LKR'],
])(
  "in %s events say INR, and %s beside it; they begin with the customer's yes [CFG-36] [NAV-82] [ERR-30]",
  async (country, orderCurrency) => {
    const app = await openPage(server.url, '/menu/sides?utm_source=leaflet&utm_campaign=rain', { country });
    await app.sees('May we count how this app is used?');
    expect([sent, page.dataLayer]).toEqual([[], undefined]);
    await app.press('button', 'Yes');
    await vi.waitFor(() => expect(names()).toEqual(expect.arrayContaining(['page_view', 'time_spent'])));
    for (const { events } of sent.map(({ body }) => body))
      for (const { properties } of events ?? []) expect(properties).toMatchObject({ currency: 'INR', orderCurrency });
    expect(page.dataLayer).toEqual(
      expect.arrayContaining([expect.objectContaining({ event: 'page_view', currency: 'INR', orderCurrency })]),
    );
    const first = sent[0]!;
    expect(first.body.user).toMatchObject({
      userType: 'guest',
      landingPage: '/menu/sides',
      campaignSource: 'leaflet',
      campaignName: 'rain',
      orderType: 'DELIVERY',
    });
    expect(first.body.events?.[0]?.properties['url']).toBe(
      `${server.url}/${country}/menu/sides?utm_source=leaflet&utm_campaign=rain`,
    );
    // What was sent names nobody, not even where something failed.
    const faults = () => sent.flatMap(({ body }) => body.events ?? []).filter(({ name }) => name === 'Error FrontEnd');
    window.dispatchEvent(new CustomEvent('Error FrontEnd', { detail: 'no /cart/cart_1a-2b of anonymous_3c_4d came' }));
    await vi.waitFor(() =>
      expect(faults().map(({ properties }) => properties['message'])).toContain('no /cart/id of id came'),
    );
    expect(JSON.stringify(sent.map(({ body }) => body))).not.toContain('anonymous_');
  },
);

test('a no is kept, and nothing is counted [CFG-36]', async () => {
  const app = await openPage(server.url, '/');
  await app.sees('May we count how this app is used?');
  await app.press('button', 'No');
  await app.gone('button', 'Yes');
  await settled();
  expect([sent, page.dataLayer]).toEqual([[], undefined]);
  expect(JSON.parse(localStorage.getItem('IN/browser:~consents')!)).toMatchObject([
    { purpose: 'usage', given: false, at: expect.any(Number), version: expect.any(String) },
  ]);
});

test('a tag manager that fails is logged and has the event in its queue; nothing is shown [ERR-33] [ERR-32] [EXP-24]', async () => {
  const logged = vi.spyOn(console, 'error').mockImplementation(() => {});
  const queue = [] as unknown as NonNullable<typeof page.dataLayer>;
  queue.push = () => {
    throw new Error('the tag manager is broken');
  };
  page.dataLayer = queue;
  const app = await openPage(server.url, '/');
  await app.sees('May we count how this app is used?');
  vi.stubGlobal('screen', {
    get width() {
      throw new Error('no attribute');
    },
  });
  await app.press('button', 'Yes');
  await vi.waitFor(() => expect(names()).toContain('page_view'));
  expect([...queue].map(({ event }) => event)).toContain('page_view');
  expect(logged.mock.calls.flat().map((thrown) => (thrown as Error).message)).toEqual(
    expect.arrayContaining(['the tag manager is broken', 'no attribute']),
  );
  expect(document.querySelector('dialog[role=alertdialog]')).toBeNull();
});

test.each([
  ['bg', 'true', true],
  ['bg', 'TRUE', false],
  ['in', 'true', false],
])(
  'page views in %s with the switch "%s", after a yes and not before: %s [API-76] [EXP-X02] [EXP-21]',
  async (country, value, isSent) => {
    tracking.switch = value;
    const app = await openPage(server.url, '/menu/sides', { country });
    const views = () =>
      sent.filter(({ path }) => path === '/user-activity-tracking/ve/v1/savePageViewData').map(({ body }) => body.data);
    // What is not urgent is there once analytics ask.
    await app.sees('May we count how this app is used?');
    await settled();
    expect(views()).toEqual([]);
    await app.press('button', 'Yes');
    await vi.waitFor(() => expect(names()).toContain('page_view'));
    await settled();
    expect(views()).toEqual(
      isSent
        ? [
            expect.objectContaining({
              platform: 'PWA',
              pageName: 'menu categories',
              userId: expect.stringMatching(/^anonymous/),
              action: 'view',
              timestamp: expect.any(Number),
            }),
          ]
        : [],
    );
  },
);

test('each page view reports nine things: browser, platform, user, time, page, origin, action, its kind and its data [EXP-20]', async () => {
  tracking.switch = 'true';
  vi.spyOn(document, 'referrer', 'get').mockReturnValue('https://search.example/');
  vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue('Mozilla/5.0 (Linux; Android 15) Chrome/150 Mobile');
  const views = () =>
    sent.filter(({ path }) => path === '/user-activity-tracking/ve/v1/savePageViewData').map(({ body }) => body.data);
  const from = Date.now();
  const app = await openPage(server.url, '/menu?utm_source=leaflet', { country: 'bg' });
  await app.sees('May we count how this app is used?');
  await app.press('button', 'Yes');
  await vi.waitFor(() => expect(views()).toHaveLength(1));
  await app.press('link', /^Cart/);
  await vi.waitFor(() => expect(views()).toHaveLength(2));
  const always = {
    userAgent: navigator.userAgent,
    platform: 'PWA',
    userId: expect.stringMatching(/^anonymous/) as string,
    timestamp: expect.any(Number) as number,
    action: 'view',
    actionType: 'page',
  };
  expect(views()).toEqual([
    {
      ...always,
      pageName: 'menu categories',
      referrer: 'https://search.example/',
      properties: { path: '/menu', query: 'utm_source=leaflet' },
    },
    {
      ...always,
      pageName: 'cart',
      referrer: '/menu?utm_source=leaflet',
      properties: { path: '/cart', query: '' },
    },
  ]);
  for (const view of views()) {
    expect(view!['timestamp']).toBeGreaterThanOrEqual(from);
    expect(view!['timestamp']).toBeLessThanOrEqual(Date.now());
  }
  await settled();
});

test('calls carry ga-client-id only between a yes and its withdrawal, the same as the events have [EXP-29]', async () => {
  const { heard, end } = listen(/./);
  const idsOf = (calls: typeof heard) => new Set(calls.map(({ headers }) => headers.get('ga-client-id') ?? ''));
  try {
    const app = await openPage(server.url, '/menu/sides');
    await app.sees('May we count how this app is used?');
    await settled();
    expect(idsOf(heard)).toEqual(new Set(['']));
    await app.press('button', 'Yes');
    await vi.waitFor(() => expect(names()).toContain('page_view'));
    await settled();
    heard.length = 0;
    const { clientId } = sent[0]!.body;
    expect(clientId).toMatch(/^[\w-]{20,}$/);
    await app.press('button', 'Add Garlic Bread Sticks');
    await vi.waitFor(() => expect(heard.map(({ path }) => path).join()).toContain('/cart'));
    await settled();
    expect(idsOf(heard)).toEqual(new Set([clientId]));
    const choices = await openPage(server.url, '/consents', { keep: true });
    await choices.press('checkbox', /^Measure how the app is used/);
    await choices.sees(/No, since \d/);
    await settled();
    heard.length = 0;
    await openPage(server.url, '/cart', { keep: true });
    await vi.waitFor(() => expect(heard.map(({ path }) => path).join()).toContain('/cart'));
    await settled();
    expect(idsOf(heard)).toEqual(new Set(['']));
  } finally {
    end();
  }
});

test('a page view says at most 350 characters of the browser; a failed one is logged, not shown or resent [EXP-21] [EXP-27]', async () => {
  tracking.switch = 'true';
  const logged = vi.spyOn(console, 'error').mockImplementation(() => {});
  vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue(`Mozilla/5.0 (${'Linux; '.repeat(70)}) Chrome/150`);
  const views: Record<string, unknown>[] = [];
  const plain = globalThis.fetch;
  globalThis.fetch = async (input, init) => {
    if (!(input instanceof Request) || !input.url.includes('savePageView')) return await plain(input, init);
    views.push(((await input.clone().json()) as { data: Record<string, unknown> }).data);
    return new Response('{"status":"FAILED","message":"no room"}', {
      status: 500,
      headers: { 'content-type': 'application/json' },
    });
  };
  try {
    const app = await openPage(server.url, '/menu/sides', { country: 'bg' });
    await app.sees('May we count how this app is used?');
    await app.press('button', 'Yes');
    await vi.waitFor(() => expect(logged.mock.calls.flat().map(String)).toContain('Failure: broken'));
    expect(views.map(({ userAgent }) => userAgent)).toEqual([navigator.userAgent.slice(0, 350)]);
    const other = await openPage(server.url, '/cart', { country: 'bg', keep: true });
    await vi.waitFor(() => expect(views.map(({ pageName }) => pageName)).toEqual(['menu categories', 'cart']));
    await settled();
    expect(document.querySelector('dialog[open]')).toBeNull();
    expect(other.text()).not.toContain('no room');
  } finally {
    globalThis.fetch = plain;
  }
});

test('with cookies disabled nothing optional is stored, asked or recognised, and the cart is kept [CFG-39] [AUTH-35]', async () => {
  const frugal = await lentServer({ settings: { environment: { ANALYTICS: 'on', DISABLE_COOKIES: 'on' } } });
  try {
    await openShop(frugal);
    await openPage(frugal.url, '/menu/sides');
    localStorage.setItem('IN/browser:~favourites', '["SD001"]');
    localStorage.setItem('IN/browser:~card-variant', '"u"');
    // Also where the script that reads it is not here.
    localStorage.setItem('IN/browser:~recent-queries', '["wings"]');
    const app = await openPage(frugal.url, '/menu/sides', { keep: true });
    await app.press('button', 'Add Garlic Bread Sticks');
    await app.find('link', /^Cart, 1 item ?₹/);
    await vi.waitFor(() => expect(localStorage.getItem('IN/browser:~favourites')).toBeNull());
    expect(localStorage.getItem('IN/browser:~card-variant')).toBeNull();
    expect(localStorage.getItem('IN/browser:~recent-queries')).toBeNull();
    expect(localStorage.getItem('IN/browser:cart')).toContain('SD001');
    await settled();
    const login = await openPage(frugal.url, '/login', { keep: true });
    await login.find('button', 'Send me a code');
    await vi.waitFor(() => expect(login.get('checkbox', /^Recognise this device/)).toBeNull());
    expect(login.text()).not.toContain('May we count');
    await settled();
  } finally {
    await frugal.stop();
  }
});

/** Every call of a kind, in the order in which they were made; `answer` may answer in the server's place. */
function listen(path: RegExp, answer: (asked: Request) => Response | null = () => null) {
  const heard: { method: string; path: string; headers: Headers; body: Record<string, unknown> }[] = [];
  const plain = globalThis.fetch;
  globalThis.fetch = async (input, init) => {
    if (!(input instanceof Request) || !path.test(input.url)) return await plain(input, init);
    const text = await input.clone().text();
    heard.push({
      method: input.method,
      path: new URL(input.url).pathname,
      headers: input.headers,
      body: JSON.parse(text || '{}') as Record<string, unknown>,
    });
    return answer(input) ?? (await plain(input, init));
  };
  return { heard, end: () => (globalThis.fetch = plain) };
}
const kept = () =>
  JSON.parse(localStorage.getItem('IN/browser:~fingerprint') ?? 'null') as { id: string; hash: string } | null;
const RECOGNISE = /^Recognise this device/;

test('a device is recognised only after a yes; then a code request carries its token and typed names [AUTH-08] [AUTH-35]', async () => {
  const { heard, end } = listen(/loginhandler\/login|finger-print/);
  // One who shows signs of a program, as this document does, has to work for a code: then it is asked for again.
  const codesTo = (mobile: string) =>
    heard.filter(({ path, body }) => path.endsWith('/login') && body['mobile'] === mobile);
  try {
    await newDevice();
    localStorage.setItem(
      'IN/browser:checkout-detail',
      JSON.stringify({ fName: 'Asha', lName: 'Rao', mobNo: '', email: 'asha@example.com' }),
    );
    const app = await openPage(server.url, '/login', { keep: true });
    await app.type('Mobile number', '9876501234');
    await settled();
    expect([heard, kept()]).toEqual([[], null]);
    await app.press('checkbox', RECOGNISE);
    await vi.waitFor(() => expect(kept()).toMatchObject({ id: expect.stringMatching(/^fpr_/) as string }));
    const { id, hash } = kept()!;
    expect(hash).toMatch(/^[0-9a-f]{128}$/);
    await app.press('button', 'Send me a code');
    await vi.waitFor(() => expect(codesTo('9876501234')).not.toEqual([]));
    expect(codesTo('9876501234')[0]!.headers.get('bot-token')).toBe(`${id}:${hash}`);
    expect(codesTo('9876501234')[0]!.body).toMatchObject({
      mobile: '9876501234',
      firstName: 'Asha',
      lastName: 'Rao',
      email: 'asha@example.com',
    });
    // What a page still works at would be remembered for the next one.
    await app.sees('We sent 6 digits');
    await app.press('button', 'Change number');
    await app.find('checkbox', RECOGNISE);
    await settled();
    const again = await openPage(server.url, '/login', { keep: true });
    await again.press('checkbox', RECOGNISE);
    await vi.waitFor(() => expect(kept()).toBeNull());
    await vi.waitFor(() => expect(heard.map(({ method }) => method)).toContain('DELETE'));
    await again.type('Mobile number', '9876501235');
    await again.press('button', 'Send me a code');
    await vi.waitFor(() => expect(codesTo('9876501235')).not.toEqual([]));
    expect(codesTo('9876501235').some(({ headers }) => headers.has('bot-token'))).toBe(false);
    await again.sees('We sent 6 digits');
  } finally {
    end();
  }
});

test('device data has at most 350 characters of user agent, the delivery type, signs of a program [EXP-25] [EXP-26] [EXP-27]', async () => {
  const { heard, end } = listen(/finger-print/);
  try {
    vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue(`Browser ${'x'.repeat(400)}`);
    vi.spyOn(navigator, 'appVersion', 'get').mockReturnValue(`5.0 ${'y'.repeat(400)}`);
    vi.spyOn(navigator, 'plugins', 'get').mockReturnValue({ length: 3 } as PluginArray);
    vi.spyOn(navigator, 'mimeTypes', 'get').mockReturnValue({ length: 2 } as MimeTypeArray);
    vi.spyOn(navigator, 'languages', 'get').mockReturnValue(['en-LK', 'si']);
    vi.spyOn(navigator, 'maxTouchPoints', 'get').mockReturnValue(7);
    const clock = new Intl.DateTimeFormat().resolvedOptions();
    vi.spyOn(Intl.DateTimeFormat.prototype, 'resolvedOptions').mockReturnValue({ ...clock, timeZone: 'Asia/Colombo' });
    vi.spyOn(navigator, 'webdriver', 'get').mockReturnValue(true);
    const { userId, person } = await visitor(server);
    const { store } = (await server.call(stores.byId, { storeId: '10102', query: {} })).body;
    await newDevice();
    const { credentials, attributes } = person.reply;
    for (const [key, value] of Object.entries({
      session: { credentials, attributes },
      'delivery-type': 'PICKUP',
      'takeaway-store': store,
      'login-mobile': '9876501234',
    }))
      localStorage.setItem(`IN/browser:${key}`, JSON.stringify(value));
    const app = await openPage(server.url, '/login', { keep: true });
    await app.press('checkbox', RECOGNISE);
    await vi.waitFor(() => expect(kept()).not.toBeNull());
    const { body } = heard[0]!;
    expect(Object.keys(body).sort().join(' ')).toBe(
      'av bs ln ls mt pl st tp tz uid ua wh ww'.split(' ').sort().join(' '),
    );
    expect(body).toMatchObject({
      ua: `Browser ${'x'.repeat(342)}`,
      av: `5.0 ${'y'.repeat(196)}`,
      ww: innerWidth,
      wh: innerHeight,
      pl: 3,
      mt: 2,
      ln: 'en-LK,si',
      tz: 'Asia/Colombo',
      tp: 7,
      st: '10102',
      ls: 'PICKUP',
      uid: userId,
    });
    expect(body['bs']).toContain('webDriver');
    expect(JSON.stringify(heard)).not.toContain('9876501234');
  } finally {
    end();
  }
});

test('a no that the server could not hear holds here at once, and the server hears it later', async () => {
  let isGone = false;
  const { heard, end } = listen(/finger-print/, ({ method }) =>
    method === 'DELETE' && isGone ? new Response('{}', { status: 503 }) : null,
  );
  const deleted = () => heard.filter(({ method }) => method === 'DELETE').length;
  try {
    const app = await openPage(server.url, '/login');
    await app.press('checkbox', RECOGNISE);
    await vi.waitFor(() => expect(kept()).not.toBeNull());
    isGone = true;
    await app.press('checkbox', RECOGNISE);
    await vi.waitFor(() => expect(deleted()).toBeGreaterThan(0));
    expect(kept()).toBeNull();
    await settled();
    expect(localStorage.getItem('IN/browser:forgetting-device')).toBe('true');
    isGone = false;
    const before = deleted();
    await openPage(server.url, '/menu/sides', { keep: true });
    await vi.waitFor(() => expect(deleted()).toBe(before + 1));
    await vi.waitFor(() => expect(localStorage.getItem('IN/browser:forgetting-device')).not.toBe('true'));
  } finally {
    end();
  }
});

test('a consented device is looked at once a visit, only where codes and coupons are; without cookies nobody is asked', async () => {
  const { heard, end } = listen(/finger-print/);
  try {
    const app = await openPage(server.url, '/login');
    await app.press('checkbox', RECOGNISE);
    await vi.waitFor(() => expect(kept()).not.toBeNull());
    await settled();
    // As on another device of the same account.
    localStorage.removeItem('IN/browser:~fingerprint');
    heard.length = 0;
    await openPage(server.url, '/menu/sides', { keep: true });
    await settled();
    expect(heard).toEqual([]);
    await openPage(server.url, '/cart', { keep: true });
    await vi.waitFor(() => expect(kept()).not.toBeNull());
    await openPage(server.url, '/login', { keep: true });
    await settled();
    expect(heard.map(({ method }) => method)).toEqual(['POST']);

    vi.spyOn(navigator, 'cookieEnabled', 'get').mockReturnValue(false);
    const closed = await openPage(server.url, '/login', { keep: true });
    await closed.find('button', 'Send me a code');
    expect(closed.get('checkbox', RECOGNISE)).toBeNull();
    await vi.waitFor(() => expect(kept()).toBeNull());
    await vi.waitFor(() => expect(heard.map(({ method }) => method)).toEqual(['POST', 'DELETE']));
  } finally {
    end();
  }
});

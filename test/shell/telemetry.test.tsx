import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { spawnServer, type SpawnedServer } from '../kit/server.ts';
import { openPage } from '../screens/page.ts';
import { openShop } from '../server/shop.ts';
import { countCalls, withoutWaiting } from './quiet.ts';

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

let server: SpawnedServer;
beforeAll(async () => {
  server = await spawnServer({ settings: { environment: { ANALYTICS: 'on' } } });
  await openShop(server);
});
afterAll(() => server.stop());

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
  ['bg', 'BDT'],
])(
  "in %s events say INR, and %s beside it; they begin with the customer's yes [CFG-36] [NAV-82]",
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

test('a tag manager that fails is logged and has the event in its queue; nothing is shown [ERR-33] [ERR-32]', async () => {
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

test('a fault of the page is counted under its own category [ERR-30]', async () => {
  const app = await openPage(server.url, '/');
  await app.sees('May we count how this app is used?');
  await app.press('button', 'Yes');
  await vi.waitFor(() => expect(names()).toContain('page_view'));
  window.dispatchEvent(new CustomEvent('Error FrontEnd', { detail: new Error('the device is full') }));
  await vi.waitFor(() =>
    expect(sent.flatMap(({ body }) => body.events ?? [])).toContainEqual(
      expect.objectContaining({
        name: 'Error FrontEnd',
        properties: expect.objectContaining({ category: 'Error FrontEnd', message: 'Error: the device is full' }),
      }),
    ),
  );
});

test.each([
  ['bg', 'true', true],
  ['bg', 'TRUE', false],
  ['bg', 'false', false],
  ['in', 'true', false],
  ['lk', 'true', false],
])(
  'page views in %s with the switch "%s", after a yes and not before: %s [API-76] [EXP-X02]',
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

test('where cookies are disabled nothing optional stays on the device, nobody is asked, and the cart is kept all the same [CFG-39]', async () => {
  const frugal = await spawnServer({ settings: { environment: { ANALYTICS: 'on', DISABLE_COOKIES: 'on' } } });
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

test('a device is recognised only after a yes; the request for a code then carries its token and the names that were typed before [AUTH-08] [AUTH-35]', async () => {
  const codes: { headers: Headers; body: Record<string, unknown> }[] = [];
  const plain = globalThis.fetch;
  globalThis.fetch = async (input, init) => {
    if (input instanceof Request && input.url.endsWith('/loginhandler/login'))
      codes.push({ headers: input.headers, body: JSON.parse(await input.clone().text()) as Record<string, unknown> });
    return await plain(input, init);
  };
  try {
    await openPage(server.url, '/login');
    localStorage.setItem(
      'IN/browser:checkout-detail',
      JSON.stringify({ fName: 'Asha', lName: 'Rao', mobNo: '', email: 'asha@example.com' }),
    );
    const app = await openPage(server.url, '/login', { keep: true });
    await app.type('Mobile number', '9876501234');
    await app.press('checkbox', /^Recognise this device/);
    await vi.waitFor(() =>
      expect(localStorage.getItem('IN/browser:~fingerprint')).toMatch(/^\{"id":"fpr_.*","hash":"[0-9a-f]{128}"\}$/),
    );
    const { id, hash } = JSON.parse(localStorage.getItem('IN/browser:~fingerprint')!) as { id: string; hash: string };
    await app.press('button', 'Send me a code');
    await vi.waitFor(() => expect(codes).toHaveLength(1));
    expect(codes[0]!.headers.get('bot-token')).toBe(`${id}:${hash}`);
    expect(codes[0]!.body).toMatchObject({
      mobile: '9876501234',
      firstName: 'Asha',
      lastName: 'Rao',
      email: 'asha@example.com',
    });
    await settled();
    const again = await openPage(server.url, '/login', { keep: true });
    await again.press('checkbox', /^Recognise this device/);
    await vi.waitFor(() => expect(localStorage.getItem('IN/browser:~fingerprint')).toBeNull());
    await again.type('Mobile number', '9876501235');
    await again.press('button', 'Send me a code');
    await vi.waitFor(() => expect(codes).toHaveLength(2));
    expect(codes[1]!.headers.has('bot-token')).toBe(false);
  } finally {
    globalThis.fetch = plain;
  }
});

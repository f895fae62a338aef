import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { CONSENT_VERSIONS } from '../../src/domain/consents.ts';
import { lentServer } from '../kit/lentServer.ts';

import { logInOn } from '../screens/device.ts';
import { openPage } from '../screens/page.ts';
import { freshMobile } from '../server/people.ts';
import { openShop } from '../server/shop.ts';
import { countCalls, holdTimers, withoutWaiting } from './quiet.ts';
import { during } from '../kit/during.ts';

const server = during(() => lentServer({ settings: { environment: { ANALYTICS: 'on' } } }), openShop);

/** A device whose storage takes nothing more. */
const device = { isFull: false };
// The document's own storage takes its methods once, the first time.
const { setItem } = Storage.prototype;
Storage.prototype.setItem = function (key, value) {
  if (device.isFull) throw new DOMException(`Setting the value of '${key}' exceeded the quota.`, 'QuotaExceededError');
  setItem.call(this, key, value);
};

interface Body {
  readonly clientId: string;
  readonly user: Readonly<Record<string, unknown>>;
  readonly events: readonly { readonly name: string; readonly properties: Readonly<Record<string, unknown>> }[];
}
const sent: Body[] = [];
const wired = globalThis.fetch;
globalThis.fetch = async (input, init) => {
  if (input instanceof Request && input.url.includes('/analytics-service/') && input.method === 'POST')
    sent.push(JSON.parse(await input.clone().text()) as Body);
  return await wired(input, init);
};
const settled = countCalls();
withoutWaiting();
beforeEach(() => {
  localStorage.clear();
  sent.length = 0;
});
afterEach(async () => {
  vi.restoreAllMocks();
  await settled();
});

const agree = () =>
  localStorage.setItem(
    'IN/browser:~consents',
    JSON.stringify([{ purpose: 'usage', given: true, version: CONSENT_VERSIONS.usage, at: Date.now() }]),
  );
const KEY = 'IN/browser:~utm';
const told = (name: string) => sent.flatMap(({ events }) => events.filter((event) => event.name === name));
/** What the last event of this name said of its visitor. */
const userAt = (name: string) => sent.findLast(({ events }) => events.some((event) => event.name === name))?.user;

test('each event has the visitor’s fourteen attributes: who, where and how, as a guest and after login [EXP-22] [AUTH-05]', async () => {
  agree();
  localStorage.setItem('IN/browser:gps', '"on"');
  vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue('Mozilla/5.0 (Linux; Android 15) Chrome/150 Mobile');
  await openPage(server.url, '/menu/sides?utm_source=leaflet&utm_medium=print&utm_campaign=rain', { keep: true });
  await vi.waitFor(() => expect(told('page_view')).not.toEqual([]));
  const { clientId, user } = sent[0]!;
  expect(clientId).toMatch(/^[\w-]{20,}$/);
  expect(user).toEqual({
    userType: 'guest',
    storeCode: expect.stringMatching(/\w/),
    orderType: 'DELIVERY',
    gps: 'on',
    loginRoute: expect.stringMatching(/^(anonymous)?$/),
    deviceType: 'mobile',
    screenSize: `${innerWidth}x${innerHeight}`,
    screenResolution: `${screen.width}x${screen.height}`,
    networkType: expect.any(String),
    landingPage: '/menu/sides',
    campaignSource: 'leaflet',
    campaignMedium: 'print',
    campaignName: 'rain',
  });

  const mobile = freshMobile();
  const login = await openPage(server.url, '/login?redirectUrl=/cart', { keep: true });
  await logInOn(login, server, mobile);
  await vi.waitFor(() =>
    expect(userAt('login')).toMatchObject({ userType: 'loggedIn', loginRoute: 'mobile', landingPage: '/login' }),
  );
});

test('the campaign a visitor came by is kept only with a yes, over reloads, until another, a no or three months [EXP-28]', async () => {
  const first = await openPage(server.url, '/menu/sides?utm_source=leaflet&utm_medium=print&utm_campaign=rain');
  await first.sees('May we count how this app is used?');
  await settled();
  expect(localStorage.getItem(KEY)).toBeNull();
  // By now on another page, whose address says nothing of it.
  await first.press('link', 'Home');
  await first.press('button', 'Yes');
  await vi.waitFor(() => expect(localStorage.getItem(KEY)).not.toBeNull());

  sent.length = 0;
  await openPage(server.url, '/cart', { keep: true });
  await vi.waitFor(() =>
    expect(userAt('page_view')).toMatchObject({
      landingPage: '/cart',
      campaignSource: 'leaflet',
      campaignName: 'rain',
    }),
  );
  await settled();
  sent.length = 0;
  await openPage(server.url, '/cart?utm_source=mail', { keep: true });
  await vi.waitFor(() =>
    expect(userAt('page_view')).toMatchObject({ campaignSource: 'mail', campaignMedium: '', campaignName: '' }),
  );
  await settled();

  const kept = JSON.parse(localStorage.getItem(KEY)!) as { at: number };
  localStorage.setItem(KEY, JSON.stringify({ ...kept, at: Date.now() - 90 * 86_400_000 }));
  sent.length = 0;
  const page = await openPage(server.url, '/consents', { keep: true });
  await vi.waitFor(() =>
    expect(userAt('page_view')).toMatchObject({ campaignSource: '', campaignMedium: '', campaignName: '' }),
  );
  await page.press('checkbox', /^Measure how the app is used/);
  await vi.waitFor(() => expect(localStorage.getItem(KEY)).toBeNull());
});

test('the time spent is told 3000 ms after the page has loaded, and not before [EXP-23]', async () => {
  agree();
  vi.spyOn(performance, 'now').mockReturnValue(1_200);
  const timers = holdTimers(1_800);
  try {
    await openPage(server.url, '/consents', { keep: true });
    await vi.waitFor(() => expect(told('page_view')).not.toEqual([]));
    await settled();
    expect(told('time_spent')).toEqual([]);
    await timers.run(1_800);
    await vi.waitFor(() => expect(told('time_spent')).toHaveLength(1));
  } finally {
    timers.end();
  }
});

test('the time spent is told once a visit, as fired after 3, also where a consent was taken back and given again [EXP-23]', async () => {
  agree();
  const page = await openPage(server.url, '/consents', { keep: true });
  await vi.waitFor(() =>
    expect(told('time_spent')).toEqual([
      expect.objectContaining({ properties: { fired_after: 3, currency: 'INR', orderCurrency: 'INR' } }),
    ]),
  );
  await page.press('checkbox', /^Measure how the app is used/);
  await page.sees(/No, since \d/);
  await settled();
  const views = told('page_view').length;
  await page.press('checkbox', /^Measure how the app is used/);
  await vi.waitFor(() => expect(told('page_view').length).toBeGreaterThan(views));
  await settled();
  expect(told('time_spent')).toHaveLength(1);
});

test('a full device reports once each thing it could not store, and events that wait are sent all the same [EXP-30]', async () => {
  agree();
  const page = await openPage(server.url, '/menu/sides', { keep: true });
  await vi.waitFor(() => expect(told('page_view')).not.toEqual([]));
  await settled();
  sent.length = 0;
  device.isFull = true;
  try {
    await page.press('button', 'Add Garlic Bread Sticks');
    await vi.waitFor(() =>
      expect(told('Error FrontEnd').map(({ properties }) => properties)).toContainEqual(
        expect.objectContaining({
          category: 'Error FrontEnd',
          message: expect.stringContaining("'IN/browser:cart-operations' exceeded the quota"),
        }),
      ),
    );
    await settled();
    expect(
      told('Error FrontEnd')
        .map(({ properties }) => String(properties['message']))
        .join(),
    ).not.toContain('waiting');
    expect(page.text()).toContain('1 item');
  } finally {
    device.isFull = false;
  }
});

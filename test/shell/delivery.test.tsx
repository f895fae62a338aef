import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { logInOn } from '../screens/device.ts';
import { newDevice, openPage } from '../screens/page.ts';
import { freshMobile } from '../server/people.ts';

import { countCalls, withoutWaiting } from './quiet.ts';
import { lentShopHere } from '../server/shopHere.ts';

const { server, db } = lentShopHere({ settings: { environment: { ANALYTICS: 'on' } } });

/** What becomes of calls to the collector: they do not get there, their answer is lost, or all is well. */
const line = { is: 'open' as 'away' | 'lost' | 'open' };
const sent: { id: string; name: string; clientId: string }[] = [];
const wired = globalThis.fetch;
globalThis.fetch = async (input, init) => {
  if (!(input instanceof Request) || !input.url.includes('/analytics-service/') || input.method !== 'POST')
    return await wired(input, init);
  if (line.is === 'away') throw new TypeError('no network');
  const { clientId, events } = JSON.parse(await input.clone().text()) as {
    clientId: string;
    events: { id: string; name: string }[];
  };
  sent.push(...events.map((event) => ({ ...event, clientId })));
  const reply = await wired(input, init);
  if (line.is === 'lost') throw new TypeError('the answer was lost');
  return reply;
};
const settled = countCalls();
withoutWaiting();
beforeEach(() => {
  sent.length = 0;
  line.is = 'open';
});
afterEach(async () => {
  vi.unstubAllGlobals();
  await settled();
});

const waiting = () => Object.keys(localStorage).filter((key) => key.includes('~waiting-usage-'));
const rows = async () => await db.selectFrom('activity').select('name').where('kind', '=', 'event').execute();
const ASKED = 'May we count how this app is used?';

test('events recorded offline or never answered are sent on the next visits; none is lost and none arrives twice', async () => {
  line.is = 'away';
  const first = await openPage(server.url, '/menu/sides');
  await first.sees(ASKED);
  await first.press('button', 'Yes');
  await vi.waitFor(() => expect(waiting().length).toBeGreaterThanOrEqual(2));
  const early = waiting().map((key) => key.split('~waiting-usage-')[1]!);
  await settled();
  expect(await rows()).toEqual([]);

  line.is = 'lost';
  await openPage(server.url, '/cart', { keep: true });
  // What says something else of its visitor goes in another call, after the first is answered.
  await vi.waitFor(() => expect(early.some((id) => sent.some((one) => one.id === id))).toBe(true));
  await settled();
  expect(waiting().map((key) => key.split('~waiting-usage-')[1])).toEqual(expect.arrayContaining(early));

  line.is = 'open';
  await openPage(server.url, '/search', { keep: true });
  await vi.waitFor(() => expect(waiting()).toEqual([]), { timeout: 8_000 });
  await settled();
  const ids = new Set(sent.filter(({ name }) => name !== 'web_vital').map(({ id }) => id));
  expect(sent.length).toBeGreaterThan(ids.size);
  expect(await rows()).toHaveLength(ids.size);
});

test('logging out first sends the events that wait, as that customer’s, and leaves nothing for the next one [AUTH-28]', async () => {
  const mobile = freshMobile();
  const menu = await openPage(server.url, '/menu/sides');
  await menu.sees(ASKED);
  await menu.press('button', 'Yes');
  const login = await openPage(server.url, '/login?redirectUrl=/postorder-ui/profile', { keep: true });
  await logInOn(login, server, mobile);
  await login.find('button', 'Log out');
  await settled();
  line.is = 'away';
  await login.press('link', 'Home');
  await vi.waitFor(() => expect(waiting().length).toBeGreaterThan(0));
  await login.press('link', 'Account');
  await login.find('button', 'Log out');
  await settled();
  const left = waiting().map((key) => key.split('~waiting-usage-')[1]!);
  const of = async () =>
    await db.selectFrom('activity').select('user_id').where('kind', '=', 'event').orderBy('at', 'desc').execute();
  const before = await of();
  line.is = 'open';
  sent.length = 0;
  await login.press('button', 'Log out');
  await vi.waitFor(() => expect(waiting()).toEqual([]));
  // Who is logged out is at home. (The sentence of it stays for the three seconds that this file takes out.)
  await vi.waitFor(() => expect(login.path()).toBe('/'));
  await settled();
  expect(sent.map(({ id }) => id)).toEqual(expect.arrayContaining(left));
  const now = await of();
  expect(now).toHaveLength(before.length + new Set(sent.map(({ id }) => id)).size);
  expect(new Set(now.slice(0, left.length).map(({ user_id }) => user_id))).toEqual(new Set([before[0]!.user_id]));
  expect(Object.keys(localStorage).filter((key) => /ga-client|waiting|utm/.test(key))).toEqual([]);
  const clients = () => new Set(sent.map(({ clientId }) => clientId));
  const last = clients();
  expect(last.size).toBe(1);
  sent.length = 0;
  const next = await openPage(server.url, '/menu/sides', { keep: true });
  await next.sees(ASKED);
  await next.press('button', 'Yes');
  await vi.waitFor(() => expect(sent.length).toBeGreaterThan(0));
  await settled();
  expect(clients().size).toBe(1);
  expect(clients()).not.toEqual(last);
});

test('at most 500 messages wait, the oldest go first, and none for longer than a week', async () => {
  const before = (await rows()).length;
  const page = await openPage(server.url, '/menu/sides');
  await page.sees(ASKED);
  await page.press('button', 'Yes');
  await vi.waitFor(() => expect(waiting()).toEqual([]));
  await settled();
  await vi.waitFor(async () => expect((await rows()).length).toBeGreaterThan(before));
  const own = (await rows()).length;
  const clientId = JSON.parse(localStorage.getItem('IN/browser:~ga-client')!) as string;
  const day = 86_400_000;
  const now = Date.now();
  /** As a page of before has left it. */
  const leave = (name: string, at: number) =>
    localStorage.setItem(
      `IN/browser:~waiting-usage-${name}`,
      JSON.stringify({ id: name, at, kind: 'event', clientId, user: {}, event: { name, at, properties: {} } }),
    );
  /** The next visit; what of this the server has afterwards. */
  async function told(name: string) {
    await openPage(server.url, '/consents', { keep: true });
    await vi.waitFor(() => expect(waiting()).toEqual([]), { timeout: 20_000 });
    await settled();
    return (await rows()).slice(own).flatMap((row) => (row.name.startsWith(name) ? [row.name] : []));
  }
  for (let at = 0; at < 20; at += 1) leave(`old${at}`, now - 7 * day - 1_000 - at);
  for (let at = 0; at < 20; at += 1) leave(`young${at}`, now - 6 * day + at);
  expect([await told('old'), (await told('young')).length]).toEqual([[], 20]);
  for (let at = 0; at < 520; at += 1) leave(`many${at}`, now - 6 * day + at);
  const many = await told('many');
  expect(many.length).toBe(new Set(many).size);
  expect(many.length).toBeLessThanOrEqual(500);
  // What this page had to tell itself came on top.
  for (let at = 30; at < 520; at += 1) expect(many).toContain(`many${at}`);
  for (let at = 0; at < 20; at += 1) expect(many).not.toContain(`many${at}`);
});

test('a consent that is taken back leaves nothing here and nothing on the server, and nothing is told from then on [EXP-X02]', async () => {
  const others = await rows();
  const app = await openPage(server.url, '/');
  await app.sees(ASKED);
  await app.press('button', 'Yes');
  await vi.waitFor(async () => expect((await rows()).length).toBeGreaterThan(others.length));
  expect(Object.keys(localStorage)).toContain('IN/browser:~ga-client');
  // Nothing of this page is left that it would send later.
  await settled();
  await vi.waitFor(() => expect(waiting()).toEqual([]));
  line.is = 'away';
  const page = await openPage(server.url, '/consents', { keep: true });
  await vi.waitFor(() => expect(waiting().length).toBeGreaterThan(0));
  await page.press('checkbox', /^Measure how the app is used/);
  await page.sees(/No, since \d/);
  await vi.waitFor(async () => expect(await rows()).toEqual(others));
  line.is = 'open';
  sent.length = 0;
  await openPage(server.url, '/menu', { keep: true });
  await settled();
  expect([waiting(), sent, Object.keys(localStorage).filter((key) => /ga-client|forgetting/.test(key))]).toEqual([
    [],
    [],
    [],
  ]);
});

test("the browser's Global Privacy Control is a no: nobody is asked, an earlier yes is not used, the choices say why [EXP-X02]", async () => {
  const given = [{ purpose: 'usage', given: true, version: '2026-11-23', at: 1 }];
  await newDevice();
  localStorage.setItem('IN/browser:~consents', JSON.stringify(given));
  Object.defineProperty(navigator, 'globalPrivacyControl', { configurable: true, value: true });
  try {
    const page = await openPage(server.url, '/consents', { keep: true });
    await page.sees('Off, because your browser asks that nobody follows you');
    const box = (await page.find('checkbox', /^Measure how the app is used/)) as HTMLInputElement;
    expect([box.checked, box.disabled]).toEqual([false, true]);
    await settled();
    expect([waiting(), sent]).toEqual([[], []]);
    expect(page.text()).not.toContain(ASKED);
  } finally {
    Reflect.deleteProperty(navigator, 'globalPrivacyControl');
  }
});

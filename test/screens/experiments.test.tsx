import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import * as contract from '../../src/contract/experiments.ts';
import { CONSENT_VERSIONS } from '../../src/domain/consents.ts';
import { launch } from '../../src/domain/experiments/launch.ts';
import { withCampaigns } from '../../src/server/rules/experiments/run.ts';
import { openDb } from '../../src/server/store/db.ts';
import { lentServer } from '../kit/lentServer.ts';
import type { TestServer } from '../kit/server.ts';
import { freshMobile } from '../server/people.ts';
import { countCalls, holdTimers, withoutWaiting } from '../shell/quiet.ts';
import { logInOn } from './device.ts';
import { openPage } from './page.ts';

const CARDS = 'NextgenProductCardsV2';
let server: TestServer;
/** A visitor whom the lot gives variant w. */
let visitor = '';
beforeAll(async () => {
  server = await lentServer();
  const { db } = await openDb(server.database.target);
  await withCampaigns(db, ['IN'], CARDS, 'start');
  await db.destroy();
  const { body } = await server.call(contract.settings, { query: {} });
  const client = launch({ settingsFile: body });
  for (let id = 1; visitor === ''; id += 1)
    if (client.getVariationName(CARDS, String(id)) === 'nextgen variant w') visitor = String(id);
});
afterAll(() => server.stop());
withoutWaiting();
/** What was told of experiments, as the bodies of its calls; and the header of the last call. */
const told: contract.BatchEvent[] = [];
let header = '';
/** How often settings were asked for. */
let asked = 0;
let isProduction = false;
/** The settings are answered when this settles. */
let held: Promise<void> | null = null;
const fetchNow = globalThis.fetch;
globalThis.fetch = async (input, init) => {
  const request = new Request(input, init);
  if (request.url.includes('/server-side/settings')) asked += 1;
  header = request.headers.get('ab-variant') ?? header;
  if (request.url.includes('/server-side/batch-events'))
    told.push(...((await request.clone().json()) as { ev: contract.BatchEvent[] }).ev);
  const reply = await fetchNow(request);
  if (held !== null && request.url.includes('/server-side/settings')) await held;
  if (!isProduction || !request.url.includes('/app-config')) return reply;
  const body = (await reply.json()) as { config: { development?: boolean } };
  expect(body.config.development).toBe(true);
  delete body.config.development;
  return new Response(JSON.stringify(body), { headers: { 'content-type': 'application/json' } });
};
const settled = countCalls();
beforeEach(() => {
  localStorage.clear();
  told.length = asked = 0;
});
afterEach(settled);

const agree = () =>
  localStorage.setItem(
    'IN/browser:~consents',
    JSON.stringify([{ purpose: 'usage', given: true, version: CONSENT_VERSIONS.usage, at: Date.now() }]),
  );
const remember = (key: string, value: unknown) => localStorage.setItem(`IN/browser:~${key}`, JSON.stringify(value));
const kept = (key: string) => JSON.parse(localStorage.getItem(`IN/browser:~${key}`) ?? 'null') as unknown;
const look = () => document.documentElement.dataset['look'];

test('a menu variation is chosen before the menu, reported once shown, and stays through login [EXP-19] [EXP-X01] [MENU-07]', async () => {
  agree();
  remember('experiment-visitor', visitor);
  const page = await openPage(server.url, '/', { keep: true });
  await vi.waitFor(() => expect([kept('card-variant'), look()]).toEqual(['w', 'w']));
  expect(told).toEqual([]);
  await page.press('link', 'Menu');
  await page.find('heading', 'Menu');
  await vi.waitFor(() => expect(told).toHaveLength(1));
  expect(look()).toBe('w');
  expect(told[0]).toMatchObject({ eT: 1, e: 1, c: 3 });
  await page.press('link', 'Home');
  await page.press('link', 'Menu');
  await page.find('heading', 'Menu');
  await settled();
  expect(told).toHaveLength(1);

  const mobile = freshMobile();
  const login = await openPage(server.url, '/login?redirectUrl=/menu', { keep: true });
  await logInOn(login, server, mobile);
  await login.find('heading', 'Menu');
  await vi.waitFor(() => expect(told.length).toBeGreaterThan(1));
  expect(look()).toBe('w');
  expect(kept('experiment-visitor')).toBe(visitor);
  expect(new Set(told.map(({ u, c }) => `${u} ${c}`)).size).toBe(1);
  expect(header).toBe(`${CARDS}:w,bucket:${Number(visitor) % 100}`);
});

test('without consent the visitor is decided for all the same, nothing is told and no id is kept [EXP-X02]', async () => {
  remember('experiment-rows', { [CARDS]: { variationName: 'nextgen variant y', version: '1', at: 1 } });
  const page = await openPage(server.url, '/experiments', { keep: true });
  await page.sees(`${CARDS}: nextgen variant y`);
  await page.sees('You had it before, so it stays.');
  await page.sees('Nothing of this is sent');
  await vi.waitFor(() => expect(kept('card-variant')).toBe('y'));
  const menu = await openPage(server.url, '/menu', { keep: true });
  await menu.find('heading', 'Menu');
  await vi.waitFor(() => expect(look()).toBe('y'));
  await settled();
  expect(told).toEqual([]);
  expect(kept('experiment-visitor')).toBeNull();
  expect(header).toBe(`${CARDS}:y`);
});

test('a page of the menu that is being read keeps its look; the next one has the new one, also from kept settings', async () => {
  agree();
  remember('experiment-visitor', visitor);
  const page = await openPage(server.url, '/menu', { keep: true });
  await page.find('heading', 'Menu');
  await vi.waitFor(() => expect(localStorage.getItem('IN/browser:experiment-settings')).not.toBeNull());
  await settled();
  expect([look(), kept('card-variant')]).toEqual(['s', null]);
  await page.press('link', 'Home');
  await vi.waitFor(() => expect(kept('card-variant')).toBe('w'));
  const again = await openPage(server.url, '/menu', { keep: true });
  await again.find('heading', 'Menu');
  await vi.waitFor(() => expect(look()).toBe('w'));
});

const SETTINGS = 'IN/browser:experiment-settings';
const SETTINGS_SAID = 'Decided by what we said just now.';
const SETTINGS_KEPT = 'Decided by what this device knew before.';

test('stored experiment settings with more than three keys are used; with only three the page waits for whole ones [EXP-11]', async () => {
  remember('experiment-visitor', visitor);
  agree();
  const { body } = await server.call(contract.settings, { query: {} });
  const campaigns = body.campaigns.map((campaign) => ({
    ...campaign,
    variations: campaign.variations.map((one) => ({ ...one, weight: one.name === 'nextgen variant y' ? 100 : 0 })),
  }));
  const three = { version: 1, accountId: 1, campaigns };
  localStorage.setItem(SETTINGS, JSON.stringify({ ...three, sdkKey: 'kept' }));
  const page = await openPage(server.url, '/experiments', { keep: true });
  await page.sees(`${CARDS}: nextgen variant y`);
  await page.sees(SETTINGS_KEPT);
  await settled();

  localStorage.removeItem('IN/browser:~experiment-rows');
  localStorage.setItem(SETTINGS, JSON.stringify(three));
  const again = await openPage(server.url, '/experiments', { keep: true });
  await again.sees(`${CARDS}: nextgen variant w`);
  await again.sees(SETTINGS_SAID);
});

test('a first visit waits 2 s for settings that hang, then goes on without; the next visit keeps its number [EXP-12]', async () => {
  agree();
  const come = Promise.withResolvers<void>();
  held = come.promise;
  const timers = holdTimers(2_000);
  try {
    const page = await openPage(server.url, '/experiments', { keep: true });
    await page.sees('One moment…');
    await vi.waitFor(() => expect(asked).toBe(1));
    await timers.run(2_000);
    await page.sees('Nothing is being tried out at the moment.');
    come.resolve();
    await vi.waitFor(() => expect(localStorage.getItem(SETTINGS)).not.toBeNull());
    expect(page.text()).toContain('Nothing is being tried out at the moment.');
    await settled();
  } finally {
    come.resolve();
    held = null;
    timers.end();
  }
  const own = String(kept('experiment-visitor'));
  expect(own).toMatch(/^\d{1,10}$/);
  const next = await openPage(server.url, '/experiments', { keep: true });
  await next.sees(SETTINGS_KEPT);
  await next.sees(`Your lot is ${Number(own) % 100} of 0 to 99.`);
  expect(kept('experiment-visitor')).toBe(own);
});

test.each(['before', 'with', 'after'])(
  'an experiment decision that comes just %s the tap to the menu changes the look only on the next page',
  async (moment) => {
    agree();
    remember('experiment-visitor', visitor);
    const come = Promise.withResolvers<void>();
    held = come.promise;
    const onMenu: (string | undefined)[] = [];
    const watch = new MutationObserver(() => {
      if (document.querySelector('[data-menu]')) onMenu.push(look());
    });
    try {
      const page = await openPage(server.url, '/', { keep: true });
      await page.find('link', 'Menu');
      await vi.waitFor(() => expect(asked).toBe(1));
      watch.observe(document, { attributes: true, subtree: true, attributeFilter: ['data-look'] });
      if (moment === 'before') come.resolve();
      const tap = page.press('link', 'Menu');
      if (moment === 'with') come.resolve();
      await tap;
      await page.find('heading', 'Menu');
      const first = look();
      come.resolve();
      await vi.waitFor(() => expect(localStorage.getItem('IN/browser:experiment-settings')).not.toBeNull());
      await settled();
      expect([onMenu, look()]).toEqual([[], first]);
      // Who saw another look than theirs is not counted.
      expect(told.map(({ eT }) => eT)).toEqual(first === 'w' ? [1] : []);
      await openPage(server.url, '/', { keep: true });
      await vi.waitFor(() => expect([kept('card-variant'), look()]).toEqual(['w', 'w']));
    } finally {
      held = null;
      watch.disconnect();
    }
  },
);

test('outside production a link forces a variation; the page shows it, says why, and does not count it [EXP-X01] [NAV-82]', async () => {
  agree();
  remember('experiment-visitor', visitor);
  const page = await openPage(server.url, `/menu?exp=${CARDS}:nextgen%20variant%20x`, { keep: true });
  await page.find('heading', 'Menu');
  await vi.waitFor(() => expect(look()).toBe('x'));
  await page.press('link', `Forced: ${CARDS}: nextgen variant x`);
  await page.sees('A link asked for it.');
  await page.press('link', 'As decided again');
  await page.sees(`${CARDS}: nextgen variant w`);
  await page.sees('Drawn by lot, on this device.');
  expect(told).toEqual([]);
});

test('in production, where the server does not say that somebody develops, such a link changes nothing', async () => {
  remember('experiment-visitor', visitor);
  agree();
  remember('card-variant', 'w');
  isProduction = true;
  const page = await openPage(server.url, `/experiments?exp=${CARDS}:nextgen%20variant%20x`, { keep: true });
  await page.sees(`${CARDS}: nextgen variant w`);
  isProduction = false;
  expect(page.text()).not.toContain('A link asked for it.');
  expect(page.text()).not.toContain('Try another');
  expect([look(), kept('card-variant')]).toEqual(['w', 'w']);
});

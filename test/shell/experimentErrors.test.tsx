import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import * as contract from '../../src/contract/experiments.ts';
import * as pageErrors from '../../src/contract/pageErrors.ts';
import { CONSENT_VERSIONS } from '../../src/domain/consents.ts';
import { withCampaigns } from '../../src/server/rules/experiments/run.ts';
import { openDb } from '../../src/server/store/db.ts';
import { lentServer } from '../kit/lentServer.ts';
import type { TestServer } from '../kit/server.ts';
import { openPage, type AppPage } from '../screens/page.ts';
import { countCalls, withoutWaiting } from './quiet.ts';

const CARDS = 'NextgenProductCardsV2';
let server: TestServer;
let settings: Awaited<ReturnType<typeof ask>>;
const ask = async () => (await server.call(contract.settings, { query: {} })).body;
beforeAll(async () => {
  server = await lentServer({ settings: { environment: { ANALYTICS: 'on' } } });
  const { db } = await openDb(server.database.target);
  await withCampaigns(db, ['IN'], CARDS, 'start');
  await db.destroy();
  settings = await ask();
});
afterAll(() => server.stop());

// The experiments' own script, which may not come.
const script = vi.hoisted(() => ({ isThere: true, asked: 0 }));
vi.mock('../../src/bridge/scripts.ts', async (original) => {
  const scripts = await original<typeof import('../../src/bridge/scripts.ts')>();
  return {
    ...scripts,
    loadChunk: (load: () => Promise<unknown>) =>
      scripts.loadChunk(async () => {
        if (script.isThere || !/shell\/experiments\b/.test(String(load))) return await load();
        script.asked += 1;
        throw new TypeError('Failed to fetch the script of experiments');
      }),
  };
});

/** What the newest call says of the experiments that its page is in. */
let variants = '';
/** What pages have told the server of what broke in them. */
const told: { readonly message: string; readonly page: string }[] = [];
/** What the service answers instead of its settings; null: nothing, ever. */
let served: Response | null | undefined;
const wired = globalThis.fetch;
globalThis.fetch = async (input, init) => {
  const url = input instanceof Request ? input.url : String(input);
  if (url.includes(pageErrors.report.path) && input instanceof Request)
    told.push((await input.clone().json()) as (typeof told)[number]);
  if (input instanceof Request) variants = input.headers.get('ab-variant') ?? '';
  if (served === undefined || !url.includes('/server-side/settings')) return await wired(input, init);
  return served?.clone() ?? (await new Promise<Response>(() => {}));
};
const settled = countCalls();
withoutWaiting();
/** Between its tries a call of the service waits for as long, 31 seconds in all. */
const BETWEEN_TRIES_MS = [1_000, 2_000, 4_000, 8_000, 16_000];
const plain = globalThis.setTimeout;
globalThis.setTimeout = ((act: () => void, ms = 0, ...given: unknown[]) =>
  plain(act, BETWEEN_TRIES_MS.includes(ms) ? 0 : ms, ...given)) as typeof setTimeout;
afterEach(async () => {
  vi.restoreAllMocks();
  await settled();
});

const campaign = (change: object) => ({
  ...settings,
  campaigns: settings.campaigns.map((one) => ({ ...one, ...change })),
});

/** A page of somebody who has agreed that the experiments may count. */
const openMenu = async () => {
  told.length = 0;
  localStorage.clear();
  localStorage.setItem(
    'IN/browser:~consents',
    JSON.stringify([{ purpose: 'usage', given: true, version: CONSENT_VERSIONS.usage, at: Date.now() }]),
  );
  return await openPage(server.url, '/menu/sides', { keep: true });
};
/** Orders go on, and nothing on the page says that anything is wrong. */
async function sells(page: AppPage): Promise<void> {
  await page.press('button', 'Add Garlic Bread Sticks');
  await page.find('link', /^Cart, 1 item ?₹/);
  expect(document.querySelectorAll('dialog[open],[role=alertdialog],[role=alert]')).toHaveLength(0);
  expect(page.text()).not.toMatch(/experiment|variation|campaign/i);
}
const logged = (message: string) =>
  vi.waitFor(() => {
    const said = vi.mocked(console.error).mock.calls.flat().map(String);
    expect(said.filter((line) => line.includes(message))).toHaveLength(1);
  });
/** Somebody who runs the shop reads it in the server's log (build/maps.test.ts). */
const isTold = (message: string) =>
  vi.waitFor(() => expect(told.filter((one) => one.message.includes(message))).toHaveLength(1));

test.each([
  ['that are no settings', () => new Response('<html>', { status: 200 })],
  ['with a fault in a campaign', () => Response.json(campaign({ percentTraffic: 'all' }))],
])(
  'settings %s are an error in the log, and none on the page: the menu sells as before [ERR-36]',
  async (_name, answer) => {
    vi.spyOn(console, 'error').mockImplementation(() => {});
    served = answer();
    const page = await openMenu();
    await logged('The settings of experiments did not come, or are none.');
    await sells(page);
    await isTold('The settings of experiments did not come, or are none.');
  },
);

test('a campaign that cannot be decided is logged, here and at the server, and the others go on [ERR-36]', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  const [cards] = settings.campaigns;
  const campaigns = [
    { ...cards, id: 901, key: 'broken' },
    { ...cards, id: 902, key: 'whole' },
  ];
  // A group that is not there.
  served = Response.json({ ...settings, campaigns, campaignGroups: { 901: 77 } });
  const page = await openMenu();
  await logged('undefined');
  await isTold('undefined');
  await vi.waitFor(() => expect(localStorage.getItem('IN/browser:experiment-settings')).toContain('broken'));
  await sells(page);
  await vi.waitFor(() => expect(variants).toContain('whole:'));
  expect(variants).not.toContain('broken');
});

test("an experiments' script that never loads is logged here and on the server, and the menu sells as before [ERR-36]", async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  served = undefined;
  script.isThere = false;
  try {
    const page = await openMenu();
    await logged('Failed to fetch the script of experiments');
    expect(script.asked).toBe(6);
    await sells(page);
    await isTold('Failed to fetch the script of experiments');
  } finally {
    script.isThere = true;
  }
});

import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import * as contract from '../../src/contract/experiments.ts';
import { CONSENT_VERSIONS } from '../../src/domain/consents.ts';
import { withCampaigns } from '../../src/server/rules/experiments/run.ts';
import { openDb } from '../../src/server/store/db.ts';
import { spawnServer, type SpawnedServer } from '../kit/server.ts';
import { openPage } from '../screens/page.ts';
import { countCalls, withoutWaiting } from './quiet.ts';

const CARDS = 'NextgenProductCardsV2';
let server: SpawnedServer;
let settings: Awaited<ReturnType<typeof ask>>;
const ask = async () => (await server.call(contract.settings, { query: {} })).body;
beforeAll(async () => {
  server = await spawnServer({ settings: { environment: { ANALYTICS: 'on' } } });
  const { db } = await openDb(server.database.target);
  await withCampaigns(db, ['IN'], CARDS, 'start');
  await db.destroy();
  settings = await ask();
});
afterAll(() => server.stop());

/** What the service answers instead of its settings; null: nothing, ever. */
let served: Response | null | undefined;
const wired = globalThis.fetch;
globalThis.fetch = async (input, init) => {
  const url = input instanceof Request ? input.url : String(input);
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

test.each([
  ['that are no settings', () => new Response('<html>', { status: 200 })],
  ['of a service that is broken', () => new Response('{}', { status: 500 })],
  ['with a fault in a campaign', () => Response.json(campaign({ percentTraffic: 'all' }))],
  ['with variations that are none', () => Response.json(campaign({ variations: [null] }))],
])(
  'settings %s are an error in the log, and none on the page: the menu sells as before [ERR-36]',
  async (_name, answer) => {
    const logged = vi.spyOn(console, 'error').mockImplementation(() => {});
    served = answer();
    localStorage.clear();
    localStorage.setItem(
      'IN/browser:~consents',
      JSON.stringify([{ purpose: 'usage', given: true, version: CONSENT_VERSIONS.usage, at: Date.now() }]),
    );
    const page = await openPage(server.url, '/menu/sides', { keep: true });
    await vi.waitFor(
      () => expect(logged).toHaveBeenCalledWith('The settings of experiments did not come, or are none.'),
      { timeout: 8_000 },
    );
    await page.press('button', 'Add Garlic Bread Sticks');
    await page.find('link', /^Cart, 1 item ?₹/);
    expect(document.querySelectorAll('dialog[open],[role=alertdialog],[role=alert]')).toHaveLength(0);
    expect(page.text()).not.toMatch(/experiment|variation|campaign/i);
  },
);

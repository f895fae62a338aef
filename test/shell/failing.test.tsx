import { afterEach, expect, test, vi } from 'vitest';
import { firstRoutes } from '../../src/shell/first/routes.ts';
import { routes } from '../../src/shell/routes.full.ts';
import { lentServer } from '../kit/lentServer.ts';
import { sample } from '../kit/matrix.ts';

import { openPage } from '../screens/page.ts';
import { openShop } from '../server/shop.ts';
import { countCalls, withoutWaiting } from './quiet.ts';
import { during } from '../kit/during.ts';

// What is only logged is told to the page's reports as an event of the same name.
vi.mock('../../src/bridge/logFault.ts', () => ({ logFault: () => {} }));

const server = during(() => lentServer({ settings: { environment: { ANALYTICS: 'on' } } }), openShop);

/** How each call ends from now on; null: as the server answers. */
let ending: (() => Promise<Response>) | null = null;
const wired = globalThis.fetch;
globalThis.fetch = async (input, init) => await (ending === null ? wired(input, init) : ending());
const settled = countCalls();
withoutWaiting();
// A call that fails is tried again at once.
const plain = globalThis.setTimeout;
globalThis.setTimeout = ((act: () => void, ms = 0, ...given: unknown[]) =>
  plain(act, ms >= 100 && ms <= 16_000 ? 0 : ms, ...given)) as typeof setTimeout;
afterEach(async () => {
  ending = null;
  vi.restoreAllMocks();
  await settled();
});

const filledIn = (path: string) =>
  path
    .replace(':category', 'sides')
    .replace(':productId', 'PZ001')
    .replace(':dealId', 'DL001')
    .replace(/:(orderId|eventId|token|code)/, 'NONE');

const json = (status: number, body: unknown) => async () =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } });
const ENDS = [
  ['is lost on its way', async () => Promise.reject(new TypeError('Failed to fetch'))],
  ['is answered with something else', json(200, { hello: ['there'] })],
  ['is answered 500', json(500, { status: 'FAILED', errors: [{ code: 'X', displayMsg: 'No' }] })],
  ['is refused', json(400, { status: 'FAILED', errors: [{ code: 'X', displayMsg: 'No' }] })],
] as const;
// How a refusal is told apart from a failure is proven once for all screens (state/task).
test.each(sample(ENDS, ENDS.slice(0, 2)))(
  'where every call %s, each screen says so at most: no error is left to the browser',
  async (_how, end) => {
    const uncaught: unknown[] = [];
    const hear = (error: unknown) => void uncaught.push(error);
    const hearEvent = (event: Event) => void uncaught.push((event as ErrorEvent).error ?? event.type);
    process.on('unhandledRejection', hear).on('uncaughtException', hear);
    for (const name of ['error', 'unhandledrejection']) addEventListener(name, hearEvent);
    vi.spyOn(console, 'error').mockImplementation(() => {});
    vi.spyOn(console, 'warn').mockImplementation(() => {});
    try {
      ending = end;
      const page = await openPage(server.url, '/');
      const seen = new Set<string>();
      for (const { path } of [...firstRoutes, ...routes]) {
        page.go(filledIn(path));
        await settled();
        seen.add(page.path());
      }
      expect(uncaught).toEqual([]);
      // Some lead on to another, such as one that is for customers with an account.
      expect(seen.size).toBeGreaterThan(30);
    } finally {
      process.off('unhandledRejection', hear).off('uncaughtException', hear);
      for (const name of ['error', 'unhandledrejection']) removeEventListener(name, hearEvent);
    }
  },
);

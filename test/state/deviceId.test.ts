import { createStore } from 'jotai';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Api } from '../../src/api/api.ts';
import { Failure } from '../../src/api/failure.ts';
import * as consents from '../../src/contract/consents.ts';
import type { Purpose } from '../../src/contract/consents.ts';
import { CONSENT_VERSIONS, type Consent } from '../../src/domain/consents.ts';
import { mayIAtom, sayAtom, syncConsentsAtom } from '../../src/state/consent/consents.ts';
import { isDeviceAskedAtom } from '../../src/state/consent/deviceId.ts';
import { deviceOrdersAtom, noteOrderAtom } from '../../src/state/orders/deviceOrders.ts';
import type { OrderView } from '../../src/contract/orders.ts';
import { openStorage, wakeAtom } from '../../src/state/first/lib/kept.ts';
import { apiAtom, profileAtom } from '../../src/state/first/seams.ts';
import { schemas } from '../../src/state/schemas.ts';
import { sessionAtom } from '../../src/state/base/session.ts';

const NOW = Date.UTC(2026, 10, 25);
let store: ReturnType<typeof createStore>;
let calls: { readonly path: string; readonly body: unknown }[];
/** What the server answers, or how it fails. */
let answers: (path: string) => unknown;
let devices = 0;
beforeEach(() => {
  vi.useFakeTimers({ now: NOW });
  openStorage(`device-of-${(devices += 1)}`, () => {});
  [store, calls, answers] = [createStore(), [], () => ({})];
  store.set(apiAtom, {
    call: async ({ path }: { path: string }, input: { body?: unknown }) => {
      calls.push({ path, body: input.body });
      const answer = answers(path);
      if (answer instanceof Failure) throw answer;
      return answer;
    },
  } as unknown as Api);
  store.set(profileAtom, { fullMode: true } as never);
  store.set(wakeAtom, schemas);
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});
const may = (purpose: Purpose) => store.get(mayIAtom)(purpose);
const asks = (path: string) => calls.filter((one) => one.path === path);

test('an account hears what the device knows, and the device what was said elsewhere; an old sentence is no word', async () => {
  const said = (purpose: Purpose, given: boolean, more: Partial<Consent> = {}): Consent => ({
    purpose,
    given,
    version: CONSENT_VERSIONS[purpose],
    at: NOW - 1,
    ...more,
  });
  const logIn = (userId: string) =>
    store.set(sessionAtom, { credentials: { refreshToken: 'r' }, attributes: { userId } } as never);
  await store.set(sayAtom, 'news', true);
  await store.set(syncConsentsAtom);
  expect(asks(consents.say.path)).toEqual([]);
  logIn('U-1');
  answers = () => ({
    consents: [said('offers', true), said('news', false), said('league', true, { version: '2020' })],
  });
  await store.set(syncConsentsAtom);
  expect(asks(consents.say.path).map(({ body }) => body)).toMatchObject([
    { consents: [{ purpose: 'news', given: true }] },
  ]);
  expect([may('offers'), may('news'), may('league')]).toEqual([true, true, false]);
  // What is said of itself is told at once; a failure loses nothing.
  answers = () => new Failure('offline');
  await store.set(sayAtom, 'usage', true);
  const told = asks(consents.say.path).at(-1)!.body as { readonly consents: readonly Consent[] };
  expect(told.consents.map(({ purpose }) => purpose).sort()).toEqual(['news', 'offers', 'usage']);
  expect([may('usage'), may('news')]).toEqual([true, true]);
  // Somebody else has come meanwhile.
  answers = () => {
    logIn('U-2');
    return { consents: [said('device', true)] };
  };
  await store.set(syncConsentsAtom);
  expect(may('device')).toBe(false);
});

test('the question is not asked inside a host, without cookies, or where the browser makes no hash', () => {
  const asked = (profile: object) => {
    const own = createStore();
    own.set(profileAtom, profile as never);
    return own.get(isDeviceAskedAtom);
  };
  vi.stubGlobal('navigator', { cookieEnabled: true });
  expect([asked({ fullMode: true }), asked({ fullMode: false })]).toEqual([true, false]);
  vi.stubGlobal('navigator', { cookieEnabled: false });
  expect(asked({ fullMode: true })).toBe(false);
  vi.stubGlobal('navigator', { cookieEnabled: true });
  vi.stubGlobal('crypto', {});
  expect(asked({ fullMode: true })).toBe(false);
});

test('the last ten orders of a device are remembered, the newest first, each as it was seen last', () => {
  const order = (orderId: string, placedAt: number, orderStatus = 'ORDER PLACED') =>
    ({ orderId, placedAt, orderStatus }) as unknown as OrderView;
  for (let at = 1; at <= 11; at += 1) store.set(noteOrderAtom, order(`O-${at}`, at));
  const ids = () => store.get(deviceOrdersAtom).map(({ orderId }) => orderId);
  expect(ids()).toEqual([11, 10, 9, 8, 7, 6, 5, 4, 3, 2].map((at) => `O-${at}`));
  store.set(noteOrderAtom, order('O-4', 4, 'DELIVERED'));
  expect(ids()).toHaveLength(10);
  expect(store.get(deviceOrdersAtom).find(({ orderId }) => orderId === 'O-4')?.orderStatus).toBe('DELIVERED');
  store.set(noteOrderAtom, order('O-1', 1));
  expect(ids()).not.toContain('O-1');
});

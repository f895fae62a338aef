import { createStore } from 'jotai';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Api } from '../../src/api/api.ts';
import { Failure } from '../../src/api/failure.ts';
import * as activity from '../../src/contract/activity.ts';
import * as consents from '../../src/contract/consents.ts';
import type { Purpose } from '../../src/contract/consents.ts';
import { CONSENT_VERSIONS, type Consent } from '../../src/domain/consents.ts';
import { analyticsIdAtom } from '../../src/state/consent/analyticsId.ts';
import { campaignAtom, validCampaign } from '../../src/state/consent/campaign.ts';
import {
  consentToAtom,
  finishForgettingAtom,
  isUsageAgreedAtom,
  mayIAtom,
  sayAtom,
  syncConsentsAtom,
} from '../../src/state/consent/consents.ts';
import { botTokenAtom, fingerprintAtom, isDeviceAskedAtom } from '../../src/state/consent/deviceId.ts';
import { isSignalDueAtom, isSignalLeftAtom } from '../../src/state/consent/deviceCheck.ts';
import { deviceOrdersAtom, noteOrderAtom } from '../../src/state/orders/deviceOrders.ts';
import type { OrderView } from '../../src/contract/orders.ts';
import { appConfigAtom } from '../../src/state/first/config.ts';
import { openStorage, wakeAtom } from '../../src/state/first/lib/kept.ts';
import { apiAtom, pathAtom, profileAtom } from '../../src/state/first/seams.ts';
import { schemas } from '../../src/state/schemas.ts';
import { sessionAtom } from '../../src/state/base/session.ts';

const NOW = Date.UTC(2026, 10, 25);
const DAY_MS = 86_400_000;
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

test('nothing may be done before a yes; the last word counts, each purpose for itself', async () => {
  expect([may('usage'), store.get(consentToAtom)('usage')]).toEqual([false, undefined]);
  await store.set(sayAtom, 'usage', true);
  await store.set(sayAtom, 'news', true);
  await store.set(sayAtom, 'news', false);
  expect((['usage', 'news', 'offers'] as const).map((purpose) => may(purpose))).toEqual([true, false, false]);
  expect(store.get(consentToAtom)('news')).toEqual({
    purpose: 'news',
    given: false,
    version: CONSENT_VERSIONS.news,
    at: NOW,
  });
  expect(calls).toEqual([]);
});

test("a browser's no stands above a yes to be measured, and so does a shop without cookies; other purposes are the customer's", async () => {
  await store.set(sayAtom, 'usage', true);
  await store.set(sayAtom, 'device', true);
  expect(store.get(isUsageAgreedAtom)).toBe(true);
  store.set(appConfigAtom, { disableCookies: true } as never);
  expect([store.get(isUsageAgreedAtom), may('usage')]).toEqual([false, true]);
  store.set(appConfigAtom, null);
  vi.stubGlobal('navigator', { globalPrivacyControl: true });
  const other = createStore();
  other.set(apiAtom, store.get(apiAtom));
  other.set(wakeAtom, schemas);
  await other.set(sayAtom, 'usage', true);
  await other.set(sayAtom, 'device', true);
  expect([other.get(isUsageAgreedAtom), other.get(mayIAtom)('usage'), other.get(mayIAtom)('device')]).toEqual([
    false,
    false,
    true,
  ]);
});

test('who takes it back leaves nothing measured: not here at once, and not on the server as soon as it hears', async () => {
  await store.set(sayAtom, 'usage', true);
  store.set(analyticsIdAtom, 'device-7');
  store.set(campaignAtom, { source: 'mail', medium: 'news', name: 'november', at: NOW });
  answers = () => new Failure('offline');
  await store.set(sayAtom, 'usage', false);
  expect([store.get(analyticsIdAtom), store.get(campaignAtom)]).toEqual(['', null]);
  expect(asks(activity.forget.path)).toHaveLength(1);
  answers = () => ({});
  await store.set(finishForgettingAtom);
  expect(asks(activity.forget.path)).toHaveLength(2);
  // It has heard.
  await store.set(finishForgettingAtom);
  await store.set(sayAtom, 'usage', false);
  await store.set(sayAtom, 'offers', false);
  expect(asks(activity.forget.path)).toHaveLength(2);
});

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

test('the device is looked at after a yes, where codes are asked for, once a day and for each who is logged in', async () => {
  vi.stubGlobal('navigator', { cookieEnabled: true });
  expect(store.get(isDeviceAskedAtom)).toBe(true);
  store.set(pathAtom, '/cart');
  expect(store.get(isSignalDueAtom)).toBe(false);
  await store.set(sayAtom, 'device', true);
  for (const [path, is] of [
    ['/cart', true],
    ['/login?redirectUrl=%2F', true],
    ['/offers/x', true],
    ['/postorder-ui/cart', true],
    ['/', false],
    ['/menu', false],
    ['/cartoon', false],
    ['/my/cart', false],
  ] as const) {
    store.set(pathAtom, path);
    expect(store.get(isSignalDueAtom), path).toBe(is);
  }
  store.set(pathAtom, '/cart');
  const held = { id: 'D-1', hash: 'abc', uid: '', at: NOW - DAY_MS };
  store.set(fingerprintAtom, held);
  expect([store.get(isSignalDueAtom), store.get(botTokenAtom)]).toEqual([false, 'D-1:abc']);
  store.set(fingerprintAtom, { ...held, at: NOW - DAY_MS - 1 });
  expect(store.get(isSignalDueAtom)).toBe(true);
  store.set(fingerprintAtom, { ...held, uid: 'U-1' });
  expect(store.get(isSignalDueAtom)).toBe(true);
  expect(store.get(isSignalLeftAtom)).toBe(false);
  // A shop without cookies asks nobody, and what is left of it has to go.
  store.set(appConfigAtom, { disableCookies: true } as never);
  expect([store.get(isDeviceAskedAtom), store.get(botTokenAtom), store.get(isSignalLeftAtom)]).toEqual([
    false,
    null,
    true,
  ]);
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

test('a campaign counts for ninety days', () => {
  const campaign = { source: 'mail', medium: 'news', name: 'november', at: NOW };
  expect([
    validCampaign(campaign, NOW + 90 * DAY_MS - 1),
    validCampaign(campaign, NOW + 90 * DAY_MS),
    validCampaign(null, NOW),
  ]).toEqual([campaign, null, null]);
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

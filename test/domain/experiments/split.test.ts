import { readFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import * as esbuild from 'esbuild';
import { expect, test } from 'vitest';
import type { Explanation } from '../../../src/domain/experiments/explain.ts';
import { loadSettings } from '../../../src/domain/experiments/launch.ts';
import type { Campaign } from '../../../src/domain/experiments/settings.ts';
import { bucketOf, chosenOf, decidedOf, lookOf } from '../../../src/domain/experiments/split.ts';
import { engine } from './kit.ts';

test.each([
  [null, 's'],
  ['', 's'],
  ['null', 's'],
  ['variant S', 's'],
  ['nextgen variant u', 'u'],
  ['Nextgen Variant W', 'w'],
  ['x', 'x'],
  ['nextgen variant y', 'y'],
  ['nextgen variant q', 's'],
  ['variant X', 'x'],
  ['nextgen variant', 's'],
  ['nextgen variant u2', 's'],
  ['variant u or w', 's'],
  ['Menu', 's'],
  ['u1', 's'],
  ['Control', 's'],
] as const)(
  'variation %s is look %s: what is empty, null as a word, or unknown is variant S [EXP-13] [EXP-02]',
  (variation, look) => {
    expect(lookOf(variation)).toBe(look);
  },
);

test('the bucket is the stored test id modulo 100 [EXP-03]', () => {
  expect(['4294967295', '100', '7', '1742'].map(bucketOf)).toEqual([95, 0, 7, 42]);
});

test('a feature that is on for a visitor is E, else D [EXP-15]', () => {
  const campaign = (type: string, isFeatureEnabled: boolean) =>
    ({ key: 'f', type, variations: [{ id: 1, name: 'one', weight: 100, isFeatureEnabled }] }) as unknown as Campaign;
  const has = (variant: string | null): Explanation => ({ variant, reason: 'SPLIT' });
  const flag = (...of: Parameters<typeof decidedOf>) => decidedOf(...of).value;
  expect(flag(campaign('FEATURE_ROLLOUT', false), has('one'), undefined)).toBe('E');
  expect(flag(campaign('FEATURE_ROLLOUT', false), has(null), undefined)).toBe('D');
  expect(flag(campaign('FEATURE_TEST', true), has('one'), undefined)).toBe('E');
  expect(flag(campaign('FEATURE_TEST', false), has('one'), undefined)).toBe('D');
  expect(flag(campaign('FEATURE_TEST', false), has('one'), 'E')).toBe('E');
  expect(flag(campaign('FEATURE_TEST', true), has('one'), 'D')).toBe('D');
  expect(flag(campaign('FEATURE_TEST', true), has(null), undefined)).toBe('D');
  expect(flag(campaign('FEATURE_ROLLOUT', true), has('one'), 'D')).toBe('D');
});

test('what a visitor has of a campaign is its variation, or what is forced, with the names of all', () => {
  const variations = ['one', 'two'].map((name, at) => ({ id: at + 1, name, weight: 50 }));
  const campaign = { key: 'cards', type: 'VISUAL_AB', variations } as unknown as Campaign;
  const all = { key: 'cards', variations: ['one', 'two'] };
  const has = { variant: 'two', reason: 'SPLIT' } as const;
  expect(decidedOf(campaign, has, undefined)).toEqual({ ...all, value: 'two', reason: 'SPLIT', isForced: false });
  expect(decidedOf(campaign, has, 'one')).toEqual({ ...all, value: 'one', reason: 'SPLIT', isForced: true });
  const broken = { variant: null, reason: 'ERROR', fault: new Error('broken') } as const;
  expect(decidedOf(campaign, broken, undefined)).toMatchObject({ value: null, isForced: false, fault: broken.fault });
  const feature = { ...campaign, type: 'FEATURE_TEST' };
  expect(decidedOf(feature, { ...has, fault: broken.fault }, 'D')).toMatchObject({ value: 'D', fault: broken.fault });
});

test.each(['VISUAL_AB', 'FEATURE_ROLLOUT'])(
  'a campaign (%s) whose variations are no list has no variations by name',
  (type) => {
    const campaign = { key: 'cards', type, variations: { a: 1 } } as unknown as Campaign;
    expect(decidedOf(campaign, { variant: null, reason: 'DEFAULT' }, undefined).variations).toEqual([]);
  },
);

test('the variation of one campaign is found by its key', () => {
  const [a, b] = (['a', 'b'] as const).map((key) => ({
    key,
    value: `of ${key}`,
    reason: 'SPLIT' as const,
    isForced: false,
    variations: [],
  }));
  expect(['a', 'b', 'c'].map((key) => chosenOf([a!, b!], key))).toEqual(['of a', 'of b', null]);
});

test('missing or broken settings or wrong options give a client that answers and throws nothing [EXP-14] [EXP-16] [EXP-18]', () => {
  const good = { version: 1, accountId: 1, sdkKey: 'k', campaigns: [] };
  for (const options of [
    { settingsFile: null },
    { settingsFile: 'text' },
    { settingsFile: { ...good, accountId: null } },
    { settingsFile: { ...good, campaigns: [{ id: 1 }] } },
    { settingsFile: good, isDevelopmentMode: 'yes' },
    { settingsFile: good, logging: { level: 0 } },
    { settingsFile: good, logging: { level: 5 } },
    { settingsFile: good, logging: { level: '2' } },
    { settingsFile: good, logging: { logger: { log: 'l' } } },
    { settingsFile: good, batchEvents: {} },
    { settingsFile: good, batchEvents: { eventsPerRequest: 0 } },
    { settingsFile: good, batchEvents: { eventsPerRequest: 5001 } },
    { settingsFile: good, batchEvents: { requestTimeInterval: 0.5 } },
    { settingsFile: good, batchEvents: { eventsPerRequest: 5, flushCallback: 'f' } },
    { settingsFile: good, integrations: null },
    { settingsFile: good, userStorageService: 'disk' },
    { settingsFile: good, goalTypeToTrack: 'OTHER' },
    { settingsFile: good, shouldTrackReturningUser: 1 },
    { settingsFile: good, pollingInterval: 5 },
    { settingsFile: good, pollingInterval: 5, sdkKey: 7 },
  ]) {
    const { client, requests } = engine({ logging: { level: 4, logger: { log: () => {} } }, ...options });
    expect([
      client.activate('a', 'user'),
      client.getVariationName('a', 'user'),
      client.isFeatureEnabled('a', 'user'),
      client.getFeatureVariableValue('a', 'b', 'user'),
      client.track('a', 'user', 'goal'),
      client.push('tag', 'value', 'user'),
    ]).toEqual([null, null, false, null, null, false]);
    expect(requests).toEqual([]);
  }
});

test('a level of logging lets only what is as grave or graver through: 2 are decisions, 4 what failed [EXP-18]', () => {
  const campaign = { id: 1, key: 'a', type: 'VISUAL_AB', status: 'RUNNING', percentTraffic: 100, goals: [] };
  const variations = [{ id: 1, name: 'one', weight: 100, changes: {} }];
  const settingsFile = { version: 1, accountId: 1, campaigns: [{ ...campaign, segments: {}, variations }] };
  const heard = (level: number) => {
    const levels: number[] = [];
    const logging = { level, logger: { log: (of: number) => void levels.push(of) } };
    const { client } = engine({ settingsFile, logging });
    client.activate('a', 'user');
    // Half a pair of characters, which fails.
    client.activate('a', '\ud83c');
    return levels;
  };
  expect([1, 2, 3, 4].map(heard)).toEqual([[2, 4], [2, 4], [4], [4]]);
});

test('a tag and its text have 255 characters at most, alone and in a map: otherwise nothing is sent [EXP-18]', () => {
  const [longest, longer] = ['ক'.repeat(255), 'ক'.repeat(256)];
  for (const batchEvents of [undefined, { eventsPerRequest: 1 }]) {
    const { client, requests } = engine({
      settingsFile: { version: 1, accountId: 1, campaigns: [] },
      ...(batchEvents ? { batchEvents } : {}),
      logging: { level: 4, logger: { log: () => {} } },
    });
    for (const [tag, value] of [
      [longer, 'gold'],
      ['plan', longer],
    ] as const) {
      expect(client.push(tag, value, 'user')).toBe(false);
      expect(client.push({ a: 'b', [tag]: value }, 'user')).toBe(false);
    }
    expect(requests).toEqual([]);
    expect(client.push(longest, longest, 'user')).toEqual({ [longest]: true });
    expect(client.push({ [longest]: longest, n: 5 }, 'user')).toEqual({ [longest]: true, n: true });
    expect(requests).toHaveLength(3);
  }
});

test('settings are asked for again five times, 1, 2, 4, 8 and 16 s apart, for an answer that is none as for no answer [EXP-17]', async () => {
  const waits: number[] = [];
  const wait = (ms: number) => {
    waits.push(ms);
    return Promise.resolve();
  };
  let asked = 0;
  const failing = () => {
    asked += 1;
    return asked % 2 ? Promise.reject(new Error('offline')) : Promise.resolve({ status: 503 });
  };
  expect(await loadSettings(failing, 1, 'key', { wait })).toBeNull();
  expect([asked, waits]).toEqual([6, [1000, 2000, 4000, 8000, 16000]]);
  waits.length = 0;
  const reply = { version: 1 };
  let third = 0;
  const late = () => Promise.resolve((third += 1) < 3 ? { status: 500 } : { status: 200, json: reply });
  expect(await loadSettings(late, 1, 'key', { wait })).toBe(reply);
  expect(waits).toEqual([1000, 2000]);
});

test('deciding weighs at most 4.0 KB, with what is told and how 6.5 KB, and with every option of a launch 8 KB', async () => {
  const sizes: Record<string, number> = {};
  for (const name of ['calls', 'client', 'launch']) {
    const file = path.resolve(import.meta.dirname, `../../../src/domain/experiments/${name}.ts`);
    expect(readFileSync(file, 'utf8')).not.toContain('vwo-node-sdk');
    const { outputFiles } = await esbuild.build({
      entryPoints: [file],
      bundle: true,
      minify: true,
      format: 'esm',
      target: 'es2021',
      write: false,
    });
    sizes[name] = gzipSync(outputFiles[0]!.contents, { level: 9 }).length;
  }
  expect(sizes['calls']).toBeLessThanOrEqual(4_000);
  expect(sizes['client']).toBeLessThanOrEqual(6_500);
  expect(sizes['launch']).toBeLessThanOrEqual(8_000);
});

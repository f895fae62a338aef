import { expect, test, vi } from 'vitest';
import { explain } from '../../../src/domain/experiments/explain.ts';
import { settingsFrom } from '../../../src/domain/experiments/settings.ts';
import { decidedOf } from '../../../src/domain/experiments/split.ts';
import { storageOf } from './kit.ts';

const halves = (more: object = {}) => ({
  id: 1,
  key: 'c1',
  type: 'VISUAL_AB',
  status: 'RUNNING',
  percentTraffic: 100,
  goals: [],
  segments: {},
  variations: [
    { id: 1, name: 'v1', weight: 100, changes: {} },
    { id: 2, name: 'v2', weight: 0, changes: {}, segments: { custom_variable: { city: 'Pune' } } },
  ],
  ...more,
});
const settingsOf = (campaign: object) => settingsFrom({ version: 1, accountId: 1, campaigns: [campaign] })!;
const stored = (variationName: string) =>
  storageOf({ rows: [{ userId: 'user', campaignKey: 'c1', variationName }] }).service;

test('what somebody has of a campaign is told with its reason', () => {
  const pune = { variationTargetingVariables: { city: 'Pune' } };
  const table = [
    ['one that is not there', halves({ key: 'other' }), {}, undefined, { variant: null, reason: 'ERROR' }],
    ['one that is paused', halves({ status: 'PAUSED' }), {}, undefined, { variant: null, reason: 'DISABLED' }],
    ['one that is a list no more', halves({ variations: {} }), {}, undefined, { variant: null, reason: 'DEFAULT' }],
    ['by its bucket', halves(), {}, undefined, { variant: 'v1', reason: 'SPLIT' }],
    ['without a share', halves({ percentTraffic: 0 }), {}, undefined, { variant: null, reason: 'DEFAULT' }],
    [
      'named by a list',
      halves({ isForcedVariationEnabled: true }),
      pune,
      undefined,
      { variant: 'v2', reason: 'TARGETING_MATCH' },
    ],
    ['kept from before', halves(), {}, stored('v2'), { variant: 'v2', reason: 'STATIC' }],
    ['kept, and gone since', halves(), {}, stored('v3'), { variant: 'v1', reason: 'SPLIT' }],
  ] as const;
  for (const [name, campaign, options, storage, told] of table)
    expect(explain({ settings: settingsOf(campaign), storage }, 'c1', 'user', options), name).toEqual(told);
});

test('to explain keeps nothing and tells nobody, and a storage that fails is an error that ends nothing', () => {
  const { written, service: storage } = storageOf({});
  const tell = vi.fn();
  const settings = settingsOf(halves());
  expect(explain({ settings, storage, tell }, 'c1', 'user', {})).toEqual({ variant: 'v1', reason: 'SPLIT' });
  expect([written, tell.mock.calls]).toEqual([[], []]);
  const { service: broken } = storageOf({ throws: true });
  expect(explain({ settings, storage: broken }, 'c1', 'user', {})).toEqual({
    variant: null,
    reason: 'ERROR',
    fault: new Error('no storage'),
  });
});

test('a variation that is tried out stands in place of the own one, a feature is on or off', () => {
  const own = { variant: 'v1', reason: 'SPLIT' } as const;
  const [ab] = settingsOf(halves()).campaigns;
  const whole = { key: 'c1', reason: 'SPLIT', variations: ['v1', 'v2'] };
  expect(decidedOf(ab!, own, undefined)).toEqual({ ...whole, value: 'v1', isForced: false });
  expect(decidedOf(ab!, own, 'v2')).toEqual({ ...whole, value: 'v2', isForced: true });
  expect(decidedOf(ab!, { variant: null, reason: 'DEFAULT' }, undefined)).toMatchObject({
    value: null,
    reason: 'DEFAULT',
  });
  const variations = [
    { id: 1, name: 'v1', weight: 50, isFeatureEnabled: true },
    { id: 2, name: 'v2', weight: 50, isFeatureEnabled: false },
  ];
  const [feature] = settingsOf(halves({ type: 'FEATURE_TEST', variations })).campaigns;
  const [rollout] = settingsOf(halves({ type: 'FEATURE_ROLLOUT' })).campaigns;
  const off = { variant: 'v2', reason: 'SPLIT' } as const;
  const none = { variant: null, reason: 'DEFAULT' } as const;
  expect(
    [
      decidedOf(feature!, own, undefined),
      decidedOf(feature!, off, undefined),
      decidedOf(feature!, off, 'E'),
      decidedOf(feature!, own, 'D'),
      decidedOf(feature!, none, undefined),
      decidedOf(rollout!, off, undefined),
      decidedOf(rollout!, none, undefined),
      decidedOf(rollout!, own, 'D'),
    ].map(({ value }) => value),
  ).toEqual(['E', 'D', 'E', 'D', 'D', 'E', 'D', 'D']);
});

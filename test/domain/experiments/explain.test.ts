import { expect, test, vi } from 'vitest';
import { explain } from '../../../src/domain/experiments/explain.ts';
import { settingsFrom } from '../../../src/domain/experiments/settings.ts';
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

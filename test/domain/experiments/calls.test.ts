import { describe, expect, test } from 'vitest';
import { getFeatureVariableValue, getVariationName } from '../../../src/domain/experiments/calls.ts';
import { settingsFrom } from '../../../src/domain/experiments/settings.ts';

const campaign = (type: string, more: object = {}) => ({
  id: 1,
  key: 'own',
  type,
  status: 'RUNNING',
  percentTraffic: 100,
  goals: [],
  segments: {},
  variations: [
    { id: 1, name: 'one', weight: 0, isFeatureEnabled: false },
    { id: 2, name: 'two', weight: 100, isFeatureEnabled: true },
  ],
  ...more,
});
const contextOf = (own: object) => ({ settings: settingsFrom({ version: 1, accountId: 1, campaigns: [own] })! });

// The service's SDK answers NaN, which JSON cannot tell from null (differential.test.ts).
test.each(['integer', 'double'])('a variable that is to be %s and is no number is null', (type) => {
  const variables = [{ id: 1, key: 'text', type, value: 'seven' }];
  const context = contextOf(campaign('FEATURE_ROLLOUT', { variables }));
  expect(getFeatureVariableValue(context, 'own', 'text', 'ann')).toBeNull();
});

describe('all that is told of a decision', () => {
  const told = (own: object, more: object = {}, options: object = {}) => {
    const heard: unknown[] = [];
    const context = { ...contextOf(own), tell: (one: object) => void heard.push(one), ...more };
    getVariationName(context, 'own', 'ann', options);
    getFeatureVariableValue(context, 'own', 'text', 'ann', options);
    return heard;
  };
  const kept = (variationName: string) => ({
    storage: { get: () => ({ userId: 'ann', campaignKey: 'own', variationName }), set: () => {} },
  });
  const first = {
    campaignId: 1,
    campaignKey: 'own',
    campaignType: 'VISUAL_AB',
    campaignName: 'Own',
    customVariables: undefined,
    event: 'CAMPAIGN_DECISION',
    goalIdentifier: undefined,
    isForcedVariationEnabled: undefined,
    source: 'getVariation',
    userId: 'ann',
    variationTargetingVariables: {},
    vwoUserId: expect.stringMatching(/^[0-9A-F]{32}$/) as string,
    fromUserStorageService: false,
    isUserWhitelisted: false,
    variationName: 'two',
    variationId: 2,
  };
  const named = { name: 'Own' };

  test('is what was decided, of whom and by what', () => {
    expect(told(campaign('VISUAL_AB', named))).toStrictEqual([first]);
    expect(told(campaign('VISUAL_AB', named), {}, { customVariables: { city: 'Pune' } })).toStrictEqual([
      { ...first, customVariables: { city: 'Pune' } },
    ]);
  });

  test('is that it was kept from before', () => {
    expect(told(campaign('VISUAL_AB', named), kept('one'))).toStrictEqual([
      { ...first, fromUserStorageService: true, variationName: 'one', variationId: 1 },
    ]);
  });

  test('is that somebody is on the list', () => {
    const listed = { segments: { custom_variable: { city: 'Pune' } } };
    const variations = [
      { id: 1, name: 'one', weight: 0, ...listed },
      { id: 2, name: 'two', weight: 100 },
    ];
    const own = campaign('VISUAL_AB', { ...named, variations, isForcedVariationEnabled: true });
    const variationTargetingVariables = { city: 'Pune' };
    expect(told(own, {}, { variationTargetingVariables })).toStrictEqual([
      {
        ...first,
        isForcedVariationEnabled: true,
        variationTargetingVariables,
        isUserWhitelisted: true,
        variationName: 'one',
        variationId: 1,
      },
    ]);
  });

  test('is that nobody has it', () => {
    const none = campaign('VISUAL_AB', { ...named, variations: [{ id: 1, name: 'one', weight: 0 }] });
    expect(told(none)).toStrictEqual([{ ...first, variationName: undefined, variationId: undefined }]);
  });

  test('is of a rollout whether it is on', () => {
    const { variationName: _, variationId: __, ...rest } = first;
    const rollout = { ...rest, campaignType: 'FEATURE_ROLLOUT', source: 'getFeatureVariableValue' };
    expect(told(campaign('FEATURE_ROLLOUT', named))).toStrictEqual([{ ...rollout, isFeatureEnabled: true }]);
    const none = { ...named, variations: [{ id: 1, name: 'one', weight: 0 }] };
    expect(told(campaign('FEATURE_ROLLOUT', none))).toStrictEqual([{ ...rollout, isFeatureEnabled: false }]);
  });
});

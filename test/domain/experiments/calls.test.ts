import { describe, expect, test } from 'vitest';
import { getFeatureVariableValue, getVariationName, isOptions, isText } from '../../../src/domain/experiments/calls.ts';
import { placeOf } from '../../../src/domain/experiments/hash.ts';
import { settingsFrom } from '../../../src/domain/experiments/settings.ts';

const variables = (value: string) => [{ id: 1, key: 'text', type: 'string', value }];
const campaign = (type: string, more: object = {}) => ({
  id: 1,
  key: 'own',
  type,
  status: 'RUNNING',
  percentTraffic: 100,
  goals: [],
  segments: {},
  variables: variables('of the campaign'),
  variations: [
    { id: 1, name: 'one', weight: 0, isFeatureEnabled: false, variables: variables('of the first') },
    { id: 2, name: 'two', weight: 100, isFeatureEnabled: true, variables: variables('of the second') },
  ],
  ...more,
});
const contextOf = (own: object) => ({ settings: settingsFrom({ version: 1, accountId: 1, campaigns: [own] })! });
const valueOf = (own: object, name = 'text') => getFeatureVariableValue(contextOf(own), 'own', name, 'ann');
const two = (more: object) => ({
  variations: [
    { id: 1, name: 'one', weight: 0, isFeatureEnabled: false, variables: variables('of the first') },
    { id: 2, name: 'two', weight: 100, isFeatureEnabled: true, variables: variables('of the second'), ...more },
  ],
});

describe('the value of a variable', () => {
  test.each<[string, object, unknown]>([
    ['of a rollout is the campaign’s', campaign('FEATURE_ROLLOUT'), 'of the campaign'],
    ['of a rollout without variables is none', campaign('FEATURE_ROLLOUT', { variables: undefined }), null],
    ['of a test is the variation’s', campaign('FEATURE_TEST'), 'of the second'],
    ['of a variation without any is none', campaign('FEATURE_TEST', two({ variables: undefined })), null],
    [
      'of a variation that has the feature off is the first one’s',
      campaign('FEATURE_TEST', two({ isFeatureEnabled: false })),
      'of the first',
    ],
    [
      'of a variation that has the feature off, and no variables, is none',
      campaign('FEATURE_TEST', two({ isFeatureEnabled: false, variables: undefined })),
      null,
    ],
    [
      'of a variation that has the feature off is none where no variation is the first',
      campaign('FEATURE_TEST', {
        variations: [{ id: 2, name: 'two', weight: 100, isFeatureEnabled: false, variables: variables('second') }],
      }),
      null,
    ],
    ['of a comparison of pages is none', campaign('VISUAL_AB'), null],
    ['of another type is none', campaign('OTHER'), null],
    ['of a campaign that is paused is none', campaign('FEATURE_TEST', { status: 'PAUSED' }), null],
    ['of somebody who is not in it is none', campaign('FEATURE_TEST', { percentTraffic: 0 }), null],
  ])('%s', (_, own, value) => {
    expect(valueOf(own)).toBe(value);
  });

  test('that is not there is none', () => {
    expect(valueOf(campaign('FEATURE_TEST'), 'other')).toBeNull();
  });

  test.each<[string, unknown, unknown]>([
    ['integer', '7.9', 7],
    ['integer', 12, 12],
    ['integer', '0x1f', 0],
    ['integer', 'seven', null],
    ['double', '7.9', 7.9],
    ['double', 'seven', null],
    ['boolean', true, true],
    ['boolean', false, false],
    ['boolean', 'true', null],
    ['json', { a: 1 }, { a: 1 }],
    ['json', [1], null],
    ['json', '{}', null],
    ['string', 'text', 'text'],
    ['string', '7', '7'],
  ])('that is to be %s and is %j is %j', (type, value, read) => {
    const own = { variables: [{ id: 1, key: 'text', type, value }] };
    expect(valueOf(campaign('FEATURE_ROLLOUT', own))).toEqual(read);
  });
});

describe('what is asked for wrongly is answered with null', () => {
  const context = contextOf(campaign('FEATURE_TEST'));
  test.each([[''], [7], [null], [undefined]])('a key, a name or a user that is %j', (bad) => {
    expect([
      getVariationName(context, bad, 'ann'),
      getVariationName(context, 'own', bad),
      getFeatureVariableValue(context, bad, 'text', 'ann'),
      getFeatureVariableValue(context, 'own', bad, 'ann'),
      getFeatureVariableValue(context, 'own', 'text', bad),
    ]).toEqual([null, null, null, null, null]);
    expect(isText(bad)).toBe(false);
  });

  test.each([[null], [7], ['{}'], [{ customVariables: null }], [{ metaData: [] }], [{ userStorageData: 'x' }]])(
    'options that are %j',
    (options) => {
      expect(getVariationName(context, 'own', 'ann', options)).toBeNull();
      expect(getFeatureVariableValue(context, 'own', 'text', 'ann', options)).toBeNull();
      expect(isOptions(options)).toBe(false);
    },
  );

  test('a campaign that is not there, and one of a type that the call is not for', () => {
    expect(getVariationName(context, 'other', 'ann')).toBeNull();
    expect(getVariationName(contextOf(campaign('FEATURE_ROLLOUT')), 'own', 'ann')).toBeNull();
    expect(getFeatureVariableValue(context, 'other', 'text', 'ann')).toBeNull();
    // Rightly asked.
    expect(getVariationName(context, 'own', 'ann', { customVariables: {}, metaData: { a: 1 } })).toBe('two');
  });
});

test('what is decided is told with the call that asked', () => {
  const told: unknown[] = [];
  const context = { ...contextOf(campaign('FEATURE_TEST')), tell: (one: object) => void told.push(one) };
  getVariationName(context, 'own', 'ann');
  getFeatureVariableValue(context, 'own', 'text', 'ann');
  expect(told).toEqual(
    ['getVariation', 'getFeatureVariableValue'].map((source) => expect.objectContaining({ source, userId: 'ann' })),
  );
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

test('who is in no variation has none', () => {
  expect(getVariationName(contextOf(campaign('VISUAL_AB', { percentTraffic: 0 })), 'own', 'ann')).toBeNull();
  const none = { variations: [{ id: 1, name: 'one', weight: 0 }] };
  expect(getVariationName(contextOf(campaign('VISUAL_AB', none)), 'own', 'ann')).toBeNull();
});

test('in a group without campaigns nobody has one, and for whom none of three is left the call fails', () => {
  const inGroup = (campaigns: readonly object[], ids: readonly number[]) => ({
    settings: settingsFrom({
      version: 1,
      accountId: 1,
      campaigns,
      campaignGroups: { 1: 5 },
      groups: { 5: { name: 'g', campaigns: ids } },
    })!,
  });
  expect(getVariationName(inGroup([campaign('VISUAL_AB')], []), 'own', 'ann')).toBeNull();
  const three = [1, 2, 3].map((id) => campaign('VISUAL_AB', { id, key: id === 1 ? 'own' : `c${id}` }));
  const left = Array.from({ length: 3_000 }, (_, at) => `user-${at}`).find(
    (user) => placeOf(`5_${user}`, 10_000) > 9_900,
  );
  expect(() => getVariationName(inGroup(three, [1, 2, 3]), 'own', left)).toThrow(RangeError);
});

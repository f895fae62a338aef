import type { StoredRow } from '../../../src/domain/experiments/decide.ts';
import { randomOf } from '../../kit/random.ts';
import type { Step } from './kit.ts';

export function dice(seed: number) {
  const next = randomOf(seed);
  const upTo = (most: number) => Math.floor(next() * most);
  const one = <T>(list: readonly T[]): T => list[upTo(list.length)]!;
  return {
    next,
    upTo,
    one,
    maybe: (share: number) => next() < share,
    some: <T>(list: readonly T[]) => list.filter(() => next() < 0.5),
  };
}
type Dice = ReturnType<typeof dice>;

const KEYS = ['menu-cards', 'home-banner', 'checkout', 'tip', 'coupon-nudge', 'search'];
const NAMES = ['Control', 'variant u', 'variant w', 'variant x', 'ভ্যারিয়েন্ট'];
const GOALS = ['order', 'added', 'sides', 'tip'];
const PEOPLE = ['user', 'রহিম', 'අමිල', '🍕', 'राहुल', '+880171', 'José', 'anonymously-', 'தமிழ்', '😀😀'];
const VARIABLES = ['city', 'age', 'version', 'vip', 'lang'];
const VALUES: readonly unknown[] = [
  'Pune',
  'pune',
  'Dhaka',
  'ঢাকা',
  '',
  '0',
  '0.0',
  '12',
  '12.0',
  '012',
  '12abc',
  '18.2.1',
  '.5',
  '-3',
  '1e3',
  'true',
  ' ',
  '*',
  'a*b',
  'x(y)',
  0,
  12,
  18,
  5.5,
  -3,
  1e21,
  true,
  false,
  null,
  ['a', 'b'],
  { a: 1 },
];
const OPERANDS: readonly unknown[] = [
  ...['Pune', 'lower(PUNE)', 'lower(ঢাকা)', 'lower(12.0)', 'wildcard(*un*)', 'wildcard(*une)', 'wildcard(Pu*)'],
  ...['wildcard(Pune)', 'wildcard(*)', 'wildcard(**)', 'wildcard()', 'wildcard(*2*)', 'regex(^P.n)'],
  ...['regex(.*)', 'regex([)', 'regex(\\d+)', 'regex()', 'gt(5)', 'gt(-5)', 'gt( 5)', 'gte(12)', 'gte(5.)'],
  ...['lt(.5)', 'lt(18.3)', 'lte(12)', 'lte(0)', '12', '012', '0', '0.0', '18.2.9', 'true', 'false', ''],
  ...['Lower(pune)', 'lower(x)(y)', 'lower(pune) tail', 'x(y)', 12, null, true],
];

function segment(d: Dice, users: readonly string[], depth = 0): unknown {
  const kind = d.upTo(depth > 2 ? 6 : 12);
  const below = () => Array.from({ length: d.upTo(4) }, () => segment(d, users, depth + 1));
  if (kind < 4) return { custom_variable: { [d.one(VARIABLES)]: d.one(OPERANDS) } };
  if (kind === 4) return { user: [...d.some(users).slice(0, 3), 'nobody'].join(d.one([',', ', ', ' ,'])) };
  if (kind === 5)
    return d.one<unknown>([{}, { unknown: 1 }, { custom_variable: {} }, { user: 5 }, { and: null }, 'text']);
  if (kind < 8) return { and: below() };
  if (kind < 10) return { or: below() };
  return { not: segment(d, users, depth + 1) };
}

function rootOf(d: Dice, users: readonly string[]): unknown {
  if (d.maybe(0.65)) return {};
  const tree = segment(d, users);
  return typeof tree === 'object' ? tree : {};
}

function weights(d: Dice, count: number): unknown[] {
  const kind = d.upTo(7);
  if (kind < 3) return Array.from({ length: count }, () => 100 / count);
  if (kind === 3) return Array.from({ length: count }, () => 0);
  if (kind === 4) return Array.from({ length: count }, () => d.upTo(80));
  if (kind === 5) return Array.from({ length: count }, () => d.one<unknown>(['20', '33.3', 25, 0, '0']));
  return Array.from({ length: count }, () => Math.round(d.next() * 4000) / 100);
}

const variables = (d: Dice) =>
  d.some(KEYS.slice(0, 4)).map((key, at) => ({
    id: at,
    key,
    type: d.one(['integer', 'double', 'boolean', 'json', 'string', 'other']),
    value: d.one<unknown>(['42px', '-3', 'x', 2.5, '1e3', true, 'false', { a: 1 }, [1], '', 0]),
  }));

function campaign(d: Dice, id: number, key: string, users: readonly string[]) {
  const type = d.one(['VISUAL_AB', 'VISUAL_AB', 'FEATURE_TEST', 'FEATURE_ROLLOUT', 'OTHER']);
  const count = 1 + d.upTo(5);
  const share = weights(d, count);
  return {
    id: d.maybe(0.05) ? String(id) : id,
    key,
    name: `campaign ${id}`,
    type,
    status: d.one(['RUNNING', 'RUNNING', 'RUNNING', 'RUNNING', 'RUNNING', 'RUNNING', 'PAUSED']),
    percentTraffic: d.one([100, 100, 100, 50, 10, 1, 33.3, 0.5, 0, d.upTo(101)]),
    goals: GOALS.filter(() => d.maybe(0.7)).map((identifier, at) => ({
      id: id * 10 + at,
      identifier,
      type: d.one(['REVENUE_TRACKING', 'CUSTOM_GOAL']),
      ...(d.maybe(0.4) ? { revenueProp: `${identifier}_amount` } : {}),
      ...(d.maybe(0.3) ? { mca: d.one<unknown>([-1, 1, '-1']) } : {}),
    })),
    segments: rootOf(d, users),
    ...(type === 'FEATURE_ROLLOUT' || d.maybe(0.1) ? { variables: variables(d) } : {}),
    variations: share.map((weight, at) => ({
      id: d.maybe(0.05) ? at + 7 : at + 1,
      name: d.one(NAMES.slice(at)) ?? 'last',
      weight,
      changes: {},
      ...(d.maybe(0.6) ? { segments: rootOf(d, users) } : {}),
      ...(type === 'FEATURE_TEST' ? { isFeatureEnabled: d.maybe(0.6), variables: variables(d) } : {}),
    })),
    ...(d.maybe(0.3) ? { isBucketingSeedEnabled: d.maybe(0.5) } : {}),
    ...(d.maybe(0.5) ? { isForcedVariationEnabled: d.maybe(0.6) } : {}),
    ...(d.maybe(0.2) ? { isUserListEnabled: d.maybe(0.5) } : {}),
    ...(d.maybe(0.05) ? { isMAB: true } : {}),
    ...(d.maybe(0.3) ? { isOB: d.maybe(0.5) } : {}),
    ...(d.maybe(0.3) ? { isOBv2: d.maybe(0.5) } : {}),
  };
}

/** One value of the settings is made wrong, somewhere. */
function spoil(d: Dice, settings: Record<string, unknown>): void {
  const [first] = settings['campaigns'] as Record<string, unknown>[];
  const target = d.maybe(0.4) || !first ? settings : first;
  const wrong = d.one<unknown>([null, 5, 'text', {}, [], true, undefined]);
  // Where there is no prefix the service's SDK takes the last settings' one.
  target[d.one(Object.keys(target).filter((name) => name !== 'collectionPrefix'))] = wrong;
}

/** Random settings of the service, of all that it has. */
export function settingsOf(d: Dice, users: readonly string[]) {
  const keys = KEYS.slice(0, 1 + d.upTo(KEYS.length));
  const campaigns = keys.map((key, at) => campaign(d, at + 1, key, users));
  const settings: Record<string, unknown> = {
    sdkKey: 'key',
    version: d.one<unknown>([1, '2']),
    accountId: d.one<unknown>([d.upTo(900_000) + 1, '77']),
    campaigns,
    // It keeps the prefix of the last settings that had one: always one, so that it is this one's.
    collectionPrefix: d.one(['eu01', 'as01']),
    ...(d.maybe(0.4) ? { isEventArchEnabled: d.maybe(0.6) } : {}),
    ...(d.maybe(0.3) ? { isNB: d.maybe(0.7) } : {}),
    ...(d.maybe(0.3) ? { isNBv2: d.maybe(0.7) } : {}),
  };
  if (d.maybe(0.5)) {
    const members = campaigns.filter(() => d.maybe(0.7)).map(({ id }) => id);
    const groupId = d.one([1, 5, 5, 5, 0]);
    settings['campaignGroups'] = Object.fromEntries(members.map((id) => [id, groupId]));
    settings['groups'] = {
      [d.maybe(0.05) ? 9 : groupId]: {
        name: 'group',
        campaigns: d.maybe(0.1) ? [...members, 99] : members,
        ...(d.maybe(0.7) ? { et: d.one<unknown>([1, 2, '1', '2']) } : {}),
        ...(d.maybe(0.5) ? { p: [...d.some(members), 99] } : {}),
        ...(d.maybe(0.7) ? { wt: Object.fromEntries(d.some(members).map((id) => [id, d.upTo(70)])) } : {}),
      },
    };
  }
  if (d.maybe(0.06)) spoil(d, settings);
  return settings;
}

export const userOf = (d: Dice): string => d.one(PEOPLE) + String(d.upTo(100_000));

const values = (d: Dice) => Object.fromEntries(d.some(VARIABLES).map((name) => [name, d.one(VALUES)]));

function optionsOf(d: Dice, users: readonly string[]): Record<string, unknown> {
  const options: Record<string, unknown> = {
    ...(d.maybe(0.7) ? { customVariables: values(d) } : {}),
    ...(d.maybe(0.6) ? { variationTargetingVariables: values(d) } : {}),
    ...(d.maybe(0.15) ? { userStorageData: row(d, d.one(users)) } : {}),
    ...(d.maybe(0.1) ? { metaData: { from: 'test' } } : {}),
    ...(d.maybe(0.2) ? { shouldTrackReturningUser: d.maybe(0.5) } : {}),
  };
  if (d.maybe(0.03))
    options[
      d.one([
        'customVariables',
        'variationTargetingVariables',
        'userStorageData',
        'metaData',
        'shouldTrackReturningUser',
      ])
    ] = d.one<unknown>([null, [], 'text', 5]);
  return options;
}

export function row(d: Dice, userId: string): StoredRow {
  return {
    userId,
    campaignKey: d.one(KEYS),
    variationName: d.one([...NAMES, 'gone', '']),
    ...(d.maybe(0.3) ? { goalIdentifier: d.some(GOALS).join('_vwo_') } : {}),
  };
}

const APIS: Readonly<Record<string, readonly string[]>> = {
  VISUAL_AB: ['activate', 'getVariationName', 'track'],
  FEATURE_TEST: ['isFeatureEnabled', 'getFeatureVariableValue', 'getFeatureVariableValue', 'getVariationName', 'track'],
  FEATURE_ROLLOUT: ['isFeatureEnabled', 'getFeatureVariableValue', 'getFeatureVariableValue'],
};
const ALL = ['activate', 'getVariationName', 'isFeatureEnabled', 'getFeatureVariableValue', 'track', 'push'];

/** A random call, most often one that the campaign is made for. */
export function stepOf(d: Dice, users: readonly string[], settings: Readonly<Record<string, unknown>>): Step {
  const { campaigns } = settings;
  const target =
    Array.isArray(campaigns) && campaigns.length > 0 ? d.one(campaigns as { key: string; type: string }[]) : null;
  const api = d.one((d.maybe(0.85) && APIS[target?.type ?? '']) || ALL);
  const step: Record<string, unknown> = {
    api,
    userId: d.maybe(0.01) ? d.one<unknown>([null, 5, '', '\ud83c']) : d.one(users),
    campaignKey: d.maybe(0.02) || !target ? d.one<unknown>([null, 5, '', 'unknown']) : target.key,
  };
  if (api === 'push') {
    if (d.maybe(0.5)) step['map'] = d.one<unknown>([values(d), {}, null, { a: 'ক', b: 5 }]);
    else
      Object.assign(step, {
        tagKey: d.one<unknown>(['plan', 'ক', 'a'.repeat(256), ' ', '', 5]),
        tagValue: d.one<unknown>(['gold', 'ঢাকা', ' ', 'b'.repeat(256), null]),
      });
    return step as never;
  }
  if (d.maybe(0.85)) step['options'] = d.maybe(0.01) ? d.one<unknown>([null, [], 'x']) : optionsOf(d, users);
  if (api === 'getFeatureVariableValue') step['variableKey'] = d.one<unknown>([...KEYS.slice(0, 4), '', 5]);
  if (api === 'track') {
    step['goalIdentifier'] = d.maybe(0.02) ? d.one<unknown>(['', null, 'none']) : d.one(GOALS);
    if (d.maybe(0.4))
      step['campaignKey'] = d.one<unknown>([null, undefined, d.some(KEYS), [...d.some(KEYS), 'unknown'], []]);
    const options = step['options'];
    if (options && typeof options === 'object' && !Array.isArray(options))
      Object.assign(options, {
        ...(d.maybe(0.6) ? { revenueValue: d.one<unknown>([100, 49.5, 0, '12', null]) } : {}),
        ...(d.maybe(0.2)
          ? { goalTypeToTrack: d.one<unknown>(['ALL', 'REVENUE_TRACKING', 'CUSTOM_GOAL', 'BAD', 5]) }
          : {}),
        ...(d.maybe(0.3)
          ? { eventProperties: d.one<unknown>([{ order_amount: 5 }, { tip_amount: 7, x: 1 }, {}]) }
          : {}),
      });
  }
  return step as never;
}

/** Random options of a launch. */
export function launchOf(d: Dice): Record<string, unknown> {
  return {
    logging: { logger: { log: () => {} }, ...(d.maybe(0.9) ? { level: d.one([2, 3, 4, 4, 4, 4]) } : {}) },
    ...(d.maybe(0.2) ? { shouldTrackReturningUser: d.one<unknown>([true, true, false, 1]) } : {}),
    ...(d.maybe(0.2) ? { goalTypeToTrack: d.one(['ALL', 'REVENUE_TRACKING', 'CUSTOM_GOAL', 'BAD']) } : {}),
    ...(d.maybe(0.1) ? { isDevelopmentMode: d.one<unknown>([true, true, false, 'yes']) } : {}),
    ...(d.maybe(0.03) ? { integrations: d.one<unknown>([{}, 5]) } : {}),
  };
}

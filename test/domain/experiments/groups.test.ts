import { expect, test } from 'vitest';
import { explain } from '../../../src/domain/experiments/explain.ts';
import { placeOf } from '../../../src/domain/experiments/hash.ts';
import { settingsFrom } from '../../../src/domain/experiments/settings.ts';
import { engine, storageOf } from './kit.ts';
import { openSdk } from './sdk.ts';

const USERS = Array.from({ length: 3_000 }, (_, at) => `ব্যবহারকারী-${at}`);
const variation = (id: number, more: object = {}) => ({ id, name: `v${id}`, weight: 100, changes: {}, ...more });
const campaign = (id: number, more: object = {}) => ({
  id,
  key: `c${id}`,
  type: 'VISUAL_AB',
  status: 'RUNNING',
  percentTraffic: 100,
  goals: [],
  segments: {},
  variations: [variation(1)],
  ...more,
});
const clientOf = (campaigns: readonly object[], group?: object) =>
  engine({
    settingsFile: {
      version: 1,
      accountId: 1,
      campaigns,
      ...(group
        ? { campaignGroups: { 1: 5, 2: 5, 3: 5 }, groups: { 5: { name: 'g', campaigns: [1, 2, 3], ...group } } }
        : {}),
    },
  }).client;
/** The campaigns that have a visitor, as their numbers. */
const havers = (client: ReturnType<typeof clientOf>, user: string, options: object = {}) =>
  [1, 2, 3].filter((id) => client.getVariationName(`c${id}`, user, options) !== null);
const place = (user: string) => placeOf(`5_${user}`, 10_000);

test('a visitor is in one of three exclusive campaigns, 33 in 100 each; the last of 100 is in none [EXP-07] [EXP-09] [EXP-31]', () => {
  const client = clientOf(
    [1, 2, 3].map((id) => campaign(id)),
    { et: 1 },
  );
  const wanted = (at: number) => (at > 9_900 ? [] : [Math.ceil(at / 3_300)]);
  for (const user of USERS) expect(havers(client, user), user).toEqual(wanted(place(user)));
  expect(USERS.filter((user) => place(user) > 9_900).length).toBeGreaterThan(5);
});

test('in a campaign group the first priority that admits the visitor wins; if none does, the weights decide [EXP-08]', () => {
  const pune = { segments: { custom_variable: { city: 'Pune' } } };
  const client = clientOf([campaign(1), campaign(2), campaign(3, pune)], { et: 2, p: [3], wt: { 1: 20, 2: 30 } });
  const elsewhere = (at: number) => (at <= 2_000 ? [1] : at <= 5_000 ? [2] : []);
  for (const user of USERS.slice(0, 600)) {
    expect(havers(client, user, { customVariables: { city: 'Pune' } })).toEqual([3]);
    expect(havers(client, user, { customVariables: { city: 'Delhi' } }), user).toEqual(elsewhere(place(user)));
  }
});

test('a group campaign with its variations in an object, not a list, takes no visitor, and no call fails', () => {
  const stored = storageOf({ rows: [{ userId: 'user', campaignKey: 'c2', variationName: 'v1' }] });
  const settingsFile = {
    version: 1,
    accountId: 1,
    campaigns: [campaign(1), campaign(2, { variations: {}, percentTraffic: 0 })],
    campaignGroups: { 1: 5, 2: 5 },
    groups: { 5: { name: 'g', campaigns: [1, 2] } },
  };
  const asked = [
    engine({ settingsFile, userStorageService: stored.service }).client,
    openSdk().sdk.launch({
      settingsFile: structuredClone(settingsFile),
      userStorageService: stored.service,
      logging: { level: 4, logger: { log: () => {} } },
    }),
  ];
  expect(asked.map((client) => client.activate('c1', 'user'))).toEqual(['v1', 'v1']);
});

test('a visitor listed in several variations gets one by weights scaled to 100, or equal ones if there are none [EXP-10]', () => {
  const listed = { segments: { custom_variable: { tester: 'true' } } };
  const lists = (...weights: number[]) =>
    clientOf([
      campaign(1, {
        isForcedVariationEnabled: true,
        variations: weights.map((weight, at) => variation(at + 1, { weight, ...(at < 2 ? listed : {}) })),
      }),
    ]);
  const [scaled, equal] = [lists(10, 30, 60), lists(0, 0, 100)];
  for (const user of USERS.slice(0, 600)) {
    const at = placeOf(user, 10_000);
    const options = { variationTargetingVariables: { tester: true } };
    expect(scaled.getVariationName('c1', user, options), user).toBe(at <= 2_500 ? 'v1' : 'v2');
    expect(equal.getVariationName('c1', user, options), user).toBe(at <= 5_000 ? 'v1' : 'v2');
  }
});

test('a campaign that is paused, stopped or not started has nobody [EXP-04]', () => {
  for (const status of ['PAUSED', 'STOPPED', 'NOT_STARTED', ''])
    expect(clientOf([campaign(1, { status })]).activate('c1', 'user'), status).toBeNull();
});

test('a campaign runs whose status is running in whatever case: it decides, tells of goals and says why [EXP-04]', () => {
  for (const status of ['RUNNING', 'Running', 'running']) {
    const campaigns = [campaign(1, { status, goals: [{ id: 1, identifier: 'goal', type: 'CUSTOM_GOAL' }] })];
    const client = clientOf(campaigns);
    expect(client.activate('c1', 'user'), status).toBe('v1');
    expect(client.track('c1', 'user', 'goal'), status).toEqual({ c1: true });
    const settings = settingsFrom({ version: 1, accountId: 1, campaigns })!;
    expect(explain({ settings }, 'c1', 'user', {}), status).toEqual({ variant: 'v1', reason: 'SPLIT' });
  }
});

test("a decision names its campaign's group by groupName or, as the service's own client does, by name [EXP-16]", () => {
  const named = (group: object): unknown => {
    const told: Record<string, unknown>[] = [];
    const { client } = engine({
      settingsFile: {
        version: 1,
        accountId: 1,
        campaigns: [campaign(1)],
        campaignGroups: { 1: 5 },
        groups: { 5: { campaigns: [1], ...group } },
      },
      integrations: { callback: (decision: Record<string, unknown>) => void told.push(decision) },
    });
    expect(client.getVariationName('c1', 'user')).toBe('v1');
    return told.map(({ groupId, groupName }) => ({ groupId, groupName }));
  };
  expect(named({ groupName: 'cards' })).toEqual([{ groupId: 5, groupName: 'cards' }]);
  expect(named({ name: 'cards' })).toEqual([{ groupId: 5, groupName: 'cards' }]);
  expect(named({ groupName: 'cards', name: 'other' })).toEqual([{ groupId: 5, groupName: 'cards' }]);
});

import { uuidOf } from './decide.ts';
import type { Goal, Settings } from './settings.ts';

/** What the service calls this engine. */
export const SDK = { name: 'golden-oven-experiments', version: '1.0.0' };

/** A request to the experiment service. Whoever carries it out writes the query and, if it is there, the body as JSON. */
export interface ServiceRequest {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** One thing that happened, as it is sent in a batch: 1 a variation was shown, 2 a goal was reached, 3 a tag. */
export interface BatchEvent {
  readonly eT: 1 | 2 | 3;
  readonly sId: number;
  readonly u: string;
  readonly e?: number | string;
  readonly c?: number | string;
  readonly g?: number | string;
  readonly r?: unknown;
  readonly t?: string;
}

export interface Source {
  readonly settings: Settings;
  /** Of the service, without the settings' own prefix. */
  readonly base: string;
  /** Which options the client was launched with. */
  readonly flags: Readonly<Record<string, number>>;
  readonly now: () => number;
  readonly random: () => number;
}

const seconds = ({ now }: Source) => Math.ceil(now() / 1000);
const urlOf = ({ base, settings: { collectionPrefix } }: Source, path: string): string =>
  base + (collectionPrefix ? `/${collectionPrefix}` : '') + path;
const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

function get(source: Source, user: string, path: string, fields: object): ServiceRequest {
  const { settings, random } = source;
  return {
    method: 'GET',
    url: urlOf(source, `/server-side/${path}`),
    query: {
      sId: seconds(source),
      u: uuidOf(settings, user),
      sdk: SDK.name,
      'sdk-v': SDK.version,
      env: settings.sdkKey,
      account_id: settings.accountId,
      random: random(),
      ap: 'server',
      ...fields,
    },
  };
}

/** Neither agent nor address: they would be custom headers, and each call two calls. */
const NOBODY = { visitor_ua: '', visitor_ip: '' };

function post(
  source: Source,
  user: string,
  name: string,
  props: object,
  visitor: object,
  flags: object,
): ServiceRequest {
  const { settings, now, random } = source;
  const uuid = uuidOf(settings, user);
  const ms = now();
  return {
    method: 'POST',
    url: urlOf(source, '/events/t'),
    query: {
      en: name,
      a: settings.accountId,
      env: settings.sdkKey,
      eTime: ms,
      random: random(),
      p: 'FS',
      ...NOBODY,
      ...flags,
    },
    body: {
      d: {
        msgId: `${uuid}-${ms}`,
        visId: uuid,
        sessionId: seconds(source),
        event: {
          props: { vwo_sdkName: SDK.name, vwo_sdkVersion: SDK.version, vwo_envKey: settings.sdkKey, ...props },
          name,
          time: ms,
        },
        visitor: { props: { vwo_fs_environment: settings.sdkKey, ...visitor } },
      },
    },
  };
}

/** A variation was shown. */
export const shown = (
  source: Source,
  user: string,
  campaign: number | string,
  variation: number | string,
): ServiceRequest =>
  source.settings.isEventArchEnabled
    ? post(source, user, 'vwo_variationShown', { id: campaign, variation, isFirst: 1 }, {}, source.flags)
    : get(source, user, 'track-user', {
        experiment_id: campaign,
        combination: variation,
        ...NOBODY,
        ed: '{"p":"server"}',
        ...source.flags,
      });

export interface Reached {
  readonly campaign: number | string;
  readonly variation: number | string;
  readonly goal: Goal;
}
export const isRevenue = ({ type }: Goal): boolean => type === 'REVENUE_TRACKING';
const revenueOf = (goal: Goal, revenue: unknown, key: string) => (isRevenue(goal) && revenue ? { [key]: revenue } : {});

/** A goal was reached in one campaign. */
export const reached = (
  source: Source,
  user: string,
  { campaign, variation, goal }: Reached,
  revenue: unknown,
): ServiceRequest =>
  get(source, user, 'track-goal', {
    experiment_id: campaign,
    combination: variation,
    ...NOBODY,
    goal_id: goal.id,
    ...revenueOf(goal, revenue, 'r'),
  });

/** A goal was reached, in event mode: one event for all campaigns. */
export function reachedAll(
  source: Source,
  user: string,
  name: string,
  all: readonly Reached[],
  revenueProps: Iterable<string>,
  revenue: unknown,
  properties: Readonly<Record<string, unknown>>,
): ServiceRequest {
  const vwoMeta: Record<string, unknown> = {
    metric: Object.fromEntries(all.map(({ campaign, goal }) => [`id_${campaign}`, [`g_${goal.id}`]])),
  };
  if (revenue) for (const prop of revenueProps) vwoMeta[prop] = revenue;
  return post(source, user, name, { vwoMeta, isCustomEvent: true, ...properties }, {}, {});
}

/** Properties of a visitor: a request for each, in event mode one. */
export function pushed(source: Source, user: string, tags: Readonly<Record<string, unknown>>): ServiceRequest[] {
  const texts = Object.entries(tags).map(([tag, value]) => [tag, textOf(value)] as const);
  if (source.settings.isEventArchEnabled)
    return [post(source, user, 'vwo_syncVisitorProp', { isCustomEvent: true }, Object.fromEntries(texts), {})];
  return texts.map(([tag, value]) =>
    get(source, user, 'push', {
      tags: JSON.stringify({ u: { [encodeURIComponent(tag)]: encodeURIComponent(value) } }),
    }),
  );
}

const event = (source: Source, user: string) => ({ sId: seconds(source), u: uuidOf(source.settings, user) });
export const shownEvent = (source: Source, user: string, e: number | string, c: number | string): BatchEvent => ({
  e,
  c,
  ...event(source, user),
  eT: 1,
});
export function reachedEvent(
  source: Source,
  user: string,
  { campaign, variation, goal }: Reached,
  revenue: unknown,
  properties: Readonly<Record<string, unknown>>,
): BatchEvent {
  const { settings } = source;
  const isIn = settings.isEventArchEnabled && goal.revenueProp !== undefined && goal.revenueProp in properties;
  const r = isRevenue(goal) && revenue ? revenue : isIn ? properties[goal.revenueProp] : undefined;
  return {
    e: campaign,
    c: variation,
    ...event(source, user),
    eT: 2,
    g: goal.id,
    ...(r === undefined ? {} : { r }),
  };
}
export const pushedEvents = (source: Source, user: string, tags: Readonly<Record<string, unknown>>): BatchEvent[] =>
  Object.entries(tags).map(([tag, value]) => ({
    ...event(source, user),
    eT: 3,
    t: encodeURIComponent(JSON.stringify({ u: { [tag]: textOf(value) } })),
  }));

export const batched = (source: Source, ev: readonly BatchEvent[]): ServiceRequest => ({
  method: 'POST',
  url: urlOf(source, '/server-side/batch-events'),
  query: {
    a: source.settings.accountId,
    ...source.flags,
    sdk: SDK.name,
    'sdk-v': SDK.version,
    env: source.settings.sdkKey,
  },
  body: { ev },
  headers: { Authorization: source.settings.sdkKey ?? '' },
});

/** The settings; `isPulled`: as the service tells of a change of them. */
export const settingsRequest = (
  base: string,
  account: number | string,
  sdkKey: string,
  random: number,
  isPulled = false,
): ServiceRequest => ({
  method: 'GET',
  url: `${base}/server-side/${isPulled ? 'pull' : 'settings'}`,
  query: { a: account, i: sdkKey, r: random, platform: 'server', sdk: SDK.name, 'sdk-v': SDK.version },
});

import { uuidOf } from './decide.ts';
import type { Goal, Settings } from './settings.ts';

/** What the service calls this engine. */
export const SDK_VERSION = '1.0.0';
const SDK = { sdk: 'golden-oven-experiments', 'sdk-v': SDK_VERSION };

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

/** Something that happened in a campaign. */
export interface CampaignEvent {
  readonly campaign: number | string;
  readonly variation: number | string;
  readonly goal?: Goal;
  readonly revenue?: unknown;
}
/** What was found of a goal (track.ts). */
export interface TrackResult {
  /** For each campaign whether the goal counts. */
  readonly answer: Record<string, boolean>;
  /** Where it does, and was not told yet. */
  readonly events: readonly CampaignEvent[];
  /** The same as events of a batch, where there is one. */
  readonly collected: readonly BatchEvent[];
  /** What the revenue is called in event mode. */
  readonly revenueProps: ReadonlySet<string>;
  readonly user: string;
  readonly goal: string;
  readonly options: { readonly revenueValue?: unknown; readonly eventProperties?: Tags | undefined };
}
type Tags = Readonly<Record<string, unknown>>;

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
/** Neither agent nor address: they would be custom headers, and each call two calls. */
const NOBODY = { visitor_ua: '', visitor_ip: '' };
export const isRevenue = ({ type }: Goal): boolean => type === 'REVENUE_TRACKING';

const SERVICE = 'https://dev.visualwebsiteoptimizer.com';

/** The settings; `isPulled`: as the service tells of a change of them. */
export const settingsRequest = (a: number | string, i: string | undefined, isPulled?: boolean): ServiceRequest => ({
  method: 'GET',
  url: `${SERVICE}/server-side/${isPulled ? 'pull' : 'settings'}`,
  query: { a, i, r: Math.random(), platform: 'server', ...SDK },
});

/**
 * What is told, for one client: each in the form that the settings ask for (one call, or an event), and for a batch.
 * `flags`: which options the client was launched with.
 */
export function messagesOf(settings: Settings, flags: Readonly<Record<string, unknown>>, now: () => number) {
  const { accountId, sdkKey: env, collectionPrefix, isEventArchEnabled } = settings;
  const seconds = () => Math.ceil(now() / 1000);
  const who = (user: string) => ({ sId: seconds(), u: uuidOf(settings, user) });
  const urlOf = (path: string) => SERVICE + (collectionPrefix ? `/${collectionPrefix}` : '') + path;

  const get = (user: string, path: string, fields: object): ServiceRequest => ({
    method: 'GET',
    url: urlOf(`/server-side/${path}`),
    query: { ...who(user), ...SDK, env, account_id: accountId, random: Math.random(), ap: 'server', ...fields },
  });

  function post(user: string, name: string, props: object, visitor: object = {}, extra: object = {}): ServiceRequest {
    const { sId, u } = who(user);
    const time = now();
    return {
      method: 'POST',
      url: urlOf('/events/t'),
      query: { en: name, a: accountId, env, eTime: time, random: Math.random(), p: 'FS', ...NOBODY, ...extra },
      body: {
        d: {
          msgId: `${u}-${time}`,
          visId: u,
          sessionId: sId,
          event: {
            props: { vwo_sdkName: SDK.sdk, vwo_sdkVersion: SDK_VERSION, vwo_envKey: env, ...props },
            name,
            time,
          },
          visitor: { props: { vwo_fs_environment: env, ...visitor } },
        },
      },
    };
  }

  /** A variation was shown, or with a goal: it was reached. */
  const happened = (user: string, { campaign: id, variation, goal, revenue }: CampaignEvent): ServiceRequest =>
    goal || !isEventArchEnabled
      ? get(user, goal ? 'track-goal' : 'track-user', {
          experiment_id: id,
          combination: variation,
          ...NOBODY,
          ...(goal ? { goal_id: goal.id } : { ed: '{"p":"server"}', ...flags }),
          ...(goal && isRevenue(goal) && revenue ? { r: revenue } : {}),
        })
      : post(user, 'vwo_variationShown', { id, variation, isFirst: 1 }, {}, flags);

  return {
    happened,
    /** A goal was reached: a request for each campaign, in event mode one for all. */
    reached: ({ user, goal: name, events, revenueProps, options }: TrackResult): ServiceRequest[] => {
      const { revenueValue, eventProperties } = options;
      if (!isEventArchEnabled || events.length === 0) return events.map((event) => happened(user, event));
      const vwoMeta: Record<string, unknown> = {
        metric: Object.fromEntries(events.map(({ campaign, goal }) => [`id_${campaign}`, [`g_${goal!.id}`]])),
      };
      if (revenueValue) for (const prop of revenueProps) vwoMeta[prop] = revenueValue;
      return [post(user, name, { vwoMeta, isCustomEvent: true, ...eventProperties })];
    },

    /** Properties of a visitor: a request for each, in event mode one. */
    pushed: (user: string, tags: Tags): ServiceRequest[] => {
      const texts = Object.entries(tags).map(([tag, value]) => [tag, textOf(value)] as const);
      return isEventArchEnabled
        ? [post(user, 'vwo_syncVisitorProp', { isCustomEvent: true }, Object.fromEntries(texts))]
        : texts.map((pair) => {
            const [tag, value] = pair.map(encodeURIComponent);
            return get(user, 'push', { tags: JSON.stringify({ u: { [tag!]: value } }) });
          });
    },

    /** The same for a batch. */
    event: (
      user: string,
      { campaign: e, variation: c, goal, revenue }: CampaignEvent,
      properties: Tags = {},
    ): BatchEvent => {
      const prop = isEventArchEnabled && goal?.revenueProp;
      const r = goal && isRevenue(goal) && revenue ? revenue : prop ? properties[prop] : undefined;
      return { e, c, ...who(user), eT: goal ? 2 : 1, ...(goal && { g: goal.id }), ...(r !== undefined && { r }) };
    },
    tagEvents: (user: string, tags: Tags): BatchEvent[] =>
      Object.entries(tags).map(([tag, value]) => ({
        ...who(user),
        eT: 3,
        t: encodeURIComponent(JSON.stringify({ u: { [tag]: textOf(value) } })),
      })),
    batch: (ev: readonly BatchEvent[]): ServiceRequest => ({
      method: 'POST',
      url: urlOf('/server-side/batch-events'),
      query: { a: accountId, ...flags, ...SDK, env },
      body: { ev },
      headers: { Authorization: env ?? '' },
    }),
  };
}

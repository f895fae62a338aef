import type { Transport } from '../../../src/domain/experiments/transport.ts';
import { launch } from '../../../src/domain/experiments/launch.ts';
import type { StoredRow } from '../../../src/domain/experiments/decide.ts';
import type { ServiceRequest } from '../../../src/domain/experiments/requests.ts';

/** The calls that the engine and the service's own SDK have in common. */
export interface Calls {
  activate(key: unknown, user: unknown, options?: unknown): unknown;
  getVariationName(key: unknown, user: unknown, options?: unknown): unknown;
  isFeatureEnabled(key: unknown, user: unknown, options?: unknown): unknown;
  getFeatureVariableValue(key: unknown, name: unknown, user: unknown, options?: unknown): unknown;
  track(keys: unknown, user: unknown, goal: unknown, options?: unknown): unknown;
  push(...given: unknown[]): unknown;
}

export interface Step {
  readonly api: string;
  readonly userId?: unknown;
  readonly campaignKey?: unknown;
  readonly variableKey?: unknown;
  readonly goalIdentifier?: unknown;
  readonly tagKey?: unknown;
  readonly tagValue?: unknown;
  readonly map?: unknown;
  readonly options?: unknown;
}

/** The part of an answer that a call has: {variation: ...}, {track: ...}. */
export function run(client: Calls, step: Step): Record<string, unknown> {
  const { api, userId, campaignKey, goalIdentifier } = step;
  const options = 'options' in step ? [step.options] : [];
  switch (api) {
    case 'activate':
    case 'getVariationName':
      return { variation: client[api](campaignKey, userId, ...options) };
    case 'isFeatureEnabled':
      return { feature: client.isFeatureEnabled(campaignKey, userId, ...options) };
    case 'getFeatureVariableValue':
      return { variable: client.getFeatureVariableValue(campaignKey, step.variableKey, userId, ...options) };
    case 'track':
      return { track: client.track(campaignKey, userId, goalIdentifier, ...options) };
    case 'push':
      return {
        push: 'map' in step ? client.push(step.map, userId) : client.push(step.tagKey, step.tagValue, userId),
      };
    default:
      throw new Error(`no call ${api}`);
  }
}

/** A storage service over rows: one visitor and campaign has one row. */
export function storageOf(kept: { readonly rows?: readonly StoredRow[]; readonly throws?: boolean }) {
  const rows = (kept.rows ?? []).map((row) => ({ ...row }));
  const written: StoredRow[] = [];
  return {
    written,
    service: {
      get: (userId: string, key: string) => {
        if (kept.throws) throw new Error('no storage');
        return rows.find((row) => row.userId === userId && row.campaignKey === key);
      },
      set: (row: StoredRow) => {
        written.push({ ...row });
        const at = rows.findIndex((one) => one.userId === row.userId && one.campaignKey === row.campaignKey);
        if (at === -1) rows.push({ ...row });
        else rows[at] = { ...row };
      },
    },
  };
}

/** What a request says, without what differs from one to the next. */
export function said({ url, query, body }: Pick<ServiceRequest, 'url' | 'query' | 'body'>): Record<string, unknown> {
  if (body !== undefined) {
    const { visId, event, visitor } = (body as { d: Record<string, { props: object; name?: string }> }).d as never as {
      visId: string;
      event: { name: string; props: Record<string, unknown> };
      visitor: { props: object };
    };
    const { vwo_sdkName: _, vwo_sdkVersion: __, ...props } = event.props;
    const { en, a, env } = query;
    return { t: 'event', en, a: Number(a), env, visId, name: event.name, props, visitor: visitor.props };
  }
  const { u, account_id: a, experiment_id: e, combination: c, goal_id: g, r, tags } = query;
  const base = { u, a: Number(a) };
  if (url.endsWith('push')) return { t: 'push', ...base, tags };
  if (url.endsWith('track-goal'))
    return {
      t: 'goal',
      ...base,
      e: Number(e),
      c: Number(c),
      g: Number(g),
      ...(r === undefined ? {} : { r: Number(r) }),
    };
  return { t: 'user', ...base, e: Number(e), c: Number(c) };
}

/** The engine, with what it sends. */
export function engine(options: Record<string, unknown>) {
  const requests: ServiceRequest[] = [];
  const transport: Transport = (request) => {
    requests.push(request);
    return Promise.resolve({ status: 200 });
  };
  return { requests, client: launch({ transport, ...options } as never) as Calls };
}

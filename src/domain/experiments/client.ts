import { AB, isOptions, isText, ROLLOUT, running } from './calls.ts';
import { decide, type Context } from './decide.ts';
import { persist, queueOf, type BatchOptions, type Transport, type Wait } from './transport.ts';
import { messagesOf, type ServiceRequest } from './requests.ts';
import { isPlain } from './settings.ts';
import { isFlag, trackGoals, type ActivateOptions } from './track.ts';

/** Levels of what is logged: 1 all, 2 decisions, 3 warnings, 4 errors. */
export type Log = (level: 1 | 2 | 3 | 4, text: string) => void;

export interface ClientOptions {
  /** Without one nothing is sent. */
  readonly transport?: Transport | undefined;
  readonly wait: Wait;
  readonly now: () => number;
  readonly log: Log;
  /** The service's address. */
  /** Which options were used, as the service counts them. */
  readonly flags: Readonly<Record<string, number>>;
  readonly isDevelopmentMode?: boolean | undefined;
  readonly shouldTrackReturningUser?: boolean | undefined;
  readonly goalTypeToTrack?: string | undefined;
  readonly batchEvents?: BatchOptions | undefined;
}

/** Tags and texts of theirs are at most so long (specification section 9). */
const LONGEST_TAG = 255;
const isTooLong = (text: unknown): boolean => typeof text === 'string' && text.length > LONGEST_TAG;

/** The tags of a push: `(tag, value, user)` or `(map, user)`; null for bad parameters. */
function tagsOf(given: readonly unknown[]): { user: string; tags: Readonly<Record<string, unknown>> } | null {
  const [map, tag, value, user] = given.length === 2 ? [given[0], ' ', ' ', given[1]] : [{}, ...given];
  if (given.length > 3 || !isPlain(map)) return null;
  if (!isText(tag) || !isText(value) || !isText(user)) return null;
  // The service's own client lets those of a map pass.
  if ([tag, value, ...Object.entries(map).flat()].some(isTooLong)) return null;
  const tags = tag !== ' ' && value !== ' ' ? { ...map, [tag]: value } : map;
  return tag === ' ' && value === ' ' && Object.keys(map).length === 0 ? null : { user, tags };
}

/** The calls that tell the service something. They may throw: launch.ts puts a fence around them. */
export function clientOf(context: Context, options: ClientOptions) {
  const { transport, wait, log, isDevelopmentMode, batchEvents } = options;
  const { settings, storage } = context;
  const write = messagesOf(settings, options.flags, options.now);
  function send(request: ServiceRequest): Promise<unknown> {
    if (!transport || isDevelopmentMode) return Promise.resolve(null);
    return persist(transport, request, wait).then((reply) => {
      if (!reply) log(4, `UNREACHABLE:${request.url}`);
      return reply;
    });
  }
  const queue = batchEvents ? queueOf(batchEvents, (ev) => send(write.batch(ev))) : null;

  /** The campaign and the variation; undefined for whatever is wrong. `isAb`: which types of campaigns the call is for. */
  function activate(api: string, isAb: boolean, key: unknown, user: unknown, own: unknown) {
    if (!isText(key) || !isText(user) || !isOptions(own)) return undefined;
    const { shouldTrackReturningUser: isReturning } = own as ActivateOptions;
    const campaign = running(context, key);
    if (!isFlag(isReturning) || !campaign || (campaign.type === AB) !== isAb) return undefined;
    if (campaign.isMAB && !storage) return undefined;
    const { variation, reason } = decide(context, campaign, user, own, { api, isFirst: true });
    log(2, `${api}:${key}:${user}:${variation?.name}:${reason}`);
    if (!variation?.name) return undefined;
    if (reason !== 'STATIC' || isReturning || options.shouldTrackReturningUser) {
      const happened = { campaign: campaign.id, variation: variation.id };
      if (queue) queue.add(write.event(user, happened));
      else void send(write.happened(user, happened));
    }
    return { campaign, variation };
  }

  return {
    /** Sends the batch that is being collected. */
    flush: async () => Boolean(await queue?.flush()),
    activate: (key: unknown, user: unknown, own: unknown = {}): string | null =>
      activate('activate', true, key, user, own)?.variation.name ?? null,
    isFeatureEnabled: (key: unknown, user: unknown, own: unknown = {}): boolean => {
      const found = activate('isFeatureEnabled', false, key, user, own);
      return Boolean(found && (found.campaign.type === ROLLOUT || found.variation.isFeatureEnabled));
    },
    track: (keys: unknown, user: unknown, goal: unknown, own: unknown = {}): Record<string, boolean> | null => {
      const tracked = trackGoals(context, options, queue && write.event, keys, user, goal, own);
      for (const event of tracked?.collected ?? []) queue?.add(event);
      for (const request of tracked ? write.reached(tracked) : []) void send(request);
      return tracked && tracked.answer;
    },
    push: (...given: readonly unknown[]): Record<string, boolean> | false => {
      const read = tagsOf(given);
      if (!read) return false;
      const { user, tags } = read;
      if (queue) for (const event of write.tagEvents(user, tags)) queue.add(event);
      else for (const request of write.pushed(user, tags)) void send(request);
      const isOne = !queue && settings.isEventArchEnabled;
      return isOne ? { success: true } : Object.fromEntries(Object.keys(tags).map((tag) => [tag, true]));
    },
  };
}

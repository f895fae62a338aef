import { AB, getFeatureVariableValue, getVariationName, isOptions, isText, ROLLOUT, running } from './calls.ts';
import { decide, type Context, type Told } from './decide.ts';
import { persist, queueOf, waitFor, type Transport } from './delivery.ts';
import { answered, areOptions, isFlag, maybe, type ActivateOptions, type LaunchOptions, type Log } from './options.ts';
import {
  batched,
  pushed,
  pushedEvents,
  SDK,
  settingsRequest,
  shown,
  shownEvent,
  type ServiceRequest,
  type Source,
} from './requests.ts';
import { isPlain, settingsFrom, type Settings } from './settings.ts';
import { trackGoals } from './track.ts';

const SERVICE = 'https://dev.visualwebsiteoptimizer.com';

function logOf({ logging }: LaunchOptions): Log {
  const least = logging?.level ?? (logging?.logger ? 0 : 4);
  const log = logging?.logger?.log ?? ((_level, text) => console.error(text));
  return (level, text) => {
    try {
      if (level >= least) log(level, text);
    } catch {
      // A logger that fails is nobody's reason to show another page.
    }
  };
}

/** Which options are used, as the service counts them. */
function flagsOf(options: LaunchOptions): Record<string, number> {
  if (options.isDevelopmentMode) return {};
  const flags = {
    eb: options.batchEvents,
    ig: options.integrations,
    ss: options.userStorageService,
    cl: options.logging?.logger,
    tr: options.shouldTrackReturningUser,
    gt: options.goalTypeToTrack,
    pi: options.pollingInterval,
  };
  const set = Object.entries(flags).flatMap(([name, value]) => (value ? [[name, 1] as const] : []));
  const level = options.logging?.level;
  const all = level ? [...set, ['ll', level] as const] : set;
  return all.length > 0 ? { ...Object.fromEntries(all), _l: 1 } : {};
}

/** Loads settings; null if they do not come or are none. */
export async function loadSettings(
  transport: Transport,
  account: number | string,
  sdkKey: string,
  { base = SERVICE, isPulled = false, wait = waitFor, random = Math.random } = {},
): Promise<unknown> {
  const reply = await persist(transport, settingsRequest(base, account, sdkKey, random(), isPulled), wait);
  return reply?.json ?? null;
}

export type Client = ReturnType<typeof launch>;

/**
 * The calls of the experiment service on settings that are here already. Never throws: with wrong options or settings
 * every call answers null or false (specification section 4: a no-op client).
 */
export function launch(options: LaunchOptions) {
  const wait = options?.wait ?? waitFor;
  let settings: Settings | null = null;
  let log: Log = () => {};
  try {
    if (areOptions(options)) {
      log = logOf(options);
      settings = settingsFrom(options.settingsFile);
    }
    if (!settings) log(4, 'launch:INVALID');
  } catch {
    // Inert, as with any other wrong option.
  }
  let storage = options?.userStorageService;
  let isOut = false;
  const flags = settings ? flagsOf(options) : {};
  const base = options?.proxyUrl ?? SERVICE;
  const callback = options?.integrations?.callback;
  const tell =
    typeof callback === 'function' ? (told: Told) => callback({ ...told, sdkVersion: SDK.version }) : undefined;
  const context = (): Context => {
    if (!settings || isOut) throw new TypeError('no settings');
    return { settings, storage, tell };
  };
  const source = (): Source => ({
    settings: context().settings,
    base,
    flags,
    now: options.now ?? Date.now,
    random: options.random ?? Math.random,
  });

  const sending = new Set<Promise<unknown>>();
  const { transport } = options ?? {};
  function send(request: ServiceRequest): Promise<unknown> {
    if (!transport || options.isDevelopmentMode) return Promise.resolve(null);
    log(1, `${request.method} ${request.url}`);
    const sent = persist(transport, request, wait).then((reply) => {
      sending.delete(sent);
      if (!reply) log(4, `UNREACHABLE:${request.url}`);
      return reply;
    });
    sending.add(sent);
    return sent;
  }
  const queue =
    settings && options.batchEvents ? queueOf(options.batchEvents, (ev) => send(batched(source(), ev))) : null;

  /** Calls within a fence: whatever is broken answers `otherwise`. */
  function fenced<T, N>(name: string, otherwise: N, run: () => T): T | N {
    let answer: T | N = otherwise;
    try {
      if (!isOut) answer = run();
    } catch (thrown) {
      log(4, `${name}: ${String(thrown)}`);
    }
    const wanted = options?.returnPromiseFor;
    if (!wanted?.[name] && !wanted?.['all']) return answer;
    return Promise.allSettled(sending).then(() => answer) as unknown as T;
  }

  /** What activate and isFeatureEnabled have in common; undefined for whatever is wrong. */
  function first(api: string, key: unknown, user: unknown, given: unknown, isRight: (type: string) => boolean) {
    if (
      !isText(key) ||
      !isText(user) ||
      !isOptions(given) ||
      !maybe((given as ActivateOptions).shouldTrackReturningUser, isFlag)
    ) {
      log(4, `${api}:PARAMETERS`);
      return undefined;
    }
    const now = context();
    const campaign = running(now, key);
    if (!campaign || !isRight(campaign.type) || (campaign.isMAB && !storage)) {
      log(4, `${api}:${key}:NONE`);
      return undefined;
    }
    const { variation, reason } = decide(now, campaign, user, given, { api, isFirst: true });
    log(2, `${api}: ${key} of ${user}: ${variation?.name ?? 'none'} (${reason})`);
    if (!variation?.name) return undefined;
    const isReturning = (given as ActivateOptions).shouldTrackReturningUser || options.shouldTrackReturningUser;
    if (reason !== 'STATIC' || isReturning) {
      if (queue) queue.add(shownEvent(source(), user, campaign.id, variation.id));
      else void send(shown(source(), user, campaign.id, variation.id));
    }
    return { campaign, variation };
  }

  async function getAndUpdateSettingsFile(account?: number | string, sdkKey?: string): Promise<unknown> {
    if (!settings || isOut || !transport) return null;
    const loaded = await loadSettings(transport, account ?? settings.accountId, sdkKey ?? settings.sdkKey ?? '', {
      base,
      isPulled: true,
      wait,
    });
    const next = settingsFrom(loaded);
    if (next) settings = next;
    return loaded;
  }

  async function poll(every: number, sdkKey: string): Promise<void> {
    for (;;) {
      await wait(every);
      if (isOut || !settings || !transport) return;
      const next = settingsFrom(await loadSettings(transport, settings.accountId, sdkKey, { base, wait }));
      if (next) settings = next;
    }
  }
  if (settings && transport && options.pollingInterval) void poll(options.pollingInterval, options.sdkKey!);

  const nameOf = (key: unknown, user: unknown, given?: unknown) =>
    fenced('getVariationName', null, () => getVariationName(context(), key, user, given));

  return {
    /** The variation of an A/B test, which the service is told of; null without one. */
    activate: (key: unknown, user: unknown, given: unknown = {}) =>
      fenced(
        'activate',
        null,
        () => first('activate', key, user, given, (type) => type === AB)?.variation.name ?? null,
      ),
    /** The variation, without telling anybody. */
    getVariationName: nameOf,
    getVariation: nameOf,
    /** Whether a feature is on for a visitor, which the service is told of. */
    isFeatureEnabled: (key: unknown, user: unknown, given: unknown = {}) =>
      fenced('isFeatureEnabled', false, () => {
        const found = first('isFeatureEnabled', key, user, given, (type) => type !== AB);
        return Boolean(found && (found.campaign.type === ROLLOUT || found.variation.isFeatureEnabled));
      }),
    /** The value of a feature's variable, as its type says. */
    getFeatureVariableValue: (key: unknown, name: unknown, user: unknown, given?: unknown) =>
      fenced('getFeatureVariableValue', null, () => getFeatureVariableValue(context(), key, name, user, given)),
    /** Tells of a goal in one campaign, in those of a list, or (null) in all that have it: for each whether it counts. */
    track: (keys: unknown, user: unknown, goal: unknown, given: unknown = {}) =>
      fenced('track', null, () => {
        const { transport: _, ...launched } = options;
        return trackGoals({ context: context(), source, send, queue, launched }, keys, user, goal, given);
      }),
    /** Tells properties of a visitor: `(tag, value, user)` or `(map, user)`. */
    push: (...given: readonly unknown[]) =>
      fenced('push', isOut ? null : false, () => {
        const read = tagsOf(given);
        if (!read) return false;
        const { user, tags } = read;
        const now = source();
        if (queue) for (const event of pushedEvents(now, user, tags)) queue.add(event);
        else for (const request of pushed(now, user, tags)) void send(request);
        const isOne = !queue && now.settings.isEventArchEnabled;
        return answered(options, isOne ? { success: true } : trueOf(Object.keys(tags)));
      }),
    /** Sends the batch that is being collected. */
    flushEvents: async (): Promise<{ status: boolean; message: string }> => {
      if (isOut) return { status: false, message: 'OPTED_OUT' };
      const isSent = (await queue?.flush()) ?? false;
      return { status: isSent, message: isSent ? 'SENT' : 'NOT_SENT' };
    },
    /** Loads the settings again and decides by them from then on; null if they do not come. */
    getAndUpdateSettingsFile,
    /** From now on every call answers null or false. What was collected before is still sent. */
    setOptOut: () => {
      const sent = queue?.flush();
      isOut = true;
      storage = undefined;
      const wanted = options?.returnPromiseFor;
      return wanted?.['optOut'] || wanted?.['all'] ? Promise.resolve(sent).then(() => true) : true;
    },
  };
}

/** The tags of a push: `(tag, value, user)` or `(map, user)`; null for bad parameters. */
function tagsOf(given: readonly unknown[]): { user: string; tags: Readonly<Record<string, unknown>> } | null {
  const [map, tag, value, user] = given.length === 2 ? [given[0], ' ', ' ', given[1]] : [{}, ...given];
  if (given.length < 2 || given.length > 3 || !isPlain(map)) return null;
  if (![tag, value, user].every(isText) || (tag as string).length > 255 || (value as string).length > 255) return null;
  const tags = tag !== ' ' && value !== ' ' ? { ...map, [tag as string]: value } : map;
  return tag === ' ' && value === ' ' && Object.keys(map).length === 0 ? null : { user: user as string, tags };
}

const trueOf = (keys: readonly string[]): Record<string, boolean> => Object.fromEntries(keys.map((key) => [key, true]));

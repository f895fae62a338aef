import { getFeatureVariableValue, getVariationName } from './calls.ts';
import { clientOf, type Log } from './client.ts';
import type { StorageService, DecisionReport } from './decide.ts';
import { isBatchOptions, persist, waitFor, type BatchOptions, type Transport, type Wait } from './transport.ts';
import { SDK_VERSION, settingsRequest } from './requests.ts';
import { isPlain, settingsFrom } from './settings.ts';
import { GOAL_TYPES, isFlag } from './track.ts';

export interface LaunchOptions {
  readonly settingsFile: unknown;
  /** Without one nothing is sent. */
  readonly transport?: Transport | undefined;
  readonly userStorageService?: StorageService | undefined;
  /** Decides and keeps as usual, and sends nothing. */
  readonly isDevelopmentMode?: boolean | undefined;
  /** Tells the service of those as well who were told of before. */
  readonly shouldTrackReturningUser?: boolean | undefined;
  readonly goalTypeToTrack?: string | undefined;
  readonly batchEvents?: BatchOptions | undefined;
  readonly integrations?: { readonly callback?: (decision: DecisionReport) => void } | undefined;
  readonly logging?:
    | { readonly level?: number | undefined; readonly logger?: { readonly log: Log } | undefined }
    | undefined;
  /** Loads the settings again after so many ms; needs `sdkKey`. */
  readonly pollingInterval?: number | undefined;
  readonly sdkKey?: string | undefined;
  readonly now?: (() => number) | undefined;
  readonly wait?: Wait | undefined;
}

const isObject = (value: unknown) => value === undefined || isPlain(value);

/** One wrong option makes the whole client inert. */
function areOptions(options: LaunchOptions): boolean {
  const { batchEvents, logging, pollingInterval, goalTypeToTrack, sdkKey } = options;
  const logger = logging?.logger;
  return (
    [options.isDevelopmentMode, options.shouldTrackReturningUser].every(isFlag) &&
    [batchEvents, options.integrations, options.userStorageService].every(isObject) &&
    (!batchEvents || isBatchOptions(batchEvents)) &&
    (!goalTypeToTrack || GOAL_TYPES.includes(goalTypeToTrack)) &&
    [1, 2, 3, 4].includes(logging?.level ?? 4) &&
    (!logger || (isPlain(logger) && typeof logger.log === 'function')) &&
    (!pollingInterval || (typeof pollingInterval === 'number' && typeof sdkKey === 'string'))
  );
}

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
  const used = {
    eb: options.batchEvents,
    ig: options.integrations,
    ss: options.userStorageService,
    cl: options.logging?.logger,
    tr: options.shouldTrackReturningUser,
    gt: options.goalTypeToTrack,
    pi: options.pollingInterval,
  };
  const flags: Record<string, number> = {};
  for (const [name, value] of Object.entries(used)) if (value) flags[name] = 1;
  const level = options.logging?.level;
  if (level) flags['ll'] = level;
  if (Object.keys(flags).length > 0) flags['_l'] = 1;
  return options.isDevelopmentMode ? {} : flags;
}

/** Loads settings; null if they do not come. */
export const loadSettings = async (
  transport: Transport,
  account: number | string,
  sdkKey: string | undefined,
  { isPulled = false, wait = waitFor } = {},
): Promise<unknown> => (await persist(transport, settingsRequest(account, sdkKey, isPulled), wait))?.json ?? null;

export type Client = ReturnType<typeof launch>;

/**
 * The calls of the experiment service on settings that are here already. Never throws: with wrong options or settings
 * every call answers null or false (specification section 4: a no-op client).
 */
export function launch(given: LaunchOptions) {
  let options: LaunchOptions = { settingsFile: null };
  try {
    if (areOptions(given)) options = given;
  } catch {
    // Not even an object: as with any other wrong option.
  }
  const { transport, wait = waitFor, now = Date.now, userStorageService: storage, isDevelopmentMode } = options;
  const log = logOf(options);
  const flags = flagsOf(options);
  const callback = options.integrations?.callback;
  const tell =
    typeof callback === 'function'
      ? (told: DecisionReport) => callback({ ...told, sdkVersion: SDK_VERSION })
      : undefined;
  let isOut = false;
  const withSettings = (file: unknown) => {
    const settings = settingsFrom(file);
    if (!settings) return null;
    const context = { settings, storage, tell };
    return { context, client: clientOf(context, { ...options, wait, now, log, flags }) };
  };
  let held = withSettings(options.settingsFile);
  if (!held) log(4, 'launch:INVALID');

  /** Calls within a fence: whatever is broken answers `otherwise`. */
  function fenced<T, N>(name: string, otherwise: N, run: (from: NonNullable<typeof held>) => T): T | N {
    try {
      if (!isOut && held) return run(held);
    } catch (thrown) {
      log(4, `${name}:${thrown}`);
    }
    return otherwise;
  }
  /** In development the answer says so, as the service's own client does. */
  const answered = <A>(answer: A): A => (isDevelopmentMode && answer ? { ...answer, isDevelopmentMode } : answer);

  async function load(account?: number | string, sdkKey?: string, isPulled = true): Promise<unknown> {
    if (!held || isOut || !transport) return null;
    const { accountId, sdkKey: own } = held.context.settings;
    const loaded = await loadSettings(transport, account ?? accountId, sdkKey ?? own, { isPulled, wait });
    const next = withSettings(loaded);
    if (next) {
      void held.client.flush();
      held = next;
    }
    return loaded;
  }

  async function poll(every: number): Promise<void> {
    while (!isOut) {
      await wait(every);
      await load(undefined, options.sdkKey, false);
    }
  }
  if (held && transport && options.pollingInterval) void poll(options.pollingInterval);

  const nameOf = (key: unknown, user: unknown, own?: unknown) =>
    fenced('getVariationName', null, ({ context }) => getVariationName(context, key, user, own));

  return {
    /** The variation of an A/B test, which the service is told of; null without one. */
    activate: (key: unknown, user: unknown, own?: unknown) =>
      fenced('activate', null, ({ client }) => client.activate(key, user, own)),
    /** The variation, without telling anybody. */
    getVariationName: nameOf,
    getVariation: nameOf,
    /** Whether a feature is on for a visitor, which the service is told of. */
    isFeatureEnabled: (key: unknown, user: unknown, own?: unknown) =>
      fenced('isFeatureEnabled', false, ({ client }) => client.isFeatureEnabled(key, user, own)),
    /** The value of a feature's variable, as its type says. */
    getFeatureVariableValue: (key: unknown, name: unknown, user: unknown, own?: unknown) =>
      fenced('getFeatureVariableValue', null, ({ context }) => getFeatureVariableValue(context, key, name, user, own)),
    /** Tells of a goal in one campaign, in those of a list, or (null) in all that have it: for each whether it counts. */
    track: (keys: unknown, user: unknown, goal: unknown, own?: unknown) =>
      fenced('track', null, ({ client }) => answered(client.track(keys, user, goal, own))),
    /** Tells properties of a visitor: `(tag, value, user)` or `(map, user)`. */
    push: (...tagged: readonly unknown[]) =>
      fenced('push', isOut ? null : false, ({ client }) => answered(client.push(...tagged))),
    /** Sends the batch that is being collected. */
    flushEvents: async (): Promise<{ status: boolean; message: string }> => {
      const status = Boolean(!isOut && (await held?.client.flush()));
      return { status, message: status ? 'SENT' : 'NOT_SENT' };
    },
    /** Loads the settings again and decides by them from then on; null if they do not come. */
    getAndUpdateSettingsFile: (account?: number | string, sdkKey?: string) => load(account, sdkKey),
    /** From now on every call answers null or false. What was collected before is still sent. */
    setOptOut: () => {
      void held?.client.flush();
      isOut = true;
      return true;
    },
  };
}

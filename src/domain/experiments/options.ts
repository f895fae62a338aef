import { isBatchOptions, type BatchOptions, type Transport, type Wait } from './delivery.ts';
import type { DecideOptions, StorageService, Told } from './decide.ts';
import { isPlain } from './settings.ts';

export const GOAL_TYPES = ['REVENUE_TRACKING', 'CUSTOM_GOAL', 'ALL'];
/** Levels of what is logged: 1 all, 2 decisions, 3 warnings, 4 errors. */
export type Log = (level: 1 | 2 | 3 | 4, text: string) => void;

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
  readonly integrations?: { readonly callback?: (decision: Told) => void } | undefined;
  readonly logging?:
    | { readonly level?: number | undefined; readonly logger?: { readonly log: Log } | undefined }
    | undefined;
  /** Loads the settings again after so many ms; needs `sdkKey`. */
  readonly pollingInterval?: number | undefined;
  readonly sdkKey?: string | undefined;
  /** Which calls answer a promise that waits until what they send has arrived: activate, track, ..., or all. */
  readonly returnPromiseFor?: Readonly<Record<string, boolean>> | undefined;
  /** Of the service, instead of the outside one. */
  readonly proxyUrl?: string | undefined;
  /** For tests. */
  readonly now?: (() => number) | undefined;
  readonly random?: (() => number) | undefined;
  readonly wait?: Wait | undefined;
}

export interface ActivateOptions extends DecideOptions {
  readonly shouldTrackReturningUser?: boolean | undefined;
}

export const maybe = (value: unknown, isRight: (value: unknown) => boolean) => value === undefined || isRight(value);
export const isFlag = (value: unknown) => typeof value === 'boolean';

/** One wrong option makes the whole client inert. */
export function areOptions(options: LaunchOptions): boolean {
  const { batchEvents, logging, pollingInterval, goalTypeToTrack, sdkKey } = options;
  const logger = logging?.logger;
  return (
    [options.isDevelopmentMode, options.shouldTrackReturningUser].every((one) => maybe(one, isFlag)) &&
    [batchEvents, options.returnPromiseFor, options.integrations, options.userStorageService].every((one) =>
      maybe(one, isPlain),
    ) &&
    (!batchEvents || isBatchOptions(batchEvents)) &&
    (!goalTypeToTrack || GOAL_TYPES.includes(goalTypeToTrack)) &&
    (!logging?.level || [1, 2, 3, 4].includes(logging.level)) &&
    (!logger || (isPlain(logger) && typeof logger.log === 'function')) &&
    (!pollingInterval || (typeof pollingInterval === 'number' && typeof sdkKey === 'string'))
  );
}

/** In development the answer says so, as the service's own client does. */
export const answered = <A extends object>(
  { isDevelopmentMode, returnPromiseFor: wanted }: LaunchOptions,
  answer: A,
): A => (isDevelopmentMode && !wanted ? { ...answer, isDevelopmentMode } : answer);

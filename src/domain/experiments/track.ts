import { isOptions, isText, ROLLOUT } from './calls.ts';
import { answered, GOAL_TYPES, type ActivateOptions, type LaunchOptions } from './options.ts';
import { campaignOf, decide, save, type Context } from './decide.ts';
import type { Queue } from './delivery.ts';
import {
  isRevenue,
  reached,
  reachedAll,
  reachedEvent,
  type Reached,
  type ServiceRequest,
  type Source,
} from './requests.ts';
import type { Campaign, Goal } from './settings.ts';

interface TrackOptions extends ActivateOptions {
  /** What was earned; must be there for a goal of revenue. */
  readonly revenueValue?: unknown;
  readonly goalTypeToTrack?: string | undefined;
  /** In event mode. */
  readonly eventProperties?: Readonly<Record<string, unknown>> | undefined;
}

interface Tracker {
  readonly context: Context;
  readonly source: () => Source;
  readonly send: (request: ServiceRequest) => unknown;
  readonly queue: Queue | null;
  readonly launched: LaunchOptions;
}
/** One call, and what it has found. */
interface Tracking extends Tracker {
  readonly user: string;
  readonly identifier: string;
  readonly options: TrackOptions;
  readonly wanted: string;
  readonly isReturning: boolean;
  readonly revenueProps: Set<string>;
  readonly events: Reached[];
}

/** Goals that were tracked stand in one text, joined by it. */
const SEPARATOR = '_vwo_';

const goalOf = (campaign: Campaign, identifier: string): Goal | undefined =>
  campaign.goals.find((one) => one.identifier === identifier);

function isTrackOptions(options: unknown): options is TrackOptions {
  if (!isOptions(options)) return false;
  const { goalTypeToTrack: type, shouldTrackReturningUser: returning } = options as TrackOptions;
  return (
    (type === undefined || GOAL_TYPES.includes(type)) && (returning === undefined || typeof returning === 'boolean')
  );
}

/** Whether a goal of revenue comes with what was earned. In event mode it may stand among the event's properties. */
function hasRevenue(
  goal: Goal,
  { revenueValue, eventProperties }: TrackOptions,
  isEventArch: boolean | undefined,
): boolean {
  if (!isRevenue(goal) || revenueValue) return true;
  if (!isEventArch) return false;
  if (goal.mca === -1 && !goal.revenueProp) return true;
  return (
    eventProperties !== undefined && Object.prototype.hasOwnProperty.call(eventProperties, String(goal.revenueProp))
  );
}

const isKeys = (keys: unknown) => isText(keys) || keys === undefined || keys === null || Array.isArray(keys);
const isWanted = (wanted: string, goal: Goal) => wanted === 'ALL' || goal.type === wanted;

/** Whether a goal counts in one campaign, and what is told of it. */
function counts(tracking: Tracking, campaign: Campaign | undefined): boolean {
  const { context, source, queue, user, identifier, options, wanted, isReturning, revenueProps, events } = tracking;
  const { settings, storage } = context;
  if (campaign?.status !== 'RUNNING' || campaign.type === ROLLOUT) return false;
  const goal = goalOf(campaignOf(settings, campaign.key)!, identifier);
  if (!goal || !isWanted(wanted, goal) || !hasRevenue(goal, options, settings.isEventArchEnabled)) return false;
  if (isRevenue(goal) && goal.revenueProp) revenueProps.add(goal.revenueProp);
  const { variation, goals } = decide(context, campaign, user, options, { api: 'track', goal: identifier });
  if (!variation?.name) return false;
  const keep = (text: string) => {
    if (storage && !settings.isEventArchEnabled) save(storage, campaign, variation, user, options.metaData, text);
  };
  if (goals) {
    if (!goals.split(SEPARATOR).includes(identifier)) keep(goals + SEPARATOR + identifier);
    else if (!isReturning && goal.mca !== -1) return false;
  }
  const event = { campaign: campaign.id, variation: variation.id, goal };
  if (queue) queue.add(reachedEvent(source(), user, event, options.revenueValue, options.eventProperties ?? {}));
  else events.push(event);
  // The service's own client forgets the other goals here. The rows are the same, so that both may take turns.
  keep(identifier);
  return true;
}

/** All campaigns that have the goal. */
const keysOf = ({ context: { settings }, identifier, wanted }: Tracking): string[] =>
  settings.campaigns.flatMap(({ key }) => {
    const goal = goalOf(campaignOf(settings, key)!, identifier);
    return goal && isWanted(wanted, goal) ? key : [];
  });

/**
 * Tells of a goal. @returns for each campaign whether it counts; null for bad parameters, or without any campaign
 * @throws what a broken part of the settings or of the storage throws
 */
export function trackGoals(
  tracker: Tracker,
  keys: unknown,
  user: unknown,
  identifier: unknown,
  options: unknown,
): Record<string, boolean> | null {
  const { context, source, send, launched } = tracker;
  const { settings, storage } = context;
  if (!isKeys(keys) || !isText(user) || !isText(identifier) || !isTrackOptions(options)) return null;
  if (campaignOf(settings, keys)?.isMAB && !storage) return null;
  const wanted = options.goalTypeToTrack ?? (launched.goalTypeToTrack || 'ALL');
  const isReturning = options.shouldTrackReturningUser ?? launched.shouldTrackReturningUser ?? false;
  const tracking = {
    ...tracker,
    user,
    identifier,
    options,
    wanted,
    isReturning,
    revenueProps: new Set<string>(),
    events: [],
  };

  const answer: Record<string, boolean> = {};
  for (const key of isText(keys) ? [keys] : ((keys as unknown[] | null | undefined) ?? keysOf(tracking)))
    answer[String(key)] = counts(tracking, campaignOf(settings, key));
  if (Object.keys(answer).length === 0) return null;
  const { events, revenueProps } = tracking;
  const { revenueValue, eventProperties = {} } = options;
  if (settings.isEventArchEnabled && events.length > 0)
    send(reachedAll(source(), user, identifier, events, revenueProps, revenueValue, eventProperties));
  else for (const event of events) send(reached(source(), user, event, revenueValue));
  return answered(launched, answer);
}

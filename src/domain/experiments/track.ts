import { isOptions, isText, ROLLOUT } from './calls.ts';
import { campaignOf, decide, save, type Context, type DecideOptions } from './decide.ts';
import { isRevenue, type BatchEvent, type CampaignEvent, type TrackResult } from './requests.ts';
import { isRunning, type Campaign, type Goal } from './settings.ts';

export const GOAL_TYPES: readonly unknown[] = ['REVENUE_TRACKING', 'CUSTOM_GOAL', 'ALL'];
export const isFlag = (value: unknown): boolean => value === undefined || typeof value === 'boolean';

export interface ActivateOptions extends DecideOptions {
  readonly shouldTrackReturningUser?: boolean | undefined;
}
interface TrackOptions extends ActivateOptions {
  /** What was earned; must be there for a goal of revenue. */
  readonly revenueValue?: unknown;
  readonly goalTypeToTrack?: string | undefined;
  /** In event mode. */
  readonly eventProperties?: Readonly<Record<string, unknown>> | undefined;
}

/** Goals that were tracked stand in one text, joined by it. */
const SEPARATOR = '_vwo_';

const isTrackOptions = (options: unknown): options is TrackOptions =>
  isOptions(options) &&
  GOAL_TYPES.concat(undefined).includes((options as TrackOptions).goalTypeToTrack) &&
  isFlag((options as TrackOptions).shouldTrackReturningUser);
const isKeys = (keys: unknown) => isText(keys) || keys === undefined || keys === null || Array.isArray(keys);

/** Whether a goal of revenue comes with what was earned. In event mode it may stand among the event's properties. */
const hasRevenue = (goal: Goal, { revenueValue, eventProperties }: TrackOptions, isEventArch: unknown): unknown =>
  !isRevenue(goal) ||
  revenueValue ||
  (isEventArch &&
    ((goal.mca === -1 && !goal.revenueProp) ||
      (eventProperties !== undefined && Object.prototype.hasOwnProperty.call(eventProperties, goal.revenueProp!))));

/**
 * Finds where a goal counts; where there is a batch, `write` writes its events. @returns null for bad parameters, or without any campaign
 * @throws what a broken part of the settings or of the storage throws
 */
export function trackGoals(
  context: Context,
  launched: Pick<TrackOptions, 'goalTypeToTrack' | 'shouldTrackReturningUser'>,
  write: ((user: string, event: CampaignEvent, properties: TrackOptions['eventProperties']) => BatchEvent) | null,
  keys: unknown,
  user: unknown,
  identifier: unknown,
  options: unknown,
): TrackResult | null {
  const { settings, storage } = context;
  if (!isKeys(keys) || !isText(user) || !isText(identifier) || !isTrackOptions(options)) return null;
  if (campaignOf(settings, keys)?.isMAB && !storage) return null;
  const wanted = options.goalTypeToTrack ?? (launched.goalTypeToTrack || 'ALL');
  const { revenueValue: revenue, eventProperties, metaData } = options;
  const isReturning = options.shouldTrackReturningUser ?? launched.shouldTrackReturningUser;
  const isEventArch = settings.isEventArchEnabled;
  const revenueProps = new Set<string>();
  const events: CampaignEvent[] = [];
  const collected: BatchEvent[] = [];

  const goalOf = (key: string) => {
    const goal = campaignOf(settings, key)!.goals.find((one) => one.identifier === identifier);
    return goal && (wanted === 'ALL' || goal.type === wanted) ? goal : undefined;
  };

  function counts(campaign: Campaign | undefined): boolean {
    if (!isRunning(campaign) || campaign.type === ROLLOUT) return false;
    const goal = goalOf(campaign.key);
    if (!goal || !hasRevenue(goal, options as TrackOptions, isEventArch)) return false;
    if (isRevenue(goal) && goal.revenueProp) revenueProps.add(goal.revenueProp);
    const call = { api: 'track', goal: identifier as string };
    const { variation, goals } = decide(context, campaign, user as string, options as TrackOptions, call);
    if (!variation?.name) return false;
    const keep = (text: string) => {
      if (storage && !isEventArch) save(storage, campaign, variation, user as string, metaData, text);
    };
    if (goals) {
      if (!goals.split(SEPARATOR).includes(identifier as string)) keep(goals + SEPARATOR + (identifier as string));
      else if (!isReturning && goal.mca !== -1) return false;
    }
    const event = { campaign: campaign.id, variation: variation.id, goal, revenue };
    if (write) collected.push(write(user as string, event, eventProperties));
    else events.push(event);
    // The service's own client forgets the other goals here. The rows are the same, so that both may take turns.
    keep(identifier as string);
    return true;
  }

  const answer: Record<string, boolean> = {};
  const all = () => settings.campaigns.flatMap(({ key }) => (goalOf(key) ? key : []));
  for (const key of isText(keys) ? [keys] : ((keys as unknown[] | null | undefined) ?? all()))
    answer[String(key)] = counts(campaignOf(settings, key));
  return Object.keys(answer).length > 0
    ? { answer, events, collected, revenueProps, user, goal: identifier, options }
    : null;
}

import { PERCENT, placeOf, TRAFFIC_SCALE, VARIATION_SCALE } from './hash.ts';
import { segmentFits, type Variables } from './segments.ts';
import { isPlain, share, shareAt, type Campaign, type Settings, type Share, type Variation } from './settings.ts';
import { visitorUuid } from './uuid.ts';

/** What a visitor was given before, as it is kept. */
export interface StoredRow {
  readonly userId: string;
  readonly campaignKey: string;
  readonly variationName: string;
  /** Goals that were tracked, joined by `_vwo_`. */
  readonly goalIdentifier?: string | undefined;
  readonly metaData?: unknown;
}
/** Where it is kept. A `get` that throws makes the call fail, a `set` that throws is ignored. */
export interface StorageService {
  get(userId: string, campaignKey: string): Partial<StoredRow> | null | undefined;
  set(row: StoredRow): void;
}

export interface DecideOptions {
  /** What the campaign's own segments look at. */
  readonly customVariables?: Variables | undefined;
  /** What the segments of variations look at: whitelists. */
  readonly variationTargetingVariables?: Variables | undefined;
  readonly userStorageData?: Partial<StoredRow> | undefined;
  readonly metaData?: Readonly<Record<string, unknown>> | undefined;
}

/** Why a visitor has a variation, or none, in the words of OpenFeature. */
export type Reason = 'TARGETING_MATCH' | 'STATIC' | 'SPLIT' | 'DEFAULT' | 'DISABLED' | 'ERROR';
export interface Decision {
  readonly variation?: Variation | undefined;
  readonly reason: Reason;
  /** The goals of the stored row. */
  readonly goals?: string | undefined;
}
const NONE: Decision = { reason: 'DEFAULT' };

/** What `integrations.callback` hears of every decision. */
export type DecisionReport = Readonly<Record<string, unknown>>;

export interface Context {
  readonly settings: Settings;
  readonly storage?: StorageService | undefined;
  readonly tell?: ((decision: DecisionReport) => void) | undefined;
}
export interface Call {
  readonly api: string;
  /** activate and isFeatureEnabled, which may evaluate a visitor of whom nothing is stored. */
  readonly isFirst?: boolean;
  readonly goal?: string;
}

function seedOf({ isNB, isNBv2 }: Settings, campaign: Campaign, user: string): string {
  return isNB || isNBv2 || campaign.isBucketingSeedEnabled ? `${campaign.id}_${user}` : user;
}

/** The campaign's own segments and its traffic: both must admit. */
const admits = (settings: Settings, campaign: Campaign, user: string, variables: Variables | undefined): boolean =>
  segmentFits(campaign.segments, variables) &&
  placeOf(seedOf(settings, campaign, user), TRAFFIC_SCALE) <= campaign.percentTraffic;

/** The variation by bucket. What is hashed depends on the generation of the settings and of the campaign. */
function allotted(settings: Settings, campaign: Campaign, user: string): Variation | null {
  const { isNB, isNBv2, accountId } = settings;
  const { percentTraffic, isOB, isOBv2 } = campaign;
  let text = user;
  let stretch = 1;
  // Nobody comes here where the traffic is 0.
  if ((!isNB && !isNBv2) || (isNB && isOB)) {
    text = seedOf(settings, campaign, user);
    stretch = VARIATION_SCALE / percentTraffic / PERCENT;
  } else if (isNBv2 && !isOBv2) {
    text = seedOf(settings, campaign, `${accountId}_${user}`);
  }
  return shareAt(campaign.variations, placeOf(text, VARIATION_SCALE, stretch));
}

/** Copies whose weights are rescaled to 100; equal ones if they have none. */
function rescaled(variations: readonly Variation[]): readonly Variation[] {
  // Weights that came as text are joined here, at the service, too.
  let total = 0;
  for (const { weight } of variations) total += weight as number;
  return share(
    variations.map((one) => ({
      ...one,
      weight: total ? ((one.weight as number) / total) * PERCENT : PERCENT / variations.length,
    })),
  );
}

function whitelisted(settings: Settings, campaign: Campaign, user: string, variables: Variables): Variation | null {
  if (!campaign.isForcedVariationEnabled) return null;
  const fitting = campaign.variations.filter(
    ({ segments }) => isPlain(segments) && Object.keys(segments).length > 0 && segmentFits(segments, variables),
  );
  if (fitting.length < 2) return fitting[0] ?? null;
  return shareAt(rescaled(fitting), placeOf(seedOf(settings, campaign, user), VARIATION_SCALE));
}

export const campaignOf = (settings: Settings, key: unknown): Campaign | undefined =>
  settings.campaigns.find((one) => one.key === key);

/** The stored variation; undefined: nothing is stored, null: of a name that the campaign does not have. */
function stored({ settings, storage }: Context, key: string, user: string, extra: DecideOptions['userStorageData']) {
  if (!storage) return undefined;
  const row: Partial<StoredRow> = { ...storage.get(user, key), ...extra };
  if (!row.campaignKey || !row.variationName) return undefined;
  const variations = campaignOf(settings, key)?.variations;
  // The settings may have an object for the list: nobody's variation is in it, and nothing fails.
  const variation = Array.isArray(variations)
    ? (variations as readonly Variation[]).find(({ name }) => name === row.variationName)
    : undefined;
  return variation ? { variation, goals: row.goalIdentifier } : null;
}

/** Of the members of a group at most one decides for a visitor: what evaluates the called one, or null. */
function winnerOf(
  { settings }: Context,
  called: Campaign,
  groupId: number,
  members: readonly Campaign[],
  user: string,
  variables: Variables | undefined,
): Campaign | null {
  const eligible = members.filter((one) => admits(settings, one, user, variables));
  if (eligible.length === 1) return eligible[0]!;
  const { et = 1, p = [], wt = {} } = settings.groups![groupId]!;
  const draw = (drawn: readonly (Share & { campaign: Campaign })[]) =>
    shareAt(share(drawn), placeOf(`${groupId}_${user}`, VARIATION_SCALE))?.campaign;
  let winner: Campaign | undefined;
  if (et === 1) {
    const weight = Math.floor(100 / eligible.length);
    winner = draw(eligible.map((campaign) => ({ campaign, weight })));
    // Three campaigns have 33 of 100 each: for who falls on the rest the call fails.
    if (!winner) throw new RangeError('no campaign of the group');
  } else {
    for (const first of p) winner ??= eligible.find(({ id }) => id === first);
    winner ??= draw(eligible.map((campaign) => ({ campaign, weight: wt[campaign.id] })));
  }
  return winner?.id === called.id ? winner : null;
}

function membersOf({ campaigns, groups }: Settings, groupId: number): Campaign[] {
  const { campaigns: ids } = groups![groupId]!;
  return ids.flatMap(
    (id) => campaigns.find((one) => Number.parseInt(String(one.id), 10) === Number.parseInt(String(id), 10)) ?? [],
  );
}

const uuids = new WeakMap<Settings, { user: string; uuid: string }>();
/** The visitor's id at the service; the last one is remembered. */
export function uuidOf(settings: Settings, user: string): string {
  const held = uuids.get(settings);
  if (held?.user === user) return held.uuid;
  // Half a surrogate pair has no bytes: refused by throwing.
  encodeURIComponent(user);
  const uuid = visitorUuid(user, settings.accountId);
  uuids.set(settings, { user, uuid });
  return uuid;
}

interface Visit {
  readonly context: Context;
  readonly campaign: Campaign;
  readonly user: string;
  readonly options: DecideOptions;
  readonly call: Call;
  readonly groupId: number | undefined;
  readonly groupName: string | undefined;
}

function tell(
  { context, campaign, user, options, call, groupId, groupName }: Visit,
  reason: Reason,
  variation?: Variation | null,
) {
  const { customVariables, variationTargetingVariables = {} } = options;
  context.tell?.({
    campaignId: campaign.id,
    campaignKey: campaign.key,
    campaignType: campaign.type,
    campaignName: campaign.name,
    customVariables,
    event: 'CAMPAIGN_DECISION',
    goalIdentifier: call.goal,
    isForcedVariationEnabled: campaign.isForcedVariationEnabled,
    source: call.api,
    userId: user,
    variationTargetingVariables,
    vwoUserId: uuidOf(context.settings, user),
    ...(groupId ? { groupId, groupName } : {}),
    fromUserStorageService: reason === 'STATIC',
    isUserWhitelisted: reason === 'TARGETING_MATCH',
    ...(campaign.type === 'FEATURE_ROLLOUT'
      ? { isFeatureEnabled: Boolean(variation) }
      : { variationName: variation?.name, variationId: variation?.id }),
  });
}

/** Segments and traffic, the group, the bucket; a new variation is saved. */
function evaluate(visit: Visit, variables: Variables): Decision {
  const { context, campaign, user, options, call, groupId } = visit;
  const { settings, storage } = context;
  const { customVariables, userStorageData, metaData } = options;
  if (!admits(settings, campaign, user, customVariables)) return NONE;
  let winner: Campaign | null = campaign;
  if (groupId) {
    const members = membersOf(settings, groupId);
    const isTaken = members.some(
      (one) =>
        one.id !== campaign.id &&
        (whitelisted(settings, one, user, variables) || stored(context, one.key, user, userStorageData)),
    );
    if (isTaken || members.length === 0) return NONE;
    winner = winnerOf(context, campaign, groupId, members, user, customVariables);
    if (!winner) return NONE;
  }
  const variation = allotted(settings, winner, user);
  if (!variation?.name) {
    tell(visit, 'DEFAULT');
    return NONE;
  }
  if (storage) save(storage, winner, variation, user, metaData, call.goal);
  tell(visit, 'SPLIT', variation);
  return { variation, reason: 'SPLIT' };
}

/** Keeps what a visitor was given. What cannot be kept is decided for again, and comes out the same. */
export function save(
  storage: StorageService,
  { key }: Campaign,
  { name }: Variation,
  userId: string,
  metaData: unknown,
  goal: string | undefined,
): void {
  try {
    storage.set({
      userId,
      variationName: name,
      campaignKey: key,
      ...(goal === undefined ? {} : { goalIdentifier: goal }),
      ...(metaData === undefined ? {} : { metaData }),
    });
  } catch {
    // See above.
  }
}

/**
 * Which variation a visitor has: whitelist, then what is stored, then segments and traffic, then the group, then the
 * bucket (specification section 4).
 * @throws what a broken part of the settings or of the storage throws; the calls of a client answer null then
 */
export function decide(
  context: Context,
  campaign: Campaign,
  user: string,
  options: DecideOptions,
  call: Call,
): Decision {
  const { settings, storage } = context;
  // Half a surrogate pair is refused, because the visitor's id could not be made from it.
  encodeURIComponent(user);
  const groupId = settings.campaignGroups?.[campaign.id];
  const { name, groupName = name } = groupId === undefined ? {} : settings.groups![groupId]!;
  const visit: Visit = { context, campaign, user, options, call, groupId, groupName };
  const variables: Variables = {
    ...options.variationTargetingVariables,
    _vwoUserId: campaign.isUserListEnabled ? uuidOf(settings, user) : user,
  };
  const forced = whitelisted(settings, campaign, user, variables);
  if (forced) {
    tell(visit, 'TARGETING_MATCH', forced);
    return { variation: forced, reason: 'TARGETING_MATCH' };
  }
  const kept = stored(context, campaign.key, user, options.userStorageData);
  if (kept) {
    tell(visit, 'STATIC', kept.variation);
    return { ...kept, reason: 'STATIC' };
  }
  // Nobody has activated it for this visitor yet.
  if (kept === undefined && storage && !call.isFirst) return NONE;
  return evaluate(visit, variables);
}

import { PERCENT, VARIATION_SCALE } from './hash.ts';

/** Settings of the experiment service (specification section 3), as they come: what is not listed here is let pass. */
export interface Settings {
  readonly sdkKey?: string | undefined;
  readonly version: number | string;
  readonly accountId: number | string;
  readonly campaigns: readonly Campaign[];
  /** The group of a campaign, by the campaign's id. */
  readonly campaignGroups?: Readonly<Record<string, number>> | undefined;
  readonly groups?: Readonly<Record<string, Group>> | undefined;
  readonly isEventArchEnabled?: boolean | undefined;
  readonly collectionPrefix?: string | undefined;
  /** Which generation of the service made them: they change what is hashed for a variation. */
  readonly isNB?: boolean | undefined;
  readonly isNBv2?: boolean | undefined;
}

export interface Campaign {
  readonly id: number | string;
  readonly key: string;
  /** VISUAL_AB, FEATURE_TEST or FEATURE_ROLLOUT. */
  readonly type: string;
  /** Only RUNNING ones decide, in whatever case it is written. */
  readonly status: string;
  readonly name?: string | undefined;
  /** 0 to 100, also fractions. */
  readonly percentTraffic: number;
  readonly goals: readonly Goal[];
  readonly variations: readonly Variation[];
  readonly variables?: readonly Variable[] | undefined;
  readonly segments: Segment;
  readonly isBucketingSeedEnabled?: boolean | undefined;
  readonly isForcedVariationEnabled?: boolean | undefined;
  readonly isUserListEnabled?: boolean | undefined;
  readonly isMAB?: boolean | undefined;
  /** Our own server's: raised when it is begun anew, so that nothing of before holds. */
  readonly version?: number | string | undefined;
  readonly isOB?: boolean | undefined;
  readonly isOBv2?: boolean | undefined;
}

export interface Goal {
  readonly id: number | string;
  readonly identifier: string;
  /** REVENUE_TRACKING or CUSTOM_GOAL. */
  readonly type: string;
  readonly revenueProp?: string | undefined;
  /** -1: it may be tracked more than once. */
  readonly mca?: number | string | undefined;
}

export interface Variation extends Share {
  readonly id: number | string;
  readonly name: string;
  readonly segments?: Segment | undefined;
  readonly variables?: readonly Variable[] | undefined;
  readonly isFeatureEnabled?: boolean | undefined;
}

export interface Variable {
  readonly id: number | string;
  /** integer, double, boolean, json, or anything else: text. */
  readonly type: string;
  readonly key: string;
  readonly value: unknown;
}

interface Group {
  /** The specification's word (section 3); the service's own client reads the shorter one, and its settings have both. */
  readonly groupName?: string | undefined;
  readonly name?: string | undefined;
  readonly campaigns: readonly (number | string)[];
  /** The number 1 or nothing: equal chances; anything else: `p` in its order, then by the weights of `wt`. */
  readonly et?: unknown;
  readonly p?: readonly unknown[] | undefined;
  readonly wt?: Readonly<Record<string, number>> | undefined;
}

/** One key names an operator or an operand: `{or: [{custom_variable: {city: 'lower(pune)'}}, {user: 'a, b'}]}`. */
export type Segment = Readonly<Record<string, unknown>>;

/** Something that gets a share of 10000 places; `start` and `end` are filled in by `share`. */
export interface Share {
  /** In per cent; may come as text. */
  weight?: number | string | undefined;
  startVariationAllocation?: number;
  endVariationAllocation?: number;
}

/** The last part of an object's tag: 'Object' is a plain one. */
const kindOf = (value: unknown): string => Object.prototype.toString.call(value).slice(8, -1);
export const isPlain = (value: unknown): value is Record<string, unknown> => kindOf(value) === 'Object';

/** Whether a campaign runs (specification section 4); the service's own client knows the word in upper case only. */
export const isRunning = <C extends Pick<Campaign, 'status'>>(campaign: C | undefined): campaign is C =>
  campaign?.status.toLowerCase() === 'running';

type Check = (value: unknown) => boolean;
const text: Check = (value) => typeof value === 'string';
const number: Check = (value) => typeof value === 'number';
const id: Check = (value) => text(value) || number(value);
const box: Check = (value) => typeof value === 'object' && value !== null;
const maybe =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value);
const flag = maybe((value) => typeof value === 'boolean');
const having =
  (checks: Readonly<Record<string, Check>>): Check =>
  (value) =>
    box(value) && Object.keys(checks).every((key) => checks[key]!((value as Record<string, unknown>)[key]));

const isCampaign = having({
  id,
  type: text,
  key: text,
  status: text,
  percentTraffic: number,
  name: maybe(text),
  goals: box,
  variations: box,
  variables: maybe(box),
  segments: box,
  isBucketingSeedEnabled: flag,
  isForcedVariationEnabled: flag,
  isUserListEnabled: flag,
  isMAB: flag,
});
const isSettings = having({
  sdkKey: maybe(text),
  version: id,
  accountId: id,
  campaigns: (value) => Array.isArray(value) && value.every(isCampaign),
  campaignGroups: maybe((value) => box(value) && Object.values(value as object).every(number)),
  isEventArchEnabled: flag,
  collectionPrefix: maybe(text),
  groups: maybe(box),
});

/** Gives each its part of 1 to 10000, one after the other: under 100 per cent leaves a gap, what is beyond gets none. */
export function share<S extends Share>(shares: readonly S[]): readonly S[] {
  let end = 0;
  for (let at = 0; at < shares.length; at++) {
    const one = shares[at]!;
    const width = one.weight ? Math.min(Math.ceil((one.weight as number) * PERCENT), VARIATION_SCALE) : 0;
    one.startVariationAllocation = width ? end + 1 : -1;
    one.endVariationAllocation = width ? end + width : -1;
    end += width;
  }
  return shares;
}

/** The first whose part holds the place. */
export function shareAt<S extends Share>(shares: readonly S[], place: number): S | null {
  for (let at = 0; at < shares.length; at++) {
    const one = shares[at]!;
    if (place >= one.startVariationAllocation! && place <= one.endVariationAllocation!) return one;
  }
  return null;
}

/**
 * Settings with the shares of all variations, as a copy; null if anything in them has the wrong type: one bad campaign
 * refuses the whole file, so whoever keeps settings keeps the last good ones.
 */
export function settingsFrom(from: unknown): Settings | null {
  try {
    const { campaigns } = from as Partial<Settings>;
    const given = !campaigns || isPlain(campaigns) ? { ...(from as object), campaigns: [] } : from;
    const copy = JSON.parse(JSON.stringify(given)) as Settings;
    if (!isSettings(copy)) return null;
    for (const campaign of copy.campaigns) {
      share(campaign.variations);
      // An object passes as well, and has no goals.
      if (!Array.isArray(campaign.goals)) (campaign as { goals: readonly Goal[] }).goals = [];
    }
    return copy;
  } catch {
    return null;
  }
}

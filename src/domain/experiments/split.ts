import type { Reason } from './decide.ts';
import type { Explanation } from './explain.ts';
import type { Campaign } from './settings.ts';

// The app's own layer on the engine (specification section 4); the service does not know it.

/** How long a visit without kept settings waits for them before it goes on without. */
export const SESSION_ACTIVATION_MS = 2_000;

/** The bucket of the header: the stored test id modulo 100. */
export const bucketOf = (testId: string): number => Number(testId) % 100;

export type VariantLook = 'u' | 'w' | 'x' | 'y' | 's';

/**
 * The look of a variation's name: `u` or `nextgen variant u`, in upper or lower case; `s`, as for `variant S`, for any
 * other, for an answer that is empty, and for the text 'null'.
 */
export function lookOf(variation: string | null): VariantLook {
  const [, sign] = /^(?:.*variant )?([uwxy])$/i.exec(variation ?? '') ?? [];
  return (sign?.toLowerCase() as VariantLook | undefined) ?? 's';
}

/** What a visitor has of a campaign. */
export interface CampaignDecision {
  readonly key: string;
  /** A variation's name, or of a feature `E` (enabled) or `D` (disabled); null for nobody's. */
  readonly value: string | null;
  readonly reason: Reason;
  readonly isForced: boolean;
  /** Names of all variations. */
  readonly variations: readonly string[];
  /** Why it could not be decided, where something is broken. */
  readonly fault?: unknown;
}

export function decidedOf(
  campaign: Campaign,
  { variant, reason, fault }: Explanation,
  forced: string | undefined,
): CampaignDecision {
  const { key, type } = campaign;
  // The settings may have an object for the list, as the service's own client lets pass.
  const variations = Array.isArray(campaign.variations) ? (campaign.variations as Campaign['variations']) : [];
  const names = variations.map(({ name }) => name);
  const isForced = forced !== undefined;
  const variation = forced ?? variant;
  if (type === 'VISUAL_AB') return { key, value: variation, reason, isForced, variations: names, fault };
  const found = variations.find(({ name }) => name === variation);
  const isOn =
    forced === 'E' || (found !== undefined && (type === 'FEATURE_ROLLOUT' || found.isFeatureEnabled === true));
  return { key, value: isOn ? 'E' : 'D', reason, isForced, variations: names, fault };
}

/** The variation of one campaign; null where it does not run or is not there. */
export const chosenOf = (decided: readonly CampaignDecision[], key: string): string | null =>
  decided.find((one) => one.key === key)?.value ?? null;

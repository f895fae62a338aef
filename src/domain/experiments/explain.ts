import { campaignOf, decide, type Context, type DecideOptions, type Reason } from './decide.ts';
import { isRunning } from './settings.ts';

export interface Explanation {
  readonly variant: string | null;
  readonly reason: Reason;
  /** What a broken part of the settings or of the storage threw. */
  readonly fault?: unknown;
}
/** Why a visitor has which variation: what the calls above answer, with its reason, and nothing kept or told. */
export function explain(
  { settings, storage }: Context,
  key: string,
  user: string,
  options: DecideOptions,
): Explanation {
  const campaign = campaignOf(settings, key);
  if (!campaign) return { variant: null, reason: 'ERROR' };
  if (!isRunning(campaign)) return { variant: null, reason: 'DISABLED' };
  try {
    const reading = storage && { get: storage.get, set: () => {} };
    const decision = decide({ settings, storage: reading }, campaign, user, options, {
      api: '',
      isFirst: true,
    });
    return { variant: decision.variation?.name ?? null, reason: decision.reason };
  } catch (fault) {
    return { variant: null, reason: 'ERROR', fault };
  }
}

import { campaignOf, decide, type Context, type DecideOptions } from './decide.ts';
import { isPlain, isRunning, type Campaign, type Variable } from './settings.ts';

/** Types of campaigns. */
export const AB = 'VISUAL_AB';
export const ROLLOUT = 'FEATURE_ROLLOUT';
const TEST = 'FEATURE_TEST';

export const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

const OPTIONS = ['customVariables', 'variationTargetingVariables', 'userStorageData', 'metaData'] as const;
/** Whether the options of a call have the right types: null is not an object, and a missing one is none. */
export const isOptions = (options: unknown): options is DecideOptions =>
  isPlain(options) && OPTIONS.every((name) => options[name] === undefined || isPlain(options[name]));

/** The campaign, if it runs and is not of this type, which the call is not for. */
export function running({ settings }: Context, key: unknown, except?: string): Campaign | undefined {
  const campaign = campaignOf(settings, key);
  return isRunning(campaign) && campaign.type !== except ? campaign : undefined;
}

function valueOf({ type, value }: Variable): unknown {
  const number = type === 'integer' ? Number.parseInt(value as string, 10) : Number.parseFloat(value as string);
  switch (type) {
    case 'integer':
    case 'double':
      return Number.isNaN(number) ? null : number;
    case 'boolean':
      return typeof value === 'boolean' ? value : null;
    case 'json':
      return isPlain(value) ? value : null;
    default:
      return value;
  }
}

/** What is decided without telling anybody. They answer null for whatever is wrong with their parameters. */
export function getVariationName(context: Context, key: unknown, user: unknown, options: unknown = {}): string | null {
  if (!isText(key) || !isText(user) || !isOptions(options)) return null;
  const campaign = running(context, key, ROLLOUT);
  return (campaign && decide(context, campaign, user, options, { api: 'getVariation' }).variation?.name) || null;
}

export function getFeatureVariableValue(
  context: Context,
  key: unknown,
  name: unknown,
  user: unknown,
  options: unknown = {},
): unknown {
  if (!isText(key) || !isText(name) || !isText(user) || !isOptions(options)) return null;
  const campaign = running(context, key, AB);
  if (!campaign) return null;
  const { variation } = decide(context, campaign, user, options, { api: 'getFeatureVariableValue' });
  if (!variation) return null;
  let variables: readonly Variable[] | undefined;
  if (campaign.type === ROLLOUT) variables = campaign.variables;
  else if (campaign.type === TEST) {
    variables = variation.variables;
    // Where the variation has the feature off, the first one's values hold.
    if (variables && !variation.isFeatureEnabled) variables = campaign.variations.find(({ id }) => id === 1)?.variables;
  }
  const variable = variables?.find((one) => one.key === name);
  return variable ? valueOf(variable) : null;
}

import type { Country } from '../../../country/shape.ts';
import { blockedFeatures, MINI_APP_BLOCKED, remoteBlocked } from '../../domain/features.ts';
import type { HostName } from './caller.ts';
import { t } from './language.ts';
import { refuse } from './refusal.ts';
import type { Services } from './services.ts';

const more = new Map<HostName, readonly string[]>();

/** Names features that are off inside one host, in addition to those that are off inside every payment app. */
export function blockAlso(host: HostName, features: readonly string[]): void {
  more.set(host, features);
}

/** What a host itself switches off. */
export function blockedIn(host: HostName): readonly string[] {
  return host === 'web' ? [] : [...MINI_APP_BLOCKED, ...(more.get(host) ?? [])];
}

/** Ways to log in beside the code: where a country's own settings say so, and never inside a payment app. */
function ownLoginsOff(country: Country, host: HostName): readonly string[] {
  const isWeb = host === 'web';
  return [
    ...(isWeb && country.SHOW_LOAGIN_WITH_PASSWORD ? [] : ['passwordLogin']),
    ...(isWeb && country.socialLogin ? [] : ['socialLogin']),
  ];
}

/** Features whose pages only a standalone page has: no payment app and no partner's frame. */
const STANDALONE = ['worldPizzaLeague', 'assistants'];

/** What nobody is offered because its provider is not configured. */
export const withoutProvider = ({ email, railway }: Pick<Services, 'email' | 'railway'>): readonly string[] => [
  ...(email.isThere ? [] : ['emailConfirm']),
  ...(railway.isThere ? [] : ['irctc', 'deliver_on_train']),
];

/**
 * All features that are off for a build: those of its country, of its host, those without a provider, and those that were
 * switched off remotely. @param services null where no feature of a provider is asked about
 */
export function blockedFor(
  country: Country,
  host: HostName,
  features: string | undefined,
  services: Pick<Services, 'email' | 'railway'> | null = null,
): ReadonlySet<string> {
  return blockedFeatures(
    country.DISABLED_FEATURES,
    [...blockedIn(host), ...ownLoginsOff(country, host), ...(host === 'web' ? [] : STANDALONE)],
    services === null ? [] : withoutProvider(services),
    features === undefined ? [] : remoteBlocked(features),
  );
}

/** Pages and calls that a payment app does not have (specification section 2). @throws Refusal 403 FEATURE_BLOCKED */
export function mustBeFullMode({ host }: { readonly host: HostName }): void {
  if (host !== 'web') refuse(403, 'FEATURE_BLOCKED', t.featureOff);
}

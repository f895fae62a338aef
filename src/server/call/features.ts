import type { Country } from '../../../country/shape.ts';
import { blockedFeatures, MINI_APP_BLOCKED, remoteBlocked } from '../../domain/features.ts';
import type { HostName } from './caller.ts';

/**
 * All features that are off for a build: those of its country, of its host, and those that were switched off remotely.
 */
export function blockedFor(country: Country, host: HostName, features: string | undefined): ReadonlySet<string> {
  return blockedFeatures(
    country.DISABLED_FEATURES,
    host === 'web' ? [] : MINI_APP_BLOCKED,
    features === undefined ? [] : remoteBlocked(features),
  );
}

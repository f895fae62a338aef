import type { Country } from '../../../country/shape.ts';
import { blockedFeatures, MINI_APP_BLOCKED, remoteBlocked } from '../../domain/features.ts';
import type { HostName } from './caller.ts';

const more = new Map<HostName, readonly string[]>();

/** Names features that are off inside one host, in addition to those that are off inside every payment app. */
export function blockAlso(host: HostName, features: readonly string[]): void {
  more.set(host, features);
}

/** What a host itself switches off. */
export function blockedIn(host: HostName): readonly string[] {
  return host === 'web' ? [] : [...MINI_APP_BLOCKED, ...(more.get(host) ?? [])];
}

/**
 * All features that are off for a build: those of its country, of its host, and those that were switched off remotely.
 */
export function blockedFor(country: Country, host: HostName, features: string | undefined): ReadonlySet<string> {
  return blockedFeatures(
    country.DISABLED_FEATURES,
    blockedIn(host),
    features === undefined ? [] : remoteBlocked(features),
  );
}

import { country as bg } from './bg/index.ts';
import { country as india } from './in/index.ts';
import { country as lk } from './lk/index.ts';
import { COUNTRY_NAME_MISSING, COUNTRY_UNKNOWN, type Country } from './shape.ts';

/** The only list of countries. For the server, the build and tests: a client graph holds its own country alone. */
export const countries: readonly Country[] = [india, lk, bg];

/**
 * A country by any of its names, whatever the case or the spaces around it (specification sections 1 and 5).
 * Throws an Error with the specification's sentence when the name is empty, not a string, or unknown.
 */
export function countryConfig(name: unknown): Country {
  if (typeof name !== 'string' || name.trim() === '') throw new Error(COUNTRY_NAME_MISSING);
  const wanted = name.trim().toLowerCase();
  const found = countries.find((country) => country.names.includes(wanted));
  if (!found) throw new Error(COUNTRY_UNKNOWN);
  return found;
}

/** Country and host of an `api_key` header, or null when no build has that key. */
export function countryOfApiKey(key: string): { country: Country; host: string } | null {
  for (const country of countries) {
    for (const [host, own] of Object.entries(country.api.keys)) if (own === key) return { country, host };
  }
  return null;
}

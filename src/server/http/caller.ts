import type { Country } from '../../../country/shape.ts';
import type { Access } from '../../contract/endpoint.ts';
import { errors, t } from '../call/language.ts';
import { isEnabled } from '../../domain/features.ts';
import { buildOfKey } from '../rules/hosts/hosts.ts';
import { sessionOver } from '../rules/people/sessions.ts';
import { transact, type Root } from '../store/db.ts';
import { markHeard, sessionOfAccess } from '../store/sessions.ts';
import { refuse } from '../call/refusal.ts';
import { strangerOf, type Caller, type HostName } from '../call/caller.ts';

/** The build that an `api_key` header belongs to. @throws Refusal 401 API_KEY when no build has this key */
export function buildOf(apiKey: string): { country: Country; host: HostName } {
  return buildOfKey(apiKey) ?? refuse(401, 'API_KEY', t.featureOff, { field: 'api_key' });
}

/**
 * Finds out who is calling (specification section 7: headers api_key, authToken, userId). On an open endpoint, a caller
 * without a valid token is treated as a stranger.
 * @throws Refusal 401 TOKEN_EXPIRED (a refresh helps) or TOKEN_INVALID (it does not), 403 LOGIN_NEEDED
 */
export async function callerOf(
  db: Root,
  build: { country: Country; host: HostName },
  access: Access,
  headers: { authToken: string; userId: string },
  now: number,
): Promise<Caller> {
  const { host } = build;
  const country = build.country.COUNTRY_CODE;
  const stranger = strangerOf(country, host);
  const isOpen = access === 'open' || access === 'development';
  if (headers.authToken === '') return isOpen ? stranger : sessionOver(host);
  const found = await sessionOfAccess(db, headers.authToken);
  // A token that belongs to another person, country or host counts as no token.
  if (
    found === undefined ||
    found.userId !== headers.userId ||
    found.country !== country ||
    found.host !== host ||
    found.revokedAt !== null ||
    found.endsAt <= now
  ) {
    return isOpen ? stranger : sessionOver(host);
  }
  if (found.accessEndsAt <= now) return isOpen ? stranger : refuse(401, 'TOKEN_EXPIRED', errors.loggedOut);
  const { answers, accessHash: hash } = found;
  if (answers !== null) await transact(db, (tx) => markHeard(tx, hash, answers));
  const isLoggedIn = found.guest === 0;
  if (access === 'user' && !isLoggedIn) refuse(403, 'LOGIN_NEEDED', t.loginFirst);
  return {
    country,
    host,
    userId: found.userId,
    cartId: found.cartId,
    sessionId: found.sessionId,
    access: { hash, endsAt: Math.min(found.accessEndsAt, found.endsAt) },
    isLoggedIn,
    mobile: found.mobile,
  };
}

/** Refuses a call that belongs to a feature that is off. @throws Refusal 403 FEATURE_BLOCKED */
export function mustBeEnabled(feature: string | null, blocked: ReadonlySet<string>): void {
  if (feature !== null && !isEnabled(feature, blocked)) refuse(403, 'FEATURE_BLOCKED', t.featureOff);
}

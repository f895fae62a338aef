import type { Country } from '../../../country/shape.ts';
import type { Access } from '../../contract/endpoint.ts';
import * as messages from '../../domain/messages.ts';
import { blockedFeatures, isEnabled, MINI_APP_BLOCKED, remoteBlocked } from '../../domain/features.ts';
import { buildOfKey } from '../rules/partners.ts';
import { sessionOver } from '../rules/sessions.ts';
import type { Root } from '../store/db.ts';
import { sessionOfAccess } from '../store/sessions.ts';
import { refuse } from './refusal.ts';
import type { Caller, CountryCode, Partner } from './route.ts';

/** The build behind an `api_key` header. @throws Refusal 401 API_KEY when no build has it. */
export function buildOf(apiKey: string): { country: Country; partner: Partner } {
  return buildOfKey(apiKey) ?? refuse(401, 'API_KEY', messages.FEATURE_OFF, { field: 'api_key' });
}

/**
 * Who is calling (specification section 7: headers api_key, authToken, userId). An open endpoint answers strangers and people
 * with an old token alike.
 * @throws Refusal 401 TOKEN_EXPIRED (refresh helps) or TOKEN_INVALID (it does not), 403 LOGIN_NEEDED
 */
export async function callerOf(db: Root, build: { country: Country; partner: Partner }, access: Access, headers: { authToken: string; userId: string }, now: number): Promise<Caller> {
  const { partner } = build;
  const country = build.country.COUNTRY_CODE as CountryCode;
  const stranger: Caller = { country, partner, userId: null, cartId: null, sessionId: null, isLoggedIn: false, mobile: null };
  const isOpen = access === 'open' || access === 'development';
  if (headers.authToken === '') return isOpen ? stranger : sessionOver(partner);
  const found = await sessionOfAccess(db, headers.authToken);
  // A token of another person, country or host is as good as none.
  if (found === undefined || found.userId !== headers.userId || found.country !== country || found.partner !== partner || found.revokedAt !== null || found.endsAt <= now) {
    return isOpen ? stranger : sessionOver(partner);
  }
  if (found.accessEndsAt <= now) return isOpen ? stranger : refuse(401, 'TOKEN_EXPIRED', messages.LOGGED_OUT);
  const isLoggedIn = found.guest === 0;
  if (access === 'user' && !isLoggedIn) refuse(403, 'LOGIN_NEEDED', messages.LOGIN_FIRST);
  return { country, partner, userId: found.userId, cartId: found.cartId, sessionId: found.sessionId, isLoggedIn, mobile: found.mobile };
}

/** What is off for a build: its country's list, its host's, and what was switched off remotely. */
export function blockedFor(country: Country, partner: Partner, features: string | undefined): ReadonlySet<string> {
  return blockedFeatures(country.DISABLED_FEATURES, partner === 'web' ? [] : MINI_APP_BLOCKED, features === undefined ? [] : remoteBlocked(features));
}

/** @throws Refusal 403 FEATURE_BLOCKED */
export function mustBeEnabled(feature: string | null, blocked: ReadonlySet<string>): void {
  if (feature !== null && !isEnabled(feature, blocked)) refuse(403, 'FEATURE_BLOCKED', messages.FEATURE_OFF);
}

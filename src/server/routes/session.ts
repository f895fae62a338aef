import * as session from '../../contract/session.ts';
import * as messages from '../../domain/messages.ts';
import { on, userIdOf } from '../http/route.ts';
import type { Call, Route } from '../http/route.ts';
import { refuse } from '../http/refusal.ts';
import { newGuest, refreshGuest, refreshUser, sessionOver } from '../rules/sessions.ts';
import { revokeOthers, revokeSession } from '../store/sessions.ts';
import { countUse } from '../store/system.ts';

const GUESTS_AN_HOUR_PER_ADDRESS = 600;
const HOUR_MS = 3_600_000;

async function guestLimit(call: Call): Promise<void> {
  if (call.services.development) return;
  const { used } = await countUse(call.db, `guest-ip|${call.ip}`, HOUR_MS, call.now);
  if (used > GUESTS_AN_HOUR_PER_ADDRESS) refuse(429, 'TOO_MANY', messages.TOO_MANY_REQUESTS);
}

export const sessionRoutes: Route[] = [
  on(session.anonymous, async (_input, call) => {
    await guestLimit(call);
    return await newGuest(call.db, call.caller.country, call.caller.partner, call.now);
  }),
  on(session.refreshAnonymous, async ({ body }, { db, caller, now, header }) => {
    const token = body.sessionToken ?? header('sessiontoken');
    // The id alone stands in addresses and logs; it must not be enough to become that guest.
    if (token === '') sessionOver(caller.partner);
    return await refreshGuest(db, body.userId, token, caller.partner, caller.country, now);
  }),
  on(session.refresh, async ({ body }, { db, caller, now }) => await refreshUser(db, body.userId, body.refreshToken, caller.partner, caller.country, now)),
  on(session.logoutOthers, async (_input, call) => ({ status: 'SUCCESS' as const, ended: await revokeOthers(call.db, userIdOf(call), call.caller.sessionId!, call.now) })),
  on(session.logout, async (_input, { db, caller, now }) => {
    if (caller.sessionId !== null) await revokeSession(db, caller.sessionId, 'logout', now);
    return { status: 'SUCCESS' as const };
  }),
];

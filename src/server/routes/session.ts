import { HOUR_MS } from '../../domain/time.ts';
import * as session from '../../contract/session.ts';
import { t } from '../call/language.ts';
import { on } from '../call/route.ts';
import type { Route } from '../call/route.ts';
import type { Call } from '../call/call.ts';
import { refuse } from '../call/refusal.ts';
import { logOut, logOutOthers, newGuest, refreshGuest, refreshUser, sessionOver } from '../rules/people/sessions.ts';
import { fromWhere } from '../rules/people/devices.ts';
import { countUse } from '../store/system.ts';

const GUESTS_AN_HOUR_PER_ADDRESS = 600;

async function guestLimit(call: Call): Promise<void> {
  if (call.services.development) return;
  const { used } = await countUse(call.db, `guest-ip|${call.ip}`, HOUR_MS, call.now);
  if (used > GUESTS_AN_HOUR_PER_ADDRESS) refuse(429, 'TOO_MANY', t.tooManyRequests);
}

export const sessionRoutes: Route[] = [
  on(session.anonymous, async (_input, call) => {
    await guestLimit(call);
    return await newGuest(call.db, call.caller.country, call.caller.host, call.now);
  }),
  on(session.refreshAnonymous, async ({ body }, { db, caller, now, header }) => {
    const token = body.sessionToken ?? header('sessiontoken');
    // The user id appears in addresses and logs, so the id alone must not be enough to act as that guest.
    if (token === '') sessionOver(caller.host);
    return await refreshGuest(db, body.userId, token, caller.host, caller.country, now);
  }),
  on(
    session.refresh,
    async ({ body }, call) =>
      await refreshUser(
        call.db,
        body.userId,
        body.refreshToken,
        call.caller.host,
        call.caller.country,
        call.now,
        await fromWhere(call),
      ),
  ),
  on(session.logoutOthers, async (_input, call) => ({ ended: await logOutOthers(call) })),
  on(session.logout, async (_input, call) => {
    await logOut(call);
    return {};
  }),
];

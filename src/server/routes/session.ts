import * as session from '../../contract/session.ts';
import { t } from '../call/language.ts';
import { on } from '../call/route.ts';
import { userIdOf } from '../call/call.ts';
import type { Route } from '../call/route.ts';
import type { Call } from '../call/call.ts';
import { refuse } from '../call/refusal.ts';
import { newGuest, refreshGuest, refreshUser, sessionOver } from '../rules/people/sessions.ts';
import { deviceOf, fromWhere } from '../rules/people/devices.ts';
import { forgetCallingDevice } from '../rules/people/fingerprint.ts';
import { transact } from '../store/db.ts';
import { forgetOtherDevices } from '../store/devices.ts';
import { dropOtherSubscriptions, dropSubscriptionsOfSession } from '../store/push.ts';
import { revokeSession, revokeSessionsOf } from '../store/sessions.ts';
import { countUse } from '../store/system.ts';
import { untieIdentities } from '../store/vendors.ts';

const GUESTS_AN_HOUR_PER_ADDRESS = 600;
const HOUR_MS = 3_600_000;

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
  on(session.logoutOthers, async (_input, call) => {
    const [userId, sessionId] = [userIdOf(call), call.caller.sessionId!];
    const ended = await transact(call.db, async (tx) => {
      // Else somebody who once proved this number inside an app, as themselves, would be back with their next login.
      await untieIdentities(tx, userId);
      const { country, mobile } = call.caller;
      if (mobile !== null) await forgetOtherDevices(tx, { device: deviceOf(call), country, mobile });
      await dropOtherSubscriptions(tx, userId, sessionId);
      return await revokeSessionsOf(tx, userId, { why: 'others', at: call.now, except: sessionId });
    });
    return { status: 'SUCCESS' as const, ended };
  }),
  on(session.logout, async (_input, call) => {
    const { db, caller, now } = call;
    const { sessionId } = caller;
    await forgetCallingDevice(call);
    if (sessionId !== null)
      await transact(db, async (tx) => {
        await revokeSession(tx, sessionId, 'logout', now);
        await dropSubscriptionsOfSession(tx, sessionId);
      });
    return { status: 'SUCCESS' as const };
  }),
];

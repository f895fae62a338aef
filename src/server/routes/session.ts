import * as session from '../../contract/session.ts';
import { on } from '../call/route.ts';
import type { Route } from '../call/route.ts';
import { logOut, logOutOthers, newGuest, refreshGuest, refreshUser, sessionOver } from '../rules/people/sessions.ts';
import { fromWhere } from '../rules/people/devices.ts';

export const sessionRoutes: Route[] = [
  on(session.anonymous, async (_input, { db, caller, now }) => await newGuest(db, caller.country, caller.host, now)),
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

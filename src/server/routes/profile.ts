import * as devices from '../../contract/devices.ts';
import * as profile from '../../contract/profile.ts';
import { userIdOf, type Call } from '../call/call.ts';
import { errors, t } from '../call/language.ts';
import { refuse } from '../call/refusal.ts';
import { on, type Route } from '../call/route.ts';
import { appName } from '../rules/hosts/hosts.ts';
import {
  own,
  changeNumber,
  checkEmailCode,
  sendEmailCode,
  sendNumberCode,
  updateProfile,
} from '../rules/people/profile.ts';
import { transact } from '../store/db.ts';
import { dropSubscriptionsOfSession } from '../store/push.ts';
import { openSessionsOf, revokeSessionOf } from '../store/sessions.ts';

const SUCCESS = { status: 'SUCCESS' } as const;

interface Typed {
  readonly firstName?: string | undefined;
  readonly lastName?: string | undefined;
  readonly email?: string | undefined;
}
const whole = ({ firstName = '', lastName = '', email = '' }: Typed) => ({ firstName, lastName, email });

async function devicesOf(call: Call): Promise<devices.Device[]> {
  const sessions = await openSessionsOf(call.db, userIdOf(call), call.now);
  return sessions.map((one) => ({
    sessionId: one.id,
    isThis: one.id === call.caller.sessionId,
    device: one.device,
    app: appName(one.host),
    place: one.place,
    loggedInAt: one.created_at,
    usedAt: one.used_at ?? one.created_at,
  }));
}

/** Who the customer is, and where they are logged in. */
export const profileRoutes: Route[] = [
  on(profile.own, async (_input, call) => ({ ...SUCCESS, attributes: await own(call) })),
  on(profile.update, async ({ body }, call) => ({
    ...SUCCESS,
    attributes: await updateProfile(call, whole(body), body.before === undefined ? null : whole(body.before)),
  })),
  on(profile.sendEmailCode, async (_input, call) => ({ ...SUCCESS, ...(await sendEmailCode(call)) })),
  on(profile.confirmEmail, async ({ body }, call) => ({
    ...SUCCESS,
    attributes: await checkEmailCode(call, body.code),
  })),
  on(profile.sendNumberCode, async ({ body }, call) => ({ ...SUCCESS, ...(await sendNumberCode(call, body)) })),
  on(profile.changeNumber, async ({ body }, call) => ({ ...SUCCESS, ...(await changeNumber(call, body)) })),
  on(devices.list, async (_input, call) => ({ ...SUCCESS, devices: await devicesOf(call) })),
  on(devices.end, async ({ sessionId }, call) => {
    if (sessionId === call.caller.sessionId) refuse(409, 'THIS_DEVICE', t.thisDevice);
    const isOwn = await transact(call.db, async (tx) => {
      const found = await revokeSessionOf(tx, userIdOf(call), sessionId, call.now);
      if (found) await dropSubscriptionsOfSession(tx, sessionId);
      return found;
    });
    if (!isOwn) refuse(404, 'NOT_FOUND', errors.notFound);
    return { ...SUCCESS, devices: await devicesOf(call) };
  }),
];

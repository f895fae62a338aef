import * as devices from '../../contract/devices.ts';
import * as profile from '../../contract/profile.ts';
import { quoted } from '../../domain/plainText.ts';
import { userIdOf, type Call } from '../call/call.ts';
import { assistants } from '../call/language.ts';
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
import { endSession } from '../rules/people/sessions.ts';
import { ASSISTANT_LOGIN } from '../store/assistants.ts';
import { openSessionsOf } from '../store/sessions.ts';

interface ProfileText {
  readonly firstName?: string | undefined;
  readonly lastName?: string | undefined;
  readonly email?: string | undefined;
}
const whole = ({ firstName = '', lastName = '', email = '' }: ProfileText) => ({ firstName, lastName, email });

async function devicesOf(call: Call): Promise<devices.Device[]> {
  const sessions = await openSessionsOf(call.db, userIdOf(call), call.now);
  return sessions.map((one) => ({
    sessionId: one.id,
    isThis: one.id === call.caller.sessionId,
    device: one.login_type === ASSISTANT_LOGIN ? assistants.device({ name: quoted(one.device ?? '') }) : one.device,
    app: appName(one.host),
    place: one.place,
    loggedInAt: one.created_at,
    usedAt: one.used_at ?? one.created_at,
  }));
}

/** The customer's profile, and the devices where they are logged in. */
export const profileRoutes: Route[] = [
  on(profile.own, async (_input, call) => ({ attributes: await own(call) })),
  on(profile.update, async ({ body }, call) => ({
    attributes: await updateProfile(call, whole(body), body.before === undefined ? null : whole(body.before)),
  })),
  on(profile.sendEmailCode, (_input, call) => sendEmailCode(call)),
  on(profile.confirmEmail, async ({ body }, call) => ({ attributes: await checkEmailCode(call, body.code) })),
  on(profile.sendNumberCode, ({ body }, call) => sendNumberCode(call, body)),
  on(profile.changeNumber, ({ body }, call) => changeNumber(call, body)),
  on(devices.list, async (_input, call) => ({ devices: await devicesOf(call) })),
  on(devices.end, async ({ sessionId }, call) => {
    await endSession(call, sessionId);
    return { devices: await devicesOf(call) };
  }),
];

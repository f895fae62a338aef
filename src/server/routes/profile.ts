import * as devices from '../../contract/devices.ts';
import * as profile from '../../contract/profile.ts';
import { on, type Route } from '../call/route.ts';
import {
  own,
  changeNumber,
  checkEmailCode,
  sendEmailCode,
  sendNumberCode,
  updateProfile,
} from '../rules/people/profile.ts';
import { devicesOf, endSession } from '../rules/people/sessions.ts';

interface ProfileText {
  readonly firstName?: string | undefined;
  readonly lastName?: string | undefined;
  readonly email?: string | undefined;
}
const whole = ({ firstName = '', lastName = '', email = '' }: ProfileText) => ({ firstName, lastName, email });

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

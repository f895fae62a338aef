import { countryConfig } from '../../../country/index.ts';
import { WAKE_HEADER } from '../../contract/deletion.ts';
import * as passwords from '../../contract/passwords.ts';
import { on, type Route } from '../call/route.ts';
import { fromWhere, rememberDevice } from '../rules/people/devices.ts';
import { numberOf } from '../rules/people/otp.ts';
import { sendProof } from '../rules/people/owner.ts';
import {
  accountOfPassword,
  changePassword,
  isStill,
  passwordStanding,
  refuseWrong,
} from '../rules/people/passwords.ts';
import { logIn, sessionIn } from '../rules/people/sessions.ts';
import { transact } from '../store/db.ts';

export const passwordRoutes: Route[] = [
  on(passwords.login, async ({ body }, call) => {
    const { country, host } = call.caller;
    const mobile = numberOf(body.mobile, countryConfig(country));
    const found = await accountOfPassword(call, mobile, body.password);
    const from = await fromWhere(call);
    const reply = await transact(call.db, async (tx) => {
      // It was changed while this one was looked at.
      if (!(await isStill(tx, found))) return null;
      const entered = await logIn(tx, {
        country,
        host,
        loginType: 'password',
        mobile: null,
        userId: found.userId,
        subject: null,
        from,
        session: sessionIn(call),
        profile: {},
        wakes: call.header(WAKE_HEADER) !== '',
        now: call.now,
      });
      return { ...entered, device: await rememberDevice(tx, call, mobile) };
    });
    return reply ?? refuseWrong();
  }),
  on(passwords.standing, async (_input, call) => ({ status: 'SUCCESS' as const, ...(await passwordStanding(call)) })),
  on(passwords.sendCode, async ({ body }, call) => ({
    status: 'SUCCESS' as const,
    ...(await sendProof(call, 'password', { page: body })),
  })),
  on(passwords.change, async ({ body }, call) => ({
    status: 'SUCCESS' as const,
    ended: await changePassword(call, body),
  })),
];

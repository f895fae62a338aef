import { countryConfig } from '../../../../country/index.ts';
import type { Call } from '../../call/call.ts';
import { transact } from '../../store/db.ts';
import { fromWhere, rememberDevice } from '../people/devices.ts';
import { numberOf } from '../people/otp.ts';
import { accountOfPassword, isStill, refuseWrong } from '../people/passwords.ts';
import { logIn } from './logIn.ts';

/** @throws Refusal as `accountOfPassword`, and 409 ACCOUNT_ASLEEP */
export async function logInByPassword(call: Call, typed: { readonly mobile: string; readonly password: string }) {
  const mobile = numberOf(typed.mobile, countryConfig(call.caller.country));
  const found = await accountOfPassword(call, mobile, typed.password);
  const from = await fromWhere(call);
  const reply = await transact(call.db, async (tx) => {
    // It was changed while this one was looked at.
    if (!(await isStill(tx, found))) return null;
    const entered = await logIn(tx, call, { loginType: 'password', userId: found.userId, from, profile: {} });
    return { ...entered, device: await rememberDevice(tx, call, mobile) };
  });
  return reply ?? refuseWrong();
}

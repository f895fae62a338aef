import { countryConfig } from '../../../country/index.ts';
import * as login from '../../contract/login.ts';
import { WAKE_HEADER } from '../../contract/deletion.ts';
import { errors, t } from '../call/language.ts';
import { isEmail } from '../../domain/email.ts';
import { on } from '../call/route.ts';
import { userIdOf } from '../call/call.ts';
import type { Route } from '../call/route.ts';
import type { Call } from '../call/call.ts';
import { refuse } from '../call/refusal.ts';
import { hostSide } from '../rules/hosts/hosts.ts';
import { fromWhere, rememberDevice } from '../rules/people/devices.ts';
import { checkCode, guess, numberOf, refuseCode, sendCode } from '../rules/people/otp.ts';
import type { CodeOf } from '../rules/people/otp.ts';
import { endFormerOwner } from '../rules/people/passedOn.ts';
import { accountWithNumber, logIn, sessionIn } from '../rules/people/sessions.ts';
import { otherLogins } from '../rules/people/ways.ts';
import { transact, type Tx } from '../store/db.ts';

/**
 * A payment app may demand that its pages log in through it alone, whatever a page sends. @throws Refusal 403
 * FEATURE_BLOCKED
 */
function mustAllowOwnLogin({ caller: { host } }: Call): void {
  if (host !== 'web' && hostSide(host).forbidsOwnLogin) refuse(403, 'FEATURE_BLOCKED', t.featureOff);
}

interface Details {
  firstName?: string;
  lastName?: string;
  email?: string;
}

function codeOf(typed: string, call: Call): CodeOf {
  const country = countryConfig(call.caller.country);
  return { purpose: 'login', mobile: numberOf(typed, country), userId: userIdOf(call), country };
}

async function send(
  {
    body,
  }: {
    body: {
      mobile: string;
      firstName?: string | undefined;
      lastName?: string | undefined;
      email?: string | undefined;
      host?: string | undefined;
    };
  },
  call: Call,
) {
  mustAllowOwnLogin(call);
  const { mobile, host, firstName, lastName, email } = body;
  if (email !== undefined && email !== '' && !isEmail(email))
    refuse(422, 'INVALID_EMAIL', errors.emailInvalid, { field: 'email' });
  const details: Details = {
    ...(firstName ? { firstName } : {}),
    ...(lastName ? { lastName } : {}),
    ...(email ? { email } : {}),
  };
  return { status: 'SUCCESS' as const, ...(await sendCode(call, codeOf(mobile, call), { page: { host }, details })) };
}

/** Known and unknown numbers get the same answer: logging in and signing up are the same call. */
export const loginRoutes: Route[] = [
  on(login.sendOtp, send),
  on(login.resendOtp, send),
  on(login.validateOtp, async ({ body }, call) => {
    mustAllowOwnLogin(call);
    const { caller, now } = call;
    const of = codeOf(body.mobile, call);
    const from = await fromWhere(call);
    const check = async (tx: Tx) => {
      const verdict = await checkCode(tx, of, body.code, now);
      if (verdict.kind !== 'right') return verdict;
      const { country, mobile } = { country: caller.country, mobile: of.mobile };
      await endFormerOwner(tx, call, mobile);
      const userId = caller.isLoggedIn
        ? await accountWithNumber(tx, { userId: userIdOf(call), country, mobile, now })
        : null;
      const reply = await logIn(tx, {
        country,
        host: caller.host,
        loginType: 'mobile',
        mobile,
        userId,
        subject: null,
        from,
        session: sessionIn(call),
        profile: verdict.details ?? {},
        wakes: call.header(WAKE_HEADER) !== '',
        now,
      });
      const device = await rememberDevice(tx, call, mobile);
      return { kind: 'in' as const, reply: { ...reply, device } };
    };
    const outcome = await guess(call, () => transact(call.db, check));
    return outcome.kind === 'in' ? outcome.reply : refuseCode(outcome);
  }),
  on(login.searchUser, ({ body }, call) => {
    const { password, social } = otherLogins(call);
    return {
      status: 'SUCCESS' as const,
      mobile: numberOf(body.mobile, countryConfig(call.caller.country)),
      ways: [
        'CODE' as const,
        ...(password ? ['PASSWORD' as const] : []),
        ...(social.length > 0 ? ['SOCIAL' as const] : []),
      ],
    };
  }),
];

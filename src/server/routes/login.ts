import { countryConfig } from '../../../country/index.ts';
import * as login from '../../contract/login.ts';
import * as messages from '../../domain/messages.ts';
import { isEmail } from '../../domain/email.ts';
import { on, userIdOf } from '../http/route.ts';
import type { Call, Route } from '../http/route.ts';
import { refuse } from '../http/refusal.ts';
import { checkCode, numberOf, refuseCode, sendCode } from '../rules/otp.ts';
import type { CodeOf } from '../rules/otp.ts';
import { isKnownDevice } from '../rules/fingerprint.ts';
import { logIn } from '../rules/sessions.ts';
import { transact } from '../store/db.ts';

interface Details { firstName?: string; lastName?: string; email?: string }

function codeOf(typed: string, call: Call): CodeOf {
  const country = countryConfig(call.caller.country);
  return { purpose: 'login', mobile: numberOf(typed, country), userId: userIdOf(call), country };
}

async function send({ body }: { body: { mobile: string; firstName?: string | undefined; lastName?: string | undefined; email?: string | undefined; host?: string | undefined } }, call: Call) {
  const { mobile, host, firstName, lastName, email } = body;
  if (email !== undefined && email !== '' && !isEmail(email)) refuse(422, 'INVALID_EMAIL', messages.EMAIL_INVALID, { field: 'email' });
  const token = call.header('bot-token');
  if (token !== '') call.services.log.info({ isKnown: await isKnownDevice(call.db, token), requestId: call.requestId }, 'a code is asked for with a bot-protection token');
  const details: Details = { ...(firstName ? { firstName } : {}), ...(lastName ? { lastName } : {}), ...(email ? { email } : {}) };
  return { status: 'SUCCESS' as const, ...await sendCode(call, codeOf(mobile, call), { host, details }) };
}

/** Known and unknown numbers are answered alike: logging in and signing up are one thing. */
export const loginRoutes: Route[] = [
  on(login.sendOtp, send),
  on(login.resendOtp, send),
  on(login.validateOtp, async ({ body }, call) => {
    const { caller, now } = call;
    const of = codeOf(body.mobile, call);
    const outcome = await transact(call.db, async (tx) => {
      const verdict = await checkCode(tx, of, body.code, now);
      if (verdict.kind !== 'right') return verdict;
      const reply = await logIn(tx, {
        country: caller.country, partner: caller.partner, loginType: 'mobile', mobile: of.mobile, userId: null, subject: null,
        session: { id: caller.sessionId!, userId: caller.userId!, cartId: caller.cartId!, isLoggedIn: caller.isLoggedIn },
        profile: (verdict.details ?? {}) as Details, now,
      });
      return { kind: 'in' as const, reply };
    });
    return outcome.kind === 'in' ? outcome.reply : refuseCode(outcome);
  }),
];

import { countryConfig } from '../../../../country/index.ts';
import { isEmail } from '../../../domain/email.ts';
import { userIdOf, type Call } from '../../call/call.ts';
import { errors, t } from '../../call/language.ts';
import { refuse } from '../../call/refusal.ts';
import { transact, type Tx } from '../../store/db.ts';
import { hostSide } from '../hosts/hosts.ts';
import { fromWhere, rememberDevice } from '../people/devices.ts';
import { checkCode, guess, numberOf, refuseCode, sendCode, type CodeOf, type SentCode } from '../people/otp.ts';
import { endFormerOwner } from '../people/recycledNumbers.ts';
import { accountWithNumber, logIn, type Login } from './logIn.ts';

/**
 * A payment app may demand that its pages log in through it alone, whatever a page sends. @throws Refusal 403
 * FEATURE_BLOCKED
 */
function mustAllowOwnLogin({ caller: { host } }: Call): void {
  if (host !== 'web' && hostSide(host).forbidsOwnLogin) refuse(403, 'FEATURE_BLOCKED', t.featureOff);
}

function codeOf(typed: string, call: Call): CodeOf {
  const country = countryConfig(call.caller.country);
  return { purpose: 'login', mobile: numberOf(typed, country), userId: userIdOf(call), country };
}

/**
 * @param profile kept with the code, and filled in where the account has nothing yet
 * @throws Refusal 403 FEATURE_BLOCKED, 422 INVALID_EMAIL, and as `sendCode`
 */
export async function sendLoginCode(
  call: Call,
  of: { readonly mobile: string; readonly host?: string | undefined; readonly profile: Login['profile'] },
): Promise<SentCode> {
  mustAllowOwnLogin(call);
  const { email } = of.profile;
  if (email !== undefined && !isEmail(email)) refuse(422, 'INVALID_EMAIL', errors.emailInvalid, { field: 'email' });
  return await sendCode(call, codeOf(of.mobile, call), { page: { host: of.host }, details: of.profile });
}

/** @throws Refusal those of a code, 403 FEATURE_BLOCKED, 409 ACCOUNT_ASLEEP */
export async function logInByCode(call: Call, typed: { readonly mobile: string; readonly code: string }) {
  mustAllowOwnLogin(call);
  const { caller, now } = call;
  const of = codeOf(typed.mobile, call);
  const from = await fromWhere(call);
  const check = async (tx: Tx) => {
    const verdict = await checkCode(tx, of, typed.code, now);
    if (verdict.kind !== 'right') return verdict;
    const { country } = caller;
    const { mobile } = of;
    await endFormerOwner(tx, call, mobile);
    const userId = caller.isLoggedIn
      ? await accountWithNumber(tx, { userId: userIdOf(call), country, mobile, now })
      : null;
    const profile = verdict.details ?? {};
    const reply = await logIn(tx, call, { loginType: 'mobile', mobile, userId, from, profile });
    return { kind: 'in' as const, reply: { ...reply, device: await rememberDevice(tx, call, mobile) } };
  };
  const outcome = await guess(call, () => transact(call.db, check));
  return outcome.kind === 'in' ? outcome.reply : refuseCode(outcome);
}

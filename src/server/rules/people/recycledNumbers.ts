import { DAY_MS } from '../../../domain/time.ts';
import type { Call } from '../../call/call.ts';
import { forgetOtherDevices, isDeviceOf } from '../../store/devices.ts';
import { dropPassword } from '../../store/passwords.ts';
import { dropSubscriptionsOf } from '../../store/push.ts';
import { accountOfMobileIfAny, lastSeen, revokeSessionsOf } from '../../store/sessions.ts';
import { untieIdentities } from '../../store/vendors.ts';
import type { Tx } from '../../store/db.ts';
import { deviceOf } from './devices.ts';
import { tellOwner } from './accountNews.ts';

/**
 * So long after a number was switched off operators in India may give it to somebody else (TRAI to the Supreme Court,
 * November 2023). Whoever was here since then had it since then.
 */
const PASSED_ON_DAYS = 90;

/**
 * To be asked once a code has proven a number, before the login: where nobody has used its account for long, and the
 * device is none of its own, the number may be somebody else's by now. Then every way in that the former owner may still
 * have ends: password, accounts elsewhere, devices and sessions. All else of the account stays.
 */
export async function endFormerOwner(tx: Tx, call: Call, mobile: string): Promise<void> {
  const { country } = call.caller;
  const { now } = call;
  const account = await accountOfMobileIfAny(tx, country, mobile);
  if (account === undefined || now - (await lastSeen(tx, account)) <= PASSED_ON_DAYS * DAY_MS) return;
  const device = deviceOf(call);
  if (device !== null && (await isDeviceOf(tx, { device, country, mobile }))) return;
  const ties = await untieIdentities(tx, account.id);
  const hadPassword = await dropPassword(tx, account.id);
  await forgetOtherDevices(tx, { device: null, country, mobile });
  await dropSubscriptionsOf(tx, account.id);
  const ended = await revokeSessionsOf(tx, account.id, { why: 'passed', at: now });
  // Where there was nothing to lose there is nothing to tell.
  if (!hadPassword && ties === 0 && ended === 0) return;
  await tellOwner(tx, { userId: account.id, country, mobile }, { kind: 'passed', days: PASSED_ON_DAYS }, now);
}

import { countryConfig } from '../../../../country/index.ts';
import type { VendorCredential } from '../../../contract/vendors.ts';
import { phoneNumber } from '../../../domain/phone.ts';
import { MINUTE_MS } from '../../../domain/time.ts';
import { userIdOf, type Call } from '../../call/call.ts';
import type { HostName } from '../../call/caller.ts';
import type { HostPerson } from '../../call/hostLogin.ts';
import { errors } from '../../call/language.ts';
import { refuse } from '../../call/refusal.ts';
import { transact } from '../../store/db.ts';
import { accountOfMobile } from '../../store/sessions.ts';
import { putNonce, tieIdentity, useNonce, userOfIdentity } from '../../store/vendors.ts';
import { fromWhere } from '../people/devices.ts';
import type { SessionAnswer } from '../people/sessions.ts';
import { accountWithNumber, logIn } from './logIn.ts';

const NONCE_LIFE_MS = 5 * MINUTE_MS;

/** The host named in the path; it must be the host of the caller's build. @throws Refusal 404 NOT_FOUND */
function vendorOf(name: string, call: Call): Exclude<HostName, 'web'> {
  const { host } = call.caller;
  if (host === 'web' || name.toLowerCase() !== host) refuse(404, 'NOT_FOUND', errors.notFound);
  return host;
}

/** @throws Refusal 404 NOT_FOUND */
export async function nonceFor(call: Call, name: string): Promise<string> {
  return await putNonce(call.db, {
    vendor: vendorOf(name, call),
    userId: userIdOf(call),
    endsAt: call.now + NONCE_LIFE_MS,
  });
}

/** @throws Refusal 422 VENDOR_LOGIN when the app does not vouch for anybody */
async function personBehind(call: Call, vendor: HostName, credential: VendorCredential): Promise<HostPerson> {
  const { db, now, services, requestId } = call;
  try {
    return await services.logins(vendor)(credential, {
      now,
      useNonce: (nonce) => useNonce(db, nonce, vendor, userIdOf(call), now),
      doubt: (reason) => services.log.warn({ requestId, vendor, reason }, "a part of a host's login was not believed"),
    });
  } catch (error) {
    services.log.warn({ requestId, vendor, error: String(error) }, "a host's login was not accepted");
    return refuse(422, 'VENDOR_LOGIN', errors.vendorLoginFailed);
  }
}

/** @throws Refusal 404 NOT_FOUND, 422 VENDOR_LOGIN, 409 ACCOUNT_ASLEEP */
export async function logInByApp(call: Call, name: string, credential: VendorCredential): Promise<SessionAnswer> {
  const { db, now } = call;
  const { country } = call.caller;
  const vendor = vendorOf(name, call);
  const person = await personBehind(call, vendor, credential);
  const config = countryConfig(country);
  // A phone number of another country is not used for the account; the person is then recognised by the vendor's id
  // alone.
  const mobile =
    person.mobile === null || !person.mobile.startsWith(config.dialPrefix) ? null : phoneNumber(person.mobile, config);
  const from = await fromWhere(call);
  return await transact(db, async (tx) => {
    const identity = { vendor, country, subject: person.subject };
    let userId = await userOfIdentity(tx, identity);
    if (userId === null && mobile !== null)
      userId = await tieIdentity(tx, identity, (await accountOfMobile(tx, country, mobile, now)).id, now);
    else if (userId !== null && mobile !== null)
      // An earlier login brought no number.
      userId = (await accountWithNumber(tx, { userId, country, mobile, now })) ?? userId;
    const { subject } = person;
    const reply = await logIn(tx, call, { loginType: vendor, userId, subject, from, profile: person });
    if (userId === null) await tieIdentity(tx, identity, reply.attributes.userId, now);
    return reply;
  });
}

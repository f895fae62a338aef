import { countryConfig } from '../../../country/index.ts';
import * as vendors from '../../contract/vendors.ts';
import { WAKE_HEADER } from '../../contract/deletion.ts';
import { errors } from '../call/language.ts';
import { phoneNumber } from '../../domain/phone.ts';
import { on } from '../call/route.ts';
import { userIdOf } from '../call/call.ts';
import type { Route } from '../call/route.ts';
import type { Call } from '../call/call.ts';
import type { HostName } from '../call/caller.ts';
import { refuse } from '../call/refusal.ts';
import { fromWhere } from '../rules/people/devices.ts';
import { accountWithNumber, logIn, sessionIn } from '../rules/people/sessions.ts';
import type { HostPerson } from '../call/hosts.ts';
import { transact } from '../store/db.ts';
import { accountOfMobile } from '../store/sessions.ts';
import { putNonce, tieIdentity, useNonce, userOfIdentity } from '../store/vendors.ts';

const NONCE_LIFE_MS = 5 * 60_000;

/** The host named in the path; it must be the host of the caller's build. @throws Refusal 404 NOT_FOUND */
function vendorOf(name: string, call: Call): Exclude<HostName, 'web'> {
  const { host } = call.caller;
  if (host === 'web' || name.toLowerCase() !== host) refuse(404, 'NOT_FOUND', errors.notFound);
  return host;
}

export const vendorRoutes: Route[] = [
  on(vendors.nonce, async ({ vendor }, call) => ({
    status: 'SUCCESS' as const,
    nonce: await putNonce(call.db, {
      vendor: vendorOf(vendor, call),
      userId: userIdOf(call),
      endsAt: call.now + NONCE_LIFE_MS,
    }),
  })),
  on(vendors.auth, async ({ vendor: name, body }, call) => {
    const { db, caller, now, services } = call;
    const vendor = vendorOf(name, call);
    let person: HostPerson;
    try {
      person = await services.logins(vendor)(body.credential, {
        now,
        useNonce: (nonce) => useNonce(db, nonce, vendor, userIdOf(call), now),
        doubt: (reason) =>
          services.log.warn({ requestId: call.requestId, vendor, reason }, "a part of a host's login was not believed"),
      });
    } catch (error) {
      services.log.warn({ requestId: call.requestId, vendor, error: String(error) }, "a host's login was not accepted");
      refuse(422, 'VENDOR_LOGIN', errors.vendorLoginFailed);
    }
    const country = countryConfig(caller.country);
    // A phone number of another country is not used for the account; the person is then recognised by the vendor's id
    // alone.
    const mobile =
      person.mobile === null || !person.mobile.startsWith(country.dialPrefix)
        ? null
        : phoneNumber(person.mobile, country);
    const from = await fromWhere(call);
    return await transact(db, async (tx) => {
      const identity = { vendor, country: caller.country, subject: person.subject };
      let userId = await userOfIdentity(tx, identity);
      if (userId === null && mobile !== null)
        userId = await tieIdentity(tx, identity, (await accountOfMobile(tx, caller.country, mobile, now)).id, now);
      else if (userId !== null && mobile !== null)
        // An earlier login brought no number.
        userId = (await accountWithNumber(tx, { userId, country: caller.country, mobile, now })) ?? userId;
      const reply = await logIn(tx, {
        country: caller.country,
        host: caller.host,
        loginType: vendor,
        mobile: null,
        userId,
        subject: person.subject,
        from,
        session: sessionIn(call),
        profile: person,
        wakes: call.header(WAKE_HEADER) !== '',
        now,
      });
      if (userId === null) await tieIdentity(tx, identity, reply.attributes.userId, now);
      return reply;
    });
  }),
];

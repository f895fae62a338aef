import { countryConfig } from '../../../country/index.ts';
import * as vendors from '../../contract/vendors.ts';
import * as messages from '../../domain/messages.ts';
import { phoneNumber } from '../../domain/phone.ts';
import { on, userIdOf } from '../http/route.ts';
import type { Call, Partner, Route } from '../http/route.ts';
import { refuse } from '../http/refusal.ts';
import { logIn } from '../rules/sessions.ts';
import type { VendorPerson } from '../rules/partners.ts';
import { transact } from '../store/db.ts';
import { accountOfMobile } from '../store/sessions.ts';
import { putNonce, tieIdentity, useNonce, userOfIdentity } from '../store/vendors.ts';

const NONCE_LIFE_MS = 5 * 60_000;

/** The host in the path is the one the build is for, or there is no such vendor. */
function vendorOf(name: string, call: Call): Exclude<Partner, 'web'> {
  const { partner } = call.caller;
  if (partner === 'web' || name.toLowerCase() !== partner) refuse(404, 'NOT_FOUND', messages.NOT_FOUND);
  return partner;
}

export const vendorRoutes: Route[] = [
  on(vendors.nonce, async ({ vendor }, call) => ({
    status: 'SUCCESS' as const,
    nonce: await putNonce(call.db, { vendor: vendorOf(vendor, call), userId: userIdOf(call), endsAt: call.now + NONCE_LIFE_MS }),
  })),
  on(vendors.auth, async ({ vendor: name, body }, call) => {
    const { db, caller, now, services } = call;
    const vendor = vendorOf(name, call);
    let person: VendorPerson;
    try {
      person = await services.logins(vendor)(body.credential, { now, useNonce: (nonce) => useNonce(db, nonce, vendor, userIdOf(call), now) });
    } catch (error) {
      services.log.warn({ requestId: call.requestId, vendor, error: String(error) }, 'a host\'s login was not accepted');
      refuse(422, 'VENDOR_LOGIN', messages.VENDOR_LOGIN_FAILED);
    }
    const country = countryConfig(caller.country);
    // A number of another country is no way to reach an account here, but the person is still known by the vendor's key.
    const mobile = person.mobile === null || !person.mobile.startsWith(country.dialPrefix) ? null : phoneNumber(person.mobile, country);
    return await transact(db, async (tx) => {
      let userId = await userOfIdentity(tx, vendor, person.subject);
      if (userId === null && mobile !== null) userId = await tieIdentity(tx, vendor, person.subject, (await accountOfMobile(tx, caller.country, mobile, now)).id, now);
      const reply = await logIn(tx, {
        country: caller.country, partner: caller.partner, loginType: vendor, mobile: null, userId, subject: person.subject,
        session: { id: caller.sessionId!, userId: caller.userId!, cartId: caller.cartId!, isLoggedIn: caller.isLoggedIn }, profile: person, now,
      });
      if (userId === null) await tieIdentity(tx, vendor, person.subject, reply.attributes.userId, now);
      return reply;
    });
  }),
];

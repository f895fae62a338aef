import { countryConfig, countries } from '../../../country/index.ts';
import { WAKE_HEADER } from '../../contract/deletion.ts';
import * as social from '../../contract/social.ts';
import { isEmail } from '../../domain/email.ts';
import { errors } from '../call/language.ts';
import { on, type RawRoute, type Route } from '../call/route.ts';
import { userIdOf, type Call } from '../call/call.ts';
import { Refusal, refuse } from '../call/refusal.ts';
import type { SocialPerson } from '../call/social.ts';
import { returnPath } from '../rules/hosts/hosts.ts';
import { fromWhere, rememberDevice } from '../rules/people/devices.ts';
import { checkCode, guess, numberOf, refuseCode } from '../rules/people/otp.ts';
import { endFormerOwner } from '../rules/people/passedOn.ts';
import { logIn, sessionIn } from '../rules/people/sessions.ts';
import {
  answeredSocial,
  answerOf,
  beginSocial,
  identityOf,
  providerOf,
  refuseOver,
  waitForWaking,
  wantNumber,
} from '../rules/people/social.ts';
import { transact, type Tx } from '../store/db.ts';
import { hashed } from '../store/ids.ts';
import { accountOfMobile, type SessionFrom } from '../store/sessions.ts';
import { answerSocial, awaited, endSocial } from '../store/social.ts';
import { tieIdentity, userOfIdentity } from '../store/vendors.ts';

/** Opens the session of somebody who has an account. */
function enter(
  tx: Tx,
  call: Call,
  who: { userId: string; source: string; subject: string; from: SessionFrom },
  profile: SocialPerson,
) {
  const { country, host } = call.caller;
  return logIn(tx, {
    country,
    host,
    loginType: who.source,
    mobile: null,
    userId: who.userId,
    subject: who.subject,
    from: who.from,
    session: sessionIn(call),
    profile,
    wakes: call.header(WAKE_HEADER) !== '',
    now: call.now,
  });
}

export const socialRoutes: Route[] = [
  on(social.begin, async ({ body: { source, page = 'login', from = '' } }, call) => {
    const { country, host } = call.caller;
    const query = from === '' ? '' : `?${new URLSearchParams({ from }).toString()}`;
    const back = `${returnPath(call.header('returnpath'), country, host)}${page}${query}`;
    return { status: 'SUCCESS' as const, url: await beginSocial(call, providerOf(call, source), back) };
  }),
  on(social.login, async ({ body: { state } }, call) => {
    const answered = await answeredSocial(call, state);
    const { row, provider, person } = answered;
    const from = await fromWhere(call);
    try {
      return await transact(call.db, async (tx) => {
        const identity = identityOf(provider, call.caller.country, person.subject);
        const userId = await userOfIdentity(tx, identity);
        if (userId === null) return await wantNumber(tx, call, state, answered);
        if (!(await endSocial(tx, row.id, call.now))) return refuseOver();
        return await enter(tx, call, { userId, source: row.source, subject: person.subject, from }, person);
      });
    } catch (error) {
      if (error instanceof Refusal && error.errors[0]?.code === 'ACCOUNT_ASLEEP') await waitForWaking(call, answered);
      throw error;
    }
  }),
  on(social.validate, async ({ body }, call) => {
    const { caller, now } = call;
    const country = countryConfig(caller.country);
    const provider = providerOf(call, body.source);
    if (body.email !== undefined && body.email !== '' && !isEmail(body.email))
      refuse(422, 'INVALID_EMAIL', errors.emailInvalid, { field: 'email' });
    const of = { purpose: 'login', mobile: numberOf(body.mobile, country), userId: userIdOf(call), country };
    const wanted = { tokenHash: hashed(body.token), userId: of.userId, source: body.source, at: now };
    // Before the code is looked at: one that is right would be used up for nothing.
    if ((await awaited(call.db, wanted)) === undefined) return refuseOver();
    const from = await fromWhere(call);
    const check = async (tx: Tx) => {
      const verdict = await checkCode(tx, of, body.code, now);
      if (verdict.kind !== 'right') return verdict;
      const row = await awaited(tx, wanted);
      const said = row?.person ?? null;
      if (row === undefined || said === null || !(await endSocial(tx, row.id, now))) return { kind: 'over' as const };
      const person = JSON.parse(said) as SocialPerson;
      await endFormerOwner(tx, call, of.mobile);
      const account = await accountOfMobile(tx, caller.country, of.mobile, now);
      // The first account that this person was tied to stays theirs; the code is good for that of its number all the same.
      await tieIdentity(tx, identityOf(provider, caller.country, person.subject), account.id, now);
      const email = body.email || person.email;
      const reply = await enter(
        tx,
        call,
        { userId: account.id, source: body.source, subject: person.subject, from },
        {
          subject: person.subject,
          firstName: body.firstName || person.firstName,
          lastName: body.lastName || person.lastName,
          email,
          emailVerified: email === person.email && person.emailVerified === true,
        },
      );
      return { kind: 'in' as const, reply: { ...reply, device: await rememberDevice(tx, call, of.mobile) } };
    };
    const outcome = await guess(call, () => transact(call.db, check));
    if (outcome.kind === 'in') return outcome.reply;
    return outcome.kind === 'over' ? refuseOver() : refuseCode(outcome);
  }),
];

/**
 * Where providers send browsers back to. It only notes what they were sent with, for the session that began; and leads to
 * the login screen from which they went. Of a login that nobody began nothing is noted.
 */
export const socialCallback: RawRoute = {
  method: 'GET',
  path: '/loginhandler/sociallogin/:source/callback',
  embedded: false,
  async handler(context, { bases, now }) {
    const query = new URL(context.req.url).searchParams;
    const [source, state] = [context.req.param('source') ?? '', query.get('state') ?? ''];
    const code = state.slice(0, 2).toUpperCase();
    const home = (countries.find((one) => one.COUNTRY_CODE === code) ?? countries[0]!).COUNTRY_CODE.toLowerCase();
    let back: string | undefined;
    for (const { db, services } of bases) {
      const answer = JSON.stringify(answerOf(services, source, query));
      back ??= (await answerSocial(db, { id: hashed(state), source, answer, at: now }))?.back;
    }
    const path = back ?? `/${home}/login`;
    const known = `social=${back === undefined ? 'none' : encodeURIComponent(state)}`;
    return new Response(null, {
      status: 303,
      headers: {
        location: `${path}${path.includes('?') ? '&' : '?'}${known}`,
        'cache-control': 'no-store',
        'referrer-policy': 'no-referrer',
      },
    });
  },
};

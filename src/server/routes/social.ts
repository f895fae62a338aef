import { countries } from '../../../country/index.ts';
import * as social from '../../contract/social.ts';
import { isEmail } from '../../domain/email.ts';
import { errors } from '../call/language.ts';
import { refuse } from '../call/refusal.ts';
import { on, type RawRoute, type Route } from '../call/route.ts';
import { returnPath } from '../rules/hosts/hosts.ts';
import { answerOf, beginSocial, logInBySocial, logInBySocialNumber } from '../rules/login/social.ts';
import { hashed } from '../store/ids.ts';
import { answerSocial } from '../store/social.ts';

export const socialRoutes: Route[] = [
  on(social.begin, async ({ body: { source, page = 'login', from = '' } }, call) => {
    const { country, host } = call.caller;
    const query = from === '' ? '' : `?${new URLSearchParams({ from }).toString()}`;
    const back = `${returnPath(call.header('returnpath'), country, host)}${page}${query}`;
    return { url: await beginSocial(call, source, back) };
  }),
  on(social.login, ({ body }, call) => logInBySocial(call, body.state)),
  on(social.validate, async ({ body }, call) => {
    if (body.email !== undefined && body.email !== '' && !isEmail(body.email))
      refuse(422, 'INVALID_EMAIL', errors.emailInvalid, { field: 'email' });
    return await logInBySocialNumber(call, body);
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

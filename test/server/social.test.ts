import { describe, expect, test } from 'vitest';
import { countryConfig } from '../../country/index.ts';
import * as config from '../../src/contract/config.ts';
import * as deletion from '../../src/contract/deletion.ts';
import * as passwords from '../../src/contract/passwords.ts';
import * as login from '../../src/contract/login.ts';
import type { SessionReply } from '../../src/contract/session.ts';
import * as session from '../../src/contract/session.ts';
import * as social from '../../src/contract/social.ts';
import type { NumberWanted } from '../../src/contract/social.ts';
import * as serverText from '#text/server.ts';
import type { SocialProvider } from '../../src/server/call/social.ts';
import { answerOf } from '../../src/server/rules/login/social.ts';
import { openDb } from '../../src/server/store/db.ts';
import { during } from '../kit/during.ts';
import { engines, startServer, type TestServer } from '../kit/server.ts';
import { codeFor, codeOf, freshMobile, guest, logIn, person, type Person } from './people.ts';

const settings = { quiet: true, distDir: null };
const label = 'Doorkey';
let count = 0;
const freshEmail = () => `asha${process.pid}-${(count += 1)}@doorkey.example`;

interface Came {
  readonly state: string;
  /** Where the browser ended up. */
  readonly page: URL;
}

/** A browser at the provider: opens its page, fills its form, and follows where it leads. */
function browser(server: TestServer) {
  const go = async (path: string, init: RequestInit = {}) =>
    await fetch(new URL(path, server.url), { redirect: 'manual', ...init });
  const at = (response: Response) => new URL(response.headers.get('location') ?? '', server.url);
  const fieldsOf = (html: string) =>
    new URLSearchParams(
      [...html.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)">/g)].map(
        ([, name, value]): [string, string] => [name!, value!.replaceAll('&#38;', '&')],
      ),
    );
  return {
    go,
    at,
    begin: async (
      who: Person,
      more: { from?: string; page?: 'login' | 'postorder-ui/login' } = {},
      apiKey = who.as.apiKey,
    ) => await server.call(social.begin, { body: { source: 'doorkey', ...more } }, { ...who.as, apiKey: apiKey! }),
    /** @returns the answer of the provider's page to the form */
    answer: async (url: string, form: Record<string, string> = {}) => {
      const fields = fieldsOf(await (await go(url)).text());
      for (const [name, value] of Object.entries({ name: 'Asha Rao', answer: 'allow', behaviour: 'good', ...form }))
        fields.set(name, value);
      return await go('/vendors/oidc/consent', { method: 'POST', body: fields });
    },
  };
}

describe.each(await engines())('logging in with an account elsewhere on %s', (engine) => {
  const server = during(() => startServer({ engine, settings }));
  const there = browser(server);

  async function through(who: Person, form: Record<string, string> = {}, more = {}): Promise<Came> {
    const begun = await there.begin(who, more);
    expect(begun.status, JSON.stringify(begun.body)).toBe(200);
    const asked = new URL(begun.body.url, server.url);
    const callback = there.at(await there.answer(begun.body.url, form));
    const page = there.at(await there.go(callback.pathname + callback.search));
    return { state: asked.searchParams.get('state')!, page };
  }
  const finish = (state: string, who: Person) => server.call(social.login, { body: { state } }, who.as);
  const wanted = (body: unknown) => body as NumberWanted;
  async function prove(who: Person, token: string, mobile: string, more = {}) {
    const sent = await server.call(login.sendOtp, { body: { mobile } }, who.as);
    expect(sent.status).toBe(200);
    const code = await codeFor(server, mobile);
    return await server.call(social.validate, { body: { mobile, code, source: 'doorkey', token, ...more } }, who.as);
  }
  /** A guest whose access ran out while the clock went on. */
  async function again(who: Person): Promise<Person> {
    const body = { userId: who.userId, sessionToken: who.reply.credentials.sessionToken };
    return person((await server.call(session.refreshAnonymous, { body })).body);
  }
  async function joined(email: string, mobile = freshMobile()) {
    const who = await guest(server);
    const { state } = await through(who, { email });
    const { token } = wanted((await finish(state, who)).body);
    const done = await prove(who, token, mobile);
    expect(done.status).toBe(200);
    return person(done.body);
  }

  test('the first login by a provider asks for a number and its code; later the provider is enough [AUTH-18] [API-06] [API-07]', async () => {
    const [who, mobile, email] = [await guest(server), freshMobile(), freshEmail()];
    const { state, page } = await through(who, { email });
    expect(page.pathname + page.search).toBe(`/in/login?social=${state}`);
    const first = await finish(state, who);
    expect(first.body).toEqual({
      ...{ status: 'SUCCESS', next: 'NUMBER', source: 'doorkey', firstName: 'Asha' },
      ...{ token: expect.stringMatching(/^[\w-]{20,}$/) as string, expiresInSeconds: 900 },
    });
    // The time for it runs from the first asking.
    await server.advance(60);
    const { token, expiresInSeconds } = wanted((await finish(state, who)).body);
    expect([token, expiresInSeconds <= 840, expiresInSeconds > 800]).toEqual([wanted(first.body).token, true, true]);
    const done = await prove(who, wanted(first.body).token, mobile);
    expect((done.body as SessionReply).attributes).toMatchObject({
      mobile,
      loginType: 'doorkey',
      firstName: 'Asha',
      lastName: 'Rao',
      email,
      emailVerified: true,
      phoneNumberVerified: true,
      frequency: 0,
      isVip: false,
    });
    expect(done.body.device).toBeTruthy();
    const next = await guest(server);
    const again = await finish((await through(next, { email })).state, next);
    expect((again.body as SessionReply).attributes.userId).toBe((done.body as SessionReply).attributes.userId);
  });

  test('whoever proves a number joins its account; nobody gets into one by an email address [AUTH-18]', async () => {
    const mobile = freshMobile();
    const owner = await logIn(server, mobile);
    await server.advance(31);
    const email = freshEmail();
    expect((await joined(email, mobile)).userId).toBe(owner.userId);
    // Another person of the provider who says the same address, confirmed or not, is nobody we know.
    const stranger = await guest(server);
    const { state } = await through(stranger, { email: ` ${email}.other`, behaviour: 'unverified' });
    expect(wanted((await finish(state, stranger)).body).next).toBe('NUMBER');
  });

  test('a number unused for 90 days, on an unknown device, has a new owner: earlier logins end, and the account’s data stays', async () => {
    const india = countryConfig('in');
    const password = 'correct horse battery';
    const enter = async (mobile: string, device = '') => {
      const headers = device === '' ? {} : { 'device-token': device };
      const who = { ...(await guest(server)).as, headers };
      expect((await server.call(login.sendOtp, { body: { mobile } }, who)).status).toBe(200);
      const body = { mobile, code: await codeFor(server, mobile) };
      return (await server.call(login.validateOtp, { body }, who)).body;
    };
    /** An account with a password, an account elsewhere and a session. */
    const owner = async () => {
      const [email, mobile] = [freshEmail(), freshMobile()];
      const me = await joined(email, mobile);
      await server.advance(31);
      const { device, ...reply } = await enter(mobile);
      expect((await server.call(passwords.change, { body: { password } }, person(reply).as)).status).toBe(200);
      return { email, mobile, device, userId: me.userId, refreshToken: reply.credentials.refreshToken! };
    };
    type Owner = Awaited<ReturnType<typeof owner>>;
    const ways = async ({ email, mobile, userId, refreshToken }: Owner) => {
      const [byPassword, elsewhere] = [await guest(server), await guest(server)];
      const { state } = await through(elsewhere, { email });
      return {
        password: (await server.call(passwords.login, { body: { mobile, password } }, byPassword.as)).status,
        elsewhere: 'next' in (await finish(state, elsewhere)).body ? 'asks for the number' : 'enters',
        session: (await server.call(session.refresh, { body: { userId, refreshToken } })).status,
      };
    };
    const all = { password: 200, elsewhere: 'enters', session: 200 };
    Object.assign(india, { SHOW_LOAGIN_WITH_PASSWORD: true });
    try {
      const [gone, known, early, again] = [await owner(), await owner(), await owner(), await owner()];
      const news = async ({ mobile }: Owner) => {
        await server.advance(1);
        return (await server.inbox(`+91${mobile}`)).filter(
          (text) => text === serverText.passedNews({ app: india.appName, days: 90 }),
        ).length;
      };
      for (const days of [30, 30, 20]) await server.advance(days * 86_400);
      await enter(early.mobile);
      expect([await ways(early), await news(early)]).toEqual([all, 0]);
      await server.advance(11 * 86_400);
      await enter(known.mobile, known.device);
      expect([await ways(known), await news(known)]).toEqual([all, 0]);
      const now = await enter(gone.mobile);
      expect(now.attributes).toMatchObject({ userId: gone.userId, firstName: 'Asha', email: gone.email });
      const none = { password: 422, elsewhere: 'asks for the number', session: 401 };
      expect([await ways(gone), await news(gone)]).toEqual([none, 1]);
      const mine = { userId: gone.userId, refreshToken: now.credentials.refreshToken! };
      expect((await server.call(session.refresh, { body: mine })).status).toBe(200);
      // The same where the number is proven on the way from an account elsewhere.
      const [who, email] = [await guest(server), freshEmail()];
      const { state } = await through(who, { email });
      await prove(who, wanted((await finish(state, who)).body).token, again.mobile);
      expect([await ways(again), await news(again)]).toEqual([none, 1]);
      expect(await ways({ ...again, email })).toMatchObject({ elsewhere: 'enters' });
    } finally {
      Object.assign(india, { SHOW_LOAGIN_WITH_PASSWORD: false });
    }
  });

  test('a first password ends no way in; another one ends that from an account elsewhere, which asks for the number again', async () => {
    const india = countryConfig('in');
    const [email, mobile, first] = [freshEmail(), freshMobile(), 'correct horse battery'];
    await joined(email, mobile);
    const asksForNumber = async () => {
      const who = await guest(server);
      return 'next' in (await finish((await through(who, { email })).state, who)).body;
    };
    await server.advance(31);
    const me = await logIn(server, mobile);
    Object.assign(india, { SHOW_LOAGIN_WITH_PASSWORD: true });
    try {
      expect((await server.call(passwords.change, { body: { password: first } }, me.as)).status).toBe(200);
      expect(await asksForNumber()).toBe(false);
      const body = { password: 'a better one', current: first };
      expect((await server.call(passwords.change, { body }, me.as)).status).toBe(200);
      expect(await asksForNumber()).toBe(true);
    } finally {
      Object.assign(india, { SHOW_LOAGIN_WITH_PASSWORD: false });
    }
  });

  test('logging in to a sleeping account says so, and the same login restores it if the customer agrees [AUTH-18] [AUTH-25]', async () => {
    const email = freshEmail();
    const owner = await joined(email);
    await server.advance(31);
    await server.call(deletion.sendCode, { body: {} }, owner.as);
    const code = await codeFor(server, owner.reply.attributes.mobile!);
    expect((await server.call(deletion.ask, { body: { code } }, owner.as)).status).toBe(200);
    const wakes = (state: string, who: Person) =>
      server.call(social.login, { body: { state } }, { ...who.as, headers: { [deletion.WAKE_HEADER]: 'yes' } });

    const left = await guest(server);
    const { state } = await through(left, { email });
    for (const asked of [await finish(state, left), await finish(state, left)]) {
      expect([asked.status, codeOf(asked)]).toEqual([409, 'ACCOUNT_ASLEEP']);
      expect(asked.body.errors?.[0]).toMatchObject({
        header: serverText.asleepHeader,
        btnMsg: serverText.asleepButton,
      });
    }
    // Nobody else can say it, and the time for it runs from when it was asked.
    expect(codeOf(await wakes(state, await guest(server)))).toBe('SOCIAL_LOGIN');
    await server.advance(10 * 60);
    expect(codeOf(await finish(state, await again(left)))).toBe('ACCOUNT_ASLEEP');
    await server.advance(5 * 60 + 1);
    expect(codeOf(await wakes(state, await again(left)))).toBe('SOCIAL_LOGIN');

    const who = await guest(server);
    const came = await through(who, { email });
    expect(codeOf(await finish(came.state, who))).toBe('ACCOUNT_ASLEEP');
    const all = await Promise.all(Array.from({ length: 4 }, () => wakes(came.state, who)));
    const inside = all.filter(({ status }) => status === 200);
    expect(inside.map(({ body }) => (body as SessionReply).attributes.userId)).toEqual([owner.userId]);
    const awake = await guest(server);
    const next = await finish((await through(awake, { email })).state, awake);
    expect((next.body as SessionReply).attributes.userId).toBe(owner.userId);
  });

  test('an email address that the provider has not confirmed, or that was typed, counts as unconfirmed', async () => {
    for (const [form, more] of [
      [{ behaviour: 'unverified' }, {}],
      [{}, { email: 'typed@example.com' }],
    ] as const) {
      const who = await guest(server);
      const { state } = await through(who, { email: freshEmail(), ...form });
      const { token } = wanted((await finish(state, who)).body);
      const done = await prove(who, token, freshMobile(), more);
      expect((done.body as SessionReply).attributes.emailVerified).toBe(false);
    }
  });

  test('a provider whose answer cannot be believed logs nobody in, and the page can say so [AUTH-18]', async () => {
    const who = await guest(server);
    for (const behaviour of [
      ...['expired', 'too-old', 'wrong-audience', 'several-audiences', 'wrong-issuer', 'unknown-key', 'shared-secret'],
      ...['unsigned', 'wrong-nonce', 'no-nonce', 'no-subject', 'wrong-hash', 'replayed', 'code-of-another'],
      ...['another-provider', 'error', 'broken'],
    ]) {
      const { state, page } = await through(who, { email: freshEmail(), behaviour });
      expect([behaviour, page.searchParams.get('social')]).toEqual([behaviour, state]);
      const answer = await finish(state, who);
      expect([behaviour, answer.status, codeOf(answer), answer.body.errors?.[0]?.displayMsg]).toEqual([
        behaviour,
        422,
        'SOCIAL_LOGIN',
        serverText.socialFailed({ label }),
      ]);
      // It is over, and the session is as it was.
      expect(codeOf(await finish(state, who))).toBe('SOCIAL_LOGIN');
    }
  });

  test('a provider with another key than before, or that tells no name, logs in', async () => {
    for (const behaviour of ['rotated-key', 'anonymous']) {
      const who = await guest(server);
      const { state } = await through(who, { email: freshEmail(), behaviour });
      const { next, ...told } = wanted((await finish(state, who)).body);
      expect([next, 'firstName' in told]).toEqual(['NUMBER', behaviour !== 'anonymous']);
    }
  });

  test('a customer who does not allow it is told so; a state that nobody began leads to the login screen of its country', async () => {
    const who = await guest(server);
    const refused = await finish((await through(who, { answer: 'refuse' })).state, who);
    expect([refused.status, codeOf(refused), refused.body.errors?.[0]?.displayMsg]).toEqual([
      422,
      'SOCIAL_REFUSED',
      serverText.socialRefused({ label }),
    ]);
    const { state, page } = await through(who, { email: freshEmail(), behaviour: 'wrong-state' });
    expect(page.pathname + page.search).toBe('/in/login?social=none');
    expect(codeOf(await finish(state, who))).toBe('SOCIAL_LOGIN');
  });

  test("what one browser began is no login for another: a forged link gives nobody a stranger's account", async () => {
    const [attacker, victim] = [await guest(server), await guest(server)];
    const { state } = await through(attacker, { email: freshEmail() });
    const forged = await finish(state, victim);
    expect([forged.status, forged.body.errors?.[0]?.displayMsg]).toEqual([422, serverText.socialOver]);
    // It costs the one who began it nothing.
    const first = await finish(state, attacker);
    const { token } = wanted(first.body);
    // Nor does the token that waits for a number work in another session, or with the wrong code.
    expect(codeOf(await prove(victim, token, freshMobile()))).toBe('SOCIAL_LOGIN');
    const mobile = freshMobile();
    await server.call(login.sendOtp, { body: { mobile } }, attacker.as);
    const code = await codeFor(server, mobile);
    const wrong = String((Number(code) + 1) % 1_000_000).padStart(6, '0');
    const body = { mobile, code: wrong, source: 'doorkey', token };
    expect(codeOf(await server.call(social.validate, { body }, attacker.as))).toBe('OTP_WRONG');
    expect((await server.call(social.validate, { body: { ...body, code } }, attacker.as)).status).toBe(200);
  });

  test('an answer is looked at once, by 16 calls at the same moment too; a page loaded anew is asked for the number again', async () => {
    const who = await guest(server);
    const { state } = await through(who, { email: freshEmail() });
    const answers = await Promise.all(Array.from({ length: 16 }, () => finish(state, who)));
    const tokens = answers.filter(({ status }) => status === 200).map(({ body }) => wanted(body).token);
    expect(new Set(tokens).size).toBe(1);
    expect(answers.every(({ status }) => status === 200 || status === 422)).toBe(true);
    expect(wanted((await finish(state, who)).body).token).toBe(tokens[0]);
    await prove(who, tokens[0]!, freshMobile());
    expect((await finish(state, who)).status).not.toBe(200);
  });

  test('two tabs each begin a login of their own; after the first one the other says that it is over', async () => {
    const email = freshEmail();
    await joined(email);
    const who = await guest(server);
    const [one, two] = [await through(who, { email }), await through(who, { email })];
    const done = await finish(one.state, who);
    expect(done.status).toBe(200);
    const renewed = person(done.body as SessionReply);
    expect(codeOf(await finish(two.state, renewed))).toBe('SOCIAL_LOGIN');
  });

  test('it takes a quarter of an hour at most, to the provider and to the number', async () => {
    const [slow, who] = [await guest(server), await guest(server)];
    const late = await through(slow, { email: freshEmail() });
    await server.advance(15 * 60);
    const over = await finish(late.state, await again(slow));
    // Our own limit, and not the provider's, whose answers are old by then too.
    expect([codeOf(over), over.body.errors?.[0]?.displayMsg]).toEqual(['SOCIAL_LOGIN', serverText.socialOver]);
    const back = await again(who);
    const { state } = await through(back, { email: freshEmail() });
    const { token } = wanted((await finish(state, back)).body);
    const { db } = await openDb(server.database.target);
    // As it is just before what is over is swept.
    const ends_at = (await server.advance(0)) - 1;
    await db.updateTable('social_logins').set({ ends_at }).where('user_id', '=', back.userId).execute();
    await db.destroy();
    const gone = await finish(state, back);
    expect([codeOf(gone), gone.body.errors?.[0]?.displayMsg]).toEqual(['SOCIAL_LOGIN', serverText.socialOver]);
    expect(codeOf(await prove(back, token, freshMobile()))).toBe('SOCIAL_LOGIN');
  });

  test('the way back is one of our own login screens, whatever the page asks for', async () => {
    const who = await guest(server);
    const { page } = await through(
      who,
      { email: freshEmail() },
      { from: 'Address&x=//evil.example', page: 'postorder-ui/login' },
    );
    expect([page.origin, page.pathname, page.searchParams.get('from')]).toEqual([
      new URL(server.url).origin,
      '/in/postorder-ui/login',
      'Address&x=//evil.example',
    ]);
    for (const returnpath of ['//evil.example/', 'https://evil.example/', '/\\evil.example/', '/in/%2f/']) {
      const begun = await server.call(
        social.begin,
        { body: { source: 'doorkey' } },
        { ...who.as, headers: { returnpath } },
      );
      const back = there.at(await there.answer(begun.body.url));
      expect(there.at(await there.go(back.pathname + back.search)).href).toMatch(`${server.url}/in/login?social=`);
    }
    const nowhere = await server.call(social.begin, { body: { source: 'doorkey', page: '//evil' as 'login' } }, who.as);
    expect(nowhere.status).toBe(400);
    expect(codeOf(await server.call(social.begin, { body: { source: 'nobody' } }, who.as))).toBe('SOCIAL_UNKNOWN');
  });

  test('the provider sends nobody to an address that is not registered, and takes no form of another site', async () => {
    const who = await guest(server);
    const asked = new URL((await there.begin(who)).body.url, server.url);
    for (const redirect of ['https://evil.example/loginhandler', `${server.url}/in/`, '']) {
      const url = new URL(asked);
      url.searchParams.set('redirect_uri', redirect);
      const answer = await there.go(url.pathname + url.search);
      expect([answer.status, answer.headers.get('location')]).toEqual([400, null]);
    }
    const form = new URLSearchParams({ ...Object.fromEntries(asked.searchParams), answer: 'allow' });
    const crossed = await there.go('/vendors/oidc/consent', {
      method: 'POST',
      body: form,
      headers: { 'sec-fetch-site': 'cross-site' },
    });
    expect(crossed.status).toBe(400);
  });

  test('pages are told with whom one can log in; inside a payment app there is nobody, and the calls are closed', async () => {
    const told = async (apiKey: string) => (await server.call(config.app, {}, { apiKey })).body.config.logins;
    expect(await told('in-web')).toEqual({ password: false, social: [{ source: 'doorkey', label }] });
    for (const apiKey of ['in-gpay', 'in-paytm', 'in-frame-sample']) {
      expect(await told(apiKey)).toBeUndefined();
      const who = await guest(server, apiKey);
      expect(codeOf(await server.call(social.begin, { body: { source: 'doorkey' } }, who.as))).toBe('FEATURE_BLOCKED');
    }
  });

  test('searchuser says the same of known and unknown numbers [AUTH-20] [API-04]', async () => {
    const known = freshMobile();
    await logIn(server, known);
    const who = await guest(server);
    const ask = async (mobile: string) => await server.call(login.searchUser, { body: { mobile } }, who.as);
    const [one, other] = [await ask(` ${known.slice(0, 5)} ${known.slice(5)}`), await ask(freshMobile())];
    expect(one.body).toMatchObject({ status: 'SUCCESS', mobile: known, ways: ['CODE', 'SOCIAL'] });
    expect({ ...other.body, mobile: known }).toEqual(one.body);
    expect(codeOf(await ask('123'))).toBe('INVALID_MOBILE');
  });
});

describe('what a provider sends a browser back with', () => {
  const issuer = 'https://doorkey.example';
  const social = [{ source: 'doorkey', issuer } as SocialProvider];
  test.each([
    ['a code', { code: 'abc' }, { code: 'abc' }],
    ['a code of the one that was asked', { code: 'abc', iss: issuer }, { code: 'abc' }],
    ['a code of another one', { code: 'abc', iss: 'https://evil.example' }, { error: 'another_issuer' }],
    ['an error, whatever else', { error: 'access_denied', code: 'abc' }, { error: 'access_denied' }],
    ['an error without end', { error: 'x'.repeat(5000) }, { error: 'x'.repeat(100) }],
    ['nothing', {}, { error: 'no_code' }],
    ['a long code', { code: 'x'.repeat(4000) }, { code: 'x'.repeat(4000) }],
    ['a code without end', { code: 'x'.repeat(4001) }, { error: 'no_code' }],
  ])('%s', (_, query, answer) => {
    expect(answerOf({ social }, 'doorkey', new URLSearchParams(query as Record<string, string>))).toEqual(answer);
  });
  test('who says whose answer it is to a provider that nobody knows is another one', () => {
    expect(answerOf({ social }, 'nobody', new URLSearchParams({ code: 'abc', iss: issuer }))).toEqual({
      error: 'another_issuer',
    });
  });
});

test('a provider that is slow or away says so soon, and the code by SMS stays', async () => {
  const server = await startServer({
    settings: {
      ...settings,
      environment: {
        PUBLIC_ORIGIN: 'https://shop.example',
        OIDC_SOURCE: 'away',
        OIDC_ISSUER: 'http://127.0.0.1:9',
        OIDC_CLIENT_ID: 'shop',
        OIDC_CLIENT_SECRET: 's',
        OIDC_LABEL: 'Away',
      },
    },
  });
  const embedded = await startServer({ settings });
  try {
    const told = await server.call(config.app, {});
    expect(told.body.config.logins?.social).toEqual([{ source: 'away', label: 'Away' }]);
    const who = await guest(server);
    const answer = await server.call(social.begin, { body: { source: 'away' } }, who.as);
    expect([answer.status, codeOf(answer), answer.body.errors?.[0]?.displayMsg]).toEqual([
      503,
      'SOCIAL_AWAY',
      serverText.socialAway({ label: 'Away' }),
    ]);
    const there = browser(embedded);
    const slow = await guest(embedded);
    const begun = await there.begin(slow);
    const callback = there.at(await there.answer(begun.body.url, { behaviour: 'slow', email: freshEmail() }));
    const page = there.at(await there.go(callback.pathname + callback.search));
    const late = await embedded.call(social.login, { body: { state: page.searchParams.get('social')! } }, slow.as);
    expect([late.status, codeOf(late)]).toEqual([503, 'SOCIAL_AWAY']);
    await logIn(embedded, freshMobile(), 'in-web', slow);
  } finally {
    await Promise.all([server.stop(), embedded.stop()]);
  }
});

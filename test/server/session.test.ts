import { describe, expect, test, vi } from 'vitest';
import { createApi } from '../../src/api/client.ts';
import * as addresses from '../../src/contract/addresses.ts';
import * as cart from '../../src/contract/cart.ts';
import * as login from '../../src/contract/login.ts';
import * as session from '../../src/contract/session.ts';
import * as vendors from '../../src/contract/vendors.ts';
import type { SessionReply } from '../../src/contract/session.ts';
import * as errors from '#text/errors.ts';
import { refreshGuest } from '../../src/server/rules/people/sessions.ts';
import { openDb } from '../../src/server/store/db.ts';
import { engines, startServer } from '../kit/server.ts';
import type { TestServer } from '../kit/server.ts';
import { codeFor, codeOf, freshMobile, guest, logIn, person, type Person } from './people.ts';
import { during } from '../kit/during.ts';

const settings = { quiet: true, distDir: null };

describe.each(await engines())('sessions on %s', (engine) => {
  const server = during(() => startServer({ engine, settings }));

  const whoAmI = (as: Parameters<TestServer['call']>[2], userId: string) => server.call(addresses.list, { userId }, as);
  const renew = (userId: string, refreshToken: string, apiKey = 'in-web') =>
    server.call(session.refresh, { body: { userId, refreshToken } }, { apiKey });

  test('a guest gets an anonymous id, a cart and no refresh token; a login gets all six credentials [AUTH-01] [AUTH-02] [API-12]', async () => {
    const { body } = await server.call(session.anonymous, {});
    const reply = body as SessionReply;
    expect(reply.attributes.userId).toMatch(/^anonymous/);
    expect(reply.attributes.cartId).not.toBe('');
    const names = ['accessToken', 'accessKeyId', 'secretKey', 'sessionToken', 'authToken'] as const;
    for (const name of names) expect(reply.credentials[name].length).toBeGreaterThan(20);
    expect(reply.credentials.refreshToken).toBeUndefined();
    const { credentials } = (await logIn(server)).reply;
    expect(Object.keys(credentials).toSorted()).toEqual([...names, 'refreshToken'].toSorted());
    for (const name of [...names, 'refreshToken'] as const) expect(credentials[name]?.length, name).toBeGreaterThan(20);
  });

  test('a login has a refresh token and the attributes of the specification [AUTH-04] [AUTH-05]', async () => {
    const [mobile, before] = [freshMobile(), await guest(server)];
    const names = { firstName: 'Asha', lastName: 'Verma', email: 'asha@example.org' };
    expect((await server.call(login.sendOtp, { body: { mobile, ...names } }, before.as)).status).toBe(200);
    const code = await codeFor(server, mobile);
    const reply = (await server.call(login.validateOtp, { body: { mobile, code, screenName: 'login' } }, before.as))
      .body as SessionReply;
    expect(reply.credentials.refreshToken).toBeTruthy();
    expect(reply.attributes).toEqual({
      userId: expect.not.stringMatching(/^anonymous/),
      cartId: expect.stringMatching(/./),
      mobile,
      ...names,
      loginType: 'mobile',
      cognitoId: reply.attributes.userId,
      cognitoLoggedin: true,
      emailVerified: false,
      phoneNumberVerified: true,
      sub: reply.attributes.userId,
      frequency: 0,
      isVip: false,
    });
  });

  test('without a token 401 TOKEN_INVALID, with an old one 401 TOKEN_EXPIRED, by the clock of the database [AUTH-29]', async () => {
    const user = await logIn(server);
    expect((await whoAmI(user.as, user.userId)).status).toBe(200);
    const none = await server.call(addresses.list, { userId: user.userId });
    expect([none.status, codeOf(none)]).toEqual([401, 'TOKEN_INVALID']);
    const forged = await whoAmI({ ...user.as, authToken: 'x'.repeat(43) }, user.userId);
    expect([forged.status, codeOf(forged)]).toEqual([401, 'TOKEN_INVALID']);
    expect(forged.body.errors?.[0]?.displayMsg).toBe(errors.loggedOut);
    await server.advance(15 * 60);
    const old = await whoAmI(user.as, user.userId);
    expect([old.status, codeOf(old)]).toEqual([401, 'TOKEN_EXPIRED']);
    const again = await renew(user.userId, user.reply.credentials.refreshToken!);
    expect(again.status).toBe(200);
    expect((await whoAmI(person(again.body as SessionReply).as, user.userId)).status).toBe(200);
  });

  test('a token is good for its own person, country and host only [MINI-03]', async () => {
    const [user, other] = [await logIn(server), await logIn(server)];
    for (const as of [
      { ...user.as, userId: other.userId },
      { ...user.as, apiKey: 'lk-web' },
      { ...user.as, apiKey: 'in-paytm' },
      { apiKey: 'in-web', authToken: user.as.authToken! },
    ]) {
      const answer = await whoAmI(as, user.userId);
      expect([answer.status, codeOf(answer)]).toEqual([401, 'TOKEN_INVALID']);
    }
  });

  test('an unknown or missing api_key is 401 API_KEY [MINI-03]', async () => {
    for (const apiKey of ['', 'nobody']) {
      const answer = await server.call(session.anonymous, {}, { apiKey });
      expect([answer.status, codeOf(answer)]).toEqual([401, 'API_KEY']);
    }
  });

  test('a guest refreshes with the session token and not with the id alone [AUTH-29] [AUTH-31] [API-11]', async () => {
    const someone = await guest(server);
    const ok = await server.call(session.refreshAnonymous, {
      body: { userId: someone.userId, sessionToken: someone.reply.credentials.sessionToken },
    });
    expect(ok.status).toBe(200);
    expect((ok.body as SessionReply).attributes).toMatchObject({ userId: someone.userId, cartId: someone.cartId });
    expect((ok.body as SessionReply).credentials.sessionToken).toBe(someone.reply.credentials.sessionToken);
    const inHeader = await server.call(
      session.refreshAnonymous,
      { body: { userId: someone.userId } },
      { headers: { sessiontoken: someone.reply.credentials.sessionToken } },
    );
    expect(inHeader.status).toBe(200);
    const thief = await server.call(session.refreshAnonymous, { body: { userId: someone.userId } });
    expect([thief.status, codeOf(thief)]).toEqual([401, 'TOKEN_INVALID']);
    const other = await guest(server);
    const mixed = await server.call(session.refreshAnonymous, {
      body: { userId: someone.userId, sessionToken: other.reply.credentials.sessionToken },
    });
    expect(mixed.status).toBe(401);
  });

  test('a refresh token is used once: the next one differs and the first is dead after the grace [AUTH-29] [API-10]', async () => {
    const user = await logIn(server);
    const first = user.reply.credentials.refreshToken!;
    const next = (await renew(user.userId, first)).body as SessionReply;
    expect(next.credentials.refreshToken).not.toBe(first);
    // What names the session stays the same, and is three different things.
    const lasting = ({ accessKeyId, secretKey, sessionToken }: SessionReply['credentials']) =>
      [accessKeyId, secretKey, sessionToken] as const;
    expect(lasting(next.credentials)).toEqual(lasting(user.reply.credentials));
    expect(new Set(lasting(next.credentials)).size).toBe(3);
    const other = await logIn(server);
    for (const [at, one] of lasting(other.reply.credentials).entries())
      expect(one).not.toBe(lasting(next.credentials)[at]);
    expect((await renew(user.userId, next.credentials.refreshToken!)).status).toBe(200);
    await server.advance(11);
    const replay = await renew(user.userId, first);
    expect([replay.status, codeOf(replay)]).toEqual([401, 'TOKEN_INVALID']);
  });

  test('within ten seconds a lost reply is made good with the newest token of the chain', async () => {
    const user = await logIn(server);
    const first = user.reply.credentials.refreshToken!;
    const next = (await renew(user.userId, first)).body as SessionReply;
    const again = (await renew(user.userId, first)).body as SessionReply;
    expect(again.credentials.refreshToken).toBe(next.credentials.refreshToken);
    const third = (await renew(user.userId, next.credentials.refreshToken!)).body as SessionReply;
    expect(((await renew(user.userId, first)).body as SessionReply).credentials.refreshToken).toBe(
      third.credentials.refreshToken,
    );
  });

  test('a storm of refreshes with one token makes one chain, not many', async () => {
    const user = await logIn(server);
    const storm = await Promise.all(
      Array.from({ length: 16 }, () => renew(user.userId, user.reply.credentials.refreshToken!)),
    );
    expect(storm.map((answer) => answer.status)).toEqual(Array(16).fill(200));
    expect(new Set(storm.map((answer) => (answer.body as SessionReply).credentials.refreshToken)).size).toBe(1);
  });

  test('a reply of a refresh that never arrived is given again, however late, until something of it was used [AUTH-29]', async () => {
    const user = await logIn(server);
    const first = user.reply.credentials.refreshToken!;
    const lost = (await renew(user.userId, first)).body as SessionReply;
    await server.advance(3_600);
    const late = await renew(user.userId, first);
    expect([late.status, late.body.credentials?.refreshToken]).toEqual([200, lost.credentials.refreshToken]);
    expect((await whoAmI(person(late.body).as, user.userId)).status).toBe(200);
    await server.advance(11);
    expect((await renew(user.userId, first)).status).toBe(401);
    expect(codeOf(await whoAmI(person(late.body).as, user.userId))).toBe('TOKEN_INVALID');
  });

  test('pages of one login stay logged in when the reply of a refresh is lost, and when all of them refresh at once [AUTH-29]', async () => {
    const user = await logIn(server);
    let { credentials } = user.reply;
    let isLost = true;
    const ended = vi.fn<() => void>();
    const real = globalThis.fetch;
    const fetched = vi.spyOn(globalThis, 'fetch').mockImplementation(async (...asked) => {
      const answer = await real(...asked);
      if (!answer.url.endsWith(session.refresh.path) || !isLost) return answer;
      isLost = false;
      throw new TypeError('fetch failed');
    });
    const page = () =>
      createApi({
        origin: server.url,
        apiKey: 'in-web',
        clientType: 'web app-chrome',
        source: 'PWA18',
        language: 'en',
        identity: () => ({ credentials, userId: user.userId, mobile: '', storeId: '', deliveryType: '' }),
        renewed: (reply) => {
          ({ credentials } = reply);
        },
        ended,
        unrenewed: () => {},
        told: () => {},
      });
    try {
      const pages = [page(), page(), page()];
      const ask = () => Promise.all(pages.map((one) => one.call(addresses.list, { userId: user.userId })));
      await server.advance(15 * 60);
      await expect(pages[0]!.call(addresses.list, { userId: user.userId })).rejects.toMatchObject({ kind: 'offline' });
      // Their owner tries again a minute later, a quarter of an hour later, and just after somebody else refreshed.
      for (const seconds of [60, 15 * 60, 11]) {
        await server.advance(seconds);
        expect((await ask()).map(({ status }) => status)).toEqual(['SUCCESS', 'SUCCESS', 'SUCCESS']);
      }
      expect(ended).not.toHaveBeenCalled();
    } finally {
      fetched.mockRestore();
    }
  });

  test('an access token ends 10 s after a refresh has replaced it; those of tabs that refreshed at once stay [AUTH-29]', async () => {
    const [user, someone] = [await logIn(server), await guest(server)];
    const { refreshToken } = user.reply.credentials;
    const { sessionToken } = someone.reply.credentials;
    const code = async ({ as, cartId }: Person) => codeOf(await server.call(cart.byId, { cartId, query: {} }, as));
    const renewed = await Promise.all([
      renew(user.userId, refreshToken!),
      renew(user.userId, refreshToken!),
      server.call(session.refreshAnonymous, { body: { userId: someone.userId, sessionToken } }),
    ]);
    const fresh = renewed.map(({ body }) => person(body as SessionReply));
    expect(await Promise.all([user, someone, ...fresh].map(code))).toEqual(['', '', '', '', '']);
    await server.advance(10);
    // Expired, not invalid: another tab has the next one, or a refresh gets it. Nobody is logged out.
    expect(await Promise.all([user, someone, ...fresh].map(code))).toEqual([
      'TOKEN_EXPIRED',
      'TOKEN_EXPIRED',
      '',
      '',
      '',
    ]);
  });

  test('an old refresh token shown again ends the whole family: access, refresh, everything', async () => {
    const user = await logIn(server);
    const first = user.reply.credentials.refreshToken!;
    const next = (await renew(user.userId, first)).body as SessionReply;
    expect((await whoAmI(person(next).as, user.userId)).status).toBe(200);
    await server.advance(11);
    expect((await renew(user.userId, first)).status).toBe(401);
    expect((await renew(user.userId, next.credentials.refreshToken!)).status).toBe(401);
    expect((await whoAmI(person(next).as, user.userId)).status).toBe(401);
  });

  test('a refresh token opens nothing for another user, and in another country or host it ends what it was for', async () => {
    const [user, other] = [await logIn(server), await logIn(server)];
    expect((await renew(other.userId, user.reply.credentials.refreshToken!)).status).toBe(401);
    expect((await renew(user.userId, user.reply.credentials.refreshToken!)).status).toBe(200);
    for (const elsewhere of ['lk-web', 'in-paytm']) {
      const owner = await logIn(server);
      const { refreshToken } = owner.reply.credentials;
      for (const apiKey of [elsewhere, 'in-web']) {
        const answer = await renew(owner.userId, refreshToken!, apiKey);
        expect([apiKey, answer.status, codeOf(answer)]).toEqual([apiKey, 401, 'TOKEN_INVALID']);
      }
    }
  });

  test('a guest comes back for 90 days, to the country and the host of the first day alone', async () => {
    const someone = await guest(server);
    const { sessionToken } = someone.reply.credentials;
    const back = async (apiKey: string) => {
      const body = { userId: someone.userId, sessionToken };
      return (await server.call(session.refreshAnonymous, { body }, { apiKey })).status;
    };
    expect([await back('lk-web'), await back('in-paytm'), await back('in-web')]).toEqual([401, 401, 200]);
    // Its last moment, without all that the shop does in 90 days.
    const { db } = await openDb(server.database.target);
    try {
      const { created_at: began } = await db
        .selectFrom('sessions')
        .select('created_at')
        .where('user_id', '=', someone.userId)
        .executeTakeFirstOrThrow();
      const at = (now: number) => refreshGuest(db, someone.userId, sessionToken, 'web', 'IN', now);
      expect((await at(began + 90 * 86_400_000 - 1)).attributes.userId).toBe(someone.userId);
      await expect(at(began + 90 * 86_400_000)).rejects.toMatchObject({ httpStatus: 401 });
    } finally {
      await db.destroy();
    }
  });

  test('logging out ends the session on the server; then a new guest is made [API-15] [API-12]', async () => {
    const user = await logIn(server);
    expect((await server.call(session.logout, {}, user.as)).status).toBe(200);
    expect((await whoAmI(user.as, user.userId)).status).toBe(401);
    expect((await renew(user.userId, user.reply.credentials.refreshToken!)).status).toBe(401);
    expect((await server.call(session.anonymous, {})).status).toBe(200);
  });

  test('inside a payment app logging out is blocked on the server too [MINI-15] [CFG-33]', async () => {
    const someone = await guest(server, 'in-gpay');
    const { nonce } = (await server.call(vendors.nonce, { vendor: 'gpay' }, someone.as)).body as { nonce: string };
    const make = async (path: string) =>
      (
        (await (
          await fetch(`${server.url}/vendors/google/${path}`, {
            method: 'POST',
            body: JSON.stringify({ nonce, sub: `logout-${engine}` }),
          })
        ).json()) as { token: string }
      ).token;
    const done = await server.call(
      vendors.auth,
      {
        vendor: 'gpay',
        body: {
          credential: {
            nonce,
            proof: { idToken: await make('identity') },
            phoneToken: await make('phone'),
          },
        },
      },
      someone.as,
    );
    const user = person(done.body, 'in-gpay');
    const answer = await server.call(session.logout, {}, user.as);
    expect([answer.status, codeOf(answer)]).toEqual([403, 'FEATURE_BLOCKED']);
  });

  test('logging in ends the guest session that asked, and its browser goes on to hear in the one that follows', async () => {
    const someone = await guest(server);
    const { db } = await openDb(server.database.target);
    const browsers = () => db.selectFrom('push_subscriptions').where('endpoint', 'like', `%${someone.userId}`);
    try {
      const row = { endpoint: `https://push.example/${someone.userId}`, user_id: someone.userId };
      const session_id = someone.reply.credentials.accessKeyId;
      const keys = { p256dh: 'p', auth: 'a', mount: '/in/', language: 'en', created_at: 1 };
      await db
        .insertInto('push_subscriptions')
        .values({ ...row, ...keys, session_id })
        .execute();
      const user = await logIn(server, undefined, 'in-web', someone);
      expect(await browsers().select(['user_id', 'session_id']).execute()).toEqual([
        { user_id: user.userId, session_id: user.reply.credentials.accessKeyId },
      ]);
    } finally {
      await db.destroy();
    }
    const answer = await server.call(session.refreshAnonymous, {
      body: { userId: someone.userId, sessionToken: someone.reply.credentials.sessionToken },
    });
    expect(answer.status).toBe(401);
  });

  test("two servers on one database know each other's sessions", async () => {
    const second = await startServer({ engine, database: server.database, settings });
    try {
      const user = await logIn(server);
      expect((await second.call(addresses.list, { userId: user.userId }, user.as)).status).toBe(200);
      const [a, b] = await Promise.all([
        renew(user.userId, user.reply.credentials.refreshToken!),
        second.call(session.refresh, {
          body: { userId: user.userId, refreshToken: user.reply.credentials.refreshToken! },
        }),
      ]);
      expect((a.body as SessionReply).credentials.refreshToken).toBe((b.body as SessionReply).credentials.refreshToken);
    } finally {
      await second.stop();
    }
  });
});

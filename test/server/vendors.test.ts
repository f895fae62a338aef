import { createHmac } from 'node:crypto';
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import * as login from '../../src/contract/login.ts';
import * as addresses from '../../src/contract/addresses.ts';
import * as cart from '../../src/contract/cart.ts';
import * as loyalty from '../../src/contract/loyalty.ts';
import * as orders from '../../src/contract/orders.ts';
import * as session from '../../src/contract/session.ts';
import * as vendors from '../../src/contract/vendors.ts';
import type { VendorCredential } from '../../src/contract/vendors.ts';
import type { SessionReply } from '../../src/contract/session.ts';
import { openDb, transact } from '../../src/server/store/db.ts';
import { memberOf, movePoints } from '../../src/server/store/loyalty.ts';
import { readSystem } from '../../src/server/store/system.ts';
import { submitSteps } from '../../src/server/rules/checkout/submit.ts';
import * as errors from '#text/errors.ts';
import * as serverText from '#text/server.ts';
import { engines, startServer } from '../kit/server.ts';

import { codeOf, freshMobile, guest, logIn, person } from './people.ts';
import type { Person } from './people.ts';
import { Customer, openShop, PLACES } from './shop.ts';
import { during } from '../kit/during.ts';

const settings = { quiet: true, distDir: null };
const CLIENT = 'merchant-pizza';

describe.each(await engines())('logging in with a payment app on %s', (engine) => {
  const server = during(() => startServer({ engine, settings }));

  const post = async (path: string, body: object) =>
    (await (
      await fetch(server.url + path, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
    ).json()) as Record<string, string>;
  const nonceFor = async (who: Person) =>
    ((await server.call(vendors.nonce, { vendor: 'gpay' }, who.as)).body as { nonce: string }).nonce;
  const auth = (vendor: string, credential: VendorCredential, who: Person) =>
    server.call(vendors.auth, { vendor, body: { credential } }, who.as);
  const identity = async (order: object) => (await post('/vendors/google/identity', order))['token']!;
  const phone = async (order: object) => (await post('/vendors/google/phone', order))['token']!;
  const refused = (answer: Awaited<ReturnType<typeof auth>>) => {
    expect([answer.status, codeOf(answer), answer.body.errors?.[0]?.displayMsg]).toEqual([
      422,
      'VENDOR_LOGIN',
      errors.vendorLoginFailed,
    ]);
  };

  describe('gpay', () => {
    test('an identity token and a phone token of two key sets make a login [API-16] [MINI-06]', async () => {
      const [who, mobile] = [await guest(server, 'in-gpay'), freshMobile()];
      const nonce = await nonceFor(who);
      const done = await auth(
        'gpay',
        {
          nonce,
          proof: { idToken: await identity({ nonce, sub: `g-${mobile}`, name: 'Asha Rao' }) },
          phoneToken: await phone({ nonce, sub: `g-${mobile}`, phone: `+91 ${mobile}` }),
        },
        who,
      );
      expect(done.status).toBe(200);
      expect((done.body as SessionReply).attributes).toMatchObject({
        mobile,
        loginType: 'gpay',
        firstName: 'Asha',
        lastName: 'Rao',
        sub: `g-${mobile}`,
        phoneNumberVerified: true,
      });
      expect((done.body as SessionReply).credentials.refreshToken).toBeTruthy();
    });

    test('the same person is the same account next time, and the account of that number', async () => {
      const mobile = freshMobile();
      const byCode = await logIn(server, mobile);
      const ids: string[] = [];
      for (const withPhone of [true, false]) {
        const who = await guest(server, 'in-gpay');
        const nonce = await nonceFor(who);
        const done = await auth(
          'gpay',
          {
            nonce,
            proof: { idToken: await identity({ nonce, sub: `g-${mobile}` }) },
            ...(withPhone ? { phoneToken: await phone({ nonce, sub: `g-${mobile}`, phone: `+91 ${mobile}` }) } : {}),
          },
          who,
        );
        ids.push((done.body as SessionReply).attributes.userId);
      }
      expect(ids).toEqual([byCode.userId, byCode.userId]);
    });

    test('without a phone token there is an account without a number', async () => {
      const who = await guest(server, 'in-gpay');
      const nonce = await nonceFor(who);
      const done = await auth(
        'gpay',
        { nonce, proof: { idToken: await identity({ nonce, sub: `g-none-${engine}` }) } },
        who,
      );
      expect((done.body as SessionReply).attributes.mobile).toBeUndefined();
    });

    /** A token with another head or another claim, and what it is signed with then. */
    const altered = (
      token: string,
      head: object | null,
      claim: object,
      sealed: (text: string) => string = () => '',
    ) => {
      const [first, second, third] = token.split('.') as [string, string, string];
      const packed = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
      const claims = { ...(JSON.parse(Buffer.from(second, 'base64url').toString()) as object), ...claim };
      const text = `${head === null ? first : packed(head)}.${packed(claims)}`;
      return `${text}.${head === null ? third : sealed(text)}`;
    };
    const bad: Readonly<Record<string, (nonce: string) => Promise<string>>> = {
      'an expired token': (nonce) => identity({ nonce, expiresInSeconds: -60 }),
      'a token for another app': (nonce) => identity({ nonce, aud: 'another-app' }),
      'a token with another nonce': () => identity({ nonce: 'another-nonce' }),
      'a token without a nonce': () => identity({}),
      'an identity token signed by the phone keys': (nonce) => phone({ nonce }),
      'no token at all': async () => 'not a token',
      'an unsigned token': async (nonce) => altered(await identity({ nonce }), { alg: 'none', typ: 'JWT' }, {}),
      'a token signed by the right key in another way (RS512)': (nonce) => identity({ nonce, alg: 'RS512' }),
      'a token signed with the public key as a password': async (nonce) => {
        const { keys } = (await (await fetch(`${server.url}/vendors/google/certs`)).json()) as {
          keys: { kid: string; n: string }[];
        };
        const { kid, n } = keys[0]!;
        return altered(await identity({ nonce }), { alg: 'HS256', typ: 'JWT', kid }, {}, (text) =>
          createHmac('sha256', n).update(text).digest('base64url'),
        );
      },
      'a token with one claim changed': async (nonce) => altered(await identity({ nonce }), null, { sub: 'another' }),
    };
    test("no token but a right one of this login is taken, in the specification's words, and then it is [ERR-06]", async () => {
      const who = await guest(server, 'in-gpay');
      const nonce = await nonceFor(who);
      for (const [what, make] of Object.entries(bad)) {
        const answer = await auth('gpay', { nonce, proof: { idToken: await make(nonce) } }, who);
        expect([what, answer.status]).toEqual([what, 422]);
        refused(answer);
      }
      const madeUp = { nonce: 'nonce_made_up', proof: { idToken: await identity({ nonce: 'nonce_made_up' }) } };
      refused(await auth('gpay', madeUp, who));
      // A guest is still a guest, and may try again.
      const right = { nonce, proof: { idToken: await identity({ nonce, sub: `g-right-${engine}` }) } };
      expect((await auth('gpay', right, who)).status).toBe(200);
    });

    test('a phone token by the identity keys, or one that has run out, is a login without a number; a right one has one', async () => {
      const asked = async (make: (order: object) => Promise<string>, more: object = {}) => {
        const [who, mobile] = [await guest(server, 'in-gpay'), freshMobile()];
        const [nonce, sub] = [await nonceFor(who), `g-${mobile}`];
        const phoneToken = await make({ nonce, sub, phone: `+91 ${mobile}`, ...more });
        const { status, body } = await auth(
          'gpay',
          { nonce, proof: { idToken: await identity({ nonce, sub }) }, phoneToken },
          who,
        );
        return [status, (body as SessionReply).attributes.mobile === mobile];
      };
      expect(await asked(phone)).toEqual([200, true]);
      expect(await asked(identity)).toEqual([200, false]);
      expect(await asked(phone, { expiresInSeconds: -60 })).toEqual([200, false]);
    });

    describe('an account that came without a number', () => {
      const home = { latitude: 28.6, longitude: 77.2, houseNo: '12', address: 'Rose Street', type: 'home' as const };
      /** Logs in, with a number where one is given. */
      async function inside(sub: string, mobile?: string): Promise<Person> {
        const who = await guest(server, 'in-gpay');
        const nonce = await nonceFor(who);
        const proof = { idToken: await identity({ nonce, sub }) };
        const token = mobile && { phoneToken: await phone({ nonce, sub, phone: `+91 ${mobile}` }) };
        const { body } = await auth('gpay', { nonce, proof, ...token }, who);
        return person(body, 'in-gpay');
      }
      const mobileOf = ({ reply }: Person) => reply.attributes.mobile;

      test('takes the number that a code proves, and keeps it', async () => {
        const mobile = freshMobile();
        const before = await inside(`g-${mobile}`);
        expect(mobileOf(before)).toBeUndefined();
        const after = await logIn(server, mobile, 'in-gpay', before);
        expect([after.userId, mobileOf(after), after.reply.attributes.phoneNumberVerified]).toEqual([
          before.userId,
          mobile,
          true,
        ]);
        const again = await inside(`g-${mobile}`);
        expect([again.userId, mobileOf(again)]).toEqual([before.userId, mobile]);
        await server.advance(31);
        expect((await logIn(server, mobile)).userId).toBe(before.userId);
      });

      test('takes the number that a later login of the app brings', async () => {
        const mobile = freshMobile();
        const before = await inside(`g-${mobile}`);
        const later = await inside(`g-${mobile}`, mobile);
        expect([later.userId, mobileOf(later)]).toEqual([before.userId, mobile]);
      });

      test.each(['a code', 'a later login of the app'])(
        'is one with the account of its number once %s proves it: what it held is there, and the app leads there',
        async (how) => {
          const mobile = freshMobile();
          const old = await logIn(server, mobile);
          await server.advance(31);
          const own = await inside(`g-${mobile}`);
          await server.call(addresses.create, { mobNo: own.userId, body: home }, own.as);
          const now =
            how === 'a code' ? await logIn(server, mobile, 'in-gpay', own) : await inside(`g-${mobile}`, mobile);
          expect([now.userId, mobileOf(now)]).toEqual([old.userId, mobile]);
          expect((await server.call(addresses.list, { userId: now.userId }, now.as)).body.addresses).toMatchObject([
            home,
          ]);
          expect((await inside(`g-${mobile}`)).userId).toBe(old.userId);
        },
      );

      describe('and is a member', () => {
        const pool = during(
          () => openDb(server.database.target),
          undefined,
          ({ db }) => db.destroy(),
        );
        const enroll = async ({ as }: Person) =>
          (await server.call(loyalty.register, { query: { enroll: 'true' } }, as)).body.loyalty;
        const points = async ({ as }: Person) => (await server.call(loyalty.user, {}, as)).body.loyalty.balance.overall;
        const entries = async ({ as }: Person) =>
          (await server.call(loyalty.transactions, { query: {} }, as)).body.entries.map(({ amount, reason }) => [
            amount,
            reason,
          ]);
        /** Points that orders gave. */
        const earn = async ({ userId }: Person, amount: number) =>
          await transact(pool.db, async (tx) => {
            const { account_id: accountId } = (await memberOf(tx, userId))!;
            await movePoints(tx, { accountId, reason: 'ORDER', about: `of ${userId}`, amount, at: Date.now() });
          });
        beforeAll(async () => {
          const { now } = await readSystem(pool.db);
          const campaign = {
            country: 'IN',
            reason: 'Welcome',
            points: 3,
            starts_at: now - 1,
            ends_at: now + 86_400_000,
          };
          await pool.db
            .insertInto('loyalty_campaigns')
            .values({ id: 'welcome', ...campaign })
            .execute();
        });

        test('brings its points into the account of its number: one sum, and a campaign gives once [LOY-01]', async () => {
          const mobile = freshMobile();
          const old = await logIn(server, mobile);
          await server.advance(31);
          const own = await inside(`g-${mobile}`);
          for (const one of [old, own]) await enroll(one);
          await earn(old, 4);
          await earn(own, 2);
          const now = await logIn(server, mobile, 'in-gpay', own);
          expect(await points(now)).toEqual({ points: 9 });
          expect(await entries(now)).toContainEqual([2, serverText.pointsJoined]);
          // Joined again, a campaign gives nothing anew.
          await enroll(now);
          expect(await points(now)).toEqual({ points: 9 });
        });
      });

      describe('and is on a second device', () => {
        const two = async () => {
          await openShop(server);
          const mobile = freshMobile();
          const owner = await logIn(server, mobile);
          await server.advance(31);
          const [first, second] = [await inside(`g-${mobile}`), await inside(`g-${mobile}`)];
          expect(second.userId).toBe(first.userId);
          const { where, productId } = PLACES['IN']!;
          const there = new Customer(server, second, where, productId, mobile);
          const recent = async ({ as }: Person) =>
            (await server.call(orders.recent, {}, as)).body.orders.map(({ orderId }) => orderId);
          return { mobile, owner, first, second, there, recent };
        };
        afterEach(() => {
          submitSteps.before = null;
        });

        test('that device is logged out once the accounts are one, and finds its order with the next login', async () => {
          const { mobile, owner, first, second, there, recent } = await two();
          const { order } = await there.order({ paymentMode: 'GPAY' });
          await logIn(server, mobile, 'in-gpay', first);
          expect(codeOf(await server.call(orders.recent, {}, second.as))).toBe('TOKEN_INVALID');
          const { userId } = second;
          const body = { userId, refreshToken: second.reply.credentials.refreshToken! };
          expect((await server.call(session.refresh, { body }, { apiKey: 'in-gpay' })).status).toBe(401);
          const now = await inside(`g-${mobile}`);
          expect([now.userId, await recent(now)]).toEqual([owner.userId, [order.orderId]]);
        });

        test('an order that it was just sending is not made in the account that is no more', async () => {
          const { mobile, first, there, recent } = await two();
          const { version, bill } = await there.fill();
          submitSteps.before = async (step) => {
            if (step === 'begin') await logIn(server, mobile, 'in-gpay', first);
          };
          const options = { paymentMode: 'GPAY' as const, cartVersion: version, total: bill.total };
          await expect(there.submit(options)).rejects.toThrow(/no new session: 401/);
          const now = await inside(`g-${mobile}`);
          expect(await recent(now)).toEqual([]);
          expect(
            (await server.call(cart.byId, { cartId: now.cartId, query: {} }, now.as)).body.cart.validItems,
          ).toHaveLength(1);
        });
      });

      test("somebody else's way in ends when the owner signs out on other devices; the owner's own opens with the number", async () => {
        const mobile = freshMobile();
        const owner = await inside(`g-own-${mobile}`, mobile);
        // One code of the owner, read to somebody who is logged in as themselves.
        const thief = await logIn(server, mobile, 'in-gpay', await inside(`g-thief-${mobile}`));
        expect([thief.userId, (await inside(`g-thief-${mobile}`)).userId]).toEqual([owner.userId, owner.userId]);
        await server.advance(31);
        const onWeb = await logIn(server, mobile);
        expect((await server.call(session.logoutOthers, {}, onWeb.as)).body.ended).toBe(3);
        for (const { as } of [owner, thief]) expect((await server.call(orders.recent, {}, as)).status).toBe(401);
        const back = await inside(`g-thief-${mobile}`);
        expect([back.userId === owner.userId, mobileOf(back)]).toEqual([false, undefined]);
        expect((await inside(`g-own-${mobile}`, mobile)).userId).toBe(owner.userId);
      });

      test('an account with a number keeps it, whatever number a code proves in it', async () => {
        const [mobile, other] = [freshMobile(), freshMobile()];
        const own = await inside(`g-${mobile}`, mobile);
        const switched = await logIn(server, other, 'in-gpay', own);
        expect([switched.userId === own.userId, mobileOf(switched)]).toEqual([false, other]);
        expect(mobileOf(await inside(`g-${mobile}`))).toBe(mobile);
      });
    });

    test('keys that are rotated: the new one is fetched, the one before still counts, one that was withdrawn does not', async () => {
      const own = await startServer({ engine, settings });
      const at = async (path: string, order: object = {}) =>
        (await (await fetch(own.url + path, { method: 'POST', body: JSON.stringify(order) })).json()) as {
          token: string;
        };
      const rotated = () => at('/vendors/google/rotate');
      const made = async () => {
        const who = await guest(own, 'in-gpay');
        const nonce = ((await own.call(vendors.nonce, { vendor: 'gpay' }, who.as)).body as { nonce: string }).nonce;
        const credential = {
          nonce,
          proof: { idToken: (await at('/vendors/google/identity', { nonce })).token },
          phoneToken: (await at('/vendors/google/phone', { nonce })).token,
        };
        return async () => (await own.call(vendors.auth, { vendor: 'gpay', body: { credential } }, who.as)).status;
      };
      // Keys are not fetched twice within a second; a login that comes in between is asked again, as a customer would.
      const accepted = (login: () => Promise<number>) =>
        vi.waitFor(async () => expect(await login()).toBe(200), { timeout: 45_000, interval: 200 });
      try {
        await accepted(await made());
        const [first, second] = [await made(), await made()];
        await rotated();
        await accepted(await made());
        expect(await first()).toBe(200);
        await rotated();
        await accepted(await made());
        expect(await second()).toBe(422);
      } finally {
        await own.stop();
      }
    });

    test("a nonce is used once, and is one person's", async () => {
      const who = await guest(server, 'in-gpay');
      const nonce = await nonceFor(who);
      const idToken = await identity({ nonce, sub: `g-once-${engine}` });
      const other = await guest(server, 'in-gpay');
      refused(await auth('gpay', { nonce, proof: { idToken } }, other));
      const both = await Promise.all([
        auth('gpay', { nonce, proof: { idToken } }, who),
        auth('gpay', { nonce, proof: { idToken } }, who),
      ]);
      expect(both.filter((answer) => answer.status === 200)).toHaveLength(1);
    });

    test('a nonce is dead after five minutes', async () => {
      const who = await guest(server, 'in-gpay');
      const nonce = await nonceFor(who);
      await server.advance(300);
      refused(await auth('gpay', { nonce, proof: { idToken: await identity({ nonce }) } }, who));
    });
  });

  describe('paytm', () => {
    const code = async (order: object = {}) =>
      (await post('/vendors/paytm/authcode', { clientId: CLIENT, ...order })) as { authId: string; openId: string };

    test('an auth code is exchanged on the server for the person behind it [API-16] [MINI-06]', async () => {
      const [who, mobile] = [await guest(server, 'in-paytm'), freshMobile()];
      const { authId, openId } = await code({
        user: { id: `p-${mobile}`, phone: mobile, displayName: 'Ravi Kumar Singh' },
      });
      const done = await auth('paytm', { nonce: '', proof: { authCode: authId, openId } }, who);
      expect(done.status).toBe(200);
      expect((done.body as SessionReply).attributes).toMatchObject({
        mobile,
        loginType: 'paytm',
        firstName: 'Ravi',
        lastName: 'Kumar Singh',
      });
    });

    test('no code of our own is sent or believed there, whatever the page asks for; an app that allows it has them', async () => {
      const ask = async (apiKey: string) => {
        const { as } = await guest(server, apiKey);
        const mobile = freshMobile();
        const told = { body: { mobile, code: '000000' } };
        const answers = [];
        for (const endpoint of [login.sendOtp, login.resendOtp, login.validateOtp])
          answers.push(codeOf(await server.call(endpoint, told, as)));
        return [...answers, (await server.inbox(`+91${mobile}`)).length];
      };
      expect(await ask('in-paytm')).toEqual(['FEATURE_BLOCKED', 'FEATURE_BLOCKED', 'FEATURE_BLOCKED', 0]);
      expect(await ask('in-gpay')).toEqual(['', 'OTP_WAIT', 'OTP_WRONG', 1]);
    });

    test('a code that was used, that another app was given, or nobody, is refused', async () => {
      const log = async (authCode: string) =>
        await auth('paytm', { nonce: '', proof: { authCode } }, await guest(server, 'in-paytm'));
      const { authId } = await code();
      expect((await log(authId)).status).toBe(200);
      for (const bad of [authId, (await code({ clientId: 'another-app' })).authId, 'made-up']) refused(await log(bad));
    });

    test('keys and accounts that cannot be reached are a refusal, not a fault of ours', async () => {
      const nowhere = 'http://127.0.0.1:9';
      const keys = { GPAY_JWKS_URL: `${nowhere}/certs`, GPAY_PHONE_JWKS_URL: `${nowhere}/certs` };
      const accounts = { PAYTM_TOKEN_URL: `${nowhere}/token`, PAYTM_USER_URL: `${nowhere}/user` };
      const ids = { PAYTM_CLIENT_ID: CLIENT, PAYTM_CLIENT_SECRET: 'secret', GPAY_CLIENT_ID: 'pizza-gpay' };
      const environment = { ...ids, ...accounts, ...keys };
      const own = await startServer({ engine, settings: { ...settings, environment } });
      try {
        const ask = async (vendor: string, credential: VendorCredential) =>
          await own.call(vendors.auth, { vendor, body: { credential } }, (await guest(own, `in-${vendor}`)).as);
        refused(await ask('paytm', { nonce: '', proof: { authCode: 'x' } }));
        refused(await ask('gpay', { nonce: 'n', proof: { idToken: await identity({ nonce: 'n' }) } }));
      } finally {
        await own.stop();
      }
    });
  });

  test('a vendor is there only inside its own app, and takes its own credential only', async () => {
    const web = await guest(server);
    expect((await server.call(vendors.nonce, { vendor: 'gpay' }, web.as)).status).toBe(404);
    const inPaytm = await guest(server, 'in-paytm');
    expect((await server.call(vendors.nonce, { vendor: 'gpay' }, inPaytm.as)).status).toBe(404);
    refused(await auth('paytm', { nonce: 'y', proof: { idToken: 'x' } }, inPaytm));
  });
});

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, test } from 'vitest';
import { countryConfig } from '../../country/index.ts';
import * as errors from '#text/errors.ts';
import * as serverText from '#text/server.ts';
import { DEVICE_HEADER } from '../../src/contract/challenge.ts';
import * as config from '../../src/contract/config.ts';
import * as devices from '../../src/contract/devices.ts';
import * as login from '../../src/contract/login.ts';
import * as orders from '../../src/contract/orders.ts';
import * as profile from '../../src/contract/profile.ts';
import * as session from '../../src/contract/session.ts';
import type { SessionReply } from '../../src/contract/session.ts';
import { serve } from '../../src/server/app.ts';
import { PRODUCTION } from '../kit/production.ts';
import { engines, caller, startServer, testDatabase, type CallOptions, type TestServer } from '../kit/server.ts';
import { codeFor, codeOf, freshMobile, guest, logIn, logInByPaytm, person, proof, type Person } from './people.ts';
import { Customer, PLACES } from './shop.ts';
import { shopHere } from './shopHere.ts';

const PHONE = 'Mozilla/5.0 (Linux; Android 15; Pixel 8) AppleWebKit/537.36 Chrome/130.0.0.0 Mobile Safari/537.36';
const ASHA = { firstName: 'Asha', lastName: 'Rao', email: 'asha@example.in' };
const codesOf = (answer: unknown) =>
  (answer as { body: { errors?: { code: string }[] } }).body.errors?.map(({ code }) => code);
const saidOf = (answer: unknown) =>
  (answer as { body: { errors?: { field?: string; displayMsg: string }[] } }).body.errors?.map(
    ({ field, displayMsg }) => [field, displayMsg],
  );

describe.each(await engines())('the profile on %s', (engine) => {
  const { server, db } = shopHere({ engine }, 3_600);

  const update = (who: Person, body: object, as: CallOptions = {}) =>
    server.call(profile.update, { body }, { ...who.as, ...as });
  const inboxCode = async (to: string) => /\d{6}/.exec((await server.inbox(to))[0] ?? '')![0];

  test('says every field that is wrong in the exact words, and to change one where none was [AUTH-23] [ERR-39] [ERR-40]', async () => {
    const me = await logIn(server);
    const nothing = await update(me, { firstName: ' ', lastName: '', email: 'asha@x' });
    expect(nothing.status).toBe(422);
    expect(saidOf(nothing)).toEqual([
      ['firstName', 'Please enter first name.'],
      ['lastName', 'Please enter last name.'],
      ['email', 'Invalid email.'],
    ]);
    expect((await update(me, ASHA)).status).toBe(200);
    const same = await update(me, { ...ASHA, firstName: ' Asha ' });
    expect([same.status, codesOf(same), saidOf(same)]).toEqual([
      422,
      ['NOTHING_CHANGED'],
      [[undefined, 'Please change a field before saving.']],
    ]);
  });

  test('an email of 254 characters is kept whole wherever it can be typed, and a longer one is refused as no email [AUTH-24]', async () => {
    const me = await logIn(server);
    const email = `${'a'.repeat(64)}@${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(58)}.co`;
    expect(email).toHaveLength(254);
    const kept = await update(me, { ...ASHA, email: ` ${email} ` });
    expect([kept.status, kept.body.attributes.email]).toEqual([200, email]);
    const longer = await update(me, { ...ASHA, email: `d${email}` });
    expect([longer.status, saidOf(longer)]).toEqual([422, [['email', 'Invalid email.']]]);
    const who = await guest(server);
    const send = (typed: string) =>
      server.call(login.sendOtp, { body: { mobile: freshMobile(), email: typed } }, who.as);
    const unsent = await send(`d${email}`);
    expect([unsent.status, saidOf(unsent)]).toEqual([422, [['email', 'Invalid email.']]]);
    expect((await send(email)).status).toBe(200);
    const { body } = await server.call(
      orders.validations,
      {
        body: {
          cartId: who.cartId,
          storeId: '10101',
          deliveryType: 'PICKUP',
          customer: { firstName: 'A', lastName: '', mobile: freshMobile(), email },
          paymentMode: 'COD',
        },
      },
      who.as,
    );
    expect(body.problems.map(({ code }) => code)).not.toContain('INVALID_EMAIL');
  });

  test('is changed for this person alone, trimmed, and told with every later refresh [API-08] [AUTH-22]', async () => {
    const [me, other] = [await logIn(server), await logIn(server)];
    const done = await update(me, { ...ASHA, firstName: ' Asha ', unknown: 'field' });
    expect([done.status, done.body.attributes]).toMatchObject([
      200,
      { ...ASHA, userId: me.userId, emailVerified: false, phoneNumberVerified: true },
    ]);
    const later = (await server.call(session.refresh, {
      body: { userId: me.userId, refreshToken: me.reply.credentials.refreshToken! },
    })) as { body: SessionReply };
    expect(later.body.attributes).toMatchObject(ASHA);
    const theirs = await server.call(session.refresh, {
      body: { userId: other.userId, refreshToken: other.reply.credentials.refreshToken! },
    });
    expect((theirs.body as SessionReply).attributes.firstName).toBeUndefined();
  });

  test('what was changed elsewhere meanwhile is not written over, and a lost reply may be asked for again', async () => {
    const me = await logIn(server);
    const before = { firstName: '', lastName: '', email: '' };
    expect((await update(me, { ...ASHA, before })).status).toBe(200);
    expect((await update(me, { ...ASHA, before })).status).toBe(200);
    const late = await update(me, { ...ASHA, lastName: 'Iyer', before });
    expect([late.status, codesOf(late)]).toEqual([409, ['PROFILE_CHANGED']]);
    const storm = await Promise.all(
      Array.from({ length: 8 }, (_, at) => update(me, { ...ASHA, lastName: `Rao ${at}`, before: ASHA })),
    );
    expect(storm.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 7 }, () => 409)]);
  });

  test('an email is confirmed by the code that came to it, and another one is not', async () => {
    const me = await logIn(server);
    const early = await server.call(profile.sendEmailCode, {}, me.as);
    expect([early.status, saidOf(early)]).toEqual([422, [['email', serverText.emailMissing]]]);
    const email = `asha.${me.userId.slice(-6)}@example.in`;
    await update(me, { ...ASHA, email });
    expect((await server.call(profile.sendEmailCode, {}, me.as)).status).toBe(200);
    const again = await server.call(profile.sendEmailCode, {}, me.as);
    expect([again.status, codeOf(again)]).toEqual([429, 'OTP_WAIT']);
    const code = await inboxCode(email);
    const wrong = await server.call(
      profile.confirmEmail,
      { body: { code: code === '111111' ? '222222' : '111111' } },
      me.as,
    );
    expect([wrong.status, codeOf(wrong)]).toEqual([422, 'OTP_WRONG']);
    // Somebody else's code of the same email is of no use to me, nor is mine to them.
    const other = await logIn(server);
    await update(other, { ...ASHA, email });
    expect((await server.call(profile.confirmEmail, { body: { code } }, other.as)).status).toBe(422);
    const done = await server.call(profile.confirmEmail, { body: { code } }, me.as);
    expect([done.status, done.body.attributes.emailVerified]).toEqual([200, true]);
    expect((await server.call(profile.confirmEmail, { body: { code } }, me.as)).status).toBe(422);
    // Nobody is told to wait for a code that is used already.
    expect(codeOf(await server.call(profile.sendEmailCode, {}, me.as))).toBe('CHALLENGE');
    // A new name leaves it confirmed, a new email does not, and a code for the old one is none for the new one.
    const named = await update(me, { ...ASHA, email, firstName: 'Usha' });
    expect(named.body.attributes.emailVerified).toBe(true);
    const moved = await update(me, { ...ASHA, email: `new.${email}` });
    expect(moved.body.attributes.emailVerified).toBe(false);
    await server.call(profile.sendEmailCode, {}, { ...me.as, headers: await proof(server, me) });
    const late = { body: { code: await inboxCode(`new.${email}`) } };
    await update(me, { ...ASHA, email: `newest.${email}` });
    expect(codeOf(await server.call(profile.confirmEmail, late, me.as))).toBe('OTP_FAILED');
  });

  test('one account that types one address after the other is asked for proofs, and then has to wait; its number is not touched', async () => {
    const me = await logIn(server);
    let typed = 0;
    const send = async (headers: Record<string, string> = {}) => {
      typed += 1;
      await update(me, { ...ASHA, email: `stranger.${typed}.${me.userId.slice(-6)}@example.in` });
      return await server.call(profile.sendEmailCode, {}, { ...me.as, headers });
    };
    const answers: string[] = [];
    for (let n = 0; n < 6; n += 1) answers.push(codeOf(await send()));
    expect(answers).toEqual(['', '', '', '', '', 'CHALLENGE']);
    for (let n = 0; n < 5; n += 1) expect((await send(await proof(server, me))).status).toBe(200);
    const over = await send(await proof(server, me));
    expect([over.status, codeOf(over)]).toEqual([429, 'OTP_LIMIT']);
    await server.advance(31);
    const number = { mobile: freshMobile(), to: 'OLD' as const };
    expect((await server.call(profile.sendNumberCode, { body: number }, me.as)).status).toBe(200);
  });

  const numberCodes = async (who: Person, mobile: string) => {
    for (const to of ['OLD', 'NEW'] as const) {
      const sent = await server.call(profile.sendNumberCode, { body: { mobile, to } }, who.as);
      if (sent.status !== 200) throw new Error(`no code to ${to}: ${JSON.stringify(sent.body)}`);
    }
    return {
      mobile,
      oldCode: await codeFor(server, who.reply.attributes.mobile!),
      newCode: await codeFor(server, mobile),
    };
  };

  test('a number is changed by both codes: orders and profile stay, other devices end, the old number is free', async () => {
    const old = freshMobile();
    const me = await logIn(server, old);
    await update(me, ASHA);
    const { where, productId } = PLACES['IN']!;
    const customer = new Customer(server, me, where, productId, old);
    const { order } = await customer.order({ paymentMode: 'COD' });
    await server.advance(31);
    const elsewhere = await logIn(server, old);
    const typed = await numberCodes(me, freshMobile());
    const { appName: app } = countryConfig('in');
    const told = { app, code: typed.oldCode, end: typed.mobile.slice(-4) };
    expect((await server.inbox(`+91${old}`))[0]).toContain(serverText.numberMessage(told));
    for (const to of ['OLD', 'NEW'] as const) {
      const none = await server.call(profile.sendNumberCode, { body: { mobile: '12', to } }, me.as);
      expect([none.status, saidOf(none)]).toEqual([422, [['mobile', errors.mobileInvalid({ digits: 10 })]]]);
    }

    const off = (code: string) => (code === '111111' ? '222222' : '111111');
    const half = await server.call(profile.changeNumber, { body: { ...typed, newCode: off(typed.newCode) } }, me.as);
    expect([half.status, saidOf(half)]).toEqual([422, [['newCode', errors.otpWrong]]]);
    const other = await server.call(profile.changeNumber, { body: { ...typed, oldCode: off(typed.oldCode) } }, me.as);
    expect([other.status, saidOf(other)]).toEqual([422, [['oldCode', errors.otpWrong]]]);

    // A right code beside a wrong one was not used up.
    const done = await server.call(profile.changeNumber, { body: typed }, me.as);
    expect([done.status, done.body.attributes, done.body.ended]).toMatchObject([
      200,
      { ...ASHA, mobile: typed.mobile, userId: me.userId },
      1,
    ]);
    // The old number hears of it, and nothing that could be a code; the new one has shown that it knows.
    const end = typed.mobile.slice(-4);
    const news = serverText.numberNews({ app: countryConfig('in').appName, end });
    await server.advance(1);
    expect((await server.inbox(`+91${old}`))[0]).toBe(news);
    expect(await server.inbox(`+91${typed.mobile}`)).not.toContain(news);
    expect((await server.call(orders.byId, { orderId: order.orderId }, elsewhere.as)).status).toBe(401);
    expect((await server.call(orders.byId, { orderId: order.orderId }, me.as)).body.order.orderId).toBe(order.orderId);
    await server.advance(31);
    expect((await logIn(server, typed.mobile)).userId).toBe(me.userId);
    expect((await logIn(server, old)).userId).not.toBe(me.userId);
  });

  test("a number that is somebody else's is refused only to who has proven it, and takes nothing from its owner", async () => {
    const [taken, free] = [freshMobile(), freshMobile()];
    const owner = await logIn(server, taken);
    const me = await logIn(server);
    await server.advance(31);
    const asked = async (mobile: string) => {
      const { status, body } = await server.call(profile.sendNumberCode, { body: { mobile, to: 'NEW' } }, me.as);
      return [status, Object.keys(body).sort()];
    };
    expect(await asked(taken)).toEqual(await asked(free));
    const guessed = await server.call(
      profile.changeNumber,
      { body: { mobile: taken, oldCode: '000000', newCode: '000000' } },
      me.as,
    );
    expect([guessed.status, codeOf(guessed)]).toEqual([422, 'OTP_FAILED']);
    await server.advance(31);
    const done = await server.call(profile.changeNumber, { body: await numberCodes(me, taken) }, me.as);
    expect([done.status, saidOf(done)]).toEqual([409, [['mobile', serverText.numberTaken]]]);
    const kept = await server.call(
      profile.sendNumberCode,
      { body: { mobile: me.reply.attributes.mobile!, to: 'NEW' } },
      me.as,
    );
    expect([kept.status, saidOf(kept)]).toEqual([422, [['mobile', serverText.numberSame]]]);
    await server.advance(16 * 60);
    expect((await logIn(server, taken)).userId).toBe(owner.userId);
  });

  test('the code to the new number is bound to the page; the one to the old number is offered to none by itself', async () => {
    const [me, mobile] = [await logIn(server), freshMobile()];
    await server.advance(31);
    const endOf = async (to: 'OLD' | 'NEW', number: string) => {
      const body = { mobile, to, host: 'localhost' };
      expect((await server.call(profile.sendNumberCode, { body }, me.as)).status).toBe(200);
      return (await server.inbox(`+91${number}`))[0]!.split('\n').at(-1);
    };
    expect(await endOf('NEW', mobile)).toMatch(/^@localhost #\d{6}$/);
    expect(await endOf('OLD', me.reply.attributes.mobile!)).not.toContain('@');
  });

  test('the code to the old number is good for one new number only', async () => {
    const me = await logIn(server);
    const [one, two] = [freshMobile(), freshMobile()];
    const { oldCode } = await numberCodes(me, one);
    await server.call(profile.sendNumberCode, { body: { mobile: two, to: 'NEW' } }, me.as);
    const body = { mobile: two, oldCode, newCode: await codeFor(server, two) };
    const swapped = await server.call(profile.changeNumber, { body }, me.as);
    expect([swapped.status, codeOf(swapped)]).toEqual([422, 'OTP_FAILED']);
  });

  test('after a number change its device is known by the new number only, and other browsers hear of no more orders', async () => {
    const [old, mobile] = [freshMobile(), freshMobile()];
    const before = await guest(server);
    await server.call(login.sendOtp, { body: { mobile: old } }, before.as);
    const entered = { mobile: old, code: await codeFor(server, old) };
    const { device, ...reply } = (await server.call(login.validateOtp, { body: entered }, before.as)).body;
    const me = person(reply);
    for (const [endpoint, session_id] of [
      ['own', me.reply.credentials.accessKeyId],
      ['older', null],
    ] as const)
      await db
        .insertInto('push_subscriptions')
        .values({
          ...{ endpoint: `https://push.example/${endpoint}-${mobile}`, user_id: me.userId, session_id },
          ...{ p256dh: 'p', auth: 'a', mount: '/in/', language: 'en', created_at: 1 },
        })
        .execute();
    await server.advance(31);
    const body = await numberCodes(me, mobile);
    const known = { [DEVICE_HEADER]: device };
    const done = await server.call(profile.changeNumber, { body }, { ...me.as, headers: known });
    expect(done.status, JSON.stringify(done.body)).toBe(200);
    const browsers = await db
      .selectFrom('push_subscriptions')
      .select('endpoint')
      .where('user_id', '=', me.userId)
      .execute();
    expect(browsers).toEqual([{ endpoint: `https://push.example/own-${mobile}` }]);
    await server.advance(16 * 60);
    const asks = async (number: string, headers: Record<string, string> = {}) =>
      codeOf(await server.call(login.sendOtp, { body: { mobile: number } }, { ...(await guest(server)).as, headers }));
    // Strangers use up what each number has for them.
    for (const [number, own] of [
      [mobile, ''],
      [old, 'CHALLENGE'],
    ] as const) {
      for (let n = 0; n < 3; n += 1) {
        expect(await asks(number)).toBe('');
        await server.advance(31);
      }
      expect([await asks(number), await asks(number, known)]).toEqual(['CHALLENGE', own]);
    }
  });

  test('of two who prove one number at the same moment one has it', async () => {
    const people = [await logIn(server), await logIn(server)];
    const mobile = freshMobile();
    const typed: Awaited<ReturnType<typeof numberCodes>>[] = [];
    for (const one of people) {
      typed.push(await numberCodes(one, mobile));
      await server.advance(31);
    }
    const answers = await Promise.all(
      people.map((one, at) => server.call(profile.changeNumber, { body: typed[at]! }, one.as)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  });

  test('a payment app vouches for its number: it is not changed there', async () => {
    const me = await logInByPaytm(server);
    const sent = await server.call(profile.sendNumberCode, { body: { mobile: freshMobile(), to: 'OLD' } }, me.as);
    expect([sent.status, codeOf(sent)]).toEqual([403, 'FEATURE_BLOCKED']);
    const named = await update(me, { ...ASHA, email: 'paytm@example.in' });
    expect(named.status).toBe(200);
  });

  test('devices are told by what people know them by, and each can be ended with its tokens and known by nobody else', async () => {
    const mobile = freshMobile();
    const before = await guest(server);
    await server.call(login.sendOtp, { body: { mobile } }, before.as);
    const headers = { 'user-agent': PHONE, storeId: '10102' };
    const body = { mobile, code: await codeFor(server, mobile) };
    const phone = person((await server.call(login.validateOtp, { body }, { ...before.as, headers })).body);
    await server.advance(60);
    const me = await logIn(server, mobile);
    const stranger = await logIn(server);
    const list = (who: Person) => server.call(devices.list, {}, who.as);
    const seen = (await list(me)).body.devices;
    expect(seen.map(({ isThis }) => isThis)).toEqual([true, false]);
    expect(seen[1]).toMatchObject({ device: 'Chrome · Android', app: null });
    expect(seen[1]!.place).toMatch(/^[A-Z].+, .+/);
    // The default store is what a device names that has chosen none.
    const unplaced = await guest(server);
    const other = freshMobile();
    await server.call(login.sendOtp, { body: { mobile: other } }, unplaced.as);
    const code = await codeFor(server, other);
    const inside = { ...unplaced.as, headers: { storeId: '10101' } };
    const there = person((await server.call(login.validateOtp, { body: { mobile: other, code } }, inside)).body);
    expect((await list(there)).body.devices).toMatchObject([{ place: null }]);
    expect(JSON.stringify(seen)).not.toContain('127.0.0.1');

    // A refresh counts as use, and puts it first.
    await server.advance(60);
    const { refreshToken } = phone.reply.credentials;
    const renewed = person(
      (await server.call(session.refresh, { body: { userId: phone.userId, refreshToken: refreshToken! } })).body,
    );
    expect((await list(me)).body.devices.map(({ isThis }) => isThis)).toEqual([false, true]);

    const { sessionId } = seen[1]!;
    const end = (who: Person, id: string) => server.call(devices.end, { sessionId: id }, who.as);
    expect((await end(stranger, sessionId)).status).toBe(404);
    expect((await end(me, seen[0]!.sessionId)).status).toBe(409);
    expect((await list(renewed)).status).toBe(200);
    for (let times = 0; times < 2; times += 1) {
      const ended = await end(me, sessionId);
      expect([ended.status, ended.body.devices.map(({ isThis }) => isThis)]).toEqual([200, [true]]);
    }
    expect((await list(renewed)).status).toBe(401);
    expect(
      (
        await server.call(session.refresh, {
          body: { userId: phone.userId, refreshToken: renewed.reply.credentials.refreshToken! },
        })
      ).status,
    ).toBe(401);
    expect((await list(me)).status).toBe(200);
  });
});

test('a shop in production that has no gateway for emails does not offer to confirm one', async () => {
  for (const [more, isOff] of [
    [{}, true],
    [{ EMAIL_URL: 'https://post.example' }, false],
  ] as const) {
    const own = await startServer({ settings: { development: false, environment: { ...PRODUCTION, ...more } } });
    try {
      const { body } = await own.call(config.app, {});
      expect(body.config.vendorConfig.blockedFeatures.includes('emailConfirm')).toBe(isOff);
    } finally {
      await own.stop();
    }
  }
});

test('emails leave by the gateway, with its key, and one that is away costs nobody a code', async () => {
  const got: { auth: string | undefined; body: { to: string; subject: string; text: string } }[] = [];
  let status = 503;
  const gateway = createServer((asked, response) => {
    let body = '';
    asked.on('data', (chunk: Buffer) => (body += chunk.toString()));
    asked.on('end', () => {
      got.push({ auth: asked.headers.authorization, body: JSON.parse(body) as (typeof got)[0]['body'] });
      response.writeHead(status).end();
    });
  });
  await new Promise<void>((done) => {
    gateway.listen(0, '127.0.0.1', done);
  });
  const database = await testDatabase();
  const own = await serve({
    port: 0,
    database: database.target,
    distDir: null,
    quiet: true,
    development: true,
    environment: { EMAIL_URL: `http://127.0.0.1:${(gateway.address() as AddressInfo).port}`, EMAIL_KEY: 'post-key' },
  });
  try {
    const call = caller(own.url);
    const inbox = async (mobile?: string) => {
      const { inbox: endpoint } = await import('../../src/contract/development.ts');
      return (await call(endpoint, { query: { mobile } })).body.messages.map(({ text }) => text);
    };
    const server = { call, inbox } as unknown as TestServer;
    const me = await logIn(server);
    await call(profile.update, { body: ASHA }, me.as);
    const away = await call(profile.sendEmailCode, {}, me.as);
    expect([away.status, codeOf(away)]).toEqual([502, 'EMAIL_AWAY']);
    status = 200;
    // It was not counted: the next may be asked for at once.
    expect((await call(profile.sendEmailCode, {}, me.as)).status).toBe(200);
    expect(got.at(-1)).toMatchObject({
      auth: 'Bearer post-key',
      body: { to: ASHA.email, subject: 'Your Golden Oven Pizza code' },
    });
    const code = /\d{6}/.exec(got.at(-1)!.body.text)![0];
    const done = await call(profile.confirmEmail, { body: { code } }, me.as);
    expect(done.body.attributes.emailVerified).toBe(true);
    // The development inbox has only what no gateway has taken.
    expect(await inbox(ASHA.email)).toEqual([]);
  } finally {
    gateway.closeAllConnections();
    gateway.close();
    await own.stop();
    await database.drop();
  }
});

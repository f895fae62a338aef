import { describe, expect, test } from 'vitest';
import * as login from '../../src/contract/login.ts';
import type { SessionReply } from '../../src/contract/session.ts';
import * as errors from '#text/errors.ts';
import * as serverText from '#text/server.ts';
import { engines, startServer } from '../kit/server.ts';

import { codeFor, codeOf, freshMobile, guest, logIn, proof } from './people.ts';
import type { Person } from './people.ts';
import { Customer, openShop, PICKUP, PLACES } from './shop.ts';
import { during } from '../kit/during.ts';

const settings = { quiet: true, distDir: null };

describe.each(await engines())('one-time codes on %s', (engine) => {
  const server = during(() => startServer({ engine, settings }));

  const send = (mobile: string, who: Person, more: { host?: string; email?: string; firstName?: string } = {}) =>
    server.call(login.sendOtp, { body: { mobile, ...more } }, who.as);
  const validate = (mobile: string, code: string, who: Person) =>
    server.call(login.validateOtp, { body: { mobile, code } }, who.as);
  const wrongOf = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0');

  test("a number gets six digits, valid five minutes, the last line bound to the page's host [AUTH-06] [API-17] [API-03]", async () => {
    const [who, mobile] = [await guest(server), freshMobile()];
    const sent = await send(mobile, who, { host: 'Localhost' });
    expect(sent.body).toMatchObject({
      status: 'SUCCESS',
      digits: 6,
      expiresInSeconds: 300,
      resendInSeconds: 30,
      sendsLeft: 2,
    });
    const [text = ''] = await server.inbox(`+91${mobile}`);
    expect(text).toMatch(/\n@localhost #\d{6}$/);
  });

  test('the right code logs in and works once [AUTH-10] [API-05]', async () => {
    const [who, mobile] = [await guest(server), freshMobile()];
    await send(mobile, who, { firstName: 'Asha', email: 'asha@example.com' });
    const code = await codeFor(server, mobile);
    const done = await validate(mobile, code, who);
    expect(done.status).toBe(200);
    expect((done.body as SessionReply).attributes).toMatchObject({
      mobile,
      firstName: 'Asha',
      email: 'asha@example.com',
      loginType: 'mobile',
    });
    const again = await validate(mobile, code, who);
    expect([401, 422]).toContain(again.status);
  });

  test('the same number is the same account, whatever the way it is written [AUTH-07]', async () => {
    const mobile = freshMobile();
    const first = await logIn(server, mobile);
    await server.advance(31);
    const second = await logIn(server, mobile);
    expect(second.userId).toBe(first.userId);
    const [who, lk] = [await guest(server, 'lk-web'), freshMobile('lk-web')];
    const sent = await server.call(login.sendOtp, { body: { mobile: `0${lk}` } }, who.as);
    expect(sent.status).toBe(200);
    expect(await server.inbox(`+94${lk}`)).toHaveLength(1);
  });

  test('a login counts the orders that stand, and a cancelled one no more [AUTH-04]', async () => {
    await openShop(server);
    const mobile = freshMobile();
    const counted = async () => {
      await server.advance(31);
      const who = await logIn(server, mobile);
      const { frequency, isVip } = who.reply.attributes;
      return { who, frequency, isVip };
    };
    const shopper = (who: Person) => new Customer(server, who, PICKUP, PLACES['IN']!.productId, mobile);
    const { who, frequency } = await counted();
    expect(frequency).toBe(0);
    const { order } = await shopper(who).order({ paymentMode: 'COD' });
    // Not paid yet, so it does not stand.
    await shopper(who).order({ paymentMode: 'UPI' });
    expect((await counted()).frequency).toBe(1);
    expect((await shopper(who).cancel(order.orderId)).status).toBe(200);
    expect((await counted()).frequency).toBe(0);
    // From ten orders on somebody is one of the best customers, and not before.
    await server.advance(86_400);
    await openShop(server);
    const regular = shopper((await counted()).who);
    for (let n = 1; n <= 9; n += 1) await regular.order({ paymentMode: 'COD' });
    expect(await counted()).toMatchObject({ frequency: 9, isVip: false });
    await regular.order({ paymentMode: 'COD' });
    expect(await counted()).toMatchObject({ frequency: 10, isVip: true });
  });

  test('a number of the wrong length is told so [AUTH-07] [AUTH-17]', async () => {
    const who = await guest(server);
    for (const mobile of ['123', '98765432101', 'abcdefghij']) {
      const answer = await send(mobile, who);
      expect([answer.status, codeOf(answer)]).toEqual([422, 'INVALID_MOBILE']);
      expect(answer.body.errors?.[0]).toMatchObject({
        displayMsg: errors.mobileInvalid({ digits: 10 }),
        field: 'mobile',
        header: 'Oops',
        btnMsg: 'OK',
      });
    }
  });

  test("a code of one person is nobody else's [ERR-47]", async () => {
    const [who, other, mobile] = [await guest(server), await guest(server), freshMobile()];
    await send(mobile, who);
    const answer = await validate(mobile, await codeFor(server, mobile), other);
    expect([answer.status, codeOf(answer)]).toEqual([422, 'OTP_FAILED']);
    expect(answer.body.errors?.[0]?.displayMsg).toBe('Validation failed. please verify your number again.');
  });

  test('a wrong code can be tried five times, then even the right one is dead [AUTH-10]', async () => {
    const [who, mobile] = [await guest(server), freshMobile()];
    await send(mobile, who);
    const code = await codeFor(server, mobile);
    const codes: string[] = [];
    for (let attempt = 0; attempt < 5; attempt += 1) codes.push(codeOf(await validate(mobile, wrongOf(code), who)));
    expect(codes).toEqual(['OTP_WRONG', 'OTP_WRONG', 'OTP_WRONG', 'OTP_WRONG', 'OTP_TRIES']);
    expect(codeOf(await validate(mobile, code, who))).toBe('OTP_TRIES');
  });

  test('what is typed and cannot be a code costs no try', async () => {
    const [who, mobile] = [await guest(server), freshMobile()];
    await send(mobile, who);
    for (const typed of ['12345', '1234567', '12 34', 'abcdef', '12345', '1234567'])
      expect(codeOf(await validate(mobile, typed, who)), typed).toBe('OTP_WRONG');
    expect((await validate(mobile, await codeFor(server, mobile), who)).status).toBe(200);
  });

  test('parallel guesses share the five tries, and parallel right codes log in once', async () => {
    const asked = async () => {
      const [who, mobile] = [await guest(server), freshMobile()];
      await send(mobile, who);
      return { who, mobile, code: await codeFor(server, mobile) };
    };
    const guessed = await asked();
    const wrong = Array.from({ length: 16 }, (_, n) =>
      String((Number(guessed.code) + 1 + n) % 1_000_000).padStart(6, '0'),
    );
    const guesses = await Promise.all(wrong.map((code) => validate(guessed.mobile, code, guessed.who)));
    expect(guesses.filter(({ status }) => status === 200)).toHaveLength(0);
    expect(guesses.filter((answer) => codeOf(answer) === 'OTP_WRONG').length).toBeLessThanOrEqual(4);
    expect(codeOf(await validate(guessed.mobile, guessed.code, guessed.who))).toBe('OTP_TRIES');
    const { who, mobile, code } = await asked();
    const right = await Promise.all(Array.from({ length: 16 }, () => validate(mobile, code, who)));
    expect(right.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(right.every(({ status }) => status < 500)).toBe(true);
  });

  test('a code is dead after five minutes [AUTH-10]', async () => {
    const [who, mobile] = [await guest(server), freshMobile()];
    await send(mobile, who);
    const code = await codeFor(server, mobile);
    await server.advance(300);
    const answer = await validate(mobile, code, who);
    expect([answer.status, codeOf(answer), answer.body.errors?.[0]?.displayMsg]).toEqual([
      422,
      'OTP_EXPIRED',
      serverText.otpExpired,
    ]);
  });

  test('a new code voids the last one [AUTH-09] [API-18] [API-13]', async () => {
    const [who, mobile] = [await guest(server), freshMobile()];
    await send(mobile, who);
    const first = await codeFor(server, mobile);
    await server.advance(30);
    expect((await server.call(login.resendOtp, { body: { mobile } }, who.as)).status).toBe(200);
    expect(await server.inbox(`+91${mobile}`)).toHaveLength(2);
    const second = await codeFor(server, mobile);
    if (first !== second) expect(codeOf(await validate(mobile, first, who))).toBe('OTP_WRONG');
    expect((await validate(mobile, second, who)).status).toBe(200);
  });

  test('sends are 30 s apart, three in 15 minutes, ten a day [AUTH-09]', async () => {
    const [who, mobile] = [await guest(server), freshMobile()];
    expect((await send(mobile, who)).body).toMatchObject({ sendsLeft: 2 });
    const soon = await send(mobile, who);
    expect([soon.status, codeOf(soon)]).toEqual([429, 'OTP_WAIT']);
    expect(soon.headers.get('retry-after')).not.toBeNull();
    await server.advance(30);
    expect((await send(mobile, who)).body).toMatchObject({ sendsLeft: 1 });
    await server.advance(30);
    expect((await send(mobile, who)).body).toMatchObject({ sendsLeft: 0 });
    await server.advance(30);
    // Then with a proof of work each, as many again.
    expect([(await send(mobile, who)).status, codeOf(await send(mobile, who))]).toEqual([428, 'CHALLENGE']);
    const proven = async (one: Person) =>
      await server.call(login.sendOtp, { body: { mobile } }, { ...one.as, headers: await proof(server, one) });
    for (let sent = 0; sent < 3; sent += 1) {
      expect((await proven(who)).status).toBe(200);
      await server.advance(30);
    }
    const over = await proven(who);
    expect([over.status, codeOf(over)]).toEqual([429, 'OTP_LIMIT']);
    // The first of the three that did without a proof was 180 s ago and more.
    const { waitSeconds = 0, displayMsg } = over.body.errors![0]!;
    expect([waitSeconds <= 720, waitSeconds > 600]).toEqual([true, true]);
    expect(over.headers.get('retry-after')).toBe(String(waitSeconds));
    expect(displayMsg).toBe(
      serverText.otpLimit({ time: serverText.waitMinutes({ count: Math.ceil(waitSeconds / 60) }) }),
    );
    const left: number[] = [];
    for (let sent = 3; sent < 10; sent += 1) {
      await server.advance(15 * 60);
      left.push((await send(mobile, await guest(server))).body.sendsLeft);
    }
    // In a quarter of an hour there are three, and of the ten of a day no more than are left.
    expect(left).toEqual([2, 2, 2, 2, 2, 1, 0]);
    await server.advance(15 * 60);
    expect(codeOf(await send(mobile, await guest(server)))).toBe('CHALLENGE');
    await server.advance(24 * 3_600);
    expect((await send(mobile, await guest(server))).status).toBe(200);
  });

  test('parallel sends to one number make one message', async () => {
    const [mobile, people] = [freshMobile(), await Promise.all(Array.from({ length: 8 }, () => guest(server)))];
    const answers = await Promise.all(people.map((who) => send(mobile, who)));
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1);
    expect(await server.inbox(`+91${mobile}`)).toHaveLength(1);
  });

  test('known and unknown numbers are answered alike', async () => {
    const known = freshMobile();
    await logIn(server, known);
    await server.advance(31 * 60);
    const shape = async (mobile: string) => {
      const { status, body } = await send(mobile, await guest(server));
      return { status, body };
    };
    expect(await shape(known)).toEqual(await shape(freshMobile()));
  });

  test('parallel first logins with one number end in one account', async () => {
    const mobile = freshMobile();
    const people: Person[] = [];
    const codes: string[] = [];
    for (let index = 0; index < 3; index += 1) {
      const who = await guest(server);
      await send(mobile, who);
      codes.push(await codeFor(server, mobile));
      people.push(who);
      await server.advance(31);
    }
    const answers = await Promise.all(people.map((who, index) => validate(mobile, codes[index]!, who)));
    expect(answers.map((answer) => answer.status)).toEqual([200, 200, 200]);
    expect(new Set(answers.map((answer) => (answer.body as SessionReply).attributes.userId)).size).toBe(1);
  });

  test("an email that is none is refused with the specification's words [AUTH-24] [ERR-41]", async () => {
    const answer = await send(freshMobile(), await guest(server), { email: 'nobody@nowhere' });
    expect([answer.status, answer.body.errors?.[0]?.displayMsg]).toEqual([422, 'Invalid email.']);
  });

  test('only a host name gets into the message', async () => {
    const [who, mobile] = [await guest(server), freshMobile()];
    await send(mobile, who, { host: 'evil.example #000000\n@pay.example' });
    expect((await server.inbox(`+91${mobile}`))[0]).not.toContain('evil');
  });

  test('an SMS that could not be sent is said so, does not count, and leaves nobody waiting', async () => {
    const own = await startServer({
      engine,
      settings: { ...settings, environment: { SMS_URL: 'http://127.0.0.1:9/' } },
    });
    try {
      const [who, mobile] = [await guest(own), freshMobile()];
      for (let attempt = 0; attempt < 4; attempt += 1) {
        const answer = await own.call(login.sendOtp, { body: { mobile } }, who.as);
        expect([answer.status, codeOf(answer)]).toEqual([502, 'SMS_FAILED']);
      }
    } finally {
      await own.stop();
    }
  });
});

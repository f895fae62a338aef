import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { countryConfig } from '../../country/index.ts';
import { DEVICE_HEADER } from '../../src/contract/challenge.ts';
import * as config from '../../src/contract/config.ts';
import * as deletion from '../../src/contract/deletion.ts';
import * as login from '../../src/contract/login.ts';
import * as passwords from '../../src/contract/passwords.ts';
import * as session from '../../src/contract/session.ts';
import * as serverText from '#text/server.ts';
import { cost } from '../../src/server/rules/people/passwords.ts';
import { openDb } from '../../src/server/store/db.ts';
import { engines, startServer } from '../kit/server.ts';
import { codeFor, codeOf, freshMobile, guest, logIn, person, proof, type Person } from './people.ts';
import { during } from '../kit/during.ts';

const settings = { quiet: true, distDir: null };
const GOOD = 'correct horse battery';
/** A country that has the flag: a row of configuration. */
const withFlag = (isOn: boolean) => Object.assign(countryConfig('in'), { SHOW_LOAGIN_WITH_PASSWORD: isOn });
/** What a hash costs customers; here it is made over a hundred times. */
const { N } = cost;
beforeAll(() => {
  withFlag(true);
  cost.N = 2 ** 8;
});
afterAll(() => {
  withFlag(false);
  cost.N = N;
});

describe.each(await engines())('logging in with a password on %s', (engine) => {
  const server = during(() => startServer({ engine, settings }));

  const enter = (mobile: string, password: string, who: Person, headers: Record<string, string> = {}) =>
    server.call(passwords.login, { body: { mobile, password } }, { ...who.as, headers });
  const change = (who: Person, body: { password: string; current?: string; code?: string }) =>
    server.call(passwords.change, { body }, who.as);
  async function member(password = GOOD): Promise<{ mobile: string; who: Person }> {
    const mobile = freshMobile();
    const who = await logIn(server, mobile);
    expect((await server.call(passwords.standing, {}, who.as)).body).toMatchObject({ isSet: false, needsProof: false });
    expect((await change(who, { password })).body).toMatchObject({ status: 'SUCCESS', ended: 0 });
    return { mobile, who };
  }

  test('who has just proven the number sets a password, and it logs in where the country has the flag [AUTH-19]', async () => {
    const { mobile, who } = await member();
    expect((await server.call(passwords.standing, {}, who.as)).body).toMatchObject({ isSet: true, needsProof: false });
    const next = await guest(server);
    const done = await enter(` ${mobile.slice(0, 5)} ${mobile.slice(5)} `, GOOD, next);
    expect(done.body.attributes).toMatchObject({ userId: who.userId, loginType: 'password', mobile });
    expect(done.body.device).toBeTruthy();
    expect((await server.call(config.app, {})).body.config.logins?.password).toBe(true);
    expect((await server.call(login.searchUser, { body: { mobile } }, next.as)).status).toBe(401);
  });

  test('without the flag, and inside a payment app, there is no password [AUTH-19] [CFG-19]', async () => {
    for (const apiKey of ['lk-web', 'in-gpay', 'in-frame-sample']) {
      const who = await guest(server, apiKey);
      const answer = await enter(freshMobile(apiKey), GOOD, who);
      expect([answer.status, codeOf(answer)]).toEqual([403, 'FEATURE_BLOCKED']);
      expect((await server.call(config.app, {}, { apiKey })).body.config.logins?.password ?? false).toBe(false);
    }
  });

  test('an account that sleeps: only the right password hears of it, and brings it back [AUTH-19] [AUTH-25]', async () => {
    const { mobile, who } = await member();
    await server.advance(31);
    await server.call(deletion.sendCode, { body: {} }, who.as);
    const code = await codeFor(server, mobile);
    expect((await server.call(deletion.ask, { body: { code } }, who.as)).status).toBe(200);
    const next = await guest(server);
    expect(codeOf(await enter(mobile, `${GOOD}!`, next))).toBe('PASSWORD_WRONG');
    const asked = await enter(mobile, GOOD, next);
    expect([asked.status, codeOf(asked), asked.body.errors?.[0]?.btnMsg]).toEqual([
      409,
      'ACCOUNT_ASLEEP',
      serverText.asleepButton,
    ]);
    const back = await enter(mobile, GOOD, next, { [deletion.WAKE_HEADER]: 'yes' });
    expect(back.body.attributes.userId).toBe(who.userId);
  });

  test('it says the same of a wrong password, of a number without one and of a number that nobody has, after the same work', async () => {
    const { mobile } = await member();
    const without = freshMobile();
    await logIn(server, without);
    const answers = [];
    for (const number of [mobile, without, freshMobile()]) {
      const answer = await enter(number, 'something else', await guest(server));
      answers.push([answer.status, answer.body.errors]);
    }
    expect(answers[0]).toEqual([422, [expect.objectContaining({ displayMsg: serverText.passwordWrong })]]);
    expect(answers[1]).toEqual(answers[0]);
    expect(answers[2]).toEqual(answers[0]);
  });

  test('a number has five password tries an hour, then some by proof of work; its own device and the code still work', async () => {
    const mobile = freshMobile();
    const owner = await guest(server);
    await server.call(login.sendOtp, { body: { mobile } }, owner.as);
    const code = await codeFor(server, mobile);
    const entered = await server.call(login.validateOtp, { body: { mobile, code } }, owner.as);
    await change(person(entered.body), { password: GOOD });
    const tries: string[] = [];
    for (let count = 0; count < 6; count += 1)
      tries.push(codeOf(await enter(mobile, `wrong ${count}`, await guest(server))));
    expect(tries).toEqual([...Array<string>(5).fill('PASSWORD_WRONG'), 'CHALLENGE']);
    const stranger = await guest(server);
    expect(codeOf(await enter(mobile, GOOD, stranger))).toBe('CHALLENGE');
    for (let count = 6; count < 11; count += 1)
      tries.push(codeOf(await enter(mobile, `wrong ${count}`, stranger, await proof(server, stranger, 'guesses'))));
    expect(tries.slice(6, 11)).toEqual(Array(5).fill('PASSWORD_WRONG'));
    const over = await enter(mobile, GOOD, stranger, await proof(server, stranger, 'guesses'));
    expect([over.status, codeOf(over)]).toEqual([429, 'TOO_MANY']);
    const known = await enter(mobile, GOOD, await guest(server), { 'device-token': entered.body.device });
    expect(known.status).toBe(200);
    await server.advance(31);
    await logIn(server, mobile);
    await server.advance(3_600);
    expect((await enter(mobile, GOOD, await guest(server))).status).toBe(200);
  });

  test('changing the password makes other devices unknown, and no other browser hears of the account’s orders', async () => {
    const mobile = freshMobile();
    const entersByCode = async () => {
      const asked = await guest(server);
      await server.call(login.sendOtp, { body: { mobile } }, asked.as);
      const code = await codeFor(server, mobile);
      const { body } = await server.call(login.validateOtp, { body: { mobile, code } }, asked.as);
      await server.advance(31);
      return { who: person(body), device: body.device };
    };
    const [other, own] = [await entersByCode(), await entersByCode()];
    const changes = async (password: string, current?: string) => {
      const body = { password, ...(current === undefined ? {} : { current }) };
      const as = { ...own.who.as, headers: { [DEVICE_HEADER]: own.device } };
      expect((await server.call(passwords.change, { body }, as)).status).toBe(200);
    };
    await changes(GOOD);
    const { db } = await openDb(server.database.target);
    try {
      for (const [endpoint, session_id] of [
        ['own', own.who.reply.credentials.accessKeyId],
        ['other', other.who.reply.credentials.accessKeyId],
        // From before it was kept which session it was.
        ['older', null],
      ] as const)
        await db
          .insertInto('push_subscriptions')
          .values({
            ...{ endpoint: `https://push.example/${endpoint}-${mobile}`, user_id: own.who.userId, session_id },
            ...{ p256dh: 'p', auth: 'a', mount: '/in/', language: 'en', created_at: 1 },
          })
          .execute();
      const browsers = async () =>
        (await db.selectFrom('push_subscriptions').select('endpoint').where('user_id', '=', own.who.userId).execute())
          .map(({ endpoint }) => /(\w+)-\d+$/.exec(endpoint)![1])
          .toSorted();
      // Strangers use up the tries that the number has.
      for (let n = 0; n < 5; n += 1) await enter(mobile, `wrong ${n}`, await guest(server));
      const from = async (device: string, password: string) =>
        codeOf(await enter(mobile, password, await guest(server), { [DEVICE_HEADER]: device }));
      expect([await from(other.device, GOOD), await from(own.device, GOOD)]).toEqual(['', '']);
      expect(await browsers()).toEqual(['older', 'other', 'own']);
      await changes('a better one', GOOD);
      expect(await browsers()).toEqual(['own']);
      expect([await from(other.device, 'a better one'), await from(own.device, 'a better one')]).toEqual([
        'CHALLENGE',
        '',
      ]);
    } finally {
      await db.destroy();
    }
  });

  test('a crowd of password logins waits in a line that has an end; those behind it are told to come later', async () => {
    // So much of a hash's cost that a crowd has to wait.
    cost.N = N / 4;
    const people = await Promise.all(Array.from({ length: 40 }, () => guest(server)));
    const numbers = people.map(() => freshMobile());
    const answers = await Promise.all(people.map((who, at) => enter(numbers[at]!, 'something else', who)));
    const isBusy = ({ status }: (typeof answers)[number]) => status === 503;
    // Two are looked at and twenty-four wait; the places of those who are through meanwhile are taken again.
    expect(answers.filter((one) => !isBusy(one)).map(codeOf)).toEqual(
      Array.from({ length: answers.length - answers.filter(isBusy).length }, () => 'PASSWORD_WRONG'),
    );
    expect(answers.filter((one) => !isBusy(one)).length).toBeGreaterThanOrEqual(26);
    const [busy] = answers.filter(isBusy);
    expect([busy && codeOf(busy), busy?.body.errors?.[0]?.displayMsg]).toEqual(['BUSY', serverText.tooManyRequests]);
    cost.N = N;
    const { mobile, who } = await member();
    const { db } = await openDb(server.database.target);
    // A password that nobody looked at is no wrong one.
    const counted = await db
      .selectFrom('counters')
      .select('id')
      .where('id', 'like', 'passwords-of|%')
      .where('used', '>', 0)
      .execute();
    const isCounted = (number: string) => counted.some(({ id }) => id === `passwords-of|+91${number}`);
    expect(numbers.map(isCounted)).toEqual(answers.map((one) => !isBusy(one)));
    const kept = await db.selectFrom('passwords').select('hash').where('user_id', '=', who.userId).executeTakeFirst();
    await db.destroy();
    expect(kept?.hash).toMatch(/^scrypt\$32768\$8\$3\$/);
    // A hash keeps the cost of its time, whatever one costs later.
    cost.N = 2 ** 8;
    for (let n = 0; n < 3; n += 1) expect((await enter(mobile, GOOD, await guest(server))).status).toBe(200);
  });

  test('one proof of work is enough for a change that two limits want one for', async () => {
    await server.advance(3_600);
    const { who } = await member();
    const changeWith = async (current: string, headers: Record<string, string> = {}) =>
      codeOf(await server.call(passwords.change, { body: { password: `${GOOD}!`, current } }, { ...who.as, headers }));
    for (let n = 0; n < 5; n += 1) expect(await changeWith(`wrong ${n}`)).toBe('PASSWORD_WRONG');
    // Neither limit counts what lacks its proof.
    for (let n = 0; n < 30; n += 1) expect(await changeWith(`wrong ${n}`)).toBe('CHALLENGE');
    for (let n = 0; n < 3; n += 1)
      expect(await changeWith(`wrong ${n}`, await proof(server, who, 'guesses'))).toBe('PASSWORD_WRONG');
    expect(await changeWith(GOOD, await proof(server, who, 'guesses'))).toBe('');
  });

  test('30 guesses a millisecond apart share the tries, and leave those to whoever brings a proof of work', async () => {
    // The slower the machine, the more of the crowd before have used up tries of this address.
    await server.advance(3_600);
    const { mobile } = await member();
    const people = await Promise.all(Array.from({ length: 30 }, () => guest(server)));
    const answers = await Promise.all(
      people.map(async (who, index) => {
        // A millisecond apart, some read how they stand while others are counted.
        await setTimeout(index);
        return codeOf(await enter(mobile, `wrong ${index}`, who));
      }),
    );
    expect(answers.filter((code) => code === 'PASSWORD_WRONG').length).toBeLessThanOrEqual(5);
    expect(answers.filter((code) => !['PASSWORD_WRONG', 'CHALLENGE', 'BUSY'].includes(code))).toEqual([]);
    const owner = await guest(server);
    const worked = await enter(mobile, GOOD, owner, await proof(server, owner, 'guesses'));
    expect([worked.status, codeOf(worked)]).toEqual([200, '']);
  });

  test('eight to 128 characters of any script, as they are typed; what everybody takes, and the own number, are refused', async () => {
    const mobile = freshMobile();
    const who = await logIn(server, mobile);
    for (const [password, code, displayMsg] of [
      ['short 7', 'PASSWORD_SHORT', serverText.passwordShort({ count: 8 })],
      ['पनीर', 'PASSWORD_SHORT', serverText.passwordShort({ count: 8 })],
      ['x'.repeat(129), 'PASSWORD_LONG', serverText.passwordLong({ count: 128 })],
      ['Password123', 'PASSWORD_COMMON', serverText.passwordCommon],
      ['zzzzzzzzzz', 'PASSWORD_COMMON', serverText.passwordCommon],
      [`+91${mobile}`, 'PASSWORD_COMMON', serverText.passwordCommon],
    ] as const) {
      const answer = await change(who, { password });
      expect([
        answer.status,
        codeOf(answer),
        answer.body.errors?.[0]?.displayMsg,
        answer.body.errors?.[0]?.field,
      ]).toEqual([422, code, displayMsg, 'password']);
    }
    for (const password of ['🍕🧀'.repeat(4), ' spaces count ', `é${'m'.repeat(100)} x`, 'ab'.repeat(64)]) {
      expect((await change(who, { password })).status).toBe(200);
      expect((await enter(mobile, password.normalize('NFD'), await guest(server))).status).toBe(200);
      expect(codeOf(await enter(mobile, `${password} `, await guest(server)))).toBe('PASSWORD_WRONG');
    }
  });

  test('later it takes the old password or a code; a change ends what is logged in elsewhere, and the old one is over', async () => {
    const { mobile, who } = await member();
    await server.advance(11 * 60);
    const elsewhere = person((await enter(mobile, GOOD, await guest(server))).body);
    expect((await server.call(passwords.standing, {}, elsewhere.as)).body).toMatchObject({ needsProof: true });
    const [NEXT, THIRD] = ['a better one', 'and one more'];
    expect(codeOf(await change(who, { password: NEXT }))).toBe('PROOF_NEEDED');
    expect(codeOf(await change(who, { password: NEXT, current: 'not it' }))).toBe('PASSWORD_WRONG');
    // A field for a code that was left empty is none.
    expect((await change(who, { password: NEXT, current: GOOD, code: '' })).body.ended).toBe(1);
    expect((await server.call(passwords.standing, {}, elsewhere.as)).status).toBe(401);
    expect(codeOf(await enter(mobile, GOOD, await guest(server)))).toBe('PASSWORD_WRONG');
    const again = person((await enter(mobile, NEXT, await guest(server))).body);
    expect((await server.call(passwords.sendCode, { body: {} }, again.as)).status).toBe(200);
    const code = await codeFor(server, mobile);
    const wrong = String((Number(code) + 1) % 1_000_000).padStart(6, '0');
    expect(codeOf(await change(again, { password: THIRD, code: wrong }))).toBe('OTP_WRONG');
    expect((await change(again, { password: THIRD, code })).body.ended).toBe(1);
    expect((await server.call(session.logout, {}, who.as)).status).toBe(401);
    expect((await enter(mobile, THIRD, await guest(server))).status).toBe(200);
  });

  test('whoever is in a session guesses at its password five times and no more; the right one starts the count anew', async () => {
    const guesses = async (who: Person, ...tries: readonly string[]) => {
      const codes: string[] = [];
      for (const current of tries) codes.push(codeOf(await change(who, { password: `another ${current}`, current })));
      return codes;
    };
    const wrong = (count: number) => Array.from({ length: count }, (_, n) => `wrong ${n}`);
    const five = Array<string>(5).fill('PASSWORD_WRONG');
    expect(await guesses((await member()).who, ...wrong(5), GOOD)).toEqual([...five, 'CHALLENGE']);
    expect(await guesses((await member()).who, ...wrong(4), GOOD, 'wrong again')).toEqual([
      ...five.slice(1),
      '',
      'PASSWORD_WRONG',
    ]);
  });

  test('the number hears by SMS of each password that is set, in the language of who set it, and of none that was refused', async () => {
    const [mobile, app] = [freshMobile(), countryConfig('in').appName];
    const who = await logIn(server, mobile);
    const news = async () => {
      await server.advance(1);
      return (await server.inbox(`+91${mobile}`)).filter((text) => !/^\d{6} /.test(text));
    };
    expect(codeOf(await change(who, { password: 'zzzzzzzzzz' }))).toBe('PASSWORD_COMMON');
    expect(await news()).toEqual([]);
    await change(who, { password: GOOD });
    expect(await news()).toEqual([serverText.passwordNews({ app })]);
    await change(who, { password: 'a better one', current: GOOD });
    expect(await news()).toEqual([serverText.passwordNews({ app }), serverText.passwordNews({ app })]);
    expect((await news()).join(' ')).not.toMatch(/\d{4}/);
  });

  test('setting the password that the account already has changes nothing and tells nobody, but still needs its proof', async () => {
    const { mobile, who } = await member();
    const elsewhere = person((await enter(mobile, GOOD, await guest(server))).body);
    const heard = async () => {
      await server.advance(1);
      return (await server.inbox(`+91${mobile}`)).filter((text) => !/^\d{6} /.test(text)).length;
    };
    expect(await heard()).toBe(1);
    expect((await change(who, { password: GOOD })).body).toMatchObject({ status: 'SUCCESS', ended: 0 });
    await server.advance(11 * 60);
    expect(codeOf(await change(who, { password: GOOD }))).toBe('PROOF_NEEDED');
    expect((await change(who, { password: GOOD, current: GOOD })).body).toMatchObject({ ended: 0 });
    await server.call(passwords.sendCode, { body: {} }, who.as);
    const code = await codeFor(server, mobile);
    expect((await change(who, { password: GOOD, code })).body).toMatchObject({ ended: 0 });
    expect(await heard()).toBe(1);
    expect((await server.call(passwords.standing, {}, elsewhere.as)).status).toBe(200);
    expect((await change(who, { password: 'a better one', current: GOOD })).body).toMatchObject({ ended: 1 });
    expect(await heard()).toBe(2);
  });

  test('whoever sets one password after the other is stopped before the work is done, with a code and without', async () => {
    const { who } = await member();
    const answers = new Set<string>();
    for (let count = 0; count < 40; count += 1) {
      const code = count % 2 === 0 ? { code: '000000' } : {};
      answers.add(codeOf(await change(who, { password: `another one ${count}`, ...code })));
      if (answers.has('CHALLENGE')) break;
    }
    expect([...answers]).toContain('CHALLENGE');
  });

  test('who forgot it proves the number by each of the four addresses, and sets another one [AUTH-19] [API-09] [API-13]', async () => {
    const { mobile } = await member();
    for (const path of [
      '/loginhandler/forgotpassword',
      '/sso-aggregation/ve2/forgotpassword',
      '/sso-aggregation/ve3/forgotpassword',
      '/sso-aggregation/ve4/forgotpassword',
    ]) {
      // Codes to a number have a wait and a budget of their own.
      await server.advance(16 * 60);
      const who = await guest(server);
      const sent = await server.call(
        { ...login.sendOtp, path: path as typeof login.sendOtp.path },
        { body: { mobile } },
        who.as,
      );
      expect([path, sent.status]).toEqual([path, 200]);
      const code = await codeFor(server, mobile);
      const done = await server.call(login.validateOtp, { body: { mobile, code } }, who.as);
      const password = `forgotten ${path}`;
      expect((await change(person(done.body), { password })).status).toBe(200);
      expect((await enter(mobile, password, await guest(server))).status).toBe(200);
    }
    // Of a number that nobody has it says the same.
    const stranger = await guest(server);
    const forgot = { ...login.sendOtp, path: '/loginhandler/forgotpassword' as typeof login.sendOtp.path };
    expect((await server.call(forgot, { body: { mobile: freshMobile() } }, stranger.as)).body).toMatchObject({
      status: 'SUCCESS',
      digits: 6,
    });
  });
});

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as challenge from '../../src/contract/challenge.ts';
import * as coupons from '../../src/contract/coupons.ts';
import * as linkedWallets from '../../src/contract/linkedWallets.ts';
import * as vouchers from '../../src/contract/vouchers.ts';
import * as login from '../../src/contract/login.ts';
import * as session from '../../src/contract/session.ts';
import { ANSWER_HEADER, DEVICE_HEADER } from '../../src/contract/challenge.ts';
import * as serverText from '#text/server.ts';
import { serve, type RunningServer } from '../../src/server/app.ts';
import { secondsUntil, waitText } from '../../src/server/rules/people/limits.ts';
import { raiseOffset } from '../../src/server/store/system.ts';
import { on } from '../kit/engines.ts';
import { IS_ALL } from '../kit/matrix.ts';
import { caller, bothEngines, startServer, testDatabase, type TestServer } from '../kit/server.ts';
import { codeOf, freshMobile, person, proof, type Person } from './people.ts';

/** Strangers without a proof get the first half of them. */
const CODES_AN_HOUR = 50;
const HOUR_S = 3_600;

describe.each(await bothEngines())('codes under attack on %s', (engine) => {
  const { raced, test } = on(engine);
  let own: RunningServer;
  let clock: TestServer;
  let call: TestServer['call'];
  const sent: { to: string; text: string }[] = [];
  let hangs = false;
  let fails = false;
  const gateway = createServer((asked, response) => {
    let body = '';
    asked.on('data', (chunk: Buffer) => (body += chunk.toString()));
    asked.on('end', () => {
      sent.push(JSON.parse(body) as { to: string; text: string });
      response.statusCode = fails ? 500 : 200;
      if (!hangs) response.end();
    });
  });
  beforeAll(async () => {
    await new Promise<void>((done) => {
      gateway.listen(0, '127.0.0.1', done);
    });
    const database = await testDatabase(engine);
    own = await serve({
      port: 0,
      database: database.target,
      distDir: null,
      quiet: true,
      development: false,
      environment: {
        TRUST_PROXY: '1',
        EMBEDDED_VENDORS: 'on',
        CODES_AN_HOUR: String(CODES_AN_HOUR),
        SMS_URL: `http://127.0.0.1:${(gateway.address() as AddressInfo).port}`,
      },
    });
    // The limits are for the real world; the other server of the same database moves the clock.
    clock = await startServer({ engine, database });
    call = caller(own.url);
  });
  afterAll(async () => {
    gateway.closeAllConnections();
    await clock.stop();
    await own.stop();
    await clock.database.drop();
    gateway.close();
  });

  /** Production goes by a clock that it reads once a second: here it reads the one that was moved at once. */
  const advance = async (seconds: number) => {
    await clock.advance(seconds);
    await raiseOffset(own.db, 0);
  };
  const at = (address: string, more: Record<string, string> = {}) => ({ 'x-forwarded-for': address, ...more });
  let networks = 0;
  /** An address in a network that no other has called from. */
  const elsewhere = () => {
    networks += 1;
    return `198.${Math.floor(networks / 250)}.${networks % 250}.7`;
  };
  const newcomer = async (address = elsewhere()): Promise<Person> =>
    person((await call(session.anonymous, {}, { headers: at(address) })).body);
  const send = (mobile: string, who: Person, headers: Record<string, string>) =>
    call(login.sendOtp, { body: { mobile } }, { ...who.as, headers });
  const to = (mobile: string) => sent.filter((one) => one.to === `+91${mobile}`).map(({ text }) => text);
  const logInWith = async (mobile: string, who: Person, headers: Record<string, string>) =>
    await call(
      login.validateOtp,
      { body: { mobile, code: /\d{6}/.exec(to(mobile).at(-1) ?? '')?.[0] ?? '' } },
      { ...who.as, headers },
    );
  /** Somebody who has logged in with this number. @returns their session, and what their device kept of it */
  async function known(mobile: string): Promise<{ who: Person; device: string }> {
    const [who, address] = [await newcomer(), elsewhere()];
    expect((await send(mobile, who, at(address))).status).toBe(200);
    const { body } = await logInWith(mobile, who, at(address));
    return { who: person(body), device: body.device };
  }

  test("a stranger's code requests by the hundred lock nobody out: no known device, and no new one that does proof of work", async () => {
    const mobile = freshMobile();
    const { device } = await known(mobile);
    await advance(HOUR_S);
    const before = to(mobile).length;
    const stranger = await newcomer();
    const answers: string[] = [];
    for (let n = 0; n < (IS_ALL ? 1_000 : 300); n += 100)
      answers.push(
        ...(await Promise.all(Array.from({ length: 100 }, () => send(mobile, stranger, at(elsewhere()))))).map(
          (answer) => `${answer.status} ${codeOf(answer)}`,
        ),
      );
    expect(new Set(answers)).toEqual(new Set(['200 ', '429 OTP_WAIT']));
    // On a busy machine they take longer than the wait for a second one.
    while (to(mobile).length - before < 3) {
      await advance(30);
      expect((await send(mobile, stranger, at(elsewhere()))).status).toBe(200);
    }
    await advance(30);
    expect(codeOf(await send(mobile, stranger, at(elsewhere())))).toBe('CHALLENGE');
    expect(to(mobile).length - before).toBe(3);

    const atHome = await newcomer();
    expect((await send(mobile, atHome, at(elsewhere(), { [DEVICE_HEADER]: device }))).status).toBe(200);
    expect((await logInWith(mobile, atHome, at(elsewhere()))).status).toBe(200);
    // What another device has kept is of no use to this number.
    const other = await known(freshMobile());
    const guest = await newcomer();
    expect(codeOf(await send(mobile, guest, at(elsewhere(), { [DEVICE_HEADER]: other.device })))).toBe('CHALLENGE');

    const proven = await proof({ call }, guest, 'codes', at(elsewhere()));
    // A proof is for one use, of one caller, once.
    const forCoupons = await proof({ call }, guest, 'coupons', at(elsewhere()));
    expect(codeOf(await send(mobile, guest, forCoupons))).toBe('CHALLENGE');
    expect(codeOf(await send(mobile, stranger, proven))).toBe('CHALLENGE');
    expect((await send(mobile, guest, proven)).status).toBe(200);
    expect(codeOf(await send(freshMobile(), guest, at(elsewhere())))).toBe('');
    expect(codeOf(await send(mobile, guest, proven))).toBe('CHALLENGE');
    // Of a challenge three answers are looked at, then not even the right one: each costs as much as a try of theirs.
    const worn = await proof({ call }, guest, 'codes', at(elsewhere()));
    const wrong = Object.fromEntries(
      Object.entries(worn).map(([key, value]) => [
        key,
        key === ANSWER_HEADER ? `${value.slice(0, value.lastIndexOf('.'))}.99` : value,
      ]),
    );
    for (const headers of [wrong, wrong, wrong, worn])
      expect(codeOf(await send(mobile, guest, headers))).toBe('CHALLENGE');
    expect((await logInWith(mobile, guest, at(elsewhere()))).status).toBe(200);
  });

  test('one address is asked for proofs, then its network, and then has to wait; others are not touched', async () => {
    let who = await newcomer();
    // One line of IPv6 has a whole network of addresses.
    for (const address of [() => '203.0.113.7', (n: number) => `2001:db8:1:2::${n.toString(16)}`]) {
      await advance(HOUR_S);
      who = await newcomer();
      for (let n = 0; n < 20; n += 1)
        expect([n, (await send(freshMobile(), who, at(address(n)))).status]).toEqual([n, 200]);
      expect(codeOf(await send(freshMobile(), who, at(address(21))))).toBe('CHALLENGE');
    }
    // Whoever asks on and works for nothing uses up nothing of what is left for others at the same address.
    for (let n = 0; n < 3; n += 1) {
      const asked = Array.from({ length: 40 }, () => send(freshMobile(), who, at('2001:db8:1:2::1')));
      expect(new Set((await Promise.all(asked)).map(codeOf))).toEqual(new Set(['CHALLENGE']));
    }
    const neighbour = await newcomer('2001:db8:1:2::2');
    const worked = await proof({ call }, neighbour, 'codes', at('2001:db8:1:2::2'));
    expect((await send(freshMobile(), neighbour, worked)).status).toBe(200);
    const wrong = (from: string, headers: Record<string, string> = {}) =>
      call(
        login.validateOtp,
        { body: { mobile: freshMobile(), code: '123456' } },
        { ...who.as, headers: at(from, headers) },
      );
    // Guesses have limits of their own: these come from one network, and none of its addresses often.
    for (const [inside, outside] of [
      [(n: number) => `192.0.2.${n % 6}`, '192.0.3.1'],
      [(n: number) => `2001:db8:5:${n % 6}::1`, '2001:db8:6:1::1'],
    ] as const) {
      const codes = [];
      for (let n = 0; n < 121; n += 1) codes.push(codeOf(await wrong(inside(n))));
      expect([codes.indexOf('CHALLENGE'), codes.filter((code) => code === 'OTP_FAILED').length]).toEqual([120, 120]);
      expect(codeOf(await wrong(outside))).toBe('OTP_FAILED');
    }
    const proven = await proof({ call }, who, 'guesses', at('192.0.2.1'));
    expect(codeOf(await wrong('192.0.2.1', proven))).toBe('OTP_FAILED');
  });

  test('whatever is wrong with a code, it counts as a guess; one whose time is over does not, nor does the right one', async () => {
    const [who, address, mobile] = [await newcomer(), elsewhere(), freshMobile()];
    const guesses = async () =>
      (await own.db.selectFrom('counters').select('used').where('id', '=', `codes-ip|${address}`).executeTakeFirst())
        ?.used ?? 0;
    const types = async (code: string) => {
      const answer = await call(login.validateOtp, { body: { mobile, code } }, { ...who.as, headers: at(address) });
      return [codeOf(answer), await guesses()];
    };
    const codeNow = () => /\d{6}/.exec(to(mobile).at(-1)!)![0];
    const wrong = () => String((Number(codeNow()) + 1) % 1_000_000).padStart(6, '0');
    expect(await types('123456')).toEqual(['OTP_FAILED', 1]);
    await send(mobile, who, at(address));
    for (let n = 2; n < 6; n += 1) expect(await types(wrong())).toEqual(['OTP_WRONG', n]);
    expect(await types(wrong())).toEqual(['OTP_TRIES', 6]);
    await advance(30);
    await send(mobile, who, at(address));
    await advance(300);
    expect(await types(codeNow())).toEqual(['OTP_EXPIRED', 6]);
    await send(mobile, who, at(address));
    expect(await types(codeNow())).toEqual(['', 6]);
  });

  test('all codes of an hour have an end: strangers are asked for proofs first, and a known device still gets its own', async () => {
    const mobile = freshMobile();
    const { device } = await known(mobile);
    await advance(HOUR_S);
    const who = await newcomer();
    const left = (used: number) =>
      own.db.updateTable('counters').set({ used }).where('id', '=', 'sends|all').executeTakeFirstOrThrow();
    const stranger = () => send(freshMobile(), who, at(elsewhere()));
    expect((await stranger()).status).toBe(200);
    // Those that come at the same moment share what is left, and those that get none use up nothing of the rest.
    await left(CODES_AN_HOUR / 2 - 3);
    const crowd = await Promise.all(Array.from({ length: CODES_AN_HOUR }, stranger));
    expect(crowd.map(codeOf).sort().join(' ').trim()).toBe(
      Array.from({ length: CODES_AN_HOUR - 3 }, () => 'CHALLENGE').join(' '),
    );
    expect(codeOf(await stranger())).toBe('CHALLENGE');
    await left(CODES_AN_HOUR - 1);
    expect(codeOf(await stranger())).toBe('CHALLENGE');
    expect((await send(freshMobile(), who, await proof({ call }, who, 'codes', at(elsewhere())))).status).toBe(200);
    const over = await send(freshMobile(), who, await proof({ call }, who, 'codes', at(elsewhere())));
    expect([over.status, codeOf(over), over.body.errors![0]!.displayMsg]).toEqual([
      429,
      'OTP_LIMIT',
      serverText.otpLimit({ time: serverText.waitMinutes({ count: 60 }) }),
    ]);
    // No proof helps any more, so none is asked for.
    expect(codeOf(await stranger())).toBe('OTP_LIMIT');
    const atHome = async () => await send(mobile, await newcomer(), at(elsewhere(), { [DEVICE_HEADER]: device }));
    expect((await atHome()).status).toBe(200);
    await advance(30);
    await left(Math.floor(CODES_AN_HOUR * 1.25));
    expect(codeOf(await atHome())).toBe('OTP_LIMIT');
  });

  test('what is refused, or fails, uses up nothing of what others at the same address have left', async () => {
    await advance(HOUR_S);
    const address = elsewhere();
    const used = async (id: string) =>
      (await own.db.selectFrom('counters').select('used').where('id', '=', id).executeTakeFirst())?.used ?? 0;
    const counts = () => Promise.all([`sends-ip|${address}`, 'sends|all'].map(used));
    const [mobile, stranger] = [freshMobile(), await newcomer(address)];
    for (let n = 0; n < 3; n += 1) {
      expect((await send(mobile, stranger, at(address))).status).toBe(200);
      await advance(30);
    }
    const before = await counts();
    // Neither an answer to no challenge, nor a proof where a number has had all that it may have.
    for (let n = 0; n < 25; n += 1)
      expect(codeOf(await send(mobile, stranger, at(address, { [ANSWER_HEADER]: 'none' })))).toBe('CHALLENGE');
    expect(await counts()).toEqual(before);
    fails = true;
    for (let n = 0; n < 2; n += 1) expect(codeOf(await send(freshMobile(), stranger, at(address)))).toBe('SMS_FAILED');
    fails = false;
    expect(await counts()).toEqual(before);
    expect((await send(freshMobile(), await newcomer(address), at(address))).status).toBe(200);
  });

  test('who asks for all challenges of an address locks nobody out there who wants to work', async () => {
    await advance(HOUR_S);
    const address = elsewhere();
    const [stranger, neighbour] = [await newcomer(address), await newcomer(address)];
    const asks = (who: Person) =>
      call(challenge.ask, { body: { use: 'codes' } }, { ...who.as, headers: at(address) }).then(codeOf);
    expect(await asks(stranger)).toBe('');
    await own.db.updateTable('counters').set({ used: 2_400 }).where('id', '=', `challenges-ip|${address}`).execute();
    for (let n = 0; n < 6; n += 1) expect(await asks(stranger)).toBe('');
    expect(await asks(stranger)).toBe('TOO_MANY');
    const worked = await proof({ call }, neighbour, 'codes', at(address));
    expect((await send(freshMobile(), neighbour, worked)).status).toBe(200);
  });

  test('a wallet to be linked bombs nobody: all kinds of codes together are counted for a number', async () => {
    await advance(HOUR_S);
    const mobile = freshMobile();
    const { who } = await known(freshMobile());
    const link = (headers: Record<string, string>) =>
      call(linkedWallets.link, { provider: 'PAYTM', body: { mobile } }, { ...who.as, headers });
    const answers = await Promise.all(Array.from({ length: 10 }, () => link(at(elsewhere()))));
    expect([answers.filter(({ status }) => status === 200).length, to(mobile).length]).toEqual([1, 1]);
    expect(codeOf(await send(mobile, await newcomer(), at(elsewhere())))).toBe('CHALLENGE');
    for (let n = 0; n < 3; n += 1) {
      await advance(31);
      await link(at(elsewhere()));
    }
    expect(to(mobile)).toHaveLength(3);
    expect(codeOf(await link(at(elsewhere())))).toBe('CHALLENGE');
  });

  test('a new pin is answered while its message is still on its way, so that the time it takes tells nothing', async () => {
    await advance(HOUR_S);
    const mobile = freshMobile();
    const { number } = (await clock.call(vouchers.issue, { body: { amount: 100, mobile } })).body;
    const who = await newcomer();
    hangs = true;
    const asked = await call(vouchers.resetPin, { body: { number } }, { ...who.as, headers: at(elsewhere()) });
    expect([asked.status, asked.body.sent]).toEqual([200, true]);
    // By either of the two servers.
    await expect.poll(async () => to(mobile).length + (await clock.inbox(`+91${mobile}`)).length).toBe(1);
  });

  test('whoever tries coupon codes without end works for each, and then waits', async () => {
    const who = await newcomer();
    const limits = (headers: Record<string, string>) =>
      call(coupons.validate, { code: 'GUESS', query: { cartId: who.cartId } }, { ...who.as, headers });
    const answers = [];
    for (let n = 0; n < 41; n += 1) answers.push((await limits(at(elsewhere()))).status);
    expect([answers.indexOf(428), new Set(answers)]).toEqual([40, new Set([200, 428])]);
    expect((await limits(await proof({ call }, who, 'coupons', at(elsewhere())))).status).toBe(200);
    await own.db.updateTable('counters').set({ used: 120 }).where('id', '=', `coupons|${who.userId}`).execute();
    const over = await limits(at(elsewhere()));
    expect([over.status, codeOf(over), over.headers.get('retry-after')]).toEqual([
      429,
      'TOO_MANY',
      String(over.body.errors![0]!.waitSeconds),
    ]);
  });

  raced('guesses that come at the same moment share what is left', async () => {
    const who = await newcomer();
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, n) =>
        call(
          vouchers.link,
          { body: { number: String(6_000_000_000_000_000 + n), pin: '123456' } },
          { ...who.as, headers: at(elsewhere()) },
        ),
      ),
    );
    const codes = answers.map(codeOf);
    expect([new Set(codes), codes.filter((code) => code === 'EGV_WRONG').length]).toEqual([
      new Set(['EGV_WRONG', 'TOO_MANY']),
      20,
    ]);
  });
});

const NOW = 1_000_000;
test.each([
  [1, serverText.waitSeconds({ count: 1 })],
  [90, serverText.waitSeconds({ count: 90 })],
  [91, serverText.waitMinutes({ count: 2 })],
  [120, serverText.waitMinutes({ count: 2 })],
  [121, serverText.waitMinutes({ count: 3 })],
  [5400, serverText.waitMinutes({ count: 90 })],
  [5401, serverText.waitHours({ count: 2 })],
  [7200, serverText.waitHours({ count: 2 })],
  [7201, serverText.waitHours({ count: 3 })],
])('to wait %d seconds is said as "%s"', (seconds, said) => {
  expect(waitText(seconds)).toBe(said);
});
test('a wait is told in whole seconds, never too short, and one at least', () => {
  expect([NOW - 5, NOW, NOW + 1, NOW + 1000, NOW + 1001].map((at) => secondsUntil(at, NOW))).toEqual([1, 1, 1, 1, 2]);
});

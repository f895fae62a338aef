import { describe, expect, test } from 'vitest';
import * as serverText from '#text/server.ts';
import { ANSWER_HEADER, BOT_TOKEN_HEADER, DEVICE_HEADER } from '../../src/contract/challenge.ts';
import * as cart from '../../src/contract/cart.ts';
import * as coupons from '../../src/contract/coupons.ts';
import * as fingerprint from '../../src/contract/fingerprint.ts';
import * as login from '../../src/contract/login.ts';
import * as vouchers from '../../src/contract/vouchers.ts';
import { deviceHash } from '../../src/domain/fingerprint.ts';
import { engines, startServer } from '../kit/server.ts';
import { codeFor, codeOf, freshMobile, guest, logIn, proof, type Person } from './people.ts';
import { during } from '../kit/during.ts';

const AGENT = 'Mozilla/5.0 (Linux; Android 10; K) Chrome/149.0.0.0 Mobile Safari/537.36';
const DATA: fingerprint.Fingerprint = {
  ...{ ua: AGENT, av: '5.0', ww: 390, wh: 780, pl: 0, mt: 0, ln: 'en-IN', tz: 'Asia/Kolkata', tp: 5 },
  ...{ st: '10101', ls: 'DELIVERY', uid: '', bs: [] },
};
const PROGRAM: fingerprint.Fingerprint = { ...DATA, bs: ['webDriver'] };

describe.each(await engines())('a device with signs of a program, on %s', (engine) => {
  const server = during(() => startServer({ engine }));

  /** Tells the server of a device. @returns the headers of its calls from then on */
  async function device(who: Person, data = PROGRAM, agent = AGENT): Promise<Record<string, string>> {
    const { status, body } = await server.call(
      fingerprint.send,
      { body: data },
      { ...who.as, headers: { 'user-agent': agent } },
    );
    expect(status).toBe(200);
    return { [BOT_TOKEN_HEADER]: `${body.map.id}:${await deviceHash(data, body.map.value)}` };
  }
  const send = (who: Person, headers: Record<string, string>, mobile = freshMobile()) =>
    server.call(login.sendOtp, { body: { mobile } }, { ...who.as, headers });
  const validate = (who: Person, code: string, headers: Record<string, string>) =>
    server.call(coupons.validate, { code, query: { cartId: who.cartId } }, { ...who.as, headers });
  const apply = (who: Person, code: string, headers: Record<string, string>) =>
    server.call(coupons.apply, { cartId: who.cartId, code, query: {} }, { ...who.as, headers });

  test('a device with signs of a program works for its first code and first coupon only, and nobody else does', async () => {
    const who = await guest(server);
    const steered = await device(who);
    const mobile = freshMobile();
    const asked = await send(who, steered, mobile);
    expect([asked.status, codeOf(asked), asked.body.errors![0]!.displayMsg]).toEqual([
      428,
      'CHALLENGE',
      serverText.challenge,
    ]);
    expect((await send(who, await proof(server, who, 'codes', steered), mobile)).status).toBe(200);
    expect((await send(who, {}, freshMobile())).status).toBe(200);
    expect(codeOf(await validate(who, 'GUESS', steered))).toBe('CHALLENGE');
    const worked = await validate(who, 'GUESS', await proof(server, who, 'coupons', steered));
    expect([worked.status, worked.body.status]).toEqual([200, 'FAILED']);
    // The code that came is typed without another second of work.
    const body = { mobile, code: await codeFor(server, mobile) };
    expect((await server.call(login.validateOtp, { body }, { ...who.as, headers: steered })).status).toBe(200);

    const person = await guest(server);
    const held = await device(person, DATA);
    expect((await send(person, held)).status).toBe(200);
    expect((await validate(person, 'GUESS', held)).status).toBe(200);
    // What somebody else's device has shown is of no weight, nor is what nobody has told.
    for (const token of [steered[BOT_TOKEN_HEADER]!, `fpr_x:${'0'.repeat(128)}`, 'x'.repeat(4_000), ':', ''])
      expect([token, (await send(person, { [BOT_TOKEN_HEADER]: token })).status]).toEqual([token, 200]);
  });

  test('a new pin of an e-voucher costs it the same work', async () => {
    const mobile = freshMobile();
    const { number } = (await server.call(vouchers.issue, { body: { amount: 100, mobile } })).body;
    const who = await guest(server);
    const steered = await device(who);
    const reset = (headers: Record<string, string>) =>
      server.call(vouchers.resetPin, { body: { number } }, { ...who.as, headers });
    expect(codeOf(await reset(steered))).toBe('CHALLENGE');
    expect((await reset(await proof(server, who, 'codes', steered))).status).toBe(200);
  });

  test('a browser that claims to be another counts as a program, unless the number has logged in on the device before', async () => {
    const who = await guest(server);
    const other = await device(who, DATA, 'curl/8.5');
    expect(codeOf(await send(who, other))).toBe('CHALLENGE');

    const mobile = freshMobile();
    const before = await guest(server);
    await send(before, {}, mobile);
    const body = { mobile, code: await codeFor(server, mobile) };
    const { device: token } = (await server.call(login.validateOtp, { body }, before.as)).body;
    await server.advance(60);
    const back = await guest(server);
    const steered = await device(back);
    expect((await send(back, { ...steered, [DEVICE_HEADER]: token }, mobile)).status).toBe(200);
  });

  test('a no ends it at once, and a login takes nothing of it along', async () => {
    const who = await guest(server);
    const steered = await device(who);
    expect(codeOf(await send(who, steered))).toBe('CHALLENGE');
    await server.call(fingerprint.forget, {}, who.as);
    expect((await send(who, steered)).status).toBe(200);

    const guestDevice = await device(who);
    const customer = await logIn(server, freshMobile(), 'in-web', who);
    expect((await validate(customer, 'GUESS', guestDevice)).status).toBe(200);
  });

  test('a coupon that was found right by work is applied without more, and only that one', async () => {
    const who = await guest(server);
    const line = { lineId: 'l1', productId: 'PZ005', size: 'M' as const, quantity: 4 };
    await server.call(
      cart.add,
      { cartId: who.cartId, body: { items: [{ operationId: 'o1', line }], options: {} } },
      who.as,
    );
    const steered = await device(who);
    const { body } = await validate(who, 'FLAT100', await proof(server, who, 'coupons', steered));
    expect(body.status).toBe('SUCCESS');
    expect((await apply(who, 'flat100', steered)).body.status).toBe('SUCCESS');
    expect(codeOf(await apply(who, 'OTHER', steered))).toBe('CHALLENGE');
    // Not without the work: a code that nobody has looked at is a guess.
    const stranger = await guest(server);
    expect(codeOf(await apply(stranger, 'FLAT100', await device(stranger)))).toBe('CHALLENGE');
    await server.advance(6 * 60);
    expect(codeOf(await apply(who, 'FLAT100', steered))).toBe('CHALLENGE');
  });

  test("a proof-of-work answer counts once, for its caller and use, for five minutes; another's or a late one does not", async () => {
    const [who, other] = [await guest(server), await guest(server)];
    const [steered, theirs] = [await device(who), await device(other)];
    const mobile = freshMobile();
    const own = await proof(server, who, 'codes', steered);
    const answer = own[ANSWER_HEADER]!;
    const refused = async (from: Person, headers: Record<string, string>) => {
      const said = await send(from, headers, freshMobile());
      expect([said.status, codeOf(said), said.body.errors![0]!.displayMsg]).toEqual([
        428,
        'CHALLENGE',
        serverText.challengeAgain,
      ]);
    };
    const parts = answer.split('.');
    const forged = [
      parts.with(5, '64').join('.'),
      parts.with(1, String(Number(parts[1]) + 3_600_000)).join('.'),
      parts.with(3, '0'.repeat(32)).with(5, '0').join('.'),
      parts.with(4, 'x'.repeat(22)).join('.'),
      'codes.9999999999999.salt.target.seal.0',
      '.....',
      'x'.repeat(6_000),
    ];
    for (const one of forged) await refused(who, { ...steered, [ANSWER_HEADER]: one });
    await refused(other, { ...theirs, [ANSWER_HEADER]: answer });
    const coupon = await proof(server, who, 'coupons', steered);
    await refused(who, coupon);

    const crowd = await Promise.all(
      Array.from({ length: 16 }, (_, n) => send(who, own, n === 0 ? mobile : freshMobile())),
    );
    expect(crowd.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 15 }, () => 428)]);
    await refused(who, own);
    const late = await proof(server, who, 'codes', steered);
    await server.advance(5 * 60 + 1);
    await refused(who, late);
    // And with a new one all is well.
    expect((await send(who, await proof(server, who, 'codes', steered))).status).toBe(200);
  });
});

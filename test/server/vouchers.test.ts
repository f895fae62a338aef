import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import { countryConfig } from '../../country/index.ts';
import * as payments from '../../src/contract/payments.ts';
import * as contract from '../../src/contract/vouchers.ts';
import * as wallet from '../../src/contract/wallet.ts';
import * as errors from '#text/errors.ts';
import * as serverText from '#text/server.ts';

import { on } from '../kit/engines.ts';
import { bothEngines } from '../kit/server.ts';
import { codeFor, codeOf, freshMobile, logIn, logInByPaytm } from './people.ts';
import { Customer, member, openShop, pay, PICKUP, PLACES, visitor } from './shop.ts';
import { shopHere } from './shopHere.ts';

interface Card {
  readonly number: string;
  readonly pin: string;
  readonly voucherId: string;
}

describe.each(await bothEngines())('e-vouchers on %s', (engine) => {
  const { raced, test } = on(engine);
  const { server, db } = shopHere({ engine }, 60);

  async function issue(amount: number, more: { mobile?: string; days?: number; apiKey?: string } = {}): Promise<Card> {
    const { apiKey, ...body } = more;
    const answer = await server.call(
      contract.issue,
      { body: { amount, ...body } },
      apiKey === undefined ? {} : { apiKey },
    );
    expect(answer.status).toBe(200);
    return answer.body;
  }
  const keys = ({ number, pin }: Card) => ({ number, pin });
  const link = async (one: Customer, card: Card) => {
    const answer = await one.call(contract.link, { body: keys(card) });
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    return answer.body.voucher;
  };
  const balances = async (one: Customer) =>
    (await one.call(contract.balance, {})).body.vouchers.map((voucher) => voucher.balance);
  const spend = (
    one: Customer,
    vouchers: { voucherId: string; amount: number }[],
    paymentMode: 'UPI' | 'EGV' | 'COD' = 'UPI',
  ) => one.submit({ paymentMode, body: { funds: { vouchers } } });

  test('cash may pay up to its limit of what vouchers leave, whatever the whole bill comes to [PAY-04]', async () => {
    const one = await visitor(server, 'IN', PICKUP);
    await one.fill(7, 'L');
    const { total } = (await one.validate({})).body.quote.bill;
    const { cashLimit } = countryConfig('IN');
    expect(total).toBeGreaterThan(cashLimit);
    const cash = async (amount: number, vouchers: readonly string[]) => {
      const { problems, modes } = (await one.validate({ paymentMode: 'COD', vouchers: [...vouchers] })).body;
      const said = modes.find(({ id }) => id === 'COD')!.disabledReason;
      return [amount, problems.map(({ code }) => code), said];
    };
    const limit = serverText.cashLimit({ amount: '₹2,000' });
    expect(await cash(0, [])).toEqual([0, ['CASH_LIMIT'], limit]);
    // One rupee too little, and then just enough.
    const little = await link(one, await issue(total - cashLimit - 100));
    expect(await cash(1, [little.voucherId])).toEqual([1, ['CASH_LIMIT'], limit]);
    const [rest, short] = [
      await link(one, await issue(100)),
      await spend(one, [{ ...little, amount: little.balance }], 'COD'),
    ];
    expect([short.status, codeOf(short)]).toEqual([422, 'CASH_LIMIT']);
    const both = [little, rest].map(({ voucherId, balance }) => ({ voucherId, amount: balance }));
    expect(
      await cash(
        2,
        both.map(({ voucherId }) => voucherId),
      ),
    ).toEqual([2, [], undefined]);
    const { status, body } = await spend(one, both, 'UPI');
    expect(status).toBe(200);
    // Another way to pay what is left asks the same.
    await pay(server, body.next, 'decline');
    await one.confirm(body.order);
    const again = await one.call(
      payments.retry,
      { body: { orderId: body.order.orderId, paymentMode: 'COD' } },
      { 'idempotency-key': randomUUID() },
    );
    expect(again.status).toBe(200);
  });

  test("the catalogue's own is looked up, linked with its balance, and let go; number and pin in any script and shape [PAY-09]", async () => {
    const one = await visitor(server);
    const typed = { number: '1111-2222-3333-4444', pin: '१२३४५६' };
    expect((await one.call(contract.verify, { body: typed })).body.voucher).toMatchObject({
      lastFour: '4444',
      balance: 50_000,
      isExpired: false,
    });
    expect(await balances(one)).toEqual([]);
    const linked = (await one.call(contract.link, { body: typed })).body.voucher;
    await one.call(contract.link, { body: { number: '1111 2222 3333 5555', pin: '123456' } });
    expect(await balances(one)).toEqual([50_000, 0]);
    expect(JSON.stringify((await one.call(contract.balance, {})).body)).not.toContain('111122223333');
    expect(
      (await one.call(contract.unlink, { voucherId: linked.voucherId })).body.vouchers.map(
        (voucher) => voucher.lastFour,
      ),
    ).toEqual(['5555']);
    const inLanka = await visitor(server, 'LK');
    expect((await inLanka.call(contract.verify, { body: typed })).body.voucher).toMatchObject({ lastFour: '4444' });
    for (const nowhere of [
      await visitor(server, 'BG'),
      await visitor(server, 'IN', undefined, 'in-gpay'),
      await visitor(server, 'IN', undefined, 'in-paytm'),
    ]) {
      expect(codeOf(await nowhere.call(contract.verify, { body: typed }))).toBe('FEATURE_BLOCKED');
    }
  });

  test('what cannot be a number or a pin is said so, and costs no try', async () => {
    const one = await visitor(server);
    const card = await issue(100);
    const refused = async (number: string, pin: string) =>
      (await one.call(contract.verify, { body: { number, pin } })).body.errors;
    // Each at its box; of two that are wrong, the first.
    for (const pin of [card.pin, '12'])
      expect(await refused('123', pin)).toMatchObject([
        { code: 'EGV_NUMBER', displayMsg: errors.egvNumber, field: 'number' },
      ]);
    for (let n = 0; n < 8; n += 1)
      expect(await refused(card.number, '12')).toMatchObject([
        { code: 'EGV_PIN', displayMsg: errors.egvPin, field: 'pin' },
      ]);
    expect((await one.call(contract.verify, { body: keys(card) })).status).toBe(200);
  });

  raced(
    'five wrong pins, by anybody, lock an e-voucher for a day; an unknown number answers like a wrong pin [PAY-09] [API-49]',
    async () => {
      const card = await issue(10_000);
      const wrong = { number: card.number, pin: card.pin === '000000' ? '000001' : '000000' };
      const people = await Promise.all(Array.from({ length: 12 }, () => visitor(server)));
      const guesses = await Promise.all(people.map((one) => one.call(contract.verify, { body: wrong })));
      expect(guesses.filter((guess) => codeOf(guess) === 'EGV_WRONG')).toHaveLength(4);
      expect(guesses.filter((guess) => codeOf(guess) === 'EGV_LOCKED')).toHaveLength(8);
      const [one] = people as [Customer];
      const locked = await one.call(contract.verify, { body: keys(card) });
      expect([locked.status, locked.body.errors]).toMatchObject([
        422,
        [{ code: 'EGV_LOCKED', displayMsg: serverText.egvLocked, field: 'pin' }],
      ]);
      await server.advance(86_400);
      expect((await one.call(contract.verify, { body: keys(card) })).status).toBe(200);
      const unknown = await one.call(contract.verify, { body: { number: '9999888877776666', pin: '123456' } });
      const miss = await one.call(contract.verify, { body: wrong });
      expect([unknown.status, unknown.body.errors]).toEqual([miss.status, miss.body.errors]);
      expect(unknown.body.errors).toMatchObject([{ code: 'EGV_WRONG', displayMsg: serverText.egvWrong, field: 'pin' }]);
      await openShop(server);
    },
  );

  test('somebody who tries numbers is stopped', async () => {
    const one = await visitor(server);
    const codes: string[] = [];
    for (let n = 0; n < 22; n += 1)
      codes.push(
        codeOf(await one.call(contract.verify, { body: { number: String(4_000_000_000_000_000 + n), pin: '123456' } })),
      );
    expect(codes.slice(0, 20)).toEqual(Array(20).fill('EGV_WRONG'));
    expect(codes.slice(20)).toEqual(['TOO_MANY', 'TOO_MANY']);
  });

  test('two pay an order wholly, a third is refused; cancelled, each gets its own back [PAY-09]', async () => {
    const one = await visitor(server);
    const { bill } = await one.fill();
    const [a, b, c] = [await issue(5_000), await issue(bill.total), await issue(500)] as [Card, Card, Card];
    for (const card of [a, b, c]) await link(one, card);
    const { funds } = (await one.validate({ vouchers: [a.voucherId, b.voucherId] })).body;
    expect(funds).toMatchObject({
      wallet: null,
      rest: 0,
      vouchers: [
        { voucherId: a.voucherId, amount: 5_000 },
        { voucherId: b.voucherId, amount: bill.total - 5_000 },
      ],
    });
    expect(
      codeOf(
        await spend(
          one,
          [a, b, c].map(({ voucherId }) => ({ voucherId, amount: 500 })),
        ),
      ),
    ).not.toBe('');
    expect(
      codeOf(
        await spend(
          one,
          [a, a].map(({ voucherId }) => ({ voucherId, amount: 500 })),
        ),
      ),
    ).toBe('EGV_COUNT');
    const { body } = await spend(
      one,
      [
        { voucherId: a.voucherId, amount: 5_000 },
        { voucherId: b.voucherId, amount: bill.total - 5_000 },
      ],
      'EGV',
    );
    expect(body.order).toMatchObject({ orderStatus: 'ORDER PLACED', payment: { mode: 'EGV', state: 'CAPTURED' } });
    expect(body.order.parts?.map((part) => part.label).sort()).toEqual(
      [`E-voucher ending in ${a.number.slice(-4)}`, `E-voucher ending in ${b.number.slice(-4)}`].sort(),
    );
    expect(await balances(one)).toEqual([0, 5_000, 500]);
    await one.cancel(body.order.orderId);
    expect(await balances(one)).toEqual([5_000, bill.total, 500]);
  });

  test.each(['IN', 'LK'])(
    'what is left in cash is a sum that cash can pay, and the e-voucher keeps what it would have paid beyond that: %s [PAY-09]',
    async (country) => {
      const { apiKey } = PLACES[country]!;
      const one = await member(server, country);
      const { total } = (await one.fill()).bill;
      const card = await link(one, await issue(total - 50, { apiKey }));
      const { voucherId } = card;
      const { body: asked } = await one.validate({ paymentMode: 'COD', vouchers: [voucherId] });
      expect(asked.quote.bill.total).toBe(total);
      expect(asked.funds).toMatchObject({ vouchers: [{ balance: total - 50, amount: total - 100 }], rest: 100 });
      // What another mode leaves is no sum for cash.
      const { body: other } = await one.validate({ paymentMode: 'UPI', vouchers: [voucherId] });
      expect(other.funds).toMatchObject({ vouchers: [{ amount: total - 50 }], rest: 50 });
      expect(codeOf(await spend(one, [{ voucherId, amount: total - 50 }], 'COD'))).toBe('FUNDS_CHANGED');
      const { body } = await spend(one, [{ voucherId, amount: total - 100 }], 'COD');
      expect(body.order).toMatchObject({ bill: { total }, payment: { state: 'DUE_AT_DOOR', amount: 100 } });
      expect(await balances(one)).toEqual([50]);
      await one.cancel(body.order.orderId);
      expect(await balances(one)).toEqual([total - 50]);
    },
  );

  test('cash that pays after another mode has failed asks for a sum that it can pay, again and again [PAY-09]', async () => {
    const one = await member(server);
    const { total } = (await one.fill()).bill;
    const { voucherId } = await link(one, await issue(total - 50));
    const { body } = await spend(one, [{ voucherId, amount: total - 50 }], 'UPI');
    expect(body.order.payment.amount).toBe(50);
    await pay(server, body.next, 'decline');
    await one.confirm(body.order);
    const { orderId } = body.order;
    const cash = await one.call(
      payments.retry,
      { body: { orderId, paymentMode: 'COD' } },
      { 'idempotency-key': randomUUID() },
    );
    expect(cash.body.payment).toMatchObject({ mode: 'COD', amount: 100 });
    const placed = await one.read(orderId);
    expect(placed).toMatchObject({ bill: { total }, parts: [{ amount: total - 100, returned: 0 }] });
    expect(await balances(one)).toEqual([50]);
    await one.cancel(orderId);
    expect(await balances(one)).toEqual([total - 50]);
  });

  raced(
    '24 customers who share one e-voucher order at once, and it pays only as often as it has money [PAY-09] [API-49]',
    async () => {
      const total = (await (await visitor(server, 'IN', PICKUP)).fill()).bill.total;
      const card = await issue(total * 5 + 1);
      const all = await Promise.all(
        Array.from({ length: 24 }, async () => {
          const one = await visitor(server, 'IN', PICKUP);
          const { version, bill } = await one.fill();
          await link(one, card);
          return {
            one,
            wish: {
              cartVersion: version,
              total: bill.total,
              paymentMode: 'EGV' as const,
              body: { funds: { vouchers: [{ voucherId: card.voucherId, amount: bill.total }] } },
            },
          };
        }),
      );
      const answers = await Promise.all(all.map(({ one, wish }) => one.submit(wish)));
      expect(answers.filter((answer) => answer.status === 200)).toHaveLength(5);
      expect(
        new Set(
          answers.filter((answer) => answer.status !== 200).map((answer) => `${answer.status} ${codeOf(answer)}`),
        ),
      ).toEqual(new Set(['409 EGV_LOW']));
      expect(await balances(all[0]!.one)).toEqual([1]);
      // Who lost still has the cart, and may pay in another way.
      const loser = all[answers.findIndex((answer) => answer.status !== 200)]!.one;
      expect((await loser.submit({ paymentMode: 'UPI' })).status).toBe(200);
    },
  );

  raced(
    'after a failed payment an e-voucher pays the rest or a part, once per key, and the order is placed [PAY-09] [API-49]',
    async () => {
      const one = await visitor(server);
      const { body } = await (await one.fill(), one.submit());
      const total = body.order.bill.total as number;
      const [small, large] = [await issue(3_000), await issue(total)] as [Card, Card];
      await link(one, small);
      await link(one, large);
      const redeem = (card: Card, amount: number, key: string = randomUUID()) =>
        one.call(
          contract.redeem,
          { body: { orderId: body.order.orderId, voucherId: card.voucherId, amount } },
          { 'idempotency-key': key },
        );
      await pay(server, body.next, 'pending');
      await one.confirm(body.order);
      expect(codeOf(await redeem(small, 3_000))).toBe('PAYMENT_UNKNOWN');
      await one.cancel(body.order.orderId);
      const second = await visitor(server);
      const made = await second.order();
      for (const card of [small, large]) await link(second, card);
      await pay(server, made.next, 'decline');
      await second.confirm(made.order);
      const again = (card: Card, amount: number, key: string = randomUUID()) =>
        second.call(
          contract.redeem,
          { body: { orderId: made.order.orderId, voucherId: card.voucherId, amount } },
          { 'idempotency-key': key },
        );
      expect(codeOf(await again(large, total + 1))).toBe('FUNDS_CHANGED');
      const key = randomUUID();
      const parts = await Promise.all([again(small, 3_000, key), again(small, 3_000, key)]);
      for (const part of parts)
        expect(part.body).toMatchObject({
          rest: total - 3_000,
          order: { orderStatus: 'PENDING', payment: { mayPayAgain: true } },
        });
      expect(
        (
          await second.call(
            payments.retry,
            { body: { orderId: made.order.orderId, paymentMode: 'COD' } },
            { 'idempotency-key': randomUUID() },
          )
        ).body.payment.amount,
      ).toBe(total - 3_000);
      // A cash attempt that waits for its code gives way.
      const whole = await again(large, total - 3_000);
      expect(whole.body).toMatchObject({
        rest: 0,
        order: { orderStatus: 'ORDER PLACED', payment: { mode: 'EGV', amount: 0 } },
      });
      expect(codeOf(await again(large, 1))).toBe('ALREADY_PAID');
      expect(await balances(second)).toEqual([0, 3_000]);
    },
  );

  test('an e-voucher pays no whole order with a coupon for another way to pay, but a part of it; the open attempt stays', async () => {
    const one = await visitor(server, 'IN', PICKUP);
    await one.fill(3, 'M');
    expect((await one.coupon('UPI75')).status).toBe('SUCCESS');
    const { body } = await one.submit({ paymentMode: 'UPI' });
    const { order, next } = body;
    const total = order.bill.total as number;
    const card = await issue(total);
    await link(one, card);
    const redeem = (amount: number) =>
      one.call(
        contract.redeem,
        { body: { orderId: order.orderId, voucherId: card.voucherId, amount } },
        { 'idempotency-key': randomUUID() },
      );
    expect(codeOf(await redeem(total))).toBe('COUPON_PAYMENT_MODE');
    expect(await balances(one)).toEqual([total]);
    expect((await one.read(order.orderId)).payment).toMatchObject({ state: 'SENT', amount: total });
    // As a submit takes it: a part by an e-voucher, the rest by UPI.
    expect((await redeem(100)).body.rest).toBe(total - 100);
    expect(codeOf(await redeem(total - 100))).toBe('COUPON_PAYMENT_MODE');
    expect(next.kind).toBe('upi');
  });

  test('an e-voucher that paid a part of an order can pay its rest, and never more than it has [PAY-09] [API-49]', async () => {
    const one = await visitor(server, 'IN', PICKUP);
    const { bill } = await one.fill();
    const card = await issue(bill.total + 1_000);
    const { voucherId } = await link(one, card);
    const { body } = await spend(one, [{ voucherId, amount: 2_000 }]);
    await pay(server, body.next, 'decline');
    await one.confirm(body.order);
    const rest = bill.total - 2_000;
    const redeem = (amount: number) =>
      one.call(
        contract.redeem,
        { body: { orderId: body.order.orderId, voucherId, amount } },
        { 'idempotency-key': randomUUID() },
      );
    expect((await redeem(500)).body).toMatchObject({
      rest: rest - 500,
      order: { orderStatus: 'PENDING', parts: [{ amount: 2_500 }] },
    });
    // Somebody else with the same card was quicker.
    const other = await visitor(server, 'IN', PICKUP);
    await other.fill();
    await link(other, card);
    expect((await spend(other, [{ voucherId, amount: 1_500 }])).status).toBe(200);
    const low = await redeem(rest - 500);
    expect([low.status, codeOf(low)]).toEqual([409, 'EGV_LOW']);
    expect((await one.read(body.order.orderId)).orderStatus).toBe('PENDING');
    await one.cancel(body.order.orderId);
    expect(await balances(one)).toEqual([bill.total - 500]);
  });

  test('an order that two have paid a part of, or the wallet, takes no other e-voucher for its rest', async () => {
    const one = await member(server);
    await server.call(wallet.credit, { body: { mobile: one.mobile, amount: 10_000 } });
    const [a, b, c] = [await issue(5_000), await issue(5_000), await issue(5_000)] as const;
    for (const card of [a, b, c]) await link(one, card);
    const parts = [a, b].map(({ voucherId }) => ({ voucherId, amount: 1_000 }));
    for (const [funds, code, ...taken] of [
      [{ vouchers: parts }, 'EGV_COUNT', a, b],
      [{ wallet: 1_000 }, 'WALLET_CONFLICT'],
    ] as const) {
      await one.fill();
      const { body } = await one.submit({ body: { funds } });
      await pay(server, body.next, 'decline');
      await one.confirm(body.order);
      const redeem = ({ voucherId }: Card) =>
        one.call(
          contract.redeem,
          { body: { orderId: body.order.orderId, voucherId, amount: 500 } },
          { 'idempotency-key': randomUUID() },
        );
      const refused = await redeem(c);
      expect([refused.status, codeOf(refused)]).toEqual([422, code]);
      for (const card of taken) expect((await redeem(card)).status).toBe(200);
      await one.cancel(body.order.orderId);
    }
    expect(await balances(one)).toEqual([5_000, 5_000, 5_000]);
  });

  test('ten are kept at most; each of them may be linked once more', async () => {
    const one = await visitor(server);
    const cards: Card[] = [];
    for (let n = 0; n < 11; n += 1) cards.push(await issue(n + 1));
    for (const card of cards.slice(0, 10)) await link(one, card);
    const full = await one.call(contract.link, { body: keys(cards[10]!) });
    expect([full.status, codeOf(full), full.body.errors?.[0]?.displayMsg]).toEqual([422, 'EGV_FULL', errors.egvFull]);
    await link(one, cards[9]!);
    await one.call(contract.unlink, { voucherId: cards[0]!.voucherId });
    await link(one, cards[10]!);
    expect(await balances(one)).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
  });

  test("a new pin needs the code sent to the voucher's own number; the old pin and all links are then void [PAY-10] [API-48]", async () => {
    const mobile = freshMobile();
    const card = await issue(8_000, { mobile });
    const one = await visitor(server);
    await link(one, card);
    const stranger = await visitor(server);
    const reset = async (who: Customer, body: { number: string; code?: string; pin?: string }) =>
      await who.call(contract.resetPin, { body });
    // A stranger may ask; the code goes to the owner.
    expect((await reset(stranger, { number: card.number })).body).toMatchObject({ sent: true, changed: false });
    await server.advance(1);
    const code = await codeFor(server, mobile);
    expect(codeOf(await reset(one, { number: card.number, code, pin: '654321' }))).toBe('OTP_FAILED');
    expect(codeOf(await reset(stranger, { number: card.number, code, pin: '12' }))).toBe('EGV_PIN');
    const wrong = code === '111111' ? '222222' : '111111';
    for (let n = 0; n < 4; n += 1)
      expect(codeOf(await reset(stranger, { number: card.number, code: wrong, pin: '654321' }))).toBe('OTP_WRONG');
    expect((await reset(stranger, { number: card.number, code, pin: '654321' })).body).toMatchObject({ changed: true });
    expect(codeOf(await one.call(contract.verify, { body: keys(card) }))).toBe('EGV_WRONG');
    expect(await balances(one)).toEqual([]);
    expect(
      (await one.call(contract.verify, { body: { number: card.number, pin: '654321' } })).body.voucher.balance,
    ).toBe(8_000);
    expect(codeOf(await reset(stranger, { number: card.number, code, pin: '111111' }))).toBe('OTP_FAILED');
    // A locked one opens with its new pin.
    const owner = freshMobile();
    const locked = await issue(100, { mobile: owner });
    for (let n = 0; n < 5; n += 1)
      await stranger.call(contract.verify, {
        body: { number: locked.number, pin: locked.pin === '000000' ? '000001' : '000000' },
      });
    expect(codeOf(await stranger.call(contract.verify, { body: keys(locked) }))).toBe('EGV_LOCKED');
    await reset(stranger, { number: locked.number });
    await server.advance(1);
    const renewed = { number: locked.number, code: await codeFor(server, owner), pin: '135790' };
    expect((await reset(stranger, renewed)).body).toMatchObject({ changed: true });
    expect(
      (await stranger.call(contract.verify, { body: { number: locked.number, pin: '135790' } })).body.voucher.balance,
    ).toBe(100);
  });

  test('asking for many new pins sends a number of several e-vouchers no more messages than usual, and tells nobody so', async () => {
    const mobile = freshMobile();
    const asks = async () => {
      const { number } = await issue(100, { mobile });
      const { body } = await (await visitor(server)).call(contract.resetPin, { body: { number } });
      expect(body).toMatchObject({ sent: true, changed: false });
      await server.advance(1);
      return (await server.inbox(`+91${mobile}`)).filter((text) => /^\d{6} /.test(text)).length;
    };
    // One in half a minute, and three in a quarter of an hour.
    expect([await asks(), await asks()]).toEqual([1, 1]);
    for (const count of [2, 3, 3]) {
      await server.advance(31);
      expect(await asks()).toBe(count);
    }
    await server.advance(15 * 60);
    expect(await asks()).toBe(4);
  });

  test('whether there is such an e-voucher, and whose, is not told by what a new pin answers', async () => {
    const [number, mobile] = ['7777888899990000', freshMobile()];
    const known = await issue(8_000, { mobile });
    const stranger = await visitor(server);
    const asked = async (of: string) => {
      const said: unknown[] = [];
      const reset = async (more: { code?: string; pin?: string } = {}) => {
        const { status, body } = await stranger.call(contract.resetPin, { body: { number: of, ...more } });
        const { requestId: _own, ...rest } = body;
        said.push([status, JSON.stringify(rest).replace(/\d+ seconds?/, '')]);
      };
      await reset();
      await reset();
      for (let n = 0; n < 6; n += 1) await reset({ code: 'abcdef', pin: '654321' });
      for (let n = 0; n < 3; n += 1) await reset({ code: '000000', pin: '654321' });
      // What is sent in between leaves no trace either.
      await server.advance(1);
      for (let n = 0; n < 3; n += 1) await reset({ code: '000000', pin: '654321' });
      return said;
    };
    expect(await asked(number)).toEqual(await asked(known.number));
    expect(await server.inbox(`+91${mobile}`)).toHaveLength(1);
  });

  test('one without a number takes that of the account that links it first', async () => {
    const one = await member(server);
    const card = await issue(1_000);
    await link(one, card);
    await link(await member(server), card);
    await one.call(contract.resetPin, { body: { number: card.number } });
    await server.advance(1);
    expect(
      (
        await one.call(contract.resetPin, {
          body: { number: card.number, code: await codeFor(server, one.mobile), pin: '135790' },
        })
      ).body.changed,
    ).toBe(true);
  });

  test('an expired one pays nothing; money that comes back to it can be spent for another month', async () => {
    const one = await visitor(server, 'IN', PICKUP);
    const card = await issue(500_000);
    await one.fill();
    const { voucherId } = await link(one, card);
    const expire = async () => {
      await db.updateTable('vouchers').set({ expires_at: 1 }).where('id', '=', voucherId).execute();
    };
    const expiry = async () => (await one.call(contract.balance, {})).body.vouchers[0];
    const { bill } = await one.cart();
    const { body } = await spend(one, [{ voucherId, amount: bill.total - 100 }]);
    await expire();
    await server.advance(905);
    expect((await one.read(body.order.orderId)).orderStatus).toBe('FAILED');
    expect(await expiry()).toMatchObject({ balance: 500_000, isExpired: false });
    expect((await expiry())!.expiresAt).toBeGreaterThan((await server.advance(1)) + 29 * 86_400_000);
    const dead = await issue(1_000, { days: 0 });
    const late = await one.call(contract.link, { body: keys(dead) });
    expect(late.body.errors).toMatchObject([{ code: 'EGV_EXPIRED', displayMsg: errors.egvExpired, field: 'number' }]);
    await expire();
    const { problems, funds } = (await one.validate({ paymentMode: 'UPI', vouchers: [voucherId] })).body;
    const expired = { code: 'EGV_EXPIRED', displayMsg: errors.egvExpired, field: voucherId };
    expect([problems.filter(({ code }) => code.startsWith('EGV')), funds.vouchers]).toEqual([[expired], []]);
    expect((await spend(one, [{ voucherId, amount: 100 }])).body.errors).toMatchObject([expired]);
    // One that is named twice counts once, and is not spent twice.
    const good = await link(one, await issue(900));
    const twice = [good.voucherId, good.voucherId];
    expect((await one.validate({ paymentMode: 'UPI', vouchers: twice })).body.funds.vouchers).toMatchObject([
      { voucherId: good.voucherId, balance: 900, amount: 900 },
    ]);
    const both = await spend(
      one,
      twice.map((own) => ({ voucherId: own, amount: 100 })),
    );
    expect([both.status, both.body.errors?.[0]]).toMatchObject([
      422,
      { code: 'EGV_COUNT', displayMsg: errors.egvCount },
    ]);
  });

  test('inside a payment app none pays, though the account that is logged in there has one', async () => {
    const mobile = freshMobile();
    const { where, productId } = await visitor(server);
    const one = new Customer(server, await logIn(server, mobile), where, productId, mobile);
    const { voucherId } = await link(one, await issue(2_000));
    const inApp = new Customer(server, await logInByPaytm(server, mobile), where, productId, mobile);
    expect(inApp.userId).toBe(one.userId);
    await inApp.fill();
    const unknown = { code: 'EGV_UNKNOWN', displayMsg: errors.notFound, field: voucherId };
    const { problems } = (await inApp.validate({ paymentMode: 'PAYTM', vouchers: [voucherId] })).body;
    expect(problems).toEqual([unknown]);
    const funds = { vouchers: [{ voucherId, amount: 100 }] };
    expect((await inApp.submit({ paymentMode: 'PAYTM', body: { funds } })).body.errors).toMatchObject([unknown]);
    expect(await balances(one)).toEqual([2_000]);
  });

  test("a guest's go along into the account; nobody uses what somebody else has linked", async () => {
    const mobile = freshMobile();
    const one = await visitor(server);
    const card = await issue(2_000);
    const { voucherId } = await link(one, card);
    const other = await visitor(server);
    await other.fill();
    const unknown = { code: 'EGV_UNKNOWN', displayMsg: errors.notFound, field: voucherId };
    expect((await spend(other, [{ voucherId, amount: 100 }])).body.errors).toMatchObject([unknown]);
    expect((await other.validate({ paymentMode: 'UPI', vouchers: [voucherId] })).body.problems).toEqual([unknown]);
    const account = new Customer(
      server,
      await logIn(server, mobile, 'in-web', one.person),
      PLACES['IN']!.where,
      one.productId,
      mobile,
    );
    expect(await balances(account)).toEqual([2_000]);
  });
});

import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import type { Endpoint } from '../../src/contract/endpoint.ts';
import * as contract from '../../src/contract/linkedWallets.ts';
import * as orders from '../../src/contract/orders.ts';
import * as payments from '../../src/contract/payments.ts';
import * as wallet from '../../src/contract/wallet.ts';
import * as serverText from '#text/server.ts';
import { OPENING_BALANCE } from '../../hosts/paytm/server/walletDesk.ts';
import { on } from '../kit/engines.ts';
import { bothEngines } from '../kit/server.ts';
import { codeFor, codeOf, freshMobile } from './people.ts';
import { type Customer, member, openShop, PICKUP, visitor } from './shop.ts';
import { shopHere } from './shopHere.ts';

const provider = 'PAYTM';

describe.each(await bothEngines())('a wallet at a provider on %s', (engine) => {
  const { raced, test } = on(engine);
  const { server, db } = shopHere({ engine }, 60);

  const state = async (one: Customer) => (await one.call(contract.balance, { provider })).body.wallet;
  async function linked(mobile = freshMobile(), version = 've3'): Promise<{ one: Customer; mobile: string }> {
    const one = await member(server, 'IN', PICKUP);
    await link(one, mobile, version);
    return { one, mobile };
  }
  async function link(one: Customer, mobile: string, version = 've3') {
    const by = <E extends Endpoint>(endpoint: E): E => ({
      ...endpoint,
      path: endpoint.path.replace('/ve3/', `/${version}/`),
    });
    const asked = await one.call(by(contract.link), { provider, body: { mobile } });
    expect(asked.status, JSON.stringify(asked.body)).toBe(200);
    const done = await one.call(by(contract.verify), {
      provider,
      body: { state: asked.body.state, code: await codeFor(server, mobile) },
    });
    expect(done.status, JSON.stringify(done.body)).toBe(200);
    return done.body.wallet;
  }
  async function begin(one: Customer, more: { wallet?: number } = {}) {
    await one.fill();
    const answer = await one.submit({
      paymentMode: 'PAYTM',
      body: { linked: true, ...(more.wallet === undefined ? {} : { funds: { wallet: more.wallet } }) },
    });
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    return answer.body;
  }
  const redeem = (one: Customer, transactionId: string) =>
    one.call(contract.redeem, { provider, body: { transactionId } });

  test('is tied by the code the provider sends, tells its balance, and is let go again [PAY-11] [API-49]', async () => {
    const { one, mobile } = await linked(freshMobile(), 've4');
    expect(await state(one)).toEqual({
      provider,
      label: 'Paytm wallet',
      isLinked: true,
      mobile,
      balance: OPENING_BALANCE,
    });
    const path = `/payment-service/ve4/wallets/${provider}/balance`;
    const again = await fetch(server.url + path, {
      headers: { api_key: 'in-web', authToken: one.person.as.authToken!, userId: one.userId },
    });
    expect(await again.json()).toMatchObject({ wallet: { isLinked: true } });
    expect((await one.call(contract.unlink, { provider })).body.wallet).toMatchObject({
      isLinked: false,
      balance: null,
    });
    expect(await state(one)).toMatchObject({ isLinked: false });
    await one.fill();
    expect((await one.submit({ paymentMode: 'PAYTM', body: { linked: true } })).body.errors).toMatchObject([
      { code: 'LINKED_GONE', displayMsg: serverText.linkedGone({ label: 'Paytm wallet' }), field: 'linked' },
    ]);
    // Nor is there one to pay by UPI, or for who has no account.
    const guest = await visitor(server, 'IN', PICKUP);
    await guest.fill();
    for (const [who, paymentMode] of [
      [one, 'UPI'],
      [guest, 'PAYTM'],
    ] as const)
      expect((await who.submit({ paymentMode, body: { linked: true } })).body.errors).toMatchObject([
        { code: 'PAYMENT_MODE', displayMsg: serverText.featureOff, field: 'linked' },
      ]);
  });

  test('what was untied at the provider is untied here too', async () => {
    const { one } = await linked();
    const rows = db.selectFrom('linked_wallets').selectAll().where('user_id', '=', one.userId);
    const { token } = await rows.executeTakeFirstOrThrow();
    await db.updateTable('linked_wallets').set({ token: 'gone' }).where('token', '=', token).execute();
    const gone = { provider, label: 'Paytm wallet', isLinked: false, mobile: null, balance: null };
    expect(await state(one)).toEqual(gone);
    expect(await rows.execute()).toEqual([]);
    expect(await state(one)).toEqual(gone);
  });

  test('wrong codes are counted by the provider; codes are not sent without end; it is for accounts on the web [PAY-11]', async () => {
    const one = await member(server);
    const mobile = freshMobile();
    const { body } = await one.call(contract.link, { provider, body: { mobile } });
    const right = await codeFor(server, mobile);
    const wrong = right === '000000' ? '000001' : '000000';
    const verify = (code: string, at = body.state) =>
      one.call(contract.verify, { provider, body: { state: at, code } });
    expect(codeOf(await verify('12'))).toBe('OTP_WRONG');
    for (let n = 0; n < 4; n += 1) expect(codeOf(await verify(wrong))).toBe('OTP_WRONG');
    expect(codeOf(await verify(wrong))).toBe('OTP_TRIES');
    expect(codeOf(await verify(right))).toBe('OTP_TRIES');
    expect(codeOf(await verify(right, 'forged'))).toBe('OTP_EXPIRED');
    // Ten accounts that ask at once make no more messages than one: the number has had the one.
    const others = await Promise.all(Array.from({ length: 10 }, () => member(server)));
    const asked = await Promise.all(others.map((other) => other.call(contract.link, { provider, body: { mobile } })));
    expect(new Set(asked.map(codeOf))).toEqual(new Set(['OTP_WAIT']));
    expect(await server.inbox(`+91${mobile}`)).toHaveLength(1);
    expect(codeOf(await one.call(contract.link, { provider: 'OTHER', body: { mobile } }))).toBe('NOT_FOUND');
    expect(codeOf(await (await visitor(server)).call(contract.balance, { provider }))).toBe('LOGIN_NEEDED');
    expect(codeOf(await (await member(server, 'LK')).call(contract.balance, { provider }))).toBe('NOT_FOUND');
    expect(codeOf(await (await member(server, 'BG')).call(contract.balance, { provider }))).toBe('FEATURE_BLOCKED');
  });

  raced(
    "a linked wallet pays an order once on the customer's word, and a refund puts the money back [PAY-11] [API-49]",
    async () => {
      const { one } = await linked();
      const { order, next } = await begin(one);
      expect(next).toMatchObject({ kind: 'linked', provider, label: 'Paytm wallet', amount: order.bill.total });
      expect(order).toMatchObject({ orderStatus: 'PENDING', payment: { label: 'Paytm wallet' } });
      // A page that was killed here finds the same step again.
      expect((await one.call(payments.transaction, { transactionId: order.transactionId })).body.next).toMatchObject({
        kind: 'linked',
      });
      const answers = await Promise.all(Array.from({ length: 8 }, () => redeem(one, order.transactionId)));
      for (const answer of answers)
        expect(answer.body).toMatchObject({ orderId: order.orderId, payment: { state: 'CAPTURED' } });
      expect((await one.read(order.orderId)).orderStatus).toBe('ORDER PLACED');
      expect((await state(one)).balance).toBe(OPENING_BALANCE - order.bill.total);
      expect((await one.cancel(order.orderId)).body.order.refund).toMatchObject({ state: 'STARTED' });
      await server.advance(11 * 86_400);
      expect((await one.read(order.orderId)).refund).toMatchObject({ state: 'PAID' });
      expect((await state(one)).balance).toBe(OPENING_BALANCE);
      await openShop(server);
    },
  );

  test('a first order is counted for the linked wallet that pays it, and for no wallet otherwise', async () => {
    const countedFor = async (body: object) => {
      const { one } = await linked();
      await one.fill(2, 'M');
      expect((await one.coupon('WELCOME50')).status).toBe('SUCCESS');
      const { order } = (await one.submit({ paymentMode: 'PAYTM', body })).body;
      expect(order.bill.lines.map(({ id }) => id)).toContain('discount:WELCOME50');
      const rows = await db.selectFrom('first_orders').selectAll().where('order_id', '=', order.orderId).execute();
      await one.cancel(order.orderId);
      return rows.length;
    };
    // The account and its number; and the wallet.
    expect([await countedFor({}), await countedFor({ linked: true })]).toEqual([2, 3]);
  });

  test('the pizza wallet pays a part, the linked one the rest [PAY-11]', async () => {
    const { one } = await linked();
    await server.call(wallet.credit, { body: { mobile: one.mobile, amount: 5_000 } });
    const { order, next } = await begin(one, { wallet: 5_000 });
    expect(next).toMatchObject({ amount: order.bill.total - 5_000 });
    await redeem(one, order.transactionId);
    expect(await one.read(order.orderId)).toMatchObject({
      orderStatus: 'ORDER PLACED',
      parts: [{ amount: 5_000 }],
      payment: { amount: order.bill.total - 5_000 },
    });
  });

  raced('16 orders of people who share one wallet, at once: it never pays more than it holds [PAY-11]', async () => {
    const mobile = freshMobile();
    const { one: first } = await linked(mobile);
    const [row] = await db.selectFrom('linked_wallets').selectAll().where('user_id', '=', first.userId).execute();
    const people: Customer[] = [first];
    // A number gets no 16 codes in a minute.
    for (let n = 1; n < 16; n += 1) {
      const one = await member(server, 'IN', PICKUP);
      await db
        .insertInto('linked_wallets')
        .values({ ...row!, user_id: one.userId })
        .execute();
      people.push(one);
    }
    const begun = await Promise.all(people.map(async (one) => ({ one, ...(await begin(one)) })));
    const total = begun[0]!.order.bill.total as number;
    const answers = await Promise.all(begun.map(({ one, order }) => redeem(one, order.transactionId)));
    const paid = answers.filter((answer) => answer.status === 200);
    expect(paid.length).toBe(Math.floor(OPENING_BALANCE / total));
    expect(new Set(answers.filter((answer) => answer.status !== 200).map(codeOf))).toEqual(new Set(['LINKED_LOW']));
    expect((await state(people[0]!)).balance).toBe(OPENING_BALANCE - paid.length * total);
    // Whoever was too late pays in another way.
    const loser = begun[answers.findIndex((answer) => answer.status !== 200)]!;
    const other = await loser.one.retry({ orderId: loser.order.orderId, paymentMode: 'UPI' });
    expect(other.body.next).toMatchObject({ kind: 'upi' });
  });

  test('a decline takes nothing, an unknown answer is settled by its status, another mode is no linked one', async () => {
    const { one } = await linked();
    await server.switches({ bankOutcome: 'failure' });
    const first = await begin(one);
    expect((await redeem(one, first.order.transactionId)).body.payment.state).toBe('FAILED');
    expect((await state(one)).balance).toBe(OPENING_BALANCE);
    await server.switches({ bankOutcome: 'pending-then-failure' });
    const again = await one.retry({ orderId: first.order.orderId, paymentMode: 'PAYTM', linked: true });
    expect(again.body.next).toMatchObject({ kind: 'linked' });
    expect((await redeem(one, again.body.payment.transactionId)).body.payment.state).toBe('UNKNOWN');
    expect((await state(one)).balance).toBe(OPENING_BALANCE - first.order.bill.total);
    await server.advance(1_000);
    // The provider gives the money back without telling us of it.
    expect(await one.read(first.order.orderId)).toMatchObject({
      orderStatus: 'FAILED',
      refund: null,
      payment: { isGivenUp: true },
    });
    await server.advance(11 * 86_400);
    expect((await state(one)).balance).toBe(OPENING_BALANCE);
    await openShop(server);
    await server.switches({ bankOutcome: null });
    const plain = await one.order({ paymentMode: 'UPI' });
    expect(codeOf(await redeem(one, plain.order.transactionId))).toBe('PAYMENT_MODE');
    const other = await member(server);
    expect((await redeem(other, plain.order.transactionId)).status).toBe(404);
    await one.call(orders.cancel, { orderId: plain.order.orderId }, { 'idempotency-key': randomUUID() });
  });
});

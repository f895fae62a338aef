import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import type { PaymentMode } from '../../src/contract/names.ts';
import * as paylinks from '../../src/contract/paylinks.ts';
import * as payments from '../../src/contract/payments.ts';
import * as vouchers from '../../src/contract/vouchers.ts';

import { on } from '../kit/engines.ts';
import { bothEngines } from '../kit/server.ts';
import { codeOf } from './people.ts';
import { type Customer, member, pay, PICKUP, visitor } from './shop.ts';
import { shopHere } from './shopHere.ts';

describe.each(await bothEngines())('pay links on %s', (engine) => {
  const { raced, test } = on(engine);
  const { server, db } = shopHere({ engine }, 1200);

  async function shared(country = 'IN', who?: Customer) {
    const owner = who ?? (await visitor(server, country));
    const { order, next } = await owner.order({ paymentMode: 'LINK' });
    if (next.kind !== 'link') throw new Error(`no link: ${next.kind}`);
    return { owner, order, token: next.token, expiresAt: next.expiresAt };
  }
  const look = async (token: string, apiKey = 'in-web') => await server.call(paylinks.byToken, { token }, { apiKey });
  const payBy = (who: Customer, token: string, paymentMode: PaymentMode = 'UPI', key: string = randomUUID()) =>
    who.call(paylinks.pay, { token, body: { paymentMode } }, { 'idempotency-key': key, returnpath: '/in/' });

  test('somebody else sees the shop and the amount and nothing else, pays once, and whoever shared it sees that [PAY-X06]', async () => {
    const owner = await member(server);
    const { order, token, expiresAt } = await shared('IN', owner);
    const { body } = await look(token);
    expect(body.link).toMatchObject({
      state: 'OPEN',
      amount: order.bill.total,
      expiresAt,
      hasFailed: false,
      shopName: order.store.name,
    });
    expect(Object.keys(body.link).sort()).toEqual([
      ...['amount', 'cardFields', 'expiresAt', 'hasFailed', 'options', 'shopName', 'state', 'tries'],
    ]);
    expect(body.link.options.map(({ id }) => id)).toEqual(['UPI', 'CARD', 'NETBANKING', 'PAYTM']);
    const payer = await visitor(server);
    for (const mode of ['COD', 'LINK', 'GPAY', 'MFS'] as const)
      expect(codeOf(await payBy(payer, token, mode))).toBe('PAYMENT_MODE');
    const key = randomUUID();
    const begun = await payBy(payer, token, 'NETBANKING', key);
    expect(begun.status, JSON.stringify(begun.body)).toBe(200);
    expect(JSON.stringify((await payBy(payer, token, 'NETBANKING', key)).body)).toBe(JSON.stringify(begun.body));
    for (const personal of [
      order.orderId,
      order.orderNumber,
      owner.userId,
      owner.mobile,
      'Asha',
      'Rao',
      'Barakhamba',
    ]) {
      // The number of an order may be part of a reference by chance; a word of its own it is not.
      expect(JSON.stringify([body, begun.body]).split(/\W+/)).not.toContain(personal);
    }
    // Whoever shared it still waits, and is not led to the payer's bank.
    expect((await owner.confirm(order)).next).toMatchObject({ kind: 'link', token });
    const back = await pay(server, begun.body.next);
    expect(back).toMatch(new RegExp(`/in/pay/${token}\\?transactionId=`));
    expect((await look(token)).body.link).toMatchObject({ state: 'PAID', options: [] });
    expect(await owner.read(order.orderId)).toMatchObject({
      orderStatus: 'ORDER PLACED',
      payment: { state: 'CAPTURED', mode: 'NETBANKING' },
    });
    expect(codeOf(await payBy(await visitor(server), token))).toBe('ALREADY_PAID');
    // What somebody else paid with is not what this customer paid with.
    expect((await owner.call(payments.lastSuccessful, {})).body.mode).toBeNull();
    expect(
      (await db.selectFrom('payments').selectAll().where('order_id', '=', order.orderId).execute())
        .map((row) => row.details)
        .join(),
    ).not.toContain(payer.userId);
  });

  raced("two people with one link: the bank takes one payment, the other's is closed [PAY-X06]", async () => {
    const { owner, order, token } = await shared();
    const [first, second] = [await visitor(server), await visitor(server)];
    const one = await payBy(first, token);
    const two = await payBy(second, token, 'PAYTM');
    expect([one.status, two.status]).toEqual([200, 200]);
    await pay(server, one.body.next).catch(() => undefined);
    await pay(server, two.body.next);
    expect((await look(token)).body.link.state).toBe('PAID');
    await server.advance(60);
    expect(await db.selectFrom('captures').selectAll().where('order_id', '=', order.orderId).execute()).toHaveLength(1);
    expect(await owner.read(order.orderId)).toMatchObject({ payment: { mode: 'PAYTM', state: 'CAPTURED' } });
    // Many at once: one attempt is open at any time.
    const crowd = await shared();
    const people = await Promise.all(Array.from({ length: 5 }, () => visitor(server)));
    await Promise.all(people.map((who) => payBy(who, crowd.token)));
    expect(
      (
        await db
          .selectFrom('payments')
          .select('id')
          .where('order_id', '=', crowd.order.orderId)
          .where('state', 'in', ['CREATED', 'SENT', 'UNKNOWN'])
          .execute()
      ).length,
    ).toBeLessThanOrEqual(1);
  });

  test("it ends with the order's own time, or when the customer pays in another way or gives up [PAY-X06]", async () => {
    const late = await shared();
    await server.advance(901);
    expect((await look(late.token)).body.link).toMatchObject({ state: 'OVER', options: [] });
    expect(codeOf(await payBy(await visitor(server), late.token))).toBe('LINK_OVER');
    expect(await late.owner.read(late.order.orderId)).toMatchObject({ orderStatus: 'FAILED' });

    const other = await shared();
    const own = await other.owner.retry({ orderId: other.order.orderId, paymentMode: 'UPI' });
    expect(own.body.next.kind).toBe('upi');
    expect((await look(other.token)).body.link.state).toBe('OVER');
    expect(codeOf(await payBy(await visitor(server), other.token))).toBe('LINK_OVER');
    // Asked again, the same link is open again: whoever has it need not be sent another.
    const again = await other.owner.retry({ orderId: other.order.orderId, paymentMode: 'LINK' });
    expect(again.body.next).toMatchObject({ kind: 'link', token: other.token });
    expect((await look(other.token)).body.link.state).toBe('OPEN');
    await other.owner.cancel(other.order.orderId);
    expect((await look(other.token)).body.link.state).toBe('OVER');
  });

  test('a payer whose bank says no tries again; one whose bank is deciding is not asked twice [PAY-X06]', async () => {
    const { owner, order, token } = await shared();
    const payer = await visitor(server);
    await pay(server, (await payBy(payer, token)).body.next, 'decline');
    expect((await look(token)).body.link).toMatchObject({ state: 'OPEN', hasFailed: true });
    // Whoever shared it waits on: the link is still open, and they may pay in another way.
    expect(await owner.confirm(order, (await owner.read(order.orderId)).transactionId)).toMatchObject({
      order: { payment: { state: 'FAILED', mayPayAgain: true } },
      next: { kind: 'link', token },
    });
    await pay(server, (await payBy(payer, token)).body.next, 'pending');
    expect((await look(token)).body.link).toMatchObject({ state: 'UNDER_WAY', options: [] });
    expect(codeOf(await payBy(await visitor(server), token))).toBe('PAYMENT_UNKNOWN');
    const upi = await shared();
    await payBy(payer, upi.token);
    expect(codeOf(await payer.call(paylinks.collect, { token: upi.token, body: { vpa: 'nobody' } }))).toBe(
      'INVALID_VPA',
    );
    expect(
      (await payer.call(paylinks.collect, { token: upi.token, body: { vpa: 'success@okbank' } })).body.link.state,
    ).toBe('PAID');
  });

  test('a refused payment closes nothing: not what another payer has begun, nor what the customer has', async () => {
    const { order, owner, token } = await shared();
    const payer = await visitor(server);
    await payBy(payer, token);
    const before = (await owner.read(order.orderId)).payment;
    const stranger = await visitor(server);
    for (const body of [
      { paymentMode: 'NETBANKING', paymentChoice: 'NOBODY' },
      { paymentMode: 'COD' },
      { paymentMode: 'CARD', cardToken: 'nobodys' },
    ] as const)
      expect(
        (await stranger.call(paylinks.pay, { token, body }, { 'idempotency-key': randomUUID() })).status,
        body.paymentMode,
      ).toBe(422);
    expect((await owner.read(order.orderId)).payment).toEqual(before);

    const own = await visitor(server, 'IN', PICKUP);
    await own.fill(15, 'L');
    const { orderId } = (await own.submit()).body.order;
    const sent = () => ({ 'idempotency-key': randomUUID() });
    const refused = [
      await own.call(payments.retry, { body: { orderId, paymentMode: 'COD' } }, sent()),
      await own.call(payments.retry, { body: { orderId, paymentMode: 'CARD', cardToken: 'nobodys' } }, sent()),
      await own.call(vouchers.redeem, { body: { orderId, voucherId: 'egv_none', amount: 100 } }, sent()),
    ];
    expect(refused.map((answer) => codeOf(answer))).toEqual(['CASH_LIMIT', 'CARD_TOKEN', 'EGV_UNKNOWN']);
    expect((await own.read(orderId)).payment).toMatchObject({ state: 'SENT', mode: 'UPI' });
  });

  test('links belong to a country and to standalone pages: inside a payment app there is none [PAY-X06]', async () => {
    const { token } = await shared();
    for (const apiKey of ['lk-web', 'in-gpay', 'in-paytm']) expect((await look(token, apiKey)).status).toBe(404);
    expect((await look('x'.repeat(43))).status).toBe(404);
    for (const apiKey of ['in-gpay', 'in-paytm']) {
      const inside = await visitor(server, 'IN', undefined, apiKey);
      await inside.fill();
      expect(codeOf(await inside.submit({ paymentMode: 'LINK' }))).toBe('PAYMENT_MODE');
    }
    const bangla = await shared('BG');
    expect((await look(bangla.token, 'bg-web')).body.link.options.map(({ id }) => id)).toEqual(['CARD', 'MFS']);
  });
});

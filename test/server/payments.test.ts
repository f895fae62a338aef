import { afterEach, describe, expect, test, vi } from 'vitest';
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { BankOutcome } from '../../src/contract/development.ts';
import type { OrderView } from '../../src/contract/orders.ts';
import type { PaymentMode } from '../../src/contract/names.ts';
import type { PaymentStep } from '../../src/contract/payments.ts';
import * as payments from '../../src/contract/payments.ts';
import * as errors from '#text/errors.ts';
import * as serverText from '#text/server.ts';
import { bankSecret } from '../../src/server/vendors/bankDesk.ts';
import { sign } from '../../src/server/providers/signing.ts';
import { on } from '../kit/engines.ts';
import { sample } from '../kit/matrix.ts';
import { bothEngines, startServer } from '../kit/server.ts';
import { codeFor, codeOf } from './people.ts';
import { Customer, member, openShop, pay, CURB, PICKUP, visitor } from './shop.ts';
import { CARD, enteredCard, sayOfFields, typedCard } from './typed.ts';
import { shopHere } from './shopHere.ts';

/** A bank at another address, configured whole. */
const bankAt = (url: string) => ({
  BANK_URL: url,
  BANK_MERCHANT: 'golden-oven',
  BANK_SECRET: 'not what the bank has',
  BANK_VPA: 'goldenoven@embeddedbank',
});

describe.each(await bothEngines())('payments on %s', (engine) => {
  const { raced, test, describe } = on(engine);
  const { server, db } = shopHere({ engine }, 1);
  afterEach(async () => {
    await server.switches({ bankOutcome: null });
  });

  const HOSTS: readonly { name: string; country: string; apiKey: string; mode: PaymentMode }[] = [
    { name: 'UPI', country: 'IN', apiKey: 'in-web', mode: 'UPI' },
    { name: 'card', country: 'IN', apiKey: 'in-web', mode: 'CARD' },
    { name: 'net banking', country: 'IN', apiKey: 'in-web', mode: 'NETBANKING' },
    { name: 'Paytm form', country: 'IN', apiKey: 'in-web', mode: 'PAYTM' },
    { name: 'Paytm host', country: 'IN', apiKey: 'in-paytm', mode: 'PAYTM' },
    { name: 'gpay host', country: 'IN', apiKey: 'in-gpay', mode: 'GPAY' },
    { name: 'card in Sri Lanka', country: 'LK', apiKey: 'lk-web', mode: 'CARD' },
    { name: 'mobile money', country: 'BG', apiKey: 'bg-web', mode: 'MFS' },
  ];

  /** What settles a payment is the same for all that one provider is asked about in one way. */
  const SOME = sample(
    HOSTS,
    HOSTS.filter(({ name }) => ['UPI', 'card', 'Paytm host', 'gpay host'].includes(name)),
  );
  const cardOf = (customer: Customer, number: string = CARD.number) => enteredCard(customer, { ...CARD, number });
  async function begun(
    host: (typeof HOSTS)[number],
  ): Promise<{ customer: Customer; order: OrderView; next: PaymentStep; name: string }> {
    const customer = await visitor(server, host.country, undefined, host.apiKey);
    const body = host.mode === 'CARD' ? { cardToken: await cardOf(customer) } : {};
    return { customer, name: host.name, ...(await customer.order({ paymentMode: host.mode, body })) };
  }
  const ask = async ({ customer, order }: { customer: Customer; order: OrderView }) =>
    (await customer.call(payments.status, { query: { transactionId: order.transactionId } })).body;
  const refundsOf = async (orderId: string) =>
    await db.selectFrom('refunds').selectAll().where('order_id', '=', orderId).execute();

  /** Every mode is paid under this outcome; what a customer sees at once, and after twenty minutes. */
  async function play(outcome: BankOutcome, hosts = SOME) {
    const all = [];
    for (const host of hosts) all.push(await begun(host));
    await server.switches({ bankOutcome: outcome });
    const now = [];
    for (const one of all) {
      await pay(server, one.next);
      const { payment, orderStatus } = await ask(one);
      now.push([one.name, payment.state, orderStatus, payment.mayPayAgain]);
    }
    return { all, now };
  }
  const everywhere = (...rest: unknown[]) => SOME.map((host) => [host.name, ...rest]);
  /** The refunds of every mode but Paytm's, whose gateway says nothing of money that goes back by itself. */
  const exceptPaytm = (states: readonly string[], refunds: number) =>
    SOME.map((host) => [host.name, ...states, ...(host.mode === 'PAYTM' ? [0, 0] : [refunds, refunds])]);
  async function later(all: Awaited<ReturnType<typeof play>>['all']) {
    const list = [];
    for (const one of all) {
      const order = await one.customer.read(one.order.orderId);
      list.push([
        one.name,
        order.payment.state,
        order.orderStatus,
        order.refund === null ? 0 : order.refund.amount / order.bill.total,
        (await refundsOf(one.order.orderId)).length,
      ]);
    }
    return list;
  }

  describe('each outcome in every mode and host', () => {
    test("success: paid by the bank's own word [PAY-08] [PAY-18] [API-51]", async () => {
      const { all, now } = await play('success', HOSTS);
      expect(now).toEqual(HOSTS.map(({ name }) => [name, 'CAPTURED', 'ORDER PLACED', false]));
      await server.advance(1200);
      expect((await later(all)).map((one) => [one[1], one[3], one[4]])).toEqual(all.map(() => ['CAPTURED', 0, 0]));
    });
    test('failure: known at once, may pay again; the order fails after 15 minutes and says when to try again [PAY-23] [ORD-08]', async () => {
      const { all, now } = await play('failure');
      expect(now).toEqual(everywhere('FAILED', 'PENDING', true));
      // A refusal is no money on its way.
      for (const { customer, order } of all)
        expect((await customer.read(order.orderId)).payment).toMatchObject({ isGivenUp: false, settlesBy: null });
      await server.advance(901);
      expect(await later(all)).toEqual(everywhere('FAILED', 'FAILED', 0, 0));
      const failed = await all[0]!.customer.read(all[0]!.order.orderId);
      const at = failed.steps.at(-1)!;
      expect(at).toMatchObject({ id: 'FAILED' });
      expect(failed.retryAt).toBe(at.at! + 15 * 60_000);
      expect(failed.payment.mayPayAgain).toBe(false);
    });
    test('pending for ever: unknown, do not pay again, failed after 15 minutes, nothing to refund [PAY-21] [ORD-13]', async () => {
      const { all, now } = await play('pending');
      expect(now).toEqual(everywhere('UNKNOWN', 'PENDING', false));
      await server.advance(800);
      expect((await all[0]!.customer.read(all[0]!.order.orderId)).payment).toMatchObject({
        state: 'UNKNOWN',
        settlesBy: expect.any(Number),
      });
      await server.advance(110);
      expect(await later(all)).toEqual(everywhere('FAILED', 'FAILED', 0, 0));
    });
    test('pending, then success: settled by our own asking within half a minute [PAY-X01] [PAY-18]', async () => {
      const { all, now } = await play('pending-then-success');
      expect(now).toEqual(everywhere('UNKNOWN', 'PENDING', false));
      await server.advance(31);
      expect(await later(all)).toEqual(everywhere('CAPTURED', 'ORDER PLACED', 0, 0));
    });
    test("pending, then failure: the debit comes back, once, with dates; Paytm's gateway tells of none [PAY-23] [PAY-X07]", async () => {
      const { all, now } = await play('pending-then-failure');
      expect(now).toEqual(everywhere('UNKNOWN', 'PENDING', false));
      await server.advance(31);
      expect(await later(all)).toEqual(exceptPaytm(['FAILED', 'PENDING'], 1));
      for (const { customer, order, name } of all)
        expect((await customer.read(order.orderId)).payment.isGivenUp, name).toBe(name.startsWith('Paytm'));
      // The bank returns it by itself.
      expect(await refundsOf(all[0]!.order.orderId)).toMatchObject([{ reason: 'PAYMENT_FAILED', by_provider: 1 }]);
      await server.advance(900);
      expect(await later(all)).toEqual(exceptPaytm(['FAILED', 'FAILED'], 1));
    });
    test('late: money that comes after we gave up is refunded, and the order stays failed [ORD-22] [PAY-23]', async () => {
      const { all } = await play('late');
      await server.advance(905);
      expect(await later(all)).toEqual(everywhere('FAILED', 'FAILED', 0, 0));
      await server.advance(400);
      expect(await later(all)).toEqual(everywhere('FAILED', 'FAILED', 1, 1));
      for (const { order } of all) expect(await refundsOf(order.orderId)).toMatchObject([{ reason: 'PAID_LATE' }]);
    });
    raced(
      "twice: one payment counts, the second is refunded; Paytm's gateway takes one for an order id [PAY-X01]",
      async () => {
        const { all, now } = await play('twice');
        expect(now).toEqual(everywhere('CAPTURED', 'ORDER PLACED', false));
        await server.advance(10);
        expect(await later(all)).toEqual(exceptPaytm(['CAPTURED', 'ORDER PLACED'], 1));
        const second = await refundsOf(all[0]!.order.orderId);
        expect(second).toMatchObject([{ reason: 'PAID_TWICE', by_provider: 0, state: 'STARTED' }]);
      },
    );
    test('silent: no notice ever comes, asking finds it [PAY-18]', async () => {
      const all = [];
      for (const host of SOME) all.push(await begun(host));
      await server.switches({ bankOutcome: 'silent' });
      for (const one of all) await pay(server, one.next);
      await server.advance(31);
      expect(await later(all)).toEqual(everywhere('CAPTURED', 'ORDER PLACED', 0, 0));
      expect(
        await db
          .selectFrom('notices')
          .selectAll()
          .where(
            'reference',
            'in',
            all.map((one) => one.order.transactionReferenceId),
          )
          .execute(),
      ).toEqual([]);
    });
  });

  test('refunds are paid when they were said to be [PAY-X07]', async () => {
    const { customer, order, next } = await begun(HOSTS[0]!);
    await pay(server, next);
    await customer.confirm(order);
    const { refund } = (await customer.cancel(order.orderId)).body.order;
    expect(refund!.expectedTo).toBeGreaterThan(refund!.expectedFrom);
    await server.advance(8 * 86_400);
    expect((await customer.read(order.orderId)).refund).toMatchObject({ state: 'PAID', amount: order.bill.total });
    await openShop(server);
  });

  describe('what the page or a stranger says is not believed', () => {
    test('another amount at the bank does not pay the order: the payment is unknown, and the money goes back', async () => {
      const said = vi.spyOn(console, 'log').mockImplementation(() => undefined);
      const { customer, order, next } = await begun(HOSTS[0]!);
      await db
        .updateTable('bank_charges')
        .set({ amount: order.bill.total - 5000 })
        .where('reference', '=', order.transactionReferenceId)
        .execute();
      await pay(server, next);
      const after = (await customer.confirm(order)).order;
      expect(after).toMatchObject({ orderStatus: 'PENDING', payment: { state: 'UNKNOWN', mayPayAgain: false } });
      expect(said.mock.calls.flat().join('\n')).toMatch(/"incident":"PAYMENT".*another amount/);
      said.mockRestore();
      await server.advance(901);
      expect((await customer.read(order.orderId)).orderStatus).toBe('FAILED');
      await server.advance(301);
      const amount = order.bill.total - 5000;
      expect((await customer.read(order.orderId)).refund).toMatchObject({ amount });
      expect(await refundsOf(order.orderId)).toMatchObject([{ reason: 'AMOUNT', amount }]);
    });
    test("a host's changed amount or payee is not paid", async () => {
      const { next } = await begun(HOSTS[5]!);
      if (next.kind !== 'host') throw new Error(next.kind);
      for (const change of [{ amount: '1.00' }, { payeeVpa: 'somebody@else' }]) {
        const answer = await fetch(`${server.url}/vendors/google/pay`, {
          method: 'POST',
          body: JSON.stringify({
            transactionReferenceId: next.transactionReferenceId,
            amount: (next.amount / 100).toFixed(2),
            payeeVpa: next.details['payeeVpa'],
            ...change,
          }),
        });
        expect(answer.status).toBe(422);
      }
    });
    raced(
      'notices: forged ones are refused; five of the same, or the wrong way round, end in the same order',
      async () => {
        const { customer, order, next } = await begun(HOSTS[0]!);
        const bank = await bankSecret(db);
        const tell = async (status: string, key = bank) => {
          const body = JSON.stringify({
            reference: order.transactionReferenceId,
            status,
            code: '01',
            amount: order.bill.total,
            currency: 'INR',
          });
          return (
            await fetch(`${server.url}/webhooks/bank`, {
              method: 'POST',
              body,
              headers: { 'x-bank-signature': sign(key, 'notice', body) },
            })
          ).status;
        };
        expect(await tell('SUCCESS', 'not the secret')).toBe(401);
        expect(await tell('SUCCESS')).toBe(200);
        // Signed, but before any money moved: the bank's status decides, not its notice.
        expect((await customer.read(order.orderId)).orderStatus).toBe('PENDING');
        await pay(server, next);
        expect(await Promise.all(Array.from({ length: 5 }, () => tell('SUCCESS')))).toEqual([200, 200, 200, 200, 200]);
        expect(await tell('PENDING')).toBe(200);
        expect(await tell('FAILED')).toBe(200);
        expect(await customer.read(order.orderId)).toMatchObject({
          orderStatus: 'ORDER PLACED',
          payment: { state: 'CAPTURED' },
          refund: null,
        });
        expect(
          await db.selectFrom('captures').selectAll().where('order_id', '=', order.orderId).execute(),
        ).toHaveLength(1);
      },
    );
    test('a notice that is not readable, too long, or about nothing of ours', async () => {
      const bank = await bankSecret(db);
      const send = async (body: string) =>
        (
          await fetch(`${server.url}/webhooks/bank`, {
            method: 'POST',
            body,
            headers: { 'x-bank-signature': sign(bank, 'notice', body) },
          })
        ).status;
      expect(await send('{"reference":"nothing","status":"SUCCESS"}')).toBe(200);
      expect(await send('not json')).toBeGreaterThanOrEqual(400);
      expect(await send('not json')).toBeLessThan(500);
      for (const path of ['/webhooks/bank', '/webhooks/paytm'])
        expect((await fetch(server.url + path, { method: 'POST', body: '{' })).status).toBe(401);
    });
  });

  describe('options', () => {
    test.each([
      ['in-web', ['UPI', 'CARD', 'NETBANKING', 'PAYTM', 'COD', 'LINK']],
      ['in-gpay', ['GPAY']],
      ['in-paytm', ['PAYTM']],
      ['lk-web', ['CARD', 'COD', 'LINK']],
      ['bg-web', ['CARD', 'MFS', 'COD', 'LINK']],
    ])('%s offers %j [PAY-03] [MINI-X03] [API-46]', async (apiKey, ids) => {
      const customer = await visitor(server, apiKey.slice(0, 2).toUpperCase(), undefined, apiKey);
      const { body } = await customer.call(payments.options, {});
      expect(body.options.map((option) => option.id)).toEqual(ids);
      expect(body.options.find((option) => option.id === 'COD')?.maxAmount).toBe(
        { 'in-web': 200_000, 'lk-web': 1_000_000, 'bg-web': 300_000 }[apiKey],
      );
    });
    test.each([
      ['in-web', 'en-IN', 'Visa, Mastercard, RuPay and American Express'],
      ['lk-web', 'si-LK', 'Visa, Mastercard සහ American Express'],
      ['bg-web', 'bn-BD', 'ভিসা, মাস্টারকার্ড ও আমেরিকান এক্সপ্রেস'],
    ])('%s in %s names the cards that this country takes', async (apiKey, language, about) => {
      const customer = await visitor(server, apiKey.slice(0, 2).toUpperCase(), undefined, apiKey);
      const { body } = await customer.call(payments.options, {}, { 'accept-language': language });
      expect(body.options.find(({ id }) => id === 'CARD')?.about).toBe(about);
    });
    test('a host takes no other mode than its own [MINI-X03]', async () => {
      const customer = await visitor(server, 'IN', undefined, 'in-gpay');
      await customer.fill();
      const answer = await customer.submit({ paymentMode: 'COD' });
      expect([answer.status, codeOf(answer)]).toEqual([422, 'PAYMENT_MODE']);
    });
    test('the mode that worked last is remembered [PAY-02] [API-45]', async () => {
      const { customer, order, next } = await begun(HOSTS[2]!);
      expect((await customer.call(payments.lastSuccessful, {})).body.mode).toBeNull();
      await pay(server, next);
      await customer.confirm(order);
      expect((await customer.call(payments.lastSuccessful, {})).body.mode).toBe('NETBANKING');
      // The paths of before, as older clients ask.
      const { authToken } = customer.person.as;
      for (const version of ['ve1', 've2']) {
        const answer = await fetch(`${server.url}/payment-service/${version}/payment/options/lastSuccessful`, {
          headers: { api_key: 'in-web', authToken: authToken!, userId: customer.userId },
        });
        expect([version, await answer.json()]).toMatchObject([version, { status: 'SUCCESS', mode: 'NETBANKING' }]);
      }
    });
    test('a mode that worked last and is not offered here any more is not told, until it is again [PAY-02]', async () => {
      const { customer, order, next } = await begun(HOSTS[0]!);
      await pay(server, next);
      await customer.confirm(order);
      const last = async () => (await customer.call(payments.lastSuccessful, {})).body.mode;
      expect(await last()).toBe('UPI');
      await server.switches({ features: JSON.stringify({ features: [{ name: 'upiForm', value: 'D' }] }) });
      expect(await last()).toBeNull();
      await server.switches({ features: JSON.stringify({ features: [] }) });
      expect(await last()).toBe('UPI');
    });
  });

  describe('cash', () => {
    test('a guest proves the number: wrong, too often, expired, sent again, right [PAY-04] [PAY-05] [API-47]', async () => {
      const customer = await visitor(server, 'IN', PICKUP);
      const { order, next } = await customer.order({ paymentMode: 'COD' });
      expect(next).toEqual({
        kind: 'cod-otp',
        transactionId: order.transactionId,
        mobile: customer.mobile,
        sent: true,
      });
      expect(order).toMatchObject({ orderStatus: 'PENDING', payment: { state: 'OTP_NEEDED' } });
      const otp = (code?: string) =>
        customer.call(payments.codOtp, {
          transactionId: order.transactionId,
          body: code === undefined ? {} : { code },
        });
      const first = await codeFor(server, customer.mobile);
      const wrong = first === '000000' ? '000001' : '000000';
      expect(codeOf(await otp(wrong))).toBe('OTP_WRONG');
      expect(codeOf(await otp())).toBe('OTP_WAIT');
      await server.advance(31);
      expect((await otp()).body).toMatchObject({ sent: true, verified: false });
      expect(codeOf(await otp(first))).toBe('OTP_WRONG');
      await server.advance(301);
      expect(codeOf(await otp(await codeFor(server, customer.mobile)))).toBe('OTP_EXPIRED');
      expect((await otp()).status).toBe(200);
      const right = await codeFor(server, customer.mobile);
      const both = await Promise.all([otp(right), otp(right)]);
      expect(both.map((one) => [one.status, one.body.verified])).toEqual([
        [200, true],
        [200, true],
      ]);
      expect(await customer.read(order.orderId)).toMatchObject({
        orderStatus: 'ORDER PLACED',
        payment: { state: 'DUE_AT_DOOR' },
      });
    });
    test('an unproven number fails the order after 15 minutes [ORD-08]', async () => {
      const customer = await visitor(server);
      const { order } = await customer.order({ paymentMode: 'COD' });
      await server.advance(901);
      expect(await customer.read(order.orderId)).toMatchObject({
        orderStatus: 'FAILED',
        payment: { state: 'FAILED' },
        refund: null,
      });
    });
    test('a customer with this number needs no code; another number does [PAY-05] [PAY-34]', async () => {
      const customer = await member(server);
      expect((await customer.order({ paymentMode: 'COD' })).order).toMatchObject({
        orderStatus: 'ORDER PLACED',
        payment: { state: 'DUE_AT_DOOR' },
      });
      const { next } = await customer.order({
        paymentMode: 'COD',
        body: { customer: { firstName: 'A', lastName: 'B', mobile: '9812345678' } },
      });
      expect(next.kind).toBe('cod-otp');
    });
  });

  describe('cards', () => {
    test('every problem of a card is said with its field [PAY-08] [API-50]', async () => {
      const customer = await visitor(server);
      const problems = async (card: object) =>
        (await sayOfFields(customer, { ...CARD, ...card })).body.problems?.map((error) => [error.code, error.field]);
      expect(await problems({ number: '4111 1111 1111 1112', expiry: '13/30', cvv: '1' })).toEqual([
        ['CARD_NUMBER', 'number'],
        ['CARD_EXPIRY', 'expiry'],
        ['CARD_CVV', 'cvv'],
      ]);
      expect(await problems({ expiry: '01/20' })).toEqual([['CARD_EXPIRY', 'expiry']]);
      expect(await problems({ number: '378282246310005', cvv: '123' })).toEqual([['CARD_CVV', 'cvv']]);
    });
    test('a token says the last four digits, and the number is nowhere in the database [PAY-X03] [API-50]', async () => {
      const customer = await visitor(server);
      const { body } = await customer.call(payments.cardToken, { body: await typedCard(customer) });
      expect(body).toMatchObject({ lastFour: '1111', bin: '411111', brand: 'Visa' });
      for (const table of ['bank_cards', 'bank_charges', 'payments', 'jobs', 'idempotency'] as const) {
        expect(JSON.stringify(await db.selectFrom(table).selectAll().execute())).not.toContain('4111111111111111');
      }
    });
    test('the bank declines card 400000, its page leads back into the app, and the charge tells the no [PAY-08] [PAY-19] [API-50]', async () => {
      const customer = await visitor(server);
      const { order, next } = await customer.order({
        paymentMode: 'CARD',
        body: { cardToken: await cardOf(customer, '4000000000000002') },
        headers: { returnpath: '/in/' },
      });
      expect(await pay(server, next)).toBe(`/in/payment/${order.orderId}?transactionId=${order.transactionId}`);
      expect(
        (await customer.call(payments.chargeStatus, { transactionId: order.transactionId })).body.payment,
      ).toMatchObject({ state: 'FAILED', mayPayAgain: true });
      const paid = await customer.order({ paymentMode: 'CARD', body: { cardToken: await cardOf(customer) } });
      await pay(server, paid.next);
      expect(
        (await customer.call(payments.chargeStatus, { transactionId: paid.order.transactionId })).body.payment.state,
      ).toBe('CAPTURED');
    });
    test('a token that the vault does not know any more fails the attempt at once [PAY-08]', async () => {
      const customer = await visitor(server);
      const cardToken = await cardOf(customer);
      await db.deleteFrom('bank_cards').where('token', '=', cardToken).execute();
      const { order, next } = await customer.order({ paymentMode: 'CARD', body: { cardToken } });
      expect(next.kind).toBe('none');
      expect(order.payment).toMatchObject({ state: 'FAILED', mayPayAgain: true });
    });
  });

  describe('UPI', () => {
    test('the link carries what a UPI app needs [PAY-06]', async () => {
      const { order, next } = await begun(HOSTS[0]!);
      if (next.kind !== 'upi') throw new Error(next.kind);
      const link = new URL(next.link);
      expect(Object.fromEntries(link.searchParams)).toMatchObject({
        pa: 'goldenoven@embeddedbank',
        tr: order.transactionReferenceId,
        am: (order.bill.total / 100).toFixed(2),
        cu: 'INR',
        mc: '5814',
        tn: `Order ${order.orderNumber}`,
      });
    });
    test('an app that was chosen is named on the payment and in what the bank is told [PAY-06]', async () => {
      const customer = await visitor(server);
      const { order, next } = await customer.order({ body: { paymentChoice: 'phonepe' } });
      if (next.kind !== 'upi') throw new Error(next.kind);
      expect(order.payment.label).toBe('UPI, PhonePe');
      expect(new URL(next.link).searchParams.get('tn')).toBe(`Order ${order.orderNumber}, PhonePe`);
    });
    test('a collect request goes to a UPI id that can be one [PAY-06]', async () => {
      const { customer, order, next } = await begun(HOSTS[0]!);
      const collect = (vpa: string) =>
        customer.call(payments.upiCollect, { transactionId: order.transactionId, body: { vpa } });
      expect(codeOf(await collect('nobody'))).toBe('INVALID_VPA');
      expect((await collect('asha@okbank')).body.payment.state).toBe('SENT');
      expect(await (await fetch(server.url + (next as { payerUrl: string }).payerUrl)).text()).toContain('asha@okbank');
      await pay(server, next);
      expect((await customer.confirm(order)).order.orderStatus).toBe('ORDER PLACED');
      const second = await begun(HOSTS[0]!);
      expect(
        (
          await second.customer.call(payments.upiCollect, {
            transactionId: second.order.transactionId,
            body: { vpa: 'fail@okbank' },
          })
        ).body.payment.state,
      ).toBe('FAILED');
      const third = await begun(HOSTS[0]!);
      expect(
        (
          await third.customer.call(payments.upiCollect, {
            transactionId: third.order.transactionId,
            body: { vpa: 'success@okbank' },
          })
        ).body.payment.state,
      ).toBe('CAPTURED');
    });
  });

  test('a stranger’s UPI id gets five requests for money an hour at most, from all together; what is paid is not counted', async () => {
    const [{ customer, order }, other] = [await begun(HOSTS[0]!), await begun(HOSTS[0]!)];
    const collect = async (who: Customer, of: typeof order, vpa: string) =>
      codeOf(await who.call(payments.upiCollect, { transactionId: of.transactionId, body: { vpa } }));
    const asked: string[] = [];
    for (let at = 0; at < 4; at += 1)
      asked.push(await collect(customer, order, at % 2 ? 'RAVI@okbank' : 'ravi@okbank'));
    asked.push(await collect(other.customer, other.order, 'ravi@okbank'));
    expect(asked).toEqual(['', '', '', '', '']);
    expect(await collect(customer, order, 'ravi@okbank')).toBe('TOO_MANY');
    expect(await collect(other.customer, other.order, 'Ravi@okbank')).toBe('TOO_MANY');
    for (let at = 0; at < 6; at += 1) {
      const paid = await begun(HOSTS[0]!);
      expect(await collect(paid.customer, paid.order, 'success@okbank')).toBe('');
    }
    await server.advance(3_600);
    const later = await begun(HOSTS[0]!);
    expect(await collect(later.customer, later.order, 'ravi@okbank')).toBe('');
  });

  test('strangers who ask a UPI id for money leave its owner their own requests, and say how else one can pay', async () => {
    const owner = await visitor(server, 'IN', PICKUP);
    const again = async (who: Customer) => {
      const { order, next } = await who.order({ body: { allowDuplicate: true } });
      const asked = await who.call(payments.upiCollect, {
        transactionId: order.transactionId,
        body: { vpa: 'Meera@okbank' },
      });
      return { order, next, asked, code: codeOf(asked) };
    };
    // Asked for, and paid from that id on the phone that belongs to it.
    const first = await again(owner);
    await pay(server, first.next);
    await owner.confirm(first.order);
    const stranger = await visitor(server, 'IN', PICKUP);
    const codes: string[] = [];
    for (let at = 0; at < 5; at += 1) codes.push((await again(stranger)).code);
    expect(codes).toEqual(['', '', '', '', 'TOO_MANY']);
    const { asked } = await again(await visitor(server, 'IN', PICKUP));
    expect(asked.body).toMatchObject({ errors: [{ code: 'TOO_MANY', displayMsg: expect.stringMatching(/QR code/) }] });
    for (let at = 0; at < 5; at += 1) expect((await again(owner)).code).toBe('');
    // The owner's phone is spared as well.
    expect((await again(owner)).code).toBe('TOO_MANY');

    // From one address nobody uses up what all have together, however many sessions they begin.
    const from = async (address: string) => {
      const who = await visitor(server, 'IN', PICKUP);
      const { order } = await who.order({ body: { allowDuplicate: true } });
      const body = { vpa: 'anil@okbank' };
      return codeOf(
        await who.call(
          payments.upiCollect,
          { transactionId: order.transactionId, body },
          { 'x-forwarded-for': address },
        ),
      );
    };
    const all = [];
    for (const last of [5, 5, 5, 5, 6]) all.push(await from(`203.0.113.${last}`));
    expect(all).toEqual(['', '', '', 'TOO_MANY', '']);
  });

  describe('another attempt', () => {
    const retry = (customer: Customer, orderId: string, paymentMode: PaymentMode, key: string = randomUUID()) =>
      customer.call(payments.retry, { body: { orderId, paymentMode } }, { 'idempotency-key': key });

    test('after a failure: same order, new reference, paid once [PAY-16]', async () => {
      const { customer, order, next } = await begun(HOSTS[0]!);
      await pay(server, next, 'decline');
      expect((await customer.confirm(order)).order.payment).toMatchObject({ state: 'FAILED', mayPayAgain: true });
      const key = randomUUID();
      const again = await retry(customer, order.orderId, 'NETBANKING', key);
      expect(again.status, JSON.stringify(again.body)).toBe(200);
      expect(JSON.stringify((await retry(customer, order.orderId, 'NETBANKING', key)).body)).toBe(
        JSON.stringify(again.body),
      );
      expect(again.body.payment.transactionId).not.toBe(order.transactionId);
      // Each try has a reference of its own, which says how many there were.
      await pay(server, again.body.next, 'decline');
      await customer.confirm(order, again.body.payment.transactionId);
      const third = await customer.retry({ orderId: order.orderId, paymentMode: 'NETBANKING', paymentChoice: 'HDFC' });
      expect(third.body.payment.label).toBe('Net banking, HDFC Bank');
      const references = await db
        .selectFrom('payments')
        .select('reference')
        .where('order_id', '=', order.orderId)
        .orderBy('attempt')
        .execute();
      // What is random in it may begin with a digit, too.
      const ofOrder = new RegExp(`^GO${order.orderNumber}[A-Za-z0-9]{15,20}(A\\d)$`);
      expect(references.map(({ reference }) => ofOrder.exec(reference)?.[1])).toEqual(['A1', 'A2', 'A3']);
      await pay(server, third.body.next);
      const after = (await customer.confirm(order, third.body.payment.transactionId)).order;
      expect(after).toMatchObject({
        orderStatus: 'ORDER PLACED',
        transactionId: third.body.payment.transactionId,
        payment: { mode: 'NETBANKING', state: 'CAPTURED' },
      });
      expect(codeOf(await retry(customer, order.orderId, 'UPI'))).toBe('ALREADY_PAID');
    });
    test('paying another way after a cash code was sent leaves nothing owed at the door: the code is void [PAY-16]', async () => {
      const customer = await visitor(server, 'IN', PICKUP);
      const { order } = await customer.order({ paymentMode: 'COD' });
      const code = await codeFor(server, customer.mobile);
      const again = await retry(customer, order.orderId, 'NETBANKING');
      expect(again.body, JSON.stringify(again.body)).toMatchObject({ payment: { mode: 'NETBANKING', state: 'SENT' } });
      const { transactionId } = order;
      const late = () => customer.call(payments.codOtp, { transactionId, body: { code } });
      const answered = async () => {
        const answer = await late();
        return [answer.status, codeOf(answer), answer.body.errors?.[0]?.displayMsg];
      };
      expect(await answered()).toEqual([409, 'PAYMENT_UNKNOWN', errors.moneyUnknown]);
      expect(await customer.read(order.orderId)).toMatchObject({
        orderStatus: 'PENDING',
        payment: { mode: 'NETBANKING', state: 'SENT' },
      });
      await pay(server, again.body.next);
      await customer.confirm(order, again.body.payment.transactionId);
      expect(await answered()).toEqual([409, 'ALREADY_PAID', errors.moneyTaken]);
    });
    test('cash is called as it is paid where the order goes, again at every try [PAY-16]', async () => {
      const labels: string[] = [];
      for (const where of [undefined, CURB]) {
        const customer = await visitor(server, 'IN', where);
        const { order, next } = await customer.order();
        await pay(server, next, 'decline');
        await customer.confirm(order);
        labels.push((await retry(customer, order.orderId, 'COD')).body.payment.label);
      }
      expect(labels).toEqual(['Cash on delivery', serverText.payCashCurb]);
    });
    test('a mode that is not offered, or takes less than the order costs, does not pay it either [PAY-16]', async () => {
      const customer = await visitor(server, 'IN', PICKUP);
      await customer.fill(10, 'L');
      const { order, next } = (await customer.submit()).body;
      await pay(server, next, 'decline');
      await customer.confirm(order);
      const cash = await retry(customer, order.orderId, 'COD');
      expect([cash.status, codeOf(cash)]).toEqual([422, 'CASH_LIMIT']);
      const elsewhere = await retry(customer, order.orderId, 'GPAY');
      expect([elsewhere.status, codeOf(elsewhere)]).toEqual([422, 'PAYMENT_MODE']);
    });
    test('not while the last one is unknown: the customer might pay twice [PAY-21] [PAY-X01]', async () => {
      const { customer, order, next } = await begun(HOSTS[1]!);
      await pay(server, next, 'pending');
      const refused = await retry(customer, order.orderId, 'UPI');
      expect([refused.status, codeOf(refused), refused.body.errors?.[0]?.displayMsg]).toEqual([
        409,
        'PAYMENT_UNKNOWN',
        errors.moneyUnknown,
      ]);
      const cancelled = await customer.cancel(order.orderId);
      expect([cancelled.status, codeOf(cancelled)]).toEqual([409, 'PAYMENT_UNKNOWN']);
    });
    test('while a second one is unknown the order neither fails when the time of the first is over nor can be given up [PAY-21]', async () => {
      const { customer, order, next } = await begun(HOSTS[0]!);
      await pay(server, next, 'decline');
      await customer.confirm(order);
      await server.advance(600);
      const { body } = await retry(customer, order.orderId, 'NETBANKING');
      await pay(server, body.next, 'pending');
      const cancelled = await customer.cancel(order.orderId);
      expect([cancelled.status, codeOf(cancelled)]).toEqual([409, 'PAYMENT_UNKNOWN']);
      await server.advance(400);
      expect(await customer.read(order.orderId)).toMatchObject({
        orderStatus: 'PENDING',
        payment: { state: 'UNKNOWN', mode: 'NETBANKING' },
      });
      await server.advance(510);
      expect(await customer.read(order.orderId)).toMatchObject({ orderStatus: 'FAILED', payment: { isGivenUp: true } });
    });
    test('one that nobody began to pay is closed at the bank first, and cannot be paid afterwards [PAY-16]', async () => {
      const { customer, order, next } = await begun(HOSTS[0]!);
      const again = await retry(customer, order.orderId, 'COD');
      expect(again.body.next?.kind).toBe('cod-otp');
      expect(await (await fetch(server.url + (next as { payerUrl: string }).payerUrl)).text()).toContain(
        'No money was taken',
      );
      await customer.call(payments.codOtp, {
        transactionId: again.body.payment.transactionId,
        body: { code: await codeFor(server, customer.mobile) },
      });
      expect(await customer.read(order.orderId)).toMatchObject({
        orderStatus: 'ORDER PLACED',
        payment: { mode: 'COD', state: 'DUE_AT_DOOR' },
      });
    });
    test('an order that has failed takes no further attempt [ERR-15]', async () => {
      const { customer, order, next } = await begun(HOSTS[0]!);
      await pay(server, next, 'decline');
      await server.advance(901);
      const refused = await retry(customer, order.orderId, 'UPI');
      expect([refused.status, refused.body.errors?.[0]?.displayMsg]).toEqual([409, errors.orderFailed]);
    });
    raced('parallel attempts end in one open payment', async () => {
      const { customer, order, next } = await begun(HOSTS[0]!);
      await pay(server, next, 'decline');
      await customer.confirm(order);
      const answers = await Promise.all(Array.from({ length: 6 }, () => retry(customer, order.orderId, 'UPI')));
      expect(answers.filter((answer) => answer.status === 200).length).toBeGreaterThanOrEqual(1);
      const open = await db
        .selectFrom('payments')
        .selectAll()
        .where('order_id', '=', order.orderId)
        .where('state', 'in', ['CREATED', 'SENT', 'UNKNOWN'])
        .execute();
      expect(open.length).toBeLessThanOrEqual(1);
    });
  });

  test('an unpaid order can be given up; it is FAILED, and its coupon is free again [ORD-22]', async () => {
    const customer = await member(server);
    await customer.fill(2, 'M');
    await customer.coupon('WELCOME50');
    const { order } = (await customer.submit()).body;
    const gone = await customer.cancel(order.orderId);
    expect(gone.body.order).toMatchObject({ orderStatus: 'FAILED', payment: { state: 'FAILED' }, refund: null });
    await customer.fill(2, 'M');
    expect((await customer.coupon('WELCOME50')).status).toBe('SUCCESS');
  });

  describe("the bank's pages", () => {
    test('nothing runs or loads on them, no other page may hold them, and the key is needed [PAY-19]', async () => {
      const { next } = await begun(HOSTS[2]!);
      if (next.kind !== 'redirect') throw new Error(next.kind);
      const page = await fetch(server.url + next.paymentUrl);
      expect(page.headers.get('content-security-policy')).toMatch(
        /default-src 'none'; style-src 'nonce-[^']+'; form-action 'self'; base-uri 'none'; frame-ancestors 'self'/,
      );
      expect(page.headers.get('cache-control')).toBe('no-store');
      const html = await page.text();
      for (const word of ['Approve', 'Decline', 'Leave pending']) expect(html).toContain(word);
      expect(html).not.toMatch(/<script|https?:\/\//);
      expect((await fetch(server.url + next.paymentUrl.replace(/key=.*/, 'key=guess'))).status).toBe(404);
      const reference = /redirect\/([^?]+)/.exec(next.paymentUrl)![1]!;
      const foreign = await fetch(`${server.url}/bank/answer`, {
        method: 'POST',
        headers: { 'sec-fetch-site': 'cross-site' },
        body: new URLSearchParams({
          reference,
          key: new URLSearchParams(next.paymentUrl.split('?')[1]).get('key')!,
          answer: 'approve',
        }),
      });
      expect(foreign.status).toBe(404);
    });
  });
});

describe.each(['http://127.0.0.1:9', 'wrong secret'])('a bank that cannot be used (%s)', (trouble) => {
  test('the order stands, nothing was taken, and another way of paying works [PAY-22] [ERR-X01]', async () => {
    const elsewhere = await startServer();
    const server = await startServer({
      settings: { environment: bankAt(trouble.startsWith('http') ? trouble : elsewhere.url) },
    });
    try {
      await openShop(server);
      const customer = await member(server);
      const { order, next } = await customer.order({ paymentMode: 'UPI' });
      expect(next.kind).toBe('none');
      expect(order).toMatchObject({ orderStatus: 'PENDING', payment: { state: 'FAILED', mayPayAgain: true } });
      const card = await customer.call(payments.cardToken, { body: { token: 'fields_of_somebody' } });
      expect([card.status, codeOf(card)]).toEqual([502, 'PROVIDER']);
      const again = await customer.retry({ orderId: order.orderId, paymentMode: 'COD' });
      expect(again.body.payment).toMatchObject({ state: 'DUE_AT_DOOR' });
      expect((await customer.read(order.orderId)).orderStatus).toBe('ORDER PLACED');
    } finally {
      await server.stop();
      await elsewhere.stop();
    }
  });
});

type Reply = readonly [status: number, body: object, secret?: string];
const OPENED: Reply = [200, { chargeId: 'c', pageUrl: '/bank/upi?tr=x', expiresAt: 4e12 }];
const NO: Reply = [422, { code: 'EXPIRED', message: 'The card has expired.' }];
const DOWN: Reply = [500, {}];
const LIE: Reply = [200, OPENED[1], 'guess'];

describe('a payment that is to be opened at the bank', () => {
  test.each<[string, readonly Reply[], { asked: number; isOpen: boolean; incidents: number }]>([
    ['is opened with the first yes', [OPENED], { asked: 1, isOpen: true, incidents: 0 }],
    ['is asked for once more when the bank fails', [DOWN, OPENED], { asked: 2, isOpen: true, incidents: 0 }],
    ['fails when the bank fails twice', [DOWN, DOWN, OPENED], { asked: 2, isOpen: false, incidents: 0 }],
    ['fails at once with a no, which nobody asks about again', [NO, OPENED], { asked: 1, isOpen: false, incidents: 0 }],
    [
      'is not opened by a stranger’s yes, which is an incident',
      [LIE, OPENED],
      { asked: 2, isOpen: true, incidents: 1 },
    ],
    ['fails when only strangers answer', [LIE, LIE, OPENED], { asked: 2, isOpen: false, incidents: 2 }],
  ])('%s [PAY-22]', async (_, replies, { asked, isOpen, incidents }) => {
    const said = vi.spyOn(console, 'log').mockImplementation(() => undefined);
    let at = 0;
    const bank = createServer((request, response) => {
      const [status, body, secret = 'not what the bank has'] = request.url?.endsWith('/charges')
        ? replies[at++]!
        : DOWN;
      const text = JSON.stringify(body);
      response.statusCode = status;
      const nonce = String(request.headers['x-bank-nonce']);
      response.setHeader('x-bank-signature', sign(secret, 'reply', nonce, String(status), text));
      response.end(text);
    });
    await new Promise<void>((done) => bank.listen(0, '127.0.0.1', done));
    const { port } = bank.address() as AddressInfo;
    const server = await startServer({ settings: { environment: bankAt(`http://127.0.0.1:${port}`) } });
    try {
      await openShop(server);
      const customer = await visitor(server);
      const { order, next } = await customer.order({ paymentMode: 'UPI' });
      expect([at, next.kind, order.payment.state]).toEqual([
        asked,
        isOpen ? 'upi' : 'none',
        isOpen ? 'SENT' : 'FAILED',
      ]);
      expect(order).toMatchObject({ orderStatus: 'PENDING' });
      expect(said.mock.calls.flat().filter((line) => String(line).includes('"incident":"PAYMENT"'))).toHaveLength(
        incidents,
      );
    } finally {
      said.mockRestore();
      await server.stop();
      bank.close();
    }
  });
});

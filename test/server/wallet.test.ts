import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { countryConfig } from '../../country/index.ts';
import * as orders from '../../src/contract/orders.ts';
import * as payments from '../../src/contract/payments.ts';
import * as contract from '../../src/contract/wallet.ts';
import * as errors from '#text/errors.ts';
import * as serverText from '#text/server.ts';
import { submitSteps } from '../../src/server/rules/checkout/submit.ts';
import { transact } from '../../src/server/store/db.ts';
import { ensureWallet, post, sumsOf, walletOf } from '../../src/server/store/ledger.ts';

import { on } from '../kit/engines.ts';
import { bothEngines } from '../kit/server.ts';
import { codeOf, logInByPaytm } from './people.ts';
import { type Customer, type Extras, member, pay, PICKUP, PLACES, visitor } from './shop.ts';
import { shopHere } from './shopHere.ts';
import { tablesHere } from '../kit/tablesHere.ts';

describe.each(await bothEngines())('the wallet on %s', (engine) => {
  const { raced, test } = on(engine);
  const { server, db } = shopHere({ engine }, 60);

  const credit = async (one: Customer, amount: number, key?: string) =>
    await server.call(contract.credit, { body: { mobile: one.mobile, amount, ...(key === undefined ? {} : { key }) } });
  const balance = async (one: Customer) => (await one.call(contract.balance, {})).body.balance;
  /** A pizza, paid with the wallet as far as `amount` goes. */
  async function withWallet(one: Customer, amount: number, extras: Extras = {}) {
    const { version, bill } = await one.fill();
    return await one.submit({
      cartVersion: version,
      total: bill.total,
      ...extras,
      body: { ...extras.body, funds: { wallet: amount } },
    });
  }
  async function rich(amount: number, where = PLACES['IN']!.where): Promise<Customer> {
    const one = await member(server, 'IN', where);
    expect((await credit(one, amount)).status).toBe(200);
    return one;
  }

  test('is empty at first; money comes in once per key; who has none has no summary to hide [PAY-25] [API-52]', async () => {
    const one = await member(server);
    expect(await balance(one)).toBe(0);
    expect((await one.call(contract.summary, {})).body).toMatchObject({
      balance: 0,
      credited: 0,
      spent: 0,
      returned: 0,
      latest: [],
      currencyCode: 'INR',
    });
    await credit(one, 25_000, 'gift-1');
    await credit(one, 25_000, 'gift-1');
    await credit(one, 10_000);
    expect(await balance(one)).toBe(35_000);
    expect((await server.call(contract.credit, { body: { mobile: '9000000000', amount: 1 } })).status).toBe(404);
    for (const path of [
      '/wallet-service/ve2/wallet/balance',
      '/wallet-service/ve3/wallet/balance',
      '/wallet-service/ve2/wallet/summary',
    ]) {
      const answer = await fetch(server.url + path, {
        headers: { api_key: 'in-web', authToken: one.person.as.authToken!, userId: one.userId },
      });
      expect(await answer.json()).toMatchObject({ status: 'SUCCESS', balance: 35_000 });
    }
  });

  test('is for people who are logged in, in India, on the web [PAY-27] [PAY-33]', async () => {
    const guest = await visitor(server);
    for (const endpoint of [contract.balance, contract.summary])
      expect([(await guest.call(endpoint, {})).status, codeOf(await guest.call(endpoint, {}))]).toEqual([
        403,
        'LOGIN_NEEDED',
      ]);
    expect(codeOf(await (await member(server, 'BG')).call(contract.summary, {}))).toBe('FEATURE_BLOCKED');
    expect(codeOf(await (await member(server, 'LK')).call(contract.summary, {}))).toBe('WALLET_BLOCKED');
    const inGpay = await visitor(server, 'IN', undefined, 'in-gpay');
    const offered = (await inGpay.call(payments.options, {})).body;
    expect([offered.funds, offered.linkable]).toEqual([[], []]);
    // Nor is a wallet to be linked by a guest, or inside its own app.
    expect((await guest.call(payments.options, {})).body.linkable).toEqual([]);
    const inPaytm = await logInByPaytm(server);
    const own = (await server.call(payments.options, {}, inPaytm.as)).body;
    expect([own.options.map(({ id }) => id), own.linkable]).toEqual([['PAYTM'], []]);
    const one = await member(server);
    expect((await one.call(payments.options, {})).body).toMatchObject({
      funds: [{ id: 'WALLET' }, { id: 'EGV' }],
      linkable: ['PAYTM'],
    });
    expect((await (await member(server, 'LK')).call(payments.options, {})).body).toMatchObject({
      funds: [{ id: 'EGV' }],
      linkable: [],
    });
    // A wish for the wallet where there is none is refused, not ignored.
    expect(codeOf(await withWallet(guest, 100))).toBe('WALLET_BLOCKED');
    expect((await guest.validate({ paymentMode: 'UPI', useWallet: true })).body.problems).toEqual([
      { code: 'PAYMENT_MODE', displayMsg: serverText.featureOff, field: 'useWallet' },
    ]);
  });

  test('pays a part, a mode pays the rest; cancelled, each goes back to where it came from [PAY-31] [ORD-22]', async () => {
    const one = await rich(8_000, PICKUP);
    await one.fill();
    const { quote, funds } = (await one.validate({ paymentMode: 'UPI', useWallet: true })).body;
    expect(funds).toMatchObject({ wallet: { balance: 8_000, amount: 8_000 }, rest: quote.bill.total - 8_000 });
    const { body } = await one.submit({
      cartVersion: quote.cartVersion,
      total: quote.bill.total,
      body: { funds: { wallet: 8_000 } },
    });
    expect(body.order).toMatchObject({
      orderStatus: 'PENDING',
      payment: { amount: quote.bill.total - 8_000, mode: 'UPI' },
      parts: [{ mode: 'WALLET', label: 'Pizza wallet', amount: 8_000, returned: 0 }],
    });
    expect(await balance(one)).toBe(0);
    await pay(server, body.next);
    expect((await one.confirm(body.order)).order.orderStatus).toBe('ORDER PLACED');
    const cancelled = (await one.cancel(body.order.orderId)).body.order;
    expect(cancelled).toMatchObject({
      orderStatus: 'CANCELLED',
      refund: { amount: quote.bill.total - 8_000, state: 'STARTED' },
      parts: [{ amount: 8_000, returned: 8_000 }],
    });
    expect(await balance(one)).toBe(8_000);
    await server.advance(11 * 86_400);
    expect((await one.read(body.order.orderId)).refund).toMatchObject({ state: 'PAID' });
    expect(await balance(one)).toBe(8_000);
  });

  test('pays everything: the order is placed at once, and nobody outside is asked [PAY-26]', async () => {
    const one = await rich(500_000);
    const { version, bill } = await one.fill();
    const { funds } = (await one.validate({ useWallet: true })).body;
    expect(funds).toMatchObject({ wallet: { amount: bill.total }, rest: 0 });
    expect((await one.call(contract.available, { mobile: one.mobile, transactionId: one.cartId })).body).toMatchObject({
      balance: 500_000,
      available: bill.total,
    });
    const { body } = await one.submit({
      cartVersion: version,
      total: bill.total,
      body: { funds: { wallet: bill.total } },
    });
    expect(body).toMatchObject({
      next: { kind: 'none' },
      order: {
        orderStatus: 'ORDER PLACED',
        payment: { mode: 'WALLET', state: 'CAPTURED', amount: 0 },
        parts: [{ amount: bill.total }],
      },
    });
    expect(
      await db
        .selectFrom('bank_charges')
        .select('id')
        .where('reference', '=', body.order.transactionReferenceId)
        .execute(),
    ).toEqual([]);
    expect((await one.cancel(body.order.orderId)).body.order).toMatchObject({
      orderStatus: 'CANCELLED',
      refund: null,
      parts: [{ returned: bill.total }],
    });
    expect(await balance(one)).toBe(500_000);
  });

  test('what a transaction can take is never more than what it asks for, and another number is not there [PAY-26] [API-52]', async () => {
    const one = await rich(30_000);
    const { body } = await withWallet(one, 10_000);
    const rest = body.order.payment.amount;
    const available = async (mobile: string, transactionId: string) =>
      await one.call(contract.available, { mobile, transactionId });
    expect((await available(one.mobile, body.order.transactionId)).body).toMatchObject({
      balance: 20_000,
      available: Math.min(20_000, rest),
    });
    await pay(server, body.next);
    await one.confirm(body.order);
    expect((await available(one.mobile, body.order.transactionId)).body.available).toBe(0);
    expect((await available('9812300000', body.order.transactionId)).status).toBe(404);
    expect((await available(one.mobile, 'txn_other')).status).toBe(404);
    expect((await one.call(contract.passbook, { mobile: '9812300000' })).status).toBe(404);
  });

  test('an order that fails gives it back at once, and an attempt in another way asks for the rest only', async () => {
    const one = await rich(15_000);
    const { body } = await withWallet(one, 15_000);
    await pay(server, body.next, 'decline');
    expect((await one.confirm(body.order)).order).toMatchObject({
      orderStatus: 'PENDING',
      payment: { state: 'FAILED', mayPayAgain: true },
    });
    expect(await balance(one)).toBe(0);
    const again = await one.call(
      payments.retry,
      { body: { orderId: body.order.orderId, paymentMode: 'NETBANKING' } },
      { 'idempotency-key': randomUUID() },
    );
    expect(again.body.payment.amount).toBe(body.order.bill.total - 15_000);
    await pay(server, again.body.next, 'decline');
    await one.confirm(body.order, again.body.payment.transactionId);
    await server.advance(1000);
    expect(await one.read(body.order.orderId)).toMatchObject({
      orderStatus: 'FAILED',
      parts: [{ amount: 15_000, returned: 15_000 }],
    });
    expect(await balance(one)).toBe(15_000);
  });

  test('not with cash and not with an e-voucher, in the sentence of the catalogue, whichever comes first [PAY-32] [ERR-46]', async () => {
    const one = await rich(10_000);
    await one.fill();
    const both = (await one.validate({ paymentMode: 'COD', useWallet: true })).body;
    expect(both.problems).toContainEqual({
      code: 'WALLET_CONFLICT',
      displayMsg: errors.walletConflict,
      field: 'paymentMode',
    });
    expect(both.modes.find((mode) => mode.id === 'COD')?.disabledReason).toBe(errors.walletConflict);
    expect(both.modes.find((mode) => mode.id === 'UPI')?.disabledReason).toBeUndefined();
    expect(
      (await one.validate({ paymentMode: 'UPI', useWallet: true, vouchers: ['egv_x'] })).body.problems[0],
    ).toMatchObject({ code: 'WALLET_CONFLICT', displayMsg: errors.walletConflict });
    for (const wish of [
      { paymentMode: 'COD' as const, body: { funds: { wallet: 5_000 } } },
      {
        paymentMode: 'UPI' as const,
        body: { funds: { wallet: 5_000, vouchers: [{ voucherId: 'egv_x', amount: 1 }] } },
      },
    ]) {
      const refused = await one.submit(wish);
      expect([refused.status, refused.body.errors?.[0]]).toMatchObject([
        422,
        { code: 'WALLET_CONFLICT', displayMsg: errors.walletConflict },
      ]);
    }
    const { body } = await one.submit({ body: { funds: { wallet: 10_000 } } });
    await pay(server, body.next, 'decline');
    await one.confirm(body.order);
    const cash = await one.call(
      payments.retry,
      { body: { orderId: body.order.orderId, paymentMode: 'COD' } },
      { 'idempotency-key': randomUUID() },
    );
    expect([cash.status, cash.body.errors]).toMatchObject([
      422,
      [{ code: 'WALLET_CONFLICT', displayMsg: errors.walletConflict, field: 'paymentMode' }],
    ]);
    await one.cancel(body.order.orderId);
    expect(await balance(one)).toBe(10_000);
  });

  test('a wallet with nothing in it, or that another order has emptied, keeps no order from cash or an e-voucher [PAY-32]', async () => {
    const [empty, spent] = [await member(server), await rich(10_000)];
    expect((await withWallet(spent, 10_000)).status).toBe(200);
    for (const one of [empty, spent]) {
      await one.fill();
      // The switch was left on, and cannot be turned off where there is nothing to use.
      const { body } = await one.validate({ paymentMode: 'COD', useWallet: true });
      expect([body.problems, body.funds.wallet?.amount]).toEqual([[], 0]);
      expect(body.modes.find((mode) => mode.id === 'COD')?.disabledReason).toBeUndefined();
      const beside = await one.validate({ paymentMode: 'UPI', useWallet: true, vouchers: ['egv_x'] });
      expect(beside.body.problems.map(({ code }) => code)).toEqual(['EGV_UNKNOWN']);
      expect((await one.submit({ paymentMode: 'COD' })).status).toBe(200);
    }
  });

  test('the amount that was shown is taken or nothing: more than there is, more than the bill, less than nothing', async () => {
    const one = await rich(10_000);
    const { version, bill } = await one.fill();
    const submit = (wallet: number, paymentMode: 'UPI' | 'WALLET' = 'UPI') =>
      one.submit({ cartVersion: version, total: bill.total, paymentMode, body: { funds: { wallet } } });
    // Nobody pays with another one's.
    expect(codeOf(await withWallet(await member(server), 9_000))).toBe('WALLET_LOW');
    expect((await submit(10_001)).body.errors).toMatchObject([
      { code: 'WALLET_LOW', displayMsg: serverText.walletLow, field: 'wallet' },
    ]);
    expect(codeOf(await submit(bill.total + 1))).toBe('FUNDS_CHANGED');
    expect(codeOf(await submit(10_000, 'WALLET'))).toBe('FUNDS_SHORT');
    expect((await submit(-5)).status).toBe(400);
    expect((await submit(0.5)).status).toBe(400);
    expect(await balance(one)).toBe(10_000);
    expect((await one.cart()).version).toBe(version);
  });

  raced('a submit that ends between its steps takes nothing; the same key takes it once [PAY-14]', async () => {
    const one = await rich(12_000);
    const { version, bill } = await one.fill();
    const wish = { key: randomUUID(), cartVersion: version, total: bill.total, body: { funds: { wallet: 12_000 } } };
    for (const step of ['redeem', 'commit'] as const) {
      submitSteps.before = (now) => {
        if (now === step) throw new Error('killed');
      };
      expect((await one.submit(wish)).status).toBe(500);
      submitSteps.before = null;
      expect(await balance(one)).toBe(12_000);
    }
    submitSteps.before = (now) => {
      if (now === 'start') throw new Error('killed');
    };
    expect((await one.submit(wish)).status).toBe(500);
    submitSteps.before = null;
    expect(await balance(one)).toBe(0);
    const answers = await Promise.all([one.submit(wish), one.submit(wish), one.submit(wish)]);
    expect(new Set(answers.map((answer) => answer.body.order.orderId)).size).toBe(1);
    expect(await balance(one)).toBe(0);
    await server.advance(905);
    expect((await one.call(orders.recent, {})).body.orders[0]).toMatchObject({ orderStatus: 'FAILED' });
    expect(await balance(one)).toBe(12_000);
  });

  test('a late order gives back what came from outside first, then what the wallet paid; whole from the wallet goes back there', async () => {
    for (const part of [5_000, null] as const) {
      const one = await rich(400_000);
      const { version, bill } = await one.fill();
      const wallet = part ?? bill.total;
      const { body } = await one.submit({ cartVersion: version, total: bill.total, body: { funds: { wallet } } });
      if (part !== null) {
        await pay(server, body.next);
        await one.confirm(body.order);
      }
      await db.updateTable('orders').set({ promise_deadline: 1 }).where('id', '=', body.order.orderId).execute();
      // The confirmation sets the deadline anew: it is made late once the food is on its way.
      await server.advance(800);
      await db.updateTable('orders').set({ promise_deadline: 1 }).where('id', '=', body.order.orderId).execute();
      await server.advance(2_000);
      const late = await one.read(body.order.orderId);
      expect(late).toMatchObject({ orderStatus: 'DELIVERED', promise: { state: 'missed' } });
      const given = late.promise!.credit!;
      const back = late.parts![0]!.returned;
      if (part === null) expect([late.promise!.paid, back]).toEqual([{ way: 'WALLET' }, given]);
      else expect([late.promise!.paid?.way, back]).toEqual(['REFUND', Math.max(0, given - (bill.total - part))]);
      expect(await balance(one)).toBe(400_000 - wallet + back);
      const { latest } = (await one.call(contract.summary, {})).body;
      expect(latest.map((entry) => entry.label)).toEqual([
        ...(back === 0 ? [] : [`Late: order ${late.orderNumber}`]),
        `Order ${late.orderNumber}`,
        'Added to your wallet',
      ]);
    }
  });

  test("the wallet statement comes page by page, newest first, and the programme code is the country's own [PAY-28] [API-52]", async () => {
    const one = await member(server);
    for (let n = 1; n <= 23; n += 1) await credit(one, n * 100);
    const { body: placed } = await withWallet(one, 1_000);
    const page = async (query: Parameters<typeof one.call<typeof contract.statement>>[1]['query']) =>
      (await one.call(contract.statement, { query })).body;
    const first = await page({ loyaltyProgramCode: countryConfig('IN').LOYALTY_INFO_DEFAULT_DATA.loyaltyProgramCode });
    expect(first).toMatchObject({ pageNumber: 1, pages: 2, total: 24 });
    expect(first.entries).toHaveLength(20);
    expect(first.entries[0]).toMatchObject({
      kind: 'SPEND',
      amount: -1_000,
      orderId: placed.order.orderId,
      orderNumber: placed.order.orderNumber,
      label: `Order ${placed.order.orderNumber}`,
    });
    expect(first.entries[1]).toMatchObject({ kind: 'CREDIT', amount: 2_300, balanceAfter: 27_600 });
    const second = await page({ pageNumber: '2' });
    expect(second.entries.map((entry) => entry.amount)).toEqual([400, 300, 200, 100]);
    expect((await page({ pageNumber: '3' })).entries).toEqual([]);
    const at = second.entries[0]!.at;
    expect((await page({ from: String(at + 60_000) })).total).toBe(0);
    expect((await page({ from: String(second.entries.at(-1)!.at) })).total).toBe(24);
    expect((await one.call(contract.statement, { query: { loyaltyProgramCode: 'SOMEBODY-ELSES' } })).status).toBe(422);
    expect((await one.call(contract.statement, { query: { pageNumber: '0' } })).status).toBe(400);
  });

  test('the passbook tells every month what it began and ended with [PAY-29] [API-52]', async () => {
    const one = await member(server);
    await credit(one, 50_000);
    await db
      .updateTable('ledger_entries')
      .set((e) => ({ at: e('at', '-', 32 * 86_400_000) }))
      .where('account_id', '=', (await walletOf(db, one.userId))!.id)
      .execute();
    const { body } = await withWallet(one, 10_000);
    await pay(server, body.next);
    await one.confirm(body.order);
    await one.cancel(body.order.orderId);
    const { months } = (await one.call(contract.passbook, { mobile: one.mobile })).body;
    expect(months).toMatchObject([
      { opening: 50_000, credited: 0, spent: 10_000, returned: 10_000, closing: 50_000 },
      { opening: 0, credited: 50_000, spent: 0, returned: 0, closing: 50_000 },
    ]);
    expect(months[0]!.month > months[1]!.month).toBe(true);
    expect((await one.call(contract.summary, {})).body).toMatchObject({
      balance: 50_000,
      credited: 50_000,
      spent: 10_000,
      returned: 10_000,
      latest: [
        { kind: 'RETURN', label: `Back from order ${body.order.orderNumber}` },
        { kind: 'SPEND' },
        { kind: 'CREDIT' },
      ],
    });
  });
});

describe.each(await bothEngines())('the ledger on %s', (engine) => {
  const opened = tablesHere(engine);

  test('24 spends at once with money for five: five are made, and every movement says what it left [PAY-25]', async () => {
    const { db } = opened;
    const wallet = await transact(db, (tx) =>
      ensureWallet(tx, { userId: 'user_race', country: 'IN', currency: 'INR', at: 1 }),
    );
    const move = (key: string, amount: number) =>
      transact(db, (tx) =>
        post(tx, {
          key,
          accountId: wallet.id,
          kind: amount < 0 ? 'SPEND' : 'CREDIT',
          amount,
          orderId: amount < 0 ? key : null,
          at: 1,
        }),
      );
    expect(await Promise.all(Array.from({ length: 8 }, () => move('in', 5_099)))).toEqual(
      expect.arrayContaining(['DONE', 'AGAIN']),
    );
    const results = await Promise.all(Array.from({ length: 24 }, (_, n) => move(`spend:${n}`, -1_000)));
    expect(results.filter((one) => one === 'DONE')).toHaveLength(5);
    expect(results.filter((one) => one === 'LOW')).toHaveLength(19);
    const entries = await db
      .selectFrom('ledger_entries')
      .selectAll()
      .where('account_id', '=', wallet.id)
      .orderBy('seq')
      .execute();
    expect(entries.map((entry) => [entry.seq, entry.balance_after])).toEqual([
      [1, 5_099],
      [2, 4_099],
      [3, 3_099],
      [4, 2_099],
      [5, 1_099],
      [6, 99],
    ]);
    expect((await walletOf(db, 'user_race'))?.balance).toBe(99);
    // The same movement again, when there is nothing left for another one.
    const key = entries.at(-1)!.unique_key;
    expect(await Promise.all(Array.from({ length: 16 }, () => move(key, -1_000)))).toEqual(Array(16).fill('AGAIN'));
    expect((await walletOf(db, 'user_race'))?.balance).toBe(99);
  });

  test('whatever is spent, returned or credited, at once or twice, the balance is its movements’ sum, never below 0 [PAY-25]', async () => {
    const { db } = opened;
    let run = 0;
    const act = fc.record({
      who: fc.nat({ max: 1 }),
      what: fc.constantFrom('spend', 'spend', 'return', 'credit', 'help'),
      // So few that the same movement often comes twice.
      cause: fc.nat({ max: 5 }),
      amount: fc.integer({ min: 1, max: 4_000 }),
      isUndone: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(act, { minLength: 12, maxLength: 40 }), async (acts) => {
        run += 1;
        const wallets = await Promise.all(
          [0, 1].map((who) =>
            transact(db, (tx) =>
              ensureWallet(tx, { userId: `user_${run}.${who}`, country: 'IN', currency: 'INR', at: 1 }),
            ),
          ),
        );
        const results = await Promise.all(
          acts.map(async (one) => {
            const key = `${one.what}:${run}.${one.who}.${one.cause}`;
            const kind = { spend: 'SPEND', return: 'RETURN', credit: 'CREDIT', help: 'CREDIT' } as const;
            try {
              return await transact(db, async (tx) => {
                const result = await post(tx, {
                  key,
                  accountId: wallets[one.who]!.id,
                  kind: kind[one.what],
                  amount: one.what === 'spend' ? -one.amount : one.amount,
                  orderId: one.what === 'credit' ? null : key,
                  at: 1,
                });
                if (one.isUndone) throw new Error('undone');
                return result;
              });
            } catch (error) {
              if ((error as Error).message !== 'undone') throw error;
              return 'UNDONE';
            }
          }),
        );
        for (const [who, { id }] of wallets.entries()) {
          const entries = await db
            .selectFrom('ledger_entries')
            .selectAll()
            .where('account_id', '=', id)
            .orderBy('seq')
            .execute();
          let sum = 0;
          const sums = entries.map((entry) => (sum += entry.amount));
          expect(entries.map(({ seq }) => seq)).toEqual(entries.map((_, index) => index + 1));
          expect(entries.map((entry) => entry.balance_after)).toEqual(sums);
          expect(Math.min(0, ...sums)).toBe(0);
          expect((await walletOf(db, `user_${run}.${who}`))?.balance).toBe(sum);
          // Each movement that was told as made is there, and no other.
          const made = acts.flatMap((one, at) =>
            one.who === who && results[at] === 'DONE' ? [`${one.what}:${run}.${who}.${one.cause}`] : [],
          );
          expect(entries.map((entry) => entry.unique_key).toSorted()).toEqual(made.toSorted());
          const of = (kind: string) =>
            Math.abs(entries.reduce((all, entry) => (entry.kind === kind ? all + entry.amount : all), 0));
          expect(await sumsOf(db, id)).toEqual({ CREDIT: of('CREDIT'), SPEND: of('SPEND'), RETURN: of('RETURN') });
        }
        // Only what takes money can find too little.
        expect(acts.filter((one, at) => results[at] === 'LOW' && one.what !== 'spend')).toEqual([]);
      }),
      { numRuns: 12 },
    );
  });
});

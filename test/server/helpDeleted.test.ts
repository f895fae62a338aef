import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import * as deletion from '../../src/contract/deletion.ts';
import type { Endpoint, Input } from '../../src/contract/endpoint.ts';
import * as help from '../../src/contract/help.ts';
import * as wallet from '../../src/contract/wallet.ts';
import * as login from '../../src/contract/login.ts';
import * as vouchers from '../../src/contract/vouchers.ts';
import { answerByPerson } from '../../src/server/rules/help/operatorDesk.ts';
import { cancelOrder } from '../../src/server/rules/order/cancellation.ts';
import { transact } from '../../src/server/store/db.ts';
import { addDeletion, dropDeletion } from '../../src/server/store/deletions.ts';
import { lockOrder } from '../../src/server/store/orders.ts';
import { now } from '../../src/server/store/system.ts';
import { engines } from '../kit/server.ts';
import { about, ask, codeToDelete, eats, fallsAsleep } from './claims.ts';
import { violations } from './invariants.ts';
import { codeFor, codeOf, guest, person } from './people.ts';
import { Customer, member, pay, PICKUP } from './shop.ts';
import { shopHere } from './shopHere.ts';

const DAY = 86_400;

describe.each(await engines())('help for whoever deletes the account, on %s', (engine) => {
  const { server, db } = shopHere({ engine }, 3600);

  const ticketsOf = async (orderId: string) =>
    await db.selectFrom('help_tickets').selectAll().where('order_id', '=', orderId).orderBy('created_at').execute();
  const refundsOf = async (orderId: string) =>
    (await db.selectFrom('refunds').select('amount').where('order_id', '=', orderId).execute()).map(
      (one) => one.amount,
    );
  /** All that came into wallets after this, whoever they belong to. */
  const inWallets = async () => {
    const rows = await db.selectFrom('ledger_accounts').select('balance').where('kind', '=', 'WALLET').execute();
    return rows.reduce((sum, row) => sum + row.balance, 0);
  };
  /** The imitated desk answers by itself: here a person does. */
  const noDesk = () => db.deleteFrom('jobs').where('kind', '=', 'help.desk').execute();
  const pays = 10_000;
  /** Somebody whose wallet has paid a part of what they had, and is empty since. */
  async function customer(amount = pays): Promise<Customer> {
    const who = await member(server, 'IN', PICKUP);
    await server.call(wallet.credit, { body: { mobile: who.mobile, amount } });
    return who;
  }
  async function wakes(who: Customer): Promise<Customer> {
    const { apiKey } = who.person.as;
    const anew = await guest(server, apiKey);
    await server.advance(31);
    await server.call(login.sendOtp, { body: { mobile: who.mobile } }, anew.as);
    const body = { mobile: who.mobile, code: await codeFor(server, who.mobile, apiKey) };
    const headers = { [deletion.WAKE_HEADER]: 'yes' };
    const back = await server.call(login.validateOtp, { body }, { ...anew.as, headers });
    return new Customer(server, person(back.body, apiKey), PICKUP, who.productId, who.mobile);
  }

  test('a refund decided while the account sleeps goes to the bank that paid; the wallet’s part waits in cash at the store', async () => {
    const who = await customer();
    const order = await eats(server, who, { body: { funds: { wallet: pays } } });
    const claim = { orderId: order.orderId, issue: 'bill', way: 'WALLET' } as const;
    const { ticket } = (await ask(who, claim)).body;
    expect(ticket.state).toBe('PERSON');
    await noDesk();
    expect((await who.call(deletion.look, {})).body.standing.questions).toBe(1);
    await fallsAsleep(server, who);
    const before = await inWallets();
    const amount = String(order.bill.total / 100);
    const told = await answerByPerson(db, ticket.eventId, { amount, isRefused: false });
    expect(await inWallets()).toBe(before);
    expect(await refundsOf(order.orderId)).toEqual([order.bill.total - pays]);
    expect(told).toContain('back to your UPI by');
    expect(told).toContain(`₹100 in cash waits for you at ${order.store.name} until`);
    expect((await ticketsOf(order.orderId)).map(({ way, amount: given, state }) => [way, given, state])).toEqual([
      ['SOURCE', order.bill.total - pays, 'DONE'],
      ['COUNTER', pays, 'DONE'],
    ]);
    await server.advance(60);
    const texts = await server.inbox(`+91${who.mobile}`);
    expect(texts.some((text) => text.includes('₹100 in cash waits for you'))).toBe(true);
    // The number's own tickets are there for whoever comes back, and nothing is given a second time.
    const back = await wakes(who);
    const { tickets } = (await back.call(help.tickets, {})).body;
    expect(tickets.map(({ money }) => money?.way).toSorted()).toEqual(['COUNTER', 'SOURCE']);
    const again = (await ask(back, { orderId: order.orderId, issue: 'payment' })).body.ticket;
    await noDesk();
    await expect(answerByPerson(db, again.eventId, { amount: '1', isRefused: false })).rejects.toThrow('at most');
    await answerByPerson(db, again.eventId, { isRefused: true, sentence: 'It is all paid back.' });
    expect(await violations(db)).toEqual([]);
  });

  test('cash waits at the store for whoever sleeps, and is in the wallet of whoever is awake', async () => {
    for (const [sleeps, way] of [
      [true, 'COUNTER'],
      [false, 'WALLET'],
    ] as const) {
      const who = await member(server, 'IN', PICKUP);
      const order = await eats(server, who, { paymentMode: 'COD' });
      const { ticket } = (await ask(who, { orderId: order.orderId, issue: 'bill' })).body;
      await noDesk();
      if (sleeps) await fallsAsleep(server, who);
      await answerByPerson(db, ticket.eventId, { amount: '50', isRefused: false });
      expect((await ticketsOf(order.orderId)).map((one) => [one.way, one.amount])).toEqual([[way, 5_000]]);
    }
  });

  test('a deletion waits for the answer to a question; an answer after it pays nobody a wallet', async () => {
    const who = await customer();
    const order = await eats(server, who, { body: { funds: { wallet: pays } } });
    const { ticket } = (await ask(who, { orderId: order.orderId, issue: 'bill' })).body;
    await noDesk();
    await fallsAsleep(server, who);
    const isThere = async () =>
      (await db.selectFrom('users').select('id').where('id', '=', who.userId).execute()).length === 1;
    await server.advance(8 * DAY);
    expect(await isThere()).toBe(true);
    const answer = { isRefused: true, sentence: 'The bill is right.' };
    await answerByPerson(db, ticket.eventId, answer);
    await server.advance(DAY);
    expect(await isThere()).toBe(false);

    // As an older release left it, which did not wait.
    await db.updateTable('help_tickets').set({ state: 'PERSON' }).where('id', '=', ticket.eventId).execute();
    const before = await inWallets();
    await answerByPerson(db, ticket.eventId, { amount: String(order.bill.total / 100), isRefused: false });
    expect(await inWallets()).toBe(before);
    expect(await refundsOf(order.orderId)).toEqual([order.bill.total - pays]);
    expect((await ticketsOf(order.orderId)).map((one) => [one.way, one.amount])).toContainEqual(['COUNTER', pays]);
    await server.advance(60);
    expect(await violations(db, { settled: true })).toEqual([]);
  });

  test('what a cancellation owes a wallet of an account that sleeps is left to a person, once and in full', async () => {
    const paid = 10_030;
    const who = await customer(paid);
    const { order, next } = await who.order({ body: { funds: { wallet: paid } } });
    await pay(server, next);
    await who.confirm(order);
    const at = await now(db);
    // No account sleeps while an order is open: this is for what nobody has thought of.
    await transact(db, (tx) => addDeletion(tx, { user_id: who.userId, asked_at: at, due_at: at + 7 * DAY * 1000 }));
    const cancel = () =>
      transact(db, async (tx) => {
        const row = await lockOrder(tx, order.orderId);
        return await cancelOrder(tx, row!, ['ORDER PLACED', 'INPROCESS'], 'store', at);
      });
    const before = await inWallets();
    expect(await cancel()).toBe(true);
    expect(await cancel()).toBe(false);
    expect(await inWallets()).toBe(before);
    expect(await refundsOf(order.orderId)).toEqual([order.bill.total - paid]);
    const [owed, ...others] = await ticketsOf(order.orderId);
    expect([owed?.state, owed?.worth, others.length]).toEqual(['PERSON', paid, 0]);
    await noDesk();
    expect(await answerByPerson(db, owed!.id, { isRefused: false })).toContain('₹100.30 in cash waits for you');
    await transact(db, (tx) => dropDeletion(tx, who.userId));
    await server.advance(60);
    expect(await violations(db, { settled: true })).toEqual([]);
  });

  test('a claim and an answer at the moment of the deletion: who sleeps has nothing in the wallet, and who has, is told', async () => {
    const { as } = await guest(server);
    for (let round = 0; round < 6; round += 1) {
      const who = await member(server, 'IN', PICKUP);
      const order = await eats(server, who, { quantity: 2 });
      const { ticket } = (await ask(who, { orderId: order.orderId, issue: 'bill', way: 'WALLET' })).body;
      await noDesk();
      const code = await codeToDelete(server, who);
      const call = <E extends Endpoint>(endpoint: E, input: Input<E>, headers = {}) =>
        server.call(endpoint, input, { ...as, ...who.person.as, headers });
      const [slept, ...claims] = await Promise.all([
        call(deletion.ask, { body: { code } }),
        call(help.claim, { body: about(order, { way: 'WALLET' }) }, { 'idempotency-key': randomUUID() }),
        answerByPerson(db, ticket.eventId, { amount: '10', isRefused: false }).then(() => ({ status: 200 })),
      ]);
      const row = await db
        .selectFrom('ledger_accounts')
        .select('balance')
        .where('user_id', '=', who.userId)
        .where('kind', '=', 'WALLET')
        .executeTakeFirst();
      expect([200, 401]).toContain(claims[0].status);
      expect([slept.status, (row?.balance ?? 0) > 0], JSON.stringify(slept.body)).toEqual(
        slept.status === 200 ? [200, false] : [409, true],
      );
    }
    expect(await violations(db)).toEqual([]);
  }, 60_000);

  test('an e-voucher from help outlives the account: number and pin are told once, and nothing ties it to anybody', async () => {
    const who = await member(server, 'LK', { storeId: '20101', deliveryType: 'PICKUP' });
    const order = await eats(server, who, { paymentMode: 'COD' });
    const { ticket } = (await ask(who, about(order))).body;
    const { amount, way } = ticket.money!;
    expect([ticket.state, way]).toEqual(['DONE', 'VOUCHER']);
    const { standing } = (await who.call(deletion.look, {})).body;
    expect([standing.vouchers, standing.givenVouchers]).toEqual([0, 1]);
    // Let go before anybody knows its number it would be money that nobody can spend.
    const [kept] = (await who.call(vouchers.balance, {})).body.vouchers;
    expect(kept!.isOnlyHere).toBe(true);
    const { voucherId } = kept!;
    expect(codeOf(await who.call(vouchers.unlink, { voucherId }))).toBe('EGV_ONLY_HERE');
    expect((await who.call(vouchers.balance, {})).body.vouchers).toEqual([kept]);
    const code = await codeToDelete(server, who);
    const { status, body } = await who.call(deletion.ask, { body: { code } });
    expect(status, JSON.stringify(body)).toBe(200);
    const [told] = body.vouchers!;
    expect(body.vouchers).toHaveLength(1);
    expect(told!.balance).toBe(amount);
    await server.advance(1);
    const said = (await server.inbox(`+94${who.mobile}`)).find((text) => text.includes(told!.pin))!;
    expect(said.replaceAll(' ', '')).toContain(told!.number);
    await server.advance(8 * DAY);
    expect(await db.selectFrom('users').select('id').where('id', '=', who.userId).execute()).toEqual([]);
    expect(await db.selectFrom('voucher_links').selectAll().where('user_id', '=', who.userId).execute()).toEqual([]);
    const other = await guest(server, 'lk-web');
    const { number, pin } = told!;
    const linked = await server.call(vouchers.link, { body: { number, pin } }, other.as);
    expect([linked.status, linked.body.voucher.balance]).toEqual([200, amount]);
    expect(linked.body.voucher.isOnlyHere).toBeUndefined();
    expect((await server.call(vouchers.unlink, { voucherId }, other.as)).body.vouchers).toEqual([]);
  });

  test('a restored account’s help e-voucher gets a new number and pin at the next deletion, unless it was typed already', async () => {
    const first = await member(server, 'LK', { storeId: '20101', deliveryType: 'PICKUP' });
    const order = await eats(server, first, { paymentMode: 'COD' });
    const { amount } = (await ask(first, about(order))).body.ticket.money!;
    const deletes = async (who: Customer) =>
      (await who.call(deletion.ask, { body: { code: await codeToDelete(server, who) } })).body.vouchers!;
    const standing = async (who: Customer) => {
      const { body } = await who.call(deletion.look, {});
      return [body.standing.vouchers, body.standing.givenVouchers];
    };
    const other = await guest(server, 'lk-web');
    const links = ({ number, pin }: deletion.HandedOver) =>
      server.call(vouchers.link, { body: { number, pin } }, other.as);

    const [never] = await deletes(first);
    const second = await wakes(first);
    expect(await standing(second)).toEqual([0, 1]);
    const [told] = await deletes(second);
    expect(told!.balance).toBe(amount);
    expect((await links(never!)).status).toBe(422);
    expect((await links(told!)).body.voucher.balance).toBe(amount);
    const third = await wakes(second);
    expect(await standing(third)).toEqual([1, 0]);
    expect(await deletes(third)).toEqual([]);
  });

  test('what an e-voucher of the help has paid, which is empty since, waits in cash at the store for whoever deletes the account', async () => {
    const who = await member(server, 'LK', { storeId: '20101', deliveryType: 'PICKUP' });
    const first = await eats(server, who, { paymentMode: 'COD' });
    const { money } = (await ask(who, about(first))).body.ticket;
    expect(money!.way).toBe('VOUCHER');
    const [given] = (await who.call(vouchers.balance, {})).body.vouchers;
    const part = { voucherId: given!.voucherId, amount: given!.balance };
    const order = await eats(server, who, { paymentMode: 'COD', body: { funds: { vouchers: [part] } } });
    expect((await who.call(vouchers.balance, {})).body.vouchers[0]!.balance).toBe(0);
    const { ticket } = (await ask(who, { orderId: order.orderId, issue: 'bill' })).body;
    expect(ticket.state).toBe('PERSON');
    await noDesk();
    const done = await who.call(deletion.ask, { body: { code: await codeToDelete(server, who) } });
    expect([done.status, done.body.vouchers]).toEqual([200, []]);
    const amount = String(part.amount / 100);
    const told = await answerByPerson(db, ticket.eventId, { amount, isRefused: false });
    expect(told).toContain(`in cash waits for you at ${order.store.name} until`);
    expect((await ticketsOf(order.orderId)).map((one) => [one.way, one.amount])).toEqual([['COUNTER', part.amount]]);
    expect((await server.inbox(`+94${who.mobile}`)).join('\n')).not.toContain('ending in');
    await server.advance(9 * DAY);
    expect(await db.selectFrom('users').select('id').where('id', '=', who.userId).execute()).toEqual([]);
    const { balance } = await db
      .selectFrom('ledger_accounts')
      .select('balance')
      .where('id', '=', part.voucherId)
      .executeTakeFirstOrThrow();
    expect(balance).toBe(0);
    expect(await violations(db)).toEqual([]);
  });
});

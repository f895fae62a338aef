import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sql } from 'kysely';
import { openDb, type Root } from '../../src/server/store/db.ts';
import * as wallet from '../../src/contract/wallet.ts';
import { startServer, type TestServer } from '../kit/server.ts';
import { violations } from './invariants.ts';
import { member, openShop, pay, visitor } from './shop.ts';

/** The checker itself: each kind of damage must be seen, or every other suite proves nothing. */
describe('the checker of the invariants sees', () => {
  let server: TestServer;
  let db: Root;
  let orderId: string;
  beforeAll(async () => {
    server = await startServer();
    ({ db } = await openDb(server.database.target));
    await openShop(server);
    const customer = await member(server);
    await customer.fill(2, 'M');
    await customer.coupon('WELCOME50');
    const { body } = await customer.submit();
    await pay(server, body.next);
    orderId = (await customer.confirm(body.order)).order.orderId;
    const second = await visitor(server);
    const made = await second.paid();
    await second.cancel(made.orderId);
    const third = await visitor(server);
    const failed = await third.order();
    await pay(server, failed.next, 'decline');
    await (await member(server)).order({ paymentMode: 'COD' });
    const rich = await member(server);
    await server.call(wallet.credit, { body: { mobile: rich.mobile, amount: 10_000 } });
    await rich.paid({ body: { funds: { wallet: 4_000 } } });
    const lost = await rich.order({ body: { funds: { wallet: 2_000 } } });
    await pay(server, lost.next, 'decline');
    await server.advance(1000);
  });
  afterAll(async () => {
    await db.destroy();
    await server.stop();
  });

  test('nothing wrong where nothing is', async () => {
    expect(await violations(db, { ackedOrders: [orderId], settled: true })).toEqual([]);
  });

  const one = (table: string, column: string, value: string, where: string) =>
    sql.raw(`UPDATE ${table} SET ${column} = ${value} WHERE ${where}`);
  test.each([
    ['I2', 'a capture of another amount', one('captures', 'amount', 'amount - 1', 'pays = 1')],
    ['I2', 'an order under way that nobody pays', one('captures', 'pays', '0', 'pays = 1')],
    ['I2', 'an attempt of another amount', one('payments', 'amount', 'amount + 1', "state = 'CAPTURED'")],
    ['I2', 'a captured payment that is not', one('payments', 'state', "'FAILED'", "state = 'CAPTURED'")],
    [
      'I2',
      'money at the bank that we do not know',
      sql.raw("INSERT INTO bank_movements SELECT 'extra', id, 'in', NULL, amount, 1, 1 FROM bank_charges LIMIT 1"),
    ],
    [
      'I3',
      'a balance that its movements do not make',
      one('ledger_accounts', 'balance', 'balance + 1', "kind = 'WALLET'"),
    ],
    [
      'I3',
      'a movement that says another balance',
      one('ledger_entries', 'balance_after', 'balance_after + 1', 'seq = 2'),
    ],
    ['I3', 'a movement that is gone', sql.raw('DELETE FROM ledger_entries WHERE seq = 2')],
    [
      'I3',
      'an order that got more back than it took',
      sql.raw("UPDATE ledger_entries SET amount = amount * 3 WHERE kind = 'RETURN'"),
    ],
    ['I7', 'a failed order whose balances are kept', sql.raw("DELETE FROM ledger_entries WHERE kind = 'RETURN'")],
    [
      'I2',
      'an attempt that asks for what the wallet has paid',
      sql.raw(
        'UPDATE payments SET amount = amount + 4000 WHERE order_id IN (SELECT order_id FROM ledger_entries WHERE amount = -4000)',
      ),
    ],
    [
      'I10',
      "a wallet that pays somebody else's order",
      one('ledger_accounts', 'user_id', "'other'", "kind = 'WALLET'"),
    ],
    [
      'I4',
      'a use that is counted and not written down',
      one('coupon_states', 'used', 'used + 1', "code = 'WELCOME50' AND country = 'IN'"),
    ],
    ['I5', 'two orders of one key', sql.raw("UPDATE orders SET idempotency_key = 'k', user_id = 'u'")],
    ['I6', 'a step back', one('order_events', 'status', "'PENDING'", 'seq = 3')],
    ['I6', 'a missing step', sql.raw('DELETE FROM order_events WHERE seq = 2')],
    ['I6', 'a status without its event', one('orders', 'status', "'DELIVERED'", "status = 'PICKED UP'")],
    ['I7', 'a cancelled order whose money is kept', sql.raw('DELETE FROM refunds')],
    ['I7', 'a refund of another amount', one('refunds', 'amount', 'amount + 1', '1 = 1')],
    ['I7', 'a failed order with an open payment', one('payments', 'state', "'UNKNOWN'", "state = 'FAILED'")],
    ['I7', 'a refund that the bank never heard of', sql.raw("DELETE FROM bank_movements WHERE kind = 'refund'")],
    ['I8', 'a total that its lines do not make', one('orders', 'total', 'total + 100', '1 = 1')],
    ['I10', 'a payment of somebody else', one('payments', 'user_id', "'other'", '1 = 1')],
    ['I11', 'an order that nobody was told of', sql.raw('DELETE FROM outbox')],
    [
      'I5',
      'a kept answer about another order',
      one('idempotency', 'ref', 'replace(ref, \'"orderId":"\', \'"orderId":"x\')', "state = 'DONE'"),
    ],
    ['I5', 'a key that is done and answers nothing', one('idempotency', 'body', 'NULL', "state = 'DONE'")],
    [
      'I8',
      'a tax that is a paisa too high',
      sql.raw(
        `UPDATE orders SET snapshot = json_set(snapshot, '$.bill.lines[#-2].amount', json_extract(snapshot, '$.bill.lines[#-2].amount') + 1, '$.bill.lines[#-1].amount', json_extract(snapshot, '$.bill.lines[#-1].amount') - 1)`,
      ),
    ],
    [
      'I8',
      'a line that is not its price times its pieces',
      sql.raw(`UPDATE orders SET snapshot = json_set(snapshot, '$.lines[0].product.price', 1)`),
    ],
    [
      'I9',
      'a cancelled order that still counts',
      sql.raw(
        "INSERT INTO counted_orders SELECT id, 'IN', 'user:x', '2020-01-01' FROM orders WHERE status = 'CANCELLED'",
      ),
    ],
    ['I9', 'an order that counts on another day', one('counted_orders', 'day', "'2020-01-01'", '1 = 1')],
    ['I9', 'an order that does not count', sql.raw('DELETE FROM counted_orders')],
    ['I10', 'a cart of somebody else', one('carts', 'user_id', "'other'", '1 = 1')],
    ['I11', 'an order that was told of too late', one('outbox', 'sent_at', 'NULL', '1 = 1')],
    ['I13', 'an order handed over without an invoice', one('orders', 'status', "'DELIVERED'", "status = 'PICKED UP'")],
    ['I12', 'a fraction of a paisa', one('captures', 'amount', 'amount + 0.5', '1 = 1')],
    ['I12', 'a tip below nothing', one('carts', 'tip', '-1', '1 = 1')],
    ['I12', 'a refund in another currency', one('refunds', 'currency', "'LKR'", '1 = 1')],
    ['I12', "another country's currency", one('orders', 'currency', "'LKR'", '1 = 1')],
  ])('%s: %s', async (id, _what, damage) => {
    class Undo extends Error {}
    await db
      .transaction()
      .execute(async (tx) => {
        await sql`PRAGMA defer_foreign_keys = ON`.execute(tx);
        await damage.execute(tx);
        const found = await violations(tx, { settled: true });
        expect(found.map((sentence) => sentence.split(' ')[0])).toContain(id);
        throw new Undo();
      })
      .catch((error: unknown) => {
        if (!(error instanceof Undo)) throw error;
      });
  });
  test('I1: an order that was told as paid and is not', async () => {
    const unpaid = await db.selectFrom('orders').select('id').where('status', '=', 'FAILED').executeTakeFirstOrThrow();
    expect(await violations(db, { ackedPaid: [orderId] })).toEqual([]);
    expect(await violations(db, { ackedPaid: [unpaid.id] })).toEqual([
      `I1 order ${unpaid.id} was acknowledged as paid and is not`,
    ]);
  });
  test('I1: an acknowledged order that is gone', async () => {
    expect(await violations(db, { ackedOrders: ['ord_gone'] })).toEqual([
      'I1 order ord_gone was acknowledged and is not there',
    ]);
  });
});

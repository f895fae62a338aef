import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sql } from 'kysely';
import { openDb, type Root } from '../../src/server/store/db.ts';
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
    const customer = await visitor(server);
    await customer.fill(2, 'M');
    await customer.coupon('WELCOME50');
    const { body } = await customer.submit();
    await pay(server, body.next);
    orderId = (await customer.confirm(body.order)).order.orderId;
    const second = await visitor(server);
    const made = await second.order();
    await pay(server, made.next);
    await second.confirm(made.order);
    await second.cancel(made.order.orderId);
    const third = await visitor(server);
    const failed = await third.order();
    await pay(server, failed.next, 'decline');
    await (await member(server)).order({ paymentMode: 'COD' });
    await server.advance(1000);
  });
  afterAll(async () => {
    await db.destroy();
    await server.stop();
  });

  test('nothing wrong where nothing is', async () => {
    expect(await violations(db, { ackedOrders: [orderId], settled: true })).toEqual([]);
  });

  const one = (table: string, column: string, value: string, where: string) => sql.raw(`UPDATE ${table} SET ${column} = ${value} WHERE ${where}`);
  test.each([
    ['I2', 'a capture of another amount', one('captures', 'amount', 'amount - 1', 'pays = 1')],
    ['I2', 'an order under way that nobody pays', one('captures', 'pays', '0', 'pays = 1')],
    ['I2', 'an attempt of another amount', one('payments', 'amount', 'amount + 1', "state = 'CAPTURED'")],
    ['I2', 'a captured payment that is not', one('payments', 'state', "'FAILED'", "state = 'CAPTURED'")],
    ['I2', 'money at the bank that we do not know', sql.raw("INSERT INTO bank_movements SELECT 'extra', id, 'in', NULL, amount, 1, 1 FROM bank_charges LIMIT 1")],
    ['I4', 'a use that is counted and not written down', one('coupon_states', 'used', 'used + 1', "code = 'WELCOME50' AND country = 'IN'")],
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
    ['I12', 'another country\'s currency', one('orders', 'currency', "'LKR'", '1 = 1')],
  ])('%s: %s', async (id, _what, damage) => {
    class Undo extends Error {}
    await db.transaction().execute(async (tx) => {
      await sql`PRAGMA defer_foreign_keys = ON`.execute(tx);
      await damage.execute(tx);
      const found = await violations(tx as unknown as Root, { settled: true });
      expect(found.map((sentence) => sentence.split(' ')[0])).toContain(id);
      throw new Undo();
    }).catch((error: unknown) => { if (!(error instanceof Undo)) throw error; });
  });
  test('I1: an acknowledged order that is gone', async () => {
    expect(await violations(db, { ackedOrders: ['ord_gone'] })).toEqual(['I1 order ord_gone was acknowledged and is not there']);
  });
});

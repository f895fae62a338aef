import { randomUUID } from 'node:crypto';
import type { Root } from '../../src/server/store/db.ts';
import { orderById } from '../../src/server/store/orders.ts';
import type { TestServer } from '../kit/server.ts';
import { member, PICKUP, type Customer } from '../server/shop.ts';

const ROWS_AT_A_TIME = 100;
const DAY_MS = 86_400_000;

/** Somebody with so many orders, one a day, each with its payment; all but the last were delivered. */
export async function customerWith(server: TestServer, db: Root, count: number): Promise<Customer> {
  const one = await member(server, 'IN', PICKUP);
  const { orderId } = (await one.order({ paymentMode: 'COD' })).order;
  const order = (await orderById(db, orderId))!;
  const payment = await db.selectFrom('payments').selectAll().where('order_id', '=', orderId).executeTakeFirstOrThrow();
  const made = Array.from({ length: count - 1 }, (_, at) => ({
    id: randomUUID(),
    at: order.submitted_at - (at + 1) * DAY_MS,
  }));
  for (let from = 0; from < made.length; from += ROWS_AT_A_TIME) {
    const part = made.slice(from, from + ROWS_AT_A_TIME);
    const over = { status: 'DELIVERED' as const, stage: null };
    await db
      .insertInto('orders')
      .values(
        part.map(({ id, at }) => ({
          ...order,
          ...over,
          id,
          cart_id: id,
          idempotency_key: id,
          submitted_at: at,
          finished_at: at + 1,
        })),
      )
      .execute();
    await db
      .insertInto('payments')
      .values(
        part.map(({ id, at }) => ({ ...payment, id: `p${id}`, order_id: id, reference: `r${id}`, created_at: at })),
      )
      .execute();
  }
  return one;
}

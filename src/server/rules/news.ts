import type { Tx } from '../store/db.ts';
import { enqueue } from '../store/jobs.ts';
import { dropSubscription, subscriptionsOf } from '../store/push.ts';
import { orderById, type OrderRow } from '../store/orders.ts';
import { jobs } from './jobs.ts';

/** What is worth a notice, and what it says. */
const TOLD: Readonly<Record<string, string>> = {
  STARTED: 'The store has started on your order.', READY: 'Your order is ready.', 'PICKED UP': 'Your order is on its way.', DELIVERED: 'Your order has been delivered. Enjoy your meal!',
};

/** In the transaction of the move it tells of; nothing is written for customers without a browser that wants news. */
export async function planNews(tx: Tx, order: OrderRow, step: { readonly id: string }, now: number): Promise<void> {
  if (TOLD[step.id] === undefined || (await subscriptionsOf(tx, order.user_id)).length === 0) return;
  await enqueue(tx, { kind: 'notice.send', runAt: now, payload: { orderId: order.id, step: step.id }, key: `notice.send:${order.id}:${step.id}` });
}

/** At least once; a notice of the same order takes the place of the one before. */
jobs.on<{ orderId: string; step: string }>('notice.send', async ({ orderId, step }, { db, services }) => {
  const order = await orderById(db, orderId);
  const body = TOLD[step];
  if (order === undefined || body === undefined) return;
  // All at once: one service that does not answer must not hold up the others, nor this job beyond its lease.
  const sent = await Promise.allSettled((await subscriptionsOf(db, order.user_id)).map(async (to) => {
    const payload = { title: `Order ${order.number}`, body, tag: order.id, path: `${to.mount}order/${encodeURIComponent(order.id)}` };
    if (await services.push.send(db, to, payload) === 'gone') await dropSubscription(db, to.endpoint, null);
  }));
  const failed = sent.find((one) => one.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
});

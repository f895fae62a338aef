import type { Tx } from '../../store/db.ts';
import { moveOrder, type OrderRow } from '../../store/orders.ts';
import { countOrder, tellOrder } from '../experiments/record.ts';
import { planAsk } from '../feedback/ask.ts';
import { planStart, startFor, startOrder } from '../order/lifecycle.ts';
import '../order/outbox.ts';
import { planReceipt } from '../order/receipt.ts';
import { watchTrain } from '../trains/watch.ts';

/**
 * What an order begins in the transaction that places it, in this order, and nothing else; what follows when it is handed
 * over is in order/delivered.ts.
 */
const AFTER_PLACED: readonly ((tx: Tx, order: OrderRow, now: number) => Promise<void>)[] = [
  planReceipt,
  watchTrain,
  planAsk,
  countOrder,
  tellOrder,
];

/** Starts an order whose payment is settled, or schedules its start if the customer chose a later time. */
export async function placeOrder(tx: Tx, order: OrderRow, now: number): Promise<void> {
  for (const follow of AFTER_PLACED) await follow(tx, order, now);
  if (order.scheduled_for !== null) {
    const startsAt = await startFor(tx, order, order.scheduled_for);
    if (startsAt > now) {
      await moveOrder(
        tx,
        order.id,
        ['PENDING'],
        { status: 'ADVANCE ORDER', stage: null, actor: 'system', at: now },
        { starts_at: startsAt },
      );
      await planStart(tx, order.id, startsAt);
      return;
    }
  }
  await startOrder(tx, order, ['PENDING'], now);
}

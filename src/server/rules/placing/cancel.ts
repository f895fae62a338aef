import { cancel } from '../../../contract/orders.ts';
import type { EndpointInput } from '../../../contract/endpoint.ts';
import type { Call } from '../../call/call.ts';
import { errors, t } from '../../call/language.ts';
import type { PreparedReply } from '../../call/preparedReply.ts';
import { refuse } from '../../call/refusal.ts';
import { transact, type Tx } from '../../store/db.ts';
import { orderById, plannedLife, type OrderRow } from '../../store/orders.ts';
import { latestPayment, paymentsOf } from '../../store/payments.ts';
import { trainByEither, type TrainRow } from '../../store/trains.ts';
import { cancelOrder, failOrder } from '../order/cancellation.ts';
import { viewNow } from '../order/orderView.ts';
import { cancelRule } from '../order/orders.ts';
import { lockedOr404, ownOrder } from '../order/rights.ts';
import { trainCancelRule } from '../order/trainView.ts';
import { fingerprint, keyOf, once } from '../reliability/idempotency.ts';
import { closeIfUnpaid, closeLast, endUnconfirmed } from './settle.ts';

/** Ends an unpaid order for its customer. @throws Refusal 409 PAYMENT_UNKNOWN */
async function giveUp(tx: Tx, order: OrderRow, now: number): Promise<void> {
  await endUnconfirmed(tx, await paymentsOf(tx, [order.id]), now);
  if (!(await failOrder(tx, order, now, 'customer'))) refuse(409, 'PAYMENT_UNKNOWN', errors.moneyUnknown);
}

const trainOf = async (tx: Tx, { id, delivery_type: type }: OrderRow) =>
  type === 'IRCTC' ? await trainByEither(tx, id) : undefined;

/** Whether the customer may still cancel a placed order. */
function mayCancel(order: OrderRow, train: TrainRow | undefined, now: number): boolean {
  if (train !== undefined) return trainCancelRule(train, order, now).possible;
  const confirmsAt = plannedLife(order)?.steps.find((step) => step.stage === 'CONFIRMED')?.at ?? null;
  const { status, confirmed_at: confirmedAt, starts_at: startsAt } = order;
  return cancelRule({ status, confirmedAt, startsAt, confirmsAt }, now).possible;
}

/** Cancels an order of the caller's, with all its money back. @throws Refusal 409 CANCEL_TOO_LATE, PAYMENT_UNKNOWN */
export async function cancelOwnOrder(call: Call, input: EndpointInput<typeof cancel>): Promise<PreparedReply> {
  const { now } = call;
  const order = await ownOrder(call, input.orderId);
  const key = keyOf(call);
  if (order.status === 'PENDING') await closeLast(call, order.id, key);
  return await once(
    call,
    key,
    fingerprint(cancel.path, input),
    async (tx) => {
      const locked = await lockedOr404(tx, order.id);
      if (locked.status === 'PENDING') await giveUp(tx, locked, now);
      else if (
        locked.status !== 'CANCELLED' &&
        (!mayCancel(locked, await trainOf(tx, locked), now) ||
          !(await cancelOrder(tx, locked, [locked.status], 'customer', now)))
      )
        refuse(409, 'CANCEL_TOO_LATE', t.cancelTooLate);
      return { orderId: locked.id };
    },
    async ({ orderId }) => ({ order: await viewNow(call, orderId) }),
  );
}

/** The same of an order for a train, which the partner's path names. @throws Refusal as `cancelOwnOrder` */
export async function cancelTrain(call: Call, row: TrainRow, orderId: string): Promise<void> {
  const { db, now } = call;
  const before = await orderById(db, orderId);
  const last = await latestPayment(db, orderId);
  if (before?.status === 'PENDING' && last !== undefined) await closeIfUnpaid(call, last);
  await transact(db, async (tx) => {
    const order = await lockedOr404(tx, orderId);
    if (order.status === 'CANCELLED' || order.status === 'FAILED') return;
    if (order.status === 'PENDING') return await giveUp(tx, order, now);
    const { possible, rule } = trainCancelRule(row, order, now);
    if (!possible || !(await cancelOrder(tx, order, [order.status], 'customer', now)))
      refuse(409, 'CANCEL_TOO_LATE', rule);
  });
}

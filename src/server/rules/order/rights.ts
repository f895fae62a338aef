import { userIdOf, type Call } from '../../call/call.ts';
import { errors } from '../../call/language.ts';
import { refuse } from '../../call/refusal.ts';
import { bringBackOf } from '../../store/archive.ts';
import type { Tx } from '../../store/db.ts';
import { lockOrder, orderById, type OrderRow } from '../../store/orders.ts';
import { paymentById, type PaymentRow } from '../../store/payments.ts';
import { trainByEither, type TrainRow } from '../../store/trains.ts';
import { aboutOrder } from '../../trace.ts';

/** The caller's own order. Somebody else's order is reported as missing. @throws Refusal 404 NOT_FOUND */
export async function ownOrder(call: Call, orderId: string): Promise<OrderRow> {
  const order = await orderById(call.db, orderId);
  if (order === undefined || order.user_id !== userIdOf(call) || order.country !== call.caller.country)
    return refuse(404, 'NOT_FOUND', errors.notFound);
  aboutOrder(order);
  return order;
}

/** Locks an order that its reader has found before. @throws Refusal 404 NOT_FOUND where it is gone since */
export async function lockedOr404(tx: Tx, orderId: string, sentence = errors.notFound): Promise<OrderRow> {
  return (await lockOrder(tx, orderId)) ?? refuse(404, 'NOT_FOUND', sentence);
}

/** Whether the caller has ordered it, not only its link. */
export const isOwnOrder = async (call: Call, orderId: string): Promise<boolean> =>
  (await orderById(call.db, orderId))?.user_id === userIdOf(call);

/** Something of one of the caller's orders by its own id, although the order may be put away. */
export async function foundAgain<T>(call: Call, id: string, find: () => Promise<T | undefined>) {
  return (
    (await find()) ?? ((await bringBackOf(call.db, userIdOf(call), { rowId: id })) === null ? undefined : await find())
  );
}

/** The caller's own payment and its order, as `ownOrder`. @throws Refusal 404 NOT_FOUND */
export async function ownPayment(call: Call, transactionId: string): Promise<{ payment: PaymentRow; order: OrderRow }> {
  const payment = await foundAgain(call, transactionId, () => paymentById(call.db, transactionId));
  if (payment === undefined) return refuse(404, 'NOT_FOUND', errors.notFound);
  return { payment, order: await ownOrder(call, payment.order_id) };
}

/** The caller's own train, by its id or its order's, as `ownOrder`. @throws Refusal 404 NOT_FOUND */
export async function ownTrain(call: Call, id: string): Promise<TrainRow> {
  const row = await foundAgain(call, id, () => trainByEither(call.db, id));
  if (row === undefined || row.user_id !== userIdOf(call) || row.country !== call.caller.country)
    return refuse(404, 'NOT_FOUND', errors.notFound);
  return row;
}

import { DAY_MS } from '../../domain/time.ts';
import * as orders from '../../contract/orders.ts';
import { userIdOf } from '../call/call.ts';
import { errors } from '../call/language.ts';
import { refuse } from '../call/refusal.ts';
import { on, onOld, type Route } from '../call/route.ts';
import { orderAndNext } from '../rules/checkout/attempts.ts';
import { duplicateOf } from '../rules/checkout/checkout.ts';
import { submitOnce } from '../rules/checkout/submit.ts';
import { validate } from '../rules/checkout/validations.ts';
import { changeNote, noteArrival } from '../rules/order/customerChanges.ts';
import { invoiceFile } from '../rules/order/invoice/invoiceFile.ts';
import { typeOf, viewNow, viewOf, viewsOf } from '../rules/order/orderView.ts';
import { ownOrder, ownPayment } from '../rules/order/rights.ts';
import { cancelOwnOrder } from '../rules/placing/cancel.ts';
import { settleNow } from '../rules/placing/settle.ts';
import { withdrawKey } from '../rules/reliability/idempotency.ts';
import { orderByKey, recentOrders } from '../store/orders.ts';

export const orderRoutes: Route[] = [
  on(orders.validations, ({ body }, call) => validate(call, body)),

  on(orders.checkDuplicate, async (_input, call) => {
    const found = await duplicateOf(call.db, userIdOf(call), call.now);
    return found === undefined
      ? { isDuplicate: false }
      : { isDuplicate: true, orderId: found.id, message: errors.duplicateOrder };
  }),

  on(orders.submit, ({ body }, call) => submitOnce(call, body)),

  on(orders.confirm, async ({ body }, call) => {
    const { payment, order } = await ownPayment(call, body.transactionId);
    if (order.id !== body.orderId) refuse(404, 'NOT_FOUND', errors.notFound);
    await settleNow(call, payment);
    return await orderAndNext(call, order.id);
  }),

  on(orders.byId, async ({ orderId }, call) => ({
    order: await viewOf(call.db, await ownOrder(call, orderId), call.now),
  })),

  on(orders.download, async ({ orderId, query }, call) => {
    const order = await ownOrder(call, orderId);
    const isOther = query.orderType !== undefined && query.orderType !== typeOf(order);
    if (isOther || (query.wiOid !== undefined && query.wiOid !== order.number))
      refuse(404, 'NOT_FOUND', errors.notFound);
    return await invoiceFile(call, order);
  }),

  on(orders.byKey, async ({ key }, call) => {
    const order = await orderByKey(call.db, userIdOf(call), key);
    if (order === undefined) refuse(404, 'NOT_FOUND', errors.notFound);
    return await orderAndNext(call, order.id);
  }),

  on(orders.withdraw, async ({ key }, call) => {
    await withdrawKey(call, key);
    const order = await orderByKey(call.db, userIdOf(call), key);
    return { ...(order === undefined ? { order: null, next: null } : await orderAndNext(call, order.id)) };
  }),

  onOld(orders.recent, async (_input, call) => ({
    orders: await viewsOf(call.db, await recentOrders(call.db, userIdOf(call), call.now - DAY_MS), call.now),
  })),

  on(orders.changeNote, async ({ orderId, body }, call) => {
    await changeNote(call, await ownOrder(call, orderId), body.note);
    return { order: await viewNow(call, orderId) };
  }),

  on(orders.cancel, (input, call) => cancelOwnOrder(call, input)),

  on(orders.arrived, async ({ body }, call) => {
    await noteArrival(call, await ownOrder(call, body.orderId), body.bay);
    return { order: await viewNow(call, body.orderId) };
  }),
];

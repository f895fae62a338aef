import * as contract from '../../contract/history.ts';
import { on, onOld, type Route } from '../call/route.ts';
import { keepFavouriteOrder } from '../rules/order/favouriteOrders.ts';
import { exportedRows, historyOwner, historyPage, orderRecord, yearSummary } from '../rules/order/history.ts';
import { ownOrder } from '../rules/order/rights.ts';
import { mustNameCaller } from '../rules/people/owner.ts';
import { removeFavouriteOrder } from '../store/history.ts';

export const historyRoutes: Route[] = [
  on(contract.list, ({ query }, call) => historyPage(call, query)),
  on(contract.record, ({ orderId, query }, call) => orderRecord(call, orderId, query)),
  on(contract.saveFavourite, async ({ favOrderId, body }, call) => {
    historyOwner(call);
    mustNameCaller(call, body.data.userId, { by: 'id', field: 'data.userId' });
    const order = await ownOrder(call, favOrderId);
    await keepFavouriteOrder(call, order.id);
    return {};
  }),
  on(contract.removeFavourite, async ({ favOrderId }, call) => {
    await removeFavouriteOrder(call.db, historyOwner(call).userId, favOrderId);
    return {};
  }),
  onOld(contract.summary, ({ query }, call) => yearSummary(call, query)),
  onOld(contract.rows, ({ query }, call) => exportedRows(call, query)),
];

import * as contract from '../../contract/feedback.ts';
import { on, type Route } from '../call/route.ts';
import {
  feedbackState,
  mustBeWhole,
  mustFit,
  orderSummary,
  ownFeedback,
  ratedOrder,
  rateOnce,
  rateOutside,
  templateView,
  viewFor,
  viewNow,
} from '../rules/feedback/feedback.ts';
import { ownOrder } from '../rules/order/rights.ts';
import { askOf, dismissAsk, feedbackOfOrder, knownAsk, setFeedback } from '../store/feedback.ts';
import { newToken } from '../store/ids.ts';

export const feedbackRoutes: Route[] = [
  on(contract.template, async ({ query }, call) => {
    const order = await ratedOrder(call, query);
    const row = await feedbackOfOrder(call.db, order.id);
    const ask = await knownAsk(call.db, order.id);
    return {
      template: templateView(order),
      order: orderSummary(order),
      state: feedbackState(order, row, call.now),
      isDismissed: ask !== undefined && ask.dismissed_at !== null,
      feedback: row === undefined ? null : await viewFor(call, row),
    };
  }),

  on(contract.submit, ({ body }, call) => rateOnce(call, body)),

  on(contract.ofOrder, ({ orderId, body }, call) => rateOnce(call, { ...body, orderId })),

  on(contract.update, async ({ feedbackId, body }, call) => {
    const { row, country } = await ownFeedback(call, feedbackId);
    await setFeedback(call.db, row.id, { ...mustBeWhole(body, country), changed_at: call.now });
    return await viewNow(call, row.id);
  }),

  on(contract.additional, async ({ body }, call) => {
    const { row } = await ownFeedback(call, body.feedbackId);
    await setFeedback(call.db, row.id, { additional: mustFit(body.comment), changed_at: call.now });
    return await viewNow(call, row.id);
  }),

  on(contract.dismiss, async ({ body }, call) => {
    const order = await ownOrder(call, body.orderId);
    await askOf(call.db, order.id, newToken(), call.now);
    await dismissAsk(call.db, order.id, call.now);
    return {};
  }),

  on(contract.offline, ({ body }, call) => rateOutside(call, body)),
];

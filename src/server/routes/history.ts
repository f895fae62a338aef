import * as contract from '../../contract/history.ts';
import { money } from '../../contract/price.ts';
import { cardOf } from '../../domain/history.ts';
import { mustBeFullMode } from '../call/features.ts';
import { on, onOld } from '../call/route.ts';
import { userIdOf } from '../call/call.ts';
import type { Route } from '../call/route.ts';
import { viewOf, viewsOf } from '../rules/order/orderView.ts';
import { PROMISE_REASON } from '../rules/order/promise.ts';
import { riderOf } from '../rules/order/riders.ts';
import { eventsOf } from '../store/orders.ts';
import { ordersOfUser, type HistoryStart } from '../store/history.ts';
import { paymentsOf, refundsOf, type PaymentRow } from '../store/payments.ts';
import { ownOrder } from './payments.ts';

const SUCCESS = 'SUCCESS' as const;

function startOf(after: string | undefined, pageNo: number): HistoryStart {
  if (after === undefined) return { offset: (pageNo - 1) * contract.HISTORY_PAGE };
  const dot = after.indexOf('.');
  return { submittedAt: Number(after.slice(0, dot)), id: after.slice(dot + 1) };
}

const STATES: Readonly<Partial<Record<PaymentRow['state'], 'PAID' | 'DUE' | 'FAILED'>>> = {
  CAPTURED: 'PAID',
  REFUNDED: 'PAID',
  DUE_AT_DOOR: 'DUE',
  FAILED: 'FAILED',
};

export const historyRoutes: Route[] = [
  onOld(contract.list, async ({ query }, call) => {
    mustBeFullMode(call.caller);
    const pageNo = Number(query.pageNo ?? '1');
    const pageSize = contract.HISTORY_PAGE;
    const who = { userId: userIdOf(call), country: call.caller.country };
    const rows = await ordersOfUser(call.db, who, startOf(query.after, pageNo), pageSize + 1);
    const shown = rows.slice(0, pageSize);
    const last = rows.length > pageSize ? shown.at(-1) : undefined;
    return {
      status: SUCCESS,
      orders: (await viewsOf(call.db, shown, call.now)).map(cardOf),
      paging: {
        pageNo,
        pageSize,
        isLast: last === undefined,
        next: last === undefined ? null : `${last.submitted_at}.${last.id}`,
      },
    };
  }),

  on(contract.record, async ({ orderId }, call) => {
    mustBeFullMode(call.caller);
    const { db, now } = call;
    const order = await ownOrder(call, orderId);
    const payments = await paymentsOf(db, [orderId]);
    const refunds = await refundsOf(db, [orderId]);
    const hasLeft = (await eventsOf(db, [orderId])).some(({ status }) => status === 'PICKED UP');
    return {
      status: SUCCESS,
      order: await viewOf(db, order, now),
      // What balances paid alone is among the order's own parts.
      payments: payments
        .filter(({ amount }) => amount > 0)
        .map((payment) => ({
          transactionId: payment.id,
          label: payment.label,
          amount: money(payment.amount),
          at: payment.settled_at ?? payment.created_at,
          state: STATES[payment.state] ?? ('OPEN' as const),
        })),
      refunds: refunds.map((refund) => ({
        label: payments.find(({ id }) => id === refund.payment_id)?.label ?? '',
        amount: money(refund.amount),
        at: refund.created_at,
        isPromise: refund.reason === PROMISE_REASON,
        state: refund.state,
        expectedFrom: refund.expected_from,
        expectedTo: refund.expected_to,
        paidAt: refund.paid_at,
      })),
      riderName: hasLeft ? riderOf(order.id, order.country) : null,
    };
  }),
];

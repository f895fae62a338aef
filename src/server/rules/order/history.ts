import { countryConfig } from '../../../../country/index.ts';
import type { EndpointInput } from '../../../contract/endpoint.ts';
import * as contract from '../../../contract/history.ts';
import { money } from '../../../contract/price.ts';
import { cardOf } from '../../../domain/history.ts';
import { localDay, localTime, yearStart } from '../../../domain/hours.ts';
import { mustBeFullMode } from '../../call/features.ts';
import { catalogueHere, userIdOf } from '../../call/call.ts';
import type { Call } from '../../call/call.ts';
import { viewOf, viewsOf } from './orderView.ts';
import { PROMISE_REASON } from './promise.ts';
import { riderOf } from './riders.ts';
import { searchOrders } from './search.ts';
import { eventsOf, ordersByIds, snapshotOf, type OrderRow } from '../../store/orders.ts';
import {
  dishesOfUser,
  favouriteOrderIds,
  orderedSpan,
  ordersOfUser,
  totalsBetween,
  type HistoryStart,
  type Owner,
} from '../../store/history.ts';
import { paymentsOf, refundsOf, type PaymentRow } from '../../store/payments.ts';
import { mustNameCaller } from '../people/owner.ts';
import { ownOrder } from './rights.ts';

const EXPORTED_AT_A_TIME = 200;

/** The caller, where there is a history at all. @throws Refusal 403 FEATURE_BLOCKED */
export function historyOwner(call: Call): Owner {
  mustBeFullMode(call.caller);
  return { userId: userIdOf(call), country: call.caller.country };
}

interface Start {
  readonly pageNo: number;
  readonly after: { readonly submittedAt: number; readonly id: string } | null;
}
function startOf(query: { pageNo?: string | undefined; after?: string | undefined }): Start {
  const after = query.after ?? '';
  const dot = after.indexOf('.');
  return {
    pageNo: Number(query.pageNo ?? '1'),
    after: dot === -1 ? null : { submittedAt: Number(after.slice(0, dot)), id: after.slice(dot + 1) },
  };
}

/** One order more than a page has, if there is one. */
async function pageOf(call: Call, owner: Owner, { pageNo, after }: Start): Promise<OrderRow[]> {
  const start: HistoryStart = after ?? { offset: (pageNo - 1) * contract.HISTORY_PAGE };
  return await ordersOfUser(call.db, owner, start, contract.HISTORY_PAGE + 1);
}

/** The same of a list that was made by a search, or by the customer. */
async function pageAmong(call: Call, ids: readonly string[], { pageNo, after }: Start): Promise<OrderRow[]> {
  const last = after === null ? -1 : ids.indexOf(after.id);
  // The last one that was shown may be no favourite any more: the others that were shown stay left out.
  const shown = (pageNo - 1) * contract.HISTORY_PAGE;
  const from = last !== -1 ? last + 1 : after === null ? shown : shown - 1;
  const wanted = ids.slice(from, from + contract.HISTORY_PAGE + 1);
  const rows = await ordersByIds(call.db, wanted);
  return wanted.flatMap((id) => rows.find((row) => row.id === id) ?? []);
}

const STATES: Readonly<Partial<Record<PaymentRow['state'], 'PAID' | 'DUE' | 'FAILED'>>> = {
  CAPTURED: 'PAID',
  REFUNDED: 'PAID',
  DUE_AT_DOOR: 'DUE',
  FAILED: 'FAILED',
};

const NOT_SPENT: readonly string[] = ['PENDING', 'FAILED', 'CANCELLED'];

/** A page of what a customer has ordered: the newest first, or those that a search or the customer has chosen. */
export async function historyPage(call: Call, query: EndpointInput<typeof contract.list>['query']) {
  const owner = historyOwner(call);
  const { db } = call;
  const start = startOf(query);
  const favourites = await favouriteOrderIds(db, owner.userId);
  const search = query.search ?? '';
  const found = search === '' ? null : searchOrders(await catalogueHere(call), await dishesOfUser(db, owner), search);
  const ids = query.favourites !== 'true' ? found?.ids : favourites.filter((id) => found?.ids.includes(id) ?? true);
  const rows = ids === undefined ? await pageOf(call, owner, start) : await pageAmong(call, ids, start);
  const shown = rows.slice(0, contract.HISTORY_PAGE);
  const last = rows.length > contract.HISTORY_PAGE ? shown.at(-1) : undefined;
  return {
    orders: (await viewsOf(db, shown, call.now)).map((view) => ({
      ...cardOf(view),
      isFavourite: favourites.includes(view.orderId),
    })),
    ...(found?.isNear === true ? { isNear: true } : {}),
    paging: {
      pageNo: start.pageNo,
      pageSize: contract.HISTORY_PAGE,
      isLast: last === undefined,
      next: last === undefined ? null : `${last.submitted_at}.${last.id}`,
    },
  };
}

/** All that is known of one order: its payments, what went back, who brought it. */
export async function orderRecord(call: Call, orderId: string, asked: EndpointInput<typeof contract.record>['query']) {
  const { userId } = historyOwner(call);
  const { db, now } = call;
  if (asked.userId !== undefined) mustNameCaller(call, asked.userId, { by: 'id' });
  const order = await ownOrder(call, orderId);
  const payments = await paymentsOf(db, [orderId]);
  const refunds = await refundsOf(db, [orderId]);
  const hasLeft = (await eventsOf(db, [orderId])).some(({ status }) => status === 'PICKED UP');
  return {
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
    isFavourite: (await favouriteOrderIds(db, userId)).includes(orderId),
  };
}

/** What a customer has spent in a year, by month. */
export async function yearSummary(call: Call, query: EndpointInput<typeof contract.summary>['query']) {
  const owner = historyOwner(call);
  const { timeZone, CURRENCY_CODE } = countryConfig(owner.country);
  const span = (await orderedSpan(call.db, owner)) ?? { first: call.now, last: call.now };
  const yearOf = (at: number) => localTime(at, timeZone).year;
  const [first, last] = [yearOf(span.first), yearOf(span.last)];
  const year = query.year === undefined ? last : Number(query.year);
  const orders = await totalsBetween(call.db, owner, yearStart(year, timeZone), yearStart(year + 1, timeZone));
  const months = new Map<string, { orders: number; total: number }>();
  for (const { submitted_at: at, status, total: cost, back } of orders) {
    if (NOT_SPENT.includes(status)) continue;
    // More may have gone back than was paid, as goodwill: nobody spent less than nothing.
    const total = Math.max(0, cost - back);
    const month = localDay(at, timeZone).slice(0, 7);
    const held = months.get(month) ?? { orders: 0, total: 0 };
    months.set(month, { orders: held.orders + 1, total: held.total + total });
  }
  const list = [...months].map(([month, sum]) => ({ month, orders: sum.orders, total: money(sum.total) }));
  return {
    year,
    years: Array.from({ length: last - first + 1 }, (_, at) => last - at),
    currencyCode: CURRENCY_CODE,
    total: money(list.reduce((sum, { total }) => sum + total, 0)),
    orders: list.reduce((sum, one) => sum + one.orders, 0),
    months: list,
  };
}

/** A year's orders as rows of a table. */
export async function exportedRows(call: Call, query: EndpointInput<typeof contract.rows>['query']) {
  const owner = historyOwner(call);
  const { timeZone, CURRENCY_CODE } = countryConfig(owner.country);
  const since = yearStart(Number(query.year), timeZone);
  // Nobody's order is before this: the ids only make the place of a row among those of one moment.
  let start: HistoryStart = { submittedAt: yearStart(Number(query.year) + 1, timeZone), id: '' };
  const rows: contract.ExportRow[] = [];
  for (;;) {
    const orders: OrderRow[] = await ordersOfUser(call.db, owner, start, EXPORTED_AT_A_TIME, since);
    const payments = await paymentsOf(
      call.db,
      orders.map(({ id }) => id),
    );
    // The last attempt, as it is the one that counted unless an earlier one paid.
    const labels = new Map<string, string>();
    for (const { order_id: id, label, state } of payments)
      if (!labels.has(id) || state !== 'FAILED') labels.set(id, label);
    for (const order of orders) {
      const { store, address, lines, bill } = snapshotOf(order);
      rows.push({
        orderNumber: order.number,
        placedAt: order.submitted_at,
        orderType:
          order.delivery_type === 'IRCTC' ? 'DELIVERY' : (order.delivery_type as contract.ExportRow['orderType']),
        orderStatus: order.status,
        store: store.name,
        address: address === null ? '' : `${address.houseNo}, ${address.address}`,
        dishes: lines.map(({ product, quantity }) => ({ name: product.name, quantity })),
        savings: bill.savings,
        total: bill.total,
        payment: labels.get(order.id) ?? '',
      });
    }
    const last = orders.at(-1);
    if (last === undefined || orders.length < EXPORTED_AT_A_TIME) return { currencyCode: CURRENCY_CODE, rows };
    start = { submittedAt: last.submitted_at, id: last.id };
  }
}

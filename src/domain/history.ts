import type { ExportRow, OrderCard } from '../contract/history.ts';
import type { OrderView } from '../contract/orders.ts';
import { decimal } from './money.ts';

/** An order as a list shows it, of all that is known of it. */
export function cardOf(order: OrderView): OrderCard {
  const { store, address, lines, bill, steps, eta, group } = order;
  const step = steps.find(({ state }) => state === 'current')?.label;
  return {
    orderId: order.orderId,
    orderNumber: order.orderNumber,
    orderType: order.orderType,
    serviceCode: order.serviceCode,
    serviceLabel: order.serviceLabel,
    orderStatus: order.orderStatus,
    stage: order.stage,
    transactionId: order.transactionId,
    transactionReferenceId: order.transactionReferenceId,
    placedAt: order.placedAt,
    scheduledFor: order.scheduledFor,
    table: order.table,
    payment: order.payment,
    parts: order.parts,
    refund: order.refund,
    retryAt: order.retryAt,
    step,
    eta: eta && { from: eta.from, to: eta.to },
    store: { id: store.id, name: store.name, locality: store.locality },
    address: address && {
      type: address.type,
      label: address.label,
      houseNo: address.houseNo,
      address: address.address,
    },
    lines: lines.map(({ lineId, product, quantity, size, crust, build, slots }) => ({
      lineId,
      product,
      quantity,
      size,
      crust,
      build,
      slots,
    })),
    currencyCode: bill.currencyCode,
    total: bill.total,
    isGroup: group !== undefined,
  };
}

/** A cell of a table: quoted, and never taken for a formula by a spreadsheet. */
function cell(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return `"${safe.replaceAll('"', '""')}"`;
}

/** Orders as CSV, a line for each; `columns` say what stands in each and how. */
export function tableOf(
  rows: readonly ExportRow[],
  words: {
    readonly head: readonly string[];
    readonly when: (at: number) => string;
    readonly service: (type: ExportRow['orderType']) => string;
    readonly status: (row: ExportRow) => string;
  },
  currencyCode: string,
): string {
  const lines = rows.map((row) => [
    cell(words.when(row.placedAt)),
    cell(row.orderNumber),
    cell(words.status(row)),
    cell(words.service(row.orderType)),
    cell(row.store),
    cell(row.address),
    cell(row.dishes.map(({ name, quantity }) => `${quantity} x ${name}`).join('; ')),
    decimal(row.savings),
    decimal(row.total),
    currencyCode,
    cell(row.payment),
  ]);
  return [words.head.map(cell), ...lines].map((line) => line.join(',')).join('\r\n');
}

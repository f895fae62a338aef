import type { OrderCard } from '../contract/history.ts';
import type { OrderView } from '../contract/orders.ts';

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

import type { OrderStatus } from '../contract/names.ts';
import type { DeliveryType } from './delivery.ts';

export type Service = DeliveryType | 'IRCTC';
export type ServiceLabel = 'DELIVERY' | 'TAKEAWAY' | 'IRCTC' | 'DINE-IN' | 'CURBSIDE PICKUP';
export type Stage = 'CONFIRMED' | 'PREP' | 'BAKE' | 'QC' | 'READY';
/** Who or what moves an order. */
export type Actor = 'customer' | 'store' | 'system';

const LABELS: Readonly<Record<Service, ServiceLabel>> = {
  DELIVERY: 'DELIVERY', PICKUP: 'TAKEAWAY', CURB: 'CURBSIDE PICKUP', DINEIN: 'DINE-IN', IRCTC: 'IRCTC',
};

/** Shown beside the status, not instead of it. */
export function serviceLabel(service: Service): ServiceLabel {
  return LABELS[service];
}

interface Move { readonly from: OrderStatus | null; readonly to: OrderStatus; readonly by: readonly Actor[]; readonly services?: readonly Service[] }

const BROUGHT: readonly Service[] = ['DELIVERY', 'IRCTC'];
const COLLECTED: readonly Service[] = ['PICKUP', 'CURB', 'DINEIN'];

/** The table of product.md 4.1; `from` null is a new order. The server also checks the times given there. */
export const TRANSITIONS: readonly Move[] = [
  { from: null, to: 'PENDING', by: ['system'] },
  { from: null, to: 'ORDER PLACED', by: ['system'] },
  { from: null, to: 'ADVANCE ORDER', by: ['system'] },
  { from: 'PENDING', to: 'ORDER PLACED', by: ['system'] },
  // A paid order for a later slot waits as an advance order.
  { from: 'PENDING', to: 'ADVANCE ORDER', by: ['system'] },
  // The customer gives an unpaid order up.
  { from: 'PENDING', to: 'FAILED', by: ['system', 'customer'] },
  { from: 'ADVANCE ORDER', to: 'ORDER PLACED', by: ['system'] },
  { from: 'ADVANCE ORDER', to: 'CANCELLED', by: ['customer'] },
  { from: 'ORDER PLACED', to: 'INPROCESS', by: ['store', 'system'] },
  { from: 'ORDER PLACED', to: 'CANCELLED', by: ['customer', 'store'] },
  { from: 'INPROCESS', to: 'PICKED UP', by: ['store', 'system'], services: BROUGHT },
  { from: 'INPROCESS', to: 'PICKED', by: ['store', 'system'], services: COLLECTED },
  { from: 'PICKED UP', to: 'DELIVERED', by: ['store', 'system'], services: BROUGHT },
  { from: 'INPROCESS', to: 'CANCELLED', by: ['store'] },
  { from: 'PICKED UP', to: 'CANCELLED', by: ['store'], services: BROUGHT },
];

/** Whether an order of this service may go from one status to another, moved by this actor. */
export function mayMove(from: OrderStatus | null, to: OrderStatus, service: Service, by: Actor): boolean {
  return TRANSITIONS.some((move) => move.from === from && move.to === to && move.by.includes(by)
    && (move.services === undefined || move.services.includes(service)));
}

/** FAILED, CANCELLED, DELIVERED and PICKED: nothing leads out of them. */
export function isFinal(status: OrderStatus): boolean {
  return !TRANSITIONS.some((move) => move.from === status);
}

/** What is said of an order that its customer has: nobody collects what was brought to a table. */
export function finishedText(service: Service): string {
  return service === 'DINEIN' ? 'Served' : 'Picked up';
}

/** The states shown to users (specification section 4). */
export function statusText(status: OrderStatus, service: Service): string {
  switch (status) {
    case 'PENDING': return 'Pending confirmation';
    case 'ORDER PLACED': return 'Confirmed';
    case 'ADVANCE ORDER': return 'Advance order';
    case 'INPROCESS': return 'In process';
    case 'PICKED UP': return service === 'IRCTC' ? 'On the way to your train' : 'Out for delivery';
    case 'PICKED': return finishedText(service);
    case 'DELIVERED': return 'Delivered';
    case 'CANCELLED': return 'Cancelled';
    case 'FAILED': return 'Failed';
  }
}

export const STAGES: readonly Stage[] = ['CONFIRMED', 'PREP', 'BAKE', 'QC', 'READY'];

const STAGE_TEXT: Readonly<Record<Stage, string>> = {
  CONFIRMED: 'Confirmed by the store', PREP: 'Being made', BAKE: 'In the oven', QC: 'Quality check and boxing', READY: 'Ready at the counter',
};

export function stageText(stage: Stage, service: Service): string {
  if (stage === 'READY' && service === 'CURB') return 'Ready: tell us when you are at the curb';
  if (stage === 'READY' && service === 'DINEIN') return 'On its way to your table';
  return STAGE_TEXT[stage];
}

/** Times of an order's life (specification section 9, product.md 4.1). */
export const PENDING_MINUTES = 15;
export const RETRY_AFTER_MINUTES = 15;
export const DUPLICATE_WINDOW_MINUTES = 30;
export const REFUND_BUSINESS_DAYS = { from: 4, to: 10 } as const;

/** Epoch ms `days` business days after `at`; Saturdays and Sundays of UTC do not count. */
export function businessDaysAfter(at: number, days: number): number {
  const date = new Date(at);
  for (let left = days; left > 0;) {
    date.setUTCDate(date.getUTCDate() + 1);
    if (date.getUTCDay() % 6 !== 0) left -= 1;
  }
  return date.getTime();
}

/** Between which instants a refund started now arrives. */
export function refundWindow(at: number): { from: number; to: number } {
  return { from: businessDaysAfter(at, REFUND_BUSINESS_DAYS.from), to: businessDaysAfter(at, REFUND_BUSINESS_DAYS.to) };
}

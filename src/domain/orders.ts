import type { OrderStatus, ServiceCode } from '../contract/names.ts';
import type { DeliveryType } from './delivery.ts';
import { localTime, type Weekday } from './hours.ts';
import { DAY_MS } from './time.ts';

export type Service = DeliveryType | 'IRCTC';
export type ServiceLabel = 'DELIVERY' | 'TAKEAWAY' | 'IRCTC' | 'DINE-IN' | 'CURBSIDE PICKUP';
export type Stage = 'CONFIRMED' | 'PREP' | 'BAKE' | 'QC' | 'READY';
/** The actor that moves an order: a person or a part of the system. */
export type Actor = 'customer' | 'store' | 'system';

const LABELS: Readonly<Record<Service, ServiceLabel>> = {
  DELIVERY: 'DELIVERY',
  PICKUP: 'TAKEAWAY',
  CURB: 'CURBSIDE PICKUP',
  DINEIN: 'DINE-IN',
  IRCTC: 'IRCTC',
};

/** Label of the service, shown beside the status and not instead of it. */
export function serviceLabel(service: Service): ServiceLabel {
  return LABELS[service];
}

const CODES: Readonly<Record<Service, Exclude<ServiceCode, 'T'>>> = {
  DELIVERY: 'D',
  PICKUP: 'P',
  CURB: 'CURB',
  DINEIN: 'DINEIN',
  IRCTC: 'IRCTC',
};

/**
 * The service code of the specification, section 1. What is collected at the counter and paid there too is a counter
 * takeaway, `T`: the till has to take money; `P` is collected and paid already (product.md C02).
 */
export function serviceCode(service: Service, isPaidThere: boolean): ServiceCode {
  return service === 'PICKUP' && isPaidThere ? 'T' : CODES[service];
}

interface Move {
  readonly from: OrderStatus | null;
  readonly to: OrderStatus;
  readonly by: readonly Actor[];
  readonly services?: readonly Service[];
}

const BROUGHT: readonly Service[] = ['DELIVERY', 'IRCTC'];
const COLLECTED: readonly Service[] = ['PICKUP', 'CURB', 'DINEIN'];

/**
 * Allowed moves, as in the table of product.md 4.1; `from` null is a new order. The times of that table are in
 * server/rules/order.
 */
export const TRANSITIONS: readonly Move[] = [
  { from: null, to: 'PENDING', by: ['system'] },
  { from: null, to: 'ORDER PLACED', by: ['system'] },
  { from: null, to: 'ADVANCE ORDER', by: ['system'] },
  { from: 'PENDING', to: 'ORDER PLACED', by: ['system'] },
  // A paid order for a later slot waits as an advance order.
  { from: 'PENDING', to: 'ADVANCE ORDER', by: ['system'] },
  // The customer may give up an unpaid order.
  { from: 'PENDING', to: 'FAILED', by: ['system', 'customer'] },
  { from: 'ADVANCE ORDER', to: 'ORDER PLACED', by: ['system'] },
  { from: 'ADVANCE ORDER', to: 'CANCELLED', by: ['customer'] },
  // The train that it was for does not come.
  { from: 'ADVANCE ORDER', to: 'CANCELLED', by: ['system'], services: ['IRCTC'] },
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
  return TRANSITIONS.some(
    (move) =>
      move.from === from &&
      move.to === to &&
      move.by.includes(by) &&
      (move.services === undefined || move.services.includes(service)),
  );
}

/** Whether nothing leads out of a status: FAILED, CANCELLED, DELIVERED and PICKED. */
export function isFinal(status: OrderStatus): boolean {
  return !TRANSITIONS.some((move) => move.from === status);
}

/** Whether the order ended with food in somebody's hands. */
export const isHandedOver = (status: OrderStatus): boolean => status === 'DELIVERED' || status === 'PICKED';

/** Whether the order ended without food. */
export const isLost = (status: OrderStatus): boolean => status === 'CANCELLED' || status === 'FAILED';

const OF_A_TABLE = 'DINEIN';

/** The message for a status (specification section 4); it may differ by service. */
export type StatusNews = 'PENDING' | 'PLACED' | 'ADVANCE' | 'MAKING' | 'ON_WAY' | 'TO_TRAIN' | Finished;
type Finished = 'SERVED' | 'PICKED' | 'DELIVERED' | 'CANCELLED' | 'FAILED';

const NEWS: Readonly<Record<OrderStatus, StatusNews>> = {
  PENDING: 'PENDING',
  'ORDER PLACED': 'PLACED',
  'ADVANCE ORDER': 'ADVANCE',
  INPROCESS: 'MAKING',
  'PICKED UP': 'ON_WAY',
  PICKED: 'PICKED',
  DELIVERED: 'DELIVERED',
  CANCELLED: 'CANCELLED',
  FAILED: 'FAILED',
};

/** The message for a status of this service: an order at a table is SERVED, since nobody collects it. */
export function statusNews(status: OrderStatus, service: Service): StatusNews {
  if (status === 'PICKED' && service === OF_A_TABLE) return 'SERVED';
  return status === 'PICKED UP' && service === 'IRCTC' ? 'TO_TRAIN' : NEWS[status];
}

/** The message for a step of an order: for its stage if it has one, else for its status. */
export type StepNews = Stage | 'READY_CURB' | 'READY_BAY' | 'READY_TABLE' | Exclude<StatusNews, 'TO_TRAIN'>;

export function stepNews(
  status: OrderStatus,
  stage: Stage | null,
  service: Service,
  /** The customer has said "I am here". */ isHere = false,
): StepNews {
  if (stage === 'READY' && service === 'CURB') return isHere ? 'READY_BAY' : 'READY_CURB';
  if (stage === 'READY' && service === OF_A_TABLE) return 'READY_TABLE';
  const news = statusNews(status, service);
  return stage ?? (news === 'TO_TRAIN' ? 'ON_WAY' : news);
}

/** Times of an order (specification section 9, product.md 4.1). */
export const PENDING_MINUTES = 15;
export const RETRY_AFTER_MINUTES = 15;
export const DUPLICATE_WINDOW_MINUTES = 30;
/** Sentences of order.json and documents.json of each language say these numbers themselves: change them together (text/errors.test.ts). */
export const REFUND_BUSINESS_DAYS = { from: 4, to: 10 } as const;

/** Where a bank is, and on which of the days there it rests. */
export interface BankDays {
  /** IANA time zone name. */
  readonly timeZone: string;
  readonly weekend: readonly Weekday[];
}

/** The instant `days` business days after `at`, both epoch ms, by the days of the place where the bank is. */
export function businessDaysAfter(at: number, days: number, { timeZone, weekend }: BankDays): number {
  let date = at;
  for (let left = days; left > 0;) {
    date += DAY_MS;
    if (!weekend.includes(localTime(date, timeZone).weekday)) left -= 1;
  }
  return date;
}

/** When a refund started at `at` arrives: earliest and latest, epoch ms. */
export function refundWindow(at: number, bank: BankDays): { from: number; to: number } {
  const after = (days: number) => businessDaysAfter(at, days, bank);
  return { from: after(REFUND_BUSINESS_DAYS.from), to: after(REFUND_BUSINESS_DAYS.to) };
}

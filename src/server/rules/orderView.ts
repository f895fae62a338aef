import type { AddressInput } from '../../contract/addresses.ts';
import type { Bill, CartLine } from '../../contract/cart.ts';
import type { DeliveryType } from '../../contract/names.ts';
import type { Customer, OrderView, Vehicle } from '../../contract/orders.ts';
import type { PaymentStep, PaymentView } from '../../contract/payments.ts';
import { money } from '../../contract/price.ts';
import type { Store } from '../../contract/stores.ts';
import type * as z from 'zod/mini';
import { distanceKm } from '../../domain/geo.ts';
import { isFinal, RETRY_AFTER_MINUTES, serviceLabel } from '../../domain/orders.ts';
import type { Db } from '../store/db.ts';
import { creditsOf, eventsOf, type EventRow, type OrderRow } from '../store/orders.ts';
import { OPEN_STATES, paymentsOf, refundsOf, type PaymentRow, type RefundRow } from '../store/payments.ts';
import { etaOf } from './eta.ts';
import { cancelRule, lifeOf, serviceContent } from './orders.ts';
import type { OrderLife } from './settlement.ts';

/** What an order shows for ever, as it was when it was placed. */
export interface OrderSnapshot {
  readonly store: Store;
  readonly address: z.output<typeof AddressInput> | null;
  readonly vehicle: Vehicle | null;
  readonly table: string | null;
  readonly customer: z.output<typeof Customer>;
  readonly lines: readonly CartLine[];
  readonly bill: Bill;
  readonly coupons: readonly string[];
  readonly instructions: readonly string[];
  readonly note: string | null;
  readonly pizzas: number;
  readonly kitchen: { readonly maxOrdersPer10Min: number };
}

export function paymentView(payment: PaymentRow, orderIsOpen: boolean): PaymentView {
  const isOpen = OPEN_STATES.includes(payment.state);
  return {
    transactionId: payment.id, mode: payment.mode, label: payment.label, amount: money(payment.amount), state: payment.state,
    mayPayAgain: payment.state === 'FAILED' && orderIsOpen, settlesBy: isOpen ? payment.settle_by : null,
  };
}

/** What the page has to do for an attempt that is still open; null when there is nothing left to do. */
export function nextStep(payment: PaymentRow, now: number): PaymentStep | null {
  if (payment.step === null || !OPEN_STATES.includes(payment.state) || payment.state === 'UNKNOWN') return null;
  const step = JSON.parse(payment.step) as PaymentStep;
  return 'expiresAt' in step && step.expiresAt <= now ? null : step;
}

function stepsOf(order: OrderRow, events: readonly EventRow[]): OrderView['steps'] {
  const type = order.delivery_type as DeliveryType;
  const planned = order.life === null ? lifeOf(serviceContent(order.country).orderTimeline, type, 0, 0) : (JSON.parse(order.life) as OrderLife).steps;
  const doneAt = (status: string, stage: string | null) => events.find((event) => event.status === status && event.stage === stage)?.at ?? null;
  const steps = planned.map((step) => ({ id: step.id, label: step.label, at: order.life === null ? null : doneAt(step.status, step.stage) }));
  const last = steps.findLastIndex((step) => step.at !== null);
  const ended = isFinal(order.status);
  const shown = order.status === 'CANCELLED' || order.status === 'FAILED' ? steps.slice(0, last + 1) : steps;
  const list: OrderView['steps'] = shown.map((step, index) => ({
    ...step, state: index < last || (index === last && ended) ? 'done' : index === last ? 'current' : 'next',
  }));
  if (order.status === 'ADVANCE ORDER') list.unshift({ id: 'ADVANCE ORDER', label: 'Booked for later', at: doneAt('ADVANCE ORDER', null), state: 'current' });
  if (order.status === 'CANCELLED' || order.status === 'FAILED') {
    list.push({ id: order.status, label: order.status === 'FAILED' ? 'Not placed' : 'Cancelled', at: doneAt(order.status, null), state: 'done' });
  }
  return list;
}

export function riderTimes(order: OrderRow): { leftAt: number; arrivesAt: number } | null {
  if (order.status !== 'PICKED UP' || order.life === null) return null;
  const { steps } = JSON.parse(order.life) as OrderLife;
  const left = steps.find((step) => step.status === 'PICKED UP');
  const arrives = steps.find((step) => step.status === 'DELIVERED');
  return left === undefined || arrives === undefined ? null : { leftAt: left.at, arrivesAt: arrives.at };
}

function view(order: OrderRow, events: readonly EventRow[], payments: readonly PaymentRow[], refunds: readonly RefundRow[], credit: number | null, now: number): OrderView {
  const snapshot = JSON.parse(order.snapshot) as OrderSnapshot;
  const type = order.delivery_type as DeliveryType;
  // An attempt that paid is the payment; else the newest.
  const payment = payments.find((own) => own.state === 'CAPTURED' || own.state === 'REFUNDED') ?? payments.at(-1);
  if (payment === undefined) throw new Error(`order ${order.id} has no payment`);
  const life = order.life === null ? null : (JSON.parse(order.life) as OrderLife);
  const rider = riderTimes(order);
  const lead = lifeOf(serviceContent(order.country).orderTimeline, type, order.starts_at ?? 0, 0);
  const plan = life?.steps ?? (order.status === 'ADVANCE ORDER' ? lead : []);
  const ready = plan.find((step) => step.stage === 'READY');
  const endsAt = (ready ?? plan.at(-1))?.at ?? null;
  const rule = cancelRule({
    status: order.status, confirmedAt: order.confirmed_at, startsAt: order.starts_at,
    confirmsAt: life?.steps.find((step) => step.stage === 'CONFIRMED')?.at ?? null,
  }, now);
  const mayGiveUp = order.status === 'PENDING' && payment.state !== 'UNKNOWN';
  // Money of a second payment on its way back is shown too; the refund of the whole order counts first.
  const refund = refunds.find((own) => own.payment_id === payment.id) ?? refunds[0];
  return {
    orderId: order.id, orderNumber: order.number, orderType: type, serviceLabel: serviceLabel(type), orderStatus: order.status,
    ...(order.stage === null ? {} : { stage: order.stage }),
    transactionId: payment.id, transactionReferenceId: payment.reference, placedAt: order.submitted_at,
    ...(order.scheduled_for === null ? {} : { scheduledFor: order.scheduled_for }),
    store: snapshot.store, address: snapshot.address, vehicle: snapshot.vehicle, table: snapshot.table, customer: snapshot.customer,
    lines: [...snapshot.lines], bill: snapshot.bill,
    payment: paymentView(payment, order.status === 'PENDING'),
    steps: stepsOf(order, events),
    eta: endsAt === null ? null : etaOf({
      status: order.status, stage: order.stage, endsAt, startsAt: order.starts_at ?? now, delayMs: life?.delayMs ?? 0, isBrought: type === 'DELIVERY',
      distanceKm: snapshot.address === null ? null : distanceKm(snapshot.store, snapshot.address),
      progress: rider === null ? null : Math.min(1, Math.max(0, (now - rider.leftAt) / (rider.arrivesAt - rider.leftAt))),
    }, now),
    promise: order.promise_deadline === null ? null : {
      deadline: order.promise_deadline, state: (order.promise_state ?? 'running') as 'running' | 'kept' | 'missed', ...(credit === null ? {} : { credit: money(credit) }),
    },
    cancel: mayGiveUp ? { possible: true, until: null, rule: 'Nothing was paid: you can give this order up.' } : rule,
    ...(order.hand_over_code === null || order.status === 'PENDING' || order.status === 'FAILED' || order.status === 'CANCELLED' ? {} : { handOverCode: order.hand_over_code }),
    ...(order.status === 'FAILED' && order.finished_at !== null ? { retryAt: order.finished_at + RETRY_AFTER_MINUTES * 60_000 } : {}),
    refund: refund === undefined ? null : { amount: money(refund.amount), state: refund.state, expectedFrom: refund.expected_from, expectedTo: refund.expected_to },
  };
}

/** Orders as their owner sees them; the caller has checked whose they are. */
export async function viewsOf(db: Db, orders: readonly OrderRow[], now: number): Promise<OrderView[]> {
  const ids = orders.map((order) => order.id);
  // One after the other: SQLite has one connection, and inside a transaction there is only one anyway.
  const events = await eventsOf(db, ids);
  const payments = await paymentsOf(db, ids);
  const refunds = await refundsOf(db, ids);
  const credits = await creditsOf(db, ids);
  return orders.map((order) => view(
    order, events.filter((row) => row.order_id === order.id), payments.filter((row) => row.order_id === order.id),
    refunds.filter((row) => row.order_id === order.id), credits.find((row) => row.order_id === order.id)?.amount ?? null, now,
  ));
}

export async function viewOf(db: Db, order: OrderRow, now: number): Promise<OrderView> {
  return (await viewsOf(db, [order], now))[0]!;
}

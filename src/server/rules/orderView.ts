import type { AddressInput } from '../../contract/addresses.ts';
import type { Bill, CartLine } from '../../contract/cart.ts';
import type { DeliveryType } from '../../contract/names.ts';
import type { GroupShares } from '../../contract/shares.ts';
import type { Customer, OrderView, Vehicle } from '../../contract/orders.ts';
import type { PaymentStep, PaymentView } from '../../contract/payments.ts';
import { money } from '../../contract/price.ts';
import type { Store } from '../../contract/stores.ts';
import type * as z from 'zod/mini';
import { distanceKm } from '../../domain/geo.ts';
import { BULK_ORDER, LATER_ORDER } from '../../domain/messages.ts';
import { isFinal, RETRY_AFTER_MINUTES, serviceLabel } from '../../domain/orders.ts';
import { countryConfig } from '../../../country/index.ts';
import type { Db } from '../store/db.ts';
import { creditsOf, eventsOf, type EventRow, type OrderRow, type OrderTables } from '../store/orders.ts';
import { noteCounts } from '../store/tracking.ts';
import { GIVEN_UP, OPEN_STATES, paymentsOf, refundsOf, type PaymentRow, type RefundRow } from '../store/payments.ts';
import type { TakenCart } from './cartReturn.ts';
import { etaOf } from './eta.ts';
import { cancelRule, lifeOf, serviceContent, serviceOf, type LifeStep } from './orders.ts';
import { partsOf, type Part } from './funds.ts';
import { riderOf } from './riders.ts';
import { PROMISE_REASON, type OrderLife } from './settlement.ts';
import { lengthOf, pathOf } from './way.ts';

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
  readonly kitchen: { readonly maxOrdersPer10Min: number; readonly prepMinutes?: number; readonly minutesPerKm?: number };
  readonly group?: GroupShares;
  /** What goes back into the cart if the order comes to nothing. */
  readonly cart?: TakenCart | undefined;
}

/** Messages to the rider of one order. */
export const RIDER_NOTES = 5;

export function paymentView(payment: PaymentRow, orderIsOpen: boolean): PaymentView {
  const isOpen = OPEN_STATES.includes(payment.state);
  return {
    transactionId: payment.id, mode: payment.mode, label: payment.label, amount: money(payment.amount), state: payment.state,
    mayPayAgain: payment.state === 'FAILED' && orderIsOpen, settlesBy: isOpen ? payment.settle_by : null,
    isGivenUp: payment.state === 'FAILED' && payment.code === GIVEN_UP,
  };
}

/** What the customer's page has to do; a payment through a link is somebody else's to make, and the customer's to wait for. */
export function nextStep(payment: PaymentRow, now: number): PaymentStep | null {
  const step = stepOf(payment, now);
  // A payer whose bank said no may try again: the link is open as long as the order can be paid.
  const isOpen = step !== null || payment.state === 'FAILED' && payment.code !== GIVEN_UP && payment.settle_by > now;
  return payment.link === null || !isOpen ? step : { kind: 'link', transactionId: payment.id, token: payment.link, expiresAt: payment.settle_by };
}

/** What is to be done for an attempt that is still open; null when there is nothing left to do. */
export function stepOf(payment: PaymentRow, now: number): PaymentStep | null {
  if (payment.step === null || !OPEN_STATES.includes(payment.state) || payment.state === 'UNKNOWN') return null;
  const step = JSON.parse(payment.step) as PaymentStep;
  return 'expiresAt' in step && step.expiresAt <= now ? null : step;
}

const doneAt = (events: readonly EventRow[], status: string, stage: string | null) => events.find((event) => event.status === status && event.stage === stage)?.at ?? null;

function stepsOf(order: OrderRow, planned: readonly LifeStep[], events: readonly EventRow[]): OrderView['steps'] {
  const steps = planned.map((step) => ({ id: step.id, label: step.label, at: order.life === null ? null : doneAt(events, step.status, step.stage) }));
  const last = steps.findLastIndex((step) => step.at !== null);
  const ended = isFinal(order.status);
  const shown = order.status === 'CANCELLED' || order.status === 'FAILED' ? steps.slice(0, last + 1) : steps;
  const list: OrderView['steps'] = shown.map((step, index) => ({
    ...step, state: index < last || (index === last && ended) ? 'done' : index === last ? 'current' : 'next',
  }));
  if (order.status === 'ADVANCE ORDER') list.unshift({ id: 'ADVANCE ORDER', label: 'Booked for later', at: doneAt(events, 'ADVANCE ORDER', null), state: 'current' });
  if (order.status === 'CANCELLED' || order.status === 'FAILED') {
    list.push({ id: order.status, label: order.status === 'FAILED' ? 'Not placed' : 'Cancelled', at: doneAt(events, order.status, null), state: 'done' });
  }
  return list;
}

export interface RiderTimes { readonly leftAt: number; readonly arrivesAt: number; /** What the way usually takes. */ readonly usualMs: number }

export function riderTimes(order: OrderRow): RiderTimes | null {
  if (order.status !== 'PICKED UP' || order.life === null) return null;
  const { steps } = JSON.parse(order.life) as OrderLife;
  const left = steps.find((step) => step.status === 'PICKED UP');
  const arrives = steps.find((step) => step.status === 'DELIVERED');
  return left === undefined || arrives === undefined ? null : { leftAt: left.at, arrivesAt: arrives.at, usualMs: arrives.usualMs };
}

/** How much of the way lies behind the rider, 0 to 1. */
export function progressOf({ leftAt, arrivesAt }: RiderTimes, now: number): number {
  return Math.min(1, Math.max(0, (now - leftAt) / Math.max(1, arrivesAt - leftAt)));
}

interface Money { readonly payments: readonly PaymentRow[]; readonly refunds: readonly RefundRow[]; readonly credit: OrderTables['promise_credits'] | undefined; readonly parts: readonly Part[] }

function promiseView(order: OrderRow, { refunds, credit }: Money): OrderView['promise'] {
  if (order.promise_deadline === null) return null;
  const refund = refunds.find((own) => own.reason === PROMISE_REASON);
  return {
    deadline: order.promise_deadline, state: (order.promise_state ?? 'running') as 'running' | 'kept' | 'missed',
    ...(credit === undefined ? {} : { credit: money(credit.amount) }),
    ...(credit?.way === 'DOOR' || credit?.way === 'WALLET' ? { paid: { way: credit.way } } : {}),
    ...(refund === undefined ? {} : { paid: { way: 'REFUND' as const, state: refund.state, expectedFrom: refund.expected_from, expectedTo: refund.expected_to } }),
  };
}

/** A delivery without a promise says why. */
function noPromise(order: OrderRow, { pizzas }: OrderSnapshot): string | null {
  if (order.delivery_type !== 'DELIVERY' || order.promise_deadline !== null || isFinal(order.status)) return null;
  if (pizzas >= countryConfig(order.country).guarantee.bulkFromPizzas) return BULK_ORDER;
  return order.scheduled_for === null ? null : LATER_ORDER;
}

/** The rider can be reached while there is something to say: from leaving the store to the door. */
function riderView(order: OrderRow, notes: number): OrderView['rider'] {
  if (order.status !== 'PICKED UP') return null;
  return { name: riderOf(order.id, order.country), phone: `${countryConfig(order.country).HELP_DESK_NO},${order.number}`, notesLeft: Math.max(0, RIDER_NOTES - notes) };
}

function view(order: OrderRow, events: readonly EventRow[], own: Money, notes: number, now: number): OrderView {
  const { payments } = own;
  // What a missed promise paid is told with the promise.
  const refunds = own.refunds.filter((refund) => refund.reason !== PROMISE_REASON);
  const snapshot = JSON.parse(order.snapshot) as OrderSnapshot;
  const service = serviceOf(order);
  // A train order is brought, to a seat.
  const type: DeliveryType = service === 'IRCTC' ? 'DELIVERY' : service;
  // An attempt that paid is the payment; else the newest.
  const payment = payments.find((one) => one.state === 'CAPTURED' || one.state === 'REFUNDED') ?? payments.at(-1);
  if (payment === undefined) throw new Error(`order ${order.id} has no payment`);
  const life = order.life === null ? null : (JSON.parse(order.life) as OrderLife);
  const rider = riderTimes(order);
  const plan = life?.steps ?? lifeOf(serviceContent(order.country).orderTimeline, service, order.starts_at ?? 0, { delayMs: 0 });
  const rule = cancelRule({
    status: order.status, confirmedAt: order.confirmed_at, startsAt: order.starts_at,
    confirmsAt: life?.steps.find((step) => step.stage === 'CONFIRMED')?.at ?? null,
  }, now);
  const isGivenUp = events.some((event) => event.status === 'FAILED' && event.actor === 'customer');
  const mayGiveUp = order.status === 'PENDING' && payment.state !== 'UNKNOWN';
  // Money of a second payment on its way back is shown too; the refund of the whole order counts first.
  const reason = noPromise(order, snapshot);
  const labels = serviceContent(order.country).deliveryInstructions;
  const refund = refunds.find((one) => one.payment_id === payment.id) ?? refunds[0];
  return {
    orderId: order.id, orderNumber: order.number, orderType: type, serviceLabel: serviceLabel(service), orderStatus: order.status,
    ...(order.stage === null ? {} : { stage: order.stage }),
    transactionId: payment.id, transactionReferenceId: payment.reference, placedAt: order.submitted_at,
    ...(order.scheduled_for === null ? {} : { scheduledFor: order.scheduled_for }),
    store: snapshot.store, address: snapshot.address, vehicle: snapshot.vehicle, table: snapshot.table, customer: snapshot.customer,
    lines: [...snapshot.lines], bill: snapshot.bill,
    payment: paymentView(payment, order.status === 'PENDING'),
    ...(own.parts.length === 0 ? {} : { parts: own.parts.map(({ accountId: _, ...part }) => part) }),
    steps: stepsOf(order, plan, events),
    eta: life === null && order.status !== 'ADVANCE ORDER' ? null : etaOf({
      status: order.status, stage: order.stage, steps: plan, doneAt: plan.map((step) => doneAt(events, step.status, step.stage)), startsAt: order.starts_at ?? now,
      delayMs: life?.delayMs ?? 0, isBrought: type === 'DELIVERY', first: life?.first ?? null,
      // On the road it is the way that counts.
      distanceKm: snapshot.address === null ? null : rider === null ? distanceKm(snapshot.store, snapshot.address) : lengthOf(pathOf(order.id, snapshot.store, snapshot.address)),
      progress: rider === null ? null : progressOf(rider, now),
    }, now),
    promise: promiseView(order, own),
    ...(reason === null ? {} : { noPromise: reason }),
    instructions: snapshot.instructions.flatMap((id) => labels.find((one) => one.id === id)?.label ?? []), note: snapshot.note,
    rider: riderView(order, notes),
    arrival: order.arrived_at === null ? null : { at: order.arrived_at, bay: order.bay },
    cancel: mayGiveUp ? { possible: true, until: null, rule: 'Nothing was paid: you can give this order up.' } : rule,
    ...(order.hand_over_code === null || order.status === 'PENDING' || order.status === 'FAILED' || order.status === 'CANCELLED' ? {} : { handOverCode: order.hand_over_code }),
    ...(snapshot.group === undefined ? {} : { group: snapshot.group }),
    // Whoever gave it up may order again at once.
    ...(order.status === 'FAILED' && order.finished_at !== null && !isGivenUp ? { retryAt: order.finished_at + RETRY_AFTER_MINUTES * 60_000 } : {}),
    refund: refund === undefined ? null : {
      amount: money(refund.amount), state: refund.state, startedAt: refund.created_at, expectedFrom: refund.expected_from, expectedTo: refund.expected_to, paidAt: refund.paid_at,
    },
  };
}

/** Orders as their owner sees them; the caller has checked whose they are. */
export async function viewsOf(db: Db, orders: readonly OrderRow[], now: number): Promise<OrderView[]> {
  const ids = orders.map((order) => order.id);
  // One after the other: SQLite has one connection, and inside a transaction there is only one anyway.
  const events = await eventsOf(db, ids);
  const payments = await paymentsOf(db, ids);
  const refunds = await refundsOf(db, ids);
  const finished = orders.filter((order) => order.promise_state === 'missed').map((order) => order.id);
  const credits = await creditsOf(db, finished);
  const parts = await partsOf(db, ids);
  const notes = await noteCounts(db, orders.filter((order) => order.status === 'PICKED UP').map((order) => order.id));
  return orders.map((order) => view(order, events.filter((row) => row.order_id === order.id), {
    payments: payments.filter((row) => row.order_id === order.id), refunds: refunds.filter((row) => row.order_id === order.id),
    credit: credits.find((row) => row.order_id === order.id), parts: parts.get(order.id) ?? [],
  }, notes.get(order.id) ?? 0, now));
}

export async function viewOf(db: Db, order: OrderRow, now: number): Promise<OrderView> {
  return (await viewsOf(db, [order], now))[0]!;
}

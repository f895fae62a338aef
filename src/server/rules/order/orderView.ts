import type { DeliveryType, OrderStatus } from '../../../contract/names.ts';
import type { OrderView } from '../../../contract/orders.ts';
import type { PaymentStep, PaymentView } from '../../../contract/payments.ts';
import { money } from '../../../contract/price.ts';
import { shownKm } from '../../../domain/geo.ts';
import { quoted } from '../../../domain/plainText.ts';
import { assistants, errors, orders, t } from '../../call/language.ts';
import { isBulk } from '../../../domain/cart.ts';
import {
  isFinal,
  isLost,
  RETRY_AFTER_MINUTES,
  serviceCode,
  serviceLabel,
  stepNews,
  type Stage,
} from '../../../domain/orders.ts';
import { MINUTE_MS } from '../../../domain/time.ts';
import { countryConfig } from '../../../../country/index.ts';
import type { Db, Tables } from '../../store/db.ts';
import {
  creditsOf,
  eventsOf,
  orderById,
  type EventRow,
  type OrderLife,
  type OrderRow,
  type LifeStep,
  snapshotOf,
  plannedLife,
} from '../../store/orders.ts';
import { ticketsOfOrders, type TicketRow } from '../../store/help.ts';
import { noteCounts } from '../../store/tracking.ts';
import { newsOf, trainsOfOrders, type TrainNews, type TrainRow } from '../../store/trains.ts';
import {
  GIVEN_UP,
  OPEN_STATES,
  paymentsOf,
  refundsOf,
  type PaymentRow,
  type RefundRow,
  UNTOLD,
} from '../../store/payments.ts';
import { etaOf } from './eta.ts';
import { cancelRule, lifeOf, riderInstructions, serviceContent, serviceOf } from './orders.ts';
import { partsOf, type Part } from '../payment/funds.ts';
import { sharesNow } from './shares.ts';
import { riderOf } from './riders.ts';
import { payersLabel } from '../payment/payer.ts';
import { HELP_REASON } from '../payment/refunds.ts';
import { PROMISE_REASON } from './promise.ts';
import { trainCancelRule, trainView } from './trainView.ts';
import { lengthOf, pathOf } from './simulatedRoute.ts';
import type { OrderSnapshot } from '../../store/orders.ts';

/** How many messages a customer may send to the rider of one order. */
export const RIDER_NOTES = 5;

export function paymentView(payment: PaymentRow, orderIsOpen: boolean): PaymentView {
  const isOpen = OPEN_STATES.includes(payment.state);
  return {
    transactionId: payment.id,
    mode: payment.mode,
    label: payersLabel(payment),
    amount: money(payment.amount),
    state: payment.state,
    startedAt: payment.created_at,
    mayPayAgain: payment.state === 'FAILED' && orderIsOpen,
    settlesBy: isOpen ? payment.settle_by : null,
    isGivenUp: payment.state === 'FAILED' && (payment.code === GIVEN_UP || payment.code === UNTOLD),
  };
}

/**
 * What the customer's page has to do next. A payment through a link is made by somebody else, and the customer waits
 * for it.
 */
export function nextStep(payment: PaymentRow, now: number): PaymentStep | null {
  const step = stepOf(payment, now);
  // A payer whose bank refused may try again: the link works as long as the order can be paid.
  const isOpen = step !== null || (payment.state === 'FAILED' && payment.code !== GIVEN_UP && payment.settle_by > now);
  return payment.link === null || !isOpen
    ? step
    : { kind: 'link', transactionId: payment.id, token: payment.link, expiresAt: payment.settle_by };
}

/** What has to be done for an attempt that is still open; null when nothing is left to do. */
export function stepOf(payment: PaymentRow, now: number): PaymentStep | null {
  if (payment.step === null || !OPEN_STATES.includes(payment.state) || payment.state === 'UNKNOWN') return null;
  const step = JSON.parse(payment.step) as PaymentStep;
  return 'expiresAt' in step && step.expiresAt <= now ? null : step;
}

const doneAt = (events: readonly EventRow[], status: string, stage: string | null) =>
  events.find((event) => event.status === status && event.stage === stage)?.at ?? null;

function stepsOf({ order, snapshot, events }: Whole, planned: readonly LifeStep[]): OrderView['steps'] {
  const label = (status: OrderStatus, stage: Stage | null = null) =>
    orders.step({ news: stepNews(status, stage, serviceOf(order), order.arrived_at !== null) });
  const steps = planned.map((step) => ({
    id: step.id,
    label: label(step.status, step.stage),
    at: doneAt(events, step.status, step.stage),
  }));
  const { assistant } = snapshot;
  // The first step says who has ordered: the order's page, its history and whoever it is shared with read it there.
  if (assistant !== undefined && steps[0] !== undefined)
    steps[0].label = assistants.orderedBy({ step: steps[0].label, name: quoted(assistant) });
  const last = steps.findLastIndex((step) => step.at !== null);
  const ended = isFinal(order.status);
  const shown = order.status === 'CANCELLED' || order.status === 'FAILED' ? steps.slice(0, last + 1) : steps;
  const list: OrderView['steps'] = shown.map((step, index) => ({
    ...step,
    state: index < last || ended ? 'done' : index === last ? 'current' : 'next',
  }));
  if (order.status === 'ADVANCE ORDER')
    list.unshift({
      id: 'ADVANCE ORDER',
      label: label(order.status),
      at: doneAt(events, 'ADVANCE ORDER', null),
      state: 'current',
    });
  if (order.status === 'CANCELLED' || order.status === 'FAILED') {
    list.push({
      id: order.status,
      label: label(order.status),
      at: doneAt(events, order.status, null),
      state: 'done',
    });
  }
  return list;
}

export interface RiderTimes {
  readonly leftAt: number;
  readonly arrivesAt: number;
  /** How long the way usually takes, in ms. */ readonly usualMs: number;
}

export function riderTimes(order: OrderRow): RiderTimes | null {
  const life = plannedLife(order);
  if (order.status !== 'PICKED UP' || life === null) return null;
  const { steps } = life;
  const left = steps.find((step) => step.status === 'PICKED UP');
  const arrives = steps.find((step) => step.status === 'DELIVERED');
  return left === undefined || arrives === undefined
    ? null
    : { leftAt: left.at, arrivesAt: arrives.at, usualMs: arrives.usualMs };
}

/** How much of the way the rider has covered, 0 to 1. */
export function progressOf({ leftAt, arrivesAt }: RiderTimes, now: number): number {
  return Math.min(1, Math.max(0, (now - leftAt) / Math.max(1, arrivesAt - leftAt)));
}

interface Money {
  readonly payments: readonly PaymentRow[];
  readonly refunds: readonly RefundRow[];
  readonly credit: Tables['promise_credits'] | undefined;
  readonly parts: readonly Part[];
  /** Of a group's order: what the help gave back changes what everybody owes. */
  readonly tickets: readonly TicketRow[];
}

function promiseView(order: OrderRow, { refunds, credit }: Money): OrderView['promise'] {
  if (order.promise_deadline === null) return null;
  const refund = refunds.find((own) => own.reason === PROMISE_REASON);
  return {
    deadline: order.promise_deadline,
    state: order.promise_state as 'running' | 'kept' | 'missed',
    ...(credit === undefined ? {} : { credit: money(credit.amount) }),
    ...(credit?.way === 'DOOR' || credit?.way === 'WALLET' ? { paid: { way: credit.way } } : {}),
    ...(refund === undefined
      ? {}
      : {
          paid: {
            way: 'REFUND' as const,
            state: refund.state,
            expectedFrom: refund.expected_from,
            expectedTo: refund.expected_to,
          },
        }),
  };
}

/** Why a delivery has no promise; null if it has one, is finished, or is not a delivery. */
function noPromise(order: OrderRow, { pizzas }: OrderSnapshot): string | null {
  if (order.delivery_type !== 'DELIVERY' || order.promise_deadline !== null || isFinal(order.status)) return null;
  if (isBulk(pizzas, countryConfig(order.country))) return errors.bulkOrder;
  return order.scheduled_for === null ? null : t.laterOrder;
}

/** The rider can be reached only from leaving the store until the door. */
function riderView(order: OrderRow, notes: number): OrderView['rider'] {
  if (order.status !== 'PICKED UP') return null;
  return {
    name: riderOf(order.id, order.country),
    phone: `${countryConfig(order.country).HELP_DESK_NO},${order.number}`,
    notesLeft: Math.max(0, RIDER_NOTES - notes),
  };
}

/** An order with everything that its view is made of. */
interface Whole {
  readonly order: OrderRow;
  readonly snapshot: OrderSnapshot;
  /** Null before the order starts. */ readonly life: OrderLife | null;
  readonly events: readonly EventRow[];
  readonly own: Money;
  /** How many messages the rider has had. */ readonly notes: number;
  /** An order to a train, and what was told of it. */
  readonly train: { readonly row: TrainRow; readonly news: readonly TrainNews[] } | null;
  readonly now: number;
}

/** The newest attempt: if any has paid, it is this one, since there is none after it. */
const paymentOf = ({ payments }: Money): PaymentRow => payments.at(-1)!;

/**
 * The planned steps; before the order has started, the steps it would have if it started at its planned time. Of one
 * that is not paid only their order counts.
 */
function planOf({ order, life }: Whole): readonly LifeStep[] {
  const { orderTimeline } = serviceContent(order.country);
  return life?.steps ?? lifeOf(orderTimeline, serviceOf(order), Number(order.starts_at), { delayMs: 0 });
}

/** The length in km of the way to the customer; null when nothing is delivered. */
function distanceOf({ order, snapshot: { store, address } }: Whole): number | null {
  return address === null ? null : lengthOf(pathOf(order.id, store, address));
}

function etaView(whole: Whole, plan: readonly LifeStep[]): OrderView['eta'] {
  const { order, life, events, now, train } = whole;
  // Not the kitchen but the train decides.
  if (train !== null)
    return isFinal(order.status) || order.status === 'PENDING'
      ? null
      : { from: train.row.arrives_at, to: train.row.departs_at, rate: 1, reason: '' };
  const rider = riderTimes(order);
  return etaOf(
    {
      status: order.status,
      stage: order.stage,
      steps: plan,
      doneAt: plan.map((step) => doneAt(events, step.status, step.stage)),
      startsAt: order.starts_at!,
      delayMs: life?.delayMs ?? 0,
      first: life?.first ?? null,
      distanceKm: distanceOf(whole),
      progress: rider === null ? null : progressOf(rider, now),
    },
    now,
  );
}

/** What the line from the store to the door shows; the time is what the way usually takes, not the simulated arrival. */
function wayView(whole: Whole, plan: readonly LifeStep[]): OrderView['way'] {
  const { order, now } = whole;
  const rider = riderTimes(order);
  const km = distanceOf(whole);
  if (km === null || order.status === 'PENDING' || isFinal(order.status)) return null;
  const progress = rider === null ? null : progressOf(rider, now);
  const { usualMs } = plan.find((step) => step.status === 'DELIVERED')!;
  const left = 1 - (progress ?? 0);
  return { km: shownKm(km * left), minutes: Math.max(1, Math.round((usualMs * left) / MINUTE_MS)), progress };
}

function cancelView({ order, life, now, train }: Whole, payment: PaymentRow): OrderView['cancel'] {
  if (train !== null && order.status !== 'PENDING') return trainCancelRule(train.row, order, now);
  if (order.status === 'PENDING' && payment.state !== 'UNKNOWN')
    return { possible: true, until: null, rule: t.cancelUnpaid };
  return cancelRule(
    {
      status: order.status,
      confirmedAt: order.confirmed_at,
      startsAt: order.starts_at,
      confirmsAt: life?.steps.find((step) => step.stage === 'CONFIRMED')?.at ?? null,
    },
    now,
  );
}

/**
 * The code to say at the counter or the door; left out while the order is unpaid, and when it has failed or was
 * cancelled.
 */
function handOverCode({ status, hand_over_code: code }: OrderRow): Pick<OrderView, 'handOverCode'> {
  if (code === null || status === 'PENDING' || status === 'FAILED' || status === 'CANCELLED') return {};
  return { handOverCode: code };
}

/**
 * When to try again after a payment that failed. Left out if the customer gave the order up: that customer may order
 * again at once.
 */
function retryAt(order: OrderRow, events: readonly EventRow[]): Pick<OrderView, 'retryAt'> {
  const isGivenUp = events.some((event) => event.status === 'FAILED' && event.actor === 'customer');
  if (order.status !== 'FAILED' || isGivenUp) return {};
  return { retryAt: order.finished_at! + RETRY_AFTER_MINUTES * MINUTE_MS };
}

/**
 * The refund to show. A refund of the payment that counts comes first; otherwise one of another attempt, such as a
 * second payment.
 */
function refundView({ refunds }: Money, payment: PaymentRow): OrderView['refund'] {
  // What a missed promise paid is shown with the promise, and what the help gave back with its tickets.
  const own = refunds.filter(({ reason }) => reason !== PROMISE_REASON && reason !== HELP_REASON);
  const refund = own.find((one) => one.payment_id === payment.id) ?? own[0];
  if (refund === undefined) return null;
  return {
    amount: money(refund.amount),
    state: refund.state,
    startedAt: refund.created_at,
    expectedFrom: refund.expected_from,
    expectedTo: refund.expected_to,
    paidAt: refund.paid_at,
  };
}

/** How an order is brought; one to a train is a delivery too, to a seat. */
export function typeOf(order: OrderRow): DeliveryType {
  const service = serviceOf(order);
  return service === 'IRCTC' ? 'DELIVERY' : service;
}

/** The train of an order, with the steps of the kitchen between its stops. */
function trainOf(whole: Whole, plan: readonly LifeStep[]): Pick<OrderView, 'train'> {
  const { order, own, train, now } = whole;
  if (train === null) return {};
  // Nobody knows when the kitchen begins before it is paid.
  const shown = order.status === 'PENDING' ? [] : stepsOf(whole, plan);
  const kitchen = shown.map((step) => {
    const expected = plan.find(({ id }) => id === step.id)?.at ?? null;
    const isLast = step.id === 'DELIVERED';
    return { ...step, expectedAt: step.at !== null ? null : isLast ? train.row.arrives_at + 1 : expected };
  });
  const { mode } = paymentOf(own);
  return { train: trainView(train.row, order, { news: train.news, kitchen, mode, now }) };
}

function view(whole: Whole): OrderView {
  const { order, snapshot, events, own, notes } = whole;
  const service = serviceOf(order);
  const type = typeOf(order);
  const payment = paymentOf(own);
  const plan = planOf(whole);
  const reason = noPromise(order, snapshot);
  const labels = riderInstructions(order.country);
  return {
    orderId: order.id,
    orderNumber: order.number,
    orderType: type,
    serviceCode: serviceCode(service, payment.mode === 'COD'),
    serviceLabel: serviceLabel(service),
    orderStatus: order.status,
    ...(order.stage === null ? {} : { stage: order.stage }),
    transactionId: payment.id,
    transactionReferenceId: payment.reference,
    placedAt: order.submitted_at,
    ...(order.scheduled_for === null ? {} : { scheduledFor: order.scheduled_for }),
    store: snapshot.store,
    address: snapshot.address,
    vehicle: snapshot.vehicle,
    table: snapshot.table,
    customer: snapshot.customer,
    lines: [...snapshot.lines],
    bill: snapshot.bill,
    payment: paymentView(payment, order.status === 'PENDING'),
    ...(own.parts.length === 0 ? {} : { parts: own.parts.map(({ accountId: _, isLost: _lost, ...part }) => part) }),
    steps: stepsOf(whole, plan),
    eta: etaView(whole, plan),
    way: wayView(whole, plan),
    promise: promiseView(order, own),
    ...(reason === null ? {} : { noPromise: reason }),
    instructions: snapshot.instructions.flatMap((id) => labels.find((one) => one.id === id)?.label ?? []),
    note: snapshot.note,
    ...(order.cutlery === 1 ? { cutlery: true } : {}),
    ...(snapshot.termsVersion === undefined ? {} : { termsVersion: snapshot.termsVersion }),
    rider: riderView(order, notes),
    arrival: order.arrived_at === null ? null : { at: order.arrived_at, bay: order.bay },
    cancel: cancelView(whole, payment),
    ...handOverCode(order),
    ...trainOf(whole, plan),
    // Nobody owes a share of what was not to be paid, or goes back.
    ...(snapshot.group === undefined || isLost(order.status)
      ? {}
      : { group: sharesNow(order, own.credit, own.tickets)! }),
    ...retryAt(order, events),
    refund: refundView(own, payment),
  };
}

/** The orders as their owner sees them. The caller has checked whose they are. */
export async function viewsOf(db: Db, orders: readonly OrderRow[], now: number): Promise<OrderView[]> {
  const ids = orders.map((order) => order.id);
  // One query after the other: SQLite has one connection, and so has every transaction.
  const events = await eventsOf(db, ids);
  const payments = await paymentsOf(db, ids);
  const refunds = await refundsOf(db, ids);
  const finished = orders.filter((order) => order.promise_state === 'missed').map((order) => order.id);
  const credits = await creditsOf(db, finished);
  const parts = await partsOf(db, ids);
  const tickets = await ticketsOfOrders(
    db,
    orders.filter((order) => snapshotOf(order).group !== undefined).map((order) => order.id),
  );
  const notes = await noteCounts(
    db,
    orders.filter((order) => order.status === 'PICKED UP').map((order) => order.id),
  );
  const rows = await trainsOfOrders(
    db,
    orders.filter((order) => order.delivery_type === 'IRCTC').map((order) => order.id),
  );
  const news = await newsOf(
    db,
    rows.map((row) => row.id),
  );
  const trainFor = (order: OrderRow): Whole['train'] => {
    const row = rows.find((one) => one.order_id === order.id);
    return row === undefined ? null : { row, news: news.filter((one) => one.train_id === row.id) };
  };
  return orders.map((order) =>
    view({
      order,
      snapshot: snapshotOf(order),
      life: plannedLife(order),
      events: events.filter((row) => row.order_id === order.id),
      own: {
        payments: payments.filter((row) => row.order_id === order.id),
        refunds: refunds.filter((row) => row.order_id === order.id),
        credit: credits.find((row) => row.order_id === order.id),
        parts: parts.get(order.id) ?? [],
        tickets,
      },
      notes: notes.get(order.id) ?? 0,
      train: trainFor(order),
      now,
    }),
  );
}

export async function viewOf(db: Db, order: OrderRow, now: number): Promise<OrderView> {
  return (await viewsOf(db, [order], now))[0]!;
}

/**
 * An order that was just submitted, from what was written of it: nobody else can know of it. Neither one that balances paid
 * a part of, nor one to a train.
 */
export const viewOfNew = ({ order, snapshot, events, payment }: NewOrder, now: number): OrderView =>
  view({
    order,
    snapshot,
    life: plannedLife(order),
    events,
    own: { payments: [payment], refunds: [], credit: undefined, parts: [], tickets: [] },
    notes: 0,
    train: null,
    now,
  });
export interface NewOrder {
  readonly order: OrderRow;
  readonly snapshot: OrderSnapshot;
  readonly events: readonly EventRow[];
  readonly payment: PaymentRow;
}

/** An order as it is now. @throws Error when it is gone */
export async function viewNow(call: { readonly db: Db; readonly now: number }, orderId: string): Promise<OrderView> {
  const order = await orderById(call.db, orderId);
  if (order === undefined) throw new Error(`order ${orderId} is gone`);
  return await viewOf(call.db, order, call.now);
}

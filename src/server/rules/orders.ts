import type { OrderStatus } from '../../contract/names.ts';
import { money, type Money } from '../../contract/price.ts';
import { finishedText, isFinal, stageText, TRANSITIONS, type Service, type Stage } from '../../domain/orders.ts';
import { promiseCredit, promiseDeadline } from '../../domain/promise.ts';
import type { Country } from '../../../country/shape.ts';
import { SIGMA } from './pace.ts';
import { readSeeds } from './seeds.ts';

/** One step of an order's life with its time, frozen when the order starts. */
export interface LifeStep {
  readonly id: string;
  readonly label: string;
  readonly status: OrderStatus;
  readonly stage: string | null;
  /** Epoch ms. */
  readonly at: number;
  /** How long it usually takes to get here from the step before, in ms: all that an estimate may know of a step ahead. */
  readonly usualMs: number;
}

interface TimelineEntry { state: string; stage?: string; label: string; afterSec: number; services?: string[] }
export interface ServiceContent {
  readonly orderTimeline: readonly TimelineEntry[];
  readonly deliveryInstructions: readonly { id: string; label: string }[];
}

const contents = new Map<string, ServiceContent>();
/** Timeline and instructions of a country, from its seed. */
export function serviceContent(country: string): ServiceContent {
  let content = contents.get(country);
  if (content === undefined) {
    content = readSeeds(country).content as unknown as ServiceContent;
    contents.set(country, content);
  }
  return content;
}

/** What makes one order's life differ from the country's timeline. */
export interface Pace {
  /** What a full kitchen adds before it begins. */
  readonly delayMs: number;
  /** Kitchen and way of this order; absent: the timeline to the second. */
  readonly own?: { readonly kitchenMs: number; readonly wayMs: number; readonly draw: (step: number) => number };
}

/**
 * The steps of an order of this service that starts at `startsAt`. The store's confirmation is a stage of ORDER PLACED:
 * so the customer's 60 seconds after it lie in a status the customer may cancel (product.md 4.1).
 */
export function lifeOf(timeline: readonly TimelineEntry[], service: Service, startsAt: number, { delayMs, own }: Pace): LifeStep[] {
  const entries = timeline.filter((entry) => entry.services === undefined || entry.services.includes(service)).toSorted((a, b) => a.afterSec - b.afterSec);
  const made = entries.findIndex((entry) => entry.state === 'PICKED UP' || entry.stage === 'READY');
  const kitchenSec = entries[made]?.afterSec ?? 0;
  let at = startsAt;
  return entries.map((entry, index) => {
    const sec = entry.afterSec - (entries[index - 1]?.afterSec ?? 0);
    // The queue is over when the kitchen begins.
    const waitMs = entry.stage === 'PREP' ? delayMs : 0;
    const usualMs = waitMs + Math.round(own === undefined ? sec * 1000
      : index <= made ? own.kitchenMs * (sec / kitchenSec)
        : entry.state === 'DELIVERED' ? own.wayMs : sec * 1000);
    at += Math.round(usualMs * (own === undefined ? 1 : Math.exp(SIGMA * own.draw(index))));
    const stage = entry.state === 'CONFIRMED' ? 'CONFIRMED' : entry.stage ?? null;
    return {
      id: entry.stage ?? entry.state, status: (entry.state === 'CONFIRMED' ? 'ORDER PLACED' : entry.state) as OrderStatus, stage, at, usualMs,
      label: entry.state === 'PICKED' && service === 'DINEIN' ? finishedText(service) : stage === null || stage === 'CONFIRMED' ? entry.label : stageText(stage as Stage, service),
    };
  });
}

/** The step that a customer waits for: at the door, or ready at the counter. */
export function targetOf(steps: readonly LifeStep[]): number {
  const ready = steps.findIndex((step) => step.stage === 'READY');
  return ready === -1 ? steps.length - 1 : ready;
}

/** Time that an order usually takes to that step: an order for later starts this long before its slot. */
export function leadMs(steps: readonly LifeStep[]): number {
  return steps.slice(0, targetOf(steps) + 1).reduce((sum, step) => sum + step.usualMs, 0);
}

/** What a full kitchen adds: each order beyond what the store makes in ten minutes waits its turn. */
export function kitchenDelayMs(startedInTenMinutes: number, maxOrdersPer10Min: number): number {
  const beyond = startedInTenMinutes + 1 - maxOrdersPer10Min;
  return beyond <= 0 ? 0 : Math.round(beyond * (600_000 / maxOrdersPer10Min));
}

/** Where a step may come from; a job that runs twice, or late, then changes nothing. */
export function fromStatuses(to: OrderStatus): OrderStatus[] {
  const from = TRANSITIONS.filter((move) => move.to === to && move.from !== null).map((move) => move.from as OrderStatus);
  return to === 'ORDER PLACED' || to === 'INPROCESS' ? [...from, to] : from;
}

export const CANCEL_MS = 60_000;
const RULES = {
  free: 'Free until 60 seconds after the store has confirmed your order. After that, please call the store.',
  advance: 'Free until the store starts on your order. After that, please call the store.',
  late: 'It is too late to cancel here. Please call the store.',
  none: 'This order is finished.',
  pending: 'You can cancel once we know what happened to your payment.',
} as const;

/**
 * May the customer cancel now, and until when? ADVANCE ORDER: until the lead time starts. ORDER PLACED: until 60 s after
 * the store's confirmation. In those seconds kitchen work may have begun: the store then takes the order back.
 */
export function cancelRule(
  order: { status: OrderStatus; confirmedAt: number | null; confirmsAt: number | null; startsAt: number | null }, now: number,
): { possible: boolean; until: number | null; rule: string } {
  if (isFinal(order.status)) return { possible: false, until: null, rule: RULES.none };
  if (order.status === 'PENDING') return { possible: false, until: null, rule: RULES.pending };
  if (order.status === 'ADVANCE ORDER') return { possible: order.startsAt === null || now < order.startsAt, until: order.startsAt, rule: RULES.advance };
  const until = (order.confirmedAt ?? order.confirmsAt ?? now) + CANCEL_MS;
  const isOpen = (order.status === 'ORDER PLACED' || order.status === 'INPROCESS') && now <= until;
  return { possible: isOpen, until: isOpen ? until : null, rule: isOpen ? RULES.free : RULES.late };
}

/** How an order is brought: a train order is a delivery of its own kind. */
export function serviceOf(order: { delivery_type: string }): Service {
  return order.delivery_type as Service;
}

/** Deadline of the promise, or null where there is none: not delivered, chosen for later, or a bulk order. */
export function promiseFor(country: Country, order: { service: Service; pizzas: number; isAdvance: boolean }, confirmedAt: number): number | null {
  if (order.service !== 'DELIVERY' || order.isAdvance || order.pizzas >= country.guarantee.bulkFromPizzas) return null;
  return promiseDeadline(confirmedAt, country);
}

/** The credit a missed promise pays, up to the country's limit; null when it was kept. */
export function missedCredit(country: Country, total: number, deadline: number, arrivedAt: number): Money | null {
  return arrivedAt <= deadline ? null : promiseCredit(money(total), country.guarantee.maxLiability);
}

/** At least this long before READY once the customer is there. */
export const COLLECT_MS = 120_000;

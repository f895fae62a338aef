import { MINUTE_MS } from '../../../domain/time.ts';
import type { OrderStatus } from '../../../contract/names.ts';
import { money, type Money } from '../../../contract/price.ts';
import { isBulk } from '../../../domain/cart.ts';
import { isFinal, TRANSITIONS, type Service, type Stage } from '../../../domain/orders.ts';
import { promiseCredit, promiseDeadline } from '../../../domain/promise.ts';
import type { Country } from '../../../../country/shape.ts';
import { t, translated } from '../../call/language.ts';
import { SIGMA } from './stepDurations.ts';
import { readSeeds, type ByLanguage } from '../../store/seeds.ts';
import type { LifeStep } from '../../store/orders.ts';

interface TimelineEntry {
  state: string;
  stage?: Stage;
  afterSec: number;
  services?: string[];
}
export interface ServiceContent {
  readonly orderTimeline: readonly TimelineEntry[];
  /** `unattended`: nobody comes to the door for it. */
  readonly deliveryInstructions: readonly {
    id: string;
    label: string;
    labels?: ByLanguage<string>;
    unattended?: boolean;
  }[];
  /** First names of the riders. */
  readonly riders: readonly string[];
}

const contents = new Map<string, ServiceContent>();
/** Timeline, instructions and riders of a country, from its seed. */
export function serviceContent(country: string): ServiceContent {
  let content = contents.get(country);
  if (content === undefined) {
    content = readSeeds(country).content as unknown as ServiceContent;
    contents.set(country, content);
  }
  return content;
}

/** The instructions for the rider in the language of the request. */
export const riderInstructions = (country: string): { id: string; label: string }[] =>
  serviceContent(country).deliveryInstructions.map(({ id, label, labels }) => ({
    id,
    label: translated(label, labels),
  }));

/** What makes the steps of one order differ from the country's timeline. */
export interface Pace {
  /** How much longer the order waits, in ms, because the kitchen is full. */
  readonly delayMs: number;
  /** Kitchen time, way and random variation of this order; absent: exactly as in the timeline. */
  readonly own?: { readonly kitchenMs: number; readonly wayMs: number; readonly draw: (step: number) => number };
}

export const CANCEL_SECONDS = 60;
const CANCEL_MS = CANCEL_SECONDS * 1_000;

/**
 * The steps of an order of this service that starts at `startsAt` (epoch ms). The store's confirmation is a stage of
 * ORDER PLACED, and the kitchen begins 60 seconds after it at the earliest: so those in which the customer may cancel
 * fall in a status that allows it (product.md 4.1).
 */
export function lifeOf(
  timeline: readonly TimelineEntry[],
  service: Service,
  startsAt: number,
  { delayMs, own }: Pace,
): LifeStep[] {
  const entries = timeline
    .filter((entry) => entry.services === undefined || entry.services.includes(service))
    .toSorted((a, b) => a.afterSec - b.afterSec);
  const made = entries.findIndex((entry) => entry.state === 'PICKED UP' || entry.stage === 'READY');
  const kitchenSec = entries[made]?.afterSec ?? 0;
  let at = startsAt;
  let confirmedAt = startsAt;
  return entries.map((entry, index) => {
    const sec = entry.afterSec - (entries[index - 1]?.afterSec ?? 0);
    // The wait for a full kitchen ends when the kitchen begins.
    const waitMs = entry.stage === 'PREP' ? delayMs : 0;
    const usualMs =
      waitMs +
      Math.round(
        own === undefined
          ? sec * 1000
          : index <= made
            ? own.kitchenMs * (sec / kitchenSec)
            : entry.state === 'DELIVERED'
              ? own.wayMs
              : sec * 1000,
      );
    at += Math.round(usualMs * (own === undefined ? 1 : Math.exp(SIGMA * own.draw(index))));
    const stage = entry.state === 'CONFIRMED' ? 'CONFIRMED' : (entry.stage ?? null);
    if (stage === 'CONFIRMED') confirmedAt = at;
    if (stage === 'PREP') at = Math.max(at, confirmedAt + CANCEL_MS);
    return {
      id: entry.stage ?? entry.state,
      status: (entry.state === 'CONFIRMED' ? 'ORDER PLACED' : entry.state) as OrderStatus,
      stage,
      at,
      usualMs,
    };
  });
}

/** Index of the step that the customer waits for: ready at the counter, otherwise the last step (at the door). */
export function targetOf(steps: readonly LifeStep[]): number {
  const ready = steps.findIndex((step) => step.stage === 'READY');
  return ready === -1 ? steps.length - 1 : ready;
}

/** How long an order usually takes to that step, in ms. An order for later starts this long before its slot. */
export function leadMs(steps: readonly LifeStep[]): number {
  return steps.slice(0, targetOf(steps) + 1).reduce((sum, step) => sum + step.usualMs, 0);
}

/**
 * How long a full kitchen makes an order wait, in ms: every order beyond what the store makes in ten minutes adds the
 * time of one order.
 */
export function kitchenDelayMs(startedInTenMinutes: number, maxOrdersPer10Min: number): number {
  const beyond = startedInTenMinutes + 1 - maxOrdersPer10Min;
  return beyond <= 0 ? 0 : Math.round(beyond * ((10 * MINUTE_MS) / maxOrdersPer10Min));
}

/**
 * The statuses from which an order may come to this one. With them, a job that runs twice, or late, changes nothing.
 */
export function fromStatuses(to: OrderStatus): OrderStatus[] {
  const from = TRANSITIONS.filter((move) => move.to === to && move.from !== null).map(
    (move) => move.from as OrderStatus,
  );
  return to === 'ORDER PLACED' || to === 'INPROCESS' ? [...from, to] : from;
}

/**
 * Whether the customer may cancel now, and until when (epoch ms). ADVANCE ORDER: until the lead time starts. ORDER
 * PLACED: until 60 s after the store's confirmation. Once the kitchen has begun, only the store takes an order back.
 */
export function cancelRule(
  order: { status: OrderStatus; confirmedAt: number | null; confirmsAt: number | null; startsAt: number | null },
  now: number,
): { possible: boolean; until: number | null; rule: string } {
  if (isFinal(order.status)) return { possible: false, until: null, rule: t.cancelFinished };
  if (order.status === 'PENDING') return { possible: false, until: null, rule: t.cancelAwaitsPayment };
  if (order.status === 'ADVANCE ORDER')
    return {
      possible: now < order.startsAt!,
      until: order.startsAt,
      rule: t.cancelUntilStarted,
    };
  const until = (order.confirmedAt ?? order.confirmsAt ?? now) + CANCEL_MS;
  const isOpen = order.status === 'ORDER PLACED' && now <= until;
  return {
    possible: isOpen,
    until: isOpen ? until : null,
    rule: isOpen ? t.cancelUntilConfirmed({ seconds: CANCEL_SECONDS }) : t.cancelOver,
  };
}

/** The service of an order. A train order (IRCTC) is a service of its own. */
export function serviceOf(order: { delivery_type: string }): Service {
  return order.delivery_type as Service;
}

/** Deadline of the promise, epoch ms; null where there is none: not a delivery, an order for later, or a bulk order. */
export function promiseFor(
  country: Country,
  order: { service: Service; pizzas: number; isAdvance: boolean },
  confirmedAt: number,
): number | null {
  if (order.service !== 'DELIVERY' || order.isAdvance || isBulk(order.pizzas, country)) return null;
  return promiseDeadline(confirmedAt, country);
}

/** The credit for a missed promise, at most the country's limit; null if the promise was kept. */
export function missedCredit(country: Country, total: number, deadline: number, arrivedAt: number): Money | null {
  return arrivedAt <= deadline ? null : promiseCredit(money(total), country.guarantee.maxLiability);
}

/** How long handing the order over takes, in ms, once it is ready and the customer is there. */
export const COLLECT_MS = 2 * MINUTE_MS;

import type { OrderStatus } from '../../../contract/names.ts';
import { shownKm } from '../../../domain/geo.ts';
import { t } from '../../call/language.ts';
import { targetOf } from './orders.ts';
import { type LifeStep } from '../../store/orders.ts';
import { normalAt, normalBelow } from '../../../domain/normal.ts';
import { MINUTE_MS } from '../../../domain/time.ts';
import { SIGMA } from './stepDurations.ts';

/** The share of orders that arrive within the stated range. */
export const ETA_RATE = 0.8;
const POINTS = 1023;
/** Upper bound: no order has more stretches (a stretch is the time from one step to the next). */
const STRETCHES = 8;
/** Root of x^9 = x + 1. Its powers give points that fill eight dimensions evenly (Roberts' R sequence). */
const ROOT = 1.0850702454914507;

let points: { readonly shares: readonly number[]; readonly factors: readonly (readonly number[])[] } | undefined;
/**
 * Makes `POINTS` imagined orders, spread evenly. Each has a share for the stretch under way, and for every later
 * stretch a factor on its usual duration.
 */
function imagined() {
  if (points !== undefined) return points;
  const shareOf = (n: number, stretch: number) => 1e-5 + 0.99998 * ((0.5 + n * ROOT ** -(stretch + 1)) % 1);
  const all = Array.from({ length: POINTS }, (_, n) => n + 1);
  points = {
    shares: all.map((n) => shareOf(n, 0)),
    factors: all.map((n) =>
      Array.from({ length: STRETCHES - 1 }, (_, at) => Math.exp(SIGMA * normalAt(shareOf(n, at + 1)))),
    ),
  };
  return points;
}

/**
 * How much time is left, in ms, when the first of these stretches has been going on for `elapsedMs`. One order in ten
 * takes less than `least`, one in ten takes more than `most`.
 */
function leftOf(usual: readonly number[], elapsedMs: number): { least: number; most: number } {
  const [first = 0, ...later] = usual;
  const { shares, factors } = imagined();
  // The stretch has lasted this long already, so only longer durations are still possible.
  const gone = elapsedMs <= 0 || first <= 0 ? 0 : Math.min(0.9999, normalBelow(Math.log(elapsedMs / first) / SIGMA));
  // Typed arrays sort by number, and several times faster.
  const sums = Float64Array.from(shares, (share, n) => {
    const now = first * Math.exp(SIGMA * normalAt(gone + (1 - gone) * share)) - Math.max(0, elapsedMs);
    return later.reduce((sum, ms, at) => sum + ms * (factors[n]?.[at] ?? 1), Math.max(0, now));
  }).sort();
  const at = (share: number) => sums[Math.round(share * (POINTS - 1))] ?? 0;
  return { least: at((1 - ETA_RATE) / 2), most: at((1 + ETA_RATE) / 2) };
}

const Z = normalAt((1 + ETA_RATE) / 2);
/** Standard deviation, in ms, of the error that comes from rounding to a whole minute. */
const ROUNDED_MS = MINUTE_MS / Math.sqrt(12);
/**
 * How long the rest of the way takes, in ms, if it usually takes `ms`. Used when the rider's position is known: it says
 * more than how long ago the rider left the store.
 */
const wayLeftOf = (ms: number) => ({ least: ms * Math.exp(-Z * SIGMA), most: ms * Math.exp(Z * SIGMA) });

export interface EtaFacts {
  readonly status: OrderStatus;
  readonly stage: string | null;
  /** All steps of the order; of a step to come only its usual duration is used. */
  readonly steps: readonly LifeStep[];
  /** When each step was reached, epoch ms; null for those to come. */
  readonly doneAt: readonly (number | null)[];
  /** When the order starts, epoch ms. */
  readonly startsAt: number;
  readonly delayMs: number;
  readonly distanceKm: number | null;
  /** How much of the way the rider has covered, 0 to 1; null when the rider is not on the way. */
  readonly progress: number | null;
  /** The range that was stated when the order started, epoch ms. */
  readonly first: { readonly from: number; readonly to: number } | null;
}

export interface Eta {
  readonly from: number;
  readonly to: number;
  readonly rate: number;
  readonly reason: string;
  readonly moved?: string;
}

/**
 * When to expect the order, epoch ms: a range that holds for 8 of 10 orders and narrows with every step. It comes with
 * a reason for the estimate, and with one for its shift since the first estimate (product.md 3.9). Null once the order
 * is finished or while it is not paid.
 */
export function etaOf(facts: EtaFacts, now: number): Eta | null {
  if (!['ORDER PLACED', 'INPROCESS', 'PICKED UP', 'ADVANCE ORDER'].includes(facts.status)) return null;
  const target = targetOf(facts.steps);
  const last = facts.doneAt.findLastIndex((at) => at !== null);
  if (last >= target) return { from: now, to: now + MINUTE_MS, rate: ETA_RATE, reason: reasonOf(facts, null) };
  const since = last === -1 ? facts.startsAt : facts.doneAt[last]!;
  const base = Math.max(now, facts.startsAt);
  const usual = facts.steps.slice(Math.max(1, last + 1), target + 1).map((step) => step.usualMs);
  const { least, most } =
    facts.progress === null ? leftOf(usual, base - since) : wayLeftOf((usual[0] ?? 0) * (1 - facts.progress));
  // To the nearest minute: rounding outwards would make the range hold more often than stated. Rounding adds an error
  // of its own: without the widening below the range would hold less often than stated.
  const spread = (most - least) / (2 * Z);
  const more = Z * (Math.hypot(spread, ROUNDED_MS) - spread);
  const minute = (ms: number) => Math.round((base + ms) / MINUTE_MS) * MINUTE_MS;
  const from = Math.max(now, minute(least - more));
  const to = Math.max(from + MINUTE_MS, minute(most + more));
  const moved = movedBecause(facts, last, base, (from + to) / 2);
  return {
    from,
    to,
    rate: ETA_RATE,
    reason: reasonOf(facts, moved),
    ...(moved === null ? {} : { moved: moved.isLater ? t.etaLater(moved) : t.etaSooner(moved) }),
  };
}

/** A shift smaller than this is not mentioned. */
const NOTICED_MINUTES = 2;
/** The steps that the sentences about a shift can name; any other step is UNKNOWN. */
const CAUSES = ['CONFIRMED', 'PREP', 'BAKE', 'QC', 'READY', 'PICKED_UP', 'DELIVERED'] as const;
const causeOf = (id: string) => CAUSES.find((cause) => cause === id.replace(' ', '_')) ?? 'UNKNOWN';

/** How far the estimate has moved since the first one, and the step that did most of it. */
interface Shift {
  readonly minutes: number;
  readonly step: (typeof CAUSES)[number] | 'UNKNOWN';
  readonly isLater: boolean;
}

function movedBecause(
  { first, steps, doneAt, startsAt }: EtaFacts,
  last: number,
  now: number,
  middle: number,
): Shift | null {
  if (first === null) return null;
  const minutes = Math.round((middle - (first.from + first.to) / 2) / MINUTE_MS);
  if (Math.abs(minutes) < NOTICED_MINUTES) return null;
  const isLater = minutes > 0;
  let most = { by: 0, id: '' };
  for (let at = 1; at <= Math.min(last + 1, steps.length - 1); at += 1) {
    const took = (doneAt[at] ?? now) - (doneAt[at - 1] ?? startsAt);
    const by = (took - steps[at]!.usualMs) * (isLater ? 1 : -1);
    // A step that is still going on may be late already, but it has not been quick yet.
    if (by > most.by && (isLater || doneAt[at] !== null)) most = { by, id: steps[at]!.id };
  }
  return { minutes: Math.abs(minutes), step: causeOf(most.id), isLater };
}

/**
 * The reason for the estimate. What the kitchen is like is left out where it would contradict the shift that is told
 * beside it: a kitchen that keeps up beside an oven that took longer, a busy one beside an order that comes sooner.
 */
function reasonOf(facts: EtaFacts, moved: Shift | null): string {
  if (facts.status === 'ADVANCE ORDER') return t.etaBooked;
  if (facts.status === 'PICKED UP') {
    const left =
      facts.distanceKm === null || facts.progress === null ? null : shownKm(facts.distanceKm * (1 - facts.progress));
    return left === null || left === 0 ? t.etaOnItsWay : t.etaToGo({ km: left });
  }
  if (facts.stage === 'READY') return t.etaReady;
  const delay = Math.round(facts.delayMs / MINUTE_MS);
  if (delay >= 1) return moved !== null && !moved.isLater ? '' : t.etaBusy({ minutes: delay });
  if (moved?.isLater) return '';
  return t.etaKeepsUp;
}

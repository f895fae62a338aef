import { typedNumber } from './typedText.ts';
import { HOUR_MS, MINUTE_MS } from './time.ts';

// Food on trains: the numbers and decisions of product.md 4.2 and 3.15. Times are epoch ms, pure.

/** It must be paid so many minutes after the cut-off at the latest. */
export const PAY_AFTER_CUTOFF_MINUTES = 5;
export const CANCEL_MINUTES = 120;
export const BOOK_AHEAD_HOURS = 96;
/** Later than this in all, and the passenger is asked whether the food is still wanted. */
const ASK_FROM_MINUTES = 120;
/** Food that is made already waits so long for the train without a question. */
const KEPT_WARM_MINUTES = 30;
/** How long a question about food that is not begun stays open, about food that is made, and any at least. */
export const ANSWER_WAITING_MINUTES = 120;
const ANSWER_MINUTES = 30;
const ANSWER_AT_LEAST_MINUTES = 5;
/** The rider is on the platform so long before the train. */
export const ON_PLATFORM_MINUTES = 10;
/** How long after the train's arrival the food is handed over. */
export const HAND_OVER_MINUTES = 2;
const HAND_OVER_CODE_LENGTH = 6;
export const HAND_OVER_TRIES = 5;

/** How long a train stops, and how much later than planned it comes: whole minutes. Times are epoch ms. */
export const stopMinutes = (stop: { scheduledAt: number; arrivesAt: number; departsAt: number }) => ({
  haltMinutes: Math.round((stop.departsAt - stop.arrivesAt) / MINUTE_MS),
  delayMinutes: Math.max(0, Math.round((stop.arrivesAt - stop.scheduledAt) / MINUTE_MS)),
});

/** Ten digits, with single blanks or hyphens between. */
const BEHIND_PNR = /PNR[^\d,;]{0,20}([1-9](?:[\s-]?\d){9})(?!\d)/i;
const ALONE = /(?:^|[^\d\s-]|[^\d][\s-])([1-9](?:[\s-]?\d){9})(?![\s-]?\d)/g;

/**
 * The ten digits of a typed PNR, in any script and with blanks or dashes between; or those of a message of the railway: what
 * stands behind "PNR", or the only number of ten digits. Null if there is none.
 */
export function pnrOf(typed: string): string | null {
  const text = typedNumber(typed);
  const bare = text.replace(/[\s-]/g, '');
  if (/^\d*$/.test(bare)) return /^[1-9]\d{9}$/.test(bare) ? bare : null;
  const named = BEHIND_PNR.exec(text)?.[1];
  const found = new Set([...text.matchAll(ALONE)].map((match) => match[1]!.replace(/[\s-]/g, '')));
  return named?.replace(/[\s-]/g, '') ?? (found.size === 1 ? [...found][0]! : null);
}

/** Until when an order to a halt can be placed and paid, and from when. */
export function windowOf(arrivesAt: number, cutoffMinutes: number) {
  const orderUntil = arrivesAt - cutoffMinutes * MINUTE_MS;
  return {
    opensAt: arrivesAt - BOOK_AHEAD_HOURS * HOUR_MS,
    orderUntil,
    payUntil: orderUntil + PAY_AFTER_CUTOFF_MINUTES * MINUTE_MS,
  };
}

/** Until when an order can be cancelled with all its money back. */
export const cancelUntil = (arrivesAt: number): number => arrivesAt - CANCEL_MINUTES * MINUTE_MS;

/** Letters and digits that nobody confuses when they are read aloud or by a lamp. */
const CODE_LETTERS = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789';

/** A hand-over code of random bytes, six of which are used. */
export function handOverCodeOf(bytes: Uint8Array): string {
  return [...bytes.slice(0, HAND_OVER_CODE_LENGTH)].map((byte) => CODE_LETTERS[byte % CODE_LETTERS.length]).join('');
}

/** How far the food is. WAITING: the kitchen has not begun. MADE: it has. */
export type FoodState = 'WAITING' | 'MADE';

/** The halt of an order as the railway tells it now. */
export interface HaltNow {
  readonly isTrainCancelled: boolean;
  /** The train turns back before it. */
  readonly isShort: boolean;
  readonly isSkipped: boolean;
  readonly hasArrived: boolean;
  readonly arrivesAt: number;
}

export type Replan =
  /** All the money back, and why. */
  | { readonly kind: 'REFUND'; readonly why: 'CANCELLED' | 'SHORT' | 'SKIPPED' | 'SHUT' }
  | { readonly kind: 'ASK'; readonly about: 'LATE' | 'SKIPPED' }
  /** Nothing to ask: the order goes with the train. */
  | { readonly kind: 'FOLLOW' };

/**
 * What becomes of an order when the railway tells something of its train. `agreedAt` is the arrival that the passenger
 * knows and accepted; `others` is how many other stations of the journey the food could come to; `isStoreOpen` says
 * whether its store can make it for the time that is expected now.
 */
export function replan(
  order: {
    readonly food: FoodState;
    readonly agreedAt: number;
    readonly others: number;
    readonly isStoreOpen: boolean;
  },
  halt: HaltNow,
): Replan {
  if (halt.hasArrived) return { kind: 'FOLLOW' };
  if (halt.isTrainCancelled) return { kind: 'REFUND', why: 'CANCELLED' };
  if (halt.isShort) return { kind: 'REFUND', why: 'SHORT' };
  if (halt.isSkipped)
    // What is made at one station cannot come to another.
    return order.food === 'WAITING' && order.others > 0
      ? { kind: 'ASK', about: 'SKIPPED' }
      : { kind: 'REFUND', why: 'SKIPPED' };
  const late = (halt.arrivesAt - order.agreedAt) / MINUTE_MS;
  const most = order.food === 'WAITING' ? ASK_FROM_MINUTES : KEPT_WARM_MINUTES;
  if (order.food === 'WAITING' && !order.isStoreOpen)
    return order.others > 0 ? { kind: 'ASK', about: 'LATE' } : { kind: 'REFUND', why: 'SHUT' };
  return late > most ? { kind: 'ASK', about: 'LATE' } : { kind: 'FOLLOW' };
}

/**
 * When an answer is due. Food that is not begun can wait for it as long as it could still be ordered (`latest`), and two
 * hours at most: whoever is told at night that the train is late must not learn on the next day what became of the money.
 * What is made waits less. Never at once; and what was said before is never put off.
 */
export function answerBy(now: number, food: FoodState, latest: number, before: number | null): number {
  const soonest = now + ANSWER_AT_LEAST_MINUTES * MINUTE_MS;
  if (food === 'MADE') return before ?? now + ANSWER_MINUTES * MINUTE_MS;
  const most = before ?? now + ANSWER_WAITING_MINUTES * MINUTE_MS;
  return latest > soonest ? Math.min(latest, most) : (before ?? soonest);
}

/**
 * The times of an order's steps, so that the rider is on the platform before the train: as planned where there is time,
 * and faster where there is less. The last one, the hand-over, is when the train stands.
 */
export function stepsForTrain(times: readonly number[], startsAt: number, arrivesAt: number): number[] {
  const last = times.length - 1;
  const handOver = arrivesAt + HAND_OVER_MINUTES * MINUTE_MS;
  const left = times[last - 1] ?? startsAt;
  const latest = arrivesAt - (ON_PLATFORM_MINUTES / 2) * MINUTE_MS;
  const share = left <= latest || left === startsAt ? 1 : Math.max(0.2, (latest - startsAt) / (left - startsAt));
  return times.map((at, index) =>
    index === last
      ? Math.max(handOver, Math.round(startsAt + (left - startsAt) * share) + HAND_OVER_MINUTES * MINUTE_MS)
      : Math.round(startsAt + (at - startsAt) * share),
  );
}

import { createHash } from 'node:crypto';
import { isWithin, localTime } from '../../../domain/hours.ts';

/** How much the duration of one step varies: the standard deviation of its logarithm. */
export const SIGMA = 0.25;

/** The share of the standard normal distribution below `z` (Abramowitz and Stegun 26.2.17, error below 7.5e-8). */
export function shareBelow(z: number): number {
  const t = 1 / (1 + 0.2316419 * Math.abs(z));
  const tail =
    0.3989422804 *
    Math.exp((-z * z) / 2) *
    t *
    (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
  return z < 0 ? tail : 1 - tail;
}

/**
 * The inverse of `shareBelow` (Acklam's rational approximation, relative error 1e-9); `share` strictly between 0 and 1.
 */
export function normalAt(share: number): number {
  const a = [
    -39.69683028665376, 220.9460984245205, -275.9285104469687, 138.357751867269, -30.66479806614716, 2.506628277459239,
  ];
  const b = [-54.47609879822406, 161.5858368580409, -155.6989798598866, 66.80131188771972, -13.28068155288572];
  const c = [
    -0.007784894002430293, -0.3223964580411365, -2.400758277161838, -2.549732539343734, 4.374664141464968,
    2.938163982698783,
  ];
  const d = [0.007784695709041462, 0.3224671290700398, 2.445134137142996, 3.754408661907416];
  const of = (factors: readonly number[], x: number, last: number) =>
    factors.reduce((sum, factor) => sum * x + factor, 0) * last;
  if (share < 0.02425 || share > 0.97575) {
    const q = Math.sqrt(-2 * Math.log(Math.min(share, 1 - share)));
    const z = of(c, q, 1) / (of(d, q, q) + 1);
    return share < 0.5 ? z : -z;
  }
  const q = share - 0.5;
  const r = q * q;
  return of(a, r, q) / (of(b, r, r) + 1);
}

/**
 * A standard normal number for each step of an order. It is made from the order's id: always the same for one order,
 * and different for every order.
 */
export function drawOf(orderId: string): (step: number) => number {
  const bytes = createHash('sha256').update(`pace ${orderId}`).digest();
  return (step) => normalAt((bytes.readUInt16BE((step * 2) % 32) + 0.5) / 65_536);
}

/** Riders are slower at lunch and in the evening, when the streets are full, and faster at night. */
function streetFactor(at: number, timeZone: string): number {
  const { minutes } = localTime(at, timeZone);
  if (isWithin(minutes, '12:30', '14:30') || isWithin(minutes, '18:30', '21:00')) return 1.25;
  return isWithin(minutes, '23:00', '06:00') ? 0.85 : 1;
}

const HANDOVER_MS = 120_000;
const MINUTE_MS = 60_000;

/**
 * How long the kitchen and the way of one order usually take, in ms: by the store's pace, the distance and the time of
 * day.
 */
export function usualOf(
  store: { prepMinutes: number; minutesPerKm: number },
  km: number | null,
  at: number,
  timeZone: string,
): { kitchenMs: number; wayMs: number } {
  return {
    kitchenMs: store.prepMinutes * MINUTE_MS,
    wayMs: Math.round((km ?? 0) * store.minutesPerKm * streetFactor(at, timeZone) * MINUTE_MS) + HANDOVER_MS,
  };
}

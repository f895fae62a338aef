import { normalAt } from '../../../domain/normal.ts';
import { createHash } from 'node:crypto';
import { isWithin, localTime } from '../../../domain/hours.ts';
import { MINUTE_MS } from '../../../domain/time.ts';

/** How much the duration of one step varies: the standard deviation of its logarithm. */
export const SIGMA = 0.25;

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

const HANDOVER_MS = 2 * MINUTE_MS;

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

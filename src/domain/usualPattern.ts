import { localTime } from './hours.ts';
import { DAY_MINUTES, DAY_MS } from './time.ts';

/** An order of the past, as far as habits go. */
export interface PastOrder {
  readonly orderId: string;
  /** The same text for the same dishes. */
  readonly dishes: string;
  /** Epoch ms. */
  readonly at: number;
}

/** An order counts half as much after this long. */
const HALF_LIFE_DAYS = 60;
/** Ordered so often, it is a habit. */
const HABIT = 2;
/** As far apart as that in the day, an order is one of another meal. */
const MEAL_MINUTES = 150;
const OTHER_MEAL = 0.1;
const OTHER_DAY = 0.6;

const isWeekend = (day: string) => day === 'sat' || day === 'sun';

/**
 * What somebody most likely wants now, the likeliest first: dishes that were ordered together at least twice, weighed
 * by how lately, at which time of the day and on which kind of day. Pure.
 * @returns the id of the latest order of each habit
 */
export function habitsAt(past: readonly PastOrder[], now: number, timeZone: string): string[] {
  const here = localTime(now, timeZone);
  const habits = new Map<string, { last: PastOrder; count: number; weight: number }>();
  for (const order of past) {
    const then = localTime(order.at, timeZone);
    const apart = Math.abs(then.minutes - here.minutes);
    const isMeal = Math.min(apart, DAY_MINUTES - apart) <= MEAL_MINUTES;
    const weight =
      0.5 ** (Math.max(0, now - order.at) / DAY_MS / HALF_LIFE_DAYS) *
      (isMeal ? 1 : OTHER_MEAL) *
      (isWeekend(then.weekday) === isWeekend(here.weekday) ? 1 : OTHER_DAY);
    const held = habits.get(order.dishes);
    habits.set(order.dishes, {
      last: held && held.last.at >= order.at ? held.last : order,
      count: (held?.count ?? 0) + 1,
      weight: (held?.weight ?? 0) + weight,
    });
  }
  return [...habits.values()]
    .filter(({ count }) => count >= HABIT)
    .sort((a, b) => b.weight - a.weight || b.last.at - a.last.at)
    .map(({ last }) => last.orderId);
}

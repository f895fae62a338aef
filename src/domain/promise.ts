import type { Money } from '../contract/price.ts';
import type { PromiseRule } from './cart.ts';
import { isWithin, localTime } from './hours.ts';
import { smaller } from './money.ts';
import { MINUTE_MS } from './time.ts';

/**
 * Minutes of the promise for an order confirmed at this instant (epoch ms): 45 from 23:00 (included) to 03:00
 * (excluded), else 30 (product.md C19).
 */
export function promiseMinutes(confirmedAt: number, rule: PromiseRule): number {
  const { minutes } = localTime(confirmedAt, rule.timeZone);
  const { guarantee } = rule;
  return isWithin(minutes, guarantee.nightFrom, guarantee.nightTo) ? guarantee.nightMinutes : guarantee.minutes;
}

/** Epoch ms by which the order must be at the customer's gate. */
export function promiseDeadline(confirmedAt: number, rule: PromiseRule): number {
  return confirmedAt + promiseMinutes(confirmedAt, rule) * MINUTE_MS;
}

/** The refund for a missed promise: the bill, at most the country's limit; minor units. */
export function promiseCredit(bill: Money, limit: Money): Money {
  return smaller(bill, limit);
}

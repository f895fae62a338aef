import { describe, expect, it } from 'vitest';
import type { Issue } from '../../src/contract/help.ts';
import { helpState, type HelpState } from '../../src/domain/help.ts';
import type { Service } from '../../src/domain/orders.ts';

const WEEK_MS = 7 * 86_400_000;
const ENDED = 1_000;

/** What is said of an order: of this service, that ended then (null: not yet), with or without food. */
const cases: readonly [Issue, Service, number | null, boolean, number, HelpState][] = [
  // Under way: only what has nothing to do with the food that came.
  ['missing', 'DELIVERY', null, false, ENDED, 'EARLY'],
  ['cold', 'PICKUP', null, false, ENDED, 'EARLY'],
  ['notDelivered', 'DELIVERY', null, false, ENDED, 'EARLY'],
  ['late', 'DELIVERY', null, false, ENDED, 'OPEN'],
  ['bill', 'DINEIN', null, false, ENDED, 'OPEN'],
  ['payment', 'PICKUP', null, false, ENDED, 'OPEN'],
  // Over: for a week, to its last millisecond.
  ['missing', 'DELIVERY', ENDED, false, ENDED, 'OPEN'],
  ['missing', 'DELIVERY', ENDED, false, ENDED + WEEK_MS, 'OPEN'],
  ['missing', 'DELIVERY', ENDED, false, ENDED + WEEK_MS + 1, 'OVER'],
  ['payment', 'DELIVERY', ENDED, false, ENDED + WEEK_MS + 1, 'OVER'],
  // Ended without food: only the money.
  ['missing', 'DELIVERY', ENDED, true, ENDED, 'LOST'],
  ['late', 'DELIVERY', ENDED, true, ENDED, 'LOST'],
  ['bill', 'DELIVERY', ENDED, true, ENDED, 'OPEN'],
  ['payment', 'DELIVERY', ENDED, true, ENDED, 'OPEN'],
  // Nobody rode to whoever came for it.
  ['rider', 'DELIVERY', ENDED, false, ENDED, 'OPEN'],
  ['rider', 'IRCTC', ENDED, false, ENDED, 'OPEN'],
  ['rider', 'PICKUP', ENDED, false, ENDED, 'SERVICE'],
  ['notDelivered', 'CURB', ENDED, false, ENDED, 'SERVICE'],
  ['notDelivered', 'DINEIN', null, false, ENDED, 'SERVICE'],
];

describe('what can be said of an order', () => {
  it.each(cases)('%s, %s, ended at %s, without food: %s, at %s: %s', (issue, service, endedAt, isLost, now, state) => {
    expect(helpState(issue, { service, endedAt, isLost }, now)).toBe(state);
  });
});

import { describe, expect, it } from 'vitest';
import type { CartLine } from '../../src/contract/cart.ts';
import type { Issue } from '../../src/contract/help.ts';
import { helpState, type HelpState, namedParts } from '../../src/domain/help.ts';
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

describe('what is named of an order', () => {
  const line = (lineId: string, quantity: number, more: object = {}) => ({ lineId, quantity, ...more }) as CartLine;
  const lines = [
    line('a', 2),
    line('b', 1, { build: { secondHalf: 'x' } }),
    line('c', 3, { slots: [{ slot: 's' }, { slot: 't' }] }),
    line('d', 1, { slots: [{ slot: 's' }] }),
  ];
  const named = (...pieces: Parameters<typeof namedParts>[1]) => {
    const parts = namedParts(lines, pieces);
    return parts && Object.fromEntries([...parts].map(([id, own]) => [id, Object.fromEntries(own)]));
  };

  it('is each part of a line, or the one that is named, as often as it is named', () => {
    expect(named({ lineId: 'a', quantity: 2 })).toEqual({ a: { ALL: 2 } });
    expect(named({ lineId: 'b', quantity: 1 })).toEqual({ b: { LEFT: 1, RIGHT: 1 } });
    expect(named({ lineId: 'd', quantity: 1 })).toEqual({ d: { ALL: 1 } });
    expect(named({ lineId: 'b', part: 'RIGHT', quantity: 1 })).toEqual({ b: { RIGHT: 1 } });
    expect(
      named(
        { lineId: 'c', part: 'SLOT-1', quantity: 1 },
        { lineId: 'c', part: 'SLOT-1', quantity: 2 },
        { lineId: 'a', quantity: 1 },
      ),
    ).toEqual({ c: { 'SLOT-1': 3 }, a: { ALL: 1 } });
  });

  it('has to be in the order, and not more often than it is there', () => {
    expect(named({ lineId: 'z', quantity: 1 })).toBeNull();
    expect(named({ lineId: 'a', part: 'LEFT', quantity: 1 })).toBeNull();
    expect(named({ lineId: 'a', quantity: 3 })).toBeNull();
    expect(named({ lineId: 'c', part: 'SLOT-0', quantity: 2 }, { lineId: 'c', quantity: 2 })).toBeNull();
  });

  it('can be said of an order that is not over, whatever the time', () => {
    expect(helpState('late', { service: 'DELIVERY', endedAt: null, isLost: false }, 50 * WEEK_MS)).toBe('OPEN');
  });
});

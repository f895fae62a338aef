import { describe, expect, it, test } from 'vitest';
import type { CartLine } from '../../src/contract/cart.ts';
import type { Issue } from '../../src/contract/help.ts';
import { money } from '../../src/contract/price.ts';
import {
  helpLimits,
  helpState,
  type HelpState,
  type PartCounts,
  namedParts,
  partsOfLine,
  type PersonReason,
  personReason,
  shareOf,
  worthOf,
} from '../../src/domain/help.ts';
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

test('the parts of a piece are the dishes of a combo, the halves of a pizza, or the dish as a whole', () => {
  const of = partsOfLine as (line: object) => unknown;
  expect(of({ slots: [{}, {}, {}] })).toEqual([0, 1, 2].map((slot) => ({ id: `SLOT-${slot}`, slot })));
  expect(of({ build: { secondHalf: 'x' } })).toEqual([{ id: 'LEFT' }, { id: 'RIGHT' }]);
  for (const line of [{}, { build: {} }, { slots: [] }, { slots: [{}] }]) expect(of(line)).toEqual([{ id: 'ALL' }]);
});

describe('what the named dishes are worth', () => {
  const line = (lineId: string, quantity: number, lineTotal: number, more: object = {}) =>
    ({ lineId, quantity, lineTotal, ...more }) as CartLine;
  const LINES = [line('a', 2, 20_000), line('b', 1, 10_000, { build: { secondHalf: 'x' } })];
  const COSTS = [
    { lineId: 'a', cost: 18_901 },
    { lineId: 'b', cost: 9_450 },
  ];
  const named = (parts: Readonly<Record<string, Readonly<Record<string, number>>>>): PartCounts =>
    new Map(Object.entries(parts).map(([id, own]) => [id, new Map(Object.entries(own))]));

  test.each<[string, PartCounts | null, number]>([
    ['the whole order: its dishes with discounts and taxes', null, 28_351],
    ['one of two pieces', named({ a: { ALL: 1 } }), 9_451],
    ['both pieces', named({ a: { ALL: 2 } }), 18_901],
    ['half of a pizza', named({ b: { LEFT: 1 } }), 4_725],
    ['both halves', named({ b: { LEFT: 1, RIGHT: 1 } }), 9_450],
    ['all by name', named({ a: { ALL: 2 }, b: { LEFT: 1, RIGHT: 1 } }), 28_351],
    ['nothing by name', named({}), 0],
    ['a line of which nothing is named', named({ a: {}, b: { LEFT: 0 } }), 0],
  ])('%s', (_, of, worth) => {
    expect(worthOf({ lines: LINES, costs: COSTS }, of)).toBe(worth);
  });

  test('a piece that was named before is worth nothing more, and the dearest of those alike is named first', () => {
    const one = named({ a: { ALL: 1 } });
    const costs = [{ lineId: 'a', cost: 10_500, pieces: [10_000, 0] }];
    expect(worthOf({ lines: LINES, costs }, one)).toBe(10_500);
    expect(worthOf({ lines: LINES, costs }, one, () => 1)).toBe(0);
    expect(worthOf({ lines: LINES, costs: [] }, null)).toBe(0);
  });

  test.each<[Issue, number, number]>([
    ['missing', 10_149, 10_149],
    ['wrong', 10_150, 10_150],
    ['damaged', 10_100, 10_100],
    ['cold', 10_150, 5_100],
    ['taste', 10_000, 2_500],
    ['late', 10_000, 1_000],
    ['bill', 10_000, 10_000],
    // Less than half of a unit is not rounded to nothing.
    ['cold', 60, 30],
    ['cold', 0, 0],
  ])('%s: of %i in minor units comes back %i', (issue, worth, share) => {
    expect(shareOf(issue, money(worth), 100)).toBe(share);
  });
});

test('what the rules pay has a limit in each currency, and is nothing in one that they do not know', () => {
  expect(['INR', 'LKR', 'BDT', 'EUR'].map(helpLimits)).toEqual([
    { order: 50_000, customer: 100_000 },
    { order: 250_000, customer: 500_000 },
    { order: 60_000, customer: 120_000 },
    { order: 0, customer: 0 },
  ]);
});

describe('who decides', () => {
  const HOUR_MS = 3_600_000;
  const of = { amount: 10_000, endedAt: ENDED, given: 0, known: [], currency: 'INR' };
  const known = (...all: readonly (readonly [given: number, claims: number, room: number])[]) => ({
    known: all.map(([given, claims, room]) => ({ given, claims, room })),
  });
  test.each<[string, Issue, Partial<Parameters<typeof personReason>[1]>, number, PersonReason | null]>([
    ['the rules, of what is small and fresh', 'missing', {}, 0, null],
    ['a person, of what no rule prices', 'rider', {}, 0, 'RULE'],
    ['a person, of what no rule prices though it is old', 'bill', { endedAt: null }, 0, 'RULE'],
    ['a person, of what is worth nothing', 'missing', { amount: 0 }, 0, 'WORTH'],
    ['the rules, of what is worth one unit', 'missing', { amount: 1 }, 0, null],
    ['the rules, up to a day after', 'missing', {}, 24 * HOUR_MS, null],
    ['a person, after that', 'missing', {}, 24 * HOUR_MS + 1, 'AGED'],
    ['the rules, of cold food up to six hours after', 'cold', {}, 6 * HOUR_MS, null],
    ['a person, of cold food after that', 'cold', {}, 6 * HOUR_MS + 1, 'AGED'],
    ['a person, before it has ended', 'late', { endedAt: null }, 0, 'AGED'],
    ['the rules, up to the limit of an order', 'missing', { amount: 50_000 }, 0, null],
    ['a person, above the limit of an order', 'missing', { amount: 50_001 }, 0, 'AMOUNT'],
    ['the rules, up to it with what was given', 'missing', { given: 40_000 }, 0, null],
    ['a person, above it with what was given', 'missing', { given: 40_001 }, 0, 'AMOUNT'],
    ['the rules, up to the limit of a customer', 'missing', known([90_000, 0, 1]), 0, null],
    ['a person, above the limit of a customer', 'missing', known([0, 0, 1], [90_001, 0, 1]), 0, 'AMOUNT'],
    ['the rules, where two may share a door', 'missing', known([190_000, 0, 2]), 0, null],
    ['a person, where two shared more', 'missing', known([190_001, 0, 2]), 0, 'AMOUNT'],
    ['the rules, the third time', 'missing', known([0, 2, 1]), 0, null],
    ['a person, the fourth time', 'missing', known([0, 0, 1], [0, 3, 1]), 0, 'OFTEN'],
    ['the rules, the sixth time where two may share a device', 'missing', known([0, 5, 2]), 0, null],
    ['a person, the seventh time there', 'missing', known([0, 6, 2]), 0, 'OFTEN'],
    ['a person, in another currency', 'missing', { currency: 'EUR' }, 0, 'AMOUNT'],
  ])('%s', (_, issue, more, after, reason) => {
    expect(personReason(issue, { ...of, ...more }, ENDED + after)).toBe(reason);
  });
});

import { expect, test } from 'vitest';
import { habitsAt, type PastOrder } from '../../src/domain/habits.ts';

const DAY_MS = 86_400_000;
/** Wednesday, 13:00 in Delhi. */
const NOON = Date.UTC(2026, 9, 7, 7, 30);
const order = (dishes: string, daysAgo: number, hours = 0): PastOrder => ({
  orderId: `${dishes}${daysAgo}`,
  dishes,
  at: NOON - daysAgo * DAY_MS + hours * 3_600_000,
});
const habits = (...past: PastOrder[]) => habitsAt(past, NOON, 'Asia/Kolkata');

test('what was ordered once is no habit; of a habit the latest order counts', () => {
  expect(habits(order('a', 1), order('b', 2))).toEqual([]);
  expect(habits(order('a', 9), order('a', 2), order('a', 5))).toEqual(['a2']);
});

test('the meal of this hour comes before another one that is ordered more often', () => {
  expect(habits(order('lunch', 7), order('lunch', 14), ...[1, 2, 3, 6].map((day) => order('dinner', day, 7)))).toEqual([
    'lunch7',
    'dinner1',
  ]);
});

test('around midnight it is one meal', () => {
  const midnight = NOON + 11 * 3_600_000;
  const past = [order('late', 1, 10), order('late', 2, 10), order('noon', 1), order('noon', 2)];
  expect(habitsAt(past, midnight + 1_800_000, 'Asia/Kolkata')[0]).toBe('late1');
});

test('a weekday comes before a weekend, and last month before last year', () => {
  expect(habits(order('weekend', 3), order('weekend', 4), order('week', 5), order('week', 6))).toEqual([
    'week5',
    'weekend3',
  ]);
  expect(habits(...[365, 364, 363].map((day) => order('old', day)), order('new', 28), order('new', 21))).toEqual([
    'new21',
    'old363',
  ]);
});

import { expect, test } from 'vitest';
import { habitsAt, type PastOrder } from '../../src/domain/usualPattern.ts';

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

test('saturday and sunday are of one kind, and each other day of the other', () => {
  // Of two that are ordered as often, that of the same kind of day comes first, though it is older.
  for (const [today, same, other] of [
    ['2026-10-10', ['2026-09-27', '2026-09-26'], ['2026-10-09', '2026-10-08']],
    ['2026-10-11', ['2026-09-27', '2026-09-26'], ['2026-10-09', '2026-10-08']],
    ['2026-10-09', ['2026-09-29', '2026-09-28'], ['2026-10-04', '2026-10-03']],
  ] as const) {
    const noon = (day: string) => Date.parse(`${day}T13:00:00+05:30`);
    const past = Object.entries({ same, other }).flatMap(([dishes, days]) =>
      days.map((day) => ({ orderId: dishes, dishes, at: noon(day) })),
    );
    expect(habitsAt(past, noon(today), 'Asia/Kolkata'), today).toEqual(['same', 'other']);
  }
});

test('two and a half hours apart it is one meal, also over midnight, a minute more is another', () => {
  const at = (text: string) => Date.parse(`${text}+05:30`);
  const twice = (dishes: string, clock: string, days: readonly string[]) =>
    days.map((day) => ({ orderId: dishes, dishes, at: at(`${day}T${clock}`) }));
  const first = (now: string, ...past: readonly PastOrder[]) =>
    habitsAt(past, at(`2026-10-07T${now}`), 'Asia/Kolkata')[0];
  const old = ['2026-09-22', '2026-09-21'];
  const late = ['2026-10-06', '2026-10-05'];
  // The older one is of this meal, the later one is not.
  expect(first('13:00', ...twice('meal', '10:30', old), ...twice('other', '10:29', late))).toBe('meal');
  expect(first('23:30', ...twice('meal', '02:00', old), ...twice('other', '02:01', late))).toBe('meal');
  expect(first('01:00', ...twice('meal', '22:30', old), ...twice('other', '22:29', late))).toBe('meal');
});

test('of what is ordered equally the latest comes first, and of one moment the first that is told', () => {
  const at = NOON - DAY_MS;
  const past = ['a', 'b'].flatMap((dishes) => [1, 2].map((n) => ({ orderId: `${dishes}${n}`, dishes, at })));
  expect(habitsAt(past, NOON, 'Asia/Kolkata')).toEqual(['a1', 'b1']);
});

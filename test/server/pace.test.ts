import { expect, test } from 'vitest';
import { usualOf } from '../../src/server/rules/order/pace.ts';

const at = (time: string) => Date.parse(`2026-11-25T${time}:00+05:30`);
const store = { prepMinutes: 12, minutesPerKm: 3 };
const MINUTE_MS = 60_000;

// Two minutes at the door are part of every way.
test.each([
  ['15:00', 4, 12 + 2],
  ['13:00', 4, 15 + 2],
  ['20:00', 4, 15 + 2],
  ['02:00', 4, 10.2 + 2],
  ['15:00', null, 2],
])(
  'an order usually takes the kitchen its time, and the way its kilometres at the pace of the hour (%s, %s km: %s minutes)',
  (time, km, minutes) => {
    expect(usualOf(store, km, at(time), 'Asia/Kolkata')).toEqual({
      kitchenMs: 12 * MINUTE_MS,
      wayMs: minutes * MINUTE_MS,
    });
  },
);

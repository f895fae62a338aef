import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import {
  answerBy,
  cancelUntil,
  handOverCodeOf,
  pnrOf,
  replan,
  type FoodState,
  type HaltNow,
  type Replan,
  stepsForTrain,
  windowOf,
} from '../../src/domain/trains.ts';

const MINUTE = 60_000;

describe('food on trains', () => {
  it('pays five minutes after the cut-off at the latest, and orders four days ahead', () => {
    expect(windowOf(1000 * MINUTE, 45)).toEqual({
      opensAt: (1000 - 96 * 60) * MINUTE,
      orderUntil: 955 * MINUTE,
      payUntil: 960 * MINUTE,
    });
  });

  it('has codes without letters that look like others', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 6, maxLength: 16 }), (bytes) => {
        expect(handOverCodeOf(bytes)).toMatch(/^[A-HJKMNP-Z2-9]{6}$/);
      }),
    );
  });

  const halt = fc.record({
    isTrainCancelled: fc.boolean(),
    isShort: fc.boolean(),
    isSkipped: fc.boolean(),
    hasArrived: fc.constant(false),
    arrivesAt: fc.integer({ min: 0, max: 2000 }).map((minutes) => minutes * MINUTE),
  });
  const order = fc.record({
    food: fc.constantFrom('WAITING' as const, 'MADE' as const),
    agreedAt: fc.integer({ min: 0, max: 2000 }).map((minutes) => minutes * MINUTE),
    others: fc.integer({ min: 0, max: 3 }),
    isStoreOpen: fc.boolean(),
  });

  it('never brings food to a halt that the train does not make, and asks only where there is a choice', () => {
    fc.assert(
      fc.property(order, halt, (of, is) => {
        const what = replan(of, is);
        if (is.isTrainCancelled || is.isShort) expect(what.kind).toBe('REFUND');
        if (is.isSkipped) expect(what.kind).not.toBe('FOLLOW');
        if (what.kind === 'ASK' && what.about === 'SKIPPED') expect(of.others).toBeGreaterThan(0);
        if (what.kind === 'FOLLOW' && of.food === 'WAITING') expect(of.isStoreOpen).toBe(true);
        if (what.kind === 'FOLLOW') expect(is.arrivesAt - of.agreedAt).toBeLessThanOrEqual(120 * MINUTE);
      }),
    );
  });

  it('never wants an answer at once, and keeps what it said', () => {
    fc.assert(
      fc.property(
        fc.nat(1e6),
        fc.constantFrom('WAITING' as const, 'MADE' as const),
        fc.nat(2e6),
        (now, food, latest) => {
          const first = answerBy(now, food, latest, null);
          expect(first - now).toBeGreaterThanOrEqual(5 * MINUTE);
          if (food === 'MADE') expect(answerBy(now + MINUTE, food, latest, first)).toBe(first);
        },
      ),
    );
  });

  it('asks about food that is not begun for two hours at most, and never puts off what was said', () => {
    const far = 30 * 60 * MINUTE;
    expect(answerBy(0, 'WAITING', far, null)).toBe(120 * MINUTE);
    expect(answerBy(0, 'WAITING', 50 * MINUTE, null)).toBe(50 * MINUTE);
    expect(answerBy(60 * MINUTE, 'WAITING', far, 120 * MINUTE)).toBe(120 * MINUTE);
    expect(answerBy(60 * MINUTE, 'WAITING', 90 * MINUTE, 120 * MINUTE)).toBe(90 * MINUTE);
  });

  it('has the rider on the platform before the train, and hands over while it stands', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 4, maxLength: 8 }),
        fc.integer({ min: 15, max: 200 }),
        (gaps, ahead) => {
          let at = 0;
          const times = [0, ...gaps].map((gap) => (at += gap * MINUTE));
          const fitted = stepsForTrain(times, 0, ahead * MINUTE);
          expect(fitted).toEqual([...fitted].sort((a, b) => a - b));
          expect(fitted.at(-1)).toBeGreaterThanOrEqual(ahead * MINUTE);
          if (at * 0.2 < (ahead - 5) * MINUTE) expect(fitted.at(-2)).toBeLessThan(ahead * MINUTE);
        },
      ),
    );
  });
});

describe('the plan when the railway tells something of the train', () => {
  const AGREED = 1000;
  const follow: Replan = { kind: 'FOLLOW' };
  const ask = (about: 'LATE' | 'SKIPPED'): Replan => ({ kind: 'ASK', about });
  const refund = (why: 'CANCELLED' | 'SHORT' | 'SKIPPED' | 'SHUT'): Replan => ({ kind: 'REFUND', why });
  const planOf = (food: FoodState, others: number, isStoreOpen: boolean, late: number, told: Partial<HaltNow> = {}) =>
    replan(
      { food, agreedAt: AGREED * MINUTE, others, isStoreOpen },
      {
        isTrainCancelled: false,
        isShort: false,
        isSkipped: false,
        hasArrived: false,
        arrivesAt: (AGREED + late) * MINUTE,
        ...told,
      },
    );

  test.each<[FoodState, number, number, boolean, Replan]>([
    ['WAITING', -60, 0, true, follow],
    ['WAITING', 0, 0, true, follow],
    ['WAITING', 31, 2, true, follow],
    ['WAITING', 120, 2, true, follow],
    ['WAITING', 121, 2, true, ask('LATE')],
    ['WAITING', 121, 0, true, ask('LATE')],
    ['WAITING', 0, 1, false, ask('LATE')],
    ['WAITING', 0, 0, false, refund('SHUT')],
    ['WAITING', 300, 1, false, ask('LATE')],
    ['WAITING', 300, 0, false, refund('SHUT')],
    ['MADE', -60, 0, true, follow],
    ['MADE', 30, 0, true, follow],
    ['MADE', 31, 0, true, ask('LATE')],
    ['MADE', 121, 3, true, ask('LATE')],
    ['MADE', 30, 0, false, follow],
    ['MADE', 31, 0, false, ask('LATE')],
  ])('food that is %s, a train %i min late, %i other stations, store open: %s', (food, late, others, isOpen, plan) => {
    expect(planOf(food, others, isOpen, late)).toEqual(plan);
  });

  test.each<[FoodState, number, Partial<HaltNow>, Replan]>([
    ['WAITING', 2, { isTrainCancelled: true }, refund('CANCELLED')],
    ['MADE', 0, { isTrainCancelled: true }, refund('CANCELLED')],
    ['WAITING', 2, { isTrainCancelled: true, isShort: true, isSkipped: true }, refund('CANCELLED')],
    ['WAITING', 2, { isShort: true }, refund('SHORT')],
    ['MADE', 0, { isShort: true, isSkipped: true }, refund('SHORT')],
    ['WAITING', 1, { isSkipped: true }, ask('SKIPPED')],
    ['WAITING', 0, { isSkipped: true }, refund('SKIPPED')],
    ['MADE', 3, { isSkipped: true }, refund('SKIPPED')],
    ['MADE', 0, { isSkipped: true }, refund('SKIPPED')],
  ])('food that is %s, %i other stations, told %o: %o, however late the train is', (food, others, told, plan) => {
    for (const late of [0, 500]) expect(planOf(food, others, true, late, told)).toEqual(plan);
  });

  it('follows a train that stands there already, whatever else is told of it', () => {
    for (const food of ['WAITING', 'MADE'] as const)
      expect(
        planOf(food, 0, false, 500, { hasArrived: true, isTrainCancelled: true, isShort: true, isSkipped: true }),
      ).toEqual(follow);
  });
});

test.each<[string, FoodState, number, number | null, number]>([
  ['made: half an hour', 'MADE', 900, null, 130],
  ['made: half an hour, even if it can no longer be ordered', 'MADE', 0, null, 130],
  ['made: as it was said before', 'MADE', 900, 107, 107],
  ['not begun: as long as it can be ordered', 'WAITING', 106, null, 106],
  ['not begun: two hours at most', 'WAITING', 900, null, 220],
  ['not begun: as it was said before, which is sooner', 'WAITING', 900, 150, 150],
  ['not begun: as long as it can be ordered, sooner than was said', 'WAITING', 140, 150, 140],
  ['not begun, and only five minutes are left: these', 'WAITING', 105, null, 105],
  ['not begun, and it can no longer be ordered: five minutes', 'WAITING', 50, null, 105],
  ['not begun, and it can no longer be ordered: as it was said before', 'WAITING', 50, 102, 102],
])('an answer is due for food that is %s', (_, food, latest, before, due) => {
  expect(answerBy(100 * MINUTE, food, latest * MINUTE, before === null ? null : before * MINUTE)).toBe(due * MINUTE);
});

test.each<[string, readonly number[], number, readonly number[]]>([
  ['as planned where there is time', [100, 110, 120, 130], 160, [100, 110, 120, 162]],
  ['as planned if the rider comes five minutes before', [100, 110, 120, 130], 125, [100, 110, 120, 127]],
  ['twice as fast if there is half the time', [100, 110, 120, 130], 115, [100, 105, 110, 117]],
  ['four times as fast if there is a quarter', [100, 110, 140, 150], 115, [100, 102.5, 110, 117]],
  ['five times as fast at most', [100, 110, 120, 130], 106, [100, 102, 104, 108]],
  ['handed over after the rider came, if the train stood before', [100, 110, 120, 130], 100, [100, 102, 104, 106]],
  ['at once where nothing is left to do', [100, 100, 130], 50, [100, 100, 102]],
  ['only handed over', [130], 160, [162]],
  ['only handed over, two minutes from now if the train stood before', [130], 90, [102]],
  ['nothing where there are no steps', [], 160, []],
])('steps are %s', (_, times, arrivesAt, fitted) => {
  const inMs = (minutes: readonly number[]) => minutes.map((minute) => minute * MINUTE);
  expect(stepsForTrain(inMs(times), 100 * MINUTE, arrivesAt * MINUTE)).toEqual(inMs(fitted));
});

it('steps fall on whole milliseconds', () => {
  const times = [0, 10 * MINUTE + 1, 20 * MINUTE, 30 * MINUTE];
  expect(stepsForTrain(times, 0, 15 * MINUTE)).toEqual([0, 5 * MINUTE + 1, 10 * MINUTE, 17 * MINUTE]);
});

it('can be cancelled with all the money back until two hours before the train', () => {
  expect(cancelUntil(1000 * MINUTE)).toBe(880 * MINUTE);
});

it('has a letter or digit of the code for each of six bytes, and again from the first when they are used up', () => {
  expect(handOverCodeOf(Uint8Array.of(0, 1, 22, 23, 30, 31, 5))).toBe('ABZ29A');
  expect(handOverCodeOf(Uint8Array.of(8, 10, 12, 61, 62, 255))).toBe('JMP9AH');
});

test.each([
  [' 2612345601 ', '2612345601'],
  ['1000000000', '1000000000'],
  ['9-9-9-9-9-9-9-9-9-9', '9999999999'],
  ['2612345601 a', '2612345601'],
  ['a 2612345601', '2612345601'],
  ['02612345601', null],
  ['26123456012', null],
  ['2612345601,', '2612345601'],
  ['---', null],
])('a typed PNR %j is %j', (typed, pnr) => expect(pnrOf(typed)).toBe(pnr));

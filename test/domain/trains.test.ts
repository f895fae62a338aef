import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  answerBy,
  handOverCodeOf,
  pnrOf,
  replan,
  stepsForTrain,
  typedCode,
  windowOf,
} from '../../src/domain/trains.ts';

const MINUTE = 60_000;

describe('food on trains', () => {
  it('reads a PNR as it is written anywhere, and nothing else', () => {
    expect(['261-2345601', '261 234 5601', '२६१२३४५६०१'].map(pnrOf)).toEqual([
      '2612345601',
      '2612345601',
      '2612345601',
    ]);
    expect(['261234560', '26123456011', '0612345601', '26123456o1', '', '+912612345601'].map(pnrOf)).toEqual(
      Array.from({ length: 6 }, () => null),
    );
  });

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
    expect(typedCode(' ab2-9 xz')).toBe('AB29XZ');
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

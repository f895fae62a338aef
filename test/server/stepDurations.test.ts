import { describe, expect, test } from 'vitest';
import { countryConfig } from '../../country/index.ts';
import * as text from '#text/server.ts';
import { arrivalMinutes, promiseNow } from '../../src/server/rules/order/arrival.ts';
import { etaOf, type EtaFacts } from '../../src/server/rules/order/eta.ts';
import { fromStatuses, leadMs, lifeOf, serviceContent, targetOf } from '../../src/server/rules/order/orders.ts';
import { drawOf, usualOf } from '../../src/server/rules/order/stepDurations.ts';
import type { SeedStore } from '../../src/server/store/seeds.ts';

const at = (time: string) => Date.parse(`2026-11-25T${time}:00+05:30`);
const store = { prepMinutes: 12, minutesPerKm: 3 };
const MINUTE_MS = 60_000;
/** The step that a shift of the stated time is put down to. */
type Named = Parameters<typeof text.etaLater>[0]['step'];

test('an order usually takes the kitchen its time, and the way its kilometres at the pace of the hour', () => {
  const usual = (time: string, km: number | null) => usualOf(store, km, at(time), 'Asia/Kolkata');
  expect(usual('15:00', null)).toEqual({ kitchenMs: 12 * MINUTE_MS, wayMs: 2 * MINUTE_MS });
  // Two minutes at the door are part of every way; the streets are full from one minute to another.
  const [calm, full, night] = [14, 17, 12.2];
  for (const [minutes, ...times] of [
    [calm, '06:00', '12:29', '14:30', '18:29', '21:00', '22:59'],
    [full, '12:30', '14:29', '18:30', '20:59'],
    [night, '23:00', '05:59'],
  ] as const)
    for (const time of times) expect([time, usual(time, 4).wayMs / MINUTE_MS]).toEqual([time, minutes]);
});

test('paces spread evenly around the usual one, and an order keeps its own at each step', () => {
  const of = (id: string) => Array.from({ length: 7 }, (_, step) => drawOf(id)(step));
  expect(of('ord_a')).toEqual(of('ord_a'));
  expect(new Set([...of('ord_a'), ...of('ord_b')]).size).toBe(14);
  const many = Array.from({ length: 500 }, (_, n) => drawOf(`ord_${n}`)(3));
  expect(Math.abs(many.reduce((sum, z) => sum + z, 0) / 500)).toBeLessThan(0.2);
  expect(Math.max(...many)).toBeGreaterThan(2);
  expect(Math.min(...many)).toBeLessThan(-2);
});

describe('the steps of an order', () => {
  const { orderTimeline } = serviceContent('IN');
  const seconds = (steps: ReturnType<typeof lifeOf>) => steps.map((step) => Math.round(step.at / 1000));

  test.each([
    ['DELIVERY', 'DELIVERED', 1440],
    ['IRCTC', 'DELIVERED', 1440],
    ['PICKUP', 'READY', 690],
    ['CURB', 'READY', 690],
    ['DINEIN', 'READY', 690],
  ] as const)('%s: the customer waits for %s, which takes %d seconds', (service, id, lead) => {
    const steps = lifeOf(orderTimeline, service, 5000, { delayMs: 0 });
    expect(steps[targetOf(steps)]?.id).toBe(id);
    expect(leadMs(steps)).toBe(lead * 1000);
    expect(steps[0]?.at).toBe(5000);
  });

  test('a full kitchen is waited for before it begins, and not once more', () => {
    const waited = lifeOf(orderTimeline, 'DELIVERY', 0, { delayMs: 100_000 });
    expect(seconds(waited)).toEqual([0, 20, 180, 340, 700, 790, 1540]);
    expect(waited.filter(({ stage }) => stage === 'PREP').map(({ usualMs }) => usualMs)).toEqual([160_000]);
  });

  test('the kitchen and the way take their own time, each by its share', () => {
    const own = { kitchenMs: 690_000, wayMs: 400_000, draw: () => 0 };
    expect(seconds(lifeOf(orderTimeline, 'DELIVERY', 0, { delayMs: 0, own }))).toEqual([
      0, 20, 80, 240, 600, 690, 1090,
    ]);
    const twice = { ...own, kitchenMs: 1_380_000 };
    expect(seconds(lifeOf(orderTimeline, 'DELIVERY', 0, { delayMs: 0, own: twice }))).toEqual([
      0, 40, 160, 480, 1200, 1380, 1780,
    ]);
    // Who collects it decides when.
    expect(seconds(lifeOf(orderTimeline, 'PICKUP', 0, { delayMs: 0, own: twice }))).toEqual([
      0, 40, 160, 480, 1200, 1380, 1890,
    ]);
  });

  test('however fast a kitchen is, it begins a minute after the confirmation at the earliest', () => {
    const draw = (step: number) => (step === 1 ? 2 : -4);
    const own = { kitchenMs: 690_000, wayMs: 400_000, draw };
    const steps = lifeOf(orderTimeline, 'DELIVERY', 0, { delayMs: 0, own });
    const of = (stage: string) => steps.find((step) => step.stage === stage)!;
    expect(of('PREP').at - of('CONFIRMED').at).toBe(60_000);
    // A quarter more for each standard deviation.
    expect(of('CONFIRMED').at).toBe(Math.round(20_000 * Math.exp(0.5)));
    expect(of('BAKE').at - of('PREP').at).toBe(Math.round(160_000 * Math.exp(-1)));
    expect(of('CONFIRMED').usualMs).toBe(20_000);
  });

  test.each([
    ['PENDING', []],
    ['ORDER PLACED', ['ADVANCE ORDER', 'ORDER PLACED', 'PENDING']],
    ['ADVANCE ORDER', ['PENDING']],
    ['INPROCESS', ['INPROCESS', 'ORDER PLACED']],
    ['PICKED UP', ['INPROCESS']],
    ['PICKED', ['INPROCESS']],
    ['DELIVERED', ['PICKED UP']],
    ['FAILED', ['PENDING']],
  ] as const)('an order comes to %s from %j alone', (to, from) => {
    expect([...new Set(fromStatuses(to))].sort()).toEqual(from);
  });
});

describe('what a store says it takes', () => {
  const india = countryConfig('in');
  const here = { prepMinutes: 12, minutesPerKm: 3, deliveryRadiusKm: 6 } as SeedStore;
  const noon = at('15:00');
  test.each([
    ['DELIVERY', 0, 0, { from: 12, to: 17 }, 30],
    ['DELIVERY', 3, 0, { from: 20, to: 28 }, 30],
    // Somewhere in the area: half way to its edge.
    ['DELIVERY', null, 0, { from: 20, to: 28 }, 30],
    // Too far for the promise.
    ['DELIVERY', 6, 0, { from: 26, to: 40 }, null],
    ['DELIVERY', 3, 600_000, { from: 29, to: 40 }, null],
    // Nobody waits for a way.
    ['PICKUP', null, 0, { from: 10, to: 15 }, null],
    ['PICKUP', 5, 0, { from: 10, to: 15 }, null],
    ['CURB', 5, 0, { from: 10, to: 15 }, null],
    ['DINEIN', 5, 0, { from: 10, to: 15 }, null],
  ] as const)('%s over %s km in a kitchen with %d ms to wait: %j minutes', (type, km, delayMs, minutes, promise) => {
    expect(arrivalMinutes(india, here, type, { km, now: noon, delayMs })).toEqual(minutes);
    expect(promiseNow(india, type, minutes, noon)).toBe(promise);
  });
  test('the promise is given as long as the middle of what it takes is within it', () => {
    expect(promiseNow(india, 'DELIVERY', { from: 25, to: 35 }, noon)).toBe(30);
    expect(promiseNow(india, 'DELIVERY', { from: 26, to: 35 }, noon)).toBeNull();
  });
});

describe('the stated time', () => {
  const steps = lifeOf(serviceContent('IN').orderTimeline, 'DELIVERY', 0, { delayMs: 0 });
  const ids = steps.map(({ id }) => id);
  /** Everything until this step took as long as usual. */
  const facts = (id: string, more: Partial<EtaFacts> = {}): EtaFacts => {
    const index = ids.indexOf(id);
    const { status, stage } = steps[index]!;
    return {
      status,
      stage,
      steps,
      doneAt: steps.map((step, n) => (n <= index ? step.at : null)),
      startsAt: 0,
      delayMs: 0,
      distanceKm: null,
      progress: null,
      first: null,
      ...more,
    };
  };
  const minutes = ({ from, to }: { from: number; to: number }) => [from / MINUTE_MS, to / MINUTE_MS];

  test.each([
    ['ORDER PLACED', {}, text.etaKeepsUp],
    ['ORDER PLACED', { delayMs: 29_000 }, text.etaKeepsUp],
    ['ORDER PLACED', { delayMs: 30_000 }, text.etaBusy({ minutes: 1 })],
    ['PREP', { delayMs: 300_000 }, text.etaBusy({ minutes: 5 })],
    ['ORDER PLACED', { status: 'ADVANCE ORDER', startsAt: 900_000, doneAt: steps.map(() => null) }, text.etaBooked],
    ['QC', { stage: 'READY', delayMs: 300_000 }, text.etaReady],
    ['PICKED UP', { distanceKm: 4, progress: 0.5 }, text.etaToGo({ km: 2 })],
    ['PICKED UP', { distanceKm: 4, progress: 1 }, text.etaOnItsWay],
    ['PICKED UP', { distanceKm: 4 }, text.etaOnItsWay],
    ['PICKED UP', { progress: 0.5 }, text.etaOnItsWay],
  ] as const)('after %s, %j: "%s"', (id, more, reason) => {
    const own = facts(id, more);
    expect(etaOf(own, 0)).toMatchObject({ reason, rate: 0.8 });
    expect(etaOf(own, 0)).not.toHaveProperty('moved');
  });

  test.each(['PENDING', 'DELIVERED', 'PICKED', 'CANCELLED', 'FAILED'] as const)('%s has none', (status) => {
    expect(etaOf(facts('ORDER PLACED', { status }), 0)).toBeNull();
  });

  test('an order for later is expected from when it begins', () => {
    const own = (startsAt: number) => ({
      ...facts('ORDER PLACED', { status: 'ADVANCE ORDER' as const, startsAt, doneAt: steps.map(() => null) }),
    });
    const soon = minutes(etaOf(own(0), 0)!);
    expect(soon).toEqual([20, 30]);
    expect(minutes(etaOf(own(90 * MINUTE_MS), 0)!)).toEqual(soon.map((minute) => minute + 90));
  });

  test('on the way what is left of it counts, however long ago the rider left', () => {
    const own = facts('PICKED UP', { progress: 0.5, distanceKm: 3 });
    // 12.5 minutes usually: half of them, between a fifth less and a quarter more, and half a minute for rounding.
    expect(minutes(etaOf(own, 20 * MINUTE_MS)!)).toEqual([25, 29]);
    expect(minutes(etaOf({ ...own, progress: 0 }, 20 * MINUTE_MS)!)).toEqual([29, 37]);
    expect(minutes(etaOf({ ...own, progress: 1 }, 20 * MINUTE_MS)!)).toEqual([20, 21]);
  });

  test('what is ready, or at the door, is there within the minute', () => {
    const pickup = lifeOf(serviceContent('IN').orderTimeline, 'PICKUP', 0, { delayMs: 0 });
    const own = {
      ...facts('QC'),
      status: 'INPROCESS' as const,
      stage: 'READY',
      steps: pickup,
      doneAt: pickup.map((step) => (step.status === 'PICKED' ? null : step.at)),
      // However late that is, nothing moves any more.
      first: { from: 0, to: MINUTE_MS },
    };
    const now = 700_000;
    expect(etaOf(own, now)).toEqual({ from: now, to: now + MINUTE_MS, rate: 0.8, reason: text.etaReady });
  });

  test.each([
    // Of a way of 12.5 minutes: as it usually is, and what is still possible when it has lasted so long already.
    [0, [9.5, 17.5]],
    [6, [3.5, 11.5]],
    [12.5, [0, 6]],
    [25, [0.5, 4.5]],
  ])('a way without a position that has lasted %d minutes takes %j more', (lasted, more) => {
    const own = facts('PICKED UP');
    const left = own.doneAt[ids.indexOf('PICKED UP')]!;
    const now = left + lasted * MINUTE_MS;
    const { from, to } = etaOf(own, now)!;
    expect([(from - now) / MINUTE_MS, (to - now) / MINUTE_MS]).toEqual(more);
  });

  describe('moved since it was first said', () => {
    const own = facts('BAKE');
    const now = own.doneAt[ids.indexOf('BAKE')]!;
    const { from, to } = etaOf(own, now)!;
    test('by a minute nothing is said, by two that it is later or sooner', () => {
      const saidOf = (by: number) => {
        const first = { from: from - by * MINUTE_MS, to: to - by * MINUTE_MS };
        return etaOf({ ...own, first }, now)!.moved;
      };
      expect([0, 1, -1].map(saidOf)).toEqual([undefined, undefined, undefined]);
      for (const by of [2, 9]) {
        expect(saidOf(by)).toMatch(new RegExp(`${by} minutes later`));
        expect(saidOf(-by)).toMatch(new RegExp(`${by} minutes sooner`));
      }
    });
    test.each<[Readonly<Record<string, number>>, Named, number]>([
      // The oven took ten minutes more, the dough one: the oven is named.
      [{ PREP: 60_000, BAKE: 660_000 }, 'BAKE', 0],
      [{ CONFIRMED: 300_000, BAKE: 120_000 }, 'CONFIRMED', 0],
      [{ PREP: 400_000 }, 'PREP', 0],
      // The check goes on already, and is late.
      [{}, 'QC', 900_000],
    ])('by what took %j longer: %s is named', (longer, step, goesOn) => {
      let sum = 0;
      const doneAt = own.doneAt.map((done, n) => {
        sum += longer[ids[n]!] ?? 0;
        return done === null ? null : done + sum;
      });
      const first = { from: from - 30 * MINUTE_MS, to: to - 30 * MINUTE_MS };
      const eta = etaOf({ ...own, doneAt, first }, now + sum + goesOn)!;
      const minutes = Math.round(((eta.from + eta.to) / 2 - (first.from + first.to) / 2) / MINUTE_MS);
      expect(eta.moved).toBe(text.etaLater({ minutes, step }));
      expect(eta.reason).toBe('');
    });
    test('by a rider who is waited for: that is named', () => {
      const ready = facts('QC');
      const at = ready.doneAt[ids.indexOf('QC')]! + 20 * MINUTE_MS;
      const { moved } = etaOf({ ...ready, first: { from, to } }, at)!;
      expect(moved).toBe(text.etaLater({ minutes: 19, step: 'PICKED_UP' }));
    });
    test('sooner by a step that was quick, and not by one that has only begun', () => {
      const first = { from: from + 10 * MINUTE_MS, to: to + 10 * MINUTE_MS };
      const said = (step: Named) => text.etaSooner({ minutes: 10, step });
      // All as usual so far: none was quick.
      expect(etaOf({ ...own, first }, now)).toMatchObject({ moved: said('UNKNOWN'), reason: text.etaKeepsUp });
      const doneAt = own.doneAt.map((done, n) => (ids[n] === 'BAKE' ? done! - 90_000 : done));
      const quick = etaOf({ ...own, doneAt }, now - 90_000)!;
      const gone = { from: quick.from + 10 * MINUTE_MS, to: quick.to + 10 * MINUTE_MS };
      expect(etaOf({ ...own, doneAt, first: gone, delayMs: 300_000 }, now - 90_000)).toMatchObject({
        moved: said('BAKE'),
        reason: '',
      });
    });
  });
});

import { expect, test } from 'vitest';
import { resultText, type CampaignResult } from '../../src/server/rules/experiments/results.ts';
import { differenceOf, ratioCheck, tauOf, visitorsNeeded } from '../../src/server/rules/experiments/statistics.ts';

const ALPHA = 0.05;
const BASE = 0.1;
const EFFECT = 0.02;

/** Numbers in [0, 1), the same in every run (xorshift32). */
function draws(seed: number): () => number {
  let state = seed;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}
const sample = () => ({ visitors: 0, sum: 0, squares: 0 });
type Sample = ReturnType<typeof sample>;
const add = (to: Sample, value: number) => {
  to.visitors += 1;
  to.sum += value;
  to.squares += value * value;
};
const LOOKS = 40;
const sequential = (tau: number) => (control: Sample, other: Sample) =>
  differenceOf(control, other, tau, ALPHA)?.isFound === true;
/** The test of a textbook, which may be looked at once. */
const textbook = (control: Sample, other: Sample) => {
  const [p, q] = [control.sum / control.visitors, other.sum / other.visitors];
  const spread = Math.sqrt((p * (1 - p)) / control.visitors + (q * (1 - q)) / other.visitors);
  return Math.abs(q - p) > 1.96 * spread;
};

// These numbers were worked out apart from the code: by the sums and error functions that chi-square has for whole
// degrees of freedom, and by the formula at the head of statistics.ts.
test.each([
  ['as even as it can be', [100, 100], [1, 1], 1],
  ['two, a little uneven', [52, 48], [1, 1], 0.689_156_516_8],
  ['two, at the edge of chance', [5_100, 4_900], [50, 50], 0.045_500_263_9],
  ['two, beyond all chance', [6_000, 4_000], [50, 50], 5.507_248e-89],
  ['nobody came to one', [0, 10], [1, 9], 0.291_840_545_1],
  ['three weights', [720, 190, 90], [70, 20, 10], 0.354_972_738_4],
  ['four', [300, 300, 300, 330], [25, 25, 25, 25], 0.532_909_833_7],
  ['five, far off', [1_000, 1_100, 900, 1_050, 950], [20, 20, 20, 20, 20], 5.030_981_782e-5],
  ['six, close', [10, 12, 9, 11, 8, 10], [1, 1, 1, 1, 1, 1], 0.962_565_757_3],
  ['eleven', [120, 80, 100, 95, 105, 100, 99, 101, 130, 70, 100], Array(11).fill(1), 0.003_100_307_657],
  ['one that nobody is sent to, and nobody saw', [5, 5, 0], [50, 50, 0], 1],
  ['one alone', [10], [100], 1],
  ['one alone beside one that nobody is sent to', [10, 0], [100, 0], 1],
  ['one that nobody is sent to, and somebody saw', [5, 5, 1], [50, 50, 0], 0],
] as [string, number[], number[], number][])(
  'how likely a split of visitors is: %s',
  (_, visitors, weights, probability) => {
    const found = ratioCheck(visitors.map((count, index) => ({ visitors: count, weight: weights[index]! })));
    expect(Math.abs(found - probability)).toBeLessThanOrEqual(1e-6 * probability);
  },
);

test('the interval of a difference is the one of the formula, and there is none where nothing differs or nobody came', () => {
  const of = (visitors: number, sum: number, squares = sum) => ({ visitors, sum, squares });
  for (const [control, other, tau, alpha, difference, from, to, isFound] of [
    [of(1_000, 100), of(1_000, 150), 0.013, 0.05, 0.05, -0.007_151_102_7, 0.107_151_102_7, false],
    [of(20_000, 2_000), of(20_000, 2_400), 0.013, 0.05, 0.02, 0.010_405_680_06, 0.029_594_319_94, true],
    [of(500, 60), of(800, 40), 0.013, 0.0125, -0.07, -0.150_681_078_6, 0.010_681_078_56, false],
    [of(20_000, 2_400), of(20_000, 2_000), 0.013, 0.05, -0.02, -0.029_594_319_94, -0.010_405_680_06, true],
    [of(1_000, 3e7, 2e12), of(900, 3.3e7, 2.5e12), 780, 0.05, 6_666.666_667, -2_846.827_882, 16_180.161_22, false],
  ] as const) {
    const found = differenceOf(control, other, tau, alpha)!;
    for (const [own, said] of [
      [found.difference, difference],
      [found.from, from],
      [found.to, to],
    ] as const)
      expect(own / said).toBeCloseTo(1, 6);
    expect(found.isFound).toBe(isFound);
  }
  expect(tauOf(0.02)).toBeCloseTo(0.013, 12);
  expect(differenceOf(of(0, 0), of(10, 5), 0.013, 0.05)).toBeNull();
  expect(differenceOf(of(10, 5), of(0, 0), 0.013, 0.05)).toBeNull();
  expect(differenceOf(of(10, 10), of(20, 20), 0.013, 0.05)).toBeNull();
  // Sums of money that round to a little less than they are say no less than nothing of how much they differ.
  expect(differenceOf(of(10, 10, 9.999_999_9), of(20, 20, 19.999_999_9), 0.013, 0.05)).toBeNull();
});

test.each([
  [{ base: 0.1, effect: 0.02, alpha: 0.05, power: 0.8 }, 1, 7_369],
  [{ base: 0.1, effect: 0.02, alpha: 0.05, power: 0.8 }, 4, 9_267],
  [{ base: 0.1, effect: -0.02, alpha: 0.05, power: 0.8 }, 1, 6_164],
  [{ base: 0.3, effect: 0.05, alpha: 0.05, power: 0.9 }, 2, 3_642],
  [{ base: 0.05, effect: 0.01, alpha: 0.01, power: 0.8 }, 1, 20_319],
  [{ base: 0.02, effect: 0.01, alpha: 0.05, power: 0.3 }, 1, 3_344],
  [{ base: 0.1, effect: 0.02, alpha: 0.05, power: 0.4 }, 1, 3_984],
])('to find %o among %i comparisons takes so many visitors in each: %i', (plan, comparisons, needed) => {
  expect(visitorsNeeded(plan, comparisons)).toBe(needed);
});

test('a split that the weights do not explain is found, and one that they do is not', () => {
  const draw = draws(99);
  const counts = (shares: readonly number[]) => {
    const visitors = shares.map(() => 0);
    for (let one = 0; one < 50_000; one += 1) {
      let left = draw();
      let index = 0;
      while (index < shares.length - 1 && left >= shares[index]!) left -= shares[index++]!;
      visitors[index]! += 1;
    }
    return visitors.map((number, index) => ({ visitors: number, weight: [50, 30, 20][index]! }));
  };
  const alarms = Array.from({ length: 300 }, () => ratioCheck(counts([0.5, 0.3, 0.2]))).filter((p) => p < 0.001);
  expect(alarms.length).toBeLessThanOrEqual(3);
  // One in thirty of a variation's visitors never tells of itself.
  expect(ratioCheck(counts([0.5, 0.3, 0.2].map((share, index) => (index === 0 ? share - 0.017 : share))))).toBeLessThan(
    0.001,
  );
  // A variation that nobody was to see.
  expect(
    ratioCheck([
      { visitors: 100, weight: 100 },
      { visitors: 1, weight: 0 },
    ]),
  ).toBe(0);
  expect(
    ratioCheck([
      { visitors: 0, weight: 50 },
      { visitors: 0, weight: 50 },
    ]),
  ).toBe(1);
  // By the tables of chi-square: 3.841 with one degree of freedom is 0.05, 9.488 with four.
  const even = 10_000;
  const off = Math.sqrt(3.841_459 * (even / 4));
  expect(
    ratioCheck([
      { visitors: even / 2 + off, weight: 1 },
      { visitors: even / 2 - off, weight: 1 },
    ]),
  ).toBeCloseTo(0.05, 4);
});

test('of 300 experiments without a difference at most 5 % ever show one in 40 looks; the textbook test far more', () => {
  const draw = draws(20_261_123);
  const people = 200_000;
  // Orders differ much: most are small, some are five times as large.
  const paid = Array.from({ length: people }, () => (draw() < BASE ? 30_000 + Math.round(120_000 * draw() ** 3) : 0));
  const tests = {
    conversion: sequential(tauOf(EFFECT)),
    revenue: sequential(tauOf(EFFECT * 60_000)),
    textbook,
  };
  const experiments = 300;
  const wrong = { conversion: 0, revenue: 0, textbook: 0 };
  for (let run = 0; run < experiments; run += 1) {
    const [converted, money] = [
      [sample(), sample()],
      [sample(), sample()],
    ] as const;
    const found = new Set<keyof typeof wrong>();
    for (const [index, amount] of paid.entries()) {
      const side = draw() < 0.5 ? 0 : 1;
      add(converted[side], amount > 0 ? 1 : 0);
      add(money[side], amount);
      if ((index + 1) % (people / LOOKS) !== 0) continue;
      for (const name of ['conversion', 'textbook'] as const) if (tests[name](...converted)) found.add(name);
      if (tests.revenue(...money)) found.add('revenue');
    }
    for (const name of found) wrong[name] += 1;
  }
  expect(wrong.conversion / experiments).toBeLessThanOrEqual(ALPHA);
  expect(wrong.revenue / experiments).toBeLessThanOrEqual(ALPHA);
  expect(wrong.textbook / experiments).toBeGreaterThan(4 * ALPHA);
});

test('experiments with the planned effect and number of visitors find it as often as stated', () => {
  const power = 0.8;
  const each = visitorsNeeded({ base: BASE, effect: EFFECT, alpha: ALPHA, power }, 1);
  const draw = draws(7);
  const isFound = sequential(tauOf(EFFECT));
  const experiments = 300;
  let found = 0;
  for (let run = 0; run < experiments; run += 1) {
    const [control, other] = [sample(), sample()];
    for (let visitor = 1; visitor <= each; visitor += 1) {
      add(control, draw() < BASE ? 1 : 0);
      add(other, draw() < BASE + EFFECT ? 1 : 0);
      if ((visitor % Math.ceil(each / LOOKS) === 0 || visitor === each) && isFound(control, other)) {
        found += 1;
        break;
      }
    }
  }
  expect(found / experiments).toBeGreaterThanOrEqual(power);
  // It does not take many times what a test needs that is looked at once (3,841).
  expect(each).toBeLessThan(3 * 3_841);
});

const variation = { id: 0, name: 'Old', weight: 50, visitors: 0, mixed: 0, converted: 0, revenue: 0 };
/** A result of an experiment in India, with what a test is about. */
function resultOf(change: Partial<CampaignResult>): CampaignResult {
  return {
    campaign: {
      key: 'card-look',
      country: 'IN',
      status: 'RUNNING',
      percentTraffic: 20,
      startedAt: Date.parse('2026-11-02T10:00:00Z'),
      stoppedAt: null,
      variations: [{}, {}, {}],
      plan: { alpha: 0.05, power: 0.8, base: 0.1, effect: 0.02, orderValue: 50_000 },
    } as unknown as CampaignResult['campaign'],
    visitors: 123_456,
    ratio: 0.4321,
    isSplitBroken: false,
    needed: 5_000,
    goals: [],
    ...change,
  };
}

test('whoever runs an experiment reads who came, whether the split is right, and what each variation has done', () => {
  const goals: CampaignResult['goals'] = [
    {
      goal: 'orders',
      hasRevenue: true,
      variations: [
        {
          ...variation,
          visitors: 2_000,
          mixed: 3,
          converted: 200,
          revenue: 10_000_000,
          conversion: null,
          perVisitor: null,
        },
        {
          ...variation,
          ...{ id: 1, name: 'New', visitors: 1_000, mixed: 4, converted: 150, revenue: 4_000_050 },
          conversion: { difference: 0.05, from: 0.01, to: 0.0912, isFound: true },
          perVisitor: { difference: -1_000, from: -2_050, to: 100, isFound: false },
        },
        { ...variation, id: 2, name: 'Newer', conversion: null, perVisitor: null },
      ],
    },
    {
      goal: 'menu',
      hasRevenue: false,
      variations: [
        { ...variation, visitors: 4, converted: 1, conversion: null, perVisitor: null },
        {
          ...variation,
          ...{ id: 1, name: 'New', visitors: 8, converted: 1 },
          conversion: { difference: -0.02, from: -0.03, to: -0.01, isFound: true },
          perVisitor: null,
        },
      ],
    },
  ];
  expect(resultText(resultOf({ goals })).split('\n')).toEqual([
    'IN  card-look  RUNNING, 20 % of visitors, 3 variations, from 2026-11-02 to -',
    '  1,23,456 visitors, and 7 who saw several variations and are left out',
    '  split as the weights say (chi-square, p 0.432)',
    '  orders',
    '    0 Old (control): 2,000 visitors, 200 = 10.00 %, ₹1,00,000, ₹50 a visitor',
    '    1 New: 1,000 visitors, 150 = 15.00 %, ₹40,000.50, ₹40 a visitor',
    '      conversion +5.00 points, between +1.00 points and +9.12 points: MORE',
    '      a visitor pays −₹10, between −₹20.50 and +₹1: no difference shown so far',
    '    2 Newer: 0 visitors, 0 = -',
    '      not compared before 25 visitors of it and of the control have done it',
    '  menu',
    '    0 Old (control): 4 visitors, 1 = 25.00 %',
    '    1 New: 8 visitors, 1 = 12.50 %',
    '      conversion −2.00 points, between −3.00 points and −1.00 points: LESS',
    '  May be looked at every day: normal mixture sequential test, wrong in at most 5 % of experiments without a difference, 2 comparisons together.',
    '  Finds +2.00 points on 10 % in 80 % of experiments, with 5,000 visitors in each variation.',
  ]);
});

test('a split that is not as the weights say is told before anything else, and nobody is left out where nobody is mixed', () => {
  const told = resultText(resultOf({ ratio: 0.00004, isSplitBroken: true, visitors: 12 })).split('\n');
  expect(told.slice(1, 3)).toEqual([
    '  12 visitors',
    '  BROKEN SPLIT: visitors did not come as the weights say (p 4.0e-5). Believe nothing below before that is explained.',
  ]);
});

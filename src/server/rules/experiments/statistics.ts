/**
 * The statistics of an experiment. Pure.
 *
 * The interval of a difference may be looked at every day, for as long as somebody likes, and stopped at any of those
 * looks: it is a confidence sequence. With d the difference of two means, V the variance of d, and a normal mixture
 * N(0, tau²) over what the true difference may be, the likelihood ratio
 *
 *     L = sqrt(V / (V + tau²)) * exp(tau² d² / (2 V (V + tau²)))
 *
 * is 1 on average where there is no difference, and reaches 1 / alpha at some time in at most alpha of such experiments
 * (Ville's inequality). So everything is within d ± sqrt(V (V + tau²) / tau² * (2 ln(1 / alpha) + ln((V + tau²) / V))).
 * Sources: Robbins 1970 (Ann. Math. Statist. 41:1397); Johari, Koomen, Pekelis, Walsh 2022, "Always Valid Inference"
 * (Oper. Res. 70:1806), equation for the mSPRT; Waudby-Smith, Arbour, Sinha, Kennedy, Ramdas 2024, "Time-uniform central
 * limit theory and asymptotic confidence sequences" (Ann. Statist. 52:2613), why it holds with an estimated V for large
 * samples: hence LEAST_CONVERTED.
 */
import { normalBelow } from '../../../domain/normal.ts';

/** Figures of one variation: sums over its visitors. */
export interface Sample {
  readonly visitors: number;
  readonly sum: number;
  readonly squares: number;
}
export interface Difference {
  readonly difference: number;
  readonly from: number;
  readonly to: number;
  /** Whether the interval leaves 0 out. */
  readonly isFound: boolean;
}

/** Below so many who did it, in each of two variations, their difference is not normal, and nothing is said. */
export const LEAST_CONVERTED = 25;
/** Best value of tau for an effect, near the sample size at which it is found (Howard et al. 2021, section 3.5). */
const TAU_OF_EFFECT = 0.65;

export const tauOf = (effect: number): number => TAU_OF_EFFECT * effect;

/** Half the width of the interval of a difference with this variance. */
function radius(variance: number, tau: number, alpha: number): number {
  const wide = variance + tau * tau;
  return Math.sqrt(((variance * wide) / (tau * tau)) * (2 * Math.log(1 / alpha) + Math.log(wide / variance)));
}

const mean = ({ sum, visitors }: Sample) => sum / visitors;
const varianceOfMean = (sample: Sample) =>
  Math.max(0, sample.squares / sample.visitors - mean(sample) ** 2) / sample.visitors;

/** By how much a variation's mean differs from the control's; null where both are always the same. */
export function differenceOf(control: Sample, other: Sample, tau: number, alpha: number): Difference | null {
  if (control.visitors === 0 || other.visitors === 0) return null;
  const variance = varianceOfMean(control) + varianceOfMean(other);
  if (!(variance > 0)) return null;
  const difference = mean(other) - mean(control);
  const half = radius(variance, tau, alpha);
  return { difference, from: difference - half, to: difference + half, isFound: Math.abs(difference) > half };
}

/**
 * How many visitors each variation needs so that an effect is found with this probability. Somewhat too many: looks
 * before the last one may find it, too.
 */
export function visitorsNeeded(
  { base, effect, alpha, power }: { base: number; effect: number; alpha: number; power: number },
  comparisons: number,
): number {
  const spread = base * (1 - base) + (base + effect) * (1 - base - effect);
  const isEnough = (visitors: number) => {
    const variance = spread / visitors;
    const half = radius(variance, tauOf(effect), alpha / comparisons);
    return normalBelow((Math.abs(effect) - half) / Math.sqrt(variance)) >= power;
  };
  let most = 100;
  while (!isEnough(most)) most *= 2;
  let least = most / 2;
  while (most - least > 1) {
    const middle = Math.floor((least + most) / 2);
    if (isEnough(middle)) most = middle;
    else least = middle;
  }
  return most;
}

/** Upper incomplete gamma function Q(a, x), by series or continued fraction (Numerical Recipes, section 6.2). */
function gammaAbove(a: number, x: number): number {
  if (x <= 0) return 1;
  const front = Math.exp(a * Math.log(x) - x - logGamma(a));
  if (x < a + 1) {
    let term = 1 / a;
    let sum = term;
    for (let n = 1; n < 500 && Math.abs(term) > Math.abs(sum) * 1e-14; n += 1) {
      term *= x / (a + n);
      sum += term;
    }
    return 1 - sum * front;
  }
  let b = x + 1 - a;
  let c = 1e300;
  let d = 1 / b;
  let fraction = d;
  for (let n = 1; n < 500; n += 1) {
    const step = -n * (n - a);
    b += 2;
    d = 1 / (step * d + b);
    c = b + step / c;
    fraction *= d * c;
    if (Math.abs(d * c - 1) < 1e-14) break;
  }
  return fraction * front;
}

/** Natural logarithm of the gamma function (Lanczos). */
function logGamma(x: number): number {
  const series = [
    76.180_091_729_471_46, -86.505_320_329_416_8, 24.014_098_240_830_91, -1.231_739_572_450_155,
    0.001_208_650_973_866_179, -0.000_005_395_239_384_953,
  ];
  const t = x + 5.5;
  const sum = series.reduce((all, part, index) => all + part / (x + index + 1), 1.000_000_000_190_015);
  return (x + 0.5) * Math.log(t) - t + Math.log((2.506_628_274_631 * sum) / x);
}

/** Below it the split is taken as broken: what is measured then compares different people. */
export const BROKEN_SPLIT = 0.001;

/**
 * Sample-ratio check: whether visitors came to the variations as their weights say (Pearson's chi-square with k - 1
 * degrees of freedom; Fabijan et al. 2019, "Diagnosing sample ratio mismatch").
 * @returns the probability of a split as odd as this one, 1 where there is nothing to compare
 */
export function ratioCheck(counts: readonly { readonly visitors: number; readonly weight: number }[]): number {
  const asked = counts.filter(({ weight }) => weight > 0);
  if (counts.some(({ weight, visitors }) => weight <= 0 && visitors > 0)) return 0;
  const visitors = asked.reduce((sum, one) => sum + one.visitors, 0);
  const weights = asked.reduce((sum, one) => sum + one.weight, 0);
  if (visitors === 0 || asked.length < 2) return 1;
  const square = asked.reduce((sum, one) => {
    const expected = (visitors * one.weight) / weights;
    return sum + (one.visitors - expected) ** 2 / expected;
  }, 0);
  return gammaAbove((asked.length - 1) / 2, square / 2);
}

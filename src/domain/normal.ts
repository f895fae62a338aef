/** The share of the standard normal distribution below `z` (Abramowitz and Stegun 26.2.17, error below 7.5e-8). */
export function normalBelow(z: number): number {
  const t = 1 / (1 + 0.231_641_9 * Math.abs(z));
  const density = Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI);
  const above =
    density *
    t *
    (0.319_381_53 + t * (-0.356_563_782 + t * (1.781_477_937 + t * (-1.821_255_978 + t * 1.330_274_429))));
  return z > 0 ? 1 - above : above;
}

/**
 * The inverse of `normalBelow` (Acklam's rational approximation, relative error 1e-9); `share` strictly between 0 and 1.
 */
export function normalAt(share: number): number {
  const a = [
    -39.69683028665376, 220.9460984245205, -275.9285104469687, 138.357751867269, -30.66479806614716, 2.506628277459239,
  ];
  const b = [-54.47609879822406, 161.5858368580409, -155.6989798598866, 66.80131188771972, -13.28068155288572];
  const c = [
    -0.007784894002430293, -0.3223964580411365, -2.400758277161838, -2.549732539343734, 4.374664141464968,
    2.938163982698783,
  ];
  const d = [0.007784695709041462, 0.3224671290700398, 2.445134137142996, 3.754408661907416];
  const of = (factors: readonly number[], x: number, last: number) =>
    factors.reduce((sum, factor) => sum * x + factor, 0) * last;
  if (share < 0.02425 || share > 0.97575) {
    const q = Math.sqrt(-2 * Math.log(Math.min(share, 1 - share)));
    const z = of(c, q, 1) / (of(d, q, q) + 1);
    return share < 0.5 ? z : -z;
  }
  const q = share - 0.5;
  const r = q * q;
  return of(a, r, q) / (of(b, r, r) + 1);
}

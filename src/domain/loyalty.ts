/** An entry of the points ledger by title; amounts of one title are added up. */
export interface PointsEntry { readonly title: string; readonly amount: number }

export const POINTS_TITLES = ['Promo Points', 'Refund Points', 'Pizza Pals Points'] as const;

/** Amounts of promo, refund and pizza-pals in that order, joined by ', '; absent is 0 (specification section 3, product.md C05). */
export function pointsSummary(entries: readonly PointsEntry[]): string {
  return POINTS_TITLES
    .map((title) => entries.reduce((sum, entry) => (entry.title === title ? sum + entry.amount : sum), 0))
    .join(', ');
}

export interface Slices { /** Whole slices. */ readonly slices: number; /** Points on the way to the next one. */ readonly towardsNext: number }

/** Points divided by points per order, whole; the rest is progress (product.md C18). */
export function sliceBalance(points: number, pointsPerOrder: number): Slices {
  if (!(pointsPerOrder > 0) || !(points > 0)) return { slices: 0, towardsNext: 0 };
  return { slices: Math.floor(points / pointsPerOrder), towardsNext: points % pointsPerOrder };
}

/** Free rewards the points are good for. */
export function rewards(points: number, redeemPoints: number): number {
  return redeemPoints > 0 && points > 0 ? Math.floor(points / redeemPoints) : 0;
}

const HOUR_MS = 3_600_000;
export const POINTS_AFTER_HOURS = 24;
export const REWARD_AFTER_HOURS = 24;

/** Points of an order are credited 24 hours after it succeeded. */
export function pointsDueAt(deliveredAt: number): number {
  return deliveredAt + POINTS_AFTER_HOURS * HOUR_MS;
}

/** A free reward can be used 24 hours after delivery. */
export function rewardUsableAt(deliveredAt: number): number {
  return deliveredAt + REWARD_AFTER_HOURS * HOUR_MS;
}

export function isEnrolled(enrollmentStatus: string | null | undefined): boolean {
  return enrollmentStatus === 'ENROLLED';
}

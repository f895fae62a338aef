import { POINTS_TITLES } from '../contract/loyalty.ts';
import { HOUR_MS } from './time.ts';

/** The reward's code among the offers of a cart, and on its bill. No coupon may have it. */
export const REWARD_CODE = 'REWARD';

/** One entry of the points ledger; amounts with the same title are added up. */
export interface PointsEntry {
  readonly title: string;
  readonly amount: number;
}

/**
 * Promo, refund and Pizza Pals points in that order, as the summary's text tells them; missing ones are 0
 * (specification section 3, product.md C05).
 */
export function pointsByTitle(entries: readonly PointsEntry[]): number[] {
  return POINTS_TITLES.map((title) =>
    entries.reduce((sum, entry) => (entry.title === title ? sum + entry.amount : sum), 0),
  );
}

export interface Slices {
  /** Whole slices. */ readonly slices: number;
  /** Points towards the next slice. */ readonly towardsNext: number;
}

/**
 * Whole slices are points divided by points per order; the remainder is progress towards the next one (product.md C18).
 */
export function sliceBalance(points: number, pointsPerOrder: number): Slices {
  if (!(pointsPerOrder > 0) || !(points > 0)) return { slices: 0, towardsNext: 0 };
  return { slices: Math.floor(points / pointsPerOrder), towardsNext: points % pointsPerOrder };
}

/** How many free rewards the points pay for. */
export function rewards(points: number, redeemPoints: number): number {
  return redeemPoints > 0 && points > 0 ? Math.floor(points / redeemPoints) : 0;
}

const POINTS_AFTER_HOURS = 24;
const REWARD_AFTER_HOURS = 24;

/** An order's points are credited 24 hours after it was delivered. */
export function pointsDueAt(deliveredAt: number): number {
  return deliveredAt + POINTS_AFTER_HOURS * HOUR_MS;
}

/** A free reward can be used 24 hours after delivery. */
export function rewardUsableAt(deliveredAt: number): number {
  return deliveredAt + REWARD_AFTER_HOURS * HOUR_MS;
}

/** An order's points and the reward that they complete come together. */
export function creditAt(deliveredAt: number): number {
  return Math.max(pointsDueAt(deliveredAt), rewardUsableAt(deliveredAt));
}

export function isEnrolled(enrollmentStatus: string | null | undefined): boolean {
  return enrollmentStatus === 'ENROLLED';
}

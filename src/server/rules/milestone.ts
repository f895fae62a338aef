import * as z from 'zod/mini';
import type { Shopper } from './coupons.ts';
import type { SeedCoupon } from './seeds.ts';

export const MilestoneTerms = z.object({ stepsRequired: z.int() });

/** How far a customer is; null for a coupon that is no milestone. One step per day with an order. */
export function milestoneOf(coupon: SeedCoupon, shopper: Shopper) {
  const terms = coupon.type === 'MILESTONE' ? MilestoneTerms.safeParse(coupon.value) : undefined;
  if (terms?.success !== true) return null;
  const { stepsRequired } = terms.data;
  const steps = Math.min(stepsRequired, shopper.steps(coupon.code, stepsRequired));
  const missing = stepsRequired - steps;
  return {
    couponCode: coupon.code, title: coupon.title, steps, stepsRequired, isReady: missing === 0,
    message: missing === 0 ? 'Your reward is ready' : `${missing} more ${missing === 1 ? 'order' : 'orders'} to your reward`,
    offerOptions: (coupon.offerOptions ?? []).map(({ step, label }) => ({ step, label, reached: steps >= step })),
  };
}

import * as z from 'zod/mini';
import { errors, t } from '../../call/language.ts';
import { stepsOf } from './offerView.ts';
import { windowOf, wordsOf, type CouponCase, type Shopper } from './couponCase.ts';
import type { SeedCoupon } from '../../store/seeds.ts';

export const MilestoneTerms = z.object({ stepsRequired: z.int() });

/**
 * How far a customer is towards a reward, one step per day with an order, or that it is over; null if the coupon is no
 * milestone.
 */
export function milestoneOf(coupon: SeedCoupon, shopper: Shopper, at: Pick<CouponCase, 'now' | 'catalogue'>) {
  const terms = coupon.type === 'MILESTONE' ? MilestoneTerms.safeParse(coupon.value) : undefined;
  if (terms?.success !== true) return null;
  const { stepsRequired } = terms.data;
  const steps = Math.min(stepsRequired, shopper.steps(coupon.code, stepsRequired));
  const missing = stepsRequired - steps;
  const isOver = at.now >= windowOf(coupon, at).endsAt;
  return {
    couponCode: coupon.code,
    title: wordsOf(coupon).title,
    steps,
    stepsRequired,
    isReady: missing === 0 && !isOver,
    ...(isOver ? { isOver } : {}),
    message: isOver ? errors.couponExpired : missing === 0 ? t.rewardReady : t.rewardMissing({ missing }),
    offerOptions: stepsOf(coupon, steps),
  };
}

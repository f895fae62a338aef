import { localDay } from '../../domain/hours.ts';
import { COUPON_FIRST_ORDER, COUPON_SOLD_OUT, COUPON_USED } from '../../domain/messages.ts';
import { refuse } from '../http/refusal.ts';
import { countOrderFor, countRedemption, historyOf, holdersOf, markRedeemed } from '../store/coupons.ts';
import type { Tx } from '../store/db.ts';
import { couponByCode, giftOf, stepCode } from './coupons.ts';
import type { CountryCatalogue } from './menu.ts';
import { MilestoneTerms } from './milestone.ts';

export interface Redemption {
  /** `applied` of the priced cart; may be empty: the order then still counts for "first order" and milestones. */
  readonly couponCodes: readonly string[];
  readonly userId: string;
  readonly mobile: string | null;
  readonly orderId: string;
  /** Epoch ms. */
  readonly now: number;
}

/**
 * Uses coupons up for an order, inside the transaction that makes it: counters move by guarded updates and every use has a
 * row of its own, so that no two orders get the last one (reference: reliability I4). Call it for every order.
 * @throws Refusal 409 COUPON_SOLD_OUT, COUPON_USED or COUPON_FIRST_ORDER; `field` is the code
 */
export async function redeem(tx: Tx, catalogue: CountryCatalogue, { couponCodes, userId, mobile, orderId, now }: Redemption): Promise<void> {
  const country = catalogue.country.COUNTRY_CODE;
  const holders = holdersOf(userId, mobile);
  const history = couponCodes.length === 0 ? { used: new Map<string, number>(), days: 0, hasOrdered: false } : await historyOf(tx, country, holders);
  // In one order for all: two carts with the same coupons never wait for each other in a circle.
  for (const code of [...couponCodes].sort()) {
    const coupon = couponByCode(catalogue, code);
    if (!coupon) continue;
    const used = history.used.get(coupon.code) ?? 0;
    const milestone = coupon.type === 'MILESTONE' ? MilestoneTerms.safeParse(coupon.value).data?.stepsRequired ?? Infinity : null;
    // A milestone that is not reached gives nothing but what lies on the way, so nothing else is used up.
    if (milestone !== null && history.days - milestone * used < milestone) {
      const gift = giftOf(coupon, history.days - milestone * used, history.used);
      for (const holder of gift === null ? [] : holders) {
        const row = { country, code: stepCode(coupon.code, gift!.step), holder, order_id: orderId, redeemed_at: now };
        if (!await markRedeemed(tx, row, [`reward-${used + 1}`])) refuse(409, 'COUPON_USED', COUPON_USED, { field: coupon.code });
      }
      continue;
    }
    if (coupon.usage.firstOrderOnly && history.hasOrdered) refuse(409, 'COUPON_FIRST_ORDER', COUPON_FIRST_ORDER, { field: coupon.code });
    if (!await countRedemption(tx, country, coupon.code, coupon.usage.total)) refuse(409, 'COUPON_SOLD_OUT', COUPON_SOLD_OUT, { field: coupon.code });
    const slots = milestone !== null ? [`reward-${used + 1}`]
      : coupon.usage.perUser === null ? [orderId] : Array.from({ length: coupon.usage.perUser }, (_, index) => String(index + 1));
    for (const holder of holders) {
      if (!await markRedeemed(tx, { country, code: coupon.code, holder, order_id: orderId, redeemed_at: now }, slots)) {
        refuse(409, 'COUPON_USED', COUPON_USED, { field: coupon.code });
      }
    }
  }
  const day = localDay(now, catalogue.country.timeZone);
  await countOrderFor(tx, holders.map((holder) => ({ order_id: orderId, country, holder, day })));
}

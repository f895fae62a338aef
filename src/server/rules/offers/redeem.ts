import { localDay } from '../../../domain/hours.ts';
import { t } from '../../call/language.ts';
import { refuse } from '../../call/refusal.ts';
import { countOrderFor, countRedemption, historyOf, holdersOf, markRedeemed } from '../../store/coupons.ts';
import type { Tx } from '../../store/db.ts';
import { couponByCode, giftOf, stepCode } from './coupons.ts';
import type { CountryCatalogue } from '../../call/catalogue.ts';
import { MilestoneTerms } from './milestone.ts';

export interface Redemption {
  /** `applied` of the priced cart. If empty, the order still counts for "first order" and for milestones. */
  readonly couponCodes: readonly string[];
  readonly userId: string;
  readonly mobile: string | null;
  readonly orderId: string;
  /** Epoch ms. */
  readonly now: number;
}

/**
 * Uses up coupons for an order, in the transaction that makes the order. Counters move by guarded updates and every use
 * has its own row, so that two orders can never both get the last one (reference: reliability I4). Call it for every
 * order.
 * @throws Refusal 409 COUPON_SOLD_OUT, COUPON_USED or COUPON_FIRST_ORDER; `field` is the code
 */
export async function redeem(
  tx: Tx,
  catalogue: CountryCatalogue,
  { couponCodes, userId, mobile, orderId, now }: Redemption,
): Promise<void> {
  const country = catalogue.country.COUNTRY_CODE;
  const holders = holdersOf(userId, mobile);
  const history =
    couponCodes.length === 0
      ? { used: new Map<string, number>(), days: 0, hasOrdered: false }
      : await historyOf(tx, country, holders);
  // Always in the same order, so that two carts with the same coupons cannot deadlock.
  for (const code of [...couponCodes].sort()) {
    const coupon = couponByCode(catalogue, code);
    if (!coupon) continue;
    const used = history.used.get(coupon.code) ?? 0;
    const milestone =
      coupon.type === 'MILESTONE' ? (MilestoneTerms.safeParse(coupon.value).data?.stepsRequired ?? Infinity) : null;
    // A milestone that is not reached gives at most the gift on the way, so only that gift is used up.
    if (milestone !== null && history.days - milestone * used < milestone) {
      const gift = giftOf(coupon, history.days - milestone * used, history.used);
      for (const holder of gift === null ? [] : holders) {
        const row = { country, code: stepCode(coupon.code, gift!.step), holder, order_id: orderId, redeemed_at: now };
        if (!(await markRedeemed(tx, row, [`reward-${used + 1}`])))
          refuse(409, 'COUPON_USED', t.couponUsed, { field: coupon.code });
      }
      continue;
    }
    if (coupon.usage.firstOrderOnly && history.hasOrdered)
      refuse(409, 'COUPON_FIRST_ORDER', t.couponFirstOrder, { field: coupon.code });
    if (!(await countRedemption(tx, country, coupon.code, coupon.usage.total)))
      refuse(409, 'COUPON_SOLD_OUT', t.couponSoldOut, { field: coupon.code });
    const slots =
      milestone !== null
        ? [`reward-${used + 1}`]
        : coupon.usage.perUser === null
          ? [orderId]
          : Array.from({ length: coupon.usage.perUser }, (_, index) => String(index + 1));
    for (const holder of holders) {
      if (
        !(await markRedeemed(tx, { country, code: coupon.code, holder, order_id: orderId, redeemed_at: now }, slots))
      ) {
        refuse(409, 'COUPON_USED', t.couponUsed, { field: coupon.code });
      }
    }
  }
  const day = localDay(now, catalogue.country.timeZone);
  await countOrderFor(
    tx,
    holders.map((holder) => ({ order_id: orderId, country, holder, day })),
  );
}

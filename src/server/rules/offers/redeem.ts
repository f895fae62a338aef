import { localDay } from '../../../domain/hours.ts';
import { t } from '../../call/language.ts';
import { refuse } from '../../call/refusal.ts';
import { countOrderFor, countRedemption, historyOf, holdersOf, markRedeemed } from '../../store/coupons.ts';
import type { Tx } from '../../store/db.ts';
import { couponByCode } from './coupons.ts';
import { giftOf, stepCode } from './couponRules.ts';
import { takeFirstOrders, type Holder } from './firstOrder.ts';
import type { CountryCatalogue } from '../../call/catalogue.ts';
import { MilestoneTerms } from './milestone.ts';

export interface Redemption {
  /** `applied` of the priced cart. If empty, the order still counts for "first order" and for milestones. */
  readonly couponCodes: readonly string[];
  readonly userId: string;
  /** A number that was proved to be the customer's; one that was typed says nothing. */
  readonly mobile: string | null;
  /** By whom and by what a first order is known; see firstOrder.ts. */
  readonly holders: readonly Holder[];
  readonly orderId: string;
  /** Epoch ms. */
  readonly now: number;
}

/** The slots of which an order takes the first that is free. */
const slotsOf = (perUser: number | null, orderId: string): string[] =>
  perUser === null ? [orderId] : Array.from({ length: perUser }, (_, index) => String(index + 1));

/**
 * Uses up coupons for an order, in the transaction that makes the order. Counters move by guarded updates and every use
 * has its own row, so that two orders can never both get the last one (reference: reliability I4). Call it for every
 * order.
 * @throws Refusal 409 COUPON_SOLD_OUT, COUPON_USED, COUPON_LOGIN or COUPON_FIRST_ORDER; `field` is the code
 */
export async function redeem(tx: Tx, catalogue: CountryCatalogue, of: Redemption): Promise<void> {
  await useCoupons(tx, catalogue, of);
  await countOrderFor(tx, countedFor(catalogue, of));
}

/** The first half of `redeem`. */
export async function useCoupons(tx: Tx, catalogue: CountryCatalogue, of: Redemption): Promise<void> {
  if (of.couponCodes.length > 0) await useUp(tx, catalogue, of, holdersOf(of.userId, of.mobile));
}

/** The second half of `redeem`: by whom the order counts for "first order" and for milestones. */
export function countedFor(
  { country: { COUNTRY_CODE: country, timeZone } }: CountryCatalogue,
  { userId, mobile, orderId, now }: Pick<Redemption, 'userId' | 'mobile' | 'orderId' | 'now'>,
) {
  const day = localDay(now, timeZone);
  return holdersOf(userId, mobile).map((holder) => ({ order_id: orderId, country, holder, day }));
}

/** @param holders the customer, by account and by number, whose uses are counted */
async function useUp(
  tx: Tx,
  catalogue: CountryCatalogue,
  { couponCodes, holders: firstHolders, orderId, now }: Redemption,
  holders: readonly string[],
): Promise<void> {
  const country = catalogue.country.COUNTRY_CODE;
  const history = await historyOf(tx, country, holders);
  // Always in the same order, so that two carts with the same coupons cannot deadlock.
  for (const code of [...couponCodes].sort()) {
    const coupon = couponByCode(catalogue, code);
    if (!coupon) continue;
    const used = history.used.get(coupon.code) ?? 0;
    const milestone = coupon.type === 'MILESTONE' ? MilestoneTerms.parse(coupon.value).stepsRequired : null;
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
    if (coupon.usage.firstOrderOnly)
      await takeFirstOrders(tx, catalogue, { code: coupon.code, holders: firstHolders, orderId, now });
    if (!(await countRedemption(tx, country, coupon.code, coupon.usage.total)))
      refuse(409, 'COUPON_SOLD_OUT', t.couponSoldOut, { field: coupon.code });
    const slots = milestone === null ? slotsOf(coupon.usage.perUser, orderId) : [`reward-${used + 1}`];
    for (const holder of holders) {
      if (
        !(await markRedeemed(tx, { country, code: coupon.code, holder, order_id: orderId, redeemed_at: now }, slots))
      ) {
        refuse(409, 'COUPON_USED', t.couponUsed, { field: coupon.code });
      }
    }
  }
}

/** The number of an order turned out to be the customer's: the order counts for it from now on. */
export async function countForNumber(
  tx: Tx,
  order: { readonly id: string; readonly country: string; readonly mobile: string },
  { timeZone }: { readonly timeZone: string },
  now: number,
): Promise<void> {
  const holder = `mobile:${order.mobile}`;
  await countOrderFor(tx, [{ order_id: order.id, country: order.country, holder, day: localDay(now, timeZone) }]);
}

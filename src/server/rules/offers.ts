import type { Cart, Offer } from '../../contract/cart.ts';
import type { CouponReply } from '../../contract/coupons.ts';
import { COUPON_PARTNER, COUPON_UNKNOWN } from '../../domain/messages.ts';
import { formatMoney } from '../../domain/money.ts';
import type { PricedCart } from './cart.ts';
import { couponByCode, judge, offerOf, savingOf, worthOf } from './coupons.ts';
import type { SeedCoupon } from './seeds.ts';

/** Every coupon a customer may see for this cart: applied ones first, then the best saving, then those that do not fit yet with their one reason. */
export function offersFor(priced: PricedCart): Offer[] {
  const { couponCase: at, outcomes } = priced;
  const list = [...at.catalogue.coupons.values()].filter((coupon) => coupon.partner === null || at.shopper.partnerOffers).map((coupon): Offer => {
    const own = outcomes.find((entry) => entry.coupon === coupon);
    if (own) {
      return offerOf(coupon, own.effect ? 'APPLIED' : 'REJECTED', at, {
        message: own.message, effect: own.effect, ...(own.effect ? { saving: savingOf(coupon, own.effect, outcomes, at) } : {}),
      });
    }
    const verdict = judge(coupon, at);
    if (!verdict.ok) return offerOf(coupon, 'REJECTED', at, { message: verdict.message });
    const instead = outcomes.find((entry) => entry.effect !== null && entry.coupon.stackGroup === coupon.stackGroup);
    const offer = offerOf(coupon, 'AVAILABLE', at, { effect: verdict.effect, saving: savingOf(coupon, verdict.effect, outcomes, at) });
    return instead ? { ...offer, messages: [...offer.messages, { messageType: 'info', message: `Takes the place of ${instead.coupon.code}` }] } : offer;
  });
  const rank = (offer: Offer) => (offer.status === 'APPLIED' ? 0 : offer.status === 'AVAILABLE' ? 1 : 2);
  return list.map((offer, index) => ({ offer, index }))
    .sort((a, b) => rank(a.offer) - rank(b.offer) || (b.offer.saving ?? 0) - (a.offer.saving ?? 0) || a.index - b.index).map(({ offer }) => offer);
}

/** Groups for the coupons page; empty ones are left out. */
export function offerGroups(offers: readonly Offer[]): { title: string; list: Offer[] }[] {
  return [
    { title: 'On your cart', list: offers.filter((offer) => offer.status === 'APPLIED') },
    { title: 'Best for your cart', list: offers.filter((offer) => offer.status === 'AVAILABLE') },
    { title: 'Not for this cart yet', list: offers.filter((offer) => offer.status === 'REJECTED') },
  ].filter((group) => group.list.length > 0);
}

/** Answer for a coupon that may not be used: an answer, not an error (specification section 4). */
export function rejected(message: string, more: { cart?: Cart; offer?: Offer } = {}): CouponReply {
  return {
    status: 'FAILED', errors: [{ code: 'COUPON_REJECTED', displayMsg: message }],
    ...(more.offer ? { coupons: [more.offer] } : {}), ...(more.cart ? { cart: more.cart } : {}),
  };
}

/** A code as a customer gave it, on this cart: the coupon and why not, or what it would bring. */
export function tried(priced: PricedCart, code: string):
  { readonly coupon: SeedCoupon | undefined; readonly message: string; readonly offer?: Offer } | { readonly coupon: SeedCoupon; readonly message: null; readonly offer: Offer } {
  const { couponCase: at } = priced;
  const coupon = couponByCode(at.catalogue, code);
  if (!coupon) return { coupon, message: COUPON_UNKNOWN };
  if (coupon.partner !== null && !at.shopper.partnerOffers) return { coupon, message: COUPON_PARTNER };
  const verdict = judge(coupon, at);
  if (!verdict.ok) return { coupon, message: verdict.message, offer: offerOf(coupon, 'REJECTED', at, { message: verdict.message }) };
  const saving = savingOf(coupon, verdict.effect, priced.outcomes, at);
  return { coupon, message: null, offer: offerOf(coupon, 'AVAILABLE', at, { effect: verdict.effect, saving }) };
}

/** Congratulations only when the customer is better off than before: the total fell, or something came free of charge. */
export function promoOf(coupon: SeedCoupon, before: PricedCart | null, after: PricedCart): NonNullable<CouponReply['explicitPromo']> {
  const worth = (priced: PricedCart) => worthOf(priced.couponCase.catalogue, priced.outcomes) - priced.cart.bill.total;
  const gained = before === null ? 0 : worth(after) - worth(before);
  if (gained <= 0) return { promoCode: coupon.code };
  return {
    promoCode: coupon.code,
    confettiMessage: coupon.confettiMessage ?? 'Coupon applied!',
    confettiSubMessage: coupon.confettiSubMessage ?? `You save ${formatMoney(gained as Cart['bill']['total'], after.couponCase.catalogue.country)} with ${coupon.code}`,
  };
}

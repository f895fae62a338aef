import type { Cart, Offer } from '../../../contract/cart.ts';
import type { BestOffer, CouponReply, ItemSuggestion, JudgedOffer, OfferReason } from '../../../contract/coupons.ts';
import { money } from '../../../contract/price.ts';
import { t, formatMoney } from '../../call/language.ts';
import type { PricedCart } from './cart.ts';
import { couponByCode, isIdle, judge, savingOf, worthOf } from '../offers/coupons.ts';
import { offerOf } from '../offers/offerView.ts';
import { windowOf, wordsOf, type CouponCase } from '../offers/couponCase.ts';
import type { CouponState } from '../../store/coupons.ts';
import type { CountryCatalogue } from '../../call/catalogue.ts';
import { advise, bestOf, suggestionFor } from '../offers/optimise.ts';
import type { SeedCoupon } from '../../store/seeds.ts';

/**
 * Whether this customer may see a coupon: partner offers are only for the web, wheel prizes only for the cart that won
 * them.
 */
function isShown(coupon: SeedCoupon, at: CouponCase): boolean {
  return (coupon.partner === null || at.shopper.partnerOffers) && (coupon.wheel !== true || at.prizes.has(coupon.code));
}

const textHref = (code: string) => `/content/ve1/promo/${encodeURIComponent(code)}/text`;

export interface AdvisedOffers {
  readonly offers: JudgedOffer[];
  readonly best: BestOffer;
  readonly suggestion?: ItemSuggestion;
}

/**
 * The offers of a cart, the best combination of them, why each other offer is not part of it, and, if there is one, an
 * item that would pay for itself.
 */
export function advisedOffers(priced: PricedCart): AdvisedOffers {
  const { couponCase: at } = priced;
  const advice = advise(at);
  const offers = offersFor(priced, advice.reasons);
  const suggestion = suggestionFor(at, advice);
  return {
    offers,
    best: bestOf(
      advice,
      at,
      priced.outcomes
        .filter(({ effect }) => effect !== null && (effect.discount > 0 || effect.free.length > 0))
        .map(({ coupon }) => coupon.code),
    ),
    ...(suggestion ? { suggestion } : {}),
  };
}

/**
 * Every coupon a customer may see for this cart: applied ones first, then by saving, then the ones that do not fit yet,
 * each with one reason.
 */
function offersFor(priced: PricedCart, reasons: ReadonlyMap<string, OfferReason>): JudgedOffer[] {
  const { couponCase: at, outcomes } = priced;
  const offered = (coupon: SeedCoupon): JudgedOffer => {
    const own = outcomes.find((entry) => entry.coupon === coupon);
    if (own) {
      return offerOf(coupon, own.effect ? 'APPLIED' : 'REJECTED', at, {
        message: own.message,
        effect: own.effect,
        ...(own.effect ? { saving: savingOf(coupon, own.effect, outcomes, at) } : {}),
      });
    }
    const verdict = judge(coupon, at);
    if (!verdict.ok) return offerOf(coupon, 'REJECTED', at, { message: verdict.message });
    if (isIdle(coupon, verdict.effect, outcomes, at))
      return offerOf(coupon, 'REJECTED', at, { message: t.couponNoGain });
    const instead = outcomes.find((entry) => entry.effect !== null && entry.coupon.stackGroup === coupon.stackGroup);
    const offer = offerOf(coupon, 'AVAILABLE', at, {
      effect: verdict.effect,
      saving: savingOf(coupon, verdict.effect, outcomes, at),
    });
    return instead
      ? {
          ...offer,
          messages: [
            ...offer.messages,
            { messageType: 'info', message: t.couponReplaces({ code: instead.coupon.code }) },
          ],
        }
      : offer;
  };
  const rank = (offer: Offer) => (offer.status === 'APPLIED' ? 0 : offer.status === 'AVAILABLE' ? 1 : 2);
  return (
    [...at.catalogue.coupons.values()]
      .filter((coupon) => isShown(coupon, at))
      .map((coupon): JudgedOffer => {
        const reason = reasons.get(coupon.code);
        return { ...offered(coupon), textHref: textHref(coupon.code), ...(reason === undefined ? {} : { reason }) };
      })
      // Equal ones stay in the order of the catalogue.
      .sort((a, b) => rank(a) - rank(b) || (b.saving ?? 0) - (a.saving ?? 0) || wayTo(a) - wayTo(b))
  );
}

/** Larger than any sum of money in a cart, so that the number of steps always counts before the money. */
const STEP = 1e12;

/**
 * How far the customer is from an offer: first by the number of things to do (waiting or another store counts as
 * three), then by the money that is missing. Offers that nothing can make apply come last.
 */
function wayTo({ reason }: JudgedOffer): number {
  if (reason?.kind !== 'RULE') return 0;
  if (reason.remedies.length === 0) return Infinity;
  return reason.remedies.reduce(
    (sum, { kind, amount }) => sum + (kind === 'WAIT' || kind === 'STORE' ? 3 : 1) * STEP + (amount ?? 0),
    0,
  );
}

/** Coupons that run now, whatever is in the cart; of one store, or of the whole country if no store is given. */
export function runningOffers(
  catalogue: CountryCatalogue,
  states: ReadonlyMap<string, CouponState>,
  now: number,
  wanted: { storeId?: string | undefined; partnerOffers: boolean },
): JudgedOffer[] {
  const at = { catalogue, states, now } as CouponCase;
  return [...catalogue.coupons.values()]
    .filter((coupon) => {
      const { startsAt, endsAt } = windowOf(coupon, at);
      const used = states.get(coupon.code)?.used ?? 0;
      return (
        coupon.wheel !== true &&
        (coupon.partner === null || wanted.partnerOffers) &&
        now >= startsAt &&
        now < endsAt &&
        (coupon.usage.total === null || used < coupon.usage.total) &&
        (wanted.storeId === undefined || !coupon.storeIds || coupon.storeIds.includes(wanted.storeId))
      );
    })
    .map((coupon) => ({ ...offerOf(coupon, 'AVAILABLE', at, {}), textHref: textHref(coupon.code) }));
}

/** Sentences as one text, without the end of the last one. */
export const oneAfterAnother = (sentences: readonly string[]): string =>
  sentences
    .map((text) => text.trim().replace(/[.;।]$/, ''))
    .reduce((before, next) => (before === '' ? next : t.twoSentences({ before, next })), '');

/** A coupon as sentences that can be read aloud. */
export function offerText(coupon: SeedCoupon, details: readonly string[]): string {
  return t.offerSaid({ terms: oneAfterAnother([wordsOf(coupon).title, ...details]), code: coupon.code });
}

/** Groups for the coupons page; empty ones are left out. */
export function offerGroups(offers: readonly JudgedOffer[]): { title: string; list: JudgedOffer[] }[] {
  return [
    { title: t.offersOn, list: offers.filter((offer) => offer.status === 'APPLIED') },
    { title: t.offersFit, list: offers.filter((offer) => offer.status === 'AVAILABLE') },
    { title: t.offersLater, list: offers.filter((offer) => offer.status === 'REJECTED') },
  ].filter((group) => group.list.length > 0);
}

/** Reply for a coupon that may not be used: it is a normal reply, not an error (specification section 4). */
export function rejected(message: string, more: { cart?: Cart; offer?: Offer } = {}): CouponReply {
  return {
    status: 'FAILED',
    errors: [{ code: 'COUPON_REJECTED', displayMsg: message }],
    ...(more.offer ? { coupons: [more.offer] } : {}),
    ...(more.cart ? { cart: more.cart } : {}),
  };
}

/**
 * Tries a code that the customer entered on this cart: either the reason it does not apply, or the offer with its
 * saving.
 */
export function tried(
  priced: PricedCart,
  code: string,
):
  | { readonly coupon: SeedCoupon | undefined; readonly message: string; readonly offer?: Offer }
  | { readonly coupon: SeedCoupon; readonly message: null; readonly offer: Offer } {
  const { couponCase: at } = priced;
  const coupon = couponByCode(at.catalogue, code);
  if (!coupon || (coupon.wheel === true && !at.prizes.has(coupon.code)))
    return { coupon: undefined, message: t.couponUnknown };
  if (coupon.partner !== null && !at.shopper.partnerOffers) return { coupon, message: t.couponPartner };
  const verdict = judge(coupon, at);
  if (!verdict.ok)
    return { coupon, message: verdict.message, offer: offerOf(coupon, 'REJECTED', at, { message: verdict.message }) };
  if (isIdle(coupon, verdict.effect, priced.outcomes, at))
    return { coupon, message: t.couponNoGain, offer: offerOf(coupon, 'REJECTED', at, { message: t.couponNoGain }) };
  const saving = savingOf(coupon, verdict.effect, priced.outcomes, at);
  return { coupon, message: null, offer: offerOf(coupon, 'AVAILABLE', at, { effect: verdict.effect, saving }) };
}

/**
 * The congratulation after a coupon was applied. Only if the customer is better off than before: the total fell, or
 * something came free of charge.
 */
export function promoOf(
  coupon: SeedCoupon,
  before: PricedCart | null,
  after: PricedCart,
): NonNullable<CouponReply['explicitPromo']> {
  const worth = (priced: PricedCart) => worthOf(priced.couponCase.catalogue, priced.outcomes) - priced.cart.bill.total;
  const gained = before === null ? 0 : worth(after) - worth(before);
  if (gained <= 0) return { promoCode: coupon.code };
  const words = wordsOf(coupon);
  return {
    promoCode: coupon.code,
    confettiMessage: words.confettiMessage ?? t.couponApplied,
    confettiSubMessage:
      words.confettiSubMessage ??
      t.couponGain({
        amount: formatMoney(
          after.cart.offers.find((offer) => offer.code === coupon.code)?.saving ?? money(gained),
          after.couponCase.catalogue.country,
        ),
        code: coupon.code,
      }),
  };
}

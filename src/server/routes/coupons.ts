import * as coupons from '../../contract/coupons.ts';
import { errors, t } from '../call/language.ts';
import { refuse } from '../call/refusal.ts';
import { on } from '../call/route.ts';
import type { Route } from '../call/route.ts';
import type { Call } from '../call/call.ts';
import { brandOf } from '../../domain/cards.ts';
import { paymentModeProblems } from '../rules/cart/cart.ts';
import { applyTyped, pricedFor, removeCode, tryTyped, type PartnerFlag } from '../rules/cart/couponCodes.ts';
import { couponByCode } from '../rules/offers/coupons.ts';
import { detailsOf } from '../rules/offers/offerView.ts';
import { wordsOf } from '../rules/offers/couponCase.ts';
import { milestoneOf } from '../rules/offers/milestone.ts';
import { advisedOffers, offerGroups, offerText, runningOffers } from '../rules/cart/advice.ts';
import { buyerOf, knownStore, mustOwnCart, ownPricedCart, shopperOf } from '../rules/cart/pricingContext.ts';
import { hasOperation } from '../store/carts.ts';
import { couponStates } from '../store/coupons.ts';
import { latinDigits } from '../../domain/typedText.ts';

/** The coupons that are valid now, for callers without a cart. */
async function running(call: Call, storeId: string | undefined, partner: PartnerFlag) {
  const catalogue = await call.services.catalogue.of(call.db, call.caller.country, call.seen);
  if (storeId !== undefined) {
    const store = catalogue.stores.get(storeId);
    if (!store || store.fixture === true) refuse(404, 'NOT_FOUND', errors.notFound, { field: 'storeId' });
  }
  return runningOffers(catalogue, await couponStates(call.db, call.caller.country), call.now, {
    storeId,
    partnerOffers: call.caller.host === 'web' && partner !== 'false',
  });
}

async function couponOr404(call: Call, code: string) {
  const catalogue = await call.services.catalogue.of(call.db, call.caller.country, call.seen);
  const coupon = couponByCode(catalogue, code);
  return coupon === undefined
    ? refuse(404, 'COUPON_UNKNOWN', t.couponUnknown, { field: 'code' })
    : { catalogue, coupon };
}

export const couponRoutes: Route[] = [
  on(coupons.apply, ({ cartId, code, query }, call) => applyTyped(call, cartId, code, query.includePartnerOffer)),
  on(coupons.remove, ({ cartId, code }, call) => removeCode(call, cartId, code)),
  on(coupons.validate, ({ code, query }, call) => tryTyped(call, query.cartId, code, query.includePartnerOffer)),
  on(coupons.forCart, async ({ cartId, query }, call) =>
    advisedOffers(await ownPricedCart(call, cartId, {}, query.includePartnerOffer)),
  ),
  on(coupons.combined, async ({ cartId, query }, call) => {
    if (query.afterOperation !== undefined) {
      await mustOwnCart(call.db, call.caller, cartId);
      if (!(await hasOperation(call.db, cartId, query.afterOperation))) return { status: 'WAIT' as const };
    }
    const { offers, ...advice } = advisedOffers(await ownPricedCart(call, cartId, {}, query.includePartnerOffer));
    const lists = query.adviceOnly === 'true' ? {} : { combinedOffers: { coupons: offerGroups(offers) } };
    return { status: 'SUCCESS' as const, ...lists, ...advice };
  }),
  on(coupons.ofStore, async ({ storeId, query }, call) => ({
    offers: await running(call, storeId, query.includePartnerOffer),
  })),
  on(coupons.ofStoreForCart, async ({ storeId, query }, call) => {
    knownStore(await call.services.catalogue.of(call.db, call.caller.country, call.seen), storeId);
    const { cartId } = call.caller;
    if (cartId === null) throw new Error('a session without a cart');
    return {
      ...advisedOffers(
        await pricedFor(call.db, call, cartId, query.includePartnerOffer, {
          storeId,
          deliveryType: query.deliveryType,
        }),
      ),
    };
  }),
  on(coupons.list, async ({ query }, call) => ({
    coupons: await running(call, query.storeId, query.includePartnerOffer),
  })),
  on(coupons.textOf, async ({ code }, call) => {
    const { catalogue, coupon } = await couponOr404(call, code);
    return { code: coupon.code, title: wordsOf(coupon).title, text: offerText(coupon, detailsOf(coupon, catalogue)) };
  }),
  on(coupons.milestone, async ({ couponCode }, call) => {
    const { catalogue, coupon } = await couponOr404(call, couponCode);
    const found = milestoneOf(coupon, await shopperOf(call.db, buyerOf(call.caller)), { catalogue, now: call.now });
    return found === null ? refuse(404, 'NOT_MILESTONE', errors.notFound, { field: 'couponCode' }) : { ...found };
  }),
  on(coupons.byBin, async ({ cartId, cardInitialDigits, query }, call) => {
    await mustOwnCart(call.db, call.caller, cartId);
    const bin = latinDigits(cardInitialDigits);
    if (bin.length !== cardInitialDigits.length || bin.length < 6 || bin.length > 8)
      refuse(422, 'CARD_DIGITS', t.cardDigits, { field: 'cardInitialDigits' });
    const now = await pricedFor(call.db, call, cartId, query.includePartnerOffer, { bin });
    const carded = await pricedFor(call.db, call, cartId, query.includePartnerOffer, { bin, paymentMode: 'CARD' });
    const isCardOffer = (code: string) => now.context.catalogue.coupons.get(code)?.bins !== undefined;
    const { offers, best } = advisedOffers(carded);
    const own = offers.filter(({ code }) => isCardOffer(code));
    return {
      brand: brandOf(bin),
      isEligible: own.some(({ status }) => status !== 'REJECTED'),
      offers: own,
      problems: paymentModeProblems(now.state, now.couponCase, 'CARD'),
      best,
    };
  }),
  on(coupons.terms, async ({ code }, call) => {
    const { catalogue, coupon } = await couponOr404(call, code);
    return { tncList: detailsOf(coupon, catalogue) };
  }),
];

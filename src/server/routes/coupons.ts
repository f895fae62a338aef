import * as coupons from '../../contract/coupons.ts';
import { catalogueHere } from '../call/call.ts';
import { errors } from '../call/language.ts';
import { refuse } from '../call/refusal.ts';
import { on } from '../call/route.ts';
import type { Route } from '../call/route.ts';
import { advisedOffers, offerGroups, offerText } from '../rules/cart/advice.ts';
import {
  applyTyped,
  couponOr404,
  offersByCard,
  offersNow,
  pricedFor,
  removeCode,
  tryTyped,
} from '../rules/cart/couponCodes.ts';
import { buyerOf, knownStore, mustOwnCart, ownPricedCart, shopperOf } from '../rules/cart/pricingContext.ts';
import { storeOr404 } from '../rules/catalogue/here.ts';
import { wordsOf } from '../rules/offers/couponCase.ts';
import { milestoneOf } from '../rules/offers/milestone.ts';
import { detailsOf } from '../rules/offers/offerView.ts';
import { hasOperation } from '../store/carts.ts';

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
    return { ...lists, ...advice };
  }),
  on(coupons.ofStore, async ({ storeId, query }, call) => {
    storeOr404(await catalogueHere(call), storeId);
    return { offers: await offersNow(call, storeId, query.includePartnerOffer) };
  }),
  on(coupons.ofStoreForCart, async ({ storeId, query }, call) => {
    knownStore(await catalogueHere(call), storeId);
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
  on(coupons.list, async ({ query: { storeId, includePartnerOffer } }, call) => {
    if (storeId !== undefined) storeOr404(await catalogueHere(call), storeId);
    return { coupons: await offersNow(call, storeId, includePartnerOffer) };
  }),
  on(coupons.textOf, async ({ code }, call) => {
    const { catalogue, coupon } = await couponOr404(call, code);
    return { code: coupon.code, title: wordsOf(coupon).title, text: offerText(coupon, detailsOf(coupon, catalogue)) };
  }),
  on(coupons.milestone, async ({ couponCode }, call) => {
    const { catalogue, coupon } = await couponOr404(call, couponCode);
    const found = milestoneOf(coupon, await shopperOf(call.db, buyerOf(call.caller)), { catalogue, now: call.now });
    return found === null ? refuse(404, 'NOT_MILESTONE', errors.notFound, { field: 'couponCode' }) : { ...found };
  }),
  on(coupons.byBin, ({ cartId, cardInitialDigits, query }, call) =>
    offersByCard(call, cartId, cardInitialDigits, query.includePartnerOffer),
  ),
  on(coupons.terms, async ({ code }, call) => {
    const { catalogue, coupon } = await couponOr404(call, code);
    return { tncList: detailsOf(coupon, catalogue) };
  }),
];

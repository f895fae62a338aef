import * as coupons from '../../contract/coupons.ts';
import type { CouponReply } from '../../contract/coupons.ts';
import { COUPON_UNKNOWN } from '../../domain/messages.ts';
import { refuse } from '../http/refusal.ts';
import { on } from '../http/route.ts';
import type { Call, Route } from '../http/route.ts';
import { couponByCode, detailsOf } from '../rules/coupons.ts';
import { offerGroups, offersFor, promoOf, rejected, tried } from '../rules/offers.ts';
import { buyerOf, mustOwnCart, pricedCart } from '../rules/scene.ts';
import { growVersion, takeCart, writeCoupons } from '../store/carts.ts';
import { transact, type Db } from '../store/db.ts';

const SUCCESS = 'SUCCESS' as const;
type PartnerFlag = 'true' | 'false' | undefined;

async function priced(db: Db, call: Call, cartId: string, partner: PartnerFlag) {
  return await pricedCart(db, call.services.catalogue, cartId, buyerOf(call.caller, partner), call.now);
}

/** A cart of the caller's own, taken for this transaction. */
async function take(tx: Parameters<typeof takeCart>[0], call: Call, cartId: string): Promise<void> {
  await mustOwnCart(tx, call.caller, cartId);
  const { country } = await call.services.catalogue.of(tx, call.caller.country);
  await takeCart(tx, { cartId, userId: buyerOf(call.caller).userId, country: country.COUNTRY_CODE, storeId: country.DEFAULT_STORE }, call.now);
}

async function applied(call: Call, cartId: string, code: string, partner: PartnerFlag): Promise<CouponReply> {
  return await transact(call.db, async (tx): Promise<CouponReply> => {
    await take(tx, call, cartId);
    const before = await priced(tx, call, cartId, partner);
    const trial = tried(before, code);
    if (trial.message !== null) return rejected(trial.message, { cart: before.cart, ...(trial.offer ? { offer: trial.offer } : {}) });
    const { coupon } = trial;
    const { state, outcomes } = before;
    // One per stack group: the new one takes the place of the old one.
    const others = state.coupons.filter((own) => own !== coupon.code && couponByCode(before.scene.catalogue, own)?.stackGroup !== coupon.stackGroup);
    const isOn = outcomes.some((entry) => entry.coupon === coupon && entry.effect !== null);
    if (!isOn || !state.coupons.includes(coupon.code)) {
      await writeCoupons(tx, cartId, [...others, coupon.code], state.declined.filter((own) => own !== coupon.code));
      await growVersion(tx, cartId);
    }
    const after = await priced(tx, call, cartId, partner);
    const offer = after.cart.offers.find((entry) => entry.code === coupon.code);
    return { status: SUCCESS, coupons: offer ? [offer] : [], explicitPromo: promoOf(coupon, before, after), cart: after.cart };
  });
}

async function removed(call: Call, cartId: string, code: string): Promise<CouponReply> {
  return await transact(call.db, async (tx): Promise<CouponReply> => {
    await take(tx, call, cartId);
    const before = await priced(tx, call, cartId, undefined);
    const coupon = couponByCode(before.scene.catalogue, code);
    const { state, outcomes } = before;
    const isOn = coupon !== undefined && outcomes.some((entry) => entry.coupon === coupon);
    if (!isOn) return { status: SUCCESS, cart: before.cart };
    await writeCoupons(tx, cartId, state.coupons.filter((own) => own !== coupon.code), coupon.autoApply ? [...state.declined, coupon.code] : state.declined);
    await growVersion(tx, cartId);
    return { status: SUCCESS, cart: (await priced(tx, call, cartId, undefined)).cart };
  });
}

export const couponRoutes: Route[] = [
  on(coupons.apply, ({ cartId, code, query }, call) => applied(call, cartId, code, query.includePartnerOffer)),
  on(coupons.remove, ({ cartId, code }, call) => removed(call, cartId, code)),
  on(coupons.validate, async ({ code, query }, call): Promise<CouponReply> => {
    await mustOwnCart(call.db, call.caller, query.cartId);
    const before = await priced(call.db, call, query.cartId, query.includePartnerOffer);
    const trial = tried(before, code);
    if (trial.message !== null) return rejected(trial.message, trial.offer ? { offer: trial.offer } : {});
    return { status: SUCCESS, coupons: [trial.offer], explicitPromo: promoOf(trial.coupon, null, before) };
  }),
  on(coupons.forCart, async ({ cartId, query }, call) => {
    await mustOwnCart(call.db, call.caller, cartId);
    return { status: SUCCESS, offers: offersFor(await priced(call.db, call, cartId, query.includePartnerOffer)) };
  }),
  on(coupons.combined, async ({ cartId, query }, call) => {
    await mustOwnCart(call.db, call.caller, cartId);
    return { status: SUCCESS, combinedOffers: { coupons: offerGroups(offersFor(await priced(call.db, call, cartId, query.includePartnerOffer))) } };
  }),
  on(coupons.terms, async ({ code }, call) => {
    const catalogue = await call.services.catalogue.of(call.db, call.caller.country);
    const coupon = couponByCode(catalogue, code) ?? refuse(404, 'COUPON_UNKNOWN', COUPON_UNKNOWN, { field: 'code' });
    return { status: SUCCESS, tncList: detailsOf(coupon, catalogue) };
  }),
];

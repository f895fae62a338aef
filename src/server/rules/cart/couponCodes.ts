import type { CouponReply } from '../../../contract/coupons.ts';
import type { Call } from '../../call/call.ts';
import { growVersion, writeCoupons } from '../../store/carts.ts';
import { transact, type Db } from '../../store/db.ts';
import { couponByCode, putOn, takenOff } from '../offers/coupons.ts';
import { promoOf, rejected, tried } from './advice.ts';
import { buyerOf, pricedCart, takeOwnCart, type PricingOptions } from './pricingContext.ts';

export type PartnerFlag = 'true' | 'false' | undefined;

/** A cart priced for the caller, in a transaction or outside. */
export async function pricedFor(db: Db, call: Call, cartId: string, partner: PartnerFlag, look: PricingOptions = {}) {
  return await pricedCart(
    db,
    call.services.catalogue,
    cartId,
    buyerOf(call.caller, partner),
    call.now,
    look,
    db === call.db ? call.seen : undefined,
  );
}

/** Puts a code on the caller's cart; one that may not be used is an answer like any other. */
export async function applyCode(call: Call, cartId: string, code: string, partner: PartnerFlag): Promise<CouponReply> {
  return await transact(call.db, async (tx): Promise<CouponReply> => {
    await takeOwnCart(tx, call, cartId);
    const before = await pricedFor(tx, call, cartId, partner);
    const trial = tried(before, code);
    if (trial.message !== null)
      return rejected(trial.message, { cart: before.cart, ...(trial.offer ? { offer: trial.offer } : {}) });
    const { coupon } = trial;
    const { state } = before;
    const chosen = putOn(state, coupon, before.context.catalogue);
    if (chosen.coupons.join() !== state.coupons.join()) {
      await writeCoupons(tx, cartId, chosen.coupons, chosen.declined);
      await growVersion(tx, cartId);
    }
    const after = await pricedFor(tx, call, cartId, partner);
    const offer = after.cart.offers.find((entry) => entry.code === coupon.code);
    return {
      status: 'SUCCESS',
      coupons: offer ? [offer] : [],
      explicitPromo: promoOf(coupon, before, after),
      cart: after.cart,
    };
  });
}

export async function removeCode(call: Call, cartId: string, code: string): Promise<CouponReply> {
  return await transact(call.db, async (tx): Promise<CouponReply> => {
    await takeOwnCart(tx, call, cartId);
    const before = await pricedFor(tx, call, cartId, undefined);
    const coupon = couponByCode(before.context.catalogue, code);
    const { state, outcomes } = before;
    const isOn =
      coupon !== undefined &&
      (state.coupons.includes(coupon.code) || outcomes.some((entry) => entry.coupon === coupon));
    if (!isOn) return { status: 'SUCCESS', cart: before.cart };
    const chosen = takenOff(state, coupon);
    await writeCoupons(tx, cartId, chosen.coupons, chosen.declined);
    await growVersion(tx, cartId);
    return { status: 'SUCCESS', cart: (await pricedFor(tx, call, cartId, undefined)).cart };
  });
}

import { countryConfig } from '../../../../country/index.ts';
import { localDay } from '../../../domain/hours.ts';
import { catalogueHere, userIdOf, type Call } from '../../call/call.ts';
import type { Caller } from '../../call/caller.ts';
import { t } from '../../call/language.ts';
import { refuse } from '../../call/refusal.ts';
import { cartState, growVersion } from '../../store/carts.ts';
import { transact, type Db } from '../../store/db.ts';
import { addSpin, firstDraw, spinOf, type Spin } from '../../store/wheel.ts';
import { hasJoined } from '../loyalty/loyalty.ts';
import { couponByCode, judge } from '../offers/coupons.ts';
import { deviceOf, drawn, resultOf, slotsOf } from '../offers/wheel.ts';
import type { PricedCart } from './cart.ts';
import { buyerOf, mustOwnCart, pricedCart, takeOwnCart } from './pricingContext.ts';

/** The message why a prize does not apply to this cart now; null when it applies. */
function whyNot(spin: Spin, { couponCase, outcomes }: PricedCart): string | null {
  const coupon = spin.code === null ? undefined : couponByCode(couponCase.catalogue, spin.code);
  if (coupon === undefined || outcomes.some((entry) => entry.coupon === coupon && entry.effect !== null)) return null;
  const verdict = judge(coupon, couponCase);
  return verdict.ok ? t.couponNoGain : verdict.message;
}

/** The programme that won points are for, if the caller has not joined it; null when they have, or won none. */
async function toJoin(db: Db, spin: Spin, caller: Caller): Promise<string | null> {
  const { country, userId } = caller;
  if (spin.points === null || (userId !== null && (await hasJoined(db, { userId, country })))) return null;
  return countryConfig(country).LOYALTY_INFO_DEFAULT_DATA.programName;
}

/** The wheel of a cart of the caller's, and what was won with it. @throws Refusal 404 NOT_FOUND */
export async function wheelOf(call: Call, cartId: string) {
  const { db, caller, services, now, seen } = call;
  await mustOwnCart(db, caller, cartId);
  const { seeds } = await catalogueHere(call);
  const wheel = seeds.content.spinWheel;
  const slots = slotsOf(wheel);
  const spin = await spinOf(db, cartId);
  // A placed order used up the last spin, so the wheel can be spun again.
  if (spin === undefined || spin.state === 'USED') return { slots, result: null };
  const why = whyNot(spin, await pricedCart(db, services.catalogue, cartId, buyerOf(caller), now, {}, seen));
  return { slots, result: resultOf(wheel, spin, why, await toJoin(db, spin, caller)) };
}

/** Spins the wheel of a cart of the caller's, or says what was won before. @throws Refusal 404 NOT_FOUND, 422 CART_EMPTY */
export async function spinWheel(call: Call, cartId: string) {
  const { caller, services, now } = call;
  const { seeds, country } = await catalogueHere(call);
  const wheel = seeds.content.spinWheel;
  return await transact(call.db, async (tx) => {
    await takeOwnCart(tx, call, cartId);
    const before = await spinOf(tx, cartId);
    const isOpen = before === undefined || before.state === 'USED';
    if (isOpen) {
      if ((await cartState(tx, cartId))?.lines.length === 0) refuse(422, 'CART_EMPTY', t.cartEmpty);
      const round = (before?.round ?? 0) + 1;
      // Anybody can become a new guest for free, so a new guest on the same device gets the same prize that day. Only
      // a login or a placed order brings a new draw.
      const isFree = caller.isLoggedIn || round > 1;
      const slot = isFree
        ? drawn(wheel)
        : await firstDraw(tx, { device: deviceOf(call), day: localDay(now, country.timeZone), slot: drawn(wheel) });
      const { label = '', code, points } = wheel.slots[slot] ?? {};
      await addSpin(tx, {
        cart_id: cartId,
        round,
        user_id: userIdOf(call),
        country: caller.country,
        slot,
        label,
        code: code ?? null,
        points: points ?? null,
        spun_at: now,
      });
      // The prize may change the price. A new cart version makes sure that an older agreed price is not used.
      if (code !== undefined) await growVersion(tx, cartId);
    }
    const spin = await spinOf(tx, cartId);
    if (spin === undefined) throw new Error(`the spin of cart ${cartId} was not kept`);
    const priced = await pricedCart(tx, services.catalogue, cartId, buyerOf(caller), now);
    return {
      slots: slotsOf(wheel),
      result: resultOf(wheel, spin, whyNot(spin, priced), await toJoin(tx, spin, caller)),
      isFirst: isOpen,
      cart: priced.cart,
    };
  });
}

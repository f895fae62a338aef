import { countryConfig } from '../../../country/index.ts';
import * as contract from '../../contract/wheel.ts';
import { localDay } from '../../domain/hours.ts';
import { t } from '../call/language.ts';
import { refuse } from '../call/refusal.ts';
import { on } from '../call/route.ts';
import { userIdOf } from '../call/call.ts';
import type { Caller } from '../call/caller.ts';
import type { Route } from '../call/route.ts';
import type { PricedCart } from '../rules/cart/cart.ts';
import { couponByCode, judge } from '../rules/offers/coupons.ts';
import { buyerOf, mustOwnCart, pricedCart } from '../rules/cart/pricingContext.ts';
import { hasJoined } from '../rules/loyalty/loyalty.ts';
import { deviceOf, drawn, resultOf, slotsOf } from '../rules/offers/wheel.ts';
import { cartState, growVersion, takeCart } from '../store/carts.ts';
import { transact, type Db } from '../store/db.ts';
import { addSpin, firstDraw, spinOf, type Spin } from '../store/wheel.ts';

const SUCCESS = 'SUCCESS' as const;

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

export const wheelRoutes: Route[] = [
  on(contract.wheel, async ({ query }, call) => {
    await mustOwnCart(call.db, call.caller, query.cartId);
    const { seeds } = await call.services.catalogue.of(call.db, call.caller.country, call.seen);
    const spin = await spinOf(call.db, query.cartId);
    // A placed order used up the last spin, so the wheel can be spun again.
    const wheel = seeds.content.spinWheel;
    const slots = slotsOf(wheel);
    if (spin === undefined || spin.state === 'USED') return { status: SUCCESS, slots, result: null };
    return {
      status: SUCCESS,
      slots,
      result: resultOf(
        wheel,
        spin,
        whyNot(
          spin,
          await pricedCart(
            call.db,
            call.services.catalogue,
            query.cartId,
            buyerOf(call.caller),
            call.now,
            {},
            call.seen,
          ),
        ),
        await toJoin(call.db, spin, call.caller),
      ),
    };
  }),
  on(contract.spin, async ({ body: { cartId } }, call) => {
    const { caller, services, now } = call;
    const { seeds, country } = await services.catalogue.of(call.db, caller.country, call.seen);
    const wheel = seeds.content.spinWheel;
    return await transact(call.db, async (tx) => {
      await mustOwnCart(tx, caller, cartId);
      await takeCart(
        tx,
        { cartId, userId: userIdOf(call), country: caller.country, storeId: country.DEFAULT_STORE },
        now,
      );
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
        status: SUCCESS,
        slots: slotsOf(wheel),
        result: resultOf(wheel, spin, whyNot(spin, priced), await toJoin(tx, spin, caller)),
        isFirst: isOpen,
        cart: priced.cart,
      };
    });
  }),
];

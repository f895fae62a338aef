import * as contract from '../../contract/wheel.ts';
import { localDay } from '../../domain/hours.ts';
import { CART_EMPTY, COUPON_NO_GAIN } from '../../domain/messages.ts';
import { refuse } from '../http/refusal.ts';
import { on, userIdOf } from '../http/route.ts';
import type { Route } from '../http/route.ts';
import type { PricedCart } from '../rules/cart.ts';
import { couponByCode, judge } from '../rules/coupons.ts';
import { buyerOf, mustOwnCart, pricedCart } from '../rules/scene.ts';
import { deviceOf, drawn, resultOf, slotsOf } from '../rules/wheel.ts';
import { cartState, growVersion, takeCart } from '../store/carts.ts';
import { transact } from '../store/db.ts';
import { addSpin, firstDraw, spinOf, type Spin } from '../store/wheel.ts';

const SUCCESS = 'SUCCESS' as const;

/** Why a prize does not apply to this cart now. */
function whyNot(spin: Spin, { couponCase, outcomes }: PricedCart): string | null {
  const coupon = spin.code === null ? undefined : couponByCode(couponCase.catalogue, spin.code);
  if (coupon === undefined || outcomes.some((entry) => entry.coupon === coupon && entry.effect !== null)) return null;
  const verdict = judge(coupon, couponCase);
  return verdict.ok ? COUPON_NO_GAIN : verdict.message;
}

export const wheelRoutes: Route[] = [
  on(contract.wheel, async ({ query }, call) => {
    await mustOwnCart(call.db, call.caller, query.cartId);
    const { seeds } = await call.services.catalogue.of(call.db, call.caller.country, call.seen);
    const spin = await spinOf(call.db, query.cartId);
    // An order that went through has closed its round: the next spin is open.
    const slots = slotsOf(seeds.content.spinWheel);
    if (spin === undefined || spin.state === 'USED') return { status: SUCCESS, slots, result: null };
    return { status: SUCCESS, slots, result: resultOf(spin, whyNot(spin, await pricedCart(call.db, call.services.catalogue, query.cartId, buyerOf(call.caller), call.now, {}, call.seen))) };
  }),
  on(contract.spin, async ({ body: { cartId } }, call) => {
    const { caller, services, now } = call;
    const { seeds, country } = await services.catalogue.of(call.db, caller.country, call.seen);
    const wheel = seeds.content.spinWheel;
    return await transact(call.db, async (tx) => {
      await mustOwnCart(tx, caller, cartId);
      await takeCart(tx, { cartId, userId: userIdOf(call), country: caller.country, storeId: country.DEFAULT_STORE }, now);
      const before = await spinOf(tx, cartId);
      const isOpen = before === undefined || before.state === 'USED';
      if (isOpen) {
        if ((await cartState(tx, cartId))?.lines.length === 0) refuse(422, 'CART_EMPTY', CART_EMPTY);
        const round = (before?.round ?? 0) + 1;
        // A new guest identity costs nothing, so it must not bring a new draw: only an account or an order does.
        const isFree = caller.isLoggedIn || round > 1;
        const slot = isFree ? drawn(wheel) : await firstDraw(tx, { device: deviceOf(call), day: localDay(now, country.timeZone), slot: drawn(wheel) });
        const { label = '', code, points } = wheel.slots[slot] ?? {};
        await addSpin(tx, { cart_id: cartId, round, user_id: userIdOf(call), country: caller.country, slot, label, code: code ?? null, points: points ?? null, spun_at: now });
        // What a cart costs may be different now: an agreed price belongs to a version.
        if (code !== undefined) await growVersion(tx, cartId);
      }
      const spin = await spinOf(tx, cartId);
      if (spin === undefined) throw new Error(`the spin of cart ${cartId} was not kept`);
      const priced = await pricedCart(tx, services.catalogue, cartId, buyerOf(caller), now);
      return { status: SUCCESS, slots: slotsOf(wheel), result: resultOf(spin, whyNot(spin, priced)), isFirst: isOpen, cart: priced.cart };
    });
  }),
];

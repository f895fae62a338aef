import type * as z from 'zod/mini';
import type { CartOptions } from '../../../contract/cart.ts';
import type { PaymentMode } from '../../../contract/names.ts';
import { optionsNamed, type PaymentOption } from '../../../contract/payments.ts';
import { money } from '../../../contract/price.ts';
import { USUAL_PREFIX, type price } from '../../../contract/usual.ts';
import { distanceKm } from '../../../domain/geo.ts';
import { phoneNumber } from '../../../domain/phone.ts';
import { userIdOf, type Call } from '../../call/call.ts';
import type { CountryCatalogue } from '../../call/catalogue.ts';
import { t } from '../../call/language.ts';
import { refuse } from '../../call/refusal.ts';
import {
  cartState,
  growVersion,
  isInCart,
  linesOf,
  takeCart,
  writeCoupons,
  writeLine,
  writeOptions,
  type LineWish,
} from '../../store/carts.ts';
import { transact, type Tx } from '../../store/db.ts';
import { lastPaidMode } from '../../store/payments.ts';
import { offlineStores } from '../../store/stores.ts';
import { cartProblems, priceCart, type CartState, type PricingContext } from '../cart/cart.ts';
import { changeCart, type Operation } from '../cart/cartChanges.ts';
import { buyerOf, emptyState, mustOwnCart, pricedCart, pricingContextOf } from '../cart/pricingContext.ts';
import { bestCodesFor } from '../offers/optimise.ts';
import { kitchenDelayNow } from '../order/kitchen.ts';
import { modeProblem } from '../payment/modes.ts';
import { takesOf } from '../catalogue/taking.ts';
import { orderMinutes, storeProblem } from '../places/stores.ts';
import { customerProblems, placeProblems } from './checkout.ts';

type UsualRequest = z.output<typeof price.body>;

/** The coupons of a cart that takes the best permitted offers, or none at all. */
function couponsFor(
  state: CartState,
  context: PricingContext,
  withOffers: boolean,
): Pick<CartState, 'coupons' | 'declined'> {
  if (!withOffers) return { coupons: [], declined: [...context.catalogue.coupons.keys()] };
  const plain = priceCart({ ...state, coupons: [], declined: [], paymentMode: null }, context);
  const { couponCase } = plain;
  // A usual order is not a first order, even of a guest whose number nobody confirmed.
  const shopper = { ...couponCase.shopper, hasOrdered: true };
  const best = bestCodesFor({ ...couponCase, shopper }, state.paymentMode);
  // What is on by itself stays so: taken off, it is off at once.
  return { coupons: best.filter((code) => !plain.applied.includes(code)), declined: [] };
}

/** The mode that was asked for if it is offered here, else the only one, else the one that paid last. */
async function modeFor(call: Call, wanted: PaymentMode | undefined, options: readonly PaymentOption[]) {
  const isOffered = (mode: PaymentMode | null | undefined) => options.some(({ id }) => id === mode);
  if (wanted !== undefined && isOffered(wanted)) return wanted;
  if (options.length === 1) return options[0]!.id;
  const last = await lastPaidMode(call.db, userIdOf(call));
  return isOffered(last) ? last : null;
}

/** The price of these dishes now as an order of their own. @throws Refusal 422 STORE_UNKNOWN */
export async function priceUsual(
  call: Call,
  catalogue: CountryCatalogue,
  asked: UsualRequest,
  options: readonly PaymentOption[],
) {
  const { db, now } = call;
  const { country } = catalogue;
  const mobile = asked.customer ? phoneNumber(asked.customer.mobile, country) : null;
  const context = await pricingContextOf(db, catalogue, asked.storeId, buyerOf(call.caller), now, {}, call.seen);
  const paymentMode = await modeFor(call, asked.paymentMode, options);
  const bare: CartState = {
    ...emptyState('', userIdOf(call), asked.storeId),
    deliveryType: asked.deliveryType,
    paymentMode,
    lines: asked.lines.map(({ quantity, ...wish }, at) => ({
      lineId: String(at),
      quantity,
      removed: false,
      wish: wish satisfies LineWish,
      changedAt: now,
    })),
  };
  const withOffers = couponsFor(bare, context, true);
  const state = { ...bare, ...(asked.withOffers === false ? couponsFor(bare, context, false) : withOffers) };
  const { cart, applied } = priceCart(state, context);
  const without = priceCart({ ...bare, ...couponsFor(bare, context, false) }, context).cart;
  const { store } = context;
  const offline = await offlineStores(db, country.COUNTRY_CODE, call.seen);
  const atStore = storeProblem(catalogue, store, offline, { deliveryType: asked.deliveryType, slotId: null }, now);
  const km = asked.deliveryType === 'DELIVERY' && asked.address ? distanceKm(store, asked.address) : null;
  return {
    lines: asked.lines.map((_line, at) => cart.validItems.find((line) => line.lineId === String(at)) ?? null),
    gifts: cart.validItems.filter((line) => line.free === true),
    gone: cart.invalidItems.map(({ productId, name, reason }) => ({ productId, name, reason })),
    bill: cart.bill,
    offers: cart.offers.filter(({ code }) => applied.includes(code)).map(({ code, title }) => ({ code, title })),
    saving: money(Math.max(0, cart.bill.savings - without.bill.savings)),
    hasOffers: withOffers.coupons.length > 0,
    problems: [
      ...(atStore === null ? [] : [atStore]),
      ...cartProblems({ ...cart, invalidItems: [] }, country),
      ...placeProblems(asked, store),
      ...(asked.customer ? customerProblems(asked.customer, mobile, country) : []),
    ],
    paymentMode,
    modes: optionsNamed(options, asked.deliveryType).map((option) => {
      const reason = modeProblem(country, options, option.id, cart.bill.total)?.displayMsg;
      return { ...option, ...(reason === undefined ? {} : { disabledReason: reason }) };
    }),
    takes: takesOf(catalogue, store, offline, asked.deliveryType, now),
    deliveryMinutes: orderMinutes(
      catalogue,
      store,
      offline,
      { deliveryType: asked.deliveryType, slotId: null, km, delayMs: await kitchenDelayNow(db, store, now) },
      now,
    ),
    termsVersion: catalogue.seeds.content.legal.version,
  };
}

interface UsualDishes {
  readonly operations: readonly Operation[];
  readonly options: CartOptions;
  readonly withOffers: boolean;
  /** How the ids of lines begin that an earlier try, which did not become an order, has left. */
  readonly prefix: string;
}

/**
 * Puts these dishes into a cart that is locked for this transaction, in place of what is in there, which is kept aside.
 * Tip, bag, cutlery and a reward were chosen for the other dishes: without a wish for them they are off.
 * @throws Refusal 409 GROUP_SHARED, and what `changeCart` refuses
 */
export async function putInstead(
  tx: Tx,
  call: Call,
  catalogue: CountryCatalogue,
  cartId: string,
  { operations, options, withOffers, prefix }: UsualDishes,
) {
  const { caller, now } = call;
  await mustOwnCart(tx, caller, cartId);
  const { COUNTRY_CODE: country, DEFAULT_STORE: storeId } = catalogue.country;
  await takeCart(tx, { cartId, userId: userIdOf(call), country, storeId }, now);
  const before = await cartState(tx, cartId);
  if (before?.groupId) refuse(409, 'GROUP_SHARED', t.usualShared);
  if (before?.reward === true) await writeOptions(tx, cartId, { ...before, reward: false });
  const own = new Set(operations.map(({ lineId }) => lineId));
  for (const [position, line] of (await linesOf(tx, cartId)).entries()) {
    if (!isInCart(line) || own.has(line.lineId)) continue;
    const isOlderTry = line.lineId.startsWith(prefix);
    const next = isOlderTry ? { ...line, quantity: 0, removed: true } : { ...line, aside: true };
    await writeLine(tx, cartId, position, { ...next, changedAt: now });
  }
  const buyer = buyerOf(caller);
  const chosen = { tip: 0, carryBag: false, cutlery: false, ...options };
  const reading = await changeCart(tx, catalogue, { cartId, ...buyer }, operations, chosen, now);
  const { state, context } = await pricedCart(tx, call.services.catalogue, cartId, buyer, now, {}, undefined, reading);
  const { coupons, declined } = couponsFor(state, context, withOffers);
  await writeCoupons(tx, cartId, coupons, declined);
  await growVersion(tx, cartId);
  return (await pricedCart(tx, call.services.catalogue, cartId, buyer, now)).cart;
}

/** Puts the usual order into a cart. @throws Refusal as `putInstead` */
export async function putUsual(
  call: Call,
  cartId: string,
  { operations, options, withOffers }: Omit<UsualDishes, 'prefix'>,
) {
  const { tip: _tip, carryBag: _bag, cutlery: _cutlery, ...rest } = options;
  return await transact(call.db, async (tx) => {
    const catalogue = await call.services.catalogue.of(tx, call.caller.country);
    const wish = { operations, options: rest, withOffers, prefix: USUAL_PREFIX };
    return await putInstead(tx, call, catalogue, cartId, wish);
  });
}

import type { DeliveryType, PaymentMode } from '../../../contract/names.ts';
import { errors, t } from '../../call/language.ts';
import { Refusal, refuse } from '../../call/refusal.ts';
import { userIdOf } from '../../call/call.ts';
import type { Call } from '../../call/call.ts';
import type { CountryCatalogue } from '../../call/catalogue.ts';
import { cardOffersOf } from '../../store/cardOffers.ts';
import type { TakenCart } from '../../store/carts.ts';
import { release } from '../../store/coupons.ts';
import type { Tx } from '../../store/db.ts';
import { newId } from '../../store/ids.ts';
import { enqueue } from '../../store/jobs.ts';
import { setOrder, type OrderRow, snapshotOf } from '../../store/orders.ts';
import { tellJob } from '../order/outbox.ts';
import { englishWords } from '../cart/englishWords.ts';
import { cartProblems, priceCart, type CartState, type PricedCart } from '../cart/cart.ts';
import { couponByCode, putOn, takenOff } from '../offers/coupons.ts';
import { restOf } from '../payment/funds.ts';
import type { OrderSnapshot } from '../../store/orders.ts';
import { holdersFor } from '../offers/firstOrder.ts';
import { redeem } from '../offers/redeem.ts';
import { linesFor } from './orderLines.ts';
import { firstOrderOf } from './checkout.ts';
import { pricingContextOf } from '../cart/pricingContext.ts';

export interface PromoChange {
  readonly code: string;
  readonly isOn: boolean;
  readonly mode: PaymentMode;
  readonly cardToken: string | undefined;
}

/** The customer's choice for the order; old orders do not say what was taken off, so that nothing joins them. */
const choiceOf = ({ coupons, declined }: TakenCart, catalogue: CountryCatalogue) => ({
  coupons,
  declined: declined ?? [...catalogue.coupons.keys()],
});

/** Returns a function that rebuilds the cart the order was made from, with exactly the given codes unless `more` says else. */
function placedCart(
  order: OrderRow,
  cart: TakenCart,
  catalogue: CountryCatalogue,
  prizes: readonly string[],
): (coupons: readonly string[], paymentMode: PaymentMode | null, more?: Partial<CartState>) => CartState {
  return (coupons, paymentMode, more) => ({
    cartId: order.cart_id,
    userId: order.user_id,
    version: order.cart_version,
    storeId: order.store_id,
    deliveryType: order.delivery_type as DeliveryType,
    lines: cart.lines.map(({ lineId, quantity, wish }) => ({
      lineId,
      quantity,
      wish,
      removed: false,
      changedAt: order.submitted_at,
    })),
    coupons,
    declined: [...catalogue.coupons.keys()].filter((own) => !coupons.includes(own)),
    prizes,
    tip: cart.tip,
    carryBag: cart.carryBag,
    cutlery: cart.cutlery,
    // Its points were spent with the order.
    reward: cart.reward === true,
    paymentMode,
    ...more,
  });
}

const reasonOf = ({ cart }: PricedCart, code: string) =>
  cart.offers.find((offer) => offer.code === code)?.messages[0]?.message;

/** The code must take effect on the order and must still be valid today. @throws Refusal 422 COUPON */
function mustApply(code: string, priced: PricedCart, today: PricedCart): void {
  if (!priced.applied.includes(code)) refuse(422, 'COUPON', reasonOf(priced, code) ?? t.couponNoGain, { field: code });
  if (!today.applied.includes(code))
    refuse(422, 'COUPON', reasonOf(today, code) ?? errors.couponExpired, { field: code });
}

/**
 * The order's other codes must still apply, and the order must still be one that could be placed.
 * @throws Refusal 422 COUPON_PAYMENT_MODE, MINIMUM_ORDER
 */
function mustStand(others: readonly string[], { cart, applied }: PricedCart, catalogue: CountryCatalogue): void {
  const lost = cart.offers.find(({ code }) => others.includes(code) && !applied.includes(code));
  if (lost !== undefined)
    refuse(422, 'COUPON_PAYMENT_MODE', lost.messages[0]?.message ?? t.couponStack, { field: lost.code });
  const problems = cartProblems(cart, catalogue.country);
  if (problems.length > 0) throw new Refusal(422, problems);
}

/** Saves the new bill and tells the store. */
async function writePriced(tx: Tx, order: OrderRow, snapshot: OrderSnapshot, now: number): Promise<OrderRow> {
  const priced = { total: snapshot.bill.total, snapshot: JSON.stringify(snapshot) };
  await setOrder(tx, order.id, priced);
  const kind = `order.priced:${newId('prc')}`;
  const payload = { number: order.number, total: priced.total, currency: order.currency };
  await enqueue(tx, tellJob({ orderId: order.id, kind, payload, at: now }));
  return { ...order, ...priced };
}

/**
 * Prices an unpaid order again with one code more or less, and uses coupons up accordingly. A code takes the place of
 * one of its stack group, such as an offer that was put on by itself. Dishes and their prices stay as ordered: it is
 * priced as of the time it was placed. If that does not give the order's own bill (an order passed to another store, or
 * a price that was locked), the change is refused. The caller has locked the order and made sure that no attempt is
 * open.
 * @throws Refusal 404 NOT_FOUND, 409 PROMO_FIXED and whatever redeem refuses, 422 COUPON, COUPON_PAYMENT_MODE,
 *   MINIMUM_ORDER
 */
export async function changePromo(tx: Tx, call: Call, order: OrderRow, change: PromoChange): Promise<OrderRow> {
  const { code, isOn, mode, cardToken } = change;
  const snapshot = snapshotOf(order);
  // Everybody in a group order has already been told what they owe.
  if (snapshot.cart === undefined || snapshot.group !== undefined) return refuse(409, 'PROMO_FIXED', t.promoFixed);
  const catalogue = await call.services.catalogue.of(tx, order.country);
  const coupon = couponByCode(catalogue, code);
  if (coupon === undefined) return refuse(422, 'COUPON', t.couponUnknown, { field: code });
  if (snapshot.coupons.includes(coupon.code) === isOn)
    return isOn ? order : refuse(404, 'NOT_FOUND', errors.notFound, { field: code });
  const choice = choiceOf(snapshot.cart, catalogue);
  const chosen = isOn ? putOn(choice, coupon, catalogue) : takenOff(choice, coupon);
  const others = snapshot.coupons.filter((own) => own !== coupon.code);

  await release(tx, order.id);
  const { mobile } = call.caller;
  const buyer = {
    country: order.country,
    host: call.caller.host,
    userId: order.user_id,
    mobile,
    includePartnerOffer: true,
  };
  const cardCodes = mode === 'CARD' ? await cardOffersOf(tx, userIdOf(call), cardToken, call.now) : undefined;
  const placed = {
    ...(await pricingContextOf(tx, catalogue, order.store_id, buyer, order.submitted_at)),
    soldOut: new Set<string>(),
  };
  const cartWith = placedCart(order, snapshot.cart, catalogue, snapshot.coupons);
  if (priceCart(cartWith(snapshot.coupons, null), placed).cart.bill.total !== order.total)
    return refuse(409, 'PROMO_FIXED', t.promoFixed);
  // What the code had taken the place of is on again without it: another of the customer's, or what comes by itself.
  const next = isOn
    ? cartWith(putOn({ coupons: others, declined: [] }, coupon, catalogue).coupons, mode)
    : cartWith([...new Set([...others, ...chosen.coupons])], mode, {
        declined: chosen.declined,
        bestOffer: snapshot.cart.bestOffer === true,
      });
  const priced = priceCart(next, { ...placed, cardCodes });
  // The bill is as of the time of the order, but the code must be valid now.
  if (isOn) mustApply(coupon.code, priced, priceCart(next, { ...placed, cardCodes, now: call.now }));
  mustStand(others, priced, catalogue);
  await redeem(tx, catalogue, {
    couponCodes: priced.applied,
    userId: order.user_id,
    mobile,
    holders: await holdersFor(
      tx,
      call.caller,
      firstOrderOf(call, {
        deliveryType: order.delivery_type,
        address: snapshot.address,
        cardToken,
        paymentMode: mode,
      }),
      call.now,
    ),
    orderId: order.id,
    now: order.submitted_at,
  });
  const { bill, validItems } = priced.cart;
  // The balances have already paid their part, so the new total must stay above it.
  if ((await restOf(tx, { id: order.id, total: bill.total })) <= 0) return refuse(409, 'PROMO_FIXED', t.promoFixed);
  return await writePriced(
    tx,
    order,
    {
      ...snapshot,
      ...linesFor({ lines: validItems, costs: priced.costs }),
      bill,
      ...englishWords(next, { ...placed, cardCodes }),
      coupons: priced.applied,
      cart: { ...snapshot.cart, coupons: chosen.coupons, declined: chosen.declined },
    },
    call.now,
  );
}

import type { DeliveryType, PaymentMode } from '../../contract/names.ts';
import * as messages from '../../domain/messages.ts';
import { Refusal, refuse } from '../http/refusal.ts';
import { userIdOf } from '../http/route.ts';
import type { Call } from '../http/route.ts';
import { cardOffersOf } from '../store/cardOffers.ts';
import { release } from '../store/coupons.ts';
import type { Tx } from '../store/db.ts';
import { newId } from '../store/ids.ts';
import { enqueue } from '../store/jobs.ts';
import { setOrder, type OrderRow } from '../store/orders.ts';
import { addToOutbox } from '../store/outbox.ts';
import { cartProblems, priceCart, type CartState } from './cart.ts';
import { couponByCode } from './coupons.ts';
import { restOf } from './funds.ts';
import type { OrderSnapshot } from './orderView.ts';
import { redeem } from './redeem.ts';
import { sceneOf } from './scene.ts';

export interface PromoChange { readonly code: string; readonly isOn: boolean; readonly mode: PaymentMode; readonly cardToken: string | undefined }

/**
 * Prices an unpaid order again with one code more or less, and uses coupons up accordingly. The dishes and their prices stay
 * those of the order: it is priced as of when it was placed, and refused if that does not give its bill (a store that hands
 * orders on, a price that was held). The caller has locked the order and knows that no attempt is open.
 * @throws Refusal 404 NOT_FOUND, 409 PROMO_FIXED and whatever redeeming refuses, 422 COUPON, MINIMUM_ORDER
 */
export async function changePromo(tx: Tx, call: Call, order: OrderRow, { code, isOn, mode, cardToken }: PromoChange): Promise<OrderRow> {
  const snapshot = JSON.parse(order.snapshot) as OrderSnapshot;
  // What everybody's part of a group order is was said to everybody.
  if (snapshot.cart === undefined || snapshot.group !== undefined) return refuse(409, 'PROMO_FIXED', messages.PROMO_FIXED);
  const catalogue = await call.services.catalogue.of(tx, order.country);
  const coupon = couponByCode(catalogue, code);
  if (coupon === undefined) return refuse(422, 'COUPON', messages.COUPON_UNKNOWN, { field: code });
  const has = snapshot.coupons.includes(coupon.code);
  if (!isOn && !has) return refuse(404, 'NOT_FOUND', messages.NOT_FOUND, { field: code });
  if (isOn && has) return order;
  const wanted = isOn ? [...snapshot.coupons, coupon.code] : snapshot.coupons.filter((own) => own !== coupon.code);

  await release(tx, order.id);
  const mobile = call.caller.mobile ?? order.mobile;
  const buyer = { country: order.country, partner: call.caller.partner, userId: order.user_id, mobile, includePartnerOffer: true };
  const cardCodes = mode === 'CARD' ? await cardOffersOf(tx, userIdOf(call), cardToken, call.now) : undefined;
  const of = (coupons: readonly string[]): CartState => ({
    cartId: order.cart_id, userId: order.user_id, version: order.cart_version, storeId: order.store_id, deliveryType: order.delivery_type as DeliveryType,
    lines: snapshot.cart!.lines.map(({ lineId, quantity, wish }) => ({ lineId, quantity, wish, removed: false, changedAt: order.submitted_at })), coupons,
    declined: [...catalogue.coupons.keys()].filter((own) => !coupons.includes(own)), prizes: snapshot.coupons,
    tip: snapshot.cart!.tip, carryBag: snapshot.cart!.carryBag, cutlery: snapshot.cart!.cutlery, paymentMode: null,
  });
  const placed = { ...await sceneOf(tx, catalogue, order.store_id, buyer, order.submitted_at), soldOut: new Set<string>() };
  if (priceCart(of(snapshot.coupons), placed).cart.bill.total !== order.total) return refuse(409, 'PROMO_FIXED', messages.PROMO_FIXED);
  const { cart, applied } = priceCart({ ...of(wanted), paymentMode: mode }, { ...placed, cardCodes });
  const lost = cart.offers.find((offer) => wanted.includes(offer.code) && !applied.includes(offer.code) && offer.code !== coupon.code);
  const own = cart.offers.find((offer) => offer.code === coupon.code);
  // The bill is as of when it was placed; the code has to run now.
  const late = isOn ? priceCart({ ...of(wanted), paymentMode: mode }, { ...placed, cardCodes, now: call.now }) : null;
  if (late !== null && !late.applied.includes(coupon.code) && applied.includes(coupon.code)) {
    refuse(422, 'COUPON', late.cart.offers.find((offer) => offer.code === coupon.code)?.messages[0]?.message ?? messages.COUPON_EXPIRED, { field: coupon.code });
  }
  if (isOn && !applied.includes(coupon.code)) refuse(422, 'COUPON', own?.messages[0]?.message ?? messages.COUPON_NO_GAIN, { field: coupon.code });
  if (lost !== undefined) refuse(422, 'COUPON_PAYMENT_MODE', lost.messages[0]?.message ?? messages.COUPON_STACK, { field: lost.code });
  const problems = cartProblems(cart, catalogue.country);
  if (problems.length > 0) throw new Refusal(422, problems);
  await redeem(tx, catalogue, { couponCodes: applied, userId: order.user_id, mobile, orderId: order.id, now: order.submitted_at });
  const now: OrderSnapshot = {
    ...snapshot, lines: cart.validItems, bill: cart.bill, coupons: applied,
    cart: { ...snapshot.cart, coupons: isOn ? [...snapshot.cart.coupons, coupon.code] : snapshot.cart.coupons.filter((one) => one !== coupon.code) },
  };
  const { total } = cart.bill;
  // What balances have paid already cannot become too much.
  if (await restOf(tx, { id: order.id, total }) <= 0) return refuse(409, 'PROMO_FIXED', messages.PROMO_FIXED);
  await setOrder(tx, order.id, { total, snapshot: JSON.stringify(now) });
  const kind = `order.priced:${newId('prc')}`;
  await addToOutbox(tx, { orderId: order.id, kind, payload: { number: order.number, total, currency: order.currency }, at: call.now });
  await enqueue(tx, { kind: 'outbox.send', runAt: call.now, payload: { orderId: order.id }, key: `outbox.send:${order.id}:${kind}` });
  return { ...order, total, snapshot: JSON.stringify(now) };
}

import type * as z from 'zod/mini';
import { money } from '../../../contract/price.ts';
import { REORDER_PREFIX, type ReorderReply, type reorder } from '../../../contract/reorder.ts';
import { LineProblem } from '../../../domain/build.ts';
import { inputOf } from '../../../domain/lineInput.ts';
import { catalogueHere, type Call } from '../../call/call.ts';
import type { CountryCatalogue } from '../../call/catalogue.ts';
import { t } from '../../call/language.ts';
import { refuse } from '../../call/refusal.ts';
import type { LineWish } from '../../store/carts.ts';
import { transact } from '../../store/db.ts';
import { snapshotOf, type OrderRow, type OrderSnapshot } from '../../store/orders.ts';
import type { Operation } from '../cart/cartChanges.ts';
import { wordsOf } from '../offers/couponCase.ts';
import { priceLine } from '../pricing/price.ts';
import { putInstead } from './usual.ts';

/** A dish of an order as it was asked for, with what one piece cost and was called then. */
interface Dish {
  readonly lineId: string;
  readonly wish: LineWish;
  readonly quantity: number;
  readonly name: string;
  readonly price: number;
}

/** The dishes of an order, those of everybody in a group, without what an offer gave. */
function dishesOf({ lines }: OrderSnapshot): Dish[] {
  return lines
    .filter(({ free }) => free !== true)
    .map((line) => {
      const { lineId, quantity, ...wish } = inputOf(line);
      return { lineId, quantity, wish, name: line.product.name, price: line.product.price };
    });
}

/** Why our menus of today cannot have this dish at all; null where it can, even if it is sold out now. */
function whyGone(catalogue: CountryCatalogue, dish: Dish): string | null {
  try {
    priceLine(catalogue, dish.lineId, dish.quantity, dish.wish, null);
    return null;
  } catch (error) {
    if (!(error instanceof LineProblem)) throw error;
    const { productId } = dish.wish;
    const isKnown = catalogue.items.has(productId) || catalogue.deals.has(productId);
    return error.kind === 'gone' && isKnown ? null : error.message;
  }
}

/**
 * Puts an order's dishes into the customer's cart, with the best permitted offers of now, and with cutlery if they asked
 * for it then.
 * @param keepsTip takes over the order's tip where the cart is delivered
 * @throws Refusal 422 REORDER_GONE, and what `putInstead` refuses
 */
export async function putAgain(
  call: Call,
  order: OrderRow,
  asked: z.output<typeof reorder.body>,
  keepsTip: boolean,
): Promise<ReorderReply> {
  const catalogue = await catalogueHere(call);
  const snapshot = snapshotOf(order);
  const dishes = dishesOf(snapshot);
  const reasons = new Map(dishes.map((dish) => [dish.lineId, whyGone(catalogue, dish)]));
  const prefix = `${REORDER_PREFIX}${order.id}:`;
  const known = dishes
    .filter(({ lineId }) => reasons.get(lineId) === null)
    .map((dish, at) => ({ ...dish, lineId: `${prefix}${asked.operationId}:${at}` }));
  if (known.length === 0) refuse(422, 'REORDER_GONE', t.reorderGone);
  const deliveryType = asked.deliveryType ?? snapshotType(order);
  const storeId = asked.storeId ?? (catalogue.stores.has(order.store_id) ? order.store_id : undefined);
  const tip = keepsTip && deliveryType === 'DELIVERY' ? (snapshot.cart?.tip ?? 0) : 0;
  const wish = {
    operations: known.map(({ lineId, quantity, wish }): Operation => ({ operationId: lineId, lineId, quantity, wish })),
    options: { deliveryType, tip, cutlery: order.cutlery === 1, ...(storeId === undefined ? {} : { storeId }) },
    withOffers: true,
    prefix,
  };
  const cart = await transact(call.db, (tx) => putInstead(tx, call, catalogue, asked.cartId, wish));
  const titles = new Map([...catalogue.coupons.values()].map((coupon) => [coupon.code, wordsOf(coupon).title]));
  return {
    cart,
    gone: dishes.flatMap(({ lineId, name, wish }) => {
      const reason = reasons.get(lineId);
      return typeof reason === 'string' ? [{ productId: wish.productId, name, reason }] : [];
    }),
    was: {
      placedAt: order.submitted_at,
      lines: known.map(({ lineId, price }) => ({ lineId, price: money(price) })),
      offers: snapshot.coupons.map((code) => ({ code, title: titles.get(code) ?? code })),
      store: snapshot.store,
      deliveryType: snapshotType(order),
      address: snapshot.address,
    },
    store: { id: cart.storeId, name: catalogue.stores.get(cart.storeId)!.name },
  };
}

const snapshotType = (order: OrderRow) => order.delivery_type as ReorderReply['was']['deliveryType'];

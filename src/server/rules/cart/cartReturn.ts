import {
  type TakenCart,
  cartState,
  growVersion,
  linesOf,
  takeCart,
  writeCoupons,
  writeLine,
  writeOptions,
} from '../../store/carts.ts';
import type { Tx } from '../../store/db.ts';
import { reopenGroup } from '../../store/group.ts';
import { snapshotOf, type OrderRow } from '../../store/orders.ts';
import { userById } from '../../store/sessions.ts';
import type { CartState } from './cart.ts';

export function takenFrom(state: CartState): TakenCart {
  return {
    lines: state.lines.map(({ lineId, quantity, wish, personId }) => ({ lineId, quantity, wish, personId })),
    coupons: state.coupons,
    declined: state.declined,
    bestOffer: state.bestOffer === true,
    tip: state.tip,
    carryBag: state.carryBag,
    cutlery: state.cutlery,
    ...(state.reward === true ? { reward: true } : {}),
  };
}

/**
 * When an order fails, its lines go back to the cart its customer has now (the account's cart after a login). Lines
 * added since then stay. The returned lines get new ids, because a removed line id stays removed on every device that
 * still knows it. Called once per order, in the transaction that ends the order.
 */
export async function returnCart(tx: Tx, order: OrderRow, now: number): Promise<void> {
  const { cart } = snapshotOf(order);
  const owner = await userById(tx, order.user_id);
  if (cart === undefined || owner === undefined || cart.lines.length === 0) return;
  await takeCart(tx, { cartId: owner.cart_id, userId: owner.id, country: order.country, storeId: order.store_id }, now);
  const before = await cartState(tx, owner.cart_id);
  if (before === undefined) return;
  // A group order becomes a group again, but closed: the host can pay in another way or reopen it.
  const isShared = await reopenGroup(tx, order.id, owner.cart_id, now);
  const { length: position } = await linesOf(tx, owner.cart_id);
  for (const [index, { quantity, wish, personId }] of cart.lines.entries()) {
    await writeLine(tx, owner.cart_id, position + index, {
      lineId: `back:${order.id}:${index + 1}`,
      quantity,
      removed: false,
      wish,
      changedAt: now,
      ...(isShared && personId ? { personId } : {}),
    });
  }
  // If the customer has already chosen other coupons or options since, those are newer and stay.
  if (before.coupons.length === 0)
    await writeCoupons(tx, owner.cart_id, cart.coupons, [
      ...new Set([...before.declined, ...(before.lines.length === 0 ? (cart.declined ?? []) : [])]),
    ]);
  if (before.lines.length === 0)
    await writeOptions(tx, owner.cart_id, {
      ...before,
      tip: cart.tip,
      carryBag: cart.carryBag,
      cutlery: cart.cutlery,
      reward: before.reward === true || cart.reward === true,
    });
  await growVersion(tx, owner.cart_id);
}

import { cartState, growVersion, linesOf, takeCart, writeCoupons, writeLine, writeOptions } from '../store/carts.ts';
import type { Tx } from '../store/db.ts';
import { reopenGroup } from '../store/group.ts';
import type { OrderRow } from '../store/orders.ts';
import { userById } from '../store/sessions.ts';
import type { CartState } from './cart.ts';
import type { OrderSnapshot } from './orderView.ts';
import type { LineWish } from './price.ts';

/** What an order took out of its cart: enough to put it back. */
export interface TakenCart {
  readonly lines: readonly { readonly lineId: string; readonly quantity: number; readonly wish: LineWish; readonly personId?: string | undefined }[];
  readonly coupons: readonly string[];
  readonly tip: number;
  readonly carryBag: boolean;
  readonly cutlery: boolean;
}

export function takenFrom(state: CartState): TakenCart {
  return {
    lines: state.lines.map(({ lineId, quantity, wish, personId }) => ({ lineId, quantity, wish, personId })),
    coupons: state.coupons, tip: state.tip, carryBag: state.carryBag, cutlery: state.cutlery,
  };
}

/**
 * An order that came to nothing gives its lines back to the cart its customer has now, which is the account's after a login.
 * What was added since stays; the lines come under ids of their own, since a removed line stays removed for every device
 * that still knows it. Called once per order, by whoever ends it, in the same transaction.
 */
export async function returnCart(tx: Tx, order: OrderRow, now: number): Promise<void> {
  const { cart } = JSON.parse(order.snapshot) as OrderSnapshot;
  const owner = await userById(tx, order.user_id);
  if (cart === undefined || owner === undefined || cart.lines.length === 0) return;
  await takeCart(tx, { cartId: owner.cart_id, userId: owner.id, country: order.country, storeId: order.store_id }, now);
  const before = await cartState(tx, owner.cart_id);
  if (before === undefined) return;
  // A group order is as it was, closed: its host pays in another way, or opens it again.
  const isShared = await reopenGroup(tx, order.id, owner.cart_id, now);
  const { length: position } = await linesOf(tx, owner.cart_id);
  for (const [index, { quantity, wish, personId }] of cart.lines.entries()) {
    await writeLine(tx, owner.cart_id, position + index, { lineId: `back:${order.id}:${index + 1}`, quantity, removed: false, wish, changedAt: now, ...(isShared && personId ? { personId } : {}) });
  }
  // Coupons and options of a cart that is in use already are the customer's newer wish.
  if (before.coupons.length === 0) await writeCoupons(tx, owner.cart_id, cart.coupons, before.declined);
  if (before.lines.length === 0) await writeOptions(tx, owner.cart_id, { ...before, tip: cart.tip, carryBag: cart.carryBag, cutlery: cart.cutlery });
  await growVersion(tx, owner.cart_id);
}

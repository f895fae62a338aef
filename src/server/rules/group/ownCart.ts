import type { AsideChoice, CartOptions, Cart } from '../../../contract/cart.ts';
import { catalogueHere, type Call } from '../../call/call.ts';
import { transact } from '../../store/db.ts';
import { changeCart, decideAside, type Operation } from '../cart/cartChanges.ts';
import { buyerOf, mustOwnCart, pricedCart, takeOwnCart } from '../cart/pricingContext.ts';
import { guestCart, partOf, placeOf } from './group.ts';

/**
 * Changes the caller's cart, or the caller's part of a group's. The reply is made in the same transaction, so it shows
 * this change and the version that belongs to it.
 */
export async function changeOwnCart(
  call: Call,
  cartId: string,
  operations: readonly Operation[],
  options: CartOptions | undefined,
): Promise<Cart> {
  const { db, services, now } = call;
  const catalogue = await catalogueHere(call);
  const buyer = buyerOf(call.caller);
  return await transact(db, async (tx) => {
    const { cartId: id, guest } = await placeOf(tx, call.caller, cartId);
    if (guest !== null) {
      const place = { cartId: id, country: buyer.country, userId: guest.group.host_user_id, mobile: null };
      await changeCart(tx, catalogue, place, operations, undefined, now, partOf(tx, catalogue, guest));
      return await guestCart(tx, services.catalogue, guest, now);
    }
    await mustOwnCart(tx, call.caller, id);
    const reading = await changeCart(tx, catalogue, { cartId: id, ...buyer }, operations, options, now);
    return (await pricedCart(tx, services.catalogue, id, buyer, now, {}, call.seen, reading)).cart;
  });
}

/** What becomes of the dishes that a login has put aside. @throws Refusal 404 NOT_FOUND */
export async function decideOwnAside(
  call: Call,
  cartId: string,
  choice: AsideChoice,
  lineIds: readonly string[],
): Promise<Cart> {
  return await transact(call.db, async (tx) => {
    await takeOwnCart(tx, call, cartId);
    await decideAside(tx, cartId, choice, lineIds, call.now);
    return (await pricedCart(tx, call.services.catalogue, cartId, buyerOf(call.caller), call.now)).cart;
  });
}

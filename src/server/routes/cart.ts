import * as cart from '../../contract/cart.ts';
import { on } from '../call/route.ts';
import type { Route } from '../call/route.ts';
import { catalogueHere, type Call } from '../call/call.ts';
import { upsellOf } from '../rules/cart/cart.ts';
import { additionOf, changeOf, type Operation } from '../rules/cart/cartChanges.ts';
import { changeOwnCart, decideOwnAside } from '../rules/group/ownCart.ts';
import { guestCart, placeOf } from '../rules/group/group.ts';
import { knownStore, ownPricedCart } from '../rules/cart/pricingContext.ts';

async function changed(
  call: Call,
  cartId: string,
  operations: readonly Operation[],
  options: cart.CartOptions | undefined,
) {
  return { cart: await changeOwnCart(call, cartId, operations, options) };
}

export const cartRoutes: Route[] = [
  on(cart.byId, async ({ cartId, query }, call) => {
    const place = await placeOf(call.db, call.caller, cartId);
    if (place.guest !== null) return { cart: await guestCart(call.db, call.services.catalogue, place.guest, call.now) };
    if (query.storeId !== undefined) knownStore(await catalogueHere(call), query.storeId);
    return { cart: (await ownPricedCart(call, place.cartId, query)).cart };
  }),
  on(cart.add, ({ cartId, body }, call) => changed(call, cartId, body.items.map(additionOf), body.options)),
  on(cart.change, ({ cartId, body }, call) => changed(call, cartId, body.items.map(changeOf), body.options)),
  on(cart.decide, async ({ cartId, body }, call) => ({
    cart: await decideOwnAside(call, cartId, body.choice, body.lineIds),
  })),
  on(cart.upsell, async ({ cartId }, call) => {
    const { cart: body, context } = await ownPricedCart(call, cartId);
    return { productIds: upsellOf(body, context.catalogue, context.soldOut) };
  }),
];

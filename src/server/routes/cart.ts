import * as cart from '../../contract/cart.ts';
import { on } from '../call/route.ts';
import type { Route } from '../call/route.ts';
import type { Call } from '../call/call.ts';
import { upsellOf } from '../rules/cart/cart.ts';
import { additionOf, changeCart, changeOf, decideAside, type Operation } from '../rules/cart/cartChanges.ts';
import { guestCart, partOf, placeOf } from '../rules/group/group.ts';
import { buyerOf, knownStore, mustOwnCart, pricedCart, type Look } from '../rules/cart/pricingContext.ts';
import { takeCart } from '../store/carts.ts';
import { transact } from '../store/db.ts';

const SUCCESS = 'SUCCESS' as const;

async function priced(call: Call, cartId: string, look: Look = {}) {
  return await pricedCart(call.db, call.services.catalogue, cartId, buyerOf(call.caller), call.now, look, call.seen);
}

/**
 * Changes the cart. The reply is read in the same transaction, so it shows this change and the version that belongs to
 * it.
 */
async function changed(
  call: Call,
  cartId: string,
  operations: readonly Operation[],
  options: cart.CartOptions | undefined,
) {
  const catalogue = await call.services.catalogue.of(call.db, call.caller.country, call.seen);
  const buyer = buyerOf(call.caller);
  const body = await transact(call.db, async (tx) => {
    const { cartId: id, guest } = await placeOf(tx, call.caller, cartId);
    if (guest !== null) {
      await changeCart(
        tx,
        catalogue,
        { cartId: id, userId: guest.group.host_user_id },
        operations,
        undefined,
        call.now,
        partOf(tx, catalogue, guest),
      );
      return await guestCart(tx, call.services.catalogue, guest, call.now);
    }
    await changeCart(tx, catalogue, { cartId: id, userId: buyer.userId }, operations, options, call.now);
    return (await pricedCart(tx, call.services.catalogue, id, buyer, call.now)).cart;
  });
  return { status: SUCCESS, cart: body };
}

export const cartRoutes: Route[] = [
  on(cart.byId, async ({ cartId, query }, call) => {
    const { cartId: id, guest } = await placeOf(call.db, call.caller, cartId);
    if (guest !== null)
      return { status: SUCCESS, cart: await guestCart(call.db, call.services.catalogue, guest, call.now) };
    if (query.storeId !== undefined)
      knownStore(await call.services.catalogue.of(call.db, call.caller.country, call.seen), query.storeId);
    return { status: SUCCESS, cart: (await priced(call, id, query)).cart };
  }),
  on(cart.add, ({ cartId, body }, call) => changed(call, cartId, body.items.map(additionOf), body.options)),
  on(cart.change, ({ cartId, body }, call) => changed(call, cartId, body.items.map(changeOf), body.options)),
  on(cart.decide, async ({ cartId, body }, call) => {
    const buyer = buyerOf(call.caller);
    return await transact(call.db, async (tx) => {
      await mustOwnCart(tx, call.caller, cartId);
      const { country } = await call.services.catalogue.of(tx, call.caller.country);
      const place = { cartId, userId: buyer.userId, country: country.COUNTRY_CODE, storeId: country.DEFAULT_STORE };
      await takeCart(tx, place, call.now);
      await decideAside(tx, cartId, body.choice, body.lineIds, call.now);
      const { cart: after } = await pricedCart(tx, call.services.catalogue, cartId, buyer, call.now);
      return { status: SUCCESS, cart: after };
    });
  }),
  on(cart.upsell, async ({ cartId }, call) => {
    await mustOwnCart(call.db, call.caller, cartId);
    const { cart: body, context } = await priced(call, cartId);
    return { status: SUCCESS, productIds: upsellOf(body, context.catalogue, context.soldOut) };
  }),
];

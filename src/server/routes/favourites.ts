import * as contract from '../../contract/favourites.ts';
import { FAVOURITES_FULL, NOT_FOUND } from '../../domain/messages.ts';
import { refuse } from '../http/refusal.ts';
import { on, userIdOf } from '../http/route.ts';
import type { Call, Route } from '../http/route.ts';
import { onLogin } from '../rules/sessions.ts';
import { addFavourite, copyFavourites, favouritesOf, removeFavourite } from '../store/favourites.ts';
import { transact } from '../store/db.ts';
import { lockUser } from '../store/sessions.ts';

const SUCCESS = 'SUCCESS' as const;
export const FAVOURITES_AT_MOST = 100;

/** A dish that left the menu is not shown, and comes back with the dish. */
async function shown(call: Call, ids: readonly string[]) {
  const { items, deals } = await call.services.catalogue.of(call.db, call.caller.country, call.seen);
  return { status: SUCCESS, productIds: ids.filter((id) => items.has(id) || deals.has(id)) };
}

export const favouriteRoutes: Route[] = [
  on(contract.products, async (_input, call) => shown(call, await favouritesOf(call.db, userIdOf(call)))),
  on(contract.addProduct, async ({ body: { productId } }, call) => {
    const userId = userIdOf(call);
    const { items, deals } = await call.services.catalogue.of(call.db, call.caller.country, call.seen);
    if (!items.has(productId) && !deals.has(productId)) refuse(422, 'PRODUCT_UNKNOWN', NOT_FOUND, { field: 'productId' });
    const ids = await transact(call.db, async (tx) => {
      await lockUser(tx, userId);
      const own = await favouritesOf(tx, userId);
      if (own.includes(productId)) return own;
      if (own.length >= FAVOURITES_AT_MOST) refuse(422, 'FAVOURITES_FULL', FAVOURITES_FULL);
      await addFavourite(tx, userId, productId, call.now);
      return await favouritesOf(tx, userId);
    });
    return await shown(call, ids);
  }),
  on(contract.removeProduct, async ({ productId }, call) => {
    await removeFavourite(call.db, userIdOf(call), productId);
    return await shown(call, await favouritesOf(call.db, userIdOf(call)));
  }),
];

onLogin((tx, { guestUserId, userId }) => copyFavourites(tx, guestUserId, userId));

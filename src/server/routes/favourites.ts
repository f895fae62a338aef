import * as contract from '../../contract/favourites.ts';
import { errors, t } from '../call/language.ts';
import { refuse } from '../call/refusal.ts';
import { on } from '../call/route.ts';
import { userIdOf } from '../call/call.ts';
import type { Route } from '../call/route.ts';
import type { Call } from '../call/call.ts';
import { onLogin } from '../rules/people/sessions.ts';
import { addFavourite, copyFavourites, favouritesOf, removeFavourite } from '../store/favourites.ts';
import { transact } from '../store/db.ts';
import { lockUser } from '../store/sessions.ts';

const SUCCESS = 'SUCCESS' as const;
const FAVOURITES_AT_MOST = 100;

/** Leaves out products that are not on the menu now. They stay stored and show again when they return to the menu. */
async function shown(call: Call, ids: readonly string[]) {
  const { items, deals } = await call.services.catalogue.of(call.db, call.caller.country, call.seen);
  return { status: SUCCESS, productIds: ids.filter((id) => items.has(id) || deals.has(id)) };
}

export const favouriteRoutes: Route[] = [
  on(contract.products, async (_input, call) => shown(call, await favouritesOf(call.db, userIdOf(call)))),
  on(contract.addProduct, async ({ body: { productId } }, call) => {
    const userId = userIdOf(call);
    const { items, deals } = await call.services.catalogue.of(call.db, call.caller.country, call.seen);
    if (!items.has(productId) && !deals.has(productId))
      refuse(422, 'PRODUCT_UNKNOWN', errors.notFound, { field: 'productId' });
    const ids = await transact(call.db, async (tx) => {
      await lockUser(tx, userId);
      const own = await favouritesOf(tx, userId);
      if (own.includes(productId)) return own;
      if (own.length >= FAVOURITES_AT_MOST) refuse(422, 'FAVOURITES_FULL', t.favouritesFull);
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

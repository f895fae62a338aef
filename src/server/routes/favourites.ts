import * as contract from '../../contract/favourites.ts';
import { on } from '../call/route.ts';
import { catalogueHere, userIdOf } from '../call/call.ts';
import type { Route } from '../call/route.ts';
import type { Call } from '../call/call.ts';
import { keepFavourite } from '../rules/catalogue/favourites.ts';
import { favouritesOf, removeFavourite } from '../store/favourites.ts';

/** Leaves out products that are not on the menu now. They stay stored and show again when they return to the menu. */
async function shown(call: Call, ids: readonly string[]) {
  const { items, deals } = await catalogueHere(call);
  return { productIds: ids.filter((id) => items.has(id) || deals.has(id)) };
}

export const favouriteRoutes: Route[] = [
  on(contract.products, async (_input, call) => shown(call, await favouritesOf(call.db, userIdOf(call)))),
  on(contract.addProduct, async ({ body: { productId } }, call) => {
    return await shown(call, await keepFavourite(call, productId));
  }),
  on(contract.removeProduct, async ({ productId }, call) => {
    await removeFavourite(call.db, userIdOf(call), productId);
    return await shown(call, await favouritesOf(call.db, userIdOf(call)));
  }),
];

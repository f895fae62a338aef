import { catalogueHere, userIdOf, type Call } from '../../call/call.ts';
import { errors, t } from '../../call/language.ts';
import { refuse } from '../../call/refusal.ts';
import { transact } from '../../store/db.ts';
import { addFavourite, favouritesOf } from '../../store/favourites.ts';
import { lockUser } from '../../store/sessions.ts';

const FAVOURITES_AT_MOST = 100;

/** @returns all favourites of the caller. @throws Refusal 422 PRODUCT_UNKNOWN, FAVOURITES_FULL */
export async function keepFavourite(call: Call, productId: string): Promise<string[]> {
  const userId = userIdOf(call);
  const { items, deals } = await catalogueHere(call);
  if (!items.has(productId) && !deals.has(productId))
    refuse(422, 'PRODUCT_UNKNOWN', errors.notFound, { field: 'productId' });
  return await transact(call.db, async (tx) => {
    await lockUser(tx, userId);
    const own = await favouritesOf(tx, userId);
    if (own.includes(productId)) return own;
    if (own.length >= FAVOURITES_AT_MOST) refuse(422, 'FAVOURITES_FULL', t.favouritesFull);
    await addFavourite(tx, userId, productId, call.now);
    return await favouritesOf(tx, userId);
  });
}

import { userIdOf, type Call } from '../../call/call.ts';
import { t } from '../../call/language.ts';
import { refuse } from '../../call/refusal.ts';
import { transact } from '../../store/db.ts';
import { addFavouriteOrder, favouriteOrderIds } from '../../store/history.ts';
import { lockUser } from '../../store/sessions.ts';

const FAVOURITES_AT_MOST = 50;

/** @throws Refusal 422 FAVOURITES_FULL */
export async function keepFavouriteOrder(call: Call, orderId: string): Promise<void> {
  const userId = userIdOf(call);
  await transact(call.db, async (tx) => {
    await lockUser(tx, userId);
    const held = await favouriteOrderIds(tx, userId);
    if (!held.includes(orderId) && held.length >= FAVOURITES_AT_MOST)
      refuse(422, 'FAVOURITES_FULL', t.favouriteOrdersFull({ most: FAVOURITES_AT_MOST }));
    await addFavouriteOrder(tx, { user_id: userId, order_id: orderId, saved_at: call.now });
  });
}

import { canonicalJson } from '../../../domain/canonicalJson.ts';
import { cardOf } from '../../../domain/history.ts';
import { inputOf } from '../../../domain/lineInput.ts';
import { dishKey } from '../../../domain/madeOf.ts';
import { habitsAt } from '../../../domain/usualPattern.ts';
import { catalogueHere, userIdOf, type Call } from '../../call/call.ts';
import { mustBeFullMode } from '../../call/features.ts';
import { t } from '../../call/language.ts';
import { refuse } from '../../call/refusal.ts';
import { transact } from '../../store/db.ts';
import { addFavouriteOrder, favouriteOrderIds, liveOrdersOfUser, ordersOfUser } from '../../store/history.ts';
import { ordersByIds, snapshotOf, type OrderRow } from '../../store/orders.ts';
import { lockUser } from '../../store/sessions.ts';
import { viewsOf } from './orderView.ts';

const FAVOURITES_AT_MOST = 50;
/** As far back as habits are looked for. */
const PAST_AT_MOST = 60;
const RECOMMENDED = 3;

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

/** The same text for orders of as many of the same dishes, in whichever order they were put in. A note makes no other dish. */
function dishesIn(order: OrderRow): string {
  const counts = new Map<string, number>();
  for (const line of snapshotOf(order).lines) {
    if (line.free === true) continue;
    const dish = dishKey({ ...inputOf(line), note: undefined });
    counts.set(dish, (counts.get(dish) ?? 0) + line.quantity);
  }
  return canonicalJson([...counts], true);
}

async function cardsOf(call: Call, orders: readonly OrderRow[], isFavourite: boolean) {
  return (await viewsOf(call.db, orders, call.now)).map((view) => ({ ...cardOf(view), isFavourite }));
}

/** The latest order of each habit of this customer, the likeliest now first. */
async function habitsOf(call: Call): Promise<OrderRow[]> {
  mustBeFullMode(call.caller);
  const owner = { userId: userIdOf(call), country: call.caller.country };
  // Those that were put away say nothing of a habit, unless there are no others.
  const live = await liveOrdersOfUser(call.db, owner, { offset: 0 }, PAST_AT_MOST);
  const past = (live.length > 0 ? live : await ordersOfUser(call.db, owner, { offset: 0 }, PAST_AT_MOST)).filter(
    ({ status }) => status === 'DELIVERED' || status === 'PICKED',
  );
  const { country } = await catalogueHere(call);
  const ids = habitsAt(
    past.map((order) => ({ orderId: order.id, dishes: dishesIn(order), at: order.submitted_at })),
    call.now,
    country.timeZone,
  );
  return ids.flatMap((id) => past.find((order) => order.id === id) ?? []);
}

/** The orders that the caller keeps, as they were kept. @throws Refusal 403 FEATURE_BLOCKED */
export async function favouriteCards(call: Call) {
  mustBeFullMode(call.caller);
  const ids = await favouriteOrderIds(call.db, userIdOf(call));
  const rows = (await ordersByIds(call.db, ids)).filter(({ country }) => country === call.caller.country);
  const sorted = ids.flatMap((id) => rows.find((row) => row.id === id) ?? []);
  return await cardsOf(call, sorted, true);
}

/** The order that the caller would most likely give again now. @throws Refusal 403 FEATURE_BLOCKED */
export async function likeliestCard(call: Call) {
  const [likeliest] = await habitsOf(call);
  if (likeliest === undefined) return null;
  const kept = await favouriteOrderIds(call.db, userIdOf(call));
  const [card = null] = await cardsOf(call, [likeliest], kept.includes(likeliest.id));
  return card;
}

/** Habits of the caller's that are not kept yet. @throws Refusal 403 FEATURE_BLOCKED */
export async function recommendedCards(call: Call) {
  const habits = await habitsOf(call);
  const ids = await favouriteOrderIds(call.db, userIdOf(call));
  const kept = new Set((await ordersByIds(call.db, ids)).map(dishesIn));
  const fresh = habits.filter((order) => !kept.has(dishesIn(order))).slice(0, RECOMMENDED);
  return await cardsOf(call, fresh, false);
}

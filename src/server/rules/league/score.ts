import { countryConfig } from '../../../../country/index.ts';
import { seasonAt, SLICES } from '../../../domain/league.ts';
import { jobs } from '../../call/jobs.ts';
import { transact, type Tx } from '../../store/db.ts';
import { enqueue } from '../../store/jobs.ts';
import { addEntries, leagueEntry, lockPlayers } from '../../store/league.ts';
import { lockOrder, type OrderRow } from '../../store/orders.ts';
import { isPaidBack } from '../loyalty/loyalty.ts';

const orderKey = (orderId: string) => `order:${orderId}`;
const backKey = (orderId: string) => `back:${orderId}`;

/**
 * An order that was paid has arrived: whoever plays gets its slices, in the season of that moment. Once per order. One that
 * cost nothing counts as paid back.
 */
export async function scoreOrder(tx: Tx, order: OrderRow, at: number): Promise<void> {
  const { country, user_id: userId } = order;
  const [player] = await lockPlayers(tx, [userId]);
  if (player === undefined || player.country !== country || player.joined_at > at) return;
  if (await isPaidBack(tx, order)) return;
  const { id: season } = seasonAt(country, at, countryConfig(country).timeZone);
  await addEntries(tx, [{ unique_key: orderKey(order.id), season, user_id: userId, amount: SLICES.order, at }]);
}

/**
 * Something of an order was paid back: if it was all of it, its slices go, from the season they were given in. It is looked
 * at after this transaction, so that an order that arrives at the same moment is seen. `key` makes it happen once for each
 * payment back.
 */
export async function lookAtSlices(tx: Tx, orderId: string, key: string, now: number): Promise<void> {
  await enqueue(tx, {
    kind: 'league.refund',
    runAt: now,
    payload: { orderId },
    key: `league.refund:${orderId}:${key}`,
  });
}

jobs.on<{ orderId: string }>('league.refund', async ({ orderId }, { db, now }) => {
  await transact(db, async (tx) => {
    const order = await lockOrder(tx, orderId);
    const given = await leagueEntry(tx, orderKey(orderId));
    if (order === undefined || given === undefined || !(await isPaidBack(tx, order))) return;
    const { season, user_id: userId, amount } = given;
    const [player] = await lockPlayers(tx, [userId]);
    if (player === undefined) return;
    // A player who falls back to fewer slices ranks behind those who have that number already.
    await addEntries(tx, [{ unique_key: backKey(orderId), season, user_id: userId, amount: -amount, at: now }]);
  });
});

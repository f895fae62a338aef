import type { Db } from './db.ts';
import type { OrderRow } from './orders.ts';

/** Where a page of a customer's orders begins: behind an order, or after so many of them. */
export type HistoryStart = { readonly submittedAt: number; readonly id: string } | { readonly offset: number };

/** A customer's orders of a country, newest first, at most `limit` of them. */
export async function ordersOfUser(
  db: Db,
  { userId, country }: { userId: string; country: string },
  start: HistoryStart,
  limit: number,
): Promise<OrderRow[]> {
  let query = db
    .selectFrom('orders')
    .selectAll()
    .where('user_id', '=', userId)
    .where('country', '=', country)
    .orderBy('submitted_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit);
  if ('offset' in start) query = query.offset(start.offset);
  else
    query = query.where((e) =>
      e.and([
        e('submitted_at', '<=', start.submittedAt),
        e.or([e('submitted_at', '<', start.submittedAt), e('id', '<', start.id)]),
      ]),
    );
  return await query.execute();
}

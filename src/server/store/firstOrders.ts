import type { Db, Tx } from './db.ts';

declare module './db.ts' {
  interface Tables {
    /** Uses of offers for a first order. `holder` is a hash; `slot` is 1 to n where a holder may have n. */
    first_orders: { country: string; holder: string; slot: number; order_id: string; ends_at: number };
  }
}

/** How often each of these holders has used it, and when the first of its uses ends to count (epoch ms). */
export async function usesOfHolders(
  db: Db,
  country: string,
  holders: readonly string[],
  at: number,
): Promise<ReadonlyMap<string, { used: number; endsAt: number }>> {
  if (holders.length === 0) return new Map();
  const rows = await db
    .selectFrom('first_orders')
    .select(['holder', 'ends_at'])
    .where('country', '=', country)
    .where('holder', 'in', holders)
    .where('ends_at', '>', at)
    .execute();
  const found = new Map<string, { used: number; endsAt: number }>();
  for (const { holder, ends_at: endsAt } of rows) {
    const known = found.get(holder);
    found.set(holder, { used: (known?.used ?? 0) + 1, endsAt: Math.min(known?.endsAt ?? endsAt, endsAt) });
  }
  return found;
}

/**
 * Takes one of the uses that a holder may have. The key of the table lets no two orders have the same one, however they
 * are submitted. @returns false when all are taken
 */
export async function takeFirstOrder(
  tx: Tx,
  use: { country: string; holder: string; orderId: string; endsAt: number },
  most: number,
  at: number,
): Promise<boolean> {
  const own = await tx
    .selectFrom('first_orders')
    .select('slot')
    .where('country', '=', use.country)
    .where('holder', '=', use.holder)
    .where('order_id', '=', use.orderId)
    .executeTakeFirst();
  if (own !== undefined) return true;
  for (let slot = 1; slot <= most; slot += 1) {
    const row = { country: use.country, holder: use.holder, slot, order_id: use.orderId, ends_at: use.endsAt };
    const done = await tx
      .insertInto('first_orders')
      .values(row)
      .onConflict((c) =>
        c
          .columns(['country', 'holder', 'slot'])
          .doUpdateSet({ order_id: row.order_id, ends_at: row.ends_at })
          .where('first_orders.ends_at', '<=', at),
      )
      .executeTakeFirst();
    if ((done.numInsertedOrUpdatedRows ?? 0n) === 1n) return true;
  }
  return false;
}

/** What an order that came to nothing has used may be used again. */
export async function giveFirstOrderBack(tx: Tx, orderId: string): Promise<void> {
  await tx.deleteFrom('first_orders').where('order_id', '=', orderId).execute();
}

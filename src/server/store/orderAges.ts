import { sql } from 'kysely';
import { DAY_MS } from '../../domain/time.ts';
import { archiveOrders, UNDER_WAY } from './archive.ts';
import { transact, type Root, type Tables, type Tx } from './db.ts';
import { losePerson } from './deletions.ts';
import { PERSONAL, type Personal, type PersonWithOrders } from './personal.ts';
import { cutLog, deleteGuests } from './sweep.ts';

// What the books need of an order is kept as long as tax law asks for it; whose it was is not. An order that is old loses its
// customer's name, number, address and words, by the same table as one whose customer deletes their account (personal.ts). An
// account keeps its old orders with their dishes, stores and sums; a guest whose orders are all old is forgotten. Then the
// order goes to the archive, in the same transaction.

/** Tables of which an old order's rows lose the person, or go: those by which others are found come first. */
const OF_ORDER = [
  ...(['payments', 'invoices', 'invoice_files', 'bank_charges', 'first_orders', 'order_shares'] as const),
  ...(['pay_links', 'feedback_asks', 'rider_notes', 'orders'] as const),
] satisfies readonly (keyof Tables)[];

/** Orders that one transaction empties and puts away. */
const ORDERS_AT_ONCE = 50;

async function forget(tx: Tx, country: string, orderIds: readonly string[]): Promise<void> {
  const who: PersonWithOrders = { userIds: [], country, mobile: null, international: null, nobody: '', orderIds };
  for (const table of OF_ORDER) {
    const stand = PERSONAL[table] as Personal;
    if (stand.fate === 'stays') await losePerson(tx, table, stand, who);
    if (stand.fate === 'goes') await sql`delete from ${sql.table(table)} where ${stand.rows(who)}`.execute(tx);
  }
  // Uses and days are counted by the account, too, which stays.
  for (const table of ['coupon_redemptions', 'counted_orders'] as const)
    await tx.deleteFrom(table).where('order_id', 'in', orderIds).where('holder', 'like', 'mobile:%').execute();
  await tx.updateTable('help_tickets').set({ comment: null, answer: null }).where('order_id', 'in', orderIds).execute();
  await tx.updateTable('feedbacks').set({ comment: '', additional: null }).where('order_id', 'in', orderIds).execute();
}

/**
 * Empties orders that ended this many days ago and still name their customer, oldest first, and puts them away with the
 * others of that age (archive.ts), in so small batches that nobody waits long for one.
 * @param at epoch ms of the shop's clock
 * @param most batches that are done at most
 * @returns whether there are no more
 */
export async function forgetOldOrders(
  db: Root,
  at: number,
  days: number,
  most = Number.POSITIVE_INFINITY,
): Promise<boolean> {
  for (let batches = 0; batches < most; batches += 1) {
    const count = await transact(db, async (tx) => {
      const old = await tx
        .selectFrom('orders')
        .select(['id', 'user_id', 'country'])
        .where('finished_at', 'is not', null)
        .where('finished_at', '<', at - days * DAY_MS)
        .whereRef('idempotency_key', '<>', 'id')
        .where(sql<boolean>`not exists (${UNDER_WAY})`)
        .orderBy('finished_at')
        .limit(ORDERS_AT_ONCE)
        .execute();
      for (const [country, orders] of Map.groupBy(old, (order) => order.country))
        await forget(
          tx,
          country,
          orders.map(({ id }) => id),
        );
      await deleteGuests(tx, [...new Set(old.map((order) => order.user_id))], at);
      return Math.max(old.length, await archiveOrders(tx, at, days, ORDERS_AT_ONCE));
    });
    if (count < ORDERS_AT_ONCE) {
      await cutLog(db);
      return true;
    }
    // SQLite answers within the same turn of the event loop: without this, no request would even be read.
    await new Promise((next) => setImmediate(next));
  }
  return false;
}

import { sql, type Kysely } from 'kysely';

/**
 * Whether nobody knows the number and pin of an e-voucher: the shop has put it among somebody's own. Those of earlier
 * releases were linked at the moment at which they were made, which nobody who types a number can do.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('vouchers')
    .addColumn('is_given', 'integer', (c) => c.notNull().defaultTo(0))
    .execute();
  await sql`update vouchers set is_given = 1 where exists (
    select 1 from voucher_links l, ledger_accounts a
    where l.voucher_id = vouchers.id and a.id = vouchers.id and l.linked_at = a.created_at)`.execute(db);
}

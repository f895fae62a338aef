import type { Kysely } from 'kysely';

/** Renames `partner` to `host`, the name that the payment app has everywhere else. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const table of ['sessions', 'orders', 'group_orders'])
    await db.schema.alterTable(table).renameColumn('partner', 'host').execute();
}

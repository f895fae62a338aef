import type { Kysely } from 'kysely';

/**
 * A movement of money is described in the language of whoever reads it, so its text is no longer stored. A notice is
 * written in the language of the browser that asked for it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('ledger_entries').dropColumn('label').execute();
  await db.schema
    .alterTable('push_subscriptions')
    .addColumn('language', 'text', (c) => c.notNull().defaultTo('en'))
    .execute();
}

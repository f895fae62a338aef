import type { Kysely } from 'kysely';

/** What a phone remembers, on its way to another one. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.createTable('memories')
    // Never the code itself.
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('country', 'text', (c) => c.notNull())
    .addColumn('user_id', 'text', (c) => c.notNull().unique())
    .addColumn('memory', 'text', (c) => c.notNull())
    .addColumn('ends_at', 'bigint', (c) => c.notNull()).execute();
}

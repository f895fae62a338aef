import type { Kysely } from 'kysely';

/** What one phone remembers, until another phone fetches it with a code. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('memories')
    // Made from the code, but never the code itself.
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('country', 'text', (c) => c.notNull())
    .addColumn('user_id', 'text', (c) => c.notNull().unique())
    .addColumn('memory', 'text', (c) => c.notNull())
    .addColumn('ends_at', 'bigint', (c) => c.notNull())
    .execute();
}

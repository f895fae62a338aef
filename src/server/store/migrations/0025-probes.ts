import type { Kysely } from 'kysely';

/** What `/ready` writes to learn whether there is room. */
export async function up({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createTable('probes')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('at', 'bigint', (c) => c.notNull())
    .addColumn('filler', 'text', (c) => c.notNull())
    .execute();
}

import type { Kysely } from 'kysely';

/** How fast pages were, of nobody in particular. */
export async function up({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createTable('vitals')
    // Made of the message's own id, so that a message counts once.
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('country', 'text', (c) => c.notNull())
    .addColumn('host', 'text', (c) => c.notNull())
    .addColumn('network', 'text', (c) => c.notNull())
    .addColumn('page', 'text', (c) => c.notNull())
    .addColumn('metric', 'text', (c) => c.notNull())
    // Milliseconds; of CLS thousandths.
    .addColumn('value', 'integer', (c) => c.notNull())
    .addColumn('at', 'bigint', (c) => c.notNull())
    .execute();
  await schema.createIndex('vitals_at').on('vitals').columns(['at']).execute();
}

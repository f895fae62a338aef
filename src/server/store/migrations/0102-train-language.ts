import type { Kysely } from 'kysely';

/** The language in which whoever orders to a train is told of it. */
export async function up({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .alterTable('train_orders')
    .addColumn('language', 'text', (c) => c.notNull().defaultTo('en'))
    .execute();
}

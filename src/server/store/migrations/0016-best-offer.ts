import type { Kysely } from 'kysely';

/** Whether the best permitted offer goes on a cart by itself. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('carts')
    .addColumn('best_offer', 'integer', (c) => c.notNull().defaultTo(0))
    .execute();
}

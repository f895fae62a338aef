import type { Kysely } from 'kysely';

/** A line that a login found in the account's cart is kept aside until the customer decides about it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('cart_lines')
    .addColumn('aside', 'integer', (c) => c.notNull().defaultTo(0))
    .execute();
}

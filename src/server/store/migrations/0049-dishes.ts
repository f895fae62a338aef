import type { Kysely } from 'kysely';

/** What orders were of, to be searched, and the orders that customers keep as favourites. */
export async function up({ schema }: Kysely<unknown>): Promise<void> {
  // Written when somebody searches: an older release that still serves writes none.
  await schema
    .createTable('order_dishes')
    .addColumn('order_id', 'text', (c) => c.primaryKey().references('orders.id'))
    .addColumn('dishes', 'text', (c) => c.notNull())
    .execute();
  await schema
    .createTable('favourite_orders')
    .addColumn('user_id', 'text', (c) => c.notNull())
    .addColumn('order_id', 'text', (c) => c.notNull().references('orders.id'))
    .addColumn('saved_at', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('favourite_orders_pk', ['user_id', 'order_id'])
    .execute();
}

import type { Kysely } from 'kysely';

/**
 * Carts: their lines (a removed one stays as a tombstone), the ids of the operations that were done, and their coupons.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { schema } = db;
  await schema
    .createTable('carts')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('user_id', 'text', (c) => c.notNull())
    .addColumn('country', 'text', (c) => c.notNull())
    .addColumn('version', 'integer', (c) => c.notNull())
    .addColumn('store_id', 'text', (c) => c.notNull())
    .addColumn('delivery_type', 'text', (c) => c.notNull())
    .addColumn('tip', 'bigint', (c) => c.notNull())
    .addColumn('carry_bag', 'integer', (c) => c.notNull())
    .addColumn('cutlery', 'integer', (c) => c.notNull())
    .addColumn('payment_mode', 'text')
    .addColumn('touched_at', 'bigint', (c) => c.notNull())
    .execute();
  await schema.createIndex('carts_user').on('carts').columns(['user_id']).execute();
  await schema
    .createTable('cart_lines')
    .addColumn('cart_id', 'text', (c) => c.notNull().references('carts.id'))
    .addColumn('line_id', 'text', (c) => c.notNull())
    .addColumn('position', 'integer', (c) => c.notNull())
    .addColumn('quantity', 'integer', (c) => c.notNull())
    .addColumn('removed', 'integer', (c) => c.notNull())
    .addColumn('wish', 'text', (c) => c.notNull())
    .addColumn('changed_at', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('cart_lines_pk', ['cart_id', 'line_id'])
    .execute();
  await schema
    .createTable('cart_operations')
    .addColumn('cart_id', 'text', (c) => c.notNull().references('carts.id'))
    .addColumn('operation_id', 'text', (c) => c.notNull())
    .addColumn('done_at', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('cart_operations_pk', ['cart_id', 'operation_id'])
    .execute();
  await schema
    .createTable('cart_coupons')
    .addColumn('cart_id', 'text', (c) => c.notNull().references('carts.id'))
    .addColumn('code', 'text', (c) => c.notNull())
    .addColumn('position', 'integer', (c) => c.notNull())
    .addColumn('declined', 'integer', (c) => c.notNull())
    .addPrimaryKeyConstraint('cart_coupons_pk', ['cart_id', 'code'])
    .execute();
}

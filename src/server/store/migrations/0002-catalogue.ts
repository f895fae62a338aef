import type { Kysely } from 'kysely';

/** The catalogue as loaded from the seeds, the stores, what is sold out, and how coupons were used. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { schema } = db;
  await schema
    .createTable('catalogue_versions')
    .addColumn('country', 'text', (c) => c.primaryKey())
    .addColumn('version', 'text', (c) => c.notNull())
    .addColumn('loaded_at', 'bigint', (c) => c.notNull())
    .execute();
  await schema
    .createTable('catalogue_entries')
    .addColumn('country', 'text', (c) => c.notNull())
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('id', 'text', (c) => c.notNull())
    .addColumn('position', 'integer', (c) => c.notNull())
    .addColumn('body', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('catalogue_entries_pk', ['country', 'kind', 'id'])
    .execute();
  await schema
    .createTable('stores')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('country', 'text', (c) => c.notNull())
    .addColumn('position', 'integer', (c) => c.notNull())
    .addColumn('online', 'integer', (c) => c.notNull())
    .addColumn('body', 'text', (c) => c.notNull())
    .execute();
  await schema.createIndex('stores_country').on('stores').columns(['country', 'position']).execute();
  await schema
    .createTable('sold_out')
    .addColumn('store_id', 'text', (c) => c.notNull())
    .addColumn('product_id', 'text', (c) => c.notNull())
    .addColumn('since', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('sold_out_pk', ['store_id', 'product_id'])
    .execute();
  await schema
    .createTable('coupon_states')
    .addColumn('country', 'text', (c) => c.notNull())
    .addColumn('code', 'text', (c) => c.notNull())
    .addColumn('loaded_at', 'bigint', (c) => c.notNull())
    .addColumn('used', 'integer', (c) => c.notNull().defaultTo(0))
    .addPrimaryKeyConstraint('coupon_states_pk', ['country', 'code'])
    .execute();
  await schema
    .createTable('coupon_redemptions')
    .addColumn('country', 'text', (c) => c.notNull())
    .addColumn('code', 'text', (c) => c.notNull())
    .addColumn('holder', 'text', (c) => c.notNull())
    .addColumn('slot', 'text', (c) => c.notNull())
    .addColumn('order_id', 'text', (c) => c.notNull())
    .addColumn('redeemed_at', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('coupon_redemptions_pk', ['country', 'code', 'holder', 'slot'])
    .execute();
  await schema.createIndex('coupon_redemptions_order').on('coupon_redemptions').columns(['order_id']).execute();
  await schema
    .createIndex('coupon_redemptions_holder')
    .on('coupon_redemptions')
    .columns(['country', 'holder'])
    .execute();
  await schema
    .createTable('counted_orders')
    .addColumn('order_id', 'text', (c) => c.notNull())
    .addColumn('country', 'text', (c) => c.notNull())
    .addColumn('holder', 'text', (c) => c.notNull())
    .addColumn('day', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('counted_orders_pk', ['order_id', 'holder'])
    .execute();
  await schema.createIndex('counted_orders_holder').on('counted_orders').columns(['country', 'holder']).execute();
}

import type { Kysely } from 'kysely';

/**
 * Spins of the wheel, favourite dishes, the coupons that a card may be used for, and a count of changes, by which
 * processes see that what they have copied is old.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { schema } = db;
  await schema
    .createTable('cart_spins')
    .addColumn('cart_id', 'text', (c) => c.notNull())
    // A cart is used again after an order; each order opens a new round.
    .addColumn('round', 'integer', (c) => c.notNull())
    .addColumn('user_id', 'text', (c) => c.notNull())
    .addColumn('country', 'text', (c) => c.notNull())
    .addColumn('slot', 'integer', (c) => c.notNull())
    .addColumn('label', 'text', (c) => c.notNull())
    .addColumn('code', 'text')
    .addColumn('points', 'integer')
    .addColumn('spun_at', 'bigint', (c) => c.notNull())
    .addColumn('order_id', 'text')
    .addPrimaryKeyConstraint('cart_spins_pk', ['cart_id', 'round'])
    .execute();
  await schema.createIndex('cart_spins_order').on('cart_spins').columns(['order_id']).execute();
  await schema
    .createTable('favourite_products')
    .addColumn('user_id', 'text', (c) => c.notNull().references('users.id'))
    .addColumn('product_id', 'text', (c) => c.notNull())
    .addColumn('added_at', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('favourite_products_pk', ['user_id', 'product_id'])
    .execute();
  // The coupons that a card may be used for, never a digit of the card.
  await schema
    .createTable('card_offers')
    .addColumn('token_hash', 'text', (c) => c.primaryKey())
    .addColumn('user_id', 'text', (c) => c.notNull())
    .addColumn('codes', 'text', (c) => c.notNull())
    .addColumn('ends_at', 'bigint', (c) => c.notNull())
    .execute();
  await schema
    .alterTable('system')
    .addColumn('changes', 'bigint', (c) => c.notNull().defaultTo(0))
    .execute();
}

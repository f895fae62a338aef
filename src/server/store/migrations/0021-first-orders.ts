import type { Kysely } from 'kysely';

/** Who and what has had the offer for a first order, and by what a card is known again. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { schema } = db;
  // Only hashes with the server's secret: nobody reads a number, an address or a card out of them.
  await schema
    .createTable('first_orders')
    .addColumn('country', 'text', (c) => c.notNull())
    .addColumn('holder', 'text', (c) => c.notNull())
    // 1 to n, where a holder may have it n times.
    .addColumn('slot', 'integer', (c) => c.notNull())
    .addColumn('order_id', 'text', (c) => c.notNull())
    .addColumn('ends_at', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('first_orders_pk', ['country', 'holder', 'slot'])
    .execute();
  await schema.createIndex('first_orders_order').on('first_orders').columns(['order_id']).execute();
  await schema
    .alterTable('card_offers')
    .addColumn('card', 'text', (c) => c.notNull().defaultTo(''))
    .execute();
  await schema
    .alterTable('bank_cards')
    .addColumn('fingerprint', 'text', (c) => c.notNull().defaultTo(''))
    .execute();
}

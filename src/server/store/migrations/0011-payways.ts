import type { Kysely } from 'kysely';

/** Links through which somebody else pays, and cards that an account keeps as tokens. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { schema } = db;
  // The link through which an attempt came; we do not know who pays then.
  await schema.alterTable('payments').addColumn('link', 'text').execute();
  await schema
    .createTable('pay_links')
    .addColumn('order_id', 'text', (c) => c.primaryKey().references('orders.id'))
    .addColumn('token', 'text', (c) => c.notNull().unique())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .execute();
  // Never a card number: only the vault's token, and what the customer recognises the card by.
  await schema
    .createTable('saved_cards')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('user_id', 'text', (c) => c.notNull())
    .addColumn('token', 'text', (c) => c.notNull())
    .addColumn('brand', 'text', (c) => c.notNull())
    .addColumn('last_four', 'text', (c) => c.notNull())
    .addColumn('expires_at', 'bigint', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addUniqueConstraint('saved_cards_once', ['user_id', 'token'])
    .execute();
}

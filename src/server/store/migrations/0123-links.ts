import { sql, type Kysely } from 'kysely';

/** What else was found by reading a whole table that grows with the shop; test/statements says of which statement. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { schema } = db;
  await schema.createIndex('voucher_links_voucher').on('voucher_links').columns(['voucher_id']).execute();
  await schema.createIndex('cart_spins_user').on('cart_spins').columns(['user_id']).execute();
  await schema.createIndex('vendor_wallet_debits_mobile').on('vendor_wallet_debits').columns(['mobile']).execute();
  await sql`CREATE INDEX group_orders_order ON group_orders (order_id) WHERE order_id IS NOT NULL`.execute(db);
}

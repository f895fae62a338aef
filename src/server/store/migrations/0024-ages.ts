import { sql, type Kysely } from 'kysely';

/** What is old is found without reading the whole table, and payments by whoever made them, when a guest logs in. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { schema } = db;
  await schema.createIndex('sessions_end').on('sessions').columns(['ends_at']).execute();
  await sql`CREATE INDEX sessions_revoked ON sessions (revoked_at) WHERE revoked_at IS NOT NULL`.execute(db);
  await schema.createIndex('used_refreshes_session').on('used_refreshes').columns(['session_id']).execute();
  await schema.createIndex('used_refreshes_at').on('used_refreshes').columns(['used_at']).execute();
  await schema.createIndex('idempotency_at').on('idempotency').columns(['created_at']).execute();
  await sql`CREATE INDEX outbox_sent ON outbox (sent_at) WHERE sent_at IS NOT NULL`.execute(db);
  await schema.createIndex('cart_operations_at').on('cart_operations').columns(['done_at']).execute();
  await sql`CREATE INDEX cart_lines_removed ON cart_lines (changed_at) WHERE removed = 1`.execute(db);
  await schema.createIndex('group_orders_closed').on('group_orders').columns(['closes_at']).execute();
  await schema.createIndex('group_orders_of_cart').on('group_orders').columns(['cart_id']).execute();
  await schema.createIndex('payments_user').on('payments').columns(['user_id']).execute();
}

import { sql, type Kysely } from 'kysely';

/** What was found by reading a whole table that grows with the shop; test/statements says of which statement. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { schema } = db;
  await schema.createIndex('orders_mobile').on('orders').columns(['mobile', 'country']).execute();
  await schema.createIndex('captures_order').on('captures').columns(['order_id']).execute();
  await schema.createIndex('captures_payment').on('captures').columns(['payment_id']).execute();
  await sql`CREATE INDEX users_became ON users (became) WHERE became IS NOT NULL`.execute(db);
  await sql`CREATE INDEX carts_train ON carts (train_order) WHERE train_order IS NOT NULL`.execute(db);
  await sql`CREATE INDEX carts_group ON carts (group_id) WHERE group_id IS NOT NULL`.execute(db);
  await schema.createIndex('offline_feedbacks_mobile').on('offline_feedbacks').columns(['country', 'mobile']).execute();
  await schema.createIndex('promise_credits_user').on('promise_credits').columns(['user_id']).execute();
}

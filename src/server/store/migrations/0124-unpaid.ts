import { sql, type Kysely } from 'kysely';

/** What guests ordered and never paid is deleted: what is looked for then, and what points at it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { schema } = db;
  await sql`CREATE INDEX orders_unpaid ON orders (finished_at) WHERE confirmed_at IS NULL AND finished_at IS NOT NULL`.execute(
    db,
  );
  await schema.createIndex('refunds_payment').on('refunds').columns(['payment_id']).execute();
  await schema.createIndex('favourite_orders_order').on('favourite_orders').columns(['order_id']).execute();
  await schema.createIndex('bill_people_order').on('bill_people').columns(['order_id']).execute();
}

import { sql, type Kysely } from 'kysely';
import { engineOf } from '../db.ts';

/** Orders that are old and name nobody, with all that hangs on them: on PostgreSQL in a part of its own for each month. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const inParts = engineOf(db) === 'postgres' ? sql` PARTITION BY RANGE (submitted_at)` : sql``;
  await sql`CREATE TABLE old_orders (
    id text NOT NULL,
    user_id text NOT NULL,
    country text NOT NULL,
    submitted_at bigint NOT NULL,
    body text NOT NULL,
    CONSTRAINT old_orders_pk PRIMARY KEY (submitted_at, id)
  )${inParts}`.execute(db);
  await db.schema.createIndex('old_orders_id').on('old_orders').columns(['id']).execute();
  await db.schema.createIndex('old_orders_user').on('old_orders').columns(['user_id', 'submitted_at']).execute();
  await db.schema
    .createTable('old_customers')
    .addColumn('user_id', 'text', (c) => c.primaryKey())
    .addColumn('orders', 'bigint', (c) => c.notNull())
    .addColumn('standing', 'bigint', (c) => c.notNull())
    .addColumn('opened_at', 'bigint', (c) => c.notNull())
    .execute();
  // Those that name nobody and are not there yet.
  await sql`CREATE INDEX orders_nameless ON orders (finished_at) WHERE finished_at IS NOT NULL AND idempotency_key = id`.execute(
    db,
  );
}

import { sql, type Kysely } from 'kysely';

/**
 * What an operator looks for: the orders and payments that are open now, found without reading those that are over, and
 * the trace of each order, which its jobs carry on.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('orders').addColumn('trace', 'text').execute();
  await db.schema.alterTable('jobs').addColumn('trace', 'text').execute();
  await sql`CREATE INDEX orders_open ON orders (status) WHERE finished_at IS NULL`.execute(db);
  await sql`CREATE INDEX payments_open ON payments (state) WHERE state IN ('CREATED', 'OTP_NEEDED', 'SENT', 'UNKNOWN')`.execute(
    db,
  );
}

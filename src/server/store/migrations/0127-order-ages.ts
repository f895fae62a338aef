import { sql, type Kysely } from 'kysely';

/** Orders that are over and still name their customer, oldest first: store/orderAges.ts empties those that are old. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`CREATE INDEX orders_named ON orders (finished_at) WHERE finished_at IS NOT NULL AND idempotency_key <> id`.execute(
    db,
  );
}

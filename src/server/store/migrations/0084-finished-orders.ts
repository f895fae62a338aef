import { sql, type Kysely } from 'kysely';

/** What was handed over in a time: the league counts its weekends without reading every order there ever was. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`CREATE INDEX orders_finished ON orders (country, finished_at) WHERE finished_at IS NOT NULL`.execute(db);
}

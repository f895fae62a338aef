import type { Kysely } from 'kysely';

/** A customer's orders are read newest first, a page at a time, from wherever the page before ended. */
export async function up({ schema }: Kysely<unknown>): Promise<void> {
  await schema.createIndex('orders_history').on('orders').columns(['user_id', 'submitted_at', 'id']).execute();
}

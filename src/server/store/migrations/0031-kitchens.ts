import type { Kysely } from 'kysely';

/** What a kitchen has begun lately is counted at every look at a checkout, and must not cost more with every order ever placed. */
export async function up({ schema }: Kysely<unknown>): Promise<void> {
  await schema.createIndex('orders_kitchen').on('orders').columns(['store_id', 'starts_at']).execute();
}

import type { Kysely } from 'kysely';

/**
 * What is kept for months is found by its age: otherwise each sweep reads all customers' devices. An account that is deleted
 * finds its e-vouchers by its number, and not among all of its country.
 */
export async function up({ schema }: Kysely<unknown>): Promise<void> {
  await schema.createIndex('known_devices_seen').on('known_devices').columns(['seen_at']).execute();
  await schema.createIndex('fingerprints_at').on('fingerprints').columns(['at']).execute();
  await schema.createIndex('assistant_grants_client').on('assistant_grants').columns(['client_id']).execute();
  await schema.createIndex('vouchers_mobile').on('vouchers').columns(['mobile', 'country']).execute();
  await schema.createIndex('help_customers_since').on('help_customers').columns(['since']).execute();
}

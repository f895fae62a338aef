import type { Kysely } from 'kysely';

/** By what the card, the UPI id or the wallet of a payment is known again: a hash with the server's secret. */
export async function up({ schema }: Kysely<unknown>): Promise<void> {
  await schema.alterTable('payments').addColumn('holder', 'text').execute();
}

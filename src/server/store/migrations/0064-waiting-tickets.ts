import type { Kysely } from 'kysely';

/** How many tickets wait is asked every few seconds; most of them were answered long ago. */
export async function up({ schema }: Kysely<unknown>): Promise<void> {
  await schema.createIndex('help_tickets_state').on('help_tickets').columns(['state']).execute();
}

import type { Kysely } from 'kysely';

/** What a customer sees of their sessions. Of those that began before, it is told by their next refresh. */
export async function up({ schema }: Kysely<unknown>): Promise<void> {
  await schema.alterTable('sessions').addColumn('device', 'text').execute();
  await schema.alterTable('sessions').addColumn('place', 'text').execute();
  await schema.alterTable('sessions').addColumn('used_at', 'bigint').execute();
}
